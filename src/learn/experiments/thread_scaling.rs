//! What more threads bring: nodes a second, and the time until an iteration ends.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};

use crate::engine::limits::Limits;
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::learn::plot::{self, Captions, Curve};
use crate::search::value::Mate;
use crate::shogi::position::Position;

/// Notes how many nodes there were, and when the answer comes.
struct AnswerTimer {
    nodes: AtomicU64,
    answers: Sender<(Instant, u64)>,
}

impl Observer for AnswerTimer {
    fn info(&self, info: &Info) {
        self.nodes.store(info.nodes, Relaxed);
    }

    fn nothing_to_search(&self, _: Mate) {}

    fn note(&self, _: &str) {}

    fn still_there(&self) {}

    fn answer(&self, _: Answer) {
        // Without a receiver the measurement is over.
        let _ = self.answers.send((Instant::now(), self.nodes.load(Relaxed)));
    }
}

/// A number of threads, and what it has done.
struct Entrant {
    threads: usize,
    nodes: u64,
    times: Vec<Duration>,
}

impl Entrant {
    fn time(&self) -> f64 {
        self.times.iter().sum::<Duration>().as_secs_f64()
    }

    fn nodes_a_second(&self) -> f64 {
        self.nodes as f64 / self.time()
    }
}

/// One number of threads, in comparison with the first.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scaling {
    /// The number of threads.
    pub threads: usize,
    /// Nodes a second, and how many times the first's that is.
    pub nodes_a_second: [f64; 2],
    /// Seconds for all positions, and how many times as fast as the first that is.
    pub seconds: [f64; 2],
    /// By position, how many times as fast: the geometric mean and its standard error.
    pub mean: [f64; 2],
    /// The median of the same.
    pub median: f64,
}

/// Searches each position to the end of an iteration with each number of threads in turn, as in a new game. `progress` is
/// called after each position.
///
/// # Errors
/// When a search breaks down, or the system cannot start a thread.
pub fn measure(
    positions: &[Position],
    iteration: u32,
    threads: &[usize],
    mut progress: impl FnMut(),
) -> Result<Vec<Scaling>, Box<dyn Error>> {
    let limits = Limits { depth: Some(iteration), ..Limits::default() };
    // One player plays with each number in turn: it has the evaluation in memory once.
    let (sender, answers) = unbounded();
    let mut player = Player::new(Arc::new(AnswerTimer { nodes: AtomicU64::new(0), answers: sender }))?;
    player.options_mut().book.own = false;
    let mut entrants: Vec<Entrant> =
        threads.iter().map(|&threads| Entrant { threads, nodes: 0, times: Vec::new() }).collect();
    for position in positions {
        for Entrant { threads, nodes, times } in &mut entrants {
            player.options_mut().threads = *threads;
            player.new_game();
            player.prepare();
            player.set_position(Ok(position.clone()));
            let begin = Instant::now();
            player.go(limits.clone(), begin);
            let (end, searched) = answers.recv()?;
            *nodes += searched;
            times.push(end - begin);
        }
        progress();
    }
    Ok(entrants.iter().map(|entrant| compare(&entrants[0], entrant)).collect())
}

fn compare(first: &Entrant, entrant: &Entrant) -> Scaling {
    let mut ratios: Vec<f64> = (first.times.iter().zip(&entrant.times))
        .map(|(first, time)| first.as_secs_f64() / time.as_secs_f64())
        .collect();
    ratios.sort_by(f64::total_cmp);
    // Of the logarithms, so that twice and half as fast cancel out.
    let count = ratios.len() as f64;
    let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count;
    let variance = ratios.iter().map(|ratio| (ratio.ln() - mean).powi(2)).sum::<f64>() / (count - 1.0);
    Scaling {
        threads: entrant.threads,
        nodes_a_second: [entrant.nodes_a_second(), entrant.nodes_a_second() / first.nodes_a_second()],
        seconds: [entrant.time(), first.time() / entrant.time()],
        mean: [mean.exp(), mean.exp() * (variance / count).sqrt()],
        median: ratios[ratios.len() / 2],
    }
}

/// Draws nodes a second, and how much sooner an iteration ends, by the number of threads; both as multiples of the first
/// entrant's.
///
/// # Errors
/// When something cannot be drawn.
pub fn draw(title: &str, scalings: &[Scaling]) -> Result<String, Box<dyn Error>> {
    let mut scalings = scalings.to_vec();
    scalings.sort_by_key(|scaling| scaling.threads);
    let curve = |name: &str, of: &dyn Fn(&Scaling) -> f64| Curve {
        name: name.to_string(),
        points: scalings.iter().map(|scaling| (scaling.threads as i32, of(scaling))).collect(),
    };
    let curves = [
        curve("nodes a second", &|scaling| scaling.nodes_a_second[1]),
        curve("speed of an iteration", &|scaling| scaling.mean[0]),
        curve("two errors less", &|scaling| scaling.mean[0] - 2.0 * scaling.mean[1]),
        curve("two errors more", &|scaling| scaling.mean[0] + 2.0 * scaling.mean[1]),
    ];
    let most_threads = scalings.iter().map(|scaling| scaling.threads as i32).max().unwrap_or(1);
    let most = curves.iter().flat_map(|curve| &curve.points).map(|&(_, times)| times).fold(1.0, f64::max);
    let captions = Captions { title, x: "threads", y: "times as many, times as fast" };
    plot::drawing(plot::SIZE, |area| {
        plot::curves(area, captions, (0..most_threads + 1, 0.0..most * 1.05), &curves)
    })
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scaling { threads, nodes_a_second, seconds, mean, median } = self;
        write!(
            f,
            "{threads:3} threads: {:8.0} nodes/second ({:.2} times), {:6.1} s ({:.2} times as fast), by position {:.2} +- \
             {:.2} in the mean, {median:.2} in the median",
            nodes_a_second[0], nodes_a_second[1], seconds[0], seconds[1], mean[0], mean[1],
        )
    }
}
