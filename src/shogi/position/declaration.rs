//! How a game ends other than by mate or resignation: entering kings (nyugyoku, 入玉) and too many moves.

use super::Position;
use super::repetition::Sennichite;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// Which rule decides about a king that has entered the opponent's camp.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EnteringKingRule {
    /// There is no declaration.
    None,
    /// 31 points win, 24 to 30 draw (the professionals' rule).
    Points24,
    /// As `Points24`, with the points of the pieces that White gave as odds counted for White.
    Points24Handicap,
    /// 28 points win for Black, 27 for White (the computer tournaments' rule).
    #[default]
    Points27,
    /// As `Points27`, with the points of the pieces that White gave as odds counted for White.
    Points27Handicap,
    /// The first king on the square where the opponent's king starts, 5a or 5i, wins.
    Try,
}

/// What a valid declaration brings the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// The game is won.
    Win,
    /// The game is drawn, or played again.
    Draw,
}

/// What is counted for a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnteringKing {
    /// Whether the king stands in the opponent's three ranks.
    pub king_entered: bool,
    /// Own pieces in those ranks, the king left out.
    pub pieces: u32,
    /// Five for each rook or bishop, promoted or not, and one for each other piece: those in these ranks and in hand.
    pub points: u32,
}

/// All points of a full set of pieces.
const FULL_SET: u32 = 54;

impl Position {
    /// What a declaration by `color` would count, without handicap corrections.
    pub fn entering_king(&self, color: Color) -> EnteringKing {
        let camp = Bitboard::far_ranks(color, 3);
        let king = self.of_piece(Piece::new(color, PieceKind::King));
        let entered = (self.of_color(color) & camp).without(king);
        let hand = self.hand(color);
        let big_in_hand = u32::from(hand.count(HandKind::Bishop) + hand.count(HandKind::Rook));
        let big = (entered & self.big_pieces()).count() + big_in_hand;
        EnteringKing {
            king_entered: king.meets(camp),
            pieces: entered.count(),
            points: entered.count() + hand.total() + 4 * big,
        }
    }

    /// What the side to move gains by declaring; `None` where the declaration would be wrong, and lose.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        use EnteringKingRule::{None as NoRule, Points24, Points24Handicap, Points27, Points27Handicap, Try};
        let us = self.side;
        let odds = match rule {
            Points24Handicap | Points27Handicap if us == Color::White => FULL_SET - self.points_in_play(),
            _ => 0,
        };
        let (draw, win) = match rule {
            NoRule => return None,
            Try => return self.has_tried(us).then_some(Declaration::Win),
            Points24 | Points24Handicap => (24, 31),
            Points27 | Points27Handicap if us == Color::Black => (28, 28),
            Points27 | Points27Handicap => (27, 27),
        };
        let EnteringKing { king_entered, pieces, points } = self.entering_king(us);
        if !king_entered || pieces < 10 || self.in_check() || points + odds < draw {
            return None;
        }
        Some(if points + odds >= win { Declaration::Win } else { Declaration::Draw })
    }

    /// Whether `color`'s king stands where the opponent's king starts an even game: 5a for Black, 5i for White.
    pub fn has_tried(&self, color: Color) -> bool {
        let goal = match color {
            Color::Black => const { Square::new(4, 0) },
            Color::White => const { Square::new(4, 8) },
        };
        self.king(color) == Some(goal)
    }

    /// The end of the game in this position under `rules`, if it has ended without resignation or declaration.
    pub fn ending(&self, rules: &Rules) -> Option<Ending> {
        if rules.entering_king == EnteringKingRule::Try && self.has_tried(!self.side) {
            return Some(Ending::Try { winner: !self.side });
        }
        if !generate::any_legal(self) {
            return Some(Ending::NoMoves { loser: self.side });
        }
        if let Some(sennichite) = self.sennichite() {
            return Some(Ending::Sennichite(sennichite));
        }
        // The move to come would be one too many.
        rules.max_moves.filter(|&max| self.move_number() > max).map(|_| Ending::MaxMoves)
    }

    fn big_pieces(&self) -> Bitboard {
        [PieceKind::Bishop, PieceKind::Rook, PieceKind::Horse, PieceKind::Dragon]
            .into_iter()
            .fold(Bitboard::EMPTY, |set, kind| set | self.of_kind(kind))
    }

    fn points_in_play(&self) -> u32 {
        let kings = self.of_kind(PieceKind::King).count();
        let hands = [self.hand(Color::Black), self.hand(Color::White)];
        let big_in_hand: u32 = hands
            .iter()
            .map(|hand| u32::from(hand.count(HandKind::Bishop) + hand.count(HandKind::Rook)))
            .sum();
        let pieces = self.occupied().count() - kings + hands[0].total() + hands[1].total();
        pieces + 4 * (self.big_pieces().count() + big_in_hand)
    }
}

/// What a game is played by beyond the moves of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Which declarations are valid.
    pub entering_king: EnteringKingRule,
    /// The number of the last move, counted as in SFEN from the start of the game: without mate the game is drawn
    /// after it.
    pub max_moves: Option<u32>,
}

/// How a game has ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The side to move has no legal move: it is mated (a stalemate is the same in shogi).
    NoMoves {
        /// The side to move.
        loser: Color,
    },
    /// A king has reached the opponent's king's first square under the try rule.
    Try {
        /// The side whose king it is.
        winner: Color,
    },
    /// The position has occurred for the fourth time.
    Sennichite(Sennichite),
    /// The last allowed move was played.
    MaxMoves,
}
