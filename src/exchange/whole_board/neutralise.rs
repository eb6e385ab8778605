//! Moves that neutralise a threat: run, run to where the taker is retaken, block, defend (the paper's §3 B3, §8.1, 10.5).

use std::cmp::Reverse;

use super::board::Board;
use super::cross_reference::value_on;
use super::entry::{Answers, Entry, EntryKind};
use super::soma::Soma;
use super::table::Table;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, Piece};
use crate::shogi::square::Square;

/// How a move answers a threat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Means {
    /// It puts a piece in the way.
    Block,
    /// The threatened piece goes elsewhere.
    Run,
    /// It defends what is threatened.
    Defend,
}

/// A move that neutralises a threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Neutraliser {
    /// The move.
    pub mv: Move,
    /// How.
    pub means: Means,
    /// How much of the threat's value it saves.
    pub saved: i32,
}

/// How the threat `threat` can be answered, and the best answer.
pub fn neutralise(table: &Table, threat: &Entry) -> (Answers, Option<Neutraliser>) {
    let mut search = Search {
        table,
        threat,
        us: !threat.side,
        goal: threat.mv.to(),
        answers: Answers::default(),
        best: None,
    };
    search.run();
    search.block();
    search.defend();
    (search.answers, search.best)
}

/// What the moved piece is worth to the opponent on its new square, at least 0.
fn exposure(table: &Table, board: &Board, threat: &Entry, square: Square) -> i32 {
    let soma = Soma { board, values: table.values, ties: &table.ties };
    soma.threat(square, threat.side, board.occupied())
}

struct Search<'t, 'a> {
    table: &'t Table<'a>,
    threat: &'t Entry,
    us: Color,
    goal: Square,
    answers: Answers,
    best: Option<Neutraliser>,
}

impl Search<'_, '_> {
    /// The threatened piece leaves. Squares that the opponent attacks are tried only where there is no other.
    fn run(&mut self) {
        let board = &self.table.board;
        if self.threat.kind == EntryKind::Promotion {
            return;
        }
        let from = match self.threat.kind {
            EntryKind::Mate => board.king(self.us),
            _ => Some(self.threat.target),
        };
        let Some(from) = from else { return };
        let Some(piece) = board.piece_on(from) else { return };
        let reached = board.attacks_from(from).without(board.of_color(self.us));
        let behind = board.occupied().without(Bitboard::of(from));
        let (attacked, safe): (Vec<Square>, Vec<Square>) =
            reached.into_iter().partition(|&to| !board.attackers(to, self.threat.side, behind).is_empty());
        for to in safe {
            self.attempt(Means::Run, self.quiet_form(piece, from, to));
        }
        self.answers.immobile = !self.answers.run;
        if self.answers.immobile {
            for to in attacked {
                self.attempt(Means::Run, self.quiet_form(piece, from, to));
            }
        }
    }

    /// A piece goes, or is dropped, between the attacker and its goal.
    fn block(&mut self) {
        let Some(from) = self.threat.from() else { return };
        for square in attacks::between(from, self.goal) {
            self.quiet_moves(square, Means::Block);
            self.cheapest_drops(square, Means::Block);
        }
    }

    /// A piece goes, or is dropped, to where it guards the goal.
    fn defend(&mut self) {
        let board = &self.table.board;
        let occupied = board.occupied();
        let moved = self.threat.target;
        for from in board.of_color(self.us) {
            let Some(piece) = board.piece_on(from).filter(|_| from != moved) else { continue };
            let reached = board.attacks_from(from).without(occupied);
            for to in reached {
                let mv = self.quiet_form(piece, from, to);
                let Some(after) = board.piece_after(self.us, mv) else { continue };
                let open = occupied.without(Bitboard::of(from));
                if attacks::of(after, to, open).contains(self.goal) {
                    self.attempt(Means::Defend, mv);
                }
            }
        }
        for kind in
            HandKind::ALL.into_iter().filter(|kind| !matches!(kind, HandKind::Bishop | HandKind::Rook))
        {
            if board.hand(self.us).has(kind) {
                let seen = attacks::of(Piece::new(!self.us, kind.piece_kind()), self.goal, occupied);
                for to in seen.without(occupied) {
                    if board.can_drop(self.us, kind, to) {
                        self.attempt(Means::Defend, Move::drop(kind, to));
                    }
                }
            }
        }
    }

    fn quiet_form(&self, piece: Piece, from: Square, to: Square) -> Move {
        super::find_ties::best_form(self.table.values, piece, from, to)
    }

    /// The moves of other pieces to an empty square.
    fn quiet_moves(&mut self, to: Square, means: Means) {
        let board = &self.table.board;
        let movers = board.attackers(to, self.us, board.occupied()) & board.without_king(self.us);
        for from in movers.without(Bitboard::of(self.threat.target)) {
            if let Some(piece) = board.piece_on(from) {
                self.attempt(means, self.quiet_form(piece, from, to));
            }
        }
    }

    /// The two cheapest kinds that can be dropped on a square.
    fn cheapest_drops(&mut self, to: Square, means: Means) {
        let (table, us) = (self.table, self.us);
        let kinds = HandKind::ALL.into_iter().filter(|&kind| table.board.can_drop(us, kind, to));
        for kind in kinds.take(2) {
            self.attempt(means, Move::drop(kind, to));
        }
    }

    /// Tries a move: what it saves is the threat's value without what the opponent still gains after it, there, by
    /// taking the moved piece, or where the piece was tied.
    fn attempt(&mut self, means: Means, mv: Move) {
        let Search { table, threat, us, .. } = *self;
        if !table.board.king_is_safe_after(us, mv.from(), mv.to()) {
            return;
        }
        let mut board = table.board;
        board.play(us, mv);
        let left = if means == Means::Run && threat.kind != EntryKind::Mate {
            0
        } else {
            value_on(table, &board, threat)
        };
        let lost = exposure(table, &board, threat, mv.to());
        let released = match (mv.from(), board.piece_on(mv.to())) {
            (Some(from), Some(piece)) => table.soma().released(from, piece, mv.to(), board.occupied()),
            _ => 0,
        };
        let saved = threat.value - left.max(lost).max(released);
        if saved >= threat.value {
            match means {
                Means::Block => self.answers.block = true,
                Means::Defend => self.answers.defend = true,
                Means::Run => self.answers.run = true,
            }
        }
        let found = Neutraliser { mv, means, saved };
        if saved > 0 && self.best.is_none_or(|best| order(us, found) > order(us, best)) {
            self.best = Some(found);
        }
    }
}

/// Neutralisers in order, the best last: what they save, moves before drops, their means, and then the square, as the
/// side to move sees it, so that colours do not matter.
fn order(us: Color, one: Neutraliser) -> (i32, bool, Means, Reverse<usize>, Reverse<usize>) {
    let square = |square: Square| Reverse(square.seen_by(us).index());
    (one.saved, !one.mv.is_drop(), one.means, square(one.mv.to()), one.mv.from().map_or(Reverse(0), square))
}
