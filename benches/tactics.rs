//! Time of one exchange, of the whole board and of one look for a mate in one, over positions of games.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use jitsugen::exchange::see::{see, see_ge};
use jitsugen::exchange::whole_board::board::Board;
use jitsugen::exchange::whole_board::piece_values::PieceValues;
use jitsugen::exchange::whole_board::table::Table;
use jitsugen::exchange::whole_board::{WholeBoard, predict_once};
use jitsugen::mate::one_move::mate_in_one;
use jitsugen::shogi::generate::{self, Count, MoveList, NonPromotions};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

/// From the opening to the endgame, the last five with many captures and checks at hand.
const POSITIONS: [&str; 12] = [
    sfen::START,
    "lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "lnsgk2nl/1r4gs1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b Bb 13",
    "lnkgg2nl/1r5s1/p1sppp1pp/2p3p2/1p5P1/2P2S3/PPSPPPP1P/7R1/LNK1GG1NL b Bb 33",
    "l3kgsnl/9/p1pS+Bp3/7pp/6PP1/9/PPPPPPn1P/1B1GG2+r1/LNS1K3L w RG3Psnp 54",
    "ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62",
    "ln1g3nl/1ks2r3/1ppppg1p1/p6sp/P3P4/1PP3P1P/1KSP1P1P1/1BG4R1/LN1G3NL w SPbp 58",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "l3k2G1/1+B4gPl/n2+Nppsp1/pP1R4p/6b2/P1P1P1P1P/1n1P1PN2/2S1KS1R1/L1G6 b SL2Pg2p 95",
];

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|text| sfen::parse(text).expect("a position")).collect()
}

/// Pairs of a position (by index) and one of the moves that `wanted` keeps.
fn moves(positions: &[Position], wanted: impl Fn(&Position, Move) -> bool) -> Vec<(usize, Move)> {
    let of = |(index, position): (usize, &Position)| {
        let kept = |mv: &Move| wanted(position, *mv);
        generate::all_legal(position).into_iter().filter(kept).map(|mv| (index, mv)).collect::<Vec<_>>()
    };
    positions.iter().enumerate().flat_map(of).collect()
}

fn exchange(criterion: &mut Criterion) {
    let positions = positions();
    let captures = moves(&positions, |position, mv| position.piece_on(mv.to()).is_some());
    let contested = moves(&positions, |position, mv| {
        position.piece_on(mv.to()).is_some()
            && position.is_attacked(mv.to(), !position.side(), position.occupied())
    });
    let quiets = moves(&positions, |position, mv| position.piece_on(mv.to()).is_none());
    let mut group = criterion.benchmark_group("exchange");
    for (name, moves) in [
        ("captures", &captures),
        ("captures of defended pieces", &contested),
        ("quiet moves and drops", &quiets),
    ] {
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |bencher| {
            bencher
                .iter(|| moves.iter().map(|&(index, mv)| see(black_box(&positions[index]), mv)).sum::<i32>());
        });
    }
    group.throughput(Throughput::Elements(captures.len() as u64));
    group.bench_function("captures that gain 0 or more", |bencher| {
        let gains = |&&(index, mv): &&(usize, Move)| see_ge(black_box(&positions[index]), mv, 0);
        bencher.iter(|| captures.iter().filter(gains).count());
    });
    group.finish();
}

fn whole_board(criterion: &mut Criterion) {
    let positions = positions();
    let values = PieceValues::CUSTOMARY;
    let mut group = criterion.benchmark_group("whole board");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("table", |bencher| {
        let entries =
            |position: &Position| Table::new(Board::new(black_box(position)), &values).entries.len();
        bencher.iter(|| positions.iter().map(entries).sum::<usize>());
    });
    group.bench_function("line", |bencher| {
        let net = |position: &Position| predict_once(black_box(position), &values).net;
        bencher.iter(|| positions.iter().map(net).sum::<i32>());
    });
    group.bench_function("two runs", |bencher| {
        let net = |position: &Position| WholeBoard::new(black_box(position), &values).line().net;
        bencher.iter(|| positions.iter().map(net).sum::<i32>());
    });
    group.bench_function("everything, with the columns of the table", |bencher| {
        let net = |position: &Position| {
            let mut whole = WholeBoard::new(black_box(position), &values);
            whole.find_answers();
            whole.line().net
        };
        bencher.iter(|| positions.iter().map(net).sum::<i32>());
    });
    group.finish();
}

fn checks(position: &Position) -> u32 {
    let mut count = Count::default();
    generate::checks(position, NonPromotions::All, &mut count);
    count.0
}

fn mate(criterion: &mut Criterion) {
    // Both sides of every position; a side that is in check cannot pass.
    let mut all = positions();
    for mut position in positions() {
        if !position.in_check() {
            position.play_null_move();
            all.push(position);
        }
    }
    let (with, without): (Vec<_>, Vec<_>) = all.into_iter().partition(|position| checks(position) > 0);
    let (mates, with): (Vec<_>, Vec<_>) =
        with.into_iter().partition(|position| mate_in_one(position).is_some());
    let number: u32 = with.iter().map(checks).sum();
    println!(
        "{} positions without checks, {} with {number} checks, {} with a mate",
        without.len(),
        with.len(),
        mates.len()
    );
    let mut group = criterion.benchmark_group("mate in one");
    for (name, positions) in [("no check", &without), ("checks, no mate", &with), ("mate", &mates)] {
        if positions.is_empty() {
            continue;
        }
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                positions.iter().filter(|position| mate_in_one(black_box(position)).is_some()).count()
            });
        });
    }
    // For comparison: what it costs to list the moves.
    group.throughput(Throughput::Elements(with.len() as u64));
    group.bench_function("list of all legal moves", |bencher| {
        bencher.iter(|| {
            with.iter()
                .map(|position| {
                    let mut list = MoveList::new();
                    generate::legal(black_box(position), NonPromotions::All, &mut list);
                    list.len()
                })
                .sum::<usize>()
        });
    });
    group.finish();
}

criterion_group!(benches, exchange, whole_board, mate);
criterion_main!(benches);
