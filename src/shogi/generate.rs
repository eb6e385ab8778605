//! Legal moves.
//!
//! Generation works on sets: for each piece it finds the squares where it may go, and a [`Sink`] decides what to make
//! of them: a list, a count, a filter. Every function gives legal moves only.

mod captures;
mod checks;
mod evasions;
mod promotions;
mod quiets;

use arrayvec::ArrayVec;

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::moves::Move;
use super::piece::{HandKind, Piece, PieceKind};
use super::position::{Position, stuck};
use super::square::Square;
pub use captures::captures;
pub use checks::checks;
pub use evasions::evasions;
pub use promotions::promotions;
pub use quiets::quiets;

/// Room for the legal moves of any position.
///
/// With both kings 593 is the most. Where a king is missing there are more: at most 567 drops (seven kinds, 81 squares)
/// while the pieces on the board have, beyond the seven drops that each takes away by standing there, 25 for a rook
/// and for a bishop, 4 for each of three lances, 3 for each of three silvers, 1 for a king, and less than none for any
/// other: 639.
pub const MAX_MOVES: usize = 640;

/// A list of moves without allocation.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Which moves without promotion are wanted where the piece could promote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NonPromotions {
    /// All that are legal.
    All,
    /// Without those that are never better than the promotion, save to avoid mate by a dropped pawn: by pawn, bishop
    /// and rook, and by a lance on the second rank.
    Useful,
}

/// Takes sets of moves as they are generated.
pub trait Sink {
    /// The piece on `from` may go to each square of `plain` without and of `promoting` with promotion.
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard);

    /// `color`'s pawns may step to each square of `plain` without and of `promoting` with promotion.
    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard);

    /// A piece of `kind` may be dropped on each square of `to`.
    fn drops(&mut self, kind: HandKind, to: Bitboard);
}

impl Sink for MoveList {
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        promoting.for_each(|to| self.push(Move::promoting(from, to)));
        plain.for_each(|to| self.push(Move::board(from, to)));
    }

    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let behind = |to: Square| match color {
            Color::Black => Square::from_index_bounded(to.index() as u8 + 1),
            Color::White => Square::from_index_bounded(to.index() as u8 - 1),
        };
        promoting.for_each(|to| self.push(Move::promoting(behind(to), to)));
        plain.for_each(|to| self.push(Move::board(behind(to), to)));
    }

    fn drops(&mut self, kind: HandKind, to: Bitboard) {
        to.for_each(|to| self.push(Move::drop(kind, to)));
    }
}

/// Counts moves without making a list.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count(
    /// Moves taken so far.
    pub u32,
);

impl Sink for Count {
    fn piece(&mut self, _: Square, plain: Bitboard, promoting: Bitboard) {
        self.0 += plain.count() + promoting.count();
    }

    fn pawns(&mut self, _: Color, plain: Bitboard, promoting: Bitboard) {
        self.0 += plain.count() + promoting.count();
    }

    fn drops(&mut self, _: HandKind, to: Bitboard) {
        self.0 += to.count();
    }
}

/// Every legal move, or every useful one.
pub fn legal<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    if position.in_check() {
        evasions(position, wanted, sink);
    } else {
        let own = position.of_color(position.side());
        let pieces = Pieces::new(position, wanted);
        pieces.moves(!own, sink);
        pieces.king_moves(!own, sink);
        drops(position, Bitboard::FULL, sink);
    }
}

/// Every legal move as a list.
pub fn all_legal(position: &Position) -> MoveList {
    let mut list = MoveList::new();
    legal(position, NonPromotions::All, &mut list);
    list
}

/// How many legal moves there are.
pub fn count_legal(position: &Position) -> u32 {
    let mut count = Count::default();
    legal(position, NonPromotions::All, &mut count);
    count.0
}

/// Whether there is a legal move.
pub fn any_legal(position: &Position) -> bool {
    // Asked where a game or a mate ends: not often enough for a generator that stops at the first.
    count_legal(position) > 0
}

/// What the generators of moves on the board share.
struct Pieces<'a> {
    position: &'a Position,
    us: Color,
    occupied: Bitboard,
    pinned: Bitboard,
    wanted: NonPromotions,
}

impl<'a> Pieces<'a> {
    fn new(position: &'a Position, wanted: NonPromotions) -> Pieces<'a> {
        let us = position.side();
        let occupied = position.occupied();
        Pieces { position, us, occupied, pinned: position.pinned(us), wanted }
    }

    /// Moves of all pieces but the king to squares of `targets`, which holds no own piece and, in check, only squares
    /// that answer it.
    fn moves<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        self.pawns(targets, sink);
        self.kind(PieceKind::Lance, targets, sink, |from| attacks::lance(self.us, from, self.occupied));
        self.knights(targets, sink);
        let stepping = |kind| move |from| attacks::on_empty_board(Piece::new(self.us, kind), from);
        self.kind(PieceKind::Silver, targets, sink, stepping(PieceKind::Silver));
        self.kind(PieceKind::Bishop, targets, sink, |from| attacks::bishop(from, self.occupied));
        self.kind(PieceKind::Rook, targets, sink, |from| attacks::rook(from, self.occupied));
        let golds = self.position.gold_movers() & self.position.of_color(self.us);
        self.never_promoting(golds, targets, sink, stepping(PieceKind::Gold));
        let horses = self.position.of_piece(Piece::new(self.us, PieceKind::Horse));
        self.never_promoting(horses, targets, sink, |from| {
            attacks::bishop(from, self.occupied) | attacks::king(from)
        });
        let dragons = self.position.of_piece(Piece::new(self.us, PieceKind::Dragon));
        self.never_promoting(dragons, targets, sink, |from| {
            attacks::rook(from, self.occupied) | attacks::king(from)
        });
    }

