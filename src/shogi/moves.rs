//! Moves in 16 bits.

use std::fmt;
use std::num::NonZeroU16;

use super::piece::HandKind;
use super::square::Square;
use crate::util::text::excerpt;

/// A move of a piece on the board, or a drop.
///
/// Bits 0–6 hold the destination, bits 7–13 the origin (a square, or 81 plus the dropped kind), bit 14 the promotion.
/// Bit 15 is always set, so that `Option<Move>` has 16 bits as well and a zeroed table holds no moves.
///
/// A move knows nothing of the position. Whether it can be played is for `Position::is_legal` to check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

const PRESENT: NonZeroU16 = NonZeroU16::new(1 << 15).unwrap();
const PROMOTE: u16 = 1 << 14;
const DROP: u16 = Square::COUNT as u16;

/// The origin of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The hand.
    Hand(HandKind),
}

impl Move {
    /// A move on the board without promotion.
    pub fn board(from: Square, to: Square) -> Move {
        Move(PRESENT | (from.index() as u16) << 7 | to.index() as u16)
    }

    /// A move on the board with promotion.
    pub fn promoting(from: Square, to: Square) -> Move {
        Move(PRESENT | PROMOTE | (from.index() as u16) << 7 | to.index() as u16)
    }

    /// A drop.
    pub fn drop(kind: HandKind, to: Square) -> Move {
        Move(PRESENT | (DROP + kind.index() as u16) << 7 | to.index() as u16)
    }

    /// The move with this word, if it is well-formed: squares on the board, an existing kind, origin and destination
    /// different, no promoting drop.
    pub fn from_word(word: u16) -> Option<Move> {
        let mv = Move(NonZeroU16::new(word)?);
        let (from, to) = ((word >> 7) & 127, word & 127);
        let well_formed = word & PRESENT.get() != 0
            && to < DROP
            && from < DROP + HandKind::COUNT as u16
            && from != to
            && (from < DROP || word & PROMOTE == 0);
        well_formed.then_some(mv)
    }

    /// The 16 bits, never zero.
    pub const fn word(self) -> u16 {
        self.0.get()
    }

    /// The destination.
    pub const fn to(self) -> Square {
        Square::from_index_bounded((self.word() & 127) as u8)
    }

    /// The origin: a square or the hand.
    pub const fn origin(self) -> Origin {
        let from = (self.word() >> 7) & 127;
        if from < DROP {
            Origin::Board(Square::from_index_bounded(from as u8))
        } else {
            Origin::Hand(HandKind::ALL[(from - DROP) as usize])
        }
    }

    /// How many origins there are: squares and kinds that can be dropped.
    pub const ORIGINS: usize = Square::COUNT + HandKind::COUNT;

    /// The number of the origin, under [`ORIGINS`](Self::ORIGINS): that of the square, or [`Square::COUNT`] and that of the
    /// dropped kind.
    pub const fn origin_index(self) -> usize {
        ((self.word() >> 7) & 127) as usize
    }

    /// How many routes there are, with gaps between them.
    pub const ROUTES: usize = 1 << 14;

    /// A number of its own, under [`ROUTES`](Self::ROUTES), for each origin and destination, the same whether the move
    /// promotes or not.
    pub const fn route(self) -> usize {
        self.word() as usize % Self::ROUTES
    }

    /// The square of origin; `None` for a drop.
    pub const fn from(self) -> Option<Square> {
        match self.origin() {
            Origin::Board(from) => Some(from),
            Origin::Hand(_) => None,
        }
    }

    /// The dropped kind; `None` for a move on the board.
    pub const fn dropped(self) -> Option<HandKind> {
        match self.origin() {
            Origin::Board(_) => None,
            Origin::Hand(kind) => Some(kind),
        }
    }

    /// Whether the move is a drop.
    pub const fn is_drop(self) -> bool {
        (self.word() >> 7) & 127 >= DROP
    }

    /// The same move as the other side sees it, with the board turned by half.
    pub fn rotated(self) -> Move {
        let to = self.to().rotated();
        match self.origin() {
            Origin::Hand(kind) => Move::drop(kind, to),
            Origin::Board(from) if self.is_promotion() => Move::promoting(from.rotated(), to),
            Origin::Board(from) => Move::board(from.rotated(), to),
        }
    }

    /// Whether the piece promotes.
    pub const fn is_promotion(self) -> bool {
        self.word() & PROMOTE != 0
    }
}

const HAND_LETTERS: [char; HandKind::COUNT] = ['P', 'L', 'N', 'S', 'G', 'B', 'R'];

/// As in USI: `7g7f`, `8h2b+`, `P*5e`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => {
                write!(f, "{from}{}{}", self.to(), if self.is_promotion() { "+" } else { "" })
            }
            Origin::Hand(kind) => write!(f, "{}*{}", HAND_LETTERS[kind.index()], self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a USI move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotAMove(String);

impl fmt::Display for NotAMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a move: expected a form like 7g7f, 8h2b+ or P*5e", self.0)
    }
}

impl std::error::Error for NotAMove {}

impl std::str::FromStr for Move {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Move, NotAMove> {
        let parse = || {
            let to = text.get(2..4)?.parse().ok()?;
            let tail = &text[4..];
            if text.as_bytes()[1] == b'*' {
                let letter = text.chars().next()?;
                let kind = HAND_LETTERS.iter().position(|&l| l == letter)?;
                return tail.is_empty().then(|| Move::drop(HandKind::ALL[kind], to));
            }
            let from = text.get(0..2)?.parse().ok()?;
            match tail {
                _ if from == to => None,
                "" => Some(Move::board(from, to)),
                "+" => Some(Move::promoting(from, to)),
                _ => None,
            }
        };
        // The text may be a whole file; the message quotes only its beginning.
        parse().ok_or_else(|| NotAMove(excerpt(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_texts_round_trip() {
        let mut well_formed = 0;
        for word in 0..=u16::MAX {
            if let Some(mv) = Move::from_word(word) {
                well_formed += 1;
                assert_eq!(mv.word(), word);
                assert_eq!(mv.to_string().parse(), Ok(mv));
            }
        }
        assert_eq!(well_formed, 81 * 80 * 2 + 7 * 81);
    }

    #[test]
    fn text_that_is_not_a_move_is_an_error() {
        for text in [
            "",
            "7g",
            "7g7",
            "7g7g",
            "0a1a",
            "7g7j",
            "K*5e",
            "p*5e",
            "P*5e+",
            "7g7f++",
            "７六歩",
            "resign",
            "P＊5e",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }
}
