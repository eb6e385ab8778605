//! Self-play: the same file with any number of threads and any breaks, games that end as they say, damage that is
//! noticed.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use fastrand::Rng;
use jitsugen::learn::selfplay::adjudication::{AdjudicationRules, Ending};
use jitsugen::learn::selfplay::game::{Game, SelfplaySettings};
use jitsugen::learn::selfplay::openings::Openings;
use jitsugen::learn::selfplay::output::Output;
use jitsugen::learn::selfplay::run_file::{self, MAGIC, RunFileError, RunFileProblem, RunReader};
use jitsugen::learn::selfplay::{Goal, RunError, run};
use jitsugen::learn::sources::{Content, Sources, Split};
use jitsugen::record::packed::{self, Outcome};
use jitsugen::record::{self, Format};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{Declaration, EnteringKingRule};
use jitsugen::util::frames;

use crate::support::command::{self, Run, jitsugen};
use crate::support::evaluation::{built_in_files, material_only};
use crate::support::folder;

const SETTINGS: SelfplaySettings = SelfplaySettings {
    seed: 7,
    nodes: 30,
    random_moves: 3,
    random_margin: 200,
    balance: 600,
    inner_bits: Some(1),
    adjudication: AdjudicationRules { resign_at: 1500, resign_plies: 4, max_moves: 80 },
};

/// Some of them alike; in the last, White is a rook down.
const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d 2f2e\nstartpos\n\
                        sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

const ALL: Goal = Goal { positions: u64::MAX, games: 12 };

/// Plays by material alone until `goal`, or until `until` games are there.
fn play(
    path: &Path,
    openings: &str,
    settings: &SelfplaySettings,
    goal: Goal,
    threads: usize,
    until: u64,
) -> Result<Output, RunError> {
    let (openings, bad) = Openings::parse(openings);
    assert_eq!(bad, []);
    let mut output = Output::open(path, &settings.to_string()).map_err(RunError::Output)?;
    let progress = |output: &Output| {
        if output.games() >= until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    run(settings, &openings, material_only(), &mut output, goal, threads, progress)?;
    Ok(output)
}

/// The file of a run without a break on one thread.
fn reference() -> &'static Vec<u8> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let path = folder::empty("selfplay reference").join("all.play");
        play(&path, OPENINGS, &SETTINGS, ALL, 1, u64::MAX).unwrap();
        fs::read(&path).unwrap()
    })
}

/// The games of a file, which has nothing after the last one.
fn games(path: &Path) -> Vec<Game> {
    let mut games = Vec::new();
    assert_eq!(run_file::read(path, |game| games.push(game)).unwrap(), 0);
    games
}

/// The games that can be read from these bytes, and how many bytes they take with the header.
fn read_bytes(bytes: &[u8]) -> Result<(Vec<Game>, usize), RunFileError> {
    let mut reader = RunReader::new(bytes, Path::new("in memory"))?;
    let mut games = Vec::new();
    while let Some(game) = reader.read_game()? {
        games.push(game);
    }
    Ok((games, reader.good_bytes() as usize))
}

/// Where the header of the reference ends, and where each of its games does.
fn ends() -> Vec<usize> {
    let bytes = reference();
    let mut reader = RunReader::new(&bytes[..], Path::new("reference")).unwrap();
    let mut ends = vec![reader.good_bytes() as usize];
    while reader.read_game().unwrap().is_some() {
        ends.push(reader.good_bytes() as usize);
    }
    assert_eq!((ends.len() as u64, ends.last()), (ALL.games + 1, Some(&bytes.len())));
    ends
}

