//! The parameters of a term. Places that the board's symmetry makes alike share a parameter; each place has the number of
//! its parameter and a sign.

use std::collections::HashMap;

use super::places::{KINGS_PIECES, PlaceKind, pair_at, pair_row};
use super::snapshot::Snapshot;
use super::term::Term;
use crate::eval::index::{Index, MAX_PIECES, mirrored};
use crate::eval::symmetric::{self, Relative, Shared, pair_of};
use crate::eval::weights;
use crate::shogi::square::Square;

const PAIRS: usize = Index::COUNT * Index::COUNT;
const KING_PIECES: usize = Square::COUNT * Index::COUNT;

/// A parameter's number and the sign of its part for the board; or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParameterRef(u32);

impl ParameterRef {
    pub const NONE: ParameterRef = ParameterRef(u32::MAX);

    fn new(number: u32, sign: i32) -> ParameterRef {
        ParameterRef(number << 2 | (sign + 1) as u32)
    }

    /// The number and the sign.
    pub fn get(self) -> Option<(usize, i32)> {
        (self != ParameterRef::NONE).then_some(((self.0 >> 2) as usize, (self.0 & 3) as i32 - 1))
    }
}

/// The parameters of one term by place.
pub struct SharedParameters {
    pub term: Term,
    pub entries: Vec<ParameterRef>,
    /// The key of each parameter: the number of its least place, or for relative terms its number among all.
    pub keys: Vec<u32>,
}

impl SharedParameters {
    /// Every parameter that the term can have, numbered from 0.
    pub fn all(term: Term) -> SharedParameters {
        match term {
            Term::Kings => by_places(term, weights::KK, |place| {
                let (black, white) = (place / Square::COUNT, place % Square::COUNT);
                Some(symmetric::kings(square(black), square(white)))
            }),
            Term::Piece => by_places(term, Index::COUNT, |place| Some(symmetric::piece(index(place)))),
            Term::KingPiece => by_places(term, KING_PIECES, |place| {
                let (king, piece) = (square(place / Index::COUNT), index(place % Index::COUNT));
                let mirror = mirrored(king).index() * Index::COUNT + piece.mirrored().get();
                Some(Shared { key: place.min(mirror) as u32, sign: 1 })
            }),
            Term::KingPieceRelative => by_keys(term, KING_PIECES, |place| {
                let piece = Relative::of(square(place / Index::COUNT), index(place % Index::COUNT));
                Some(Shared { key: piece.number().min(piece.mirrored().number()), sign: 1 })
            }),
            Term::KingsPiece => by_places(term, weights::KKP, |place| {
                let kings = place / Index::COUNT;
                let (black, white) = (square(kings / Square::COUNT), square(kings % Square::COUNT));
                Some(symmetric::kings_piece(black, white, index(place % Index::COUNT)))
            }),
            Term::Pair => by_places(term, PAIRS, |place| {
                let (one, other) = two(place)?;
                Some(symmetric::pair(one, other))
            }),
            Term::PairRelative => by_keys(term, PAIRS, |place| two(place).and_then(pair_relative)),
            Term::ZonePair => {
                let kings: Vec<Square> = (0..symmetric::ZONES)
                    .filter_map(|zone| Square::all().find(|&king| symmetric::zone(king) == zone))
                    .collect();
                by_places(term, symmetric::ZONES * PAIRS, |place| {
                    let (one, other) = two(place % PAIRS)?;
                    Some(Shared { key: symmetric::zone_pair(kings[place / PAIRS], one, other), sign: 1 })
                })
            }
            Term::RelativePair => by_places(term, Relative::COUNT * Relative::COUNT, |place| {
                let (one, other) = (place / Relative::COUNT, place % Relative::COUNT);
                let [one, other] = pair_of((one.max(other) * Relative::COUNT + one.min(other)) as u32)?;
                Some(Shared { key: symmetric::relative_pair(one, other), sign: 1 })
            }),
            Term::KingPair => by_places(term, weights::KPP, |place| {
                let (king, (one, other)) = (square(place / PAIRS), two(place % PAIRS)?);
                Some(Shared { key: symmetric::king_pair(king, one, other), sign: 1 })
            }),
        }
    }

