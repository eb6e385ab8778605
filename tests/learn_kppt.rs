//! Training of the evaluation: gradients, leaves, a problem with a known answer, and messages about bad input.

use std::fs;
use std::sync::Arc;

use jitsugen::eval::full;
use jitsugen::eval::terms::Terms;
use jitsugen::learn::kppt::checkpoint::Checkpoint;
use jitsugen::learn::kppt::examples::{self, Choice, ExampleSettings, Examples, Judged};
use jitsugen::learn::kppt::loss::{Loss, logistic};
use jitsugen::learn::kppt::model::{GRADIENT_ONE, Model};
use jitsugen::learn::kppt::place_tables::PlaceTables;
use jitsugen::learn::kppt::places::{ByKing, Places};
use jitsugen::learn::kppt::quantization;
use jitsugen::learn::kppt::session::{Session, TrainingSettings};
use jitsugen::learn::kppt::snapshot::Snapshot;
use jitsugen::learn::kppt::term::{Spread, Term};
use jitsugen::learn::kppt::trainer::{self, Steps, Trainer};
use jitsugen::learn::sources::{Content, SourceGame, Sources, Split};
use jitsugen::record::packed::{Outcome, Packed, TrainingPosition};
use jitsugen::search::control::NoLimit;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::leaves::Leaves;
use jitsugen::search::{Memory, SearchRequest};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::{Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::setup::Setup;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;
use parking_lot::Mutex;

use crate::support::evaluation::{alone_with_full_tables, pieces_and_kings};
use crate::support::folder;
use crate::support::games::{positions, source_game};

const LOSS: Loss = Loss { scale: 600.0, mix: 0.7, move_scale: 50.0, move_weight: 0.2 };

const STEPS: Steps = Steps { batch: 64, rate: 0.05, prior: 1.0, average: 0.0, seed: 1 };

fn snapshots(positions: &[Position]) -> Vec<Snapshot> {
    positions.iter().map(|position| Snapshot::new(position).unwrap()).collect()
}

/// A model with the parameters that the positions have.
fn model<'a>(spreads: &[Spread], positions: impl Iterator<Item = &'a Snapshot>, seen: u32) -> Model {
    let positions: Vec<&Snapshot> = positions.collect();
    let pairs = spreads.iter().any(|spread| spread.term.is_of_pairs());
    Model::new(spreads, &Places::new(&positions, pairs, 2), seen)
}

/// A model of these terms with random parameters.
fn random_model(terms: &[Term], snapshots: &[Snapshot]) -> Model {
    let spreads: Vec<Spread> = terms.iter().copied().map(Spread::usual).collect();
    let mut model = model(&spreads, snapshots.iter(), 1);
    let mut random = fastrand::Rng::with_seed(3);
    for parameter in &mut model.parameters {
        *parameter = [random.f32() - 0.5, 0.5 * (random.f32() - 0.5)];
    }
    model
}

#[test]
fn terms_have_the_values_of_their_tables() {
    let terms: Vec<Term> = Term::ALL.into_iter().filter(|&term| term != Term::KingPair).collect();
    check_terms(&terms);
}

#[test]
#[ignore = "takes 1.6 GB"]
fn the_largest_term_has_the_values_of_its_tables() {
    check_terms(&[Term::Pair, Term::KingPair]);
}

