//! The model: the parameters of the terms, and the value of positions by them.

use super::places::{PlaceKind, Places};
use super::shared_parameters::SharedParameters;
use super::snapshot::Snapshot;
use super::term::{Spread, Term};
use crate::shogi::square::Square;

/// A parameter: its parts for the board and for the turn, in units.
pub type Parameter = [f32; 2];

/// Sums of gradients in whole numbers, [`GRADIENT_ONE`] for 1: their order does not matter.
pub type Gradient = [i64; 2];

/// The whole number that stands for a gradient of 1.
pub const GRADIENT_ONE: f64 = (1u64 << 36) as f64;

/// The most times that a parameter counts in an example: of 38 pieces each has at most two partners in a pair of the same
/// kind, which counts twice; in a choice, the same for the played move and for the alternatives together.
const MOST_TIMES: f64 = 512.0;

/// The largest sum of slopes whose gradients have room.
pub const MOST_SLOPES: f64 = i64::MAX as f64 / (GRADIENT_ONE * MOST_TIMES);

/// Room for the features of a position with all terms.
const USUAL_FEATURES: usize = 6000;

/// A parameter of a position.
#[derive(Clone, Copy)]
struct Feature {
    number: u32,
    /// How often it counts for the board, as Black sees it, and for the turn.
    board: i16,
    turn: i16,
}

/// The parameters of a position one by one: what [`PlaceTables`](super::place_tables::PlaceTables) must agree with.
pub struct Features {
    base: f64,
    turn: f64,
    list: Vec<Feature>,
}

/// The terms that are learned with their parameters.
pub struct Model {
    spreads: Vec<Spread>,
    tables: Vec<SharedParameters>,
    /// By number; each term has a range of its own.
    pub parameters: Vec<Parameter>,
}

impl Model {
    /// Parameters for every feature that occurs at least `seen` times in positions with these places, all 0. In a position it
    /// occurs once for each place that shares it and each side that sees it.
    pub fn new(spreads: &[Spread], places: &Places, seen: u32) -> Model {
        let mut model = Model { spreads: Vec::new(), tables: Vec::new(), parameters: Vec::new() };
        // One term after the other: only the last ones are large.
        for &spread in spreads {
            let table = SharedParameters::all(spread.term);
            let mut counts = vec![0u32; table.keys.len()];
            let mut by_slot = Vec::new();
            for kind in PlaceKind::ALL {
                by_slot.clear();
                by_slot.resize(kind.slots(), 0);
                for (king, list) in Square::all().zip(places.of(kind)) {
                    list.iter().for_each(|seen| by_slot[kind.slot(seen.place)] = seen.count);
                    let numbers: Vec<u32> = list.iter().map(|seen| seen.place).collect();
                    table.at_places(kind, king, &numbers, &mut |slot, number, _| {
                        counts[number] = counts[number].saturating_add(by_slot[slot]);
                    });
                }
            }
            // Both sides see the same pair where the kings do not matter.
            let views = if matches!(spread.term, Term::Pair | Term::PairRelative) { 2 } else { 1 };
            model.add(spread, table, |number| counts[number] / views >= seen);
        }
        model
    }

    /// A model with these parameters of each term, by [`keys`](Model::keys); all are 0.
    ///
    /// # Errors
    /// The name of a term that has no such parameters.
    pub fn with_keys(terms: &[(Spread, Vec<u32>)]) -> Result<Model, &'static str> {
        let mut model = Model { spreads: Vec::new(), tables: Vec::new(), parameters: Vec::new() };
        for (spread, keys) in terms {
            let table = SharedParameters::all(spread.term);
            let mut wanted = vec![false; table.keys.len()];
            let mut rest = keys.iter().peekable();
            for (place, key) in table.keys.iter().enumerate() {
                wanted[place] = rest.next_if_eq(&key).is_some();
            }
            if rest.next().is_some() {
                return Err(spread.term.name());
            }
            model.add(*spread, table, |number| wanted[number]);
        }
        Ok(model)
    }

    fn add(&mut self, spread: Spread, mut table: SharedParameters, wanted: impl Fn(usize) -> bool) {
        table.keep(self.parameters.len(), wanted);
        self.parameters.resize(self.parameters.len() + table.keys.len(), [0.0; 2]);
        self.tables.push(table);
        self.spreads.push(spread);
    }

    /// Each term with the keys of its parameters, in the order of their numbers.
    pub fn keys(&self) -> impl Iterator<Item = (Spread, &[u32])> {
        self.spreads.iter().copied().zip(self.tables.iter().map(|table| &table.keys[..]))
    }

    /// Whether a term is of pairs of pieces.
    pub fn has_pairs(&self) -> bool {
        self.spreads.iter().any(|spread| spread.term.is_of_pairs())
    }

    /// Calls `see` with the slot, the number and the sign of each parameter at these places, given in rising order; see
    /// [`SharedParameters::at_places`].
    pub(super) fn at_places(
        &self,
        kind: PlaceKind,
        king: Square,
        places: &[u32],
        see: &mut impl FnMut(usize, usize, i32),
    ) {
        self.tables.iter().for_each(|table| table.at_places(kind, king, places, see));
    }

    /// The spread of each parameter.
    pub fn spread_of_each(&self) -> Vec<f32> {
        self.keys().flat_map(|(spread, keys)| std::iter::repeat_n(spread.units, keys.len())).collect()
    }

    /// The learned parameter of a place of a term; 0 for a term that is not learned.
    pub fn at(&self, term: Term, place: usize) -> Parameter {
        let table = self.tables.iter().find(|table| table.term == term);
        match table.and_then(|table| table.entries[place].get()) {
            Some((number, sign)) => {
                let [board, turn] = self.parameters[number];
                [sign as f32 * board, turn]
            }
            None => [0.0; 2],
        }
    }

    /// The parameters of the position.
    pub fn features(&self, position: &Snapshot) -> Features {
        let mut list = Vec::with_capacity(USUAL_FEATURES);
        for table in &self.tables {
            table.visit(position, &mut |number, for_board, for_turn| {
                list.push(Feature { number: number as u32, board: for_board as i16, turn: for_turn as i16 });
            });
        }
        Features { base: f64::from(position.base), turn: position.turn(), list }
    }

    /// The value of the position for Black, in units.
    pub fn value(&self, position: &Snapshot) -> f64 {
        self.value_by(&self.features(position))
    }

    /// The learned part of that value.
    pub fn learned(&self, position: &Snapshot) -> f64 {
        self.learned_by(&self.features(position))
    }

    /// The value for Black of a position with these parameters, in units.
    pub fn value_by(&self, features: &Features) -> f64 {
        features.base + self.learned_by(features)
    }

    fn learned_by(&self, features: &Features) -> f64 {
        let (mut board, mut turn) = (0.0, 0.0);
        for feature in &features.list {
            let parameter = self.parameters[feature.number as usize];
            board += f64::from(feature.board) * f64::from(parameter[0]);
            turn += f64::from(feature.turn) * f64::from(parameter[1]);
        }
        board + features.turn * turn
    }
}

impl Features {
    /// Adds a gradient to `gradient`: `slope`, the derivative of a loss by the position's value for Black, times the
    /// derivative of the value by each parameter.
    pub fn add_gradient(&self, slope: f64, gradient: &mut [Gradient]) {
        let board = (slope * GRADIENT_ONE) as i64;
        let turn = (slope * self.turn * GRADIENT_ONE) as i64;
        for feature in &self.list {
            let sum = &mut gradient[feature.number as usize];
            sum[0] += board * i64::from(feature.board);
            sum[1] += turn * i64::from(feature.turn);
        }
    }
}
