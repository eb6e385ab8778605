//! Move categories and the table of their costs.

use jitsugen::search::category::{CATEGORIES, Costs, CostsError, Problem, SPLITS, View, split_names};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

/// The built-in table.
const TABLE: &str = include_str!("../eval_files/categories.txt");

/// The categories of a move, each as `category: split`.
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
fn every_category_has_a_position_that_shows_it() {
    let mut seen = Vec::new();
    for line in include_str!("data/categories.tsv").lines().filter(|line| !line.starts_with('#')) {
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

#[test]
fn malformed_tables_are_refused_with_their_line() {
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
