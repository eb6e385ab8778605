//! Iterative deepening at the root: each iteration has two bits more than the one before (the threshold divided by four),
//! or one ply more.

use super::control::{Control, Line};
use super::memory::Memory;
use super::move_picker::{CostedMove, MovePicker};
use super::multi_pv::MultiPv;
use super::request::{SearchPolicy, SearchRequest};
use super::thread::{SearchThread, Stopped};
use super::value::{MAX_PLY, Value};
use super::window::{Aspiration, Window};
use crate::policy::budget::Budget;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// Searches deeper and deeper and returns the best line found, or `None` where there is no move to choose from.
///
/// An iteration that is broken off counts if it has found a better move than the one before; every line reported has
/// at least one move.
pub fn think(request: &SearchRequest, memory: &mut Memory, control: &mut dyn Control) -> Option<Line> {
    let moves = legal_root_moves(request);
    let mut thread = SearchThread::new(request, memory, control);
    let mut root_moves = thread.ordered_root_moves(&moves);
    // These lines stand where the search ends before the first iteration has found anything: the most probable moves, with
    // the value of the position as it is.
    let value = thread.evaluate();
    let unsearched: Vec<Line> = (1..)
        .zip(root_moves.iter().take(request.multi_pv.max(1)))
        .map(|(multipv_index, &CostedMove { mv, .. })| Line {
            multipv_index,
            depth: 0,
            seldepth: 0,
            value,
            nodes: 0,
            moves: vec![mv],
        })
        .collect();
    if unsearched.is_empty() {
        return None;
    }
    let mut lines = MultiPv::new(unsearched);
    for iteration in 1..=request.depth.min(MAX_PLY as u32) {
        if !thread.control.starts(iteration) {
            break;
        }
        lines.begin();
        let finished = thread.search_root(iteration, &mut root_moves, &mut lines);
        if finished.is_err() {
            lines.break_off();
        }
        lines.set_nodes(thread.nodes);
        for line in lines.as_slice() {
            thread.control.found(line);
        }
        if finished.is_err() || thread.has_one_line_to_mate() {
            break;
        }
    }
    Some(lines.into_best())
}

fn legal_root_moves(request: &SearchRequest) -> MoveList {
    if request.only.is_empty() {
        let mut moves = MoveList::new();
        generate::legal(&request.root, request.non_promotions, &mut moves);
        return moves;
    }
    // A move that was asked for is searched even where it is a pointless non-promotion.
    let legal = generate::all_legal(&request.root);
    legal.into_iter().filter(|mv| request.only.contains(mv)).collect()
}

