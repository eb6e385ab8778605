//! Checked files: compressed contents with a magic number, a version and a checksum.
//!
//! | bytes | content |
//! |---|---|
//! | 0–7 | the magic number of this kind of file |
//! | 8–11 | the version of its format |
//! | 12–15 | the CRC-32 of all bytes after the header |
//! | 16–23 | the number of these bytes |
//! | 24–31 | the number of bytes of the contents |
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

/// The largest size that is accepted, so that a broken length cannot ask for more memory than there is.
const MAX_CONTENTS: u64 = 1 << 30;

/// A kind of checked file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// What such a file is called in messages.
    pub name: &'static str,
    /// The first bytes of such a file.
    pub magic: [u8; 8],
    /// The first and the last version that can be read.
    pub versions: [u32; 2],
}

/// What is wrong with a checked file.
#[derive(Debug)]
pub enum CheckedFileError {
    /// It cannot be opened or read, or its contents cannot be unpacked.
    Read(io::Error),
    /// It does not begin with the magic number.
    Magic {
        /// Its first bytes.
        found: Vec<u8>,
        /// The kind of file that was expected.
        expected: Kind,
    },
    /// It was written in a version of the format that cannot be read.
    Version {
        /// Its version.
        found: u32,
        /// The kind of file that was expected.
        expected: Kind,
    },
    /// It is shorter or longer than its header says.
    Length {
        /// The number of bytes after the header.
        found: u64,
        /// The number in the header.
        expected: u64,
    },
    /// It is shorter than its header.
    Header {
        /// Its length.
        found: usize,
    },
    /// The checksum is wrong: the contents have changed since they were written.
    Checksum {
        /// The checksum of the contents.
        found: u32,
        /// The checksum in the header.
        expected: u32,
    },
    /// The checksum is right, but the contents are too long or do not have the length that the header says.
    Size,
}

impl fmt::Display for CheckedFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckedFileError::Read(source) => write!(f, "cannot be read: {source}"),
            CheckedFileError::Magic { found, expected: Kind { name, magic, .. } } => {
                let (found, magic) = (found.escape_ascii(), magic.escape_ascii());
                write!(f, "no {name}: begins with \"{found}\", expected \"{magic}\"")
            }
            CheckedFileError::Version { found, expected: Kind { versions: [first, last], .. } } => {
                write!(f, "version {found}: expected {first}")?;
                if first < last { write!(f, " to {last}") } else { Ok(()) }
            }
            CheckedFileError::Header { found } => write!(f, "{found} bytes: expected more than {HEADER}"),
            CheckedFileError::Length { found, expected } => {
                write!(f, "{found} bytes after the header: expected {expected}")
            }
            CheckedFileError::Checksum { found, expected } => {
                write!(f, "checksum {found:08x}: expected {expected:08x}")
            }
            CheckedFileError::Size => f.write_str(
                "contents are not in order: expected the unpacked length that the header says, 1 GiB at most",
            ),
        }
    }
}

impl std::error::Error for CheckedFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CheckedFileError::Read(source) => Some(source),
            _ => None,
        }
    }
}

impl From<io::Error> for CheckedFileError {
    fn from(source: io::Error) -> CheckedFileError {
        CheckedFileError::Read(source)
    }
}

/// The bytes of a checked file with these contents.
///
/// # Errors
/// When the compression fails.
pub fn encode(kind: Kind, version: u32, contents: &[u8]) -> io::Result<Vec<u8>> {
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
/// See [`CheckedFileError`].
pub fn decode(kind: Kind, bytes: &[u8]) -> Result<(u32, Vec<u8>), CheckedFileError> {
    let Some(mut header) = bytes.strip_prefix(&kind.magic) else {
        let found = bytes[..bytes.len().min(kind.magic.len())].to_vec();
        return Err(CheckedFileError::Magic { found, expected: kind });
    };
    let Some(packed) = bytes.get(HEADER..) else {
        return Err(CheckedFileError::Header { found: bytes.len() });
    };
    let version = header.read_u32::<LittleEndian>()?;
    let expected = header.read_u32::<LittleEndian>()?;
    let packed_length = header.read_u64::<LittleEndian>()?;
    let length = header.read_u64::<LittleEndian>()?;
    let [first, last] = kind.versions;
    if !(first..=last).contains(&version) {
        return Err(CheckedFileError::Version { found: version, expected: kind });
    }
    if packed.len() as u64 != packed_length {
        return Err(CheckedFileError::Length { found: packed.len() as u64, expected: packed_length });
    }
    let found = crc32fast::hash(packed);
    if found != expected {
        return Err(CheckedFileError::Checksum { found, expected });
    }
    if length > MAX_CONTENTS {
        return Err(CheckedFileError::Size);
    }
    let mut contents = Vec::new();
    DeflateDecoder::new(packed).take(length + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 != length {
        return Err(CheckedFileError::Size);
    }
    Ok((version, contents))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { name: "list of numbers", magic: *b"NUMBERS!", versions: [2, 3] };

    #[test]
    fn encoded_contents_are_decoded() {
        let contents: Vec<u8> = (0..=255).cycle().take(5000).collect();
        let bytes = encode(KIND, 3, &contents).unwrap();
        assert_eq!(decode(KIND, &bytes).unwrap(), (3, contents));
    }

    #[test]
    fn each_kind_of_damage_has_its_message() {
        let bytes = encode(KIND, 2, b"one two three").unwrap();
        for (place, message) in [
            (0, "no list of numbers: begins with \"OUMBERS!\", expected \"NUMBERS!\""),
            (8, "version 6: expected 2 to 3"),
            (12, "checksum"),
            (16, "bytes after the header: expected"),
            (24, "contents are not in order"),
            (40, "checksum"),
        ] {
            let mut broken = bytes.clone();
            broken[place] ^= if place == 8 { 4 } else { 1 };
            let error = decode(KIND, &broken).unwrap_err().to_string();
            assert!(error.contains(message), "{place}: {error}");
        }
        for length in 0..bytes.len() {
            let error = decode(KIND, &bytes[..length]).unwrap_err().to_string();
            let expected = match length {
                0..8 => "no list of numbers".to_string(),
                8..32 => format!("{length} bytes: expected more than 32"),
                _ => format!("{} bytes after the header: expected {}", length - 32, bytes.len() - 32),
            };
            assert!(error.contains(&expected), "{length}: {error}");
        }
    }
}
