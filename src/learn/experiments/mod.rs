//! Measurements of the engine: what the search looks like, what it finds, how it spends time, what threads bring.

pub mod levels;
pub mod next_moves;
pub mod search_kinds;
pub mod search_shape;
pub mod tactics;
pub mod thread_scaling;
pub mod time_use;
