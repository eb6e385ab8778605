//! The field's KPPT files: three files of bare little-endian numbers, whose length is all the header they have.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use byteorder::{ByteOrder, LittleEndian};
use memmap2::Mmap;

use super::table::Pair;
use super::weights::{self, Blank, NoMemory, Weights};
use crate::util::atomic_file::{PendingFile, SaveError};
use crate::util::input_file;
use crate::util::memory;

/// The bytes read or written between two reports of progress.
const CHUNK: usize = 1 << 20;

/// The smallest page of any system.
const PAGE: usize = 4096;

/// One of the three tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// King–king.
    Kk,
    /// King–king–piece.
    Kkp,
    /// King–piece–piece.
    Kpp,
}

impl Part {
    /// All three, in the order in which they are read.
    pub const ALL: [Part; 3] = [Part::Kk, Part::Kkp, Part::Kpp];

    /// What the file is called.
    pub const fn file_name(self) -> &'static str {
        match self {
            Part::Kk => "KK_synthesized.bin",
            Part::Kkp => "KKP_synthesized.bin",
            Part::Kpp => "KPP_synthesized.bin",
        }
    }

    /// How many pairs of numbers it has.
    pub const fn pairs(self) -> usize {
        match self {
            Part::Kk => weights::KK,
            Part::Kkp => weights::KKP,
            Part::Kpp => weights::KPP,
        }
    }

    /// How many bytes it has with numbers of this size.
    pub const fn bytes(self, number: Number) -> u64 {
        (self.pairs() * 2 * number.bytes()) as u64
    }
}

/// The type of a file's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Two bytes, signed.
    I16,
    /// Four bytes, signed.
    I32,
}

impl Number {
    /// 2 or 4.
    pub const fn bytes(self) -> usize {
        match self {
            Number::I16 => 2,
            Number::I32 => 4,
        }
    }
}

/// The types of the numbers in the files of a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The tournament or program that such files come from.
    pub name: &'static str,
    /// King–king; `None` where there is no such file.
    pub kk: Option<Number>,
    /// King–king–piece.
    pub kkp: Number,
    /// King–piece–piece: the same in all known layouts.
    pub kpp: Number,
}

/// The known layouts, recognised by the lengths of their files. The first is the one that is written.
pub const LAYOUTS: [Layout; 3] = [
    Layout { name: "WCSC26", kk: Some(Number::I32), kkp: Number::I32, kpp: Number::I16 },
    Layout { name: "WCSC27", kk: Some(Number::I16), kkp: Number::I16, kpp: Number::I16 },
    Layout { name: "without KK", kk: None, kkp: Number::I16, kpp: Number::I16 },
];

impl Layout {
    /// The numbers of a part; `None` where there is no such file.
    pub const fn number(&self, part: Part) -> Option<Number> {
        match part {
            Part::Kk => self.kk,
            Part::Kkp => Some(self.kkp),
            Part::Kpp => Some(self.kpp),
        }
    }
}

