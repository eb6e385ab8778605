//! Measures a model on the examples that are held back.

use serde::{Deserialize, Serialize};

use super::examples::Examples;
use super::loss::Loss;
use super::model::Model;
use super::place_tables::PlaceTables;
use super::places::ByKing;
use super::snapshot::Snapshot;
use crate::shogi::color::Color;

/// The held-back examples of one file.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Measure {
    /// Judged positions.
    pub judged: usize,
    /// Their mean loss, in nats above the least there can be.
    pub judged_loss: f64,
    /// Choices of moves.
    pub choices: usize,
    /// The mean, over choices, of the sum over alternatives of how far each is ahead of the played move (0 to 1 each),
    /// without the weight.
    pub choice_loss: f64,
}

/// The measurements after an epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// The round, from 1: leaves are found once for each.
    pub round: u32,
    /// The epoch in the round, from 1; 0 is before the first.
    pub epoch: u32,
    /// The mean loss on the examples learned from, on the way; none before the first epoch.
    pub training: Option<f64>,
    /// By file.
    pub held_back: Vec<Measure>,
    /// By file, the share of positions in which the played move was best; only at the beginning of a round.
    pub agreement: Option<Vec<f64>>,
}

/// Measures by file.
pub fn measure(model: &Model, examples: &Examples, loss: Loss, files: usize, threads: usize) -> Vec<Measure> {
    let leaves: Vec<&Snapshot> = examples.leaves().collect();
    let learned =
        PlaceTables::of(model, &leaves, threads).learned(&leaves, &ByKing::new(&leaves)).into_iter();
    let mut values = leaves.iter().zip(learned).map(|(leaf, learned)| f64::from(leaf.base) + learned);
    let mut next = || values.next().expect("a value for each leaf");
    let mut measures = vec![Measure::default(); files];
    for judged in &examples.judged {
        let measure = &mut measures[judged.file];
        measure.judged += 1;
        measure.judged_loss += loss.judged(next(), judged.target).loss;
    }
    let plain = Loss { move_weight: 1.0, ..loss };
    for choice in &examples.choices {
        let turn = if choice.side == Color::Black { 1.0 } else { -1.0 };
        let measure = &mut measures[choice.file];
        measure.choices += 1;
        let played = next();
        for &weight in &choice.weights {
            measure.choice_loss += f64::from(weight) * plain.alternative(turn * (next() - played)).loss;
        }
    }
    for measure in &mut measures {
        measure.judged_loss /= measure.judged.max(1) as f64;
        measure.choice_loss /= measure.choices.max(1) as f64;
    }
    measures
}
