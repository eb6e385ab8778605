//! `jitsugen book think` and `book show`: books thought out, broken off, grown outward, drawn.

use std::fs;
use std::path::Path;

use crate::support::command::{Run, assert_refused, run_in};
use crate::support::evaluation::built_in_files;
use crate::support::folder;

/// Two positions, three moves, one of which nobody answers.
const COUNTED: &str = "#YANEURAOU-DB2016 1.00\n\
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n\
    3c3d none 0 0 5 #wins 2 losses 3 draws 0\n\
    sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
    7g7f 3c3d 0 0 6\n\
    9g9f none 0 0 1\n";

/// Thinks with little effort.
fn think(folder: &Path, what: &[&str]) -> Run {
    let evaluation = built_in_files().display().to_string();
    let effort =
        ["book", "think", "--nodes", "300", "--threads", "1", "--memory", "4", "--eval-dir", &evaluation];
    run_in(folder, &[&effort[..], what].concat())
}

/// The moves of each position of a book.
fn positions(text: &str) -> Vec<(&str, Vec<Vec<&str>>)> {
    let mut positions: Vec<(&str, Vec<Vec<&str>>)> = Vec::new();
    for line in text.lines().skip(1) {
        match line.strip_prefix("sfen ") {
            Some(key) => positions.push((key, Vec::new())),
            None => positions.last_mut().unwrap().1.push(line.split(' ').collect()),
        }
    }
    positions
}

#[test]
fn a_book_is_thought_out_and_a_run_that_was_broken_off_ends_the_same() {
    let folder = folder::empty("book think");
    fs::write(folder.join("counted.db"), COUNTED).unwrap();
    let run = think(&folder, &["counted.db", "--output", "book.db"]);
    assert!(run.success && run.stderr.contains("Positions: 2"), "{}", run.stderr);
    let text = fs::read_to_string(folder.join("book.db")).unwrap();
    let found = positions(&text);
    let (white, black) = (&found[0].1, &found[1].1);
    // Counts and results are as they were; each move has a value, a depth and a reply.
    let move_of = |moves: &[Vec<&str>], mv: &str| -> Vec<String> {
        let line = moves.iter().find(|line| line[0] == mv).unwrap_or_else(|| panic!("no {mv} in {text}"));
        line.iter().map(ToString::to_string).collect()
    };
    assert_eq!(move_of(white, "3c3d")[4..], ["5", "#wins", "2", "losses", "3", "draws", "0"]);
    assert_eq!((&*move_of(black, "7g7f")[4], &*move_of(black, "9g9f")[4]), ("6", "1"));
    for line in white.iter().chain(black) {
        assert!(line[1] != "none" && line[3] != "0", "{line:?}");
    }
    // A move is worth what the best reply leaves of it, and that reply is the one that is expected.
    let value = |line: &[&str]| line[2].parse::<i32>().unwrap();
    assert_eq!(move_of(black, "7g7f")[1..3], [white[0][0].to_string(), (-value(&white[0])).to_string()]);
    assert!(black.is_sorted_by_key(|line| -value(line)) && white.is_sorted_by_key(|line| -value(line)));

    // Killed in the middle of a line, and with nothing but half of the first line.
    let thoughts = fs::read_to_string(folder.join("book.db.thoughts")).unwrap();
    for kept in [thoughts.len() - 20, thoughts.len() / 2, 30, 0] {
        fs::write(folder.join("again.db.thoughts"), &thoughts[..kept]).unwrap();
        let run = think(&folder, &["counted.db", "--output", "again.db"]);
        assert!(run.success, "{}", run.stderr);
        assert_eq!(fs::read_to_string(folder.join("again.db")).unwrap(), text);
    }
    // With what it has found already it searches nothing, and can write another form.
    fs::copy(folder.join("book.db.thoughts"), folder.join("packed.jgb.thoughts")).unwrap();
    let run = think(&folder, &["counted.db", "--output", "packed.jgb"]);
    assert!(run.success, "{}", run.stderr);
    assert_eq!(fs::read_to_string(folder.join("packed.jgb.thoughts")).unwrap(), thoughts);
    let shown = |book: &str| run_in(&folder, &["book", "show", book]).stdout;
    assert_eq!(shown("packed.jgb"), shown("book.db"));
}

#[test]
fn a_book_grows_outward_from_a_position_and_goes_on_growing() {
    let folder = folder::empty("book outward");
    let grow = |add| {
        let run = think(
            &folder,
            &["--output", "book.db", "--from", "startpos moves 7g7f", "--lines", "2", "--add", add],
        );
        assert!(run.success, "{}", run.stderr);
        fs::read_to_string(folder.join("book.db")).unwrap()
    };
    let small = grow("2");
    assert_eq!(positions(&small).len(), 2);
    let thoughts = fs::read_to_string(folder.join("book.db.thoughts")).unwrap();
    let large = grow("4");
    let found = positions(&large);
    assert_eq!(found.len(), 4);
    assert!(found.iter().any(|(key, _)| key.contains("/2P6/") && key.ends_with(" w - 2")), "{large}");
    for (_, moves) in &found {
        assert_eq!(moves.len(), 2, "{large}");
        assert!(moves.iter().all(|line| line[1] != "none" && line[3] != "0"), "{large}");
    }
    let more = fs::read_to_string(folder.join("book.db.thoughts")).unwrap();
    assert!(more.starts_with(&thoughts) && more.len() > thoughts.len(), "nothing is searched twice");
}

