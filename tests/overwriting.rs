//! No command writes over a file that it reads, or over a file of another kind.

use std::fs;

use crate::support::{command, folder};

#[test]
fn no_command_overwrites_what_a_user_made() {
    let folder = folder::empty("overwriting");
    fs::create_dir(folder.join("sub")).unwrap();
    let games = "startpos moves 7g7f 3c3d\n".repeat(3);
    fs::write(folder.join("games.usi"), &games).unwrap();
    fs::write(folder.join("notes.txt"), "as it was").unwrap();
    fs::write(folder.join("sub/score.svg"), "<svg>as it was</svg>").unwrap();
    // Names that our commands use, but files of something else.
    fs::create_dir(folder.join("notes")).unwrap();
    let others = ["score.svg", "KPP_synthesized.bin"].map(|name| folder.join("notes").join(name));
    others.iter().for_each(|path| fs::write(path, "as it was").unwrap());
    let converted = command::run_in(&folder, &["eval-file", "convert", "yss", "yss.jge"]);
    assert!(converted.success, "{}", converted.stderr);
    let evaluation = fs::read(folder.join("yss.jge")).unwrap();
    let other = "is there, but no ";
    let cases: &[(&[&str], &str)] = &[
        (&["book", "make", "games.usi", "--output", "games.usi"], "is the file of the games as well"),
        (&["book", "make", "games.usi", "--output", "sub/../games.usi"], "is the file of the games as well"),
        (&["book", "make", "games.usi", "--output", "notes.txt"], other),
        (
            &["book", "make", "games.usi", "./games.usi", "--output", "new.db"],
            "is the file of the games as well",
        ),
        (&["eval-file", "convert", "yss", "notes"], "is there, but no file of an evaluation"),
        (&["eval-file", "convert", "sub", "./sub"], "is the file of FROM as well"),
        (&["eval-file", "convert", "yss", "notes.txt"], other),
        (&["eval-file", "mean", "yss.jge", "yss.jge", "--output", "./yss.jge"], "is the file of OF as well"),
        (&["eval-file", "mean", "yss.jge", "yss.jge", "--output", "notes.txt"], other),
    ];
    command::assert_refused(&folder, &[], cases);
    if command::has_learn() {
        let games_twice = ["games.usi", "sub/../games.usi", "--output", "new.txt"];
        let cases: &[(&[&str], &str)] = &[
            (&["inspect", "play.psv", "--plots", "notes"], other),
            (&["inspect", "play.psv", "--plots", "sub"], other),
            (&[&["categories"], &games_twice[..]].concat(), "is the file of the games as well"),
            (&["categories", "games.usi", "--output", "games.usi"], "is the file of the games as well"),
            (&["categories", "games.usi", "--output", "notes.txt"], other),
        ];
        command::assert_refused(&folder, &["learn"], cases);
    }
    assert_eq!(fs::read_to_string(folder.join("games.usi")).unwrap(), games);
    for path in others.iter().chain([&folder.join("notes.txt")]) {
        assert_eq!(fs::read_to_string(path).unwrap(), "as it was");
    }
    assert_eq!(fs::read_dir(folder.join("notes")).unwrap().count(), 2);
    assert_eq!(fs::read(folder.join("yss.jge")).unwrap(), evaluation);
    // A command writes over files of its own kind.
    for (arguments, times) in [
        (&["book", "make", "games.usi", "--output", "games.db"][..], 2),
        (&["eval-file", "mean", "yss.jge", "yss.jge", "--output", "mean.jge"], 2),
        (&["eval-file", "convert", "built-in", "yss.jge"], 1),
    ] {
        for _ in 0..times {
            let run = command::run_in(&folder, arguments);
            assert!(run.success, "{arguments:?}: {}", run.stderr);
        }
    }
    assert_ne!(fs::read(folder.join("yss.jge")).unwrap(), evaluation);
    // Nothing is left over either.
    assert_eq!(folder::count(&folder), 7);
}
