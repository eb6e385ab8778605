//! Perft: counts the leaves of the tree of legal moves, the customary test of move generation.

use std::convert::Infallible;

use super::generate::{self, MoveList};
use super::position::Position;

/// The number of sequences of `depth` legal moves. At the last ply moves are counted, not made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(generate::count_legal(position)),
        _ => each_move(position, |position| perft(position, depth - 1)),
    }
}

/// The count was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Like [`perft`], but stops when `must_stop` returns true; it is called at every node whose moves are made. The position
/// is unchanged in either case.
///
/// # Errors
/// When it was stopped.
pub fn perft_until(
    position: &mut Position,
    depth: u32,
    must_stop: &impl Fn() -> bool,
) -> Result<u64, Stopped> {
    match depth {
        0 | 1 => Ok(perft(position, depth)),
        _ if must_stop() => Err(Stopped),
        _ => try_each_move(position, |position| perft_until(position, depth - 1, must_stop)),
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
    fn trees_have_their_leaves() {
        for (text, depth, leaves) in [
            (sfen::START, 3, 25_470),
            ("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 2, 105_677),
            ("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1", 2, 28_684),
        ] {
            let mut position = sfen::parse(text).unwrap();
            assert_eq!(perft(&mut position, depth), leaves);
            assert_eq!(perft_until(&mut position, depth, &|| false), Ok(leaves));
        }
    }

    #[test]
    fn a_stopped_count_leaves_the_position_unchanged() {
        let mut position = Position::start();
        for calls in [0, 1, 2, 30] {
            let left = Cell::<u32>::new(calls);
            let must_stop = || left.replace(left.get().saturating_sub(1)) == 0;
            assert_eq!(perft_until(&mut position, 3, &must_stop), Err(Stopped), "{calls}");
            assert_eq!(sfen::write(&position), sfen::write(&Position::start()));
        }
        // There is one call for each node whose moves are made: the root and its thirty children.
        let left = Cell::<u32>::new(31);
        let must_stop = || left.replace(left.get().saturating_sub(1)) == 0;
        assert_eq!(perft_until(&mut position, 3, &must_stop), Ok(25_470));
    }
}
