//! Parts of a self-play run: merged, they are the file of one run, byte for byte.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use jitsugen::learn::selfplay::adjudication::{AdjudicationRules, Ending};
use jitsugen::learn::selfplay::game::SelfplaySettings;
use jitsugen::learn::selfplay::merge::{MergeError, Merged, merge};
use jitsugen::learn::selfplay::openings::Openings;
use jitsugen::learn::selfplay::output::Output;
use jitsugen::learn::selfplay::run_file::{self, MAX_FIRST};
use jitsugen::learn::selfplay::{Goal, RunError, run};
use jitsugen::util::frames;

use crate::support::command::{self, Run, jitsugen};
use crate::support::evaluation::{built_in_files, material_only};
use crate::support::folder;

const SETTINGS: SelfplaySettings = SelfplaySettings {
    seed: 7,
    nodes: 30,
    random_moves: 1,
    random_margin: 200,
    balance: 600,
    inner_bits: Some(1),
    adjudication: AdjudicationRules { resign_at: 1500, resign_plies: 4, max_moves: 60 },
};

/// Many games begin alike. In the last opening, White is a rook down.
const OPENINGS: &str = "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d 2f2e\nstartpos\n\
                        sfen lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";

/// The games of a whole run.
const GAMES: u64 = 24;

/// Plays `games` games from number `first` on by material alone, or until `until` games are there.
fn play(path: &Path, openings: &str, first: u64, games: u64, until: u64) -> Result<(), RunError> {
    let (openings, bad) = Openings::parse(openings);
    assert_eq!(bad, []);
    let mut output = Output::open_part(path, &SETTINGS.to_string(), first).map_err(RunError::Output)?;
    let goal = Goal { positions: u64::MAX, games };
    run(&SETTINGS, &openings, material_only(), &mut output, goal, 2, |output| {
        if output.games() >= until { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

/// The file of one run.
fn whole() -> &'static Vec<u8> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let path = folder::empty("selfplay whole run").join("whole.play");
        play(&path, OPENINGS, 0, GAMES, u64::MAX).unwrap();
        fs::read(&path).unwrap()
    })
}

/// The parts that begin with these games, in `folder`.
fn play_parts(folder: &Path, firsts: &[u64]) -> Vec<PathBuf> {
    let ends = firsts.iter().skip(1).copied().chain([GAMES]);
    let parts = firsts.iter().zip(ends).map(|(&first, end)| {
        let path = folder.join(format!("{first}.play"));
        play(&path, OPENINGS, first, end - first, u64::MAX).unwrap();
        path
    });
    parts.collect()
}

fn endings(path: &Path) -> Vec<Ending> {
    let mut endings = Vec::new();
    assert_eq!(run_file::read(path, |game| endings.push(game.ending)).unwrap(), 0);
    endings
}

#[test]
fn merged_parts_are_the_file_of_one_run() {
    for firsts in [&[0][..], &[0, 12], &[0, 1, 9, 23]] {
        let folder = folder::empty("selfplay parts");
        let mut parts = play_parts(&folder, firsts);
        let apart: Vec<_> = parts.iter().flat_map(|path| endings(path)).collect();
        parts.reverse();
        let output = folder.join("merged.play");
        let mut bytes = 0;
        let merged = merge(&parts, &output, Some(GAMES), |read| bytes = read).unwrap();
        assert!(fs::read(&output).unwrap() == *whole(), "{firsts:?}");
        assert_eq!(bytes, parts.iter().map(|path| path.metadata().unwrap().len()).sum::<u64>());
        let together = endings(&output);
        let dropped = apart.iter().zip(&together).filter(|(apart, merged)| apart != merged);
        let played = dropped.filter(|(apart, _)| apart.is_played()).count() as u64;
        assert_eq!((merged.games, merged.duplicates, merged.left_out), (GAMES, played, 0));
        assert_eq!(played > 0, firsts.len() > 1, "parts have games that begin alike: {firsts:?}");
        // The merged file goes on as that of one run does.
        play(&output, OPENINGS, 0, GAMES + 4, u64::MAX).unwrap();
        let longer = folder.join("longer.play");
        fs::write(&longer, whole()).unwrap();
        play(&longer, OPENINGS, 0, GAMES + 4, u64::MAX).unwrap();
        assert!(fs::read(&output).unwrap() == fs::read(&longer).unwrap(), "{firsts:?}");
    }
}

#[test]
fn a_part_goes_on_from_any_break() {
    let folder = folder::empty("selfplay broken parts");
    let parts = play_parts(&folder, &[0, 10]);
    let file = fs::read(&parts[1]).unwrap();
    let broken = folder.join("broken.play");
    play(&broken, OPENINGS, 10, 14, 5).unwrap();
    assert!(fs::read(&broken).unwrap().len() < file.len());
    for cut in [None, Some(file.len() - 1), Some(file.len() / 2), Some(30), Some(3), Some(0)] {
        if let Some(cut) = cut {
            fs::write(&broken, &file[..cut]).unwrap();
        }
        play(&broken, OPENINGS, 10, 14, u64::MAX).unwrap();
        assert!(fs::read(&broken).unwrap() == file, "cut to {cut:?} bytes");
    }
    // With another first game, or as a whole run, it is refused and stays.
    for (first, expected) in [(9, "first=9', or a new name"), (0, "inner-bits=1', or a new name")] {
        let error = play(&broken, OPENINGS, first, 14, u64::MAX).unwrap_err().to_string();
        assert!(error.contains("inner-bits=1 first=10'") && error.contains(expected), "{error}");
    }
    let error = play(&parts[0], OPENINGS, 10, 14, u64::MAX).unwrap_err().to_string();
    assert!(error.contains("inner-bits=1': expected") && error.contains("first=10'"), "{error}");
    assert!(fs::read(&broken).unwrap() == file);
}

/// One run ends after a thousand games in a row without a position, whichever parts they are in.
#[test]
fn parts_after_the_end_of_the_openings_are_left_out() {
    let folder = folder::empty("selfplay parts used up");
    let [one, first, second, third, output] =
        ["one", "first", "second", "third", "merged"].map(|name| folder.join(name));
    // One random move at most: there are some thirty starts.
    let start = "startpos\n";
    let is_used_up = |path: &Path, first, games| {
        let error = play(path, start, first, games, u64::MAX).unwrap_err();
        assert!(matches!(error, RunError::UsedUp { games: 1000 }), "{error}");
    };
    is_used_up(&one, 0, 5000);
    let games = endings(&one).len() as u64;
    let last = endings(&one).iter().rposition(|ending| ending.is_played()).unwrap() as u64;
    assert_eq!(games, last + 1001);
    play(&first, start, 0, last + 400, u64::MAX).unwrap();
    play(&second, start, last + 400, 700, u64::MAX).unwrap();
    let merged = merge(&[second, first], &output, None, |_| ()).unwrap();
    assert_eq!((merged.games, merged.left_out), (games, 99));
    assert!(fs::read(&output).unwrap() == fs::read(&one).unwrap());
    // A part that ended so has fewer games than the next one expects.
    play(&third, start, 5000, 3, u64::MAX).unwrap();
    let merged = merge(&[third, one.clone()], &output, Some(5003), |_| ()).unwrap();
    assert_eq!((merged.games, merged.left_out), (games, 3));
    assert!(fs::read(&output).unwrap() == fs::read(&one).unwrap());
}

#[test]
fn parts_that_do_not_make_one_run_are_refused() {
    let folder = folder::empty("selfplay refused parts");
    let parts = play_parts(&folder, &[0, 5, 9]);
    play(&folder.join("8.play"), OPENINGS, 8, 3, u64::MAX).unwrap();
    play(&folder.join("empty.play"), OPENINGS, 24, 0, u64::MAX).unwrap();
    let last = fs::read(&parts[2]).unwrap();
    fs::write(folder.join("cut.play"), &last[..last.len() - 7]).unwrap();
    let mut damaged = last.clone();
    damaged[200] ^= 1;
    fs::write(folder.join("damaged.play"), damaged).unwrap();
    fs::write(folder.join("strange.play"), [&last[..], &frames::encode(b"strange").unwrap()].concat())
        .unwrap();
    fs::write(folder.join("copy.play"), &last).unwrap();
    fs::write(folder.join("text.play"), "startpos\n").unwrap();
    let other = SelfplaySettings { seed: 8, ..SETTINGS };
    drop(Output::open_part(&folder.join("other.play"), &other.to_string(), 9).unwrap());
    // A number that no part has belongs to the settings.
    drop(Output::open(&folder.join("huge.play"), &format!("{SETTINGS} first={}", MAX_FIRST + 1)).unwrap());
    let cases: &[(&[&str], &str)] = &[
        (&["5.play", "9.play"], "5.play: begins with game 5: expected a part with game 0"),
        (
            &["9.play", "0.play"],
            "9.play: begins with game 9, and 0.play ends before game 5: games 5 to 8 are missing, expected each once",
        ),
        (
            &["0.play", "5.play", "8.play"],
            "8.play: begins with game 8, and 5.play ends before game 9: games 8 to 8 are in both, expected each once",
        ),
        (&["0.play", "5.play", "9.play", "copy.play"], "games 9 to 23 are in both"),
        (&["0.play", "5.play", "9.play", "./0.play"], "PART ./0.play: is the file of PART as well"),
        (&["0.play", "5.play", "cut.play"], "bytes at the end are no whole game: expected game 23"),
        (&["0.play", "5.play", "damaged.play"], "bytes at the end are no whole game: expected game 9"),
        (
            &["0.play", "5.play", "strange.play"],
            "strange.play: game 24: expected what self-play writes there",
        ),
        (&["0.play", "5.play", "9.play", "empty.play"], "empty.play: has no game: expected game 24"),
        (&["0.play", "5.play", "text.play"], "text.play: is there, but not from self-play"),
        (&["0.play", "5.play", "none.play"], "none.play: "),
        (&["0.play", "5.play", "other.play"], "other.play: was begun with 'seed=8 "),
        (&["0.play", "5.play", "other.play"], "inner-bits=1', as in 0.play"),
        (&["0.play", "huge.play"], "first=281474976710657': expected "),
        (&["0.play", "5.play", "9.play", "--games", "25"], "the parts have 24 games: expected 25"),
        (&["0.play", "5.play", "--games", "8"], "the parts have 9 games: expected 8"),
    ];
    let cases: Vec<(Vec<&str>, &str)> = cases
        .iter()
        .map(|(parts, expected)| ([parts, &["--output", "merged.play"][..]].concat(), *expected))
        .chain([
            (vec!["0.play", "--output", "0.play"], "is the file of PART as well"),
            (vec!["0.play", "--output", "5.play"], "--output 5.play: is there: expected a new name"),
            (vec!["--output", "merged.play"], "PART"),
        ])
        .collect();
    let cases: Vec<(&[&str], &str)> = cases.iter().map(|(case, expected)| (&case[..], *expected)).collect();
    let files = folder::count(&folder);
    command::assert_refused(&folder, &["learn", "merge"], &cases);
    assert_eq!(folder::count(&folder), files, "nothing is left");
    assert!(fs::read(&parts[2]).unwrap() == last);

    // A part that is still being played.
    let being_played = Output::open_part(&parts[2], &SETTINGS.to_string(), 9).unwrap();
    let error = merge(&parts, &folder.join("merged.play"), None, |_| ()).unwrap_err();
    assert!(error.to_string().contains("9.play: another process is writing it"), "{error}");
    drop(being_played);
    assert!(matches!(merge(&[], &folder.join("merged.play"), None, |_| ()), Err(MergeError::NoPart)));
    assert!(!folder.join("merged.play").exists());
    let merged = merge(&parts, &folder.join("merged.play"), None, |_| ()).unwrap();
    assert!(matches!(merged, Merged { games: GAMES, left_out: 0, .. }));
}

/// The command line, and what the other commands make of a part.
#[test]
fn parts_are_played_and_merged_by_commands() {
    let folder = folder::empty("selfplay commands of parts");
    let selfplay = |arguments: &[&str]| {
        let mut play =
            jitsugen(["learn", "selfplay", "--nodes", "20", "--max-moves", "40", "--random-moves", "2"]);
        play.arg("--from").arg(built_in_files()).args(arguments).current_dir(&folder);
        command::run(&mut play)
    };
    for arguments in [
        &["--output", "one.play", "--games", "8"][..],
        &["--output", "a.play", "--games", "3", "--first", "0"],
        &["--output", "b.play", "--games", "5", "--first", "3"],
    ] {
        let Run { success, stdout, stderr } = selfplay(arguments);
        assert!(success && stdout.contains(&format!("\nGames: {}\n", arguments[3])), "{stdout}{stderr}");
    }
    let learn = |arguments: &[&str]| {
        let Run { success, stdout, stderr } = command::run_in(&folder, &[&["learn"], arguments].concat());
        assert!(success && stderr.is_empty(), "{arguments:?}: {stderr}");
        stdout
    };
    let said = learn(&["merge", "b.play", "a.play", "--output", "merged.play", "--games", "8"]);
    assert!(said.starts_with("Parts: 2\nDuplicates of earlier parts: "), "{said}");
    assert!(said.contains("\nGames: 8\nPositions: "), "{said}");
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    assert!(read("merged.play") == read("one.play"));

    // A part is read as a run is.
    let count: usize = {
        let mut count = 0;
        run_file::read(&folder.join("b.play"), |game| count += game.positions.len()).unwrap();
        count
    };
    assert!(learn(&["export", "b.play", "--positions", "b.psv"]).contains(&format!("Positions: {count}\n")));
    assert!(learn(&["inspect", "b.play"]).ends_with(&format!("\nPositions: {count}\n")));

    for (arguments, expected) in [
        (&["--first", "3", "--positions", "100"][..], "--positions"),
        (&["--first", "3", "--games", "5", "--positions", "100"], "--positions"),
        (&["--first", "281474976710657", "--games", "5"], "--first"),
        (&["--first", "-1", "--games", "5"], "'-1'"),
    ] {
        let Run { success, stderr, .. } = selfplay(&[&["--output", "no.play"], arguments].concat());
        assert!(!success && stderr.contains(expected) && stderr.starts_with("error"), "{stderr}");
    }
    assert!(!folder.join("no.play").exists());
}
