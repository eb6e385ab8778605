//! Perft: counts the leaves of the tree of all legal moves, the field's test of move generation.

use std::convert::Infallible;

use super::generate::{self, MoveList};
use super::position::Position;

/// How many sequences of `depth` legal moves there are. At the last ply moves are counted, not made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(generate::count_legal(position)),
        _ => each_move(position, |position| perft(position, depth - 1)),
    }
}

/// As [`perft`], but makes every move down to the leaves.
pub fn perft_making_leaves(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => each_move(position, |position| perft_making_leaves(position, depth - 1)),
    }
}

/// As [`perft`], but fills a list of moves at every node above the leaves and takes its length there.
pub fn perft_filling_lists(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => generate::all_legal(position).len() as u64,
        _ => each_move(position, |position| perft_filling_lists(position, depth - 1)),
    }
}

/// Counting was broken off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// As [`perft`], but asks `stops` at every node whose moves are made whether to go on. The position is as it was in
/// either case.
///
/// # Errors
/// When `stops` has said so.
pub fn perft_until(position: &mut Position, depth: u32, stops: &impl Fn() -> bool) -> Result<u64, Stopped> {
    match depth {
        0 | 1 => Ok(perft(position, depth)),
        _ if stops() => Err(Stopped),
        _ => try_each_move(position, |position| perft_until(position, depth - 1, stops)),
    }
}

fn each_move(position: &mut Position, mut count: impl FnMut(&mut Position) -> u64) -> u64 {
    let Ok(leaves) = try_each_move(position, |position| Ok::<u64, Infallible>(count(position)));
    leaves
}

fn try_each_move<E>(
    position: &mut Position,
    mut count: impl FnMut(&mut Position) -> Result<u64, E>,
) -> Result<u64, E> {
    let mut list = MoveList::new();
    generate::legal(position, generate::NonPromotions::All, &mut list);
    let mut leaves = 0;
    for &mv in &list {
        position.play(mv, &mut ());
        let counted = count(position);
        position.undo(mv, &mut ());
        leaves += counted?;
    }
    Ok(leaves)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::shogi::sfen;

    #[test]
    fn three_ways_of_counting_agree() {
        for (text, depth, leaves) in [
            (sfen::START, 3, 25_470),
            ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 2, 105_677),
            ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 2, 28_684),
        ] {
            let mut position = sfen::parse(text).unwrap();
            assert_eq!(perft(&mut position, depth), leaves);
            assert_eq!(perft_making_leaves(&mut position, depth), leaves);
            assert_eq!(perft_filling_lists(&mut position, depth), leaves);
            assert_eq!(perft_until(&mut position, depth, &|| false), Ok(leaves));
        }
    }

    #[test]
    fn counting_can_be_broken_off_anywhere() {
        let mut position = Position::start();
        for asked in [0, 1, 2, 30] {
            let left = Cell::<u32>::new(asked);
            let stops = || left.replace(left.get().saturating_sub(1)) == 0;
            assert_eq!(perft_until(&mut position, 3, &stops), Err(Stopped), "{asked}");
            assert_eq!(sfen::write(&position), sfen::write(&Position::start()));
        }
        // What is not made is not asked about: the root and its thirty moves.
        let left = Cell::<u32>::new(31);
        let stops = || left.replace(left.get().saturating_sub(1)) == 0;
        assert_eq!(perft_until(&mut position, 3, &stops), Ok(25_470));
    }
}
