//! Training of the KPPT evaluation.
//!
//! A correction to an evaluation is learned, as a sum of [terms](term::Term) with few dimensions. Places that the board's
//! symmetry makes alike share a parameter. It is learned from [examples]: positions that were judged by a
//! search or by the end of their game, and moves that were played where others could have been (the way of Bonanza, K.
//! Hoki, "Optimal control of minimax search results to learn positional evaluation", 2006). Either is looked at in the
//! [leaf](crate::search::leaves) of its quiescence search. [`trainer`] goes down the gradient (Adagrad, J. Duchi and
//! others 2011), [`quantization`] turns the result into whole numbers, the terms of a compact evaluation.
//!
//! Parameters are added up [by place](place_tables) between two steps, so that positions are looked at fast. The gradients of
//! parameters are whole numbers, and those of places are added up in a fixed order: the same seed gives the same weights
//! with any number of threads.

pub mod checkpoint;
pub mod curves;
pub mod examples;
pub mod leaf_file;
pub mod loss;
pub mod measure;
pub mod model;
pub mod place_tables;
pub mod places;
pub mod quantization;
pub mod session;
mod shared_parameters;
pub mod snapshot;
pub mod term;
pub mod trainer;
mod view;
