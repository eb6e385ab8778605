//! `jitsugen learn tune`: what it writes, that it goes on, and messages about bad input.

use std::fs;
use std::path::Path;

use jitsugen::search::params::Params;

use crate::support::command::{self, Run};
use crate::support::evaluation::built_in_files;
use crate::support::folder;

const TUNE: [&str; 6] = ["learn", "tune", "--output", "tuned.txt", "--nodes", "50"];

/// Tunes with the evaluation that all engines of the tests share.
fn tune(folder: &Path, arguments: &[&str]) -> Run {
    let from = ["--from", built_in_files().to_str().expect("the path is text")];
    command::run_in(folder, &[&TUNE[..], &from, arguments].concat())
}

#[test]
fn tuned_values_are_written_and_a_run_goes_on() {
    let folder = folder::empty("learn tune command");
    let arguments = ["--pairs", "2", "--threads", "2", "futility_margin=50", "rfp_margin"];
    let [once, again] = [(), ()].map(|()| {
        let run = tune(&folder, &arguments);
        assert!(run.success, "{}", run.stderr);
        (run.stdout, fs::read_to_string(folder.join("tuned.txt")).unwrap())
    });
    // There is nothing left to play.
    assert_eq!(once, again);
    let begin = format!("(from {}, step 50)", Params::DEFAULT.futility_margin);
    assert!(once.0.contains(&begin) && once.0.ends_with("Pairs: 2\n"), "{}", once.0);
    assert!(once.1.contains("\npairs 2\n") && once.1.contains("\nrfp_margin | "), "{}", once.1);
    for changed in [&["--pairs", "3"][..], &["--pairs", "2", "--policy", "Depth"]] {
        let other = tune(&folder, &[changed, &["futility_margin=50", "rfp_margin"]].concat());
        let expected = "tuned.txt: expected a run that begins with";
        assert!(!other.success && other.stderr.contains(expected), "{changed:?}: {}", other.stderr);
    }
    assert_eq!(fs::read_to_string(folder.join("tuned.txt")).unwrap(), once.1);
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = folder::empty("learn tune bad input");
    let cases: &[(&[&str], &str)] = &[
        (&["pears"], "'pears'"),
        (&["rfp_margin=x"], "'x' in rfp_margin=x"),
        (&["rfp_margin", "--rate", "0"], "--rate 0"),
        (&["rfp_margin", "futility_margin", "rfp_margin=50"], "rfp_margin: expected each number once"),
        (&["rfp_margin", "--policy", "Width"], "'Width'"),
        (&["rfp_margin", "--openings", "none.sfen"], "none.sfen"),
        (&["rfp_margin", "--from", "none.jge"], "none.jge"),
        (&[], "NUMBER"),
    ];
    command::assert_refused(&folder, &TUNE, cases);
    assert!(!folder.join("tuned.txt").exists());
    // Before the first game, of which this one would take an hour.
    let arguments = ["rfp_margin", "--nodes", "1000000000", "--output", "no folder/tuned.txt"];
    command::assert_refused(&folder, &["learn", "tune"], &[(&arguments, "tuned.txt")]);
}
