//! The commands that measure: what they write, and what is said of bad input.

use std::fs;
use std::path::Path;

use crate::support::command::{self, Run};
use crate::support::folder;

fn learn(folder: &Path, arguments: &[&str]) -> Run {
    command::run_in(folder, &[&["learn"], arguments].concat())
}

#[test]
fn tactical_positions_are_counted_beside_the_papers() {
    let folder = folder::empty("learn tactics command");
    let game = "b\tstartpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e 2b3c\n";
    fs::write(folder.join("game.usi"), game).unwrap();
    let output = learn(&folder, &["tactics", "game.usi", "--paper", "computer", "--plot", "tactics.svg"]);
    let stdout = &output.stdout;
    assert!(output.success && stdout.starts_with("1 games, 6 positions, 0 from move 50 on\n"), "{output:?}");
    assert!(stdout.contains("figure 10 79.3%") && stdout.contains("(the paper: 4.2)"), "{stdout}");
    let svg = fs::read_to_string(folder.join("tactics.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("figure 10"));
}

#[test]
fn numbers_of_threads_are_compared() {
    let folder = folder::empty("learn threads command");
    fs::write(folder.join("some.sfen"), "startpos\nstartpos moves 7g7f\n").unwrap();
    let arguments =
        ["threads", "some.sfen", "--iteration", "2", "--threads", "2", "1", "--plot", "threads.svg"];
    let output = learn(&folder, &arguments);
    let stdout = &output.stdout;
    assert!(output.success && stdout.starts_with("2 positions, iteration 2\n"), "{output:?}");
    assert!(stdout.contains("  1 threads: ") && stdout.contains("  2 threads: "), "{stdout}");
    let svg = fs::read_to_string(folder.join("threads.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("2 positions, iteration 2"));
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = folder::empty("learn measure bad input");
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    fs::write(folder.join("none.txt"), "").unwrap();
    fs::write(folder.join("moves.txt"), format!("{start}\t7g7f\n{start}\n")).unwrap();
    fs::write(folder.join("illegal.txt"), format!("{start}\t7g7e\n")).unwrap();
    fs::write(folder.join("short.usi"), "b\tstartpos moves 7g7f\n").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["next-moves", "moves.txt"], "moves.txt: line 2: expected a move after a tab"),
        (&["next-moves", "illegal.txt"], "illegal.txt: line 1: 7g7e: expected a legal move"),
        (&["next-moves", "none.txt"], "none.txt: expected positions"),
        (&["next-moves"], "<FILES>"),
        (&["shape", "none.txt"], "none.txt: no opening that can be played"),
        (&["shape", "short.usi", "--every", "0"], "'0'"),
        (&["tactics"], "<FILES>"),
        (&["tactics", "missing.usi"], "missing.usi"),
        (&["tactics", "none.txt"], "no game has a move"),
        (&["tactics", "short.usi", "--plot", "none.txt/new.svg"], "new.svg"),
        (&["tactics", "short.usi", "--plot", "short.usi"], "is the file of FILES as well"),
        (&["threads", "none.txt"], "none.txt: no opening that can be played"),
        (&["threads", "short.usi", "--threads", "many"], "'many'"),
        (&["threads", "short.usi", "--plot", "short.usi"], "is the file of POSITIONS as well"),
        (&["threads", "short.usi", "--plot", "moves.txt"], "moves.txt: is there, but no drawing"),
        (&["time-plot", "short.usi", "--output", "new.svg"], "short.usi: expected games of 80 to 249 moves"),
    ];
    command::assert_refused(&folder, &["learn"], cases);
    assert!(!folder.join("new.svg").exists());
}

/// Each command of `learn` explains itself.
#[test]
fn every_command_has_an_example() {
    let folder = folder::empty("learn help");
    let list = learn(&folder, &["--help"]);
    let list = list.stdout;
    let commands = list.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    let names: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10, "{list}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = learn(&folder, &[name, "--help"]);
        let help = help.stdout;
        assert!(
            help.contains(&format!("jitsugen learn {name}")) && help.contains("Example"),
            "{name}: {help}"
        );
    }
}
