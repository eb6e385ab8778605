//! The table XREF: steps A3 and A4, and step B4, its update after a move.

use arrayvec::ArrayVec;

use super::board::Board;
use super::entry::{Answers, Entry, EntryKind, Trigger};
use super::find_ties::{self, Ties, best_form, capture_form, find_ties, promotion_squares};
use super::mate_threat;
use super::piece_values::PieceValues;
use super::soma::Soma;
use super::tie::{Tie, TieKind};
use super::valuation::{self, Valuation, valuation};
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// Forks and attacks of each side that the table keeps: the best ones.
const MAX_DELAYED: usize = 4;

/// The tactical moves of a position, of both sides.
#[derive(Clone)]
pub struct Table<'a> {
    /// The pieces.
    pub board: Board,
    /// What they are worth.
    pub values: &'a PieceValues,
    /// What binds them.
    pub ties: Ties,
    /// The moves.
    pub entries: Vec<Entry>,
}

impl<'a> Table<'a> {
    /// Steps A1 to A4.
    pub fn new(board: Board, values: &'a PieceValues) -> Table<'a> {
        let ties = find_ties(&board, values);
        let mut table = Table { board, values, ties, entries: Vec::new() };
        for color in Color::ALL {
            table.add_mates(color);
            table.add_captures(color);
            table.add_promotions(color);
            table.add_delayed(color);
            table.add_discovered(color);
        }
        for place in 0..table.entries.len() {
            table.add_secondary(place);
        }
        table
    }

    /// What exchanges are judged by.
    pub fn soma(&self) -> Soma<'_> {
        Soma { board: &self.board, values: self.values, ties: &self.ties }
    }

    /// The place of the entry for `mv` of `color`.
    pub fn find(&self, color: Color, mv: Move) -> Option<usize> {
        self.entries.iter().position(|entry| entry.side == color && entry.mv == mv)
    }

    /// Whether the piece on `square` is bound to it.
    pub fn is_tied(&self, square: Square) -> bool {
        self.ties.iter().any(|tie| tie.holder == square)
    }

    fn add(&mut self, color: Color, mv: Move, kind: EntryKind, found: Valuation, trigger: Option<Trigger>) {
        self.entries.push(Entry {
            side: color,
            mv,
            kind,
            target: found.target,
            first: found.first,
            value: found.value,
            weight: found.value,
            active: trigger.is_none(),
            trigger,
            check: valuation::gives_check(&self.board, color, mv),
            target_tied: self.is_tied(found.target),
            answers: Answers::default(),
            credits: Vec::new(),
        });
    }

    fn add_mates(&mut self, color: Color) {
        let mut mate = None;
        mate_threat::each_mating_move(&self.board, color, |mating| {
            if mating.guards.is_empty() {
                mate.get_or_insert(mating.mv);
            }
        });
        if let Some(mv) = mate {
            let found = Valuation { first: 0, value: self.values.mate(), target: mv.to() };
            self.add(color, mv, EntryKind::Mate, found, None);
        }
    }

    /// A3: every capture by every piece.
    fn add_captures(&mut self, color: Color) {
        let occupied = self.board.occupied();
        self.board.without_king(!color).for_each(|target| {
            self.board.attackers(target, color, occupied).for_each(|from| self.add_capture(from, target));
        });
    }

    /// Adds the capture on `target` by the piece on `from`, unless it is there or not possible.
    fn add_capture(&mut self, from: Square, target: Square) {
        let Some(piece) = self.board.piece_on(from) else { return };
        let mv = capture_form(self.soma(), piece, from, target, self.board.occupied());
        let is_new = [Move::board(from, target), Move::promoting(from, target)]
            .into_iter()
            .all(|form| self.find(piece.color, form).is_none());
        if is_new && let Some(found) = valuation(self.soma(), piece.color, mv, EntryKind::Capture) {
            self.add(piece.color, mv, EntryKind::Capture, found, None);
        }
    }

