//! The model of moves: how probable a move is, and what it therefore costs.
//!
//! The search asks for the costs of a node's moves. [`category`] says what kinds of move a move is, [`features`] has
//! these and what else is learned from, and [`transition`] turns the features' weights into probabilities and costs, in
//! units of [`budget`]. [`cost_cache`] keeps costs, each [packed](packed_cost) in 16 bits. [`human_moves`] draws moves as people play them. Nothing here knows the search.
//!
//! What all moves of a position share is in a [`move_context`], whose cheap part is a [`plain_context`]; what the
//! categories ask about one move is in `move_facts`.
//!
//! To add a category:
//!
//! 1. Write a function in one of the files of `category/` that returns the move's split, or `None` for other moves.
//! 2. If it is split in a new way, add the names of the splits to `splits.rs`.
//! 3. Add a line with its name to the list in `category.rs`, under the condition that such moves have to meet.
//! 4. Describe it in docs/internals/policy.md, and count its probabilities with `jitsugen learn categories`.
//! 5. Train both tables of weights anew with `jitsugen learn transitions`: the numbers of the features have changed.

mod attack_map;
pub mod budget;
pub mod category;
pub mod cost_cache;
mod drop_weights;
pub mod features;
pub mod human_moves;
mod mailbox;
pub mod move_context;
mod move_facts;
pub mod packed_cost;
pub mod plain_context;
pub mod plain_transitions;
pub mod scores;
mod splits;
pub mod transition;
#[cfg(test)]
mod twin;