/// Games with one opening, which the positions do not show, are all learned from or all held back, as positions and as
/// records.
#[test]
fn an_opening_is_on_one_side() {
    let folder = folder::empty("selfplay openings on one side");
    let (games, _) = read_bytes(reference()).unwrap();
    let records = games.iter().filter_map(|game| game.record().unwrap());
    let mut openings: Vec<String> = records
        .filter(|game| game.start_position().key() == Position::start().key() && game.moves().count() > 24)
        .map(|game| game.moves().take(24).map(|mv| format!(" {mv}")).collect())
        .collect();
    openings.truncate(4);
    assert_eq!(openings.len(), 4);
    let lines: String = openings.iter().map(|moves| format!("startpos moves{moves}\n")).collect();
    let path = folder.join("all.play");
    play(&path, &lines, &SelfplaySettings { balance: 100_000, ..SETTINGS }, ALL, 2, u64::MAX).unwrap();
    let opening = |moves: &[Move]| {
        let moves: String = moves.iter().take(24).map(|mv| format!(" {mv}")).collect();
        openings.iter().position(|opening| *opening == moves).unwrap()
    };
    let mut on_both = HashSet::new();
    for seed in 0..8 {
        let split = Split { share: 0.5, seed };
        let mut sources = Sources::default();
        sources.add_games(&path, split, &mut |report| panic!("{report}")).unwrap();
        sources.add_positions(&path, split, &mut |report| panic!("{report}")).unwrap();
        let (records, positions) = sources.games.split_at(sources.games.len() / 2);
        assert!(records.len() > 4 && records.len() == positions.len());
        let mut sides = [None; 4];
        for (record, positions) in records.iter().zip(positions) {
            let Content::Moves(_, moves, _) = &record.content else { panic!("a game has moves") };
            assert!(matches!(positions.content, Content::Positions(..)));
            let side = *sides[opening(moves)].get_or_insert(record.held_back);
            assert_eq!([record.held_back, positions.held_back], [side; 2], "seed {seed}");
        }
        on_both.extend(sides);
    }
    assert!([Some(false), Some(true)].iter().all(|side| on_both.contains(side)));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = folder::empty("selfplay threads");
    for threads in [2, 3] {
        let path = folder.join(format!("{threads}.play"));
        // The file is locked as long as it is being written: on Windows it cannot be read then.
        let games = play(&path, OPENINGS, &SETTINGS, ALL, threads, u64::MAX).unwrap().games();
        assert_eq!(games, ALL.games);
        assert!(fs::read(&path).unwrap() == *reference(), "{threads} threads");
    }
    // Another seed plays other games.
    let path = folder.join("other.play");
    play(&path, OPENINGS, &SelfplaySettings { seed: 8, ..SETTINGS }, ALL, 2, u64::MAX).unwrap();
    let positions = |games: &[Game]| games.iter().flat_map(|game| game.positions.clone()).collect::<Vec<_>>();
    let (others, _) = read_bytes(reference()).unwrap();
    assert!(positions(&games(&path)) != positions(&others));
}

/// They are positions of the searches of the game, and change nothing else in the file.
#[test]
fn inner_nodes_are_there_where_they_are_wanted() {
    let path = folder::empty("selfplay inner nodes").join("without.play");
    play(&path, OPENINGS, &SelfplaySettings { inner_bits: None, ..SETTINGS }, ALL, 2, u64::MAX).unwrap();
    let (with, _) = read_bytes(reference()).unwrap();
    let mut count = 0;
    for (game, without) in with.iter().zip(games(&path)) {
        assert!(without.inner_nodes.is_empty());
        assert!(game.positions == without.positions && game.line == without.line);
        assert!(game.ending.is_played() || game.inner_nodes.is_empty());
        let first = game.positions.first().map_or(0, |packed| packed.ply());
        for node in &game.inner_nodes {
            let known = node.unpack().unwrap();
            assert!(known.best.is_none() && node.ply() > first, "game {}", game.number);
            assert_eq!(known.result, Outcome::of(known.position.side(), game.winner));
        }
        count += game.inner_nodes.len();
    }
    assert!(count > 100, "{count}");
}

