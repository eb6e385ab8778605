//! `jitsugen csa results`: what a folder of CSA records came to.

use std::fs;
use std::path::Path;

use crate::support::command::{assert_refused, run_in};
use crate::support::folder;

/// A game on floodgate, in which Black plays first, 4 seconds a move, and White 1 second.
struct Game {
    black: &'static str,
    white: &'static str,
    /// The second at which it began.
    start: u32,
    /// What follows the first four moves.
    end: &'static str,
}

impl Game {
    fn id(&self) -> String {
        format!("wdoor+floodgate-300-10F+{}+{}+202611271200{:02}", self.black, self.white, self.start)
    }

    /// The record as our client saves it: with the values of `jitsugen` alone.
    fn text(&self) -> String {
        let mut text = format!("V2.2\nN+{}\nN-{}\n$EVENT:{}\n", self.black, self.white, self.id());
        text += &format!("$START_TIME:2026/11/27 12:00:{:02}\nPI\n+\n", self.start);
        for (number, mv) in (1..).zip(["+7776FU", "-3334FU", "+2726FU", "-8384FU"]) {
            let is_black = mv.starts_with('+');
            let own = if is_black { self.black } else { self.white } == "jitsugen";
            text += &format!("{mv}\nT{}\n", if is_black { 4 } else { 1 });
            if own {
                text += &format!("'** {} {mv}\n", 100 * number);
            }
        }
        text + self.end
    }

    fn save(&self, folder: &Path) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join(format!("{}.csa", self.id())), self.text()).unwrap();
    }
}

/// Six games of jitsugen: 3-1-1 and one that was broken off.
fn save_games(folder: &Path) {
    for (start, black, white, end) in [
        (1, "jitsugen", "gikou", "%TORYO\nT2\n"),
        (2, "jitsugen", "gikou", "+2625FU\nT30\n%TORYO\nT2\n"),
        (3, "gikou", "jitsugen", "%TIME_UP\nT5\n"),
        (4, "gikou", "jitsugen", "%SENNICHITE\n"),
        (5, "jitsugen", "apery", "+2625FU\nT3\n%TORYO\nT0\n"),
        (6, "apery", "jitsugen", "%CHUDAN\n"),
    ] {
        Game { black, white, start, end }.save(folder);
    }
}

#[test]
fn the_table_has_every_opponent_with_results_elo_and_time() {
    let folder = folder::empty("csa results table");
    save_games(&folder.join("records"));
    // Neither is a record of a game.
    fs::write(folder.join("records").join("jitsugen.log"), "12:00 connected\n").unwrap();
    let run = run_in(&folder, &["csa", "results", "records"]);
    assert!(run.success && run.stderr.is_empty(), "{}", run.stderr);
    let expected = "\
jitsugen, games from 2026/11/27 12:00:01 to 2026/11/27 12:00:06

opponent  W-L-D   score  Elo difference (95%)  s/move  longest  their s/move  unfinished
gikou     2-1-1   62.5%    +89 (-220 to +398)     5.2     30.0           2.7           0
apery     1-0-0  100.0%          -234 or more     2.6      4.0           2.0           1
all       3-1-1   70.0%   +147 (-148 to +443)     4.3     30.0           2.5           1
as Black  2-1-0   66.7%   +120 (-233 to +473)     6.6     30.0           1.0           0
as White  1-0-1   75.0%   +191 (-243 to +625)     1.0      1.0           4.1           1

endings: resignation 2-1-0, broken off 1, repetition 0-0-1, time 1-0-0

Elo difference: +147 (-148 to +443)
Unfinished: 1
W-L-D: 3-1-1
";
    assert_eq!(run.stdout, expected);
}

