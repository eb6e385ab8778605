//! Mate in one move.
//!
//! As in YSS (YSS 7.0, §5.1), a check is first compared with the squares that the king could flee to: a piece that does
//! not cover all of them cannot mate. The test alone is not exact (YSS's figure 10: a dropped silver cuts the line of a
//! dragon and opens a new flight square), which is why YSS plays the remaining checks. Here they are judged on a
//! `Sketch` of the board after the check, with every reply: the king's steps, captures of the checking piece, pieces
//! moved and dropped in between. So the answer is exact, and no move is made.

use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::generate::{self, NonPromotions, Sink};
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::position::checks::CheckSquares;
use crate::shogi::square::Square;

/// A legal move of the side to move that mates, if there is one; `None` where the opponent has no king. The side to
/// move may be in check or have no king.
pub fn mate_in_one(position: &Position) -> Option<Move> {
    let us = position.side();
    let king = position.king(!us)?;
    let checks = position.check_squares();
    let mut finder = Finder { position, king, flights: None, found: None };
    let own_king = position.king(us).map_or(Bitboard::EMPTY, Bitboard::of);
    if position.in_check() || checks.discoverers().meets(own_king) {
        generate::checks(position, NonPromotions::All, &mut finder);
    } else {
        // Here every move that stays on the line of a pin is legal, except those of the king, which cannot give check.
        // Looking only at pieces that may reach a checking square takes half the generator's time.
        finder.drops_from(&checks);
        finder.moves_of(&checks);
    }
    finder.found
}

/// Whether the legal move `mv` mates.
pub fn mates(position: &Position, mv: Move) -> bool {
    match (position.king(!position.side()), Sketch::new(position, mv)) {
        (Some(king), Some(sketch)) => sketch.is_mate(king),
        _ => false,
    }
}

/// The squares next to `king`, the king of the side that does not move, that it could step to were it to move now.
fn flights(position: &Position, king: Square) -> Bitboard {
    let us = position.side();
    let behind_king = position.occupied().without(Bitboard::of(king));
    let mut flights = attacks::king(king).without(position.of_color(!us));
    flights.for_each(|to| {
        if position.is_attacked(to, us, behind_king) {
            flights ^= Bitboard::of(to);
        }
    });
    flights
}

/// The squares from which a piece other than a slider may get to give check to a king: within two files, and within two
/// ranks for pieces that step, four for knights.
static NEAR: [[Bitboard; 2]; Square::COUNT] = {
    let mut table = [[Bitboard::EMPTY; 2]; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT * Square::COUNT {
        let (centre, other) = (index / Square::COUNT, index % Square::COUNT);
        let (files, ranks) = ((centre / 9).abs_diff(other / 9), (centre % 9).abs_diff(other % 9));
        if files <= 2 {
            let bit = 1 << other;
            let [steppers, knights] = table[centre];
            table[centre] = [
                if ranks <= 2 { Bitboard::from_bits(steppers.bits() | bit) } else { steppers },
                if ranks <= 4 { Bitboard::from_bits(knights.bits() | bit) } else { knights },
            ];
        }
        index += 1;
    }
    table
};

/// Receives checks and keeps the first that mates.
struct Finder<'a> {
    position: &'a Position,
    king: Square,
    /// Where the king could go before the check, once that was needed.
    flights: Option<Bitboard>,
    found: Option<Move>,
}