impl SearchThread<'_> {
    /// The moves of the root with their costs: the hash move first, then the more probable before the less.
    fn ordered_root_moves(&mut self, moves: &MoveList) -> Vec<CostedMove> {
        let hash_move = self.hash_move();
        let mut picker = MovePicker::default();
        self.fill_picker(0, moves, hash_move, None, &mut picker);
        std::iter::from_fn(|| picker.next()).collect()
    }

    /// One iteration at the root.
    ///
    /// A move gets a line if it is better than the last of the lines that are wanted. So several lines cost a wider window
    /// and not a search each; a move that is better than the best line, too, is searched again with the window that it
    /// would have if one line were wanted. `lines` change as soon as a better one is known, so that they are good whenever
    /// the iteration is broken off. `root_moves` are left in the order that was found.
    fn search_root(
        &mut self,
        iteration: u32,
        root_moves: &mut Vec<CostedMove>,
        lines: &mut MultiPv,
    ) -> Result<(), Stopped> {
        self.seldepth = 0;
        self.iteration = iteration;
        let previous = lines.first_value();
        if let Some(mv) = self.find_root_mate()? {
            // It may be a move without promotion that the search leaves out.
            root_moves.retain(|root_move| root_move.mv != mv);
            root_moves.insert(0, CostedMove::certain(mv));
        }
        for index in 0..root_moves.len() {
            let mut root_move = root_moves[index];
            if index == 0 {
                root_move.cost = self.hash_move_cost(root_move.cost);
            }
            let (alpha, best) = (lines.alpha(), lines.best_value());
            if self.request.report_bounds && alpha > -Value::INFINITE {
                let value = self.search_root_move(index, root_move, Window { alpha, beta: alpha + 1 })?;
                if value <= alpha {
                    continue;
                }
                let line = self.root_line(root_move, value);
                self.control.fails_high(&line);
            }
            let mut value = alpha;
            if alpha < best {
                value = self.search_multipv_move(index, root_move, Window { alpha, beta: best + 1 })?;
            }
            if alpha == best || value > best {
                let expected = if index == 0 { previous } else { best };
                value = self.aspiration_search(index, root_move, best, expected)?;
            }
            if value > alpha {
                let line = self.root_line(root_move, value);
                let place = lines.insert(line);
                root_moves[place..=index].rotate_right(1);
                // The lines are reported together, with those of the iteration before.
                lines.set_nodes(self.nodes);
                self.control.improved(lines.as_slice());
            }
            if self.has_one_line_to_mate() {
                break;
            }
        }
        self.request.table.store(self.position.key(), root_moves[0].mv);
        Ok(())
    }

    /// The budget of the running iteration.
    fn budget(&self) -> Budget {
        Budget::of_iteration(self.iteration) + self.request.head_start
    }

    /// The plies of the running iteration, for the rival by depth.
    fn plies(&self) -> i32 {
        self.iteration as i32 + i32::from(self.request.head_start >= Budget::HALF)
    }

    /// The value within the window of the root's move number `index`.
    fn search_root_move(
        &mut self,
        index: usize,
        CostedMove { mv, cost, .. }: CostedMove,
        window: Window,
    ) -> Result<Value, Stopped> {
        if let Some(mate) = self.mates.root_mate_by(mv) {
            return Ok(mate.value);
        }
        match self.request.policy {
            SearchPolicy::RealizationProbability => self.search_move(0, self.budget(), mv, cost, window),
            SearchPolicy::Depth => self.search_move_by_depth(0, self.plies(), mv, index == 0, window),
        }
    }

    /// The value within the window of a root move that may get a further line. It is searched once with its own
    /// probability, as a further line does not make it more probable.
    fn search_multipv_move(
        &mut self,
        index: usize,
        root_move: CostedMove,
        window: Window,
    ) -> Result<Value, Stopped> {
        let is_by_depth = self.request.policy == SearchPolicy::Depth;
        if is_by_depth || self.mates.root_mate_by(root_move.mv).is_some() {
            return self.search_root_move(index, root_move, window);
        }
        let left = self.budget().spend(root_move.cost);
        self.play(root_move.mv, 0);
        let value = self.search_node(1, left, -window);
        self.undo(root_move.mv);
        Ok(-value?)
    }

    /// The value above `best` of a root move that may be the best one: searched near the expected value first.
    fn aspiration_search(
        &mut self,
        index: usize,
        root_move: CostedMove,
        best: Value,
        expected: Value,
    ) -> Result<Value, Stopped> {
        let mut aspiration = Aspiration::around(expected, self.aspiration_margin(expected));
        loop {
            let window = aspiration.window(best);
            let value = self.search_root_move(index, root_move, window)?;
            if value <= window.alpha && window.alpha > best {
                aspiration.fail_low();
                // Only the first move can be the best so far, and has nothing better to be compared with.
                if self.request.report_bounds && index == 0 {
                    let line = self.bound_line(root_move, value);
                    self.control.fails_low(&line);
                }
            } else if value >= window.beta {
                aspiration.fail_high();
                if self.request.report_bounds && index == 0 {
                    let line = self.bound_line(root_move, value);
                    self.control.fails_high(&line);
                }
            } else {
                return Ok(value);
            }
        }
    }

    /// How far the first window reaches to either side of the expected value.
    fn aspiration_margin(&self, expected: Value) -> i32 {
        let is_guess =
            self.iteration as i32 >= self.params.aspiration_from && expected.mate_distance().is_none();
        if is_guess { self.params.aspiration_margin } else { Aspiration::OPEN }
    }

    /// A line of the move that was just searched, of which only a bound is known: what follows the move is not.
    fn bound_line(&self, root_move: CostedMove, value: Value) -> Line {
        Line { moves: vec![root_move.mv], ..self.root_line(root_move, value) }
    }

    /// The line that begins with the move that was just searched.
    fn root_line(&self, root_move: CostedMove, value: Value) -> Line {
        let mut moves: Vec<Move> = vec![root_move.mv];
        match self.mates.root_mate_by(root_move.mv) {
            Some(mate) => moves.clone_from(&mate.moves),
            None => moves.extend_from_slice(self.pv.from(1)),
        }
        Line {
            multipv_index: 1,
            depth: self.iteration,
            seldepth: self.seldepth.max(moves.len()) as u32,
            value,
            nodes: self.nodes,
            moves,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::generate::NonPromotions;
    use crate::shogi::sfen;

    #[test]
    fn a_wrong_expectation_does_not_change_the_value() {
        // A rook may be taken for nothing; and there is a mate.
        let taken = "4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1";
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G2P 1";
        for position in [taken, mate].map(|text| sfen::parse(text).unwrap()) {
            let mut moves = MoveList::new();
            generate::legal(&position, NonPromotions::Useful, &mut moves);
            let search = |aspiration_margin: i32, expected: i32| {
                let params = Params { aspiration_margin, aspiration_from: 1, ..Params::DEFAULT };
                with_thread(&position, params, |thread| {
                    thread.iteration = 3;
                    let first = thread.ordered_root_moves(&moves)[0];
                    let value = thread
                        .aspiration_search(0, first, -Value::INFINITE, Value::new(expected))
                        .ok()
                        .unwrap();
                    (first.mv, value)
                })
            };
            let open = search(Aspiration::OPEN, 0);
            assert_eq!(open.1.mate_distance().is_some(), sfen::write(&position) == mate);
            for expected in [i32::MIN / 2, -1800, -300, 300, 1800, i32::MAX / 2] {
                assert_eq!(search(60, expected), open, "{} {expected}", sfen::write(&position));
            }
        }
    }
}
