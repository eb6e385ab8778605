//! Iterations, each with two bits more than the one before (the threshold divided by four), or one ply deeper.

use super::aspiration::Aspiration;
use super::candidates::{Candidate, Candidates};
use super::multi_pv::MultiPv;
use super::thread::{SearchThread, Stopped};
use super::value::Value;
use super::{Control, Line, MAX_PLY, Memory, Policy, SearchRequest};
use crate::policy::budget::Budget;
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;

/// Searches deeper and deeper and returns the best line found, or `None` where there is no move to choose from.
///
/// An iteration that is broken off counts if it has found a better move than the one before; every line reported has
/// at least one move.
pub fn think(request: &SearchRequest, memory: &mut Memory, control: &mut dyn Control) -> Option<Line> {
    let moves = root_moves(request);
    let mut thread = SearchThread::new(request, memory, control);
    let mut roots = thread.roots(&moves);
    let first = roots.first()?.mv;
    // Stands for all where the search ends before it has begun.
    let unsearched =
        Line { rank: 1, depth: 0, seldepth: 0, value: thread.evaluate(), nodes: 0, moves: vec![first] };
    let mut lines = MultiPv::new(request.lines.min(roots.len()), unsearched);
    for iteration in 1..=request.depth.min(MAX_PLY as u32) {
        if !thread.control.starts(iteration) {
            break;
        }
        lines.begin();
        let finished = thread.iterate(iteration, &mut roots, &mut lines);
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

fn root_moves(request: &SearchRequest) -> MoveList {
    if request.only.is_empty() {
        let mut moves = MoveList::new();
        generate::legal(request.root, request.non_promotions, &mut moves);
        return moves;
    }
    // A move that was asked for is looked at even where it is a pointless non-promotion.
    let legal = generate::all_legal(request.root);
    legal.into_iter().filter(|mv| request.only.contains(mv)).collect()
}

impl SearchThread<'_> {
    /// The moves of the root with their costs, the suggested one first, then the more probable before the less.
    fn roots(&mut self, moves: &MoveList) -> Vec<Candidate> {
        let suggested = self.suggested();
        let mut candidates = Candidates::default();
        self.gather(0, moves, suggested, &mut candidates);
        std::iter::from_fn(|| candidates.next()).collect()
    }

    /// One iteration at the root. A move gets a line if it is better than the last of the lines that are wanted, so that
    /// several lines cost a wider window and not a search each; a move that is better than the best line, too, is searched
    /// again with the window that it would have if one line were wanted. `lines` change as soon as a better one is known,
    /// so that they are good whenever the iteration is broken off; `roots` are left in the order that was found.
    fn iterate(
        &mut self,
        iteration: u32,
        roots: &mut Vec<Candidate>,
        lines: &mut MultiPv,
    ) -> Result<(), Stopped> {
        self.seldepth = 0;
        self.iteration = iteration;
        let former = lines.first_value();
        if let Some(mv) = self.mate_at_root()? {
            // It may be a move without promotion that the search leaves out.
            roots.retain(|root| root.mv != mv);
            roots.insert(0, Candidate::certain(mv));
        }
        for index in 0..roots.len() {
            let mut root = roots[index];
            if index == 0 {
                root.cost = self.as_suggested(root.cost);
            }
            let (alpha, best) = (lines.bar(), lines.best());
            if self.request.bounds && alpha > -Value::INFINITE {
                let value = self.look_at_root(index, root, alpha, alpha + 1)?;
                if value <= alpha {
                    continue;
                }
                let line = self.root_line(root, value);
                self.control.fails_high(&line);
            }
            let mut value = alpha;
            if alpha < best {
                value = self.look_at_further(index, root, alpha, best + 1)?;
            }
            if alpha == best || value > best {
                let expected = if index == 0 { former } else { best };
                value = self.look_around(index, root, best, expected)?;
            }
            if value > alpha {
                let line = self.root_line(root, value);
                let rank = lines.insert(line);
                roots[rank..=index].rotate_right(1);
                // They are told together, those of the iteration before as well.
                lines.set_nodes(self.nodes);
                self.control.improved(lines.as_slice());
            }
            if self.has_one_line_to_mate() {
                break;
            }
        }
        self.request.table.store(self.position.key(), roots[0].mv);
        Ok(())
    }

    /// What the running iteration has to spend.
    fn budget(&self) -> Budget {
        Budget::of_iteration(self.iteration) + self.request.head_start
    }

    /// Plies that the running iteration leaves after a move that gets `extension` back, for the rivals.
    fn plies(&self, extension: i32) -> i32 {
        self.iteration as i32 - 1 + extension + i32::from(self.request.head_start >= Budget::HALF)
    }

    /// The value of the move number `nth` of the root, counted from 0, within the window.
    fn look_at_root(
        &mut self,
        nth: usize,
        root: Candidate,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        if let Some(mate) = self.root_look.mate_by(root.mv) {
            return Ok(mate.value);
        }
        match self.request.policy {
            Policy::RealizationProbability => self.after(root.mv, |thread| {
                thread.child_by_probability(0, thread.budget(), root.cost, alpha, beta)
            }),
            Policy::Depth => {
                let plies = self.plies(self.extension(0, root.mv));
                self.after(root.mv, |thread| thread.child_by_depth(0, plies, nth == 0, alpha, beta))
            }
        }
    }

    /// The value of a move that may be the best one, as far as it is above `best`: looked for near the one that is
    /// `expected` first.
    fn look_around(
        &mut self,
        nth: usize,
        root: Candidate,
        best: Value,
        expected: Value,
    ) -> Result<Value, Stopped> {
        let mut window = Aspiration::around(expected, self.aspiration_margin(expected));
        loop {
            let (alpha, beta) = window.ends(best);
            let value = self.look_at_root(nth, root, alpha, beta)?;
            if value <= alpha && alpha > best {
                window.lower();
            } else if value >= beta {
                window.raise();
            } else {
                return Ok(value);
            }
        }
    }

    /// How far the first window reaches to either side of the value that is `expected`.
    fn aspiration_margin(&self, expected: Value) -> i32 {
        let is_guess =
            self.iteration as i32 >= self.params.aspiration_from && expected.mate_distance().is_none();
        if is_guess { self.params.aspiration_margin } else { Aspiration::OPEN }
    }

    /// The value within the window of a move that gets a line only because further ones were asked for: no more probable
    /// than it is.
    fn look_at_further(
        &mut self,
        nth: usize,
        root: Candidate,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        let is_by_budget = self.request.policy == Policy::RealizationProbability;
        if !is_by_budget || self.root_look.mate_by(root.mv).is_some() {
            return self.look_at_root(nth, root, alpha, beta);
        }
        let left = self.budget().spend(root.cost);
        Ok(-self.after(root.mv, |thread| thread.by_probability(1, left, -beta, -alpha))?)
    }

    /// What `look` finds after the root's move `mv`, which is played and taken back.
    fn after(
        &mut self,
        mv: Move,
        look: impl FnOnce(&mut Self) -> Result<Value, Stopped>,
    ) -> Result<Value, Stopped> {
        self.play(mv, 0);
        let value = look(self);
        self.undo(mv);
        value
    }

    /// The line that begins with the move that was just looked at.
    fn root_line(&self, root: Candidate, value: Value) -> Line {
        let mut moves = vec![root.mv];
        match self.root_look.mate_by(root.mv) {
            Some(mate) => moves.clone_from(&mate.moves),
            None => moves.extend_from_slice(self.pv.from(1)),
        }
        Line {
            rank: 1,
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
    use super::super::testing::searcher_at;
    use super::*;
    use crate::shogi::generate::NonPromotions;
    use crate::shogi::sfen;

    #[test]
    fn a_wrong_guess_does_not_change_the_value() {
        // A rook may be taken for nothing; and there is a mate.
        let taken = "4k4/9/9/9/4r4/4P4/9/9/4K4 b - 1";
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G2P 1";
        for position in [taken, mate].map(|text| sfen::parse(text).unwrap()) {
            let mut moves = MoveList::new();
            generate::legal(&position, NonPromotions::Useful, &mut moves);
            let look = |aspiration_margin: i32, expected: i32| {
                let params = Params { aspiration_margin, aspiration_from: 1, ..Params::DEFAULT };
                searcher_at(&position, params, |thread| {
                    thread.iteration = 3;
                    let root = thread.roots(&moves)[0];
                    let value =
                        thread.look_around(0, root, -Value::INFINITE, Value::new(expected)).ok().unwrap();
                    (root.mv, value)
                })
            };
            let open = look(Aspiration::OPEN, 0);
            assert_eq!(open.1.mate_distance().is_some(), sfen::write(&position) == mate);
            for expected in [i32::MIN / 2, -1800, -300, 300, 1800, i32::MAX / 2] {
                assert_eq!(look(60, expected), open, "{} {expected}", sfen::write(&position));
            }
        }
    }
}