/// The expanded terms, looked up entry by entry, give the value of the model. A checkpoint gives the same model.
fn check_terms(terms: &[Term]) {
    let _alone = alone_with_full_tables();
    let positions = positions(4, 150);
    let some: Vec<Position> = positions.into_iter().step_by(10).collect();
    let snapshots = snapshots(&some);
    let mut model = random_model(terms, &snapshots);
    let terms = quantization::terms(&model, &Terms::default());
    let (typical, largest) = quantization::rounding_error(&mut model, snapshots.iter(), 2);
    assert!(0.0 < typical && typical <= largest && largest < 10.0, "{typical} {largest}");
    for (position, snapshot) in some.iter().zip(&snapshots) {
        let mut parts = full::parts(&terms, position);
        parts.material = 0;
        let by_tables = (f64::from(parts.board()) + snapshot.turn() * f64::from(parts.turn())) / 32.0;
        let by_model = model.learned(snapshot);
        assert!((by_tables - by_model).abs() <= largest + 1.0, "{by_tables} {by_model}");
    }
    check_tables(&model, &snapshots);
    check_gradients(&mut model, &snapshots);
    let keys: Vec<(Spread, Vec<u32>)> = model.keys().map(|(spread, keys)| (spread, keys.to_vec())).collect();
    let expected: Vec<f64> = snapshots.iter().map(|snapshot| model.learned(snapshot)).collect();
    let parameters = model.parameters.clone();
    // Two models of all terms would be 2.8 GB.
    drop(model);
    let mut again = Model::with_keys(&keys).unwrap();
    again.parameters = parameters;
    let found: Vec<f64> = snapshots.iter().map(|snapshot| again.learned(snapshot)).collect();
    assert_eq!(found, expected);
    let wrong = [(Spread::usual(Term::Kings), vec![7_000])];
    assert_eq!(Model::with_keys(&wrong).err(), Some("kings"));
}

