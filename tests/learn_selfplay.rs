//! Self-play: the same files with any number of threads and interruptions, and games that end as they say.

use std::collections::HashSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use fastrand::Rng;
use jitsugen::learn::selfplay::adjudication::{Bounds, Ending};
use jitsugen::learn::selfplay::entry::Entry;
use jitsugen::learn::selfplay::openings::Openings;
use jitsugen::learn::selfplay::output::{Output, OutputError};
use jitsugen::learn::selfplay::{Goal, RunError, Settings, run};
use jitsugen::learn::sources::{Content, Sources, Split};
use jitsugen::record::packed::GameStarts;
use jitsugen::record::packed::{self, Outcome, TrainingPosition};
use jitsugen::record::{self, Format, Record};
use jitsugen::shogi::color::Color;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{Declaration, EnteringKingRule};

use crate::support::command::{self, jitsugen};
use crate::support::evaluation::{built_in_files, material_only};
use crate::support::folder;

const SETTINGS: Settings = Settings {
    seed: 7,
    nodes: 30,
    random_moves: 3,
    random_margin: 200,
    balance: 600,
    bounds: Bounds { resign_at: 1500, resign_plies: 4, max_moves: 80 },
};

/// Two are alike, and in the last White is a rook down.
const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d 2f2e\nstartpos\n\
                        sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

const ALL: Goal = Goal { positions: u64::MAX, games: 12 };

/// Plays by material alone to `goal`, or until there are `until` games.
fn play(
    path: &Path,
    openings: &str,
    settings: &Settings,
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

fn both(path: &Path) -> (Vec<u8>, Vec<u8>) {
    (fs::read(path).unwrap(), fs::read(path.with_extension("usi")).unwrap())
}

/// Positions and games of an uninterrupted run on one thread.
fn reference() -> &'static (Vec<u8>, Vec<u8>) {
    static FILES: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    FILES.get_or_init(|| {
        let path = folder::empty("selfplay reference").join("all.psv");
        play(&path, OPENINGS, &SETTINGS, ALL, 1, u64::MAX).unwrap();
        both(&path)
    })
}

/// The positions of the file, game by game.
fn positions(path: &Path) -> Vec<Vec<TrainingPosition>> {
    let mut games: Vec<Vec<TrainingPosition>> = Vec::new();
    let mut runs = GameStarts::default();
    let summary = packed::read_file(path, |_, known| {
        if runs.begins(&known) {
            games.push(Vec::new());
        }
        games.last_mut().expect("the first position begins a game").push(known);
    });
    assert_eq!(summary.unwrap().skipped, 0);
    games
}

/// As positions and as records. The positions alone do not show the opening.
#[test]
fn games_of_one_opening_are_all_held_back_or_none() {
    let folder = folder::empty("selfplay openings on one side");
    let games = record::read_each(&reference().1, Some(Format::Usi)).into_iter().map(Result::unwrap);
    let mut openings: Vec<String> = games
        .filter(|game| game.start_position().key() == Position::start().key() && game.moves().count() > 24)
        .map(|game| game.moves().take(24).map(|mv| format!(" {mv}")).collect())
        .collect();
    openings.truncate(4);
    assert_eq!(openings.len(), 4);
    let lines: String = openings.iter().map(|moves| format!("startpos moves{moves}\n")).collect();
    let path = folder.join("all.psv");
    play(&path, &lines, &Settings { balance: 100_000, ..SETTINGS }, ALL, 2, u64::MAX).unwrap();
    let opening = |moves: &[Move]| {
        let moves: String = moves.iter().take(24).map(|mv| format!(" {mv}")).collect();
        openings.iter().position(|opening| *opening == moves).unwrap()
    };
    let mut sides_met = HashSet::new();
    for seed in 0..8 {
        let split = Split { share: 0.5, seed };
        let mut sources = Sources::default();
        sources.add_games(&path.with_extension("usi"), split, &mut |message| panic!("{message}")).unwrap();
        sources.add_positions(&path, split, &mut |message| panic!("{message}")).unwrap();
        let (records, positions) = sources.games.split_at(sources.games.len() / 2);
        assert!(records.len() > 4 && records.len() == positions.len());
        let mut sides = [None; 4];
        for (record, positions) in records.iter().zip(positions) {
            let Content::Moves(_, moves, _) = &record.content else { panic!("a game has moves") };
            assert!(matches!(positions.content, Content::Positions(_)));
            let side = *sides[opening(moves)].get_or_insert(record.held_back);
            assert_eq!([record.held_back, positions.held_back], [side; 2], "seed {seed}");
        }
        sides_met.extend(sides);
    }
    assert!([Some(false), Some(true)].iter().all(|side| sides_met.contains(side)));
}

