//! A KPPT evaluation as a sum of terms with fewer dimensions, small enough for a built-in file.

use std::fmt;

use super::index::Index;
use super::sparse::Sparse;
use super::symmetric::{self, Relative, Symmetric, pair_key, pair_of};
use super::table::{Pair, Table, add};
use super::weights::{Blank, NoMemory, Weights, kpp_key, kpp_place};
use crate::shogi::square::Square;

const KINGS: usize = Square::COUNT;

/// How many entries of KPP belong to one king.
const KING_ENTRIES: usize = Index::COUNT * Index::COUNT;

/// Terms from which every entry of the three tables follows, in the tables' unit, 1/32 of a score's.
///
/// Let b and w be the kings' squares, w' White's as White sees it, i a piece as Black and i' as White sees it. The two
/// components are given apart where they differ:
///
/// - KK(b, w) = `kk`(b, w);
/// - KKP(b, w, i) = `piece`(i) + `king_piece`(b, i) ∓ `king_piece`(w', i') ± max(`larger`(b, i), `larger`(w', i')) +
///   `kkp`(b, w, i). White's part of `king_piece` is subtracted from the first component and added to the second. The
///   maximum belongs to the first alone, and is negative for White's pieces;
/// - KPP(k, i, j) = `pairs`(i relative to k, j relative to k) + `kpp`(k, i, j), clamped to 16 bits.
///
/// The terms of `symmetric` are added to KKP and KPP, before the clamp.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// By Black's king times 81 plus White's.
    pub kk: Vec<Pair<i32>>,
    /// By piece, as Black sees it.
    pub piece: Vec<Pair<i32>>,
    /// By a king times 1,548 plus a piece, as the king's side sees them.
    pub king_piece: Vec<Pair<i32>>,
    /// By a king times 1,548 plus a piece, as the king's side sees them: what the piece's own side gains. Only the king
    /// that gives more counts.
    pub larger: Vec<i32>,
    /// By [`pair_key`] of two pieces relative to a king.
    pub pairs: Sparse,
    /// What was learned, with one entry for all places that the symmetries of the game make equal.
    pub symmetric: Symmetric,
    /// The rest of KKP that the terms above do not cover, by its number in the table.
    pub kkp: Sparse,
    /// The rest of KPP that the terms above do not cover, by its number in the table with the larger piece first.
    pub kpp: Sparse,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            kk: vec![[0; 2]; KINGS * KINGS],
            piece: vec![[0; 2]; Index::COUNT],
            king_piece: vec![[0; 2]; KINGS * Index::COUNT],
            larger: vec![0; KINGS * Index::COUNT],
            pairs: Sparse::default(),
            symmetric: Symmetric::default(),
            kkp: Sparse::default(),
            kpp: Sparse::default(),
        }
    }
}

/// The most entries that a remainder may have. With more, full files are the better form.
const MAX_REST: usize = 4_000_000;

/// Why an evaluation cannot be written as terms and a remainder.
#[derive(Debug)]
pub enum RemainderError {
    /// The remainder has more than 4,000,000 entries.
    TooLarge,
    /// A king and two pieces have different values in the two orders.
    TwoValues(Square, Index, Index),
    /// There is no memory for the comparison.
    Memory(NoMemory),
}

