//! The opening book, in the field's common format (YANEURAOU-DB2016, `.db`).
//!
//! A text file. Its first line is `#YANEURAOU-DB2016 1.00`. Then follows for each position a line `sfen ...`, and below
//! it a line for each move, such as `7g7f 3c3d 25 12 100`: the move, the expected reply (or `none`), the value for the
//! side to move in hundredths of a pawn, the depth of the search behind it, and how often the move was played. What
//! follows a `#` is a remark; ours say how the games with the move ended.
//!
//! A book of up to [`MAX_IN_MEMORY`] bytes is read into memory; its positions may be in any order, and every line is
//! checked. In a larger one positions are looked up in the file by binary search, so they must be sorted by their bytes, as other
//! tools sort them. A [`packed`] book is the same text in compressed form; one is built in.

mod book_move;
mod builder;
pub mod choice;
pub mod current;
mod format;
pub mod graph;
mod lookup;
pub mod packed;
pub mod tree;

use std::collections::HashMap;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::input_file;
pub use book_move::{BookMove, Results};
pub use builder::BookBuilder;
use choice::ChoiceOptions;
use format::NumberedMove;
pub use format::{BookError, HEADER, MAX_IN_MEMORY, Problem};
use lookup::Lookup;

/// The name of the built-in book, where a file could be named.
pub const BUILT_IN: &str = "built-in";

/// Whether `name` asks for the built-in book, in whatever case.
pub fn is_built_in(name: &str) -> bool {
    name.eq_ignore_ascii_case(BUILT_IN)
}

/// An opened book.
#[derive(Debug)]
pub struct Book {
    path: PathBuf,
    source: Source,
}

#[derive(Debug)]
enum Source {
    InMemory(HashMap<String, Vec<NumberedMove>>),
    InFile(Lookup),
}

