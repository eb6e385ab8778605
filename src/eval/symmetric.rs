//! Entries that stand for several places of the KPPT tables at once, by the symmetries of the game.
//!
//! Mirrored left to right, a position is worth the same. With the board rotated and the colours exchanged, the
//! component for the board changes its sign and that for the turn does not. So places form groups, and the entry is at
//! the *least* place of each. KPP entries belong to one side's king, and the formula of the evaluation exchanges the
//! colours there, so only the mirror forms groups; except for pairs of pieces that do not depend on the king.
//!
//! Pieces by their place relative to a king, alone and in pairs.

use super::index::{BOARD_KINDS, Index, IndexedPiece, Place, mirrored};
use super::sparse::Sparse;
use super::table::{Pair, add};
use super::weights::{kpp_key, kpp_place};
use crate::shogi::square::Square;

/// Terms with one entry for each group of places, in 1/32 of a score's unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Symmetric {
    /// Both kings with a piece, by [`kings_piece`].
    pub kkp: Sparse,
    /// Two pieces, whatever the kings' squares, by [`pair`]: part of KPP for every king.
    pub pairs: Sparse,
    /// Two pieces and the zone of a king, by [`zone_pair`].
    pub zones: Sparse,
    /// Two pieces relative to a king, by [`relative_pair`].
    pub relative: Sparse,
    /// A king and two pieces, by [`king_pair`].
    pub kpp: Sparse,
}

/// The entry that a place shares with the others of its group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shared {
    /// The number of the least place of the group.
    pub key: u32,
    /// The sign of the component for the board relative to the least place: 1, -1, or 0 where it is both and so has to
    /// be zero.
    pub sign: i32,
}

impl Shared {
    /// The group of these places; those of `exchanged` have the colours exchanged.
    fn of(alike: [u32; 2], exchanged: [u32; 2]) -> Shared {
        let (alike, exchanged) = (alike[0].min(alike[1]), exchanged[0].min(exchanged[1]));
        Shared { key: alike.min(exchanged), sign: exchanged.cmp(&alike) as i32 }
    }

    /// The value of the place, given that of the group.
    pub fn apply(self, value: Pair<i32>) -> Pair<i32> {
        [value[0].wrapping_mul(self.sign), value[1]]
    }
}

/// The group of both kings: of a place of the KK table.
pub fn kings(black: Square, white: Square) -> Shared {
    let place = |black: Square, white: Square| (black.index() * Square::COUNT + white.index()) as u32;
    let turned = (white.rotated(), black.rotated());
    Shared::of(
        [place(black, white), place(mirrored(black), mirrored(white))],
        [place(turned.0, turned.1), place(mirrored(turned.0), mirrored(turned.1))],
    )
}

/// The group of a piece by itself.
pub fn piece(piece: Index) -> Shared {
    let place = |piece: Index| piece.get() as u32;
    let turned = piece.inverted();
    Shared::of([place(piece), place(piece.mirrored())], [place(turned), place(turned.mirrored())])
}

/// The group of both kings and a piece as Black sees it: of a place of the KKP table.
pub fn kings_piece(black: Square, white: Square, piece: Index) -> Shared {
    let place = |black: Square, white: Square, piece: Index| {
        ((black.index() * Square::COUNT + white.index()) * Index::COUNT + piece.get()) as u32
    };
    let mirror = |(black, white, piece): (Square, Square, Index)| {
        place(mirrored(black), mirrored(white), piece.mirrored())
    };
    let turned = (white.rotated(), black.rotated(), piece.inverted());
    Shared::of(
        [place(black, white, piece), mirror((black, white, piece))],
        [place(turned.0, turned.1, turned.2), mirror(turned)],
    )
}

/// The group of two pieces, in either order.
pub fn pair(one: Index, other: Index) -> Shared {
    let place =
        |one: Index, other: Index| (one.max(other).get() * Index::COUNT + one.min(other).get()) as u32;
    let turned = (one.inverted(), other.inverted());
    Shared::of(
        [place(one, other), place(one.mirrored(), other.mirrored())],
        [place(turned.0, turned.1), place(turned.0.mirrored(), turned.1.mirrored())],
    )
}

/// How many zones there are for a king: three files by three ranks each.
pub const ZONES: usize = 9;

/// The zone of a king's square.
pub const fn zone(king: Square) -> usize {
    (king.file() / 3 * 3 + king.rank() / 3) as usize
}

