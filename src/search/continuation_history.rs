//! Continuation history: which moves have cut off nodes that came right after another move.
//!
//! The pieces of two moves and the squares that they went to are enough to know an answer, or a plan, again in another
//! place of the tree. The idea is that of Stockfish's continuation histories; CounterMoves (Uiterwijk 1992) are its
//! ancestor.

use memmap2::MmapMut;

use super::history::add_to_score;
use crate::shogi::color::Color;
use crate::shogi::piece::PieceKind;
use crate::shogi::square::Square;
use crate::util::memory::{self, Pages, prefetch};

/// A side's piece, by its kind before promotion, and the square that it moves to, whether from the board or from the hand.
/// (With all kinds the rows would be twice as long, and a node takes them from memory.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo {
    side: Color,
    place: u16,
}

/// Kinds that are not promoted.
const KINDS: usize = PieceKind::King as usize + 1;

/// Squares, rounded up to a power of two: then no bounds need to be checked.
const SQUARES: usize = Square::COUNT.next_power_of_two();

/// How many places a row has.
const PLACES: usize = KINDS * SQUARES;

/// The scores of the moves that come after one and the same move.
type Row = [i16; PLACES];

/// The scores after no move at all.
static NOTHING: Row = [0; PLACES];

/// How many rows there are.
const ROWS: usize = 2 * KINDS * Square::COUNT;

impl PieceTo {
    /// A piece of `side`, of this kind until it moves, goes to `square`.
    pub fn new(side: Color, kind: PieceKind, square: Square) -> PieceTo {
        PieceTo { side, place: (kind.unpromoted().index() * SQUARES + square.index()) as u16 }
    }

    /// The same piece on its way to another square.
    pub fn going_to(self, square: Square) -> PieceTo {
        let kind = usize::from(self.place) / SQUARES;
        PieceTo { side: self.side, place: (kind * SQUARES + square.index()) as u16 }
    }

    /// Its place in a row.
    fn place(self) -> usize {
        usize::from(self.place) % PLACES
    }

    /// Its row.
    fn row(self) -> usize {
        let (kind, square) = (self.place() / SQUARES, self.place() % SQUARES);
        (self.side.index() * KINDS + kind) * Square::COUNT + square
    }
}

/// A score for each move after each other: the opponent's last one, or the side's own before that. Which of the two it is
/// follows from the sides of both, so that one table holds both.
#[derive(Debug)]
pub struct ContinuationHistory(Option<MmapMut>);

/// The scores of the moves that come after one and the same move.
#[derive(Clone, Copy, Debug)]
pub struct Continuations<'a>(&'a Row);

impl Continuations<'_> {
    /// The score of a move of the side to move, between plus and minus [`MAX_HISTORY`](super::history::MAX_HISTORY); 0 where
    /// nothing is known.
    pub fn score(self, next: PieceTo) -> i16 {
        self.0[next.place()]
    }

    /// Fetches all scores: they will be read soon.
    pub fn prefetch(self) {
        // In lines of the cache; the last line of each kind belongs to no square.
        for kind in self.0.as_chunks::<SQUARES>().0 {
            kind[..Square::COUNT].chunks(32).for_each(|line| prefetch(&line[0]));
        }
    }
}

impl ContinuationHistory {
    /// Its size in bytes, some 2.7 million.
    pub const BYTES: usize = ROWS * size_of::<Row>();

    /// All scores are 0; without memory for them they stay so.
    pub fn new() -> ContinuationHistory {
        ContinuationHistory(memory::zeroed(Self::BYTES, Pages::Small).ok())
    }

    /// The scores of what comes after `before`; all 0 where there was no such move.
    pub fn after(&self, before: Option<PieceTo>) -> Continuations<'_> {
        let rows: &[Row] = self.0.as_deref().map_or(&[], bytemuck::cast_slice);
        Continuations(before.and_then(|before| rows.get(before.row())).unwrap_or(&NOTHING))
    }

    /// Adds `bonus` to the score of `next` after `before`, scaled down as the score gets near the limit on that side.
    pub fn add(&mut self, before: Option<PieceTo>, next: PieceTo, bonus: i32) {
        let Some(before) = before else { return };
        let rows: &mut [Row] = self.0.as_deref_mut().map_or(&mut [], bytemuck::cast_slice_mut);
        if let Some(row) = rows.get_mut(before.row()) {
            add_to_score(&mut row[next.place()], bonus);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if let Some(memory) = &mut self.0 {
            memory.fill(0);
        }
    }
}

impl Default for ContinuationHistory {
    fn default() -> Self {
        ContinuationHistory::new()
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::MAX_HISTORY;
    use super::*;
    use crate::shogi::color::Color;

    fn piece_to(color: Color, kind: PieceKind, square: &str) -> PieceTo {
        PieceTo::new(color, kind, square.parse().expect("a square"))
    }

    #[test]
    fn a_score_belongs_to_one_pair_of_moves() {
        let mut history = ContinuationHistory::new();
        let answered = piece_to(Color::White, PieceKind::Rook, "8f");
        let own = piece_to(Color::Black, PieceKind::Rook, "8f");
        let answer = piece_to(Color::Black, PieceKind::Pawn, "8g");
        history.add(Some(answered), answer, 1000);
        assert_eq!(history.after(Some(answered)).score(answer), 1000);
        for before in [None, Some(own), Some(piece_to(Color::White, PieceKind::Rook, "8e"))] {
            assert_eq!(history.after(before).score(answer), 0, "{before:?}");
        }
        let others = [(PieceKind::Gold, "8g"), (PieceKind::Pawn, "8h")];
        for other in others.map(|(kind, square)| piece_to(Color::Black, kind, square)) {
            assert_eq!(history.after(Some(answered)).score(other), 0, "{other:?}");
        }
        history.add(None, answer, 1000);
        assert_eq!(history.after(None).score(answer), 0);
        history.clear();
        assert_eq!(history.after(Some(answered)).score(answer), 0);
    }

    #[test]
    fn scores_stay_within_their_limits() {
        let mut history = ContinuationHistory::new();
        // The last place of the table.
        let last = piece_to(Color::White, PieceKind::King, "9i");
        for (bonus, sign) in [(9000, 1), (i32::MIN + 1, -1)] {
            (0..1000).for_each(|_| history.add(Some(last), last, bonus));
            let score = i32::from(history.after(Some(last)).score(last)) * sign;
            assert!((MAX_HISTORY / 2..=MAX_HISTORY).contains(&score), "{score}");
        }
    }

    #[test]
    fn without_memory_all_scores_are_nothing() {
        let mut history = ContinuationHistory(None);
        let piece = piece_to(Color::Black, PieceKind::Pawn, "7f");
        history.add(Some(piece), piece, 1000);
        history.clear();
        assert_eq!(history.after(Some(piece)).score(piece), 0);
    }
}
