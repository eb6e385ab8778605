//! The mate solver against the slow twin, against stated solutions, and against every legal reply.

use std::collections::HashSet;

use fastrand::Rng;
use jitsugen::mate::solver::{Finding, MateLimits, Solution, Solver, Verdict, objection};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::generate;
use jitsugen::shogi::key::Key;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::piece::{Piece, PieceKind};
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

use crate::support::data;
use crate::support::games;
use crate::support::mate_twin::{after, is_mated_by_convention, mates_while_left, mates_within};
use crate::support::positions::MICROCOSMOS;

/// Positions with many mates: kings in the open or in a corner, full hands, an attacking king or none.
const STARTS: [&str; 6] = [
    "9/4k4/9/9/9/9/9/4K4/9 b R2B2G2S2N2L9Pr2g2s2n2l9p 1",
    "9/1k7/9/9/9/9/9/7K1/9 b RBG3S4N3L7P3gs 1",
    "9/9/9/9/4k4/9/9/9/9 b RB2G2Srb2g2s4n4l18p 1",
    "lnsg1gsnl/9/ppppkpppp/9/9/9/PPPPKPPPP/9/LNSG1GSNL b RBrb 1",
    "8k/9/9/9/9/9/9/9/9 b RGS2P 1",
    "7kl/7pp/9/9/9/9/9/9/9 b RBN2Prb 1",
];

const SMALL: usize = 16 << 20;

fn solver() -> Solver {
    Solver::new(SMALL).expect("there is memory")
}

fn solve(solver: &mut Solver, position: &mut Position, nodes: u64) -> Verdict {
    solver.solve(position, &mut MateLimits { nodes, spare: nodes, stops: &mut |_| false })
}

/// Checks that the line is one of checks and replies that ends in mate.
fn check_line(position: &mut Position, line: &[Move]) {
    let Some((&mv, rest)) = line.split_first() else {
        assert!(position.in_check() && !generate::any_legal(position), "{}", sfen::write(position));
        return;
    };
    if line.len() % 2 == 1 {
        assert!(position.gives_check(mv), "{mv} in {}", sfen::write(position));
    }
    after(position, mv, |position| check_line(position, rest));
}

/// Checks the mate that `solver` has just found against every reply there is.
fn check_against_all(solver: &mut Solver, position: &mut Position) {
    let plies = known_plies(solver, position);
    check_within(solver, position, &mut HashSet::new(), plies);
}

/// How many plies at most the mate takes that `solver` has just found.
fn known_plies(solver: &mut Solver, position: &mut Position) -> u32 {
    match solver.prove(position, None, &mut MateLimits { nodes: 1, spare: 0, stops: &mut |_| false }) {
        Finding::Mates(plies) => plies,
        other => panic!("the mate is forgotten in {}: {other:?}", sfen::write(position)),
    }
}

/// Plays the solver's moves against every reply, down to the mates. The mate has to come within `plies`, after each reply
/// two plies sooner.
fn check_within(solver: &mut Solver, position: &mut Position, met: &mut HashSet<(Key, u32)>, plies: u32) {
    if !met.insert((position.key(), plies)) {
        return;
    }
    let mut never = |_| false;
    let mut limits = MateLimits { nodes: 1_000_000, spare: 0, stops: &mut never };
    let finding = solver.prove(position, Some(plies), &mut limits);
    let Finding::Mates(plies) = finding else {
        panic!("the mate within {plies} plies is gone in {}: {finding:?}", sfen::write(position));
    };
    let line = solver.line(position, plies, &mut limits).expect("the mate is known");
    assert!(position.gives_check(line[0]));
    after(position, line[0], |position| {
        for reply in generate::all_legal(position) {
            after(position, reply, |position| check_within(solver, position, met, plies - 2));
        }
    });
}

/// Solves the position and checks the verdict. Returns the plies of a mate.
fn check(solver: &mut Solver, position: &mut Position, nodes: u64) -> Option<u32> {
    let before = sfen::write(position);
    let verdict = solve(solver, position, nodes);
    assert_eq!(sfen::write(position), before);
    let Verdict::Mate(Solution { line, shortest, .. }) = verdict else {
        assert!(
            verdict != Verdict::NoMate || mates_within(position, 3) != Some(true),
            "a mate is denied in {before}"
        );
        return None;
    };
    check_line(position, &line);
    check_against_all(solver, position);
    let plies = line.len() as u32;
    // Where interpositions are left out the line is shorter than what was shown to be the least.
    if shortest && plies > 1 {
        assert_ne!(
            mates_within(position, (plies - 2).min(3)),
            Some(true),
            "not the shortest mate in {before}"
        );
    }
    Some(plies)
}

