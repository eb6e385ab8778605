//! `jitsugen analyse`: what it says of games, what it writes, and that it goes on where it was broken off.

use std::fs;
use std::path::Path;

use jitsugen::record::{self, Format};
use serde_json::Value;

use crate::support::command::{Run, run_in};
use crate::support::evaluation::built_in_files;
use crate::support::folder;

/// White lets Black keep the horse that it could take.
const BLUNDER: &str = "b\tstartpos moves 7g7f 3c3d 8h2b+ 5a5b 2b3a 4a3a\n";

/// Analyses `what` in `folder` with little effort.
fn analyse(folder: &Path, what: &[&str]) -> Run {
    let evaluation = built_in_files().display().to_string();
    let effort = ["analyse", "--nodes", "400", "--threads", "1", "--memory", "4", "--eval-dir", &evaluation];
    run_in(folder, &[&effort[..], what].concat())
}

/// The lines of an analysis, without the first.
fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the analysis is there");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

#[test]
fn a_game_is_explained_in_every_form() {
    let folder = folder::empty("analysis");
    fs::write(folder.join("a game.usi"), BLUNDER).unwrap();
    let run = analyse(&folder, &["a game.usi", "--lines", "2", "--kif", "--csa", "--svg", "--html"]);
    assert!(run.success, "{}", run.stderr);
    assert!(run.stdout.contains("△５二玉: blunder"), "{}", run.stdout);
    assert!(run.stdout.contains("White (-): 3 moves"), "{}", run.stdout);
    let file = |extension| folder.join("analysis").join(format!("a game.{extension}"));
    assert_eq!(folder::count(&folder.join("analysis")), 5);

    let found = lines(&file("jsonl"));
    let plies: Vec<u64> = found.iter().map(|line| line["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, (0..7).collect::<Vec<u64>>(), "the lines are in the order of the game");
    let blunder = &found[3]["played"];
    assert_eq!((blunder["move"].as_str(), blunder["grade"].as_str()), (Some("5a5b"), Some("blunder")));
    assert!(blunder["loss"].as_i64() > Some(500) && blunder["lost_chance"].as_f64() > Some(0.2), "{blunder}");
    assert!(blunder["probability"].as_f64() < blunder["best_probability"].as_f64(), "{blunder}");
    let best = &found[3]["lines"][0]["pv"][0];
    assert!(best == "3a2b", "{best}");
    assert!(found.iter().all(|line| line["lines"].as_array().unwrap().len() == 2 && line["depth"] != 0));

    // The records have the same moves, and comments at every position.
    let moves = record::read_text(BLUNDER, None).unwrap()[0].moves().collect::<Vec<_>>();
    for (extension, comment) in [("kifu", "#評価値="), ("csa", "* ")] {
        let bytes = fs::read(file(extension)).unwrap();
        let games = record::read(&bytes, Format::of_path(&file(extension))).unwrap();
        let main = games[0].main();
        assert_eq!(games[0].moves().collect::<Vec<_>>(), moves);
        let comments = [&main.comments].into_iter().chain(main.moves.iter().map(|played| &played.comments));
        for comments in comments {
            assert!(comments.iter().any(|line| line.starts_with(comment)), "{extension}: {comments:?}");
        }
        // Values are Black's, who is ahead.
        let after = &main.moves[3].comments;
        let value = after.iter().find_map(|line| line.strip_prefix(comment)).unwrap();
        assert!(value.split(' ').next().unwrap().parse::<i32>().unwrap() > 500, "{after:?}");
        assert!(
            after.iter().any(|line| line.starts_with("悪手") && line.contains("最善 △２二銀")),
            "{after:?}"
        );
    }
    let csa = fs::read_to_string(file("csa")).unwrap();
    assert!(csa.contains("-5152OU\n'** "), "{csa}");
    let svg = fs::read_to_string(file("svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("4 △５二玉: blunder") && svg.ends_with("</svg>\n"));
    let html = fs::read_to_string(file("html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("△５二玉") && !html.contains("{{"));
    assert!(!html.replace("http://www.w3.org/2000/svg", "").contains("://"), "it needs no network");
}

#[test]
fn an_analysis_goes_on_where_it_was_broken_off() {
    let folder = folder::empty("broken analysis");
    fs::write(folder.join("game.usi"), BLUNDER).unwrap();
    let run = analyse(&folder, &["game.usi"]);
    assert!(run.success, "{}", run.stderr);
    let path = folder.join("analysis/game.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    // As it was in the middle of the work: the last positions first, and half a line.
    let kept: Vec<&str> = whole.lines().collect();
    let half = &kept[4][..kept[4].len() / 2];
    fs::write(&path, format!("{}\n{}\n{}\n{half}", kept[0], kept[7], kept[6])).unwrap();
    let run = analyse(&folder, &["game.usi"]);
    assert!(run.success, "{}", run.stderr);
    let again = fs::read_to_string(&path).unwrap();
    let again: Vec<&str> = again.lines().collect();
    assert_eq!(again.len(), kept.len());
    assert_eq!([again[6], again[7]], [kept[6], kept[7]], "what was found is not searched again");

    // A finished one is not searched again: another form is written at once.
    let before = fs::read_to_string(&path).unwrap();
    let run = analyse(&folder, &["game.usi", "--html"]);
    assert!(run.success && folder.join("analysis/game.html").exists(), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
}

#[test]
fn an_analysis_does_not_replace_what_is_something_else() {
    let folder = folder::empty("analysis of something else");
    fs::write(folder.join("game.usi"), BLUNDER).unwrap();
    assert!(analyse(&folder, &["game.usi"]).success);
    // Other settings, another game.
    let run = analyse(&folder, &["game.usi", "--lines", "3"]);
    assert!(
        !run.success && run.stderr.contains("other settings") && run.stderr.contains("--again"),
        "{}",
        run.stderr
    );
    assert!(analyse(&folder, &["game.usi", "--lines", "3", "--again"]).success);
    fs::write(folder.join("game.usi"), "startpos moves 2g2f\n").unwrap();
    let run = analyse(&folder, &["game.usi", "--lines", "3"]);
    assert!(!run.success && run.stderr.contains("of another game"), "{}", run.stderr);
    // Files of the user.
    for name in ["game.jsonl", "game.html", "game.kifu"] {
        fs::create_dir_all(folder.join("mine")).unwrap();
        fs::write(folder.join("mine").join(name), "as it was").unwrap();
        let run = analyse(&folder, &["game.usi", "--html", "--kif", "--again", "--output", "mine"]);
        assert!(!run.success && run.stderr.contains("is there, but no analysis"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(folder.join("mine").join(name)).unwrap(), "as it was");
        fs::remove_dir_all(folder.join("mine")).unwrap();
    }
    // The game itself.
    fs::copy("tests/data/records/good/ki2_plain.ki2", folder.join("own.ki2")).unwrap();
    let bytes = record::read(&fs::read(folder.join("own.ki2")).unwrap(), Some(Format::Ki2)).unwrap();
    fs::write(folder.join("own.csa"), record::write(&bytes, Format::Csa, record::Encoding::Utf8).unwrap())
        .unwrap();
    let run = analyse(&folder, &["own.csa", "--csa", "--output", "."]);
    assert!(!run.success && run.stderr.contains("as well"), "{}", run.stderr);
}

#[test]
fn nothing_is_replaced_before_everything_is_checked() {
    let folder = folder::empty("analysis again");
    fs::write(folder.join("a.usi"), BLUNDER).unwrap();
    fs::write(folder.join("b.usi"), "startpos moves 7g7f\n").unwrap();
    assert!(analyse(&folder, &["a.usi"]).success);
    let path = folder.join("analysis/a.jsonl");
    let before = fs::read_to_string(&path).unwrap();
    fs::write(folder.join("analysis/b.html"), "as it was").unwrap();
    let again = ["a.usi", "b.usi", "--html", "--lines", "2", "--again"];
    let run = analyse(&folder, &again);
    assert!(!run.success && run.stderr.contains("is there, but no analysis"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    fs::remove_file(folder.join("analysis/b.html")).unwrap();
    let run = analyse(&folder, &again);
    assert!(run.success, "{}", run.stderr);
    assert!(lines(&path).iter().all(|line| line["lines"].as_array().unwrap().len() == 2));
}

#[test]
fn the_command_does_not_analyse_its_own_output() {
    for output in ["analysis", "."] {
        let folder = folder::empty("analysis in its own folder");
        fs::write(folder.join("game.usi"), BLUNDER).unwrap();
        let count = || folder::count(&folder.join(output));
        let run = |what: &[&str]| {
            let run = analyse(&folder, &[&[".", "--output", output], what].concat());
            assert!(run.success, "{}", run.stderr);
            assert_eq!(run.stdout.matches("game.").count(), 1, "{}", run.stdout);
        };
        run(&["--kif", "--csa"]);
        let files = count();
        run(&["--kif", "--csa"]);
        assert_eq!(count(), files, "{output}");
    }
}

/// Another machine has another number of cores.
#[test]
fn threads_and_memory_count_where_the_user_has_set_them() {
    let folder = folder::empty("analysis on another machine");
    fs::write(folder.join("game.usi"), "startpos moves 7g7f\n").unwrap();
    let evaluation = built_in_files().display().to_string();
    let analyse = |what: &[&str]| {
        let effort = ["analyse", "game.usi", "--nodes", "100", "--eval-dir", &evaluation];
        run_in(&folder, &[&effort[..], what].concat())
    };
    let run = analyse(&["--threads", "3", "--memory", "5"]);
    assert!(run.success, "{}", run.stderr);
    let path = folder.join("analysis/game.jsonl");
    let before = fs::read_to_string(&path).unwrap();
    assert!(before.contains("\"threads\":3,\"hash\":5"), "{before}");
    let run = analyse(&[]);
    assert!(run.success, "{}", run.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    for other in [["--threads", "2"], ["--memory", "6"]] {
        let run = analyse(&other);
        assert!(!run.success && run.stderr.contains("with other settings"), "{}", run.stderr);
    }
}

#[test]
fn comments_of_an_earlier_analysis_are_replaced() {
    let folder = folder::empty("analysis of an analysis");
    fs::write(folder.join("game.usi"), BLUNDER).unwrap();
    let run = analyse(&folder, &["game.usi", "--kif", "--csa"]);
    assert!(run.success, "{}", run.stderr);
    for extension in ["kifu", "csa"] {
        let first = fs::read_to_string(folder.join("analysis/game").with_extension(extension)).unwrap();
        let game = folder.join(format!("again.{extension}"));
        let mark = if extension == "kifu" { "*" } else { "'*" };
        // A word of a person stays.
        fs::write(&game, first.replacen("#読み筋", &format!("an opening\n{mark}#読み筋"), 1)).unwrap();
        let run = analyse(&folder, &[game.to_str().unwrap(), "--kif", "--csa", "--output", extension]);
        assert!(run.success, "{}", run.stderr);
        let again = fs::read_to_string(folder.join(extension).join("again.kifu")).unwrap();
        let count = |word| again.lines().filter(|line| line.contains(word)).count();
        assert_eq!(
            (count("#評価値=") + count("#詰み="), count("悪手　損失 "), count("** ")),
            (7, 1, 0),
            "{again}"
        );
        let again = fs::read_to_string(folder.join(extension).join("again.csa")).unwrap();
        assert_eq!(again.lines().filter(|line| line.starts_with("'** ")).count(), 7, "{again}");
        assert_eq!(again.contains("an opening"), extension == "kifu");
    }
}

#[test]
fn folders_are_searched_for_games_and_empty_games_are_named() {
    let folder = folder::empty("analysis of folders");
    fs::create_dir_all(folder.join("games/below")).unwrap();
    fs::write(folder.join("games/notes.txt"), "no game").unwrap();
    fs::write(folder.join("games/empty.usi"), "startpos\n").unwrap();
    fs::write(folder.join("games/bad.csa"), "V2.2\nPI\n+\n+7775FU\n").unwrap();
    fs::write(folder.join("games/two.usi"), "startpos moves 7g7f\nstartpos moves 2g2f\n").unwrap();
    fs::write(folder.join("games/below/two-1.usi"), "startpos moves 5g5f\n").unwrap();
    let run = analyse(&folder, &["games", "--output", "out"]);
    assert!(run.success, "{}", run.stderr);
    assert!(
        run.stderr.contains("empty.usi: the game is empty") && run.stderr.contains("bad.csa: line 4"),
        "{}",
        run.stderr
    );
    let mut names: Vec<String> = fs::read_dir(folder.join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["two-1.jsonl", "two-1_2.jsonl", "two-2.jsonl"]);
    let run = analyse(&folder, &["games/empty.usi"]);
    assert!(!run.success && run.stderr.contains("there is no game to analyse"), "{}", run.stderr);
}
