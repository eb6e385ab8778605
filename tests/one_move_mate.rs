//! Mate in one move against the slow twin: every move is played, and a mate is a check without a legal answer.

use fastrand::Rng;
use jitsugen::mate::one_move::{mate_in_one, mates};
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

use crate::support::data;
use crate::support::games;

/// Whether the opponent, after `mv`, is in check and has no move.
fn mates_when_played(position: &mut Position, mv: Move) -> bool {
    position.play(mv, &mut ());
    let mated = position.in_check() && !generate::any_legal(position);
    position.undo(mv, &mut ());
    mated
}

/// How often the comparison had what is worth testing.
#[derive(Default, Debug)]
struct Met {
    positions: u32,
    in_check: u32,
    mates: u32,
    mating_moves: u32,
}

/// Compares the position, and each of its checks by itself. Every sixteenth position has all moves played, not the checks
/// alone.
fn compare(position: &mut Position, moves: &[Move], met: &mut Met) {
    let thorough = met.positions.is_multiple_of(16);
    let mut mating = Vec::new();
    for &mv in moves {
        let checks = position.gives_check(mv);
        let mated = (checks || thorough) && mates_when_played(position, mv);
        assert!(checks || !mated);
        if checks {
            assert_eq!(mates(position, mv), mated, "{mv} in {}", sfen::write(position));
        }
        if mated {
            mating.push(mv);
        }
    }
    let found = mate_in_one(position);
    let right = found.map_or(mating.is_empty(), |mv| mating.contains(&mv));
    assert!(right, "{found:?} found, {mating:?} mate in {}", sfen::write(position));
    met.positions += 1;
    met.in_check += u32::from(position.in_check());
    met.mates += u32::from(found.is_some());
    met.mating_moves += mating.len() as u32;
}

fn compare_games(starts: &[&str], positions: u32, seed: u64) -> Met {
    let mut random = Rng::with_seed(seed);
    let mut met = Met::default();
    let starts: Vec<Position> = starts.iter().map(|text| sfen::parse(text).unwrap()).collect();
    for start in starts.iter().cycle() {
        if met.positions >= positions {
            break;
        }
        games::play_at_random(start, 400, &mut random, |position, moves| compare(position, moves, &mut met));
    }
    println!("{met:?}");
    met
}

#[test]
fn mates_in_one_agree_with_the_twin_in_random_games() {
    let met = compare_games(&[sfen::START], 40_000, 1);
    assert!(met.mates > 200 && met.in_check > 400);
}

/// Kings in the open, most pieces in hand, one king missing: where mates and checks are many.
#[test]
fn mates_in_one_agree_with_the_twin_with_full_hands() {
    let starts = [
        "9/4k4/9/9/9/9/9/4K4/9 b R2B2G2S2N2L9Pr2g2s2n2l9p 1",
        "4k4/9/9/9/9/9/9/9/4K4 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
        "9/1k7/9/9/9/9/9/7K1/9 b RBG3S4N3L7P3gs 1",
        "9/9/9/9/4k4/9/9/9/9 b 2RB3G2S2N2L9Pbg2s2n2l9p 1",
        "lnsg1gsnl/9/ppppkpppp/9/9/9/PPPPKPPPP/9/LNSG1GSNL b RBrb 1",
        "k8/9/9/9/9/9/9/9/8K b 18P4L4Nrbgs 1",
        "k8/9/9/9/9/9/9/9/8K w 18p4l4nRBGSrbgs 1",
    ];
    let met = compare_games(&starts, 40_000, 2);
    assert!(met.mates > 1200 && met.in_check > 800);
}

/// Machine-made problems, each with one solution, most without an attacking king.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn problems_of_one_move_are_solved() {
    for line in data::read("tsume/mate01.sfen").lines() {
        let mut fields = line.split('\t');
        let text = fields.next().unwrap();
        let solution: Move = fields.nth(1).unwrap().parse().unwrap();
        // Two problems have a pawn behind a pawn.
        let mut position = sfen::parse_problem(text).unwrap();
        let found = mate_in_one(&position).unwrap_or_else(|| panic!("no mate in {line}"));
        assert!(mates_when_played(&mut position, found), "{found} in {line}");
        assert!(mates(&position, solution), "{line}");
    }
}

#[test]
fn named_cases_have_their_mate() {
    for (name, text, mate) in [
        ("a gold on the head", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", Some("G*5b")),
        ("no attacking king", "4k4/9/4P4/9/9/9/9/9/9 b G 1", Some("G*5b")),
        ("no king to mate", "9/9/4P4/9/9/9/9/9/4K4 b G 1", None),
        ("a pawn may not be dropped to mate", "7nk/9/7S1/9/9/9/9/9/K8 b P 1", None),
        ("a pawn on the board may mate", "7nk/9/7SP/9/9/9/9/9/K8 b - 1", Some("1c1b+")),
        ("only without promotion", "7nk/7np/9/9/6N2/9/9/9/K8 b - 1", Some("3e2c")),
        ("nothing to interpose", "3lkl3/3p1p3/9/9/9/9/9/9/K8 b L 1", Some("L*5c")),
        ("a pawn to interpose", "3lkl3/3p1p3/9/9/9/9/9/9/K8 b Lp 1", None),
        ("a second pawn on the file", "3lkl3/3p1p3/9/9/9/9/4p4/9/K8 b Lp 1", Some("L*5c")),
        ("in check, no time for the mate", "4k4/9/4P4/9/9/9/4r4/9/4K4 b G 1", None),
    ] {
        let position = sfen::parse(text).unwrap();
        assert_eq!(mate_in_one(&position).map(|mv| mv.to_string()).as_deref(), mate, "{name}");
    }
}

/// YSS's figure 10: a silver dropped on 2b covers the squares that the dragon leaves the king, but cuts the dragon's
/// line to 1b. Where 1b is blocked, it does mate.
#[test]
fn a_silver_that_cuts_its_own_line_does_not_mate_in_yss_figure_10() {
    let found = |text| mate_in_one(&sfen::parse(text).unwrap()).map(|mv| mv.to_string());
    assert_eq!(found("7k1/4+R4/9/9/9/9/9/9/K8 b S 1"), None);
    assert_eq!(found("7k1/4+R3n/9/9/9/9/9/9/K8 b S 1").as_deref(), Some("S*2b"));
}
