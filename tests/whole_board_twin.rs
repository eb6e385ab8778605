//! The whole-board exchange against slow, obvious twins, over random games.

use fastrand::Rng;
use jitsugen::exchange::see::{see, threat};
use jitsugen::exchange::whole_board::WholeBoard;
use jitsugen::exchange::whole_board::board::Board;
use jitsugen::exchange::whole_board::cross_reference::cross_reference;
use jitsugen::exchange::whole_board::entry::{Entry, EntryKind};
use jitsugen::exchange::whole_board::piece_values::PieceValues;
use jitsugen::exchange::whole_board::soma::Soma;
use jitsugen::exchange::whole_board::table::Table;
use jitsugen::exchange::whole_board::tie::TieKind;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::PieceKind;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

use crate::support::games::play_at_random;
use crate::support::positions::turned;

static VALUES: PieceValues = PieceValues::CUSTOMARY;

/// Calls `visit` with the positions of some random games.
fn each_position(games: u64, visit: impl FnMut(&mut Position, &[Move])) {
    let mut visit = visit;
    for seed in 0..games {
        play_at_random(&Position::start(), 200, &mut Rng::with_seed(seed), &mut visit);
    }
}

#[test]
fn without_ties_an_exchange_is_the_one_on_its_square() {
    let mut compared = 0;
    each_position(2, |position, moves| {
        let board = Board::new(position);
        let soma = Soma { board: &board, values: &VALUES, ties: &[] };
        for &mv in moves.iter().filter(|mv| !mv.is_drop()) {
            let piece = mv.from().and_then(|from| position.piece_on(from)).expect("a piece");
            let outcome = soma.begun_by(piece, mv.from(), mv.to(), mv.is_promotion(), board.occupied());
            assert_eq!(outcome.net, see(position, mv), "{mv} in {}", sfen::write(position));
            compared += 1;
        }
    });
    assert!(compared > 5_000, "{compared}");
}

/// The position without the piece on `square`; `None` where the rules do not allow it.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = position.setup();
    setup.board[square.index()] = None;
    Position::new(&setup).ok()
}

#[test]
fn a_tie_is_what_the_opponent_gains_once_the_piece_is_taken_off() {
    let mut compared = 0;
    each_position(3, |position, _| {
        if position.in_check() {
            return;
        }
        let ties = Table::new(Board::new(position), &VALUES).ties;
        let kings = position.of_kind(PieceKind::King);
        for holder in position.occupied().without(kings) {
            let Some(without) = without(position, holder) else { continue };
            let color = position.piece_on(holder).expect("a piece").color;
            for target in position.of_color(color).into_iter().filter(|&target| target != holder) {
                let is_king = position.piece_on(target).is_some_and(|piece| piece.kind == PieceKind::King);
                let gain = threat(&without, target, !color) - threat(position, target, !color);
                let tie = ties.iter().find(|tie| {
                    matches!(tie.kind, TieKind::Material | TieKind::Pin)
                        && tie.holder == holder
                        && tie.target == target
                });
                if let Some(tie) = tie {
                    assert_eq!(tie.value, gain, "{holder} {target} in {}", sfen::write(position));
                    compared += 1;
                } else if !is_king
                    && position
                        .attackers(target, color, position.occupied())
                        .into_iter()
                        .any(|from| from == holder)
                {
                    // A defender that is not tied gives the opponent nothing by leaving.
                    let attacked = position.is_attacked(target, !color, position.occupied());
                    assert!(gain <= 0 || !attacked, "{holder} {target} in {}", sfen::write(position));
                }
            }
        }
    });
    assert!(compared > 100, "{compared}");
}

/// What must agree between the table after an update and one made anew: the captures that both have.
fn is_same(one: &Entry, other: &Entry) -> bool {
    (one.side, one.mv, one.kind) == (other.side, other.mv, other.kind)
}

