//! The value of a position: a score, or a distance to mate.

use std::ops::{Add, Neg, Sub};

use crate::eval::material;
use crate::shogi::piece::PieceKind;

/// The greatest distance from the root that the search looks at, in plies.
pub const MAX_PLY: usize = 127;

/// A score for the side to move, or a distance to mate.
///
/// Inside the engine a score is in units, of which a pawn on the board has 90. What people and other programs read and
/// set is in hundredths of a pawn, as other engines with KPPT evaluations have it: [`cp`](Value::cp) and
/// [`from_cp`](Value::from_cp) convert.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Value(i32);

/// The units of a pawn on the board.
const PAWN: i32 = material::board_value(PieceKind::Pawn);

/// The hundredths of a pawn by which a side has to be better to win e times as often as it loses.
const CHANCE_SCALE: f64 = 600.0;

/// Floodgate's value of a mate.
const FLOODGATE_MATE: i32 = 30_000;

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

    /// An evaluation in units, clamped to the range that is not a mate.
    pub fn new(units: i32) -> Value {
        Value(units.clamp(1 - LIMIT, LIMIT - 1))
    }

    /// The least score that people read as so many hundredths of a pawn, or as more where no score is read as that.
    pub fn from_cp(cp: i32) -> Value {
        let units = (u64::from(cp.unsigned_abs()) * PAWN as u64).div_ceil(100);
        Value::new(cp.signum() * units.min(LIMIT as u64) as i32)
    }

    /// The side to move is mated `ply` plies from the root.
    pub const fn mated_in(ply: usize) -> Value {
        Value(ply as i32 - MATE)
    }

    /// The side to move gives mate `ply` plies from the root.
    pub const fn mate_in(ply: usize) -> Value {
        Value(MATE - ply as i32)
    }

    /// In units. A mate is a number beyond all evaluations.
    pub const fn units(self) -> i32 {
        self.0
    }

    /// In hundredths of a pawn, toward zero: the number that people read.
    pub const fn cp(self) -> i32 {
        material::hundredths(self.0)
    }

    /// As the comments of floodgate have it, and programs that read them: hundredths of a pawn, of which a mate has 30,000
    /// and everything else less.
    pub fn floodgate(self) -> i32 {
        match self.mate_distance() {
            Some(Mate::Gives(_)) => FLOODGATE_MATE,
            Some(Mate::Suffers(_)) => -FLOODGATE_MATE,
            None => self.cp().clamp(1 - FLOODGATE_MATE, FLOODGATE_MATE - 1),
        }
    }

    /// How probable it is that the side to move wins, 0 to 1: 1 / (1 + e^(-cp / 600)), the curve that GUIs draw for
    /// shogi engines (the constant is that of Ponanza). A mate is certain.
    pub fn chance_to_win(self) -> f64 {
        match self.mate_distance() {
            Some(Mate::Gives(_)) => 1.0,
            Some(Mate::Suffers(_)) => 0.0,
            None => 1.0 / (1.0 + (-f64::from(self.0) * 100.0 / f64::from(PAWN) / CHANCE_SCALE).exp()),
        }
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

    fn add(self, units: i32) -> Value {
        Value(self.0 + units)
    }
}

impl Sub<i32> for Value {
    type Output = Value;

    fn sub(self, units: i32) -> Value {
        Value(self.0 - units)
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
    fn a_pawn_is_a_hundred_for_people() {
        for (units, cp) in [(0, 0), (90, 100), (-90, -100), (1, 1), (-8, -8), (100, 111), (-32, -35)] {
            assert_eq!(Value::new(units).cp(), cp);
        }
        for cp in -40_000..=40_000 {
            let value = Value::from_cp(cp);
            let below = value - cp.signum();
            assert!(value.cp().abs() >= cp.abs() || value.units().abs() == Value::WON.units(), "{cp}");
            assert!(cp == 0 || below.cp().abs() < cp.abs(), "{cp}");
        }
    }

    #[test]
    fn floodgate_has_a_mate_as_30000_and_everything_else_below() {
        for (value, expected) in [
            (Value::mate_in(1), 30_000),
            (Value::mate_in(MAX_PLY), 30_000),
            (Value::mated_in(0), -30_000),
            (Value::WON, 29_999),
            (-Value::WON, -29_999),
            (Value::from_cp(123), 123),
        ] {
            assert_eq!(value.floodgate(), expected);
        }
    }

    #[test]
    fn the_chance_to_win_is_that_of_both_sides_together() {
        assert_eq!(Value::DRAW.chance_to_win(), 0.5);
        assert_eq!(Value::mate_in(3).chance_to_win(), 1.0);
        assert_eq!(Value::mated_in(3).chance_to_win(), 0.0);
        let [good, bad] = [540, -540].map(|units| Value::new(units).chance_to_win());
        assert!((good - 0.731).abs() < 0.001 && (good + bad - 1.0).abs() < 1e-9);
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
