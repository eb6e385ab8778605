//! Cooks (yozume, 余詰): other checks of a mate problem that mate as well. A sound problem has none.

use super::solver::{Finding, MateLimits, Solver};
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// A check that mates in place of the solution's move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cook {
    /// The number of the solution's move that it replaces, 1 for the first.
    pub ply: usize,
    /// The check.
    pub mv: Move,
    /// How many plies the mate takes at most from this check on, the check and every interposition counted.
    pub plies: u32,
}

/// The cooks of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cooks {
    /// In the order of the solution.
    pub found: Vec<Cook>,
    /// Checks that the limits left undecided, with the number of the move that they would replace.
    pub undecided: Vec<(usize, Move)>,
}

/// The most nodes spent on one check.
const NODES_PER_CHECK: u64 = 500_000;

impl Solver {
    /// The checks that mate as well as those of `line`, the solution of `position`. `plies` is how many of its moves count: no
    /// check is looked for after them.
    ///
    /// Every check of the attacker along the solution is tried. A move that differs from the solution's only in the
    /// promotion is no cook, and what mates against other defences is none either, by the field's convention.
    pub fn cooks(
        &mut self,
        position: &mut Position,
        line: &[Move],
        plies: usize,
        limits: &mut MateLimits,
    ) -> Cooks {
        self.set_game(position);
        let mut cooks = Cooks::default();
        let end = self.nodes().saturating_add(limits.nodes);
        for (index, &solution) in line.iter().take(plies).enumerate() {
            if index % 2 == 0 {
                for mv in generate::all_legal(position) {
                    let is_solution = (mv.origin(), mv.to()) == (solution.origin(), solution.to());
                    if is_solution || !position.gives_check(mv) {
                        continue;
                    }
                    position.play(mv, &mut ());
                    match self.mates_against_all(position, end, limits) {
                        Finding::Mates(plies) => {
                            cooks.found.push(Cook { ply: index + 1, mv, plies: plies + 1 });
                        }
                        Finding::NoMate => {}
                        Finding::Unknown => cooks.undecided.push((index + 1, mv)),
                    }
                    position.undo(mv, &mut ());
                }
            }
            position.play(solution, &mut ());
        }
        for &mv in line.iter().take(plies).rev() {
            position.undo(mv, &mut ());
        }
        cooks
    }

    /// Whether the side to move, which is in check, is mated after every reply, and in how many plies at most.
    fn mates_against_all(&mut self, position: &mut Position, end: u64, limits: &mut MateLimits) -> Finding {
        let (mut longest, mut unknown) = (0, false);
        let last = self.nodes().saturating_add(NODES_PER_CHECK).min(end);
        for reply in generate::all_legal(position) {
            let nodes = last.saturating_sub(self.nodes());
            if nodes == 0 || (limits.stops)(0) {
                return Finding::Unknown;
            }
            position.play(reply, &mut ());
            let found =
                self.prove(position, None, &mut MateLimits { nodes, spare: 0, stops: &mut *limits.stops });
            position.undo(reply, &mut ());
            match found {
                Finding::Mates(plies) => longest = longest.max(plies + 1),
                Finding::NoMate => return Finding::NoMate,
                Finding::Unknown => unknown = true,
            }
        }
        if unknown { Finding::Unknown } else { Finding::Mates(longest) }
    }
}
