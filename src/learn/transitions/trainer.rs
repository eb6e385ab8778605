//! Goes down the gradient, and measures predictions.

use super::examples::Example;
use crate::learn::categories::CategoryCosts;
use crate::policy::features::FEATURES;
use crate::policy::move_context::MoveContext;
use crate::policy::transition::Transitions;
use crate::shogi::moves::Move;
use crate::util::workers::share_out;

/// Sums of gradients are whole numbers, this for 1: their order does not matter.
pub const GRADIENT_ONE: f32 = (1u64 << 24) as f32;

/// Which features of a move are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// All.
    All,
    /// Those that need no exchange and no category, for unlikely moves.
    Plain,
}

impl Features {
    fn visit(self, view: &MoveContext, mv: Move, visit: impl FnMut(usize)) {
        match self {
            Features::All => _ = view.features(mv, visit),
            Features::Plain => view.plain().features(mv, visit),
        }
    }
}

/// How steps are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Steps {
    /// The features with a weight; other weights stay 0.
    pub features: Features,
    /// Examples between two steps.
    pub batch: usize,
    /// The first step of a weight, in nats.
    pub rate: f32,
    /// The weight of the prior that weights are near 0, in comparison with the examples; 1 for a normal distribution of
    /// one nat.
    pub prior: f32,
    /// Decides the order of the examples.
    pub seed: u64,
}

/// How well the moves that were played are predicted.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Measure {
    /// Positions.
    pub positions: u64,
    /// The sum of minus the binary logarithms of the played moves' probabilities.
    pub bits: f64,
    /// Positions in which no other move was as probable as the played one.
    pub agreed: u64,
}

impl Measure {
    /// A played move of probability `exp(score) / sum`, the `nth` of `scores`.
    fn of(scores: &[f32], nth: usize, sum: f32) -> Measure {
        let is_best = scores.iter().enumerate().all(|(other, &score)| other == nth || score < scores[nth]);
        let bits = f64::from((sum.ln() - scores[nth]) / std::f32::consts::LN_2);
        Measure { positions: 1, bits, agreed: u64::from(is_best) }
    }

    fn and(self, other: Measure) -> Measure {
        Measure {
            positions: self.positions + other.positions,
            bits: self.bits + other.bits,
            agreed: self.agreed + other.agreed,
        }
    }
}

/// How well the costs of categories predict the moves that were played, with probabilities in proportion to what the costs
/// say.
pub fn measure_categories(examples: &[Example], costs: &CategoryCosts, threads: usize) -> Measure {
    let unit = -std::f32::consts::LN_2 / 256.0;
    measure_by(examples, threads, |view, mv| costs.of(view.categories(mv)).units() as f32 * unit)
}

/// How well a table predicts the moves that were played.
pub fn measure_table(
    examples: &[Example],
    table: &Transitions,
    features: Features,
    threads: usize,
) -> Measure {
    let unit = std::f32::consts::LN_2 / 256.0;
    measure_by(examples, threads, |view, mv| {
        let mut score = 0;
        features.visit(view, mv, |feature| score += i32::from(table.weight(feature)));
        score as f32 * unit
    })
}

fn measure_by(
    examples: &[Example],
    threads: usize,
    score: impl Fn(&MoveContext, Move) -> f32 + Sync,
) -> Measure {
    let part = |part: &[Example]| {
        let mut measure = Measure::default();
        for example in part {
            example.show(|view, moves, nth| {
                let mut scores: Vec<f32> = moves.iter().map(|&mv| score(view, mv)).collect();
                let sum = relate(&mut scores);
                measure = measure.and(Measure::of(&scores, nth, sum));
            });
        }
        measure
    };
    let share = examples.len().div_ceil(threads.max(1)).max(1);
    share_out(threads, examples.chunks(share), part).into_iter().fold(Measure::default(), Measure::and)
}

/// Scores relative to the highest, and the sum of the powers of e that they are exponents of.
fn relate(scores: &mut [f32]) -> f32 {
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    scores.iter_mut().for_each(|score| *score -= highest);
    scores.iter().map(|score| score.exp()).sum()
}

/// Weights in training.
pub struct Trainer {
    /// By feature, in nats.
    pub weights: Vec<f32>,
    /// The sum of the squares of each weight's gradients.
    squares: Vec<f32>,
    steps: Steps,
    threads: usize,
}

/// The features of one position's moves.
#[derive(Default)]
struct Moves {
    features: Vec<u32>,
    /// Where those of each move end.
    ends: Vec<usize>,
    scores: Vec<f32>,
}