#[test]
fn the_solver_agrees_with_the_twin_to_five_plies() {
    check_with_the_twin(50);
}

#[test]
#[ignore = "takes minutes: run it with --release"]
fn the_solver_agrees_with_the_twin_to_five_plies_in_many_positions() {
    check_with_the_twin(20_000);
}

/// Compares with the twin in so many positions of random games.
fn check_with_the_twin(wanted: u32) {
    let mut random = Rng::with_seed(5);
    let mut solver = solver();
    let (mut positions, mut mates, mut decided, mut confirmed) = (0, 0, 0, 0);
    for start in STARTS.iter().cycle() {
        if positions >= wanted {
            break;
        }
        games::play_at_random(&sfen::parse(start).unwrap(), 60, &mut random, |position, _| {
            if position.move_number() % 5 != 1 || objection(position).is_some() {
                return;
            }
            positions += 1;
            let verdict = solve(&mut solver, position, 10_000);
            let name = sfen::write(position);
            let by_twin = [1, 3, 5].map(|plies| mates_within(position, plies));
            decided += u32::from(by_twin[2].is_some());
            let first = by_twin.iter().position(|&mates| mates == Some(true));
            let shortest = first.map(|index| 2 * index + 1);
            match &verdict {
                Verdict::Mate(mate) => {
                    check_line(position, &mate.line);
                    if mate.shortest {
                        let found = mate.line.len();
                        // Useless interpositions, which the line may do without, count as moves for the twin.
                        assert!(shortest.is_none_or(|shortest| found <= shortest), "{name}");
                    }
                    mates += 1;
                }
                Verdict::NoMate => assert_eq!(shortest, None, "{name}"),
                Verdict::Unknown => {}
            }
            // Every interposition counts for both.
            let mut limits = MateLimits { nodes: 10_000, spare: 0, stops: &mut |_| false };
            if let Finding::Mates(plies @ 1..=5) = solver.prove(position, None, &mut limits)
                && let Some(mates) = by_twin[plies as usize / 2]
            {
                assert!(mates, "{name}: {plies} plies");
                confirmed += 1;
            }
        });
    }
    assert!(confirmed > mates / 4, "{confirmed} of {mates} confirmed");
    println!("{positions} positions, {mates} mates, {decided} decided by the twin to five plies");
    assert!(mates > positions / 20 && decided > positions / 4);
}

#[test]
fn mates_hold_against_every_reply() {
    check_mates(60);
}

#[test]
#[ignore = "takes minutes: run it with --release"]
fn mates_hold_against_every_reply_in_many_positions() {
    check_mates(20_000);
}

/// Checks the verdicts on so many positions of random games.
fn check_mates(wanted: u32) {
    let mut random = Rng::with_seed(11);
    let mut solver = solver();
    let (mut positions, mut mates) = (0, 0);
    for start in STARTS.iter().cycle() {
        if positions >= wanted {
            break;
        }
        games::play_at_random(&sfen::parse(start).unwrap(), 60, &mut random, |position, _| {
            if position.move_number() % 7 == 1 && objection(position).is_none() {
                positions += 1;
                mates += u32::from(check(&mut solver, position, 5_000).is_some());
            }
        });
    }
    println!("{positions} positions, {mates} mates");
    assert!(mates > positions / 20);
}

/// A client asks again after every move. As long as the table forgets nothing, the mate comes two plies nearer each time.
#[test]
fn a_mate_comes_nearer_with_every_move() {
    assert!(mates_that_come_nearer(18) > 15);
}

#[test]
#[ignore = "takes minutes: run it with --release"]
fn a_mate_comes_nearer_with_every_move_of_many_games() {
    assert!(mates_that_come_nearer(600) > 500);
}

