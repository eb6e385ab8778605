//! Trees of moves, counted, against published figures.

use jitsugen::shogi::perft::perft;
use jitsugen::shogi::sfen;

use crate::support::data;
use crate::support::perft::{perft_filling_lists, perft_making_leaves};
use crate::support::positions::MIDDLE_GAME;

/// Trees with more leaves take minutes with debug assertions and have a test of their own.
const LARGE: u64 = 10_000_000;

/// The trees of this repository.
const OWN: &str = include_str!("data/perft.tsv");

/// Counts every tree of `text` with so many leaves. Returns the number of trees.
fn check(text: &str, leaves_wanted: impl Fn(u64) -> bool) -> u32 {
    let mut trees = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let mut position = sfen::parse(fields[0]).unwrap();
        for figure in fields[1].split(' ') {
            let (depth, leaves) = figure.strip_prefix('D').unwrap().split_once('=').unwrap();
            let (depth, leaves): (u32, u64) = (depth.parse().unwrap(), leaves.parse().unwrap());
            if !leaves_wanted(leaves) {
                continue;
            }
            assert_eq!(perft(&mut position, depth), leaves, "{} depth {depth}", fields[0]);
            if leaves < 1_000_000 {
                assert_eq!(perft_making_leaves(&mut position, depth), leaves);
                assert_eq!(perft_filling_lists(&mut position, depth), leaves);
            }
            trees += 1;
        }
    }
    println!("perft: {trees} trees");
    trees
}

#[test]
fn three_ways_of_counting_agree() {
    let many_moves = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    for (text, depth, leaves) in
        [(sfen::START, 3, 25_470), (many_moves, 2, 105_677), (MIDDLE_GAME, 2, 28_684)]
    {
        let mut position = sfen::parse(text).unwrap();
        assert_eq!(perft(&mut position, depth), leaves);
        assert_eq!(perft_making_leaves(&mut position, depth), leaves);
        assert_eq!(perft_filling_lists(&mut position, depth), leaves);
    }
}

#[test]
fn own_trees_have_their_leaves() {
    assert!(check(OWN, |leaves| leaves <= LARGE) > 8);
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn published_trees_have_their_leaves() {
    assert!(check(&data::read("perft/perft.txt"), |leaves| leaves <= LARGE) > 200);
}

fn first_field(line: &str) -> &str {
    line.split('\t').next().expect("there is a first field")
}

#[test]
#[ignore = "takes minutes with debug assertions: run it with --release"]
fn large_trees_have_their_leaves() {
    assert!(check(OWN, |leaves| leaves > LARGE) >= 3);
    // Most published large trees are our own as well.
    if cfg!(test_data) {
        let published = data::read("perft/perft.txt");
        let others: Vec<&str> = published.lines().filter(|line| !OWN.contains(first_field(line))).collect();
        check(&others.join("\n"), |leaves| leaves > LARGE);
    }
}
