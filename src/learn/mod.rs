//! What the engine learns from games.

pub mod categories;
pub mod kppt;
