//! CSA, the protocol of tournaments and of floodgate: play over the network.
//!
//! [`protocol`] and [`summary`] map text to values and back and have no state. [`time_rule`] counts time as a server does,
//! [`latency`] what is lost on the way. A [`game`] has board, clocks and record, a [`play`] decides what a line means for it,
//! and a [`session`] logs in, plays game after game and connects again. What happens is reported to a [`report::Watcher`].
//! [`results`] says what saved games came to.

pub mod connection;
pub mod game;
pub mod journal;
pub mod latency;
pub mod lines;
pub mod pauses;
pub mod play;
pub mod protocol;
pub mod refusals;
pub mod report;
pub mod results;
pub mod session;
pub mod settings;
pub mod summary;
pub mod thinker;
pub mod time_rule;
