//! Where the budget ends: recaptures, captures, promotions and escapes (Tsuruoka, Yokoyama and Chikayama 2002, §3.1),
//! until the position is quiet.
//!
//! Captures and promotions are played where the static exchange finds that they gain. Escapes are not played: the
//! exchange tells what the opponent would take next, one of these pieces is saved by moving it away, and the second is
//! lost.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use super::budget::Budget;
use super::searcher::{Searcher, Stopped};
use super::value::Value;
use crate::exchange::one_square::Exchange;
use crate::mate::one_move::mate_in_one;
use crate::shogi::generate::{self, MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

/// What a leaf has left, as the table of bounds sees it.
const LEAF: Budget = Budget::new(-1);

impl Searcher<'_> {
    /// The value of a leaf, `depth` plies into the quiescence search.
    pub fn quiescence(
        &mut self,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        // Step 1. The end of the game, and checks.
        self.enter(ply)?;
        if let Some(value) = self.ended(ply) {
            return Ok(value);
        }
        // A check is answered one ply further (YSS §3.5); what gives the checks here is captures, so they end.
        if self.position.in_check() && ply < MAX_PLY && depth <= self.params.quiescence_captures {
            return self.answer_check(ply, depth, alpha, beta);
        }
        if depth > 0 {
            let quiet = self.evaluate();
            return self.settle_down(ply, depth, alpha, beta, quiet);
        }

        // Step 2. A leaf itself may be known, or mate.
        let known = self.known(ply);
        if let Some(bound) = known {
            if alpha + 1 >= beta && bound.answers(LEAF, alpha, beta) {
                return Ok(bound.value);
            }
        } else if let Some(mv) = mate_in_one(&self.position) {
            self.end_line(ply, mv);
            return Ok(Value::mates_at(ply + 1));
        }
        let quiet = known.map_or_else(|| self.evaluate(), |bound| bound.quiet);
        let value = self.settle_down(ply, depth, alpha, beta, quiet)?;
        self.remember(ply, LEAF, (alpha, beta), value, quiet);
        Ok(value)
    }

    /// The value of a position that is `quiet` if nobody takes anything.
    fn settle_down(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
        quiet: Value,
    ) -> Result<Value, Stopped> {
        if ply >= MAX_PLY {
            return Ok(quiet);
        }
        // Step 3. Nobody has to take: the side to move may leave things as they are, but for what it then loses.
        let mut best = quiet;
        if depth == 0 && quiet > alpha {
            best = best - self.lost_in_any_case();
        }
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);

        // Step 4. What gains material, the greatest gain first.
        for (mv, gain) in self.worthwhile(ply, depth) {
            // What cannot reach the lower bound now cannot later.
            if quiet + gain + self.params.quiescence_margin <= alpha {
                break;
            }
            if self.look_at(mv, ply, depth, &mut alpha, beta, &mut best)? {
                break;
            }
        }
        Ok(best)
    }

    /// What the opponent takes if the side to move saves the piece that is worth most to it and does nothing else: the
    /// second largest of the threats. Where that piece cannot get away, the largest.
    fn lost_in_any_case(&self) -> i32 {
        let us = self.position.side();
        let (mut first, mut second, mut target) = (0, 0, None);
        self.position.of_color(us).for_each(|square| {
            let threat = Exchange::PLAIN.threat(&self.position, square, !us);
            if threat > first {
                (first, second, target) = (threat, first, Some(square));
            } else if threat > second {
                second = threat;
            }
        });
        let Some(target) = target else { return 0 };
        let mut quiets = MoveList::new();
        generate::quiets(&self.position, self.task.non_promotions, &mut quiets);
        let escapes =
            |mv: &Move| mv.from() == Some(target) && Exchange::PLAIN.gains_at_least(&self.position, *mv, 0);
        if quiets.iter().any(escapes) { second } else { first }
    }

    /// Every way out of a check.
    fn answer_check(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        let mut moves = MoveList::new();
        generate::evasions(&self.position, self.task.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut best = -Value::INFINITE;
        for mv in moves {
            if self.look_at(mv, ply, depth, &mut alpha, beta, &mut best)? {
                break;
            }
        }
        Ok(best)
    }

    /// Plays `mv` and takes it back; raises `alpha` and `best` where it is better. Whether it ends the node.
    fn look_at(
        &mut self,
        mv: Move,
        ply: usize,
        depth: i32,
        alpha: &mut Value,
        beta: Value,
        best: &mut Value,
    ) -> Result<bool, Stopped> {
        self.play(mv, ply);
        let value = self.quiescence(ply + 1, depth + 1, -beta, -*alpha);
        self.undo(mv);
        let value = -value?;
        *best = (*best).max(value);
        if value > *alpha {
            *alpha = value;
            self.extend_line(ply, mv);
        }
        Ok(value >= beta)
    }

    /// Captures and promotions that gain material, the greatest gain first; in the end recaptures only.
    fn worthwhile(&self, ply: usize, depth: i32) -> ArrayVec<(Move, i32), MAX_MOVES> {
        let mut moves = MoveList::new();
        generate::captures(&self.position, self.task.non_promotions, &mut moves);
        if depth < self.params.quiescence_captures {
            generate::promotions(&self.position, &mut moves);
        } else {
            moves.retain(|mv| Some(mv.to()) == self.arrival(ply));
        }
        let gain = |mv| (mv, Exchange::PLAIN.gain(&self.position, mv));
        let mut worthwhile: ArrayVec<(Move, i32), MAX_MOVES> =
            moves.into_iter().map(gain).filter(|&(_, gain)| gain > 0).collect();
        worthwhile.sort_unstable_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        worthwhile
    }
}
