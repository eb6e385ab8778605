//! How categories are split: by material gain, by what is attacked, by where.
//!
//! The values of each split stand in an order in which neighbours resemble each other: where positions are too few, a
//! split is counted together with its neighbour.

use crate::exchange::values::captured;
use crate::shogi::piece::PieceKind;

/// A way to split a category.
pub(super) trait Split: Copy {
    /// What each value is called in tables, in the order of their indices.
    const NAMES: &'static [&'static str];

    /// The place in [`NAMES`](Self::NAMES).
    fn index(self) -> usize;
}

macro_rules! splits {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $value:ident = $text:literal,)+ })+) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
        pub(super) enum $name { $($(#[$note])* $value,)+ }

        impl Split for $name {
            const NAMES: &'static [&'static str] = &[$($text,)+];

            fn index(self) -> usize {
                self as usize
            }
        }
    )+};
}

splits! {
    /// Whether the move loses material on the square it goes to.
    Safety {
        Safe = "+ or 0",
        Loss = "-",
    }

    /// The sign of the material gain (SEE).
    Outcome {
        Loss = "-",
        Even = "0",
        Gain = "+",
    }

    /// The size of the material gain (SEE), in pieces taken for nothing.
    Size {
        Loss = "-",
        Even = "0",
        Pawn = "+ a pawn",
        Knight = "+ up to a knight",
        Gold = "+ up to a gold",
        Rook = "+ more",
    }

    /// The piece that is attacked, moved away or defended: the dearest where there are several. Promoted pieces stand
    /// with what is worth as much.
    Target {
        Pawn = "pawn",
        Lance = "lance",
        Knight = "knight",
        Silver = "silver",
        Gold = "gold",
        Bishop = "bishop",
        Rook = "rook",
    }

    /// The piece that attacks, by the way it moves.
    AttackerKind {
        Pawn = "by pawn",
        Lance = "by lance",
        Knight = "by knight",
        Silver = "by silver",
        Gold = "by gold",
        Bishop = "by bishop",
        Rook = "by rook",
    }

    /// The two dearest pieces that are attacked at once.
    Fork {
        Minor = "any two",
        Generals = "two generals",
        MajorAndGeneral = "major piece and general",
        Majors = "two major pieces",
        KingAndMinor = "king and any",
        KingAndGeneral = "king and general",
        KingAndMajor = "king and major piece",
    }

    /// From the hand or on the board.
    Manner {
        Drop = "by drop",
        Step = "by move",
    }

    /// From the hand or on the board, pawns apart.
    PawnManner {
        PawnDrop = "pawn drop",
        PawnStep = "pawn move",
        Drop = "other drop",
        Step = "other move",
    }

    /// Where a piece goes that loses nothing by it.
    Approach {
        TheirKing = "towards their king",
        Elsewhere = "elsewhere",
        OurKing = "towards our king",
        Loss = "-",
    }

    /// Where a pawn steps that loses nothing by it.
    PawnStep {
        Contact = "to meet a pawn",
        TheirKing = "near their king",
        BeforeRook = "before the rook",
        Edge = "on the edge",
        Elsewhere = "elsewhere",
        OurKing = "near our king",
        Loss = "-",
    }

    /// How a rook steps that loses nothing by it.
    RookStep {
        File = "along the file",
        Rank = "along the rank",
        Loss = "-",
    }

    /// What a king that is not in check steps for.
    KingStep {
        Danger = "away from danger",
        Castle = "into the castle",
        Entering = "towards their camp",
        Elsewhere = "elsewhere",
    }

    /// Where a piece is dropped that loses nothing by it.
    Place {
        BesideTheirKing = "beside their king",
        NearTheirKing = "near their king",
        TheirCamp = "in their camp",
        Elsewhere = "elsewhere",
        OurCamp = "in our camp",
        NearOurKing = "near our king",
        Loss = "-",
    }

    /// Where a pawn is dropped that loses nothing by it.
    PawnPlace {
        TheirKing = "near their king",
        Dangling = "dangling",
        TheirCamp = "in their camp",
        Elsewhere = "elsewhere",
        OurCamp = "in our camp",
        Bottom = "on the bottom rank",
        OurKing = "near our king",
        Loss = "-",
    }

    /// What a slider behind the moving piece then attacks.
    OpenedLine {
        Attack = "onto a piece",
        Reach = "onto free squares",
    }

    /// What takes the checking piece, and what that gains.
    Taking {
        King = "by king",
        Loss = "-",
        Even = "0",
        Gain = "+",
    }

    /// How many squares a king in check may go to.
    Flights {
        One = "one square",
        Two = "two squares",
        Three = "three squares",
        More = "four squares or more",
    }

    /// What is interposed.
    Interposing {
        PawnDrop = "pawn drop, + or 0",
        PawnLoss = "pawn drop, -",
        Drop = "other drop, + or 0",
        DropLoss = "other drop, -",
        Step = "move, + or 0",
        StepLoss = "move, -",
    }
}