impl Book {
    /// Opens a book and checks it: every line, or, if it is large, some places.
    ///
    /// # Errors
    /// When the file cannot be read or is no book, when a line is wrong, or when a large book is not sorted.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        Book::open_with(path, MAX_IN_MEMORY)
    }

    /// Like [`open`](Book::open), with another limit on the size of books that are read into memory. A packed book always is.
    ///
    /// # Errors
    /// See [`open`](Book::open).
    pub fn open_with(path: &Path, max_in_memory: u64) -> Result<Book, BookError> {
        let failed = |problem| BookError { path: path.to_path_buf(), problem };
        let unreadable = |error: std::io::Error| failed(Problem::Unreadable(error.to_string()));
        let mut file = input_file::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut begin = Vec::new();
        BufReader::new(&file)
            .take(packed::KIND.magic.len() as u64)
            .read_to_end(&mut begin)
            .map_err(unreadable)?;
        file.rewind().map_err(unreadable)?;
        if length > max_in_memory && begin != packed::KIND.magic {
            let source = Source::InFile(Lookup::open(file, length).map_err(failed)?);
            return Ok(Book { path: path.to_path_buf(), source });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        Book::in_memory(path, &bytes)
    }

    /// The built-in book. It is read once.
    ///
    /// # Errors
    /// Never, unless the program file itself is damaged.
    pub fn built_in() -> Result<Arc<Book>, BookError> {
        static BOOK: OnceLock<Result<Arc<Book>, BookError>> = OnceLock::new();
        BOOK.get_or_init(|| Book::in_memory(Path::new(BUILT_IN), packed::BUILT_IN).map(Arc::new)).clone()
    }

    fn in_memory(path: &Path, bytes: &[u8]) -> Result<Book, BookError> {
        let failed = |problem| BookError { path: path.to_path_buf(), problem };
        let positions = match packed::unpack(bytes) {
            None => format::read(bytes),
            Some(Ok(text)) => format::read(&text),
            Some(Err(error)) => Err(Problem::Packed(error.to_string())),
        };
        Ok(Book { path: path.to_path_buf(), source: Source::InMemory(positions.map_err(failed)?) })
    }

    /// The legal moves that the book has for a position, whatever the number of the move.
    ///
    /// # Errors
    /// When the place in the file cannot be read or a line there is wrong.
    pub fn find(&self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        self.find_numbered(position, None)
    }

    /// The moves of [`find`](Book::find), or those for this number of the move.
    fn find_numbered(&self, position: &Position, number: Option<u32>) -> Result<Vec<BookMove>, BookError> {
        let key = format::key(position);
        let mut moves = match &self.source {
            Source::InMemory(positions) => {
                positions.get(&key).map(|found| format::merged(found, number)).unwrap_or_default()
            }
            Source::InFile(lookup) => {
                let found = lookup.find(&key);
                let found = found.map_err(|problem| BookError { path: self.path.clone(), problem })?;
                format::merged(&found, number)
            }
        };
        moves.retain(|entry| position.is_legal(entry.mv));
        Ok(moves)
    }

    /// The moves for a position, with the sides exchanged where that is asked for and there are none otherwise.
    ///
    /// # Errors
    /// See [`find`](Book::find).
    pub fn look_up(&self, position: &Position, options: &ChoiceOptions) -> Result<Vec<BookMove>, BookError> {
        let number = (!options.any_number).then(|| position.move_number());
        let moves = self.find_numbered(position, number)?;
        if !moves.is_empty() || !options.flipped {
            return Ok(moves);
        }
        let Ok(rotated) = Position::of_problem(&position.setup().rotated()) else { return Ok(moves) };
        let mut moves = self.find_numbered(&rotated, number)?;
        for entry in &mut moves {
            entry.mv = entry.mv.rotated();
            entry.reply = entry.reply.map(Move::rotated);
        }
        Ok(moves)
    }

    /// The positions of a book in memory, sorted by their keys: SFEN without the move number, the lowest number, the
    /// moves. `None` for a book that stays in its file.
    pub fn entries(&self) -> Option<Vec<(&str, u32, Vec<BookMove>)>> {
        let Source::InMemory(positions) = &self.source else { return None };
        let mut entries: Vec<_> = positions
            .iter()
            .map(|(key, found)| {
                let number = found.iter().filter_map(|(number, _)| *number).min().unwrap_or(1);
                (key.as_str(), number, format::merged(found, None))
            })
            .collect();
        entries.sort_by_key(|(key, ..)| *key);
        Some(entries)
    }

    /// How many positions it has, if it was read into memory.
    pub fn positions(&self) -> Option<usize> {
        match &self.source {
            Source::InMemory(positions) => Some(positions.len()),
            Source::InFile(_) => None,
        }
    }

    /// A move to play, as the default options choose it.
    ///
    /// # Errors
    /// See [`find`](Book::find).
    pub fn choose(&self, position: &Position) -> Result<Option<BookMove>, BookError> {
        self.choose_with(position, &ChoiceOptions::default())
    }

    /// A move to play: one of those that the options allow, at random. Its reply is legal, if it has one.
    ///
    /// # Errors
    /// See [`find`](Book::find).
    pub fn choose_with(
        &self,
        position: &Position,
        options: &ChoiceOptions,
    ) -> Result<Option<BookMove>, BookError> {
        if options.ignores_this_time() {
            return Ok(None);
        }
        let candidates = options.candidates(position.side(), self.look_up(position, options)?);
        Ok(options.draw(&candidates).map(|choice| {
            let mut after = position.clone();
            after.play(choice.mv, &mut ());
            BookMove { reply: choice.reply.filter(|&reply| after.is_legal(reply)), ..choice }
        }))
    }

    /// The line that the book expects after a move of its own: the move, its reply, and so on, [`ChoiceOptions::pv_moves`] at
    /// most. The opponent answers with what is played most there, or, where the book does not say that, with the reply that
    /// it states or its best move. The own moves are its best.
    ///
    /// # Errors
    /// See [`find`](Book::find).
    pub fn line(
        &self,
        position: &Position,
        choice: &BookMove,
        options: &ChoiceOptions,
    ) -> Result<Vec<Move>, BookError> {
        let own = position.side();
        let mut position = position.clone();
        let mut line = Vec::new();
        let mut next = Some(choice.mv);
        let mut stated = choice.reply;
        while let Some(mv) = next.filter(|_| line.len() < options.pv_moves.max(1)) {
            position.play(mv, &mut ());
            line.push(mv);
            let moves = self.look_up(&position, options)?;
            let best = moves.iter().max_by_key(|entry| (entry.value, entry.count)).map(|entry| entry.mv);
            let most_played =
                if position.side() == own { None } else { options.most_played(position.side(), moves) };
            next = most_played.or(stated.take()).or(best);
        }
        Ok(line)
    }
}
