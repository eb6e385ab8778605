//! What a search finds, by every policy, on material alone.

use std::collections::HashSet;
use std::sync::Arc;

use jitsugen::search::control::NoLimit;
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::leaves::Leaves;
use jitsugen::search::params::Params;
use jitsugen::search::value::{Mate, Value};
use jitsugen::search::{Memory, SearchPolicy, SearchRequest};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{EnteringKingRule, Rules};
use jitsugen::shogi::sfen;
use jitsugen::usi::protocol;

use crate::support::data;
use crate::support::evaluation::material_only;
use crate::support::positions::{END_GAME, MIDDLE_GAME, after};
use crate::support::search::{POLICIES, TestSearch};

const NODES: u64 = 20_000;

/// A rook up, Black has shuffled three times: one more move back is the fourth occurrence.
const SHUFFLED: &str =
    "sfen 4k4/9/9/9/9/9/9/R8/4K4 b - 1 moves 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b 5h5i 5b5a 5i5h 5a5b";

fn is_playable(root: &Position, moves: &[Move]) -> bool {
    after(root, moves).is_some()
}

#[test]
fn lines_are_legal_and_iterations_count_up() {
    for text in [sfen::START, MIDDLE_GAME, END_GAME] {
        let root = sfen::parse(text).unwrap();
        for policy in POLICIES {
            let (best, lines) = TestSearch { policy, ..TestSearch::of(&root, NODES) }.run();
            let best = best.unwrap();
            assert_eq!(best.nodes, NODES, "the limit is exact");
            assert!(lines.iter().map(|line| line.depth).is_sorted() && lines.len() >= 2, "{lines:?}");
            for line in lines.iter().chain([&best]) {
                assert!(!line.moves.is_empty() && is_playable(&root, &line.moves), "{line:?}");
            }
        }
    }
}

#[test]
fn only_searchmoves_are_played() {
    let root = Position::start();
    let only: Vec<Move> = ["1g1f", "9g9f", "7g7e"].iter().map(|text| text.parse().unwrap()).collect();
    for policy in POLICIES {
        let best = TestSearch { only: &only, policy, ..TestSearch::of(&root, NODES) }.best();
        assert!(only[..2].contains(&best.moves[0]));
        let (none, _) = TestSearch { only: &only[2..], policy, ..TestSearch::of(&root, NODES) }.run();
        assert_eq!(none, None);
    }
}

#[test]
fn mates_are_reported_with_their_distance() {
    for (text, mate) in [
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Mate::Gives(1)),
        ("4nk3/9/6G2/3LB4/9/9/9/9/9 b 2rb3g3s3n3l18p 1", Mate::Gives(3)),
        ("4nk3/6+B2/6G2/3L5/9/9/9/9/9 w 2rb3g3s3n3l18p 2", Mate::Suffers(2)),
    ] {
        let root = sfen::parse(text).unwrap();
        for policy in POLICIES {
            let best = TestSearch { policy, ..TestSearch::of(&root, NODES) }.best();
            assert_eq!(best.value.mate_distance(), Some(mate), "{policy:?}: {text}: {best:?}");
            let (Mate::Gives(plies) | Mate::Suffers(plies)) = mate;
            assert_eq!(best.moves.len(), plies as usize);
            assert!(is_playable(&root, &best.moves), "{best:?}");
        }
    }
}

#[test]
fn the_last_allowed_move_is_a_draw() {
    // A rook up, but this is the last move.
    let root = sfen::parse("4k4/9/9/9/9/9/9/R8/4K4 b - 100").unwrap();
    for policy in POLICIES {
        let value = |max_moves| {
            let rules = Rules { max_moves, ..Rules::default() };
            let best = TestSearch { rules, depth: 2, policy, ..TestSearch::of(&root, NODES) }.best();
            best.value
        };
        assert_eq!(value(Some(100)), Value::DRAW);
        assert!(value(Some(300)) > Value::DRAW);
        assert!(value(None) > Value::DRAW);
    }
}

#[test]
fn a_draw_has_the_value_of_the_request() {
    let root = sfen::parse("4k4/9/9/9/9/9/9/R8/4K4 b - 100").unwrap();
    let rules = Rules { max_moves: Some(100), ..Rules::default() };
    for policy in POLICIES {
        for draw in [Value::new(-200), Value::new(150)] {
            let best = TestSearch { rules, draw, depth: 2, policy, ..TestSearch::of(&root, NODES) }.best();
            assert_eq!(best.value, draw);
        }
    }
    // By repetition as well.
    let root = protocol::parse_position(SHUFFLED).unwrap();
    let only = ["5h5i".parse().unwrap()];
    let draw = Value::new(-70);
    let search = TestSearch { only: &only, draw, depth: 2, ..TestSearch::of(&root, NODES) };
    assert_eq!(search.best().value, draw);
}

