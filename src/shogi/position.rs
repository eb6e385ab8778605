//! A position of a game. Its pieces change in one place only, so that board, keys and listener stay in step.

pub mod checks;
pub mod declaration;
mod history;
mod legality;
mod play;
pub mod repetition;

use super::bitboard::Bitboard;
use super::color::{Color, PerColor};
use super::hand::Hand;
use super::key::{self, Key};
use super::moves::Move;
use super::piece::{HandKind, Piece, PieceKind};
use super::setup::{InvalidPosition, Setup};
use super::square::Square;
use history::{KeyCounts, PastState};

/// Receives each change to the pieces while a move is made or taken back.
pub trait Changes {
    /// `piece` was put on `square` (`on`) or removed from it.
    fn board(&mut self, piece: Piece, square: Square, on: bool);

    /// `color` now holds `count` pieces of `kind`, one more or one less than before.
    fn hand(&mut self, color: Color, kind: HandKind, count: u8);
}

/// Ignores the changes: perft, the mate solver and the book do not evaluate.
impl Changes for () {
    fn board(&mut self, _: Piece, _: Square, _: bool) {}
    fn hand(&mut self, _: Color, _: HandKind, _: u8) {}
}

/// A position with the game that led to it.
///
/// The rules always allow it (see [`InvalidPosition`]), with two exceptions for problems: either king may be missing,
/// and two pawns may stand on a file from the start ([`of_problem`](Position::of_problem)).
///
/// Keys, checkers and the rest are updated with each move. Debug builds recompute and compare them after every
/// [`play`](Position::play) and [`undo`](Position::undo).
#[derive(Clone)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    kinds: [Bitboard; PieceKind::COUNT],
    colors: PerColor<Bitboard>,
    /// Both colours. Kept, because joining two words that were just written is slower than reading this one.
    occupied: Bitboard,
    /// Golds and all pieces that move like them.
    gold_movers: Bitboard,
    hands: PerColor<Hand>,
    kings: PerColor<Option<Square>>,
    side: Color,
    /// The number of the next move when the position was set up.
    first_number: u32,
    /// Pieces on the board and side to move.
    board_key: Key,
    /// Pieces in hand.
    hand_key: Key,
    checkers: Bitboard,
    /// For each side, how many of its latest moves gave check without a break.
    check_runs: PerColor<u16>,
    /// How many plies back a repetition is possible: to the start or the last null move.
    reversible: u32,
    past: Vec<PastState>,
    past_keys: KeyCounts,
}

impl Position {
    /// The position that `setup` describes, with no moves before it.
    ///
    /// # Errors
    /// When the rules do not allow it.
    pub fn new(setup: &Setup) -> Result<Position, InvalidPosition> {
        setup.check_nifu()?;
        Self::of_problem(setup)
    }

