//! The search by proof numbers: df-pn (Nagai 2002) with what was learnt since; docs/mate.md tells it as a whole.

use super::children::{Child, Met, NONE, Summary, summary};
use super::node::{Identity, Node};
use super::one_move;
use super::path::Path;
use super::plies::Plies;
use super::proof::{ANYWHERE, Depth, INFINITE, MOST, OUTSIDE, Proof};
use super::returns::Returns;
use super::table::{Found, Table};
use super::{estimate, hands};
use crate::shogi::attacks;
use crate::shogi::color::Color;
use crate::shogi::generate::{self, Count, MoveList, NonPromotions};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;

/// Nodes between two questions whether to stop. Few, because in a new table each can touch large pages that the
/// system has yet to clear, which takes it up to a millisecond a page.
pub const POLL_INTERVAL: u64 = 8;

/// What a search works with. A search allocates nothing else but room for its position's own past.
pub struct Memory {
    pub table: Table,
    pub returns: Returns,
    pub path: Path,
    /// The children of all nodes of the path, one after the other.
    pub children: Vec<Child>,
    /// The positions of the game before the root that must not come again, because that would end it.
    pub last_time: Vec<Key>,
}

/// A search under way.
pub struct Search<'a> {
    pub memory: &'a mut Memory,
    pub position: &'a mut Position,
    pub attacker: Color,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes to search at most.
    pub most: u64,
    /// Asked now and then whether to stop, and told the nodes.
    pub stops: &'a mut dyn FnMut(u64) -> bool,
    /// Whether the search has to end.
    pub stopped: bool,
    /// While set, nodes search on beyond their thresholds until a new position is met: otherwise, where transpositions
    /// lead in a circle, two nodes could hand each other the effort for ever (threshold controlling algorithm,
    /// Kishimoto 2010).
    pub pushing: bool,
}

/// Up to which a node is searched.
#[derive(Clone, Copy)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

