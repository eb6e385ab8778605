//! Which evaluation is in memory: loaded once, kept while nothing changes, shared by all threads.

use std::path::Path;
use std::sync::Arc;

use crate::eval::compact;
use crate::eval::files::{self, Files, LoadError};
use crate::eval::weights::Weights;

/// The evaluation that searches use.
#[derive(Default)]
pub struct Evaluation {
    weights: Option<Arc<Weights>>,
    /// The files that the weights are from; `None` for the built-in evaluation.
    files: Option<Files>,
    /// The folder that was last asked for.
    asked: Option<String>,
    /// What was wrong with it, until it is told once more.
    refusal: Option<String>,
}

impl Evaluation {
    /// Has the evaluation of `folder` in memory, or the built-in one where `folder` is empty. What is there already
    /// and has not changed is kept. `progress` is called now and then while it lasts.
    ///
    /// Where the folder cannot be used, the built-in evaluation is, and the message says what was wrong with the
    /// folder.
    ///
    /// # Errors
    /// A message, when not even the built-in evaluation fits in memory.
    pub fn prepare(&mut self, folder: &str, progress: &mut dyn FnMut()) -> Result<Option<String>, String> {
        self.asked = Some(folder.to_string());
        self.refusal = None;
        if !folder.is_empty() {
            match self.prepare_files(folder, progress) {
                Ok(()) => return Ok(None),
                Err(error) => {
                    self.refusal = Some(format!("EvalDir: {error}; playing with the built-in evaluation"));
                }
            }
        }
        self.prepare_built_in()?;
        Ok(self.refusal.clone())
    }

    /// Whether `folder` was the one last asked for.
    pub fn is_prepared_for(&self, folder: &str) -> bool {
        self.weights.is_some() && self.asked.as_deref() == Some(folder)
    }

    /// What was wrong with the folder, once more and then no longer.
    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// The weights, once they are prepared.
    pub fn weights(&self) -> Option<&Arc<Weights>> {
        self.weights.as_ref()
    }

    fn prepare_files(&mut self, folder: &str, progress: &mut dyn FnMut()) -> Result<(), LoadError> {
        let files = Files::find(&files::find_folder(Path::new(folder))?)?;
        if self.weights.is_some() && self.files.as_ref() == Some(&files) {
            return Ok(());
        }
        // The old weights go first: both together may be more than there is.
        self.weights = None;
        self.weights = Some(Arc::new(files.load(&mut |_, _| progress())?));
        self.files = Some(files);
        Ok(())
    }

    fn prepare_built_in(&mut self) -> Result<(), String> {
        if self.weights.is_some() && self.files.is_none() {
            return Ok(());
        }
        self.weights = None;
        self.files = None;
        let terms = compact::built_in().map_err(|error| error.to_string())?;
        self.weights = Some(Arc::new(terms.expand().map_err(|error| error.to_string())?));
        Ok(())
    }
}
