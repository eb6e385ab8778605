//! Mates that the mate solver finds beside the search.

use std::sync::Arc;

use jitsugen::mate::one_move::mate_in_one;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::params::Params;
use jitsugen::search::value::Mate;
use jitsugen::search::{Line, Memory, SearchPolicy};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{EnteringKingRule, Rules};
use jitsugen::shogi::sfen;
use jitsugen::usi::protocol;

use crate::support::data;
use crate::support::positions::END_GAME;
use crate::support::search::TestSearch;

/// Parameters without the solver at the root, or without its slices beside the search.
fn without(root: bool, slices: bool) -> Params {
    let mut params = Params::DEFAULT;
    if root {
        params.mate_root_nodes = 0;
    }
    if slices {
        params.mate_slice_nodes = 0;
    }
    params
}

fn gives(line: &Line) -> Option<u32> {
    match line.value.mate_distance() {
        Some(Mate::Gives(plies)) => Some(plies),
        _ => None,
    }
}

/// Whether the line is legal, ends in mate, and is as long as its value says.
fn ends_in_mate(root: &Position, line: &Line) -> bool {
    let mut position = root.clone();
    let legal = line.moves.iter().all(|&mv| {
        let legal = position.is_legal(mv) && position.sennichite().is_none();
        if legal {
            position.play(mv, &mut ());
        }
        legal
    });
    legal && !generate::any_legal(&position) && gives(line) == Some(line.moves.len() as u32)
}

/// A mate in nine, from a game between programs.
const NINE: &str = "2k1+BG3/2s6/ppp1g2Gn/3S2p2/3s1p3/8p/PPPK1PPpN/R8/LN7 b BGNL4Prs2l2p 129";

#[test]
fn a_mate_beyond_the_search_is_found_and_played() {
    let root = sfen::parse(NINE).unwrap();
    for policy in [SearchPolicy::RealizationProbability, SearchPolicy::Depth] {
        let search = TestSearch { policy, ..TestSearch::of(&root, 5_000) };
        let alone = TestSearch { params: without(true, true), ..search }.best();
        assert_eq!(gives(&alone), None, "{alone:?}");
        let (best, lines) = search.run();
        let best = best.unwrap();
        assert_eq!(gives(&best), Some(9), "{best:?}");
        assert!(ends_in_mate(&root, &best), "{best:?}");
        assert!(best.nodes < 5_000 && lines.last() == Some(&best));
        // The slices alone do not see it from here, but from two moves ahead.
        let mut later = root.clone();
        best.moves[..4].iter().for_each(|&mv| later.play(mv, &mut ()));
        let by_slices = TestSearch { root: &later, params: without(true, false), ..search }.best();
        assert!(ends_in_mate(&later, &by_slices), "{by_slices:?}");
    }
}

#[test]
fn searches_with_mates_are_deterministic() {
    for text in [NINE, END_GAME] {
        let root = sfen::parse(text).unwrap();
        for nodes in [1, 100, 333, 700, 1_000, 10_000] {
            let found = TestSearch::of(&root, nodes).run();
            assert_eq!(found, TestSearch::of(&root, nodes).run());
            let best = found.0.unwrap();
            assert!(best.nodes <= nodes);
            assert!(best.nodes == nodes || gives(&best).is_some(), "{nodes}: {best:?}");
        }
    }
}

/// A mate in 579 (Astral Traveler) takes all nodes that the solver may use.
#[test]
fn a_search_of_few_nodes_searches_moves_as_well() {
    let root =
        sfen::parse("lp2p3g/+R4p1Sn/1P1kgsp1p/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/+p4G1+p1/P+pPsP4 b Lnl 1")
            .unwrap();
    // The first moves take some 250.
    for nodes in [500, 600, 700] {
        let best = TestSearch::of(&root, nodes).best();
        assert!(best.depth > 0 && best.nodes == nodes, "{best:?}");
    }
}

/// Also where the limit comes while the line of a mate is put together.
#[test]
fn node_limits_are_never_exceeded() {
    for text in [
        "ln7/2g6/pppgk3p/4s1p2/2P1+b4/P3N1P1P/1P1PP4/4G1s2/1S+bLK4 b 6P2rgs2n2l 111",
        "ln7/6r1l/5+Sp1k/2p2p2p/P3b2p1/2P2P1GP/LPKpP4/2G3r+b1/1N1P4L b Gg3s2n5p 135",
        "ln7/1r6l/5+Sp1k/2p2p2p/P3b2p1/1KP2P1GP/LP1pP4/2G3r+b1/1N1P4L b Gg3s2n5p 137",
    ] {
        let root = sfen::parse(text).unwrap();
        for nodes in (1..1500).step_by(13) {
            let best = TestSearch::of(&root, nodes).best();
            assert!(best.nodes <= nodes, "{} of {nodes} in {text}", best.nodes);
        }
    }
}

#[test]
fn tables_of_the_search_before_keep_the_mate() {
    let root = sfen::parse(NINE).unwrap();
    let table = Arc::new(HashMoveTable::new(1));
    let mut memory = Memory::new(4 << 20);
    assert!(memory.bytes() <= 4 << 20);
    for _ in 0..3 {
        let best = TestSearch::of(&root, 5_000).listen(&table, &mut memory).0.unwrap();
        assert!(ends_in_mate(&root, &best), "{best:?}");
    }
}

