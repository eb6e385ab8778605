//! Forgetting at once what lies in a large table: to empty it would take as long as it is large.

/// How often a table has forgotten everything. Its keys are mixed with that: what was kept under a key before is not
/// found under it afterwards, and gives way in the ordinary course.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Generation(u64);

impl Generation {
    /// Everything is forgotten.
    pub fn end(&mut self) {
        self.0 = self.0.wrapping_add(1);
    }

    /// What `key` is to the table in this generation: itself in the first one.
    pub const fn mixed(self, key: u64) -> u64 {
        // Odd, so that no two eras have the same word (one of SplitMix64's).
        key ^ self.0.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_era_has_keys_of_its_own() {
        let (mut generation, mut seen) = (Generation::default(), vec![0x0123_4567_89AB_CDEF]);
        assert_eq!(generation.mixed(seen[0]), seen[0]);
        for _ in 0..1000 {
            generation.end();
            let key = generation.mixed(seen[0]);
            assert!(!seen.contains(&key));
            seen.push(key);
        }
    }
}
