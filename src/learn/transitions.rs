//! Training of the transition probabilities: which move is played, from what the moves of a position are.
//!
//! Multinomial logistic regression over the [features](crate::policy::features::FEATURES) of moves: the played move is
//! made as probable as can be among the legal ones. The steps are Adagrad's (J. Duchi and others 2011). Gradients
//! are added up as whole numbers, so that the same seed gives the same weights with any number of threads.

pub mod examples;
pub mod trainer;
