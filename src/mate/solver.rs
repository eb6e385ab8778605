//! The mate solver: finds mates of any length.

use std::fmt;

use super::line::MateLine;
use super::node::Child;
use super::path::{Path, PathDisproofs};
use super::proof::{Plies, Proof};
use super::search::{Search, SolverMemory};
use super::table::MateTable;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::memory::Pages;

/// A mate solver with its memory, which it keeps from problem to problem.
pub struct Solver {
    memory: SolverMemory,
    nodes: u64,
}

/// Whether a position is a mate, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move mates with checks alone.
    Mate(Solution),
    /// The side to move does not mate with checks alone.
    NoMate,
    /// The limits ended the search first.
    Unknown,
}

/// A mate with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The moves of both sides to the mate: the shortest for the attacker and the longest for the defender that were
    /// found.
    pub line: Vec<Move>,
    /// How many of these plies count by the convention of tsume shogi: all but useless interpositions at the end and
    /// the captures that answer them.
    pub plies: usize,
    /// Whether there is certainly no shorter mate, with every interposition counted.
    pub shortest: bool,
}

/// The answer to whether a position is a mate, without its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The side to move mates with checks alone, in at most this many plies with every interposition counted.
    Mates(u32),
    /// It does not, or not within the plies asked for.
    NoMate,
    /// The limits ended the search first.
    Unknown,
}

impl Finding {
    fn of(proof: &Proof) -> Finding {
        match proof.verdict() {
            Some(true) => Finding::Mates(u32::from(proof.plies.get())),
            Some(false) => Finding::NoMate,
            None => Finding::Unknown,
        }
    }
}

/// What ends a search.
pub struct MateLimits<'a> {
    /// Nodes to find the first mate. Following its line may take 300,000 more where the table has lost a part.
    pub nodes: u64,
    /// Nodes to look for a shorter mate and a better line; at most as many as the first mate took and 300,000 more.
    pub spare: u64,
    /// Called every few nodes with the number of nodes so far; returns whether to stop.
    pub stops: &'a mut dyn FnMut(u64) -> bool,
}

/// Why the position cannot be a mate problem, in words for people; `None` where it can.
pub fn objection(position: &Position) -> Option<String> {
    let attacker = position.side();
    if position.king(!attacker).is_some() {
        return None;
    }
    Some(if position.king(attacker).is_some() {
        format!(
            "{attacker:?} is to move, and {:?} has no king to mate: expected the attacker to move",
            !attacker
        )
    } else {
        format!("there is no king to mate: expected one of {:?}'s", !attacker)
    })
}

/// The bytes of the smallest table.
const LEAST_TABLE: usize = 32 << 10;
/// The fewest children there is room for, enough for a path of some length, and the most, enough for any path.
const CHILDREN: std::ops::Range<usize> = 2_000..200_000;

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solver({} bytes, {} nodes so far)", self.bytes(), self.nodes)
    }
}

impl Solver {
    /// The bytes that the smallest solver takes.
    pub const LEAST_BYTES: usize =
        LEAST_TABLE + CHILDREN.start * size_of::<Child>() + Path::LEAST_BYTES + PathDisproofs::SLOT_BYTES;

    /// A solver that takes at most `bytes` bytes, or [`Solver::LEAST_BYTES`] where that is more. Where the system does
    /// not grant that much, it tries half, and so on. The table lies on large pages where the system has them, and
    /// takes up no memory until it is touched, which [`clear`](Solver::clear) does.
    ///
    /// # Errors
    /// When the system does not grant [`Solver::LEAST_BYTES`].
    pub fn new(bytes: usize) -> std::io::Result<Solver> {
        Self::as_granted(bytes, Pages::Large)
    }

    /// Like [`new`](Solver::new), but on small pages: nodes take somewhat longer, but none keeps a `stop` waiting while
    /// the system looks for a large page.
    ///
    /// # Errors
    /// When the system does not grant [`Solver::LEAST_BYTES`].
    pub fn on_small_pages(bytes: usize) -> std::io::Result<Solver> {
        Self::as_granted(bytes, Pages::Small)
    }

