//! `jitsugen learn categories`: the table of categories counted from games.

use std::fs;

use jitsugen::learn::categories::{CategoryCosts, CategoryCostsError, Counts, FEW, Problem};
use jitsugen::policy::budget::{Budget, MAX_COST};
use jitsugen::policy::category::{CategorySet, SPLITS, split_names};
use jitsugen::record::{self, Format};

use crate::support::{command, data, folder};

/// The built-in table.
const TABLE: &str = include_str!("../eval_files/categories.txt");

/// The set of one split.
fn only(split: usize) -> CategorySet {
    let mut set = CategorySet::EMPTY;
    set.insert(split);
    set
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
fn hand_made_games_have_their_counts() {
    // Bishops are exchanged on the second rank and one is taken back; in the second game it is not.
    let counts = count(
        "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n\
         startpos moves 7g7f 3c3d 8h2b+ 4a3b\n",
    );
    assert_eq!((counts.games(), counts.positions()), (2, 8));
    let table = counts.table("test");
    // All recaptures are counted together because there are few. After 8h2b+ White may take back in both games.
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
    // A category with few positions costs the most.
    assert_eq!(CategoryCosts::parse(&table).unwrap().of(only(0)), MAX_COST);
}

#[test]
fn a_forced_move_is_not_counted() {
    // White's king can only take the rook. Then it may take the tokin or go back to its corner, and goes back.
    let counts = count("sfen 8k/6G2/9/8P/9/9/9/9/K8 b R 1 moves R*1b 1a1b 1d1c+ 1b1a 9i8i\n");
    assert_eq!(counts.positions(), 4);
    let table = counts.table("test");
    assert_eq!(counts_in(&table, "take the checker", "by king"), (1, 0));
    assert_eq!(counts_in(&table, "king flight", "one square"), (1, 1));
}

#[test]
fn the_built_in_costs_follow_from_the_counts() {
    let costs = CategoryCosts::built_in();
    assert_eq!(*costs, CategoryCosts::parse(TABLE).unwrap());
    for split in 0..SPLITS {
        let (category, name) = split_names(split);
        let (positions, played) = counts_in(TABLE, category, name);
        assert!(played <= positions);
        let probability = (played as f64 + 0.5) / (positions as f64 + 1.0);
        let cost = Budget::of_probability(probability).min(MAX_COST);
        let expected = if positions < FEW { MAX_COST } else { cost };
        assert_eq!(costs.of(only(split)), expected, "{category}: {name}");
    }
}

#[test]
fn the_command_names_bad_lines_and_writes_the_whole_table() {
    let folder = folder::empty("learn categories");
    let text =
        "b\tstartpos moves 7g7f 3c3d 8h2b+\nw\tstartpos moves 7g7e 3c3d\nnothing\nstartpos moves 2g2f\n";
    fs::write(folder.join("games.usi"), text).unwrap();
    let table = folder.join("table.txt");
    fs::write(&table, "# Transition probabilities of move categories: an older table").unwrap();
    let count = || command::run_in(&folder, &["learn", "categories", "games.usi", "--output", "table.txt"]);
    let run = count();
    assert!(run.success, "{}", run.stderr);
    assert!(run.stderr.contains("line 2: ") && run.stderr.contains("line 3: "), "{}", run.stderr);
    assert!(run.stderr.ends_with("Left out: 2\nGames: 2\nPositions: 4\n"), "{}", run.stderr);
    let written = fs::read_to_string(&table).unwrap();
    assert!(written.starts_with("# Transition probabilities"), "{written}");
    assert!(written.contains("learn categories games.usi\n"), "{written}");
    assert!(CategoryCosts::parse(&written).is_ok());
    assert_eq!(folder::count(&folder), 2, "nothing is left beside the table");

    // A table is written over.
    assert!(count().success);
    fs::write(folder.join("games.usi"), "nothing\n").unwrap();
    assert!(!count().success);
    assert_eq!(
        fs::read_to_string(&table).unwrap(),
        written,
        "a file without games leaves the table as it is"
    );
}

/// The built-in table is what the two files of games give.
#[test]
#[cfg_attr(not(test_data), ignore = "needs the test data: JITSUGEN_DATA")]
fn the_built_in_table_is_what_its_games_give() {
    let mut counts = Counts::new();
    for file in ["professional.usi", "engine.usi"] {
        for game in record::read_each(data::read(&format!("games/{file}")).as_bytes(), None) {
            counts.add(&game.unwrap());
        }
    }
    let table = counts.table("jitsugen learn categories professional.usi engine.usi");
    assert!(table == TABLE, "eval_files/categories.txt is not what the counting gives now");
}

#[test]
fn malformed_tables_are_refused_with_their_line() {
    let lines: Vec<&str> = TABLE.lines().collect();
    let row = lines.iter().position(|line| line.starts_with("recapture")).unwrap();
    let with = |changed: &str| {
        let mut copy = lines.clone();
        copy[row] = changed;
        CategoryCosts::parse(&copy.join("\n"))
    };
    let refused = |changed: &str, problem: Problem| {
        assert_eq!(with(changed), Err(CategoryCostsError { line: row + 1, problem }), "{changed}");
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
    let again = CategoryCosts::parse(&format!("{TABLE}\n{}\n", lines[row])).unwrap_err();
    assert_eq!(again.line, lines.len() + 2);
    assert!(matches!(again.problem, Problem::Twice(_)));
    // The last line is a comment.
    let missing = CategoryCosts::parse(&lines[..lines.len() - 2].join("\n")).unwrap_err();
    assert_eq!(missing, CategoryCostsError { line: lines.len() - 1, problem: Problem::Missing(SPLITS - 1) });
    assert!(missing.to_string().contains("'drop rook | -'"), "{missing}");
}