#[test]
fn multipv_lines_are_the_best_moves_in_order() {
    for (text, is_hunt) in [
        (sfen::START, false),
        ("lnsgk2nl/1r4gs1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL b Bb 13", false),
        ("lnkgg2nl/1r5s1/p1sppp1pp/2p3p2/1p5P1/2P2S3/PPSPPPP1P/7R1/LNK1GG1NL b Bb 33", false),
        (MIDDLE_GAME, true),
        ("ln1g5/1r2S1k2/p2pppn2/2ps2p2/1p7/2P6/PPSPPPPLP/2G2K1pr/LN4G1b w BGSLPnp 62", true),
    ] {
        let root = sfen::parse(text).unwrap();
        for policy in POLICIES {
            let depth = 2;
            let endless = TestSearch { depth, nodes: u64::MAX, policy, ..TestSearch::of(&root, NODES) };
            let (alone, one) = endless.run();
            let (best, three) = TestSearch { lines: 3, ..endless }.run();
            let last = &three[three.len() - 3..];
            assert_eq!(
                last.iter().map(|line| (line.multipv_index, line.depth)).collect::<Vec<_>>(),
                [(1, depth), (2, depth), (3, depth)]
            );
            assert!(last.is_sorted_by_key(|line| -line.value), "{last:?}");
            assert_eq!(best.as_ref(), last.first());
            assert!(last.iter().all(|line| is_playable(&root, &line.moves)));
            let first: Vec<Move> = last.iter().map(|line| line.moves[0]).collect();
            assert_eq!(first.iter().collect::<HashSet<_>>().len(), 3);
            // Three searches: of all moves, without the best, without the best two.
            let mut only: Vec<Move> = generate::all_legal(&root).into_iter().collect();
            let mut three_searches = alone.unwrap().nodes;
            for mv in &first[..2] {
                only.retain(|other| other != mv);
                three_searches += TestSearch { only: &only, ..endless }.best().nodes;
            }
            let cost = last[0].nodes;
            println!("{policy:?}: three lines {cost} nodes, three searches {three_searches}: {text}");
            // In a hunt for the king further lines can cost the rivals more: each has to refute all the checks again.
            let may_cost_more = is_hunt && policy != SearchPolicy::default();
            assert!(cost < three_searches || may_cost_more, "{policy:?}: {cost}, {three_searches}: {text}");
            assert_eq!(one.len() * 3, three.len());
        }
    }
}

#[test]
fn there_are_as_many_multipv_lines_as_moves() {
    let root = sfen::parse("4k4/9/4P4/9/9/9/9/9/4K4 w - 1").unwrap();
    let moves = generate::all_legal(&root).len();
    for policy in POLICIES {
        let (_, lines) = TestSearch { lines: 600, depth: 1, policy, ..TestSearch::of(&root, NODES) }.run();
        assert_eq!(lines.len(), moves);
        let (_, lines) = TestSearch { lines: 0, depth: 1, policy, ..TestSearch::of(&root, NODES) }.run();
        assert_eq!(lines.len(), 1);
    }
}

#[test]
fn multipv_lines_are_legal_when_the_search_is_stopped() {
    let root = sfen::parse(MIDDLE_GAME).unwrap();
    for policy in POLICIES {
        for nodes in [1, 2, 3, 10, 100, 333, 1000, 3333, 10_000] {
            let (best, lines) = TestSearch { nodes, lines: 4, policy, ..TestSearch::of(&root, NODES) }.run();
            assert!(is_playable(&root, &best.unwrap().moves));
            for pair in lines.windows(2) {
                assert!(
                    pair[1].multipv_index == 1 || pair[1].multipv_index == pair[0].multipv_index + 1,
                    "{nodes}: {lines:?}"
                );
            }
        }
    }
}

#[test]
fn as_many_lines_are_shown_where_the_search_is_stopped_before_it_begins() {
    let root = Position::start();
    for wanted in [1, 5, 600] {
        let (best, lines) = TestSearch { lines: wanted, ..TestSearch::of(&root, 0) }.run();
        let moves: HashSet<Move> = lines.iter().map(|line| line.moves[0]).collect();
        assert_eq!((lines.len(), moves.len()), (wanted.min(30), wanted.min(30)));
        assert!((1..).zip(&lines).all(|(place, line)| (line.multipv_index, line.depth) == (place, 0)));
        assert_eq!(best.as_ref(), lines.first());
    }
}