#[test]
fn every_game_ends_as_its_ending_says() {
    let folder = folder::empty("selfplay endings");
    let path = folder.join("games.play");
    let settings = SelfplaySettings { random_moves: 8, ..SETTINGS };
    let goal = Goal { positions: u64::MAX, games: 40 };
    let output = play(&path, OPENINGS, &settings, goal, 2, u64::MAX).unwrap();
    let (results, endings) = (output.results(), output.endings().collect::<Vec<_>>());
    assert_eq!((output.games(), output.cut_off()), (40, 0));
    drop(output);
    let games = games(&path);
    assert_eq!(games.len(), 40);
    let (played, unplayed): (Vec<_>, Vec<_>) = games.iter().partition(|game| game.ending.is_played());
    for game in unplayed {
        assert!(game.line.is_empty() && game.positions.is_empty() && game.winner.is_none(), "{game:?}");
        assert!(matches!(game.ending, Ending::Unbalanced | Ending::Duplicate));
    }
    let mut met = HashSet::new();
    let mut starts = HashSet::new();
    for game in &played {
        let (number, end, winner) = (game.number, game.ending, game.winner);
        let record = game.record().unwrap().expect("it was played");
        let known: Vec<_> = game.positions.iter().map(|packed| packed.unpack().unwrap()).collect();
        assert!(starts.insert(game.start.0), "no two games begin alike");
        assert_eq!(game.start, known[0].position.key());
        let last = known.last().unwrap();
        assert_eq!(record.winner(), winner);
        for known in &known {
            assert_eq!(known.result, Outcome::of(known.position.side(), winner), "game {number}");
        }
        // The moves of the positions are the last ones of the game, but for one that was not played any more.
        let moves: Vec<_> = known.iter().map(|known| known.best.unwrap()).collect();
        let adjudicated = matches!(end, Ending::Resigned | Ending::MateFound);
        let moves = &moves[..moves.len() - usize::from(adjudicated)];
        let all: Vec<_> = record.moves().collect();
        assert!(all.ends_with(moves), "game {number}");
        let end_position = record.final_position();
        assert_eq!(known[0].position.move_number() + moves.len() as u32, end_position.move_number());
        assert!(i32::from(known[0].score).abs() <= settings.balance, "game {number}");
        match end {
            Ending::Mated => {
                assert!(jitsugen::shogi::generate::all_legal(&end_position).is_empty());
                assert_eq!(winner, Some(!end_position.side()));
            }
            Ending::MateFound => {
                assert!(last.score.abs() > 31_000, "game {number}");
                assert_eq!(winner == Some(last.position.side()), last.score > 0);
            }
            Ending::Resigned => {
                for known in &known[known.len() - settings.adjudication.resign_plies as usize..] {
                    assert!(i32::from(known.score).abs() >= settings.adjudication.resign_at, "game {number}");
                    assert_eq!(winner == Some(known.position.side()), known.score > 0, "game {number}");
                }
            }
            Ending::Declared => {
                let rule = EnteringKingRule::Points27;
                assert_eq!(end_position.declaration(rule), Some(Declaration::Win));
                assert_eq!(winner, Some(end_position.side()));
            }
            Ending::Repetition | Ending::PerpetualCheck => {
                assert!(end_position.sennichite().is_some(), "game {number}");
                assert_eq!(winner.is_none(), end == Ending::Repetition);
            }
            Ending::MaxMoves => {
                assert_eq!(end_position.move_number(), settings.adjudication.max_moves + 1);
                assert_eq!(winner, None);
            }
            Ending::Unbalanced | Ending::Duplicate => unreachable!("it was played"),
        }
        met.insert(end.name());
    }
    let won = |winner| played.iter().filter(|game| game.winner == winner).count() as u64;
    assert_eq!(results, [won(Some(Color::Black)), won(Some(Color::White)), won(None)]);
    for ending in [Ending::Duplicate, Ending::Unbalanced] {
        let &(_, count) = endings.iter().find(|&&(known, _)| known == ending).unwrap();
        assert!(count > 0, "{ending:?}");
    }
    println!("self-play: {} games ended in these ways: {met:?}", played.len());
    assert!(met.len() >= 2, "{met:?}");
}

