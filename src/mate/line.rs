//! The line of a mate: the attacker's shortest, the defender's longest.

use super::children::Child;
use super::node::{Identity, Node};
use super::plies::Plies;
use super::proof::Proof;
use super::search::Search;
use crate::shogi::moves::Move;

impl Search<'_> {
    /// The line of a mate that is known to take `plies` plies at most, from the position on. `None` if the search has to
    /// stop before the line is known, which is at once as long as the table still holds the mate.
    ///
    /// While `spare` nodes last, the defender's replies are searched for shorter mates, so that the longest reply is
    /// known to be the longest.
    pub fn line(&mut self, plies: Plies, spare: &mut u64) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let complete = self.follow(plies, spare, &mut line);
        for &mv in line.iter().rev() {
            self.position.undo(mv, &mut ());
        }
        complete.map(|()| line)
    }

    /// Plays the line, which is left on the board.
    fn follow(&mut self, mut plies: Plies, spare: &mut u64, line: &mut Vec<Move>) -> Option<()> {
        loop {
            let replies = self.known_moves(plies)?;
            let best = if self.position.side() == self.attacker {
                replies.into_iter().min_by_key(|&(_, plies)| plies)
            } else {
                self.longest(replies, spare)
            };
            // The defender has no move: mate.
            let Some((mv, left)) = best else { return Some(()) };
            self.position.play(mv, &mut ());
            line.push(mv);
            plies = left;
        }
    }

    /// The moves that keep the mate within `plies`, all of them if they are the defender's, with how many plies it then
    /// takes at most.
    fn known_moves(&mut self, plies: Plies) -> Option<Vec<(Move, Plies)>> {
        let attacking = self.position.side() == self.attacker;
        let node = self.node_at(plies, attacking);
        self.verdict(node, |children| {
            let proven = |child: &&Child| child.active && child.proof.is_proven();
            let moves: Vec<_> =
                children.iter().filter(proven).map(|child| (child.mv, child.proof.plies)).collect();
            let whole = if attacking { !moves.is_empty() } else { moves.len() == children.len() };
            whole.then_some(moves)
        })?
    }

    /// The reply after which the mate takes longest.
    fn longest(&mut self, mut replies: Vec<(Move, Plies)>, spare: &mut u64) -> Option<(Move, Plies)> {
        loop {
            let at = (0..replies.len()).max_by_key(|&index| (replies[index].1, usize::MAX - index))?;
            let (mv, plies) = replies[at];
            let second = (0..replies.len()).filter(|&i| i != at).map(|i| replies[i].1).max();
            if *spare == 0 || plies <= Plies::new(1) || second.is_none() {
                return Some((mv, plies));
            }
            self.position.play(mv, &mut ());
            let shorter = self.shorter(plies.shorter().shorter(), spare);
            self.position.undo(mv, &mut ());
            match shorter {
                Some(plies) => replies[at].1 = plies,
                None => return Some((mv, plies)),
            }
        }
    }

    /// A mate within `plies`, if there is one and `spare` nodes are enough to find it.
    fn shorter(&mut self, plies: Plies, spare: &mut u64) -> Option<Plies> {
        self.bounded(plies, spare).filter(Proof::is_proven).map(|proof| proof.plies)
    }

    /// Searches for a mate within `plies`, the attacker to move, for `spare` nodes at most, which are counted down.
    pub fn bounded(&mut self, plies: Plies, spare: &mut u64) -> Option<Proof> {
        let begun = self.nodes;
        self.most = begun.saturating_add(*spare);
        let proof = self.run(self.node_at(plies, true));
        *spare = spare.saturating_sub(self.nodes - begun);
        self.most = u64::MAX;
        // Spent nodes end this search, and only a stop all others.
        self.stopped = self.stopped && *spare > 0;
        proof.verdict().map(|_| proof)
    }

    /// The node of the position, taken for a root.
    pub fn node_at(&self, plies: Plies, attacking: bool) -> Node {
        Node { identity: Identity::new(self.position, self.attacker), depth: 1, plies, attacking }
    }
}