/// How many mates there are in so many random games. Each is played on.
fn mates_that_come_nearer(games: usize) -> u32 {
    let mut random = Rng::with_seed(12);
    let mut solver = solver();
    let mut mates = 0;
    for start in STARTS.iter().cycle().take(games) {
        games::play_at_random(&sfen::parse(start).unwrap(), 60, &mut random, |position, _| {
            if position.move_number() % 7 != 1 || objection(position).is_some() {
                return;
            }
            solver.clear();
            if let Verdict::Mate(mate) = solve(&mut solver, position, 5_000) {
                mates += 1;
                let known = known_plies(&mut solver, position);
                check_nearer(&mut solver, position, mate.line[0], known, 3);
            }
        });
    }
    println!("{mates} mates");
    mates
}

/// Plays `mv` and, for `rounds` rounds of moves, the solver's answer to every reply: the mate takes `known` plies at
/// most.
fn check_nearer(solver: &mut Solver, position: &mut Position, mv: Move, known: u32, rounds: u32) {
    after(position, mv, |position| {
        for reply in generate::all_legal(position) {
            after(position, reply, |position| {
                let mut limits = MateLimits { nodes: 1_000_000, spare: 0, stops: &mut |_| false };
                let verdict = solver.solve(position, &mut limits);
                let Verdict::Mate(mate) = verdict else {
                    panic!("the mate is gone in {}: {verdict:?}", sfen::write(position));
                };
                let left = known_plies(solver, position);
                assert!(left + 2 <= known, "{left} plies left of {known} in {}", sfen::write(position));
                if rounds > 1 {
                    check_nearer(solver, position, mate.line[0], left, rounds - 1);
                }
            });
        }
    });
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn mates_in_games_hold() {
    // Mates are few in the first half of a game, and positions of one game are much alike.
    let mut random = Rng::with_seed(4);
    check_mates_in_games(200, |position| position.move_number() >= 60 && random.usize(..4) == 0);
}

#[test]
#[ignore = "takes minutes: run it with --release"]
fn mates_in_many_games_hold() {
    check_mates_in_games(100_000, |_| true);
}

/// Checks the verdicts on so many positions of games, and on positions two random moves away from them.
fn check_mates_in_games(wanted: u32, mut takes: impl FnMut(&Position) -> bool) {
    let games = ["engine", "professional"].map(|name| data::read(&format!("games/{name}.usi")));
    let mut random = Rng::with_seed(3);
    let mut solver = solver();
    let (mut met, mut mates, mut denied) = (0, 0, 0);
    'games: for line in games.iter().flat_map(|text| text.lines()) {
        let moves = line.split_whitespace().skip_while(|&word| word != "moves").skip(1);
        let mut position = Position::start();
        for mv in moves.map_while(|word| word.parse::<Move>().ok()) {
            position.play(mv, &mut ());
            if !takes(&position) {
                continue;
            }
            let mut off = position.clone();
            for _ in 0..2 {
                let moves = generate::all_legal(&off);
                if !moves.is_empty() {
                    off.play(moves[random.usize(..moves.len())], &mut ());
                }
            }
            for position in [&mut position, &mut off] {
                match check(&mut solver, position, 1_000) {
                    Some(_) => mates += 1,
                    None => denied += 1,
                }
            }
            met += 1;
            if met >= wanted {
                break 'games;
            }
        }
    }
    println!("{met} positions and as many two plies off, {mates} mates, {denied} others");
    assert!(mates > wanted / 100);
}

/// Setsugekka, a problem of more than four hundred plies as far as it is known here. While sums of disproof numbers
/// could reach the limit that stands for none, it was not solved in these nodes.
#[test]
#[ignore = "takes minutes: run it with --release"]
fn lines_that_meet_again_do_not_lock_the_search() {
    let mut position =
        sfen::parse("3npp1pp/5+n1ln/5g3/9/5rp2/R1N5k/ss3g2l/1pppP2LG/2bb1+sS2 b GL9p 1").unwrap();
    let mut solver = Solver::new(128 << 20).expect("there is memory");
    let mut limits = MateLimits { nodes: 8_000_000, spare: 0, stops: &mut |_| false };
    let verdict = solver.solve(&mut position, &mut limits);
    let Verdict::Mate(mate) = verdict else { panic!("{verdict:?} after {} nodes", solver.nodes()) };
    check_line(&mut position, &mate.line);
}