#[test]
fn a_run_goes_on_from_any_break() {
    let folder = folder::empty("selfplay breaks");
    let path = folder.join("broken.play");
    play(&path, OPENINGS, &SETTINGS, ALL, 2, 5).unwrap();
    assert!(fs::read(&path).unwrap().len() < reference().len());
    play(&path, OPENINGS, &SETTINGS, ALL, 1, u64::MAX).unwrap();
    assert!(fs::read(&path).unwrap() == *reference());
    // And when there is nothing left to do.
    play(&path, OPENINGS, &SETTINGS, ALL, 1, u64::MAX).unwrap();
    assert!(fs::read(&path).unwrap() == *reference());

    // Whatever had reached the disk.
    let mut random = Rng::with_seed(3);
    let (bytes, ends) = (reference(), ends());
    let mut cuts = vec![0, 5, ends[0] - 1, ends[0], ends[3], ends[3] + 1, bytes.len() - 1];
    cuts.extend((0..4).map(|_| random.usize(..bytes.len())));
    for cut in cuts {
        fs::write(&path, &bytes[..cut]).unwrap();
        let output = Output::open(&path, &SETTINGS.to_string()).unwrap();
        let whole = ends.iter().rposition(|&end| end <= cut);
        assert_eq!(output.games(), whole.unwrap_or(0) as u64, "cut to {cut} bytes");
        assert_eq!(output.cut_off(), whole.map_or(0, |nth| cut - ends[nth]) as u64, "cut to {cut} bytes");
        drop(output);
        play(&path, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
        assert!(fs::read(&path).unwrap() == *bytes, "cut to {cut} bytes");
    }
}

#[test]
fn a_flipped_bit_anywhere_in_a_game_is_noticed() {
    let (bytes, ends) = (reference(), ends());
    let (games, _) = read_bytes(bytes).unwrap();
    let played = games.iter().position(|game| game.ending.is_played()).unwrap();
    // Every bit of one game: its number, its moves, its positions, its length and its checksum.
    let mut file = bytes[..ends[played + 1]].to_vec();
    for bit in 8 * ends[played]..8 * ends[played + 1] {
        file[bit / 8] ^= 1 << (bit % 8);
        let (found, good_bytes) = read_bytes(&file).unwrap();
        assert_eq!((found.len(), good_bytes), (played, ends[played]), "bit {bit}");
        file[bit / 8] ^= 1 << (bit % 8);
    }
    // The run goes on before the game that is damaged, says so, and comes to the same games.
    let path = folder::empty("selfplay flipped bits").join("flipped.play");
    let mut random = Rng::with_seed(5);
    for _ in 0..4 {
        let place = random.usize(ends[0]..bytes.len());
        let mut broken = bytes.clone();
        broken[place] ^= 1 << random.u32(..8);
        fs::write(&path, &broken).unwrap();
        let good = ends.iter().rposition(|&end| end <= place).unwrap();
        let output = Output::open(&path, &SETTINGS.to_string()).unwrap();
        assert_eq!((output.games(), output.cut_off()), (good as u64, (bytes.len() - ends[good]) as u64));
        drop(output);
        play(&path, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
        assert!(fs::read(&path).unwrap() == *bytes, "byte {place}");
    }
}

/// After a failure of power there may be zeros where the last games were to be.
#[test]
fn games_that_never_reached_the_disk_are_played_again() {
    let path = folder::empty("selfplay power").join("dark.play");
    let (bytes, ends) = (reference(), ends());
    for dark in [40, 40 + 3, 1000, bytes.len() - ends[0]] {
        let mut broken = bytes.clone();
        let from = bytes.len() - dark;
        broken[from..].fill(0);
        fs::write(&path, broken).unwrap();
        let output = Output::open(&path, &SETTINGS.to_string()).unwrap();
        assert!(output.cut_off() > 0 && output.games() < ALL.games, "{dark} bytes");
        drop(output);
        let output = play(&path, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
        assert_eq!(output.cut_off(), 0);
        drop(output);
        assert!(fs::read(&path).unwrap() == *bytes, "{dark} bytes");
    }
}

/// A bit flips early in a long run: its games are worth more than to be cut off.
#[test]
fn damage_beyond_what_a_break_leaves_is_left_as_it_is() {
    let path = folder::empty("selfplay damage").join("long.play");
    let (bytes, ends) = (reference(), ends());
    let most = 16 << 20;
    for (beyond, is_refused) in [(most + 1, true), (most, false)] {
        let mut long = bytes.clone();
        long.resize(ends[3] + beyond, 1);
        long[ends[3]] ^= 1;
        fs::write(&path, &long).unwrap();
        let opened = Output::open(&path, &SETTINGS.to_string()).map(|output| output.cut_off());
        if is_refused {
            let error = opened.expect_err("it is more than a break leaves").to_string();
            assert!(error.contains("long.play: is damaged from game 3 on, 16777217 bytes"), "{error}");
            assert!(fs::read(&path).unwrap() == long);
        } else {
            assert_eq!(opened.unwrap(), most as u64);
            assert!(fs::read(&path).unwrap() == bytes[..ends[3]]);
        }
    }
}

/// A full disk ends the run with a message, and with room again it goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = folder::empty("selfplay full disk");
    let full = folder.join("full.play");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let error = play(&full, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap_err();
    assert!(error.to_string().ends_with("expected a file"), "a device is no place for games: {error}");
    fs::remove_file(&full).unwrap();
    fs::write(&full, "").unwrap();
    play(&full, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
    assert!(fs::read(&full).unwrap() == *reference());

    // The disk is full in the middle of a game, as far as the process can see: so many blocks of 512 bytes or of 1024.
    let path = folder.join("limited.play");
    let whole = folder.join("whole.play");
    assert!(command::run(&mut short_run(&whole)).success);
    let run = short_run(&path);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\""])
        .arg(run.get_program())
        .args(run.get_args());
    let Run { success, stderr, .. } = command::run(&mut limited);
    assert!(!success && stderr.contains("limited.play: File too large"), "{stderr}");
    let Run { success, stderr, .. } = command::run(&mut short_run(&path));
    assert!(success && stderr.contains("bytes are no whole games: cut off"), "{stderr}");
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());
}

#[test]
fn a_file_that_is_no_run_is_reported_and_left_alone() {
    let folder = folder::empty("selfplay refusals");
    let path = folder.join("here.play");
    let (bytes, ends) = (reference(), ends());
    let (games, _) = read_bytes(bytes).unwrap();
    let positions: Vec<u8> =
        games.iter().flat_map(|game| &game.positions).flat_map(|packed| packed.0).collect();
    let mut header = bytes.clone();
    header[ends[0] - 1] ^= 1;
    let mut magic = bytes.clone();
    magic[7] ^= 1;
    // Whole frames, but none that self-play writes there.
    let strange = [bytes.as_slice(), &frames::encode(b"strange").unwrap()].concat();
    let repeated = [&bytes[..ends[1]], &bytes[ends[0]..ends[1]]].concat();
    let version = [&MAGIC[..], &frames::encode(b"\x02\0\0\0seed=7").unwrap()].concat();
    for (found, expected) in [
        (&positions[..], "not from self-play"),
        (b"b\tstartpos moves 7g7f\n", "not from self-play"),
        (&magic, "not from self-play"),
        (&header, "the header is damaged"),
        (&strange, "game 12: expected what self-play writes there"),
        (&repeated, "game 1: expected what self-play writes there"),
        (&version, "version 2 of the format: expected 1"),
    ] {
        fs::write(&path, found).unwrap();
        let error = Output::open(&path, &SETTINGS.to_string()).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("here.play: "), "{error}");
        assert!(fs::read(&path).unwrap() == found, "{error}");
    }
    fs::write(&path, bytes).unwrap();
    let error = Output::open(&path, "seed=8").unwrap_err();
    assert!(matches!(error.problem, RunFileProblem::Settings { .. }));
    let error = error.to_string();
    assert!(error.contains(&SETTINGS.to_string()) && error.contains("'seed=8'"), "{error}");
    let first = Output::open(&path, &SETTINGS.to_string()).unwrap();
    let second = Output::open(&path, &SETTINGS.to_string());
    assert!(matches!(second, Err(RunFileError { problem: RunFileProblem::InUse, .. })));
    drop(first);
    let nowhere = Output::open(&folder.join("no such folder/x.play"), "seed=7").unwrap_err();
    assert!(nowhere.to_string().contains("no such folder"), "{nowhere}");
    assert!(fs::read(&path).unwrap() == *bytes);
}