#[test]
fn an_updated_table_agrees_with_one_made_anew() {
    let (mut kept, mut moves) = (0, 0);
    each_position(2, |position, _| {
        let mut table = Table::new(Board::new(position), &VALUES);
        cross_reference(&mut table);
        let mover = position.side();
        let playable = |entry: &Entry| {
            entry.active
                && entry.side == mover
                && entry.kind != EntryKind::Mate
                && position.is_legal(entry.mv)
        };
        let places: Vec<usize> =
            (0..table.entries.len()).filter(|&place| playable(&table.entries[place])).collect();
        for place in places {
            let mut updated = table.clone();
            let mv = updated.entries[place].mv;
            updated.play(mover, mv, Some(place));
            let mut after = position.clone();
            after.play(mv, &mut ());
            let anew = Table::new(Board::new(&after), &VALUES);
            assert_eq!(updated.ties, anew.ties, "{mv} in {}", sfen::write(position));
            moves += 1;
            let captures = |entry: &&Entry| entry.active && entry.kind == EntryKind::Capture;
            for entry in updated.entries.iter().filter(captures) {
                let Some(other) = anew.entries.iter().find(|other| other.active && is_same(entry, other))
                else {
                    // The form may differ: a piece promotes or not. The capture has to be there.
                    let there = anew.entries.iter().any(|other| {
                        other.side == entry.side
                            && other.from() == entry.from()
                            && other.mv.to() == entry.mv.to()
                    });
                    assert!(there, "{} after {mv} in {}", entry.mv, sfen::write(position));
                    continue;
                };
                assert_eq!(
                    (entry.first, entry.value, entry.check, entry.target_tied),
                    (other.first, other.value, other.check, other.target_tied),
                    "{} after {mv} in {}",
                    entry.mv,
                    sfen::write(position)
                );
                kept += 1;
            }
            // Nothing that could be taken back is missing.
            for taker in after.attackers(mv.to(), !mover, after.occupied()) {
                let recapture = |entry: &Entry| entry.from() == Some(taker) && entry.mv.to() == mv.to();
                if anew.entries.iter().any(recapture) {
                    assert!(
                        updated.entries.iter().any(recapture),
                        "{taker} after {mv} in {}",
                        sfen::write(position)
                    );
                }
            }
        }
    });
    assert!(moves > 500 && kept > 5_000, "{moves} {kept}");
}

#[test]
fn predicted_lines_are_legal() {
    let mut plies = 0;
    each_position(4, |position, _| {
        let whole = WholeBoard::new(position, &VALUES);
        for line in [Some(&whole.first_run), whole.second_run.as_ref()].into_iter().flatten() {
            let mut at = position.clone();
            for step in &line.steps {
                assert_eq!(step.side, at.side());
                match step.mv {
                    Some(mv) => {
                        assert!(
                            at.is_legal(mv),
                            "{mv} in {}, from {}",
                            sfen::write(&at),
                            sfen::write(position)
                        );
                        at.play(mv, &mut ());
                        plies += 1;
                    }
                    None => {
                        assert!(!at.in_check(), "{}", sfen::write(position));
                        at.play_null_move();
                    }
                }
            }
        }
    });
    assert!(plies > 2000, "{plies}");
}

#[test]
fn a_predicted_mate_is_one() {
    let mut mates = 0;
    each_position(12, |position, _| {
        let table = Table::new(Board::new(position), &VALUES);
        for entry in table.entries.iter().filter(|entry| entry.active && entry.kind == EntryKind::Mate) {
            if entry.side == position.side() && !position.in_check() {
                assert!(
                    jitsugen::mate::one_move::mates(position, entry.mv),
                    "{} in {}",
                    entry.mv,
                    sfen::write(position)
                );
                mates += 1;
            }
        }
    });
    assert!(mates > 3, "{mates}");
}

#[test]
fn both_colours_see_the_same_table() {
    each_position(2, |position, _| {
        let rows = |position: &Position, turn: bool| {
            let table = Table::new(Board::new(position), &VALUES);
            let see = |square: Square| if turn { square.rotated() } else { square };
            let mut rows: Vec<_> = table
                .entries
                .iter()
                .filter(|entry| matches!(entry.kind, EntryKind::Capture) && entry.active)
                .map(|entry| {
                    let side = if turn { !entry.side } else { entry.side };
                    (
                        side == Color::Black,
                        entry.from().map(see),
                        see(entry.mv.to()),
                        entry.first,
                        entry.value,
                        entry.check,
                    )
                })
                .collect();
            rows.sort();
            rows
        };
        assert_eq!(rows(position, false), rows(&turned(position), true), "{}", sfen::write(position));
    });
}
