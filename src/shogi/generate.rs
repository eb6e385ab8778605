//! Generation of legal moves.
//!
//! The generators work on sets of squares. For each piece they find all its destinations at once, and a [`Sink`] makes
//! a list, a count or a filter of them. Every generator gives legal moves only.

use arrayvec::ArrayVec;

use super::attacks;
use super::bitboard::Bitboard;
use super::color::Color;
use super::moves::Move;
use super::piece::{HandKind, Piece, PieceKind};
use super::position::Position;
use super::position::checks::CheckSquares;
use super::square::Square;

/// Room for the legal moves of any position.
///
/// With both kings the maximum is 593. Without a king it is at most 639: an empty board has 567 drops (seven kinds, 81
/// squares), and each piece on the board blocks seven drops but may add more moves than that. A rook or a bishop adds at
/// most 25 net, each of three lances 4, each of three silvers 3, a king 1, any other piece none.
pub const MAX_MOVES: usize = 640;

/// A list of moves that does not allocate.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// Which moves without promotion are wanted when the piece could promote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NonPromotions {
    /// All that are legal.
    All,
    /// All but those of pawns, bishops and rooks, and of lances to the second rank. They are never better than the
    /// promotion, except to avoid uchifuzume.
    Useful,
}

/// Takes sets of moves as they are generated.
pub trait Sink {
    /// The piece on `from` may move to the squares of `plain` without promotion, and to those of `promoting` with it.
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard);

    /// `color`'s pawns may step to the squares of `plain` without promotion, and to those of `promoting` with it.
    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard);

    /// A piece of `kind` may be dropped on the squares of `to`.
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

/// The moves on the board and the drops of a list in the order in which [`legal`] and [`evasions`] generate moves: drops come
/// last, in the order of moves.
pub fn split_drops(moves: &[Move]) -> (&[Move], &[Move]) {
    let (on_board, drops) = moves.split_at(moves.partition_point(|mv| !mv.is_drop()));
    debug_assert!(on_board.iter().all(|mv| !mv.is_drop()) && drops.is_sorted());
    (on_board, drops)
}

/// Counts moves without making a list.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count(
    /// Moves counted so far.
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

/// Every legal move.
pub fn legal<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    if position.in_check() {
        evasions(position, wanted, sink);
    } else {
        let own = position.of_color(position.side());
        let pieces = BoardMoves::new(position, wanted);
        pieces.piece_moves(!own, sink);
        pieces.king_moves(!own, sink);
        drops(position, Bitboard::FULL, sink);
    }
}

/// Every legal capture; in check, the capturing evasions.
pub fn captures<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    let enemies = position.of_color(!position.side());
    let pieces = BoardMoves::new(position, wanted);
    let targets = enemies & position.evasion_targets();
    if !targets.is_empty() {
        pieces.piece_moves(targets, sink);
    }
    pieces.king_moves(enemies, sink);
}

/// Every legal promotion on an empty square; in check, only evasions.
pub fn promotions<S: Sink>(position: &Position, sink: &mut S) {
    let targets = !position.occupied() & position.evasion_targets();
    if !targets.is_empty() {
        BoardMoves::new(position, NonPromotions::Useful).piece_moves(targets, &mut PromotionsOnly(sink));
    }
}

/// Every legal move of a side that is in check. Out of check it gives every legal move too, only more slowly.
pub fn evasions<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    let others = !position.of_color(position.side());
    let pieces = BoardMoves::new(position, wanted);
    pieces.king_moves(others, sink);
    // With two checkers only the king can move.
    let answers = position.evasion_targets();
    if !answers.is_empty() {
        pieces.piece_moves(others & answers, sink);
        drops(position, answers, sink);
    }
}

/// Every legal move that gives check, captures and drops included; none if the opponent has no king.
pub fn checks<S: Sink>(position: &Position, wanted: NonPromotions, sink: &mut S) {
    if let Some(king) = position.king(!position.side()) {
        legal(position, wanted, &mut ChecksOnly { position, king, squares: position.check_squares(), sink });
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
    // Called only where a game or a mate may have ended: too rarely to need a generator that stops at the first move.
    count_legal(position) > 0
}

/// Generates moves on the board; all generators share it.
struct BoardMoves<'a> {
    position: &'a Position,
    us: Color,
    occupied: Bitboard,
    pinned: Bitboard,
    wanted: NonPromotions,
}

impl<'a> BoardMoves<'a> {
    fn new(position: &'a Position, wanted: NonPromotions) -> BoardMoves<'a> {
        let us = position.side();
        let occupied = position.occupied();
        BoardMoves { position, us, occupied, pinned: position.pinned(us), wanted }
    }

    /// Moves of all pieces but the king to `targets`: squares without own pieces and, in check, evasion targets only.
    fn piece_moves<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        self.pawns(targets, sink);
        self.moves_of_kind(PieceKind::Lance, targets, sink, |from| {
            attacks::lance(self.us, from, self.occupied)
        });
        self.knights(targets, sink);
        let stepping = |kind| move |from| attacks::on_empty_board(Piece::new(self.us, kind), from);
        self.moves_of_kind(PieceKind::Silver, targets, sink, stepping(PieceKind::Silver));
        self.moves_of_kind(PieceKind::Bishop, targets, sink, |from| attacks::bishop(from, self.occupied));
        self.moves_of_kind(PieceKind::Rook, targets, sink, |from| attacks::rook(from, self.occupied));
        let golds = self.position.gold_movers() & self.position.of_color(self.us);
        self.moves_without_promotion(golds, targets, sink, stepping(PieceKind::Gold));
        let horses = self.position.of_piece(Piece::new(self.us, PieceKind::Horse));
        self.moves_without_promotion(horses, targets, sink, |from| {
            attacks::bishop(from, self.occupied) | attacks::king(from)
        });
        let dragons = self.position.of_piece(Piece::new(self.us, PieceKind::Dragon));
        self.moves_without_promotion(dragons, targets, sink, |from| {
            attacks::rook(from, self.occupied) | attacks::king(from)
        });
    }

