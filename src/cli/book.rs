//! `jitsugen book`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use jitsugen::analyse::book_thinker::{self, BookThinker};
use jitsugen::book;
use jitsugen::book::choice::ChoiceOptions;
use jitsugen::book::graph::BookGraph;
use jitsugen::book::tree::{self, Tree, TreeLimits};
use jitsugen::usi::protocol;
use jitsugen::util::atomic_file::write_atomically;

use super::book_file;
use super::failure::Failure;
use super::files::{keep_apart, named_once, read_games, replaceable};
use super::growing_book::GrowingBook;
use super::numbers;
use super::output::remark;
use super::search_arguments::SearchArguments;

/// How many plies a drawing has.
const DRAWN_PLIES: usize = 8;

/// Make an opening book from games, think about its moves, or look into one.
#[derive(Args)]
pub struct Book {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Count the moves of games and their results, and write them as a book (YANEURAOU-DB2016).
    ///
    /// Reads what the record command reads. What has something wrong is named and left out.
    ///
    /// Example: jitsugen book make games.usi --output book/user_book1.db --least 3
    Make {
        /// Files of games.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Where to write the book; compressed if the name ends in .jgb.
        #[arg(long, value_name = "BOOK")]
        output: PathBuf,
        /// The last move of a game that is counted.
        #[arg(long, default_value_t = 24, value_parser = numbers::between::<1, 100_000>)]
        moves: usize,
        /// How often a move was played at least.
        #[arg(long, default_value_t = 2)]
        least: u64,
    },
    Think(Think),
    Show(Show),
}

/// Show what a book has for a position, as a list, as a tree or as a drawing.
///
/// Example: jitsugen book show built-in startpos moves 7g7f --plies 4 --moves 3
#[derive(Args)]
struct Show {
    /// The book; built-in for the one that the program brings.
    book: PathBuf,
    /// The position as after the word `position` in USI; the start position if left out.
    position: Vec<String>,
    /// Show a tree of so many plies.
    #[arg(long, value_name = "PLIES", value_parser = numbers::between::<1, 40>)]
    plies: Option<usize>,
    /// How many moves of each position the tree has, the most played first.
    #[arg(long, default_value_t = 4, value_parser = numbers::between::<1, 600>)]
    moves: usize,
    /// How often each move of the tree was played at least.
    #[arg(long, default_value_t = 0)]
    least: u64,
    /// Draw the tree (SVG), of 8 plies if --plies does not say otherwise.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Search the moves of a book, and write a book with their values, depths and replies.
///
/// Searched are the positions of BOOK and those that its moves lead to; the best move of each search becomes a move of the
/// book. Then the book may grow outward from a position, by the moves that the searches find (--add). The values of the last
/// positions are min-maxed back: a move is worth what the best reply leaves of it. Counts and results stay as they were.
///
/// What is found is kept beside the output, in a file with .thoughts after its name. Run the same command again to go on
/// where it was broken off, or with a larger --add to let the book grow. The book itself is written each minute and at the end.
///
/// Example: jitsugen book think games.db --output book/user_book1.db --nodes 1000000
#[derive(Args)]
struct Think {
    /// The book whose moves are searched. Without it the book grows from nothing.
    book: Option<PathBuf>,
    /// Where to write the new book; compressed if the name ends in .jgb.
    #[arg(long, value_name = "BOOK")]
    output: PathBuf,
    /// How many positions are added outward, those first that the fewest and best moves lead to [default: 0, or 100 without
    /// BOOK].
    #[arg(long, value_name = "POSITIONS")]
    add: Option<usize>,
    /// The position from which the book grows outward, as after the word `position` in USI.
    #[arg(long, value_name = "POSITION", default_value = "startpos")]
    from: String,
    /// Leave out moves that are worth so much less than the best one, in hundredths of a pawn.
    #[arg(long, value_name = "VALUE", default_value_t = u32::MAX, hide_default_value = true)]
    within: u32,
    #[command(flatten)]
    search: SearchArguments,
    /// How many of the best moves of a position come into the book [default: 1, or 3 without BOOK].
    #[arg(long, value_parser = numbers::between::<1, 600>)]
    lines: Option<usize>,
}

impl Book {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        match self.action {
            Action::Make { files, output, moves, least } => make(&files, &output, moves, least),
            Action::Think(think) => think.run(),
            Action::Show(show) => show.run(out),
        }
    }
}