/// Why the files of a folder could not be used.
#[derive(Debug)]
pub enum LoadError {
    /// There is no such folder, neither as given nor beside the executable.
    Folder {
        /// Where it was looked for.
        tried: Vec<PathBuf>,
    },
    /// A file is missing or cannot be opened.
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// No known layout has a file of this length.
    Length {
        /// The file.
        path: PathBuf,
        /// How many bytes it has.
        found: u64,
        /// How many bytes it could have.
        known: Vec<u64>,
    },
    /// Each file has a known length, but no layout has all of them.
    Mixed {
        /// The folder.
        path: PathBuf,
        /// The lengths of king–king (if there is such a file), king–king–piece and king–piece–piece.
        found: [Option<u64>; 3],
    },
    /// A file could not be read to its end.
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no room for the tables.
    Memory(NoMemory),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Folder { tried } => {
                write!(f, "no evaluation folder: tried")?;
                for (place, path) in tried.iter().enumerate() {
                    write!(f, "{} {}", if place == 0 { "" } else { " and" }, path.display())?;
                }
                let names = Part::ALL.map(Part::file_name);
                write!(f, "; expected a folder with {}, {} and {}", names[0], names[1], names[2])
            }
            LoadError::Open { path, source } => {
                write!(f, "{}: {source}; expected an evaluation file", path.display())
            }
            LoadError::Length { path, found, known } => {
                write!(f, "{}: {found} bytes; expected {}", path.display(), either(known))
            }
            LoadError::Mixed { path, found } => {
                write!(f, "{}: files of different layouts:", path.display())?;
                for (part, bytes) in Part::ALL.into_iter().zip(found) {
                    match bytes {
                        Some(bytes) => write!(f, " {} {bytes} bytes,", part.file_name())?,
                        None => write!(f, " no {},", part.file_name())?,
                    }
                }
                f.write_str(" expected")?;
                for (place, layout) in LAYOUTS.iter().enumerate() {
                    let bytes = |part: Part| layout.number(part).map(|number| part.bytes(number));
                    let lengths: Vec<u64> = Part::ALL.into_iter().filter_map(bytes).collect();
                    write!(f, "{} {lengths:?}", if place == 0 { "" } else { " or" })?;
                }
                Ok(())
            }
            LoadError::Read { path, source } => {
                write!(f, "{}: cannot be read to its end: {source}", path.display())
            }
            LoadError::Memory(source) => source.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LoadError::Open { source, .. } | LoadError::Read { source, .. } => Some(source),
            LoadError::Memory(source) => Some(source),
            LoadError::Folder { .. } | LoadError::Length { .. } | LoadError::Mixed { .. } => None,
        }
    }
}

fn either(known: &[u64]) -> String {
    let words: Vec<String> = known.iter().map(u64::to_string).collect();
    words.join(" or ")
}

/// The places of a folder `name`: as given and, where `name` is relative, beside the executable.
fn places(name: &Path) -> Vec<PathBuf> {
    let mut places = vec![name.to_path_buf()];
    if name.is_relative()
        && let Ok(executable) = std::env::current_exe()
        && let Some(beside) = executable.parent()
    {
        places.push(beside.join(name));
    }
    places
}

/// The evaluation files of a folder, found and measured but not read.
///
/// Two values are equal when the files have not changed in between, so that they need not be loaded again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Files {
    /// Where they are.
    pub folder: PathBuf,
    /// What they hold.
    pub layout: Layout,
    /// Length and time of the last change of each file there is.
    stamps: Vec<(u64, Option<SystemTime>)>,
}

impl Files {
    /// Looks for the files in the folder `name`: as given or, where there are no such files and `name` is relative,
    /// beside the executable.
    ///
    /// # Errors
    /// When neither is a folder; what is wrong with the first one that is.
    pub fn named(name: &Path) -> Result<Files, LoadError> {
        let tried = places(name);
        let mut found = tried.iter().filter(|place| place.is_dir()).map(|folder| Files::find(folder));
        let Some(first) = found.next() else { return Err(LoadError::Folder { tried }) };
        first.or_else(|error| found.find_map(Result::ok).ok_or(error))
    }

    /// Looks for the files in `folder` and finds their layout by their lengths.
    ///
    /// # Errors
    /// When a file is missing or its length is none that is known.
    pub fn find(folder: &Path) -> Result<Files, LoadError> {
        let mut lengths = [None; 3];
        let mut stamps = Vec::new();
        for part in Part::ALL {
            let path = folder.join(part.file_name());
            let data = match fs::metadata(&path) {
                Ok(data) => data,
                Err(error) if part == Part::Kk && error.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => return Err(LoadError::Open { path, source }),
            };
            let found = data.len();
            let known = known_lengths(part);
            if !known.contains(&found) {
                return Err(LoadError::Length { path, found, known });
            }
            lengths[part as usize] = Some(found);
            stamps.push((found, data.modified().ok()));
        }
        let fits = |layout: &&Layout| {
            Part::ALL
                .into_iter()
                .all(|part| layout.number(part).map(|number| part.bytes(number)) == lengths[part as usize])
        };
        match LAYOUTS.iter().find(fits) {
            Some(&layout) => Ok(Files { folder: folder.to_path_buf(), layout, stamps }),
            None => Err(LoadError::Mixed { path: folder.to_path_buf(), found: lengths }),
        }
    }

