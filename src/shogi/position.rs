//! A position of a game, and the one gate through which its pieces change.

pub mod check_squares;
mod checks;
pub mod declaration;
mod legality;
mod play;
pub mod repetition;

use std::fmt;

use super::bitboard::Bitboard;
use super::changes::Changes;
use super::color::{Color, PerColor};
use super::hand::Hand;
use super::key::{self, Key};
use super::moves::Move;
use super::piece::{HandKind, Piece, PieceKind};
use super::square::Square;
use play::Past;
use repetition::KeyCounts;

/// Pieces, hands and side to move with nothing checked: what a notation describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// By square index.
    pub board: [Option<Piece>; Square::COUNT],
    /// What each side holds, by [`HandKind`] index.
    pub hands: PerColor<[u8; HandKind::COUNT]>,
    /// Who moves.
    pub side: Color,
    /// Number of the move to come, 1 at the start of a game.
    pub move_number: u32,
}

impl Setup {
    /// No pieces, Black to make move 1.
    pub const EMPTY: Setup = Setup {
        board: [None; Square::COUNT],
        hands: PerColor([[0; HandKind::COUNT]; 2]),
        side: Color::Black,
        move_number: 1,
    };
}

/// Why pieces so placed are no position of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invalid {
    /// A side has more than one king.
    Kings(Color, usize),
    /// There are more pieces of a kind, board and hands together, than a set has.
    TooMany(HandKind, usize),
    /// A pawn, lance or knight that could never move again.
    Stuck(Piece, Square),
    /// Two pawns of a side on one file, counted from 1 (nifu).
    TwoPawns(Color, u8),
    /// The side that just moved has left its king in check.
    CanTakeKing(Color),
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Invalid::Kings(color, count) => {
                write!(f, "{color:?} has {count} kings: expected one at most")
            }
            Invalid::TooMany(kind, count) => {
                let max = kind.in_set();
                write!(f, "{count} pieces of kind {kind:?} on the board and in hand: expected {max} at most")
            }
            Invalid::Stuck(Piece { color, kind }, square) => {
                write!(f, "{color:?}'s {kind:?} on {square} can never move")
            }
            Invalid::TwoPawns(color, file) => {
                write!(f, "{color:?} has two pawns on file {file}")
            }
            Invalid::CanTakeKing(color) => {
                write!(f, "{color:?} is to move and could take the king")
            }
        }
    }
}

impl std::error::Error for Invalid {}

/// A position with the game that led to it.
///
/// It is always one that the rules allow (see [`Invalid`]), except that either king may be missing, as in problems, and
/// that a problem may begin with two pawns on a file ([`of_problem`](Position::of_problem)).
/// Keys, checkers and the rest are kept up to date with each move; debug builds compare them with their recomputed
/// twins after every [`play`](Position::play) and [`undo`](Position::undo).
#[derive(Clone)]
pub struct Position {
    board: [Option<Piece>; Square::COUNT],
    kinds: [Bitboard; PieceKind::COUNT],
    colors: PerColor<Bitboard>,
    /// Both colours. Read right after each change: putting it together from two words just written costs more.
    occupied: Bitboard,
    /// Golds and everything that moves like them.
    gold_movers: Bitboard,
    hands: PerColor<Hand>,
    kings: PerColor<Option<Square>>,
    side: Color,
    /// The number of the move to come when the position was set up.
    first_number: u32,
    /// Pieces on the board and side to move.
    board_key: Key,
    /// Pieces in hand.
    hand_key: Key,
    checkers: Bitboard,
    /// How many moves without a break each side's latest moves gave check.
    check_runs: PerColor<u16>,
    /// How many plies can be looked back for repetitions: those since the start or the last pass.
    reversible: u32,
    past: Vec<Past>,
    past_keys: KeyCounts,
}

impl Position {
    /// The position that `setup` describes, with no moves before it.
    ///
    /// # Errors
    /// When the rules exclude it.
    pub fn new(setup: &Setup) -> Result<Position, Invalid> {
        check_files(setup)?;
        Self::of_problem(setup)
    }

    /// Like [`new`](Position::new), for a mate problem: one made by a machine may begin with two pawns of a side on one
    /// file. No further one can be dropped there.
    ///
    /// # Errors
    /// When the rules exclude it for anything else.
    pub fn of_problem(setup: &Setup) -> Result<Position, Invalid> {
        check_counts(setup)?;
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
                position.put(piece, square, &mut ());
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
        check_placement(&position)?;
        position.checkers = position.checkers_of(setup.side);
        if !position.checkers_of(!setup.side).is_empty() {
            return Err(Invalid::CanTakeKing(setup.side));
        }
        Ok(position)
    }

