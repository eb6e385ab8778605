//! The engine as a front end sees it: a [`player::Player`] takes positions and limits, and tells an
//! [`observer::Observer`] what it thinks and, exactly once for each `go`, what it answers.

pub mod clock;
mod decision;
mod division;
mod evaluation;
pub mod grant;
mod keep_alive;
pub mod limits;
mod main_thread;
pub mod observer;
pub mod player;
mod reporter;
pub mod settings;
mod shared_search;
mod signals;
#[cfg(test)]
mod testing;
mod thread_pool;
pub mod time_manager;
mod tsume;
