//! Useless interpositions (muda-ai, 無駄合).
//!
//! A piece dropped between a slider and the king is a useless interposition where the slider takes it and the mate goes
//! on as if nothing had happened: in as many plies as without the drop, and without using the piece that was gained. By
//! the convention of tsume shogi such moves are not counted. The search counts them like every legal move; only the
//! line leaves them out.

use super::line::ProvenMove;
use super::proof::{Plies, Proof};
use super::search::Search;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::generate::{self, MoveList, NonPromotions};
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::position::Position;

impl Search<'_> {
    /// The defender's `replies` without the useless interpositions that `spare` nodes are enough to recognise.
    pub fn useful(&mut self, replies: &[ProvenMove], spare: &mut u64) -> Vec<ProvenMove> {
        let plies_after = |&(_, plies): &ProvenMove| plies.longer();
        let otherwise =
            replies.iter().filter(|(mv, _)| !mv.is_drop()).map(plies_after).max().unwrap_or(Plies::ZERO);
        let mut useful = Vec::new();
        // Only the square matters, because the piece is given back.
        let (mut asked, mut useless) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for reply in replies {
            let (mv, square) = (reply.0, Bitboard::of(reply.0.to()));
            if mv.is_drop() && plies_after(reply) > otherwise && *spare > 0 {
                if !asked.meets(square) {
                    asked |= square;
                    if self.is_useless(mv, otherwise, spare) {
                        useless |= square;
                    }
                }
                if useless.meets(square) {
                    continue;
                }
            }
            useful.push(*reply);
        }
        useful
    }

    /// Whether the checking piece can take the drop `mv` so that the mate still takes no more than `plies` plies.
    fn is_useless(&mut self, mv: Move, plies: Plies, spare: &mut u64) -> bool {
        let Some(kind) = mv.dropped() else { return false };
        let Some(checker) = self.position.checkers().first() else { return false };
        self.position.play(mv, &mut ());
        let captures = [Move::promoting(checker, mv.to()), Move::board(checker, mv.to())];
        let useless = captures.into_iter().any(|capture| {
            self.position.is_legal(capture)
                && self.position.gives_check(capture)
                && self.mates_without_gain(capture, kind, plies, spare)
        });
        self.position.undo(mv, &mut ());
        useless
    }

    /// Whether the check `capture` mates within `plies` further plies, with the captured piece of `kind` given back.
    fn mates_without_gain(&mut self, capture: Move, kind: HandKind, plies: Plies, spare: &mut u64) -> bool {
        self.position.play(capture, &mut ());
        let mut setup = self.position.setup();
        self.position.undo(capture, &mut ());
        setup.hands[self.attacker][kind.index()] -= 1;
        setup.hands[!self.attacker][kind.index()] += 1;
        let Ok(mut given_back) = Position::of_problem(&setup) else { return false };
        std::mem::swap(self.position, &mut given_back);
        let mated = self.is_mated_within(plies, spare);
        std::mem::swap(self.position, &mut given_back);
        mated
    }

    /// Whether the defender, to move and in check, is mated within `plies`, useless interpositions not counted.
    fn is_mated_within(&mut self, plies: Plies, spare: &mut u64) -> bool {
        let mut replies = MoveList::new();
        generate::evasions(self.position, NonPromotions::All, &mut replies);
        let mut useless = Bitboard::EMPTY;
        replies.into_iter().all(|mv| {
            if useless.contains(mv.to()) && mv.is_drop() {
                return true;
            }
            if plies > Plies::new(1) {
                self.position.play(mv, &mut ());
                let proof = self.bounded(plies.shorter(), spare);
                self.position.undo(mv, &mut ());
                if proof.is_some_and(|proof: Proof| proof.is_proven()) {
                    return true;
                }
            }
            let is_useless = mv.is_drop() && self.is_useless(mv, plies, spare);
            if is_useless {
                useless |= Bitboard::of(mv.to());
            }
            is_useless
        })
    }
}
