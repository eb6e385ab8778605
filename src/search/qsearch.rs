//! Where the budget ends: recaptures, captures, promotions and escapes (Tsuruoka, Yokoyama and Chikayama 2002, §3.1),
//! until the position is quiet.
//!
//! Captures and promotions are played where the static exchange finds that they gain. Escapes are not played: the
//! exchange tells what the opponent would take next, one of these pieces is saved by moving it away, and the second is
//! lost. Checks not far beyond the leaf are answered in every way, and after each answer a mate in one is looked for.

use arrayvec::ArrayVec;

use super::MAX_PLY;
use super::thread::{SearchThread, Stopped};
use super::value::Value;
use crate::exchange::one_square::Exchange;
use crate::mate::one_move::mate_in_one;
use crate::policy::budget::Budget;
use crate::shogi::attacks;
use crate::shogi::generate::{self, MAX_MOVES, MoveList};
use crate::shogi::moves::Move;
use crate::shogi::square::Square;

/// What a leaf has left, as the table of bounds sees it.
const LEAF: Budget = Budget::new(-1);

/// Moves and what each gains.
type Gains = ArrayVec<(Move, i32), MAX_MOVES>;

impl SearchThread<'_> {
    /// The value of a position `depth` plies into the quiescence search, of which 0 is the leaf itself.
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
        // A check is answered one ply further (YSS §3.5). Only captures and promotions give checks here, so they end.
        let answers_check =
            self.position.in_check() && ply < MAX_PLY && depth <= self.params.qsearch_capture_plies;
        if depth == 0 {
            return self.leaf(ply, answers_check, alpha, beta);
        }
        if answers_check {
            return self.answer_check(ply, depth, alpha, beta);
        }
        // Step 2. After the answer to a check, a mate: so leaves see those of three plies that begin with a check.
        if self.position.answered_check()
            && !self.position.in_check()
            && let Some(mv) = mate_in_one(&self.position)
        {
            self.pv.set(ply, &[mv]);
            return Ok(Value::mates_at(ply + 1));
        }
        let stand_pat = self.evaluate();
        self.settle_down(ply, depth, alpha, beta, stand_pat)
    }

    /// The value of a leaf.
    fn leaf(&mut self, ply: usize, answers_check: bool, alpha: Value, beta: Value) -> Result<Value, Stopped> {
        // Step 3. It may be known, or mate.
        let known = self.known(ply);
        if let Some(bound) = known {
            if alpha + 1 >= beta && bound.answers(LEAF, alpha, beta) {
                return Ok(bound.value);
            }
        } else if !answers_check && let Some(mv) = mate_in_one(&self.position) {
            self.pv.set(ply, &[mv]);
            return Ok(Value::mates_at(ply + 1));
        }
        let stand_pat = known.map_or_else(|| self.evaluate(), |bound| bound.stand_pat);
        let value = if answers_check {
            self.answer_check(ply, 0, alpha, beta)?
        } else {
            self.settle_down(ply, 0, alpha, beta, stand_pat)?
        };
        self.remember(ply, LEAF, (alpha, beta), value, stand_pat);
        Ok(value)
    }

    /// The value of a position that is `stand_pat` if nobody takes anything.
    fn settle_down(
        &mut self,
        ply: usize,
        depth: i32,
        mut alpha: Value,
        beta: Value,
        stand_pat: Value,
    ) -> Result<Value, Stopped> {
        if ply >= MAX_PLY {
            return Ok(stand_pat);
        }
        // Step 4. Nobody has to take: the side to move may leave things as they are, but for what it then loses.
        let mut best = stand_pat;
        if depth == 0 && stand_pat > alpha {
            best = Value::new(best.centipawns() - self.lost_in_any_case());
        }
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);

        // Step 5. What gains material, the greatest gain first.
        let mut worthwhile = Gains::new();
        let left_out =
            self.find_worthwhile(ply, depth, |gain| self.reaches(stand_pat, gain, alpha), &mut worthwhile);
        if left_out > 0 {
            best = best.max(self.at_most(stand_pat, left_out));
        }
        for &(mv, gain) in &worthwhile {
            // What cannot reach the lower bound now cannot later.
            if !self.reaches(stand_pat, gain, alpha) {
                best = best.max(self.at_most(stand_pat, gain));
                break;
            }
            if self.look_at(mv, ply, depth, &mut alpha, beta, &mut best)? {
                break;
            }
        }
        Ok(best)
    }

    /// What a position that is `stand_pat` comes to by a gain of material, at most.
    fn at_most(&self, stand_pat: Value, gain: i32) -> Value {
        stand_pat + gain + self.params.qsearch_margin
    }

    /// Whether it may come to more than `alpha`.
    fn reaches(&self, stand_pat: Value, gain: i32, alpha: Value) -> bool {
        self.at_most(stand_pat, gain) > alpha
    }

    /// What the opponent takes if the side to move saves the piece that is worth most to it and does nothing else: the
    /// second largest of the threats. Where that piece cannot get away, the largest.
    pub fn lost_in_any_case(&self) -> i32 {
        let us = self.position.side();
        let (mut first, mut second, mut target) = (0, 0, None);
        let attacked = self.position.of_color(us) & self.position.attacked_by(!us);
        attacked.for_each(|square| {
            let threat = Exchange::PLAIN.threat(&self.position, square, !us);
            if threat > first {
                (first, second, target) = (threat, first, Some(square));
            } else if threat > second {
                second = threat;
            }
        });
        let Some(target) = target else { return 0 };
        if self.gets_away(target) { second } else { first }
    }

    /// Whether the piece on `from` can go where nothing is gained by taking it.
    fn gets_away(&self, from: Square) -> bool {
        let Some(piece) = self.position.piece_on(from) else { return false };
        let occupied = self.position.occupied();
        let safe = |mv| self.position.is_legal(mv) && Exchange::PLAIN.gains_at_least(&self.position, mv, 0);
        attacks::of(piece, from, occupied)
            .without(occupied)
            .into_iter()
            .any(|to| safe(Move::promoting(from, to)) || safe(Move::board(from, to)))
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
        generate::evasions(&self.position, self.request.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let mut best = -Value::INFINITE;
        // Step 6. All answers. What takes something is the most likely to be good enough.
        for takes in [true, false] {
            for &mv in &moves {
                if self.position.piece_on(mv.to()).is_some() == takes
                    && self.look_at(mv, ply, depth, &mut alpha, beta, &mut best)?
                {
                    return Ok(best);
                }
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
        self.make(mv, ply);
        let value = self.quiescence(ply + 1, depth + 1, -beta, -*alpha);
        self.undo(mv);
        let value = -value?;
        *best = (*best).max(value);
        if value > *alpha {
            *alpha = value;
            self.pv.extend(ply, mv);
        }
        Ok(value >= beta)
    }

    /// Fills `found` with the captures and promotions that gain material, the greatest gain first; deep in the quiescence
    /// search, with the recaptures alone. A move is left out where even what it takes and promotes, which is the most that
    /// it can gain, is not `enough`. Returns the most that one of those left out could gain, 0 where there is none.
    fn find_worthwhile(
        &self,
        ply: usize,
        depth: i32,
        enough: impl Fn(i32) -> bool,
        found: &mut Gains,
    ) -> i32 {
        let mut moves = MoveList::new();
        generate::captures(&self.position, self.request.non_promotions, &mut moves);
        if depth < self.params.qsearch_capture_plies {
            generate::promotions(&self.position, &mut moves);
        } else {
            moves.retain(|mv| Some(mv.to()) == self.previous_to(ply));
        }
        let mut left_out = 0;
        for &mv in &moves {
            let earned = Exchange::PLAIN.earned(&self.position, mv);
            if !enough(earned) {
                left_out = left_out.max(earned);
                continue;
            }
            let gain = Exchange::PLAIN.gain(&self.position, mv);
            if gain > 0 {
                found.push((mv, gain));
            }
        }
        found.sort_unstable_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        left_out
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    #[test]
    fn what_is_left_out_counts_in_an_upper_bound() {
        // A rook can be taken for nothing.
        let root = sfen::parse("4k4/9/9/4r4/4P2R1/9/9/9/4K4 b - 1").unwrap();
        let value = |alpha: i32, beta: i32| {
            searcher_at(&root, Params::DEFAULT, |thread| {
                thread.quiescence(0, 0, Value::new(alpha), Value::new(beta)).ok().unwrap()
            })
        };
        let exact = value(-20_000, 20_000);
        assert!(exact > Value::new(1000), "the rook is taken: {exact:?}");
        for alpha in (exact.centipawns()..20_000).step_by(100) {
            let bound = value(alpha, alpha + 1);
            assert!((exact..=Value::new(alpha)).contains(&bound), "{alpha}: {bound:?} but {exact:?}");
        }
    }

    #[test]
    fn a_leaf_sees_that_every_answer_to_its_check_is_mated() {
        let start = sfen::parse("4nk3/9/6G2/3LB4/9/9/9/9/K8 b 2rb3g3s3n3l18p 1").unwrap();
        let after = |position: &Position, mv| {
            let mut position = position.clone();
            position.play(mv, &mut ());
            position
        };
        let mut met = [0; 2];
        for check in generate::all_legal(&start).into_iter().filter(|&mv| start.gives_check(mv)) {
            let position = after(&start, check);
            let mut answers =
                generate::all_legal(&position).into_iter().map(|answer| after(&position, answer));
            let is_mate_in_three =
                answers.all(|position| !position.in_check() && mate_in_one(&position).is_some());
            searcher_at(&position, Params::DEFAULT, |thread| {
                let value = thread.quiescence(0, 0, -Value::INFINITE, Value::INFINITE).ok().unwrap();
                assert_eq!(value == Value::mated_at(2), is_mate_in_three, "{check}: {value:?}");
            });
            met[usize::from(is_mate_in_three)] += 1;
        }
        assert!(met[0] > 0 && met[1] > 0, "{met:?}");
    }
}
