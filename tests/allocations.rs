//! A search allocates no memory on its way, except for the lines that it reports and the moves of a mate that it finds.

use std::sync::Arc;

use jitsugen::search::control::NoLimit;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::{Memory, SearchPolicy, SearchRequest, think};
use jitsugen::shogi::sfen;

use crate::support::evaluation::material_only;
use crate::support::positions::MIDDLE_GAME;
use crate::support::search::POLICIES;

/// How often a search of so many nodes allocates memory, and how many iterations it has.
fn allocations(text: &str, policy: SearchPolicy, nodes: u64) -> (u64, u32) {
    let root = sfen::parse(text).unwrap();
    let table = Arc::new(HashMoveTable::new(1));
    let mut memory = Memory::new(16 << 20);
    let request = SearchRequest { nodes, policy, ..SearchRequest::new(&root, material_only(), &table) };
    let mut depth = 0;
    let counted = allocation_counter::measure(|| {
        depth = think(&request, &mut memory, &mut NoLimit).map_or(0, |line| line.depth);
    });
    (counted.count_total, depth)
}

#[test]
fn nodes_allocate_no_memory() {
    const NODES: u64 = 10_000;
    for policy in POLICIES {
        for text in [sfen::START, MIDDLE_GAME] {
            // Once for what is made at its first use.
            allocations(text, policy, 100);
            let (count, iterations) = allocations(text, policy, NODES);
            println!("{policy:?}: {count} times in {iterations} iterations: {text}");
            assert!(count < NODES / 20, "{policy:?}: {count} times in {NODES} nodes: {text}");
        }
    }
}