#[test]
fn the_files_are_the_same_with_any_number_of_threads() {
    let folder = folder::empty("selfplay threads");
    for threads in [2, 3] {
        let path = folder.join(format!("{threads}.psv"));
        // The file of games is locked while it is being written. On Windows it cannot be read then.
        let games = play(&path, OPENINGS, &SETTINGS, ALL, threads, u64::MAX).unwrap().games();
        assert_eq!(games, ALL.games);
        assert_eq!(&both(&path), reference(), "{threads} threads");
    }
    // Another seed plays other games.
    let path = folder.join("other.psv");
    play(&path, OPENINGS, &Settings { seed: 8, ..SETTINGS }, ALL, 2, u64::MAX).unwrap();
    assert_ne!(both(&path).0, reference().0);
}

#[test]
fn games_end_as_they_say() {
    let folder = folder::empty("selfplay endings");
    let path = folder.join("games.psv");
    let settings = Settings { random_moves: 8, ..SETTINGS };
    let goal = Goal { positions: u64::MAX, games: 40 };
    let output = play(&path, OPENINGS, &settings, goal, 2, u64::MAX).unwrap();
    let (results, endings) = (output.results(), output.endings().collect::<Vec<_>>());
    drop(output);
    let text = fs::read_to_string(path.with_extension("usi")).unwrap();
    let games: Vec<Record> =
        record::read_each(text.as_bytes(), Some(Format::Usi)).into_iter().map(Result::unwrap).collect();
    let known = positions(&path);
    let entries: Vec<&str> = text.lines().filter(|line| line.starts_with("# game=")).collect();
    assert_eq!(entries.len(), 40);
    let field = |line: &str, name: &str| {
        line.split(' ')
            .find_map(|word| word.strip_prefix(name).map(str::to_string))
            .expect("the field is there")
    };
    let unplayed = ["unbalanced", "duplicate"];
    let played: Vec<&str> =
        entries.iter().copied().filter(|entry| !unplayed.contains(&field(entry, "end=").as_str())).collect();
    assert_eq!((games.len(), known.len()), (played.len(), played.len()));
    let mut met = HashSet::new();
    let mut starts = HashSet::new();
    for ((entry, game), known) in played.into_iter().zip(&games).zip(&known) {
        assert!(starts.insert(field(entry, "start=")), "no two games begin alike");
        assert_eq!(field(entry, "start="), format!("{:016x}", known[0].position.key().0));
        let end = field(entry, "end=");
        let last = known.last().unwrap();
        let winner = game.winner();
        for known in known {
            assert_eq!(known.result, Outcome::of(known.position.side(), winner), "{entry}");
        }
        // The moves of the positions are the last of the game, except for one that was not played any more.
        let moves: Vec<_> = known.iter().map(|known| known.best.unwrap()).collect();
        let adjudicated = matches!(end.as_str(), "resigned" | "mate-found");
        let moves = &moves[..moves.len() - usize::from(adjudicated)];
        let all: Vec<_> = game.moves().collect();
        assert!(all.ends_with(moves), "{entry}");
        let end_position = game.final_position();
        assert_eq!(known[0].position.move_number() + moves.len() as u32, end_position.move_number());
        assert!(i32::from(known[0].score).abs() <= settings.balance, "{entry}");
        match end.as_str() {
            "mated" => {
                assert!(jitsugen::shogi::generate::all_legal(&end_position).is_empty());
                assert_eq!(winner, Some(!end_position.side()));
            }
            "mate-found" => {
                assert!(last.score.abs() > 31_000, "{entry}");
                assert_eq!(winner == Some(last.position.side()), last.score > 0);
            }
            "resigned" => {
                for known in &known[known.len() - settings.bounds.resign_plies as usize..] {
                    assert!(i32::from(known.score).abs() >= settings.bounds.resign_at, "{entry}");
                    assert_eq!(winner == Some(known.position.side()), known.score > 0, "{entry}");
                }
            }
            "declared" => {
                let rule = EnteringKingRule::Points27;
                assert_eq!(end_position.declaration(rule), Some(Declaration::Win));
                assert_eq!(winner, Some(end_position.side()));
            }
            "repetition" | "perpetual-check" => {
                assert!(end_position.sennichite().is_some(), "{entry}");
                assert_eq!(winner.is_none(), end == "repetition");
            }
            "max-moves" => {
                assert_eq!(end_position.move_number(), settings.bounds.max_moves + 1);
                assert_eq!(winner, None);
            }
            other => panic!("{other}"),
        }
        met.insert(end);
    }
    let [black, white, drawn] = results;
    assert_eq!(games.iter().filter(|game| game.winner() == Some(Color::Black)).count() as u64, black);
    assert_eq!(games.iter().filter(|game| game.winner() == Some(Color::White)).count() as u64, white);
    assert_eq!(games.len() as u64, black + white + drawn);
    for ending in [Ending::Duplicate, Ending::Unbalanced] {
        let &(_, count) = endings.iter().find(|&&(known, _)| known == ending).unwrap();
        assert!(count > 0, "{ending:?}");
    }
    println!("self-play: {} games ended in these ways: {met:?}", games.len());
    assert!(met.len() >= 2, "{met:?}");
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_files() {
    let folder = folder::empty("selfplay interrupted");
    let path = folder.join("interrupted.psv");
    play(&path, OPENINGS, &SETTINGS, ALL, 2, 5).unwrap();
    assert!(both(&path).0.len() < reference().0.len());
    play(&path, OPENINGS, &SETTINGS, ALL, 1, u64::MAX).unwrap();
    assert_eq!(&both(&path), reference());
    // Also when there is nothing left to play.
    play(&path, OPENINGS, &SETTINGS, ALL, 1, u64::MAX).unwrap();
    assert_eq!(&both(&path), reference());

    // With any part of either file on the disk.
    let mut random = Rng::with_seed(3);
    let (data, games) = reference();
    let mut cuts = vec![(0, 0), (0, 10), (0, games.len()), (data.len(), games.len() - 1)];
    cuts.extend((0..3).map(|_| {
        let games = random.usize(..games.len());
        (data.len() * 3 / 4 + random.usize(..data.len() / 4), games)
    }));
    for (data_length, games_length) in cuts {
        // The first line of the games is written before any position.
        let heading = games.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let data_length = if games_length < heading { 0 } else { data_length };
        fs::write(&path, &data[..data_length]).unwrap();
        fs::write(path.with_extension("usi"), &games[..games_length]).unwrap();
        let expected = positions_named(&games[..games_length]) * packed::BYTES;
        let output = Output::open(&path, &SETTINGS.to_string()).unwrap();
        assert_eq!(output.lost(), expected > data_length, "{expected} bytes, cut to {data_length}");
        drop(output);
        play(&path, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
        assert_eq!(&both(&path), reference(), "cut to {data_length} and {games_length} bytes");
    }
}

/// How many positions the whole lines of a file of games name.
fn positions_named(games: &[u8]) -> usize {
    let text = String::from_utf8_lossy(games);
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.filter_map(Entry::parse).map(|entry| entry.positions as usize).sum()
}

/// A run that was stopped before its first game leaves a heading alone. Then a user puts other positions beside it.
#[test]
fn positions_without_games_are_left_as_they_are() {
    let path = folder::empty("selfplay heading").join("other.psv");
    let (data, games) = reference();
    let heading = games.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let many = data.repeat(3_000_000 / data.len());
    fs::write(&path, &many).unwrap();
    fs::write(path.with_extension("usi"), &games[..heading]).unwrap();
    let error = Output::open(&path, &SETTINGS.to_string()).expect_err("the positions are not ours");
    assert!(matches!(&error, OutputError::Foreign(named) if *named == path), "{error}");
    assert!(both(&path) == (many, games[..heading].to_vec()));
}

/// The games came back from an earlier copy, the positions did not.
#[test]
fn positions_far_beyond_the_games_are_left_as_they_are() {
    let path = folder::empty("selfplay earlier games").join("whole.psv");
    play(&path, OPENINGS, &SETTINGS, ALL, 1, 4).unwrap();
    let (known, earlier) = both(&path);
    // What a power failure may take, and a game that has no line yet.
    let most = known.len() + (400_000 + 65_535) * packed::BYTES;
    for (length, is_refused) in [(most + packed::BYTES, true), (most, false)] {
        let mut many = reference().0.clone();
        many.resize(length, 1);
        fs::write(&path, &many).unwrap();
        let opened = Output::open(&path, &SETTINGS.to_string()).map(drop).map_err(|error| error.to_string());
        if is_refused {
            let error = opened.expect_err("an interruption leaves fewer");
            assert!(error.contains("whole.psv: ") && error.contains("whole.usi"), "{error}");
            assert!(error.contains("465536 positions"), "{error}");
            assert!(both(&path) == (many, earlier.clone()));
        } else {
            assert_eq!(opened, Ok(()));
            assert!(both(&path) == (known.clone(), earlier.clone()));
        }
    }
}

/// After a power failure the games may be there, with zeros for their last positions.
#[test]
fn games_whose_positions_are_lost_are_played_again() {
    let folder = folder::empty("selfplay power failure");
    let path = folder.join("zeros.psv");
    let (data, games) = reference();
    for zeros in [40, 40 + 3, 1000, data.len()] {
        let mut bytes = data.clone();
        let from = bytes.len() - zeros;
        bytes[from..].fill(0);
        fs::write(&path, bytes).unwrap();
        fs::write(path.with_extension("usi"), games).unwrap();
        let output = Output::open(&path, &SETTINGS.to_string()).unwrap();
        assert!(output.lost() && output.games() < ALL.games, "{zeros} bytes");
        drop(output);
        let output = play(&path, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
        assert!(!output.lost());
        drop(output);
        assert_eq!(&both(&path), reference(), "{zeros} bytes");
    }
}

/// A full disk ends the run with a message, and with room again it goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_loses_nothing() {
    let full = folder::empty("selfplay full disk").join("full.psv");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let error = play(&full, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap_err();
    assert!(matches!(error, RunError::Output(OutputError::File { .. })), "{error}");
    assert!(error.to_string().contains("full.psv: No space left"), "{error}");
    fs::remove_file(&full).unwrap();
    fs::write(&full, "").unwrap();
    play(&full, OPENINGS, &SETTINGS, ALL, 2, u64::MAX).unwrap();
    assert_eq!(&both(&full), reference());
}

#[test]
fn foreign_files_are_named_and_left_alone() {
    let folder = folder::empty("selfplay refusals");
    let (data, games) = reference();
    let path = folder.join("here.psv");
    let games_path = path.with_extension("usi");
    let mut other = data.clone();
    other[45] ^= 1;
    // Some programs number the first move 0.
    let mut numbered = other.clone();
    numbered[36..38].fill(0);
    let strange = [games.as_slice(), b"# game=12 opening=1\n"].concat();
    // Seven games of 60,000 positions each, of which not one is there.
    let entry = |number| Entry {
        number,
        opening: 1,
        random_moves: 0,
        start: Position::start().key(),
        ending: Ending::Resigned,
        positions: 60_000,
        checksum: 0,
    };
    let heading_length = games.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let many: String = (0..7).map(|number| format!("b\tstartpos moves 7g7f\n{}", entry(number))).collect();
    let many = [&games[..heading_length], many.as_bytes()].concat();
    let heading = "jitsugen selfplay 1";
    for (data, games, expected) in [
        (Some(&data[..]), None, "both or neither"),
        (None, Some(&games[..]), "both or neither"),
        (Some(&[]), Some(&b"b\tstartpos moves 7g7f\n"[..]), "not from self-play"),
        (Some(&data[..]), Some(&games[..30]), "not from self-play"),
        (Some(&other[..]), Some(&games[..]), "do not have their checksum"),
        (Some(&numbered[..]), Some(&games[..]), "do not have their checksum"),
        (Some(&[]), Some(&many[..]), "without the positions of game 0 and all after it, 420000 in all"),
        (Some(&data[..]), Some(&strange[..]), "expected what self-play writes"),
    ] {
        for (path, bytes) in [(&path, data), (&games_path, games)] {
            let _ = fs::remove_file(path);
            if let Some(bytes) = bytes {
                fs::write(path, bytes).unwrap();
            }
        }
        let error = Output::open(&path, &SETTINGS.to_string()).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert!(error.to_string().contains("here."), "{error}");
        assert_eq!(fs::read(&path).ok().as_deref(), data);
        assert_eq!(fs::read(&games_path).ok().as_deref(), games);
    }
    fs::write(&path, data).unwrap();
    fs::write(&games_path, games).unwrap();
    let error = Output::open(&path, "seed=8").unwrap_err();
    assert!(matches!(error, OutputError::Settings { .. }));
    assert!(error.to_string().contains(heading) && error.to_string().contains("seed=8"), "{error}");
    let first = Output::open(&path, &SETTINGS.to_string()).unwrap();
    assert!(matches!(Output::open(&path, &SETTINGS.to_string()), Err(OutputError::InUse(_))));
    drop(first);
    assert!(matches!(Output::open(&games_path, "seed=7"), Err(OutputError::Name(_))));
    // The same name on some file systems.
    let capitals = folder.join("CAPITALS.USI");
    assert!(matches!(Output::open(&capitals, "seed=7"), Err(OutputError::Name(_))));
    let nowhere = Output::open(&folder.join("no such folder/x.psv"), "seed=7").unwrap_err();
    assert!(nowhere.to_string().contains("no such folder"), "{nowhere}");
    assert_eq!(&both(&path), reference());
}

#[test]
fn the_openings_are_not_overwritten() {
    let folder = folder::empty("selfplay overwriting");
    let openings = folder.join("openings.usi");
    // An empty file would be taken for one to begin.
    fs::write(&openings, "").unwrap();
    for output in ["openings.usi", "./openings.psv"] {
        let refused = command::run(selfplay(&folder.join(output)).arg("--openings").arg(&openings));
        let expected = "is the file of --openings as well";
        assert!(!refused.success && refused.stderr.contains(expected), "{}", refused.stderr);
    }
    assert_eq!(folder::count(&folder), 1);
}

#[test]
fn numbers_out_of_range_are_refused() {
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
        let argument = format!("{option}={value}");
        let arguments = ["learn", "selfplay", "--games", "1", &argument, "--output", "x.psv"];
        let run = command::run_in(&folder, &arguments);
        assert!(!run.success && run.stderr.contains(option) && run.stderr.contains(value), "{}", run.stderr);
    }
    assert_eq!(folder::count(&folder), 0);
}

#[test]
fn openings_that_are_used_up_end_the_run() {
    let folder = folder::empty("selfplay used up");
    let settings = Settings { random_moves: 0, nodes: 20, ..SETTINGS };
    let play_until =
        |path: &Path, until| play(path, "startpos\n", &settings, Goal { games: u64::MAX, ..ALL }, 2, until);
    let is_used_up = |path: &Path| {
        let error = play_until(path, u64::MAX).unwrap_err();
        assert!(matches!(error, RunError::UsedUp { games: 1000 }), "{error}");
    };
    let whole = folder.join("whole.psv");
    is_used_up(&whole);
    assert_eq!(positions(&whole).len(), 1);
    let files = both(&whole);
    // Neither an interruption nor another try adds to them.
    let interrupted = folder.join("interrupted.psv");
    play_until(&interrupted, 600).unwrap();
    for path in [&interrupted, &whole] {
        is_used_up(path);
        assert!(both(path) == files, "{}", path.display());
    }
}

/// A child process has all open files of its parent, with their locks, until it becomes another program.
#[cfg(unix)]
#[test]
fn files_can_be_opened_while_other_threads_start_processes() {
    let path = folder::empty("selfplay processes").join("again.psv");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                jitsugen(["--version"]).stdout(Stdio::null()).status().unwrap();
            }
        });
        let opened = (0..5_000).try_for_each(|_| Output::open(&path, "seed=7").map(drop));
        done.store(true, Relaxed);
        opened.unwrap();
    });
}