#[test]
fn the_openings_are_not_overwritten() {
    let folder = folder::empty("selfplay overwriting");
    let openings = folder.join("openings.usi");
    // Empty, it would be taken for a file to begin.
    fs::write(&openings, "").unwrap();
    for output in ["openings.usi", "./openings.usi"] {
        let mut run = short_run(&folder.join(output));
        let refused = command::run(run.arg("--openings").arg(&openings));
        let expected = "is the file of --openings as well";
        assert!(!refused.success && refused.stderr.contains(expected), "{}", refused.stderr);
    }
    assert_eq!(folder::count(&folder), 1);
}

#[test]
fn options_out_of_range_are_refused() {
    let folder = folder::empty("selfplay numbers");
    for (option, value) in [
        ("--max-moves", "4294967295"),
        ("--max-moves", "65536"),
        ("--max-moves", "0"),
        ("--resign-at", "0"),
        ("--resign-at", "-100"),
        ("--random-margin", "2147483647"),
        ("--balance", "-1"),
    ] {
        let arguments =
            ["learn", "selfplay", "--games", "1", &format!("{option}={value}"), "--output", "x.play"];
        let Run { success, stderr, .. } = command::run_in(&folder, &arguments);
        assert!(!success && stderr.contains(option) && stderr.contains(value), "{stderr}");
    }
    assert_eq!(folder::count(&folder), 0);
}

