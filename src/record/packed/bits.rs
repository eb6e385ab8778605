//! Reading and writing the bits of a packed position, the lowest bit of each byte first.

/// The bytes of a packed position.
pub const BYTES: usize = 32;

const BITS: usize = 8 * BYTES;

/// Reads bits from the first to the last.
pub struct BitReader<'a> {
    bytes: &'a [u8; BYTES],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub const fn new(bytes: &'a [u8; BYTES]) -> Self {
        BitReader { bytes, at: 0 }
    }

    pub const fn is_at_end(&self) -> bool {
        self.at == BITS
    }

    /// The next bit; `None` after the last.
    pub fn bit(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Some(bit == 1)
    }

    /// The next `count` bits as a number, the lowest first.
    pub fn number(&mut self, count: usize) -> Option<u8> {
        (0..count).try_fold(0, |number, place| Some(number | u8::from(self.bit()?) << place))
    }
}

/// Writes bits from the first to the last.
pub struct BitWriter {
    bytes: [u8; BYTES],
    at: usize,
}

impl BitWriter {
    pub const fn new() -> Self {
        BitWriter { bytes: [0; BYTES], at: 0 }
    }

    /// Writes the next bit.
    ///
    /// # Panics
    /// When all bits are written.
    pub fn bit(&mut self, bit: bool) {
        self.bytes[self.at / 8] |= u8::from(bit) << (self.at % 8);
        self.at += 1;
    }

    /// Writes the lowest `count` bits of a number, the lowest first.
    pub fn number(&mut self, number: u8, count: usize) {
        for place in 0..count {
            self.bit(number >> place & 1 == 1);
        }
    }

    pub fn finish(self) -> [u8; BYTES] {
        debug_assert_eq!(self.at, BITS);
        self.bytes
    }
}
