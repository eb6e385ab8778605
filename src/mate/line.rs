//! The line of a proven mate: the attacker's shortest moves against the defender's longest.
//!
//! Useless interpositions (muda-ai, 無駄合).
//!
//! A piece dropped between a slider and the king is a useless interposition where the slider takes it and the mate goes
//! on as if nothing had happened: in as many plies as without the drop, and without using the piece that was gained. By
//! the convention of tsume shogi such moves are not counted. The search counts them like every legal move; only the
//! line leaves them out.

use super::node::{Node, NodeKey};
use super::proof::{Plies, Proof};
use super::search::Search;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::generate::{self, MoveList, NonPromotions};
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::position::Position;

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

impl Search<'_> {
    /// The defender's `replies` without the useless interpositions that `spare` nodes are enough to recognise.
    pub fn useful(&mut self, replies: &[ProvenMove], spare: &mut u64) -> Vec<ProvenMove> {
        let plies_after = |&(_, plies): &ProvenMove| plies.longer();
        let otherwise =
            replies.iter().filter(|(mv, _)| !mv.is_drop()).map(plies_after).max().unwrap_or(Plies::ZERO);
        let mut useful = Vec::new();
        // Only the square matters, because the piece is given back.
        let (mut asked, mut useless) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for reply in replies {
            let (mv, square) = (reply.0, Bitboard::of(reply.0.to()));
            if mv.is_drop() && plies_after(reply) > otherwise && *spare > 0 {
                if !asked.meets(square) {
                    asked |= square;
                    if self.is_useless(mv, otherwise, spare) {
                        useless |= square;
                    }
                }
                if useless.meets(square) {
                    continue;
                }
            }
            useful.push(*reply);
        }
        useful
    }

    /// Whether the checking piece can take the drop `mv` so that the mate still takes no more than `plies` plies.
    fn is_useless(&mut self, mv: Move, plies: Plies, spare: &mut u64) -> bool {
        let Some(kind) = mv.dropped() else { return false };
        let Some(checker) = self.position.checkers().first() else { return false };
        self.position.play(mv, &mut ());
        let captures = [Move::promoting(checker, mv.to()), Move::board(checker, mv.to())];
        let useless = captures.into_iter().any(|capture| {
            self.position.is_legal(capture)
                && self.position.gives_check(capture)
                && self.mates_without_gain(capture, kind, plies, spare)
        });
        self.position.undo(mv, &mut ());
        useless
    }

    /// Whether the check `capture` mates within `plies` further plies, with the captured piece of `kind` given back.
    fn mates_without_gain(&mut self, capture: Move, kind: HandKind, plies: Plies, spare: &mut u64) -> bool {
        self.position.play(capture, &mut ());
        let mut setup = self.position.setup();
        self.position.undo(capture, &mut ());
        setup.hands[self.attacker][kind.index()] -= 1;
        setup.hands[!self.attacker][kind.index()] += 1;
        let Ok(mut given_back) = Position::of_problem(&setup) else { return false };
        std::mem::swap(self.position, &mut given_back);
        let mated = self.is_mated_within(plies, spare);
        std::mem::swap(self.position, &mut given_back);
        mated
    }

    /// Whether the defender, to move and in check, is mated within `plies`, useless interpositions not counted.
    fn is_mated_within(&mut self, plies: Plies, spare: &mut u64) -> bool {
        let mut replies = MoveList::new();
        generate::evasions(self.position, NonPromotions::All, &mut replies);
        let mut useless = Bitboard::EMPTY;
        replies.into_iter().all(|mv| {
            if useless.contains(mv.to()) && mv.is_drop() {
                return true;
            }
            if plies > Plies::new(1) {
                self.position.play(mv, &mut ());
                let proof = self.bounded(plies.shorter(), spare);
                self.position.undo(mv, &mut ());
                if proof.is_some_and(|proof: Proof| proof.is_proven()) {
                    return true;
                }
            }
            let is_useless = mv.is_drop() && self.is_useless(mv, plies, spare);
            if is_useless {
                useless |= Bitboard::of(mv.to());
            }
            is_useless
        })
    }
}
