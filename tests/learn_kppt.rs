//! Training of the evaluation: gradients, leaves, a problem with a known answer, and what is said of bad input.

#![cfg(feature = "learn")]

#[path = "common/learning.rs"]
mod learning;
#[path = "common/random_games.rs"]
mod random_games;

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use jitsugen::eval::full;
use jitsugen::eval::terms::Terms;
use jitsugen::eval::weights::Weights;
use jitsugen::eval::yss;
use jitsugen::learn::kppt::checkpoint::Checkpoint;
use jitsugen::learn::kppt::examples::{self, Choice, ExampleSettings, Examples, Judged};
use jitsugen::learn::kppt::loss::{Loss, logistic};
use jitsugen::learn::kppt::model::{GRADIENT_ONE, Model};
use jitsugen::learn::kppt::quantization;
use jitsugen::learn::kppt::session::{Session, TrainingSettings};
use jitsugen::learn::kppt::snapshot::Snapshot;
use jitsugen::learn::kppt::term::{Spread, Term};
use jitsugen::learn::kppt::trainer::{self, Steps, Trainer};
use jitsugen::learn::selfplay::adjudication::Ending;
use jitsugen::learn::selfplay::game::Game as PlayedGame;
use jitsugen::learn::selfplay::run_file;
use jitsugen::learn::sources::{Content, Game, Sources, Split};
use jitsugen::record::packed::{Outcome, Packed, TrainingPosition};
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::leaves::{Leaves, NoLimit};
use jitsugen::search::{Memory, SearchRequest};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::{Position, Setup};
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;
use parking_lot::Mutex;

const LOSS: Loss = Loss { scale: 600.0, mix: 0.7, move_scale: 50.0, move_weight: 0.2 };
const STEPS: Steps = Steps { batch: 64, rate: 0.05, prior: 1.0, average: 0.0, seed: 1 };

/// Positions of a random game, with hands and promoted pieces.
fn positions(seed: u64, plies: usize) -> Vec<Position> {
    let mut list = Vec::new();
    random_games::play(&Position::start(), plies, &mut Rng::with_seed(seed), |position, _| {
        list.push(position.clone())
    });
    list
}

fn snapshots(positions: &[Position]) -> Vec<Snapshot> {
    positions.iter().map(|position| Snapshot::new(position).unwrap()).collect()
}

/// A model of every term with parameters at random.
fn random_model(snapshots: &[Snapshot]) -> Model {
    let mut model = Model::new(&Term::ALL.map(Spread::usual), snapshots.iter(), 1);
    let mut random = fastrand::Rng::with_seed(3);
    for parameter in &mut model.parameters {
        *parameter = [random.f32() - 0.5, 0.5 * (random.f32() - 0.5)];
    }
    model
}

/// The terms written out, looked up place by place, are what the model says; a checkpoint gives the same model.
#[test]
fn every_term_is_what_its_tables_say() {
    let positions = positions(4, 150);
    let some: Vec<Position> = positions.into_iter().step_by(10).collect();
    let snapshots = snapshots(&some);
    let mut model = random_model(&snapshots);
    let terms = quantization::terms(&model, &Terms::default());
    let (typical, largest) = quantization::rounding_error(&mut model, snapshots.iter());
    assert!(0.0 < typical && typical <= largest && largest < 10.0, "{typical} {largest}");
    for (position, snapshot) in some.iter().zip(&snapshots) {
        let mut parts = full::parts(&terms, position);
        parts.material = 0;
        let by_tables = (f64::from(parts.board()) + snapshot.turn() * f64::from(parts.turn())) / 32.0;
        let by_model = model.learned(snapshot);
        assert!((by_tables - by_model).abs() <= largest + 1.0, "{by_tables} {by_model}");
    }
    gradients_are_differences(&mut model, &snapshots);
    let keys: Vec<(Spread, Vec<u32>)> = model.keys().map(|(spread, keys)| (spread, keys.to_vec())).collect();
    let mut again = Model::with_keys(&keys).unwrap();
    again.parameters.clone_from(&model.parameters);
    for snapshot in &snapshots {
        assert_eq!(model.learned(snapshot), again.learned(snapshot));
    }
    let wrong = [(Spread::usual(Term::Kings), vec![7_000])];
    assert_eq!(Model::with_keys(&wrong).err(), Some("kings"));
}

