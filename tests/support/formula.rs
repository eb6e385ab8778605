//! An evaluation whose every value follows from where it stands, so that a wrong index shows in any sum.

use jitsugen::eval::index::Index;
use jitsugen::eval::table::{Pair, Table};
use jitsugen::shogi::square::Square;

/// The weights that the published vectors were computed with.
#[derive(Clone, Copy)]
pub struct Formula;

/// The finaliser of splitmix64.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// The value of table `tag` at position `place` in its file: -`limit` to `limit`.
fn value(tag: u64, place: usize, limit: u64) -> i32 {
    let x = mix(tag << 40 | place as u64) % (2 * limit + 1);
    x as i32 - limit as i32
}

impl Table for Formula {
    fn kk(&self, black: Square, white: Square) -> Pair<i32> {
        let place = 2 * (black.index() * Square::COUNT + white.index());
        [value(1, place, 3000), value(1, place + 1, 3000)]
    }

    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        let kings = black.index() * Square::COUNT + white.index();
        let place = 2 * (kings * Index::COUNT + piece.get());
        [value(2, place, 600), value(2, place + 1, 600)]
    }

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        let (low, high) = (one.min(other).get(), one.max(other).get());
        if low == high {
            return [0, 0];
        }
        let place = 2 * ((king.index() * Index::COUNT + low) * Index::COUNT + high);
        [value(3, place, 120) as i16, value(3, place + 1, 40) as i16]
    }
}
