//! `jitsugen book`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jitsugen::book;
use jitsugen::usi::protocol;
use jitsugen::util::atomic_file::write_atomically;

use super::failure::Failure;
use super::files::{keep_apart, named_once, read_games, replaceable};
use super::output::remark;

/// Make an opening book from games, or look into one.
#[derive(Args)]
pub struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Count the moves of games and write them as a book (YANEURAOU-DB2016).
    ///
    /// Reads what the record command reads. What has something wrong is named and left out.
    ///
    /// Example: jitsugen book make games.usi --output book/user_book1.db --least 3
    Make {
        /// Files of games.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where to write the book.
        #[arg(long, value_name = "BOOK")]
        output: PathBuf,
        /// The last move of a game that is counted.
        #[arg(long, default_value_t = 24)]
        moves: usize,
        /// How often a move was played at least.
        #[arg(long, default_value_t = 2)]
        least: u64,
    },
    /// Show what a book has for a position.
    ///
    /// Example: jitsugen book show book/user_book1.db startpos moves 7g7f
    Show {
        /// The book.
        book: PathBuf,
        /// The position as after the word `position` in USI; the start position if left out.
        position: Vec<String>,
    },
}

impl Book {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.action {
            Action::Make { files, output, moves, least } => make(&files, &output, moves, least),
            Action::Show { book, position } => show(&book, &position, out),
        }
    }
}

fn make(files: &[PathBuf], output: &Path, moves: usize, least: u64) -> Result<(), Failure> {
    let inputs: Vec<_> = files.iter().map(|path| ("the games", &**path)).collect();
    named_once(&inputs)?;
    keep_apart(&inputs, &[("--output", output)])?;
    replaceable("--output", output, "book", book::HEADER.as_bytes())?;
    let mut builder = book::BookBuilder::new(moves);
    let (mut count, mut left_out) = (0, 0);
    for file in files {
        left_out += read_games(file, "games", |game| {
            count += 1;
            builder.add(game);
        })?;
    }
    let mut text = Vec::new();
    let positions = builder.write(least, &mut text)?;
    if positions == 0 {
        return Err(
            format!("no move was played {least} times: expected more games, or a smaller --least").into()
        );
    }
    write_atomically(output, |file| file.write_all(&text))?;
    remark(format_args!("Left out: {left_out}"));
    remark(format_args!("Games: {count}"));
    remark(format_args!("Positions: {positions}"));
    Ok(())
}

fn show(path: &Path, position: &[String], out: &mut dyn Write) -> Result<(), Failure> {
    let text = if position.is_empty() { "startpos".to_string() } else { position.join(" ") };
    let position = protocol::parse_position(&text)?;
    let book = book::Book::open(path).map_err(|error| error.to_string())?;
    let moves = book.find(&position).map_err(|error| error.to_string())?;
    if moves.is_empty() {
        writeln!(out, "nothing for this position")?;
    } else {
        writeln!(out, "move reply value depth count")?;
    }
    for entry in moves {
        writeln!(out, "{entry}")?;
    }
    if let Some(positions) = book.positions() {
        writeln!(out, "Positions: {positions}")?;
    }
    Ok(())
}