    /// A4: the best promotion of each piece. Of equal ones it is the one that goes deepest into the enemy's camp. A
    /// promotion that only a tied piece prevents waits until that piece has gone.
    fn add_promotions(&mut self, color: Color) {
        self.board.without_king(color).for_each(|from| {
            let Some(piece) = self.board.piece_on(from) else { return };
            if self.values.promotion(piece.kind) <= 0 {
                return;
            }
            let squares = promotion_squares(&self.board, piece, from);
            if squares.is_empty() {
                return;
            }
            let occupied = self.board.occupied().without(Bitboard::of(from));
            let quiet: Bitboard = squares
                .into_iter()
                .filter(|&to| self.board.attackers(to, !color, occupied).is_empty())
                .collect();
            let mut best: Option<(i32, u8, Move, Valuation)> = None;
            (if quiet.is_empty() { squares } else { quiet }).for_each(|to| {
                let mv = Move::promoting(from, to);
                if let Some(found) = valuation(self.soma(), color, mv, EntryKind::Promotion) {
                    let depth = 8 - to.rank_from(color);
                    if best.is_none_or(|(value, rank, ..)| (found.value, depth) > (value, rank)) {
                        best = Some((found.value, depth, mv, found));
                    }
                }
            });
            match best {
                Some((value, _, mv, found)) if value > 0 => {
                    self.add(color, mv, EntryKind::Promotion, found, None);
                }
                Some(_) => self.add_prevented_promotions(color, from),
                None => {}
            }
        });
    }

    fn add_prevented_promotions(&mut self, color: Color, from: Square) {
        let ties: ArrayVec<Tie, 8> = self
            .ties
            .iter()
            .filter(|tie| tie.kind == TieKind::Promotion && tie.attackers == Bitboard::of(from))
            .copied()
            .take(8)
            .collect();
        for tie in &ties {
            let mv = Move::promoting(from, tie.target);
            if self.find(color, mv).is_none() {
                let holders = ties
                    .iter()
                    .filter(|other| other.target == tie.target)
                    .map(|other| other.holder)
                    .collect();
                let first = self.board.piece_on(from).map_or(0, |piece| self.values.promotion(piece.kind));
                let found = Valuation { first, value: tie.value, target: tie.target };
                self.add(color, mv, EntryKind::Promotion, found, Some(Trigger::Leaves(holders)));
            }
        }
    }

    /// A4: quiet moves and drops that attack two pieces, or one that cannot get away.
    fn add_delayed(&mut self, color: Color) {
        let mut finder = DelayedFinder::new(self, color);
        finder.drops();
        finder.moves();
        let mut found = finder.found;
        found.sort_by_key(|&(_, _, valuation)| -valuation.value);
        for (mv, kind, valuation) in found.into_iter().take(MAX_DELAYED) {
            if self.find(color, mv).is_none() {
                self.add(color, mv, kind, valuation, None);
            }
        }
    }

    /// Captures that become possible when a piece of the same side gets out of the way.
    fn add_discovered(&mut self, color: Color) {
        let occupied = self.board.occupied();
        self.board.without_king(!color).for_each(|target| {
            if self.is_hanging(target, color) {
                return;
            }
            self.board.aimed_sliders(target, color).for_each(|from| {
                let between = attacks::between(from, target) & occupied;
                if let Some(screen) = between.first()
                    && !between.has_several()
                    && self.board.of_color(color).contains(screen)
                    && self.may_leave(screen, from, target)
                    && let Some(piece) = self.board.piece_on(from)
                {
                    let mv = best_form(self.values, piece, from, target);
                    let open = occupied.without(between);
                    let promotes = mv.is_promotion();
                    let outcome = self.soma().begun_by(piece, Some(from), target, promotes, open);
                    if outcome.net > 0 {
                        let found = Valuation { first: outcome.first, value: outcome.net, target };
                        self.add(color, mv, EntryKind::Capture, found, Some(Trigger::Leaves(between)));
                    }
                }
            });
        });
    }

    /// Whether the piece on `screen` has a profitable move that opens the line from `from` to `target`.
    fn may_leave(&self, screen: Square, from: Square, target: Square) -> bool {
        self.entries.iter().any(|entry| {
            entry.active
                && entry.from() == Some(screen)
                && entry.value > 0
                && !(attacks::between(from, target) | Bitboard::of(target)).contains(entry.mv.to())
        })
    }

    /// Whether `color` can already take the piece on `square` with profit.
    fn is_hanging(&self, square: Square, color: Color) -> bool {
        self.entries.iter().any(|entry| {
            entry.active
                && entry.side == color
                && entry.kind == EntryKind::Capture
                && entry.target == square
                && entry.value > 0
        })
    }

