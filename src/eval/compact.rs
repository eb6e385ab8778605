//! Compact evaluation files: [`Terms`] in compressed form. `docs/internals/evaluation-format.md` describes every byte.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use byteorder::{LittleEndian, ReadBytesExt, WriteBytesExt};
use integer_encoding::{VarInt, VarIntReader};

use super::index::Index;
use super::sparse::Sparse;
use super::symmetric::{self, Shared, Symmetric, pair_of};
use super::table::Pair;
use super::terms::Terms;
use super::weights::{self, kpp_place};
use crate::shogi::square::Square;
use crate::util::atomic_file::{SaveError, write_atomically};
use crate::util::checked_file::{self, CheckedFileError, Kind};
use crate::util::input_file;

/// How a compact file is recognised. It is written in the first version that can hold the terms: 2 where there are
/// [`Symmetric`] ones.
pub const KIND: Kind = Kind { name: "compact evaluation", magic: *b"JITSUGEN", versions: [1, 2] };

/// The built-in evaluation.
static BUILT_IN: &[u8] = include_bytes!("../../eval_files/default.jge");

/// Why a compact file cannot be read.
#[derive(Debug)]
pub enum CompactError {
    /// It is no whole file of this kind.
    CheckedFile(CheckedFileError),
    /// It is whole, but a table is not as it has to be.
    Contents(&'static str),
}

impl fmt::Display for CompactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompactError::CheckedFile(source) => source.fmt(f),
            CompactError::Contents(expected) => write!(f, "contents are not in order: expected {expected}"),
        }
    }
}

impl std::error::Error for CompactError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CompactError::CheckedFile(source) => source.source(),
            CompactError::Contents(_) => None,
        }
    }
}

impl From<CheckedFileError> for CompactError {
    fn from(source: CheckedFileError) -> CompactError {
        CompactError::CheckedFile(source)
    }
}

impl From<io::Error> for CompactError {
    fn from(source: io::Error) -> CompactError {
        CompactError::CheckedFile(CheckedFileError::Read(source))
    }
}

/// The built-in evaluation.
///
/// # Errors
/// Never, unless the program file itself is damaged.
pub fn built_in() -> Result<Terms, CompactError> {
    decode(BUILT_IN)
}

/// The size of the built-in file in bytes, and its checksum.
pub fn built_in_size_and_checksum() -> (usize, u32) {
    (BUILT_IN.len(), crc32fast::hash(BUILT_IN.get(checked_file::HEADER..).unwrap_or_default()))
}

/// Reads a compact file.
///
/// # Errors
/// See [`CompactError`]; with the file's path, as every message has to name it.
pub fn read(path: &Path) -> Result<Terms, (PathBuf, CompactError)> {
    input_file::read(path)
        .map_err(CompactError::from)
        .and_then(|bytes| decode(&bytes))
        .map_err(|error| (path.to_path_buf(), error))
}

/// Writes a compact file whole or not at all.
///
/// # Errors
/// When it cannot be written.
pub fn write(terms: &Terms, path: &Path) -> Result<(), SaveError> {
    let bytes = encode(terms).map_err(|source| SaveError { path: path.to_path_buf(), source })?;
    write_atomically(path, |file| file.write_all(&bytes))
}

/// The bytes of a compact file.
///
/// # Errors
/// When the compression fails.
pub fn encode(terms: &Terms) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    for table in [&terms.kk, &terms.piece, &terms.king_piece] {
        write_pairs(&mut contents, table)?;
    }
    contents.write_u32::<LittleEndian>(terms.larger.len() as u32)?;
    for &value in &terms.larger {
        contents.write_i32::<LittleEndian>(value)?;
    }
    for table in [&terms.pairs, &terms.kkp, &terms.kpp] {
        let (keys, values): (Vec<u32>, Vec<Pair<i32>>) = table.iter().unzip();
        write_pairs(&mut contents, &values)?;
        let mut before = 0;
        for key in keys {
            contents.write_u32::<LittleEndian>(key - before)?;
            before = key;
        }
    }
    let version = version_of(terms);
    if version > 1 {
        write_symmetric(&mut contents, &terms.symmetric);
    }
    checked_file::encode(KIND, version, &contents)
}

