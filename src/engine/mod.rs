//! The engine as a front end sees it: a [`player::Player`] takes positions and limits, and tells an
//! [`observer::Observer`] what it thinks and, exactly once for each `go`, what it answers.

pub mod book;
pub mod clock;
mod decision;
mod division;
mod evaluation;
pub mod grant;
mod keep_alive;
pub mod limits;
pub mod observer;
pub mod pace;
pub mod player;
mod pool;
mod race;
pub mod settings;
mod signals;
mod team;
#[cfg(test)]
mod testing;
mod tsume;
mod watch;