impl Trainer {
    /// All weights are 0.
    pub fn new(steps: Steps, threads: usize) -> Trainer {
        let zeros = || vec![0.0; FEATURES];
        Trainer { weights: zeros(), squares: zeros(), steps, threads: threads.max(1) }
    }

    /// Sees every example once, in an order that `number` decides, and returns how well the moves were predicted on the
    /// way. `report` gets how many examples were seen since it was last called.
    pub fn epoch(&mut self, examples: &[Example], number: u64, report: &dyn Fn(usize)) -> Measure {
        let mut order: Vec<u32> = (0..examples.len() as u32).collect();
        let seed = self.steps.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(number);
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
        let mut gradients = vec![vec![0; FEATURES]; self.threads];
        let mut measure = Measure::default();
        for batch in order.chunks(self.steps.batch.max(1)) {
            measure = measure.and(self.add_batch(examples, batch, &mut gradients));
            self.step(batch.len(), examples.len(), &mut gradients);
            report(batch.len());
        }
        measure
    }

    fn add_batch(&self, examples: &[Example], batch: &[u32], gradients: &mut [Vec<i64>]) -> Measure {
        let share = batch.len().div_ceil(gradients.len()).max(1);
        let features = self.steps.features;
        let add = |part: &[u32], gradient: &mut [i64]| {
            let mut known = Moves::default();
            part.iter().fold(Measure::default(), |sum, &nth| {
                sum.and(add_example(features, &self.weights, &examples[nth as usize], gradient, &mut known))
            })
        };
        let parts = batch.chunks(share).zip(gradients);
        let measures = share_out(self.threads, parts, |(part, gradient)| add(part, gradient));
        measures.into_iter().fold(Measure::default(), Measure::and)
    }

    /// Moves every weight against its gradient, which is forgotten.
    fn step(&mut self, batch: usize, all: usize, gradients: &mut [Vec<i64>]) {
        let per_example = 1.0 / (GRADIENT_ONE * batch as f32);
        let prior = self.steps.prior / all as f32;
        for (feature, weight) in self.weights.iter_mut().enumerate() {
            let sum: i64 = gradients.iter_mut().map(|gradient| std::mem::take(&mut gradient[feature])).sum();
            let slope = sum as f32 * per_example + prior * *weight;
            let square = &mut self.squares[feature];
            *square += slope * slope;
            if *square > 0.0 {
                *weight -= self.steps.rate * slope / square.sqrt();
            }
        }
    }

    /// How well the moves are predicted, without learning.
    pub fn measure(&self, examples: &[Example]) -> Measure {
        measure_by(examples, self.threads, |view, mv| {
            let mut score = 0.0;
            self.steps.features.visit(view, mv, |feature| score += self.weights[feature]);
            score
        })
    }

    /// What has been learned, as the search uses it.
    pub fn transitions(&self) -> Transitions {
        let unit = 256.0 / std::f32::consts::LN_2;
        let whole = |weight: &f32| (weight * unit).round() as i16;
        Transitions::new(self.weights.iter().map(whole).collect())
            .expect("there is a weight for each feature")
    }
}

/// How well the played move of an example is predicted; subtracts the gradient of its probability's logarithm from
/// `gradient`.
pub fn add_to_gradient(weights: &[f32], example: &Example, gradient: &mut [i64]) -> Measure {
    add_example(Features::All, weights, example, gradient, &mut Moves::default())
}

fn add_example(
    features: Features,
    weights: &[f32],
    example: &Example,
    gradient: &mut [i64],
    known: &mut Moves,
) -> Measure {
    let mut measure = Measure::default();
    example.show(|view, moves, nth| {
        known.features.clear();
        known.ends.clear();
        known.scores.clear();
        for &mv in moves {
            let mut score = 0.0;
            features.visit(view, mv, |feature| {
                score += weights[feature];
                known.features.push(feature as u32);
            });
            known.ends.push(known.features.len());
            known.scores.push(score);
        }
        let sum = relate(&mut known.scores);
        measure = Measure::of(&known.scores, nth, sum);
        let mut first = 0;
        for (other, (&end, score)) in known.ends.iter().zip(&known.scores).enumerate() {
            let slope = score.exp() / sum - if other == nth { 1.0 } else { 0.0 };
            let slope = (slope * GRADIENT_ONE) as i64;
            for &feature in &known.features[first..end] {
                gradient[feature as usize] += slope;
            }
            first = end;
        }
    });
    measure
}
