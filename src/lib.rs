//! Jitsugen (実現, "realization"): a shogi engine.
//!
//! The layers, each of which knows only those below it:
//!
//! - [`shogi`]: the rules.

pub mod shogi;