    /// Moves of the king to the squares of `targets` that are not attacked.
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
            // A pinned pawn can move only along its file.
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
        // A pinned knight always leaves its line.
        self.position.of_piece(knight).without(self.pinned).for_each(|from| {
            let to = attacks::on_empty_board(knight, from) & targets;
            if !to.is_empty() {
                sink.piece(from, to.without(knight.immobile_squares()), to & far);
            }
        });
    }

    /// Moves of lances, silvers, bishops or rooks.
    #[inline(always)]
    fn moves_of_kind<S: Sink>(
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

    /// Moves of pieces that cannot promote.
    #[inline(always)]
    fn moves_without_promotion<S: Sink>(
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

    /// The squares of `to` that keep a pinned piece on its line.
    fn unpinned(&self, from: Square, to: Bitboard) -> Bitboard {
        match self.position.king(self.us) {
            Some(king) if self.pinned.contains(from) => to & attacks::line_through(king, from),
            _ => to,
        }
    }
}

/// Drops on the empty squares of `targets`, which are evasion targets when there is a check.
fn drops<S: Sink>(position: &Position, targets: Bitboard, sink: &mut S) {
    let us = position.side();
    let hand = position.hand(us);
    if hand.is_empty() {
        return;
    }
    let empty = targets.without(position.occupied());
    if hand.has(HandKind::Pawn) {
        let pawn = Piece::new(us, PieceKind::Pawn);
        let mut to = empty.without(pawn.immobile_squares()) & position.of_piece(pawn).empty_files();
        // A pawn gives check only from the square in front of the king, which the king's side would attack with a pawn.
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
            sink.drops(kind, empty.without(Piece::new(us, kind.piece_kind()).immobile_squares()));
        }
    }
    for kind in [HandKind::Silver, HandKind::Gold, HandKind::Bishop, HandKind::Rook] {
        if hand.has(kind) {
            sink.drops(kind, empty);
        }
    }
}

/// Passes on promotions only.
struct PromotionsOnly<'a, S>(&'a mut S);

impl<S: Sink> Sink for PromotionsOnly<'_, S> {
    fn piece(&mut self, from: Square, _: Bitboard, promoting: Bitboard) {
        self.0.piece(from, Bitboard::EMPTY, promoting);
    }

    fn pawns(&mut self, color: Color, _: Bitboard, promoting: Bitboard) {
        self.0.pawns(color, Bitboard::EMPTY, promoting);
    }

    fn drops(&mut self, _: HandKind, _: Bitboard) {}
}

/// Passes on only the moves that give check to `king`.
struct ChecksOnly<'a, S> {
    position: &'a Position,
    king: Square,
    squares: CheckSquares,
    sink: &'a mut S,
}

impl<S: Sink> Sink for ChecksOnly<'_, S> {
    fn piece(&mut self, from: Square, plain: Bitboard, promoting: Bitboard) {
        let Some(piece) = self.position.piece_on(from) else { return };
        let discovering = self.squares.discovering(from);
        let plain = plain & (discovering | self.squares.of(piece.kind));
        let promoted = piece.kind.promoted().unwrap_or(piece.kind);
        let promoting = promoting & (discovering | self.squares.of(promoted));
        if !(plain | promoting).is_empty() {
            self.sink.piece(from, plain, promoting);
        }
    }

    fn pawns(&mut self, color: Color, plain: Bitboard, promoting: Bitboard) {
        let pawns = self.position.of_piece(Piece::new(color, PieceKind::Pawn));
        // A pawn on the king's file moves along its line and discovers nothing.
        let discoverers = self.squares.discoverers() & pawns;
        let discovering = discoverers.without(Bitboard::file(self.king.file())).forward(color);
        let plain = plain & (discovering | self.squares.of(PieceKind::Pawn));
        let promoting = promoting & (discovering | self.squares.of(PieceKind::ProPawn));
        self.sink.pawns(color, plain, promoting);
    }

    fn drops(&mut self, kind: HandKind, to: Bitboard) {
        self.sink.drops(kind, to & self.squares.of(kind.piece_kind()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::moves::Origin;

    #[test]
    fn check_squares_agree_with_gives_check() {
        let (mut checks, mut discovered) = (0, 0);
        for seed in 0..60 {
            let mut random = fastrand::Rng::with_seed(seed);
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = all_legal(&position);
                let squares = position.check_squares();
                for &mv in &moves {
                    let before = match mv.origin() {
                        Origin::Hand(kind) => kind.piece_kind(),
                        Origin::Board(from) => {
                            position.piece_on(from).expect("a legal move moves something").kind
                        }
                    };
                    let expected = position.gives_check(mv);
                    assert_eq!(squares.gives_check(mv, before), expected, "{mv} in {position:?}");
                    checks += usize::from(expected);
                    let direct = squares.of(before).contains(mv.to());
                    discovered += usize::from(expected && !direct && !mv.is_promotion());
                }
                let Some(&mv) = random.choice(&moves) else { break };
                position.play(mv, &mut ());
            }
        }
        assert!(checks > 1000 && discovered > 10, "{checks} checks, {discovered} of them discovered");
    }
}
