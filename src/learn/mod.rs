//! The laboratory: self-play, what is learned from games (evaluation, transition probabilities, search parameters), and
//! measurements of the engine.

pub mod categories;
pub mod checksums;
pub mod experiments;
pub mod inspect;
pub mod kppt;
pub mod plot;
pub mod position_file;
pub mod selfplay;
pub mod sources;
pub mod transitions;
pub mod tuning;