#[test]
fn openings_that_are_used_up_end_the_run() {
    let folder = folder::empty("selfplay used up");
    let settings = SelfplaySettings { random_moves: 0, nodes: 20, ..SETTINGS };
    let play_until =
        |path: &Path, until| play(path, "startpos\n", &settings, Goal { games: u64::MAX, ..ALL }, 2, until);
    let is_used_up = |path: &Path| {
        let error = play_until(path, u64::MAX).unwrap_err();
        assert!(matches!(error, RunError::UsedUp { games: 1000 }), "{error}");
    };
    let whole = folder.join("whole.play");
    is_used_up(&whole);
    assert_eq!(games(&whole).iter().filter(|game| game.ending.is_played()).count(), 1);
    let file = fs::read(&whole).unwrap();
    // Neither a break nor another try adds to it.
    let broken = folder.join("broken.play");
    play_until(&broken, 600).unwrap();
    for path in [&broken, &whole] {
        is_used_up(path);
        assert!(fs::read(path).unwrap() == file, "{}", path.display());
    }
}

/// Before a child becomes another program, it has all open files of its parent, and the locks on them.
#[cfg(unix)]
#[test]
fn other_threads_may_start_processes() {
    let path = folder::empty("selfplay processes").join("again.play");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                assert!(command::run(&mut jitsugen(["--version"])).success);
            }
        });
        let opened = (0..20_000).try_for_each(|_| Output::open(&path, "seed=7").map(drop));
        done.store(true, Relaxed);
        opened.unwrap();
    });
}

/// A run of 24 games, not started yet.
fn short_run(path: &Path) -> Command {
    let mut run = jitsugen(["learn", "selfplay", "--nodes", "30", "--games", "24", "--threads", "2"]);
    run.args(["--random-moves", "4", "--max-moves", "100"]);
    run.arg("--from").arg(built_in_files()).arg("--output").arg(path);
    run.stdout(Stdio::piped()).stderr(Stdio::piped());
    run
}

