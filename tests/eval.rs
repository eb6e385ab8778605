//! The evaluation against published values and against its direct sum.

mod common;
#[path = "common/formula.rs"]
mod formula;

use std::sync::Arc;

use formula::Formula;
use jitsugen::eval::full;
use jitsugen::eval::material;
use jitsugen::eval::sum::Sum;
use jitsugen::eval::table::Table;
use jitsugen::eval::weights::{Blank, Weights};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

/// Numbers that look random and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// The positions of `kppt/vectors.tsv` with their values.
fn vectors(test: &str) -> Vec<(Position, i32)> {
    let Some(folder) = common::data_dir(test) else { return Vec::new() };
    let text = std::fs::read_to_string(folder.join("kppt/vectors.tsv")).unwrap();
    let vectors: Vec<(Position, i32)> = text
        .lines()
        .map(|line| {
            let (sfen, value) = line.split_once('\t').unwrap();
            (sfen::parse(sfen).unwrap(), value.parse().unwrap())
        })
        .collect();
    println!("data test {test}: {} cases", vectors.len());
    assert_eq!(vectors.len(), 300);
    vectors
}

/// Plays random moves and takes them back, down to the position it began with; sums are asked for at some of the
/// positions only, so that one has to bridge several moves now and then. Calls `visit` where one was.
fn walk<T: Table>(
    position: &mut Position,
    sum: &mut Sum<T>,
    random: &mut Random,
    steps: usize,
    mut visit: impl FnMut(&Position, i32),
) {
    let mut played = Vec::new();
    for _ in 0..steps {
        let moves = generate::all_legal(position);
        if moves.is_empty() || random.below(5) == 0 {
            if let Some(mv) = played.pop() {
                sum.undo(position, mv);
            }
        } else {
            let mv = moves[random.below(moves.len())];
            sum.play(position, mv);
            played.push(mv);
        }
        if random.below(3) > 0 {
            visit(position, sum.value(position));
        }
    }
    while let Some(mv) = played.pop() {
        sum.undo(position, mv);
        if random.below(3) == 0 {
            visit(position, sum.value(position));
        }
    }
}

#[test]
fn vectors_by_the_full_sum() {
    for (position, value) in vectors("vectors_by_the_full_sum") {
        assert_eq!(full::value(&Formula, &position), value, "{position:?}");
    }
}

/// Each vector's position is reached by taking back every move of random games, with the sum first taken elsewhere.
#[test]
fn vectors_by_the_incremental_sum() {
    let mut random = Random(3);
    for (mut position, value) in vectors("vectors_by_the_incremental_sum") {
        for _ in 0..3 {
            let mut sum = Sum::new(Formula, &position);
            walk(&mut position, &mut sum, &mut random, 40, |position, value| {
                assert_eq!(value, full::value(&Formula, position));
            });
            assert_eq!(sum.value(&position), value, "{position:?}");
        }
    }
}
