//! Which evaluation is in memory: loaded once, kept while nothing changes, shared by all threads.

use std::path::Path;
use std::sync::Arc;

use super::tables_cache::{Mended, TablesCache};
use crate::eval::compact;
use crate::eval::evaluator::Evaluator;
use crate::eval::files::{Files, LoadError};
use crate::eval::weights::{self, Blank, NoMemory};
use crate::util::available_memory::AvailableMemory;
use crate::util::memory::{self, Pages};

/// Bytes that there have to be beside the tables, to read the built-in evaluation and to search with it.
const TO_READ: usize = 160 << 20;

/// The evaluation that searches use.
pub struct Evaluation {
    evaluator: Option<Evaluator>,
    /// The files that the tables are from; `None` for the built-in evaluation.
    files: Option<Files>,
    /// The folder of the last request.
    requested: Option<String>,
    /// What was wrong with it, until it is reported once more.
    refusal: Option<String>,
    /// How often another evaluation was loaded.
    loads: u64,
    /// How much memory there is.
    available: fn() -> Option<AvailableMemory>,
    cache: TablesCache,
    /// Whether the cache was asked for in the last request.
    uses_cache: bool,
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation {
            evaluator: None,
            files: None,
            requested: None,
            refusal: None,
            loads: 0,
            available: AvailableMemory::now,
            cache: TablesCache::default(),
            uses_cache: false,
        }
    }
}

impl Evaluation {
    /// Has the evaluation of `folder` in memory, or the built-in one where `folder` is empty. What is there already
    /// and has not changed is kept.
    ///
    /// Where the folder cannot be used, the built-in evaluation is, and where there is no room for its tables, one that needs
    /// none. Returns messages that say so; the second is said when it comes to that, and not again while it lasts.
    ///
    /// With `uses_cache` the tables of the built-in evaluation are mapped from a file in the user's cache folder, or written
    /// to one.
    pub fn prepare(&mut self, folder: &str, uses_cache: bool) -> Vec<String> {
        self.requested = Some(folder.to_string());
        // Tables of the cache are given up where it is not wanted any more; others stay.
        if !uses_cache && self.files.is_none() && self.is_shared() {
            self.evaluator = None;
        }
        self.uses_cache = uses_cache;
        self.refusal = None;
        if !folder.is_empty() {
            match self.prepare_files(folder) {
                Ok(()) => return Vec::new(),
                Err(error) => {
                    self.refusal = Some(format!("EvalDir: {error}; playing with the built-in evaluation"));
                }
            }
        }
        let lack = self.prepare_built_in().err().and_then(|reason| self.do_without_tables(&reason));
        self.refusal.iter().cloned().chain(lack).collect()
    }

    /// Whether this was requested last.
    pub fn is_prepared_for(&self, folder: &str, uses_cache: bool) -> bool {
        self.evaluator.is_some() && self.requested.as_deref() == Some(folder) && self.uses_cache == uses_cache
    }

    /// Takes over what replaces a damaged file of the cache, and returns what was wrong with it.
    pub fn take_mended(&mut self) -> Option<String> {
        let Mended { message, weights } = self.cache.take_mended()?;
        if self.files.is_none() && self.is_shared() {
            // Without room for tables nothing better can be had.
            self.evaluator = Some(weights.map_or_else(Evaluator::pieces_and_kings, Evaluator::Tables));
            self.loads += 1;
        }
        Some(message)
    }

    /// The bytes of mapped files that searches read.
    pub fn mapped_bytes(&self) -> usize {
        if self.is_shared() { weights::BYTES } else { 0 }
    }

    /// Whether other processes use the same memory.
    fn is_shared(&self) -> bool {
        matches!(&self.evaluator, Some(Evaluator::Tables(weights)) if weights.is_shared())
    }

    /// What was wrong with the folder, once more and then no longer.
    pub fn take_refusal(&mut self) -> Option<String> {
        self.refusal.take()
    }

    /// The evaluation, once it is prepared.
    pub fn evaluator(&self) -> Option<&Evaluator> {
        self.evaluator.as_ref()
    }

    /// Whether there was no room for tables when the evaluation was prepared.
    pub fn lacks_tables(&self) -> bool {
        self.evaluator.as_ref().is_some_and(|evaluator| !evaluator.has_tables())
    }

    /// How often another evaluation was loaded: values that an earlier one gave are of no use any more.
    pub fn loads(&self) -> u64 {
        self.loads
    }

    fn prepare_files(&mut self, folder: &str) -> Result<(), LoadError> {
        let files = Files::named(Path::new(folder))?;
        if self.evaluator.is_some() && self.files.as_ref() == Some(&files) {
            return Ok(());
        }
        self.make_room();
        weights::check_addresses((self.available)(), TO_READ).map_err(LoadError::Memory)?;
        self.evaluator = Some(Evaluator::Tables(Arc::new(files.load(&mut |_, _| ())?)));
        self.files = Some(files);
        self.loads += 1;
        Ok(())
    }

