//! Training positions in the common packed format of 40 bytes each (PackedSfenValue, `.psv` or `.bin` files).
//!
//! | bytes | content |
//! |---|---|
//! | 0–31 | the position, Huffman coded: see [`position`] |
//! | 32–33 | the score of a search for the side to move, signed |
//! | 34–35 | the best move, or the move played: see [`moves`]; 0 for none |
//! | 36–37 | the number of the next move, as in SFEN |
//! | 38 | the result of the game for the side to move: 1 won, 0 drawn, −1 lost |
//! | 39 | unused |
//!
//! Numbers are little endian. A file consists of such records only: it has no header, no checksum and no end mark.

pub mod error;
mod file;
pub mod moves;
pub mod position;
mod training_position;

pub use error::PackedError;
pub use file::{FileError, FileSummary, GameStarts, Reader, Writer, read_file};
pub use training_position::{BYTES, Outcome, Packed, TrainingPosition};