/// Values and gradients by place are those by parameter.
fn check_tables(model: &Model, snapshots: &[Snapshot]) {
    let positions: Vec<&Snapshot> = snapshots.iter().collect();
    let sorted = ByKing::new(&positions);
    let mut tables = PlaceTables::of(model, &positions, 2);
    for (&position, found) in positions.iter().zip(tables.learned(&positions, &sorted)) {
        let expected = model.learned(position);
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
    let slopes: Vec<f64> = (0..positions.len()).map(|nth| (nth as f64).sin() / 100.0).collect();
    // What is taken once is gone: the second time has the gradient once, not twice.
    for _ in 0..2 {
        tables.add_gradient(&positions, &sorted, &slopes);
        let mut found = vec![vec![[0; 2]; model.parameters.len()]; 2];
        tables.take_gradient(model, &mut found);
        let mut expected = vec![[0; 2]; model.parameters.len()];
        for (position, &slope) in positions.iter().zip(&slopes) {
            model.features(position).add_gradient(slope, &mut expected);
        }
        let mut some = 0;
        for (number, expected) in expected.iter().enumerate() {
            for part in 0..2 {
                let found = (found[0][number][part] + found[1][number][part]) as f64 / GRADIENT_ONE;
                let expected = expected[part] as f64 / GRADIENT_ONE;
                assert!((found - expected).abs() < 1e-6, "{number}: {found} {expected}");
                some += usize::from(expected != 0.0);
            }
        }
        assert!(some > 1000, "{some}");
    }
}

/// Compares the gradient of each term with differences of the loss.
fn check_gradients(model: &mut Model, snapshots: &[Snapshot]) {
    let judged = Judged { leaf: snapshots[9].clone(), target: 0.8, file: 0 };
    let choice = Choice {
        side: Color::White,
        leaves: snapshots[3..7].to_vec(),
        weights: vec![1.0, 2.5, 4.0],
        file: 0,
    };
    let mut random = fastrand::Rng::with_seed(5);
    type Add<'a> = &'a dyn Fn(&Model, &mut [[i64; 2]]) -> f64;
    let add_judged: Add = &|model, sums| trainer::add_judged(model, LOSS, &judged, sums);
    let add_choice: Add = &|model, sums| trainer::add_choice(model, LOSS, &choice, sums);
    let mut ranges = Vec::new();
    let mut end = 0;
    for (spread, keys) in model.keys() {
        ranges.push((spread.term.name(), end..end + keys.len()));
        end += keys.len();
    }
    for (add, (term, range)) in
        [add_judged, add_choice].into_iter().flat_map(|add| ranges.iter().map(move |range| (add, range)))
    {
        let mut sums = vec![[0; 2]; model.parameters.len()];
        add(model, &mut sums);
        // Some of the parameters that the examples have, and some of all.
        let theirs: Vec<usize> = range.clone().filter(|&number| sums[number] != [0; 2]).collect();
        let drawn = theirs.iter().copied().cycle().step_by(theirs.len().div_ceil(28).max(1)).take(28);
        let drawn: Vec<usize> = drawn.chain((0..8).map(|_| random.usize(range.clone()))).collect();
        let mut some = 0;
        for number in drawn {
            let part = random.usize(..2);
            let before = model.parameters[number][part];
            let mut losses = [0.0; 2];
            for (loss, sign) in losses.iter_mut().zip([1.0, -1.0]) {
                model.parameters[number][part] = before + sign * 0.125;
                *loss = add(model, &mut vec![[0; 2]; model.parameters.len()]);
            }
            model.parameters[number][part] = before;
            let difference = (losses[0] - losses[1]) / 0.25;
            let slope = sums[number][part] as f64 / GRADIENT_ONE;
            let near = (difference - slope).abs() < 1e-6 + 1e-3 * slope.abs();
            assert!(near, "{term} {number}: {difference} {slope}");
            some += usize::from(slope != 0.0);
        }
        // A position has one parameter for both kings' squares, and the kings may not move between choices.
        assert!(some >= 20 || *term == "kings", "{term}: {some} slopes");
    }
}

/// Kings alone on the board: their values follow from the values of the positions with either side to move.
#[test]
fn a_known_answer_is_learned_exactly() {
    let king = |color| Piece::new(color, PieceKind::King);
    let mut examples = Examples::default();
    let mut answers = Vec::new();
    for (nth, (black, white)) in
        [("5i", "5a"), ("8h", "2b"), ("7i", "5a"), ("5i", "3b")].into_iter().enumerate()
    {
        let (black, white): (Square, Square) = (black.parse().unwrap(), white.parse().unwrap());
        // Symmetric kings cannot be worth anything to one side.
        let board = if nth < 2 { 0 } else { 2000 * nth as i32 - 5003 };
        let turn = 700 - 411 * nth as i32;
        answers.push((black.index() * 81 + white.index(), [board, turn]));
        for side in Color::ALL {
            let mut setup = Setup { side, ..Setup::EMPTY };
            setup.board[black.index()] = Some(king(Color::Black));
            setup.board[white.index()] = Some(king(Color::White));
            let leaf = Snapshot::new(&Position::new(&setup).unwrap()).unwrap();
            let value = (f64::from(board) + leaf.turn() * f64::from(turn)) / 32.0;
            examples.judged.push(Judged { leaf, target: logistic(value / LOSS.scale), file: 0 });
        }
    }
    let model = model(&[Spread { term: Term::Kings, units: 50.0 }], examples.leaves(), 1);
    let steps = Steps { batch: 8, rate: 0.5, prior: 0.0, average: 0.0, seed: 1 };
    let mut trainer = Trainer::new(model, None, LOSS, steps, 2);
    let mut loss = f64::MAX;
    let mut tables = trainer.tables(examples.leaves());
    for number in 0..3000 {
        loss = trainer.epoch(&mut tables, &examples, number, &|_| ());
    }
    assert!(loss < 1e-9, "{loss}");
    let terms = quantization::terms(&trainer.model, &Terms::default());
    for (place, answer) in answers {
        assert_eq!(terms.kk[place], answer);
    }
}

/// Every step has the same example, so an epoch of five steps goes where five epochs of one step go.
#[test]
fn the_mean_of_the_last_steps_is_kept() {
    let leaf = snapshots(&positions(5, 30)).pop().unwrap();
    let judged = Judged { leaf, target: 0.9, file: 0 };
    let trainer = |examples: &Examples, average| {
        let model = model(&[Term::Piece, Term::Pair].map(Spread::usual), examples.leaves(), 1);
        Trainer::new(model, None, LOSS, Steps { batch: 1, rate: 0.05, prior: 0.0, average, seed: 1 }, 1)
    };
    let one = Examples { judged: vec![judged.clone()], ..Examples::default() };
    let mut slow = trainer(&one, 0.0);
    let mut tables = slow.tables(one.leaves());
    let after: Vec<_> = (0..5)
        .map(|number| {
            slow.epoch(&mut tables, &one, number, &|_| ());
            slow.model.parameters.clone()
        })
        .collect();
    let five = Examples { judged: vec![judged; 5], ..Examples::default() };
    for (average, steps) in [(0.0, 1), (0.1, 1), (0.2, 1), (0.5, 2), (1.0, 5)] {
        let mut trainer = trainer(&five, average);
        trainer.epoch(&mut trainer.tables(five.leaves()), &five, 0, &|_| ());
        for (number, found) in trainer.model.parameters.iter().enumerate() {
            for part in 0..2 {
                let last = &after[5 - steps..];
                let mean = last.iter().map(|one| one[number][part]).sum::<f32>() / steps as f32;
                assert!((found[part] - mean).abs() < 1e-5, "{average}: {} but {mean}", found[part]);
            }
        }
    }
}

fn example_settings(threads: usize) -> ExampleSettings {
    ExampleSettings {
        loss: LOSS,
        later: 0.0,
        skip: 0,
        alternatives: 4,
        share: 1.0,
        move_share: 1.0,
        inner_share: 1.0,
        threads,
    }
}

fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.names.push("random".to_string());
    for seed in 0..4 {
        let result = [Some(1.0), Some(0.0), None][seed as usize % 3];
        sources.games.push(source_game(seed, seed >= 3, result));
    }
    sources
}

