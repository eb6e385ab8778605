//! Transition probabilities of move categories, counted from games (Tsuruoka et al. 2002, §2.2).
//!
//! A position counts once for every category split in which some move is legal (n_c) and once for every one that the
//! played move belongs to, not only its most probable one (n_p). Positions with a single legal move are no evidence of
//! a choice and are not counted.
//!
//! Splits with too few positions are counted together with a neighbour, always of the same category. That n_c is exact:
//! a position in which moves of both are legal counts once.

use std::fmt::Write;

use crate::policy::budget::{Budget, MAX_COST};
use crate::policy::category::{CATEGORIES, Category, CategorySet};
use crate::policy::move_context::MoveContext;
use crate::record::Record;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

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

    /// The table that [`CategoryCosts::parse`](super::category_costs::CategoryCosts::parse) reads, with `command` named
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
