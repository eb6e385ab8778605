//! Jitsugen (実現, "realization"): a shogi engine.
//!
//! The layers, each of which knows only those below it:
//!
//! - [`usi`]: the protocol that clients speak.
//! - [`engine`]: the player a front end drives: threads, clock, signals.
//! - [`learn`]: what is counted from games.
//! - [`search`]: from a position to a best line.
//! - [`record`]: game records in CSA, KIF, KI2 and USI form, and packed training positions.
//! - [`mate`]: forced mates.
//! - [`eval`]: what a position is worth.
//! - [`exchange`]: what captures are worth, foreseen without playing them.
//! - [`shogi`]: the rules.
//!
//! Beside them stands [`bench`](mod@bench), which measures the whole.

pub mod bench;
pub mod engine;
mod era;
pub mod eval;
mod excerpt;
pub mod exchange;
pub mod learn;
pub mod mate;
mod pages;
pub mod record;
pub mod sealed;
pub mod search;
pub mod shogi;
pub mod usi;
pub mod whole_file;
