//! Quiescence search, from where the budget ends: recaptures, captures and promotions, until the position is quiet
//! (Tsuruoka, Yokoyama and Chikayama 2002, §3.1).
//!
//! A capture or promotion is searched where the static exchange evaluation (SEE) finds that it gains material. The paper
//! searches escapes as well; here they are estimated: SEE says what the opponent threatens to take, the most threatened
//! piece is taken to escape, and the second most threatened to be lost. Checks are answered in every way up to
//! `qsearch_capture_plies` beyond the leaf, and after each answer a mate in one is looked for.

use arrayvec::ArrayVec;

use super::params::Params;
use super::thread::{SearchThread, Stopped};
use super::value::{MAX_PLY, Value};
use super::window::Window;
use crate::exchange::see;
use crate::mate::one_move::mate_in_one;
use crate::policy::budget::Budget;
use crate::shogi::attacks;
use crate::shogi::generate::{self, MAX_MOVES, MoveList};
use crate::shogi::moves::Move;
use crate::shogi::square::Square;

/// The budget of a leaf, for the transposition table.
const LEAF: Budget = Budget::new(-1);

/// Moves and the material that each gains; 0 for evasions, where it does not matter.
type Gains = ArrayVec<(Move, i32), MAX_MOVES>;

/// Futility: the most that a position is worth after a gain of material.
fn futility_value(params: &Params, static_eval: Value, gain: i32) -> Value {
    static_eval + gain + params.qsearch_futility_margin
}