#[test]
fn a_line_has_the_value_of_its_leaf() {
    let (weights, table, root) = (pieces_and_kings(), Arc::new(HashMoveTable::empty()), Position::start());
    let request = SearchRequest::new(&root, weights, &table);
    let mut memory = Memory::new(0);
    let mut control = NoLimit;
    let mut leaves = Leaves::new(&request, &mut memory, &mut control);
    let (mut moved, mut quiet, mut threatened) = (0, 0, 0);
    for position in positions(11, 120) {
        leaves.go_to(&position);
        for first in std::iter::once(None).chain(generate::all_legal(&position).into_iter().take(9).map(Some))
        {
            let (value, leaf) = leaves.of(first, Position::clone);
            let Some(leaf) = leaf else {
                assert!(value.mate_distance().is_some(), "{first:?} in {position:?}");
                continue;
            };
            let at_the_leaf = full::value(weights.as_ref(), &leaf);
            let same_side = leaf.side() == position.side();
            let value_here = if same_side { at_the_leaf } else { -at_the_leaf };
            let plies = leaf.move_number() - position.move_number() - u32::from(first.is_some());
            // A side that captures nothing loses what it cannot save.
            let lost = if first.is_some() { value.units() - value_here } else { value_here - value.units() };
            assert!(lost == 0 || lost > 0 && plies == 0, "{lost} with {first:?} in {position:?}");
            moved += usize::from(plies > 0);
            quiet += usize::from(plies == 0);
            threatened += usize::from(lost > 0);
        }
    }
    assert!(moved > 50 && quiet > 50 && threatened > 20, "{moved} {quiet} {threatened}");
}

#[test]
fn without_alternatives_positions_alone_are_learned_from() {
    let sources = sources();
    let games: Vec<&SourceGame> = sources.games.iter().collect();
    let made = |alternatives| {
        let settings = ExampleSettings { alternatives, ..example_settings(2) };
        examples::make(&games, pieces_and_kings(), None, settings, &|_| ())
    };
    let (with, without) = (made(4), made(0));
    assert!(!with.choices.is_empty() && without.choices.is_empty());
    assert_eq!(with.judged, without.judged);
}

#[test]
fn of_a_share_of_the_positions_and_of_a_share_of_these_the_moves_are_learned() {
    let sources = sources();
    let games: Vec<&SourceGame> = sources.games.iter().collect();
    let of = |share, move_share| {
        let settings = ExampleSettings { share, move_share, ..example_settings(2) };
        examples::make(&games, pieces_and_kings(), None, settings, &|_| ())
    };
    let all = of(1.0, 1.0);
    let fewer_moves = of(1.0, 0.4);
    assert_eq!(fewer_moves.judged, all.judged);
    assert!(!fewer_moves.choices.is_empty() && fewer_moves.choices.len() < all.choices.len());
    assert!(fewer_moves.choices.iter().all(|choice| all.choices.contains(choice)));
    let half = of(0.5, 0.8);
    assert!(!half.judged.is_empty() && half.judged.len() < all.judged.len());
    assert!(half.judged.iter().all(|judged| all.judged.contains(judged)));
    assert_eq!(half.choices, fewer_moves.choices);
    assert!(of(1.0, 0.0).choices.is_empty());
}

