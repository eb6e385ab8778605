//! Transition probabilities of move categories, counted from games (Tsuruoka et al. 2002, §2.2).
//!
//! A position counts once for every category split in which some move is legal (n_c) and once for every one that the
//! played move belongs to, not only its most probable one (n_p). Positions with a single legal move are no evidence of
//! a choice and are not counted.
//!
//! Splits with too few positions are counted together with a neighbour, always of the same category. That n_c is exact:
//! a position in which moves of both are legal counts once.
//!
//! What a move costs by its categories alone, as in the paper (Tsuruoka et al. 2002, §2.2). The engine does not play by
//! this; training recounts the table and compares what it learns with it.

use std::fmt::{self, Write};
use std::sync::LazyLock;

use crate::policy::budget::{Budget, MAX_COST};
use crate::policy::category::{CATEGORIES, Category, CategorySet, SPLITS, split_names};
use crate::policy::move_context::MoveContext;
use crate::record::Record;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::text::excerpt;

/// A split in which moves are legal in fewer positions than this is counted together with a neighbour.
pub const FEW: u64 = 200;

/// The first line of every table begins with this.
pub const TITLE: &str = "# Transition probabilities of move categories";

/// The counts of the games so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    games: u64,
    positions: u64,
    categories: Vec<Tally>,
}

/// The counts of one category.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Tally {
    /// By the set of splits with legal moves, as bits: the number of positions with exactly that set.
    legal: Vec<u64>,
    /// By split: the number of positions in which the played move belonged to it.
    played: Vec<u64>,
}

/// The estimate for one split.
#[derive(Clone, PartialEq, Debug)]
pub struct Estimate {
    /// Its category.
    pub category: &'static str,
    /// Its name.
    pub split: &'static str,
    /// Positions in which a move of the split, or of those counted with it, is legal: n_c.
    pub positions: u64,
    /// Positions in which such a move was played: n_p.
    pub played: u64,
    /// The cost of a move of the split, [`MAX_COST`] at most.
    pub cost: Budget,
    /// The splits that are counted together with it, this one included.
    pub group: Vec<&'static str>,
}

impl Estimate {
    /// (n_p + ½) ÷ (n_c + 1).
    pub fn probability(&self) -> f64 {
        probability(self.positions, self.played)
    }

    /// Whether there are too few positions even with all splits of the category together. Such moves have the highest
    /// cost.
    pub fn is_unknown(&self) -> bool {
        self.positions < FEW
    }
}

fn probability(positions: u64, played: u64) -> f64 {
    (played as f64 + 0.5) / (positions as f64 + 1.0)
}

impl Counts {
    /// Of no game.
    pub fn new() -> Counts {
        let tally = |category: &Category| Tally {
            legal: vec![0; 1 << category.splits.len()],
            played: vec![0; category.splits.len()],
        };
        Counts { games: 0, positions: 0, categories: CATEGORIES.iter().map(tally).collect() }
    }

    /// How many games were counted.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How many positions were counted: those with a choice of moves.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Counts the moves of a game, variations not included.
    pub fn add(&mut self, game: &Record) {
        self.games += 1;
        let mut position = game.start_position();
        let mut last: Option<Move> = None;
        for mv in game.moves() {
            self.add_position(&position, last, mv);
            position.play(mv, &mut ());
            last = Some(mv);
        }
    }

    fn add_position(&mut self, position: &Position, last: Option<Move>, played: Move) {
        let moves = generate::all_legal(position);
        if moves.len() < 2 {
            return;
        }
        self.positions += 1;
        let view = MoveContext::new(position, last.map(Move::to));
        let mut legal = CategorySet::EMPTY;
        for mv in moves {
            legal.insert_all(view.categories(mv));
        }
        let played = view.categories(played);
        for (category, tally) in CATEGORIES.iter().zip(&mut self.categories) {
            let mut set = 0;
            for place in 0..category.splits.len() {
                set |= usize::from(legal.contains(category.first + place)) << place;
                tally.played[place] += u64::from(played.contains(category.first + place));
            }
            tally.legal[set] += 1;
        }
    }

    /// The estimate for each split, in the order of their numbers.
    pub fn estimates(&self) -> Vec<Estimate> {
        CATEGORIES
            .iter()
            .zip(&self.categories)
            .flat_map(|(category, tally)| tally.estimates(category))
            .collect()
    }

