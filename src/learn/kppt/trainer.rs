//! Gradient descent.

use serde::{Deserialize, Serialize};

use super::examples::{Choice, Examples, Judged};
use super::loss::Loss;
use super::model::{GRADIENT_ONE, Gradient, Model, Parameter};
use super::place_tables::PlaceTables;
use super::places::ByKing;
use super::snapshot::Snapshot;
use crate::shogi::color::Color;
use crate::util::workers::share_out;

/// How steps are made.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Steps {
    /// Examples between two steps.
    pub batch: usize,
    /// The first step of a parameter, in spreads of its term.
    pub rate: f64,
    /// The weight of the start in comparison with the examples: it would be 1 if these were independent of each other, and
    /// is more because positions of one game are not.
    pub prior: f64,
    /// The share of an epoch's steps, the last ones, over which parameters are averaged (Polyak and Juditsky 1992), so that
    /// they depend less on the last examples; with 0 the parameters are those of the last step.
    pub average: f64,
    /// Decides the order of the examples.
    pub seed: u64,
}

/// A model in training.
pub struct Trainer {
    /// The parameters so far.
    pub model: Model,
    /// The sum of the squares of each parameter's gradients.
    pub squares: Vec<Parameter>,
    spreads: Vec<f32>,
    loss: Loss,
    steps: Steps,
    threads: usize,
}

impl Trainer {
    /// Begins, or goes on where `squares` are from.
    pub fn new(
        model: Model,
        squares: Option<Vec<Parameter>>,
        loss: Loss,
        steps: Steps,
        threads: usize,
    ) -> Trainer {
        let squares = squares.unwrap_or_else(|| vec![[0.0; 2]; model.parameters.len()]);
        let spreads = model.spread_of_each();
        Trainer { model, squares, spreads, loss, steps, threads: threads.max(1) }
    }

    /// The tables for examples with these leaves.
    pub fn tables<'a>(&self, leaves: impl Iterator<Item = &'a Snapshot>) -> PlaceTables {
        let leaves: Vec<&Snapshot> = leaves.collect();
        PlaceTables::of(&self.model, &leaves, self.threads)
    }

    /// Sees every example once, in an order that `number` decides, and returns the mean loss on the way. `tables` are for
    /// their leaves, with the model's present parameters. `report` gets after each step how many examples were seen.
    pub fn epoch(
        &mut self,
        tables: &mut PlaceTables,
        examples: &Examples,
        number: u64,
        report: &dyn Fn(usize),
    ) -> f64 {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        let seed = self.steps.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number);
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let mut gradients = vec![vec![[0i64; 2]; self.model.parameters.len()]; self.threads];
        let (mut sum, mut seen) = (0.0, 0);
        let batches = order.chunks(self.steps.batch.max(1));
        let mut mean = Mean::default();
        let before_mean = batches.len() - (batches.len() as f64 * self.steps.average) as usize;
        for (nth, batch) in batches.enumerate() {
            sum += self.add_batch(tables, examples, batch);
            tables.take_gradient(&self.model, &mut gradients);
            self.step(batch.len(), examples.len(), &mut gradients);
            tables.set(&self.model);
            if nth >= before_mean {
                mean.add(&self.model.parameters);
            }
            seen += batch.len();
            report(seen);
        }
        if mean.count > 0 {
            self.model.parameters = mean.parameters;
            tables.set(&self.model);
        }
        sum / examples.len().max(1) as f64
    }

    /// Adds the gradient of the examples with these numbers to `tables`, and returns the sum of their losses.
    fn add_batch(&self, tables: &mut PlaceTables, examples: &Examples, batch: &[u32]) -> f64 {
        let leaves: Vec<&Snapshot> = batch.iter().flat_map(|&nth| examples.leaves_of(nth as usize)).collect();
        let sorted = ByKing::new(&leaves);
        let learned = tables.learned(&leaves, &sorted);
        let values: Vec<f64> =
            leaves.iter().zip(learned).map(|(leaf, learned)| f64::from(leaf.base) + learned).collect();
        let mut slopes = Vec::with_capacity(leaves.len());
        let mut sum = 0.0;
        for &nth in batch {
            let nth = nth as usize;
            let from = slopes.len();
            sum += match nth.checked_sub(examples.judged.len()) {
                None => {
                    let slope = self.loss.judged(values[from], examples.judged[nth].target);
                    slopes.push(slope.slope);
                    slope.loss
                }
                Some(nth) => {
                    let choice = &examples.choices[nth];
                    let values = &values[from..][..choice.leaves.len()];
                    choice_slopes(self.loss, choice, values, &mut slopes)
                }
            };
        }
        tables.add_gradient(&leaves, &sorted, &slopes);
        sum
    }

    /// Moves every parameter against its gradient, and sets the gradients to 0.
    fn step(&mut self, batch: usize, all: usize, gradients: &mut [Vec<Gradient>]) {
        let descent = Descent {
            rate: self.steps.rate,
            per_example: 1.0 / (batch as f64 * GRADIENT_ONE),
            prior: self.steps.prior / all as f64,
        };
        let share = self.spreads.len().div_ceil(self.threads).max(1);
        let mut parts: Vec<_> = gradients.iter_mut().map(|gradient| gradient.chunks_mut(share)).collect();
        let places = self.model.parameters.chunks_mut(share).zip(self.squares.chunks_mut(share));
        let tasks = places.zip(self.spreads.chunks(share)).map(|place| {
            let sums: Vec<_> = parts.iter_mut().filter_map(Iterator::next).collect();
            (place, sums)
        });
        share_out(self.threads, tasks, |(((parameters, squares), spreads), mut sums)| {
            for (number, &spread) in spreads.iter().enumerate() {
                let mut take = |part| sums.iter_mut().map(|sum| std::mem::take(&mut sum[number][part])).sum();
                let (parameter, square) = (&mut parameters[number], &mut squares[number]);
                // The turn's part is expected to be half as large.
                for (part, spread) in [spread, spread / 2.0].into_iter().enumerate() {
                    descent.go(take(part), f64::from(spread), &mut parameter[part], &mut square[part]);
                }
            }
        });
    }
}

