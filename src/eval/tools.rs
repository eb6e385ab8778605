//! What the command line does with evaluation files: inspect, convert, average.
//!
//! The mean of several evaluations. What only one has learned by chance counts less in it than what all have learned.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::compact::{self, CompactError};
use super::files::{self, Files, LoadError, Number, Part};
use super::sparse::Sparse;
use super::symmetric::Symmetric;
use super::table::Pair;
use super::terms::{RemainderError, Terms};
use super::weights::{NoMemory, Weights};
use super::yss;
use crate::util::atomic_file::SaveError;
use crate::util::input_file;

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
    compact::write(&mean(&all).map_err(ToolError::NoMean)?, to).map_err(ToolError::Save)
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
    let mut file = input_file::open(path)?;
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

/// Why evaluations have no mean in the form of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMean {
    /// There are no evaluations.
    Nothing,
    /// They were not learned from the same start: their values of [`Terms::larger`] differ.
    DifferentStarts,
}

impl fmt::Display for NoMean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoMean::Nothing => "no evaluation: expected one at least",
            NoMean::DifferentStarts => "expected evaluations that were learned from the same start",
        })
    }
}

impl std::error::Error for NoMean {}

/// The mean of `all`, entry by entry, each rounded to the nearest. Except for rounding and for values beyond 16 bits it
/// expands to the mean of the tables.
///
/// # Errors
/// See [`NoMean`].
pub fn mean(all: &[Terms]) -> Result<Terms, NoMean> {
    let first = all.first().ok_or(NoMean::Nothing)?;
    if all.iter().any(|terms| terms.larger != first.larger) {
        return Err(NoMean::DifferentStarts);
    }
    Ok(Terms {
        kk: dense(all, |terms| &terms.kk),
        piece: dense(all, |terms| &terms.piece),
        king_piece: dense(all, |terms| &terms.king_piece),
        larger: first.larger.clone(),
        pairs: sparse(all, |terms| &terms.pairs),
        symmetric: Symmetric {
            kkp: sparse(all, |terms| &terms.symmetric.kkp),
            pairs: sparse(all, |terms| &terms.symmetric.pairs),
            zones: sparse(all, |terms| &terms.symmetric.zones),
            relative: sparse(all, |terms| &terms.symmetric.relative),
            kpp: sparse(all, |terms| &terms.symmetric.kpp),
        },
        kkp: sparse(all, |terms| &terms.kkp),
        kpp: sparse(all, |terms| &terms.kpp),
    })
}

fn dense(all: &[Terms], table: impl Fn(&Terms) -> &Vec<Pair<i32>>) -> Vec<Pair<i32>> {
    (0..table(&all[0]).len())
        .map(|place| of(all.iter().map(|terms| table(terms)[place]), all.len()))
        .collect()
}

fn sparse(all: &[Terms], table: impl Fn(&Terms) -> &Sparse) -> Sparse {
    let mut entries: Vec<(u32, Pair<i32>)> = all.iter().flat_map(|terms| table(terms).iter()).collect();
    entries.sort_by_key(|&(key, _)| key);
    let same = entries.chunk_by(|one, other| one.0 == other.0);
    Sparse::new(same.map(|same| (same[0].0, of(same.iter().map(|&(_, value)| value), all.len()))).collect())
}

/// The mean of `count` values; those that are not given are zero.
fn of(values: impl Iterator<Item = Pair<i32>>, count: usize) -> Pair<i32> {
    let sums = values.fold([0.0; 2], |sum, value| [0, 1].map(|part| sum[part] + f64::from(value[part])));
    sums.map(|sum| (sum / count as f64).round() as i32)
}

#[cfg(test)]
mod tests {
    use super::super::index::Index;
    use super::super::symmetric::{self, Relative, pair_key};
    use super::super::table::Table;
    use super::super::weights::kpp_key;
    use super::super::yss;
    use super::*;
    use crate::shogi::square::Square;

    const HANDS: usize = Index::HANDS;

    const CORNER: Square = Square::from_index(0).unwrap();

    /// Some entries in every table, of pieces in hand.
    fn terms(random: &mut fastrand::Rng) -> Terms {
        let mut terms = Terms::default();
        for table in [&mut terms.kk, &mut terms.piece, &mut terms.king_piece] {
            table.iter_mut().for_each(|entry| *entry = [random.i32(-900..900), random.i32(-90..90)]);
        }
        let mut entries = <[Vec<(u32, Pair<i32>)>; 8]>::default();
        for king in Square::all() {
            for one in Index::all().take(HANDS) {
                let other = Index::new(random.usize(0..HANDS)).expect("a piece");
                let relative = [one, other].map(|piece| Relative::of(king, piece));
                let keys = [
                    symmetric::kings_piece(CORNER, king, one).key,
                    symmetric::pair(one, other).key,
                    symmetric::zone_pair(king, one, other),
                    symmetric::relative_pair(relative[0], relative[1]),
                    symmetric::king_pair(king, one, other),
                    pair_key(relative[0], relative[1]),
                    (king.index() * Index::COUNT + one.get()) as u32,
                    kpp_key(king, one, other),
                ];
                for (table, key) in entries.iter_mut().zip(keys) {
                    table.push((key, [random.i32(-30..30), random.i32(-9..9)]));
                }
            }
        }
        let [kkp, pairs, zones, relative, kpp, own_pairs, own_kkp, own_kpp] = entries.map(Sparse::new);
        let symmetric = Symmetric { kkp, pairs, zones, relative, kpp };
        Terms { symmetric, pairs: own_pairs, kkp: own_kkp, kpp: own_kpp, ..terms }
    }

    #[test]
    fn tables_of_the_mean_are_the_mean_of_the_tables() {
        let mut random = fastrand::Rng::with_seed(4);
        let all: Vec<Terms> = (0..3).map(|_| terms(&mut random)).collect();
        let mean = mean(&all).expect("they have the same start");
        // The mean is rounded once for each term that an entry is made of.
        let check = |entry: &dyn Fn(&Terms) -> Pair<i32>, terms: i32| {
            let (found, all) = (entry(&mean), all.iter().map(entry).collect::<Vec<_>>());
            for part in 0..2 {
                let sum: i32 = all.iter().map(|entry| entry[part]).sum();
                assert!((3 * found[part] - sum).abs() * 2 <= 3 * terms, "{found:?} of {all:?}");
            }
            u32::from(found != [0; 2])
        };
        let mut pairs = 0;
        for king in Square::all() {
            assert_eq!(check(&|terms| terms.kk(CORNER, king), 1), 1);
            for one in Index::all().take(HANDS) {
                check(&|terms| terms.kkp(CORNER, king, one), 5);
                for other in Index::all().take(one.get()) {
                    pairs += check(&|terms| terms.kpp(king, one, other).map(i32::from), 6);
                }
            }
        }
        assert!(pairs > 10_000, "{pairs}");
    }

    #[test]
    fn the_mean_of_equal_terms_is_the_same_terms() {
        // These terms have entries that are zero.
        let same = [yss::terms(), yss::terms(), yss::terms()];
        assert!(mean(&same).as_ref() == Ok(&same[0]));
        assert!(mean(&same[..1]).as_ref() == Ok(&same[0]));
    }

    #[test]
    fn evaluations_with_different_starts_are_refused() {
        let all = [Terms::default(), Terms { larger: vec![1; 2], ..Terms::default() }];
        assert_eq!(mean(&all), Err(NoMean::DifferentStarts));
        assert_eq!(mean(&[]), Err(NoMean::Nothing));
    }
}
