//! Moves, squares and pieces in CSA's letters: `+7776FU`.

use super::PIECES;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::PieceKind;
use crate::shogi::position::Position;
use crate::shogi::square::Square;
use crate::util::text::excerpt;

/// The move that `text`, like `+7776FU`, names in `position`.
///
/// # Errors
/// A message: the text is no move, or that of the other side, or the rules do not allow it.
pub fn parse_csa_move(text: &str, position: &Position) -> Result<Move, String> {
    let refused = |expected: &str| format!("'{}': expected {expected}", excerpt(text));
    let form = "a move like +7776FU";
    let (color, rest) = match text.as_bytes() {
        [sign @ (b'+' | b'-'), ..] => (color_of(*sign), &text[1..]),
        _ => return Err(refused(form)),
    };
    let (from, to, kind) = parts(rest).ok_or_else(|| refused(form))?;
    if color != position.side() {
        return Err(refused("a move of the side to move"));
    }
    let mv = named(position, from, to, kind).filter(|&mv| position.is_legal(mv));
    // CSA names the piece as it is after the move.
    mv.filter(|&mv| kind_after(position, mv) == Some(kind)).ok_or_else(|| refused("a legal move"))
}

/// The move in CSA's letters. `position` is that before the move.
pub fn csa_move(position: &Position, mv: Move) -> String {
    let from = mv.from().map_or_else(|| "00".to_string(), square_digits);
    // An illegal move from an empty square has no kind; any will do.
    let kind = letters(kind_after(position, mv).unwrap_or(PieceKind::Pawn));
    format!("{}{from}{}{kind}", sign(position.side()), square_digits(mv.to()))
}

/// The moved piece as it is after the move; `None` where there is none on its origin.
fn kind_after(position: &Position, mv: Move) -> Option<PieceKind> {
    match mv.origin() {
        Origin::Hand(kind) => Some(kind.piece_kind()),
        Origin::Board(from) => {
            let kind = position.piece_on(from)?.kind;
            if mv.is_promotion() { kind.promoted() } else { Some(kind) }
        }
    }
}

/// The move of the piece that is a `kind` afterwards; `from` is `None` for a drop. `None` where a promoted piece is dropped
/// or the piece stays where it is.
pub(super) fn named(position: &Position, from: Option<Square>, to: Square, kind: PieceKind) -> Option<Move> {
    let Some(from) = from else { return Some(Move::drop(kind.dropped()?, to)) };
    if from == to {
        return None;
    }
    let before = position.piece_on(from).map(|piece| piece.kind);
    let promotes = before.is_some_and(|before| before.promoted() == Some(kind));
    Some(if promotes { Move::promoting(from, to) } else { Move::board(from, to) })
}

/// Origin (`None` for the hand), destination and kind of a move: `7776FU`.
pub(super) fn parts(text: &str) -> Option<(Option<Square>, Square, PieceKind)> {
    let kind = piece(text.get(4..)?)?;
    Some((square(text.get(..2)?)?, square(text.get(2..4)?)??, kind))
}

pub(super) fn color_of(sign: u8) -> Color {
    if sign == b'+' { Color::Black } else { Color::White }
}

pub(super) const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

pub(super) fn piece(letters: &str) -> Option<PieceKind> {
    PIECES.iter().find(|(name, _)| *name == letters).map(|(_, kind)| *kind)
}

pub(super) fn letters(kind: PieceKind) -> &'static str {
    PIECES.iter().find(|(_, k)| *k == kind).map_or("", |(letters, _)| letters)
}

/// A square, or `None` for the hand: `00`.
pub(super) fn square(digits: &str) -> Option<Option<Square>> {
    match digits.as_bytes() {
        b"00" => Some(None),
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Some(Some(Square::new(file - b'1', rank - b'1'))),
        _ => None,
    }
}

fn square_digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_named_by_the_piece_after_the_move() {
        let mut position = Position::start();
        for text in ["+7776FU", "-3334FU", "+8822UM", "-3122GI", "+0045KA"] {
            let mv = parse_csa_move(text, &position).expect("a legal move");
            assert_eq!(csa_move(&position, mv), text);
            position.play(mv, &mut ());
        }
    }

    #[test]
    fn what_is_no_legal_move_is_refused() {
        let position = Position::start();
        for (text, expected) in [
            ("", "a move like"),
            ("7776FU", "a move like"),
            ("+77７6FU", "a move like"),
            ("+7776XX", "a move like"),
            ("+7700FU", "a move like"),
            ("-3334FU", "the side to move"),
            ("+7775FU", "a legal move"),
            ("+7776TO", "a legal move"),
            ("+7777FU", "a legal move"),
            ("+0055TO", "a legal move"),
            ("+7776GI", "a legal move"),
            ("+2822KA", "a legal move"),
        ] {
            let error = parse_csa_move(text, &position).unwrap_err();
            assert!(error.contains(text) && error.contains(expected), "{error}");
        }
    }
}
