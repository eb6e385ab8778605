//! A training session, from its beginning or from a checkpoint to its end.

use std::path::PathBuf;
use std::sync::Arc;

use super::checkpoint::{Begun, Checkpoint};
use super::examples::{self, ExampleSettings, Examples};
use super::leaf_file;
use super::loss::Loss;
use super::measure::{self, Row};
use super::model::Model;
use super::places::Places;
use super::quantization;
use super::snapshot::Snapshot;
use super::term::Spread;
use super::trainer::{Steps, Trainer};
use crate::eval::terms::Terms;
use crate::eval::weights::Weights;
use crate::learn::sources::{SourceGame, Sources};

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainingSettings {
    /// The terms that are learned.
    pub spreads: Vec<Spread>,
    /// How often a feature has to occur in the leaves to get a parameter.
    pub seen: u32,
    /// How examples are made.
    pub example_settings: ExampleSettings,
    /// How steps are made.
    pub steps: Steps,
    /// How often every example is seen in a round.
    pub epochs: u32,
    /// What else the result depends on, as text: the start and the files.
    pub of: String,
    /// Where the examples of the first round are kept, or taken from.
    pub leaf_file: Option<PathBuf>,
}

impl TrainingSettings {
    /// Everything that the examples of the first round depend on.
    fn text_of_examples(&self) -> String {
        let ExampleSettings { loss, later, skip, alternatives, share, move_share, inner_share, threads: _ } =
            self.example_settings;
        let Loss { scale, mix, move_scale, move_weight: _ } = loss;
        format!(
            "{}; scale {scale}; mix {mix}; move scale {move_scale}; later {later}; skip {skip}; alternatives \
             {alternatives}; share {share}; move share {move_share}; inner share {inner_share}",
            self.of
        )
    }

    /// Everything that the result depends on.
    fn text(&self) -> String {
        let spreads: Vec<String> = self.spreads.iter().map(Spread::to_string).collect();
        let ExampleSettings { loss, later, skip, alternatives, share, move_share, inner_share, threads: _ } =
            self.example_settings;
        format!(
            "{}; {}; seen {}; {loss:?}; later {later}; skip {skip}; alternatives {alternatives}; share {share}; move share {move_share}; inner share {inner_share}; {:?}; epochs {}",
            self.of,
            spreads.join(" "),
            self.seen,
            self.steps,
            self.epochs
        )
    }
}

/// A training.
pub struct Session {
    settings: TrainingSettings,
    base: Terms,
    sources: Sources,
    trainer: Option<Trainer>,
    rounds: u32,
    begun: Option<Begun>,
    history: Vec<Row>,
}

/// Progress of the training.
pub enum Event {
    /// The leaves of so many of so many games have been found.
    Games(usize, usize),
    /// So many examples to learn from and held back, and parameters.
    Made(usize, usize, usize),
    /// So many of so many examples have been learned from in this epoch.
    Seen(usize, usize),
}

impl Session {
    /// Begins at `base`, or goes on from `checkpoint`.
    ///
    /// # Errors
    /// When the checkpoint was made with other settings.
    pub fn new(
        settings: TrainingSettings,
        base: Terms,
        sources: Sources,
        checkpoint: Option<Checkpoint>,
    ) -> Result<Session, String> {
        let mut session =
            Session { settings, base, sources, trainer: None, rounds: 0, begun: None, history: Vec::new() };
        if let Some(checkpoint) = checkpoint {
            let expected = session.settings.text();
            if checkpoint.settings != expected {
                let [found, expected] = differences(&checkpoint.settings, &expected);
                return Err(format!("made with \"{found}\": expected \"{expected}\""));
            }
            let model = checkpoint.model()?;
            if let Some(begun) =
                checkpoint.begun.as_ref().filter(|begun| begun.epochs >= session.settings.epochs)
            {
                let epochs = session.settings.epochs;
                return Err(format!("{} epochs of a round: expected fewer than {epochs}", begun.epochs));
            }
            session.trainer = Some(session.trainer(model, Some(checkpoint.squares)));
            session.rounds = checkpoint.rounds;
            session.begun = checkpoint.begun;
            session.history = checkpoint.history;
        }
        Ok(session)
    }

