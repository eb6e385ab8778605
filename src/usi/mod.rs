//! USI, the Universal Shogi Interface: how GUIs and tournament managers talk to the engine.
//!
//! Lenient in what is read, strict in what is written. [`protocol`] maps text to values and back and has no state,
//! [`options`] is the table of what a user can set, each an [`option`], and [`session`] is the conversation; `output` writes
//! what the client reads.

pub mod debug_commands;
mod log;
pub mod option;
pub mod options;
mod output;
pub mod protocol;
pub mod session;
