//! Which of a book's moves is played. The options are YaneuraOu's, by its documentation.

use super::book_move::BookMove;
use crate::shogi::color::{Color, PerColor};

/// Below this share of the games of a position, one in so many, a move is left out by [`ChoiceOptions::narrow`].
const RARE: u64 = 10;

/// How a move of a book is chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceOptions {
    /// Whether a position that is not in the book is looked up with the sides exchanged.
    pub flipped: bool,
    /// Whether the number of the move does not matter; otherwise it has to be that of the book.
    pub any_number: bool,
    /// How often the book is left aside for a move, in percent.
    pub ignore_rate: u32,
    /// How much less than the best move a move may be worth, in hundredths of a pawn.
    pub eval_diff: i32,
    /// The least value of a move that each side plays, in hundredths of a pawn.
    pub least_value: PerColor<i32>,
    /// The least depth of the search behind a move.
    pub least_depth: u32,
    /// Whether moves that were played in less than a tenth of the games are left out.
    pub narrow: bool,
    /// Whether a move comes up as often as it was played; otherwise all are equally probable.
    pub by_count: bool,
    /// The longest line that is reported with a move.
    pub pv_moves: usize,
}

impl Default for ChoiceOptions {
    fn default() -> Self {
        ChoiceOptions {
            flipped: true,
            any_number: true,
            ignore_rate: 0,
            eval_diff: 30,
            least_value: PerColor([0, -140]),
            least_depth: 0,
            narrow: false,
            by_count: true,
            pv_moves: 8,
        }
    }
}

impl ChoiceOptions {
    /// Those of a position's `moves` that may be played by `side`.
    pub(super) fn candidates(&self, side: Color, mut moves: Vec<BookMove>) -> Vec<BookMove> {
        moves.retain(|entry| entry.depth >= self.least_depth);
        let best = moves.iter().map(|entry| entry.value).max().unwrap_or_default();
        let least = self.least_value[side].max(best.saturating_sub(self.eval_diff));
        moves.retain(|entry| entry.value >= least);
        if self.narrow {
            let total = moves.iter().fold(0_u64, |total, entry| total.saturating_add(entry.count));
            moves.retain(|entry| entry.count >= total.div_ceil(RARE));
        }
        moves
    }

    /// One of the candidates at random.
    pub(super) fn draw(&self, candidates: &[BookMove]) -> Option<BookMove> {
        let weight = |entry: &BookMove| if self.by_count { entry.weight() } else { 1 };
        let total = candidates.iter().map(weight).sum::<u64>();
        let mut left = (total > 0).then(|| fastrand::u64(..total))?;
        candidates.iter().copied().find(|entry| match left.checked_sub(weight(entry)) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        })
    }

    /// Whether the book is left aside this time.
    pub(super) fn ignores_this_time(&self) -> bool {
        self.ignore_rate > 0 && fastrand::u32(..100) < self.ignore_rate
    }
}
