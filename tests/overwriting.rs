//! No command writes over what it reads, or over a file that is none of its own kind.

#![cfg(feature = "learn")]

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn what_a_user_made_stays() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("overwriting");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("sub")).unwrap();
    let games = "startpos moves 7g7f 3c3d\n".repeat(3);
    fs::write(folder.join("games.usi"), &games).unwrap();
    fs::write(folder.join("notes.txt"), "as it was").unwrap();
    // Names that are ours, but what is there is not.
    fs::create_dir(folder.join("notes")).unwrap();
    let others = ["score.svg", "KPP_synthesized.bin"].map(|name| folder.join("notes").join(name));
    others.iter().for_each(|path| fs::write(path, "as it was").unwrap());
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_jitsugen"))
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (converted, told) = run(&["eval-file", "convert", "yss", "yss.jge"]);
    assert!(converted, "{told}");
    let evaluation = fs::read(folder.join("yss.jge")).unwrap();
    let other = "is there, but no ";
    for (arguments, expected) in [
        (&["book", "make", "games.usi", "--output", "games.usi"][..], "is the file of the games as well"),
        (&["book", "make", "games.usi", "--output", "sub/../games.usi"], "is the file of the games as well"),
        (&["book", "make", "games.usi", "--output", "notes.txt"], other),
        (
            &["book", "make", "games.usi", "./games.usi", "--output", "new.db"],
            "is the file of the games as well",
        ),
        (
            &["learn", "categories", "games.usi", "sub/../games.usi", "--output", "new.txt"],
            "is the file of the games as well",
        ),
        (&["learn", "inspect", "play.psv", "--plots", "notes"], other),
        (&["eval-file", "convert", "yss", "notes"], "is there, but no file of an evaluation"),
        (&["eval-file", "convert", "sub", "./sub"], "is the file of FROM as well"),
        (&["learn", "categories", "games.usi", "--output", "games.usi"], "is the file of the games as well"),
        (&["learn", "categories", "games.usi", "--output", "notes.txt"], other),
        (&["eval-file", "convert", "yss", "notes.txt"], other),
        (&["eval-file", "mean", "yss.jge", "yss.jge", "--output", "./yss.jge"], "is the file of OF as well"),
        (&["eval-file", "mean", "yss.jge", "yss.jge", "--output", "notes.txt"], other),
    ] {
        let (success, told) = run(arguments);
        assert!(!success && told.contains(expected), "{arguments:?}: {told}");
    }
    assert_eq!(fs::read_to_string(folder.join("games.usi")).unwrap(), games);
    for path in others.iter().chain([&folder.join("notes.txt")]) {
        assert_eq!(fs::read_to_string(path).unwrap(), "as it was");
    }
    assert_eq!(fs::read_dir(folder.join("notes")).unwrap().count(), 2);
    assert_eq!(fs::read(folder.join("yss.jge")).unwrap(), evaluation);
    // Its own kind is written again.
    for arguments in [
        &["book", "make", "games.usi", "--output", "games.db"][..],
        &["learn", "categories", "games.usi", "--output", "table.txt"],
        &["eval-file", "convert", "built-in", "yss.jge"],
        &["eval-file", "mean", "yss.jge", "yss.jge", "--output", "mean.jge"],
    ] {
        for _ in 0..2 {
            let (success, told) = run(arguments);
            assert!(success, "{arguments:?}: {told}");
        }
    }
    assert_ne!(fs::read(folder.join("yss.jge")).unwrap(), evaluation);
    // Nothing is left over either.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 8);
}
