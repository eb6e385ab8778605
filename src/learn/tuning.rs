//! Tunes the search's parameters by games of the engine against itself: simultaneous perturbation stochastic approximation
//! (SPSA; J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient approximation",
//! 1992), with the gains that engine testers use.
//!
//! Two settings play a pair of games from one opening, with both colours. They lie on opposite sides of the present
//! values, each parameter a step up or down at random; the values go a part of the way towards the one that won. Steps and
//! gains become smaller with every pair. Pairs are numbered and played in rounds, and the values only change after a round,
//! so that the result does not depend on the number of threads.

use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread::Builder;

use parking_lot::Mutex;

use super::selfplay::adjudication::AdjudicationRules;
use super::selfplay::game::{Choice, play_out};
use super::selfplay::openings::Openings;
use super::selfplay::thinker::Thinker;
use crate::eval::weights::Weights;
use crate::search::params::Params;
use crate::search::{STACK, SearchPolicy};
use crate::shogi::color::Color;

/// Pairs in a round.
const ROUND: u64 = 32;

/// How fast gains and steps become smaller (Spall's α and γ), and the part of all pairs that is added to a pair's number
/// in gains (A), so that the first ones are not too large.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const DELAY: f64 = 0.1;

/// How games are played, and how far the values move.
#[derive(Clone, PartialEq, Debug)]
pub struct TuneSettings {
    /// The seed of all random choices.
    pub seed: u64,
    /// Which search is tuned.
    pub policy: SearchPolicy,
    /// Nodes of each search.
    pub nodes: u64,
    /// Pairs of games in all.
    pub pairs: u64,
    /// How far a value moves for one game won in the last pair, in steps.
    pub rate: f64,
    /// When a game is adjudicated.
    pub adjudication: AdjudicationRules,
}

/// The values so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The parameters that are tuned.
    pub parameters: Vec<TunedParameter>,
    /// The value of each.
    pub values: Vec<f64>,
    /// Pairs that were played.
    pub done: u64,
}

impl Tuning {
    /// Begins at the default values.
    pub fn new(parameters: Vec<TunedParameter>) -> Tuning {
        let values = parameters.iter().map(|parameter| parameter.start).collect();
        Tuning { parameters, values, done: 0 }
    }