    /// Like [`new`](Position::new), but allows two pawns of a side on one file, which some generated mate problems
    /// have. A third pawn cannot be dropped there.
    ///
    /// # Errors
    /// When the rules do not allow it for another reason.
    pub fn of_problem(setup: &Setup) -> Result<Position, InvalidPosition> {
        setup.check_pieces()?;
        let mut position = Position {
            board: [None; Square::COUNT],
            kinds: [Bitboard::EMPTY; PieceKind::COUNT],
            colors: PerColor::default(),
            occupied: Bitboard::EMPTY,
            gold_movers: Bitboard::EMPTY,
            hands: PerColor::default(),
            kings: PerColor::default(),
            side: setup.side,
            first_number: setup.move_number,
            board_key: Key::default(),
            hand_key: Key::default(),
            checkers: Bitboard::EMPTY,
            check_runs: PerColor::default(),
            reversible: 0,
            past: Vec::new(),
            past_keys: KeyCounts::default(),
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.put_piece(piece, square, &mut ());
            }
        }
        for color in Color::ALL {
            for kind in HandKind::ALL {
                for _ in 0..setup.hands[color][kind.index()] {
                    let more = position.hands[color].with(kind);
                    position.set_hand(color, kind, more, &mut ());
                }
            }
        }
        let (board_key, key) = position.recomputed_keys();
        position.board_key = board_key;
        position.hand_key = board_key ^ key;
        position.checkers = position.checkers_of(setup.side);
        if !position.checkers_of(!setup.side).is_empty() {
            return Err(InvalidPosition::CanTakeKing(setup.side));
        }
        Ok(position)
    }

    /// The start of an even game.
    pub fn start() -> Position {
        Position::new(&Setup::start()).expect("the start position is valid")
    }

    /// Pieces, hands, side and move number, without the game before.
    pub fn setup(&self) -> Setup {
        let counts = |color: Color| HandKind::ALL.map(|kind| self.hands[color].count(kind));
        Setup {
            board: self.board,
            hands: PerColor(Color::ALL.map(counts)),
            side: self.side,
            move_number: self.move_number(),
        }
    }

    /// The side to move.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Number of the next move, as in SFEN: 1 at the start of a game.
    pub const fn move_number(&self) -> u32 {
        self.first_number.saturating_add(self.past.len() as u32)
    }

    /// The last move played; `None` at the start and after a null move.
    pub fn last_move(&self) -> Option<Move> {
        self.past.last().and_then(|past| past.played)
    }

    /// The kind of piece that the last move captured.
    pub fn last_captured(&self) -> Option<PieceKind> {
        self.past.last().and_then(|past| past.captured)
    }

    /// The piece on `square`.
    pub const fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// Every piece of `color`.
    pub const fn of_color(&self, color: Color) -> Bitboard {
        self.colors.0[color.index()]
    }

    /// Every piece of `kind`, both colours.
    pub const fn of_kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Every `piece`.
    pub fn of_piece(&self, piece: Piece) -> Bitboard {
        self.of_color(piece.color) & self.of_kind(piece.kind)
    }

    /// Every gold and every piece that moves like one, both colours.
    pub(super) const fn gold_movers(&self) -> Bitboard {
        self.gold_movers
    }

    /// Every square with a piece.
    pub const fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// The pieces that `color` holds in hand.
    pub const fn hand(&self, color: Color) -> Hand {
        self.hands.0[color.index()]
    }

    /// The square of `color`'s king; `None` in a problem without it.
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.kings.0[color.index()]
    }

    /// The pieces that give check to the side to move.
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    pub const fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Whether the last move answered a check. A check that the position was set up with does not count.
    pub fn answered_check(&self) -> bool {
        self.check_runs[self.side] > 0
    }

    /// Key of pieces, hands and side to move.
    pub fn key(&self) -> Key {
        self.board_key ^ self.hand_key
    }

    /// Key of the pieces on the board and the side to move.
    pub fn board_key(&self) -> Key {
        self.board_key
    }

    fn put_piece<C: Changes>(&mut self, piece: Piece, square: Square, changes: &mut C) {
        debug_assert!(self.board[square.index()].is_none());
        self.board[square.index()] = Some(piece);
        self.toggle(piece, square);
        if piece.kind == PieceKind::King {
            self.kings[piece.color] = Some(square);
        }
        changes.board(piece, square, true);
    }

    fn remove_piece<C: Changes>(&mut self, piece: Piece, square: Square, changes: &mut C) {
        debug_assert_eq!(self.board[square.index()], Some(piece));
        self.board[square.index()] = None;
        self.toggle(piece, square);
        changes.board(piece, square, false);
    }

    fn toggle(&mut self, piece: Piece, square: Square) {
        let bit = Bitboard::of(square);
        self.colors[piece.color] ^= bit;
        self.occupied ^= bit;
        self.toggle_kind(piece.kind, bit);
    }

    /// Moves the piece `leaving` from `from` to the empty square `to`, where it becomes `arriving`, of the same side.
    /// The caller reports the change to the listener.
    #[inline(always)]
    fn move_piece(&mut self, leaving: Piece, from: Square, arriving: Piece, to: Square) {
        debug_assert_eq!(self.board[from.index()], Some(leaving));
        debug_assert!(self.board[to.index()].is_none());
        self.board[from.index()] = None;
        self.board[to.index()] = Some(arriving);
        // Both squares in one step, so that each word is read and written once.
        let both = Bitboard::of(from) | Bitboard::of(to);
        self.colors[leaving.color] ^= both;
        self.occupied ^= both;
        if leaving.kind == arriving.kind {
            self.toggle_kind(leaving.kind, both);
        } else {
            self.toggle_kind(leaving.kind, Bitboard::of(from));
            self.toggle_kind(arriving.kind, Bitboard::of(to));
        }
        if arriving.kind == PieceKind::King {
            self.kings[arriving.color] = Some(to);
        }
    }

    fn toggle_kind(&mut self, kind: PieceKind, squares: Bitboard) {
        self.kinds[kind.index()] ^= squares;
        if kind.moves_as_gold() {
            self.gold_movers ^= squares;
        }
    }

    fn set_hand<C: Changes>(&mut self, color: Color, kind: HandKind, hand: Hand, changes: &mut C) {
        self.hands[color] = hand;
        changes.hand(color, kind, hand.count(kind));
    }

    /// `board_key` and `key`, computed from the pieces: the slow twin of the incremental keys.
    pub fn recomputed_keys(&self) -> (Key, Key) {
        let mut board = if self.side == Color::White { key::side() } else { Key::default() };
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square) {
                board ^= key::board(piece, square);
            }
        }
        let mut hand = Key::default();
        for color in Color::ALL {
            for kind in HandKind::ALL {
                for _ in 0..self.hand(color).count(kind) {
                    hand += key::hand(color, kind);
                }
            }
        }
        (board, board ^ hand)
    }

    /// Recomputes everything that is kept incrementally and compares. Does nothing in release builds.
    fn debug_check(&self) {
        if !cfg!(debug_assertions) {
            return;
        }
        assert_eq!((self.board_key(), self.key()), self.recomputed_keys());
        let set = |wanted: &dyn Fn(Piece) -> bool| -> Bitboard {
            Square::all().filter(|&s| self.piece_on(s).is_some_and(wanted)).collect()
        };
        for color in Color::ALL {
            assert_eq!(self.of_color(color), set(&|p| p.color == color));
            let king = set(&|p| p == Piece::new(color, PieceKind::King));
            assert_eq!(self.king(color), king.first());
        }
        for kind in PieceKind::ALL {
            assert_eq!(self.of_kind(kind), set(&|p| p.kind == kind));
        }
        assert_eq!(self.occupied(), set(&|_| true));
        assert_eq!(self.gold_movers, set(&|p| p.kind.moves_as_gold()));
        assert_eq!(self.checkers, self.checkers_of(self.side));
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}
