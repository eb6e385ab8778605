//! The evaluation that a search uses: full tables, or one that needs next to no memory.

use std::fmt;
use std::sync::Arc;

use super::index::{Index, RowStart};
use super::table::{Pair, Table};
use super::terms::Terms;
use super::weights::Weights;
use super::yss;
use crate::shogi::square::Square;

/// The evaluation that a search uses, shared by its threads.
#[derive(Clone)]
pub enum Evaluator {
    /// Full tables.
    Tables(Arc<Weights>),
    /// What pieces are worth by their distance to both kings, for where there is no room for tables. It takes 2 MB, and plays
    /// far worse.
    PiecesAndKings(Arc<Terms>),
}

impl Evaluator {
    /// The evaluation that needs next to no memory: YSS's ([`yss`]) without its pairs of pieces.
    pub fn pieces_and_kings() -> Evaluator {
        Evaluator::PiecesAndKings(Arc::new(yss::without_pairs()))
    }

    /// Whether it has full tables.
    pub fn has_tables(&self) -> bool {
        matches!(self, Evaluator::Tables(_))
    }
}

impl Table for Evaluator {
    fn kk(&self, black: Square, white: Square) -> Pair<i32> {
        match self {
            Evaluator::Tables(weights) => weights.kk(black, white),
            Evaluator::PiecesAndKings(terms) => terms.kk(black, white),
        }
    }

    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        match self {
            Evaluator::Tables(weights) => weights.kkp(black, white, piece),
            Evaluator::PiecesAndKings(terms) => terms.kkp(black, white, piece),
        }
    }

    fn kkp_sum(&self, black: Square, white: Square, pieces: &[RowStart]) -> Pair<i32> {
        match self {
            Evaluator::Tables(weights) => weights.kkp_sum(black, white, pieces),
            Evaluator::PiecesAndKings(terms) => terms.kkp_sum(black, white, pieces),
        }
    }

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        match self {
            Evaluator::Tables(weights) => weights.kpp(king, one, other),
            Evaluator::PiecesAndKings(_) => [0; 2],
        }
    }

    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        match self {
            Evaluator::Tables(weights) => weights.row(king, piece, others),
            Evaluator::PiecesAndKings(_) => [0; 2],
        }
    }
}

impl fmt::Debug for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluator::Tables(weights) => weights.fmt(f),
            Evaluator::PiecesAndKings(_) => f.write_str("PiecesAndKings"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::full;
    use crate::shogi::sfen;

    #[test]
    fn without_tables_the_places_of_pieces_still_count() {
        let evaluator = Evaluator::pieces_and_kings();
        let Evaluator::PiecesAndKings(terms) = &evaluator else { panic!("no tables were asked for") };
        // As the terms have it, which would expand to the same tables.
        let value = |text: &str| {
            let position = sfen::parse(text).unwrap();
            assert_eq!(full::value(&evaluator, &position), full::value(&**terms, &position));
            full::value(&evaluator, &position)
        };
        assert_eq!(value(sfen::START), 0);
        let (near, far) = (value("4k4/9/4G4/9/9/9/9/9/4K4 b - 1"), value("4k4/9/9/9/9/9/9/G8/4K4 b - 1"));
        assert!(near > far && far > 0, "{near} {far}");
    }
}
