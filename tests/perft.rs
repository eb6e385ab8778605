//! Counted trees of moves against published figures.

mod common;

use common::data_dir;
use jitsugen::shogi::perft::{perft, perft_filling_lists, perft_making_leaves};
use jitsugen::shogi::sfen;

/// Larger trees are counted only when `JITSUGEN_FULL` asks for them; they take minutes with debug checks.
const LARGE: u64 = 60_000_000;

/// Counts every figure of the file and gives how many there were.
fn check(text: &str) -> u32 {
    let full = std::env::var_os("JITSUGEN_FULL").is_some();
    let mut figures = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut position = sfen::parse(fields[0]).unwrap();
        for figure in fields[1].split(' ') {
            let (depth, leaves) = figure.strip_prefix('D').unwrap().split_once('=').unwrap();
            let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
            if leaves > LARGE && !full {
                println!("left out without JITSUGEN_FULL=1: {} {figure}", fields[0]);
                continue;
            }
            assert_eq!(perft(&mut position, depth), leaves, "{} depth {depth}", fields[0]);
            if leaves < 1_000_000 {
                assert_eq!(perft_making_leaves(&mut position, depth), leaves);
                assert_eq!(perft_filling_lists(&mut position, depth), leaves);
            }
            figures += 1;
        }
    }
    figures
}

#[test]
fn own_figures() {
    println!("perft: {} figures of our own list", check(include_str!("../testdata/perft.tsv")));
}

#[test]
fn published_figures() {
    let Some(dir) = data_dir("perft") else { return };
    let figures = check(&std::fs::read_to_string(dir.join("perft/perft.txt")).unwrap());
    println!("data test perft: {figures} cases");
    assert!(figures > 200);
}
