//! `jitsugen learn`.

mod arguments;
mod categories;
mod export;
mod inspect;
mod kppt;
mod levels;
mod long_progress;
mod merge;
mod next_moves;
mod optional_output;
mod selfplay;
mod shape;
mod tactics;
mod threads;
mod time_plot;
mod transitions;
mod tune;

use std::io::Write;

use clap::{Args, Subcommand};

use super::failure::Failure;

/// Learn from games, play games to learn from, and measure the engine.
#[derive(Args)]
pub struct Learn {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Categories(categories::Categories),
    Export(export::Export),
    Inspect(inspect::Inspect),
    Kppt(Box<kppt::Kppt>),
    Levels(levels::Levels),
    Merge(merge::Merge),
    NextMoves(next_moves::NextMoves),
    Selfplay(selfplay::Selfplay),
    Shape(shape::Shape),
    Tactics(tactics::Tactical),
    Threads(threads::Threads),
    TimePlot(time_plot::TimePlot),
    Transitions(transitions::Transitions),
    Tune(tune::Tune),
}

impl Learn {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.subject {
            Subject::Categories(categories) => categories.run(out),
            Subject::Export(export) => export.run(out),
            Subject::Inspect(inspect) => inspect.run(out),
            Subject::Kppt(kppt) => kppt.run(out),
            Subject::Levels(levels) => levels.run(out),
            Subject::Merge(merge) => merge.run(out),
            Subject::NextMoves(next_moves) => next_moves.run(out),
            Subject::Selfplay(selfplay) => selfplay.run(out),
            Subject::Shape(shape) => shape.run(out),
            Subject::Tactics(tactical) => tactical.run(out),
            Subject::Threads(threads) => threads.run(out),
            Subject::TimePlot(time_plot) => time_plot.run(out),
            Subject::Transitions(transitions) => transitions.run(out),
            Subject::Tune(tune) => tune.run(out),
        }
    }
}
