//! Jitsugen (実現, "realization"): a shogi engine.
//!
//! The layers, each of which knows only those below it:
//!
//! - [`record`]: game records in CSA, KIF, KI2 and USI form.
//! - [`shogi`]: the rules.

pub mod record;
pub mod shogi;
