//! Incremental generation of moves: types 1 to 4 of Suzuki, Inui and Kotani, "Incremental generation of possible moves in
//! Shogi", §3.
//!
//! Both sides have a list of possible moves for each ply. The list after a move is made from the list before it: moves that
//! the last move has not touched are copied, and the moves that are new are generated.
//!
//! A possible (pseudo-legal) move need not be legal: it may leave the own king in check. What is legal changes with every check and every
//! pin, so lists of legal moves would have little in common. [`Legality`] says which of a list's moves are legal.

use std::cmp::Reverse;
use std::marker::PhantomData;

use jitsugen::shogi::attacks;
use jitsugen::shogi::bitboard::Bitboard;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::piece::{HandKind, Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

use super::reach::{Reach, slides};

/// How the list of the next position is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Type {
    /// Type 1: all moves are generated, then sorted.
    Full,
    /// Type 2: new moves come behind those of the list before; all are sorted.
    Appended,
    /// Type 3: new moves come before those of the list before; all are sorted.
    OnTop,
    /// Type 4: new moves are sorted, and merged with those of the list before, which are sorted already.
    Merged,
}

impl Type {
    /// All four, in the order of their numbers.
    pub const ALL: [Type; 4] = [Type::Full, Type::Appended, Type::OnTop, Type::Merged];
}

/// A move and what it is worth for the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub mv: Move,
    pub value: i16,
}

impl Entry {
    /// The entry with the lowest key comes first. Moves of one value stay in the order in which they are in the list.
    fn key(&self) -> Reverse<i16> {
        Reverse(self.value)
    }
}

/// What a move is worth. It may depend on the moving piece, on promotion, and on what stands on both squares, but on
/// nothing else: values are copied with their moves.
pub trait MoveValue {
    fn of(position: &Position, mv: Move) -> i16;
}

/// The moves of both sides at each ply of a line, found by `R` and valued by `V`.
pub struct MoveLists<R, V> {
    kind: Type,
    /// By ply, then by side.
    plies: Vec<[Vec<Entry>; 2]>,
    /// New moves of type 4, before they are merged.
    new: Vec<Entry>,
    ways: PhantomData<(R, V)>,
}

impl<R: Reach, V: MoveValue> MoveLists<R, V> {
    /// The lists of `root`, at ply 0.
    pub fn new(kind: Type, root: &Position) -> MoveLists<R, V> {
        let mut lists = MoveLists { kind, plies: Vec::new(), new: Vec::new(), ways: PhantomData };
        lists.plies.push(Color::ALL.map(|color| {
            let mut list = Vec::new();
            generate_all::<R, V>(root, color, &mut list);
            sort(&mut list);
            list
        }));
        lists
    }

    /// Makes the lists of `position` at `ply`, which the last move has led to from the position at the ply before. Without
    /// `for_both` only the side to move gets its list: enough where no list of the next ply is wanted.
    ///
    /// # Panics
    /// When the lists of the ply before were not made.
    pub fn update(&mut self, ply: usize, position: &Position, for_both: bool) {
        if self.plies.len() == ply {
            self.plies.push([Vec::new(), Vec::new()]);
        }
        let (before, after) = self.plies.split_at_mut(ply);
        let (before, after) = (&before[ply - 1], &mut after[0]);
        let us = position.side();
        if self.kind == Type::Full {
            let list = &mut after[us.index()];
            list.clear();
            generate_all::<R, V>(position, us, list);
            sort(list);
            return;
        }
        let last = LastMove::of(position);
        for color in [us, !us].into_iter().take(if for_both { 2 } else { 1 }) {
            let change = Change::new::<R>(position, &last, color);
            let (before, after) = (&before[color.index()], &mut after[color.index()]);
            after.clear();
            match self.kind {
                Type::Full | Type::Appended => {
                    after.extend(before.iter().filter(|entry| change.keeps(entry.mv)));
                    change.for_each_new::<R>(|mv| after.push(entry::<V>(position, mv)));
                    sort(after);
                }
                Type::OnTop => {
                    change.for_each_new::<R>(|mv| after.push(entry::<V>(position, mv)));
                    after.extend(before.iter().filter(|entry| change.keeps(entry.mv)));
                    sort(after);
                }
                Type::Merged => {
                    self.new.clear();
                    change.for_each_new::<R>(|mv| self.new.push(entry::<V>(position, mv)));
                    sort(&mut self.new);
                    let kept = before.iter().filter(|entry| change.keeps(entry.mv));
                    merge(&self.new, kept, after);
                }
            }
        }
    }

