//! Sparse tables: few of their entries are not zero.

use super::table::{Pair, add};

/// A sparse table: ascending keys, and the value of each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sparse {
    keys: Vec<u32>,
    values: Vec<Pair<i32>>,
}

impl Sparse {
    /// A table of these entries; values with the same key are added up.
    pub fn new(mut entries: Vec<(u32, Pair<i32>)>) -> Sparse {
        entries.sort_by_key(|&(key, _)| key);
        let mut table = Sparse::default();
        for (key, value) in entries {
            match (table.keys.last(), table.values.last_mut()) {
                (Some(&last), Some(sum)) if last == key => add(sum, value),
                _ => {
                    table.keys.push(key);
                    table.values.push(value);
                }
            }
        }
        table
    }

    /// The value at `key`; zero where there is none.
    pub fn get(&self, key: u32) -> Pair<i32> {
        self.keys.binary_search(&key).map_or([0; 2], |place| self.values[place])
    }

    /// Keys and values, by ascending key.
    pub fn iter(&self) -> impl Iterator<Item = (u32, Pair<i32>)> {
        self.keys.iter().copied().zip(self.values.iter().copied())
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}
