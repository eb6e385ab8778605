//! Which evaluation is in memory: loaded once, kept while nothing changes, shared by all threads.

use std::path::Path;
use std::sync::Arc;

use crate::eval::compact;
use crate::eval::files::{Files, LoadError};
use crate::eval::weights::{Blank, Weights};
use crate::util::memory::{self, Pages};

/// Bytes that there have to be beside the tables, to read the built-in evaluation and to search with it.
const TO_READ: usize = 160 << 20;

/// The evaluation that searches use.
#[derive(Default)]
pub struct Evaluation {
    weights: Option<Arc<Weights>>,
    /// The files that the weights are from; `None` for the built-in evaluation.
    files: Option<Files>,
    /// The folder of the last request.
    requested: Option<String>,
    /// What was wrong with it, until it is reported once more.
    refusal: Option<String>,
    /// How often other weights were loaded.
    loads: u64,
}

impl Evaluation {
    /// Has the evaluation of `folder` in memory, or the built-in one where `folder` is empty. What is there already
    /// and has not changed is kept.
    ///
    /// Where the folder cannot be used, the built-in evaluation is, and the message says what was wrong with the
    /// folder.
    ///
    /// # Errors
    /// A message, when not even the built-in evaluation fits in memory.
    pub fn prepare(&mut self, folder: &str) -> Result<Option<String>, String> {
        self.requested = Some(folder.to_string());
        self.refusal = None;
        if !folder.is_empty() {
            match self.prepare_files(folder) {
                Ok(()) => return Ok(None),
                Err(error) => {
                    self.refusal = Some(format!("EvalDir: {error}; playing with the built-in evaluation"));
                }
            }
        }
        self.prepare_built_in()?;
        Ok(self.refusal.clone())
    }

    /// Whether `folder` was the last one requested.
    pub fn is_prepared_for(&self, folder: &str) -> bool {
        self.weights.is_some() && self.requested.as_deref() == Some(folder)
    }

    /// What was wrong with the folder, once more and then no longer.
    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// The weights, once they are prepared.
    pub fn weights(&self) -> Option<&Arc<Weights>> {
        self.weights.as_ref()
    }

    /// How often other weights were loaded: values that earlier weights gave are of no use any more.
    pub fn loads(&self) -> u64 {
        self.loads
    }

    fn prepare_files(&mut self, folder: &str) -> Result<(), LoadError> {
        let files = Files::named(Path::new(folder))?;
        if self.weights.is_some() && self.files.as_ref() == Some(&files) {
            return Ok(());
        }
        // The old weights go first: both together may be more than there is.
        self.weights = None;
        self.weights = Some(Arc::new(files.load(&mut |_, _| ())?));
        self.files = Some(files);
        self.loads += 1;
        Ok(())
    }

    fn prepare_built_in(&mut self) -> Result<(), String> {
        if self.weights.is_some() && self.files.is_none() {
            return Ok(());
        }
        self.weights = None;
        self.files = None;
        // Where so much is refused, little is left, and reading the terms could take the rest of it.
        let tables = Blank::new().map_err(|error| error.to_string())?;
        drop(
            memory::zeroed(TO_READ, Pages::Small)
                .map_err(|error| format!("no memory for the evaluation: {error}"))?,
        );
        drop(tables);
        let terms = compact::built_in().map_err(|error| error.to_string())?;
        self.weights = Some(Arc::new(terms.expand().map_err(|error| error.to_string())?));
        self.loads += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    /// A folder with files of the first layout, all zero; sparse, so that they take no room.
    fn blank_files(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("jitsugen {name} {}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (file, bytes) in [("KK", 52_488), ("KKP", 81_251_424), ("KPP", 776_402_496)] {
            let file = File::create(folder.join(format!("{file}_synthesized.bin"))).unwrap();
            file.set_len(bytes).unwrap();
        }
        folder
    }

    #[test]
    fn unchanged_files_are_not_loaded_again() {
        let folder = blank_files("unchanged");
        let name = folder.to_str().unwrap();
        let mut evaluation = Evaluation::default();
        assert!(!evaluation.is_prepared_for(name));
        assert_eq!(evaluation.prepare(name), Ok(None));
        let first = Arc::clone(evaluation.weights().unwrap());
        assert!(evaluation.is_prepared_for(name));
        assert_eq!(evaluation.prepare(name), Ok(None));
        assert!(Arc::ptr_eq(&first, evaluation.weights().unwrap()));

        let kk = folder.join("KK_synthesized.bin");
        File::options().write(true).open(&kk).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        // Two pairs of tables at a time would be too much memory for a test.
        drop(first);
        assert_eq!(evaluation.prepare(name), Ok(None));
        assert_eq!(evaluation.loads, 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_refused_folder_is_reported_twice_and_replaced() {
        let mut evaluation = Evaluation::default();
        let message = evaluation.prepare("no such folder").unwrap().unwrap();
        assert!(message.contains("no such folder") && message.contains("built-in"), "{message}");
        assert!(evaluation.is_prepared_for("no such folder"));
        assert_eq!(evaluation.take_refusal(), Some(message));
        assert_eq!(evaluation.take_refusal(), None);
        let built_in = Arc::clone(evaluation.weights().unwrap());
        assert_eq!(evaluation.prepare(""), Ok(None));
        assert!(Arc::ptr_eq(&built_in, evaluation.weights().unwrap()));
    }
}
