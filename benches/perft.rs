//! Perft of jitsugen and of haitaka in one run, in three ways: moves of the last ply counted, made, and listed.

#[path = "../tests/support/perft.rs"]
mod other_ways;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use jitsugen::shogi::perft::perft;
use jitsugen::shogi::sfen;
use other_ways::{perft_filling_lists, perft_making_leaves};

const TREES: [(&str, &str, u32, u64); 2] = [
    ("start", sfen::START, 5, 19_861_490),
    ("593 moves", "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", 2, 105_677),
];

/// The same three counts with haitaka, which makes each move on a copy of the board.
mod rival {
    use haitaka::{Board, Move};

    fn each_move(board: &Board, mut visit: impl FnMut(Move)) {
        board.generate_board_moves(|moves| {
            moves.into_iter().for_each(&mut visit);
            false
        });
        board.generate_drops(|moves| {
            moves.into_iter().for_each(&mut visit);
            false
        });
    }

    fn each_child(board: &Board, mut count: impl FnMut(&Board) -> u64) -> u64 {
        let mut leaves = 0;
        each_move(board, |mv| {
            let mut child = board.clone();
            child.play_unchecked(mv);
            leaves += count(&child);
        });
        leaves
    }

    pub fn counted(board: &Board, depth: u32) -> u64 {
        if depth > 1 {
            return each_child(board, |child| counted(child, depth - 1));
        }
        let mut leaves = 0;
        board.generate_board_moves(|moves| {
            leaves += moves.into_iter().len() as u64;
            false
        });
        board.generate_drops(|moves| {
            leaves += moves.into_iter().len() as u64;
            false
        });
        leaves
    }

    pub fn made(board: &Board, depth: u32) -> u64 {
        if depth == 0 { 1 } else { each_child(board, |child| made(child, depth - 1)) }
    }

    pub fn listed(board: &Board, depth: u32, list: &mut Vec<Move>) -> u64 {
        if depth > 1 {
            return each_child(board, |child| listed(child, depth - 1, list));
        }
        list.clear();
        each_move(board, |mv| list.push(mv));
        list.len() as u64
    }
}

fn trees(criterion: &mut Criterion) {
    for (name, text, depth, leaves) in TREES {
        let ours = sfen::parse(text).unwrap();
        let theirs: haitaka::Board = text.parse().unwrap();
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20);
        group.throughput(criterion::Throughput::Elements(leaves));
        let mut position = ours.clone();
        let mut list = Vec::with_capacity(600);
        group.bench_function(BenchmarkId::new("counted", "jitsugen"), |b| {
            b.iter(|| assert_eq!(perft(&mut position, depth), leaves));
        });
        group.bench_function(BenchmarkId::new("counted", "haitaka"), |b| {
            b.iter(|| assert_eq!(rival::counted(&theirs, depth), leaves));
        });
        group.bench_function(BenchmarkId::new("made", "jitsugen"), |b| {
            b.iter(|| assert_eq!(perft_making_leaves(&mut position, depth), leaves));
        });
        group.bench_function(BenchmarkId::new("made", "haitaka"), |b| {
            b.iter(|| assert_eq!(rival::made(&theirs, depth), leaves));
        });
        group.bench_function(BenchmarkId::new("listed", "jitsugen"), |b| {
            b.iter(|| assert_eq!(perft_filling_lists(&mut position, depth), leaves));
        });
        group.bench_function(BenchmarkId::new("listed", "haitaka"), |b| {
            b.iter(|| assert_eq!(rival::listed(&theirs, depth, &mut list), leaves));
        });
        group.finish();
    }
}

criterion_group!(benches, trees);
criterion_main!(benches);
