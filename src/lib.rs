//! Jitsugen (実現, "realization"): a shogi engine.
//!
//! The layers, each of which knows only those below it:
//!
//! - [`shogi`]: the rules;
//! - [`eval`]: what a position is worth.

pub mod eval;
pub mod shogi;