#[test]
fn a_run_that_is_killed_loses_nothing() {
    let folder = folder::empty("selfplay killed");
    let whole = folder.join("whole.play");
    let finished = command::run(&mut short_run(&whole));
    assert!(finished.success && finished.stderr.is_empty(), "{finished:?}");
    let said = finished.stdout;
    assert!(
        said.contains("\nGames: 24\n") && said.lines().last().unwrap().starts_with("Positions: "),
        "{said}"
    );

    let path = folder.join("killed.play");
    let mut random = Rng::with_seed(11);
    let (mut kills, mut patience) = (0, 30);
    loop {
        let mut process = short_run(&path).spawn().unwrap();
        // The first runs may not even get to their first game; each has half as much time again as the one before.
        std::thread::sleep(Duration::from_millis(patience + random.usize(..20) as u64));
        patience += patience / 2;
        if process.try_wait().unwrap().is_some() {
            break;
        }
        process.kill().unwrap();
        process.wait().unwrap();
        kills += 1;
    }
    assert!(kills > 0, "the whole run ended before it was killed");
    assert!(fs::read(&path).unwrap() == fs::read(&whole).unwrap());

    let mut inspect = jitsugen(["learn", "inspect", "--head", "2", "--plots"]);
    let shown = command::run(inspect.arg(&folder).arg(&path));
    let text = shown.stdout;
    assert!(shown.success && shown.stderr.is_empty(), "{text}");
    let count: usize = games(&path).iter().map(|game| game.positions.len()).sum();
    assert!(text.ends_with(&format!("\nPositions: {count}\n")), "{text}");
    for plot in ["score.svg", "ply.svg", "result.svg"] {
        assert!(fs::read_to_string(folder.join(plot)).unwrap().starts_with("<svg"), "{plot}");
    }
}

/// Other programs read plain packed positions and USI lines.
#[test]
fn a_run_is_exported_in_the_fields_forms() {
    let folder = folder::empty("selfplay export");
    fs::write(folder.join("all.play"), reference()).unwrap();
    let export = |arguments: &[&str]| command::run_in(&folder, &[&["learn", "export"], arguments].concat());
    let (games, _) = read_bytes(reference()).unwrap();
    let Run { success, stdout, stderr } =
        export(&["all.play", "--positions", "all.psv", "--games", "all.usi"]);
    assert!(success && stderr.is_empty(), "{stderr}");
    let mut positions = Vec::new();
    let summary = packed::read_file(&folder.join("all.psv"), |packed, _| positions.push(*packed)).unwrap();
    assert_eq!((summary.skipped, summary.left_over), (0, 0));
    assert_eq!(positions, games.iter().flat_map(|game| game.positions.clone()).collect::<Vec<_>>());
    let text = fs::read(folder.join("all.usi")).unwrap();
    let records = record::read_each(&text, Some(Format::Usi)).into_iter().map(Result::unwrap);
    let winners: Vec<_> = records.map(|record| record.winner()).collect();
    let played = games.iter().filter(|game| game.ending.is_played());
    assert_eq!(winners, played.map(|game| game.winner).collect::<Vec<_>>());
    assert_eq!(stdout, format!("Positions: {}\nGames: {}\n", positions.len(), winners.len()));

    // What is there stays, and of a damaged run the whole games are written.
    let cases: &[(&[&str], &str)] = &[
        (&["all.play", "--positions", "all.psv"], "--positions all.psv: is there"),
        (&["all.play", "--games", "all.play"], "is the file of RUN as well"),
        (&["all.psv", "--games", "no.usi"], "all.psv: is there, but not from self-play"),
    ];
    command::assert_refused(&folder, &["learn", "export"], cases);
    fs::write(folder.join("cut.play"), &reference()[..reference().len() - 7]).unwrap();
    let Run { success, stderr, .. } = export(&["cut.play", "--games", "cut.usi"]);
    assert!(success && stderr.contains("bytes after the last whole game"), "{stderr}");
    assert!(text.starts_with(&fs::read(folder.join("cut.usi")).unwrap()));
    assert!(!folder.join("no.usi").exists());
}