    /// The list of `color` at `ply`, best first.
    pub fn at(&self, ply: usize, color: Color) -> &[Entry] {
        &self.plies[ply][color.index()]
    }
}

fn entry<V: MoveValue>(position: &Position, mv: Move) -> Entry {
    Entry { mv, value: V::of(position, mv) }
}

/// Best first. The sort is stable and finds what is in order already.
fn sort(list: &mut [Entry]) {
    list.sort_by_key(Entry::key);
}

/// Merges two sorted lists; of moves with one value those of `new` come first.
fn merge<'a>(new: &[Entry], kept: impl Iterator<Item = &'a Entry>, into: &mut Vec<Entry>) {
    let mut rest = new.iter().peekable();
    for entry in kept {
        while let Some(first) = rest.next_if(|first| first.key() <= entry.key()) {
            into.push(*first);
        }
        into.push(*entry);
    }
    into.extend(rest);
}

/// Type 1: every possible move of `color`, found without any list.
pub fn generate_all<R: Reach, V: MoveValue>(position: &Position, color: Color, list: &mut Vec<Entry>) {
    let mut take = |mv| list.push(entry::<V>(position, mv));
    position.of_color(color).for_each(|from| {
        if let Some(piece) = position.piece_on(from) {
            piece_moves::<R>(position, piece, from, &mut take);
        }
    });
    for kind in HandKind::ALL {
        if position.hand(color).has(kind) {
            drops(position, color, kind, !position.occupied(), &mut take);
        }
    }
}

/// Moves of the piece on `from` to squares without pieces of its own side.
fn piece_moves<R: Reach>(position: &Position, piece: Piece, from: Square, take: &mut impl FnMut(Move)) {
    R::for_each_target(position, piece, from, |to| {
        if position.piece_on(to).is_none_or(|there| there.color != piece.color) {
            board_moves(piece, from, to, take);
        }
    });
}

/// The move of `piece` from `from` to `to` without promotion and with it, as far as the rules allow them.
#[inline]
fn board_moves(piece: Piece, from: Square, to: Square, take: &mut impl FnMut(Move)) {
    let in_zone = from.in_promotion_zone(piece.color) || to.in_promotion_zone(piece.color);
    if in_zone && piece.kind.promoted().is_some() {
        take(Move::promoting(from, to));
    }
    if !in_zone || !piece.immobile_squares().contains(to) {
        take(Move::board(from, to));
    }
}

/// Drops of a kind that `color` holds on those of the empty squares `to` that the rules allow.
fn drops(position: &Position, color: Color, kind: HandKind, to: Bitboard, take: &mut impl FnMut(Move)) {
    let piece = Piece::new(color, kind.piece_kind());
    let mut allowed = to.without(piece.immobile_squares());
    if kind == HandKind::Pawn {
        allowed &= position.of_piece(piece).empty_files();
    }
    allowed.for_each(|to| take(Move::drop(kind, to)));
}

/// What the last move did.
struct LastMove {
    /// The side that played it.
    by: Color,
    /// The square that it emptied; `None` for a drop.
    from: Option<Square>,
    to: Square,
    /// The kind before the move.
    kind: PieceKind,
    captured: Option<PieceKind>,
}

impl LastMove {
    /// # Panics
    /// When there was none.
    fn of(position: &Position) -> LastMove {
        let mv = position.last_move().expect("a move led here");
        let after = position.piece_on(mv.to()).expect("the moved piece is there").kind;
        LastMove {
            by: !position.side(),
            from: mv.from(),
            to: mv.to(),
            kind: if mv.is_promotion() { after.unpromoted() } else { after },
            captured: position.last_captured(),
        }
    }