    /// The table that [`CategoryCosts::parse`](super::categories::CategoryCosts::parse) reads, with `command` named
    /// as its origin.
    pub fn table(&self, command: &str) -> String {
        let mut text = format!(
            "{TITLE}. Written by: {command}\n\
             # Counted: {} games, {} positions with two legal moves or more.\n\
             # n_c: positions in which a move of the split is legal; n_p: positions in which one was played.\n\
             # probability: (n_p + 1/2) / (n_c + 1); cost: its -log2 in 1/256 bit, {} at most.\n\
             # A split with n_c under {FEW} is counted together with a neighbour, as the last column says; a whole\n\
             # category with fewer costs the most.\n\
             # Only the cost counts when this file is read. Lines with (whole) tell of a category without its splits.\n\n",
            self.games,
            self.positions,
            MAX_COST.units(),
        );
        let mut row = |fields: [&str; 7]| {
            let [category, split, positions, played, probability, cost, note] = fields;
            let line = format!(
                "{category:<38} | {split:<23} | {positions:>7} | {played:>6} | {probability:>7} | {cost:>5} | {note}"
            );
            text.push_str(line.trim_end());
            text.push('\n');
        };
        row(["# category", "split", "n_c", "n_p", "prob.", "cost", "note"]);
        for (category, tally) in CATEGORIES.iter().zip(&self.categories) {
            for estimate in tally.estimates(category) {
                row([
                    estimate.category,
                    estimate.split,
                    &estimate.positions.to_string(),
                    &estimate.played.to_string(),
                    &format!("{:.4}", estimate.probability()),
                    &estimate.cost.units().to_string(),
                    &note(&estimate),
                ]);
            }
            let (positions, played): (u64, u64) =
                (tally.positions(&(0..category.splits.len())), tally.played.iter().sum());
            row([
                &format!("# {}", category.name),
                "(whole)",
                &positions.to_string(),
                &played.to_string(),
                &format!("{:.4}", probability(positions, played)),
                "",
                "",
            ]);
        }
        text
    }
}

impl Default for Counts {
    fn default() -> Self {
        Counts::new()
    }
}

fn note(estimate: &Estimate) -> String {
    let mut text = String::new();
    let others = estimate.group.iter().filter(|&&name| name != estimate.split);
    for (index, name) in others.enumerate() {
        let lead = if index == 0 { "with " } else { ", " };
        write!(text, "{lead}{name}").expect("a String takes all that is written");
    }
    if estimate.is_unknown() {
        text.push_str(if text.is_empty() { "too few" } else { "; too few" });
    }
    text
}

impl Tally {
    fn estimates(&self, category: &Category) -> Vec<Estimate> {
        let groups = self.groups();
        let group_of = |place: usize| groups.iter().find(|group| group.contains(&place));
        let estimate = |(place, &split): (usize, &&'static str)| {
            let group = group_of(place).cloned().unwrap_or(place..place + 1);
            let mut estimate = Estimate {
                category: category.name,
                split,
                positions: self.positions(&group),
                played: self.played[group.clone()].iter().sum(),
                cost: MAX_COST,
                group: category.splits[group].to_vec(),
            };
            if !estimate.is_unknown() {
                estimate.cost = Budget::of_probability(estimate.probability()).min(MAX_COST);
            }
            estimate
        };
        category.splits.iter().enumerate().map(estimate).collect()
    }

    /// The splits that are counted together. While one has too few positions, the one with the fewest (the first of
    /// several) joins the neighbour with fewer positions, or the one after it if both have the same.
    fn groups(&self) -> Vec<std::ops::Range<usize>> {
        let mut groups: Vec<_> = (0..self.played.len()).map(|place| place..place + 1).collect();
        while groups.len() > 1 {
            let sizes: Vec<u64> = groups.iter().map(|group| self.positions(group)).collect();
            let Some((least, &size)) = sizes.iter().enumerate().min_by_key(|&(_, &size)| size) else { break };
            if size >= FEW {
                break;
            }
            let before = least.checked_sub(1).map(|index| sizes[index]);
            let after = sizes.get(least + 1).copied();
            let joined = match (before, after) {
                (Some(before), Some(after)) if before < after => least - 1,
                (Some(_), None) => least - 1,
                _ => least,
            };
            let end = groups.remove(joined + 1).end;
            groups[joined].end = end;
        }
        groups
    }

    /// In how many positions a move of one of these splits is legal.
    fn positions(&self, group: &std::ops::Range<usize>) -> u64 {
        let wanted = (1 << group.end) - (1 << group.start);
        self.legal.iter().enumerate().filter(|(set, _)| set & wanted != 0).map(|(_, &count)| count).sum()
    }
}

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