impl Finder<'_> {
    /// Drops that give check, where the side to move is not in check itself.
    fn drops_from(&mut self, checks: &CheckSquares) {
        let us = self.position.side();
        let hand = self.position.hand(us);
        let empty = !self.position.occupied();
        for kind in HandKind::ALL {
            if hand.has(kind) {
                let piece = Piece::new(us, kind.piece_kind());
                self.drops(kind, (checks.of(piece.kind) & empty).without(piece.immobile_squares()));
            }
        }
    }

    /// Checks by the pieces on the board other than the king, where the side to move is not in check itself.
    fn moves_of(&mut self, checks: &CheckSquares) {
        use PieceKind::{Bishop, Dragon, Horse, King, Knight, Lance, Rook};
        let us = self.position.side();
        let (own, occupied, pinned) =
            (self.position.of_color(us), self.position.occupied(), self.position.pinned(us));
        let of = |kind| self.position.of_kind(kind);
        let sliders = of(Lance) | of(Bishop) | of(Rook) | of(Horse) | of(Dragon);
        let [near, near_for_knights] = NEAR[self.king.index()];
        let candidates =
            (near | sliders | of(Knight) & near_for_knights | checks.discoverers()) & own.without(of(King));
        let zone = Bitboard::far_ranks(us, 3);
        candidates.for_each(|from| {
            let Some(piece) = self.position.piece_on(from) else { return };
            let mut to = attacks::of(piece, from, occupied).without(own);
            if let Some(own_king) = self.position.king(us).filter(|_| pinned.contains(from)) {
                to &= attacks::line_through(own_king, from);
            }
            let discovering = checks.discovering(from);
            let plain = (to & (checks.of(piece.kind) | discovering)).without(piece.immobile_squares());
            let promoting = match piece.kind.promoted() {
                Some(promoted) => {
                    let in_zone = if zone.contains(from) { to } else { to & zone };
                    in_zone & (checks.of(promoted) | discovering)
                }
                None => Bitboard::EMPTY,
            };
            if !(plain | promoting).is_empty() {
                self.piece(from, plain, promoting);
            }
        });
    }

    /// The flights that `piece` on `to` would not cover even with nothing in its way.
    fn left_open(&mut self, piece: Piece, to: Square) -> Bitboard {
        let flights = *self.flights.get_or_insert_with(|| flights(self.position, self.king));
        flights.without(attacks::on_empty_board(piece, to))
    }

    fn on_board(&mut self, piece: Piece, from: Square, to: Square, mv: Move) {
        // A flight that the piece does not cover can be covered only by a slider that the move uncovers.
        let open = self.left_open(piece, to);
        if open.without(lines_of(from)).is_empty() {
            self.try_out(mv);
        }
    }

    fn try_out(&mut self, mv: Move) {
        if self.found.is_none()
            && Sketch::new(self.position, mv).is_some_and(|sketch| sketch.is_mate(self.king))
        {
            self.found = Some(mv);
        }
    }
}

impl Sink for Finder<'_> {
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        if let Some(kind) = piece.kind.promoted() {
            let promoted = Piece::new(piece.color, kind);
            promoting.for_each(|to| self.on_board(promoted, from, to, Move::promoting(from, to)));
        }
        plain.for_each(|to| self.on_board(piece, from, to, Move::board(from, to)));
    }

    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let from = |to: Square| Bitboard::of(to).forward(!color).first();
        let (pawn, tokin) = (Piece::new(color, PieceKind::Pawn), Piece::new(color, PieceKind::ProPawn));
        promoting.for_each(|to| {
            if let Some(from) = from(to) {
                self.on_board(tokin, from, to, Move::promoting(from, to));
            }
        });
        plain.for_each(|to| {
            if let Some(from) = from(to) {
                self.on_board(pawn, from, to, Move::board(from, to));
            }
        });
    }

    fn drops(&mut self, kind: HandKind, to: Bitboard) {
        // A dropped pawn that mates is no legal move.
        if kind == HandKind::Pawn {
            return;
        }
        let piece = Piece::new(self.position.side(), kind.piece_kind());
        to.for_each(|to| {
            // A drop uncovers nothing. The flights include the square itself where the king could take the piece.
            if self.left_open(piece, to).is_empty() {
                self.try_out(Move::drop(kind, to));
            }
        });
    }
}

/// The rank, the file and the diagonals of `square`.
fn lines_of(square: Square) -> Bitboard {
    let seen = |kind| attacks::on_empty_board(Piece::new(Color::Black, kind), square);
    seen(PieceKind::Rook) | seen(PieceKind::Bishop)
}

/// The board after a move that has not been made.
struct Sketch<'a> {
    position: &'a Position,
    /// The piece that moves, as it stands after the move.
    piece: Piece,
    to: Square,
    /// Squares on which the position has another piece: where the piece came from and where it is now.
    changed: Bitboard,
    occupied: Bitboard,
}

