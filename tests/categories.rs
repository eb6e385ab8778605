//! Move categories, their table, and how both are learned from games.

#![cfg(feature = "learn")]

mod common;

use std::process::Command;

use jitsugen::learn::categories::{Counts, FEW};
use jitsugen::policy::category::{
    CATEGORIES, Costs, CostsError, MAX_COST, Problem, SPLITS, View, split_names,
};
use jitsugen::record::{self, Format};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

const TABLE: &str = include_str!("../eval_files/categories.txt");

/// `category: split` of everything that a move belongs to.
fn named(position: &Position, last: Option<Square>, mv: Move) -> Vec<String> {
    let set = View::new(position, last).categories(mv);
    set.iter()
        .map(|split| {
            let (category, split) = split_names(split);
            format!("{category}: {split}")
        })
        .collect()
}

#[test]
fn each_category_has_a_position() {
    let mut seen = Vec::new();
    for line in include_str!("../testdata/categories.tsv").lines().filter(|line| !line.starts_with('#')) {
        let [text, last, mv, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("four fields: {line}")
        };
        let position = sfen::parse(text).unwrap();
        let last = if last == "-" { None } else { Some(last.parse().unwrap()) };
        let mv = mv.parse().unwrap();
        assert!(position.is_legal(mv), "{line}");
        let found = named(&position, last, mv);
        assert_eq!(found.join("; "), expected, "{line}");
        seen.extend(found);
    }
    for category in &CATEGORIES {
        let prefix = format!("{}: ", category.name);
        assert!(seen.iter().any(|name| name.starts_with(&prefix)), "no position for {}", category.name);
    }
}

/// The counts of a table by category and split: n_c, n_p.
fn counts_in(table: &str, category: &str, split: &str) -> (u64, u64) {
    let row = table.lines().find(|line| {
        let mut fields = line.split('|').map(str::trim);
        fields.next() == Some(category) && fields.next() == Some(split)
    });
    let fields: Vec<&str> =
        row.unwrap_or_else(|| panic!("{category}, {split}")).split('|').map(str::trim).collect();
    (fields[2].parse().unwrap(), fields[3].parse().unwrap())
}

fn count(lines: &str) -> Counts {
    let mut counts = Counts::new();
    for game in record::read_text(lines, Some(Format::Usi)).unwrap() {
        counts.add(&game);
    }
    counts
}

#[test]
fn counts_of_hand_made_games() {
    // Bishops are exchanged on the second rank and one is taken back; in the second game it is not.
    let counts = count(
        "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n\
         startpos moves 7g7f 3c3d 8h2b+ 4a3b\n",
    );
    assert_eq!((counts.games(), counts.positions()), (2, 8));
    let table = counts.table("test");
    // All re-captures are counted together, there being few. After 8h2b+ White may take back in both games.
    assert_eq!(counts_in(&table, "recapture", "+ more"), (2, 1));
    assert_eq!(counts_in(&table, "recapture", "-"), (2, 1));
    // Black may take the bishop or promote without from the third position on; White only takes back.
    assert_eq!(counts_in(&table, "capture", "0"), (2, 2));
    assert_eq!(counts_in(&table, "promote bishop", "+ or 0"), (2, 2));
    assert_eq!(counts_in(&table, "promote rook", "+ or 0"), (0, 0));
    // 7g7f opens the line, and so do other moves; it is a pawn move as well.
    assert_eq!(counts_in(&table, "move pawn", "elsewhere"), (8, 4));
    assert_eq!(counts_in(&table, "move gold", "elsewhere"), (8, 1));
    assert_eq!(counts_in(&table, "take the checker", "+"), (0, 0));
    // Few positions cost the most.
    assert_eq!(Costs::parse(&table).unwrap().of_split(0), MAX_COST);
}

#[test]
fn a_sole_legal_move_is_no_evidence() {
    // White's king can only take the rook. Then it may take the tokin or go back to its corner, and goes back.
    let counts = count("sfen 8k/6G2/9/8P/9/9/9/9/K8 b R 1 moves R*1b 1a1b 1d1c+ 1b1a 9i8i\n");
    assert_eq!(counts.positions(), 4);
    let table = counts.table("test");
    assert_eq!(counts_in(&table, "take the checker", "by king"), (1, 0));
    assert_eq!(counts_in(&table, "king flight", "one square"), (1, 1));
}

#[test]
fn the_built_in_table_covers_every_split() {
    let costs = Costs::built_in();
    assert_eq!(*costs, Costs::parse(TABLE).unwrap());
    for split in 0..SPLITS {
        let (category, name) = split_names(split);
        let (positions, played) = counts_in(TABLE, category, name);
        assert!(played <= positions);
        let probability = (played as f64 + 0.5) / (positions as f64 + 1.0);
        let cost = jitsugen::policy::budget::Budget::of_probability(probability).min(MAX_COST);
        let expected = if positions < FEW { MAX_COST } else { cost };
        assert_eq!(costs.of_split(split), expected, "{category}: {name}");
    }
}

