//! A whole KPPT evaluation in memory.

use std::fmt;
use std::io;
use std::ops::Range;

use memmap2::{Mmap, MmapMut};

use super::index::{Index, RowStart};
use super::rows::{self, King};
use super::table::{Pair, Table, add};
use crate::shogi::square::Square;
use crate::util::available_memory::AvailableMemory;
use crate::util::memory::{self, Pages};

/// How many king–king entries there are.
pub const KK: usize = Square::COUNT * Square::COUNT;
/// How many king–king–piece entries there are.
pub const KKP: usize = KK * Index::COUNT;
/// How many king–piece–piece entries there are.
pub const KPP: usize = Square::COUNT * Index::COUNT * Index::COUNT;

/// The number of a KPP entry with the larger piece first.
pub fn kpp_key(king: Square, one: Index, other: Index) -> u32 {
    let (high, low) = (one.max(other).get(), one.min(other).get());
    ((king.index() * Index::COUNT + high) * Index::COUNT + low) as u32
}

/// The king and the pieces of a KPP entry with this number.
///
/// # Panics
/// When there is no entry with this number.
pub(super) fn kpp_place(key: u32) -> (Square, Index, Index) {
    let key = key as usize;
    let place = || {
        let king = Square::from_index(key / Index::COUNT / Index::COUNT)?;
        Some((king, Index::new(key / Index::COUNT % Index::COUNT)?, Index::new(key % Index::COUNT)?))
    };
    place().expect("a number under 81 × 1,548 × 1,548")
}

// One allocation: KPP first, so that it begins on a large page.
const KPP_BYTES: Range<usize> = 0..KPP * size_of::<Pair<i16>>();
const KKP_BYTES: Range<usize> = KPP_BYTES.end..KPP_BYTES.end + KKP * size_of::<Pair<i32>>();
const KK_BYTES: Range<usize> = KKP_BYTES.end..KKP_BYTES.end + KK * size_of::<Pair<i32>>();

/// The system did not grant the memory that the tables need.
#[derive(Debug)]
pub struct NoMemory {
    /// How many bytes were asked for.
    pub bytes: usize,
    /// What the system said.
    pub source: io::Error,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no memory for the evaluation: {} bytes asked for, {}", self.bytes, self.source)
    }
}

impl std::error::Error for NoMemory {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// The three tables, about 858 MB, which never change once they are made. Threads share them by `Arc`.
pub struct Weights(Store);

/// Where the tables are.
enum Store {
    /// In memory of this process.
    Private(Mmap),
    /// The same in a mapped file of tables, which all processes that use it share.
    TablesFile(Mmap),
    /// In mapped files, which all processes that use them share.
    Files { kk: Mmap, kkp: Mmap, kpp: Mmap },
}

/// The bytes of the tables.
pub const BYTES: usize = KK_BYTES.end;

/// Whether there is room for the tables in memory of this process, and for `more` bytes beside them.
///
/// # Errors
/// What there is, when there is not.
pub fn check_room(available: Option<AvailableMemory>, more: usize) -> Result<(), NoMemory> {
    is_enough(available.map(|available| available.at_most()), BYTES + more)
}

/// The same for tables in mapped files: the system takes their memory back where it is wanted, so that addresses alone count.
///
/// # Errors
/// See [`check_room`].
pub fn check_addresses(available: Option<AvailableMemory>, more: usize) -> Result<(), NoMemory> {
    is_enough(available.and_then(|available| available.addresses), BYTES + more)
}

fn is_enough(available: Option<u64>, bytes: usize) -> Result<(), NoMemory> {
    match available {
        Some(available) if available < bytes as u64 => {
            let message = format!("{} MiB are available", available >> 20);
            Err(NoMemory { bytes, source: io::Error::new(io::ErrorKind::OutOfMemory, message) })
        }
        _ => Ok(()),
    }
}

/// Tables that are still being filled.
pub struct Blank(MmapMut);

impl Blank {
    /// Tables of zeros.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn new() -> Result<Blank, NoMemory> {
        check_room(AvailableMemory::now(), 0)?;
        memory::zeroed(BYTES, Pages::Large).map(Blank).map_err(|source| NoMemory { bytes: BYTES, source })
    }

    /// King–king entries by Black's and White's king.
    pub fn kk(&mut self) -> &mut [Pair<i32>] {
        bytemuck::cast_slice_mut(&mut self.0[KK_BYTES])
    }

    /// King–king–piece entries by Black's king, White's king and the piece.
    pub fn kkp(&mut self) -> &mut [Pair<i32>] {
        bytemuck::cast_slice_mut(&mut self.0[KKP_BYTES])
    }

    /// King–piece–piece entries by king and the two pieces.
    pub fn kpp(&mut self) -> &mut [Pair<i16>] {
        bytemuck::cast_slice_mut(&mut self.0[KPP_BYTES])
    }

