//! `jitsugen mate`.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use jitsugen::engine::hash_budget::{affordable, available, shortfall};
use jitsugen::mate::cooks::{Cook, Cooks};
use jitsugen::mate::hisshi::Brinkmates;
use jitsugen::mate::solver::{MateLimits, Solver, Verdict, objection};
use jitsugen::record::{self, Format, encoding};
use jitsugen::shogi::position::Position;
use jitsugen::usi::protocol;
use jitsugen::util::input_file;

use super::failure::Failure;
use super::numbers;
use super::output::{progress_bar, remark, write_figures};

/// Solve mate problems (tsume): the side to move mates with checks alone, or the answer is that it cannot.
///
/// A problem is an SFEN, or stands in a file; several files may be named. A file in KIF, KI2, CSA or BOD form has one: the
/// position before its moves. Any other has one a line: an SFEN and, after a tab, the number of plies it is said to take, which
/// the answer is compared with; whatever follows another tab is left alone. Lines that begin with # are comments.
///
/// The exit status is 0 where every problem was solved, which a proof that there is no mate is as well; 1 where one was
/// searched and not solved; 2 where the input was bad; 3 where there was no memory to search in. Of several problems the
/// worst counts.
///
/// Examples: jitsugen mate "7nl/7k1/5Npp1/9/9/9/9/9/9 b RBrb4g4s2n3l16p 1"
///           jitsugen mate first.kif second.bod --cooks
#[derive(Args)]
pub struct Mate {
    /// Files, or a position as after the word `position` in USI, in one argument or several.
    #[arg(required = true)]
    problems: Vec<String>,
    /// Seconds for each problem.
    #[arg(long, default_value = "10", value_name = "SECONDS", value_parser = numbers::seconds)]
    time: Duration,
    /// Nodes for each problem.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
    /// Look for brinkmates (hisshi) instead: moves without check after which every reply is mated.
    #[arg(long)]
    hisshi: bool,
    /// Look for second solutions (cooks, 余詰) as well: other checks along the solution that mate, too. Takes up to as long
    /// again. A move that differs only in its promotion is none.
    #[arg(long, conflicts_with = "hisshi")]
    cooks: bool,
    /// Memory in MiB.
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    memory: usize,
}

/// A problem, or why it is none.
struct Problem {
    /// What it is called in messages.
    name: String,
    position: Result<Position, String>,
    /// How many plies it is said to take.
    stated: Option<u32>,
}

/// Lines of mate may be thousands of plies long.
const STACK: usize = 64 << 20;

impl Mate {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let problems = self.problems().map_err(Failure::Input)?;
        let (mebibytes, message) = affordable(self.memory, 0, available(1, 0));
        if let Some(message) = message {
            remark(format_args!("{message}"));
        }
        // In such a thread, so that the table leaves room for its stack.
        let mut solver = in_thread(|| Solver::new(mebibytes.saturating_mul(1 << 20)))?
            .map_err(|error| Failure::Resources(format!("no memory to search in: {error}")))?;
        if let Some(message) = shortfall(mebibytes, solver.bytes()) {
            remark(format_args!("{message}"));
        }
        let mut summary = Summary::default();
        let bar = progress_bar(problems.len() as u64, "problems");
        for Problem { name, position, stated } in problems {
            let checked = position.and_then(|position| objection(&position).map_or(Ok(position), Err));
            let mut position = match checked {
                Ok(position) => position,
                Err(error) => {
                    summary.refused += 1;
                    bar.suspend(|| writeln!(out, "{name}: {error}"))?;
                    bar.inc(1);
                    continue;
                }
            };
            solver.clear();
            let before = solver.nodes();
            let begin = Instant::now();
            // A time beyond the clock's end is none.
            let deadline = begin.checked_add(self.time);
            let mut stops = |_| deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let text = if self.hisshi {
                let found = in_thread(|| {
                    solver.brinkmates(
                        &mut position,
                        &mut MateLimits { nodes: self.nodes, spare: self.nodes, stops: &mut stops },
                    )
                })?;
                summary.add_brinkmates(&found);
                describe_brinkmates(&found)
            } else {
                let verdict = in_thread(|| {
                    solver.solve(
                        &mut position,
                        &mut MateLimits { nodes: self.nodes, spare: self.nodes, stops: &mut stops },
                    )
                })?;
                summary.add(&verdict, stated);
                let mut text = describe(&verdict, stated);
                if let (true, Verdict::Mate(mate)) = (self.cooks, &verdict) {
                    let deadline = Instant::now().checked_add(self.time);
                    let mut stops = |_| deadline.is_some_and(|deadline| Instant::now() >= deadline);
                    let cooks = in_thread(|| {
                        let mut limits = MateLimits { nodes: self.nodes, spare: 0, stops: &mut stops };
                        solver.cooks(&mut position, &mate.line, mate.plies, &mut limits)
                    })?;
                    text.push_str(&describe_cooks(&cooks, mate.plies));
                    summary.cooked += u32::from(!cooks.found.is_empty());
                }
                text
            };
            let (nodes, took) = (solver.nodes() - before, begin.elapsed());
            summary.nodes += nodes;
            summary.time += took;
            bar.suspend(|| writeln!(out, "{name}: {text} ({nodes} nodes, {:.3} s)", took.as_secs_f64()))?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        summary.write(self.cooks, out)?;
        match summary {
            Summary { refused: 1.., .. } => Err(Failure::Input("not every problem is a position".into())),
            Summary { unsolved: 1.., .. } => Err(Failure::Unsolved),
            _ => Ok(()),
        }
    }

