//! Steps B3 and B5: the predicted line.

use super::board::Board;
use super::cross_reference::cross_reference;
use super::entry::{Entry, EntryKind};
use super::mate_threat;
use super::neutralise::{Neutraliser, neutralise};
use super::piece_values::PieceValues;
use super::table::Table;
use crate::shogi::attacks;
use crate::shogi::bitboard::Bitboard;
use crate::shogi::color::Color;
use crate::shogi::moves::Move;
use crate::shogi::piece::HandKind;
use crate::shogi::square::Square;

/// The longest line. The paper's are "10 moves or more"; a side that runs and is attacked again could go on for ever.
pub const MAX_PLIES: usize = 24;

/// What a predicted move is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// It is an entry of the table.
    Tactical(EntryKind),
    /// It neutralises this move of the opponent.
    Neutralises(Move),
    /// It answers a check.
    Evades,
    /// Nothing is worth playing.
    Passes,
}

/// A predicted move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Whose move it is.
    pub side: Color,
    /// The move; `None` for a pass.
    pub mv: Option<Move>,
    /// What it gains at once.
    pub gain: i32,
    /// What it is for.
    pub purpose: Purpose,
}

/// The predicted line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The moves, to the two passes that end it.
    pub steps: Vec<Step>,
    /// What the side that moves first gains by the line.
    pub net: i32,
    /// How much there was to choose from: the profitable entries of both sides, summed over the positions of the line.
    pub complexity: u32,
}

impl Line {
    /// The moves without the passes at the end.
    pub fn moves(&self) -> impl Iterator<Item = &Step> {
        let end = self.steps.iter().rposition(|step| step.mv.is_some()).map_or(0, |last| last + 1);
        self.steps[..end].iter()
    }

    /// The first move, if the first side does not pass.
    pub fn first_move(&self) -> Option<Move> {
        self.steps.first()?.mv
    }
}

/// What a side does.
#[derive(Clone, Copy, Debug)]
enum Choice {
    Play(usize),
    Neutralise(Neutraliser, Move),
    Evade(Move),
    Pass,
    /// It is mated.
    None,
}

/// Predicts the line from `table`, with `side` to move and without `rejected` as its first move.
pub fn predict(table: &Table, side: Color, rejected: Option<Move>) -> Line {
    let mut table = table.clone();
    let mut line = Line::default();
    let mut mover = side;
    for ply in 0..MAX_PLIES {
        if ply > 0 {
            cross_reference(&mut table);
        }
        line.complexity +=
            table.entries.iter().filter(|entry| entry.active && entry.value > 0).count() as u32;
        let choice = choose(&table, mover, rejected.filter(|_| ply == 0));
        let sign = if mover == side { 1 } else { -1 };
        let (mv, gain, purpose, place) = match choice {
            Choice::Play(place) => {
                let entry = &table.entries[place];
                let gain = match entry.kind {
                    EntryKind::Mate => entry.value,
                    EntryKind::Fork | EntryKind::Attack => 0,
                    EntryKind::Capture | EntryKind::Promotion => entry.first,
                };
                (Some(entry.mv), gain, Purpose::Tactical(entry.kind), Some(place))
            }
            Choice::Neutralise(found, threat) => (Some(found.mv), 0, Purpose::Neutralises(threat), None),
            Choice::Evade(mv) => {
                let gain = captured_by(&table, mv);
                (Some(mv), gain, Purpose::Evades, table.find(mover, mv))
            }
            Choice::Pass => (None, 0, Purpose::Passes, None),
            Choice::None => {
                line.net -= sign * table.values.mate();
                break;
            }
        };
        line.steps.push(Step { side: mover, mv, gain, purpose });
        line.net += sign * gain;
        let Some(mv) = mv else {
            if ply > 0 && line.steps[ply - 1].mv.is_none() {
                break;
            }
            mover = !mover;
            continue;
        };
        if purpose == Purpose::Tactical(EntryKind::Mate) {
            break;
        }
        table.play(mover, mv, place);
        mover = !mover;
    }
    line
}

fn captured_by(table: &Table, mv: Move) -> i32 {
    table.board.piece_on(mv.to()).map_or(0, |victim| table.values.captured(victim.kind))
}

