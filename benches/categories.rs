//! Time to compute what the moves of a position share, and to categorise its moves.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jitsugen::learn::categories::CategoryCosts;
use jitsugen::policy::move_context::MoveContext;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

/// Opening, middle game, endgame with full hands, an attacked castle, a check to answer.
const POSITIONS: [&str; 5] = [
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "lnkgg2nl/1r5s1/p1sppp1pp/2p3p2/1p5P1/2P2S3/PPSPPPP1P/7R1/LNK1GG1NL b Bb 33",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
];

fn categories(criterion: &mut Criterion) {
    let positions: Vec<Position> =
        POSITIONS.iter().map(|text| sfen::parse(text).expect("a valid position")).collect();
    let moves: Vec<Vec<Move>> =
        positions.iter().map(|position| generate::all_legal(position).to_vec()).collect();
    let contexts: Vec<MoveContext> =
        positions.iter().map(|position| MoveContext::new(position, None)).collect();
    // Neither a capture nor a promotion, and the opponent does not attack where it goes.
    let is_quiet_and_safe = |position: &Position, mv: &Move| {
        let to = mv.to();
        let attacked = position.is_attacked(to, !position.side(), position.occupied());
        position.piece_on(to).is_none() && !mv.is_promotion() && !attacked
    };
    let quiet: Vec<Vec<Move>> = positions
        .iter()
        .zip(&moves)
        .map(|(position, moves)| moves.iter().copied().filter(|mv| is_quiet_and_safe(position, mv)).collect())
        .collect();

    let mut group = criterion.benchmark_group("categories");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("context", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(MoveContext::new(black_box(position), None));
            }
        });
    });
    for (name, lists) in [("all moves", &moves), ("quiet safe moves", &quiet)] {
        let count: usize = lists.iter().map(Vec::len).sum();
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for (context, moves) in contexts.iter().zip(lists) {
                    for &mv in moves {
                        black_box(context.categories(black_box(mv)));
                    }
                }
            });
        });
    }
    let count: usize = moves.iter().map(Vec::len).sum();
    group.throughput(Throughput::Elements(count as u64));
    let costs = CategoryCosts::built_in();
    group.bench_function("all moves with costs", |b| {
        b.iter(|| {
            for (context, moves) in contexts.iter().zip(&moves) {
                for &mv in moves {
                    black_box(costs.of(context.categories(black_box(mv))));
                }
            }
        });
    });
    group.finish();
}

criterion_group!(benches, categories);
criterion_main!(benches);