/// Machine-made problems with stated lengths. Those that are shorter than stated are listed, with the length, which
/// the slow twin confirms: the 145th of seven plies and the 82nd of nine are so by convention only, as useless
/// interpositions would make them 5 and 7.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn machine_made_problems_have_their_length() {
    let shorter = [(7, 57, 5), (7, 103, 5), (7, 145, 3), (7, 148, 5), (7, 161, 5)];
    let shorter = [&shorter[..], &[(9, 82, 5), (9, 232, 7), (9, 233, 7), (9, 245, 7)]].concat();
    let mut solver = solver();
    let mut solved = 0;
    for stated in [1, 3, 5, 7, 9] {
        for (number, line) in (1..).zip(data::read(&format!("tsume/mate0{stated}.sfen")).lines()) {
            // Some have two pawns on a file.
            let mut position = sfen::parse_problem(line.split('\t').next().unwrap()).unwrap();
            let expected = shorter.iter().find(|&&(s, n, _)| (s, n) == (stated, number));
            let Verdict::Mate(mate) = solve(&mut solver, &mut position, 1_000_000) else {
                panic!("line {number} of mate0{stated}: {line}");
            };
            assert!(mate.shortest, "line {number} of mate0{stated}");
            let plies = expected.map_or(stated, |&(_, _, plies)| plies);
            assert_eq!(mate.plies, plies, "line {number} of mate0{stated}: {:?}", mate.line);
            check_line(&mut position, &mate.line);
            // By the line's first move: others may take as long in all and less by convention. In the 94th of seven
            // plies of two replies that take as long one ends in useless interpositions and the other does not.
            let looks_shorter = expected.is_some() || (stated, number) == (7, 94);
            if plies > 1 && (looks_shorter || number % 20 == 0) {
                let mut within = |plies: usize| {
                    after(&mut position, mate.line[0], |position| {
                        is_mated_by_convention(position, plies as u32 - 1)
                    })
                };
                assert!(!within(plies - 2), "line {number} of mate0{stated}");
                assert!(!looks_shorter || within(plies), "line {number} of mate0{stated}");
            }
            if expected.is_some() || number % 20 == 0 {
                check_against_all(&mut solver, &mut position);
            }
            solved += 1;
        }
    }
    assert_eq!(solved, 1308);
}

#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn a_mated_side_does_not_mate() {
    let mut solver = solver();
    for line in data::read("rules/checkmated_positions.sfen").lines() {
        let mut position = sfen::parse(line.split('\t').next().unwrap()).unwrap();
        assert_eq!(solve(&mut solver, &mut position, 1_000), Verdict::NoMate, "{line}");
    }
}

/// The least of tables solves the problems of nine plies, and its memory does not grow.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn a_full_table_forgets_and_goes_on() {
    let mut solver = Solver::new(0).unwrap();
    let bytes = solver.bytes();
    assert!(bytes <= Solver::LEAST_BYTES, "{bytes}");
    for line in data::read("tsume/mate09.sfen").lines().step_by(4) {
        let Ok(mut position) = sfen::parse(line.split('\t').next().unwrap()) else { continue };
        let Verdict::Mate(mate) = solve(&mut solver, &mut position, 1_000_000) else { panic!("{line}") };
        check_line(&mut position, &mate.line);
    }
    assert!(solver.permille_used() > 900, "{}", solver.permille_used());
    assert_eq!(solver.bytes(), bytes);
    for limit in [Solver::LEAST_BYTES, 1 << 20, 10 << 20, 100 << 20] {
        assert!(Solver::new(limit).unwrap().bytes() <= limit);
    }
}

#[test]
fn named_cases_are_solved() {
    let mut solver = solver();
    for (name, text, mate) in [
        ("in check, and no check answers it", "4k4/9/4P4/9/9/9/4r4/9/4K4 b G 1", None),
        ("in check, and the answer mates", "8k/6G2/9/9/4+R3r/9/9/9/8K b - 1", Some(1)),
        ("no king of one's own", "4k4/9/4P4/9/9/9/9/9/9 b G 1", Some(1)),
        ("no check at hand", sfen::START, None),
        ("a pawn may not be dropped to mate", "7nk/9/7S1/9/9/9/9/9/K8 b P 1", None),
        ("only without promotion", "7nk/7np/9/9/6N2/9/9/9/K8 b - 1", Some(1)),
        ("checks without end", "k8/9/9/9/9/9/9/9/1R7 b - 1", None),
    ] {
        let mut position = sfen::parse(text).unwrap();
        let found = match solve(&mut solver, &mut position, 100_000) {
            Verdict::Mate(mate) => Some(mate.line.len()),
            Verdict::NoMate => None,
            Verdict::Unknown => panic!("{name}: no verdict"),
        };
        assert_eq!(found, mate, "{name}");
    }
}

