//! The depth-first proof-number search: df-pn (Nagai 2002) with later improvements. docs/internals/mate.md describes it
//! as a whole.

use super::node::{Child, NONE, Node, NodeKey, NodeSummary, Visited, summary};
use super::one_move;
use super::path::{Path, PathDisproofs};
use super::proof;
use super::proof::{ANYWHERE, Depth, INFINITE, MAX_OPEN, OUTSIDE, Plies, Proof};
use super::table::{Found, MateTable};
use crate::shogi::attacks;
use crate::shogi::color::Color;
use crate::shogi::generate::{self, Count, MoveList, NonPromotions};
use crate::shogi::hand::Hand;
use crate::shogi::key::Key;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;

/// How many nodes pass between two polls of whether to stop. Few, because in a new table each node can touch large
/// pages that the system has yet to clear, which takes up to a millisecond a page.
pub const POLL_INTERVAL: u64 = 8;

/// The memory of a search. Beyond it a search allocates only room for the history of its position.
pub struct SolverMemory {
    pub table: MateTable,
    pub path_disproofs: PathDisproofs,
    pub path: Path,
    /// The children of all nodes of the path, one after the other.
    pub children: Vec<Child>,
    /// The positions that have occurred three times in the game: a fourth time would end it.
    pub thrice: Vec<Key>,
}

/// A search under way.
pub struct Search<'a> {
    pub memory: &'a mut SolverMemory,
    pub position: &'a mut Position,
    pub attacker: Color,
    /// The nodes searched.
    pub nodes: u64,
    /// The most nodes to search.
    pub max_nodes: u64,
    /// Called every few nodes with their number; returns whether to stop.
    pub stops: &'a mut dyn FnMut(u64) -> bool,
    /// Whether the search has to end.
    pub stopped: bool,
    /// While set, nodes search on beyond their thresholds until they reach a new position. Otherwise, where
    /// transpositions form a cycle, two nodes could pass the effort to each other for ever (threshold controlling
    /// algorithm, Kishimoto 2010).
    pub ignores_thresholds: bool,
}

/// The numbers at which the search of a node ends.
#[derive(Clone, Copy)]
struct Thresholds {
    pn: u32,
    dn: u32,
}