/// The mean of the parameters after several steps.
#[derive(Default)]
struct Mean {
    count: u32,
    parameters: Vec<Parameter>,
}

impl Mean {
    fn add(&mut self, parameters: &[Parameter]) {
        self.count += 1;
        self.parameters.resize(parameters.len(), [0.0; 2]);
        let share = 1.0 / self.count as f32;
        let means = self.parameters.as_flattened_mut().iter_mut();
        means.zip(parameters.as_flattened()).for_each(|(mean, now)| *mean += (now - *mean) * share);
    }
}

/// A step after a batch: Adagrad, with a normal distribution around the start as prior.
#[derive(Clone, Copy)]
struct Descent {
    rate: f64,
    /// The factor from a sum of gradients to the batch's mean.
    per_example: f64,
    prior: f64,
}

impl Descent {
    /// Moves a part of a parameter with this spread.
    fn go(self, sum: i64, spread: f64, parameter: &mut f32, square: &mut f32) {
        if sum == 0 && *parameter == 0.0 {
            return;
        }
        // In spreads, so that all terms are alike.
        let slope = sum as f64 * self.per_example * spread + self.prior * f64::from(*parameter) / spread;
        *square += (slope * slope) as f32;
        if *square > 0.0 {
            *parameter -= (self.rate * spread * slope / f64::from(*square).sqrt()) as f32;
        }
    }
}

/// The loss of a choice by the values of its leaves for Black, the sum over the alternatives; its derivatives by these
/// values are appended to `slopes`.
fn choice_slopes(loss: Loss, choice: &Choice, values: &[f64], slopes: &mut Vec<f64>) -> f64 {
    let turn = if choice.side == Color::Black { 1.0 } else { -1.0 };
    let Some((played, others)) = values.split_first() else { return 0.0 };
    let at_played = slopes.len();
    slopes.push(0.0);
    let mut sum = 0.0;
    for (other, &weight) in others.iter().zip(&choice.weights) {
        let slope = loss.alternative(turn * (other - played));
        let weight = f64::from(weight);
        slopes.push(turn * weight * slope.slope);
        slopes[at_played] -= turn * weight * slope.slope;
        sum += weight * slope.loss;
    }
    sum
}

/// The loss of a judged position; its gradient is added.
pub fn add_judged(model: &Model, loss: Loss, judged: &Judged, gradient: &mut [Gradient]) -> f64 {
    let features = model.features(&judged.leaf);
    let slope = loss.judged(model.value_by(&features), judged.target);
    features.add_gradient(slope.slope, gradient);
    slope.loss
}

/// The loss of a choice, the sum over the alternatives; its gradient is added.
pub fn add_choice(model: &Model, loss: Loss, choice: &Choice, gradient: &mut [Gradient]) -> f64 {
    let features: Vec<_> = choice.leaves.iter().map(|leaf| model.features(leaf)).collect();
    let values: Vec<f64> = features.iter().map(|features| model.value_by(features)).collect();
    let mut slopes = Vec::new();
    let sum = choice_slopes(loss, choice, &values, &mut slopes);
    features.iter().zip(slopes).for_each(|(features, slope)| features.add_gradient(slope, gradient));
    sum
}
