//! What more threads bring: nodes a second, and the time until an iteration has ended.
//!
//!     cargo run --release --example thread_scaling -- balanced36.sfen 8 1 2
//!
//! The file has positions as USI has them (`startpos moves ...`) or as SFEN, one a line, of which a hundred are searched,
//! evenly spread; the numbers are the iteration and how many threads are compared, the first with all others. Each
//! position is searched with each number of threads in turn, as in a new game.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, unbounded};
use jitsugen::engine::limits::Limits;
use jitsugen::engine::observer::{Answer, Info, Observer};
use jitsugen::engine::player::Player;
use jitsugen::learn::selfplay::openings::Openings;
use jitsugen::search::value::Mate;

/// Positions that are searched, if there are as many.
const POSITIONS: usize = 100;

/// Notes how many nodes there were, and when the answer comes.
struct Ear {
    nodes: AtomicU64,
    answers: Sender<(Instant, u64)>,
}

impl Observer for Ear {
    fn info(&self, info: &Info) {
        self.nodes.store(info.nodes, Relaxed);
    }

    fn settled(&self, _: Mate) {}

    fn note(&self, text: &str) {
        eprintln!("{text}");
    }

    fn still_there(&self) {}

    fn answer(&self, _: Answer) {
        self.answers.send((Instant::now(), self.nodes.load(Relaxed))).expect("somebody listens");
    }
}

/// A number of threads, and what they have done.
struct Entrant {
    threads: usize,
    player: Player,
    answers: Receiver<(Instant, u64)>,
    nodes: u64,
    times: Vec<Duration>,
}

impl Entrant {
    fn new(threads: usize) -> Entrant {
        let (sender, answers) = unbounded();
        let mut player = Player::new(Arc::new(Ear { nodes: AtomicU64::new(0), answers: sender }));
        player.options_mut().threads = threads;
        player.prepare();
        Entrant { threads, player, answers, nodes: 0, times: Vec::new() }
    }

    fn time(&self) -> f64 {
        self.times.iter().sum::<Duration>().as_secs_f64()
    }

    fn nodes_a_second(&self) -> f64 {
        self.nodes as f64 / self.time()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, iteration, threads @ ..] = arguments.as_slice() else {
        return Err("expected a file of positions, an iteration and numbers of threads".into());
    };
    let (openings, bad) = Openings::parse(&std::fs::read_to_string(file)?);
    if let Some(bad) = bad.first() {
        return Err(format!("{file}, {bad}").into());
    }
    let limits = Limits { depth: Some(iteration.parse()?), ..Limits::default() };
    let mut entrants = Vec::new();
    for threads in threads {
        entrants.push(Entrant::new(threads.parse()?));
    }
    let every = (openings.len() / POSITIONS).max(1);
    for nth in (0..openings.len()).step_by(every).take(POSITIONS) {
        let (_, game) = openings.get(nth);
        for Entrant { player, answers, nodes, times, .. } in &mut entrants {
            player.new_game();
            player.set_position(Ok(game.position().clone()));
            let begin = Instant::now();
            player.go(limits.clone(), begin);
            let (end, searched) = answers.recv()?;
            *nodes += searched;
            times.push(end - begin);
        }
    }
    let Some(first) = entrants.first() else { return Err("expected numbers of threads".into()) };
    println!("{} positions, iteration {iteration}", first.times.len());
    for entrant in &entrants {
        let mut ratios: Vec<f64> = (first.times.iter().zip(&entrant.times))
            .map(|(first, time)| first.as_secs_f64() / time.as_secs_f64())
            .collect();
        ratios.sort_by(f64::total_cmp);
        // Of the logarithms, so that twice and half as fast cancel out; the error is one standard error.
        let count = ratios.len() as f64;
        let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count;
        let variance = ratios.iter().map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let (mean, error) = (mean.exp(), mean.exp() * (variance / count).sqrt());
        println!(
            "{:3} threads: {:8.0} nodes/second ({:.2} times), {:6.1} s ({:.2} times as fast), \
             by position {mean:.2} +- {error:.2} in the mean, {:.2} in the median",
            entrant.threads,
            entrant.nodes_a_second(),
            entrant.nodes_a_second() / first.nodes_a_second(),
            entrant.time(),
            first.time() / entrant.time(),
            ratios[ratios.len() / 2],
        );
    }
    Ok(())
}
