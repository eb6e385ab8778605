//! Plain iterative-deepening alpha–beta with quiescence on captures.

use super::material::Material;
use super::order::{self, Killers};
use super::value::Value;
use super::{Control, Line, MAX_PLY, POLL_INTERVAL, Task};
use crate::shogi::generate::{self, MoveList};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{Declaration, EnteringKingRule};
use crate::shogi::position::repetition::{HandChange, Recurrence};

/// The search was told to end; values on the way are unfinished and must not be used.
struct Stopped;

/// Searches deeper and deeper and returns the best line found, or `None` where there is no move to choose from.
///
/// An iteration that is broken off counts if it has found a better move than the one before; every line reported has
/// at least one move.
pub fn think(task: &Task, control: &mut dyn Control) -> Option<Line> {
    let mut moves = root_moves(task);
    let &first = moves.first()?;
    let mut best = Line { depth: 0, seldepth: 0, value: Value::DRAW, nodes: 0, moves: vec![first] };
    let mut search = Search::new(task, control);
    for depth in 1..=task.depth.min(MAX_PLY as u32) {
        if !search.control.starts(depth) {
            break;
        }
        let finished = search.iteration(depth, &mut moves, &mut best);
        best.nodes = search.nodes;
        if best.depth > 0 {
            search.control.found(&best);
        }
        if finished.is_err() {
            break;
        }
    }
    Some(best)
}

fn root_moves(task: &Task) -> MoveList {
    let mut moves = MoveList::new();
    generate::legal(task.root, task.non_promotions, &mut moves);
    if !task.only.is_empty() {
        // A move that was asked for is looked at even where it is a pointless non-promotion.
        moves = task.only.iter().copied().filter(|&mv| task.root.is_legal(mv)).collect();
    }
    moves
}

struct Search<'a> {
    task: &'a Task<'a>,
    control: &'a mut dyn Control,
    position: Position,
    material: Material,
    nodes: u64,
    seldepth: usize,
    killers: [Killers; MAX_PLY + 1],
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
}

impl<'a> Search<'a> {
    fn new(task: &'a Task<'a>, control: &'a mut dyn Control) -> Self {
        Search {
            task,
            control,
            position: task.root.clone(),
            material: Material::of(task.root),
            nodes: 0,
            seldepth: 0,
            killers: [Killers::default(); MAX_PLY + 1],
            lines: (0..=MAX_PLY + 1).map(|_| Vec::with_capacity(MAX_PLY + 2)).collect(),
        }
    }

    /// One iteration at the root. `best` changes as soon as a better line is known, so that it is good whenever the
    /// iteration is broken off.
    fn iteration(&mut self, depth: u32, moves: &mut MoveList, best: &mut Line) -> Result<(), Stopped> {
        let mut alpha = -Value::INFINITE;
        self.seldepth = 0;
        for index in 0..moves.len() {
            let mv = moves[index];
            let value = self.child(mv, 0, depth as i32 - 1, alpha, Value::INFINITE)?;
            if value > alpha {
                alpha = value;
                moves[..=index].rotate_right(1);
                best.depth = depth;
                best.seldepth = self.seldepth as u32;
                best.value = value;
                best.moves.clear();
                best.moves.push(mv);
                best.moves.extend_from_slice(&self.lines[1]);
            }
        }
        Ok(())
    }

    /// The value of playing `mv` at `ply`, for the side that plays it.
    fn child(
        &mut self,
        mv: Move,
        ply: usize,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        self.position.play(mv, &mut self.material);
        let value = self.node(ply + 1, depth, -beta, -alpha);
        self.position.undo(mv, &mut self.material);
        value.map(|value| -value)
    }

    fn node(&mut self, ply: usize, depth: i32, mut alpha: Value, beta: Value) -> Result<Value, Stopped> {
        self.count()?;
        self.seldepth = self.seldepth.max(ply);
        self.lines[ply].clear();
        if let Some(value) = self.ended(ply) {
            return Ok(value);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        // A check is answered before anything is judged.
        let depth = if self.position.in_check() { depth.max(0) + 1 } else { depth };
        if depth <= 0 {
            return self.quiescence(ply, alpha, beta);
        }
        let mut moves = MoveList::new();
        generate::legal(&self.position, self.task.non_promotions, &mut moves);
        if moves.is_empty() {
            return Ok(Value::mated_at(ply));
        }
        let key = self.position.key();
        let suggested = self.task.table.probe(key).filter(|mv| moves.contains(mv));
        order::sort(&self.position, &mut moves, suggested, self.killers[ply]);
        let mut best = -Value::INFINITE;
        for mv in moves {
            let value = self.child(mv, ply, depth - 1, alpha, beta)?;
            if value <= best {
                continue;
            }
            best = value;
            if value > alpha {
                alpha = value;
                self.task.table.store(key, mv);
                self.extend_line(ply, mv);
            }
            if value >= beta {
                if self.position.piece_on(mv.to()).is_none() {
                    self.killers[ply].add(mv);
                }
                break;
            }
        }
        Ok(best)
    }

    /// Only captures, until none is worth it. Never called in check.
    fn quiescence(&mut self, ply: usize, mut alpha: Value, beta: Value) -> Result<Value, Stopped> {
        let mut best = self.evaluate();
        if best >= beta || ply >= MAX_PLY {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let mut moves = MoveList::new();
        generate::captures(&self.position, self.task.non_promotions, &mut moves);
        order::sort(&self.position, &mut moves, None, Killers::default());
        for mv in moves {
            let value = self.child(mv, ply, 0, alpha, beta)?;
            if value > best {
                best = value;
                alpha = alpha.max(value);
                self.extend_line(ply, mv);
            }
            if value >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The value of a position in which the game is over, or as good as over.
    fn ended(&self, ply: usize) -> Option<Value> {
        let rules = &self.task.rules;
        if rules.entering_king == EnteringKingRule::Try && self.position.has_tried(!self.position.side()) {
            return Some(Value::mated_at(ply));
        }
        if let Some(recurrence) = self.position.recurrence() {
            return Some(self.repeated(recurrence));
        }
        let over = rules.max_moves.is_some_and(|max| self.position.move_number() > max);
        // Mate with the last move still counts.
        if over && (!self.position.in_check() || generate::any_legal(&self.position)) {
            return Some(Value::DRAW);
        }
        match self.position.declaration(rules.entering_king)? {
            // Declaring takes the place of a move.
            Declaration::Win => Some(Value::mates_at(ply + 1)),
            Declaration::Draw => None,
        }
    }

    /// A board that comes again is judged at once as if it would go on so; what is won thereby is no mate yet.
    fn repeated(&self, Recurrence { hand, checking, .. }: Recurrence) -> Value {
        let us = self.position.side();
        match hand {
            HandChange::Better => Value::WON,
            HandChange::Worse => -Value::WON,
            HandChange::Same => match (checking[us.index()], checking[us.opponent().index()]) {
                (true, false) => -Value::WON,
                (false, true) => Value::WON,
                _ => Value::DRAW,
            },
        }
    }

    fn evaluate(&self) -> Value {
        debug_assert_eq!(self.material, Material::of(&self.position));
        self.material.value(self.position.side())
    }

    fn count(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.task.nodes
            || self.nodes.is_multiple_of(POLL_INTERVAL) && self.control.stops(self.nodes)
        {
            return Err(Stopped);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The best line from `ply` is now `mv` and the line after it.
    fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }
}
