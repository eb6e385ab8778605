//! `jitsugen learn kppt`: its files, a kill and a full disk, and messages about bad input.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use jitsugen::eval::compact;
use jitsugen::learn::kppt::checkpoint::Checkpoint;
use jitsugen::learn::sources::Content;
use jitsugen::record::packed::{Outcome, TrainingPosition};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::sfen;

use crate::support::command::{self, Run, jitsugen};
use crate::support::folder;
use crate::support::games::{positions, source_game};

/// A file of random games in `folder`.
fn games_file(folder: &Path, games: u64) {
    let line = |seed| {
        let Content::Moves(_, moves, _) = source_game(seed, false, None).content else { unreachable!() };
        let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
        format!("{}\tstartpos moves {}\n", ["b", "w"][seed as usize % 2], moves.join(" "))
    };
    fs::write(folder.join("games.usi"), (0..games).map(line).collect::<String>()).unwrap();
}

#[test]
fn a_killed_training_goes_on_after_its_last_epoch() {
    let folder = folder::empty("learn kppt killed");
    games_file(&folder, 3);
    // A step after each example, so that an epoch takes longer than the test takes to see the end of one.
    let command = |name: &str| {
        let mut command = jitsugen(["learn", "kppt", "--games", "games.usi", "--from", "zero"]);
        command
            .args(["--terms", "piece", "king-piece", "--alternatives", "4"])
            .args(["--rounds", "1", "--epochs", "4", "--batch", "1", "--hold-back", "0.3", "--threads", "2"])
            .args(["--output", &format!("{name}.jge"), "--checkpoint", &format!("{name}.part")])
            .current_dir(&folder);
        command
    };
    let whole = command::run(&mut command("whole"));
    assert!(whole.success, "{}", whole.stderr);

    let path = folder.join("killed.part");
    let (mut kills, mut before) = (0, None);
    loop {
        let mut process = command("killed").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let ended = loop {
            if let Some(status) = process.try_wait().unwrap() {
                assert!(status.success());
                break true;
            }
            if fs::read(&path).ok() != before {
                break false;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if ended {
            break;
        }
        process.kill().unwrap();
        process.wait().unwrap();
        before = fs::read(&path).ok();
        kills += u32::from(Checkpoint::read(&path).unwrap().begun.is_some());
    }
    assert!(kills > 0, "each round ended before it was killed");
    for name in ["jge", "part"] {
        let [one, other] =
            ["whole", "killed"].map(|file| fs::read(folder.join(format!("{file}.{name}"))).unwrap());
        assert!(one == other, "{name}");
    }

    // A build whose search finds other leaves cannot go on.
    let mut checkpoint = Checkpoint::read(&path).unwrap();
    let (begin, rest) = checkpoint.settings.split_once("; search ").unwrap();
    let (search, rest) = rest.split_at(8);
    let (search, other) = (search.to_string(), if search == "00000000" { "00000001" } else { "00000000" });
    checkpoint.settings = format!("{begin}; search {other}{rest}");
    checkpoint.write(&path).unwrap();
    let refused = command::run(&mut command("killed"));
    let expected = format!("killed.part: made with \"search {other}\": expected \"search {search}\"");
    assert!(!refused.success && refused.stderr.contains(&expected), "{}", refused.stderr);
}

/// Both commands name, count and skip a position in which the king could be taken.
#[test]
fn impossible_positions_are_named_and_skipped() {
    let folder = folder::empty("learn kppt impossible");
    let mut bytes = Vec::new();
    for pair in positions(1, 40).windows(2) {
        let (position, best) = (pair[0].clone(), pair[1].last_move());
        let known = TrainingPosition { position, score: 10, best, result: Outcome::Draw };
        bytes.extend(known.pack().unwrap().0);
    }
    let right = bytes.len() / 40;
    let checked = sfen::parse("4k4/9/9/4R4/9/9/9/9/4K4 w - 1").unwrap();
    let known = TrainingPosition { position: checked, score: 0, best: None, result: Outcome::Draw };
    let mut impossible = known.pack().unwrap().0;
    // With Black to move.
    impossible[0] ^= 1;
    bytes.splice(400..400, impossible);
    fs::write(folder.join("play.psv"), bytes).unwrap();
    let fault = "Black is to move and could take the king";
    let text = command::run_in(&folder, &["learn", "inspect", "play.psv"]).stdout;
    let expected = format!("play.psv: {right} positions, 1 skipped, the first is record 11: ");
    assert!(text.contains(&expected) && text.contains(fault), "{text}");
    let arguments = ["--positions", "play.psv", "--from", "zero", "--terms", "piece", "--output", "new.jge"];
    let run =
        learn(&folder, &[&arguments[..], &["--rounds", "1", "--epochs", "1", "--hold-back", "0"]].concat());
    let stderr = run.stderr;
    assert!(run.success, "{stderr}");
    assert!(stderr.contains("play.psv: 1 positions left out, the first is number 11: "), "{stderr}");
    assert!(
        stderr.contains(fault) && stderr.contains("play.psv: 1 games, ") && stderr.contains("; 1 left out")
    );
}

fn learn(folder: &Path, arguments: &[&str]) -> Run {
    command::run_in(folder, &[&["learn", "kppt"], arguments].concat())
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = folder::empty("learn kppt bad input");
    fs::write(folder.join("foreign.psv"), [7; 4000]).unwrap();
    fs::write(folder.join("short.usi"), "startpos moves 7g7f 9z9y\n").unwrap();
    fs::write(folder.join("half.jge"), "JITSUGEN").unwrap();
    for name in ["empty.psv", "play.psv"] {
        fs::write(folder.join(name), "").unwrap();
    }
    let cases: &[(&[&str], &str)] = &[
        (&["--games", "none.usi"], "none.usi"),
        (&["--positions", "foreign.psv"], "foreign.psv"),
        (&["--games", "short.usi"], "short.usi: expected games, but not one is right"),
        (&["--positions", "empty.psv"], "empty.psv: expected positions, but it is empty"),
        (
            &["--positions", "play.psv", "./play.psv"],
            "--positions ./play.psv: is the file of --positions as well",
        ),
        (&["--games", "short.usi", "--curves", "."], ".: cannot be written: expected a file"),
        (&["--games", "short.usi", "--curves", "none/a.svg"], "none/a.svg: cannot be written"),
        (&["--games", "short.usi", "--from", "half.jge"], "half.jge"),
        (&["--games", "short.usi", "--mix", "2"], "--mix 2"),
        (&["--games", "short.usi", "--later", "1.5"], "--later 1.5"),
        (&["--games", "short.usi", "--hold-back", "NaN"], "--hold-back NaN"),
        (&["--games", "short.usi", "--rate", "inf"], "--rate inf"),
        (&["--games", "short.usi", "--scale", "0"], "--scale 0"),
        (&["--games", "short.usi", "--scale", "0.001"], "--scale 0.001, --move-scale 50"),
        (&["--games", "short.usi", "--move-scale", "0.001"], "--move-scale 0.001, --move-weight"),
        (&["--games", "short.usi", "--move-scale", "1e9"], "--move-scale 1000000000"),
        (&["--games", "short.usi", "--prior=-0.5"], "--prior -0.5"),
        (&["--games", "short.usi", "--rounds", "0"], "--rounds"),
        (&["--games", "short.usi", "--epochs", "0"], "--epochs"),
        (&["--games", "short.usi", "--terms", "pears"], "pears"),
        (&[], "nothing to learn from"),
    ];
    command::assert_refused(&folder, &["learn", "kppt", "--output", "new.jge"], cases);
    let run = learn(&folder, &["--games", "short.usi", "--output", "new.jge"]);
    assert!(run.stderr.contains("9z9y"), "the bad move is named");
    assert!(!folder.join("new.jge").exists());
}

#[test]
fn neither_inputs_nor_other_outputs_are_overwritten() {
    let folder = folder::empty("learn kppt overwriting");
    fs::create_dir(folder.join("sub")).unwrap();
    let names = ["games.usi", "play.psv", "start.jge", "notes.txt"];
    for name in names {
        fs::write(folder.join(name), "as it was").unwrap();
    }
    let inputs = ["learn", "kppt", "--games", "games.usi", "--positions", "play.psv", "--from", "start.jge"];
    let cases: &[(&[&str], &str)] = &[
        (&["--output", "games.usi"], "--output games.usi: is the file of --games as well"),
        (&["--output", "sub/../play.psv"], "--output sub/../play.psv: is the file of --positions as well"),
        (&["--output", "./start.jge"], "--output ./start.jge: is the file of --from as well"),
        (&["--output", "a", "--checkpoint", "games.usi"], "--checkpoint games.usi: is the file of --games"),
        (&["--output", "a", "--curves", "play.psv"], "--curves play.psv: is the file of --positions as well"),
        // Not there yet, but one file.
        (&["--output", "a", "--checkpoint", "sub/../a"], "--checkpoint sub/../a: is the file of --output"),
        (
            &["--output", "a", "--checkpoint", "b", "--curves", "./b"],
            "--curves ./b: is the file of --checkpoint",
        ),
        // Something else.
        (&["--output", "notes.txt"], "--output notes.txt: is there, but no evaluation: expected a new name"),
        (&["--output", "a", "--curves", "notes.txt"], "--curves notes.txt: is there, but no drawing (SVG)"),
    ];
    command::assert_refused(&folder, &inputs, cases);
    for name in names {
        assert_eq!(fs::read(folder.join(name)).unwrap(), b"as it was");
    }
    assert_eq!(folder::count(&folder), 5);
}

/// The whole command: a compact file that the engine takes, a checkpoint, curves.
#[test]
fn the_command_writes_its_files() {
    let folder = folder::empty("learn kppt command");
    games_file(&folder, 4);
    let arguments =
        ["--games", "games.usi", "--output", "new.jge", "--curves", "new.svg", "--checkpoint", "new.part"];
    let more = ["--terms", "pair", "--rounds", "1", "--epochs", "1", "--hold-back", "0.4", "--seed", "3"];
    let run = learn(&folder, &[&arguments[..], &more].concat());
    assert!(run.success, "{}", run.stderr);
    assert!(run.stdout.contains("agreement") && run.stdout.ends_with("new.jge written\n"), "{}", run.stdout);
    let terms = compact::read(&folder.join("new.jge")).unwrap();
    assert!(!terms.symmetric.pairs.is_empty());
    let svg = fs::read_to_string(folder.join("new.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("games.usi"));
    let names = ["games.usi", "new.jge", "new.part", "new.svg"];
    assert!(names.iter().all(|name| folder.join(name).is_file()) && folder::count(&folder) == names.len());
}

/// A training is for its file, not for what it prints.
#[cfg(target_os = "linux")]
#[test]
fn a_training_goes_on_where_its_output_cannot_be_written() {
    let folder = folder::empty("learn kppt unheard");
    games_file(&folder, 2);
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let train = |name: &str| {
        let mut command = jitsugen(["learn", "kppt", "--games", "games.usi", "--output", name]);
        command
            .args(["--from", "zero", "--terms", "piece", "--rounds", "1", "--epochs", "1"])
            .current_dir(&folder)
            .stdout(full());
        command
    };
    let run = command::run(&mut train("new.jge"));
    assert!(run.success, "{}", run.stderr);
    assert_eq!(run.stderr.matches("standard output: No space left").count(), 1, "{}", run.stderr);
    assert!(compact::read(&folder.join("new.jge")).is_ok());

    // As in a log of both.
    assert!(train("other.jge").stderr(full()).status().unwrap().success());
    assert!(compact::read(&folder.join("other.jge")).is_ok());
}