/// The version in which `terms` are written.
pub fn version_of(terms: &Terms) -> u32 {
    if terms.symmetric.is_empty() { 1 } else { 2 }
}

/// Writes all first components, then all second ones: neighbours are similar and compress better.
fn write_pairs(contents: &mut Vec<u8>, table: &[Pair<i32>]) -> io::Result<()> {
    contents.write_u32::<LittleEndian>(table.len() as u32)?;
    for component in 0..2 {
        for pair in table {
            contents.write_i32::<LittleEndian>(pair[component])?;
        }
    }
    Ok(())
}

/// Reads the bytes of a compact file.
///
/// # Errors
/// See [`CompactError`].
pub fn decode(bytes: &[u8]) -> Result<Terms, CompactError> {
    let (version, contents) = checked_file::decode(KIND, bytes)?;
    let mut contents = &contents[..];
    let mut terms = read_terms(&mut contents)?;
    if version > 1 {
        terms.symmetric = read_symmetric(&mut contents)?;
    }
    if !contents.is_empty() {
        return Err(CompactError::Contents("nothing after the last table"));
    }
    Ok(terms)
}

fn read_terms(contents: &mut &[u8]) -> Result<Terms, CompactError> {
    let king_pieces = Square::COUNT * Index::COUNT;
    let kk = read_dense(contents, weights::KK)?;
    let piece = read_dense(contents, Index::COUNT)?;
    let king_piece = read_dense(contents, king_pieces)?;
    let count = read_count(contents, 4)?;
    let mut larger = vec![0; count];
    contents.read_i32_into::<LittleEndian>(&mut larger)?;
    if count != king_pieces {
        return Err(CompactError::Contents("dense tables of their full size"));
    }
    Ok(Terms {
        symmetric: Symmetric::default(),
        kk,
        piece,
        king_piece,
        larger,
        pairs: read_sparse(contents, |key| pair_of(key).is_some())?,
        kkp: read_sparse(contents, |key| (key as usize) < weights::KKP)?,
        kpp: read_sparse(contents, |key| {
            let (high, low) = (key as usize / Index::COUNT % Index::COUNT, key as usize % Index::COUNT);
            (key as usize) < weights::KPP && low < high
        })?,
    })
}

/// Reads a number of entries of `size` bytes each; an error where so many cannot follow.
fn read_count(contents: &mut &[u8], size: usize) -> Result<usize, CompactError> {
    let count = contents.read_u32::<LittleEndian>()? as usize;
    if count.checked_mul(size).is_none_or(|bytes| bytes > contents.len()) {
        return Err(CompactError::Contents("as many entries as each table says"));
    }
    Ok(count)
}

fn read_pairs(contents: &mut &[u8]) -> Result<Vec<Pair<i32>>, CompactError> {
    let count = read_count(contents, 8)?;
    let mut values = vec![0; 2 * count];
    contents.read_i32_into::<LittleEndian>(&mut values)?;
    let (board, turn) = values.split_at(count);
    Ok(board.iter().zip(turn).map(|(&board, &turn)| [board, turn]).collect())
}

fn read_dense(contents: &mut &[u8], size: usize) -> Result<Vec<Pair<i32>>, CompactError> {
    let table = read_pairs(contents)?;
    if table.len() == size {
        Ok(table)
    } else {
        Err(CompactError::Contents("dense tables of their full size"))
    }
}

fn read_sparse(contents: &mut &[u8], is_key: impl Fn(u32) -> bool) -> Result<Sparse, CompactError> {
    let values = read_pairs(contents)?;
    if contents.len() < values.len() * 4 {
        return Err(CompactError::Contents("as many keys as each table says"));
    }
    let mut steps = vec![0; values.len()];
    contents.read_u32_into::<LittleEndian>(&mut steps)?;
    let mut entries = Vec::with_capacity(values.len());
    let mut key = 0u32;
    for (place, (&step, value)) in steps.iter().zip(values).enumerate() {
        let next = key.checked_add(step).filter(|&next| is_key(next) && (place == 0 || step > 0));
        key = next.ok_or(CompactError::Contents("ascending keys of each table"))?;
        entries.push((key, value));
    }
    Ok(Sparse::new(entries))
}