    /// 10.2: what the piece can take next from where it has captured, one generation deep. Only a capture that is not
    /// answered on its square leads on. Pieces that it was aimed at before, be it through others, and pieces that hang
    /// in any case are left out: so are they in the paper's tables (`l 9ixP9d` and `B 2cxg4e` lead to nothing, and
    /// neither does `r 3dxP3f` to the lance on 2f).
    fn add_secondary(&mut self, place: usize) {
        let parent = &self.entries[place];
        let Some(from) = parent.from() else { return };
        if parent.kind != EntryKind::Capture || !parent.active || !parent.is_lasting() {
            return;
        }
        let (color, mv, to) = (parent.side, parent.mv, parent.mv.to());
        let Some(piece) = self.board.piece_after(color, mv) else { return };
        let occupied = self.board.occupied().without(Bitboard::of(from));
        let reached = attacks::of(piece, to, occupied) & self.board.without_king(!color);
        let aimed =
            self.board.piece_on(from).map_or(Bitboard::EMPTY, |piece| attacks::on_empty_board(piece, from));
        reached.without(aimed).for_each(|target| {
            if self.is_hanging(target, color) {
                return;
            }
            let next = best_form(self.values, piece, to, target);
            let promotes = next.is_promotion();
            let outcome = self.soma().begun_by(piece, Some(to), target, promotes, occupied);
            if outcome.net > 0 && self.find(color, next).is_none() {
                let found = Valuation { first: outcome.first, value: outcome.net, target };
                self.add(color, next, EntryKind::Capture, found, Some(Trigger::Follows(mv)));
            }
        });
    }

    /// B4: the table after `mv` of `color`, which is the entry at `place`, or a move that neutralises a threat.
    ///
    /// Entries of pieces that have gone, or whose target has, are void; the others are valued anew. What the move
    /// triggers becomes active. New are only captures of the piece that has moved, captures on lines that it has
    /// opened, and, after a fork or an attack, what it attacks.
    pub fn play(&mut self, color: Color, mv: Move, place: Option<usize>) {
        let kind = place.map(|place| self.entries[place].kind);
        let (from, to) = (mv.from(), mv.to());
        let changed = from.map_or(Bitboard::EMPTY, Bitboard::of) | Bitboard::of(to);
        self.board.play(color, mv);
        self.ties = find_ties(&self.board, self.values);
        let old = std::mem::take(&mut self.entries);
        for entry in old {
            self.carry_over(entry, color, mv, changed);
        }
        let occupied = self.board.occupied();
        for side in [!color, color] {
            self.add_mates(side);
        }
        self.board.attackers(to, !color, occupied).for_each(|taker| self.add_capture(taker, to));
        if matches!(kind, Some(EntryKind::Fork | EntryKind::Attack)) {
            let attacked = self.board.attacks_from(to) & self.board.without_king(!color);
            attacked.for_each(|target| self.add_capture(to, target));
        }
        if let Some(from) = from {
            for side in Color::ALL {
                self.board.aimed_sliders(from, side).without(Bitboard::of(to)).for_each(|slider| {
                    let line = attacks::line_through(slider, from);
                    let beyond = self.board.attacks_from(slider) & line & self.board.without_king(!side);
                    beyond
                        .into_iter()
                        .filter(|&target| attacks::between(slider, target).contains(from))
                        .for_each(|target| self.add_capture(slider, target));
                });
            }
        }
    }

    /// Keeps what `mv` of `color` leaves of an entry, with its new value.
    fn carry_over(&mut self, mut entry: Entry, color: Color, mv: Move, changed: Bitboard) {
        let own_move = entry.side == color;
        match entry.trigger {
            Some(Trigger::Follows(parent)) if !entry.active => {
                if own_move && parent == mv {
                    entry.active = true;
                } else if Bitboard::of(parent.to()).meets(changed)
                    || parent.from().is_some_and(|from| changed.contains(from))
                {
                    return;
                } else {
                    // It waits, with the value it had: its piece is not where it captures from.
                    self.entries.push(entry);
                    return;
                }
            }
            Some(Trigger::Leaves(squares)) if !entry.active && squares.meets(changed) => entry.active = true,
            _ => {
                if entry.from().is_some_and(|from| changed.contains(from)) {
                    return;
                }
            }
        }
        if entry.kind == EntryKind::Mate || entry.kind == EntryKind::Capture && changed.contains(entry.target)
        {
            return;
        }
        let Some(found) = valuation(self.soma(), entry.side, entry.mv, entry.kind) else {
            // A discovered capture whose screen still stands waits on.
            if !entry.active && entry.kind == EntryKind::Capture && !entry.squares().meets(changed) {
                self.entries.push(entry);
            }
            return;
        };
        entry.first = found.first;
        entry.value = found.value;
        entry.target = found.target;
        entry.check = valuation::gives_check(&self.board, entry.side, entry.mv);
        entry.target_tied = self.is_tied(entry.target);
        entry.answers = Answers::default();
        self.entries.push(entry);
    }
}