/// A run of 24 games with the evaluation that all engines of the tests share.
fn selfplay(path: &Path) -> Command {
    let mut command = jitsugen(["learn", "selfplay", "--nodes", "30", "--games", "24", "--threads", "2"]);
    command.args(["--random-moves", "4", "--max-moves", "100", "--from"]).arg(built_in_files());
    command.arg("--output").arg(path).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn a_killed_run_loses_nothing() {
    let folder = folder::empty("selfplay killed");
    let whole = folder.join("whole.psv");
    let finished = command::run(&mut selfplay(&whole));
    assert!(finished.success && finished.stderr.is_empty(), "{finished:?}");
    assert!(finished.stdout.contains("\nGames: 24\n"), "{}", finished.stdout);
    assert!(finished.stdout.lines().last().unwrap().starts_with("Positions: "), "{}", finished.stdout);

    let path = folder.join("killed.psv");
    let mut random = Rng::with_seed(11);
    let (mut kills, mut patience) = (0, 30);
    loop {
        let mut process = selfplay(&path).spawn().unwrap();
        // The first runs may not get to their first game. Each has half as much time again as the one before.
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
    assert_eq!(both(&path), both(&whole));

    let mut inspect = jitsugen(["learn", "inspect", "--head", "2", "--plots"]);
    let shown = command::run(inspect.arg(&folder).arg(&path));
    assert!(shown.success && shown.stderr.is_empty(), "{shown:?}");
    let count = both(&path).0.len() / packed::BYTES;
    assert!(shown.stdout.ends_with(&format!("\nPositions: {count}\n")), "{}", shown.stdout);
    for plot in ["score.svg", "ply.svg", "result.svg"] {
        assert!(fs::read_to_string(folder.join(plot)).unwrap().starts_with("<svg"), "{plot}");
    }
}
