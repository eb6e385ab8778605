//! Finds mates, however long.

use std::fmt;

use super::children::Child;
use super::line::Line;
use super::path::Path;
use super::plies::Plies;
use super::proof::Proof;
use super::returns::Returns;
use super::search::{Memory, Search};
use super::table::Table;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::memory::Pages;

/// A mate solver with its memory, which is kept from problem to problem.
pub struct Solver {
    memory: Memory,
    nodes: u64,
}

/// What is to be said of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move mates with checks alone.
    Mate(Mate),
    /// It does not.
    NoMate,
    /// The limits came first.
    Unknown,
}

/// A mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// The moves of both sides to the mate: the attacker's shortest and the defender's longest that were found.
    pub line: Vec<Move>,
    /// How many of these plies count by the field's convention: all but useless interpositions at the end, and the
    /// captures that answer them.
    pub plies: usize,
    /// Whether it is known that there is no shorter mate, every interposition counted.
    pub shortest: bool,
}

/// What a slice of a search is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The side to move mates with checks alone, in so many plies at most, every interposition counted.
    Mates(u32),
    /// It does not, or not in as many plies as were asked for.
    DoesNot,
    /// The limits came first.
    Unknown,
}

impl Finding {
    fn of(proof: &Proof) -> Finding {
        match proof.verdict() {
            Some(true) => Finding::Mates(u32::from(proof.plies.get())),
            Some(false) => Finding::DoesNot,
            None => Finding::Unknown,
        }
    }
}

/// What ends a search.
pub struct Limits<'a> {
    /// Nodes to the first mate. To follow its line may take 300,000 more, where the table has forgotten a part.
    pub nodes: u64,
    /// Nodes for a shorter one and a better line; never more than the first mate took and 300,000.
    pub spare: u64,
    /// Asked every few nodes whether to stop, and told how many this search has taken.
    pub stops: &'a mut dyn FnMut(u64) -> bool,
}

/// Why there is nothing to solve, in words for people; `None` where there is something.
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

/// No table is smaller.
const LEAST_TABLE: usize = 32 << 10;
/// Room for the moves of a path of some length; and for those of any path.
const CHILDREN: std::ops::Range<usize> = 2_000..200_000;

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solver({} bytes, {} nodes so far)", self.bytes(), self.nodes)
    }
}

impl Solver {
    /// No solver takes less memory.
    pub const LEAST_BYTES: usize =
        LEAST_TABLE + CHILDREN.start * size_of::<Child>() + Path::LEAST_BYTES + Returns::SLOT;

    /// A solver that takes at most `bytes` bytes, or as many halvings of that as it takes for them to be granted, or
    /// [`Solver::LEAST_BYTES`] where that is more. The table lies on large pages where the system grants them, and on
    /// none until it is touched, which [`clear`](Solver::clear) does.
    ///
    /// # Errors
    /// When the system does not grant the least either.
    pub fn new(bytes: usize) -> std::io::Result<Solver> {
        Self::as_granted(bytes, Pages::Large)
    }

    /// Like [`new`](Solver::new), but on small pages: nodes cost somewhat more, and none of them keeps a `stop`
    /// waiting while the system looks for a large page.
    ///
    /// # Errors
    /// When the system does not grant the least either.
    pub fn on_small_pages(bytes: usize) -> std::io::Result<Solver> {
        Self::as_granted(bytes, Pages::Small)
    }

    /// With `bytes` bytes, or as many halvings of that as it takes.
    fn as_granted(bytes: usize, pages: Pages) -> std::io::Result<Solver> {
        match Self::try_with(bytes, pages) {
            Err(_) if bytes > Self::LEAST_BYTES => Self::as_granted(bytes / 2, pages),
            made => made,
        }
    }

    /// With at most `bytes` bytes or the least that a solver takes, if they are granted.
    fn try_with(bytes: usize, pages: Pages) -> std::io::Result<Solver> {
        let share = bytes.saturating_sub(Self::LEAST_BYTES) / 32;
        let children = (CHILDREN.start + share / size_of::<Child>()).min(CHILDREN.end);
        let returns = 1 + share / Returns::SLOT;
        let path = Path::new(share);
        let rest = children * size_of::<Child>() + returns * Returns::SLOT + path.bytes();
        let mut room = Vec::new();
        room.try_reserve_exact(children)?;
        Ok(Solver {
            memory: Memory {
                table: Table::new(bytes.saturating_sub(rest).max(LEAST_TABLE), pages)?,
                returns: Returns::new(returns)?,
                path,
                children: room,
                last_time: Vec::new(),
            },
            nodes: 0,
        })
    }

    /// Bytes that the memory takes, used or not.
    pub fn bytes(&self) -> usize {
        let Memory { table, returns, path, children, .. } = &self.memory;
        table.bytes() + returns.bytes() + path.bytes() + children.capacity() * size_of::<Child>()
    }

    /// Nodes of all searches.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many of a thousand entries of the table are in use.
    pub fn permille_used(&self) -> u32 {
        self.memory.table.permille_used()
    }