/// Finds forks and attacks on pieces that cannot get away.
struct DelayedFinder<'t, 'a> {
    table: &'t Table<'a>,
    color: Color,
    king: Option<Square>,
    /// Pieces worth attacking, and those of them that have no safe square.
    worthwhile: Bitboard,
    immobile: Bitboard,
    /// By kind, the squares from which a piece attacks two of them, or one that is immobile, as the pieces stand.
    squares: [Option<Bitboard>; PieceKind::COUNT],
    /// The best of each piece.
    found: Vec<(Move, EntryKind, Valuation)>,
}

impl<'t, 'a> DelayedFinder<'t, 'a> {
    fn new(table: &'t Table<'a>, color: Color) -> Self {
        let board = &table.board;
        let worthwhile: Bitboard = board
            .without_king(!color)
            .without(board.of(!color, PieceKind::Pawn))
            .into_iter()
            .filter(|&square| !table.is_hanging(square, color))
            .collect();
        let immobile =
            worthwhile.into_iter().filter(|&square| valuation::is_immobile(board, square, color)).collect();
        DelayedFinder {
            table,
            color,
            king: board.king(!color),
            worthwhile,
            immobile,
            squares: [None; PieceKind::COUNT],
            found: Vec::new(),
        }
    }

    fn squares_of(&mut self, kind: PieceKind) -> Bitboard {
        if let Some(squares) = self.squares[kind.index()] {
            return squares;
        }
        let occupied = self.table.board.occupied();
        let (mut once, mut twice, mut immobile) = (Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY);
        let king = self.king.map_or(Bitboard::EMPTY, Bitboard::of);
        (self.worthwhile | king).for_each(|target| {
            let seen = attacks::of(Piece::new(!self.color, kind), target, occupied);
            twice |= once & seen;
            once |= seen;
            if self.immobile.contains(target) {
                immobile |= seen;
            }
        });
        let squares = twice | immobile;
        self.squares[kind.index()] = Some(squares);
        squares
    }

    fn drops(&mut self) {
        let board = &self.table.board;
        let hand = board.hand(self.color);
        for kind in HandKind::ALL.into_iter().filter(|&kind| hand.has(kind)) {
            let squares = self.squares_of(kind.piece_kind()).without(board.occupied());
            self.best_of(squares.into_iter().map(|to| Move::drop(kind, to)));
        }
    }

    fn moves(&mut self) {
        let board = &self.table.board;
        let occupied = board.occupied();
        for from in board.without_king(self.color) {
            let Some(piece) = board.piece_on(from) else { continue };
            let reached = attacks::of(piece, from, occupied).without(occupied);
            if reached.is_empty() {
                continue;
            }
            let promotable = self.table.values.promotion(piece.kind) > 0;
            let zone = match from.in_promotion_zone(self.color) {
                _ if !promotable => Bitboard::EMPTY,
                true => reached,
                false => reached & Bitboard::far_ranks(self.color, 3),
            };
            let mut squares = reached.without(zone) & self.squares_of(piece.kind);
            if let Some(promoted) = piece.kind.promoted().filter(|_| !zone.is_empty()) {
                squares |= zone & self.squares_of(promoted);
            }
            let values = self.table.values;
            self.best_of(squares.into_iter().map(|to| find_ties::best_form(values, piece, from, to)));
        }
    }

    /// Adds the best fork and the best attack among the moves of one piece.
    fn best_of(&mut self, moves: impl Iterator<Item = Move>) {
        let soma = self.table.soma();
        let mut best: Option<(Move, EntryKind, Valuation)> = None;
        for mv in moves {
            for kind in [EntryKind::Fork, EntryKind::Attack] {
                if let Some(found) = valuation(soma, self.color, mv, kind)
                    && best.is_none_or(|(_, _, known)| found.value > known.value)
                {
                    best = Some((mv, kind, found));
                }
            }
        }
        self.found.extend(best);
    }
}