    /// Reads the arguments: files if there are files of these names, and a position otherwise.
    fn problems(&self) -> Result<Vec<Problem>, String> {
        let text = self.problems.join(" ");
        if Path::new(&text).exists() {
            return problems_in(&text).map_err(|error| format!("{text}: {error}"));
        }
        let missing = self.problems.iter().find(|name| !Path::new(name).exists());
        let Some(missing) = missing else {
            // What is wrong with one file is no reason to leave the others.
            let of_file = |name: &String| {
                let problems = problems_in(name).unwrap_or_else(|error| {
                    let position = Err(error);
                    vec![Problem { name: name.clone(), position, stated: None }]
                });
                let named = |problem: Problem| match problem.name {
                    own if own == *name => Problem { name: own, ..problem },
                    line => Problem { name: format!("{name}, {line}"), ..problem },
                };
                problems.into_iter().map(named).collect::<Vec<_>>()
            };
            return Ok(self.problems.iter().flat_map(of_file).collect());
        };
        match parse(&text) {
            Ok(position) => {
                Ok(vec![Problem { name: "problem".into(), position: Ok(position), stated: None }])
            }
            Err(error) if looks_like_a_position(&text) => {
                Err(format!("{text}: there is no such file, and it is no position either: {error}"))
            }
            Err(_) => Err(format!(
                "{missing}: there is no such file, and it is no position: expected a file, an SFEN or startpos"
            )),
        }
    }
}

/// Whether `text` begins as a position does, whatever is wrong with the rest.
fn looks_like_a_position(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_board = first.contains('/') && first.chars().all(|c| "/+123456789PLNSGBRKplnsgbrk".contains(c));
    is_board || ["position", "startpos", "sfen"].contains(&first)
}

/// The problems of a file.
///
/// # Errors
/// When it cannot be read, or has nothing; without its name.
fn problems_in(name: &str) -> Result<Vec<Problem>, String> {
    let path = Path::new(name);
    let bytes = input_file::read(path).map_err(|error| error.to_string())?;
    let lines = encoding::decode_lossy(&bytes);
    let lines: Vec<(usize, &str)> = (1..)
        .zip(lines.trim_start_matches('\u{FEFF}').lines())
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .collect();
    let first = lines.first().ok_or("the file is empty: expected problems")?.1;
    let is_list = first.split('\t').next().is_some_and(|field| parse(field).is_ok());
    if !is_list && let Some(problem) = record::read_problem(&bytes, Format::of_path(path)) {
        let position = problem.map_err(|error| error.to_string());
        return Ok(vec![Problem { name: name.into(), position, stated: None }]);
    }
    let problem = |(number, line): (usize, &str)| {
        let mut fields = line.split('\t');
        Problem {
            name: format!("line {number}"),
            position: parse(fields.next().unwrap_or_default()),
            stated: fields.next().and_then(|field| field.trim().parse().ok()),
        }
    };
    Ok(lines.into_iter().map(problem).collect())
}