fn gradients_are_differences(model: &mut Model, snapshots: &[Snapshot]) {
    let judged = Judged { leaf: snapshots[9].clone(), target: 0.8, file: 0 };
    let choice = Choice { side: Color::White, leaves: snapshots[3..7].to_vec(), file: 0 };
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
        // Of the parameters that the examples have, and of all.
        let theirs: Vec<usize> = range.clone().filter(|&number| sums[number] != [0; 2]).collect();
        let drawn = theirs.iter().copied().cycle().step_by(theirs.len().div_ceil(40).max(1)).take(40);
        let drawn: Vec<usize> = drawn.chain((0..20).map(|_| random.usize(range.clone()))).collect();
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
        // Of both kings' squares a position has one parameter, and its kings may not have moved between choices.
        assert!(some >= 20 || *term == "kings", "{term}: {some} slopes");
    }
}

/// Kings alone on the board: what they are worth follows from what the positions come to with either side to move.
#[test]
fn a_known_answer_is_learned_exactly() {
    let king = |color| jitsugen::shogi::piece::Piece::new(color, jitsugen::shogi::piece::PieceKind::King);
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
    let model = Model::new(&[Spread { term: Term::Kings, units: 50.0 }], examples.leaves(), 1);
    let steps = Steps { batch: 8, rate: 0.5, prior: 0.0, average: 0.0, seed: 1 };
    let mut trainer = Trainer::new(model, None, LOSS, steps, 2);
    let mut loss = f64::MAX;
    for number in 0..3000 {
        loss = trainer.epoch(&examples, number, &|_| ());
    }
    assert!(loss < 1e-9, "{loss}");
    let terms = quantization::terms(&trainer.model, &Terms::default());
    for (place, answer) in answers {
        assert_eq!(terms.kk[place], answer);
    }
}

/// Steps that see the same example each time, in one epoch and in as many epochs.
#[test]
fn the_mean_of_the_last_steps_is_kept() {
    let leaf = snapshots(&positions(5, 30)).pop().unwrap();
    let judged = Judged { leaf, target: 0.9, file: 0 };
    let trainer = |examples: &Examples, average| {
        let model = Model::new(&[Term::Piece, Term::Pair].map(Spread::usual), examples.leaves(), 1);
        Trainer::new(model, None, LOSS, Steps { batch: 1, rate: 0.05, prior: 0.0, average, seed: 1 }, 1)
    };
    let one = Examples { judged: vec![judged.clone()], ..Examples::default() };
    let mut slow = trainer(&one, 0.0);
    let after: Vec<_> = (0..5)
        .map(|number| {
            slow.epoch(&one, number, &|_| ());
            slow.model.parameters.clone()
        })
        .collect();
    let five = Examples { judged: vec![judged; 5], ..Examples::default() };
    for (average, steps) in [(0.0, 1), (0.1, 1), (0.2, 1), (0.5, 2), (1.0, 5)] {
        let mut trainer = trainer(&five, average);
        trainer.epoch(&five, 0, &|_| ());
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
    ExampleSettings { loss: LOSS, later: 0.0, skip: 0, alternatives: 4, threads }
}

fn game(seed: u64, held_back: bool, result: Option<f64>) -> Game {
    let mut moves: Vec<Move> = Vec::new();
    let list = positions(seed, 60);
    for pair in list.windows(2) {
        moves.extend(pair[1].last_move());
    }
    Game { file: 0, held_back, content: Content::Moves(Box::new(Position::start()), moves, result) }
}

fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.names.push("random".to_string());
    for seed in 0..6 {
        let result = [Some(1.0), Some(0.0), None][seed as usize % 3];
        sources.games.push(game(seed, seed >= 4, result));
    }
    sources
}

/// The weights of the start that the tests share.
fn weights() -> Arc<Weights> {
    static WEIGHTS: std::sync::OnceLock<Arc<Weights>> = std::sync::OnceLock::new();
    Arc::clone(WEIGHTS.get_or_init(|| Arc::new(yss::terms().expand().unwrap())))
}