    fn prepare_built_in(&mut self) -> Result<(), String> {
        if self.files.is_none() && self.evaluator.as_ref().is_some_and(Evaluator::has_tables) {
            return Ok(());
        }
        self.make_room();
        let available = (self.available)();
        if self.uses_cache
            && weights::check_addresses(available, TO_READ).is_ok()
            && let Some(weights) = self.cache.open()
        {
            self.evaluator = Some(Evaluator::Tables(weights));
            self.loads += 1;
            return Ok(());
        }
        weights::check_room(available, TO_READ).map_err(|error| error.to_string())?;
        // Where so much is refused, little is left, and reading the terms could take the rest of it.
        let tables = Blank::new().map_err(|error| error.to_string())?;
        let to_read = memory::zeroed(TO_READ, Pages::Small);
        drop(to_read.map_err(|source| NoMemory { bytes: TO_READ, source }.to_string())?);
        drop(tables);
        let terms = compact::built_in().map_err(|error| error.to_string())?;
        let weights = Arc::new(terms.expand().map_err(|error| error.to_string())?);
        if self.uses_cache {
            self.cache.keep(&weights);
        }
        self.evaluator = Some(Evaluator::Tables(weights));
        self.loads += 1;
        Ok(())
    }

    /// Old tables go before others come: both together may be more than there is.
    fn make_room(&mut self) {
        self.files = None;
        if !self.lacks_tables() {
            self.evaluator = None;
        }
    }

    /// Has the evaluation that needs no tables, and says so where it was not there before.
    fn do_without_tables(&mut self, reason: &str) -> Option<String> {
        if self.lacks_tables() {
            return None;
        }
        self.evaluator = Some(Evaluator::pieces_and_kings());
        self.loads += 1;
        Some(format!(
            "{reason}; playing with a simple evaluation, of pieces and their distance to the kings: far weaker"
        ))
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;
    use crate::eval::weights::Weights;

    const NOTHING: Vec<String> = Vec::new();

    fn tables(evaluation: &Evaluation) -> Arc<Weights> {
        match evaluation.evaluator() {
            Some(Evaluator::Tables(weights)) => Arc::clone(weights),
            other => panic!("{other:?}"),
        }
    }

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
        assert!(!evaluation.is_prepared_for(name, false));
        assert_eq!(evaluation.prepare(name, false), NOTHING);
        let first = tables(&evaluation);
        assert!(evaluation.is_prepared_for(name, false));
        assert_eq!(evaluation.prepare(name, false), NOTHING);
        assert!(Arc::ptr_eq(&first, &tables(&evaluation)));

        let kk = folder.join("KK_synthesized.bin");
        File::options().write(true).open(&kk).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
        // Two pairs of tables at a time would be too much memory for a test.
        drop(first);
        assert_eq!(evaluation.prepare(name, false), NOTHING);
        assert_eq!(evaluation.loads, 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_refused_folder_is_reported_twice_and_replaced() {
        let mut evaluation = Evaluation::default();
        let messages = evaluation.prepare("no such folder", false);
        let [message] = &messages[..] else { panic!("{messages:?}") };
        assert!(message.contains("no such folder") && message.contains("built-in"), "{message}");
        assert!(evaluation.is_prepared_for("no such folder", false));
        assert_eq!(evaluation.take_refusal().as_ref(), Some(message));
        assert_eq!(evaluation.take_refusal(), None);
        let built_in = tables(&evaluation);
        assert_eq!(evaluation.prepare("", false), NOTHING);
        assert!(Arc::ptr_eq(&built_in, &tables(&evaluation)));
    }

    #[test]
    fn without_room_for_tables_a_simple_evaluation_plays_until_there_is_room() {
        // A group's limit of 600 MiB on a machine that has more.
        let limited = || {
            let machine = AvailableMemory { machine: 8 << 30, swap: 0, group: None, addresses: None };
            Some(AvailableMemory { group: Some(600 << 20), ..machine })
        };
        let mut evaluation = Evaluation { available: limited, ..Evaluation::default() };
        let messages = evaluation.prepare("", false);
        let [message] = &messages[..] else { panic!("{messages:?}") };
        assert!(message.contains("600 MiB are available") && message.contains("simple"), "{message}");
        assert!(evaluation.lacks_tables() && evaluation.is_prepared_for("", false));
        // It is said once, and stays the same evaluation.
        assert_eq!((evaluation.prepare("", false), evaluation.loads()), (NOTHING, 1));
        // A folder that cannot be used either is said, too.
        assert!(
            matches!(&evaluation.prepare("no such folder", false)[..], [message] if message.contains("no such folder"))
        );
        // Mapped files are given back when memory is wanted elsewhere: no limit forbids them.
        let folder = blank_files("with little memory");
        assert_eq!(evaluation.prepare(folder.to_str().unwrap(), false), NOTHING);
        assert_eq!((evaluation.lacks_tables(), evaluation.loads()), (false, 2));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(evaluation.prepare("", false).len(), 1);
        assert!(evaluation.lacks_tables());
        evaluation.available = || None;
        assert_eq!(evaluation.prepare("", false), NOTHING);
        assert_eq!((evaluation.lacks_tables(), evaluation.loads()), (false, 4));
    }
}