    /// The two opponents of pair number `pair`, counted from 0, and for each parameter the side of the present value on
    /// which the first has it: 1 or −1.
    fn opponents(&self, pair: u64, settings: &TuneSettings) -> ([Params; 2], Vec<f64>) {
        let mut random =
            fastrand::Rng::with_seed(settings.seed ^ (pair + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let sides: Vec<f64> =
            self.parameters.iter().map(|_| if random.bool() { 1.0 } else { -1.0 }).collect();
        let mut opponents = [Params::DEFAULT; 2];
        for (params, turn) in opponents.iter_mut().zip([1.0, -1.0]) {
            for ((parameter, value), side) in self.parameters.iter().zip(&self.values).zip(&sides) {
                let value = value + turn * side * step(parameter, pair, settings.pairs);
                let value = (value.round() as i32).clamp(*parameter.range.start(), *parameter.range.end());
                let set = params.set(&parameter.name, value);
                debug_assert_eq!(set, Some(Ok(())), "{}", parameter.name);
            }
        }
        (opponents, sides)
    }

    /// Moves the values towards the first opponent of pair number `pair` by its score: games won minus games lost.
    fn learn(&mut self, pair: u64, sides: &[f64], score: i32, settings: &TuneSettings) {
        let (number, all) = ((pair + 1) as f64, settings.pairs as f64);
        let delay = DELAY * all;
        // In steps; `rate` at the last pair.
        let gain = settings.rate * ((delay + all) / (delay + number)).powf(ALPHA);
        for ((parameter, value), side) in self.parameters.iter().zip(&mut self.values).zip(sides) {
            let ratio = step(parameter, pair, settings.pairs) / parameter.step;
            *value += gain / ratio * parameter.step * side * f64::from(score);
            *value = value.clamp(f64::from(*parameter.range.start()), f64::from(*parameter.range.end()));
        }
    }

    /// Plays the next round on `threads` threads and moves the values. Returns how many games the first opponents of the
    /// pairs won, lost and drew: about as many as the second ones.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    ///
    /// # Panics
    /// When a search breaks down.
    pub fn round(
        &mut self,
        settings: &TuneSettings,
        openings: &Openings,
        weights: &Arc<Weights>,
        threads: usize,
    ) -> io::Result<[u64; 3]> {
        let pairs = self.done..settings.pairs.min(self.done + ROUND);
        let (next, stop) = (AtomicU64::new(pairs.start), AtomicBool::new(false));
        let scores: Mutex<Vec<Option<[i32; 2]>>> = Mutex::new(vec![None; (pairs.end - pairs.start) as usize]);
        let order = openings.shuffled(settings.seed);
        let work = || {
            let thinker = || Thinker::new(weights, settings.adjudication, settings.nodes, &stop);
            let mut thinkers = [thinker(), thinker()];
            loop {
                let pair = next.fetch_add(1, Relaxed);
                if !pairs.contains(&pair) {
                    break;
                }
                let (opponents, _) = self.opponents(pair, settings);
                let opening = order[(pair % order.len() as u64) as usize];
                let score = Color::ALL
                    .map(|first| play(&mut thinkers, opponents, first, openings, opening, settings));
                scores.lock()[(pair - pairs.start) as usize] = Some(score);
            }
        };
        std::thread::scope(|scope| {
            for nth in 0..threads.max(1) {
                let thread = Builder::new().name("tuning".into()).stack_size(STACK);
                match thread.spawn_scoped(scope, work) {
                    Ok(_) => {}
                    Err(error) if nth == 0 => return Err(error),
                    Err(_) => break,
                }
            }
            Ok(())
        })?;
        let mut results = [0; 3];
        for (pair, score) in pairs.clone().zip(scores.into_inner()) {
            let score = score.expect("every pair was played");
            for score in score {
                results[match score {
                    1 => 0,
                    -1 => 1,
                    _ => 2,
                }] += 1;
            }
            let (_, sides) = self.opponents(pair, settings);
            self.learn(pair, &sides, score.iter().sum(), settings);
        }
        self.done = pairs.end;
        Ok(results)
    }

    /// The text that a run is kept in: `described`, which has the settings, and a line for each parameter.
    pub fn to_text(&self, described: &str) -> String {
        let mut text = format!("# {described}\n# number | value | start | step\npairs {}\n", self.done);
        for (TunedParameter { name, start, step, .. }, value) in self.parameters.iter().zip(&self.values) {
            text.push_str(&format!("{name} | {value} | {start} | {step}\n"));
        }
        text
    }

    /// Continues a run that [`to_text`](Self::to_text) has written for the same parameters and `described`.
    ///
    /// # Errors
    /// When the text is something else, or the run was begun with other settings or other defaults.
    pub fn resume(&mut self, text: &str, described: &str) -> Result<(), String> {
        let mut lines = text.lines();
        let expected = format!("# {described}");
        if lines.next() != Some(&expected) {
            return Err(format!("expected a run that begins with '{expected}'"));
        }
        let done = text.lines().find_map(|line| line.strip_prefix("pairs ")?.parse().ok());
        self.done = done.ok_or("no number of pairs: expected a line such as 'pairs 320'")?;
        for (parameter, value) in self.parameters.iter().zip(&mut self.values) {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{} | ", parameter.name)));
            let (found, begun) = line.and_then(|line| line.split_once(" | ")).unwrap_or_default();
            let expected = format!("{} | {}", parameter.start, parameter.step);
            if !begun.is_empty() && begun != expected {
                return Err(format!("{}: was begun with '{begun}': expected '{expected}'", parameter.name));
            }
            let found = found.parse::<f64>().ok();
            let in_range = |value: &f64| {
                (f64::from(*parameter.range.start())..=f64::from(*parameter.range.end())).contains(value)
            };
            *value =
                found.filter(in_range).ok_or_else(|| format!("{}: expected its value", parameter.name))?;
        }
        Ok(())
    }
}

/// The distance from the present value at which pair number `pair` of `pairs` is played.
fn step(parameter: &TunedParameter, pair: u64, pairs: u64) -> f64 {
    parameter.step * (pairs as f64 / (pair + 1) as f64).powf(GAMMA)
}

/// Plays a game in which the first opponent has the colour `first`: 1 if it wins, −1 if it loses.
fn play(
    thinkers: &mut [Thinker; 2],
    opponents: [Params; 2],
    first: Color,
    openings: &Openings,
    opening: usize,
    settings: &TuneSettings,
) -> i32 {
    for (thinker, params) in thinkers.iter_mut().zip(opponents) {
        thinker.begin(settings.policy, params);
    }
    let (_, mut builder) = openings.get(opening);
    let ended = play_out(&mut builder, settings.adjudication, |position| {
        let thinker = &mut thinkers[usize::from(position.side() != first)];
        thinker.search(position, &[], settings.nodes).map(Choice::Move)
    });
    match ended.and_then(|(_, winner)| winner) {
        None => 0,
        Some(winner) if winner == first => 1,
        Some(_) => -1,
    }
}

/// A parameter of [`Params`] that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// Its default, where tuning begins.
    pub start: f64,
    /// The distance from the present value at which the last games are played, at least 1.
    pub step: f64,
    /// The values that it can have.
    pub range: RangeInclusive<i32>,
}

impl TunedParameter {
    /// The parameter of this name, with the given step or a tenth of its default.
    ///
    /// # Errors
    /// When there is no parameter of this name, or the step is less than 1: parameters are whole numbers, and with a
    /// smaller step both sides would be the same.
    pub fn new(name: &str, step: Option<f64>) -> Result<TunedParameter, String> {
        let mut params = Params::DEFAULT;
        let entries = params.entries();
        let Some((name, value, range)) = entries.into_iter().find(|(known, ..)| *known == name) else {
            return Err(format!("'{name}': expected the name of a parameter of the search"));
        };
        let step = step.unwrap_or_else(|| (f64::from(*value) / 10.0).abs().max(1.0));
        if !(step >= 1.0 && step.is_finite()) {
            return Err(format!("{name}: a step of {step}: expected 1 or more, as numbers are whole"));
        }
        Ok(TunedParameter { name: name.to_string(), start: f64::from(*value), step, range })
    }

