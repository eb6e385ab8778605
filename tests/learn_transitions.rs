//! Transition probabilities: features, gradients, a problem with a known answer, and what is said of bad input.

#![cfg(feature = "learn")]

#[path = "common/learning.rs"]
mod learning;
#[path = "common/random_games.rs"]
mod random_games;

use std::fs;
use std::path::Path;
use std::process::Output;

use fastrand::Rng;
use jitsugen::learn::sources::{Content, Game, Sources};
use jitsugen::learn::transitions::examples::{Example, Examples};
use jitsugen::learn::transitions::trainer::{
    Features, GRADIENT_ONE, Measure, Steps, Trainer, add_to_gradient,
};
use jitsugen::policy::category::{FEATURES, Glance, SPLITS, View};
use jitsugen::policy::transition::Transitions;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::moves::{Move, Origin};
use jitsugen::shogi::piece::Piece;
use jitsugen::shogi::position::{Position, Setup};
use jitsugen::shogi::square::Square;

const STEPS: Steps = Steps { features: Features::All, batch: 64, rate: 0.2, prior: 0.1, seed: 1 };

/// Calls `see` with the positions of a random game, where the last move went, and the moves.
fn on_positions(seed: u64, mut see: impl FnMut(&Position, Option<Square>, &[Move])) {
    random_games::play(&Position::start(), 120, &mut Rng::with_seed(seed), |position, moves| {
        let last = position.last_move().map(Move::to);
        see(position, last, moves);
    });
}

fn features(position: &Position, last: Option<Square>, mv: Move) -> Vec<usize> {
    let mut list = Vec::new();
    View::new(position, last).features(mv, |feature| list.push(feature));
    list
}

fn plain_features(position: &Position, last: Option<Square>, mv: Move) -> Vec<usize> {
    let mut list = Vec::new();
    Glance::new(position, last).features(mv, |feature| list.push(feature));
    list
}

/// The position from the other side, with the colours exchanged.
fn turned(position: &Position) -> Position {
    let setup = position.setup();
    let mut board = [None; Square::COUNT];
    for square in Square::all() {
        board[square.rotated().index()] =
            setup.board[square.index()].map(|piece| Piece::new(!piece.color, piece.kind));
    }
    let mut hands = setup.hands;
    hands.0.swap(0, 1);
    Position::new(&Setup { board, hands, side: !setup.side, move_number: setup.move_number }).unwrap()
}

fn turned_move(mv: Move) -> Move {
    let to = mv.to().rotated();
    match mv.origin() {
        Origin::Hand(kind) => Move::drop(kind, to),
        Origin::Board(from) if mv.is_promotion() => Move::promoting(from.rotated(), to),
        Origin::Board(from) => Move::board(from.rotated(), to),
    }
}

#[test]
fn both_sides_see_the_same() {
    for seed in 0..6 {
        on_positions(seed, |position, last, moves| {
            let other = turned(position);
            for &mv in moves {
                let theirs = features(&other, last.map(Square::rotated), turned_move(mv));
                assert_eq!(features(position, last, mv), theirs, "{mv} in {position:?}");
            }
        });
    }
}

/// Each feature holds once at most, and beside the categories two moves of a position differ in one at least.
#[test]
fn moves_are_told_apart() {
    for seed in 0..6 {
        on_positions(seed, |position, last, moves| {
            let mut seen = Vec::new();
            for &mv in moves {
                let mut features = features(position, last, mv);
                features.sort_unstable();
                assert!(features.is_sorted_by(|one, next| one < next) && features.last() < Some(&FEATURES));
                features.retain(|&feature| feature >= SPLITS);
                assert!(!seen.contains(&features), "{mv}: as another move in {position:?}");
                seen.push(features);
            }
        });
    }
}

#[test]
fn a_score_is_the_sum_of_weights() {
    let mut random = Rng::with_seed(5);
    let weights: Vec<i16> = (0..FEATURES).map(|_| random.usize(..2000) as i16 - 1000).collect();
    let table = Transitions::new(weights.clone()).unwrap();
    on_positions(3, |position, last, moves| {
        let view = View::new(position, last);
        for &mv in moves {
            let expected: i32 = features(position, last, mv).iter().map(|&at| i32::from(weights[at])).sum();
            let categories = view.categories(mv);
            assert_eq!(table.score(&view, mv), (expected, categories));
            assert_eq!(table.score_if(&view, mv, |_| true), Some((expected, categories)));
            assert_eq!(table.score_if(&view, mv, |known| known != categories), None);
        }
    });
    let bytes = table.encode().unwrap();
    assert!(Transitions::decode(&bytes).unwrap() == table);
    assert_eq!(
        Transitions::new(vec![0; 3]).unwrap_err().to_string(),
        format!("3 weights: expected {FEATURES}")
    );
    for length in [0, 7, 31, 200, bytes.len() - 1] {
        assert!(Transitions::decode(&bytes[..length]).is_err());
    }
}