    /// Forgets everything and is as new, which takes as long as its memory is large.
    pub fn clear(&mut self) {
        self.memory.table.clear();
        self.memory.returns.clear();
        self.memory.path.clear();
        self.memory.last_time.clear();
    }

    /// Forgets everything at once, also what a search has left that broke down.
    pub fn forget(&mut self) {
        self.memory.table.forget();
        self.memory.returns.forget();
        self.memory.path.clear();
    }

    /// Takes `position` for the one that the game has come to: positions that [`prove`](Solver::prove) is asked about lie
    /// ahead of it. A mate must not lead through a position that has occurred three times, so where these are others
    /// than before, everything is forgotten; otherwise what other positions have left goes first where the table is full.
    /// [`solve`](Solver::solve) does this itself.
    pub fn set_game(&mut self, position: &Position) {
        self.memory.table.begin_problem();
        let last_time = position.occurred_thrice();
        if self.memory.last_time != last_time {
            self.forget();
            self.memory.last_time = last_time;
        }
    }

    /// Whether the side to move mates with checks alone, within `plies` plies if that is some number. The position is
    /// as it was afterwards.
    ///
    /// This is what a slice of a search needs; it allocates nothing but room for the position's own past.
    pub fn prove(&mut self, position: &mut Position, plies: Option<u32>, limits: &mut Limits) -> Finding {
        let mut search = self.search(position, limits);
        let node = search.node_at(plies.map_or(Plies::UNBOUNDED, Plies::new), true);
        let proof = search.recall(node).unwrap_or_else(|| search.run(node));
        self.nodes += search.nodes;
        Finding::of(&proof)
    }

    /// The moves of both sides to a mate that [`prove`](Solver::prove) has found to take `plies` plies at most: the
    /// shortest and the longest that are known, every interposition counted, in fewer plies where more has become
    /// known since. `None` where the limits come first: the table may have forgotten a part.
    pub fn line(&mut self, position: &mut Position, plies: u32, limits: &mut Limits) -> Option<Vec<Move>> {
        let mut search = self.search(position, limits);
        let line = search.line(Plies::new(plies), &mut 0);
        self.nodes += search.nodes;
        line.map(|line| line.moves)
    }

    /// Whether the side to move mates with checks alone, and how.
    pub fn solve(&mut self, position: &mut Position, limits: &mut Limits) -> Verdict {
        self.set_game(position);
        let spare = limits.spare;
        let mut search = self.search(position, limits);
        let verdict = solve(&mut search, spare);
        let nodes = search.nodes;
        self.nodes += nodes;
        verdict
    }

    fn search<'a>(&'a mut self, position: &'a mut Position, limits: &'a mut Limits) -> Search<'a> {
        self.memory.children.clear();
        Search {
            attacker: position.side(),
            memory: &mut self.memory,
            position,
            nodes: 0,
            most: limits.nodes,
            stops: limits.stops,
            stopped: false,
            pushing: false,
        }
    }
}

/// Nodes that a search for shorter mates may take beyond as many as the first mate took; and nodes that a line may take
/// beyond those that were given.
const SPARE: u64 = 300_000;

fn solve(search: &mut Search, spare: u64) -> Verdict {
    let root = search.node_at(Plies::UNBOUNDED, true);
    // A mate in one is looked for first: the table does not keep it, and a mate that the table does keep may be longer.
    let known = search.leaf(root.identity, root.plies).or_else(|| search.recall(root));
    let proof = known.unwrap_or_else(|| search.run(root));
    match proof.verdict() {
        None => return Verdict::Unknown,
        Some(false) => return Verdict::NoMate,
        Some(true) => {}
    }
    search.stopped = false;
    let mut spare = spare.min(search.nodes + SPARE);
    search.most = search.most.saturating_add(SPARE);
    let mut plies = proof.plies;
    // A line at once, for a stop may come at any time; and for how many plies it was looked for.
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
        // A shorter mate may be proven and its line not be found.
        Some((Line { moves, plies: told }, sought)) => {
            Verdict::Mate(Mate { line: moves, plies: told, shortest: shortest && sought == plies })
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
    fn a_search_that_breaks_down_leaves_nothing_on_the_path() {
        let mut solver = Solver::new(1 << 20).expect("there is memory");
        for forget in [Solver::forget, Solver::clear] {
            let mut questions = 0;
            let mut stops = |_| {
                questions += 1;
                assert!(questions < 100, "this is the test's own panic");
                false
            };
            let mut limits = Limits { nodes: u64::MAX, spare: 0, stops: &mut stops };
            let mut position = sfen::parse(MICROCOSMOS).expect("a position");
            assert!(
                catch_unwind(AssertUnwindSafe(|| solver.prove(&mut position, None, &mut limits))).is_err()
            );
            assert_ne!(solver.memory.path.mixed(), 0);
            forget(&mut solver);
            assert_eq!(solver.memory.path.mixed(), 0);
            let mut short = sfen::parse("4nk3/9/6G2/3LB4/9/9/9/9/9 b 2rb3g3s3n3l18p 1").expect("a position");
            let mut limits = Limits { nodes: 10_000, spare: 0, stops: &mut |_| false };
            assert_eq!(solver.prove(&mut short, None, &mut limits), Finding::Mates(3));
        }
    }
}