/// Games without a result give no judged examples.
#[test]
fn examples_and_training_are_the_same_with_any_number_of_threads() {
    let sources = sources();
    let games: Vec<&SourceGame> = sources.games.iter().collect();
    let results: Vec<_> = [1, 3]
        .map(|threads| {
            let counts = Mutex::new(Vec::new());
            let done = |count| counts.lock().push(count);
            let examples = examples::make(&games, pieces_and_kings(), None, example_settings(threads), &done);
            assert_eq!(counts.into_inner(), (1..=games.len()).collect::<Vec<_>>());
            assert!(!examples.choices.is_empty() && !examples.judged.is_empty());
            let spreads = [Term::Piece, Term::KingPiece, Term::Pair].map(Spread::usual);
            let model = model(&spreads, examples.leaves(), 2);
            let mut trainer = Trainer::new(model, None, LOSS, STEPS, threads);
            let mut tables = trainer.tables(examples.leaves());
            let first = trainer.epoch(&mut tables, &examples, 0, &|_| ());
            let mut last = first;
            for number in 1..8 {
                last = trainer.epoch(&mut tables, &examples, number, &|_| ());
            }
            assert!(last < first, "{first} {last}");
            (examples, trainer.model.parameters)
        })
        .into_iter()
        .collect();
    assert_eq!(results[0].0, results[1].0);
    assert!(results[0].1 == results[1].1);
    let without = source_game(2, false, None);
    let examples = examples::make(&[&without], pieces_and_kings(), None, example_settings(1), &|_| ());
    assert!(examples.judged.is_empty() && !examples.choices.is_empty());
}

#[test]
fn an_interrupted_training_goes_on_as_if_it_had_not_been_interrupted() {
    let settings = TrainingSettings {
        // Without pairs, so that no tables of full size are filled.
        spreads: [Term::Piece, Term::KingPiece].map(Spread::usual).to_vec(),
        seen: 2,
        example_settings: example_settings(2),
        steps: STEPS,
        epochs: 2,
        of: "a test".to_string(),
        leaf_file: None,
    };
    let session = |checkpoint| Session::new(settings.clone(), Terms::default(), sources(), checkpoint);
    let mut whole = session(None).unwrap();
    for _ in 0..2 {
        whole.round(&|_| (), &mut |_| Ok::<(), String>(())).unwrap();
    }
    assert_eq!((whole.rounds(), whole.in_round(), whole.history().len()), (2, false, 6));
    // Interrupted before the first epoch and after each.
    let path = folder::empty("learn kppt resume").join("a.checkpoint");
    let mut resumed = session(None).unwrap();
    for rows in 1..=6 {
        let error = resumed.round(&|_| (), &mut |session| {
            session.checkpoint().unwrap().write(&path)?;
            Err("interrupted".to_string())
        });
        assert_eq!(error.unwrap_err(), "interrupted");
        resumed = session(Some(Checkpoint::read(&path).unwrap())).unwrap();
        assert_eq!((resumed.rounds(), resumed.in_round()), (rows / 3, rows % 3 != 0));
        assert_eq!(resumed.history(), &whole.history()[..rows as usize]);
    }
    assert!(whole.checkpoint() == resumed.checkpoint());
    assert!(whole.terms() == resumed.terms());
    assert!(whole.terms() != Terms::default());

    let checkpoint = Checkpoint::read(&path).unwrap();
    let other = TrainingSettings { seen: 3, ..settings.clone() };
    let error = Session::new(other, Terms::default(), sources(), Some(checkpoint)).err().unwrap();
    assert_eq!(error, "made with \"seen 2\": expected \"seen 3\"");
    let bytes = fs::read(&path).unwrap();
    for (broken, word) in [(&b"nothing"[..], "another kind"), (&bytes[..bytes.len() / 2], "cut off")] {
        fs::write(&path, broken).unwrap();
        let error = Checkpoint::read(&path).unwrap_err();
        assert!(error.contains(word) && error.contains("a.checkpoint"), "{error}");
    }
}