#[test]
fn plain_features_are_some_of_all_and_no_categories() {
    let mut counts = [0; 2];
    on_positions(7, |position, last, moves| {
        for &mv in moves {
            let (all, plain) = (features(position, last, mv), plain_features(position, last, mv));
            assert!(
                plain.iter().all(|feature| *feature >= SPLITS && all.contains(feature)),
                "{mv}: {position:?}"
            );
            // Beside the categories there are the profit and, of what leaves a square, who reaches that.
            let others = all.iter().filter(|&&feature| feature >= SPLITS).count() - plain.len();
            assert_eq!(others, 1 + usize::from(mv.from().is_some()), "{mv}: {position:?}");
            counts[usize::from(mv.from().is_some())] += 1;
        }
    });
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
}

#[test]
fn plain_scores_are_sums_of_weights() {
    let mut random = Rng::with_seed(6);
    let weights: Vec<i16> = (0..FEATURES).map(|_| random.usize(..2000) as i16 - 1000).collect();
    let table = Transitions::new(weights.clone()).unwrap();
    for seed in 0..20 {
        on_positions(seed, |position, last, moves| {
            let mut scores = Vec::new();
            table.plain_scores(&Glance::new(position, last), moves, |mv, kind, score| {
                assert!(mv.from().is_none_or(|from| position.piece_on(from).unwrap().kind == kind));
                scores.push((mv, score));
            });
            let sum = |mv| plain_features(position, last, mv).iter().map(|&at| i32::from(weights[at])).sum();
            let expected: Vec<(Move, i32)> = moves.iter().map(|&mv| (mv, sum(mv))).collect();
            assert_eq!(scores, expected, "{position:?}");
        });
    }
}

/// Games in which the move is played that hidden weights of places give the highest score.
fn examples(games: u64) -> Examples {
    let mut random = Rng::with_seed(11);
    let weights: Vec<usize> = (0..Square::COUNT).map(|_| random.usize(..1000)).collect();
    let content = |seed| {
        let mut position = Position::start();
        let mut played = Vec::new();
        let mut random = Rng::with_seed(seed);
        for _ in 0..60 {
            let mut moves = MoveList::new();
            generate::legal(&position, NonPromotions::Useful, &mut moves);
            let seen =
                |square: Square| if position.side() == Color::Black { square } else { square.rotated() };
            let worth = |mv: &Move| (weights[seen(mv.to()).index()], mv.word());
            let best = if random.usize(..3) == 0 {
                moves.get(random.usize(..moves.len().max(1))).copied()
            } else {
                moves.iter().copied().max_by_key(worth)
            };
            let Some(best) = best else { break };
            played.push(best);
            position.play(best, &mut ());
        }
        Content::Moves(Box::new(Position::start()), played, None)
    };
    let games = (0..games).map(|seed| Game { file: 0, held_back: seed % 4 == 3, content: content(seed) });
    let mut sources = Sources::default();
    sources.names.push(String::new());
    sources.games.extend(games);
    Examples::of(&sources, 0)
}

#[test]
fn gradients_are_differences() {
    let examples: Vec<Example> = examples(2).training.into_iter().step_by(15).collect();
    let mut random = fastrand::Rng::with_seed(2);
    let mut weights: Vec<f32> = (0..FEATURES).map(|_| random.f32() - 0.5).collect();
    for example in &examples {
        let mut gradient = vec![0; FEATURES];
        add_to_gradient(&weights, example, &mut gradient);
        let nats = |weights: &[f32]| {
            add_to_gradient(weights, example, &mut vec![0; FEATURES]).bits * std::f64::consts::LN_2
        };
        let mut checked: Vec<usize> = (0..FEATURES).filter(|&at| gradient[at] != 0).collect();
        random.shuffle(&mut checked);
        for &at in checked.iter().take(30) {
            let (before, step) = (weights[at], 0.05);
            weights[at] = before + step;
            let above = nats(&weights);
            weights[at] = before - step;
            let below = nats(&weights);
            weights[at] = before;
            let (slope, expected) =
                (gradient[at] as f64 / f64::from(GRADIENT_ONE), (above - below) / f64::from(2.0 * step));
            assert!((slope - expected).abs() < 1e-3, "{at}: {slope} {expected}");
        }
    }
}