impl<'a> Sketch<'a> {
    /// `None` where no piece stands on the square the move comes from.
    fn new(position: &'a Position, mv: Move) -> Option<Sketch<'a>> {
        let (kind, vacated) = match mv.origin() {
            Origin::Hand(kind) => (kind.piece_kind(), Bitboard::EMPTY),
            Origin::Board(from) => {
                let kind = position.piece_on(from)?.kind;
                let promoted = if mv.is_promotion() { kind.promoted() } else { None };
                (promoted.unwrap_or(kind), Bitboard::of(from))
            }
        };
        let to = mv.to();
        Some(Sketch {
            position,
            piece: Piece::new(position.side(), kind),
            to,
            changed: vacated | Bitboard::of(to),
            occupied: position.occupied().without(vacated) | Bitboard::of(to),
        })
    }

    /// `color`'s pieces that attack `square` when the pieces stand on `occupied`.
    fn attackers(&self, square: Square, color: Color, occupied: Bitboard) -> Bitboard {
        let others = self.position.attackers(square, color, occupied).without(self.changed);
        let Sketch { piece, to, .. } = *self;
        if piece.color == color
            && attacks::on_empty_board(piece, to).contains(square)
            && !attacks::between(to, square).meets(occupied)
        {
            others | Bitboard::of(to)
        } else {
            others
        }
    }

    /// `color`'s pieces.
    fn of_color(&self, color: Color) -> Bitboard {
        let others = self.position.of_color(color).without(self.changed);
        if self.piece.color == color { others | Bitboard::of(self.to) } else { others }
    }

    /// Whether `color`'s `king` has no square to go to when the pieces stand on `occupied`.
    fn is_confined(&self, king: Square, color: Color, occupied: Bitboard) -> bool {
        let behind_king = occupied.without(Bitboard::of(king));
        attacks::king(king)
            .without(self.of_color(color))
            .into_iter()
            .all(|to| !self.attackers(to, !color, behind_king).is_empty())
    }

    /// Whether a piece of `color` other than its `king` may go to `square`, when the pieces stand on `occupied` and
    /// the opponent's pieces on `taken` are off the board once it has.
    fn can_reach(
        &self,
        square: Square,
        color: Color,
        king: Square,
        occupied: Bitboard,
        taken: Bitboard,
    ) -> bool {
        let pieces = self.attackers(square, color, occupied).without(Bitboard::of(king));
        pieces.into_iter().any(|from| {
            let left = occupied.without(Bitboard::of(from)) | Bitboard::of(square);
            self.attackers(king, !color, left).without(taken).is_empty()
        })
    }

    /// Whether the opponent, whose king is on `king`, is in check and has no legal move.
    fn is_mate(&self, king: Square) -> bool {
        let (us, them) = (self.piece.color, !self.piece.color);
        if !self.is_confined(king, them, self.occupied) {
            return false;
        }
        let checkers = self.attackers(king, us, self.occupied);
        let Some(checker) = checkers.first() else { return false };
        if checkers.has_several() {
            return true;
        }
        !self.can_reach(checker, them, king, self.occupied, checkers)
            && attacks::between(king, checker).into_iter().all(|square| {
                !self.can_reach(square, them, king, self.occupied, Bitboard::EMPTY)
                    && !self.can_interpose_drop(square, them)
            })
    }

    /// Whether `them` may drop a piece on `square`, where it parries the only check.
    ///
    /// Such a pawn never mates, so it is never forbidden for that: the checking slider takes it. Only a pin could keep
    /// it from that, and then the pinning piece takes the slider instead, and has been found to answer the check. (It
    /// would have to be pinned in turn. But with a king right behind the pawn, no square from which a piece pins the
    /// slider to that king lies on a line with the other king.)
    fn can_interpose_drop(&self, square: Square, them: Color) -> bool {
        let hand = self.position.hand(them);
        let pawns = self.position.of_piece(Piece::new(them, PieceKind::Pawn)).without(self.changed);
        HandKind::ALL.into_iter().any(|kind| {
            hand.has(kind)
                && !Piece::new(them, kind.piece_kind()).immobile_squares().contains(square)
                && (kind != HandKind::Pawn || !pawns.meets(Bitboard::file(square.file())))
        })
    }
}
