//! Step B2: what each entry does to the others is added to its weight.

use super::board::Board;
use super::entry::{Credit, Entry, EntryKind, Reason, Trigger};
use super::mate_threat;
use super::soma::Soma;
use super::table::Table;
use super::tie::TieKind;
use super::valuation::valuation;
use crate::shogi::attacks;
use crate::shogi::piece::{Piece, PieceKind};

/// What a capture with check is given on top, so that it comes first (10.1). More than any sum of material.
pub const CHECK_FIRST: i32 = 100_000;

/// Gives each entry its weight and its credits.
pub fn cross_reference(table: &mut Table) {
    for place in 0..table.entries.len() {
        let credits = if table.entries[place].active { credits(table, place) } else { Vec::new() };
        let entry = &mut table.entries[place];
        entry.weight = entry.value + credits.iter().map(|credit| credit.amount).sum::<i32>();
        entry.credits = credits;
    }
}

fn credits(table: &Table, place: usize) -> Vec<Credit> {
    let entry = &table.entries[place];
    let mut credits = Vec::new();
    let mut after: Option<Board> = None;
    for (other_place, other) in table.entries.iter().enumerate() {
        if other_place == place || other.value <= 0 {
            continue;
        }
        let credit =
            |amount, reason| Credit { from: Some(other_place), square: other.target, amount, reason };
        if other.side == entry.side {
            if !other.active && entry.from().is_some_and(|from| other.waits_for(from)) {
                // The piece in the way has to leave the line.
                let opened = other.kind == EntryKind::Capture
                    && other
                        .from()
                        .is_some_and(|from| !attacks::between(from, other.target).contains(entry.mv.to()))
                    && entry.mv.to() != other.target;
                if opened {
                    credits.push(credit(other.value, Reason::Triggers));
                }
            }
            continue;
        }
        if !other.active {
            continue;
        }
        if entry.kind == EntryKind::Capture && Some(entry.mv.to()) == other.from() {
            credits.push(credit(other.value, Reason::TakesCapturer));
        } else if entry.from() == Some(other.target) && other.kind != EntryKind::Mate {
            credits.push(credit(other.value, Reason::Escapes));
        } else if entry.is_lasting() && may_concern(&table.board, entry, other) {
            let board = after.get_or_insert_with(|| {
                let mut board = table.board;
                board.play(entry.side, entry.mv);
                board
            });
            let left = value_on(table, board, other);
            if left < other.value {
                let between = other
                    .from()
                    .is_some_and(|from| attacks::between(from, other.mv.to()).contains(entry.mv.to()));
                let reason = if between { Reason::Blocks } else { Reason::Defends };
                credits.push(credit(other.value - left, reason));
            }
        }
    }
    once_for_each_piece(&mut credits);
    credits.extend(best_follower(table, entry));
    credits.extend(untied(table, entry));
    credits.extend(commitment(table, entry));
    if entry.check && matches!(entry.kind, EntryKind::Capture | EntryKind::Promotion) && entry.value > 0 {
        credits.push(Credit {
            from: None,
            square: entry.mv.to(),
            amount: CHECK_FIRST,
            reason: Reason::Check,
        });
    }
    credits
}

/// A piece that several others could take is lost once only: of what an entry saves on one square the most counts.
fn once_for_each_piece(credits: &mut Vec<Credit>) {
    let saves = |credit: &Credit| matches!(credit.reason, Reason::Escapes | Reason::Blocks | Reason::Defends);
    let all = credits.clone();
    let mut place = 0;
    credits.retain(|credit| {
        let own = place;
        place += 1;
        let outdone = |(n, other): (usize, &Credit)| {
            saves(other)
                && other.square == credit.square
                && (other.amount > credit.amount || other.amount == credit.amount && n < own)
        };
        !saves(credit) || !all.iter().enumerate().any(outdone)
    });
}

/// What `other` is worth on `board`, at least 0.
pub fn value_on(table: &Table, board: &Board, other: &Entry) -> i32 {
    let soma = Soma { board, values: table.values, ties: &table.ties };
    if other.kind == EntryKind::Mate {
        let mut mates = false;
        mate_threat::each_mating_move(board, other.side, |mating| mates |= mating.guards.is_empty());
        return if mates { other.value } else { 0 };
    }
    valuation(soma, other.side, other.mv, other.kind).map_or(0, |found| found.value.max(0))
}