    /// The kind that was dropped.
    fn dropped(&self) -> Option<HandKind> {
        if self.from.is_none() { self.kind.hand_kind() } else { None }
    }
}

/// What the last move changes in the list of one side.
struct Change<'a> {
    position: &'a Position,
    last: &'a LastMove,
    color: Color,
    /// The squares whose piece has changed. All moves from or to them are made anew.
    touched: Bitboard,
    /// The side's pieces that attack the destination of the last move: sought where it is asked for.
    reaching: Bitboard,
    /// Sliders among them whose line was longer before.
    cut: Bitboard,
    /// The kind that the side no longer holds.
    spent: Option<HandKind>,
    /// The file on which the side has a pawn now.
    pawn_file: Bitboard,
}

impl<'a> Change<'a> {
    fn new<R: Reach>(position: &'a Position, last: &'a LastMove, color: Color) -> Change<'a> {
        let mut change = Change {
            position,
            last,
            color,
            touched: Bitboard::of(last.to) | last.from.map_or(Bitboard::EMPTY, Bitboard::of),
            reaching: Bitboard::EMPTY,
            cut: Bitboard::EMPTY,
            spent: None,
            pawn_file: Bitboard::EMPTY,
        };
        // A line that ended with the captured piece is as long as before.
        let aimed = match last.captured {
            Some(_) => Bitboard::EMPTY,
            None => position.aimed_sliders(last.to, color),
        };
        if color != last.by || !aimed.is_empty() {
            change.reaching = R::attackers(position, last.to, color);
            change.cut = aimed & change.reaching;
        }
        if color == last.by
            && let Some(kind) = last.dropped()
        {
            change.spent = Some(kind).filter(|&kind| !position.hand(color).has(kind));
            if kind == HandKind::Pawn {
                change.pawn_file = Bitboard::file(last.to.file());
            }
        }
        change
    }

    /// Step (1): whether a move of the list before is in the next one, with the same value.
    #[inline]
    fn keeps(&self, mv: Move) -> bool {
        let to = mv.to();
        if self.touched.contains(to) {
            return false;
        }
        match mv.origin() {
            Origin::Board(from) => {
                let is_cut = || self.cut.contains(from) && attacks::between(from, to).contains(self.last.to);
                !self.touched.contains(from) && !is_cut()
            }
            Origin::Hand(kind) => {
                let is_second_pawn = kind == HandKind::Pawn && self.pawn_file.contains(to);
                Some(kind) != self.spent && !is_second_pawn
            }
        }
    }

    /// Step (3): calls `take` with every move of the next list that step (1) does not keep.
    fn for_each_new<R: Reach>(&self, mut take: impl FnMut(Move)) {
        let Change { position, last, color, .. } = *self;
        let moved = Bitboard::of(last.to);
        if color == last.by {
            // Moves of the piece that has moved.
            if let Some(piece) = position.piece_on(last.to) {
                piece_moves::<R>(position, piece, last.to, &mut take);
            }
        } else {
            // Captures of it.
            self.reaching.for_each(|attacker| {
                if let Some(piece) = position.piece_on(attacker) {
                    board_moves(piece, attacker, last.to, &mut take);
                }
            });
        }
        let Some(emptied) = last.from else { return };
        // Moves to the square that it has left, and along lines through that square.
        R::attackers(position, emptied, color).without(moved).for_each(|attacker| {
            let Some(piece) = position.piece_on(attacker) else { return };
            board_moves(piece, attacker, emptied, &mut take);
            if slides(piece.kind) {
                let own_or_new = position.of_color(color) | moved;
                let beyond = R::beyond(position, piece, attacker, emptied);
                beyond.without(own_or_new).for_each(|to| board_moves(piece, attacker, to, &mut take));
            }
        });
        self.for_each_new_drop(Bitboard::of(emptied), &mut take);
    }

    /// New drops: on the square that was emptied, of a kind that is newly held, and of pawns on a file that a pawn has
    /// left.
    fn for_each_new_drop(&self, emptied: Bitboard, take: &mut impl FnMut(Move)) {
        let Change { position, last, color, .. } = *self;
        let hand = position.hand(color);
        if hand.is_empty() {
            return;
        }
        let captured = last.captured.filter(|_| color == last.by).and_then(PieceKind::hand_kind);
        let newly_held = captured.filter(|&kind| hand.count(kind) == 1);
        for kind in HandKind::ALL {
            if hand.has(kind) && Some(kind) != newly_held {
                drops(position, color, kind, emptied, take);
            }
        }
        let empty = !position.occupied();
        if let Some(kind) = newly_held {
            drops(position, color, kind, empty, take);
        }
        let left = if color == last.by {
            // A pawn that moves without promotion stays on its file, which `drops` knows.
            last.from.filter(|_| last.kind == PieceKind::Pawn)
        } else {
            Some(last.to).filter(|_| last.captured == Some(PieceKind::Pawn))
        };
        if let Some(square) = left
            && hand.has(HandKind::Pawn)
            && newly_held != Some(HandKind::Pawn)
        {
            let file = Bitboard::file(square.file());
            // While another pawn was there, pawns could not be dropped before either.
            drops(position, color, HandKind::Pawn, (empty & file).without(emptied), take);
        }
    }
}

