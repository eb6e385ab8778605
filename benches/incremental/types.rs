//! The paper's experiment: nodes a second of types 1 to 4, by depth.

use std::time::Duration;

use jitsugen::shogi::position::Position;

use super::alpha_beta::{Evaluation, Found, Limits, search};
use super::cpu_time;
use super::move_lists::{LegalLists, MoveLists, Type};
use super::reach::{Bitboards, Reach, Walking};

/// One way to get the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// A type of the paper, with moves found by walking over the board.
    Walking(Type),
    /// The same with moves found by bitboards.
    Bitboards(Type),
    /// The engine's generator: bitboards, legal moves only.
    Engine,
}

impl Way {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Way; 9] = {
        let [one, two, three, four] = Type::ALL;
        [
            Way::Walking(one),
            Way::Walking(two),
            Way::Walking(three),
            Way::Walking(four),
            Way::Bitboards(one),
            Way::Bitboards(two),
            Way::Bitboards(three),
            Way::Bitboards(four),
            Way::Engine,
        ]
    };

    /// Its name on the command line and in tables, such as `walking-1`.
    pub fn name(self) -> String {
        let number = |kind| 1 + Type::ALL.iter().position(|&other| other == kind).unwrap_or_default();
        match self {
            Way::Walking(kind) => format!("walking-{}", number(kind)),
            Way::Bitboards(kind) => format!("bitboards-{}", number(kind)),
            Way::Engine => "engine".to_string(),
        }
    }

    /// The way that it is compared with: type 1, found alike.
    pub fn baseline(self) -> Way {
        match self {
            Way::Walking(_) => Way::Walking(Type::Full),
            Way::Bitboards(_) | Way::Engine => Way::Bitboards(Type::Full),
        }
    }

    /// Searches `root` by itself.
    pub fn search<E: Evaluation>(self, root: &Position, limits: Limits) -> Found {
        match self {
            Way::Walking(kind) => by_lists::<Walking, E>(kind, root, limits),
            Way::Bitboards(kind) => by_lists::<Bitboards, E>(kind, root, limits),
            Way::Engine => search::<_, E>(root, LegalLists::<E>::new(root), limits),
        }
    }
}

fn by_lists<R: Reach, E: Evaluation>(kind: Type, root: &Position, limits: Limits) -> Found {
    search::<_, E>(root, MoveLists::<R, E>::new(kind, root), limits)
}

/// What one way did in the positions of one game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Cost {
    pub nodes: u64,
    pub time: Duration,
}

impl Cost {
    /// Nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Searches all positions of all `games` in each of the `ways`; the result has a row for each way and in it a cost for each
/// game. The ways take turns at every game, each time from another one on, so that all meet the same disturbance.
pub fn measure<E: Evaluation>(games: &[Vec<Position>], ways: &[Way], limits: Limits) -> Vec<Vec<Cost>> {
    let mut costs = vec![vec![Cost::default(); games.len()]; ways.len()];
    for (nth, game) in games.iter().enumerate() {
        for turn in 0..ways.len() {
            let way = (nth + turn) % ways.len();
            let cost = &mut costs[way][nth];
            let begin = cpu_time::now();
            for root in game {
                cost.nodes += ways[way].search::<E>(root, limits).nodes;
            }
            cost.time = cpu_time::now() - begin;
        }
    }
    costs
}

/// Nodes a second of `one` relative to `other`: the geometric mean over games, and the half-width of its interval of 95%.
pub fn speed_ratio(one: &[Cost], other: &[Cost]) -> (f64, f64) {
    let logarithms: Vec<f64> =
        one.iter().zip(other).map(|(one, other)| (one.speed() / other.speed()).ln()).collect();
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let variance = logarithms.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    let ratio = mean.exp();
    (ratio, ratio * 1.96 * (variance / count).sqrt())
}
