//! Exchanges of pieces, foreseen without playing them.
//!
//! [`one_square`] is SOMA (Michie 1966; Rollason's paper on SUPER-SOMA, §5 and §6): what a side gains by the captures
//! on a single square. [`values`] says what the pieces are worth.

pub mod one_square;
pub mod values;
