//! Framed records: a file that is appended to, and that shows where its last whole record ends.
//!
//! | bytes | what |
//! |---|---|
//! | 0–3 | the length of the payload |
//! | 4–7 | the CRC-32 of the length's bytes and the payload |
//! | 8– | the payload |
//!
//! Numbers are little endian. The first bad frame ends the file: what follows it cannot be trusted, because its length
//! cannot.

use std::io::{self, Read};

use byteorder::{LittleEndian, ReadBytesExt, WriteBytesExt};

/// Length and checksum.
pub const HEADER: usize = 8;

/// The longest payload, so that a broken length asks for no more memory than this.
pub const MAX_PAYLOAD: usize = 1 << 24;

/// The bytes of a frame with this payload.
///
/// # Errors
/// When the payload is longer than [`MAX_PAYLOAD`].
pub fn encode(payload: &[u8]) -> io::Result<Vec<u8>> {
    if payload.len() > MAX_PAYLOAD {
        let problem = format!("a record of {} bytes: expected {MAX_PAYLOAD} at most", payload.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let length = payload.len() as u32;
    let mut frame = Vec::with_capacity(HEADER + payload.len());
    frame.write_u32::<LittleEndian>(length)?;
    frame.write_u32::<LittleEndian>(checksum(length, payload))?;
    frame.extend_from_slice(payload);
    Ok(frame)
}

fn checksum(length: u32, payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&length.to_le_bytes());
    hasher.update(payload);
    hasher.finalize()
}

/// Reads frames up to the first bad one.
#[derive(Debug)]
pub struct Frames<R> {
    input: R,
    good_bytes: u64,
}

impl<R: Read> Frames<R> {
    /// Reads from a stream, which had better be buffered.
    pub const fn new(input: R) -> Self {
        Frames { input, good_bytes: 0 }
    }

    /// The payload of the next frame; `None` at the end of the stream, or where no good frame follows.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn read_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut header = Vec::with_capacity(HEADER);
        self.input.by_ref().take(HEADER as u64).read_to_end(&mut header)?;
        if header.len() < HEADER {
            return Ok(None);
        }
        let mut fields = &header[..];
        let length = fields.read_u32::<LittleEndian>()?;
        let expected = fields.read_u32::<LittleEndian>()?;
        if length as usize > MAX_PAYLOAD {
            return Ok(None);
        }
        let mut payload = Vec::new();
        self.input.by_ref().take(u64::from(length)).read_to_end(&mut payload)?;
        if payload.len() < length as usize || checksum(length, &payload) != expected {
            return Ok(None);
        }
        self.good_bytes += (HEADER + payload.len()) as u64;
        Ok(Some(payload))
    }

    /// How many bytes the good frames have that were read so far. After the last of them: where the file should end.
    pub const fn good_bytes(&self) -> u64 {
        self.good_bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAYLOADS: [&[u8]; 4] = [b"one", b"", b"three times three", b"4"];

    fn file() -> Vec<u8> {
        PAYLOADS.iter().flat_map(|payload| encode(payload).unwrap()).collect()
    }

    /// The good payloads, and how many bytes they take.
    fn read(bytes: &[u8]) -> (Vec<Vec<u8>>, u64) {
        let mut frames = Frames::new(bytes);
        let mut payloads = Vec::new();
        while let Some(payload) = frames.read_frame().unwrap() {
            payloads.push(payload);
        }
        (payloads, frames.good_bytes())
    }

    /// How many frames end at or before each number of bytes.
    fn whole_frames(bytes: usize) -> usize {
        let mut end = 0;
        let ends = PAYLOADS.iter().map(|payload| {
            end += HEADER + payload.len();
            end
        });
        ends.filter(|&end| end <= bytes).count()
    }

    #[test]
    fn what_was_written_is_read() {
        let bytes = file();
        assert_eq!(read(&bytes), (PAYLOADS.map(<[u8]>::to_vec).to_vec(), bytes.len() as u64));
        assert_eq!(read(&[]), (Vec::new(), 0));
    }

    #[test]
    fn a_flipped_bit_ends_the_file_before_its_frame() {
        let bytes = file();
        for bit in 0..8 * bytes.len() {
            let mut broken = bytes.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            let (payloads, _) = read(&broken);
            assert_eq!(payloads, PAYLOADS[..whole_frames(bit / 8)], "bit {bit}");
        }
    }

    #[test]
    fn a_file_that_is_cut_off_keeps_its_whole_frames() {
        let bytes = file();
        for length in 0..bytes.len() {
            let (payloads, good_bytes) = read(&bytes[..length]);
            assert_eq!(payloads, PAYLOADS[..whole_frames(length)], "{length} bytes");
            assert_eq!(good_bytes, encoded_length(&payloads), "{length} bytes");
        }
    }

    fn encoded_length(payloads: &[Vec<u8>]) -> u64 {
        payloads.iter().map(|payload| (HEADER + payload.len()) as u64).sum()
    }

    /// A failure of power may leave zeros where the last frames were to be.
    #[test]
    fn zeros_are_no_frame() {
        for zeros in [1, HEADER, HEADER + 1, 1000] {
            let mut bytes = file();
            let length = bytes.len();
            bytes.resize(length + zeros, 0);
            assert_eq!(read(&bytes).1, length as u64, "{zeros} zeros");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri takes too long over so many bytes")]
    fn a_payload_that_is_too_long_is_refused() {
        assert!(encode(&vec![0; MAX_PAYLOAD + 1]).is_err());
        let mut bytes = encode(&vec![7; MAX_PAYLOAD]).unwrap();
        assert_eq!(read(&bytes).1, bytes.len() as u64);
        bytes[3] = 0xFF;
        assert_eq!(read(&bytes).1, 0);
    }
}