    /// Keeps the parameters that are `wanted`, in their order, and numbers them from `first`.
    pub fn keep(&mut self, first: usize, wanted: impl Fn(usize) -> bool) {
        let mut next = first as u32;
        let numbers: Vec<Option<u32>> = (0..self.keys.len())
            .map(|number| {
                wanted(number).then(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        for entry in &mut self.entries {
            let kept = entry.get().and_then(|(number, sign)| Some(ParameterRef::new(numbers[number]?, sign)));
            *entry = kept.unwrap_or(ParameterRef::NONE);
        }
        let mut number = 0;
        self.keys.retain(|_| {
            number += 1;
            numbers[number - 1].is_some()
        });
    }

    /// Calls `see` with each parameter of the position and how often it counts for the board, as Black sees it, and for
    /// the turn.
    pub fn visit(&self, position: &Snapshot, see: &mut impl FnMut(usize, i32, i32)) {
        let (black, white) = position.kings();
        let (blacks, inverted) = (position.pieces(), position.inverted());
        let views = [(1, black, blacks), (-1, white.rotated(), &inverted[..blacks.len()])];
        let mut one = |parameter: ParameterRef, times: i32| {
            if let Some((number, sign)) = parameter.get() {
                see(number, sign * times, times.abs());
            }
        };
        match self.term {
            Term::Kings => one(self.entries[black.index() * Square::COUNT + white.index()], 1),
            Term::Piece => blacks.iter().for_each(|&piece| one(self.entries[usize::from(piece)], 1)),
            Term::KingPiece | Term::KingPieceRelative => {
                for (times, king, pieces) in views {
                    let row = &self.entries[king.index() * Index::COUNT..][..Index::COUNT];
                    pieces.iter().for_each(|&piece| one(row[usize::from(piece)], times));
                }
            }
            Term::KingsPiece => {
                let kings = black.index() * Square::COUNT + white.index();
                let row = &self.entries[kings * Index::COUNT..][..Index::COUNT];
                blacks.iter().for_each(|&piece| one(row[usize::from(piece)], 1));
            }
            // Both sides see the pair, each with its own sign: it counts twice.
            Term::Pair | Term::PairRelative => self.pairs(0, blacks, |parameter| one(parameter, 2)),
            Term::ZonePair => {
                for (times, king, pieces) in views {
                    self.pairs(symmetric::zone(king), pieces, |parameter| one(parameter, times));
                }
            }
            Term::KingPair => {
                for (times, king, pieces) in views {
                    self.pairs(king.index(), pieces, |parameter| one(parameter, times));
                }
            }
            Term::RelativePair => {
                for (times, king, pieces) in views {
                    let mut relative = [0; MAX_PIECES];
                    for (relative, &piece) in relative.iter_mut().zip(pieces) {
                        let piece = Index::new(usize::from(piece)).expect("a piece of a snapshot");
                        *relative = Relative::of(king, piece).number() as usize;
                    }
                    for (nth, &piece) in relative[..pieces.len()].iter().enumerate() {
                        let row = &self.entries[piece * Relative::COUNT..][..Relative::COUNT];
                        relative[..nth].iter().for_each(|&other| one(row[other], times));
                    }
                }
            }
        }
    }

    /// Calls `see` with the slot of each of these places, given in rising order, and the parameter there with its sign for
    /// the board. The places are of the tables `kind` and have this king; see [`Seen`](super::places::Seen) for their
    /// numbers. Terms that are no part of these tables have none.
    pub fn at_places(
        &self,
        kind: PlaceKind,
        king: Square,
        places: &[u32],
        see: &mut impl FnMut(usize, usize, i32),
    ) {
        let mut one = |slot: usize, sign: i32, parameter: ParameterRef| {
            if let Some((number, own)) = parameter.get() {
                see(slot, number, own * sign);
            }
        };
        let king_row = |king: Square| &self.entries[king.index() * Index::COUNT..][..Index::COUNT];
        match (kind, self.term) {
            (PlaceKind::Kings, Term::Kings) => {
                let row = &self.entries[king.index() * Square::COUNT..][..Square::COUNT];
                places.iter().for_each(|&white| one(white as usize, 1, row[white as usize]));
            }
            (PlaceKind::KingsPiece, Term::Piece) => {
                for &place in places {
                    one(place as usize, 1, self.entries[place as usize % Index::COUNT]);
                }
            }
            (PlaceKind::KingsPiece, Term::KingPiece | Term::KingPieceRelative) => {
                for &place in places {
                    let (white, piece) =
                        (square(place as usize / Index::COUNT), index(place as usize % Index::COUNT));
                    one(place as usize, 1, king_row(king)[piece.get()]);
                    one(place as usize, -1, king_row(white.rotated())[piece.inverted().get()]);
                }
            }
            (PlaceKind::KingsPiece, Term::KingsPiece) => {
                let block = &self.entries[king.index() * KINGS_PIECES..][..KINGS_PIECES];
                places.iter().for_each(|&place| one(place as usize, 1, block[place as usize]));
            }
            (PlaceKind::Pair, Term::Pair | Term::PairRelative) => self.at_pairs(0, places, one),
            (PlaceKind::Pair, Term::ZonePair) => self.at_pairs(symmetric::zone(king), places, one),
            (PlaceKind::Pair, Term::KingPair) => self.at_pairs(king.index(), places, one),
            (PlaceKind::Pair, Term::RelativePair) => {
                let relative: Vec<usize> =
                    Index::all().map(|piece| Relative::of(king, piece).number() as usize).collect();
                for &place in places {
                    let (larger, smaller) = pair_at(place);
                    let row = &self.entries[relative[larger] * Relative::COUNT..][..Relative::COUNT];
                    one(pair_row(larger) + smaller, 1, row[relative[smaller]]);
                }
            }
            _ => {}
        }
    }

    /// The pairs at these places in the `nth` block of the table.
    fn at_pairs(&self, nth: usize, places: &[u32], mut one: impl FnMut(usize, i32, ParameterRef)) {
        let block = &self.entries[nth * PAIRS..][..PAIRS];
        for &place in places {
            let (larger, smaller) = pair_at(place);
            one(pair_row(larger) + smaller, 1, block[larger * Index::COUNT + smaller]);
        }
    }

    /// Every pair of pieces in the `nth` block of the table.
    fn pairs(&self, nth: usize, pieces: &[u16], mut see: impl FnMut(ParameterRef)) {
        let block = &self.entries[nth * Index::COUNT * Index::COUNT..][..Index::COUNT * Index::COUNT];
        for (nth, &piece) in pieces.iter().enumerate() {
            let row = &block[usize::from(piece) * Index::COUNT..][..Index::COUNT];
            for &other in &pieces[..nth] {
                see(row[usize::from(other)]);
            }
        }
    }
}

fn square(number: usize) -> Square {
    Square::from_index(number).expect("the place of a table")
}

fn index(number: usize) -> Index {
    Index::new(number).expect("the place of a table")
}

/// Two different pieces.
fn two(place: usize) -> Option<(Index, Index)> {
    let (one, other) = (place / Index::COUNT, place % Index::COUNT);
    (one != other).then(|| (index(one), index(other)))
}

/// Two pieces on the board by kinds and distance: the least number in either order, mirrored or not, and with the
/// colours exchanged.
fn pair_relative((one, other): (Index, Index)) -> Option<Shared> {
    // Own and opponent's pieces of a kind follow each other, 81 entries each.
    let parts = |piece: Index| {
        let place = piece.get().checked_sub(Index::HANDS)?;
        let square = square(place % Square::COUNT);
        Some((place / Square::COUNT, i32::from(square.file()), i32::from(square.rank())))
    };
    let ((kind, file, rank), (other_kind, other_file, other_rank)) = (parts(one)?, parts(other)?);
    let (files, ranks) = (other_file - file, other_rank - rank);
    let number = |kind: usize, other: usize, files: i32, ranks: i32| {
        ((kind * 18 + other) as i32 * 289 + (files + 8) * 17 + ranks + 8) as u32
    };
    let least = |exchange: usize, turn: i32| {
        let (kind, other, files, ranks) =
            (kind ^ exchange, other_kind ^ exchange, turn * files, turn * ranks);
        let orders = [number(kind, other, files, ranks), number(other, kind, -files, -ranks)];
        let mirrors = [number(kind, other, -files, ranks), number(other, kind, files, -ranks)];
        orders[0].min(orders[1]).min(mirrors[0]).min(mirrors[1])
    };
    let (alike, exchanged) = (least(0, 1), least(1, -1));
    Some(Shared { key: alike.min(exchanged), sign: exchanged.cmp(&alike) as i32 })
}

/// The parameters of groups whose key is one of their places.
fn by_places(term: Term, count: usize, group: impl Fn(usize) -> Option<Shared>) -> SharedParameters {
    let mut entries = vec![ParameterRef::NONE; count];
    let mut keys = Vec::new();
    for (place, entry) in entries.iter_mut().enumerate() {
        if let Some(shared) = group(place)
            && shared.key as usize == place
        {
            *entry = ParameterRef::new(keys.len() as u32, shared.sign);
            keys.push(place as u32);
        }
    }
    for place in 0..count {
        if entries[place] == ParameterRef::NONE
            && let Some(shared) = group(place)
            && let Some((number, _)) = entries[shared.key as usize].get()
        {
            entries[place] = ParameterRef::new(number as u32, shared.sign);
        }
    }
    SharedParameters { term, entries, keys }
}

/// The parameters of groups with any keys.
fn by_keys(term: Term, count: usize, group: impl Fn(usize) -> Option<Shared>) -> SharedParameters {
    let mut numbers: HashMap<u32, u32> = HashMap::new();
    let mut keys = Vec::new();
    let entries = (0..count)
        .map(|place| {
            let Some(shared) = group(place) else { return ParameterRef::NONE };
            let number = *numbers.entry(shared.key).or_insert_with(|| {
                keys.push(shared.key);
                keys.len() as u32 - 1
            });
            ParameterRef::new(number, shared.sign)
        })
        .collect();
    SharedParameters { term, entries, keys }
}
