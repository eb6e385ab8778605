//! The value of a position: a score, or a distance to mate.

use std::ops::{Add, Neg, Sub};

/// The greatest distance from the root that the search looks at, in plies.
pub const MAX_PLY: usize = 127;

/// A score for the side to move: about a hundredth of a pawn, or a distance to mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Value(i32);

const MATE: i32 = 32_000;
/// Scores from here on are mates: a mate is at most [`MAX_PLY`] plies from a node that is at most as many from the root.
const LIMIT: i32 = MATE - 2 * MAX_PLY as i32;

impl Value {
    /// Neither side is better.
    pub const DRAW: Value = Value(0);
    /// As good as won, without a mate in sight.
    pub const WON: Value = Value(LIMIT - 1);
    /// Greater than every value of a position.
    pub const INFINITE: Value = Value(MATE + 1);
    /// Less than every value of a position.
    pub const NEGATIVE_INFINITE: Value = Value(-Self::INFINITE.0);

    /// An evaluation, clamped to the range that is not a mate.
    pub fn new(centipawns: i32) -> Value {
        Value(centipawns.clamp(1 - LIMIT, LIMIT - 1))
    }

    /// The side to move is mated `ply` plies from the root.
    pub const fn mated_in(ply: usize) -> Value {
        Value(ply as i32 - MATE)
    }

    /// The side to move gives mate `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Value {
        Value(MATE - ply as i32)
    }

    /// In about hundredths of a pawn.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// The value as a table keeps it for a position `ply` plies from the root: a mate is counted from the position.
    pub const fn to_stored(self, ply: usize) -> i16 {
        (match self.0 {
            score if score >= LIMIT => score + ply as i32,
            score if score <= -LIMIT => score - ply as i32,
            score => score,
        }) as i16
    }

    /// The reverse of [`to_stored`](Self::to_stored).
    pub const fn from_stored(stored: i16, ply: usize) -> Value {
        let score = stored as i32;
        Value(if score >= LIMIT {
            score - ply as i32
        } else if score <= -LIMIT {
            score + ply as i32
        } else {
            score
        })
    }

    /// Whether the side to move is mated, or as good as lost.
    pub fn is_lost(self) -> bool {
        self <= -Value::WON
    }

    /// Which side mates, and in how many plies from the root; `None` when neither does.
    pub fn mate_distance(self) -> Option<Mate> {
        match self.0 {
            score if score >= LIMIT => Some(Mate::Gives((MATE - score) as u32)),
            score if score <= -LIMIT => Some(Mate::Suffers((MATE + score) as u32)),
            _ => None,
        }
    }
}

/// A forced mate, in plies from the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mate {
    /// The side to move wins.
    Gives(u32),
    /// The side to move is mated, after 0 plies where it already is.
    Suffers(u32),
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value(-self.0)
    }
}

impl Add<i32> for Value {
    type Output = Value;

    fn add(self, centipawns: i32) -> Value {
        Value(self.0 + centipawns)
    }
}

impl Sub<i32> for Value {
    type Output = Value;

    fn sub(self, centipawns: i32) -> Value {
        Value(self.0 - centipawns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_and_evaluations_do_not_overlap() {
        assert_eq!(Value::mated_in(0).mate_distance(), Some(Mate::Suffers(0)));
        assert_eq!((-Value::mated_in(3)).mate_distance(), Some(Mate::Gives(3)));
        assert_eq!(Value::mate_in(MAX_PLY).mate_distance(), Some(Mate::Gives(MAX_PLY as u32)));
        assert_eq!(Value::new(i32::MAX).mate_distance(), None);
        assert_eq!(Value::new(i32::MIN).mate_distance(), None);
        assert!(Value::mated_in(0) > -Value::INFINITE && Value::mate_in(0) < Value::INFINITE);
    }

    #[test]
    fn a_stored_mate_has_the_right_distance_at_every_ply() {
        // The mate is at the end of the longest line; every node before it stores it, and any ply may probe it.
        for stored_at in 0..=MAX_PLY {
            for met_at in 0..=MAX_PLY {
                let plies = MAX_PLY - stored_at;
                let [gives, suffers] = [Value::mate_in(MAX_PLY), Value::mated_in(MAX_PLY)]
                    .map(|value| Value::from_stored(value.to_stored(stored_at), met_at).mate_distance());
                let expected = (met_at + plies) as u32;
                assert_eq!(gives, Some(Mate::Gives(expected)), "{stored_at} {met_at}");
                assert_eq!(suffers, Some(Mate::Suffers(expected)), "{stored_at} {met_at}");
            }
        }
    }
}