/// The key of a king's zone and two pieces, as its side sees them, in either order.
pub fn zone_pair(king: Square, one: Index, other: Index) -> u32 {
    let place = |king: Square, one: Index, other: Index| {
        ((zone(king) * Index::COUNT + one.max(other).get()) * Index::COUNT + one.min(other).get()) as u32
    };
    place(king, one, other).min(place(mirrored(king), one.mirrored(), other.mirrored()))
}

/// The key of two pieces relative to a king, in either order.
pub fn relative_pair(one: Relative, other: Relative) -> u32 {
    pair_key(one, other).min(pair_key(one.mirrored(), other.mirrored()))
}

/// The key of a king and two pieces, as its side sees them, in either order: of a place of the KPP table.
pub fn king_pair(king: Square, one: Index, other: Index) -> u32 {
    kpp_key(king, one, other).min(kpp_key(mirrored(king), one.mirrored(), other.mirrored()))
}

impl Symmetric {
    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        [&self.kkp, &self.pairs, &self.zones, &self.relative, &self.kpp].iter().all(|table| table.is_empty())
    }

    /// What this adds to a KKP entry.
    pub fn kkp(&self, black: Square, white: Square, piece: Index) -> Pair<i32> {
        let shared = kings_piece(black, white, piece);
        shared.apply(self.kkp.get(shared.key))
    }

    /// What this adds to a KPP entry, for two different pieces.
    pub fn kpp(&self, king: Square, one: Index, other: Index) -> Pair<i32> {
        let shared = pair(one, other);
        let mut value = shared.apply(self.pairs.get(shared.key));
        add(&mut value, self.zones.get(zone_pair(king, one, other)));
        let (from_king, to) = (Relative::of(king, one), Relative::of(king, other));
        add(&mut value, self.relative.get(relative_pair(from_king, to)));
        add(&mut value, self.kpp.get(king_pair(king, one, other)));
        value
    }

    /// Adds these terms to every place of the KKP table.
    pub fn add_kkp(&self, table: &mut [Pair<i32>]) {
        for (key, value) in self.kkp.iter() {
            let (kings, piece) = (key as usize / Index::COUNT, key as usize % Index::COUNT);
            let (Some(black), Some(white), Some(piece)) = (
                Square::from_index(kings / Square::COUNT),
                Square::from_index(kings % Square::COUNT),
                Index::new(piece),
            ) else {
                continue;
            };
            let turned = (white.rotated(), black.rotated(), piece.inverted());
            let mirror = |(black, white, piece): (Square, Square, Index)| {
                (mirrored(black), mirrored(white), piece.mirrored())
            };
            let group = [(black, white, piece), mirror((black, white, piece)), turned, mirror(turned)];
            for (nth, &(black, white, piece)) in group.iter().enumerate() {
                if group[..nth].contains(&(black, white, piece)) {
                    continue;
                }
                let place = (black.index() * Square::COUNT + white.index()) * Index::COUNT + piece.get();
                add(&mut table[place], kings_piece(black, white, piece).apply(value));
            }
        }
    }

    /// Fills `matrix`, by one piece times 1,548 plus the other, with the terms of pairs and of `king`'s zone.
    pub fn fill_zone(&self, king: Square, matrix: &mut [Pair<i32>]) {
        matrix.fill([0; 2]);
        let mut put = |one: Index, other: Index, value: Pair<i32>| {
            add(&mut matrix[one.get() * Index::COUNT + other.get()], value);
            add(&mut matrix[other.get() * Index::COUNT + one.get()], value);
        };
        for (key, value) in self.pairs.iter() {
            let Some((one, other)) = two_pieces(key as usize) else { continue };
            let turned = (one.inverted(), other.inverted());
            let mirror = |(one, other): (Index, Index)| (one.mirrored(), other.mirrored());
            let group = [(one, other), mirror((one, other)), turned, mirror(turned)];
            for (nth, &(one, other)) in group.iter().enumerate() {
                let before = &group[..nth];
                if !before.contains(&(one, other)) && !before.contains(&(other, one)) {
                    put(one, other, pair(one, other).apply(value));
                }
            }
        }
        for (key, value) in self.zones.iter() {
            let of = key as usize / (Index::COUNT * Index::COUNT);
            let Some((one, other)) = two_pieces(key as usize % (Index::COUNT * Index::COUNT)) else {
                continue;
            };
            if of == zone(king) {
                put(one, other, value);
            }
            let mirror = (one.mirrored(), other.mirrored());
            let same = of == zone(king) && (mirror == (one, other) || mirror == (other, one));
            if of == zone(mirrored(king)) && !same {
                put(mirror.0, mirror.1, value);
            }
        }
    }

    /// Keys and values of [`relative`](Symmetric::relative), those of mirrored places included.
    pub fn all_relative(&self) -> impl Iterator<Item = (u32, Pair<i32>)> {
        self.relative.iter().flat_map(|(key, value)| {
            let mirror = pair_of(key).map(|pair| pair.map(Relative::mirrored));
            let mirror = mirror.map(|[one, other]| pair_key(one, other)).filter(|&mirror| mirror != key);
            std::iter::once((key, value)).chain(mirror.map(|mirror| (mirror, value)))
        })
    }

    /// Calls `put` with king, both pieces and value for each place of the KPP table with an entry in `kpp`.
    pub fn for_places(&self, mut put: impl FnMut(Square, Index, Index, Pair<i32>)) {
        for (key, value) in self.kpp.iter() {
            let (king, one, other) = kpp_place(key);
            put(king, one, other, value);
            let mirror = (mirrored(king), one.mirrored(), other.mirrored());
            if mirror != (king, one, other) && mirror != (king, other, one) {
                put(mirror.0, mirror.1, mirror.2, value);
            }
        }
    }
}

