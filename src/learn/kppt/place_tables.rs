//! The learned parameters added up by place, and gradients by place.
//!
//! A position has some 1,400 pairs, and each is the sum of up to five parameters. To look these up for every position takes
//! most of the time of a training. So between two steps the sums stand in tables by place, one for each king, and
//! positions are gone through king by king: what is then used of a table fits the processor's cache. The gradient is
//! added up by place, too, and divided among the parameters before a step.
//!
//! One thread at a time has a king's table, and its positions keep their order, so the sums are the same with any number
//! of threads.

use parking_lot::Mutex;

use super::model::{GRADIENT_ONE, Gradient, Model, Parameter};
use super::places::{ByKing, PlaceKind, Places, pair_row, viewer};
use super::snapshot::Snapshot;
use super::view::View;
use crate::eval::index::Index;
use crate::shogi::color::Color;
use crate::shogi::square::Square;
use crate::util::workers::share_out;

/// The places with one king, or with one king of Black's.
struct KingTable {
    kind: PlaceKind,
    king: Square,
    /// The numbers of the places that positions have, in rising order.
    places: Vec<u32>,
    /// By slot; empty where no position has this king.
    values: Vec<Parameter>,
    /// The same of the gradient.
    gradient: Vec<[f32; 2]>,
}

/// Values and gradients by place.
pub struct PlaceTables {
    pairs: Vec<KingTable>,
    kkp: Vec<KingTable>,
    kk: Vec<KingTable>,
    threads: usize,
}

impl PlaceTables {
    /// The values of `model` for these positions and no others.
    pub fn of(model: &Model, positions: &[&Snapshot], threads: usize) -> PlaceTables {
        PlaceTables::new(model, &Places::new(positions, model.has_pairs(), threads), threads)
    }

    /// The values of `model` for positions that have these places and no others.
    pub fn new(model: &Model, places: &Places, threads: usize) -> PlaceTables {
        let [pairs, kkp, kk] = PlaceKind::ALL.map(|kind| {
            let lists = places.of(kind).iter().enumerate();
            lists
                .map(|(king, list)| {
                    // The system gives memory only for what is used of it.
                    let slots = if list.is_empty() { 0 } else { kind.slots() };
                    KingTable {
                        kind,
                        king: Square::from_index(king).expect("a king's square"),
                        places: list.iter().map(|seen| seen.place).collect(),
                        values: vec![[0.0; 2]; slots],
                        gradient: vec![[0.0; 2]; slots],
                    }
                })
                .collect()
        });
        let mut tables = PlaceTables { pairs, kkp, kk, threads: threads.max(1) };
        tables.set(model);
        tables
    }

    /// Takes over the parameters of `model`.
    pub fn set(&mut self, model: &Model) {
        let mut nothing = vec![(); self.threads];
        self.for_each(&mut nothing, |(), table| {
            let KingTable { kind, king, places, values, .. } = table;
            places.iter().for_each(|&place| values[kind.slot(place)] = [0.0; 2]);
            model.at_places(*kind, *king, places, &mut |slot, number, sign| {
                let parameter = model.parameters[number];
                values[slot][0] += sign as f32 * parameter[0];
                values[slot][1] += parameter[1];
            });
        });
    }

    /// The learned part of the value of each position for Black, in units. `sorted` are the positions.
    pub fn learned(&self, positions: &[&Snapshot], sorted: &ByKing) -> Vec<f64> {
        let mut sums = vec![[0f32; 2]; positions.len()];
        let by_views = share_out(self.threads, 0..self.pairs.len(), |king| {
            let table = &self.pairs[king];
            // Without pairs there is nothing to look up.
            let views = if table.values.is_empty() { &[] } else { &sorted.views[king][..] };
            let sum = |&number: &u32| table.pairs(&View::new(positions[number as usize / 2], viewer(number)));
            views.iter().map(sum).collect::<Vec<_>>()
        });
        for (views, values) in sorted.views.iter().zip(by_views) {
            for (&number, value) in views.iter().zip(values) {
                let sum = &mut sums[number as usize / 2];
                sum[0] += if viewer(number) == Color::Black { value[0] } else { -value[0] };
                sum[1] += value[1];
            }
        }
        let by_black = share_out(self.threads, 0..self.kkp.len(), |king| {
            let sum = |&number: &u32| {
                let position = positions[number as usize];
                let white = position.kings().1.index();
                // Without pieces on the board there is no table.
                let row = self.kkp[king].values.get(white * Index::COUNT..).unwrap_or_default();
                position.pieces().iter().fold(self.kk[king].values[white], |[board, turn], &piece| {
                    let value = row[usize::from(piece)];
                    [board + value[0], turn + value[1]]
                })
            };
            sorted.black[king].iter().map(sum).collect::<Vec<_>>()
        });
        for (numbers, values) in sorted.black.iter().zip(by_black) {
            for (&number, value) in numbers.iter().zip(values) {
                let sum = &mut sums[number as usize];
                *sum = [sum[0] + value[0], sum[1] + value[1]];
            }
        }
        let values = sums.iter().zip(positions);
        values.map(|(sum, position)| f64::from(sum[0]) + position.turn() * f64::from(sum[1])).collect()
    }

