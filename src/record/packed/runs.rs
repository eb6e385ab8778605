//! Games within files of training positions.

use super::{TrainingPosition, position};

/// Tells where games begin in a file that has their positions one after the other, which nothing but the moves shows.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// The position that the last move led to.
    next: Option<[u8; position::BYTES]>,
}

impl Runs {
    /// Whether `known`, the next record of the file, is not what the move of the record before led to.
    pub fn begins(&mut self, known: &TrainingPosition) -> bool {
        let bytes = position::pack(&known.position).ok();
        let begins = self.next.is_none() || bytes != self.next;
        self.next = known.best.and_then(|mv| {
            let mut position = known.position.clone();
            position.play(mv, &mut ());
            position::pack(&position).ok()
        });
        begins
    }
}
