//! Training positions in the field's packed form, 40 bytes each (PackedSfenValue, `.psv` or `.bin` files).
//!
//! | bytes | what |
//! |---|---|
//! | 0–31 | the position, Huffman coded: see [`position`] |
//! | 32–33 | the score of a search, for the side to move, signed |
//! | 34–35 | the move that was best or played: see [`moves`]; 0 for none |
//! | 36–37 | the number of the move to come, as in SFEN |
//! | 38 | how the game ended for the side to move: 1 won, 0 drawn, −1 lost |
//! | 39 | nothing |
//!
//! Numbers are little endian. A file is such records and nothing else: no header, no checksum, no end.

mod bits;
pub mod error;
mod file;
pub mod moves;
pub mod position;
mod training_position;

pub use error::PackedError;
pub use file::{FileError, GameStarts, Reader, Summary, Writer, read_file};
pub use training_position::{BYTES, Outcome, Packed, TrainingPosition};
