//! What all inner nodes do alike, whatever decides how far lines are followed: what they ask first, what they make of the
//! value of a move, what they remember.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use super::thread::{SearchThread, Stopped};
use super::tt::{Bound, Side};
use super::value::Value;
use crate::mate::one_move::mate_in_one;
use crate::policy::budget::Budget;
use crate::shogi::moves::Move;

/// What is known of an inner node at its beginning.
pub enum Opened {
    /// Its value.
    Settled(Value),
    /// Nothing that settles it.
    Open {
        /// What the position is worth if nobody takes anything, for the side to move.
        stand_pat: Value,
    },
}

/// What a node has found out by its moves.
pub struct Findings {
    /// The window that it was asked for: from `alpha` to `beta`.
    pub window: (Value, Value),
    /// What a move has to be better than.
    pub alpha: Value,
    /// The best value so far; outside the window it is a bound.
    pub best: Value,
    /// The first moves that have not ended it.
    tried: ArrayVec<Move, 32>,
}

impl Findings {
    /// Of a node that is asked for the window from `alpha` to `beta`: nothing yet.
    pub fn new(alpha: Value, beta: Value) -> Findings {
        Findings { window: (alpha, beta), alpha, best: -Value::INFINITE, tried: ArrayVec::new() }
    }

    /// Whether no move has been looked at.
    pub fn is_first(&self) -> bool {
        self.tried.is_empty()
    }

    /// Moves were not looked at: they are worth as much as doing nothing, as far as that is not better than what was
    /// known.
    pub fn leave_out(&mut self, stand_pat: Value) {
        if !self.best.is_lost() {
            self.best = self.best.max(stand_pat.min(self.window.0));
        }
    }
}

impl SearchThread<'_> {
    /// Begins an inner node with `left` to spend: its value where the game is over, where it is too deep, where no mate
    /// is near enough to matter, where it is known, or where the next move mates. The window loses what a mate cannot
    /// reach any more.
    pub fn settle(
        &mut self,
        ply: usize,
        left: Budget,
        alpha: &mut Value,
        beta: &mut Value,
    ) -> Result<Opened, Stopped> {
        self.enter(ply)?;
        // Only inner nodes ask these two, and later than the bounds.
        self.request.table.prefetch(self.position.key());
        self.memory.costs.prefetch(self.position.key(), self.previous_to(ply));
        if let Some(value) = self.ended(ply) {
            return Ok(Opened::Settled(value));
        }
        if ply >= MAX_PLY {
            return Ok(Opened::Settled(self.evaluate()));
        }
        *alpha = (*alpha).max(Value::mated_at(ply));
        *beta = (*beta).min(Value::mates_at(ply + 1));
        if *alpha >= *beta {
            return Ok(Opened::Settled(*alpha));
        }
        let known = self.known(ply);
        if let Some(bound) = known {
            // With an open window the line is wanted, too.
            if *alpha + 1 >= *beta && bound.answers(left, *alpha, *beta) {
                return Ok(Opened::Settled(bound.value));
            }
        } else if let Some(mv) = mate_in_one(&self.position) {
            // Where something is known it was asked for, but for leaves in check; there the moves themselves show it.
            self.pv.set(ply, &[mv]);
            return Ok(Opened::Settled(Value::mates_at(ply + 1)));
        }
        let stand_pat = known.map_or_else(|| self.evaluate(), |bound| bound.stand_pat);
        Ok(Opened::Open { stand_pat })
    }

    /// What this thread remembers of the node at `ply`. It is not asked for near the move with which the game is drawn:
    /// what was found earlier in the game did not see the end.
    pub fn known(&self, ply: usize) -> Option<Bound> {
        if self.near_last_move { None } else { self.memory.bounds.probe(self.position.key(), ply) }
    }

    /// Remembers that a search of the node at `ply` with `left` to spend and the window from `alpha` to `beta` found
    /// `value`.
    pub fn remember(
        &mut self,
        ply: usize,
        left: Budget,
        window: (Value, Value),
        value: Value,
        stand_pat: Value,
    ) {
        // The value may rest on that draw: it would be wrong where the position is met with more moves to come.
        if self.near_last_move {
            return;
        }
        let (alpha, beta) = window;
        let side = if value >= beta {
            Side::Lower
        } else if value <= alpha {
            Side::Upper
        } else {
            Side::Exact
        };
        self.memory.bounds.store(self.position.key(), ply, Bound { value, left, side, stand_pat });
    }

    /// The move that was best when the position was last searched.
    pub fn suggested(&self) -> Option<Move> {
        self.request.table.probe(self.position.key()).filter(|&mv| self.position.is_legal(mv))
    }

    /// Takes in that `mv`, a move of the node at `ply` that had `left` to spend, is worth `value`. Whether that ends the
    /// node.
    pub fn take_in(
        &mut self,
        ply: usize,
        left: Budget,
        mv: Move,
        value: Value,
        findings: &mut Findings,
    ) -> bool {
        findings.best = findings.best.max(value);
        if value > findings.alpha {
            findings.alpha = value;
            self.request.table.store(self.position.key(), mv);
            self.pv.extend(ply, mv);
        }
        let ends = value >= findings.window.1;
        if ends {
            self.refute(ply, left, mv, &findings.tried);
        } else {
            // So few come before the one that ends a node that those beyond the room for them do not matter.
            let _ = findings.tried.try_push(mv);
        }
        ends
    }

    /// `mv` has ended the node at `ply`, which had `left` to spend; `tried` have not.
    fn refute(&mut self, ply: usize, left: Budget, mv: Move, tried: &[Move]) {
        if self.position.piece_on(mv.to()).is_none() {
            self.killers[ply].add(mv);
        }
        let (side, bonus) = (self.position.side(), left.units().min(self.params.history_bonus));
        self.memory.history.add(side, mv, bonus);
        let malus = bonus * self.params.history_malus / 256;
        for &mv in tried {
            self.memory.history.add(side, mv, -malus);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::position::Position;

    #[test]
    fn a_move_of_another_position_is_no_suggestion() {
        searcher_at(&Position::start(), Params::DEFAULT, |thread| {
            let key = thread.position.key();
            assert_eq!(thread.suggested(), None);
            // White's, one of an empty square, one through other pieces, a drop without a piece in hand.
            for wrong in ["3c3d", "5e5d", "8h3c+", "P*5e"] {
                thread.request.table.store(key, wrong.parse().unwrap());
                assert_eq!(thread.suggested(), None, "{wrong}");
            }
            let legal: Move = "7g7f".parse().unwrap();
            thread.request.table.store(key, legal);
            assert_eq!(thread.suggested(), Some(legal));
        });
    }
}
