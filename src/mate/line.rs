//! The line of a mate: the attacker's shortest, the defender's longest.

use super::node::{Identity, Node};
use super::plies::Plies;
use super::proof::Proof;
use super::search::Search;
use crate::shogi::moves::Move;

/// A line to the mate.
#[derive(Clone, Default, Debug)]
pub struct Line {
    pub moves: Vec<Move>,
    /// After how many plies nothing is left to the defender but useless interpositions, if any.
    pub plies: usize,
}

/// A move and how many plies the mate takes after it at most.
pub type Known = (Move, Plies);

impl Search<'_> {
    /// The line of a mate that is known to take `plies` plies at most, from the position on. `None` if the search has to
    /// stop before the line is known; while the table still holds the whole mate, no search is needed.
    ///
    /// While `spare` nodes last, the defender's replies are searched for shorter mates, so that the longest reply is
    /// known to be the longest, and useless interpositions are left out.
    pub fn line(&mut self, plies: Plies, spare: &mut u64) -> Option<Line> {
        let mut line = self.follow(plies, spare)?;
        line.moves.reverse();
        Some(line)
    }

    /// The line from the position on, the last move first.
    fn follow(&mut self, plies: Plies, spare: &mut u64) -> Option<Line> {
        let known = self.known_moves(plies)?;
        let Some(&shortest) = known.iter().min_by_key(|&&(_, plies)| plies) else {
            // The defender has no move: mate.
            return Some(Line::default());
        };
        if self.position.side() == self.attacker {
            return self.after(shortest, |search, left| search.follow(left, spare));
        }
        let mut replies = self.useful(&known, spare);
        if replies.is_empty() {
            let line = self.after(shortest, Self::finish)?;
            return Some(Line { plies: 0, ..line });
        }
        let mut best: Option<Line> = None;
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
            // The line ends in useless interpositions, which do not count. A reply after which the mate takes as many plies
            // or fewer, all counted, may be the one that lasts longest without them.
            *spare = spare.saturating_sub(self.nodes - begun);
            replies.retain(|&(mv, _)| mv != reply.0);
        }
        best
    }

    /// The shortest line to the mate, where nothing is left to the defender but useless interpositions.
    fn finish(&mut self, plies: Plies) -> Option<Line> {
        match self.known_moves(plies)?.into_iter().min_by_key(|&(_, plies)| plies) {
            Some(shortest) => self.after(shortest, Self::finish),
            None => Some(Line::default()),
        }
    }

    /// The line that begins with `mv`, by what `rest` makes of the position after it.
    fn after(
        &mut self,
        (mv, left): Known,
        rest: impl FnOnce(&mut Self, Plies) -> Option<Line>,
    ) -> Option<Line> {
        self.position.play(mv, &mut ());
        let line = rest(self, left);
        self.position.undo(mv, &mut ());
        let mut line = line?;
        line.moves.push(mv);
        line.plies += 1;
        Some(line)
    }

    /// The moves that keep the mate within `plies`, all of them if they are the defender's.
    fn known_moves(&mut self, plies: Plies) -> Option<Vec<Known>> {
        // A node that the table answers counts, too.
        if self.nodes >= self.most {
            return None;
        }
        let attacking = self.position.side() == self.attacker;
        let node = self.node_at(plies, attacking);
        self.verdict(node, |children| {
            let moves: Vec<Known> = children
                .iter()
                .filter(|child| child.active && child.proof.is_proven())
                .map(|child| (child.mv, child.proof.plies))
                .collect();
            let whole = if attacking { !moves.is_empty() } else { moves.len() == children.len() };
            whole.then_some(moves)
        })?
    }

    /// The reply after which the mate takes longest, every interposition counted.
    fn longest(&mut self, replies: &mut [Known], spare: &mut u64) -> Option<Known> {
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

    /// Searches for a mate within `plies`, the attacker to move, for `spare` nodes at most, which are counted down.
    pub fn bounded(&mut self, plies: Plies, spare: &mut u64) -> Option<Proof> {
        let (begun, most) = (self.nodes, self.most);
        self.most = begun.saturating_add(*spare).min(most);
        let proof = self.run(self.node_at(plies, true));
        *spare = spare.saturating_sub(self.nodes - begun);
        self.most = most;
        // Spent nodes end this search, and only a stop all others.
        self.stopped = self.stopped && *spare > 0;
        proof.verdict().map(|_| proof)
    }

    /// The node of the position, taken for a root.
    pub fn node_at(&self, plies: Plies, attacking: bool) -> Node {
        Node { identity: Identity::new(self.position, self.attacker), depth: 1, plies, attacking }
    }
}