#[test]
fn a_known_answer_is_learned() {
    let examples = examples(160);
    let mut trainer = Trainer::new(STEPS, 2);
    let part = |measure: Measure| measure.agreed as f64 / measure.positions as f64;
    assert!(part(trainer.measure(&examples.held_back)) < 0.01, "all moves are alike");
    let mut before = f64::INFINITY;
    for number in 0..4 {
        let bits = trainer.epoch(&examples.training, number, &|_| ()).bits;
        assert!(bits < before, "{bits} after {before}");
        before = bits;
    }
    // Two moves of three are played for a reason; the more games, the nearer to that.
    let agreed = part(trainer.measure(&examples.held_back));
    assert!((0.45..0.7).contains(&agreed), "{agreed}");
}

#[test]
fn threads_change_nothing() {
    let examples = examples(8);
    let weights = [1, 3].map(|threads| {
        let mut trainer = Trainer::new(STEPS, threads);
        trainer.epoch(&examples.training, 1, &|_| ());
        trainer.weights
    });
    assert_eq!(weights[0], weights[1]);
}

#[test]
fn only_plain_features_get_weights() {
    let examples = examples(8);
    let mut trainer = Trainer::new(Steps { features: Features::Plain, ..STEPS }, 1);
    trainer.epoch(&examples.training, 1, &|_| ());
    let mut plain = vec![false; FEATURES];
    for seed in 0..20 {
        on_positions(seed, |position, last, moves| {
            for &mv in moves {
                plain_features(position, last, mv).into_iter().for_each(|feature| plain[feature] = true);
            }
        });
    }
    let learned = |at: &usize| trainer.weights[*at] != 0.0;
    assert!((0..FEATURES).filter(learned).count() > 1000);
    assert!((0..SPLITS).all(|category| !plain[category] && !learned(&category)));
    // What has been seen of all features but not as a plain one has no weight.
    let mut all = vec![false; FEATURES];
    on_positions(3, |position, last, moves| {
        for &mv in moves {
            features(position, last, mv).into_iter().for_each(|feature| all[feature] = true);
        }
    });
    assert!((0..FEATURES).filter(|&at| all[at] && !plain[at]).all(|at| !learned(&at)));
}

fn learn(folder: &Path, arguments: &[&str]) -> Output {
    learning::learn(folder, &[&["transitions"], arguments].concat())
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = learning::folder("learn transitions bad input");
    fs::write(folder.join("foreign.psv"), [7; 4000]).unwrap();
    fs::write(folder.join("short.usi"), "startpos moves 7g7f 9z9y\n").unwrap();
    for (arguments, expected) in [
        (&["--games", "none.usi"][..], "none.usi"),
        (&["--positions", "foreign.psv"], "foreign.psv"),
        (&["--games", "short.usi"], "9z9y"),
        (&["--games", "short.usi"], "short.usi: expected games, but not one is right"),
        (&[], "no position to learn from"),
        (&["--games", "short.usi", "--rate", "NaN"], "--rate NaN"),
        (&["--games", "short.usi", "--rate", "1e30"], "--rate 1"),
        (&["--games", "short.usi", "--prior", "inf"], "--prior inf"),
        (&["--games", "short.usi", "--hold-back", "1.5"], "--hold-back 1.5"),
        (&["--games", "short.usi", "--epochs", "0"], "--epochs"),
        (&["--games", "./new.jgt"], "--output new.jgt: is the file of --games as well"),
        (&["--positions", "new.jgt"], "--output new.jgt: is the file of --positions as well"),
    ] {
        let output = learn(&folder, &[arguments, &["--output", "new.jgt"]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    assert!(!folder.join("new.jgt").exists());
}

#[test]
fn the_command_writes_a_table() {
    let folder = learning::folder("learn transitions command");
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c";
    fs::write(folder.join("games.usi"), format!("startpos moves {moves}\n")).unwrap();
    let arguments = ["--games", "games.usi", "--output", "new.jgt", "--hold-back", "0", "--epochs", "1"];
    let output = learn(&folder, &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("epoch 1, learned") && text.contains(" 4 positions"), "{text}");
    let table = Transitions::decode(&fs::read(folder.join("new.jgt")).unwrap()).unwrap();
    assert!(table != Transitions::new(vec![0; FEATURES]).unwrap());
    let output = learn(&folder, &[&arguments[..], &["--plain"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(Transitions::decode(&fs::read(folder.join("new.jgt")).unwrap()).unwrap() != table);
}
