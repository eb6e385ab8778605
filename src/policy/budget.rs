//! The unit of the search: realization probability as a number of bits.

use std::ops::{Add, Sub};

/// A realization probability as −log2 of it, in 1/256 bit: 0 is certainty, 256 is one half, 512 one quarter.
///
/// What a line may still spend, what a move costs, and the threshold of an iteration are all of this type.
/// Probabilities multiply, so budgets add (Tsuruoka, Yokoyama and Chikayama 2002, §2.1). A node whose budget is below
/// [`ZERO`](Self::ZERO) is a leaf; one that has exactly nothing left is not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Budget(i32);

/// The most that a move costs in the search, but for what late moves cost beyond that: ten bits, a probability of 1 in 1024.
pub const MAX_COST: Budget = Budget::new(2560);

impl Budget {
    /// Certainty: nothing to spend, or a move that costs nothing.
    pub const ZERO: Budget = Budget(0);
    /// One bit: a probability of one half.
    pub const HALF: Budget = Budget(256);
    /// What an iteration has more than the one before: two bits, the threshold divided by four.
    pub const ITERATION: Budget = Budget(512);

    /// `units` in 1/256 bit.
    pub const fn new(units: i32) -> Budget {
        Budget(units)
    }

    /// The number in 1/256 bit; below 0 where more was spent than was there.
    pub const fn units(self) -> i32 {
        self.0
    }

    /// What is left after a move of this cost.
    #[must_use]
    pub const fn spend(self, cost: Budget) -> Budget {
        Budget(self.0 - cost.0)
    }

    /// What iteration number `iteration` has to spend, 1 being the first: two bits more than the one before.
    pub const fn of_iteration(iteration: u32) -> Budget {
        Budget(Self::ITERATION.0 * iteration as i32)
    }

    /// `plies` plies as the transposition table counts them: one iteration each.
    pub const fn of_plies(plies: i32) -> Budget {
        Budget(Self::ITERATION.0 * plies)
    }

    /// The cost of a move of this probability, to the nearest unit. For training and tests: the search uses integers
    /// only, so that every machine finds the same.
    ///
    /// # Panics
    /// When `probability` is not above 0 and at most 1.
    pub fn of_probability(probability: f64) -> Budget {
        assert!(probability > 0.0 && probability <= 1.0, "{probability} is not a probability above 0");
        Budget((-probability.log2() * f64::from(Self::HALF.0)).round() as i32)
    }

    /// The probability, for people to read.
    pub fn probability(self) -> f64 {
        (-f64::from(self.0) / f64::from(Self::HALF.0)).exp2()
    }
}

impl Add for Budget {
    type Output = Budget;

    fn add(self, other: Budget) -> Budget {
        Budget(self.0 + other.0)
    }
}

impl Sub for Budget {
    type Output = Budget;

    fn sub(self, other: Budget) -> Budget {
        Budget(self.0 - other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probability_and_bits_convert_both_ways() {
        for (probability, units) in [(1.0, 0), (0.5, 256), (0.25, 512), (0.89, 43), (0.01, 1701)] {
            assert_eq!(Budget::of_probability(probability), Budget::new(units), "{probability}");
        }
        for units in 0..3000 {
            assert_eq!(Budget::of_probability(Budget::new(units).probability()).units(), units);
        }
        assert_eq!(Budget::HALF + Budget::HALF, Budget::ITERATION);
    }

    #[test]
    fn spending_reduces_what_is_left() {
        let left = Budget::ITERATION.spend(Budget::HALF).spend(Budget::HALF);
        assert_eq!(left, Budget::ZERO);
        assert!(left.spend(Budget::new(1)) < left);
    }
}
