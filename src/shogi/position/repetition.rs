//! Positions that come again (sennichite, 千日手).

use super::Position;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;

/// How the game ends at the fourth occurrence of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sennichite {
    /// Nobody has won.
    Draw,
    /// One side checked with every move since the first occurrence, and loses for it.
    PerpetualCheck {
        /// The side that gave the checks.
        loser: Color,
    },
}

impl Sennichite {
    /// The verdict on a fourth occurrence, by whether Black's and White's every move since the first gave check.
    ///
    /// Where *both* sides checked with every move the rules are silent. We call it a draw: neither side can blame the
    /// other alone (clients differ: some let the side lose that moved last, some the other).
    const fn judge(checking: [bool; 2]) -> Sennichite {
        match checking {
            [true, false] => Sennichite::PerpetualCheck { loser: Color::Black },
            [false, true] => Sennichite::PerpetualCheck { loser: Color::White },
            [false, false] | [true, true] => Sennichite::Draw,
        }
    }
}

/// What a side to move holds, compared with when the same board occurred before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandChange {
    /// The same pieces: the position itself has occurred before.
    Same,
    /// More, and the opponent less.
    Better,
    /// Less, and the opponent more.
    Worse,
}

/// The latest earlier occurrence of the board with the same side to move, for the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recurrence {
    /// The hand of the side to move, compared with then.
    pub hand: HandChange,
    /// How many plies ago it was.
    pub plies: u32,
    /// How often the same position, hands included, has occurred with this time; 1 unless `hand` is `Same`.
    pub occurrences: u32,
    /// Whether each side's every move since then gave check.
    pub checking: [bool; 2],
}

impl Position {
    /// The end of the game by repetition, if the position occurs for the fourth time.
    pub fn sennichite(&self) -> Option<Sennichite> {
        let first = self.earlier(|hands| hands == self.hands).nth(2)?;
        Some(Sennichite::judge(self.checking_since(first)))
    }

    /// The keys of the positions that have occurred three times or more in the game, this one included, in their order:
    /// if one of them occurs again, the game is over. Nearly always there are none.
    pub fn occurred_thrice(&self) -> Vec<Key> {
        let past = self.past.iter().rev().take(self.reversible as usize);
        let mut keys: Vec<Key> = past.map(|past| past.board_key ^ past.hand_key).collect();
        keys.push(self.key());
        keys.sort_unstable_by_key(|key| key.0);
        let runs = keys.chunk_by(|one, other| one == other);
        runs.filter(|run| run.len() >= 3).map(|run| run[0]).collect()
    }

    /// The latest earlier occurrence of the board with hands that are equal, better or worse.
    pub fn recurrence(&self) -> Option<Recurrence> {
        let own = self.hand(self.side);
        let own_then = |hands: PerColor<Hand>| hands[self.side];
        let comparable = |hands| own.covers(own_then(hands)) || own_then(hands).covers(own);
        let plies = self.earlier(comparable).next()?;
        let past = &self.past[self.past.len() - plies as usize];
        let then = own_then(past.hands);
        let hand = match (own.covers(then), then.covers(own)) {
            (true, true) => HandChange::Same,
            (true, false) => HandChange::Better,
            _ => HandChange::Worse,
        };
        let occurrences = match hand {
            HandChange::Same => 1 + self.earlier(|hands| own_then(hands) == own).count() as u32,
            _ => 1,
        };
        Some(Recurrence { hand, plies, occurrences, checking: self.checking_since(plies) })
    }

    /// How many plies ago the same board occurred with hands that `wanted` takes, latest first.
    fn earlier(&self, wanted: impl Fn(PerColor<Hand>) -> bool) -> impl Iterator<Item = u32> {
        let reach = if self.past_keys.may_hold(self.board_key) { self.reversible } else { 0 };
        // Two moves by each side are the least that restores a board.
        (4..=reach).step_by(2).filter(move |&plies| {
            let past = &self.past[self.past.len() - plies as usize];
            past.board_key == self.board_key && wanted(past.hands)
        })
    }

    /// Whether Black's and White's every move among the last `plies` (an even number) gave check.
    fn checking_since(&self, plies: u32) -> [bool; 2] {
        Color::ALL.map(|color| u32::from(self.check_runs[color]) >= plies / 2)
    }
}

const BUCKETS: usize = 1024;

/// Counts the keys of past positions by their low bits, so that nearly all positions that occur for the first time
/// are known to be new without a look at the past. A count that has come to its limit stays there.
#[derive(Clone)]
pub(super) struct KeyCounts([u16; BUCKETS]);

impl Default for KeyCounts {
    fn default() -> Self {
        KeyCounts([0; BUCKETS])
    }
}

impl KeyCounts {
    pub(super) fn add(&mut self, key: Key) {
        let count = &mut self.0[key.0 as usize % BUCKETS];
        *count = count.saturating_add(1);
    }

    pub(super) fn remove(&mut self, key: Key) {
        let count = &mut self.0[key.0 as usize % BUCKETS];
        if *count < u16::MAX {
            *count -= 1;
        }
    }

    fn may_hold(&self, key: Key) -> bool {
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
        assert!(counts.may_hold(key));
        assert!(!counts.may_hold(Key(78)));
    }

    /// No line is known in which both sides check throughout; what would be said of one is fixed all the same.
    #[test]
    fn the_side_that_alone_checks_throughout_loses() {
        let by = |loser| Sennichite::PerpetualCheck { loser };
        assert_eq!(Sennichite::judge([true, false]), by(Color::Black));
        assert_eq!(Sennichite::judge([false, true]), by(Color::White));
        assert_eq!(Sennichite::judge([true, true]), Sennichite::Draw);
        assert_eq!(Sennichite::judge([false, false]), Sennichite::Draw);
    }
}
