//! Positions and the moves that were played there.

use crate::learn::sources::{Content, Sources};
use crate::policy::move_context::MoveContext;
use crate::record::packed::{Outcome, Packed, TrainingPosition};
use crate::shogi::generate::{self, MoveList, NonPromotions};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// A position and the move that was played there.
#[derive(Clone, Copy)]
pub struct Example {
    position: Packed,
    /// Where the move before went, as far as it is known.
    last_to: Option<Square>,
}

/// The examples of games.
#[derive(Default)]
pub struct Examples {
    /// To learn from.
    pub training: Vec<Example>,
    /// To measure with.
    pub held_back: Vec<Example>,
}

impl Examples {
    /// The positions of `sources`, without the first `skip` plies of games that came as moves. Packed
    /// positions are all taken: their writer has chosen them.
    pub fn of(sources: &Sources, skip: usize) -> Examples {
        let mut examples = Examples::default();
        for game in &sources.games {
            let place = if game.held_back { &mut examples.held_back } else { &mut examples.training };
            match &game.content {
                Content::Moves(start, moves, _) => add_moves(start, moves, skip, place),
                Content::Positions(positions, _) => add_positions(positions, place),
            }
        }
        examples
    }
}

fn add_moves(start: &Position, moves: &[Move], skip: usize, examples: &mut Vec<Example>) {
    let mut position = start.clone();
    let mut last_to = None;
    for (ply, &mv) in moves.iter().enumerate() {
        let known =
            TrainingPosition { position: position.clone(), score: 0, best: Some(mv), result: Outcome::Draw };
        // The packed form has no positions without kings.
        if ply >= skip
            && let Ok(packed) = known.pack()
        {
            examples.push(Example { position: packed, last_to });
        }
        position.play(mv, &mut ());
        last_to = Some(mv.to());
    }
}

fn add_positions(positions: &[Packed], examples: &mut Vec<Example>) {
    let mut before: Option<(u16, Square)> = None;
    for packed in positions {
        let Some(best) = packed.unpack().ok().and_then(|known| known.best) else { continue };
        let last_to = before.filter(|(ply, _)| ply + 1 == packed.ply()).map(|(_, to)| to);
        examples.push(Example { position: *packed, last_to });
        before = Some((packed.ply(), best.to()));
    }
}

impl Example {
    /// Calls `see` with the position's context, its moves as the search generates them, and the place of the played one
    /// among them. Does not call it where there was no choice, or where the search does not generate the played move.
    pub fn show(&self, see: impl FnOnce(&MoveContext, &MoveList, usize)) {
        let Ok(TrainingPosition { position, best: Some(played), .. }) = self.position.unpack() else {
            return;
        };
        let mut moves = MoveList::new();
        generate::legal(&position, NonPromotions::Useful, &mut moves);
        if let Some(nth) = moves.iter().position(|&mv| mv == played).filter(|_| moves.len() > 1) {
            see(&MoveContext::new(&position, self.last_to), &moves, nth);
        }
    }
}
