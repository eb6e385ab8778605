//! Checked files: compressed contents with a kind, a version, lengths and a checksum, so that any damage is noticed.
//!
//! | bytes | content |
//! |---|---|
//! | 0–7 | the kind of file |
//! | 8–11 | the version of its format |
//! | 12–15 | the CRC-32 of all bytes after the header |
//! | 16–23 | the number of these bytes |
//! | 24–31 | the length of the contents, uncompressed |
//! | 32– | the contents, compressed (DEFLATE) |
//!
//! Numbers are little endian.

use std::fmt;
use std::io::{self, Read, Write};

use byteorder::{LittleEndian, ReadBytesExt, WriteBytesExt};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

/// The length of the header: magic, version, checksum, two lengths.
pub const HEADER: usize = 32;

/// The largest accepted length of contents, so that a wrong length in a file cannot exhaust the memory.
const MAX_CONTENTS: u64 = 1 << 30;

/// A kind of checked file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Its name in messages.
    pub name: &'static str,
    /// The bytes it begins with.
    pub magic: [u8; 8],
    /// The first and the last version that is read.
    pub versions: [u32; 2],
}

/// What is wrong with a checked file.
#[derive(Debug)]
pub enum SealError {
    /// It cannot be read, or its contents cannot be decompressed.
    Read(io::Error),
    /// It is of another kind.
    Magic {
        /// Its first bytes.
        found: Vec<u8>,
        /// The expected kind.
        expected: Kind,
    },
    /// Its version is not one that is read.
    Version {
        /// Its version.
        found: u32,
        /// The expected kind, with its versions.
        expected: Kind,
    },
    /// It is shorter or longer than its header says.
    Length {
        /// The number of bytes after the header.
        found: u64,
        /// The number in the header.
        expected: u64,
    },
    /// It ends within its header.
    Header {
        /// Its length.
        found: usize,
    },
    /// Its contents have changed since it was written.
    Checksum {
        /// The checksum of the contents.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// The checksum is right, but the length of the uncompressed contents is not that in the header, or too large.
    Size,
}

impl fmt::Display for SealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SealError::Read(source) => write!(f, "cannot be read: {source}"),
            SealError::Magic { found, expected: Kind { name, magic, .. } } => {
                let (found, magic) = (found.escape_ascii(), magic.escape_ascii());
                write!(f, "no {name}: begins with \"{found}\", expected \"{magic}\"")
            }
            SealError::Version { found, expected: Kind { versions: [first, last], .. } } => {
                write!(f, "version {found}: expected {first}")?;
                if first < last { write!(f, " to {last}") } else { Ok(()) }
            }
            SealError::Header { found } => write!(f, "{found} bytes: expected more than {HEADER}"),
            SealError::Length { found, expected } => {
                write!(f, "{found} bytes after the header: expected {expected}")
            }
            SealError::Checksum { found, expected } => {
                write!(f, "checksum {found:08x}: expected {expected:08x}")
            }
            SealError::Size => f.write_str(
                "wrong length of the uncompressed contents: expected that in the header, 1 GiB at most",
            ),
        }
    }
}

impl std::error::Error for SealError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SealError::Read(source) => Some(source),
            _ => None,
        }
    }
}

impl From<io::Error> for SealError {
    fn from(source: io::Error) -> SealError {
        SealError::Read(source)
    }
}

/// The bytes of a checked file with these contents.
///
/// # Errors
/// When the compression fails.
pub fn seal(kind: Kind, version: u32, contents: &[u8]) -> io::Result<Vec<u8>> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::best());
    packer.write_all(contents)?;
    let packed = packer.finish()?;
    let mut bytes = kind.magic.to_vec();
    bytes.write_u32::<LittleEndian>(version)?;
    bytes.write_u32::<LittleEndian>(crc32fast::hash(&packed))?;
    bytes.write_u64::<LittleEndian>(packed.len() as u64)?;
    bytes.write_u64::<LittleEndian>(contents.len() as u64)?;
    bytes.extend(packed);
    Ok(bytes)
}

/// The version and the contents of a checked file.
///
/// # Errors
/// See [`SealError`].
pub fn open(kind: Kind, bytes: &[u8]) -> Result<(u32, Vec<u8>), SealError> {
    let Some(mut header) = bytes.strip_prefix(&kind.magic) else {
        let found = bytes[..bytes.len().min(kind.magic.len())].to_vec();
        return Err(SealError::Magic { found, expected: kind });
    };
    let Some(packed) = bytes.get(HEADER..) else {
        return Err(SealError::Header { found: bytes.len() });
    };
    let version = header.read_u32::<LittleEndian>()?;
    let expected = header.read_u32::<LittleEndian>()?;
    let packed_length = header.read_u64::<LittleEndian>()?;
    let length = header.read_u64::<LittleEndian>()?;
    let [first, last] = kind.versions;
    if !(first..=last).contains(&version) {
        return Err(SealError::Version { found: version, expected: kind });
    }
    if packed.len() as u64 != packed_length {
        return Err(SealError::Length { found: packed.len() as u64, expected: packed_length });
    }
    let found = crc32fast::hash(packed);
    if found != expected {
        return Err(SealError::Checksum { found, expected });
    }
    if length > MAX_CONTENTS {
        return Err(SealError::Size);
    }
    let mut contents = Vec::new();
    DeflateDecoder::new(packed).take(length + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 != length {
        return Err(SealError::Size);
    }
    Ok((version, contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { name: "list of numbers", magic: *b"NUMBERS!", versions: [2, 3] };

    #[test]
    fn contents_round_trip() {
        let contents: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let bytes = seal(KIND, 3, &contents).unwrap();
        assert_eq!(open(KIND, &bytes).unwrap(), (3, contents));
    }

    #[test]
    fn damage_is_reported() {
        let bytes = seal(KIND, 2, b"one two three").unwrap();
        for (place, message) in [
            (0, "no list of numbers: begins with \"OUMBERS!\", expected \"NUMBERS!\""),
            (8, "version 6: expected 2 to 3"),
            (12, "checksum"),
            (16, "bytes after the header: expected"),
            (24, "wrong length of the uncompressed contents"),
            (40, "checksum"),
        ] {
            let mut broken = bytes.clone();
            broken[place] ^= if place == 8 { 4 } else { 1 };
            let error = open(KIND, &broken).unwrap_err().to_string();
            assert!(error.contains(message), "{place}: {error}");
        }
        for length in 0..bytes.len() {
            let error = open(KIND, &bytes[..length]).unwrap_err().to_string();
            let expected = match length {
                0..8 => "no list of numbers".to_string(),
                8..32 => format!("{length} bytes: expected more than 32"),
                _ => format!("{} bytes after the header: expected {}", length - 32, bytes.len() - 32),
            };
            assert!(error.contains(&expected), "{length}: {error}");
        }
    }
}
