//! What the command line does with evaluation files: inspect, convert, average.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::compact::{self, CompactError};
use super::files::{self, Files, LoadError, Number, Part};
use super::mean::{self, NoMean};
use super::table::Pair;
use super::terms::{RemainderError, Terms};
use super::weights::{NoMemory, Weights};
use super::yss;
use crate::util::atomic_file::SaveError;

/// Called with the number of bytes done and their total.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// Where an evaluation comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// The built-in file: `built-in` on the command line.
    BuiltIn,
    /// Made from YSS's tables, from which learning began: `yss` on the command line.
    Yss,
    /// A folder with full files.
    Full(PathBuf),
    /// A compact file.
    Compact(PathBuf),
}

impl Source {
    /// The meaning of a word of the command line: one of the two names, a folder, or else a compact file.
    pub fn from_word(word: &Path) -> Source {
        match word.to_str() {
            Some("built-in") => Source::BuiltIn,
            Some("yss") => Source::Yss,
            _ if word.is_dir() => Source::Full(word.to_path_buf()),
            _ => Source::Compact(word.to_path_buf()),
        }
    }

    /// The evaluation in memory.
    ///
    /// # Errors
    /// See [`ToolError`].
    pub fn load(&self, progress: Progress<'_>) -> Result<Weights, ToolError> {
        match self {
            Source::Full(folder) => {
                Files::find(folder).and_then(|files| files.load(progress)).map_err(ToolError::Load)
            }
            _ => self.terms()?.expand().map_err(ToolError::Memory),
        }
    }

    /// The terms of anything but full files.
    ///
    /// # Errors
    /// See [`ToolError`].
    ///
    /// # Panics
    /// For full files.
    pub fn terms(&self) -> Result<Terms, ToolError> {
        match self {
            Source::BuiltIn => compact::built_in()
                .map_err(|error| ToolError::Compact(PathBuf::from("built-in evaluation"), error)),
            Source::Yss => Ok(yss::terms()),
            Source::Compact(path) => {
                compact::read(path).map_err(|(path, error)| ToolError::Compact(path, error))
            }
            Source::Full(_) => unreachable!("full files have no terms"),
        }
    }
}

