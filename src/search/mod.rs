//! The search: from a position and limits to a best line.
//!
//! It never prints and knows no clock: it asks a [`Control`] whether to go on, and reports to it what it has found.
//!
//! [`think`] begins a search. `iterative` deepens at the root, `node` searches inner nodes by realization probability,
//! and `qsearch` goes on from the leaves; `move_picker` says what the moves of a node cost and in which order they come.
//! `thread` is what one thread works with, `memory` what it keeps from one search to the next: the transposition table
//! ([`tt`]), the [`history`], the `continuation_history` and others. All threads share the hash moves ([`hash_moves`]) alone. `mates` asks the mate
//! solver. `rivals` has the search by depth that the paper compares with.

mod continuation_history;
pub mod control;
pub mod hash_moves;
pub mod history;
mod iterative;
pub mod leaves;
mod mate_state;
mod mates;
mod memory;
mod move_picker;
mod multi_pv;
mod node;
pub mod params;
mod pv;
mod qsearch;
mod request;
mod rivals;
mod thread;
pub mod tt;
pub mod value;
pub mod window;

pub use control::{Control, Line, POLL_INTERVAL};
pub use iterative::think;
pub use memory::Memory;
pub use request::{SearchPolicy, SearchRequest};
pub use value::MAX_PLY;

/// Bytes of stack for a thread that searches: frames hold lists of up to 593 moves, and lines are at most [`MAX_PLY`]
/// plies deep.
pub const STACK: usize = 16 << 20;
