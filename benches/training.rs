//! How many positions a second the training of the evaluation learns from: by place, and parameter by parameter.
//!
//! With all terms it takes 4 GB.

use std::hint::black_box;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use fastrand::Rng;
use jitsugen::learn::kppt::examples::{Examples, Judged};
use jitsugen::learn::kppt::loss::Loss;
use jitsugen::learn::kppt::model::Model;
use jitsugen::learn::kppt::places::Places;
use jitsugen::learn::kppt::snapshot::Snapshot;
use jitsugen::learn::kppt::term::{Spread, Term};
use jitsugen::learn::kppt::trainer::{self, Steps, Trainer};
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;

const LOSS: Loss = Loss { scale: 900.0, mix: 0.7, move_scale: 50.0, move_weight: 0.2 };

/// One step a sample.
const POSITIONS: usize = 65_536;

/// Of the positions one by one.
const FEW: usize = 512;

/// Positions of random games, with results drawn by lot.
fn examples() -> Examples {
    let mut random = Rng::with_seed(1);
    let mut examples = Examples::default();
    while examples.judged.len() < POSITIONS {
        let mut position = Position::start();
        for _ in 0..150 {
            let moves = generate::all_legal(&position);
            let Some(&mv) = random.choice(moves.iter()) else { break };
            position.play(mv, &mut ());
            if examples.judged.len() < POSITIONS
                && let Some(leaf) = Snapshot::new(&position)
            {
                examples.judged.push(Judged { leaf, target: random.f64(), file: 0 });
            }
        }
    }
    examples
}

fn training(criterion: &mut Criterion) {
    let examples = examples();
    let leaves: Vec<&Snapshot> = examples.leaves().collect();
    let threads = num_cpus::get();
    let steps = Steps { batch: POSITIONS, rate: 0.05, prior: 4.0, average: 0.0, seed: 1 };
    let spreads = Term::ALL.map(Spread::usual);
    let model = Model::new(&spreads, &Places::new(&leaves, true, threads), 1);
    println!("{} parameters, {threads} threads", model.parameters.len());
    let mut gradient = vec![[0; 2]; model.parameters.len()];

    let mut group = criterion.benchmark_group("training");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.throughput(Throughput::Elements(FEW as u64));
    group.bench_function("one thread, parameter by parameter, without a step", |b| {
        b.iter(|| {
            for judged in &examples.judged[..FEW] {
                black_box(trainer::add_judged(&model, LOSS, judged, &mut gradient));
            }
        });
    });
    let mut trainer = Trainer::new(model, None, LOSS, steps, threads);
    let mut tables = trainer.tables(examples.leaves());
    group.throughput(Throughput::Elements(POSITIONS as u64));
    let mut number = 0;
    group.bench_function("all threads, by place, with a step", |b| {
        b.iter(|| {
            number += 1;
            black_box(trainer.epoch(&mut tables, &examples, number, &|_| ()))
        });
    });
    group.finish();
}

criterion_group!(benches, training);
criterion_main!(benches);
