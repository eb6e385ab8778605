//! The line of a proven mate: the attacker's shortest moves against the defender's longest.

use super::node::{Node, NodeKey};
use super::proof::{Plies, Proof};
use super::search::Search;
use crate::shogi::moves::Move;

/// The moves to the mate.
#[derive(Clone, Default, Debug)]
pub struct MateLine {
    pub moves: Vec<Move>,
    /// After how many plies nothing is left to the defender but useless interpositions, if any.
    pub plies: usize,
}

/// A move and the most plies that the mate takes after it.
pub type ProvenMove = (Move, Plies);

impl Search<'_> {
    /// The line of a mate that is known to take at most `plies` plies from the current position. `None` if the search
    /// has to stop before the line is known; while the table still holds the whole mate, no search is needed.
    ///
    /// While `spare` nodes last, the defender's replies are searched for shorter mates, so that the reply taken for the
    /// longest is the longest, and useless interpositions are left out.
    pub fn line(&mut self, plies: Plies, spare: &mut u64) -> Option<MateLine> {
        let mut line = self.follow(plies, spare)?;
        line.moves.reverse();
        Some(line)
    }

    /// The line from the current position, the last move first.
    fn follow(&mut self, plies: Plies, spare: &mut u64) -> Option<MateLine> {
        let moves = self.proven_moves(plies)?;
        let Some(&shortest) = moves.iter().min_by_key(|&&(_, plies)| plies) else {
            // The defender has no move: mate.
            return Some(MateLine::default());
        };
        if self.position.side() == self.attacker {
            return self.after(shortest, |search, left| search.follow(left, spare));
        }
        let mut replies = self.useful(&moves, spare);
        if replies.is_empty() {
            let line = self.after(shortest, Self::finish)?;
            return Some(MateLine { plies: 0, ..line });
        }
        let mut best: Option<MateLine> = None;
        while let Some(reply) = self.longest(&mut replies, spare) {
            let after_it = usize::from(reply.1.get()) + 1;
            if best.as_ref().is_some_and(|best| *spare == 0 || best.plies >= after_it) {
                break;
            }
            let begun = self.nodes;
            let line = self.after(reply, |search, left| search.follow(left, spare))?;
            let ends_in_mate = line.plies == line.moves.len();
            if best.as_ref().is_none_or(|best| line.plies > best.plies) {
                best = Some(line);
            }
            if ends_in_mate {
                break;
            }
            // The line ends in useless interpositions, which do not count. Without them a reply that takes as many
            // plies or fewer may last longest.
            *spare = spare.saturating_sub(self.nodes - begun);
            replies.retain(|&(mv, _)| mv != reply.0);
        }
        best
    }

    /// The shortest line to the mate, where nothing is left to the defender but useless interpositions.
    fn finish(&mut self, plies: Plies) -> Option<MateLine> {
        match self.proven_moves(plies)?.into_iter().min_by_key(|&(_, plies)| plies) {
            Some(shortest) => self.after(shortest, Self::finish),
            None => Some(MateLine::default()),
        }
    }

    /// The line that begins with `mv` and continues with what `rest` finds in the position after it.
    fn after(
        &mut self,
        (mv, left): ProvenMove,
        rest: impl FnOnce(&mut Self, Plies) -> Option<MateLine>,
    ) -> Option<MateLine> {
        self.position.play(mv, &mut ());
        let line = rest(self, left);
        self.position.undo(mv, &mut ());
        let mut line = line?;
        line.moves.push(mv);
        line.plies += 1;
        Some(line)
    }

    /// The moves after which the mate is proven within `plies`: for the defender these are all moves.
    fn proven_moves(&mut self, plies: Plies) -> Option<Vec<ProvenMove>> {
        // Each call takes a node, even where the table has the answer.
        if self.nodes >= self.max_nodes {
            return None;
        }
        let attacking = self.position.side() == self.attacker;
        let node = self.node_at(plies, attacking);
        self.verdict(node, |children| {
            let moves: Vec<ProvenMove> = children
                .iter()
                .filter(|child| child.active && child.proof.is_proven())
                .map(|child| (child.mv, child.proof.plies))
                .collect();
            let whole = if attacking { !moves.is_empty() } else { moves.len() == children.len() };
            whole.then_some(moves)
        })?
    }

    /// The reply after which the mate takes longest, every interposition counted.
    fn longest(&mut self, replies: &mut [ProvenMove], spare: &mut u64) -> Option<ProvenMove> {
        loop {
            let at = (0..replies.len()).max_by_key(|&index| (replies[index].1, usize::MAX - index))?;
            let (mv, plies) = replies[at];
            if *spare == 0 || plies <= Plies::new(1) || replies.len() == 1 {
                return Some((mv, plies));
            }
            self.position.play(mv, &mut ());
            let shorter = self.bounded(plies.shorter().shorter(), spare).filter(Proof::is_proven);
            self.position.undo(mv, &mut ());
            match shorter {
                Some(proof) => replies[at].1 = proof.plies,
                None => return Some((mv, plies)),
            }
        }
    }

    /// Searches for a mate within `plies`, the attacker to move. The nodes are taken from `spare`, which ends the
    /// search at 0.
    pub fn bounded(&mut self, plies: Plies, spare: &mut u64) -> Option<Proof> {
        let (begun, max_nodes) = (self.nodes, self.max_nodes);
        self.max_nodes = begun.saturating_add(*spare).min(max_nodes);
        let proof = self.run(self.node_at(plies, true));
        *spare = spare.saturating_sub(self.nodes - begun);
        self.max_nodes = max_nodes;
        // Running out of spare nodes ends only this search; a stop ends all.
        self.stopped = self.stopped && *spare > 0;
        proof.verdict().map(|_| proof)
    }

    /// The current position as a root.
    pub fn node_at(&self, plies: Plies, attacking: bool) -> Node {
        Node { key: NodeKey::new(self.position, self.attacker), depth: 1, plies, attacking }
    }
}