#[test]
fn what_cannot_be_thought_about_is_refused() {
    let folder = folder::empty("book refused");
    fs::write(folder.join("counted.db"), COUNTED).unwrap();
    fs::write(folder.join("empty.db"), "#YANEURAOU-DB2016 1.00\n").unwrap();
    fs::write(folder.join("notes.txt"), "as it was").unwrap();
    fs::write(folder.join("mine.db.thoughts"), "as it was").unwrap();
    let searched = "{\"thoughts\":\"Jitsugen\",\"version\":\"0.0.1\",\"seconds\":null,\"nodes\":7,\"lines\":1,\
                    \"eval_dir\":\"\"}\n";
    fs::write(folder.join("other.db.thoughts"), searched).unwrap();
    let think: &[&str] = &["book", "think", "--nodes", "100"];
    assert_refused(
        &folder,
        think,
        &[
            (&["counted.db", "--output", "counted.db"], "is the file of BOOK as well"),
            (&["counted.db", "--output", "notes.txt"], "is there, but no book"),
            (&["counted.db", "--output", "mine.db"], "is there, but no thoughts on a book"),
            (&["counted.db", "--output", "other.db"], "searched otherwise (--lines 1, --nodes 7)"),
            (&["empty.db", "--output", "new.db"], "nothing to think about"),
            (&["--output", "new.db", "--from", "startpos moves 7g7e"], "--from: "),
            (&["missing.db", "--output", "new.db"], "missing.db"),
        ],
    );
    for file in ["notes.txt", "mine.db.thoughts"] {
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), "as it was");
    }
    assert_eq!(fs::read_to_string(folder.join("other.db.thoughts")).unwrap(), searched);
    assert!(!folder.join("new.db").exists());
}

#[test]
fn a_book_of_no_games_or_no_moves_is_refused() {
    let folder = folder::empty("book make refused");
    fs::write(folder.join("empty.usi"), "# no games\n").unwrap();
    fs::write(folder.join("game.usi"), "startpos moves 7g7f\n").unwrap();
    assert_refused(
        &folder,
        &["book", "make", "--output", "new.db"],
        &[
            (&["empty.usi"], "empty.usi: there is no game in it"),
            (&["game.usi", "--moves", "0"], "expected a whole number from 1"),
            (&["game.usi"], "no move was played 2 times: expected more games, or a smaller --least"),
        ],
    );
    assert!(!folder.join("new.db").exists());
}

#[test]
fn a_book_is_shown_as_a_list_a_tree_and_a_drawing() {
    let folder = folder::empty("book show");
    let text = COUNTED.replace("7g7f 3c3d 0 0 6", "7g7f 3c3d 25 9 6");
    fs::write(folder.join("book.db"), text).unwrap();
    let show = |arguments: &[&str]| {
        let run = run_in(&folder, &[&["book", "show", "book.db"], arguments].concat());
        assert!(run.success, "{}", run.stderr);
        run.stdout
    };
    assert_eq!(
        show(&["startpos", "moves", "7g7f"]),
        "move reply value depth count\n3c3d none 0 0 5 #wins 2 losses 3 draws 0\nPositions: 2\n"
    );
    assert_eq!(
        show(&["--plies", "3"]),
        "├ ▲７六歩 7g7f  +25 (depth 9)  played 6\n│ └ △３四歩 3c3d  played 5, scored 40%\n\
         └ ▲９六歩 9g9f  played 1\nPositions: 2\n"
    );
    assert!(!show(&["--plies", "3", "--least", "2"]).contains("9g9f"));
    assert!(!show(&["--plies", "3", "--moves", "1"]).contains("9g9f"));
    show(&["--svg", "book.svg"]);
    let drawing = fs::read_to_string(folder.join("book.svg")).unwrap();
    assert!(drawing.contains("▲７六歩 +25</text>") && drawing.contains("△３四歩</text>"), "{drawing}");
    assert_eq!(drawing.matches("<rect").count(), 4, "the ground and three moves: {drawing}");
    assert!(drawing.ends_with("</svg>\n"));
    assert_refused(&folder, &["book", "show"], &[(&["book.db", "--svg", "book.db"], "is the file of BOOK")]);
    let built_in = run_in(&folder, &["book", "show", "Built-In"]);
    assert!(built_in.success && built_in.stdout.contains("\n7g7f "), "{built_in:?}");
}