/// Interrupted or not, a training that takes its examples from a file goes as one that finds them.
#[test]
fn kept_examples_are_those_that_were_found() {
    let path = folder::empty("learn kppt leaves").join("a.leaves");
    let settings = |leaf_file, epochs| TrainingSettings {
        spreads: vec![Spread::usual(Term::Piece)],
        seen: 1,
        example_settings: ExampleSettings { later: 0.9, ..example_settings(2) },
        steps: STEPS,
        epochs,
        of: "a test".to_string(),
        leaf_file,
    };
    let learned = |settings: TrainingSettings| {
        let mut session = Session::new(settings, Terms::default(), sources(), None)?;
        session.round(&|_| (), &mut |_| Ok::<(), String>(()))?;
        Ok::<_, String>(session.terms())
    };
    let found = learned(settings(None, 1)).unwrap();
    for _ in 0..2 {
        assert!(learned(settings(Some(path.clone()), 1)).unwrap() == found);
    }
    // Learned from in another way.
    assert!(learned(settings(Some(path.clone()), 2)).unwrap() != found);
    let other = TrainingSettings { of: "another".to_string(), ..settings(Some(path.clone()), 1) };
    let error = learned(other).err().unwrap();
    assert!(
        error.contains("a.leaves: made with \"a test;") && error.contains("expected \"another;"),
        "{error}"
    );
    let bytes = fs::read(&path).unwrap();
    let mut changed = bytes.clone();
    changed[bytes.len() / 2] ^= 1;
    let longer = [&bytes[..], b"more"].concat();
    let broken: [&[u8]; 4] = [b"nothing", &bytes[..bytes.len() / 2], &changed, &longer];
    for (bytes, word) in broken.into_iter().zip(["another kind", "cut off", "cut off", "cut off"]) {
        fs::write(&path, bytes).unwrap();
        let error = learned(settings(Some(path.clone()), 1)).err().unwrap();
        assert!(error.contains("a.leaves") && error.contains(word), "{error}");
    }
}

/// What is expected of a position of a game goes from its value to the result with the plies that are left.
#[test]
fn games_are_judged_by_what_follows() {
    let weights = pieces_and_kings();
    let targets = |later: f64, result: Option<f64>| -> Vec<f64> {
        let loss = Loss { mix: 1.0, ..LOSS };
        let settings = ExampleSettings { loss, later, ..example_settings(1) };
        let game = source_game(1, false, result);
        let examples = examples::make(&[&game], weights, None, settings, &|_| ());
        examples.judged.iter().map(|judged| judged.target).collect()
    };
    assert!(targets(0.0, Some(1.0)).iter().all(|&target| target == 1.0));
    assert!(targets(1.0, Some(0.0)).iter().all(|&target| target == 0.0));
    assert!(targets(0.0, None).is_empty() && !targets(0.5, None).is_empty());
    let [won, lost] = [Some(1.0), Some(0.0)].map(|result| targets(0.9, result));
    let apart: Vec<f64> = won.iter().zip(&lost).map(|(won, lost)| won - lost).collect();
    assert!(apart.iter().all(|&apart| 0.0 < apart && apart <= 0.9), "{apart:?}");
    assert!(apart.is_sorted() && apart[0] < 0.1 && *apart.last().unwrap() > 0.5, "{apart:?}");
}

/// Then the positions of the training show the rounding error.
#[test]
fn rounding_is_measured_where_nothing_is_held_back() {
    let mut sources = sources();
    sources.games.iter_mut().for_each(|game| game.held_back = false);
    let settings = TrainingSettings {
        spreads: vec![Spread::usual(Term::Piece)],
        seen: 1,
        example_settings: example_settings(2),
        steps: STEPS,
        epochs: 1,
        of: String::new(),
        leaf_file: None,
    };
    let mut session = Session::new(settings, Terms::default(), sources, None).unwrap();
    session.round(&|_| (), &mut |_| Ok::<(), String>(())).unwrap();
    let (typical, largest) = session.measure_final(&|_| ()).unwrap().rounding;
    assert!(0.0 < typical && typical <= largest && largest < 2.0, "{typical} {largest}");
}

