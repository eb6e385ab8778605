//! Mates: [`one_move`] finds those of a single move, [`solver`] those of any length by proof numbers, [`hisshi`] the
//! moves that make a mate unavoidable.
//!
//! docs/mate.md describes how the parts of the solver work together.

mod children;
mod estimate;
mod hands;
pub mod hisshi;
mod interposition;
mod line;
mod node;
pub mod one_move;
mod path;
mod plies;
mod proof;
mod returns;
mod search;
pub mod solver;
mod table;
