//! A position in 256 bits (PackedSfen).
//!
//! The bits are: one for the side to move (1 for White); seven for the square of each king, Black's first; for every
//! other square, in the order of the indices, 0 if it is empty, else the code of its piece; the pieces in hand, Black's
//! before White's; the unused pieces of the set.
//!
//! On the board, a bit for promotion (none for gold) and a bit for the side follow the code. In hand, the first bit of
//! the code, always 1, is left out, and the promotion bit is 0. An unused piece is written as a promoted piece in Black's
//! hand, an unused gold as a promoted silver in White's. So every full set with two kings fills exactly 256 bits.
//!
//! Pieces in hand are read in any order. We write pawn, lance, knight, silver, gold, bishop, rook.
//!
//! Bits are read and written from the lowest of each byte on.

use super::error::PackedError;
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::setup::Setup;
use crate::shogi::square::Square;

/// The code of a piece: its bits, the first one lowest, and their number.
type Code = (u8, usize);

/// The codes, by [`HandKind`] index. No code is the beginning of another.
const CODES: [Code; HandKind::COUNT] =
    [(0b01, 2), (0b0011, 4), (0b1011, 4), (0b0111, 4), (0b0_1111, 5), (0b01_1111, 6), (0b11_1111, 6)];

/// The bits of a position, without its move number.
///
/// # Errors
/// [`PackedError::NoKing`].
pub fn pack(position: &Position) -> Result<[u8; BYTES], PackedError> {
    let mut bits = BitWriter::new();
    let mut unused = HandKind::ALL.map(HandKind::in_set);
    bits.bit(position.side() == Color::White);
    for color in Color::ALL {
        let king = position.king(color).ok_or(PackedError::NoKing(color))?;
        bits.number(king.index() as u8, 7);
    }
    for square in Square::all() {
        let Some(piece) = position.piece_on(square) else {
            bits.bit(false);
            continue;
        };
        let Some(kind) = piece.kind.hand_kind() else { continue };
        let (code, length) = CODES[kind.index()];
        bits.number(code, length);
        if kind != HandKind::Gold {
            bits.bit(piece.kind.is_promoted());
        }
        bits.bit(piece.color == Color::White);
        unused[kind.index()] -= 1;
    }
    for color in Color::ALL {
        for kind in HandKind::ALL {
            let count = position.hand(color).count(kind);
            for _ in 0..count {
                write_held(&mut bits, kind, false, color == Color::White);
            }
            unused[kind.index()] -= count;
        }
    }
    for kind in HandKind::ALL {
        for _ in 0..unused[kind.index()] {
            match kind {
                HandKind::Gold => write_held(&mut bits, HandKind::Silver, true, true),
                _ => write_held(&mut bits, kind, true, false),
            }
        }
    }
    Ok(bits.finish())
}

fn write_held(bits: &mut BitWriter, kind: HandKind, promoted: bool, white: bool) {
    let (code, length) = CODES[kind.index()];
    bits.number(code >> 1, length - 1);
    if kind != HandKind::Gold {
        bits.bit(promoted);
    }
    bits.bit(white);
}