fn make(files: &[PathBuf], output: &Path, moves: usize, least: u64) -> Result<(), Failure> {
    let inputs: Vec<_> = files.iter().map(|path| ("the games", &**path)).collect();
    named_once(&inputs)?;
    keep_apart(&inputs, &[("--output", output)])?;
    book_file::check_output(output)?;
    let mut builder = book::BookBuilder::new(moves);
    let (mut count, mut left_out) = (0, 0);
    for file in files {
        left_out += read_games(file, "games", |game| {
            count += 1;
            builder.add(game);
        })?;
    }
    if count == 0 {
        return Err(match files {
            [file] => format!("{}: there is no game in it", file.display()),
            _ => "there is no game in the files".to_string(),
        }
        .into());
    }
    let mut text = Vec::new();
    let positions = builder.write(least, &mut text)?;
    if positions == 0 {
        return Err(
            format!("no move was played {least} times: expected more games, or a smaller --least").into()
        );
    }
    book_file::write(output, &text)?;
    remark(format_args!("Left out: {left_out}"));
    remark(format_args!("Games: {count}"));
    remark(format_args!("Positions: {positions}"));
    Ok(())
}

impl Think {
    fn run(self) -> Result<(), Failure> {
        let mut thoughts = self.output.clone().into_os_string();
        thoughts.push(".thoughts");
        let thoughts = PathBuf::from(thoughts);
        let inputs: Vec<_> = self.book.iter().map(|path| ("BOOK", path.as_path())).collect();
        keep_apart(&inputs, &[("--output", &self.output), ("the thoughts", &thoughts)])?;
        book_file::check_output(&self.output)?;
        replaceable("--output", &thoughts, "thoughts on a book", book_thinker::MAGIC.as_bytes())?;
        let start = protocol::parse_position(&self.from).map_err(|error| format!("--from: {error}"))?;
        let settings = self.search.settings(self.lines.unwrap_or(if self.book.is_some() { 1 } else { 3 }));
        let mut graph = BookGraph::new();
        if let Some(path) = &self.book {
            let book = book_file::open(path)?;
            let entries = book.entries().ok_or_else(|| {
                let most = book::MAX_IN_MEMORY >> 20;
                format!("{}: is too large to think about: expected {most} MiB at most", path.display())
            })?;
            for (key, number, moves) in entries {
                graph.add_entry(key, number, &moves);
            }
        }
        let thinker = BookThinker::open(&thoughts, &settings)?;
        let add = self.add.unwrap_or(if self.book.is_some() { 0 } else { 100 });
        let mut book = GrowingBook::new(graph, thinker, self.output, self.within);
        book.think_out()?;
        book.grow(&start, add, settings.lines)?;
        let positions = book.finish()?;
        if positions == 0 {
            return Err("there is nothing to think about: expected a book with moves, or --add"
                .to_string()
                .into());
        }
        remark(format_args!("Positions: {positions}"));
        Ok(())
    }
}

impl Show {
    fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let text = if self.position.is_empty() { "startpos".to_string() } else { self.position.join(" ") };
        let position = protocol::parse_position(&text)?;
        if let Some(svg) = &self.svg {
            keep_apart(&[("BOOK", &self.book)], &[("--svg", svg)])?;
            replaceable("--svg", svg, "drawing of a book", tree::MAGIC.as_bytes())?;
        }
        let book = book_file::open(&self.book)?;
        let options = ChoiceOptions::default();
        let moves = book.look_up(&position, &options).map_err(|error| error.to_string())?;
        if moves.is_empty() {
            writeln!(out, "nothing for this position")?;
        } else if self.plies.is_none() {
            writeln!(out, "move reply value depth count")?;
            for entry in moves {
                writeln!(out, "{entry}")?;
            }
        }
        if self.plies.is_some() || self.svg.is_some() {
            let plies = self.plies.unwrap_or(DRAWN_PLIES);
            let limits = TreeLimits { plies, moves: self.moves, least: self.least };
            let tree = Tree::new(&book, &position, limits).map_err(|error| error.to_string())?;
            if self.plies.is_some() {
                out.write_all(tree.text().as_bytes())?;
            }
            if let Some(svg) = &self.svg {
                let title = format!("{}: {text}", self.book.display());
                write_atomically(svg, |file| file.write_all(tree.draw(&title).as_bytes()))?;
            }
        }
        if let Some(positions) = book.positions() {
            writeln!(out, "Positions: {positions}")?;
        }
        Ok(())
    }
}
