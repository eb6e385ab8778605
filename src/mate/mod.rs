//! Mates: [`one_move`] finds those of a single move.

pub mod one_move;