#[test]
fn moves_that_fail_high_are_reported_on_request() {
    let root = sfen::parse(MIDDLE_GAME).unwrap();
    for policy in POLICIES {
        let search = TestSearch { depth: 3, nodes: u64::MAX, policy, ..TestSearch::of(&root, NODES) };
        let listen =
            |search: TestSearch| search.listen(&Arc::new(HashMoveTable::new(1)), &mut Memory::new(1 << 20));
        assert_eq!(listen(search).1.better, []);
        let (best, heard) = listen(TestSearch { bounds: true, ..search });
        assert!(!heard.better.is_empty() && heard.better.iter().all(|line| !line.moves.is_empty()));
        assert!(best.is_some());
    }
}

#[test]
fn repetition_is_avoided_when_winning() {
    let root = protocol::parse_position(SHUFFLED).unwrap();
    let back: Move = "5h5i".parse().unwrap();
    // White's king would come back to 5a for the fourth time only after Black's.
    for policy in POLICIES {
        let best = TestSearch { policy, ..TestSearch::of(&root, NODES) }.best();
        assert!(best.value > Value::new(500));
        let drawn = TestSearch { only: &[back], depth: 2, policy, ..TestSearch::of(&root, NODES) }.best();
        assert_eq!(drawn.value, Value::DRAW);
    }
}

#[test]
fn perpetual_check_loses() {
    let checks = "sfen lr2+R2G1/6g1k/p3ppppp/2p1b4/9/2P+b4P/P+p3PPP1/4G1SK1/LN3+p1NL b 2SNLgsn3p 1 moves \
                  2a1a 1b2b 1a2a 2b1b 2a1a 1b2b 1a2a 2b1b 2a1a 1b2b 1a2a";
    let root = protocol::parse_position(checks).unwrap();
    let fourth: Move = "2b1b".parse().unwrap();
    for policy in POLICIES {
        let best = TestSearch { only: &[fourth], depth: 2, policy, ..TestSearch::of(&root, NODES) }.best();
        assert_eq!(best.value.mate_distance(), Some(Mate::Gives(1)), "{policy:?}");
    }
}

#[test]
fn a_check_that_the_opponent_can_make_the_last_repetition_of_is_lost() {
    let cycle = "9b9a 6a7b 9a9b 7b6a ".repeat(2);
    let game = format!(
        "sfen 3k5/+R2gg4/3s4l/prpppp2p/1p7/PnPPPP2P/1GG2b3/3Ks+s3/LNN1L3L b BS3Pn2p 1 moves {cycle}9b9a 6a7b"
    );
    let root = protocol::parse_position(&game).unwrap();
    // White answers 7b6a, and the position before the checks is there for the fourth time.
    let check: Move = "9a9b".parse().unwrap();
    for policy in POLICIES {
        let lost = TestSearch { only: &[check], depth: 2, policy, ..TestSearch::of(&root, NODES) }.best();
        assert_eq!(lost.value.mate_distance(), Some(Mate::Suffers(2)), "{policy:?}");
        let best = TestSearch { policy, ..TestSearch::of(&root, NODES) }.best();
        assert!(best.moves.first() != Some(&check) && !best.value.is_lost(), "{policy:?}: {best:?}");
    }
}

#[test]
fn each_kind_of_repetition_has_its_value() {
    let params = Params { repetition_with_less: 777, repetition_by_checks: 333, ..Params::DEFAULT };
    let pawn = "lr6l/4g1pkp/2ns1s3/4pp1SP/PPBP2Pp1/2gpPP3/2B2S3/2K6/L6RL b 4P2g3np 1 moves 3e3d 4c3d P*3e";
    let check =
        "lr2+R2G1/6g1k/p3ppppp/2p1b4/9/2P+b4P/P+p3PPP1/4G1SK1/LN3+p1NL b 2SNLgsn3p 1 moves 2a1a 1b2b 1a2a";
    let plain = "8k/9/9/9/9/9/9/9/K8 b - 1 moves 9i9h 1a1b 9h9i";
    // The moves before the last, the last one, and its value to the side that plays it.
    for (game, last, value) in [
        // Black has a pawn less than when the board was the same, so White has gained one.
        (pawn.to_string(), "3d4c", 777),
        (format!("{pawn} 3d4c"), "3e3d", -777),
        // Black has checked ever since.
        (check.to_string(), "2b1b", 333),
        (format!("{check} 2b1b"), "2a1a", -333),
        (plain.to_string(), "1b1a", Value::DRAW.units()),
        (format!("{plain} 1b1a"), "9i9h", Value::DRAW.units()),
    ] {
        let root = protocol::parse_position(&format!("sfen {game}")).unwrap();
        let only = [last.parse().unwrap()];
        for policy in POLICIES {
            let best =
                TestSearch { only: &only, params, depth: 2, policy, ..TestSearch::of(&root, NODES) }.best();
            assert_eq!(best.value, Value::new(value), "{policy:?}: {last}");
        }
    }
    // Repetition without checks and with the same hands has the value of a draw.
    let root = protocol::parse_position(&format!("sfen {plain}")).unwrap();
    let only = ["1b1a".parse().unwrap()];
    let draw = Value::new(-70);
    let search = TestSearch { only: &only, params, draw, depth: 2, ..TestSearch::of(&root, NODES) };
    assert_eq!(search.best().value, draw);
}

