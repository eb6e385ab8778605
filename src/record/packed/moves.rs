//! Moves in packed training positions.
//!
//! Bits 0–6 are the destination, bits 7–13 the origin, bit 14 marks a drop, bit 15 a promotion. Squares have our numbers.
//! A drop has its kind in place of the origin, counted from 1: pawn, lance, knight, silver, bishop, rook, gold.

use super::error::PackedError;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::HandKind;
use crate::shogi::square::Square;

const DROP: u16 = 1 << 14;
const PROMOTE: u16 = 1 << 15;

/// The dropped kinds, in the order of their numbers.
const KINDS: [HandKind; HandKind::COUNT] = [
    HandKind::Pawn,
    HandKind::Lance,
    HandKind::Knight,
    HandKind::Silver,
    HandKind::Bishop,
    HandKind::Rook,
    HandKind::Gold,
];

/// The word for a move; 0 for none.
pub fn pack(mv: Option<Move>) -> u16 {
    let Some(mv) = mv else { return 0 };
    let from = match mv.origin() {
        Origin::Board(from) => from.index() as u16,
        Origin::Hand(kind) => {
            let number = (1..).zip(KINDS).find(|&(_, known)| known == kind).map_or(0, |(number, _)| number);
            DROP >> 7 | number
        }
    };
    let promotion = if mv.is_promotion() { PROMOTE } else { 0 };
    promotion | from << 7 | mv.to().index() as u16
}

/// The move of a word; `None` for 0. Words for a null move, a resignation or a declaration are errors.
///
/// # Errors
/// [`PackedError::Move`].
pub fn unpack(word: u16) -> Result<Option<Move>, PackedError> {
    if word == 0 {
        return Ok(None);
    }
    let read = || {
        let (to, from) = (usize::from(word & 127), usize::from(word >> 7 & 127));
        let to = Square::from_index(to)?;
        if word & DROP != 0 {
            let kind = *KINDS.get(from.checked_sub(1)?)?;
            return (word & PROMOTE == 0).then(|| Move::drop(kind, to));
        }
        let from = Square::from_index(from).filter(|&from| from != to)?;
        Some(if word & PROMOTE != 0 { Move::promoting(from, to) } else { Move::board(from, to) })
    };
    read().map(Some).ok_or(PackedError::Move(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_round_trips_or_is_an_error() {
        let read: Vec<_> = (0..=u16::MAX).filter_map(|word| Some((word, unpack(word).ok()?))).collect();
        assert_eq!(read.len(), 1 + 81 * 80 * 2 + 7 * 81);
        assert!(read.iter().all(|&(word, mv)| pack(mv) == word));
    }

    #[test]
    fn words_are_those_of_other_programs() {
        for (text, word) in
            [("2g2f", 0x078e), ("8h2b+", 0xa30a), ("P*5e", 0x40a8), ("B*5e", 0x42a8), ("G*5e", 0x43a8)]
        {
            assert_eq!(pack(Some(text.parse().unwrap())), word, "{text}");
        }
    }
}