    /// Reads NAME or NAME=STEP.
    ///
    /// # Errors
    /// When it is neither, or there is no parameter of this name.
    pub fn parse(text: &str) -> Result<TunedParameter, String> {
        match text.split_once('=') {
            None => TunedParameter::new(text, None),
            Some((name, step)) => {
                let step = step.parse().map_err(|_| format!("'{step}' in {text}: expected a number"))?;
                TunedParameter::new(name, Some(step))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: TuneSettings = TuneSettings {
        seed: 1,
        policy: SearchPolicy::RealizationProbability,
        nodes: 100,
        pairs: 4000,
        rate: 0.02,
        adjudication: AdjudicationRules { resign_at: 1000, resign_plies: 2, max_moves: 100 },
    };

    fn tuning() -> Tuning {
        Tuning::new(
            ["futility_margin=60", "rfp_margin"].map(|text| TunedParameter::parse(text).unwrap()).into(),
        )
    }

    /// The opponent nearer to hidden best values wins more often.
    #[test]
    fn values_move_towards_what_wins() {
        let mut tuning = tuning();
        let mut random = fastrand::Rng::with_seed(4);
        let best = [tuning.values[0] + 120.0, tuning.values[1] - 30.0];
        let loss = |params: &Params| {
            (f64::from(params.futility_margin) - best[0]).abs() / 60.0
                + (f64::from(params.rfp_margin) - best[1]).abs() / 15.0
        };
        for pair in 0..SETTINGS.pairs {
            let ([one, other], sides) = tuning.opponents(pair, &SETTINGS);
            let chance = 0.5 + 0.1 * (loss(&other) - loss(&one)).clamp(-3.0, 3.0);
            let score = if random.f64() < chance { 1 } else { -1 };
            tuning.learn(pair, &sides, score, &SETTINGS);
        }
        assert!(
            (tuning.values[0] - best[0]).abs() < 60.0 && (tuning.values[1] - best[1]).abs() < 15.0,
            "{tuning:?}"
        );
    }

    #[test]
    fn opponents_lie_on_both_sides_of_the_values() {
        let tuning = tuning();
        let last = SETTINGS.pairs - 1;
        let ([one, other], sides) = tuning.opponents(last, &SETTINGS);
        assert_eq!((one.futility_margin - other.futility_margin).abs(), 120);
        assert_eq!(f64::from((one.rfp_margin - other.rfp_margin).signum()), sides[1]);
        let Params { futility_margin, rfp_margin, .. } = Params::DEFAULT;
        assert_eq!(Params { futility_margin, rfp_margin, ..one }, Params::DEFAULT);
    }

    #[test]
    fn a_run_is_continued_to_the_last_bit() {
        let mut tuning = tuning();
        (0..3).for_each(|pair| tuning.learn(pair, &[1.0, -1.0], 2, &SETTINGS));
        tuning.done = 32;
        let text = tuning.to_text("nodes=100");
        let mut again = Tuning::new(tuning.parameters.clone());
        again.resume(&text, "nodes=100").unwrap();
        // To the last bit: a break changes nothing.
        assert_eq!(again, tuning);
        assert!(again.resume(&text, "nodes=200").unwrap_err().contains("nodes=200"));
        assert!(
            again.resume(&text.replace("rfp_margin", "x"), "nodes=100").unwrap_err().contains("rfp_margin")
        );
        assert!(again.resume("", "nodes=100").is_err());
        let begun = text.replace("| 60\n", "| 50\n");
        assert_ne!(begun, text);
        assert!(again.resume(&begun, "nodes=100").unwrap_err().contains("was begun with"));
        for bad in ["pears", "futility_margin=", "futility_margin=0.9", "futility_margin=-3", "rfp_below=inf"]
        {
            assert!(TunedParameter::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let weights = Arc::new(crate::eval::weights::Blank::new().and_then(|blank| blank.finish()).unwrap());
        let settings = TuneSettings { pairs: 3, ..SETTINGS };
        let ends = [1, 3].map(|threads| {
            let mut tuning = tuning();
            let results = tuning.round(&settings, &Openings::start(), &weights, threads).unwrap();
            assert_eq!(results.iter().sum::<u64>(), 6);
            assert_eq!(tuning.done, 3);
            tuning
        });
        assert_eq!(ends[0], ends[1]);
    }
}
