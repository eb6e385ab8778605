//! Answers `go mate`.

use super::decision::Job;
use super::grant::{affordable, available, withheld};
use super::observer::{Answer, Observer};
use super::signals::Signals;
use crate::mate::solver::{Limits, Solver, Verdict, objection};

/// The mate solver of the searching thread, with `USI_Hash` MiB of its own once a `go mate` has come, or as many as the
/// machine has.
#[derive(Default)]
pub struct Tsume {
    /// With the MiB that were asked for.
    solver: Option<(usize, Solver)>,
}

impl Tsume {
    /// Forgets everything; a memory of another size than `mebibytes` is given back.
    pub fn forget(&mut self, mebibytes: usize) {
        self.solver.take_if(|(size, _)| *size != mebibytes);
        if let Some((_, solver)) = &mut self.solver {
            solver.forget();
        }
    }

    /// What a `go mate` is answered.
    pub fn answer(&mut self, job: &Job, signals: &Signals, observer: &dyn Observer) -> Answer {
        let mut root = match &job.root {
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
        // While it works the solver is taken out: should it break down, nobody finds it half changed.
        let mebibytes = job.settings.hash;
        let kept = self.solver.take().filter(|&(size, _)| size == mebibytes);
        let mut solver = match kept.map_or_else(|| solver(mebibytes, observer), |(_, solver)| Ok(solver)) {
            Ok(solver) => solver,
            Err(error) => {
                observer.note(&format!("no memory for the mate solver: {error}"));
                return Answer::MateUnknown;
            }
        };
        let out_of_time = || signals.timer().is_some_and(|timer| timer.elapsed() >= timer.plan.stop);
        let mut stops = |_| signals.stopped() || out_of_time();
        let nodes = job.nodes.unwrap_or(u64::MAX);
        let mut limits = Limits { nodes, spare: nodes, stops: &mut stops };
        let verdict = solver.solve(&mut root, &mut limits);
        self.solver = Some((mebibytes, solver));
        match verdict {
            Verdict::Mate(mate) => Answer::Checkmate(mate.line),
            Verdict::NoMate => Answer::NoMate,
            Verdict::Unknown => Answer::MateUnknown,
        }
    }
}

/// A new solver with as many of the `asked` MiB as can be had.
fn solver(asked: usize, observer: &dyn Observer) -> std::io::Result<Solver> {
    let (mebibytes, message) = affordable(asked, 0, available());
    if let Some(message) = message {
        observer.note(&format!("go mate: {message}"));
    }
    let solver = Solver::on_small_pages(mebibytes << 20)?;
    if let Some(message) = withheld(mebibytes, solver.bytes()) {
        observer.note(&format!("go mate: {message}"));
    }
    Ok(solver)
}
