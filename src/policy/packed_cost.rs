//! What a move costs, in 16 bits.

use bytemuck::{Pod, Zeroable};

use super::budget::Budget;

/// What a move costs, and whether it is quiet or loses material.
///
/// Compared with others, any move that is quiet or loses material is dearer than any that is neither.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Pod, Zeroable)]
#[repr(transparent)]
pub struct PackedCost(u16);

impl PackedCost {
    const QUIET_OR_LOSES: u16 = 1 << 15;

    /// `cost`, cut to 0..=[`MAX`](PackedCost::MAX), of a move that is quiet or loses material or does not.
    pub fn new(cost: Budget, is_quiet_or_loses: bool) -> PackedCost {
        let cost = cost.units().clamp(0, Self::MAX.units()) as u16;
        PackedCost(if is_quiet_or_loses { cost | Self::QUIET_OR_LOSES } else { cost })
    }

    /// The largest cost that there is room for.
    pub const MAX: Budget = Budget::new(Self::QUIET_OR_LOSES as i32 - 1);

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
    fn a_cost_is_cut_to_its_range() {
        for (cost, kept) in [(0, 0), (700, 700), (-2, 0), (40_000, PackedCost::MAX.units())] {
            for quiet in [false, true] {
                let packed = PackedCost::new(Budget::new(cost), quiet);
                assert_eq!((packed.cost(), packed.is_quiet_or_loses()), (Budget::new(kept), quiet));
            }
        }
    }

    #[test]
    fn quiet_and_losing_moves_are_dearer_than_others() {
        let packed = |cost, quiet| PackedCost::new(Budget::new(cost), quiet);
        assert!(packed(3, true) < packed(4, true) && packed(3, false) < packed(4, false));
        assert!(packed(0, true) > packed(30_000, false));
    }
}