    /// With `bytes` bytes, or half, or half of that, until the system grants them.
    fn as_granted(bytes: usize, pages: Pages) -> std::io::Result<Solver> {
        match Self::try_with(bytes, pages) {
            Err(_) if bytes > Self::LEAST_BYTES => Self::as_granted(bytes / 2, pages),
            made => made,
        }
    }

    /// With at most `bytes` bytes or the fewest that a solver takes, if the system grants them.
    fn try_with(bytes: usize, pages: Pages) -> std::io::Result<Solver> {
        let share = bytes.saturating_sub(Self::LEAST_BYTES) / 32;
        let children = (CHILDREN.start + share / size_of::<Child>()).min(CHILDREN.end);
        let path_disproofs = 1 + share / PathDisproofs::SLOT_BYTES;
        let path = Path::new(share);
        let rest = children * size_of::<Child>() + path_disproofs * PathDisproofs::SLOT_BYTES + path.bytes();
        let mut room = Vec::new();
        room.try_reserve_exact(children)?;
        Ok(Solver {
            memory: SolverMemory {
                table: MateTable::new(bytes.saturating_sub(rest).max(LEAST_TABLE), pages)?,
                path_disproofs: PathDisproofs::new(path_disproofs)?,
                path,
                children: room,
                thrice: Vec::new(),
            },
            nodes: 0,
        })
    }

    /// The bytes of the memory, used or not.
    pub fn bytes(&self) -> usize {
        let SolverMemory { table, path_disproofs, path, children, .. } = &self.memory;
        table.bytes() + path_disproofs.bytes() + path.bytes() + children.capacity() * size_of::<Child>()
    }

    /// The nodes of all searches so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of a thousand slots of the table are in use.
    pub fn permille_used(&self) -> u32 {
        self.memory.table.permille_used()
    }

    /// Empties the memory, which takes as long as it is large.
    pub fn clear(&mut self) {
        self.memory.table.clear();
        self.memory.path_disproofs.clear();
        self.memory.path.clear();
        self.memory.thrice.clear();
    }

    /// Forgets everything at once, also what a search that panicked has left.
    pub fn forget(&mut self) {
        self.memory.table.forget();
        self.memory.path_disproofs.forget();
        self.memory.path.clear();
    }

    /// Sets `position` as the current one of the game: those that [`prove`](Solver::prove) is asked about lie ahead of
    /// it. A mate must not lead through a position that has occurred three times. Where these have changed, everything
    /// is forgotten; otherwise entries of former positions are only replaced first. [`solve`](Solver::solve) calls this
    /// itself.
    pub fn set_game(&mut self, position: &Position) {
        self.memory.table.begin_problem();
        let thrice = position.occurred_thrice();
        if self.memory.thrice != thrice {
            self.forget();
            self.memory.thrice = thrice;
        }
    }

    /// Whether the side to move mates with checks alone, within `plies` plies if there is such a limit. The position is
    /// unchanged afterwards.
    ///
    /// The search calls this in its tree: it allocates nothing but room for the position's history.
    pub fn prove(&mut self, position: &mut Position, plies: Option<u32>, limits: &mut MateLimits) -> Finding {
        let mut search = self.search(position, limits);
        let node = search.node_at(plies.map_or(Plies::UNBOUNDED, Plies::new), true);
        let proof = search.recall(node).unwrap_or_else(|| search.run(node));
        self.nodes += search.nodes;
        Finding::of(&proof)
    }

    /// The moves of both sides to a mate that [`prove`](Solver::prove) has found to take at most `plies` plies, with
    /// every interposition counted. The line is shorter where a shorter mate has become known since. `None` where the
    /// limits end the search first: the table may have lost a part.
    pub fn line(
        &mut self,
        position: &mut Position,
        plies: u32,
        limits: &mut MateLimits,
    ) -> Option<Vec<Move>> {
        let mut search = self.search(position, limits);
        let line = search.line(Plies::new(plies), &mut 0);
        self.nodes += search.nodes;
        line.map(|line| line.moves)
    }