/// What a piece is worth to the side that takes it, by [`captured`]; promoted pieces stand with what is worth as much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Worth {
    Pawn,
    Lance,
    Knight,
    Silver,
    Gold,
    Bishop,
    Rook,
    King,
}

impl Safety {
    pub fn of(see: i32) -> Safety {
        if see < 0 { Safety::Loss } else { Safety::Safe }
    }
}

impl Outcome {
    pub fn of(see: i32) -> Outcome {
        match see.signum() {
            -1 => Outcome::Loss,
            0 => Outcome::Even,
            _ => Outcome::Gain,
        }
    }
}

impl Size {
    pub fn of(see: i32) -> Size {
        match see {
            ..0 => Size::Loss,
            0 => Size::Even,
            _ if see <= captured(PieceKind::Pawn) => Size::Pawn,
            _ if see <= captured(PieceKind::Knight) => Size::Knight,
            _ if see <= captured(PieceKind::Gold) => Size::Gold,
            _ => Size::Rook,
        }
    }
}

impl Worth {
    pub const COUNT: usize = 8;

    pub const ALL: [Worth; Self::COUNT] = [
        Worth::Pawn,
        Worth::Lance,
        Worth::Knight,
        Worth::Silver,
        Worth::Gold,
        Worth::Bishop,
        Worth::Rook,
        Worth::King,
    ];

    /// What a piece of `kind` is worth.
    pub const fn of(kind: PieceKind) -> Worth {
        match kind {
            PieceKind::Pawn => Worth::Pawn,
            PieceKind::Lance | PieceKind::ProPawn => Worth::Lance,
            PieceKind::Knight | PieceKind::ProLance | PieceKind::ProKnight => Worth::Knight,
            PieceKind::Silver | PieceKind::ProSilver => Worth::Silver,
            PieceKind::Gold => Worth::Gold,
            PieceKind::Bishop | PieceKind::Horse => Worth::Bishop,
            PieceKind::Rook | PieceKind::Dragon => Worth::Rook,
            PieceKind::King => Worth::King,
        }
    }
}

impl Target {
    /// A piece of this worth; `None` for the king.
    pub const fn of(worth: Worth) -> Option<Target> {
        Some(match worth {
            Worth::Pawn => Target::Pawn,
            Worth::Lance => Target::Lance,
            Worth::Knight => Target::Knight,
            Worth::Silver => Target::Silver,
            Worth::Gold => Target::Gold,
            Worth::Bishop => Target::Bishop,
            Worth::Rook => Target::Rook,
            Worth::King => return None,
        })
    }
}

impl AttackerKind {
    /// How `kind` moves; `None` for the king.
    pub const fn of(kind: PieceKind) -> Option<AttackerKind> {
        Some(match kind {
            PieceKind::Pawn => AttackerKind::Pawn,
            PieceKind::Lance => AttackerKind::Lance,
            PieceKind::Knight => AttackerKind::Knight,
            PieceKind::Silver => AttackerKind::Silver,
            PieceKind::Bishop | PieceKind::Horse => AttackerKind::Bishop,
            PieceKind::Rook | PieceKind::Dragon => AttackerKind::Rook,
            PieceKind::King => return None,
            _ => AttackerKind::Gold,
        })
    }
}

impl Fork {
    /// The king alone is no fork, and neither is a single piece.
    pub fn of(dearest: Worth, second: Worth) -> Fork {
        let class = |worth| match worth {
            Worth::King => 3,
            Worth::Rook | Worth::Bishop => 2,
            Worth::Gold | Worth::Silver => 1,
            _ => 0,
        };
        match (class(dearest), class(second)) {
            (3, 2) => Fork::KingAndMajor,
            (3, 1) => Fork::KingAndGeneral,
            (3, _) => Fork::KingAndMinor,
            (2, 2) => Fork::Majors,
            (2, 1) => Fork::MajorAndGeneral,
            (1, 1) => Fork::Generals,
            _ => Fork::Minor,
        }
    }
}
