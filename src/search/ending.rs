//! What a position is worth in which the game is over, or as good as over.

use super::thread::SearchThread;
use super::value::Value;
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::position::declaration::{Declaration, EnteringKingRule};
use crate::shogi::position::repetition::{HandChange, Repetition, Sennichite};

impl SearchThread<'_> {
    /// The value of a draw for the side to move: what the root's side asked for, negated for its opponent.
    pub fn draw(&self) -> Value {
        if self.position.side() == self.request.root.side() { self.request.draw } else { -self.request.draw }
    }

    /// The value of a position in which the game is over, or as good as over.
    pub fn ended(&self, ply: usize) -> Option<Value> {
        let rules = &self.request.rules;
        if rules.entering_king == EnteringKingRule::Try && self.position.has_tried(!self.position.side()) {
            return Some(Value::mated_at(ply));
        }
        if let Some(repetition) = self.position.repetition() {
            return Some(self.repeated(repetition, ply));
        }
        let over = rules.max_moves.is_some_and(|max| self.position.move_number() > max);
        // Mate with the last move still counts.
        if over && (!self.position.in_check() || generate::any_legal(&self.position)) {
            return Some(self.draw());
        }
        match self.position.declaration(rules.entering_king)? {
            // Declaring takes the place of a move.
            Declaration::Win => Some(Value::mates_at(ply + 1)),
            Declaration::Draw => None,
        }
    }

    /// A board that comes again: exact at the fourth occurrence; before it, about what it would come to (YSS §4.4).
    fn repeated(&self, Repetition { hand, checking, .. }: Repetition, ply: usize) -> Value {
        let us = self.position.side();
        match self.position.sennichite() {
            Some(Sennichite::Draw) => return self.draw(),
            Some(Sennichite::PerpetualCheck { loser }) if loser == us => return Value::mated_at(ply),
            Some(Sennichite::PerpetualCheck { .. }) => return Value::mates_at(ply + 1),
            None => {}
        }
        let by = |side: Color| checking[side.index()];
        Value::new(match hand {
            HandChange::Better => self.params.repetition_with_less,
            HandChange::Worse => -self.params.repetition_with_less,
            HandChange::Same if by(us) && !by(!us) => -self.params.repetition_by_checks,
            HandChange::Same if by(!us) && !by(us) => self.params.repetition_by_checks,
            HandChange::Same => return self.draw(),
        })
    }
}
