//! Pieces in hand.

use super::piece::HandKind;

/// The number of pieces of each kind that a side holds (mochigoma, 持ち駒).
///
/// One word has a field for each kind. The bit above a field is never set, so that two hands can be compared in a few
/// instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// Five bits for pawns, three for each other kind, and a spare bit above every field.
const SHIFT: [u32; HandKind::COUNT] = [0, 6, 10, 14, 18, 22, 26];
const MASK: [u32; HandKind::COUNT] = [31, 7, 7, 7, 7, 7, 7];
const SPARE: u32 = 1 << 5 | 1 << 9 | 1 << 13 | 1 << 17 | 1 << 21 | 1 << 25 | 1 << 29;
const PAWN_SPARE: u32 = 1 << 5;

impl Hand {
    /// No pieces.
    pub const EMPTY: Hand = Hand(0);

    /// The number of pieces of `kind`, 0 to 18.
    pub const fn count(self, kind: HandKind) -> u8 {
        ((self.0 >> SHIFT[kind.index()]) & MASK[kind.index()]) as u8
    }

    /// Whether there is at least one piece of `kind`.
    pub const fn has(self, kind: HandKind) -> bool {
        self.0 & (MASK[kind.index()] << SHIFT[kind.index()]) != 0
    }

    /// Whether there is no piece at all.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hand with one more piece of `kind`. It must not hold a full set of them already.
    #[must_use]
    pub const fn with(self, kind: HandKind) -> Hand {
        debug_assert!(self.count(kind) < kind.in_set());
        Hand(self.0 + (1 << SHIFT[kind.index()]))
    }

    /// The hand with one piece of `kind` less; there must be one.
    #[must_use]
    pub const fn without(self, kind: HandKind) -> Hand {
        debug_assert!(self.has(kind));
        Hand(self.0 - (1 << SHIFT[kind.index()]))
    }

    /// Whether this hand has at least as many pieces of every kind as `other`.
    pub const fn covers(self, other: Hand) -> bool {
        // A smaller field borrows from the spare bit above it.
        ((self.0 | SPARE) - other.0) & SPARE == SPARE
    }

    /// The larger count of every kind.
    #[must_use]
    pub const fn union(self, other: Hand) -> Hand {
        let mask = self.fields_covering(other);
        Hand(self.0 & mask | other.0 & !mask)
    }

    /// The smaller count of every kind.
    #[must_use]
    pub const fn intersection(self, other: Hand) -> Hand {
        let mask = self.fields_covering(other);
        Hand(other.0 & mask | self.0 & !mask)
    }

    /// A mask of the fields with counts at least as large as those of `other`.
    const fn fields_covering(self, other: Hand) -> u32 {
        let covering = ((self.0 | SPARE) - other.0) & SPARE;
        let pawns = covering & PAWN_SPARE;
        covering - (pawns >> 5 | (covering ^ pawns) >> 3)
    }

    /// A word that is different for each hand; [`from_word`](Hand::from_word) turns it back into the hand.
    pub const fn word(self) -> u32 {
        self.0
    }

    /// The hand with this word, for tables that store hands. Bits that no hand uses are ignored.
    pub const fn from_word(word: u32) -> Hand {
        Hand(word & !(SPARE | 3 << 30))
    }

    /// The number of pieces of all kinds.
    pub fn total(self) -> u32 {
        HandKind::ALL.iter().map(|&kind| u32::from(self.count(kind))).sum()
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map()
            .entries(
                HandKind::ALL.iter().filter(|&&kind| self.has(kind)).map(|&kind| (kind, self.count(kind))),
            )
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hands_count_and_compare_pieces_of_each_kind() {
        let mut hand = Hand::EMPTY;
        for kind in HandKind::ALL {
            for n in 1..=kind.in_set() {
                let more = hand.with(kind);
                assert_eq!(more.count(kind), n);
                assert!(more.covers(hand) && !hand.covers(more) && more.covers(more));
                assert_eq!(more.without(kind), hand);
                hand = more;
            }
        }
        assert_eq!(hand.total(), 38);
        let silver = Hand::EMPTY.with(HandKind::Silver);
        let gold = Hand::EMPTY.with(HandKind::Gold);
        assert!(!silver.covers(gold) && !gold.covers(silver));
    }

    #[test]
    fn union_and_intersection_take_the_larger_and_smaller_counts() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..1000 {
            let mut hands = [Hand::EMPTY; 2];
            for kind in HandKind::ALL {
                for hand in &mut hands {
                    for _ in 0..random.u8(..=kind.in_set()) {
                        *hand = hand.with(kind);
                    }
                }
            }
            let [one, other] = hands;
            for kind in HandKind::ALL {
                let counts = (one.count(kind), other.count(kind));
                assert_eq!(one.union(other).count(kind), counts.0.max(counts.1));
                assert_eq!(one.intersection(other).count(kind), counts.0.min(counts.1));
            }
            assert_eq!(Hand::from_word(one.word()), one);
        }
    }
}
