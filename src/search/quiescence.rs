//! Where the budget ends: captures, and in the end recaptures only, until the position is quiet, as far as the static
//! exchange finds them worth it. The paper (Tsuruoka, Yokoyama and Chikayama 2002, §3.1) looks at quiet promotions and at
//! escapes of attacked pieces as well.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use super::searcher::{Searcher, Stopped};
use super::value::Value;
use crate::exchange::one_square::Exchange;
use crate::mate::one_move::mate_in_one;
use crate::shogi::generate::{self, MAX_MOVES, MoveList};
use crate::shogi::moves::Move;

impl Searcher<'_> {
    /// The value of a leaf, `depth` plies into the quiescence search.
    pub fn quiescence(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        self.enter(ply)?;
        if let Some(value) = self.ended(ply) {
            return Ok(value);
        }
        // A check is answered one ply further (YSS §3.5); what gives the checks here is captures, so they end.
        if self.position.in_check() && ply < MAX_PLY && depth <= self.params.quiescence_captures {
            return self.answer_check(ply, depth, alpha, beta);
        }
        if depth == 0
            && let Some(mv) = mate_in_one(&self.position)
        {
            self.end_line(ply, mv);
            return Ok(Value::mates_at(ply + 1));
        }
        // Nobody has to take: the side to move may leave things as they are.
        let quiet = self.evaluate();
        if quiet >= beta || ply >= MAX_PLY {
            return Ok(quiet);
        }
        alpha = alpha.max(quiet);
        let mut best = quiet;
        for (mv, gain) in self.worthwhile(ply, depth) {
            // Sorted by gain: what cannot reach the lower bound now cannot later.
            if quiet + gain + self.params.quiescence_margin <= alpha {
                break;
            }
            if self.look_at(mv, ply, depth, &mut alpha, beta, &mut best)? {
                break;
            }
        }
        Ok(best)
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

    /// Captures that gain material by themselves, the greatest gain first.
    fn worthwhile(&self, ply: usize, depth: i32) -> ArrayVec<(Move, i32), MAX_MOVES> {
        let mut moves = MoveList::new();
        generate::captures(&self.position, self.task.non_promotions, &mut moves);
        let recaptures_only = depth >= self.params.quiescence_captures;
        let mut worthwhile: ArrayVec<(Move, i32), MAX_MOVES> = moves
            .into_iter()
            .filter(|mv| !recaptures_only || Some(mv.to()) == self.arrival(ply))
            .map(|mv| (mv, Exchange::PLAIN.gain(&self.position, mv)))
            .filter(|&(_, gain)| gain > 0)
            .collect();
        worthwhile.sort_unstable_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        worthwhile
    }
}