fn two_pieces(key: usize) -> Option<(Index, Index)> {
    Some((Index::new(key / Index::COUNT)?, Index::new(key % Index::COUNT)?))
}

/// A piece by its place relative to a king: kind, owner, and the distance in files and ranks; or a piece in hand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Relative(u16);

/// Distances go from -8 to 8.
const SPAN: usize = 17;
/// The number of the first entry for hands: those for the board come before.
const RELATIVE_HANDS: usize = BOARD_KINDS.len() * 2 * SPAN * SPAN;

impl Relative {
    /// How many there are: 18 pieces at 17 × 17 distances, and 90 entries for hands.
    pub const COUNT: usize = RELATIVE_HANDS + Index::HANDS;

    /// `piece` relative to `king`, both as the king's side sees them.
    pub fn of(king: Square, piece: Index) -> Relative {
        let IndexedPiece { place: Place::Board(_, square), .. } = piece.piece() else {
            return Relative((RELATIVE_HANDS + piece.get()) as u16);
        };
        let away = |to: u8, from: u8| usize::from(to + 8 - from);
        let kind = (piece.get() - Index::HANDS) / Square::COUNT;
        let files = away(square.file(), king.file());
        let ranks = away(square.rank(), king.rank());
        Relative(((kind * SPAN + files) * SPAN + ranks) as u16)
    }

    /// The piece that this is for a king on `king`; `None` where it would be off the board.
    pub fn index(self, king: Square) -> Option<Index> {
        let number = usize::from(self.0);
        if let Some(hand) = number.checked_sub(RELATIVE_HANDS) {
            return Index::new(hand);
        }
        let (files, ranks) = (number / SPAN % SPAN, number % SPAN);
        let square = king.offset(files as i8 - 8, ranks as i8 - 8)?;
        Index::new(Index::HANDS + number / (SPAN * SPAN) * Square::COUNT + square.index())
    }

    /// 0..[`COUNT`](Relative::COUNT).
    pub const fn number(self) -> u32 {
        self.0 as u32
    }

    /// The same with the board mirrored left to right.
    pub const fn mirrored(self) -> Relative {
        let number = self.0 as usize;
        if number >= RELATIVE_HANDS {
            return self;
        }
        let files = number / SPAN % SPAN;
        Relative((number + (SPAN - 1) * SPAN - 2 * files * SPAN) as u16)
    }
}

/// The key of two pieces relative to a king, in either order.
pub fn pair_key(one: Relative, other: Relative) -> u32 {
    u32::from(one.0.max(other.0)) * Relative::COUNT as u32 + u32::from(one.0.min(other.0))
}

/// The pieces of a [`pair_key`]; `None` for a number that is no key.
pub fn pair_of(key: u32) -> Option<[Relative; 2]> {
    let (one, other) = (key as usize / Relative::COUNT, key as usize % Relative::COUNT);
    (other <= one && one < Relative::COUNT).then_some([Relative(one as u16), Relative(other as u16)])
}
