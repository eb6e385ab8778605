//! A training from its beginning, or from a checkpoint, to its end.

use std::sync::Arc;

use super::checkpoint::Checkpoint;
use super::examples::{self, Examples, Making};
use super::expansion;
use super::measure::{self, Row};
use super::model::Model;
use super::term::Spread;
use super::trainer::{Steps, Trainer};
use crate::eval::terms::Terms;
use crate::learn::sources::{Game, Sources};

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// What is learned.
    pub spreads: Vec<Spread>,
    /// In how many leaves a feature has to be to get a parameter.
    pub seen: u32,
    /// How examples are made.
    pub making: Making,
    /// How steps are made.
    pub steps: Steps,
    /// How often every example is seen in a round.
    pub epochs: u32,
    /// What else the result depends on, for people: the start and the files.
    pub of: String,
}

impl Settings {
    /// Everything that the result depends on.
    fn text(&self) -> String {
        let spreads: Vec<String> = self.spreads.iter().map(Spread::to_string).collect();
        let Making { loss, skip, alternatives, threads: _ } = self.making;
        format!(
            "{}; {}; seen {}; {loss:?}; skip {skip}; alternatives {alternatives}; {:?}; epochs {}",
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
    settings: Settings,
    base: Terms,
    sources: Sources,
    trainer: Option<Trainer>,
    rounds: u32,
    history: Vec<Row>,
}

/// What is going on, for whoever waits.
pub enum Event<'a> {
    /// So many of so many games have been looked at for leaves.
    Games(usize, usize),
    /// So many examples to learn from and held back, and parameters.
    Made(usize, usize, usize),
    /// A line of the history.
    Row(&'a Row),
}

impl Session {
    /// Begins, where `base` is, or goes on from `checkpoint`.
    ///
    /// # Errors
    /// When the checkpoint was made with other settings.
    pub fn new(
        settings: Settings,
        base: Terms,
        sources: Sources,
        checkpoint: Option<Checkpoint>,
    ) -> Result<Session, String> {
        let mut session = Session { settings, base, sources, trainer: None, rounds: 0, history: Vec::new() };
        if let Some(checkpoint) = checkpoint {
            let expected = session.settings.text();
            if checkpoint.settings != expected {
                return Err(format!("made with \"{}\": expected \"{expected}\"", checkpoint.settings));
            }
            let model = checkpoint.model()?;
            session.trainer = Some(session.trainer(model, Some(checkpoint.squares)));
            session.rounds = checkpoint.rounds;
            session.history = checkpoint.history;
        }
        Ok(session)
    }

    fn trainer(&self, model: Model, squares: Option<Vec<[f32; 2]>>) -> Trainer {
        let Settings { making, steps, .. } = self.settings;
        Trainer::new(model, squares, making.loss, steps, making.threads)
    }

    /// How many rounds are done.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// What was measured so far.
    pub fn history(&self) -> &[Row] {
        &self.history
    }

    /// The names of the files that measures belong to.
    pub fn names(&self) -> &[String] {
        &self.sources.names
    }

    /// The start with what has been learned.
    pub fn terms(&self) -> Terms {
        match &self.trainer {
            Some(trainer) => expansion::terms(&trainer.model, &self.base),
            None => self.base.clone(),
        }
    }

    fn examples(&self, held_back: bool, tell: &(dyn Fn(Event) + Sync)) -> Result<Examples, String> {
        let games: Vec<&Game> =
            self.sources.games.iter().filter(|game| game.held_back == held_back).collect();
        let weights = Arc::new(self.terms().expand().map_err(|error| error.to_string())?);
        let model = self.trainer.as_ref().map(|trainer| &trainer.model);
        let done = |count| tell(Event::Games(count, games.len()));
        Ok(examples::make(&games, &weights, model, self.settings.making, &done))
    }

    /// Finds the leaves by what has been learned so far, and learns.
    ///
    /// # Errors
    /// When there is nothing to learn from, or no memory.
    pub fn round(&mut self, tell: &(dyn Fn(Event) + Sync)) -> Result<(), String> {
        let training = self.examples(false, tell)?;
        let held_back = self.examples(true, tell)?;
        if training.is_empty() {
            return Err("nothing to learn from: expected games with moves, or positions".to_string());
        }
        if self.trainer.is_none() {
            let model = Model::new(&self.settings.spreads, training.leaves(), self.settings.seen);
            self.trainer = Some(self.trainer(model, None));
        }
        let Some(trainer) = &mut self.trainer else { unreachable!("it was just made") };
        tell(Event::Made(training.len(), held_back.len(), trainer.model.parameters.len()));
        let (making, files) = (self.settings.making, self.sources.names.len());
        for epoch in 0..=self.settings.epochs {
            let number = u64::from(self.rounds) << 32 | u64::from(epoch);
            let mean = (epoch > 0).then(|| trainer.epoch(&training, number));
            let row = Row {
                round: self.rounds + 1,
                epoch,
                training: mean,
                held_back: measure::measure(&trainer.model, &held_back, making.loss, files, making.threads),
                agreement: (epoch == 0).then(|| shares(&held_back, files)),
            };
            tell(Event::Row(&row));
            self.history.push(row);
        }
        self.rounds += 1;
        Ok(())
    }

    /// Measures what has been learned with leaves found by it.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn look(&mut self, tell: &(dyn Fn(Event) + Sync)) -> Result<Look, String> {
        let held_back = self.examples(true, tell)?;
        let (making, files) = (self.settings.making, self.sources.names.len());
        let Some(trainer) = &mut self.trainer else { return Err("nothing has been learned".to_string()) };
        let row = Row {
            round: self.rounds + 1,
            epoch: 0,
            training: None,
            held_back: measure::measure(&trainer.model, &held_back, making.loss, files, making.threads),
            agreement: Some(shares(&held_back, files)),
        };
        let rounding = expansion::rounding_error(&mut trainer.model, held_back.leaves());
        Ok(Look { row, rounding })
    }

    /// What is needed to go on later.
    pub fn checkpoint(&self) -> Option<Checkpoint> {
        let trainer = self.trainer.as_ref()?;
        Some(Checkpoint {
            settings: self.settings.text(),
            rounds: self.rounds,
            terms: trainer.model.keys().map(|(spread, keys)| (spread.to_string(), keys.to_vec())).collect(),
            parameters: trainer.model.parameters.clone(),
            squares: trainer.squares.clone(),
            history: self.history.clone(),
        })
    }
}

/// What a training has come to.
pub struct Look {
    /// The measures.
    pub row: Row,
    /// How far the whole numbers of the tables are from what was learned: the root of the mean square and the largest
    /// difference, in units of a score.
    pub rounding: (f64, f64),
}

fn shares(examples: &Examples, files: usize) -> Vec<f64> {
    let share = |file: usize| {
        let agreement = examples.agreement.get(file).copied().unwrap_or_default();
        agreement.agreed / agreement.positions as f64
    };
    (0..files).map(share).collect()
}
