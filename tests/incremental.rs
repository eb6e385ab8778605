//! Incremental generation of moves (benches/incremental): every type gives the moves of `generate`, at every node.

use fastrand::Rng;
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

#[path = "../benches/incremental/alpha_beta.rs"]
mod alpha_beta;
#[path = "../benches/incremental/move_lists.rs"]
mod move_lists;
#[path = "../benches/incremental/reach.rs"]
mod reach;

use alpha_beta::{Found, Limits, Material, Random, search};
use move_lists::{Entry, LegalLists, Legality, MoveLists, MoveValue, Type, generate_all};
use reach::{Bitboards, Reach, Walking};

use crate::support::games::play_at_random;
use crate::support::positions::{END_GAME, MIDDLE_GAME};

/// Positions from which random games meet what the start rarely leads to: full hands, promoted pieces, two pawns on a file
/// in a problem, a board without one of the kings.
const STARTS: [&str; 5] = [
    sfen::START,
    MIDDLE_GAME,
    END_GAME,
    "l3k2G1/1+B4gPl/n2+Nppsp1/pP1R4p/6b2/P1P1P1P1P/1n1P1PN2/2S1KS1R1/L1G6 b SL2Pg2p 95",
    "4k4/9/9/3rB4/4+b4/3R5/9/9/4K4 b 2G2S2N2L9P2g2s2n2l9p 1",
];

/// How often games had what is worth testing.
#[derive(Default, Debug)]
struct Met {
    nodes: u32,
    kept: u64,
    new: u64,
    checks: u32,
    last_of_a_kind_dropped: u32,
    first_of_a_kind_captured: u32,
    pawns_dropped: u32,
    pawns_captured: u32,
    pawns_promoted: u32,
}

impl Met {
    fn count(&mut self, position: &Position, mv: Move) {
        let hand = position.hand(position.side());
        let kind = |square| position.piece_on(square).map(|piece| piece.kind);
        use jitsugen::shogi::piece::{HandKind, PieceKind};
        if let Some(dropped) = mv.dropped() {
            self.last_of_a_kind_dropped += u32::from(hand.count(dropped) == 1);
            self.pawns_dropped += u32::from(dropped == HandKind::Pawn);
        }
        if let Some(captured) = kind(mv.to()) {
            self.first_of_a_kind_captured +=
                u32::from(captured.hand_kind().is_some_and(|kind| !hand.has(kind)));
            self.pawns_captured += u32::from(captured == PieceKind::Pawn);
        }
        let promotes_pawn = mv.is_promotion() && mv.from().and_then(kind) == Some(PieceKind::Pawn);
        self.pawns_promoted += u32::from(promotes_pawn);
    }
}

/// The lists of all types, found by `R` and valued by `V`.
struct AllTypes<R, V>(Vec<MoveLists<R, V>>);

impl<R: Reach, V: MoveValue> AllTypes<R, V> {
    fn new(root: &Position) -> AllTypes<R, V> {
        AllTypes(Type::ALL.map(|kind| MoveLists::new(kind, root)).into())
    }

    /// Makes the lists at `ply` and compares those of all types with what is generated without any list.
    fn update_and_check(&mut self, ply: usize, position: &Position) {
        for (kind, lists) in Type::ALL.into_iter().zip(&mut self.0) {
            lists.update(ply, position, true);
            check_order(lists.at(ply, position.side()), position);
            for color in Color::ALL {
                // Type 1 makes no list of the side that is not to move.
                if kind == Type::Full && color != position.side() {
                    continue;
                }
                let mut expected = Vec::new();
                generate_all::<Bitboards, V>(position, color, &mut expected);
                let found = lists.at(ply, color);
                assert_eq!(by_word(found), by_word(&expected), "{kind:?} of {color:?} in {position:?}");
            }
            let legality = Legality::new(position);
            let allowed = |entry: &&Entry| legality.allows(position, entry.mv);
            let mut legal: Vec<Move> =
                lists.at(ply, position.side()).iter().filter(allowed).map(|entry| entry.mv).collect();
            legal.sort();
            let mut expected = generate::all_legal(position).to_vec();
            expected.sort();
            assert_eq!(legal, expected, "{kind:?} in {position:?}");
        }
    }
}

fn by_word(list: &[Entry]) -> Vec<(Move, i16)> {
    let mut sorted: Vec<(Move, i16)> = list.iter().map(|entry| (entry.mv, entry.value)).collect();
    sorted.sort();
    sorted
}

fn check_order(list: &[Entry], position: &Position) {
    assert!(list.is_sorted_by_key(|entry| -i32::from(entry.value)), "{position:?}");
}

/// Plays random games and looks at every child of every position on the way, so that a move that is never played is tried
/// as well.
fn compare<R: Reach, V: MoveValue>(seed: u64, plies: usize, met: &mut Met) {
    let mut random = Rng::with_seed(seed);
    for start in STARTS {
        let start = sfen::parse(start).expect("a position");
        let mut types = AllTypes::<R, V>::new(&start);
        let mut ply = 0;
        play_at_random(&start, plies, &mut random.clone(), |position, moves| {
            if ply > 0 {
                types.update_and_check(ply, position);
                let (before, after) =
                    (types.0[1].at(ply - 1, position.side()), types.0[1].at(ply, position.side()));
                let kept = after.iter().filter(|entry| before.contains(entry)).count() as u64;
                met.kept += kept;
                met.new += after.len() as u64 - kept;
            }
            for &mv in moves {
                met.count(position, mv);
                met.nodes += 1;
                met.checks += u32::from(position.gives_check(mv));
                position.play(mv, &mut ());
                types.update_and_check(ply + 1, position);
                position.undo(mv, &mut ());
            }
            ply += 1;
        });
        random.u64(..);
    }
}