    /// Copies every entry of `table`; each pair of pieces is read once.
    pub fn fill<T: Table + ?Sized>(&mut self, table: &T) {
        let kings = || Square::all().flat_map(|black| Square::all().map(move |white| (black, white)));
        for (entry, (black, white)) in self.kk().iter_mut().zip(kings()) {
            *entry = table.kk(black, white);
        }
        for (row, (black, white)) in self.kkp().as_chunks_mut::<{ Index::COUNT }>().0.iter_mut().zip(kings())
        {
            for (entry, piece) in row.iter_mut().zip(Index::all()) {
                *entry = table.kkp(black, white, piece);
            }
        }
        let rows = self.kpp().as_chunks_mut::<{ Index::COUNT }>().0;
        for (square, king) in Square::all().zip(rows.chunks_exact_mut(Index::COUNT)) {
            for one in Index::all() {
                for other in Index::all().take(one.get()) {
                    let value = table.kpp(square, one, other);
                    king[one.get()][other.get()] = value;
                    king[other.get()][one.get()] = value;
                }
            }
        }
    }

    /// The finished tables.
    ///
    /// # Errors
    /// When the system cannot protect the memory from changes.
    pub fn finish(self) -> Result<Weights, NoMemory> {
        match self.0.make_read_only() {
            Ok(map) => Ok(Weights(Store::Private(map))),
            Err(source) => Err(NoMemory { bytes: BYTES, source }),
        }
    }
}

impl Weights {
    /// Tables in mapped files.
    ///
    /// # Panics
    /// When a file is shorter than its table.
    pub(super) fn in_files(kk: Mmap, kkp: Mmap, kpp: Mmap) -> Weights {
        assert!(kk.len() >= KK_BYTES.len() && kkp.len() >= KKP_BYTES.len() && kpp.len() >= KPP_BYTES.len());
        Weights(Store::Files { kk, kkp, kpp })
    }

    /// Tables in a mapped file, laid out as those in memory.
    ///
    /// # Panics
    /// When the file is shorter than the tables.
    pub(super) fn in_tables_file(map: Mmap) -> Weights {
        assert!(map.len() >= BYTES);
        Weights(Store::TablesFile(map))
    }

    /// Whether other processes with the same files use the same memory.
    pub fn is_shared(&self) -> bool {
        !matches!(self.0, Store::Private(_))
    }

    /// All bytes of tables that are in one piece of memory: KPP, KKP, KK; none of others.
    pub(super) fn bytes(&self) -> &[u8] {
        match &self.0 {
            Store::Private(map) | Store::TablesFile(map) => &map[..BYTES],
            Store::Files { .. } => &[],
        }
    }

    /// All king–king entries: Black's king times 81 plus White's.
    pub fn all_kk(&self) -> &[Pair<i32>] {
        bytemuck::cast_slice(match &self.0 {
            Store::Private(map) | Store::TablesFile(map) => &map[KK_BYTES],
            Store::Files { kk, .. } => &kk[..KK_BYTES.len()],
        })
    }

    /// All king–king–piece entries: as [`all_kk`](Weights::all_kk) times 1,548 plus the piece.
    pub fn all_kkp(&self) -> &[Pair<i32>] {
        bytemuck::cast_slice(match &self.0 {
            Store::Private(map) | Store::TablesFile(map) => &map[KKP_BYTES],
            Store::Files { kkp, .. } => &kkp[..KKP_BYTES.len()],
        })
    }

    /// The king–king–piece entries of these kings, by piece.
    fn kkp_row(&self, black: Square, white: Square) -> &[Pair<i32>; Index::COUNT] {
        let rows = self.all_kkp().as_chunks().0;
        &rows[black.index() * Square::COUNT + white.index()]
    }

    /// All king–piece–piece entries by king, one piece, the other piece.
    pub fn all_kpp(&self) -> &[King] {
        let bytes = match &self.0 {
            Store::Private(map) | Store::TablesFile(map) => &map[KPP_BYTES],
            Store::Files { kpp, .. } => &kpp[..KPP_BYTES.len()],
        };
        bytemuck::cast_slice::<u8, Pair<i16>>(bytes).as_chunks().0.as_chunks().0
    }
}

impl Table for Weights {
    fn kk(&self, black: Square, white: Square) -> Pair<i32> {
        self.all_kk()[black.index() * Square::COUNT + white.index()]
    }

    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        self.kkp_row(black, white)[piece.get()]
    }

    fn kkp_sum(&self, black: Square, white: Square, pieces: &[RowStart]) -> Pair<i32> {
        let row = self.kkp_row(black, white);
        let mut sum = [0; 2];
        for piece in pieces {
            add(&mut sum, row[piece.index().get()]);
        }
        sum
    }

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        self.all_kpp()[king.index()][one.get()][other.get()]
    }

    fn row(&self, king: Square, piece: Index, others: &[RowStart]) -> Pair<i32> {
        rows::sum(&self.all_kpp()[king.index()], piece, others)
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weights({})", if self.is_shared() { "in files" } else { "in memory" })
    }
}
