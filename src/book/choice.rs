//! Which of a book's moves is played. The options are YaneuraOu's, by its documentation.

use super::book_move::BookMove;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;

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
    /// Those of a position's `moves` that may be played by `side`. What is best and how many games there are counts all of
    /// them: a move does not become good or usual because a better or a more usual one is left out.
    pub(super) fn candidates(&self, side: Color, mut moves: Vec<BookMove>) -> Vec<BookMove> {
        let best = moves.iter().map(|entry| entry.value).max().unwrap_or_default();
        let least = self.least_value[side].max(best.saturating_sub(self.eval_diff));
        let games = moves.iter().fold(0_u64, |games, entry| games.saturating_add(entry.count));
        let rare = if self.narrow { games.div_ceil(RARE) } else { 0 };
        moves.retain(|entry| entry.depth >= self.least_depth && entry.value >= least && entry.count >= rare);
        moves
    }

    /// What `side` plays most of those moves that it may play. `None` where no move was played twice: a count of 1 is also
    /// what stands for none.
    pub(super) fn most_played(&self, side: Color, moves: Vec<BookMove>) -> Option<Move> {
        let candidates = self.candidates(side, moves);
        let most = candidates.iter().max_by_key(|entry| (entry.count, entry.value))?;
        (most.count > 1).then_some(most.mv)
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
