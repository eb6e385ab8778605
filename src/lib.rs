//! Jitsugen (実現, "realization"): a shogi engine.
//!
//! The layers, each of which knows only those below it:
//!
//! - [`usi`]: the protocol that clients speak.
//! - `learn`: self-play, and what is learned from games: evaluation, transition probabilities, the search's parameters;
//!   left out of a build without the feature `learn`.
//! - [`engine`]: the player a front end drives: threads, clock, signals.
//! - [`book`]: opening books.
//! - [`search`]: from a position to a best line.
//! - [`policy`]: how probable a move is, and what it costs the search.
//! - [`mate`]: forced mates.
//! - [`exchange`]: what captures are worth, foreseen without playing them.
//! - [`eval`]: what a position is worth.
//! - [`record`]: game records in CSA, KIF, KI2 and USI form, and packed training positions.
//! - [`shogi`]: the rules.
//! - [`util`]: files, memory, text.
//!
//! Beside them stands [`bench`](mod@bench), which measures the whole.

pub mod bench;
pub mod book;
pub mod engine;
pub mod eval;
pub mod exchange;
#[cfg(feature = "learn")]
pub mod learn;
pub mod mate;
pub mod policy;
pub mod record;
pub mod search;
pub mod shogi;
pub mod usi;
pub mod util;
