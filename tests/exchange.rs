//! The exchange on one square against a minimax of all captures, and named cases.

use std::collections::HashMap;

use fastrand::Rng;
use jitsugen::exchange::see::{immediate_gain, see, see_ge, threat};
use jitsugen::exchange::values::{captured, promotion};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::key::Key;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::PieceKind;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

use crate::support::data;
use crate::support::games;

/// What `mv` gains before any answer.
fn earned(position: &Position, mv: Move) -> i32 {
    let moved = mv.from().and_then(|from| position.piece_on(from));
    let promoted = moved.filter(|_| mv.is_promotion()).map_or(0, |piece| promotion(piece.kind));
    promoted + position.piece_on(mv.to()).map_or(0, |piece| captured(piece.kind))
}

/// The slow twin: every capture on `square`, by every piece, with and without promotion, played and taken back. The side
/// to move may stop at any time. `known` has the positions that were reached in another order.
fn best_capture(position: &mut Position, square: Square, known: &mut HashMap<Key, i32>) -> i32 {
    if let Some(&best) = known.get(&position.key()) {
        return best;
    }
    let mut captures = MoveList::new();
    generate::captures(position, NonPromotions::All, &mut captures);
    let mut best = 0;
    for mv in captures.into_iter().filter(|mv| mv.to() == square) {
        assert!(position.is_legal(mv));
        best = best.max(gain(position, mv, known));
    }
    known.insert(position.key(), best);
    best
}

fn gain(position: &mut Position, mv: Move, known: &mut HashMap<Key, i32>) -> i32 {
    let first = earned(position, mv);
    position.play(mv, &mut ());
    let answer = best_capture(position, mv.to(), known);
    position.undo(mv, &mut ());
    first - answer
}

/// Compares all that an exchange can say about `position`. Returns the number of moves.
fn compare(position: &mut Position, moves: &[Move]) -> usize {
    let text = sfen::write(position);
    let side = position.side();
    let enemies: Vec<Square> = position.of_color(!side).into_iter().collect();
    let mut known = HashMap::new();
    for &mv in moves {
        known.clear();
        let exact = gain(position, mv, &mut known);
        assert_eq!(see(position, mv), exact, "{mv} in {text}");
        assert_eq!(immediate_gain(position, mv), earned(position, mv), "{mv} in {text}");
        assert!(exact <= earned(position, mv), "{mv} in {text}");
        for threshold in [exact - 1, exact, exact + 1, 0, 1] {
            let answer = see_ge(position, mv, threshold);
            assert_eq!(answer, exact >= threshold, "{mv} gains {exact}, asked for {threshold}, in {text}");
        }
    }
    let threats = |position: &Position, color, squares: &[Square]| -> Vec<i32> {
        squares.iter().map(|&square| threat(position, square, color)).collect()
    };
    let captures = |position: &mut Position, squares: &[Square]| -> Vec<i32> {
        squares.iter().map(|&square| best_capture(position, square, &mut HashMap::new())).collect()
    };
    assert_eq!(threats(position, side, &enemies), captures(position, &enemies), "{enemies:?} in {text}");
    // The opponent threatens what it could take if it were to move.
    if !position.in_check() {
        let own: Vec<Square> = position.of_color(side).into_iter().collect();
        let found = threats(position, !side, &own);
        position.play_null_move();
        assert_eq!(found, captures(position, &own), "{own:?} in {text}");
        position.undo_null_move();
    }
    moves.len()
}

#[test]
fn exchanges_agree_with_the_twin_in_random_games() {
    let mut random = Rng::with_seed(20);
    let (mut positions, mut moves) = (0, 0);
    while positions < 5_000 {
        games::play_at_random(&Position::start(), 200, &mut random, |position, legal| {
            positions += 1;
            moves += compare(position, legal);
        });
    }
    println!("{moves} moves in {positions} positions");
}

/// Every position of some professional games, and the ends of the openings that matches begin with.
fn game_positions(games: usize, mut visit: impl FnMut(&mut Position)) {
    for line in data::read("games/professional.usi").lines().take(games) {
        let mut position = Position::start();
        let (_, moves) = line.split_once(" moves ").expect("a game has moves");
        for mv in moves.split(' ') {
            visit(&mut position);
            position.play(mv.parse().expect("a move"), &mut ());
        }
    }
    for line in data::read("openings/balanced36.sfen").lines() {
        let mut position = Position::start();
        let (_, moves) = line.split_once(" moves ").expect("an opening has moves");
        moves.split(' ').for_each(|mv| position.play(mv.parse().expect("a move"), &mut ()));
        visit(&mut position);
    }
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn exchanges_agree_with_the_twin_in_real_games() {
    let mut moves = 0;
    game_positions(20, |position| {
        let legal = generate::all_legal(position);
        moves += compare(position, &legal);
    });
    assert!(moves > 100_000);
}

/// Why the cheapest attacker first is the wrong choice.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Reason {
    /// A dearer piece gains more by its promotion.
    Promotion,
    /// It matters which piece stays: for a line to a king, or for a slider behind it.
    Line,
}

