//! The engine as a front end sees it: a [`player::Player`] takes positions and limits, and tells an
//! [`observer::Observer`] what it thinks and, exactly once for each `go`, what it answers.

pub mod clock;
mod evaluation;
pub mod limits;
pub mod observer;
pub mod player;
mod pool;
pub mod settings;
mod signals;
mod tsume;
mod watch;
