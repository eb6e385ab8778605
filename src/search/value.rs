//! How good a position is.

use std::ops::{Add, Neg, Sub};

use super::MAX_PLY;

/// A score for the side to move: about a hundredth of a pawn, or a distance to mate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Value(i32);

const MATE: i32 = 32_000;
/// From this score on it is a mate: at most [`MAX_PLY`] plies from a node that is as many from the root.
const LIMIT: i32 = MATE - 2 * MAX_PLY as i32;

impl Value {
    /// Neither side is better.
    pub const DRAW: Value = Value(0);
    /// As good as won, without a mate in sight.
    pub const WON: Value = Value(LIMIT - 1);
    /// Beyond every score that a position can have.
    pub const INFINITE: Value = Value(MATE + 1);

    /// An evaluation, cut to what is not a mate.
    pub fn new(centipawns: i32) -> Value {
        Value(centipawns.clamp(1 - LIMIT, LIMIT - 1))
    }

    /// The side to move is mated `ply` plies from the root.
    pub const fn mated_at(ply: usize) -> Value {
        Value(ply as i32 - MATE)
    }

    /// The side to move gives mate `ply` plies from the root.
    pub const fn mates_at(ply: usize) -> Value {
        Value(MATE - ply as i32)
    }

    /// About a hundredth of a pawn.
    pub const fn centipawns(self) -> i32 {
        self.0
    }

    /// As it is kept for a position `ply` plies from the root: a mate counts from the position.
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

    /// Whether it is as good as lost, or a mate that the side to move suffers.
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
        assert_eq!(Value::mated_at(0).mate_distance(), Some(Mate::Suffers(0)));
        assert_eq!((-Value::mated_at(3)).mate_distance(), Some(Mate::Gives(3)));
        assert_eq!(Value::mates_at(MAX_PLY).mate_distance(), Some(Mate::Gives(MAX_PLY as u32)));
        assert_eq!(Value::new(i32::MAX).mate_distance(), None);
        assert_eq!(Value::new(i32::MIN).mate_distance(), None);
        assert!(Value::mated_at(0) > -Value::INFINITE && Value::mates_at(0) < Value::INFINITE);
    }

    #[test]
    fn a_mate_is_told_wherever_its_position_is_met() {
        // Found at the end of the longest line, remembered at every node before, met at every distance from the root.
        for stored_at in 0..=MAX_PLY {
            for met_at in 0..=MAX_PLY {
                let plies = MAX_PLY - stored_at;
                let [gives, suffers] = [Value::mates_at(MAX_PLY), Value::mated_at(MAX_PLY)]
                    .map(|value| Value::from_stored(value.to_stored(stored_at), met_at).mate_distance());
                let expected = (met_at + plies) as u32;
                assert_eq!(gives, Some(Mate::Gives(expected)), "{stored_at} {met_at}");
                assert_eq!(suffers, Some(Mate::Suffers(expected)), "{stored_at} {met_at}");
            }
        }
    }
}