    /// Where a part's file is, if the layout has one.
    pub fn path(&self, part: Part) -> Option<PathBuf> {
        self.layout.number(part).map(|_| self.folder.join(part.file_name()))
    }

    /// How many bytes the files have together.
    pub fn bytes(&self) -> u64 {
        self.stamps.iter().map(|&(bytes, _)| bytes).sum()
    }

    /// Loads everything. `progress` is called with the number of bytes done and their total.
    ///
    /// Files in the layout that memory has are mapped, so that all processes which use them share one copy. Others, and
    /// files that the system cannot map, are read into memory of this process. Mapped files must not be written to
    /// while they are in use: to replace them, write new ones and rename, as [`save`] does.
    ///
    /// # Errors
    /// When a file cannot be read to its end, or there is no memory.
    pub fn load(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Weights, LoadError> {
        if cfg!(target_endian = "little")
            && self.layout == LAYOUTS[0]
            && let Ok([kk, kkp, kpp]) = self.map()
        {
            let mut done = 0;
            for map in [&kk, &kkp, &kpp] {
                for chunk in map.chunks(CHUNK) {
                    // Fetches every page now, before the clock runs.
                    let bytes: u64 = chunk.iter().step_by(PAGE).map(|&byte| u64::from(byte)).sum();
                    std::hint::black_box(bytes);
                    done += chunk.len() as u64;
                    progress(done, self.bytes());
                }
            }
            return Ok(Weights::in_files(kk, kkp, kpp));
        }
        self.read(progress)
    }

    /// Maps the three files, if they have their full lengths.
    fn map(&self) -> io::Result<[Mmap; 3]> {
        let map = |part: Part| {
            let file = input_file::open(&self.folder.join(part.file_name()))?;
            // SAFETY: the bytes must not change while they are borrowed. Nothing in this program writes to such a file
            // in place ([`save`] renames). docs/guide/options.md and docs/guide/gui-setup.md ask the user that nothing else
            // does while an engine has them open. That the length is still the one found is checked below.
            let map = unsafe { Mmap::map(&file)? };
            let expected = self.layout.number(part).map(|number| part.bytes(number));
            if Some(map.len() as u64) == expected {
                memory::advise_large_pages(&map);
                Ok(map)
            } else {
                Err(io::Error::from(io::ErrorKind::UnexpectedEof))
            }
        };
        Ok([map(Part::Kk)?, map(Part::Kkp)?, map(Part::Kpp)?])
    }

    /// Reads everything into memory of this process. `progress` is called with the number of bytes done and their
    /// total.
    ///
    /// # Errors
    /// When a file cannot be read to its end, or there is no memory.
    pub fn read(&self, progress: &mut dyn FnMut(u64, u64)) -> Result<Weights, LoadError> {
        let mut blank = Blank::new().map_err(LoadError::Memory)?;
        let total = self.bytes();
        let mut done = 0;
        let mut advance = |bytes: usize| {
            done += bytes as u64;
            progress(done, total);
        };
        for part in Part::ALL {
            let (Some(number), Some(path)) = (self.layout.number(part), self.path(part)) else { continue };
            let mut file = match input_file::open(&path) {
                Ok(file) => file,
                Err(source) => return Err(LoadError::Open { path, source }),
            };
            let read = match part {
                Part::Kk => read_wide(&mut file, number, blank.kk(), &mut advance),
                Part::Kkp => read_wide(&mut file, number, blank.kkp(), &mut advance),
                Part::Kpp => read_narrow(&mut file, blank.kpp(), &mut advance),
            };
            if let Err(source) = read {
                return Err(LoadError::Read { path, source });
            }
        }
        blank.finish().map_err(LoadError::Memory)
    }
}

fn known_lengths(part: Part) -> Vec<u64> {
    let mut known: Vec<u64> =
        LAYOUTS.iter().filter_map(|layout| layout.number(part)).map(|number| part.bytes(number)).collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Reads 16-bit numbers to where they will stay.
fn read_narrow(file: &mut File, table: &mut [Pair<i16>], advance: &mut dyn FnMut(usize)) -> io::Result<()> {
    for chunk in table.chunks_mut(CHUNK / size_of::<Pair<i16>>()) {
        file.read_exact(bytemuck::cast_slice_mut(chunk))?;
        LittleEndian::from_slice_i16(chunk.as_flattened_mut());
        advance(size_of_val(chunk));
    }
    Ok(())
}

/// Reads numbers that are kept in 32 bits.
fn read_wide(
    file: &mut File,
    number: Number,
    table: &mut [Pair<i32>],
    advance: &mut dyn FnMut(usize),
) -> io::Result<()> {
    let mut narrow = vec![[0i16; 2]; if number == Number::I16 { CHUNK / 4 } else { 0 }];
    for chunk in table.chunks_mut(CHUNK / 4) {
        match number {
            Number::I32 => {
                file.read_exact(bytemuck::cast_slice_mut(chunk))?;
                LittleEndian::from_slice_i32(chunk.as_flattened_mut());
            }
            Number::I16 => {
                let narrow = &mut narrow[..chunk.len()];
                read_narrow(file, narrow, &mut |_| ())?;
                for (wide, narrow) in chunk.iter_mut().zip(narrow) {
                    *wide = narrow.map(i32::from);
                }
            }
        }
        advance(chunk.len() * 2 * number.bytes());
    }
    Ok(())
}

/// A file in `folder` that has the name of a part but not the length of one, and so must not be overwritten.
pub fn in_the_way(folder: &Path) -> Option<PathBuf> {
    Part::ALL.into_iter().find_map(|part| {
        let path = folder.join(part.file_name());
        let length = path.metadata().ok()?.len();
        (length > 0 && !known_lengths(part).contains(&length)).then_some(path)
    })
}

/// Writes `weights` into `folder`, which is created if need be, in the first of [`LAYOUTS`]. `progress` is called with
/// the number of bytes done and their total.
///
/// # Errors
/// When a file cannot be written. All are written before any that is there already is replaced.
pub fn save(weights: &Weights, folder: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<(), SaveError> {
    fs::create_dir_all(folder).map_err(|source| SaveError { path: folder.to_path_buf(), source })?;
    let layout = LAYOUTS[0];
    let total =
        Part::ALL.into_iter().filter_map(|part| layout.number(part).map(|number| part.bytes(number))).sum();
    let mut done = 0;
    let mut pending = Vec::new();
    for part in Part::ALL {
        pending.push(PendingFile::write(&folder.join(part.file_name()), |file| {
            let mut write = |bytes: &[u8]| {
                done += bytes.len() as u64;
                progress(done, total);
                file.write_all(bytes)
            };
            match part {
                Part::Kk => write_i32(weights.all_kk(), &mut write),
                Part::Kkp => write_i32(weights.all_kkp(), &mut write),
                Part::Kpp => write_i16(weights.all_kpp().as_flattened().as_flattened(), &mut write),
            }
        })?);
    }
    pending.into_iter().try_for_each(PendingFile::commit)
}

fn write_i32(table: &[Pair<i32>], write: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = vec![0; CHUNK];
    for chunk in table.as_flattened().chunks(CHUNK / 4) {
        let bytes = &mut bytes[..chunk.len() * 4];
        LittleEndian::write_i32_into(chunk, bytes);
        write(bytes)?;
    }
    Ok(())
}

fn write_i16(table: &[Pair<i16>], write: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = vec![0; CHUNK];
    for chunk in table.as_flattened().chunks(CHUNK / 2) {
        let bytes = &mut bytes[..chunk.len() * 2];
        LittleEndian::write_i16_into(chunk, bytes);
        write(bytes)?;
    }
    Ok(())
}
