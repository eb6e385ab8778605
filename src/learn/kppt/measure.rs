//! Measures a model on the examples that are held back.

use serde::{Deserialize, Serialize};

use super::examples::Examples;
use super::loss::Loss;
use super::model::Model;
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
    let threads = threads.max(1);
    let losses = |count: usize, of: &(dyn Fn(usize) -> (usize, f64) + Sync)| -> Vec<(usize, f64)> {
        let share = count.div_ceil(threads).max(1);
        std::thread::scope(|scope| {
            let works: Vec<_> = (0..count)
                .step_by(share)
                .map(|from| scope.spawn(move || (from..count.min(from + share)).map(of).collect::<Vec<_>>()))
                .collect();
            works.into_iter().flat_map(|work| work.join().expect("no example panics")).collect()
        })
    };
    let mut measures = vec![Measure::default(); files];
    for (file, loss) in losses(examples.judged.len(), &|nth| {
        let judged = &examples.judged[nth];
        (judged.file, loss.judged(model.value(&judged.leaf), judged.target).loss)
    }) {
        measures[file].judged += 1;
        measures[file].judged_loss += loss;
    }
    let plain = Loss { move_weight: 1.0, ..loss };
    for (file, loss) in losses(examples.choices.len(), &|nth| {
        let choice = &examples.choices[nth];
        let turn = if choice.side == Color::Black { 1.0 } else { -1.0 };
        let played = model.value(&choice.leaves[0]);
        let ahead = choice.leaves[1..].iter().map(|leaf| turn * (model.value(leaf) - played));
        (choice.file, ahead.map(|ahead| plain.alternative(ahead).loss).sum())
    }) {
        measures[file].choices += 1;
        measures[file].choice_loss += loss;
    }
    for measure in &mut measures {
        measure.judged_loss /= measure.judged.max(1) as f64;
        measure.choice_loss /= measure.choices.max(1) as f64;
    }
    measures
}
