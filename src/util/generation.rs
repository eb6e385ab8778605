//! Clearing a large table at once, which is faster than emptying it.

/// How often a table was cleared. The number is mixed into its keys: entries from before are no longer found, and are
/// overwritten in the ordinary course.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Generation(u64);

impl Generation {
    /// Clears the table: the next generation begins.
    pub fn advance(&mut self) {
        self.0 = self.0.wrapping_add(1);
    }

    /// The key under which the table keeps `key` in this generation: itself in the first one.
    pub const fn mixed(self, key: u64) -> u64 {
        // The factor (one of SplitMix64's) is odd, so that no two generations change a key in the same way.
        key ^ self.0.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_generation_has_its_own_keys() {
        let (mut generation, mut seen) = (Generation::default(), vec![0x0123_4567_89AB_CDEF]);
        assert_eq!(generation.mixed(seen[0]), seen[0]);
        for _ in 0..1000 {
            generation.advance();
            let key = generation.mixed(seen[0]);
            assert!(!seen.contains(&key));
            seen.push(key);
        }
    }
}