/// The heaviest entry, or the neutraliser that saves more.
fn choose(table: &Table, side: Color, rejected: Option<Move>) -> Choice {
    let board = &table.board;
    let in_check = board.in_check(side);
    let allowed = |entry: &Entry| {
        entry.active
            && entry.side == side
            && Some(entry.mv) != rejected
            && board.king_is_safe_after(side, entry.from(), entry.mv.to())
    };
    let own = table.entries.iter().enumerate().filter(|(_, entry)| allowed(entry) && entry.weight > 0);
    let best = own.max_by_key(|(_, entry)| order(entry));
    let weight = best.map_or(0, |(_, entry)| entry.weight);
    if in_check {
        return match best {
            Some((place, _)) => Choice::Play(place),
            None => evasion(table, side).map_or(Choice::None, Choice::Evade),
        };
    }
    let mut threats: Vec<&Entry> = table
        .entries
        .iter()
        .filter(|entry| entry.active && entry.side != side && entry.value > weight)
        .collect();
    threats.sort_by_key(|entry| std::cmp::Reverse(order(entry)));
    let mut saved = weight;
    let mut choice = best.map_or(Choice::Pass, |(place, _)| Choice::Play(place));
    for threat in threats {
        if threat.value <= saved {
            break;
        }
        let (_, found) = neutralise(table, threat);
        if let Some(found) = found.filter(|found| found.saved > saved && Some(found.mv) != rejected) {
            saved = found.saved;
            choice = Choice::Neutralise(found, threat.mv);
        }
    }
    choice
}

/// Entries in order, the best last. Of equal ones colours do not decide.
fn order(entry: &Entry) -> (i32, i32, usize, usize) {
    let square = |square: Square| square.seen_by(entry.side).index();
    (entry.weight, entry.value, square(entry.mv.to()), entry.from().map_or(81, square))
}

/// The best answer to a check that the table has no profitable move for: a step of the king, a capture of the checking
/// piece, or a piece in between. `None`: mated.
fn evasion(table: &Table, side: Color) -> Option<Move> {
    let board = &table.board;
    let king = board.king(side)?;
    let occupied = board.occupied();
    let mut best: Option<(i32, usize, usize, Move)> = None;
    let mut attempt = |score: i32, mv: Move| {
        if board.king_is_safe_after(side, mv.from(), mv.to()) {
            let score = if allows_mate(board, side, mv) { score - table.values.mate() } else { score };
            let square = |square: Square| square.seen_by(side).index();
            let key = (score, square(mv.to()), mv.from().map_or(81, square), mv);
            if best.is_none_or(|best| key > best) {
                best = Some(key);
            }
        }
    };
    for to in attacks::king(king).without(board.of_color(side)) {
        let gain = board.piece_on(to).map_or(0, |victim| table.values.captured(victim.kind));
        attempt(gain, Move::board(king, to));
    }
    for entry in table.entries.iter().filter(|entry| entry.active && entry.side == side) {
        attempt(entry.value, entry.mv);
    }
    let checkers = board.attackers(king, !side, occupied);
    if let Some(checker) = checkers.first().filter(|_| !checkers.has_several()) {
        for to in board.attackers(checker, side, occupied) & board.without_king(side) {
            if let Some(piece) = board.piece_on(to) {
                let mv = super::find_ties::best_form(table.values, piece, to, checker);
                attempt(0, mv);
            }
        }
        for to in attacks::between(king, checker) {
            interpose(table, side, to, &mut attempt);
        }
    }
    best.map(|(.., mv)| mv)
}

/// Whether the opponent mates at once after `mv` of `side`.
fn allows_mate(board: &Board, side: Color, mv: Move) -> bool {
    let mut after = *board;
    after.play(side, mv);
    let mut mates = false;
    mate_threat::each_mating_move(&after, !side, |mating| mates |= mating.guards.is_empty());
    mates
}

/// Tries all that can go to `to`, and the cheapest drops there.
fn interpose(table: &Table, side: Color, to: Square, attempt: &mut impl FnMut(i32, Move)) {
    let board: &Board = &table.board;
    let movers = board.attackers(to, side, board.occupied()) & board.without_king(side);
    let moves = movers.into_iter().filter_map(|from| {
        let piece = board.piece_on(from)?;
        Some(super::find_ties::best_form(table.values, piece, from, to))
    });
    let drops = HandKind::ALL.into_iter().filter(|&kind| board.can_drop(side, kind, to)).take(2);
    for mv in moves.chain(drops.map(|kind| Move::drop(kind, to))) {
        let mut after = *board;
        after.play(side, mv);
        let soma = super::soma::Soma { board: &after, values: table.values, ties: &[] };
        let occupied = after.occupied() | Bitboard::of(to);
        attempt(-soma.threat(to, !side, occupied) - 1, mv);
    }
}

/// The table of a position after steps A1 to B2.
pub fn make_table(board: Board, values: &PieceValues) -> Table<'_> {
    let mut table = Table::new(board, values);
    cross_reference(&mut table);
    table
}
