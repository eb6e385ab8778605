//! What a move costs by its categories alone, as in the paper (Tsuruoka et al. 2002, §2.2). The engine does not play by
//! this; training recounts the table and compares what it learns with it.

use std::fmt;
use std::sync::LazyLock;

use crate::policy::budget::{Budget, MAX_COST};
use crate::policy::category::{CATEGORIES, CategorySet, SPLITS, split_names};
use crate::util::text::excerpt;

/// The cost of each category split.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CategoryCosts([Budget; SPLITS]);

const BUILT_IN: &str = include_str!("../../eval_files/categories.txt");

impl CategoryCosts {
    /// The built-in table, counted from games of professionals and of engines.
    pub fn built_in() -> &'static CategoryCosts {
        static COSTS: LazyLock<CategoryCosts> = LazyLock::new(|| {
            CategoryCosts::parse(BUILT_IN).expect("the built-in table was written by this program")
        });
        &COSTS
    }

    /// The cost of a move of these categories: that of the most probable one, [`MAX_COST`] for none.
    pub fn of(&self, set: CategorySet) -> Budget {
        set.iter().map(|split| self.0[split]).min().unwrap_or(MAX_COST)
    }

    /// Reads a table: lines of category, split, n_c, n_p, probability and cost with `|` between them, then a note that
    /// may be empty. Only the cost, in 1/256 bit, is used. Blank lines and those that begin with `#` are skipped.
    ///
    /// # Errors
    /// When a line has another form, or a split is missing or there twice.
    pub fn parse(text: &str) -> Result<CategoryCosts, CategoryCostsError> {
        let mut costs = [None; SPLITS];
        let mut last = 0;
        for (line, text) in (1..).zip(text.lines()) {
            last = line;
            if text.trim().is_empty() || text.starts_with('#') {
                continue;
            }
            let (split, cost) = parse_line(text).map_err(|problem| CategoryCostsError { line, problem })?;
            if costs[split].replace(cost).is_some() {
                return Err(CategoryCostsError { line, problem: Problem::Twice(split) });
            }
        }
        match costs.iter().position(Option::is_none) {
            None => Ok(CategoryCosts(costs.map(Option::unwrap_or_default))),
            Some(missing) => Err(CategoryCostsError { line: last + 1, problem: Problem::Missing(missing) }),
        }
    }
}

fn parse_line(text: &str) -> Result<(usize, Budget), Problem> {
    let fields: Vec<&str> = text.split('|').map(str::trim).collect();
    let [category, split, positions, played, probability, cost, _note] = fields[..] else {
        return Err(Problem::Fields(fields.len()));
    };
    let known = CATEGORIES.iter().find(|known| known.name == category);
    let known = known.ok_or_else(|| Problem::Category(excerpt(category)))?;
    let place = known.splits.iter().position(|&name| name == split);
    let place = place.ok_or_else(|| Problem::Split(known.name, excerpt(split)))?;
    let number = |field: &str| field.parse::<u64>().map_err(|_| Problem::Number(excerpt(field)));
    let (positions, played) = (number(positions)?, number(played)?);
    if played > positions {
        return Err(Problem::MorePlayed { positions, played });
    }
    let value: f64 = probability.parse().map_err(|_| Problem::Probability(excerpt(probability)))?;
    if !(0.0..=1.0).contains(&value) {
        return Err(Problem::Probability(excerpt(probability)));
    }
    let units: i32 = cost.parse().map_err(|_| Problem::Cost(excerpt(cost)))?;
    if !(0..=MAX_COST.units()).contains(&units) {
        return Err(Problem::Cost(excerpt(cost)));
    }
    Ok((known.first + place, Budget::new(units)))
}

/// Why a table could not be read, and on which line.
#[derive(Clone, PartialEq, Debug)]
pub struct CategoryCostsError {
    /// The line, 1 for the first.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a line of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// Another number of fields than seven.
    Fields(usize),
    /// No category has this name.
    Category(String),
    /// The category has no split of this name.
    Split(&'static str, String),
    /// Not a number of positions.
    Number(String),
    /// A move was played in more positions than it was legal in.
    MorePlayed {
        /// Positions in which a move of the split is legal.
        positions: u64,
        /// Positions in which one was played.
        played: u64,
    },
    /// Not a probability.
    Probability(String),
    /// Not a cost.
    Cost(String),
    /// The split with this number was there before.
    Twice(usize),
    /// The table ends without the split with this number.
    Missing(usize),
}

impl fmt::Display for CategoryCostsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |split: usize| {
            let (category, split) = split_names(split);
            format!("'{category} | {split}'")
        };
        match self {
            Problem::Fields(found) => {
                write!(f, "{found} fields: expected seven, with | between them")
            }
            Problem::Category(found) => write!(f, "'{found}': expected the name of a category"),
            Problem::Split(category, found) => write!(f, "'{found}': expected a split of '{category}'"),
            Problem::Number(found) => write!(f, "'{found}': expected a number of positions"),
            Problem::MorePlayed { positions, played } => {
                write!(f, "{played} played: expected no more than the {positions} positions")
            }
            Problem::Probability(found) => write!(f, "'{found}': expected a probability from 0 to 1"),
            Problem::Cost(found) => {
                write!(f, "'{found}': expected a cost from 0 to {} (1/256 bit)", MAX_COST.units())
            }
            Problem::Twice(split) => write!(f, "{} again: expected it once", named(*split)),
            Problem::Missing(split) => {
                write!(f, "the end of the table: expected a line for {}", named(*split))
            }
        }
    }
}

impl std::error::Error for CategoryCostsError {}