    /// Whether the side to move mates with checks alone, and by which line.
    pub fn solve(&mut self, position: &mut Position, limits: &mut MateLimits) -> Verdict {
        self.set_game(position);
        let spare = limits.spare;
        let mut search = self.search(position, limits);
        let verdict = solve(&mut search, spare);
        let nodes = search.nodes;
        self.nodes += nodes;
        verdict
    }

    fn search<'a>(&'a mut self, position: &'a mut Position, limits: &'a mut MateLimits) -> Search<'a> {
        self.memory.children.clear();
        Search {
            attacker: position.side(),
            memory: &mut self.memory,
            position,
            nodes: 0,
            max_nodes: limits.nodes,
            stops: limits.stops,
            stopped: false,
            ignores_thresholds: false,
        }
    }
}

/// The nodes that the search for a shorter mate may take beyond those of the first mate, and that a line may take
/// beyond the limit.
const EXTRA_NODES: u64 = 300_000;

fn solve(search: &mut Search, spare: u64) -> Verdict {
    let root = search.node_at(Plies::UNBOUNDED, true);
    // A mate in one comes first: the table does not keep it, and a mate that the table keeps may be longer.
    let known = search.leaf(root.key, root.plies).or_else(|| search.recall(root));
    let proof = known.unwrap_or_else(|| search.run(root));
    match proof.verdict() {
        None => return Verdict::Unknown,
        Some(false) => return Verdict::NoMate,
        Some(true) => {}
    }
    search.stopped = false;
    let mut spare = spare.min(search.nodes + EXTRA_NODES);
    search.max_nodes = search.max_nodes.saturating_add(EXTRA_NODES);
    let mut plies = proof.plies;
    // The first line comes at once, because a stop may come at any time. With it goes the length it was sought for.
    let mut best = search.line(plies, &mut 0).map(|line| (line, plies));
    let mut shortest = plies == Plies::new(1);
    while spare > 0 && !shortest && !search.stopped {
        match search.bounded(plies.shorter().shorter(), &mut spare) {
            Some(proof) if proof.is_proven() => {
                plies = proof.plies;
                best = search.line(plies, &mut 0).map(|line| (line, plies)).or(best);
                shortest = plies == Plies::new(1);
            }
            Some(_) => shortest = true,
            None => break,
        }
    }
    if !search.stopped {
        best = search.line(plies, &mut spare).map(|line| (line, plies)).or(best);
    }
    match best {
        // A shorter mate may be proven without its line being found.
        Some((MateLine { moves, plies: counted }, sought)) => {
            Verdict::Mate(Solution { line: moves, plies: counted, shortest: shortest && sought == plies })
        }
        None => Verdict::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::shogi::sfen;

    /// Mate in 1,525 plies: no search comes to its end soon.
    const MICROCOSMOS: &str =
        "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

    #[test]
    fn forgetting_clears_the_path_of_a_search_that_panicked() {
        let mut solver = Solver::new(1 << 20).expect("there is memory");
        for forget in [Solver::forget, Solver::clear] {
            let mut questions = 0;
            let mut stops = |_| {
                questions += 1;
                assert!(questions < 100, "this is the test's own panic");
                false
            };
            let mut limits = MateLimits { nodes: u64::MAX, spare: 0, stops: &mut stops };
            let mut position = sfen::parse(MICROCOSMOS).expect("a position");
            assert!(
                catch_unwind(AssertUnwindSafe(|| solver.prove(&mut position, None, &mut limits))).is_err()
            );
            assert_ne!(solver.memory.path.mixed(), 0);
            forget(&mut solver);
            assert_eq!(solver.memory.path.mixed(), 0);
            let mut short = sfen::parse("4nk3/9/6G2/3LB4/9/9/9/9/9 b 2rb3g3s3n3l18p 1").expect("a position");
            let mut limits = MateLimits { nodes: 10_000, spare: 0, stops: &mut |_| false };
            assert_eq!(solver.prove(&mut short, None, &mut limits), Finding::Mates(3));
        }
    }
}
