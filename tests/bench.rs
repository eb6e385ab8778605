//! The fingerprint: the same number whenever it is taken.

use jitsugen::engine::bench;

#[test]
fn bench_counts_the_same_nodes_twice_in_one_process() {
    let mut each = Vec::new();
    let first =
        bench::run(1, || false, |_, _, _, nodes| each.push(nodes)).unwrap().expect("nothing stops it");
    let second = bench::run(1, || false, |_, _, _, _| {}).unwrap().expect("nothing stops it");
    assert_eq!(first.nodes, second.nodes);
    assert_eq!(first.nodes, each.iter().sum::<u64>());
    assert!(each.iter().all(|&nodes| nodes > 20), "{each:?}");
    // The line that testing tools read.
    let line = first.to_string();
    let words: Vec<&str> = line.split(' ').collect();
    assert!(matches!(words[..], [nodes, "nodes", _, "nps"] if nodes == first.nodes.to_string()), "{line}");
}
