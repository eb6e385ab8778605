//! The principal variation of each node between the root and where the search is.

use super::value::MAX_PLY;
use crate::shogi::moves::Move;

/// The best line from each ply on, as far as it is known: a triangular table.
pub struct PvTable(Vec<Vec<Move>>);

impl Default for PvTable {
    fn default() -> Self {
        PvTable((0..MAX_PLY + 2).map(|_| Vec::with_capacity(MAX_PLY + 2)).collect())
    }
}

impl PvTable {
    /// The line from `ply` on.
    pub fn from(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    /// Forgets the line from `ply` on.
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes the line from `ply` on `mv` and the line after it.
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&after[0]);
    }

    /// Makes the line from `ply` on `moves`.
    pub fn set(&mut self, ply: usize, moves: &[Move]) {
        self.0[ply].clear();
        self.0[ply].extend_from_slice(moves);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_move_and_the_line_after_it() {
        let [first, second, third] = ["7g7f", "3c3d", "8h2b+"].map(|mv| mv.parse().unwrap());
        let mut pv = PvTable::default();
        pv.set(2, &[third]);
        pv.extend(1, second);
        pv.extend(0, first);
        assert_eq!(pv.from(0), [first, second, third]);
        pv.clear(1);
        assert_eq!((pv.from(0).len(), pv.from(1).len()), (3, 0));
        pv.extend(0, third);
        assert_eq!(pv.from(0), [third]);
        // The deepest ply has room as well.
        pv.extend(MAX_PLY, first);
        assert_eq!(pv.from(MAX_PLY), [first]);
    }
}