/// Problems that only a move without promotion solves: the twin finds no other check that mates, even in two plies more.
/// With promotion a pawn could not be dropped later, because that would mate; the lance would not check.
#[test]
fn moves_without_promotion_may_be_the_only_solution() {
    let mut solver = solver();
    for (kind, text, key, plies) in [
        (PieceKind::Lance, "8k/6G2/8p/9/8L/9/9/9/9 b - 1", "1e1c", 1),
        (PieceKind::Rook, "6r1k/6b2/6R2/7BP/9/9/9/9/9 b P 1", "3c1c", 7),
        (PieceKind::Bishop, "7rk/5B3/9/5+Rp2/9/7P1/4B4/9/9 b P 1", "4b3c", 7),
        (PieceKind::Pawn, "7p1/8k/9/6PP1/5B3/9/9/9/9 b NP 1", "3d3c", 7),
    ] {
        let mut position = sfen::parse(text).unwrap();
        let key: Move = key.parse().unwrap();
        let from = key.from().unwrap();
        assert_eq!(position.piece_on(from), Some(Piece::new(Color::Black, kind)), "{text}");
        assert!(position.is_legal(Move::promoting(from, key.to())), "{text}");
        let Verdict::Mate(mate) = solve(&mut solver, &mut position, 100_000) else { panic!("{text}") };
        assert_eq!((mate.line[0], mate.line.len(), mate.plies), (key, plies, plies), "{text}");
        check_line(&mut position, &mate.line);
        check_against_all(&mut solver, &mut position);
        for mv in generate::all_legal(&position).into_iter().collect::<Vec<_>>() {
            if position.gives_check(mv) {
                let mut left = 100_000;
                let mates = after(&mut position, mv, |position| {
                    generate::all_legal(position)
                        .into_iter()
                        .all(|reply| after(position, reply, |p| mates_while_left(p, plies as u32, &mut left)))
                });
                assert!(left > 0 && mates == (mv == key), "{mv} in {text}");
            }
        }
    }
}

/// Checks along a short mate: those that the twin finds to mate in as many plies as it can look are cooks, and no others.
#[test]
fn cooks_are_those_that_the_twin_finds() {
    const PLIES: u32 = 3;
    let (mut solver, mut random, mut problems, mut found) = (solver(), Rng::with_seed(48), 0, 0);
    for start in STARTS.iter().cycle() {
        if problems >= 15 {
            break;
        }
        games::play_at_random(&sfen::parse(start).unwrap(), 30, &mut random, |position, _| {
            if position.move_number() % 5 != 1 || objection(position).is_some() {
                return;
            }
            let Verdict::Mate(mate) = solve(&mut solver, position, 2_000) else { return };
            if mate.plies <= 3 && problems < 15 {
                problems += 1;
                found += check_cooks(&mut solver, &mut position.clone(), &mate, PLIES);
            }
        });
    }
    assert!(found > 10, "{found}");
}

/// Compares the cooks of a problem with what the twin finds in `plies` plies after each reply. Returns how many there are.
fn check_cooks(solver: &mut Solver, position: &mut Position, mate: &Solution, plies: u32) -> usize {
    let text = sfen::write(position);
    let mut limits = MateLimits { nodes: 10_000, spare: 0, stops: &mut |_| false };
    let cooks = solver.cooks(position, &mate.line, mate.plies, &mut limits);
    assert_eq!(sfen::write(position), text, "the position is as it was");
    for (ply, &solution) in (1..).zip(&mate.line[..mate.plies]) {
        let checks = generate::all_legal(position).into_iter().filter(|&mv| {
            let is_solution = (mv.origin(), mv.to()) == (solution.origin(), solution.to());
            ply % 2 == 1 && !is_solution && position.gives_check(mv)
        });
        for mv in checks.collect::<Vec<Move>>() {
            let mut left = 10_000;
            let mates = after(position, mv, |position| {
                let replies = generate::all_legal(position);
                replies
                    .into_iter()
                    .all(|reply| after(position, reply, |p| mates_while_left(p, plies, &mut left)))
            });
            if left == 0 || cooks.undecided.contains(&(ply, mv)) {
                continue;
            }
            let cook = cooks.found.iter().find(|cook| (cook.ply, cook.mv) == (ply, mv));
            assert!(!mates || cook.is_some(), "{mv} at move {ply} in {text}");
            assert!(mates || cook.is_none_or(|cook| cook.plies > plies + 2), "{cook:?} in {text}");
        }
        position.play(solution, &mut ());
    }
    cooks.found.len()
}