/// The value of a leaf that is not learned is Black's, with either side to move. A position in check has no leaf.
#[test]
fn leaves_have_their_value_to_black() {
    let weights = pieces_and_kings();
    let of = |content: Content| {
        let game = SourceGame { file: 0, held_back: false, content };
        examples::make(&[&game], weights, None, example_settings(1), &|_| ())
    };
    let packed = |position: &Position| {
        let position = position.clone();
        let known = TrainingPosition { position, score: 0, best: None, result: Outcome::Win };
        Content::Positions(vec![known.pack().unwrap()], Vec::new())
    };
    // One side without its bishop, either to move, nothing to take.
    for (sfen, sign) in [
        ("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", 1.0),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL", -1.0),
    ] {
        for side in ["b", "w"] {
            let position = sfen::parse(&format!("{sfen} {side} - 1")).unwrap();
            let judged = of(packed(&position)).judged;
            let to_black = judged[0].leaf.base;
            let own = full::value(weights.as_ref(), &position) as f32;
            assert_eq!(to_black, if side == "b" { own } else { -own }, "{sfen} {side}");
            assert!(sign * to_black > 500.0, "{sfen} {side}: {to_black}");
            assert_eq!(judged[0].target > 0.5, side == "b", "the side to move has won");
        }
    }
    let check = sfen::parse("4k4/9/9/9/4R4/9/9/9/4K4 w - 1").unwrap();
    assert!(check.in_check() && of(packed(&check)).is_empty());
    let evasion: Move = "5a4a".parse().unwrap();
    assert!(of(Content::Moves(Box::new(check), vec![evasion], Some(1.0))).is_empty());
    let calm = sfen::parse("4k4/9/9/9/3R5/9/9/9/4K4 w - 1").unwrap();
    assert_eq!(of(packed(&calm)).judged.len(), 1);
    assert_eq!(of(Content::Moves(Box::new(calm), vec![evasion], Some(1.0))).len(), 2);
}

/// The old checkpoint stays where the disk is full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_checkpoint() {
    let checkpoint = |settings: &str| Checkpoint {
        settings: settings.to_string(),
        rounds: 1,
        begun: None,
        terms: Vec::new(),
        parameters: Vec::new(),
        squares: Vec::new(),
        history: Vec::new(),
    };
    let path = folder::empty("learn kppt full disk").join("a.checkpoint");
    checkpoint("before").write(&path).unwrap();
    // The file that gets the new contents before it gets the name.
    let beside = path.with_file_name(format!("a.checkpoint.{}.part", std::process::id()));
    std::os::unix::fs::symlink("/dev/full", beside).unwrap();
    let error = checkpoint("after").write(&path).unwrap_err();
    assert!(error.contains("a.checkpoint: cannot be written: No space left"), "{error}");
    assert_eq!(Checkpoint::read(&path), Ok(checkpoint("before")));
    assert_eq!(folder::count(path.parent().unwrap()), 1);
}

/// Some files number the first move 0.
#[test]
fn positions_of_move_zero_are_skipped_only_on_request() {
    let record = |skip: usize, ply: u16| {
        let known =
            TrainingPosition { position: Position::start(), score: 0, best: None, result: Outcome::Win };
        let mut packed = known.pack().unwrap();
        packed.0[36..38].copy_from_slice(&ply.to_le_bytes());
        let game =
            SourceGame { file: 0, held_back: false, content: Content::Positions(vec![packed], Vec::new()) };
        examples::make(
            &[&game],
            pieces_and_kings(),
            None,
            ExampleSettings { skip, ..example_settings(1) },
            &|_| (),
        )
        .len()
    };
    assert_eq!([record(0, 0), record(0, 1), record(1, 0), record(1, 1), record(1, 2)], [1, 1, 0, 0, 1]);
}

/// By their own values alone, whatever the result is.
#[test]
fn inner_nodes_are_learned_from_but_not_measured_with() {
    let inner_nodes: Vec<Packed> = positions(3, 60)
        .into_iter()
        .map(|position| {
            let known = TrainingPosition { position, score: 200, best: None, result: Outcome::Loss };
            known.pack().unwrap()
        })
        .collect();
    let judged = |held_back: bool, inner_share: f64| {
        let content = Content::Positions(Vec::new(), inner_nodes.clone());
        let game = SourceGame { file: 0, held_back, content };
        let settings = ExampleSettings {
            loss: Loss { mix: 1.0, ..LOSS },
            later: 0.9,
            inner_share,
            ..example_settings(1)
        };
        examples::make(&[&game], pieces_and_kings(), None, settings, &|_| ()).judged
    };
    let all = judged(false, 1.0);
    assert!(all.len() > 30, "{}", all.len());
    let expected = LOSS.expected(200.0);
    for judged in &all {
        assert!((judged.target - expected).abs().min((judged.target - 1.0 + expected).abs()) < 1e-12);
    }
    assert!(all.iter().any(|judged| judged.target > 0.5) && all.iter().any(|judged| judged.target < 0.5));
    let half = judged(false, 0.5).len();
    assert!((1..all.len()).contains(&half), "{half}");
    assert_eq!((judged(false, 0.0).len(), judged(true, 1.0).len()), (0, 0));
}

