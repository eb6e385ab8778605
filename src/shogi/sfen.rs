//! SFEN (Shogi Forsyth–Edwards notation): positions as USI writes them.
//!
//! `lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1`: the ranks from a to i, each from file 9 to 1; the
//! side to move; the hands; the number of the next move.

use std::fmt;

use super::color::Color;
use super::piece::{HandKind, Piece, PieceKind};
use super::position::Position;
use super::setup::{InvalidPosition, Setup};
use super::square::Square;
use crate::util::text::excerpt;

/// The start of an even game.
pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

/// What is wrong with an SFEN.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SfenError {
    /// Fewer fields than board, side and hands.
    Fields(usize),
    /// Not nine ranks.
    Ranks(usize),
    /// A rank (by its letter) does not fill nine squares.
    RankLength(char, usize),
    /// On this rank, this text is neither a piece nor a count of empty squares, or promotes a piece that cannot.
    Board(char, String),
    /// Neither `b` nor `w`.
    Side(String),
    /// The hands are not `-` or counts and letters.
    Hands(String),
    /// The move number is not a number.
    MoveNumber(String),
    /// There is text after the move number.
    Trailing(String),
    /// Well-formed, but the rules do not allow the position.
    Invalid(InvalidPosition),
}

impl fmt::Display for SfenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SFEN: ")?;
        match self {
            SfenError::Fields(found) => {
                let fields = if *found == 1 { "field" } else { "fields" };
                write!(f, "{found} {fields}: expected board, side to move, hands and move number")
            }
            SfenError::Ranks(1) => write!(f, "1 rank: expected 9"),
            SfenError::Ranks(found) => write!(f, "{found} ranks: expected 9"),
            SfenError::RankLength(rank, found) => {
                write!(f, "rank {rank} has {found} squares: expected 9")
            }
            SfenError::Board(rank, text) => {
                write!(
                    f,
                    "'{text}' on rank {rank}: expected PLNSGBRK or plnsgbrk, '+' before PLNSBR, or 1 to 9"
                )
            }
            SfenError::Side(text) => write!(f, "side to move '{text}': expected b or w"),
            SfenError::Hands(text) => {
                write!(f, "hands '{text}': expected '-' or letters with counts, like 2Pb")
            }
            SfenError::MoveNumber(text) => write!(f, "move number '{text}': expected a number from 1"),
            SfenError::Trailing(text) => write!(f, "'{text}' after the move number: expected nothing"),
            SfenError::Invalid(invalid) => write!(f, "{invalid}"),
        }
    }
}

impl std::error::Error for SfenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SfenError::Invalid(invalid) => Some(invalid),
            _ => None,
        }
    }
}

/// Reads a position. The move number may be missing (it is then 1); any white space separates the fields.
///
/// # Errors
/// See [`SfenError`].
pub fn parse(text: &str) -> Result<Position, SfenError> {
    Position::new(&parse_setup(text)?).map_err(SfenError::Invalid)
}

/// Reads a mate problem: like [`parse`], with the exceptions of [`Position::of_problem`].
///
/// # Errors
/// See [`SfenError`].
pub fn parse_problem(text: &str) -> Result<Position, SfenError> {
    Position::of_problem(&parse_setup(text)?).map_err(SfenError::Invalid)
}

/// Reads the pieces without checking that the rules allow them.
///
/// # Errors
/// See [`SfenError`].
pub fn parse_setup(text: &str) -> Result<Setup, SfenError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let (board, side, hands) = match fields[..] {
        [board, side, hands, ..] => (board, side, hands),
        _ => return Err(SfenError::Fields(fields.len())),
    };
    let mut setup = Setup::EMPTY;
    parse_board(board, &mut setup)?;
    setup.side = match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return Err(SfenError::Side(excerpt(side))),
    };
    parse_hands(hands, &mut setup)?;
    if let Some(number) = fields.get(3) {
        let parsed: Option<u32> = number.parse().ok();
        // Some programs count the first move as 0.
        setup.move_number = parsed.ok_or_else(|| SfenError::MoveNumber(excerpt(number)))?.max(1);
    }
    match fields.get(4) {
        Some(more) => Err(SfenError::Trailing(excerpt(more))),
        None => Ok(setup),
    }
}

