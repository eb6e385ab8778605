//! The evaluation against published values and against its slow sum.

use std::sync::Arc;

use fastrand::Rng;
use jitsugen::eval::accumulator::Accumulator;
use jitsugen::eval::full;
use jitsugen::eval::material;
use jitsugen::eval::table::Table;
use jitsugen::eval::weights::{Blank, Weights};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

use crate::support::data;
use crate::support::evaluation::alone_with_full_tables;
use crate::support::formula::Formula;

/// The positions of `kppt/vectors.tsv` with their values.
fn vectors() -> Vec<(Position, i32)> {
    let vectors: Vec<(Position, i32)> = data::read("kppt/vectors.tsv")
        .lines()
        .map(|line| {
            let (sfen, value) = line.split_once('\t').unwrap();
            (sfen::parse(sfen).unwrap(), value.parse().unwrap())
        })
        .collect();
    assert_eq!(vectors.len(), 300);
    vectors
}

/// Plays random moves and takes them back, down to the first position. Asks for the value at some of the positions only,
/// so that it has to bridge several moves now and then, and calls `visit` with it.
fn walk<T: Table>(
    position: &mut Position,
    sum: &mut Accumulator<T>,
    random: &mut Rng,
    steps: usize,
    mut visit: impl FnMut(&Position, i32),
) {
    let mut played = Vec::new();
    for _ in 0..steps {
        let moves = generate::all_legal(position);
        if moves.is_empty() || random.usize(..5) == 0 {
            if let Some(mv) = played.pop() {
                sum.undo(position, mv);
            }
        } else {
            let mv = moves[random.usize(..moves.len())];
            sum.play(position, mv);
            played.push(mv);
        }
        if random.usize(..3) > 0 {
            visit(position, sum.value(position));
        }
    }
    while let Some(mv) = played.pop() {
        sum.undo(position, mv);
        if random.usize(..3) == 0 {
            visit(position, sum.value(position));
        }
    }
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn the_slow_sum_gives_the_published_values() {
    for (position, value) in vectors() {
        assert_eq!(full::value(&Formula, &position), value, "{position:?}");
    }
}

/// Each vector's position is reached by taking back every move of random games, with the sum first taken elsewhere.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn the_incremental_sum_gives_the_published_values() {
    let mut random = Rng::with_seed(3);
    for (mut position, value) in vectors() {
        for _ in 0..2 {
            let mut sum = Accumulator::new(Formula, &position);
            walk(&mut position, &mut sum, &mut random, 40, |position, value| {
                assert_eq!(value, full::value(&Formula, position));
            });
            assert_eq!(sum.value(&position), value, "{position:?}");
        }
    }
}

/// Fewer pieces than 40, and the sum used as in a search: some values asked for, most moves taken back.
#[test]
fn short_piece_lists_are_summed_incrementally() {
    let positions = [
        "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
        "4k4/9/4P4/9/9/9/9/9/4K4 b Gr 1",
    ];
    let mut random = Rng::with_seed(5);
    for text in positions {
        let mut position = sfen::parse(text).unwrap();
        let pieces = full::pieces(&position, Color::Black).len();
        for _ in 0..20 {
            let mut sum = Accumulator::new(Formula, &position);
            walk(&mut position, &mut sum, &mut random, 100, |position, value| {
                assert_eq!(value, full::value(&Formula, position));
                assert_eq!(full::pieces(position, Color::White).len(), pieces);
            });
        }
    }
}

#[test]
fn only_material_counts_without_a_king() {
    let mut random = Rng::with_seed(7);
    for text in ["4k4/9/4P4/9/9/9/9/9/9 b 2G2r 1", "9/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w br2g 1"] {
        let mut position = sfen::parse(text).unwrap();
        let mut sum = Accumulator::new(Formula, &position);
        walk(&mut position, &mut sum, &mut random, 100, |position, value| {
            let black = material::balance(position);
            assert_eq!(value, if position.side() == Color::Black { black } else { -black });
        });
    }
}

/// A null move changes the side to move and nothing else. After more moves than a correction bridges the sum is taken anew.
#[test]
fn null_moves_and_many_moves_without_a_value_are_summed() {
    let mut position = Position::start();
    let mut sum = Accumulator::new(Formula, &position);
    let mut random = Rng::with_seed(11);
    let mut played = Vec::new();
    for silence in 1..12 {
        sum.value(&position);
        for _ in 0..silence {
            let moves = generate::all_legal(&position);
            let mv = moves[random.usize(..moves.len())];
            sum.play(&mut position, mv);
            played.push(mv);
        }
        assert_eq!(sum.value(&position), full::value(&Formula, &position));
        if !position.in_check() {
            position.play_null_move();
            assert_eq!(sum.value(&position), full::value(&Formula, &position));
            position.undo_null_move();
        }
    }
    // More moves than the sum has room for at first.
    while played.len() < 400 {
        let moves = generate::all_legal(&position);
        let Some(&mv) = moves.get(random.usize(..moves.len().max(1))) else { break };
        sum.play(&mut position, mv);
        played.push(mv);
        assert_eq!(sum.value(&position), full::value(&Formula, &position));
    }
    for mv in played.into_iter().rev() {
        sum.undo(&mut position, mv);
    }
    assert_eq!(sum.value(&position), full::value(&Formula, &position));
}

/// The formula's weights at full size.
fn full_size() -> Arc<Weights> {
    let mut blank = Blank::new().unwrap();
    blank.fill(&Formula);
    Arc::new(blank.finish().unwrap())
}

/// The tables in memory and their fast sums, in one test because they take 858 MB.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn tables_of_full_size_give_the_published_values() {
    let _alone = alone_with_full_tables();
    let weights = full_size();
    let mut random = Rng::with_seed(13);
    for (mut position, value) in vectors() {
        assert_eq!(full::value(&weights, &position), value, "{position:?}");
        let mut sum = Accumulator::new(weights.clone(), &position);
        walk(&mut position, &mut sum, &mut random, 60, |position, value| {
            assert_eq!(value, full::value(&weights, position));
        });
        assert_eq!(sum.value(&position), value, "{position:?}");
    }
    let mut position = Position::start();
    let mut sum = Accumulator::new(weights.clone(), &position);
    walk(&mut position, &mut sum, &mut random, 2000, |position, value| {
        assert_eq!(value, full::value(&Formula, position));
    });
}
