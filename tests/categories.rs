//! Move categories.

use jitsugen::policy::category::{CATEGORIES, split_names};
use jitsugen::policy::move_context::MoveContext;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;
use jitsugen::shogi::square::Square;

/// The categories of a move, each as `category: split`.
fn named(position: &Position, last: Option<Square>, mv: Move) -> Vec<String> {
    let set = MoveContext::new(position, last).categories(mv);
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