/// What went wrong with an evaluation file.
#[derive(Debug)]
pub enum ToolError {
    /// Full files could not be loaded.
    Load(LoadError),
    /// A compact file could not be read.
    Compact(PathBuf, CompactError),
    /// A file could not be read.
    Read(PathBuf, io::Error),
    /// A file could not be written.
    Save(SaveError),
    /// There is no memory for the tables.
    Memory(NoMemory),
    /// The evaluation differs too much from the built-in one to be written in compact form.
    Remainder(RemainderError),
    /// Full files, where a compact one is needed.
    Full(PathBuf),
    /// The evaluations have no mean.
    NoMean(NoMean),
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolError::Load(error) => error.fmt(f),
            ToolError::Compact(path, error) => write!(f, "{}: {error}", path.display()),
            ToolError::Read(path, error) => write!(f, "{}: cannot be read: {error}", path.display()),
            ToolError::Save(error) => error.fmt(f),
            ToolError::Memory(error) => error.fmt(f),
            ToolError::Remainder(error) => error.fmt(f),
            ToolError::Full(path) => write!(f, "{}: full files: expected a compact file", path.display()),
            ToolError::NoMean(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ToolError {}

/// Whether an evaluation is written to `to` as full files: where that is a folder, or a name without an extension.
pub fn is_folder(to: &Path) -> bool {
    to.is_dir() || to.extension().is_none()
}

/// Writes an evaluation as full files or as a compact file, as [`is_folder`] says.
///
/// # Errors
/// See [`ToolError`].
pub fn convert(from: &Source, to: &Path, progress: Progress<'_>) -> Result<(), ToolError> {
    if is_folder(to) {
        let weights = from.load(&mut |_, _| ())?;
        return files::save(&weights, to, progress).map_err(ToolError::Save);
    }
    let terms = match from {
        Source::Full(_) => {
            let weights = from.load(progress)?;
            Source::BuiltIn.terms()?.with_rest_of(&weights).map_err(ToolError::Remainder)?
        }
        _ => from.terms()?,
    };
    compact::write(&terms, to).map_err(ToolError::Save)
}

/// Writes the [`mean`] of several evaluations as a compact file.
///
/// # Errors
/// See [`ToolError`].
pub fn write_mean(of: &[Source], to: &Path) -> Result<(), ToolError> {
    let terms = |source: &Source| match source {
        Source::Full(folder) => Err(ToolError::Full(folder.clone())),
        _ => source.terms(),
    };
    let all = of.iter().map(terms).collect::<Result<Vec<Terms>, ToolError>>()?;
    compact::write(&mean::mean(&all).map_err(ToolError::NoMean)?, to).map_err(ToolError::Save)
}

/// Describes a folder of full files or a compact file in lines of text: layout, sizes, checksums (CRC-32 of the files'
/// bytes), and the smallest and largest value of both components of each table.
///
/// # Errors
/// See [`ToolError`].
pub fn inspect(source: &Source, progress: Progress<'_>) -> Result<String, ToolError> {
    let mut lines = Vec::new();
    match source {
        Source::Full(folder) => {
            let files = Files::find(folder).map_err(ToolError::Load)?;
            lines.push(format!("layout {}: {}", files.layout.name, numbers(&files)));
            let mut before = 0;
            for part in Part::ALL {
                let Some(path) = files.path(part) else { continue };
                let (bytes, checksum) =
                    checksum(&path, &mut |done| progress(before + done, 2 * files.bytes()))
                        .map_err(|error| ToolError::Read(path.clone(), error))?;
                before += bytes;
                lines.push(format!("{} {bytes} bytes, checksum {checksum:08x}", path.display()));
            }
        }
        Source::Compact(path) => {
            let (bytes, checksum) =
                checksum(path, &mut |_| ()).map_err(|error| ToolError::Read(path.clone(), error))?;
            lines.push(format!("layout compact, version {}", compact::version_of(&source.terms()?)));
            lines.push(format!("{} {bytes} bytes, checksum {checksum:08x}", path.display()));
        }
        Source::BuiltIn => {
            let (bytes, checksum) = compact::built_in_size_and_checksum();
            lines.push(format!("layout compact, version {}", compact::version_of(&source.terms()?)));
            lines.push(format!("built-in evaluation {bytes} bytes, checksum {checksum:08x}"));
        }
        Source::Yss => lines.push("layout none: made from the paper's tables".to_string()),
    }
    let weights = source.load(&mut |done, total| progress(total + done, 2 * total))?;
    lines.extend(ranges(&weights));
    Ok(lines.join("\n"))
}

fn numbers(files: &Files) -> String {
    let name = |number: Option<Number>| match number {
        Some(Number::I16) => "2 × i16",
        Some(Number::I32) => "2 × i32",
        None => "absent",
    };
    let [kk, kkp, kpp] = Part::ALL.map(|part| name(files.layout.number(part)));
    format!("KK {kk}, KKP {kkp}, KPP {kpp}, little endian")
}

/// Length and CRC-32 of a file.
fn checksum(path: &Path, progress: &mut dyn FnMut(u64)) -> io::Result<(u64, u32)> {
    let mut file = File::open(path)?;
    let mut hasher = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    let mut done = 0;
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok((done, hasher.finalize())),
            bytes => {
                hasher.update(&buffer[..bytes]);
                done += bytes as u64;
                progress(done);
            }
        }
    }
}

fn ranges(weights: &Weights) -> [String; 3] {
    let kpp = weights.all_kpp().as_flattened().as_flattened();
    [
        range("KK", weights.all_kk().iter().copied()),
        range("KKP", weights.all_kkp().iter().copied()),
        range("KPP", kpp.iter().map(|pair| pair.map(i32::from))),
    ]
}

fn range(name: &str, table: impl Iterator<Item = Pair<i32>>) -> String {
    let (mut least, mut most, mut used, mut count) = ([i32::MAX; 2], [i32::MIN; 2], 0u64, 0u64);
    for pair in table {
        for component in 0..2 {
            least[component] = least[component].min(pair[component]);
            most[component] = most[component].max(pair[component]);
        }
        used += u64::from(pair != [0; 2]);
        count += 1;
    }
    let [board, turn] = [0, 1].map(|component| format!("{} to {}", least[component], most[component]));
    format!("{name}: board {board}, turn {turn}; {used} of {count} entries are not zero")
}
