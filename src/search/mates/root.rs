//! The mate at the root: looked for before each iteration, with a share of the nodes until then.

use super::super::thread::{SearchThread, Stopped};
use super::super::value::Value;
use super::share;
use crate::mate::solver::Finding;
use crate::shogi::moves::Move;

/// How far the root was looked at.
#[derive(Default)]
pub struct RootLook {
    spent: u64,
    /// Nothing is to be found any more.
    over: bool,
    mate: Option<RootMate>,
}

/// A mate from the root.
pub struct RootMate {
    pub value: Value,
    pub moves: Vec<Move>,
}

impl RootLook {
    /// The mate, if it begins with `mv`.
    pub fn mate_by(&self, mv: Move) -> Option<&RootMate> {
        self.mate.as_ref().filter(|mate| mate.moves[0] == mv)
    }
}

impl SearchThread<'_> {
    /// Looks for a mate at the root, as far as the nodes of the search until now allow, and gives its first move.
    pub fn mate_at_root(&mut self) -> Result<Option<Move>, Stopped> {
        let params = self.params;
        if self.root_look.over || !self.request.root_mates || !self.request.only.is_empty() {
            return Ok(None);
        }
        let first = u64::from(params.mate_root_nodes.unsigned_abs())
            .min(share(self.request.nodes, params.mate_root_first_share));
        let allowed = first + share(self.nodes, params.mate_root_share);
        let (begun, most) = (self.nodes, self.longest_mate(0));
        let finding = match params.mate_root_nodes {
            0 => Finding::NoMate,
            _ => self.ask(most, allowed.saturating_sub(self.root_look.spent))?,
        };
        self.root_look.spent += self.nodes - begun;
        self.root_look.over = finding != Finding::Unknown;
        let Finding::Mates(mut plies) = finding else { return Ok(None) };
        // As much again for shorter ones.
        let mut spare = self.nodes - begun;
        while spare > 0 && plies > 2 {
            let before = self.nodes;
            let Finding::Mates(shorter) = self.ask(plies - 2, spare)? else { break };
            spare = spare.saturating_sub(self.nodes - before);
            plies = shorter;
        }
        let moves = self.mating_line(plies)?;
        let moves = moves.filter(|moves| self.end_in_mate(moves));
        // It may have found a shorter one.
        self.root_look.mate = moves.map(|moves| RootMate { value: Value::mates_at(moves.len()), moves });
        Ok(self.root_look.mate.as_ref().map(|mate| mate.moves[0]))
    }

    /// Whether a mate was found at the root and nothing else is wanted.
    pub fn has_one_line_to_mate(&self) -> bool {
        self.request.lines <= 1 && self.root_look.mate.is_some()
    }
}