/// Writes the tables of version 2 one after the other, each entry in as few bytes as its size needs.
fn write_symmetric(contents: &mut Vec<u8>, tables: &Symmetric) {
    for table in [&tables.kkp, &tables.pairs, &tables.zones, &tables.relative, &tables.kpp] {
        contents.extend(table.len().encode_var_vec());
        let mut before = 0;
        for (key, _) in table.iter() {
            contents.extend((key - before).encode_var_vec());
            before = key;
        }
        for component in 0..2 {
            for (_, value) in table.iter() {
                contents.extend(value[component].encode_var_vec());
            }
        }
    }
}

/// Reads the tables of version 2.
fn read_symmetric(contents: &mut &[u8]) -> Result<Symmetric, CompactError> {
    Ok(Symmetric {
        kkp: read_symmetric_table(contents, kkp_group)?,
        pairs: read_symmetric_table(contents, pair_group)?,
        zones: read_symmetric_table(contents, zone_group)?,
        relative: read_symmetric_table(contents, relative_group)?,
        kpp: read_symmetric_table(contents, kpp_group)?,
    })
}

/// `group` says which group the place with a number belongs to, if there is such a place.
fn read_symmetric_table(
    contents: &mut &[u8],
    group: impl Fn(usize) -> Option<Shared>,
) -> Result<Sparse, CompactError> {
    let count: usize = contents.read_varint()?;
    // An entry takes three bytes or more.
    if count > contents.len() / 3 {
        return Err(CompactError::Contents("as many entries as each table says"));
    }
    let mut entries: Vec<(u32, Pair<i32>)> = Vec::with_capacity(count);
    let mut signs = Vec::with_capacity(count);
    let mut key = 0u32;
    for place in 0..count {
        let step: u32 = contents.read_varint()?;
        let next = key.checked_add(step).filter(|_| place == 0 || step > 0);
        key = next.ok_or(CompactError::Contents("ascending keys of each table"))?;
        let shared = group(key as usize).filter(|shared| shared.key == key);
        signs.push(shared.ok_or(CompactError::Contents("keys of least places"))?.sign);
        entries.push((key, [0; 2]));
    }
    for component in 0..2 {
        for ((_, value), sign) in entries.iter_mut().zip(&signs) {
            value[component] = read_value(contents)?;
            if component == 0 && *sign == 0 && value[0] != 0 {
                return Err(CompactError::Contents("nothing for the board where both colours have the same"));
            }
        }
    }
    Ok(Sparse::new(entries))
}

fn read_value(contents: &mut &[u8]) -> io::Result<i32> {
    contents.read_varint()
}

fn kkp_group(place: usize) -> Option<Shared> {
    let (kings, piece) = (place / Index::COUNT, place % Index::COUNT);
    let (black, white) = (kings / Square::COUNT, kings % Square::COUNT);
    Some(symmetric::kings_piece(Square::from_index(black)?, Square::from_index(white)?, Index::new(piece)?))
}

fn pair_group(place: usize) -> Option<Shared> {
    let (high, low) = (place / Index::COUNT, place % Index::COUNT);
    let (high, low) = (Index::new(high)?, Index::new(low)?);
    (low < high).then(|| symmetric::pair(high, low))
}

fn zone_group(place: usize) -> Option<Shared> {
    let (zone, pair) = (place / (Index::COUNT * Index::COUNT), place % (Index::COUNT * Index::COUNT));
    let (high, low) = (Index::new(pair / Index::COUNT)?, Index::new(pair % Index::COUNT)?);
    let king = Square::all().find(|&king| symmetric::zone(king) == zone)?;
    (low < high).then(|| Shared { key: symmetric::zone_pair(king, high, low), sign: 1 })
}

fn relative_group(place: usize) -> Option<Shared> {
    let [one, other] = pair_of(u32::try_from(place).ok()?)?;
    Some(Shared { key: symmetric::relative_pair(one, other), sign: 1 })
}

