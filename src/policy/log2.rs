//! Powers of two and binary logarithms in 1/256 bit, in integers: the same on every machine.

use std::sync::LazyLock;

/// Fractional bits of [`exp2_of_minus`].
const ONE_BITS: u32 = 32;

/// 2 to the power of 0, 1/256 … 255/256, with [`ONE_BITS`] fractional bits.
static POWERS: LazyLock<[u64; 256]> = LazyLock::new(|| {
    // IEEE 754 fixes the results of square roots and products, but not those of powers.
    let step = (0..8).fold(2.0f64, |value, _| value.sqrt());
    let mut value = (1u64 << ONE_BITS) as f64;
    std::array::from_fn(|_| {
        let this = value;
        value *= step;
        this as u64
    })
});

/// 2 to the power of minus `bits`, given in 1/256 bit. The result has [`ONE_BITS`] fractional bits.
pub fn exp2_of_minus(bits: u32) -> u64 {
    let (whole, part) = (bits.div_ceil(256), bits.next_multiple_of(256) - bits);
    POWERS[part as usize].checked_shr(whole).unwrap_or(0)
}

/// The binary logarithm in 1/256 bit, rounded down, of a `value` of at least one with [`ONE_BITS`] fractional bits.
pub fn log2(value: u64) -> i32 {
    let whole = value.max(1).ilog2().saturating_sub(ONE_BITS);
    let part = POWERS.partition_point(|&power| power <= value >> whole).saturating_sub(1);
    (256 * whole as usize + part) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_close_and_logarithms_invert_them() {
        for bits in [0, 1, 255, 256, 257, 4000] {
            let expected = (f64::from(bits) / -256.0).exp2() * (1u64 << ONE_BITS) as f64;
            assert!((exp2_of_minus(bits) as f64 - expected).abs() <= 2.0, "{bits}");
        }
        assert_eq!(log2(exp2_of_minus(0)), 0);
        assert_eq!(log2(exp2_of_minus(0) * 8), 3 * 256);
    }
}