/// The usual exchange, with the cheapest legal attacker at every step, and the reason of its first choice that is worse
/// than the twin's.
fn cheapest_first(
    position: &mut Position,
    square: Square,
    known: &mut HashMap<Key, i32>,
) -> (i32, Option<Reason>) {
    let mut captures = MoveList::new();
    generate::captures(position, NonPromotions::All, &mut captures);
    captures.retain(|mv| mv.to() == square);
    let kind =
        |position: &Position, mv: Move| mv.from().and_then(|from| position.piece_on(from)).unwrap().kind;
    let cost = |position: &Position, mv: Move| match kind(position, mv) {
        PieceKind::King => i32::MAX,
        kind => captured(kind),
    };
    let Some(&mv) = captures.iter().min_by_key(|&&mv| (cost(position, mv), !mv.is_promotion())) else {
        return (0, None);
    };
    let best = captures.iter().copied().max_by_key(|&mv| gain(position, mv, known)).unwrap();
    let (exact, chosen) = (gain(position, best, known), gain(position, mv, known));
    let first = earned(position, mv);
    let here = (exact > chosen.max(0))
        .then(|| if earned(position, best) > first { Reason::Promotion } else { Reason::Line });
    position.play(mv, &mut ());
    let (answer, later) = cheapest_first(position, square, known);
    position.undo(mv, &mut ());
    ((first - answer).max(0), here.or(later))
}

/// How often the cheapest attacker first is wrong, by its reason, in the positions after every move of some games.
fn wrong_exchanges(games: usize) -> HashMap<Reason, u32> {
    let (mut moves, mut contested, mut wrong) = (0, 0, HashMap::new());
    game_positions(games, |position| {
        for mv in generate::all_legal(position) {
            moves += 1;
            position.play(mv, &mut ());
            let square = mv.to();
            if position.is_attacked(square, position.side(), position.occupied()) {
                contested += 1;
                let mut known = HashMap::new();
                let exact = best_capture(position, square, &mut known);
                let (cheapest, reason) = cheapest_first(position, square, &mut known);
                if exact != cheapest {
                    let reason = reason.expect("the first wrong choice has a reason");
                    let count = wrong.entry(reason).or_insert(0);
                    *count += 1;
                    if *count % 100 == 1 {
                        println!(
                            "{reason:?}: {exact}, not {cheapest}, on {square} of {}",
                            sfen::write(position)
                        );
                    }
                }
            }
            position.undo(mv, &mut ());
        }
    });
    println!("{wrong:?} of {contested} contested squares after {moves} moves");
    wrong
}

/// Why this engine's exchange is a search.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn the_cheapest_attacker_first_is_not_exact() {
    assert!(wrong_exchanges(5).values().sum::<u32>() > 0);
}

/// The counts and examples of docs/internals/exchange.md.
#[test]
#[ignore = "a measurement for the documents"]
fn count_wrong_exchanges_of_the_cheapest_attacker() {
    wrong_exchanges(60);
}

#[test]
fn exchanges_of_named_cases_have_their_gain() {
    for (name, text, mv, gain) in [
        // A gold, pinned by the rook on 5i, may not take back on 4c; without the rook it may.
        ("pin", "4k4/4g4/5p3/5S3/9/9/9/9/K3R4 b - 1", "4d4c+", 225),
        ("no pin", "4k4/4g4/5p3/5S3/9/9/9/9/K8 b - 1", "4d4c+", -810),
        ("a pin along the line of capture", "4k4/4g4/4p4/9/9/9/9/4L4/K3R4 b - 1", "5h5c+", 405),
        ("a pin that the capture opens", "4k4/9/4gp3/9/4N4/9/9/9/K3R4 b - 1", "5e4c+", 315),
        // The lance's capture is backed by the rook behind it, and the gold does better to stay.
        ("battery", "8k/6g2/7p1/9/9/9/7L1/7R1/K8 b - 1", "2g2c+", 405),
        ("no battery", "8k/6g2/7p1/9/9/9/7L1/9/K8 b - 1", "2g2c+", -450),
        ("the king takes what is not defended", "4k4/9/9/9/9/9/9/9/K8 b G 1", "G*5b", -1080),
        ("the king cannot take what is defended", "4k4/9/4P4/9/9/9/9/9/K8 b G 1", "G*5b", 0),
        ("a drop into the rook's line", "4k4/9/9/9/1r7/9/9/9/K8 b P 1", "P*5e", -180),
        ("a quiet move that nothing attacks", "4k4/9/9/9/9/9/4P4/9/K8 b - 1", "5g5f", 0),
        ("a promotion", "4k4/9/9/8P/9/9/9/9/K8 b - 1", "1d1c+", 450),
        ("a promotion that is taken gains nothing", "7lk/9/9/7P1/9/9/9/9/K8 b - 1", "2d2c+", -180),
    ] {
        let position = sfen::parse(text).unwrap();
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv), "{name}");
        assert_eq!(see(&position, mv), gain, "{name}");
    }
}

/// Rollason's figure 2: a knight that takes the pawn on 5d is lost for it.
#[test]
fn the_knight_of_soma_figure_2_is_lost_for_a_pawn() {
    let position = sfen::parse("8k/3n5/4rb3/4P4/9/3N1N3/9/9/K8 w - 1").unwrap();
    let square = "5d".parse().unwrap();
    assert_eq!(see(&position, "6b5d".parse().unwrap()), 2 * 90 - 2 * 405);
    assert_eq!(threat(&position, square, Color::White), 0);
}

/// Rollason's figure 3: the gold on 4g is tied to the bishop on 3g. An exchange on one square does not see that.
#[test]
fn ties_to_other_squares_do_not_count() {
    let position = sfen::parse("8k/9/9/9/3n2r2/9/4PGB2/9/K8 w - 1").unwrap();
    let (plain, promoting) = ("6e5g".parse().unwrap(), "6e5g+".parse().unwrap());
    assert_eq!(see(&position, plain), -630);
    assert_eq!(see(&position, promoting), -630);
    let square = "5g".parse().unwrap();
    assert_eq!(threat(&position, square, Color::White), 0);
    // Nor does it see that the mover leaves a piece undefended.
    let position = sfen::parse("8k/9/9/9/6r2/9/5GB2/9/K8 b - 1").unwrap();
    assert_eq!(see(&position, "4g5g".parse().unwrap()), 0);
}