#[test]
fn multipv_lines_go_on_beside_the_mate() {
    let root = sfen::parse(NINE).unwrap();
    let (best, found) = TestSearch { lines: 3, ..TestSearch::of(&root, 5_000) }.run();
    let best = best.unwrap();
    assert!(ends_in_mate(&root, &best), "{best:?}");
    let last = &found[found.len() - 3..];
    assert_eq!(last.iter().map(|line| line.multipv_index).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(last[1..].iter().all(|line| line.moves[0] != best.moves[0]));
    assert_eq!(best.nodes, 5_000);
}

#[test]
fn a_mate_must_come_before_the_last_move() {
    let root = sfen::parse(NINE).unwrap();
    for (max_moves, mates) in [(root.move_number() + 7, false), (root.move_number() + 8, true)] {
        let rules = Rules { max_moves: Some(max_moves), ..Rules::default() };
        let best = TestSearch { rules, ..TestSearch::of(&root, 20_000) }.best();
        assert_eq!(gives(&best), mates.then_some(9), "{best:?}");
    }
}

#[test]
fn under_the_try_rule_the_king_that_flees_may_win() {
    // Two rooks mate in three. But the king that answers the first check gets to 5i, its goal.
    let root = sfen::parse("K6R1/9/9/9/9/9/8R/4k4/9 b - 1").unwrap();
    for (entering_king, mates) in [(EnteringKingRule::Points27, true), (EnteringKingRule::Try, false)] {
        let rules = Rules { entering_king, ..Rules::default() };
        let best = TestSearch { rules, ..TestSearch::of(&root, 2_000) }.best();
        assert_eq!(gives(&best) == Some(3), mates, "{best:?}");
    }
}

#[test]
fn a_mate_through_the_fourth_occurrence_is_no_mate() {
    // The dragon's check on 1b mates in three, but it has been there three times already.
    let fresh = "sfen 7B1/7k1/9/4G4/7+P+R/9/9/9/K8 b - 8 moves";
    let shuffled = "sfen 7B1/7k+R/9/4G4/7+P1/9/9/9/K8 w - 1 moves 2b3c 1b1e 3c2b 1e1b 2b3c 1b1e 3c2b 1e1b \
                    2b3c 1b1e 3c2b";
    let [fresh, root] = [fresh, shuffled].map(|text| protocol::parse_position(text).unwrap());
    assert_eq!(fresh.key(), root.key());
    let check: Move = "1e1b".parse().unwrap();
    let best = TestSearch::of(&fresh, 3_000).best();
    assert_eq!((best.moves[0], gives(&best)), (check, Some(3)));
    // Also where the other game came first and its mates are still in memory.
    let mut memory = Memory::new(4 << 20);
    let table = Arc::new(HashMoveTable::new(1));
    for (position, mates_by_check) in [(&fresh, true), (&root, false), (&fresh, true), (&root, false)] {
        let best = TestSearch::of(position, 3_000).listen(&table, &mut memory).0.unwrap();
        assert_eq!(best.moves[0] == check, mates_by_check, "{best:?}");
        assert!(gives(&best).is_none() || ends_in_mate(position, &best), "{best:?}");
    }
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn pruned_defences_are_searched_where_all_else_loses() {
    let mut threats = 0;
    for line in data::read("games/professional.usi").lines().step_by(4) {
        let Some((_, game)) = line.split_once('\t') else { continue };
        let moves: Vec<&str> = game.split_whitespace().collect();
        let last = moves.len().saturating_sub(6);
        let Ok(root) = protocol::parse_position(&moves[..last].join(" ")) else { continue };
        for mv in generate::all_legal(&root) {
            let mut position = root.clone();
            position.play(mv, &mut ());
            if position.in_check() {
                continue;
            }
            position.play_null_move();
            let threatens = mate_in_one(&position).is_some();
            position.undo_null_move();
            if !threatens {
                continue;
            }
            threats += 1;
            // Nearly every move is pruned.
            let params = Params { prune_count: 1, prune_count_step: 0, ..without(true, true) };
            let best = TestSearch { only: &[mv], depth: 4, params, ..TestSearch::of(&root, 20_000) }.best();
            if gives(&best) == Some(3) {
                for reply in generate::all_legal(&position) {
                    position.play(reply, &mut ());
                    assert!(mate_in_one(&position).is_some(), "{line}: {mv} {reply}: {best:?}");
                    position.undo(reply, &mut ());
                }
            }
        }
    }
    assert!(threats > 50, "{threats}");
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn problems_of_nine_moves_are_solved_with_the_mate_solver() {
    let (mut count, mut alone, mut with) = (0, 0, 0);
    for line in data::read("tsume/mate09.sfen").lines().step_by(4) {
        let Ok(root) = sfen::parse(line.split('\t').next().unwrap_or_default()) else { continue };
        count += 1;
        let search = TestSearch::of(&root, 3_000);
        let best = TestSearch { params: without(true, true), ..search }.best();
        alone += usize::from(gives(&best).is_some());
        let best = search.best();
        if gives(&best).is_some() {
            with += 1;
            assert!(ends_in_mate(&root, &best), "{line}: {best:?}");
        }
    }
    println!(
        "problems of nine moves: {count}, {alone} solved by the search alone, {with} with the mate solver"
    );
    assert!(with * 10 > count * 9 && alone * 2 <= with, "{count} {alone} {with}");
}
