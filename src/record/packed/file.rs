//! Files of packed training positions, read and written as streams.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

use super::error::PackedError;
use super::position;
use super::training_position::{BYTES, Packed, TrainingPosition};

/// Gives out one record after the other.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    left_over: usize,
}

impl<R: Read> Reader<R> {
    /// Of a stream, which had better be buffered.
    pub const fn new(input: R) -> Self {
        Reader { input, left_over: 0 }
    }

    /// How many bytes there were after the last whole record, once that was given out: 0 unless the file was cut off,
    /// or is no file of this form.
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

/// Takes one record after the other.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
}

impl<W: Write> Writer<W> {
    /// To a stream, which had better be buffered.
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

/// What a file held.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Records that were given out.
    pub good: u64,
    /// Records that were skipped because something is wrong with them.
    pub skipped: u64,
    /// The first of these: which record of the file, from 1, and what is wrong.
    pub first_skipped: Option<(u64, PackedError)>,
    /// Bytes after the last whole record: the file was cut off.
    pub left_over: usize,
}

/// Reads a file and shows `each` every record that is right, with what it says. Wrong ones are skipped and counted.
///
/// # Errors
/// When the file cannot be read, is empty, or is none of this form: not one of its records is right. That is known at
/// its end alone, as millions of right ones may follow a page that never reached the disk.
pub fn read_file(path: &Path, mut each: impl FnMut(&Packed, TrainingPosition)) -> Result<Summary, FileError> {
    let failed = |source| FileError::Read { path: path.to_path_buf(), source };
    let mut reader = Reader::new(BufReader::with_capacity(1 << 16, File::open(path).map_err(failed)?));
    let mut summary = Summary::default();
    for packed in reader.by_ref() {
        let packed = packed.map_err(failed)?;
        match packed.unpack() {
            Ok(known) => {
                summary.good += 1;
                each(&packed, known);
            }
            Err(fault) => {
                summary.skipped += 1;
                summary.first_skipped.get_or_insert((summary.good + summary.skipped, fault));
            }
        }
    }
    summary.left_over = reader.left_over();
    if summary.good == 0 {
        if summary.skipped == 0 && summary.left_over == 0 {
            return Err(FileError::Empty(path.to_path_buf()));
        }
        let fault = summary.first_skipped.map(|(_, fault)| fault);
        return Err(FileError::Foreign { path: path.to_path_buf(), fault });
    }
    Ok(summary)
}

/// Tells where games begin in a file that has their positions one after the other, which nothing but the moves shows.
#[derive(Clone, Debug, Default)]
pub struct GameStarts {
    /// The position that the last move led to.
    next: Option<[u8; position::BYTES]>,
}

impl GameStarts {
    /// Whether `known`, the next record of the file, is not what the move of the record before led to.
    pub fn begins(&mut self, known: &TrainingPosition) -> bool {
        let bytes = position::pack(&known.position).ok();
        let begins = self.next.is_none() || bytes != self.next;
        self.next = known.best.and_then(|mv| {
            let mut position = known.position.clone();
            position.play(mv, &mut ());
            position::pack(&position).ok()
        });
        begins
    }
}

/// Why a file of training positions could not be read.
#[derive(Debug)]
pub enum FileError {
    /// The system refused.
    Read {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// It holds nothing.
    Empty(PathBuf),
    /// It holds something else.
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with its first 40 bytes, where there are so many.
        fault: Option<PackedError>,
    },
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Read { path, source } => write!(f, "{}: {source}", path.display()),
            FileError::Empty(path) => write!(f, "{}: expected positions, but it is empty", path.display()),
            FileError::Foreign { path, fault } => {
                write!(f, "{}: expected training positions of {BYTES} bytes each", path.display())?;
                match fault {
                    Some(fault) => write!(f, ", but not one is right; the first: {fault}"),
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
            FileError::Empty(_) | FileError::Foreign { .. } => None,
        }
    }
}
