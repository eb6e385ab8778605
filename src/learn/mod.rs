//! What the engine learns from games, its own included.

pub mod categories;
pub mod category_costs;
pub mod fingerprint;
pub mod inspect;
pub mod kppt;
pub mod selfplay;
pub mod sources;
pub mod transitions;
pub mod tuning;