#[test]
fn every_type_gives_the_generated_moves_at_every_node_of_random_games() {
    let mut met = Met::default();
    compare::<Bitboards, Material>(1, 40, &mut met);
    compare::<Walking, Random>(2, 40, &mut met);
    println!("incremental generation in random games: {met:?}");
    let Met { nodes, kept, new, .. } = met;
    assert!(nodes > 10_000 && kept > 2 * new && new > 0, "{met:?}");
    let rare = [
        met.checks,
        met.last_of_a_kind_dropped,
        met.first_of_a_kind_captured,
        met.pawns_dropped,
        met.pawns_captured,
        met.pawns_promoted,
    ];
    assert!(rare.iter().all(|&count| count > 20), "{met:?}");
}

#[test]
fn only_the_side_to_move_gets_a_list_where_no_other_is_wanted() {
    let mut position = Position::start();
    let mut lists = MoveLists::<Bitboards, Material>::new(Type::Merged, &position);
    position.play("7g7f".parse().unwrap(), &mut ());
    lists.update(1, &position, false);
    assert_eq!((lists.at(1, Color::White).len(), lists.at(1, Color::Black).len()), (30, 0));
    lists.update(1, &position, true);
    // The bishop has opened its diagonal.
    assert_eq!((lists.at(1, Color::White).len(), lists.at(1, Color::Black).len()), (30, 37));
}

#[test]
fn a_move_whose_capture_changes_counts_as_new() {
    // The pawn on 3d goes away and the bishop's capture of it becomes a plain move.
    let mut position = sfen::parse("4k4/9/9/6p2/5B3/9/9/9/4K4 w - 1").unwrap();
    let mut lists = MoveLists::<Bitboards, Material>::new(Type::Appended, &position);
    let value = |lists: &MoveLists<Bitboards, Material>, ply| {
        let found = lists.at(ply, Color::Black).iter().find(|entry| entry.mv == "4e3d".parse().unwrap());
        found.expect("the move is possible").value
    };
    assert!(value(&lists, 0) > 0);
    position.play("3d3e".parse().unwrap(), &mut ());
    lists.update(1, &position, true);
    assert_eq!(value(&lists, 1), 0);
}

/// What all ways find in a search of `root`.
fn found_by_all(root: &Position, depth: u32) -> Vec<Found> {
    let limits = Limits { depth, nodes: u64::MAX, lists_at_leaves: false };
    let at_leaves = Limits { lists_at_leaves: true, ..limits };
    let mut found = vec![search::<_, Random>(root, LegalLists::<Random>::new(root), limits)];
    for kind in Type::ALL {
        for limits in [limits, at_leaves] {
            found.push(search::<_, Random>(root, MoveLists::<Walking, Random>::new(kind, root), limits));
            found.push(search::<_, Random>(root, MoveLists::<Bitboards, Random>::new(kind, root), limits));
        }
    }
    found
}

#[test]
fn all_types_search_the_same_tree() {
    for (start, depth) in STARTS.into_iter().zip([3, 2, 2, 2, 2]) {
        let root = sfen::parse(start).expect("a position");
        let found = found_by_all(&root, depth);
        assert!(found[0].value.is_some() && found[0].nodes > 300, "{:?}", found[0]);
        assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    }
}

#[test]
fn all_types_find_the_same_material() {
    let root = sfen::parse(MIDDLE_GAME).expect("a position");
    let limits = Limits { depth: 2, nodes: u64::MAX, lists_at_leaves: false };
    let expected = search::<_, Material>(&root, LegalLists::<Material>::new(&root), limits).value;
    assert!(expected.is_some_and(|value| value != 0), "{expected:?}");
    for kind in Type::ALL {
        let lists = MoveLists::<Bitboards, Material>::new(kind, &root);
        assert_eq!(search::<_, Material>(&root, lists, limits).value, expected, "{kind:?}");
    }
}

#[test]
fn a_search_ends_with_its_nodes() {
    let root = Position::start();
    let limits = Limits { depth: 4, nodes: 500, lists_at_leaves: false };
    let found = search::<_, Random>(&root, LegalLists::<Random>::new(&root), limits);
    assert_eq!(found, Found { value: None, nodes: 500 });
}

#[test]
fn walking_and_bitboards_reach_the_same_squares() {
    let mut random = Rng::with_seed(5);
    play_at_random(&sfen::parse(MIDDLE_GAME).unwrap(), 40, &mut random, |position, _| {
        for color in Color::ALL {
            let (mut walked, mut by_bitboards) = (Vec::new(), Vec::new());
            generate_all::<Walking, Material>(position, color, &mut walked);
            generate_all::<Bitboards, Material>(position, color, &mut by_bitboards);
            assert_eq!(by_word(&walked), by_word(&by_bitboards), "{position:?}");
        }
    });
}