impl SearchThread<'_> {
    /// The value of a position `depth` plies into the quiescence search; the leaf itself has depth 0. Fail-soft.
    pub fn qsearch(&mut self, ply: usize, depth: i32, window: Window) -> Result<Value, Stopped> {
        // Step 1. Abort, or count the node.
        self.enter_node(ply)?;

        // Step 2. Draw, repetition and whatever else ends the game.
        if let Some(value) = self.game_over(ply) {
            return Ok(value);
        }

        // Step 3. Transposition table: it has leaves, but nothing beyond them.
        let is_leaf = depth == 0;
        let tt_entry = if is_leaf { self.probe_tt(ply) } else { None };
        if let Some(entry) = tt_entry
            && window.is_null()
            && entry.causes_cutoff(LEAF, window)
        {
            return Ok(entry.value);
        }

        // Step 4. Static evaluation. Where a check is answered beyond the leaf, the value below is not used.
        let in_check = self.position.in_check();
        // Checks are answered one ply farther than captures are searched (YSS §3.5). Chains of checks end, as only captures
        // and promotions give check here.
        let answers_check = in_check && ply < MAX_PLY && depth <= self.params.qsearch_capture_plies;
        let static_eval = match tt_entry {
            Some(entry) => entry.static_eval,
            None if answers_check && !is_leaf => Value::DRAW,
            None => self.evaluate(),
        };

        // Step 5. Stand pat: the side to move need not capture. But at a leaf it loses what it cannot save; that is asked only
        // above alpha, as it only lowers the value. In check the side to move is mated, unless a move is better.
        let asked = window;
        let (mut window, mut best) = (window, Value::mated_in(ply));
        if !answers_check {
            best = static_eval;
            if is_leaf && static_eval > window.alpha && ply < MAX_PLY {
                best = Value::new(static_eval.units() - self.second_threat());
            }
        }

        // Step 6. Mate in one: at a leaf that is not good enough as it stands and does not answer a check, and after the answer
        // to a check. So a leaf sees mates of three plies that begin with a check.
        let asks_mate = if is_leaf {
            !answers_check && !tt_entry.is_some_and(|entry| entry.knows_mate_in_one())
        } else {
            !in_check && self.position.answered_check()
        };
        if asks_mate
            && best < window.beta
            && let Some(mv) = mate_in_one(&self.position)
        {
            self.pv.set(ply, &[mv]);
            return Ok(Value::mate_in(ply + 1));
        }

        let mut moves = Gains::new();
        if answers_check {
            // Step 7. In check: all evasions. Without one it is mate.
            self.evasions(&mut moves);
        } else if best < window.beta && ply < MAX_PLY {
            window.alpha = window.alpha.max(best);
            // Step 8. Captures and promotions that gain material.
            let best_pruned_gain = self.good_captures(ply, depth, static_eval, window.alpha, &mut moves);
            if best_pruned_gain > 0 {
                best = best.max(futility_value(self.params, static_eval, best_pruned_gain));
            }
        }

        for &(mv, gain) in &moves {
            // Step 9. Futility pruning. The moves are sorted by gain, so none of the rest can do better.
            if !answers_check {
                let futility_value = futility_value(self.params, static_eval, gain);
                if futility_value <= window.alpha {
                    best = best.max(futility_value);
                    break;
                }
            }

            // Step 10. Search the move.
            self.play_beyond_leaf(mv, ply);
            let value = self.qsearch(ply + 1, depth + 1, -window);
            self.undo(mv);
            let value = -value?;

            // Step 11. Update the best move, and end the node where the move is good enough.
            best = best.max(value);
            if value > window.alpha {
                window.alpha = value;
                self.pv.extend(ply, mv);
            }
            if value >= window.beta {
                break;
            }
        }

        // Step 12. Update the transposition table.
        if is_leaf {
            self.store_tt(ply, LEAF, asked, best, static_eval);
        }
        Ok(best)
    }

    /// Fills `found` with all evasions of a check. Captures come first, as they are the most likely to be good enough.
    fn evasions(&self, found: &mut Gains) {
        let mut moves = MoveList::new();
        generate::evasions(&self.position, self.request.non_promotions, &mut moves);
        for captures in [true, false] {
            let chosen = moves.iter().filter(|mv| self.position.piece_on(mv.to()).is_some() == captures);
            found.extend(chosen.map(|&mv| (mv, 0)));
        }
    }

    /// Fills `found` with the captures and promotions that gain material, the greatest gain first; from
    /// `qsearch_capture_plies` on with recaptures alone. The most that a move can gain is what it takes and promotes. It is
    /// pruned where even that does not bring `static_eval` within `qsearch_futility_margin` of `alpha`. Returns the most that
    /// a pruned move could gain, 0 if none is pruned.
    fn good_captures(
        &self,
        ply: usize,
        depth: i32,
        static_eval: Value,
        alpha: Value,
        found: &mut Gains,
    ) -> i32 {
        let mut moves = MoveList::new();
        generate::captures(&self.position, self.request.non_promotions, &mut moves);
        if depth < self.params.qsearch_capture_plies {
            generate::promotions(&self.position, &mut moves);
        } else {
            moves.retain(|mv| Some(mv.to()) == self.previous_to(ply));
        }
        let mut best_pruned_gain = 0;
        for &mv in &moves {
            let most = see::immediate_gain(&self.position, mv);
            if futility_value(self.params, static_eval, most) <= alpha {
                best_pruned_gain = best_pruned_gain.max(most);
                continue;
            }
            let gain = see::see(&self.position, mv);
            if gain > 0 {
                found.push((mv, gain));
            }
        }
        found.sort_unstable_by_key(|&(_, gain)| std::cmp::Reverse(gain));
        best_pruned_gain
    }

    /// What the side to move loses in any case: it saves its most threatened piece, and the opponent carries out the second
    /// largest threat. Where that piece cannot escape, the largest.
    pub fn second_threat(&self) -> i32 {
        let us = self.position.side();
        let (mut first, mut second, mut target) = (0, 0, None);
        let attacked = self.position.of_color(us) & self.position.attacked_by(!us);
        attacked.for_each(|square| {
            // Such a threat would change nothing, and finding it takes an exchange.
            if see::largest_threat(&self.position, square) <= second {
                return;
            }
            let threat = see::threat(&self.position, square, !us);
            if threat > first {
                (first, second, target) = (threat, first, Some(square));
            } else if threat > second {
                second = threat;
            }
        });
        let Some(target) = target else { return 0 };
        if self.can_escape(target) { second } else { first }
    }

    /// Whether the piece on `from` can move to a square where the opponent gains nothing by taking it.
    fn can_escape(&self, from: Square) -> bool {
        let Some(piece) = self.position.piece_on(from) else { return false };
        let occupied = self.position.occupied();
        let is_safe = |mv| self.position.is_legal(mv) && see::see_ge(&self.position, mv, 0);
        attacks::of(piece, from, occupied)
            .without(occupied)
            .into_iter()
            .any(|to| is_safe(Move::promoting(from, to)) || is_safe(Move::board(from, to)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    #[test]
    fn pruned_captures_count_in_an_upper_bound() {
        // A rook can be taken for nothing.
        let root = sfen::parse("4k4/9/9/4r4/4P2R1/9/9/9/4K4 b - 1").unwrap();
        let value = |alpha: i32, beta: i32| {
            with_thread(&root, Params::DEFAULT, |thread| {
                thread.qsearch(0, 0, Window::new(Value::new(alpha), Value::new(beta))).ok().unwrap()
            })
        };
        let exact = value(-20_000, 20_000);
        assert!(exact > Value::new(1000), "the rook is taken: {exact:?}");
        for alpha in (exact.units()..20_000).step_by(100) {
            let bound = value(alpha, alpha + 1);
            assert!((exact..=Value::new(alpha)).contains(&bound), "{alpha}: {bound:?} but {exact:?}");
        }
    }

    #[test]
    fn a_leaf_sees_that_every_evasion_is_mated() {
        let start = sfen::parse("4nk3/9/6G2/3LB4/9/9/9/9/K8 b 2rb3g3s3n3l18p 1").unwrap();
        let after = |position: &Position, mv| {
            let mut position = position.clone();
            position.play(mv, &mut ());
            position
        };
        let mut met = [0; 2];
        for check in generate::all_legal(&start).into_iter().filter(|&mv| start.gives_check(mv)) {
            let position = after(&start, check);
            let mut evasions =
                generate::all_legal(&position).into_iter().map(|evasion| after(&position, evasion));
            let is_mate_in_three =
                evasions.all(|position| !position.in_check() && mate_in_one(&position).is_some());
            with_thread(&position, Params::DEFAULT, |thread| {
                let value = thread.qsearch(0, 0, Window::FULL).ok().unwrap();
                assert_eq!(value == Value::mated_in(2), is_mate_in_three, "{check}: {value:?}");
            });
            met[usize::from(is_mate_in_three)] += 1;
        }
        assert!(met[0] > 0 && met[1] > 0, "{met:?}");
    }

    #[test]
    fn a_leaf_that_stands_pat_does_not_hide_a_mate_in_one() {
        let position = sfen::parse("4k4/9/4P4/9/9/9/9/9/4K4 b RG 1").unwrap();
        let null = |alpha| Window::new(Value::new(alpha), Value::new(alpha + 1));
        let mate = Value::mate_in(1);
        for as_leaf in [true, false] {
            with_thread(&position, Params::DEFAULT, |thread| {
                let stands = thread.qsearch(0, 0, null(-3000)).ok().unwrap();
                assert!(stands > Value::new(-3000) && stands < mate, "{stands:?}");
                let found = if as_leaf {
                    thread.qsearch(0, 0, null(9000))
                } else {
                    thread.search_node(0, Budget::new(300), null(9000))
                };
                assert_eq!(found.ok(), Some(mate));
            });
        }
    }
}
