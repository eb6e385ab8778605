//! The command line: without arguments the engine speaks USI.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use jitsugen::eval::report::Report;
use jitsugen::eval::tools::{self, Source};
use jitsugen::learn::categories::Counts;
use jitsugen::record::{self, Encoding, Format, Record};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::{generate, perft, sfen};
use jitsugen::{bench, usi};

/// A shogi engine. Without a command it speaks USI on standard input and output.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Count the leaves of the tree of all legal moves.
    ///
    /// Example: jitsugen perft 5
    Perft {
        /// How many moves deep.
        depth: u32,
        /// Where to start, all fields in one argument or several; the start position if left out.
        sfen: Vec<String>,
        /// Print the count below each move first.
        #[arg(long)]
        divide: bool,
    },
    /// Search fixed positions with one thread; the node count is a fingerprint of the engine's behaviour.
    ///
    /// Example: jitsugen bench --depth 2
    Bench {
        /// Iterations for each position.
        #[arg(long, default_value_t = bench::DEPTH)]
        depth: u32,
    },
    /// Show what a game record holds, or write it in another form.
    ///
    /// Reads CSA 2.2 and 3, KIF, KI2 and USI lines, in UTF-8 or Shift_JIS, and checks every move.
    ///
    /// Example: jitsugen record game.kif --to csa > game.csa
    Record {
        /// The file.
        file: PathBuf,
        /// Write it to standard output as csa, csa3, kif, ki2 or usi.
        #[arg(long, value_name = "FORMAT")]
        to: Option<Format>,
        /// The characters to write in: utf-8 or shift_jis.
        #[arg(long, default_value = "utf-8", requires = "to")]
        encoding: Encoding,
    },
    /// Show what a position is worth, in parts and by piece.
    ///
    /// Example: jitsugen eval startpos moves 7g7f
    Eval {
        /// The position as after the word `position` in USI; the start position if left out.
        position: Vec<String>,
        /// The evaluation: built-in, yss, a folder with full files, or a compact file.
        #[arg(long, default_value = "built-in")]
        from: PathBuf,
    },
    /// Look at evaluation files, or turn them into one another.
    EvalFile {
        #[command(subcommand)]
        task: EvalFileTask,
    },
    /// Learn from games.
    Learn {
        #[command(subcommand)]
        subject: Subject,
    },
}

#[derive(Subcommand)]
enum Subject {
    /// Count how often moves of each category are played where they could be, and write the table of their costs.
    ///
    /// Reads what the record command reads. A USI line with something wrong is named and left out, and so is a file of
    /// another format.
    ///
    /// Example: jitsugen learn categories games.usi --output eval_files/categories.txt
    Categories {
        /// Files of games.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where to write the table; standard output if left out.
        #[arg(long, value_name = "TABLE")]
        output: Option<PathBuf>,
    },
}