fn kpp_group(place: usize) -> Option<Shared> {
    if place >= weights::KPP {
        return None;
    }
    let (king, high, low) = kpp_place(place as u32);
    (low < high).then(|| Shared { key: symmetric::king_pair(king, high, low), sign: 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::symmetric::Relative;

    fn example() -> Terms {
        let mut terms = Terms::default();
        for (place, value) in terms.larger.iter_mut().enumerate() {
            *value = place as i32 % 977 - 400;
        }
        terms.kk[5] = [-3, 70_000];
        terms.king_piece[4000] = [i32::MAX, i32::MIN];
        let relatives = Relative::COUNT as u32;
        terms.pairs = Sparse::new(vec![(relatives * 9 + 7, [1, 2]), (relatives * 5000 + 4, [-5, 0])]);
        terms.kkp = Sparse::new(vec![(0, [4, 4]), (weights::KKP as u32 - 1, [9, -9])]);
        terms.kpp = Sparse::new(vec![(Index::COUNT as u32, [100_000, 1])]);
        terms
    }

    /// The example with something in each table of version 2.
    fn second_example() -> Terms {
        let [first, second, third, fourth] = [91, 200, 700, 1500].map(|number| Index::new(number).unwrap());
        let (king, other) = (Square::new(7, 8), Square::new(2, 3));
        let around = |piece| Relative::of(king, piece);
        let kkp = symmetric::kings_piece(king, other, first).key;
        Terms {
            symmetric: Symmetric {
                kkp: Sparse::new(vec![(kkp, [-300, 4])]),
                pairs: Sparse::new(vec![
                    (symmetric::pair(first, second).key, [i32::MAX, i32::MIN]),
                    (symmetric::pair(third, third.inverted()).key, [0, 7]),
                ]),
                zones: Sparse::new(vec![(symmetric::zone_pair(king, third, second), [5, -6])]),
                relative: Sparse::new(vec![(
                    symmetric::relative_pair(around(first), around(fourth)),
                    [12, 13],
                )]),
                kpp: Sparse::new(vec![(symmetric::king_pair(king, first, third), [-70_000, 1])]),
            },
            ..example()
        }
    }

    #[test]
    fn terms_survive_writing_and_reading() {
        for (terms, version) in [(example(), 1), (second_example(), 2)] {
            let bytes = encode(&terms).unwrap();
            assert_eq!(bytes[8], version);
            assert_eq!(decode(&bytes).unwrap(), terms);
        }
    }

    #[test]
    fn keys_other_than_the_least_of_their_group_are_refused() {
        let mut terms = second_example();
        let (king, piece) = (Square::new(7, 8), Index::new(700).unwrap());
        let place =
            |king: Square, piece: Index| (king.index() * Square::COUNT * Index::COUNT + piece.get()) as u32;
        terms.symmetric.kkp = Sparse::new(vec![(place(king, piece), [1, 1])]);
        let error = decode(&encode(&terms).unwrap()).unwrap_err();
        assert!(error.to_string().contains("least places"), "{error}");
        let piece = Index::new(700).unwrap();
        let both = symmetric::pair(piece, piece.inverted());
        assert_eq!(both.sign, 0);
        terms.symmetric = Symmetric { pairs: Sparse::new(vec![(both.key, [1, 0])]), ..Symmetric::default() };
        let error = decode(&encode(&terms).unwrap()).unwrap_err();
        assert!(error.to_string().contains("both colours"), "{error}");
    }

    #[test]
    fn damaged_files_are_refused() {
        damaged(&encode(&example()).unwrap());
        damaged(&encode(&second_example()).unwrap());
    }

    fn damaged(bytes: &[u8]) {
        for length in 0..bytes.len().min(300) {
            assert!(matches!(decode(&bytes[..length]), Err(CompactError::CheckedFile(_))));
        }
        // A right checksum over wrong contents.
        for contents in [&[0xff; 4][..], &[0; 28], &[]] {
            let file = checked_file::encode(KIND, u32::from(bytes[8]), contents).unwrap();
            let error = decode(&file).unwrap_err();
            assert!(
                matches!(
                    error,
                    CompactError::Contents(_) | CompactError::CheckedFile(CheckedFileError::Read(_))
                ),
                "{error}"
            );
        }
    }
}
