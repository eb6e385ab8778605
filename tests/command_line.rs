//! What all commands have in common: `startpos`, messages in plain words, exit statuses, and scripts whose input ends.

use std::fs;

use crate::support::client::{Client, nodes};
use crate::support::command::{has_learn, jitsugen, run, run_in};
use crate::support::folder;
use crate::support::positions::MICROCOSMOS;

#[test]
fn startpos_is_a_position_everywhere() {
    let folder = folder::empty("startpos");
    for (arguments, expected) in [
        (&["perft", "2", "startpos", "moves", "7g7f"][..], "Nodes searched: 1110"),
        (&["perft", "1", "startpos"], "Nodes searched: 30"),
        (&["perft", "1", "sfen", "4k4/9/9/9/9/9/9/9/4K4", "b", "-"], "Nodes searched: 5"),
        (&["mate", "startpos"], "problem: no mate"),
    ] {
        let run = run_in(&folder, arguments);
        assert!(run.success && run.stdout.contains(expected), "{arguments:?}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn learn_is_a_command_of_builds_that_have_it() {
    let run = run(&mut jitsugen(["help"]));
    let line = run.stdout.lines().find(|line| line.starts_with("  learn ")).expect("a line of the command");
    assert_eq!(!line.contains("Not in this build"), has_learn(), "{line}");
}

#[test]
fn bad_numbers_are_named_in_plain_words() {
    let folder = folder::empty("numbers");
    for (arguments, expected) in [
        (&["bench", "--depth", "x"][..], "expected a whole number"),
        (&["perft", "-1"], "'-1'"),
        (&["perft", "two"], "expected a whole number"),
        (&["mate", "startpos", "--time", "soon"], "expected seconds, like 10 or 0.5"),
        (&["mate", "startpos", "--nodes", "many"], "expected a whole number"),
        (&["analyse", "game.kif", "--lines", "0"], "expected a whole number from 1 to 600"),
        (&["analyse", "game.kif", "--threads", "x"], "0 for as many as there are cores"),
    ] {
        let run = run_in(&folder, arguments);
        assert!(!run.success && run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("digit found in string"), "{}", run.stderr);
    }
}

#[test]
fn limits_are_met_although_the_input_ends() {
    for (go, expected) in [("go nodes 3000", 3000), ("go depth 2", 1)] {
        let mut client = Client::start_ready();
        client.send("position startpos");
        client.send(go);
        let (status, stderr, lines) = client.close();
        assert!(status.success() && stderr.is_empty(), "{stderr}");
        assert!(nodes(&lines) >= expected, "{go}: {lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("bestmove ")), "{go}: {lines:?}");
        if go.contains("depth") {
            assert!(lines.iter().any(|line| line.starts_with("info depth 2 ")), "{lines:?}");
        }
    }
}

#[test]
fn an_empty_game_is_said_to_be_empty() {
    let folder = folder::empty("empty game");
    fs::write(folder.join("game.usi"), "startpos\n").unwrap();
    fs::write(folder.join("nothing.kif"), "").unwrap();
    let run = run_in(&folder, &["record", "game.usi"]);
    assert!(run.success && run.stdout.contains("Moves: 0 (the game is empty)"), "{}", run.stdout);
    let run = run_in(&folder, &["mate", "nothing.kif"]);
    assert!(run.stderr.contains("the file is empty"), "{}", run.stderr);
}

/// A king, a gold and a pawn in KIF, in CSA and as a diagram alone; White's other pawns are two on a file.
const KIF: &str = "後手の持駒：飛二　角二　金二　銀四　桂四　香四　歩十四\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n\
                   +---------------------------+\n\
                   | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・v歩|二\n\
                   | ・ ・ ・ ・ 歩 ・ ・ ・v歩|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n\
                   | ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
                   | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
                   | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n+---------------------------+\n先手の持駒：金\n";
const CSA: &str = "V2.2\n$EVENT:mate, in one\nP-51OU12FU13FU\nP+53FU00KI\n+\n+0052KI\nT1\n%TSUMI\n";
const SFEN: &str = "4k4/8p/4P3p/9/9/9/9/9/9 b G2r2b2g4s4n4l14p 1";

#[test]
fn problems_are_read_in_every_form_people_have() {
    let folder = folder::empty("problems");
    let with_moves = format!("先手：x\n{KIF}手数----指手---------消費時間--\n   1 ５二金打\n   2 詰み\n");
    for (name, text) in [
        ("problem.kif", with_moves.as_str()),
        ("problem.bod", KIF),
        ("problem.csa", CSA),
        // Programs for problems name no handicap, and some write the diagram behind the line above the moves.
        ("tsume.kif", &format!("手合割：詰将棋\n{KIF}")),
        ("candidate.kif", &format!("手合割：詰将棋（候補）\n{with_moves}")),
        ("other name.kif", &format!("手合割：指将棋\n{KIF}")),
        ("below.kif", &format!("手合割：その他\n手数----指手---------消費時間--\n{KIF}   1 ５二金打\n")),
        ("two pawns.txt", SFEN),
        ("sfen.txt", &format!("# a remark\nsfen {SFEN}\t1\tremark：one\n")),
    ] {
        fs::write(folder.join(name), text).unwrap();
        let run = run_in(&folder, &["mate", name]);
        assert!(
            run.success && run.stdout.contains("mate in 1: G*5b"),
            "{name}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    // Two pawns of a side on one file are taken by `position`, and searched.
    let mut client = Client::start_ready();
    client.send(&format!("position sfen {SFEN}"));
    client.send("go mate 10000");
    assert_eq!(client.until("checkmate").pop().unwrap(), "checkmate G*5b");
    assert_eq!(client.search("go nodes 200").pop().unwrap(), "bestmove G*5b");
}

#[test]
fn the_exit_status_of_mate_says_whether_it_was_solved() {
    let folder = folder::empty("statuses");
    fs::write(folder.join("one bad.txt"), format!("{SFEN}\nnonsense\n")).unwrap();
    fs::write(folder.join("bad.kif"), "後手の持駒：なし\n| ・ ・|一\n").unwrap();
    for (arguments, expected) in [
        (&[SFEN][..], 0),
        (&["startpos"], 0),
        (&[MICROCOSMOS, "--nodes", "500"], 1),
        (&["no such file"], 2),
        (&["one bad.txt"], 2),
        (&["bad.kif"], 2),
        (&["startpos", "--nodes", "x"], 2),
    ] {
        let mut command = jitsugen(["mate", "--memory", "8"].into_iter().chain(arguments.iter().copied()));
        let status = command.current_dir(&folder).output().expect("the program starts").status;
        assert_eq!(status.code(), Some(expected), "{arguments:?}");
    }
    let help = run(&mut jitsugen(["mate", "--help"])).stdout;
    assert!(help.contains("exit status is 0") && help.contains("2 where the input was bad"), "{help}");
}

#[test]
fn several_files_of_problems_are_solved_and_the_worst_is_the_exit_status() {
    let folder = folder::empty("several problems");
    fs::write(folder.join("a.bod"), KIF).unwrap();
    fs::write(folder.join("b.csa"), CSA).unwrap();
    fs::write(folder.join("list.txt"), format!("{SFEN}\n{SFEN}\n")).unwrap();
    fs::write(folder.join("hard.sfen"), MICROCOSMOS).unwrap();
    fs::write(folder.join("empty.kif"), "").unwrap();
    let mate = |arguments: &[&str]| {
        let mut command = jitsugen(["mate", "--nodes", "500", "--memory", "8"]);
        let output = command.args(arguments).current_dir(&folder).output().expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (status, stdout, _) = mate(&["a.bod", "b.csa", "list.txt"]);
    for line in ["a.bod: mate in 1", "b.csa: mate in 1", "list.txt, line 2: mate in 1", "Mates: 4"] {
        assert!(stdout.contains(line), "{line}: {stdout}");
    }
    assert_eq!(status, Some(0));
    assert_eq!(mate(&["a.bod", "hard.sfen"]).0, Some(1));
    let (status, stdout, _) = mate(&["empty.kif", "hard.sfen", "a.bod"]);
    assert_eq!(status, Some(2));
    assert!(stdout.contains("empty.kif: the file is empty") && stdout.contains("Mates: 1"), "{stdout}");
    for arguments in [&["nofile.kif"][..], &["a.bod", "nofile.kif"]] {
        let (status, _, stderr) = mate(arguments);
        let expected =
            "nofile.kif: there is no such file, and it is no position: expected a file, an SFEN or startpos";
        assert!(status == Some(2) && stderr.contains(expected), "{stderr}");
    }
    let (_, _, stderr) = mate(&["9/9/9/9/9/9/9/9/9"]);
    assert!(stderr.contains("no position either") && stderr.contains("1 field: expected"), "{stderr}");
}

#[test]
fn cooks_are_found_and_named() {
    let folder = folder::empty("cooks");
    // The gold on 5b mates; with a second lance under it, so does the one that is dropped on 4b or 6b.
    let sound = run_in(&folder, &["mate", "--cooks", SFEN]);
    assert!(sound.success && sound.stdout.contains("G*5b; no cooks"), "{}", sound.stdout);
    assert!(sound.stdout.contains("Cooked: 0"), "{}", sound.stdout);
    let cooked = run_in(&folder, &["mate", "--cooks", "8k/6R2/9/9/9/9/9/9/9 b G 1"]);
    assert!(cooked.stdout.contains("; cook at move 1: "), "{}", cooked.stdout);
    assert!(cooked.stdout.contains("Cooked: 1"), "{}", cooked.stdout);
}
