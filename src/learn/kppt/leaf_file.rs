//! Files of examples: leaves are found once and kept, for trainings with other settings or that go on later.
//!
//! A file is `JITLEAF1`, a text that names everything the examples depend on, the examples to learn from, those held back,
//! and the CRC-32 of all after the first 8 bytes. Numbers are little endian.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use byteorder::{LittleEndian, ReadBytesExt, WriteBytesExt};
use crc32fast::Hasher;

use super::examples::{Agreement, Choice, Examples, Judged};
use super::snapshot::Snapshot;
use crate::eval::index::MAX_PIECES;
use crate::shogi::color::Color;
use crate::util::atomic_file::write_atomically;
use crate::util::input_file;

/// What a file begins with; the last sign is the version.
pub const MAGIC: &[u8; 8] = b"JITLEAF1";

/// The longest text of settings, and the most leaves of a choice: more are a sign of a broken file.
const LONGEST: u32 = 1 << 20;

/// Writes the examples to learn from and those held back, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, settings: &str, examples: &[Examples; 2]) -> Result<(), String> {
    write_atomically(path, |file| {
        file.write_all(MAGIC)?;
        let mut out = Summed { inner: file, sum: Hasher::new() };
        out.write_u32::<LittleEndian>(settings.len() as u32)?;
        out.write_all(settings.as_bytes())?;
        examples.iter().try_for_each(|examples| write_examples(&mut out, examples))?;
        let Summed { inner: file, sum } = out;
        file.write_u32::<LittleEndian>(sum.finalize())
    })
    .map_err(|error| error.to_string())
}

/// The examples to learn from and those held back.
///
/// # Errors
/// When the file cannot be read, is no file of examples as it was written, or has other settings.
pub fn read(path: &Path, settings: &str) -> Result<[Examples; 2], String> {
    let of_file = |what: String| format!("{}: {what}", path.display());
    let file = input_file::open(path).map_err(|error| of_file(error.to_string()))?;
    let mut file = BufReader::new(file);
    let wrong =
        |_: io::Error| of_file("cut off or changed: expected a file that learn kppt --leaves wrote".into());
    let mut magic = [0; 8];
    if file.read_exact(&mut magic).is_err() || magic != *MAGIC {
        return Err(of_file(
            "another kind of file or version: expected one that learn kppt --leaves wrote".into(),
        ));
    }
    let mut input = Summed { inner: file, sum: Hasher::new() };
    let found = read_text(&mut input).map_err(wrong)?;
    if found != settings {
        return Err(of_file(format!("made with \"{found}\": expected \"{settings}\"")));
    }
    let examples = [read_examples(&mut input).map_err(wrong)?, read_examples(&mut input).map_err(wrong)?];
    let Summed { inner: mut file, sum } = input;
    let is_right = file.read_u32::<LittleEndian>().map_err(wrong)? == sum.finalize();
    if !is_right || file.read(&mut [0]).map_err(wrong)? > 0 {
        return Err(wrong(broken()));
    }
    Ok(examples)
}

fn broken() -> io::Error {
    io::Error::from(io::ErrorKind::InvalidData)
}

/// What passes through is added to a checksum.
struct Summed<T> {
    inner: T,
    sum: Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }
}

fn write_examples(out: &mut impl Write, examples: &Examples) -> io::Result<()> {
    for count in [examples.judged.len(), examples.choices.len(), examples.agreement.len()] {
        out.write_u32::<LittleEndian>(count as u32)?;
    }
    for Judged { leaf, target, file } in &examples.judged {
        write_leaf(out, leaf)?;
        out.write_f64::<LittleEndian>(*target)?;
        out.write_u32::<LittleEndian>(*file as u32)?;
    }
    for Choice { side, leaves, weights, file } in &examples.choices {
        out.write_u8(*side as u8)?;
        out.write_u32::<LittleEndian>(leaves.len() as u32)?;
        leaves.iter().try_for_each(|leaf| write_leaf(out, leaf))?;
        weights.iter().try_for_each(|&weight| out.write_f32::<LittleEndian>(weight))?;
        out.write_u32::<LittleEndian>(*file as u32)?;
    }
    for Agreement { positions, agreed } in &examples.agreement {
        out.write_u32::<LittleEndian>(*positions as u32)?;
        out.write_f64::<LittleEndian>(*agreed)?;
    }
    Ok(())
}

fn read_examples(input: &mut impl Read) -> io::Result<Examples> {
    let mut count = || input.read_u32::<LittleEndian>();
    let (judged, choices, agreement) = (count()?, count()?, count()?);
    let mut examples = Examples::default();
    for _ in 0..judged {
        examples.judged.push(Judged {
            leaf: read_leaf(input)?,
            target: input.read_f64::<LittleEndian>()?,
            file: input.read_u32::<LittleEndian>()? as usize,
        });
    }
    for _ in 0..choices {
        let side = read_color(input)?;
        let count = input.read_u32::<LittleEndian>()?;
        if count > LONGEST {
            return Err(broken());
        }
        let leaves = (0..count).map(|_| read_leaf(input)).collect::<io::Result<_>>()?;
        let weights = (1..count).map(|_| input.read_f32::<LittleEndian>()).collect::<io::Result<_>>()?;
        let file = input.read_u32::<LittleEndian>()? as usize;
        examples.choices.push(Choice { side, leaves, weights, file });
    }
    for _ in 0..agreement {
        examples.agreement.push(Agreement {
            positions: input.read_u32::<LittleEndian>()? as usize,
            agreed: input.read_f64::<LittleEndian>()?,
        });
    }
    Ok(examples)
}

fn write_leaf(out: &mut impl Write, leaf: &Snapshot) -> io::Result<()> {
    let (black, white) = leaf.kings();
    out.write_f32::<LittleEndian>(leaf.base)?;
    out.write_all(&[leaf.side as u8, black.index() as u8, white.index() as u8, leaf.pieces().len() as u8])?;
    leaf.pieces().iter().try_for_each(|&piece| out.write_u16::<LittleEndian>(piece))
}

fn read_leaf(input: &mut impl Read) -> io::Result<Snapshot> {
    let base = input.read_f32::<LittleEndian>()?;
    let side = read_color(input)?;
    let kings = [input.read_u8()?, input.read_u8()?].map(usize::from);
    let length = usize::from(input.read_u8()?);
    let mut pieces = [0; MAX_PIECES];
    let pieces = pieces.get_mut(..length).ok_or_else(broken)?;
    input.read_u16_into::<LittleEndian>(pieces)?;
    Snapshot::from_parts(base, side, kings, pieces).ok_or_else(broken)
}

fn read_color(input: &mut impl Read) -> io::Result<Color> {
    let number = input.read_u8()?;
    Color::ALL.into_iter().find(|&color| color as u8 == number).ok_or_else(broken)
}

fn read_text(input: &mut impl Read) -> io::Result<String> {
    let length = input.read_u32::<LittleEndian>()?;
    let mut text = String::new();
    input.take(length.min(LONGEST).into()).read_to_string(&mut text)?;
    if text.len() == length as usize { Ok(text) } else { Err(broken()) }
}
