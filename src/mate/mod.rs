//! Mates: [`one_move`] finds mates in one, [`solver`] mates of any length by depth-first proof-number search (df-pn),
//! [`cooks`] second solutions
//! of a problem, and [`hisshi`] brinkmates, the moves after which a mate cannot be parried.
//!
//! The solver's parts: `search` is the df-pn search over `node`s; `children` sums up a node's moves; `proof` has the
//! numbers and verdicts, `hands` the hands that they hold for; `table` keeps them, `path` and `path_disproofs` deal
//! with repetition; `line` and `interposition` turn a proven mate into moves. docs/internals/mate.md describes how they
//! work together.

pub mod cooks;
pub mod hisshi;
mod line;
mod node;
pub mod one_move;
mod path;
mod proof;
mod search;
pub mod solver;
mod table;
