//! Mates within the tree: looked for in slices of a few nodes.

use super::super::MAX_PLY;
use super::super::thread::{SearchThread, Stopped};
use super::super::tt::{Bound, Side};
use super::super::value::Value;
use super::share;
use crate::mate::solver::Finding;
use crate::policy::budget::Budget;

impl SearchThread<'_> {
    /// The value of the node at `ply` with `left` to spend, if the window is open, so that it may be on what becomes the
    /// best line, and a slice of a search for mate finds one that is better than `alpha`.
    pub fn mate_by_slice(
        &mut self,
        ply: usize,
        left: Budget,
        (alpha, beta): (Value, Value),
        stand_pat: Value,
    ) -> Result<Option<Value>, Stopped> {
        let nodes = self.slice(left);
        let allowed = share(self.nodes, self.params.mate_slice_share);
        if alpha + 1 >= beta || nodes == 0 || self.spent_in_slices >= allowed {
            return Ok(None);
        }
        let begun = self.nodes;
        let value = self.mate_within(ply, left, alpha, nodes, stand_pat);
        self.spent_in_slices += self.nodes - begun;
        value
    }

    /// Nodes for a slice at a node with `left` to spend.
    fn slice(&self, left: Budget) -> u64 {
        let beyond = left.units() - self.params.mate_slice_from;
        if beyond < 0 {
            return 0;
        }
        let bits = u64::from(beyond.unsigned_abs()) / u64::from(Budget::HALF.units().unsigned_abs()) + 1;
        bits * u64::from(self.params.mate_slice_nodes.unsigned_abs())
    }

    /// The value of the node at `ply` if `nodes` nodes find a mate that is better than `alpha`: the best line, then.
    fn mate_within(
        &mut self,
        ply: usize,
        left: Budget,
        alpha: Value,
        nodes: u64,
        stand_pat: Value,
    ) -> Result<Option<Value>, Stopped> {
        let most = self.longest_mate(ply);
        let Finding::Mates(plies) = self.ask(most, nodes)? else { return Ok(None) };
        // A node nearer the root may remember it, and be met again as far from the root as lines go.
        let end = ply + plies as usize;
        if end > MAX_PLY || Value::mates_at(end) <= alpha {
            return Ok(None);
        }
        let line = self.mating_line(plies)?;
        let Some(moves) = line.filter(|moves| self.end_in_mate(moves)) else { return Ok(None) };
        let value = Value::mates_at(ply + moves.len());
        self.request.table.store(self.position.key(), moves[0]);
        self.pv.set(ply, &moves);
        let bound = Bound { value, left, side: Side::Lower, stand_pat };
        self.memory.bounds.store(self.position.key(), ply, bound);
        Ok(Some(value))
    }
}
