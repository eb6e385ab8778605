//! Repeated positions (sennichite, 千日手).

use super::Position;
use crate::shogi::color::{Color, PerColor};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;

/// How the game ends at the fourth occurrence of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sennichite {
    /// A draw.
    Draw,
    /// One side gave check with every move since the first occurrence, and loses for it.
    PerpetualCheck {
        /// The side that gave the checks.
        loser: Color,
    },
}

impl Sennichite {
    /// The verdict on a fourth occurrence. `checking` says of Black and White whether each of its moves since the first
    /// occurrence gave check.
    ///
    /// The rules do not say what happens when *both* sides gave check with every move. We call it a draw; clients
    /// differ: some let the side that moved last lose, some its opponent.
    const fn verdict(checking: [bool; 2]) -> Sennichite {
        match checking {
            [true, false] => Sennichite::PerpetualCheck { loser: Color::Black },
            [false, true] => Sennichite::PerpetualCheck { loser: Color::White },
            [false, false] | [true, true] => Sennichite::Draw,
        }
    }
}

/// The hand of the side to move, compared with its hand when the same board occurred before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandChange {
    /// The same pieces: the whole position has occurred before.
    Same,
    /// More, and the opponent less.
    Better,
    /// Less, and the opponent more.
    Worse,
}

/// How the position compares with the latest earlier occurrence of its board with the same side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// The hand of the side to move, compared with then.
    pub hand: HandChange,
    /// For Black and for White, whether each of its moves since then gave check.
    pub checking: [bool; 2],
}

impl Position {
    /// How the game ends by repetition, if the position occurs for the fourth time.
    pub fn sennichite(&self) -> Option<Sennichite> {
        let first = self.earlier(|hands| hands == self.hands).nth(2)?;
        Some(Sennichite::verdict(self.checking_since(first)))
    }

    /// Whether the whole position has occurred twice or more before.
    pub fn has_occurred_twice_before(&self) -> bool {
        self.earlier(|hands| hands == self.hands).nth(1).is_some()
    }

    /// The sorted keys of the positions that have occurred three times or more in the game, this one included. One more
    /// occurrence ends the game. Nearly always there are none.
    pub fn occurred_thrice(&self) -> Vec<Key> {
        let past = self.past.iter().rev().take(self.reversible as usize);
        let mut keys: Vec<Key> = past.map(|past| past.board_key ^ past.hand_key).collect();
        keys.push(self.key());
        keys.sort_unstable_by_key(|key| key.0);
        let runs = keys.chunk_by(|one, other| one == other);
        runs.filter(|run| run.len() >= 3).map(|run| run[0]).collect()
    }

    /// The latest earlier occurrence of the board with equal, better or worse hands.
    pub fn repetition(&self) -> Option<Repetition> {
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
        Some(Repetition { hand, checking: self.checking_since(plies) })
    }

    /// How many plies ago the same board occurred with hands that `wanted` accepts, latest first.
    fn earlier(&self, wanted: impl Fn(PerColor<Hand>) -> bool) -> impl Iterator<Item = u32> {
        let reach = if self.past_keys.may_contain(self.board_key) { self.reversible } else { 0 };
        // A board is restored after two moves by each side at the earliest.
        (4..=reach).step_by(2).filter(move |&plies| {
            let past = &self.past[self.past.len() - plies as usize];
            past.board_key == self.board_key && wanted(past.hands)
        })
    }

    /// For Black and for White, whether each of its moves among the last `plies` (an even number) gave check.
    fn checking_since(&self, plies: u32) -> [bool; 2] {
        Color::ALL.map(|color| u32::from(self.check_runs[color]) >= plies / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No game is known in which both sides check throughout; the verdict is fixed all the same.
    #[test]
    fn a_side_that_alone_gives_perpetual_check_loses() {
        let by = |loser| Sennichite::PerpetualCheck { loser };
        assert_eq!(Sennichite::verdict([true, false]), by(Color::Black));
        assert_eq!(Sennichite::verdict([false, true]), by(Color::White));
        assert_eq!(Sennichite::verdict([true, true]), Sennichite::Draw);
        assert_eq!(Sennichite::verdict([false, false]), Sennichite::Draw);
    }
}