impl Search<'_> {
    /// Searches `node`, the current position, to a verdict or until it has to stop.
    pub fn run(&mut self, node: Node) -> Proof {
        self.ignores_thresholds = false;
        self.node(node, Thresholds { pn: INFINITE, dn: INFINITE }, true)
    }

    /// The verdict on `node` that is in the table, if there is one.
    pub fn recall(&mut self, node: Node) -> Option<Proof> {
        match self.memory.table.look_up(node.key, node.plies) {
            Found::Verdict(proof) => Some(proof),
            Found::Open { .. } | Found::New { .. } => None,
        }
    }

    fn has_to_stop(&mut self) -> bool {
        if self.nodes >= self.max_nodes
            || self.nodes.is_multiple_of(POLL_INTERVAL) && (self.stops)(self.nodes)
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// Searches `node`, the current position, to a verdict and passes its children to `read`. For a mate the children
    /// include a proven one if the attacker is to move, and are all proven if the defender is. `None` where there is no
    /// verdict.
    pub fn verdict<T>(&mut self, node: Node, read: impl FnOnce(&[Child]) -> T) -> Option<T> {
        self.ignores_thresholds = false;
        self.memory.children.clear();
        let proof = self.work(node, Thresholds { pn: INFINITE, dn: INFINITE }, true);
        let result = (!proof.is_open()).then(|| read(&self.memory.children));
        self.memory.children.clear();
        result
    }

    /// Searches until a threshold is reached.
    fn node(&mut self, node: Node, limits: Thresholds, new: bool) -> Proof {
        let first = self.memory.children.len();
        let proof = self.work(node, limits, new);
        self.memory.children.truncate(first);
        proof
    }

    /// The same, but leaves the node's children in memory.
    fn work(&mut self, node: Node, limits: Thresholds, new: bool) -> Proof {
        self.nodes += 1;
        let entered = self.nodes;
        let first = self.memory.children.len();
        if node.depth >= self.memory.path.max_depth() {
            return Proof::disproven(node.key.hand, node.plies, OUTSIDE);
        }
        self.memory.path.enter(node.key, node.depth);
        if !self.expand(node) {
            self.memory.path.leave(node.key, node.depth);
            return Proof::disproven(node.key.hand, node.plies, OUTSIDE);
        }
        let mut now = self.summed(first, node);
        if now.may_loop && !new {
            self.ignores_thresholds = true;
        }
        while now.phi != 0 && now.delta != 0 {
            let (mut phi, mut delta) = match node.attacking {
                true => (limits.pn, limits.dn),
                false => (limits.dn, limits.pn),
            };
            if self.ignores_thresholds {
                phi = phi.max(now.phi.saturating_add(1));
                delta = delta.max(now.delta.saturating_add(1));
            }
            if now.phi >= phi || now.delta >= delta || self.has_to_stop() {
                break;
            }
            // The best child goes on a little beyond the second best, so that the two do not alternate (1 + ε trick,
            // Pawlewicz and Lew 2006).
            let phi = phi.min(now.second_phi.saturating_add(now.second_phi / 4 + 1));
            let delta = if delta > MAX_OPEN { INFINITE } else { delta.saturating_sub(now.other_delta) };
            let (pn, dn) = if node.attacking { (phi, delta) } else { (delta, phi) };
            self.descend(node, first, now.best, Thresholds { pn, dn });
            now = self.summed(first, node);
        }
        let proof = self.conclude(node, first, now);
        self.memory.path.leave(node.key, node.depth);
        self.store(node, &proof, self.nodes - entered + 1);
        proof
    }

    /// Searches one child and updates it with the result.
    fn descend(&mut self, node: Node, first: usize, index: usize, limits: Thresholds) {
        let Child { mv, key, visited, .. } = self.memory.children[first + index];
        if visited == Visited::Never {
            self.ignores_thresholds = false;
        }
        let child =
            Node { key, depth: node.depth + 1, plies: node.plies.shorter(), attacking: !node.attacking };
        self.position.play(mv, &mut ());
        let proof = self.node(child, limits, visited == Visited::Never);
        self.position.undo(mv, &mut ());
        let child = &mut self.memory.children[first + index];
        child.proof = proof;
        child.visited = child.visited.max(Visited::Before);
        self.activate(node, first, index);
    }

    /// Once the child `index` is decided against the side to move, the one that it stood for becomes active; and so on
    /// while these are decided already.
    fn activate(&mut self, node: Node, first: usize, mut index: usize) {
        loop {
            let child = self.memory.children[first + index];
            if child.proof.delta(node.attacking) != 0 || child.next == NONE {
                return;
            }
            index = usize::from(child.next);
            self.open_child(node, first + index);
        }
    }

    fn summed(&self, first: usize, node: Node) -> NodeSummary {
        summary(&self.memory.children[first..], node.attacking)
    }

    fn store(&mut self, node: Node, proof: &Proof, effort: u64) {
        if proof.is_disproven() && proof.since < node.depth {
            let key = self.memory.path.mixed() ^ node.key.mixed();
            self.memory.path_disproofs.store(key, proof.plies, proof.since);
        }
        self.memory.table.store(node, proof, effort);
    }

    /// Adds the children of `node` with what is known of them. `false` where there is no room for them.
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
            let key = node.key.after(self.position, self.attacker, mv);
            let leader = self.leader(node, &moves[..index], mv);
            if let Some(leader) = leader {
                self.memory.children[first + leader].next = index as u16;
            }
            self.memory.children.push(Child {
                proof: Proof::open(1, 1),
                key,
                mv,
                next: NONE,
                active: false,
                visited: Visited::Never,
                adds_up: !self.is_distant_check(node, mv),
            });
            if leader.is_none() {
                self.open_child(node, first + index);
            }
        }
        for index in 0..moves.len() {
            if self.memory.children[first + index].active {
                self.activate(node, first, index);
            }
        }
        true
    }

    /// The move before `mv` that has to fail before `mv` becomes active. For a defender's drop this is the last drop on
    /// the same square; for a move without promotion it is the one with promotion, where the promoted piece can do all
    /// that the other can or nearly all. (A lance far up the board can give a check that a promoted one cannot, and so
    /// comes second.)
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

    /// Whether the move is a check by a slider from a distance. Such checks are alike, and their numbers are not added
    /// up.
    fn is_distant_check(&self, node: Node, mv: Move) -> bool {
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

    /// Makes the child at `at` active with what is known of it.
    fn open_child(&mut self, node: Node, at: usize) {
        let Child { mv, key, .. } = self.memory.children[at];
        let (proof, visited) = self.look_up_child(node, key, mv);
        let child = &mut self.memory.children[at];
        child.proof = proof;
        child.visited = visited;
        child.active = true;
    }

    /// What is known of the position after `mv`, without searching it.
    fn look_up_child(&mut self, node: Node, key: NodeKey, mv: Move) -> (Proof, Visited) {
        if let Some(since) = self.memory.path.repeats(key) {
            return (Proof::disproven(key.hand, Plies::UNBOUNDED, since), Visited::Before);
        }
        if self.ends_game(mv) {
            return (Proof::disproven(key.hand, Plies::UNBOUNDED, OUTSIDE), Visited::Before);
        }
        if !node.attacking && node.plies <= Plies::new(1) {
            // The limit leaves no ply for the mating move.
            return (Proof::disproven(key.hand, Plies::ZERO, ANYWHERE), Visited::Before);
        }
        let plies = node.plies.shorter();
        match self.memory.table.look_up(key, plies) {
            Found::Verdict(proof) => (proof, Visited::Before),
            Found::Open { proof, depth, has_path_disproof } => {
                if has_path_disproof && let Some((plies, since)) = self.path_disproof(key, plies) {
                    return (Proof::disproven(key.hand, plies, since), Visited::Before);
                }
                (proof, if depth <= node.depth { Visited::Closer } else { Visited::Before })
            }
            Found::New { pn, dn } => {
                let proof = self.first_guess(node, key, mv, plies);
                let open = proof.is_open();
                (if open { Proof::open(proof.pn.max(pn), proof.dn.max(dn)) } else { proof }, Visited::Never)
            }
        }
    }

    fn path_disproof(&self, key: NodeKey, plies: Plies) -> Option<(Plies, Depth)> {
        self.memory.path_disproofs.look_up(self.memory.path.mixed() ^ key.mixed(), plies)
    }

    /// Whether `mv` ends the game by repetition (sennichite), which is never a mate. No position comes twice on a path,
    /// so only one that has occurred three times in the game before the root can occur for the fourth time.
    fn ends_game(&mut self, mv: Move) -> bool {
        if self.memory.thrice.is_empty() {
            return false;
        }
        self.position.play(mv, &mut ());
        let ends = self.memory.thrice.contains(&self.position.key());
        self.position.undo(mv, &mut ());
        ends
    }

    /// What is known of a new position by its last move alone, or by a mate in one.
    fn first_guess(&mut self, node: Node, key: NodeKey, mv: Move, plies: Plies) -> Proof {
        let attacker = self.attacker;
        if node.attacking {
            return Proof::guess_after_check(self.position, attacker, mv);
        }
        let guess = Proof::guess_after_evasion(self.position, attacker, mv);
        self.position.play(mv, &mut ());
        let proof = self.leaf(key, plies).unwrap_or(guess);
        self.position.undo(mv, &mut ());
        proof
    }

    /// A verdict on the current position, with the attacker to move, if none of its moves has to be searched for it.
    pub fn leaf(&mut self, key: NodeKey, plies: Plies) -> Option<Proof> {
        if let Some(mate) = one_move::mate_in_one(self.position) {
            self.position.play(mate, &mut ());
            let needed = proof::proof_against_all(self.position, self.attacker, Hand::EMPTY);
            self.position.undo(mate, &mut ());
            return Some(Proof::proven(proof::before_attack(self.position, mate, needed), Plies::new(1)));
        }
        let mut checks = Count::default();
        generate::checks(self.position, NonPromotions::All, &mut checks);
        if checks.0 == 0 {
            let ceiling = proof::disproof_ceiling(self.position, self.attacker);
            return Some(Proof::disproven(ceiling, Plies::UNBOUNDED, ANYWHERE));
        }
        (plies <= Plies::new(1)).then(|| Proof::disproven(key.hand, Plies::new(1), ANYWHERE))
    }

    /// What follows for the node from its children: its numbers, or a verdict with the hand that it holds for.
    fn conclude(&self, node: Node, first: usize, now: NodeSummary) -> Proof {
        let children = &self.memory.children[first..];
        let decided = children.iter().filter(|child| child.active);
        match (node.attacking, now.phi == 0, now.delta == 0) {
            (true, true, _) => {
                let best = decided
                    .filter(|child| child.proof.is_proven())
                    .min_by_key(|child| child.proof.plies)
                    .expect("a child is proven");
                let hand = proof::before_attack(self.position, best.mv, best.proof.hand);
                Proof::proven(hand, best.proof.plies.longer())
            }
            (true, _, true) => {
                let mut hand = proof::disproof_ceiling(self.position, self.attacker);
                let (mut plies, mut since) = (Plies::UNBOUNDED, ANYWHERE);
                for Child { proof, mv, .. } in decided {
                    hand = hand.intersection(proof::before_attack(self.position, *mv, proof.hand));
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
                let hand = proof::disproof_by_reply(self.position, self.attacker, best.mv, hand);
                Proof::disproven(hand, plies.longer(), if since >= node.depth { ANYWHERE } else { since })
            }
            (false, _, true) => {
                let (mut needed, mut plies) = (Hand::EMPTY, Plies::ZERO);
                for child in decided {
                    needed = needed.union(child.proof.hand);
                    plies = plies.max(child.proof.plies.longer());
                }
                Proof::proven(proof::proof_against_all(self.position, self.attacker, needed), plies)
            }
            (true, ..) => Proof::open(now.phi, now.delta),
            (false, ..) => Proof::open(now.delta, now.phi),
        }
    }
}
