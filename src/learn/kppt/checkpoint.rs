//! Checkpoints: a training that is to go on later.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::measure::Row;
use super::model::{Model, Parameter};
use super::term::Spread;
use crate::util::atomic_file::write_atomically;
use crate::util::input_file;

/// What a file begins with; the last sign is the version.
const MAGIC: [u8; 8] = *b"JITLEAR2";

/// A training at the end of an epoch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The settings that it was begun with: to go on, they have to be the same.
    pub settings: String,
    /// How many rounds are done.
    pub rounds: u32,
    /// The round after these, where it has begun.
    pub begun: Option<Begun>,
    /// Each term with its spread, by their texts, and what identifies its parameters.
    pub terms: Vec<(String, Vec<u32>)>,
    /// What has been learned.
    pub parameters: Vec<Parameter>,
    /// The sums of squares of the gradients.
    pub squares: Vec<Parameter>,
    /// What was measured.
    pub history: Vec<Row>,
}

/// A round that is not done yet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Begun {
    /// How many of its epochs are done.
    pub epochs: u32,
    /// The parameters at its beginning: its leaves are those that they find.
    pub parameters: Vec<Parameter>,
}

impl Checkpoint {
    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let contents = postcard::to_allocvec(self).map_err(|error| error.to_string())?;
        write_atomically(path, |file| {
            file.write_all(&MAGIC)?;
            file.write_all(&crc32fast::hash(&contents).to_le_bytes())?;
            file.write_all(&contents)
        })
        .map_err(|error| error.to_string())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no checkpoint as it was written.
    pub fn read(path: &Path) -> Result<Checkpoint, String> {
        let wrong = |what: &str| format!("{}: {what}: expected a checkpoint of learn kppt", path.display());
        let bytes = input_file::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let rest = bytes.strip_prefix(&MAGIC[..]).ok_or_else(|| wrong("another kind of file or version"))?;
        let (checksum, contents) = rest.split_first_chunk().ok_or_else(|| wrong("cut off"))?;
        if crc32fast::hash(contents) != u32::from_le_bytes(*checksum) {
            return Err(wrong("cut off or changed"));
        }
        postcard::from_bytes(contents).map_err(|_| wrong("another version"))
    }

    /// The model of the checkpoint.
    ///
    /// # Errors
    /// When its terms are not ours.
    pub fn model(&self) -> Result<Model, String> {
        let terms: Result<Vec<(Spread, Vec<u32>)>, String> =
            self.terms.iter().map(|(text, keys)| Ok((text.parse()?, keys.clone()))).collect();
        let mut model = Model::with_keys(&terms?)
            .map_err(|term| format!("parameters of the term {term} that it does not have"))?;
        let count = model.parameters.len();
        let begun = self.begun.iter().map(|begun| &begun.parameters);
        if let Some(wrong) = begun.chain([&self.parameters, &self.squares]).find(|list| list.len() != count) {
            return Err(format!("{} parameters: expected {count}", wrong.len()));
        }
        model.parameters.clone_from(&self.parameters);
        Ok(model)
    }
}
