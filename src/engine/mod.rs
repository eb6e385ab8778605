//! The engine as a front end sees it: a [`player::Player`] takes positions and limits, and reports to an
//! [`observer::Observer`] what it thinks and, exactly once for each `go`, what it answers.

pub mod bench;
pub mod clock;
mod deadline;
mod decision;
mod evaluation;
mod game_clock;
pub mod hash_budget;
pub mod limits;
mod main_thread;
mod mate_search;
pub mod observer;
pub mod options;
pub mod player;
mod reporter;
mod search_memory;
mod shared_search;
mod signals;
pub mod skill;
mod tables_cache;
#[cfg(test)]
mod testing;
mod thread_pool;
pub mod time_manager;