/// Writes the position with its move number.
pub fn write(position: &Position) -> String {
    let mut text = String::with_capacity(96);
    for rank in 0..9 {
        if rank > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in (0..9).rev() {
            let Some(piece) = position.piece_on(Square::new(file, rank)) else {
                empty += 1;
                continue;
            };
            push_count(&mut text, empty, 0);
            empty = 0;
            if piece.kind.is_promoted() {
                text.push('+');
            }
            text.push(letter(Piece::new(piece.color, piece.kind.unpromoted())));
        }
        push_count(&mut text, empty, 0);
    }
    text.push_str(if position.side() == Color::Black { " b " } else { " w " });
    let before_hands = text.len();
    for color in Color::ALL {
        // Most valuable first, as other programs write it.
        for kind in HandKind::ALL.into_iter().rev() {
            let count = position.hand(color).count(kind);
            if count > 0 {
                push_count(&mut text, count, 1);
                text.push(letter(Piece::new(color, kind.piece_kind())));
            }
        }
    }
    if text.len() == before_hands {
        text.push('-');
    }
    text.push_str(&format!(" {}", position.move_number()));
    text
}

/// Shows the position as SFEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", write(self))
    }
}

/// Writes the count, unless it is `implied` or less.
fn push_count(text: &mut String, count: u8, implied: u8) {
    if count > implied {
        text.push_str(&count.to_string());
    }
}

const LETTERS: [(PieceKind, char); 8] = [
    (PieceKind::Pawn, 'p'),
    (PieceKind::Lance, 'l'),
    (PieceKind::Knight, 'n'),
    (PieceKind::Silver, 's'),
    (PieceKind::Gold, 'g'),
    (PieceKind::Bishop, 'b'),
    (PieceKind::Rook, 'r'),
    (PieceKind::King, 'k'),
];

/// The letter of an unpromoted piece: upper case for Black.
fn letter(piece: Piece) -> char {
    let (_, lower) = LETTERS[piece.kind.index()];
    if piece.color == Color::Black { lower.to_ascii_uppercase() } else { lower }
}

fn piece_of(letter: char) -> Option<Piece> {
    let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
    let (kind, _) = LETTERS.iter().find(|(_, lower)| *lower == letter.to_ascii_lowercase())?;
    Some(Piece::new(color, *kind))
}

fn parse_board(text: &str, setup: &mut Setup) -> Result<(), SfenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 9 {
        return Err(SfenError::Ranks(ranks.len()));
    }
    for (rank, text) in (0u8..).zip(ranks) {
        let name = (b'a' + rank) as char;
        let mut filled: usize = 0;
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            if let Some(empty @ 1..=9) = c.to_digit(10) {
                filled += empty as usize;
                continue;
            }
            let bad = |c: &str| SfenError::Board(name, excerpt(c));
            let piece = if c == '+' {
                let base = chars.next().ok_or_else(|| bad("+"))?;
                let error = || bad(&format!("+{base}"));
                let piece = piece_of(base).ok_or_else(error)?;
                Piece::new(piece.color, piece.kind.promoted().ok_or_else(error)?)
            } else {
                piece_of(c).ok_or_else(|| bad(&c.to_string()))?
            };
            if filled < 9 {
                setup.board[Square::new(8 - filled as u8, rank).index()] = Some(piece);
            }
            filled += 1;
        }
        if filled != 9 {
            return Err(SfenError::RankLength(name, filled));
        }
    }
    Ok(())
}

fn parse_hands(text: &str, setup: &mut Setup) -> Result<(), SfenError> {
    if text == "-" {
        return Ok(());
    }
    let bad = || SfenError::Hands(excerpt(text));
    // Some programs write the attacker's king, which is missing from the board of a problem, among the defender's hand.
    let kings = setup.board.iter().flatten().filter(|piece| piece.kind == PieceKind::King).count();
    let mut unused_kings = 2usize.saturating_sub(kings);
    let mut count: Option<u8> = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            let number = u32::from(count.unwrap_or(0)) * 10 + digit;
            count = Some(u8::try_from(number).ok().filter(|&n| (1..=18).contains(&n)).ok_or_else(bad)?);
            continue;
        }
        let piece = piece_of(c).ok_or_else(bad)?;
        let number = count.take().unwrap_or(1);
        if let Some(kind) = piece.kind.hand_kind() {
            let held = &mut setup.hands[piece.color][kind.index()];
            *held = held.saturating_add(number);
        } else if usize::from(number) <= unused_kings {
            unused_kings -= usize::from(number);
        } else {
            return Err(bad());
        }
    }
    if count.is_some() { Err(bad()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_is_the_start_of_an_even_game() {
        assert_eq!(parse_setup(START), Ok(Setup::start()));
        assert_eq!(write(&Position::start()), START);
    }
}
