//! What a move costs by what it is.

use bytemuck::{Pod, Zeroable};

use super::budget::Budget;

/// What a move costs before the search has found out anything about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct UsualCost(u16);

impl UsualCost {
    const QUIET_OR_LOSES: u16 = 1 << 15;

    /// A cost, at least 0 and at most [`MOST`](UsualCost::MOST); whether the move is quiet or loses material.
    pub fn new(cost: Budget, is_quiet_or_loses: bool) -> UsualCost {
        let cost = cost.units().clamp(0, Self::MOST.units()) as u16;
        UsualCost(if is_quiet_or_loses { cost | Self::QUIET_OR_LOSES } else { cost })
    }

    /// Nothing costs more.
    pub const MOST: Budget = Budget::new(Self::QUIET_OR_LOSES as i32 - 1);

    /// The cost.
    pub fn cost(self) -> Budget {
        Budget::new(i32::from(self.0 & !Self::QUIET_OR_LOSES))
    }

    /// Whether the move is quiet or loses material.
    pub fn is_quiet_or_loses(self) -> bool {
        self.0 & Self::QUIET_OR_LOSES != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_is_kept_as_it_is() {
        for (cost, kept) in [(0, 0), (700, 700), (-2, 0), (40_000, UsualCost::MOST.units())] {
            for quiet in [false, true] {
                let usual = UsualCost::new(Budget::new(cost), quiet);
                assert_eq!((usual.cost(), usual.is_quiet_or_loses()), (Budget::new(kept), quiet));
            }
        }
    }
}