#[test]
fn positions_that_are_no_problem_are_refused() {
    for (text, part) in [
        ("9/9/9/9/9/9/9/9/4K4 b G 1", "Black is to move, and White has no king"),
        ("9/9/9/9/9/9/9/9/9 b G 1", "there is no king to mate"),
    ] {
        let mut position = sfen::parse(text).unwrap();
        assert!(objection(&position).unwrap().contains(part));
        assert_eq!(solve(&mut solver(), &mut position, 1_000), Verdict::NoMate);
    }
}

#[test]
fn the_solver_keeps_its_limits() {
    let mut position = sfen::parse(MICROCOSMOS).unwrap();
    let mut solver = solver();
    assert_eq!(solve(&mut solver, &mut position, 5_000), Verdict::Unknown);
    assert_eq!(solver.nodes(), 5_000);
    let mut asked = 0;
    let mut stops = |_| {
        asked += 1;
        asked >= 3
    };
    let verdict =
        solver.solve(&mut position, &mut MateLimits { nodes: u64::MAX, spare: 0, stops: &mut stops });
    assert_eq!(verdict, Verdict::Unknown);
    assert!(solver.nodes() < 7_000);
    // The solver searches again what the least of tables forgets, but not without end.
    let mut solver = Solver::new(0).expect("there is memory");
    let mut problem = sfen::parse("4nk3/9/6G2/3LB4/9/9/9/9/9 b 2rb3g3s3n3l18p 1").unwrap();
    for nodes in [1, 100, 10_000] {
        let before = solver.nodes();
        let _ = solver.solve(&mut problem, &mut MateLimits { nodes, spare: 0, stops: &mut |_| false });
        assert!(solver.nodes() - before <= nodes + 300_000);
    }
}

/// After every brinkmate each reply allows a mate. After every other move one reply does not.
#[test]
fn brinkmates_hold_against_every_reply() {
    let mut random = Rng::with_seed(17);
    let mut solver = solver();
    let (mut positions, mut brinkmates) = (0, 0);
    for start in
        ["8k/9/9/9/9/9/9/9/9 b 2GS 1", "7k1/9/6P2/9/9/9/9/9/9 b G2S 1", "8k/9/7P1/9/9/9/9/9/9 b 2G 1"]
    {
        games::play_at_random(&sfen::parse(start).unwrap(), 12, &mut random, |position, moves| {
            if objection(position).is_some() {
                return;
            }
            let mut limits = MateLimits { nodes: 200_000, spare: 0, stops: &mut |_| false };
            let found = solver.brinkmates(position, &mut limits);
            positions += 1;
            brinkmates += found.moves.len();
            let quiet = moves.iter().copied().filter(|&mv| !position.gives_check(mv));
            let asked: Vec<Move> = quiet.step_by(7).chain(found.moves.iter().copied()).collect();
            for mv in asked {
                let mates = after(position, mv, |position| {
                    let mut is_mated = |position: &mut Position| {
                        matches!(solve(&mut solver, position, 20_000), Verdict::Mate(_))
                    };
                    position.play_null_move();
                    let threatens = is_mated(position);
                    position.undo_null_move();
                    let replies = generate::all_legal(position);
                    threatens
                        && !replies.is_empty()
                        && replies.into_iter().all(|reply| after(position, reply, &mut is_mated))
                });
                if found.moves.contains(&mv) {
                    assert!(mates, "{mv} in {}", sfen::write(position));
                } else if found.complete {
                    assert!(!mates, "{mv} in {}", sfen::write(position));
                }
            }
        });
    }
    println!("{positions} positions, {brinkmates} brinkmates");
    assert!(brinkmates > 0);
}