#[test]
fn the_value_of_a_line_is_that_of_its_leaf() {
    let (weights, table, root) = (weights(), HashMoveTable::empty(), Position::start());
    let request = SearchRequest::new(&root, &weights, &table);
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
            let messages = if same_side { at_the_leaf } else { -at_the_leaf };
            let plies = leaf.plies_played() - position.plies_played() - usize::from(first.is_some());
            // Who takes nothing loses what cannot be saved.
            let lost =
                if first.is_some() { value.centipawns() - messages } else { messages - value.centipawns() };
            assert!(lost == 0 || lost > 0 && plies == 0, "{lost} with {first:?} in {position:?}");
            moved += usize::from(plies > 0);
            quiet += usize::from(plies == 0);
            threatened += usize::from(lost > 0);
        }
    }
    assert!(moved > 50 && quiet > 50 && threatened > 20, "{moved} {quiet} {threatened}");
}

/// Examples and training are the same with any number of threads, and games without a result judge nothing.
#[test]
fn threads_change_nothing() {
    let sources = sources();
    let games: Vec<&Game> = sources.games.iter().collect();
    let results: Vec<_> = [1, 3]
        .map(|threads| {
            let messages = Mutex::new(Vec::new());
            let done = |count| messages.lock().push(count);
            let examples = examples::make(&games, &weights(), None, example_settings(threads), &done);
            assert_eq!(messages.into_inner(), (1..=games.len()).collect::<Vec<_>>());
            assert!(!examples.choices.is_empty() && !examples.judged.is_empty());
            let spreads = [Term::Piece, Term::KingPiece, Term::Pair].map(Spread::usual);
            let model = Model::new(&spreads, examples.leaves(), 2);
            let mut trainer = Trainer::new(model, None, LOSS, STEPS, threads);
            let first = trainer.epoch(&examples, 0, &|_| ());
            let mut last = first;
            for number in 1..8 {
                last = trainer.epoch(&examples, number, &|_| ());
            }
            assert!(last < first, "{first} {last}");
            (examples, trainer.model.parameters)
        })
        .into_iter()
        .collect();
    assert_eq!(results[0].0, results[1].0);
    assert!(results[0].1 == results[1].1);
    let without = game(2, false, None);
    let examples = examples::make(&[&without], &weights(), None, example_settings(1), &|_| ());
    assert!(examples.judged.is_empty() && !examples.choices.is_empty());
}

#[test]
fn a_training_that_was_broken_off_goes_on_as_if_it_had_not_been() {
    let settings = TrainingSettings {
        spreads: [Term::Piece, Term::Pair].map(Spread::usual).to_vec(),
        seen: 2,
        example_settings: example_settings(2),
        steps: STEPS,
        epochs: 2,
        of: "a test".to_string(),
    };
    let session = |checkpoint| Session::new(settings.clone(), yss::terms(), sources(), checkpoint);
    let mut whole = session(None).unwrap();
    for _ in 0..2 {
        whole.round(&|_| (), &mut |_| Ok::<(), String>(())).unwrap();
    }
    assert_eq!((whole.rounds(), whole.in_round(), whole.history().len()), (2, false, 6));
    // Broken off before the first epoch and after each.
    let path = learning::folder("learn kppt resume").join("a.checkpoint");
    let mut resumed = session(None).unwrap();
    for rows in 1..=6 {
        let error = resumed.round(&|_| (), &mut |session| {
            session.checkpoint().unwrap().write(&path)?;
            Err("broken off".to_string())
        });
        assert_eq!(error.unwrap_err(), "broken off");
        resumed = session(Some(Checkpoint::read(&path).unwrap())).unwrap();
        assert_eq!((resumed.rounds(), resumed.in_round()), (rows / 3, rows % 3 != 0));
        assert_eq!(resumed.history(), &whole.history()[..rows as usize]);
    }
    assert!(whole.checkpoint() == resumed.checkpoint());
    assert!(whole.terms() == resumed.terms());
    assert!(whole.terms() != yss::terms());

    let checkpoint = Checkpoint::read(&path).unwrap();
    let other = TrainingSettings { seen: 3, ..settings.clone() };
    let error = Session::new(other, yss::terms(), sources(), Some(checkpoint)).err().unwrap();
    assert_eq!(error, "made with \"seen 2\": expected \"seen 3\"");
    let bytes = fs::read(&path).unwrap();
    for (broken, word) in [(&b"nothing"[..], "another kind"), (&bytes[..bytes.len() / 2], "cut off")] {
        fs::write(&path, broken).unwrap();
        let error = Checkpoint::read(&path).unwrap_err();
        assert!(error.contains(word) && error.contains("a.checkpoint"), "{error}");
    }
}