#[derive(Subcommand)]
enum EvalFileTask {
    /// Show layout, sizes, checksums and the ranges of the values.
    ///
    /// Example: jitsugen eval-file inspect eval
    Inspect {
        /// built-in, yss, a folder with full files, or a compact file.
        source: PathBuf,
    },
    /// Write an evaluation in another form.
    ///
    /// Example: jitsugen eval-file convert built-in eval
    Convert {
        /// built-in, yss, a folder with full files, or a compact file.
        from: PathBuf,
        /// A folder for full files (858 MB), or a compact file, whose name has an extension.
        to: PathBuf,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        None => usi::session::run(io::stdin().lock(), io::stdout()).map_err(|error| error.to_string()),
        Some(Command::Perft { depth, sfen, divide }) => run_perft(depth, &sfen.join(" "), divide),
        Some(Command::Bench { depth }) => {
            run_bench(depth);
            Ok(())
        }
        Some(Command::Record { file, to, encoding }) => run_record(&file, to, encoding),
        Some(Command::Eval { position, from }) => run_eval(&position.join(" "), &from),
        Some(Command::EvalFile { task }) => run_eval_file(task),
        Some(Command::Learn { subject: Subject::Categories { files, output } }) => {
            learn_categories(&files, output.as_deref())
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("jitsugen: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run_perft(depth: u32, text: &str, divide: bool) -> Result<(), String> {
    let text = if text.trim().is_empty() { sfen::START } else { text };
    let mut position: Position = sfen::parse(text).map_err(|error| error.to_string())?;
    let begin = Instant::now();
    let nodes = if divide && depth > 0 {
        let mut total = 0;
        for mv in generate::all_legal(&position) {
            position.play(mv, &mut ());
            let nodes = perft::perft(&mut position, depth - 1);
            position.undo(mv, &mut ());
            println!("{mv}: {nodes}");
            total += nodes;
        }
        total
    } else {
        perft::perft(&mut position, depth)
    };
    report(nodes, begin.elapsed());
    Ok(())
}

fn run_bench(depth: u32) {
    let show = io::stderr().is_terminal();
    let total = bench::run(depth, |number, of, text, nodes| {
        if show {
            eprintln!("{number}/{of} {nodes} nodes: {text}");
        }
    });
    report(total.nodes, total.time);
}

fn run_record(file: &Path, to: Option<Format>, encoding: Encoding) -> Result<(), String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = std::fs::read(file).map_err(|error| named(&error))?;
    let games = record::read(&bytes, Format::of_path(file)).map_err(|error| named(&error))?;
    let Some(format) = to else {
        games.iter().for_each(describe);
        return Ok(());
    };
    let written = record::write(&games, format, encoding).map_err(|error| named(&error))?;
    io::stdout().write_all(&written).map_err(|error| error.to_string())
}

fn describe(game: &Record) {
    for color in Color::ALL {
        println!("{color:?}: {}", game.players()[color].as_deref().unwrap_or("-"));
    }
    for header in game.headers() {
        println!("{}: {}", header.name, header.value);
    }
    println!("Start: {}", sfen::write(&game.start_position()));
    println!("Moves: {}", game.moves().len());
    println!("Variations: {}", game.variations().len());
    match game.ending() {
        Some(ending) => println!("Ending: {ending:?}"),
        None => println!("Ending: not recorded"),
    }
    match game.winner() {
        Some(winner) => println!("Winner: {winner:?}"),
        None => println!("Winner: -"),
    }
    println!("Final position: {}", sfen::write(&game.final_position()));
}

fn run_eval(text: &str, from: &Path) -> Result<(), String> {
    let text = if text.trim().is_empty() { "startpos" } else { text };
    let position = usi::protocol::parse_position(text)?;
    let weights = Source::from_word(from).load(&mut |_, _| ()).map_err(|error| error.to_string())?;
    println!("{}", Report::new(&weights, &position));
    Ok(())
}

fn run_eval_file(task: EvalFileTask) -> Result<(), String> {
    let bar = progress(0, "bytes");
    let mut advance = |done, total| {
        bar.set_length(total);
        bar.set_position(done);
    };
    let result = match task {
        EvalFileTask::Inspect { source } => tools::inspect(&Source::from_word(&source), &mut advance),
        EvalFileTask::Convert { from, to } => tools::convert(&Source::from_word(&from), &to, &mut advance)
            .map(|()| format!("{} written", to.display())),
    };
    bar.finish_and_clear();
    println!("{}", result.map_err(|error| error.to_string())?);
    Ok(())
}

fn learn_categories(files: &[PathBuf], output: Option<&Path>) -> Result<(), String> {
    let mut counts = Counts::new();
    let mut skipped = 0;
    let mut names = Vec::new();
    for file in files {
        let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let games = record::read_each(&bytes, Format::of_path(file));
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let bar = progress(games.len() as u64, &name);
        names.push(name);
        for game in games {
            match game {
                Ok(game) => counts.add(&game),
                Err(error) => {
                    skipped += 1;
                    bar.suspend(|| eprintln!("{}: {error}: left out", file.display()));
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
    }
    if counts.positions() == 0 {
        return Err("no position to count: expected games with moves".to_string());
    }
    // The names alone: where the files lay is nobody's business.
    let table = counts.table(&format!("jitsugen learn categories {}", names.join(" ")));
    match output {
        Some(path) => write_whole(path, table.as_bytes())?,
        None => print!("{table}"),
    }
    eprintln!("Left out: {skipped}");
    eprintln!("Games: {}", counts.games());
    eprintln!("Positions: {}", counts.positions());
    Ok(())
}

/// Hidden unless standard error is a terminal.
fn progress(length: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template has known keys only");
    ProgressBar::new(length).with_style(style).with_message(name.to_string())
}

/// Writes a file so that it is there as a whole or as it was before: under another name first, then renamed.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".new");
    let unfinished = path.with_file_name(name);
    std::fs::write(&unfinished, bytes)
        .and_then(|()| std::fs::rename(&unfinished, path))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The figures that scripts read come last, one a line.
fn report(nodes: u64, time: Duration) {
    println!("Nodes/second: {}", (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64);
    println!("Nodes searched: {nodes}");
}
