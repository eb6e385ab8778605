//! Answers `go mate`.

use super::deadline::Deadline;
use super::hash_budget::{affordable, available, shortfall};
use super::observer::{Answer, Observer};
use super::signals::Signals;
use crate::mate::solver::{MateLimits, Solver, Verdict, objection};
use crate::shogi::position::Position;

/// One `go mate`.
pub struct MateRequest {
    /// The position to solve, or why there is none.
    pub root: Result<Position, String>,
    /// Nodes after which the search ends.
    pub nodes: u64,
    /// MiB for the solver.
    pub mebibytes: usize,
    /// When the search has to end.
    pub deadline: Deadline,
}

/// The mate solver of the main thread. It has as many MiB of its own as `USI_Hash` says, or as the machine has, once a
/// `go mate` has come.
#[derive(Default)]
pub struct MateSearch {
    /// With the MiB that were requested.
    solver: Option<(usize, Solver)>,
}

impl MateSearch {
    /// Forgets everything. Memory of another size than `mebibytes` is given back.
    pub fn forget(&mut self, mebibytes: usize) {
        self.solver.take_if(|(size, _)| *size != mebibytes);
        if let Some((_, solver)) = &mut self.solver {
            solver.forget();
        }
    }

    /// The answer to a `go mate`.
    pub fn answer(&mut self, request: &MateRequest, signals: &Signals, observer: &dyn Observer) -> Answer {
        let mut root = match &request.root {
            Ok(root) => root.clone(),
            Err(reason) => {
                observer.note(reason);
                return Answer::MateUnknown;
            }
        };
        if let Some(reason) = objection(&root) {
            observer.note(&reason);
            return Answer::NoMate;
        }
        // The solver is taken out while it works: after a panic no half-changed solver is left.
        let &MateRequest { nodes, mebibytes, .. } = request;
        let kept = self.solver.take().filter(|&(size, _)| size == mebibytes);
        let mut solver = match kept.map_or_else(|| solver(mebibytes, observer), |(_, solver)| Ok(solver)) {
            Ok(solver) => solver,
            Err(error) => {
                observer.note(&format!("no memory for the mate solver: {error}"));
                return Answer::MateUnknown;
            }
        };
        let mut stops = |_| signals.stopped() || request.deadline.has_passed();
        let mut limits = MateLimits { nodes, spare: nodes, stops: &mut stops };
        let verdict = solver.solve(&mut root, &mut limits);
        self.solver = Some((mebibytes, solver));
        match verdict {
            Verdict::Mate(mate) => Answer::Checkmate(mate.line),
            Verdict::NoMate => Answer::NoMate,
            Verdict::Unknown => Answer::MateUnknown,
        }
    }
}

/// A new solver with as many of the `requested` MiB as can be had.
fn solver(requested: usize, observer: &dyn Observer) -> std::io::Result<Solver> {
    let (mebibytes, message) = affordable(requested, 0, available(1, 0));
    if let Some(message) = message {
        observer.note(&format!("go mate: {message}"));
    }
    let solver = Solver::on_small_pages(mebibytes << 20)?;
    if let Some(message) = shortfall(mebibytes, solver.bytes()) {
        observer.note(&format!("go mate: {message}"));
    }
    Ok(solver)
}