/// Whether `entry` could change what `other`, of the opponent, is worth: it gets in its way, guards what it is about, or
/// takes a piece that supports it. Only where this holds is the exchange looked at again.
fn may_concern(board: &Board, entry: &Entry, other: &Entry) -> bool {
    if other.kind == EntryKind::Mate {
        return true;
    }
    let (to, goal) = (entry.mv.to(), other.mv.to());
    let Some(piece) = board.piece_after(entry.side, entry.mv) else { return false };
    // The paper's second example credits B6hxs4f with nothing for P3f, which only the horse's new step would guard.
    let piece = Piece::new(piece.color, piece.kind.unpromoted());
    let on_the_way = to == goal
        || other.from().is_some_and(|from| attacks::between(from, goal).contains(to))
        || other.is_delayed() && attacks::between(goal, other.target).contains(to);
    let guards = |square| attacks::on_empty_board(piece, to).contains(square);
    let supports = board.aimed(goal, other.side).contains(to);
    let opens = entry.from().is_some_and(|from| {
        board
            .aimed_sliders(goal, entry.side)
            .into_iter()
            .any(|slider| attacks::between(slider, goal).contains(from))
    });
    on_the_way || guards(goal) || other.is_delayed() && guards(other.target) || supports || opens
}

/// The best of what the piece can take next.
fn best_follower(table: &Table, entry: &Entry) -> Option<Credit> {
    let follows = |other: &Entry| {
        !other.active && other.side == entry.side && other.trigger == Some(Trigger::Follows(entry.mv))
    };
    let (place, next) = table
        .entries
        .iter()
        .enumerate()
        .filter(|(_, other)| follows(other))
        .max_by_key(|(_, other)| other.value)?;
    Some(Credit { from: Some(place), square: next.target, amount: next.value, reason: Reason::Triggers })
}

/// What becomes possible because the piece that `entry` takes was tied: the entries that wait for it to leave, each of
/// them, as in the paper's second example. A piece that defends material sets free no entry of its own, as that capture is
/// in the table already. A mate that is only threatened, with the opponent to move, counts like a silver (§9).
fn untied(table: &Table, entry: &Entry) -> Vec<Credit> {
    if entry.kind != EntryKind::Capture {
        return Vec::new();
    }
    let waits = |other: &Entry| {
        !other.active
            && other.side == entry.side
            && other.kind == EntryKind::Promotion
            && other.waits_for(entry.target)
            && other.from() != entry.from()
    };
    let waiting = table.entries.iter().enumerate().filter(|(_, other)| waits(other)).map(|(place, other)| {
        Credit { from: Some(place), square: other.target, amount: other.value, reason: Reason::Unties }
    });
    let mates =
        table.ties.iter().filter(|tie| tie.holder == entry.target && tie.kind == TieKind::Mate).map(|tie| {
            let amount = table.values.on_board(PieceKind::Silver);
            Credit { from: None, square: tie.target, amount, reason: Reason::Unties }
        });
    waiting.chain(mates.take(1)).collect()
}

/// 10.3: where another piece can take the same target, the piece that has something else to take is spared.
fn commitment(table: &Table, entry: &Entry) -> Option<Credit> {
    if entry.kind != EntryKind::Capture {
        return None;
    }
    let own =
        || table.entries.iter().enumerate().filter(|(_, other)| other.active && other.side == entry.side);
    let has_rival = own()
        .any(|(_, other)| other.target == entry.target && other.from() != entry.from() && other.value > 0);
    if !has_rival {
        return None;
    }
    let captures = |other: &Entry| {
        other.kind == EntryKind::Capture && other.from() == entry.from() && other.target != entry.target
    };
    let (place, other) =
        own().filter(|(_, other)| captures(other) && other.value > 0).max_by_key(|(_, other)| other.value)?;
    Some(Credit { from: Some(place), square: other.target, amount: -other.value, reason: Reason::Committed })
}
