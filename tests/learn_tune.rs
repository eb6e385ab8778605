//! The command that tunes: what it writes, that it goes on, and what is said of bad input.

#![cfg(feature = "learn")]

#[path = "common/learning.rs"]
mod learning;

use std::fs;
use std::path::Path;
use std::process::Output;

use jitsugen::search::params::Params;

fn tune(folder: &Path, arguments: &[&str]) -> Output {
    let usual = ["tune", "--output", "tuned.txt", "--nodes", "50"];
    learning::learn(folder, &[&usual[..], arguments].concat())
}

#[test]
fn values_are_written_and_taken_up_again() {
    let folder = learning::folder("learn tune command");
    let arguments = ["--pairs", "2", "--threads", "2", "futility_margin=50", "calm_margin"];
    let [once, again] = [(), ()].map(|()| {
        let output = tune(&folder, &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (output.stdout, fs::read_to_string(folder.join("tuned.txt")).unwrap())
    });
    // There is nothing left to play.
    assert_eq!(once, again);
    let text = String::from_utf8_lossy(&once.0);
    assert!(
        text.contains(&format!("(from {}, step 50)", Params::DEFAULT.futility_margin))
            && text.ends_with("Pairs: 2\n"),
        "{text}"
    );
    assert!(once.1.contains("\npairs 2\n") && once.1.contains("\ncalm_margin | "), "{}", once.1);
    for changed in [&["--pairs", "3"][..], &["--pairs", "2", "--policy", "Depth"]] {
        let other = tune(&folder, &[changed, &["futility_margin=50", "calm_margin"]].concat());
        assert!(!other.status.success(), "{changed:?}");
        let text = String::from_utf8_lossy(&other.stderr);
        assert!(text.contains("tuned.txt: expected a run that begins with"), "{text}");
    }
    assert_eq!(fs::read_to_string(folder.join("tuned.txt")).unwrap(), once.1);
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = learning::folder("learn tune bad input");
    for (arguments, expected) in [
        (&["pears"][..], "'pears'"),
        (&["calm_margin=x"], "'x' in calm_margin=x"),
        (&["calm_margin", "--rate", "0"], "--rate 0"),
        (&["calm_margin", "futility_margin", "calm_margin=50"], "calm_margin: expected each number once"),
        (&["calm_margin", "--policy", "Width"], "'Width'"),
        (&["calm_margin", "--openings", "none.sfen"], "none.sfen"),
        (&["calm_margin", "--from", "none.jge"], "none.jge"),
        (&[], "NUMBER"),
    ] {
        let output = tune(&folder, arguments);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && stderr.contains(expected), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
    assert!(!folder.join("tuned.txt").exists());
    // Before the first game, of which this one would take an hour.
    let arguments = ["tune", "calm_margin", "--nodes", "1000000000", "--output", "no folder/tuned.txt"];
    let output = learning::learn(&folder, &arguments);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && stderr.contains("tuned.txt"), "{stderr}");
}