#[test]
fn ratings_of_opponents_give_a_rating() {
    let folder = folder::empty("csa results rating");
    save_games(&folder);
    let text = Game { black: "jitsugen", white: "gikou", start: 30, end: "%TORYO\n" }.text();
    let rates = "+\n'black_rate:jitsugen+0123abcd:2000.0\n'white_rate:gikou+89abcdef:1500.0\n";
    fs::write(folder.join("rated.csa"), text.replace("\n+\n", &format!("\n{rates}"))).unwrap();
    let last_lines = |arguments: &[&str]| {
        let run = run_in(&folder, &[&["csa", "results", "."], arguments].concat());
        assert!(run.success, "{}", run.stderr);
        run.stdout.lines().filter(|line| line.starts_with("Rating:")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(last_lines(&[]), "Rating: 1500 (1225 to 1775) from 5 games with rated opponents");
    let given = last_lines(&["--rating", "gikou=1700", "--rating", "apery=1600"]);
    assert_eq!(given, "Rating: 1743 (1483 to 2002) from 6 games with rated opponents");
}

#[test]
fn broken_and_half_written_records_are_named_and_left_out() {
    let folder = folder::empty("csa results broken");
    save_games(&folder);
    let game = Game { black: "jitsugen", white: "gikou", start: 40, end: "+2625FU\nT3\n" };
    // The client was killed while it wrote a line, and later while it wrote the first one.
    fs::write(folder.join("half a move.csa"), game.text() + "-848").unwrap();
    fs::write(folder.join("half a time.csa"), game.text() + "-8485FU\nT").unwrap();
    fs::write(folder.join("nothing.csa"), "").unwrap();
    fs::write(folder.join("zeros.csa"), [0; 300]).unwrap();
    fs::write(folder.join("illegal.csa"), game.text() + "-8483FU\nT1\n+2524FU\nT1\n%TORYO\n").unwrap();
    fs::write(folder.join("other.csa"), "a letter to my aunt\n").unwrap();
    fs::create_dir(folder.join("folder.csa")).unwrap();
    let run = run_in(&folder, &["csa", "results", "."]);
    assert!(run.success, "{}", run.stderr);
    assert!(run.stdout.ends_with("W-L-D: 3-1-1\n"), "{}", run.stdout);
    let skipped: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(skipped.len(), 6, "{}", run.stderr);
    for (file, problem) in [
        ("half a move.csa", "line 20: '-848': expected a move like +7776FU"),
        ("half a time.csa", "line 21: 'T': expected a time"),
        ("illegal.csa", "line 20: '-8483FU'"),
        ("nothing.csa", "a game without names"),
        ("other.csa", "line 1: 'a letter to my aunt': expected"),
        ("zeros.csa", "line 1:"),
    ] {
        let is_named =
            |line: &&str| line.contains(&format!("{file}: {problem}")) && line.ends_with(": skipped");
        assert!(skipped.iter().any(is_named), "{file}: {}", run.stderr);
    }
}

#[test]
fn a_game_that_still_goes_on_is_unfinished() {
    let folder = folder::empty("csa results going on");
    save_games(&folder);
    Game { black: "jitsugen", white: "gikou", start: 50, end: "" }.save(&folder);
    let run = run_in(&folder, &["csa", "results", "."]);
    assert!(run.success && run.stderr.is_empty(), "{}", run.stderr);
    assert!(run.stdout.ends_with("Unfinished: 2\nW-L-D: 3-1-1\n"), "{}", run.stdout);
    assert!(run.stdout.contains("not recorded 1"), "{}", run.stdout);
}

#[test]
fn a_game_in_two_files_counts_once() {
    let folder = folder::empty("csa results twice");
    save_games(&folder);
    // The server's record of a game, in a folder of its own. Both players' values are in it.
    let game = Game { black: "jitsugen", white: "gikou", start: 1, end: "%TORYO\nT2\n" };
    let text = game.text().replace("-3334FU\nT1\n", "-3334FU\nT1\n'** 0 -3334FU\n");
    fs::create_dir(folder.join("from the server")).unwrap();
    fs::write(folder.join("from the server").join("game.csa"), text).unwrap();
    let run = run_in(&folder, &["csa", "results", "."]);
    assert!(run.success && run.stdout.ends_with("W-L-D: 3-1-1\n"), "{}{}", run.stdout, run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.ends_with("once more: skipped\n"), "{}", run.stderr);
    // Of two records, the one with a result counts, whichever is read first.
    for name in ["again.csa", "zz.csa"] {
        let game = Game { black: "jitsugen", white: "gikou", start: 20, end: "" };
        game.save(&folder);
        fs::write(folder.join(name), game.text() + "%TORYO\n").unwrap();
        let run = run_in(&folder, &["csa", "results", "."]);
        assert!(run.stdout.ends_with("Unfinished: 1\nW-L-D: 3-2-1\n"), "{name}: {}", run.stdout);
        let skipped = format!("{}.csa: the game of ", game.id());
        assert!(run.stderr.lines().any(|line| line.contains(&skipped)), "{name}: {}", run.stderr);
        fs::remove_file(folder.join(name)).unwrap();
    }
}

#[test]
fn the_player_is_found_or_asked_for() {
    let folder = folder::empty("csa results names");
    let first_line = |arguments: &[&str]| {
        let run = run_in(&folder, &[&["csa", "results", "."], arguments].concat());
        let text = if run.success { run.stdout } else { run.stderr };
        text.lines().next().unwrap_or("").to_string()
    };
    assert_eq!(first_line(&[]), "jitsugen: .: no game in it: expected CSA records");
    // Two players are in as many games each: the values say whose records these are.
    Game { black: "apery", white: "jitsugen", start: 1, end: "%TORYO\n" }.save(&folder);
    assert!(first_line(&[]).starts_with("jitsugen, game from"));
    assert!(first_line(&["--name", "apery"]).starts_with("apery, game from"));
    assert_eq!(
        first_line(&["--name", "jitsu"]),
        "jitsugen: .: no game of 'jitsu': expected one of apery, jitsugen"
    );
    // A game of others is not counted.
    Game { black: "apery", white: "gikou", start: 2, end: "%TORYO\n" }.save(&folder);
    let run = run_in(&folder, &["csa", "results", ".", "--name", "jitsugen"]);
    assert!(run.stdout.contains("games of other players, not counted: 1"), "{}", run.stdout);
    let nobody = folder::empty("csa results nobody");
    Game { black: "apery", white: "gikou", start: 2, end: "%TORYO\n" }.save(&nobody);
    let run = run_in(&nobody, &["csa", "results", "."]);
    assert!(run.stderr.contains("apery, gikou: expected --name with one"), "{}", run.stderr);
}

#[test]
fn bad_arguments_are_refused() {
    let folder = folder::empty("csa results arguments");
    save_games(&folder);
    assert_refused(
        &folder,
        &["csa", "results"],
        &[
            (&["nowhere"], "nowhere: "),
            (&[], "<FOLDER>"),
            (&[".", "--rating", "gikou"], "like gikou=2900"),
            (&[".", "--rating", "gikou=strong"], "like gikou=2900"),
            (&[".", "--rating", "=2900"], "like gikou=2900"),
            (&[".", "--rating", "gikou=inf"], "like gikou=2900"),
        ],
    );
}

#[cfg(feature = "learn")]
#[test]
fn values_are_drawn_from_the_players_side() {
    let folder = folder::empty("csa results plot");
    save_games(&folder.join("records"));
    let run = run_in(&folder, &["csa", "results", "records", "--plot", "values.svg"]);
    assert!(run.success && run.stderr.is_empty(), "{}", run.stderr);
    let drawing = fs::read_to_string(folder.join("values.svg")).unwrap();
    assert!(drawing.starts_with("<svg"));
    for word in ["Values of jitsugen", "won: 3", "lost: 1", "drawn: 1", "without a result: 1"] {
        assert!(drawing.contains(word), "{word}");
    }
    // Each game has a pale curve, and each result a strong one.
    let curves = |width: u8| drawing.matches(&format!("stroke-width=\"{width}\"")).count();
    assert!(curves(3) >= 4, "{drawing}");
    // A drawing may be drawn again, another file is left alone.
    assert!(run_in(&folder, &["csa", "results", "records", "--plot", "values.svg"]).success);
    fs::write(folder.join("notes.svg"), "as it was").unwrap();
    assert_refused(
        &folder,
        &["csa", "results", "records"],
        &[(&["--plot", "notes.svg"], "is there, but no drawing")],
    );
    assert_eq!(fs::read_to_string(folder.join("notes.svg")).unwrap(), "as it was");
    // Without values there is nothing to draw.
    let run = run_in(&folder, &["csa", "results", "records", "--name", "gikou", "--plot", "none.svg"]);
    assert!(run.success && run.stderr.contains("no values of gikou"), "{}", run.stderr);
    assert!(!folder.join("none.svg").exists());
}

#[cfg(not(feature = "learn"))]
#[test]
fn a_build_without_drawings_says_so() {
    let folder = folder::empty("csa results without drawings");
    save_games(&folder);
    let cases: &[(&[&str], &str)] = &[(&[".", "--plot", "values.svg"], "this build is without drawings")];
    assert_refused(&folder, &["csa", "results"], cases);
    assert!(run_in(&folder, &["csa", "results", "."]).success);
}