    fn trainer(&self, model: Model, squares: Option<Vec<[f32; 2]>>) -> Trainer {
        let TrainingSettings { example_settings, steps, .. } = self.settings;
        Trainer::new(model, squares, example_settings.loss, steps, example_settings.threads)
    }

    /// How many rounds are done.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Whether a round has begun and is not done yet.
    pub fn in_round(&self) -> bool {
        self.begun.is_some()
    }

    /// What was measured so far.
    pub fn history(&self) -> &[Row] {
        &self.history
    }

    /// The names of the files, in the order of the measures.
    pub fn names(&self) -> &[String] {
        &self.sources.names
    }

    /// The start plus the learned parameters.
    pub fn terms(&self) -> Terms {
        match &self.trainer {
            Some(trainer) => quantization::terms(&trainer.model, &self.base),
            None => self.base.clone(),
        }
    }

    fn weights(&self) -> Result<Arc<Weights>, String> {
        self.terms().expand().map(Arc::new).map_err(|error| error.to_string())
    }

    /// The examples that are held back or not, with the leaves that our `weights` find.
    fn examples(&self, held_back: bool, weights: &Arc<Weights>, report: &(dyn Fn(Event) + Sync)) -> Examples {
        let games: Vec<&SourceGame> =
            self.sources.games.iter().filter(|game| game.held_back == held_back).collect();
        let model = self.trainer.as_ref().map(|trainer| &trainer.model);
        let done = |count| report(Event::Games(count, games.len()));
        examples::make(&games, weights, model, self.settings.example_settings, &done)
    }

    /// The examples to learn from and to measure with, with the leaves of the present round.
    fn found(&mut self, report: &(dyn Fn(Event) + Sync)) -> Result<[Examples; 2], String> {
        let kept = self.settings.leaf_file.as_deref().filter(|_| self.rounds == 0);
        let Some(path) = kept else { return self.find(report) };
        let (path, settings) = (path.to_path_buf(), self.settings.text_of_examples());
        if path.exists() {
            return leaf_file::read(&path, &settings);
        }
        let found = self.find(report)?;
        leaf_file::write(&path, &settings, &found)?;
        Ok(found)
    }

    fn find(&mut self, report: &(dyn Fn(Event) + Sync)) -> Result<[Examples; 2], String> {
        self.swap_parameters();
        let found = self
            .weights()
            .map(|weights| [false, true].map(|held_back| self.examples(held_back, &weights, report)));
        self.swap_parameters();
        found
    }

    /// Swaps the parameters with those of the beginning of the round, if one has begun.
    fn swap_parameters(&mut self) {
        if let (Some(trainer), Some(begun)) = (&mut self.trainer, &mut self.begun) {
            std::mem::swap(&mut trainer.model.parameters, &mut begun.parameters);
        }
    }

