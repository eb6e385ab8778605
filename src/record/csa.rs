//! CSA, the format of the Computer Shogi Association: `+7776FU`.
//!
//! Versions 2.2 and 3 are read alike. Version 3 adds the first line `'CSA encoding=UTF-8`, fractions of a second
//! (`T12.345`), headers such as `$TIME`, and `%MAX_MOVES`. Comments for programs (`'*`) and for people (`'`) are both
//! kept, and written in the first way.

pub(super) mod moves;
pub(super) mod read;
pub(super) mod value_comment;
pub(super) mod write;

use super::ending::Ending;
use crate::shogi::color::Color;
use crate::shogi::piece::PieceKind;

/// The two letters of a kind.
const PIECES: [(&str, PieceKind); PieceKind::COUNT] = [
    ("FU", PieceKind::Pawn),
    ("KY", PieceKind::Lance),
    ("KE", PieceKind::Knight),
    ("GI", PieceKind::Silver),
    ("KI", PieceKind::Gold),
    ("KA", PieceKind::Bishop),
    ("HI", PieceKind::Rook),
    ("OU", PieceKind::King),
    ("TO", PieceKind::ProPawn),
    ("NY", PieceKind::ProLance),
    ("NK", PieceKind::ProKnight),
    ("NG", PieceKind::ProSilver),
    ("UM", PieceKind::Horse),
    ("RY", PieceKind::Dragon),
];

/// The words after `%`. Illegal moves and actions are missing here, as their words name a side.
const ENDINGS: [(&str, Ending); 12] = [
    ("TORYO", Ending::Resignation),
    ("TSUMI", Ending::Mate),
    ("FUZUMI", Ending::NoMate),
    ("SENNICHITE", Ending::Sennichite),
    ("JISHOGI", Ending::Jishogi),
    ("KACHI", Ending::Declaration),
    ("HIKIWAKE", Ending::Draw),
    ("TIME_UP", Ending::TimeUp),
    ("CHUDAN", Ending::BrokenOff),
    ("MAX_MOVES", Ending::MaxMoves),
    ("MATTA", Ending::TakenBack),
    ("ERROR", Ending::Error),
];

/// The ending for a word after `%`, if `side` is to move.
pub(super) fn ending_of_word(word: &str, side: Color) -> Option<Ending> {
    let illegal = |loser| Some(Ending::Illegal { loser, attempted: None });
    match word {
        "ILLEGAL_MOVE" => illegal(side),
        "+ILLEGAL_ACTION" => illegal(Color::Black),
        "-ILLEGAL_ACTION" => illegal(Color::White),
        _ => ENDINGS.iter().find(|(name, _)| *name == word).map(|(_, ending)| ending.clone()),
    }
}

/// The beginning of shogi-server's comment on the result. The format has no statement for a win by default or for an
/// unknown reason; this comment has, and other programs read it.
const SUMMARY: &str = "summary:";
/// The reason in that comment if a side did not appear.
const FORFEIT: &str = "forfeit";
/// The reason in that comment if a side made an invalid declaration.
const REFUSED: &str = "illegal kachi";