    /// Adds the gradient of a loss whose derivative by the value of each position for Black is its slope.
    pub fn add_gradient(&mut self, positions: &[&Snapshot], sorted: &ByKing, slopes: &[f64]) {
        let slope = |number: usize| {
            let slope = slopes[number];
            [slope as f32, (slope * positions[number].turn()) as f32]
        };
        let mut nothing = vec![(); self.threads];
        self.for_each(&mut nothing, |(), table| {
            if table.gradient.is_empty() {
                return;
            }
            let king = table.king.index();
            match table.kind {
                PlaceKind::Pair => {
                    for &number in &sorted.views[king] {
                        let (position, side) = (number as usize / 2, viewer(number));
                        let [board, turn] = slope(position);
                        let board = if side == Color::Black { board } else { -board };
                        table.add_to_pairs(&View::new(positions[position], side), [board, turn]);
                    }
                }
                PlaceKind::KingsPiece => {
                    for &number in &sorted.black[king] {
                        let position = positions[number as usize];
                        let row = position.kings().1.index() * Index::COUNT;
                        let more = slope(number as usize);
                        for &piece in position.pieces() {
                            add(&mut table.gradient[row + usize::from(piece)], more);
                        }
                    }
                }
                PlaceKind::Kings => {
                    for &number in &sorted.black[king] {
                        let white = positions[number as usize].kings().1.index();
                        add(&mut table.gradient[white], slope(number as usize));
                    }
                }
            }
        });
    }

    /// Divides the gradient among the parameters of `model`, adding to one list of `gradients` a thread, and sets it to 0.
    pub fn take_gradient(&mut self, model: &Model, gradients: &mut [Vec<Gradient>]) {
        self.for_each(gradients, |sums, table| {
            let KingTable { kind, king, places, gradient, .. } = table;
            model.at_places(*kind, *king, places, &mut |slot, number, sign| {
                let [board, turn] = gradient[slot];
                if board != 0.0 || turn != 0.0 {
                    let whole = |part: f32| (f64::from(part) * GRADIENT_ONE) as i64;
                    sums[number][0] += i64::from(sign) * whole(board);
                    sums[number][1] += whole(turn);
                }
            });
            places.iter().for_each(|&place| gradient[kind.slot(place)] = [0.0; 2]);
        });
    }

    /// Works on every table, the largest first, with a thread for each of `states`.
    fn for_each<S: Send>(&mut self, states: &mut [S], work: impl Fn(&mut S, &mut KingTable) + Sync) {
        let mut tables: Vec<&mut KingTable> =
            self.pairs.iter_mut().chain(&mut self.kkp).chain(&mut self.kk).collect();
        tables.sort_by_key(|table| std::cmp::Reverse(table.places.len()));
        let queue = Mutex::new(tables.into_iter());
        share_out(states.len(), states, |state| {
            loop {
                let next = queue.lock().next();
                let Some(table) = next else { break };
                work(state, table);
            }
        });
    }
}

impl KingTable {
    /// The sum over the pairs of a view.
    fn pairs(&self, view: &View) -> [f32; 2] {
        let mut sum = [0.0; 2];
        for (nth, &larger) in view.pieces().iter().enumerate() {
            let row = &self.values[pair_row(larger.into())..][..larger.into()];
            for &smaller in &view.pieces()[..nth] {
                add(&mut sum, row[usize::from(smaller)]);
            }
        }
        sum
    }

    fn add_to_pairs(&mut self, view: &View, more: [f32; 2]) {
        for (nth, &larger) in view.pieces().iter().enumerate() {
            let row = &mut self.gradient[pair_row(larger.into())..][..larger.into()];
            for &smaller in &view.pieces()[..nth] {
                add(&mut row[usize::from(smaller)], more);
            }
        }
    }
}

fn add(sum: &mut [f32; 2], more: [f32; 2]) {
    sum[0] += more[0];
    sum[1] += more[1];
}
