//! `jitsugen learn`.

mod categories;
mod inspect;
mod kppt;
mod numbers;
mod openings;
mod selfplay;
mod sources;
mod transitions;
mod tune;

use std::io::Write;

use clap::{Args, Subcommand};

use super::failure::Failure;

/// Learn from games.
#[derive(Args)]
pub struct Learn {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Subcommand)]
enum Subject {
    Categories(categories::Categories),
    Inspect(inspect::Inspect),
    Kppt(Box<kppt::Kppt>),
    Selfplay(selfplay::Selfplay),
    Transitions(transitions::Transitions),
    Tune(tune::Tune),
}

impl Learn {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.subject {
            Subject::Categories(categories) => categories.run(out),
            Subject::Inspect(inspect) => inspect.run(out),
            Subject::Kppt(kppt) => kppt.run(out),
            Subject::Selfplay(selfplay) => selfplay.run(out),
            Subject::Transitions(transitions) => transitions.run(out),
            Subject::Tune(tune) => tune.run(out),
        }
    }
}