    /// The start of an even game.
    pub fn start() -> Position {
        super::sfen::parse(super::sfen::START).expect("the start position is valid")
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

    /// Who moves.
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Number of the move to come, as in SFEN: 1 at the start of a game.
    pub const fn move_number(&self) -> u32 {
        self.first_number.saturating_add(self.past.len() as u32)
    }

    /// How many moves were played since the position was set up, passes included.
    pub fn plies_played(&self) -> usize {
        self.past.len()
    }

    /// The last move played; `None` at the start and after a pass.
    pub fn last_move(&self) -> Option<Move> {
        self.past.last().and_then(|past| past.played)
    }

    /// What the last move took.
    pub fn last_taken(&self) -> Option<PieceKind> {
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

    /// Every gold and every piece that moves as one, both colours.
    pub(super) const fn gold_movers(&self) -> Bitboard {
        self.gold_movers
    }

    /// Every square with a piece.
    pub const fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// What `color` holds.
    pub const fn hand(&self, color: Color) -> Hand {
        self.hands.0[color.index()]
    }

    /// Where `color`'s king stands; `None` in a problem without it.
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

    /// Whether the last move answered a check; not where that check was there when the position was set up.
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

    fn put<C: Changes>(&mut self, piece: Piece, square: Square, changes: &mut C) {
        debug_assert!(self.board[square.index()].is_none());
        self.board[square.index()] = Some(piece);
        self.toggle(piece, square);
        if piece.kind == PieceKind::King {
            self.kings[piece.color] = Some(square);
        }
        changes.board(piece, square, true);
    }

    fn lift<C: Changes>(&mut self, piece: Piece, square: Square, changes: &mut C) {
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

    /// Moves what stands on `from` to the empty square `to`, where it becomes `arriving`, of the same side. The caller
    /// tells the listener.
    #[inline(always)]
    fn relocate(&mut self, leaving: Piece, from: Square, arriving: Piece, to: Square) {
        debug_assert_eq!(self.board[from.index()], Some(leaving));
        debug_assert!(self.board[to.index()].is_none());
        self.board[from.index()] = None;
        self.board[to.index()] = Some(arriving);
        // Both squares in one step: each of these words would otherwise be written and read again.
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

    /// Both keys, computed from the pieces alone: the slow twin of the incremental keys.
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

    /// Compares everything that is kept incrementally with what the board says. Does nothing in release builds.
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

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({}, {} plies played)", super::sfen::write(self), self.past.len())
    }
}

fn check_counts(setup: &Setup) -> Result<(), Invalid> {
    let pieces = || setup.board.iter().flatten();
    for color in Color::ALL {
        let kings = pieces().filter(|&&p| p == Piece::new(color, PieceKind::King)).count();
        if kings > 1 {
            return Err(Invalid::Kings(color, kings));
        }
    }
    for kind in HandKind::ALL {
        let on_board = pieces().filter(|p| p.kind.hand_kind() == Some(kind)).count();
        let in_hand = Color::ALL.map(|color| usize::from(setup.hands[color][kind.index()]));
        let count = on_board + in_hand[0] + in_hand[1];
        if count > usize::from(kind.in_set()) {
            return Err(Invalid::TooMany(kind, count));
        }
    }
    Ok(())
}

fn check_placement(position: &Position) -> Result<(), Invalid> {
    for color in Color::ALL {
        for kind in [PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight] {
            let piece = Piece::new(color, kind);
            if let Some(square) = (position.of_piece(piece) & stuck(piece)).first() {
                return Err(Invalid::Stuck(piece, square));
            }
        }
    }
    Ok(())
}

fn check_files(setup: &Setup) -> Result<(), Invalid> {
    for color in Color::ALL {
        let pawn = Some(Piece::new(color, PieceKind::Pawn));
        let pawns: Bitboard = Square::all().filter(|square| setup.board[square.index()] == pawn).collect();
        if let Some(file) = (0..9).find(|&file| (pawns & Bitboard::file(file)).has_several()) {
            return Err(Invalid::TwoPawns(color, file + 1));
        }
    }
    Ok(())
}

/// The squares from which `piece` could never move again: it may neither be dropped there nor stay unpromoted.
pub const fn stuck(piece: Piece) -> Bitboard {
    match piece.kind {
        PieceKind::Pawn | PieceKind::Lance => Bitboard::far_ranks(piece.color, 1),
        PieceKind::Knight => Bitboard::far_ranks(piece.color, 2),
        _ => Bitboard::EMPTY,
    }
}
