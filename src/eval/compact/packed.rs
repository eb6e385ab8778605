//! The tables of version 2: each entry in as few bytes as its size needs.

use std::io;

use integer_encoding::{VarInt, VarIntReader};

use super::CompactError;
use crate::eval::index::Index;
use crate::eval::relative::pair_of;
use crate::eval::sparse::Sparse;
use crate::eval::symmetric::{self, Shared, Symmetric};
use crate::eval::table::Pair;
use crate::eval::weights::{self, kpp_place};
use crate::shogi::square::Square;

/// Writes the tables one after the other.
pub fn write(contents: &mut Vec<u8>, tables: &Symmetric) {
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

/// Reads the tables.
pub fn read(contents: &mut &[u8]) -> Result<Symmetric, CompactError> {
    Ok(Symmetric {
        kkp: read_table(contents, kkp_group)?,
        pairs: read_table(contents, pair_group)?,
        zones: read_table(contents, zone_group)?,
        relative: read_table(contents, relative_group)?,
        kpp: read_table(contents, kpp_group)?,
    })
}

/// `group` is what the number of a place belongs to, if there is such a place.
fn read_table(contents: &mut &[u8], group: impl Fn(usize) -> Option<Shared>) -> Result<Sparse, CompactError> {
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
