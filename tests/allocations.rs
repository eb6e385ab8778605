//! A search asks for no memory on its way, but for what it tells and for the moves of a mate that it finds.

use std::sync::Arc;

use jitsugen::eval::weights::{Blank, Weights};
use jitsugen::search::control::NoLimit;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::{Memory, Policy, SearchRequest, think};
use jitsugen::shogi::sfen;

/// How often the system is asked for memory in a search of so many nodes, and how many iterations that is.
fn allocations(text: &str, weights: &Arc<Weights>, policy: Policy, nodes: u64) -> (u64, u32) {
    let root = sfen::parse(text).unwrap();
    let table = Arc::new(HashMoveTable::new(1));
    let mut memory = Memory::new(16 << 20);
    let request = SearchRequest { nodes, policy, ..SearchRequest::new(&root, weights, &table) };
    let mut depth = 0;
    let counted = allocation_counter::measure(|| {
        depth = think(&request, &mut memory, &mut NoLimit).map_or(0, |line| line.depth);
    });
    (counted.count_total, depth)
}

#[test]
fn nodes_cost_no_memory() {
    const NODES: u64 = 10_000;
    let weights = Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory"));
    for policy in [Policy::RealizationProbability, Policy::Depth] {
        for text in [sfen::START, "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1"] {
            // Once for what is made when it is first asked for.
            allocations(text, &weights, policy, 100);
            let (count, iterations) = allocations(text, &weights, policy, NODES);
            println!("{policy:?}: {count} times in {iterations} iterations: {text}");
            assert!(count < NODES / 20, "{policy:?}: {count} times in {NODES} nodes: {text}");
        }
    }
}