/// Positions of three games in one file, with gaps, one broken and half a record at the end. Each game is taken as one, and
/// faults are counted and reported.
#[test]
fn packed_positions_are_divided_into_games() {
    let mut bytes = Vec::new();
    for seed in 0..3 {
        let list = positions(seed, 40);
        for (place, pair) in list.windows(2).enumerate().filter(|(place, _)| place % 7 != 3) {
            let record = TrainingPosition {
                position: pair[0].clone(),
                score: if place == 20 { 31_000 } else { 25 },
                best: pair[1].last_move(),
                result: Outcome::Win,
            };
            bytes.extend(record.pack().unwrap().0);
        }
    }
    bytes[40 * 5 + 38] = 9;
    bytes.extend([0; 13]);
    let path = folder::empty("learn kppt packed").join("play.psv");
    fs::write(&path, bytes).unwrap();
    let mut sources = Sources::default();
    let mut messages = Vec::new();
    let split = Split { share: 0.5, seed: 1 };
    let taken = sources.add_positions(&path, split, &mut |message| messages.push(message)).unwrap();
    assert_eq!((taken.games, taken.left_out), (3, 1));
    assert_eq!(taken.held_back, sources.games.iter().filter(|game| game.held_back).count());
    let expected = ["number 6", "13 bytes", "do not have the openings of their 3 games"];
    assert_eq!(messages.len(), 3);
    assert!(messages.iter().zip(expected).all(|(message, part)| message.contains(part)), "{messages:?}");
    let games: Vec<&SourceGame> = sources.games.iter().collect();
    let examples = examples::make(&games, pieces_and_kings(), None, example_settings(2), &|_| ());
    assert!(examples.choices.is_empty());
    // The side to move has won each time, and the score says a little of it.
    let expected = LOSS.target(Some(LOSS.expected(25.0)), Some(1.0)).unwrap();
    assert!(examples.judged.len() > 60, "{}", examples.judged.len());
    for judged in &examples.judged {
        let near = |target: f64| (judged.target - target).abs() < 1e-12;
        assert!(near(expected) || near(1.0 - expected), "{}", judged.target);
    }
}

/// Against the sum: each score counts with the part that the plies up to the next one leave of it. No score before the
/// missing plies counts those after them.
#[test]
fn expected_results_count_later_scores() {
    let list = positions(5, 40);
    let scores = [300, -250, 700, -31_000, 31_000];
    let game: Vec<TrainingPosition> = [10, 11, 14, 15, 16]
        .iter()
        .zip(scores)
        .map(|(&ply, score)| TrainingPosition {
            position: list[ply].clone(),
            score,
            best: None,
            result: Outcome::Draw,
        })
        .collect();
    let own: Vec<f64> = game
        .iter()
        .map(|known| {
            let expected = LOSS.expected(f64::from(known.score));
            if known.position.side() == Color::Black { expected } else { 1.0 - expected }
        })
        .collect();
    let number = |place: usize| game[place].position.move_number() as i32;
    let end = |place: usize| if place < 2 { 2 } else { game.len() };
    for later in [0.0, 0.5, 0.9, 1.0] {
        let found = ExampleSettings { later, ..example_settings(1) }.expected(&game);
        for (place, &found) in found.iter().enumerate() {
            let left = |at: usize| f64::powi(later, number(at) - number(place));
            let sum: f64 = (place..end(place))
                .map(|at| own[at] * (left(at) - if at + 1 < end(place) { left(at + 1) } else { 0.0 }))
                .sum();
            assert!((found - sum).abs() < 1e-12, "{later} {place}: {found} {sum}");
        }
    }
}
