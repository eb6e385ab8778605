//! What a position remembers of the game before it.

use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::PerColor;
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;
use crate::shogi::moves::Move;
use crate::shogi::piece::PieceKind;

/// The state before a move: enough to take the move back, and to recognise the position when it repeats.
#[derive(Clone)]
pub(in crate::shogi) struct PastState {
    pub checkers: Bitboard,
    pub board_key: Key,
    pub hand_key: Key,
    pub hands: PerColor<Hand>,
    pub check_runs: PerColor<u16>,
    pub reversible: u32,
    pub captured: Option<PieceKind>,
    /// The move that was played; `None` for a null move.
    pub played: Option<Move>,
}

const BUCKETS: usize = 1024;

/// Counts past positions by the low bits of their keys. Most positions are new, and a count of zero proves it without
/// a search through the past. A count that reaches its limit stays there.
#[derive(Clone)]
pub(in crate::shogi) struct KeyCounts([u16; BUCKETS]);

impl Default for KeyCounts {
    fn default() -> Self {
        KeyCounts([0; BUCKETS])
    }
}

impl KeyCounts {
    pub fn add(&mut self, key: Key) {
        let count = &mut self.0[key.0 as usize % BUCKETS];
        *count = count.saturating_add(1);
    }

    pub fn remove(&mut self, key: Key) {
        let count = &mut self.0[key.0 as usize % BUCKETS];
        if *count < u16::MAX {
            *count -= 1;
        }
    }

    pub fn may_contain(&self, key: Key) -> bool {
        self.0[key.0 as usize % BUCKETS] != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_at_its_limit_stays_there() {
        let mut counts = KeyCounts::default();
        let key = Key(77);
        (0..70_000).for_each(|_| counts.add(key));
        (0..70_000).for_each(|_| counts.remove(key));
        assert!(counts.may_contain(key));
        assert!(!counts.may_contain(Key(78)));
    }
}