impl fmt::Display for RemainderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemainderError::TooLarge => write!(
                f,
                "the evaluation differs from the terms in more than {MAX_REST} entries: expected one that fits the \
                 compact format"
            ),
            RemainderError::TwoValues(king, one, other) => {
                write!(
                    f,
                    "king {king}, {one}, {other}: two values for one pair; expected the same in either order"
                )
            }
            RemainderError::Memory(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RemainderError {}

impl Terms {
    /// KKP without its remainder.
    fn shared_kkp(&self, black: Square, white: Square, piece: Index, own: bool) -> Pair<i32> {
        let from_black = black.index() * Index::COUNT + piece.get();
        let from_white = white.rotated().index() * Index::COUNT + piece.inverted().get();
        let (blacks, whites) = (self.king_piece[from_black], self.king_piece[from_white]);
        let larger = self.larger[from_black].max(self.larger[from_white]);
        let mut value = self.piece[piece.get()];
        add(&mut value, blacks);
        add(&mut value, [whites[0].wrapping_neg(), whites[1]]);
        add(&mut value, [if own { larger } else { larger.wrapping_neg() }, 0]);
        value
    }

    /// These terms with the remainder of `weights`, so that they expand to exactly these.
    ///
    /// # Errors
    /// When the remainder is too large for this form, or `weights` have two values for one pair.
    pub fn with_rest_of(mut self, weights: &Weights) -> Result<Terms, RemainderError> {
        self.kk.copy_from_slice(weights.all_kk());
        (self.kkp, self.kpp) = (Sparse::default(), Sparse::default());
        let expanded = self.expand().map_err(RemainderError::Memory)?;
        let mut kkp = Vec::new();
        for (key, (there, here)) in weights.all_kkp().iter().zip(expanded.all_kkp()).enumerate() {
            if there != here {
                kkp.push((key as u32, [0, 1].map(|t| there[t].wrapping_sub(here[t]))));
            }
            if kkp.len() > MAX_REST {
                return Err(RemainderError::TooLarge);
            }
        }
        let mut kpp = Vec::new();
        for (king, rows) in Square::all().zip(weights.all_kpp()) {
            for one in Index::all() {
                for other in Index::all().take(one.get()) {
                    let there = rows[one.get()][other.get()];
                    if there != rows[other.get()][one.get()] {
                        return Err(RemainderError::TwoValues(king, one, other));
                    }
                    if there != expanded.kpp(king, one, other) {
                        let here = self.unclamped_kpp(king, one, other);
                        kpp.push((
                            kpp_key(king, one, other),
                            [0, 1].map(|t| i32::from(there[t]).wrapping_sub(here[t])),
                        ));
                    }
                }
            }
            if kpp.len() > MAX_REST {
                return Err(RemainderError::TooLarge);
            }
        }
        self.kkp = Sparse::new(kkp);
        self.kpp = Sparse::new(kpp);
        Ok(self)
    }

    /// All entries in memory.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub fn expand(&self) -> Result<Weights, NoMemory> {
        let mut blank = Blank::new()?;
        blank.kk().copy_from_slice(&self.kk);
        let owners: Vec<bool> = Index::all().map(|piece| piece.piece().own).collect();
        let rows = blank.kkp().as_chunks_mut::<{ Index::COUNT }>().0;
        for (kings, row) in Square::all().zip(rows.chunks_exact_mut(KINGS)) {
            for (white, row) in Square::all().zip(row) {
                for ((entry, piece), &own) in row.iter_mut().zip(Index::all()).zip(&owners) {
                    *entry = self.shared_kkp(kings, white, piece, own);
                }
            }
        }
        self.symmetric.add_kkp(blank.kkp());
        for (key, value) in self.kkp.iter() {
            add(&mut blank.kkp()[key as usize], value);
        }
        self.expand_pairs(blank.kpp());
        blank.finish()
    }

    fn expand_pairs(&self, table: &mut [Pair<i16>]) {
        let around: Sparse = if self.symmetric.relative.is_empty() {
            self.pairs.clone()
        } else {
            Sparse::new(self.pairs.iter().chain(self.symmetric.all_relative()).collect())
        };
        let shared_by_kings = !self.symmetric.pairs.is_empty() || !self.symmetric.zones.is_empty();
        let mut zone = if shared_by_kings { vec![[0; 2]; KING_ENTRIES] } else { Vec::new() };
        let mut clamped_zone: Vec<Pair<i16>> = Vec::new();
        let mut filled = None;
        let mut kings: Vec<Square> = Square::all().collect();
        kings.sort_by_key(|&king| symmetric::zone(king));
        for king in kings {
            let entries = &mut table[king.index() * KING_ENTRIES..][..KING_ENTRIES];
            if shared_by_kings {
                if filled != Some(symmetric::zone(king)) {
                    filled = Some(symmetric::zone(king));
                    self.symmetric.fill_zone(king, &mut zone);
                    clamped_zone = zone.iter().map(|value| value.map(clamped)).collect();
                }
                entries.copy_from_slice(&clamped_zone);
            }
            for (key, value) in around.iter() {
                let Some([one, other]) = pair_of(key) else { continue };
                if let (Some(one), Some(other)) = (one.index(king), other.index(king))
                    && one != other
                {
                    for (one, other) in [(one, other), (other, one)] {
                        let place = one.get() * Index::COUNT + other.get();
                        let mut sum = zone.get(place).copied().unwrap_or_default();
                        add(&mut sum, value);
                        entries[place] = sum.map(clamped);
                    }
                }
            }
        }
        self.expand_places(table);
    }

    /// Adds the entries of single places.
    fn expand_places(&self, table: &mut [Pair<i16>]) {
        let mut put = |king: Square, one: Index, other: Index, value: Pair<i32>| {
            let place = |one: Index, other: Index| {
                (king.index() * Index::COUNT + one.get()) * Index::COUNT + other.get()
            };
            let here = table[place(one, other)];
            // An entry at the limit may have been clamped.
            let whole = here.iter().all(|&part| part != i16::MIN && part != i16::MAX);
            let sum = if whole {
                [0, 1].map(|part| i32::from(here[part]).wrapping_add(value[part]))
            } else {
                self.unclamped_kpp(king, one, other)
            };
            table[place(one, other)] = sum.map(clamped);
            table[place(other, one)] = sum.map(clamped);
        };
        if self.kpp.is_empty() {
            self.symmetric.for_places(put);
            return;
        }
        let mut own: Vec<(u32, Pair<i32>)> = self.kpp.iter().collect();
        self.symmetric.for_places(|king, one, other, value| own.push((kpp_key(king, one, other), value)));
        for (key, value) in Sparse::new(own).iter() {
            let (king, one, other) = kpp_place(key);
            put(king, one, other, value);
        }
    }

    fn unclamped_kpp(&self, king: Square, one: Index, other: Index) -> Pair<i32> {
        let mut value = self.pairs.get(pair_key(Relative::of(king, one), Relative::of(king, other)));
        add(&mut value, self.symmetric.kpp(king, one, other));
        add(&mut value, self.kpp.get(kpp_key(king, one, other)));
        value
    }
}

fn clamped(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

/// Every entry as it is after expansion, computed on demand.
impl Table for Terms {
    fn kk(&self, black: Square, white: Square) -> Pair<i32> {
        self.kk[black.index() * KINGS + white.index()]
    }

    fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        let mut value = self.shared_kkp(black, white, piece, piece.piece().own);
        add(&mut value, self.symmetric.kkp(black, white, piece));
        let kings = black.index() * KINGS + white.index();
        add(&mut value, self.kkp.get((kings * Index::COUNT + piece.get()) as u32));
        value
    }

    fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i16> {
        if one == other {
            return [0; 2];
        }
        self.unclamped_kpp(king, one, other).map(clamped)
    }
}
