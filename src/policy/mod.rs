//! How probable a move is, and what it therefore costs: the model of moves.
//!
//! [`category`] says what kinds of move a move is, [`transition`] how probable it is among the moves of its position, and
//! [`cost_cache`] keeps what moves cost. [`budget`] is the unit. Nothing here knows a search.

pub mod budget;
pub mod category;
pub mod cost_cache;
mod powers;
pub mod transition;
pub mod usual_cost;