/// The pieces that the bits stand for, with move number 1. Whether the rules allow them is for [`Position::new`] to
/// check.
///
/// # Errors
/// When a code is invalid, or the pieces are not a full set.
pub fn unpack(bytes: &[u8; BYTES]) -> Result<Setup, PackedError> {
    let mut bits = BitReader::new(bytes);
    let mut setup = Setup::EMPTY;
    let mut counts = [0; HandKind::COUNT];
    setup.side = color(bits.bit())?;
    let kings = [bits.number(7), bits.number(7)].map(Option::unwrap_or_default);
    for (color, king) in Color::ALL.into_iter().zip(kings) {
        let square = Square::from_index(usize::from(king)).ok_or(PackedError::Kings(kings))?;
        let king = Piece::new(color, PieceKind::King);
        if setup.board[square.index()].replace(king).is_some() {
            return Err(PackedError::Kings(kings));
        }
    }
    for place in &mut setup.board {
        if place.is_some() || !bits.bit().ok_or(PackedError::Unfinished)? {
            continue;
        }
        let kind = rest_of_code(&mut bits)?;
        let promotes = if kind == HandKind::Gold { Some(false) } else { bits.bit() };
        let plain = kind.piece_kind();
        let promoted = plain.promoted().filter(|_| promotes == Some(true));
        *place = Some(Piece::new(color(bits.bit())?, promoted.unwrap_or(plain)));
        counts[kind.index()] += 1;
    }
    while !bits.is_at_end() {
        let kind = rest_of_code(&mut bits)?;
        let is_unused = kind != HandKind::Gold && bits.bit().ok_or(PackedError::Unfinished)?;
        let color = color(bits.bit())?;
        let counted = match (is_unused, color, kind) {
            (false, ..) => {
                setup.hands[color][kind.index()] += 1;
                kind
            }
            (true, Color::Black, _) => kind,
            (true, Color::White, HandKind::Silver) => HandKind::Gold,
            (true, Color::White, _) => return Err(PackedError::Code(kind)),
        };
        counts[counted.index()] += 1;
    }
    for kind in HandKind::ALL {
        if counts[kind.index()] != usize::from(kind.in_set()) {
            return Err(PackedError::Incomplete(kind, counts[kind.index()]));
        }
    }
    Ok(setup)
}

fn color(white: Option<bool>) -> Result<Color, PackedError> {
    Ok(if white.ok_or(PackedError::Unfinished)? { Color::White } else { Color::Black })
}

/// Reads the code of a piece after its first bit.
fn rest_of_code(bits: &mut BitReader) -> Result<HandKind, PackedError> {
    let (mut code, mut length) = (1, 1);
    loop {
        code |= u8::from(bits.bit().ok_or(PackedError::Unfinished)?) << length;
        length += 1;
        if let Some(kind) = CODES.iter().position(|&known| known == (code, length)) {
            return Ok(HandKind::ALL[kind]);
        }
    }
}

/// The bytes of a packed position.
pub const BYTES: usize = 32;

const BITS: usize = 8 * BYTES;

/// Reads bits from the first to the last.
struct BitReader<'a> {
    bytes: &'a [u8; BYTES],
    at: usize,
}

impl<'a> BitReader<'a> {
    const fn new(bytes: &'a [u8; BYTES]) -> Self {
        BitReader { bytes, at: 0 }
    }

    const fn is_at_end(&self) -> bool {
        self.at == BITS
    }

    /// The next bit; `None` after the last.
    fn bit(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }

    /// The next `count` bits as a number, the lowest first.
    fn number(&mut self, count: usize) -> Option<u8> {
        (0..count).try_fold(0, |number, place| Some(number | u8::from(self.bit()?) << place))
    }
}

/// Writes bits from the first to the last.
struct BitWriter {
    bytes: [u8; BYTES],
    at: usize,
}

impl BitWriter {
    const fn new() -> Self {
        BitWriter { bytes: [0; BYTES], at: 0 }
    }

    /// Writes the next bit.
    ///
    /// # Panics
    /// When all bits are written.
    fn bit(&mut self, bit: bool) {
        self.bytes[self.at / 8] |= u8::from(bit) << (self.at % 8);
        self.at += 1;
    }

    /// Writes the lowest `count` bits of a number, the lowest first.
    fn number(&mut self, number: u8, count: usize) {
        for place in 0..count {
            self.bit(number >> place & 1 == 1);
        }
    }

    fn finish(self) -> [u8; BYTES] {
        debug_assert_eq!(self.at, BITS);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence of bits that starts with 1 begins with exactly one code, so that reading a code always ends.
    #[test]
    fn the_codes_are_complete() {
        for rest in 0..32u8 {
            let word = rest << 1 | 1;
            let fits = |&&(code, length): &&Code| word & ((1u16 << length) - 1) as u8 == code;
            assert_eq!(CODES.iter().filter(fits).count(), 1, "{word:06b}");
        }
    }
}