#[test]
fn declarations_are_found_by_search() {
    // Black may declare: at once, with White to move, or after a step of the king into the camp.
    let declares = "K+N5+L1/G+L+P+B1+R+P2/3+P2G2/9/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk w 2L8Pb4p 1";
    let steps_in = "1+N5+L1/G+L+P+B1+R+P2/3+P2G2/K8/2+p+n5/3s2+ss1/3+p+p1+s1+r/7g+n/6g+nk b B2L12P 1";
    for (text, mate) in [(declares, Mate::Suffers(2)), (steps_in, Mate::Gives(3))] {
        let root = sfen::parse(text).unwrap();
        for policy in POLICIES {
            let search = TestSearch { depth: 3, policy, ..TestSearch::of(&root, NODES) };
            assert_eq!(search.best().value.mate_distance(), Some(mate), "{policy:?}: {text}");
            let rules = Rules { entering_king: EnteringKingRule::None, ..Rules::default() };
            let without = TestSearch { rules, ..search }.best();
            assert_eq!(without.value.mate_distance(), None, "{policy:?}: {text}: {without:?}");
        }
    }
}

/// Fills the table with illegal moves: those of the position before. Returns their number.
fn mislead(position: &mut Position, plies: u32, before: &[Move], table: &HashMoveTable) -> usize {
    let wrong = before.iter().find(|&&mv| !position.is_legal(mv));
    wrong.inspect(|&&mv| table.store(position.key(), mv));
    let mut count = usize::from(wrong.is_some());
    if plies > 0 {
        let moves = generate::all_legal(position);
        for &mv in &moves {
            position.play(mv, &mut ());
            count += mislead(position, plies - 1, &moves, table);
            position.undo(mv, &mut ());
        }
    }
    count
}

#[test]
fn illegal_hash_moves_are_not_played() {
    for text in [sfen::START, MIDDLE_GAME] {
        let root = sfen::parse(text).unwrap();
        let table = Arc::new(HashMoveTable::new(1));
        let misled = mislead(&mut root.clone(), 2, &["5e5d".parse().unwrap()], &table);
        assert!(misled > 900, "{misled}");
        for policy in POLICIES {
            let search = TestSearch { policy, ..TestSearch::of(&root, NODES) };
            let (best, heard) = search.listen(&table, &mut Memory::new(1 << 20));
            assert!(best.is_some());
            assert!(best.iter().chain(&heard.lines).all(|line| is_playable(&root, &line.moves)));
        }
    }
}

#[test]
fn qsearch_answers_checks() {
    let value = |text| {
        let root = sfen::parse(text).unwrap();
        let table = Arc::new(HashMoveTable::new(1));
        let request = SearchRequest::new(&root, material_only(), &table);
        Leaves::new(&request, &mut Memory::new(0), &mut NoLimit).of(None, |_| ()).0
    };
    assert_eq!(value("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), Value::mated_in(0));
    // The knight attacks king and rook: the king goes away, and the rook falls. Without the need to answer the check
    // White would keep it.
    assert!(value("4k1r2/9/5N3/9/9/9/9/9/4K4 w - 1") < Value::DRAW);
    // Without the check the rook gets away.
    assert!(value("3k2r2/9/5N3/9/9/9/9/9/4K4 w - 1") > Value::DRAW);
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn most_problems_of_three_moves_are_solved_by_the_search_alone() {
    let (mut count, mut solved) = (0, 0);
    for line in data::read("tsume/mate03.sfen").lines() {
        let Ok(root) = sfen::parse(line.split('\t').next().unwrap_or_default()) else { continue };
        count += 1;
        let best = TestSearch::of(&root, 5_000).best();
        assert!(is_playable(&root, &best.moves), "{best:?}");
        solved += usize::from(best.value.mate_distance() == Some(Mate::Gives(3)));
    }
    println!("problems of three moves: {count}, {solved} solved by the search alone");
    assert!(solved * 10 > count * 8, "{solved} of {count}");
}
