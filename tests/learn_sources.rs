//! What training reads: games and positions, of which some are held back by their openings.

use std::fs;
use std::path::Path;

use jitsugen::learn::selfplay::adjudication::Ending;
use jitsugen::learn::selfplay::game::Game;
use jitsugen::learn::selfplay::run_file;
use jitsugen::learn::sources::{Content, Sources, Split};
use jitsugen::record::packed::{Outcome, Packed, TrainingPosition};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

use crate::support::folder;
use crate::support::games::{positions, source_game};

/// Asserts that games are held back or learned from by their opening. In `text` each `alike` games that follow each other
/// have one opening.
fn check_openings(folder: &Path, text: &str, alike: usize) {
    let path = folder.join("games.usi");
    fs::write(&path, text).unwrap();
    let mut sources = Sources::default();
    let taken =
        sources.add_games(&path, Split { share: 0.5, seed: 1 }, &mut |message| panic!("{message}")).unwrap();
    let games = text.lines().count();
    assert_eq!((taken.games, taken.left_out), (games, 0));
    assert!((games / 4..games * 3 / 4).contains(&taken.held_back), "{}", taken.held_back);
    for games in sources.games.chunks(alike) {
        assert!(games.iter().all(|game| game.held_back == games[0].held_back));
    }
}

/// Games with the position after 24 plies in common.
#[test]
fn games_of_one_opening_are_all_held_back_or_none() {
    let folder = folder::empty("learn kppt openings");
    let mut text = String::new();
    for seed in 0..20 {
        let Content::Moves(_, opening, _) = source_game(seed, false, None).content else { unreachable!() };
        for plies in [24, 24, 25, 40] {
            let moves: Vec<String> = opening.iter().take(plies).map(Move::to_string).collect();
            text.push_str(&format!("startpos moves {}\n", moves.join(" ")));
        }
    }
    check_openings(&folder, &text, 4);
}

/// Games that begin with a position of a later move number have that position for their opening.
#[test]
fn a_late_start_counts_as_an_opening() {
    let folder = folder::empty("learn kppt starts");
    let mut text = String::new();
    for seed in 0..20 {
        let Content::Moves(start, opening, _) = source_game(seed, false, None).content else {
            unreachable!()
        };
        let mut position = *start;
        let (before, after) = opening.split_at(24);
        before.iter().for_each(|&mv| position.play(mv, &mut ()));
        for plies in [1, 8, 16] {
            let moves: Vec<String> = after.iter().take(plies).map(Move::to_string).collect();
            text.push_str(&format!("sfen {} moves {}\n", sfen::write(&position), moves.join(" ")));
        }
    }
    check_openings(&folder, &text, 3);
}

/// A short game is followed by one whose positions begin with a later move number. Both are held back or not as their
/// records are.
#[test]
fn games_of_a_run_are_on_the_same_side_as_records_and_as_positions() {
    let path = folder::empty("learn kppt short").join("ab.play");
    let mut bytes = run_file::begin("by hand").unwrap();
    for (number, (seed, plies, first)) in [(1, 27, 24), (2, 40, 30)].into_iter().enumerate() {
        let list = positions(seed, plies);
        let packed = |pair: &[Position]| {
            let (position, best) = (pair[0].clone(), pair[1].last_move());
            TrainingPosition { position, score: 20, best, result: Outcome::Win }.pack().unwrap()
        };
        let moves: Vec<String> =
            list.iter().filter_map(Position::last_move).map(|mv| mv.to_string()).collect();
        let game = Game {
            number: number as u64,
            opening: 1,
            random_moves: 0,
            start: list[first].key(),
            ending: Ending::Resigned,
            winner: None,
            positions: list[first..].windows(2).map(packed).collect(),
            inner_nodes: Vec::new(),
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
    let folder = folder::empty("learn kppt shuffled");
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
    let shuffled = messages("shuffled.psv", &records);
    assert!(shuffled.len() == 1 && shuffled[0].contains("if the file is shuffled"), "{shuffled:?}");
}
