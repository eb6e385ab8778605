//! Files of packed training positions, read and written as streams.

use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use super::error::PackedError;
use super::position;
use super::training_position::{BYTES, Packed, TrainingPosition};
use crate::util::input_file;

/// Reads records from a stream.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    left_over: usize,
}

impl<R: Read> Reader<R> {
    /// Reads from this stream, which should be buffered.
    pub const fn new(input: R) -> Self {
        Reader { input, left_over: 0 }
    }

    /// The number of bytes after the last whole record, known at the end: 0 unless the file was cut off or has another
    /// format.
    pub const fn left_over(&self) -> usize {
        self.left_over
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = io::Result<Packed>;

    fn next(&mut self) -> Option<io::Result<Packed>> {
        let mut bytes = [0; BYTES];
        let mut filled = 0;
        while filled < BYTES {
            match self.input.read(&mut bytes[filled..]) {
                Ok(0) => {
                    self.left_over = filled;
                    return None;
                }
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(Packed(bytes)))
    }
}

/// Writes records to a stream.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
}

impl<W: Write> Writer<W> {
    /// Writes to this stream, which should be buffered.
    pub const fn new(output: W) -> Self {
        Writer { output }
    }

    /// Writes a record.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn write(&mut self, packed: &Packed) -> io::Result<()> {
        self.output.write_all(&packed.0)
    }

    /// The stream.
    pub fn into_inner(self) -> W {
        self.output
    }
}

/// What reading a file found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileSummary {
    /// Valid records.
    pub good: u64,
    /// Invalid records, which were skipped.
    pub skipped: u64,
    /// The first of these: its number in the file, from 1, and what is wrong.
    pub first_skipped: Option<(u64, PackedError)>,
    /// Bytes after the last whole record; not 0 if the file was cut off.
    pub left_over: usize,
}

/// Reads a file and calls `each` with every valid record and its content. Invalid records are skipped and counted.
///
/// # Errors
/// When the file cannot be read, is empty, or has not one valid record, so that it must have another format. Only the end
/// of the file decides that, as millions of valid records may follow a page that never reached the disk.
pub fn read_file(
    path: &Path,
    mut each: impl FnMut(&Packed, TrainingPosition),
) -> Result<FileSummary, FileError> {
    let failed = |source| FileError::Read { path: path.to_path_buf(), source };
    let mut reader = Reader::new(BufReader::with_capacity(1 << 16, input_file::open(path).map_err(failed)?));
    let mut summary = FileSummary::default();
    for packed in reader.by_ref() {
        let packed = packed.map_err(failed)?;
        match packed.unpack() {
            Ok(known) => {
                summary.good += 1;
                each(&packed, known);
            }
            Err(error) => {
                summary.skipped += 1;
                summary.first_skipped.get_or_insert((summary.good + summary.skipped, error));
            }
        }
    }
    summary.left_over = reader.left_over();
    if summary.good == 0 {
        if summary.skipped == 0 && summary.left_over == 0 {
            return Err(FileError::Empty(path.to_path_buf()));
        }
        let first = summary.first_skipped.map(|(_, error)| error);
        return Err(FileError::OtherFormat { path: path.to_path_buf(), first });
    }
    Ok(summary)
}

/// Finds the beginnings of games in a file that has the positions of each game one after the other. The file does not
/// mark them: a game ends where the next record is not the position after the move of the last one.
#[derive(Clone, Debug, Default)]
pub struct GameStarts {
    /// The position after the move of the last record.
    next: Option<[u8; position::BYTES]>,
}

impl GameStarts {
    /// Whether `next`, the next record of the file, begins a game.
    pub fn begins(&mut self, next: &TrainingPosition) -> bool {
        let bytes = position::pack(&next.position).ok();
        let begins = self.next.is_none() || bytes != self.next;
        self.next = next.best.and_then(|mv| {
            let mut position = next.position.clone();
            position.play(mv, &mut ());
            position::pack(&position).ok()
        });
        begins
    }
}

/// Why a file of training positions could not be read.
#[derive(Debug)]
pub enum FileError {
    /// The system cannot read it.
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It is empty.
    Empty(PathBuf),
    /// It has no valid record.
    OtherFormat {
        /// The file.
        path: PathBuf,
        /// What is wrong with its first record, if it has at least 40 bytes.
        first: Option<PackedError>,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Read { path, source } => write!(f, "{}: {source}", path.display()),
            FileError::Empty(path) => write!(f, "{}: expected positions, but it is empty", path.display()),
            FileError::OtherFormat { path, first } => {
                write!(f, "{}: expected training positions of {BYTES} bytes each", path.display())?;
                match first {
                    Some(error) => write!(f, ", but none is valid; the first: {error}"),
                    None => write!(f, ", but it is shorter than one"),
                }
            }
        }
    }
}

impl error::Error for FileError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            FileError::Read { source, .. } => Some(source),
            FileError::Empty(_) | FileError::OtherFormat { .. } => None,
        }
    }
}