/// The engine's own generator in place of lists of possible moves: every list is made anew, and has legal moves only.
pub struct LegalLists<V> {
    /// By ply.
    plies: Vec<Vec<Entry>>,
    value: PhantomData<V>,
}

impl<V: MoveValue> LegalLists<V> {
    /// The list of `root`, at ply 0.
    pub fn new(root: &Position) -> LegalLists<V> {
        let mut lists = LegalLists { plies: Vec::new(), value: PhantomData };
        lists.update(0, root);
        lists
    }

    /// Makes the list of `position` at `ply`.
    pub fn update(&mut self, ply: usize, position: &Position) {
        if self.plies.len() == ply {
            self.plies.push(Vec::new());
        }
        let mut moves = MoveList::new();
        generate::legal(position, NonPromotions::All, &mut moves);
        let list = &mut self.plies[ply];
        list.clear();
        list.extend(moves.iter().map(|&mv| entry::<V>(position, mv)));
        sort(list);
    }

    /// The list at `ply`, best first.
    pub fn at(&self, ply: usize) -> &[Entry] {
        &self.plies[ply]
    }
}

/// Which possible moves of the side to move are legal.
pub struct Legality {
    us: Color,
    king: Option<Square>,
    pinned: Bitboard,
    /// The squares that answer a check: all where there is none.
    answers: Bitboard,
    /// The square from which a dropped pawn gives check.
    pawn_check: Option<Square>,
}

impl Legality {
    /// What all moves of `position` share.
    pub fn new(position: &Position) -> Legality {
        let us = position.side();
        let king = position.king(us);
        let checkers = position.checkers();
        let answers = match (checkers.first(), king) {
            (Some(checker), Some(king)) if !checkers.has_several() => {
                attacks::between(king, checker) | checkers
            }
            (Some(_), _) => Bitboard::EMPTY,
            (None, _) => Bitboard::FULL,
        };
        let pawn_check = position
            .king(!us)
            .and_then(|king| attacks::on_empty_board(Piece::new(!us, PieceKind::Pawn), king).first());
        Legality { us, king, pinned: position.pinned(us), answers, pawn_check }
    }

    /// Whether the possible move `mv` of that position is legal.
    #[inline]
    pub fn allows(&self, position: &Position, mv: Move) -> bool {
        let to = mv.to();
        match mv.origin() {
            Origin::Board(from) if Some(from) == self.king => {
                let without_king = position.occupied().without(Bitboard::of(from));
                !position.is_attacked(to, !self.us, without_king)
            }
            Origin::Board(from) => {
                self.answers.contains(to)
                    && (!self.pinned.contains(from)
                        || self.king.is_some_and(|king| attacks::line_through(king, from).contains(to)))
            }
            Origin::Hand(HandKind::Pawn) if Some(to) == self.pawn_check => position.is_legal(mv),
            Origin::Hand(_) => self.answers.contains(to),
        }
    }
}