impl Search<'_> {
    /// Searches `node`, at which the position stands, to a verdict or until told to stop.
    pub fn run(&mut self, node: Node) -> Proof {
        self.pushing = false;
        self.node(node, Thresholds { pn: INFINITE, dn: INFINITE }, true)
    }

    /// The verdict on `node` that is in the table, if there is one.
    pub fn recall(&mut self, node: Node) -> Option<Proof> {
        match self.memory.table.look_up(node.identity, node.plies) {
            Found::Verdict(proof) => Some(proof),
            Found::Open { .. } | Found::New { .. } => None,
        }
    }

    fn has_to_stop(&mut self) -> bool {
        if self.nodes >= self.most || self.nodes.is_multiple_of(POLL_INTERVAL) && (self.stops)(self.nodes) {
            self.stopped = true;
        }
        self.stopped
    }

    /// Searches `node`, at which the position stands, until all that its verdict rests on is known, and shows its
    /// children to `see`: those with a verdict, at least one if the attacker is to move and mates, all if the defender
    /// is and is mated. `None` where there is no verdict.
    pub fn verdict<T>(&mut self, node: Node, see: impl FnOnce(&[Child]) -> T) -> Option<T> {
        self.pushing = false;
        self.memory.children.clear();
        let proof = self.work(node, Thresholds { pn: INFINITE, dn: INFINITE }, true);
        let seen = (!proof.is_open()).then(|| see(&self.memory.children));
        self.memory.children.clear();
        seen
    }

    /// Searches until a threshold is reached.
    fn node(&mut self, node: Node, limits: Thresholds, new: bool) -> Proof {
        let first = self.memory.children.len();
        let proof = self.work(node, limits, new);
        self.memory.children.truncate(first);
        proof
    }

    /// As [`node`](Search::node), with the children left where they are.
    fn work(&mut self, node: Node, limits: Thresholds, new: bool) -> Proof {
        self.nodes += 1;
        let entered = self.nodes;
        let first = self.memory.children.len();
        if node.depth >= self.memory.path.max_depth() {
            return Proof::disproven(node.identity.hand, node.plies, OUTSIDE);
        }
        self.memory.path.enter(node.identity, node.depth);
        if !self.expand(node) {
            self.memory.path.leave(node.identity, node.depth);
            return Proof::disproven(node.identity.hand, node.plies, OUTSIDE);
        }
        let mut now = self.summed(first, node);
        if now.circles && !new {
            self.pushing = true;
        }
        while now.wanted != 0 && now.unwanted != 0 {
            let (mut wanted, mut unwanted) = match node.attacking {
                true => (limits.pn, limits.dn),
                false => (limits.dn, limits.pn),
            };
            if self.pushing {
                wanted = wanted.max(now.wanted.saturating_add(1));
                unwanted = unwanted.max(now.unwanted.saturating_add(1));
            }
            if now.wanted >= wanted || now.unwanted >= unwanted || self.has_to_stop() {
                break;
            }
            // The best child goes on a little beyond the second best, lest the two take turns (Pawlewicz and Lew 2006).
            let wanted = wanted.min(now.second.saturating_add(now.second / 4 + 1));
            let unwanted = if unwanted > MOST { INFINITE } else { unwanted.saturating_sub(now.rest) };
            let (pn, dn) = if node.attacking { (wanted, unwanted) } else { (unwanted, wanted) };
            self.descend(node, first, now.best, Thresholds { pn, dn });
            now = self.summed(first, node);
        }
        let proof = self.conclude(node, first, now);
        self.memory.path.leave(node.identity, node.depth);
        self.store(node, &proof, self.nodes - entered + 1);
        proof
    }

    /// Searches one child and takes over what was found.
    fn descend(&mut self, node: Node, first: usize, index: usize, limits: Thresholds) {
        let Child { mv, identity, met, .. } = self.memory.children[first + index];
        if met == Met::Never {
            self.pushing = false;
        }
        let child =
            Node { identity, depth: node.depth + 1, plies: node.plies.shorter(), attacking: !node.attacking };
        self.position.play(mv, &mut ());
        let proof = self.node(child, limits, met == Met::Never);
        self.position.undo(mv, &mut ());
        let child = &mut self.memory.children[first + index];
        child.proof = proof;
        child.met = child.met.max(Met::Before);
        self.activate(node, first, index);
    }

    /// Once the child `index` is decided against the side to move, the next of its kind takes its place; and so on
    /// while these are decided already.
    fn activate(&mut self, node: Node, first: usize, mut index: usize) {
        loop {
            let child = self.memory.children[first + index];
            if child.proof.unwanted(node.attacking) != 0 || child.next == NONE {
                return;
            }
            index = usize::from(child.next);
            self.look_at(node, first + index);
        }
    }

    fn summed(&self, first: usize, node: Node) -> Summary {
        summary(&self.memory.children[first..], node.attacking)
    }

    fn store(&mut self, node: Node, proof: &Proof, amount: u64) {
        if proof.is_disproven() && proof.since < node.depth {
            let key = self.memory.path.mixed() ^ node.identity.mixed();
            self.memory.returns.store(key, proof.plies, proof.since);
        }
        self.memory.table.store(node, proof, amount);
    }

    /// Lists the moves of `node` with what is known of them. `false` where the line is longer than there is room for.
    #[inline(never)]
    fn expand(&mut self, node: Node) -> bool {
        let first = self.memory.children.len();
        let mut moves = MoveList::new();
        if node.attacking {
            generate::checks(self.position, NonPromotions::All, &mut moves);
        } else {
            generate::evasions(self.position, NonPromotions::All, &mut moves);
        }
        if self.memory.children.capacity() - first < moves.len() {
            return false;
        }
        for (index, &mv) in moves.iter().enumerate() {
            let identity = node.identity.after(self.position, self.attacker, mv);
            let leads = self.leader(node, &moves[..index], mv);
            if let Some(leader) = leads {
                self.memory.children[first + leader].next = index as u16;
            }
            self.memory.children.push(Child {
                proof: Proof::open(1, 1),
                identity,
                mv,
                next: NONE,
                active: false,
                met: Met::Never,
                summed: !self.is_one_of_many(node, mv),
            });
            if leads.is_none() {
                self.look_at(node, first + index);
            }
        }
        for index in 0..moves.len() {
            if self.memory.children[first + index].active {
                self.activate(node, first, index);
            }
        }
        true
    }

    /// The move before `mv` that has to fail before `mv` is worth a look: for a defender's drop the last drop on the
    /// same square, for a move without promotion the one with, where the promoted piece can do all that the other
    /// can, or nearly: a lance further up the board keeps what a promoted one loses, and is looked at second.
    fn leader(&self, node: Node, before: &[Move], mv: Move) -> Option<usize> {
        match mv.origin() {
            Origin::Hand(_) if node.attacking => None,
            Origin::Hand(_) => before.iter().rposition(|other| other.is_drop() && other.to() == mv.to()),
            Origin::Board(from) => {
                if mv.is_promotion() {
                    return None;
                }
                let kind = self.position.piece_on(from)?.kind;
                if !matches!(kind, PieceKind::Pawn | PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook) {
                    return None;
                }
                before.iter().rposition(|&other| other == Move::promoting(from, mv.to()))
            }
        }
    }

    /// Whether the move is one of many alike, whose numbers must not be added up: a check by a slider from afar.
    fn is_one_of_many(&self, node: Node, mv: Move) -> bool {
        if !node.attacking {
            return false;
        }
        let Some(king) = self.position.king(!self.attacker) else { return false };
        let kind = match mv.origin() {
            Origin::Hand(kind) => kind.piece_kind(),
            Origin::Board(from) => self.position.piece_on(from).map_or(PieceKind::Pawn, |piece| piece.kind),
        };
        let slider = matches!(
            kind,
            PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon
        );
        slider && !attacks::king(king).contains(mv.to())
    }

    /// Finds out what is known of the child at `at`.
    fn look_at(&mut self, node: Node, at: usize) {
        let Child { mv, identity, .. } = self.memory.children[at];
        let (proof, met) = self.known(node, identity, mv);
        let child = &mut self.memory.children[at];
        child.proof = proof;
        child.met = met;
        child.active = true;
    }

    fn known(&mut self, node: Node, identity: Identity, mv: Move) -> (Proof, Met) {
        if let Some(since) = self.memory.path.repeats(identity) {
            return (Proof::disproven(identity.hand, Plies::UNBOUNDED, since), Met::Before);
        }
        if self.ends_game(mv) {
            return (Proof::disproven(identity.hand, Plies::UNBOUNDED, OUTSIDE), Met::Before);
        }
        if !node.attacking && node.plies <= Plies::new(1) {
            // No mate takes a ply less than it has moves.
            return (Proof::disproven(identity.hand, Plies::ZERO, ANYWHERE), Met::Before);
        }
        let plies = node.plies.shorter();
        match self.memory.table.look_up(identity, plies) {
            Found::Verdict(proof) => (proof, Met::Before),
            Found::Open { proof, depth, returns } => {
                if returns && let Some((plies, since)) = self.returns(identity, plies) {
                    return (Proof::disproven(identity.hand, plies, since), Met::Before);
                }
                (proof, if depth <= node.depth { Met::Closer } else { Met::Before })
            }
            Found::New { pn, dn } => {
                let proof = self.first_guess(node, identity, mv, plies);
                let open = proof.is_open();
                (if open { Proof::open(proof.pn.max(pn), proof.dn.max(dn)) } else { proof }, Met::Never)
            }
        }
    }

    fn returns(&self, identity: Identity, plies: Plies) -> Option<(Plies, Depth)> {
        self.memory.returns.look_up(self.memory.path.mixed() ^ identity.mixed(), plies)
    }

    /// Whether `mv` ends the game by repetition, counting the game before the root. That is never a mate. No position
    /// comes twice on a path, so only what has occurred three times in the game can occur for the fourth time.
    fn ends_game(&mut self, mv: Move) -> bool {
        if self.memory.last_time.is_empty() {
            return false;
        }
        self.position.play(mv, &mut ());
        let ends = self.memory.last_time.contains(&self.position.key());
        self.position.undo(mv, &mut ());
        ends
    }

    /// What can be said of a new position at once.
    fn first_guess(&mut self, node: Node, identity: Identity, mv: Move, plies: Plies) -> Proof {
        let attacker = self.attacker;
        if node.attacking {
            let (pn, dn) = estimate::after_attack(self.position, attacker, mv);
            return Proof::open(pn, dn);
        }
        let (pn, dn) = estimate::after_defence(self.position, attacker, mv);
        self.position.play(mv, &mut ());
        let proof = self.leaf(identity, plies).unwrap_or(Proof::open(pn, dn));
        self.position.undo(mv, &mut ());
        proof
    }

    /// A verdict on the position, with the attacker to move, if a glance is enough for one.
    pub fn leaf(&mut self, identity: Identity, plies: Plies) -> Option<Proof> {
        if let Some(mate) = one_move::mate_in_one(self.position) {
            self.position.play(mate, &mut ());
            let needed = hands::proof_against_all(self.position, self.attacker, Hand::EMPTY);
            self.position.undo(mate, &mut ());
            return Some(Proof::proven(hands::before_attack(self.position, mate, needed), Plies::new(1)));
        }
        let mut checks = Count::default();
        generate::checks(self.position, NonPromotions::All, &mut checks);
        if checks.0 == 0 {
            let ceiling = hands::disproof_ceiling(self.position, self.attacker);
            return Some(Proof::disproven(ceiling, Plies::UNBOUNDED, ANYWHERE));
        }
        (plies <= Plies::new(1)).then(|| Proof::disproven(identity.hand, Plies::new(1), ANYWHERE))
    }

    /// What is known of the node by its children: the numbers, or a verdict and for which hands it holds.
    fn conclude(&self, node: Node, first: usize, now: Summary) -> Proof {
        let children = &self.memory.children[first..];
        let decided = children.iter().filter(|child| child.active);
        match (node.attacking, now.wanted == 0, now.unwanted == 0) {
            (true, true, _) => {
                let best = decided
                    .filter(|child| child.proof.is_proven())
                    .min_by_key(|child| child.proof.plies)
                    .expect("a child is proven");
                let hand = hands::before_attack(self.position, best.mv, best.proof.hand);
                Proof::proven(hand, best.proof.plies.longer())
            }
            (true, _, true) => {
                let mut hand = hands::disproof_ceiling(self.position, self.attacker);
                let (mut plies, mut since) = (Plies::UNBOUNDED, ANYWHERE);
                for Child { proof, mv, .. } in decided {
                    hand = hand.intersection(hands::before_attack(self.position, *mv, proof.hand));
                    plies = plies.min(proof.plies.longer());
                    since = since.min(proof.since);
                }
                Proof::disproven(hand, plies, if since >= node.depth { ANYWHERE } else { since })
            }
            (false, true, _) => {
                let best = decided
                    .filter(|child| child.proof.is_disproven())
                    .max_by_key(|child| (child.proof.since, child.proof.plies))
                    .expect("a child is disproven");
                let Proof { hand, plies, since, .. } = best.proof;
                let hand = hands::disproof_by_reply(self.position, self.attacker, best.mv, hand);
                Proof::disproven(hand, plies.longer(), if since >= node.depth { ANYWHERE } else { since })
            }
            (false, _, true) => {
                let (mut needed, mut plies) = (Hand::EMPTY, Plies::ZERO);
                for child in decided {
                    needed = needed.union(child.proof.hand);
                    plies = plies.max(child.proof.plies.longer());
                }
                Proof::proven(hands::proof_against_all(self.position, self.attacker, needed), plies)
            }
            (true, ..) => Proof::open(now.wanted, now.unwanted),
            (false, ..) => Proof::open(now.unwanted, now.wanted),
        }
    }
}
