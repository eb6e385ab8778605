//! Two more ways to count the leaves of a tree of moves, which `perft` has to agree with. A benchmark compares all three.

use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;

/// Makes the moves of the last ply too.
pub fn perft_making_leaves(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { each_move(position, |position| perft_making_leaves(position, depth - 1)) }
}

/// Fills a list of moves at the last ply and takes its length.
pub fn perft_filling_lists(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => generate::all_legal(position).len() as u64,
        _ => each_move(position, |position| perft_filling_lists(position, depth - 1)),
    }
}

fn each_move(position: &mut Position, count: impl Fn(&mut Position) -> u64) -> u64 {
    let mut leaves = 0;
    for mv in generate::all_legal(position) {
        position.play(mv, &mut ());
        leaves += count(position);
        position.undo(mv, &mut ());
    }
    leaves
}
