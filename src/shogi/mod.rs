//! The rules of shogi: pieces, positions, moves and how a game ends.
//!
//! Words that English lacks: *tsume* is a forced mate, *nifu* two own pawns on one file, *uchifuzume* mate by a
//! dropped pawn, *sennichite* a position that occurs for the fourth time, *nyugyoku* a king that has entered the
//! opponent's camp, *uwate* the side that gives a handicap (White). Black is *sente*, White *gote*.
//!
//! Nothing here knows of an evaluation: [`changes::Changes`] tells whoever wants to know what a move changed.

pub mod attacks;
pub mod bitboard;
pub mod changes;
pub mod color;
pub mod generate;
pub mod hand;
pub mod key;
pub mod moves;
pub mod perft;
pub mod piece;
pub mod position;
pub mod sfen;
pub mod square;
