//! `jitsugen explain` and `explain` over USI: the table, the sentences, the line, and the drawing.

use std::fs;

use crate::support::client::Client;
use crate::support::command::{assert_refused, run_in};
use crate::support::folder;

/// The paper's first example.
const EXAMPLE: &str = "5k1n1/3p5/3n1b3/3r1Sp2/9/3L2N2/1P1P5/6K2/9 w - 1";

#[test]
fn a_position_is_explained_in_a_table_sentences_and_a_line() {
    let folder = folder::empty("explain command");
    let words: Vec<&str> = EXAMPLE.split(' ').collect();
    let run = run_in(&folder, &[&["explain", "--values", "paper"], &words[..]].concat());
    assert!(run.success, "{run:?}");
    for expected in [
        "White to move",
        "BDRI+SRDX",
        "--r--s--x  R6dxs4d      -560   400    1160   White",
        "--r--s--x  l6fxR6d       960   960     960 n  Black",
        "Rook takes silver on 4d, 1160: it takes the piece with which silver takes bishop on 4c (740); \
         it also escapes the lance on 6f (960); it takes the piece with which silver promotes on 5c (20).",
        "Net value for White: -356",
    ] {
        assert!(run.stdout.contains(expected), "{expected}\n{}", run.stdout);
    }
    let last = run.stdout.lines().last().unwrap();
    assert!(last.starts_with("Evaluation without a search for White: ") && last.ends_with('%'), "{last}");
}

#[test]
fn values_are_in_hundredths_of_a_pawn() {
    let folder = folder::empty("explain units");
    // A gold takes a pawn that nobody guards: one side loses it, and the other has it in hand.
    let position = ["4k4/9/4p4/4G4/9/9/9/9/4K4", "b", "-", "1"];
    let run = run_in(&folder, &[&["explain", "--svg", "board.svg"], &position[..]].concat());
    assert!(run.success, "{run:?}");
    let row = run.stdout.lines().find(|line| line.contains("g5dxP5c")).expect("it takes the pawn");
    assert!(row.split_whitespace().any(|word| word == "200"), "{}", run.stdout);
    let net = run.stdout.lines().find_map(|line| line.strip_prefix("Net value for Black: ")).unwrap();
    let svg = fs::read_to_string(folder.join("board.svg")).unwrap();
    assert!(svg.contains(&format!("net value {net}<")), "{svg}");
}

#[test]
fn the_position_before_a_move_of_a_game_is_explained() {
    let folder = folder::empty("explain game command");
    fs::write(folder.join("game.usi"), "b\tstartpos moves 7g7f 3c3d 8h3c+\n").unwrap();
    let explain = |place: &str| run_in(&folder, &["explain", place]);
    let run = explain("game.usi@4");
    assert!(run.success && run.stdout.contains("White to move"), "{run:?}");
    // The knight, the bishop and nothing else takes the horse: 1050 + 950.
    assert!(run.stdout.contains("N2bx+b3c") || run.stdout.contains("N2ax+b3c"), "{}", run.stdout);
    assert!(explain("game.usi@1").stdout.contains("Net value for Black: 0"));
}

#[test]
fn the_board_is_drawn_with_arrows() {
    let folder = folder::empty("explain drawing");
    let words: Vec<&str> = EXAMPLE.split(' ').collect();
    // A drawing of the command itself is replaced.
    for _ in 0..2 {
        let run = run_in(&folder, &[&["explain", "--svg", "board.svg"], &words[..]].concat());
        assert!(run.success, "{run:?}");
    }
    let svg = fs::read_to_string(folder.join("board.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
    // Five moves of the line, with numbers, and three other profitable moves.
    assert_eq!(svg.matches("<circle").count(), 5);
    assert_eq!(svg.matches("stroke-dasharray").count(), 3, "{svg}");
    assert_eq!(svg.matches("飛").count(), 1);
}

#[test]
fn bad_input_is_named_and_nothing_is_written() {
    let folder = folder::empty("explain bad input");
    fs::write(folder.join("game.usi"), "b\tstartpos moves 7g7f 3c3d\n").unwrap();
    fs::write(folder.join("notes.txt"), "mine").unwrap();
    fs::write(folder.join("own.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>").unwrap();
    let cases: &[(&[&str], &str)] = &[
        (&["game.usi@0"], "'0' is no move of the game: expected 1 to 3"),
        (&["game.usi@4"], "'4' is no move of the game: expected 1 to 3"),
        (&["game.usi@x"], "'x' is no move of the game"),
        (&["missing.kif@1"], "missing.kif"),
        (&["game.usi"], "game.usi: the number of a move is missing: expected game.usi@47"),
        (&["nonsense"], "position"),
        (&["--svg", "own.svg"], "is there, but no drawing"),
        (&["--svg", "notes.txt"], "is there, but no drawing"),
        (&["game.usi@1", "--svg", "game.usi"], "is the file of the game as well"),
    ];
    assert_refused(&folder, &["explain"], cases);
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "mine");
}

#[test]
fn the_position_is_explained_over_usi() {
    let mut client = Client::start();
    client.send(&format!("position sfen {EXAMPLE}"));
    client.send("explain");
    let lines = client.until("Evaluation without a search for White");
    assert!(lines.iter().any(|line| line.contains("White to move")), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("R6dxs4d")), "{lines:?}");
}
