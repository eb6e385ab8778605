//! What an evaluated move costs: every legal move of the positions of six games is made, evaluated and unmade, with
//! tables of full size. Needs `games/engine.usi` of the shared data.

#[path = "../tests/support/data.rs"]
mod data;
#[path = "../tests/support/formula.rs"]
mod formula;

use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};
use formula::Formula;
use jitsugen::eval::accumulator::Accumulator;
use jitsugen::eval::index::{Index, RowStart};
use jitsugen::eval::rows;
use jitsugen::eval::table::{Pair, Table};
use jitsugen::eval::weights::{Blank, Weights};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::PieceKind;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

const GAMES: usize = 6;

/// The same tables without instructions that not every machine has.
struct Portable(Arc<Weights>);

impl Table for Portable {
    fn kk(&self, black: Square, white: Square) -> Pair<i32> {
        self.0.kk(black, white)
    }

    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        self.0.kkp(black, white, piece)
    }

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        self.0.kpp(king, one, other)
    }

    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        rows::portable_sum(&self.0.all_kpp()[king.index()], piece, others)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Other,
    Capture,
    King,
}

/// A position of a game: the legal moves, and the one that was played.
struct Step {
    moves: Vec<(Move, Kind)>,
    played: Move,
}

fn steps(game: &str) -> Vec<Step> {
    let mut position = Position::start();
    let mut steps = Vec::new();
    for word in game.split_whitespace().skip(3) {
        let played = word.parse().unwrap();
        let kind = |mv: Move| match mv.from().and_then(|from| position.piece_on(from)) {
            Some(piece) if piece.kind == PieceKind::King => Kind::King,
            _ if position.piece_on(mv.to()).is_some() => Kind::Capture,
            _ => Kind::Other,
        };
        let moves = generate::all_legal(&position).iter().map(|&mv| (mv, kind(mv))).collect();
        steps.push(Step { moves, played });
        position.play(played, &mut ());
    }
    steps
}

/// The time for the moves of the wanted kinds, and how many there are.
fn walk<T: Table>(
    sum: &mut Accumulator<T>,
    games: &[Vec<Step>],
    wanted: impl Fn(Kind) -> bool,
    evaluate: bool,
) -> (Duration, u32) {
    let (mut time, mut count, mut check) = (Duration::ZERO, 0, 0);
    for game in games {
        let mut position = Position::start();
        sum.reset(&position);
        for step in game {
            check += sum.value(&position);
            let moves: Vec<Move> =
                step.moves.iter().filter(|&&(_, kind)| wanted(kind)).map(|&(mv, _)| mv).collect();
            let start = Instant::now();
            for &mv in &moves {
                sum.play(&mut position, mv);
                if evaluate {
                    check = check.wrapping_add(sum.value(&position));
                }
                sum.undo(&mut position, mv);
            }
            time += start.elapsed();
            count += moves.len() as u32;
            sum.play(&mut position, step.played);
        }
    }
    std::hint::black_box(check);
    (time, count)
}

fn kinds<T: Table>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, table: T, games: &[Vec<Step>]) {
    let mut sum = Accumulator::new(table, &Position::start());
    let mut bench = |what: &str, wanted: &dyn Fn(Kind) -> bool, evaluate: bool| {
        group.bench_function(format!("{name}/{what}"), |bencher| {
            bencher.iter_custom(|rounds| {
                // Time for one move, so that the figures are nanoseconds a move.
                (0..rounds)
                    .map(|_| {
                        let (time, count) = walk(&mut sum, games, wanted, evaluate);
                        time / count.max(1)
                    })
                    .sum()
            });
        });
    };
    bench("all moves", &|_| true, true);
    bench("neither king nor capture", &|kind| kind == Kind::Other, true);
    bench("captures", &|kind| kind == Kind::Capture, true);
    bench("king moves", &|kind| kind == Kind::King, true);
    bench("all moves, not evaluated", &|_| true, false);
}

fn evaluation(criterion: &mut Criterion) {
    let games: Vec<Vec<Step>> = data::read("games/engine.usi").lines().take(GAMES).map(steps).collect();
    let mut blank = Blank::new().unwrap();
    blank.fill(&Formula);
    let weights = Arc::new(blank.finish().unwrap());
    let mut group = criterion.benchmark_group("evaluated move");
    group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    kinds(&mut group, "simd", weights.clone(), &games);
    kinds(&mut group, "portable", Portable(weights), &games);
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