/// A position as USI has it, with or without the word `position` before it.
fn parse(text: &str) -> Result<Position, String> {
    let text = text.trim();
    protocol::parse_position(text.strip_prefix("position ").unwrap_or(text))
}

/// Calls `work` in a thread with a stack that is large enough.
///
/// # Errors
/// When the system cannot start one.
fn in_thread<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Failure> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .map_err(|error| Failure::Resources(format!("a thread cannot be started: {error}")))?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn describe_brinkmates(found: &Brinkmates) -> String {
    let moves: Vec<String> = found.moves.iter().map(ToString::to_string).collect();
    let rest = if found.complete { "" } else { ", others not decided" };
    match moves.as_slice() {
        [] => format!("no brinkmate{rest}"),
        moves => format!("brinkmate{rest}: {}", moves.join(" ")),
    }
}

/// What is added to the solution.
fn describe_cooks(cooks: &Cooks, plies: usize) -> String {
    let mut text = String::new();
    for &Cook { ply, mv, plies: takes } in &cooks.found {
        let last = if ply == plies { " (the last move: mostly let pass)" } else { "" };
        text.push_str(&format!("; cook at move {ply}: {mv} mates in {takes}{last}"));
    }
    for (ply, mv) in &cooks.undecided {
        text.push_str(&format!("; not decided at move {ply}: {mv}"));
    }
    if text.is_empty() {
        text.push_str("; no cooks");
    }
    text
}

fn describe(verdict: &Verdict, stated: Option<u32>) -> String {
    let mate = match verdict {
        Verdict::Mate(mate) => mate,
        Verdict::NoMate => return "no mate".into(),
        Verdict::Unknown => return "not solved".into(),
    };
    let plies = mate.plies;
    let moves: Vec<String> = mate.line.iter().map(ToString::to_string).collect();
    let other = stated.filter(|&stated| stated as usize != plies);
    format!(
        "mate in {plies}{}{}{}: {}",
        if mate.shortest { "" } else { " or less" },
        match mate.line.len() - plies {
            0 => String::new(),
            more => format!(" and {more} with useless interpositions"),
        },
        other.map(|stated| format!(" (stated: {stated})")).unwrap_or_default(),
        moves.join(" ")
    )
}

/// The results of all problems.
#[derive(Default)]
struct Summary {
    mates: u32,
    brinkmates: u32,
    no_mates: u32,
    unsolved: u32,
    refused: u32,
    /// Mates with a second solution.
    cooked: u32,
    /// Mates with another number of plies than stated.
    other_length: u32,
    nodes: u64,
    time: Duration,
}

impl Summary {
    fn add_brinkmates(&mut self, found: &Brinkmates) {
        match (found.moves.is_empty(), found.complete) {
            (false, _) => self.brinkmates += 1,
            (true, true) => self.no_mates += 1,
            (true, false) => self.unsolved += 1,
        }
    }

    fn add(&mut self, verdict: &Verdict, stated: Option<u32>) {
        match verdict {
            Verdict::Mate(mate) => {
                self.mates += 1;
                self.other_length += u32::from(stated.is_some_and(|stated| stated as usize != mate.plies));
            }
            Verdict::NoMate => self.no_mates += 1,
            Verdict::Unknown => self.unsolved += 1,
        }
    }

    /// Writes them; those of cooks where these were looked for.
    fn write(&self, cooks: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if cooks {
            writeln!(out, "Cooked: {}", self.cooked)?;
        }
        for (name, count) in [
            ("Mates", self.mates),
            ("Brinkmates", self.brinkmates),
            ("Of another length than stated", self.other_length),
            ("Without", self.no_mates),
            ("Not solved", self.unsolved),
            ("No position", self.refused),
        ] {
            writeln!(out, "{name}: {count}")?;
        }
        writeln!(out, "Seconds: {:.3}", self.time.as_secs_f64())?;
        Ok(write_figures(out, self.nodes, self.time)?)
    }
}
