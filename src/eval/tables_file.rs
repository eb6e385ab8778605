//! Files with expanded tables, to be mapped: all processes that use one share its memory, and have it at once.
//!
//! | bytes | content |
//! |---|---|
//! | 0–7 | the magic number |
//! | 8–11 | the version of the format |
//! | 12–15 | the CRC-32 of the header from byte 16 on |
//! | 16–19 | the CRC-32 of the compact file that the tables come from |
//! | 20–23 | a number in the byte order of the machine |
//! | 24–31 | the length of the compact file |
//! | 32–39 | the bytes of the tables |
//! | 40–43 | the number of blocks |
//! | 44– | the CRC-32 of each block of 4 MiB |
//! | 2 MiB– | the tables as they are in memory: KPP, KKP, KK |
//!
//! Numbers are little endian, except those of the tables and the one at byte 20. The tables begin at a multiple of 2 MiB and
//! are written by whole blocks, so that a system which can keeps them in large pages.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use byteorder::{ByteOrder, LittleEndian};
use memmap2::{Mmap, MmapOptions};

use super::weights::{self, Weights};
use crate::util::atomic_file::{PendingFile, SaveError};
use crate::util::input_file;
use crate::util::memory;

/// How a file begins.
const MAGIC: [u8; 8] = *b"JITSUTAB";

/// The version of the format. It changes as well where the same compact file expands to other tables.
pub const VERSION: u32 = 1;

/// In the byte order of the machine.
const BYTE_ORDER: u32 = 0x0102_0304;

/// The bytes that have a checksum of their own.
pub const BLOCK: usize = 4 << 20;

const BLOCKS: usize = weights::BYTES.div_ceil(BLOCK);

/// The bytes of the header.
pub const HEADER: usize = 44 + 4 * BLOCKS;

/// Where the tables begin.
pub const TABLES_AT: u64 = 2 << 20;

/// The bytes of a file.
pub const LENGTH: u64 = TABLES_AT + weights::BYTES as u64;

/// The compact file that tables come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its length in bytes.
    pub length: u64,
    /// Its checksum.
    pub checksum: u32,
}

/// Why a file of tables cannot be used.
#[derive(Debug)]
pub enum TablesError {
    /// It cannot be opened, read or mapped.
    Read(io::Error),
    /// It is shorter or longer than such files are.
    Length(u64),
    /// Its header is not that of a file with these tables, or is damaged.
    Header,
}

impl fmt::Display for TablesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TablesError::Read(source) => source.fmt(f),
            TablesError::Length(found) => write!(f, "{found} bytes: expected {LENGTH}"),
            TablesError::Header => f.write_str("the header is not in order"),
        }
    }
}

impl std::error::Error for TablesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TablesError::Read(source) => Some(source),
            TablesError::Length(_) | TablesError::Header => None,
        }
    }
}

impl From<io::Error> for TablesError {
    fn from(source: io::Error) -> TablesError {
        TablesError::Read(source)
    }
}

/// The checksums of the blocks of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockChecksums(Vec<u32>);

impl BlockChecksums {
    /// The number of the first block of `weights` whose checksum is another one. Reads everything, and calls `after_block`
    /// after each block.
    pub fn first_damaged(&self, weights: &Weights, mut after_block: impl FnMut()) -> Option<usize> {
        let mut blocks = weights.bytes().chunks(BLOCK).zip(&self.0);
        blocks.position(|(block, &checksum)| {
            let is_damaged = crc32fast::hash(block) != checksum;
            after_block();
            is_damaged
        })
    }
}

/// Writes a file of `weights`, whole or not at all. Calls `after_block` after each block.
///
/// # Errors
/// When it cannot be written, or `weights` are not in one piece of memory.
pub fn save(
    weights: &Weights,
    origin: Origin,
    path: &Path,
    after_block: impl FnMut(),
) -> Result<(), SaveError> {
    let file = PendingFile::write(path, |file| write(weights.bytes(), origin, file, after_block))?;
    file.commit()
}

fn write(
    tables: &[u8],
    origin: Origin,
    file: &mut BufWriter<File>,
    mut after_block: impl FnMut(),
) -> io::Result<()> {
    file.seek(SeekFrom::Start(TABLES_AT))?;
    let mut header = vec![0; HEADER];
    for (block, checksum) in tables.chunks(BLOCK).zip(header[44..].chunks_exact_mut(4)) {
        LittleEndian::write_u32(checksum, crc32fast::hash(block));
        file.write_all(block)?;
        after_block();
    }
    header[..8].copy_from_slice(&MAGIC);
    LittleEndian::write_u32(&mut header[8..], VERSION);
    LittleEndian::write_u32(&mut header[16..], origin.checksum);
    header[20..24].copy_from_slice(&BYTE_ORDER.to_ne_bytes());
    LittleEndian::write_u64(&mut header[24..], origin.length);
    LittleEndian::write_u64(&mut header[32..], tables.len() as u64);
    LittleEndian::write_u32(&mut header[40..], BLOCKS as u32);
    let checksum = crc32fast::hash(&header[16..]);
    LittleEndian::write_u32(&mut header[12..], checksum);
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)
}

/// Maps the tables of a file, once its length and its header are in order. Its blocks are not read: the checksums tell
/// afterwards whether they are intact.
///
/// # Errors
/// See [`TablesError`].
pub fn open(path: &Path, origin: Origin) -> Result<(Weights, BlockChecksums), TablesError> {
    let mut file = input_file::open(path)?;
    let length = file.metadata()?.len();
    if length != LENGTH {
        return Err(TablesError::Length(length));
    }
    let mut header = vec![0; HEADER];
    file.read_exact(&mut header)?;
    let is_in_order = header[..8] == MAGIC
        && LittleEndian::read_u32(&header[8..]) == VERSION
        && LittleEndian::read_u32(&header[12..]) == crc32fast::hash(&header[16..])
        && LittleEndian::read_u32(&header[16..]) == origin.checksum
        && header[20..24] == BYTE_ORDER.to_ne_bytes()
        && LittleEndian::read_u64(&header[24..]) == origin.length
        && LittleEndian::read_u64(&header[32..]) == weights::BYTES as u64
        && LittleEndian::read_u32(&header[40..]) == BLOCKS as u32;
    if !is_in_order {
        return Err(TablesError::Header);
    }
    let map = map(&file)?;
    let mut checksums = vec![0; BLOCKS];
    LittleEndian::read_u32_into(&header[44..], &mut checksums);
    Ok((Weights::in_tables_file(map), BlockChecksums(checksums)))
}

fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes must not change while they are borrowed. [`save`] never writes to a file that is there, but renames a
    // new one; the file is in a folder of our own, of which docs/guide/options.md says that nothing else writes there.
    let map = unsafe { MmapOptions::new().offset(TABLES_AT).len(weights::BYTES).map(file)? };
    memory::advise_large_pages(&map);
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_ends_before_the_tables() {
        assert!((HEADER as u64) < TABLES_AT);
        assert_eq!(TABLES_AT as usize % BLOCK, BLOCK / 2);
    }
}