    /// Moves of the king to those squares of `targets` that are not attacked.
    fn king_moves<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        let Some(king) = self.position.king(self.us) else { return };
        let behind_king = self.occupied.without(Bitboard::of(king));
        let mut safe = attacks::king(king) & targets;
        safe.for_each(|to| {
            if self.position.is_attacked(to, !self.us, behind_king) {
                safe ^= Bitboard::of(to);
            }
        });
        if !safe.is_empty() {
            sink.piece(king, safe, Bitboard::EMPTY);
        }
    }

    fn pawns<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        let mut pawns = self.position.of_piece(Piece::new(self.us, PieceKind::Pawn));
        if let Some(king) = self.position.king(self.us)
            && self.pinned.meets(pawns)
        {
            // A pinned pawn moves only where the line runs along the file.
            pawns = pawns.without(self.pinned) | pawns & Bitboard::file(king.file());
        }
        let to = pawns.forward(self.us) & targets;
        let promoting = to & Bitboard::far_ranks(self.us, 3);
        let forced = match self.wanted {
            NonPromotions::All => Bitboard::far_ranks(self.us, 1),
            NonPromotions::Useful => Bitboard::far_ranks(self.us, 3),
        };
        sink.pawns(self.us, to.without(forced), promoting);
    }

    fn knights<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        let knight = Piece::new(self.us, PieceKind::Knight);
        let far = Bitboard::far_ranks(self.us, 3);
        // A knight never stays on the line of a pin.
        self.position.of_piece(knight).without(self.pinned).for_each(|from| {
            let to = attacks::on_empty_board(knight, from) & targets;
            if !to.is_empty() {
                sink.piece(from, to.without(stuck(knight)), to & far);
            }
        });
    }

    /// Lances, silvers, bishops or rooks.
    #[inline(always)]
    fn kind<S: Sink>(
        &self,
        kind: PieceKind,
        targets: Bitboard,
        sink: &mut S,
        attacks: impl Fn(Square) -> Bitboard,
    ) {
        let zone = Bitboard::far_ranks(self.us, 3);
        self.position.of_piece(Piece::new(self.us, kind)).for_each(|from| {
            let to = self.unpinned(from, attacks(from) & targets);
            if to.is_empty() {
                return;
            }
            let promoting = if zone.contains(from) { to } else { to & zone };
            let forced = match (kind, self.wanted) {
                (PieceKind::Silver, _) => Bitboard::EMPTY,
                (PieceKind::Lance, NonPromotions::All) => Bitboard::far_ranks(self.us, 1),
                (PieceKind::Lance, NonPromotions::Useful) => Bitboard::far_ranks(self.us, 2),
                (_, NonPromotions::All) => Bitboard::EMPTY,
                (_, NonPromotions::Useful) => promoting,
            };
            sink.piece(from, to.without(forced), promoting);
        });
    }

    #[inline(always)]
    fn never_promoting<S: Sink>(
        &self,
        pieces: Bitboard,
        targets: Bitboard,
        sink: &mut S,
        attacks: impl Fn(Square) -> Bitboard,
    ) {
        pieces.for_each(|from| {
            let to = self.unpinned(from, attacks(from) & targets);
            if !to.is_empty() {
                sink.piece(from, to, Bitboard::EMPTY);
            }
        });
    }

    /// Those of the squares `to` that keep a pinned piece on its line.
    fn unpinned(&self, from: Square, to: Bitboard) -> Bitboard {
        match self.position.king(self.us) {
            Some(king) if self.pinned.contains(from) => to & attacks::line_through(king, from),
            _ => to,
        }
    }
}

/// Drops on those empty squares of `targets` that answer a check if there is one.
fn drops<S: Sink>(position: &Position, targets: Bitboard, sink: &mut S) {
    let us = position.side();
    let hand = position.hand(us);
    if hand.is_empty() {
        return;
    }
    let empty = targets.without(position.occupied());
    if hand.has(HandKind::Pawn) {
        let pawn = Piece::new(us, PieceKind::Pawn);
        let mut to = empty.without(stuck(pawn)) & position.of_piece(pawn).empty_files();
        // The one drop that gives check is in front of the king; one step further for us is where the king stands.
        if let Some(king) = position.king(!us) {
            let checking = attacks::on_empty_board(Piece::new(!us, PieceKind::Pawn), king) & to;
            if let Some(square) = checking.first()
                && position.pawn_drop_mates(square)
            {
                to ^= checking;
            }
        }
        sink.drops(HandKind::Pawn, to);
    }
    for kind in [HandKind::Lance, HandKind::Knight] {
        if hand.has(kind) {
            sink.drops(kind, empty.without(stuck(Piece::new(us, kind.piece_kind()))));
        }
    }
    for kind in [HandKind::Silver, HandKind::Gold, HandKind::Bishop, HandKind::Rook] {
        if hand.has(kind) {
            sink.drops(kind, empty);
        }
    }
}