/// Where nothing is held back, the rounding is measured on what was learned from.
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
    };
    let mut session = Session::new(settings, yss::terms(), sources, None).unwrap();
    session.round(&|_| (), &mut |_| Ok::<(), String>(())).unwrap();
    let (typical, largest) = session.measure_final(&|_| ()).unwrap().rounding;
    assert!(0.0 < typical && typical <= largest && largest < 2.0, "{typical} {largest}");
}

/// A file of random games in `folder`.
fn games_file(folder: &Path, games: u64) {
    let line = |seed| {
        let Content::Moves(_, moves, _) = game(seed, false, None).content else { unreachable!() };
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        format!("{}\tstartpos moves {}\n", ["b", "w"][seed as usize % 2], moves.join(" "))
    };
    fs::write(folder.join("games.usi"), (0..games).map(line).collect::<String>()).unwrap();
}

#[test]
fn a_training_that_is_killed_goes_on_after_its_last_epoch() {
    let folder = learning::folder("learn kppt killed");
    games_file(&folder, 6);
    // Steps after each example, so that an epoch takes longer than it takes to see that one is done.
    let command = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jitsugen"));
        command
            .args([
                "learn",
                "kppt",
                "--games",
                "games.usi",
                "--from",
                "zero",
                "--terms",
                "piece",
                "king-piece",
            ])
            .args(["--rounds", "1", "--epochs", "5", "--batch", "1", "--hold-back", "0.3", "--threads", "2"])
            .args(["--output", &format!("{name}.jge"), "--checkpoint", &format!("{name}.part")])
            .current_dir(&folder);
        command
    };
    let whole = command("whole").output().unwrap();
    assert!(whole.status.success(), "{}", String::from_utf8_lossy(&whole.stderr));

    let path = folder.join("killed.part");
    let (mut kills, mut before) = (0, None);
    loop {
        let mut process = command("killed").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let ended = loop {
            if let Some(status) = process.try_wait().unwrap() {
                assert!(status.success());
                break true;
            }
            if fs::read(&path).ok() != before {
                break false;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if ended {
            break;
        }
        process.kill().unwrap();
        process.wait().unwrap();
        before = fs::read(&path).ok();
        kills += u32::from(Checkpoint::read(&path).unwrap().begun.is_some());
    }
    assert!(kills > 0, "each round ended before it was killed");
    for name in ["jge", "part"] {
        let [one, other] =
            ["whole", "killed"].map(|file| fs::read(folder.join(format!("{file}.{name}"))).unwrap());
        assert!(one == other, "{name}");
    }

    // A build whose search finds other leaves cannot go on.
    let mut checkpoint = Checkpoint::read(&path).unwrap();
    let (begin, rest) = checkpoint.settings.split_once("; search ").unwrap();
    let (search, rest) = rest.split_at(8);
    let (search, other) = (search.to_string(), if search == "00000000" { "00000001" } else { "00000000" });
    checkpoint.settings = format!("{begin}; search {other}{rest}");
    checkpoint.write(&path).unwrap();
    let refused = command("killed").output().unwrap();
    let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
    let expected = format!("killed.part: made with \"search {other}\": expected \"search {search}\"");
    assert!(!refused.status.success() && stderr.contains(&expected), "{stderr}");
}

/// Of the games in `text`, each `alike` that follow each other, which have an opening in common, are on one side, and there
/// are some on either.
fn openings_are_on_one_side(folder: &Path, text: &str, alike: usize) {
    let path = folder.join("games.usi");
    fs::write(&path, text).unwrap();
    let mut sources = Sources::default();
    let taken = sources
        .add_games(&path, Split { share: 0.5, seed: 1 }, &mut |messages| panic!("{messages}"))
        .unwrap();
    let games = text.lines().count();
    assert_eq!((taken.games, taken.left_out), (games, 0));
    assert!((games / 4..games * 3 / 4).contains(&taken.held_back), "{}", taken.held_back);
    for games in sources.games.chunks(alike) {
        assert!(games.iter().all(|game| game.held_back == games[0].held_back));
    }
}

/// Games with the position after 24 plies in common.
#[test]
fn an_opening_is_on_one_side() {
    let folder = learning::folder("learn kppt openings");
    let mut text = String::new();
    for seed in 0..20 {
        let Content::Moves(_, opening, _) = game(seed, false, None).content else { unreachable!() };
        for plies in [24, 24, 25, 40] {
            let moves: Vec<String> = opening.iter().take(plies).map(Move::to_string).collect();
            text.push_str(&format!("startpos moves {}\n", moves.join(" ")));
        }
    }
    openings_are_on_one_side(&folder, &text, 4);
}

/// Where games begin with a position of a later move number, that position is the opening of all of them.
#[test]
fn a_start_that_comes_after_the_opening_is_one() {
    let folder = learning::folder("learn kppt starts");
    let mut text = String::new();
    for seed in 0..20 {
        let Content::Moves(start, opening, _) = game(seed, false, None).content else { unreachable!() };
        let mut position = *start;
        let (before, after) = opening.split_at(24);
        before.iter().for_each(|&mv| position.play(mv, &mut ()));
        for plies in [1, 8, 16] {
            let moves: Vec<String> = after.iter().take(plies).map(Move::to_string).collect();
            text.push_str(&format!("sfen {} moves {}\n", sfen::write(&position), moves.join(" ")));
        }
    }
    openings_are_on_one_side(&folder, &text, 3);
}

/// A short game is followed by one whose positions begin with a later move number: both are on the sides that they have
/// as records.
#[test]
fn games_of_a_run_are_on_the_same_side_as_records_and_as_positions() {
    let path = learning::folder("learn kppt short").join("ab.play");
    let mut bytes = run_file::begin("by hand").unwrap();
    for (number, (seed, plies, first)) in [(1, 27, 24), (2, 40, 30)].into_iter().enumerate() {
        let list = positions(seed, plies);
        let packed = |pair: &[Position]| {
            let (position, best) = (pair[0].clone(), pair[1].last_move());
            TrainingPosition { position, score: 20, best, result: Outcome::Win }.pack().unwrap()
        };
        let moves: Vec<String> =
            list.iter().filter_map(Position::last_move).map(|mv| mv.to_string()).collect();
        let game = PlayedGame {
            number: number as u64,
            opening: 1,
            random_moves: 0,
            start: list[first].key(),
            ending: Ending::Resigned,
            winner: None,
            positions: list[first..].windows(2).map(packed).collect(),
            line: format!("d\tstartpos moves {}\n", moves.join(" ")),
        };
        bytes.extend(run_file::encode(&game).unwrap());
    }
    fs::write(&path, bytes).unwrap();
    let mut differ = 0;
    for seed in 0..16 {
        let split = Split { share: 0.5, seed };
        let mut sources = Sources::default();
        sources.add_games(&path, split, &mut |report| panic!("{report}")).unwrap();
        sources.add_positions(&path, split, &mut |report| panic!("{report}")).unwrap();
        let sides: Vec<bool> = sources.games.iter().map(|game| game.held_back).collect();
        assert_eq!(sides.len(), 4, "two games, as records and as positions");
        assert_eq!(sides[..2], sides[2..], "seed {seed}");
        differ += usize::from(sides[0] != sides[1]);
    }
    assert!(differ > 0);
}

/// Games in their order and the same positions shuffled.
#[test]
fn shuffled_positions_are_reported() {
    let mut records = Vec::new();
    for seed in 0..30 {
        for pair in positions(seed, 60).windows(2) {
            let (position, best) = (pair[0].clone(), pair[1].last_move());
            records
                .push(TrainingPosition { position, score: 0, best, result: Outcome::Draw }.pack().unwrap());
        }
    }
    let folder = learning::folder("learn kppt shuffled");
    let messages = |name: &str, records: &[Packed]| {
        let path = folder.join(name);
        fs::write(&path, records.iter().flat_map(|record| record.0).collect::<Vec<u8>>()).unwrap();
        let mut messages = Vec::new();
        let split = Split { share: 0.5, seed: 1 };
        Sources::default().add_positions(&path, split, &mut |message| messages.push(message)).unwrap();
        messages
    };
    assert!(records.len() > 1000);
    let in_order = messages("games.psv", &records);
    let expected = "the openings of their 30 games";
    assert!(in_order.len() == 1 && in_order[0].contains(expected), "{in_order:?}");
    fastrand::Rng::with_seed(1).shuffle(&mut records);
    let messages = messages("shuffled.psv", &records);
    assert!(messages.len() == 1 && messages[0].contains("if the file is shuffled"), "{messages:?}");
}

/// What a leaf is worth beyond what is learned is Black's, whichever side is to move; and no position in check has a leaf.
#[test]
fn leaves_are_worth_what_they_are_to_black() {
    let weights = weights();
    let of = |content: Content| {
        let game = Game { file: 0, held_back: false, content };
        examples::make(&[&game], &weights, None, example_settings(1), &|_| ())
    };
    let packed = |position: &Position| {
        let position = position.clone();
        let known = TrainingPosition { position, score: 0, best: None, result: Outcome::Win };
        Content::Positions(vec![known.pack().unwrap()])
    };
    // One side without its bishop, either to move, nothing to take.
    for (sfen, sign) in [
        ("lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL", 1.0),
        ("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL", -1.0),
    ] {
        for side in ["b", "w"] {
            let position = jitsugen::shogi::sfen::parse(&format!("{sfen} {side} - 1")).unwrap();
            let judged = of(packed(&position)).judged;
            let to_black = judged[0].leaf.base;
            let own = full::value(weights.as_ref(), &position) as f32;
            assert_eq!(to_black, if side == "b" { own } else { -own }, "{sfen} {side}");
            assert!(sign * to_black > 500.0, "{sfen} {side}: {to_black}");
            assert_eq!(judged[0].target > 0.5, side == "b", "the side to move has won");
        }
    }
    let check = jitsugen::shogi::sfen::parse("4k4/9/9/9/4R4/9/9/9/4K4 w - 1").unwrap();
    assert!(check.in_check() && of(packed(&check)).is_empty());
    let evasion: Move = "5a4a".parse().unwrap();
    assert!(of(Content::Moves(Box::new(check), vec![evasion], Some(1.0))).is_empty());
    let calm = jitsugen::shogi::sfen::parse("4k4/9/9/9/3R5/9/9/9/4K4 w - 1").unwrap();
    assert_eq!(of(packed(&calm)).judged.len(), 1);
    assert_eq!(of(Content::Moves(Box::new(calm), vec![evasion], Some(1.0))).len(), 2);
}

/// A position in which the king could be taken is named, counted and skipped by all that reads it.
#[test]
fn an_impossible_position_is_named_and_left_out() {
    let folder = learning::folder("learn kppt impossible");
    let mut bytes = Vec::new();
    for pair in positions(1, 40).windows(2) {
        let (position, best) = (pair[0].clone(), pair[1].last_move());
        let known = TrainingPosition { position, score: 10, best, result: Outcome::Draw };
        bytes.extend(known.pack().unwrap().0);
    }
    let right = bytes.len() / 40;
    let checked = jitsugen::shogi::sfen::parse("4k4/9/9/4R4/9/9/9/9/4K4 w - 1").unwrap();
    let known = TrainingPosition { position: checked, score: 0, best: None, result: Outcome::Draw };
    let mut impossible = known.pack().unwrap().0;
    // Were it Black's turn.
    impossible[0] ^= 1;
    bytes.splice(400..400, impossible);
    fs::write(folder.join("play.psv"), bytes).unwrap();
    let fault = "Black is to move and could take the king";
    let output = learning::learn(&folder, &["inspect", "play.psv"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = format!("play.psv: {right} positions, 1 skipped, the first is record 11: ");
    assert!(text.contains(&expected) && text.contains(fault), "{text}");
    let arguments = ["--positions", "play.psv", "--from", "zero", "--terms", "piece", "--output", "new.jge"];
    let output =
        learn(&folder, &[&arguments[..], &["--rounds", "1", "--epochs", "1", "--hold-back", "0"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    assert!(stderr.contains("play.psv: 1 positions left out, the first is number 11: "), "{stderr}");
    assert!(
        stderr.contains(fault) && stderr.contains("play.psv: 1 games, ") && stderr.contains("; 1 left out")
    );
}

/// What was written before stays where the disk is full.
#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_the_disk_has_no_room_for() {
    let checkpoint = |settings: &str| Checkpoint {
        settings: settings.to_string(),
        rounds: 1,
        begun: None,
        terms: Vec::new(),
        parameters: Vec::new(),
        squares: Vec::new(),
        history: Vec::new(),
    };
    let path = learning::folder("learn kppt full disk").join("a.checkpoint");
    checkpoint("before").write(&path).unwrap();
    // Where the new contents go before they have the name.
    let beside = path.with_file_name(format!("a.checkpoint.{}.part", std::process::id()));
    std::os::unix::fs::symlink("/dev/full", beside).unwrap();
    let error = checkpoint("after").write(&path).unwrap_err();
    assert!(error.contains("a.checkpoint: cannot be written: No space left"), "{error}");
    assert_eq!(Checkpoint::read(&path), Ok(checkpoint("before")));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

/// Some files number the first move 0.
#[test]
fn no_position_is_skipped_where_none_is_to_be() {
    let record = |skip: usize, ply: u16| {
        let known =
            TrainingPosition { position: Position::start(), score: 0, best: None, result: Outcome::Win };
        let mut packed = known.pack().unwrap();
        packed.0[36..38].copy_from_slice(&ply.to_le_bytes());
        let game = Game { file: 0, held_back: false, content: Content::Positions(vec![packed]) };
        examples::make(&[&game], &weights(), None, ExampleSettings { skip, ..example_settings(1) }, &|_| ())
            .len()
    };
    assert_eq!([record(0, 0), record(0, 1), record(1, 0), record(1, 1), record(1, 2)], [1, 1, 0, 0, 1]);
}

/// Positions of three games in one file, with gaps, one broken and half a record at the end: each game is taken as one,
/// and what is wrong is counted and reported.
#[test]
fn packed_positions_are_taken_by_game() {
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
    let path = learning::folder("learn kppt packed").join("play.psv");
    fs::write(&path, bytes).unwrap();
    let mut sources = Sources::default();
    let mut messages = Vec::new();
    let split = Split { share: 0.5, seed: 1 };
    let taken = sources.add_positions(&path, split, &mut |message| messages.push(message)).unwrap();
    assert_eq!((taken.games, taken.left_out), (3, 1));
    assert_eq!(taken.held_back, sources.games.iter().filter(|game| game.held_back).count());
    let expected = [
        "number 6",
        "13 bytes",
        "play.psv: plain packed positions do not have the openings of their 3 games",
    ];
    assert!(
        messages.len() == 3 && messages.iter().zip(expected).all(|(messages, part)| messages.contains(part)),
        "{messages:?}"
    );
    let games: Vec<&Game> = sources.games.iter().collect();
    let examples = examples::make(&games, &weights(), None, example_settings(2), &|_| ());
    assert!(examples.choices.is_empty());
    // The side to move has won each time, and the score says a little of it.
    let expected = LOSS.target(Some(LOSS.expected(25.0)), Some(1.0)).unwrap();
    assert!(examples.judged.len() > 60, "{}", examples.judged.len());
    for judged in &examples.judged {
        let near = |target: f64| (judged.target - target).abs() < 1e-12;
        assert!(near(expected) || near(1.0 - expected), "{}", judged.target);
    }
}

/// By the sum that it stands for: of each score what the plies up to the next one leave of it; no score of before the
/// missing plies counts what is after them.
#[test]
fn what_is_expected_counts_the_scores_that_come_later() {
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

fn learn(folder: &Path, arguments: &[&str]) -> Output {
    learning::learn(folder, &[&["kppt"], arguments].concat())
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = learning::folder("learn kppt bad input");
    fs::write(folder.join("foreign.psv"), [7; 4000]).unwrap();
    fs::write(folder.join("short.usi"), "startpos moves 7g7f 9z9y\n").unwrap();
    fs::write(folder.join("half.jge"), "JITSUGEN").unwrap();
    for name in ["empty.psv", "play.psv"] {
        fs::write(folder.join(name), "").unwrap();
    }
    for (arguments, expected) in [
        (&["--games", "none.usi"][..], "none.usi"),
        (&["--positions", "foreign.psv"], "foreign.psv"),
        (&["--games", "short.usi"], "short.usi: expected games, but not one is right"),
        (&["--positions", "empty.psv"], "empty.psv: expected positions, but it is empty"),
        (
            &["--positions", "play.psv", "./play.psv"],
            "--positions ./play.psv: is the file of --positions as well",
        ),
        (&["--games", "short.usi", "--curves", "."], ".: cannot be written: expected a file"),
        (&["--games", "short.usi", "--curves", "none/a.svg"], "none/a.svg: cannot be written"),
        (&["--games", "short.usi", "--from", "half.jge"], "half.jge"),
        (&["--games", "short.usi", "--mix", "2"], "--mix 2"),
        (&["--games", "short.usi", "--later", "1.5"], "--later 1.5"),
        (&["--games", "short.usi", "--hold-back", "NaN"], "--hold-back NaN"),
        (&["--games", "short.usi", "--rate", "inf"], "--rate inf"),
        (&["--games", "short.usi", "--scale", "0"], "--scale 0"),
        (&["--games", "short.usi", "--scale", "0.001"], "--scale 0.001, --move-scale 50"),
        (&["--games", "short.usi", "--move-scale", "0.001"], "--move-scale 0.001, --move-weight"),
        (&["--games", "short.usi", "--move-scale", "1e9"], "--move-scale 1000000000"),
        (&["--games", "short.usi", "--prior=-0.5"], "--prior -0.5"),
        (&["--games", "short.usi", "--rounds", "0"], "--rounds"),
        (&["--games", "short.usi", "--epochs", "0"], "--epochs"),
        (&["--games", "short.usi", "--terms", "pears"], "pears"),
        (&[], "nothing to learn from"),
    ] {
        let output = learn(&folder, &[arguments, &["--output", "new.jge"]].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    let output = learn(&folder, &["--games", "short.usi", "--output", "new.jge"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("9z9y"), "the bad move is named");
    assert!(!folder.join("new.jge").exists());
}

#[test]
fn no_input_and_no_other_output_is_overwritten() {
    let folder = learning::folder("learn kppt overwriting");
    fs::create_dir(folder.join("sub")).unwrap();
    let names = ["games.usi", "play.psv", "start.jge", "notes.txt"];
    for name in names {
        fs::write(folder.join(name), "as it was").unwrap();
    }
    let inputs = ["--games", "games.usi", "--positions", "play.psv", "--from", "start.jge"];
    for (outputs, expected) in [
        (&["--output", "games.usi"][..], "--output games.usi: is the file of --games as well"),
        (&["--output", "sub/../play.psv"], "--output sub/../play.psv: is the file of --positions as well"),
        (&["--output", "./start.jge"], "--output ./start.jge: is the file of --from as well"),
        (&["--output", "a", "--checkpoint", "games.usi"], "--checkpoint games.usi: is the file of --games"),
        (&["--output", "a", "--curves", "play.psv"], "--curves play.psv: is the file of --positions as well"),
        // Not there yet, but one file.
        (&["--output", "a", "--checkpoint", "sub/../a"], "--checkpoint sub/../a: is the file of --output"),
        (
            &["--output", "a", "--checkpoint", "b", "--curves", "./b"],
            "--curves ./b: is the file of --checkpoint",
        ),
        // Something else.
        (&["--output", "notes.txt"], "--output notes.txt: is there, but no evaluation: expected a new name"),
        (&["--output", "a", "--curves", "notes.txt"], "--curves notes.txt: is there, but no drawing (SVG)"),
    ] {
        let output = learn(&folder, &[&inputs[..], outputs].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(expected), "{outputs:?}: {stderr}");
    }
    for name in names {
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"as it was");
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 5);
}

/// The whole command: a compact file that the engine takes, a checkpoint, curves.
#[test]
fn the_command_writes_what_it_says() {
    let folder = learning::folder("learn kppt command");
    games_file(&folder, 6);
    let arguments =
        ["--games", "games.usi", "--output", "new.jge", "--curves", "new.svg", "--checkpoint", "new.part"];
    let more = ["--rounds", "1", "--epochs", "1", "--hold-back", "0.4", "--seed", "3"];
    let output = learn(&folder, &[&arguments[..], &more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("agreement") && text.ends_with("new.jge written\n"), "{text}");
    let terms = jitsugen::eval::compact::read(&folder.join("new.jge")).unwrap();
    assert!(!terms.symmetric.pairs.is_empty());
    let svg = fs::read_to_string(folder.join("new.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("games.usi"));
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["games.usi", "new.jge", "new.part", "new.svg"]);
}

/// A training is run for its file, not for its output.
#[cfg(target_os = "linux")]
#[test]
fn a_training_goes_on_without_a_reader_of_its_output() {
    let folder = learning::folder("learn kppt unheard");
    games_file(&folder, 6);
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let train = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jitsugen"));
        command
            .args(["learn", "kppt", "--games", "games.usi", "--output", name, "--epochs", "1"])
            .current_dir(&folder)
            .stdout(full());
        command
    };
    let output = train("new.jge").output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    assert_eq!(stderr.matches("standard output: No space left").count(), 1, "{stderr}");
    assert!(jitsugen::eval::compact::read(&folder.join("new.jge")).is_ok());

    // As in a log of both.
    assert!(train("other.jge").stderr(full()).status().unwrap().success());
    assert!(jitsugen::eval::compact::read(&folder.join("other.jge")).is_ok());
}