    /// Finds the leaves with the present parameters, and learns; or goes on with the round that was broken off, with the
    /// same leaves. `after` is called before the first epoch and after each, when the history has a new row and a
    /// checkpoint can be taken.
    ///
    /// # Errors
    /// When there is nothing to learn from, or no memory; and those of `after`, which end the round.
    pub fn round<E: From<String>>(
        &mut self,
        report: &(dyn Fn(Event) + Sync),
        after: &mut dyn FnMut(&Session) -> Result<(), E>,
    ) -> Result<(), E> {
        let [training, held_back] = self.found(report)?;
        if training.is_empty() {
            return Err("nothing to learn from: expected games with moves, or positions".to_string().into());
        }
        if self.trainer.is_none() {
            let leaves: Vec<&Snapshot> = training.leaves().collect();
            let pairs = self.settings.spreads.iter().any(|spread| spread.term.is_of_pairs());
            let places = Places::new(&leaves, pairs, self.settings.example_settings.threads);
            let model = Model::new(&self.settings.spreads, &places, self.settings.seen);
            self.trainer = Some(self.trainer(model, None));
        }
        let parameters = self.trainer.as_ref().map_or(0, |trainer| trainer.model.parameters.len());
        if parameters == 0 {
            let seen = self.settings.seen;
            return Err(format!("nothing to learn: no feature occurs {seen} times in the leaves").into());
        }
        report(Event::Made(training.len(), held_back.len(), parameters));
        let (example_settings, files) = (self.settings.example_settings, self.sources.names.len());
        let Some(trainer) = &self.trainer else { unreachable!("it was made above") };
        let mut tables = trainer.tables(training.leaves());
        for epoch in self.begun.as_ref().map_or(0, |begun| begun.epochs + 1)..=self.settings.epochs {
            let Some(trainer) = &mut self.trainer else { unreachable!("it was made above") };
            let parameters = &trainer.model.parameters;
            self.begun.get_or_insert_with(|| Begun { epochs: 0, parameters: parameters.clone() }).epochs =
                epoch;
            let number = u64::from(self.rounds) << 32 | u64::from(epoch);
            let mean = (epoch > 0).then(|| {
                trainer
                    .epoch(&mut tables, &training, number, &|seen| report(Event::Seen(seen, training.len())))
            });
            let row = Row {
                round: self.rounds + 1,
                epoch,
                training: mean,
                held_back: measure::measure(
                    &trainer.model,
                    &held_back,
                    example_settings.loss,
                    files,
                    example_settings.threads,
                ),
                agreement: (epoch == 0).then(|| agreement_shares(&held_back, files)),
            };
            self.history.push(row);
            if epoch == self.settings.epochs {
                self.rounds += 1;
                self.begun = None;
            }
            after(self)?;
        }
        Ok(())
    }

    /// Measures the learned parameters, with the leaves that they find.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn measure_final(&mut self, report: &(dyn Fn(Event) + Sync)) -> Result<FinalMeasure, String> {
        let weights = self.weights()?;
        let held_back = self.examples(true, &weights, report);
        // Used for the rounding where nothing is held back.
        let training =
            if held_back.is_empty() { self.examples(false, &weights, report) } else { Examples::default() };
        let (example_settings, files) = (self.settings.example_settings, self.sources.names.len());
        let Some(trainer) = &mut self.trainer else { return Err("nothing has been learned".to_string()) };
        let row = Row {
            round: self.rounds + 1,
            epoch: 0,
            training: None,
            held_back: measure::measure(
                &trainer.model,
                &held_back,
                example_settings.loss,
                files,
                example_settings.threads,
            ),
            agreement: Some(agreement_shares(&held_back, files)),
        };
        let leaves = if held_back.is_empty() { &training } else { &held_back };
        let rounding =
            quantization::rounding_error(&mut trainer.model, leaves.leaves(), example_settings.threads);
        Ok(FinalMeasure { row, rounding })
    }

    /// A checkpoint to go on from; `None` before anything was learned.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let trainer = self.trainer.as_ref()?;
        Some(Checkpoint {
            settings: self.settings.text(),
            rounds: self.rounds,
            begun: self.begun.clone(),
            terms: trainer.model.keys().map(|(spread, keys)| (spread.to_string(), keys.to_vec())).collect(),
            parameters: trainer.model.parameters.clone(),
            squares: trainer.squares.clone(),
            history: self.history.clone(),
        })
    }
}

/// The parts of two settings that are not alike.
fn differences(one: &str, other: &str) -> [String; 2] {
    let [ones, others] = [one, other].map(|text| text.split("; ").collect::<Vec<_>>());
    if ones.len() != others.len() {
        return [one.to_string(), other.to_string()];
    }
    let (ones, others): (Vec<_>, Vec<_>) =
        ones.into_iter().zip(others).filter(|(one, other)| one != other).unzip();
    [ones.join("; "), others.join("; ")]
}

/// The result of a training.
pub struct FinalMeasure {
    /// The measures.
    pub row: Row,
    /// How far the whole numbers of the tables are from the learned parameters: the root of the mean square and the largest
    /// difference, in units of a score, over the examples held back, or if there are none over the others.
    pub rounding: (f64, f64),
}

fn agreement_shares(examples: &Examples, files: usize) -> Vec<f64> {
    let share = |file: usize| {
        let agreement = examples.agreement.get(file).copied().unwrap_or_default();
        agreement.agreed / agreement.positions as f64
    };
    (0..files).map(share).collect()
}
