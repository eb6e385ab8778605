//! The parts of the rules layer: each generator, making moves, tests of single moves. All use the same random positions.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::position::Position;

/// 100 positions after 20 to 119 random moves, all in check or all not in check.
fn positions(in_check: bool) -> Vec<Position> {
    let mut rng = Rng::with_seed(1);
    let mut positions = Vec::new();
    while positions.len() < 100 {
        let mut position = Position::start();
        for _ in 0..20 + positions.len() {
            let Some(&mv) = rng.choice(&generate::all_legal(&position)) else { break };
            position.play(mv, &mut ());
        }
        if position.in_check() == in_check {
            positions.push(position);
        }
    }
    positions
}

type Generator = fn(&Position, NonPromotions, &mut MoveList);

fn generation(criterion: &mut Criterion) {
    let checked = positions(true);
    let mut positions = positions(false);
    let mut group = criterion.benchmark_group("generation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    let generators: [(&str, Generator); 3] =
        [("legal", generate::legal), ("captures", generate::captures), ("checks", generate::checks)];
    for (name, generator) in generators {
        group.bench_function(name, |b| {
            let mut list = MoveList::new();
            b.iter(|| {
                for position in &positions {
                    list.clear();
                    generator(position, NonPromotions::Useful, &mut list);
                    black_box(&list);
                }
            });
        });
    }
    group.bench_function("evasions", |b| {
        let mut list = MoveList::new();
        b.iter(|| {
            for position in &checked {
                list.clear();
                generate::evasions(position, NonPromotions::Useful, &mut list);
                black_box(&list);
            }
        });
    });
    group.bench_function("count", |b| {
        b.iter(|| positions.iter().map(generate::count_legal).sum::<u32>());
    });
    group.finish();

    let lists: Vec<MoveList> = positions.iter().map(generate::all_legal).collect();
    let moves: usize = lists.iter().map(|list| list.len()).sum();
    let mut group = criterion.benchmark_group("moves");
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function("play and undo", |b| {
        b.iter(|| {
            for (position, list) in positions.iter_mut().zip(&lists) {
                for &mv in list {
                    position.play(mv, &mut ());
                    position.undo(mv, &mut ());
                }
            }
        });
    });
    group.bench_function("gives check", |b| {
        b.iter(|| {
            let checks = |(position, list): (&Position, &MoveList)| {
                list.iter().filter(|&&mv| position.gives_check(mv)).count()
            };
            positions.iter().zip(&lists).map(checks).sum::<usize>()
        });
    });
    group.bench_function("is legal", |b| {
        b.iter(|| {
            let legal = |(position, list): (&Position, &MoveList)| {
                list.iter().filter(|&&mv| position.is_legal(mv)).count()
            };
            positions.iter().zip(&lists).map(legal).sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, generation);
criterion_main!(benches);
