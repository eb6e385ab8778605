//! Kinds of pieces, on the board and in hand.

use super::bitboard::Bitboard;
use super::color::Color;

/// What a piece on the board is, promoted kinds included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// Fu (歩).
    Pawn,
    /// Kyo (香).
    Lance,
    /// Kei (桂).
    Knight,
    /// Gin (銀).
    Silver,
    /// Kin (金).
    Gold,
    /// Kaku (角).
    Bishop,
    /// Hisha (飛).
    Rook,
    /// Gyoku (玉).
    King,
    /// Tokin (と), the promoted pawn.
    ProPawn,
    /// Narikyo (成香).
    ProLance,
    /// Narikei (成桂).
    ProKnight,
    /// Narigin (成銀).
    ProSilver,
    /// Uma (馬), the promoted bishop.
    Horse,
    /// Ryu (竜), the promoted rook.
    Dragon,
}

impl PieceKind {
    /// How many kinds there are.
    pub const COUNT: usize = 14;

    /// Every kind, in the order of their indices.
    pub const ALL: [PieceKind; Self::COUNT] = [
        PieceKind::Pawn,
        PieceKind::Lance,
        PieceKind::Knight,
        PieceKind::Silver,
        PieceKind::Gold,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::King,
        PieceKind::ProPawn,
        PieceKind::ProLance,
        PieceKind::ProKnight,
        PieceKind::ProSilver,
        PieceKind::Horse,
        PieceKind::Dragon,
    ];

    /// Position in [`PieceKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What the piece becomes when it promotes; `None` for gold, king and promoted kinds.
    pub const fn promoted(self) -> Option<PieceKind> {
        Some(match self {
            PieceKind::Pawn => PieceKind::ProPawn,
            PieceKind::Lance => PieceKind::ProLance,
            PieceKind::Knight => PieceKind::ProKnight,
            PieceKind::Silver => PieceKind::ProSilver,
            PieceKind::Bishop => PieceKind::Horse,
            PieceKind::Rook => PieceKind::Dragon,
            _ => return None,
        })
    }

    /// The kind before promotion; itself where it is not promoted.
    pub const fn unpromoted(self) -> PieceKind {
        match self {
            PieceKind::ProPawn => PieceKind::Pawn,
            PieceKind::ProLance => PieceKind::Lance,
            PieceKind::ProKnight => PieceKind::Knight,
            PieceKind::ProSilver => PieceKind::Silver,
            PieceKind::Horse => PieceKind::Bishop,
            PieceKind::Dragon => PieceKind::Rook,
            kind => kind,
        }
    }

    /// Whether this is a promoted kind.
    pub const fn is_promoted(self) -> bool {
        self as u8 > PieceKind::King as u8
    }

    /// Whether the piece moves like a gold: gold and the promoted pawn, lance, knight and silver.
    pub const fn moves_as_gold(self) -> bool {
        matches!(
            self,
            PieceKind::Gold
                | PieceKind::ProPawn
                | PieceKind::ProLance
                | PieceKind::ProKnight
                | PieceKind::ProSilver
        )
    }

    /// The kind that the piece becomes in hand when it is captured; `None` for the king.
    pub const fn hand_kind(self) -> Option<HandKind> {
        Some(match self.unpromoted() {
            PieceKind::Pawn => HandKind::Pawn,
            PieceKind::Lance => HandKind::Lance,
            PieceKind::Knight => HandKind::Knight,
            PieceKind::Silver => HandKind::Silver,
            PieceKind::Gold => HandKind::Gold,
            PieceKind::Bishop => HandKind::Bishop,
            PieceKind::Rook => HandKind::Rook,
            _ => return None,
        })
    }

    /// The kind that was dropped to put this piece on the board; `None` for the king and promoted kinds.
    pub const fn dropped(self) -> Option<HandKind> {
        if self.is_promoted() { None } else { self.hand_kind() }
    }
}

/// A kind of piece that can be held in hand and dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum HandKind {
    /// Fu (歩).
    Pawn,
    /// Kyo (香).
    Lance,
    /// Kei (桂).
    Knight,
    /// Gin (銀).
    Silver,
    /// Kin (金).
    Gold,
    /// Kaku (角).
    Bishop,
    /// Hisha (飛).
    Rook,
}

impl HandKind {
    /// How many kinds there are.
    pub const COUNT: usize = 7;

    /// Every kind, in the order of their indices.
    pub const ALL: [HandKind; Self::COUNT] = [
        HandKind::Pawn,
        HandKind::Lance,
        HandKind::Knight,
        HandKind::Silver,
        HandKind::Gold,
        HandKind::Bishop,
        HandKind::Rook,
    ];

    /// Position in [`HandKind::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind the piece has once it is dropped.
    pub const fn piece_kind(self) -> PieceKind {
        match self {
            HandKind::Pawn => PieceKind::Pawn,
            HandKind::Lance => PieceKind::Lance,
            HandKind::Knight => PieceKind::Knight,
            HandKind::Silver => PieceKind::Silver,
            HandKind::Gold => PieceKind::Gold,
            HandKind::Bishop => PieceKind::Bishop,
            HandKind::Rook => PieceKind::Rook,
        }
    }

    /// How many pieces of the kind are in a full set, both sides together.
    pub const fn in_set(self) -> u8 {
        match self {
            HandKind::Pawn => 18,
            HandKind::Bishop | HandKind::Rook => 2,
            _ => 4,
        }
    }
}

/// A kind of piece and its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// The kind.
    pub kind: PieceKind,
}

impl Piece {
    /// How many different pieces there are: kinds times colours.
    pub const COUNT: usize = 2 * PieceKind::COUNT;

    /// A piece of `color`.
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Piece { color, kind }
    }

    /// The squares from which the piece could never move again: it may neither be dropped there nor arrive unpromoted.
    pub const fn immobile_squares(self) -> Bitboard {
        match self.kind {
            PieceKind::Pawn | PieceKind::Lance => Bitboard::far_ranks(self.color, 1),
            PieceKind::Knight => Bitboard::far_ranks(self.color, 2),
            _ => Bitboard::EMPTY,
        }
    }

    /// 0..28: Black's kinds, then White's.
    pub const fn index(self) -> usize {
        self.color.index() * PieceKind::COUNT + self.kind.index()
    }
}

const _: () = assert!(size_of::<Option<Piece>>() == 2);
