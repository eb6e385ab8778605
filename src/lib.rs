//! Jitsugen (実現, "realization"): a shogi engine.
//!
//! The layers, from the top. Each uses only those below it:
//!
//! - [`usi`]: the protocol that clients speak.
//! - [`csa`]: play over the network.
//! - `learn`: self-play, and what is learned from games: evaluation, transition probabilities, the search's parameters;
//!   left out of a build without the feature `learn`.
//! - [`analyse`]: whole games explained: annotated records, graphs, pages.
//! - [`engine`]: the player a front end drives: threads, clock, signals.
//! - [`book`]: opening books.
//! - [`search`]: from a position to a principal variation.
//! - [`policy`]: how probable a move is, and what it costs the search.
//! - [`mate`]: forced mates.
//! - [`exchange`]: static exchange evaluation.
//! - [`eval`]: the evaluation of a position.
//! - [`record`]: game records in CSA, KIF, KI2 and USI form, and packed training positions.
//! - [`shogi`]: the rules.
//! - [`util`]: files, memory, text, the processor.
//!
//! The program's command line, `cli`, stands above all of them.

pub mod analyse;
pub mod book;
pub mod csa;
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
