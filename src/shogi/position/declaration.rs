//! Declarations by a king that has entered the opponent's camp (nyugyoku, 入玉), and how games end on the board.

use super::Position;
use super::repetition::Sennichite;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// The rule for a king that has entered the opponent's camp.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EnteringKingRule {
    /// No declaration.
    None,
    /// 31 points win, 24 to 30 draw (the rule of professional games).
    Points24,
    /// As `Points24`, with the pieces that White gave as a handicap counted for White.
    Points24Handicap,
    /// 28 points win for Black, 27 for White (the rule of computer tournaments).
    #[default]
    Points27,
    /// As `Points27`, with the pieces that White gave as a handicap counted for White.
    Points27Handicap,
    /// The first king to reach the square where the opponent's king starts, 5a or 5i, wins.
    Try,
}

/// The result of a valid declaration for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// The game is won.
    Win,
    /// The game is drawn, or played again.
    Draw,
}

/// What a declaration counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EnteringKingCount {
    /// Whether the king stands in the opponent's three ranks.
    pub king_entered: bool,
    /// Own pieces in those ranks, without the king.
    pub pieces: u32,
    /// Points of those pieces and of the hand: five for each rook or bishop, promoted or not, one for any other piece.
    pub points: u32,
}

/// All points of a full set of pieces.
const FULL_SET: u32 = 54;

impl Position {
    /// What a declaration by `color` would count, without the handicap.
    pub fn entering_king(&self, color: Color) -> EnteringKingCount {
        let camp = Bitboard::far_ranks(color, 3);
        let king = self.of_piece(Piece::new(color, PieceKind::King));
        let entered = (self.of_color(color) & camp).without(king);
        let hand = self.hand(color);
        let big_in_hand = u32::from(hand.count(HandKind::Bishop) + hand.count(HandKind::Rook));
        let big = (entered & self.big_pieces()).count() + big_in_hand;
        EnteringKingCount {
            king_entered: king.meets(camp),
            pieces: entered.count(),
            points: entered.count() + hand.total() + 4 * big,
        }
    }

    /// The result of a declaration by the side to move; `None` if it would be invalid, which loses the game.
    pub fn declaration(&self, rule: EnteringKingRule) -> Option<Declaration> {
        use EnteringKingRule::{None as NoRule, Points24, Points24Handicap, Points27, Points27Handicap, Try};
        let us = self.side;
        let handicap = match rule {
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
        let EnteringKingCount { king_entered, pieces, points } = self.entering_king(us);
        if !king_entered || pieces < 10 || self.in_check() || points + handicap < draw {
            return None;
        }
        Some(if points + handicap >= win { Declaration::Win } else { Declaration::Draw })
    }

    /// Whether `color`'s king stands on the square where the opponent's king starts: 5a for Black, 5i for White.
    pub fn has_tried(&self, color: Color) -> bool {
        let goal = match color {
            Color::Black => const { Square::new(4, 0) },
            Color::White => const { Square::new(4, 8) },
        };
        self.king(color) == Some(goal)
    }

    /// How the game has ended in this position under `rules`, if it has ended without resignation or declaration.
    pub fn game_end(&self, rules: &Rules) -> Option<GameEnd> {
        if rules.entering_king == EnteringKingRule::Try && self.has_tried(!self.side) {
            return Some(GameEnd::Try { winner: !self.side });
        }
        if !generate::any_legal(self) {
            return Some(GameEnd::NoMoves { loser: self.side });
        }
        if let Some(sennichite) = self.sennichite() {
            return Some(GameEnd::Sennichite(sennichite));
        }
        // The next move would be one too many.
        rules.max_moves.filter(|&max| self.move_number() > max).map(|_| GameEnd::MaxMoves)
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

/// The rules of a game that vary between clients and tournaments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Which declarations are valid.
    pub entering_king: EnteringKingRule,
    /// The number of the last move, as in SFEN. After it the game is drawn, unless it gave mate.
    pub max_moves: Option<u32>,
}

/// How a game has ended on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameEnd {
    /// The side to move has no legal move. It loses, in check or not: shogi knows no stalemate.
    NoMoves {
        /// The side to move.
        loser: Color,
    },
    /// Under the try rule, a king has reached the square where the opponent's king starts.
    Try {
        /// The side of that king.
        winner: Color,
    },
    /// The position has occurred for the fourth time.
    Sennichite(Sennichite),
    /// The maximum number of moves was played.
    MaxMoves,
}
