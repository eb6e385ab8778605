//! Trial tables.
use crate::shogi::moves::Move;

#[derive(Debug)]
pub struct Trial {
    pub low_ply: Vec<Vec<i16>>,
    pub captures: Vec<i16>,
    pub counters: Vec<Option<Move>>,
    pub corrections: Vec<i16>,
}

pub const CORRECTION: usize = 1 << 14;

impl Default for Trial {
    fn default() -> Self {
        Trial {
            low_ply: vec![vec![0; Move::ROUTES]; 4],
            captures: vec![0; 2 * 16 * 16 * 81],
            counters: vec![None; 4096],
            corrections: vec![0; 8 * CORRECTION],
        }
    }
}

impl Trial {
    pub fn new_search(&mut self) {
        self.low_ply.iter_mut().for_each(|list| list.fill(0));
        self.captures.iter_mut().for_each(|score| *score = (i32::from(*score) * 3 / 4) as i16);
    }
    pub fn clear(&mut self) {
        self.low_ply.iter_mut().for_each(|list| list.fill(0));
        self.captures.fill(0);
        self.counters.fill(None);
        self.corrections.fill(0);
    }
}