#[test]
fn malformed_tables_are_refused_with_the_line() {
    let lines: Vec<&str> = TABLE.lines().collect();
    let row = lines.iter().position(|line| line.starts_with("recapture")).unwrap();
    let with = |changed: &str| {
        let mut copy = lines.clone();
        copy[row] = changed;
        Costs::parse(&copy.join("\n"))
    };
    let refused = |changed: &str, problem: Problem| {
        assert_eq!(with(changed), Err(CostsError { line: row + 1, problem }), "{changed}");
    };
    refused("recapture | - | 1 | 1 | 0.5 | 256", Problem::Fields(6));
    refused("retake | - | 1 | 1 | 0.5 | 256 |", Problem::Category("retake".into()));
    refused("recapture | ? | 1 | 1 | 0.5 | 256 |", Problem::Split("recapture", "?".into()));
    refused("recapture | - | x | 1 | 0.5 | 256 |", Problem::Number("x".into()));
    refused("recapture | - | 1 | 2 | 0.5 | 256 |", Problem::MorePlayed { positions: 1, played: 2 });
    refused("recapture | - | 1 | 1 | 1.5 | 256 |", Problem::Probability("1.5".into()));
    refused("recapture | - | 1 | 1 | NaN | 256 |", Problem::Probability("NaN".into()));
    refused("recapture | - | 1 | 1 | 0.5 | 9999 |", Problem::Cost("9999".into()));
    refused("recapture | - | 1 | 1 | 0.5 | -1 |", Problem::Cost("-1".into()));
    assert!(with("recapture | - | 1 | 1 | 0.5 | 256 | by hand").is_ok());
    let again = Costs::parse(&format!("{TABLE}\n{}\n", lines[row])).unwrap_err();
    assert_eq!(again.line, lines.len() + 2);
    assert!(matches!(again.problem, Problem::Twice(_)));
    // The last line is a comment.
    let missing = Costs::parse(&lines[..lines.len() - 2].join("\n")).unwrap_err();
    assert_eq!(missing, CostsError { line: lines.len() - 1, problem: Problem::Missing(SPLITS - 1) });
    assert!(missing.to_string().contains("'drop rook | -'"), "{missing}");
}

#[test]
fn the_command_names_bad_lines_and_writes_the_table_whole() {
    let dir = std::env::temp_dir().join(format!("jitsugen-categories-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let (games, table) = (dir.join("games.usi"), dir.join("table.txt"));
    let text =
        "b\tstartpos moves 7g7f 3c3d 8h2b+\nw\tstartpos moves 7g7e 3c3d\nnothing\nstartpos moves 2g2f\n";
    std::fs::write(&games, text).unwrap();
    std::fs::write(&table, "# Transition probabilities of move categories: an older table").unwrap();
    let run = |arguments: &[&std::ffi::OsStr]| {
        Command::new(env!("CARGO_BIN_EXE_jitsugen"))
            .args(["learn", "categories"])
            .args(arguments)
            .output()
            .unwrap()
    };
    let output = run(&[games.as_os_str(), "--output".as_ref(), table.as_os_str()]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert!(said.contains("line 2: ") && said.contains("line 3: "), "{said}");
    assert!(said.ends_with("Left out: 2\nGames: 2\nPositions: 4\n"), "{said}");
    let written = std::fs::read_to_string(&table).unwrap();
    assert!(written.starts_with("# Transition probabilities"), "{written}");
    assert!(written.contains("learn categories games.usi\n"), "{written}");
    assert!(Costs::parse(&written).is_ok());
    assert_eq!(std::fs::read_dir(&dir).unwrap().count(), 2, "nothing is left beside the table");

    std::fs::write(&games, "nothing\n").unwrap();
    let output = run(&[games.as_os_str(), "--output".as_ref(), table.as_os_str()]);
    assert!(!output.status.success());
    assert_eq!(
        std::fs::read_to_string(&table).unwrap(),
        written,
        "a table is not lost to games that are none"
    );
    std::fs::remove_dir_all(&dir).unwrap();
}

/// The built-in table is what the two files of games give.
#[test]
fn the_built_in_table_is_reproduced() {
    let Some(dir) = common::data_dir("the_built_in_table_is_reproduced") else { return };
    let mut counts = Counts::new();
    for file in ["professional.usi", "engine.usi"] {
        for game in record::read_each(&std::fs::read(dir.join("games").join(file)).unwrap(), None) {
            counts.add(&game.unwrap());
        }
    }
    let table = counts.table("jitsugen learn categories professional.usi engine.usi");
    assert!(table == TABLE, "eval_files/categories.txt is not what the counting gives now");
}
