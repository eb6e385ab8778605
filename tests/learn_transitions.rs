//! Training of transition probabilities: gradients, a problem with a known answer, and messages about bad input.

use std::fs;
use std::path::Path;

use fastrand::Rng;
use jitsugen::learn::sources::{Content, SourceGame, Sources};
use jitsugen::learn::transitions::examples::{Example, Examples};
use jitsugen::learn::transitions::trainer::{
    Features, GRADIENT_ONE, Measure, Steps, Trainer, add_to_gradient,
};
use jitsugen::policy::category::SPLITS;
use jitsugen::policy::features::FEATURES;
use jitsugen::policy::transition::Transitions;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

use crate::support::command::{self, Run};
use crate::support::features::{features, on_positions, plain_features};
use crate::support::folder;

const STEPS: Steps = Steps { features: Features::All, batch: 64, rate: 0.2, prior: 0.1, seed: 1 };

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
    let games =
        (0..games).map(|seed| SourceGame { file: 0, held_back: seed % 4 == 3, content: content(seed) });
    let mut sources = Sources::default();
    sources.names.push(String::new());
    sources.games.extend(games);
    Examples::of(&sources, 0)
}

#[test]
fn gradients_agree_with_differences_of_the_loss() {
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
fn training_is_the_same_with_any_number_of_threads() {
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
    // A feature that no move had as a plain one has no weight.
    let mut all = vec![false; FEATURES];
    on_positions(3, |position, last, moves| {
        for &mv in moves {
            features(position, last, mv).into_iter().for_each(|feature| all[feature] = true);
        }
    });
    assert!((0..FEATURES).filter(|&at| all[at] && !plain[at]).all(|at| !learned(&at)));
}

fn learn(folder: &Path, arguments: &[&str]) -> Run {
    command::run_in(folder, &[&["learn", "transitions"], arguments].concat())
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = folder::empty("learn transitions bad input");
    fs::write(folder.join("foreign.psv"), [7; 4000]).unwrap();
    fs::write(folder.join("short.usi"), "startpos moves 7g7f 9z9y\n").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["--games", "none.usi"], "none.usi"),
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
    ];
    command::assert_refused(&folder, &["learn", "transitions", "--output", "new.jgt"], cases);
    assert!(!folder.join("new.jgt").exists());
}

#[test]
fn the_command_writes_a_table() {
    let folder = folder::empty("learn transitions command");
    let moves = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c";
    fs::write(folder.join("games.usi"), format!("startpos moves {moves}\n")).unwrap();
    let arguments = ["--games", "games.usi", "--output", "new.jgt", "--hold-back", "0", "--epochs", "1"];
    let run = learn(&folder, &arguments);
    assert!(run.success, "{}", run.stderr);
    let text = run.stdout;
    assert!(text.contains("epoch 1, learned") && text.contains(" 4 positions"), "{text}");
    let table = Transitions::decode(&fs::read(folder.join("new.jgt")).unwrap()).unwrap();
    assert!(table != Transitions::new(vec![0; FEATURES]).unwrap());
    let run = learn(&folder, &[&arguments[..], &["--plain"]].concat());
    assert!(run.success, "{}", run.stderr);
    assert!(Transitions::decode(&fs::read(folder.join("new.jgt")).unwrap()).unwrap() != table);
}
