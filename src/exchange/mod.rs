//! Exchanges of pieces, evaluated without playing them.
//!
//! [`see`] is static exchange evaluation (SEE), which shogi's papers call SOMA (Michie 1966; Rollason's paper on
//! SUPER-SOMA, §5 and §6): what a side gains by the captures on a single square; how these go is in [`square_exchange`]. [`values`] says what the pieces are
//! worth. [`whole_board`] is SUPER-SOMA itself: all tactical moves of a position, and the line that follows from them.

pub mod see;
pub mod square_exchange;
pub mod values;
pub mod whole_board;
