//! Watches over a search: the clock, the signals, and what the observer is told.

use std::time::Instant;

use super::observer::{Info, Observer};
use super::race::Race;
use super::signals::Signals;
use crate::search::{Control, Line};

/// The search's link to the world.
pub struct Watch<'a> {
    pub signals: &'a Signals,
    pub observer: &'a dyn Observer,
    /// What all threads share.
    pub race: &'a Race,
    /// When the search began, which pondering does not move.
    pub since: Instant,
    /// Whether there is nothing to choose: then a glance is enough where time counts.
    pub sole_move: bool,
    /// The best line so far, for when the search cannot return it.
    pub best: Option<Line>,
}

/// Iterations that a sole legal move gets, for a reply to ponder on.
const SOLE_MOVE_DEPTH: u32 = 3;

impl Control for Watch<'_> {
    fn stops(&mut self, nodes: u64) -> bool {
        // However little time there is, the answer was thought about: the first iteration takes a few milliseconds.
        let out_of_time = || self.signals.timer().is_some_and(|t| t.elapsed() >= t.plan.stop);
        self.race.count(0, nodes) || self.signals.stopped() || self.best.is_some() && out_of_time()
    }

    fn found(&mut self, line: &Line) {
        self.race.count(0, line.nodes);
        self.observer.info(&Info {
            line,
            nodes: self.race.nodes(),
            elapsed: self.since.elapsed(),
            permille_used: self.race.question().table.permille_used(),
        });
        self.best = Some(line.clone());
    }

    fn starts(&mut self, depth: u32) -> bool {
        depth == 1
            || !self.signals.stopped()
                && self.signals.timer().is_none_or(|timer| {
                    timer.elapsed() < timer.plan.last_start && !(self.sole_move && depth > SOLE_MOVE_DEPTH)
                })
    }
}
