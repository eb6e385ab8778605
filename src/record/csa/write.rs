//! Writing CSA.

use std::time::Duration;

use super::{ENDINGS, FORFEIT, PIECES, SUMMARY};
use crate::record::encoding::Encoding;
use crate::record::ending::{End, Ending};
use crate::record::game::Record;
use crate::record::handicap::Handicap;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{HandKind, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::setup::Setup;
use crate::shogi::square::Square;

/// The version that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// 2.2: whole seconds.
    V2_2,
    /// 3.0: with the encoding and fractions of a second.
    V3,
}

/// Writes the games, without variations.
pub fn write(records: &[Record], version: Version, encoding: Encoding) -> String {
    let mut text = String::new();
    match (version, encoding) {
        (Version::V2_2, _) => text.push_str("V2.2\n"),
        (Version::V3, Encoding::Utf8) => text.push_str("'CSA encoding=UTF-8\nV3.0\n"),
        (Version::V3, Encoding::ShiftJis) => text.push_str("'CSA encoding=SHIFT_JIS\nV3.0\n"),
    }
    for (index, record) in records.iter().enumerate() {
        if index > 0 {
            text.push_str("/\n");
        }
        game(&mut text, record, version);
    }
    text
}

fn game(text: &mut String, record: &Record, version: Version) {
    for color in Color::ALL {
        if let Some(name) = &record.players()[color] {
            text.push_str(&format!("N{}{name}\n", sign(color)));
        }
    }
    for header in record.headers() {
        text.push_str(&format!("${}:{}\n", header.name, header.value));
    }
    start(text, record.start());
    comments(text, &record.main().comments);
    let mut position = record.start_position();
    for played in &record.main().moves {
        mv(text, &position, played.mv);
        time(text, played.time, version);
        comments(text, &played.comments);
        position.play(played.mv, &mut ());
    }
    if let Some(end) = &record.main().end {
        ending(text, record, end, &position);
        // These endings are written as a comment, which cannot have a time.
        if !matches!(end.ending, Ending::Won(_) | Ending::Forfeit { .. }) {
            time(text, end.time, version);
        }
        comments(text, &end.comments);
    }
}

fn start(text: &mut String, start: &Setup) {
    let even = Handicap::Even.setup();
    if start.board == even.board && start.hands == even.hands {
        text.push_str("PI\n");
    } else {
        for rank in 0..9 {
            text.push_str(&format!("P{}", rank + 1));
            for file in (0..9).rev() {
                match start.board[Square::new(file, rank).index()] {
                    None => text.push_str(" * "),
                    Some(piece) => {
                        text.push(sign(piece.color));
                        text.push_str(letters(piece.kind));
                    }
                }
            }
            text.push('\n');
        }
        for color in Color::ALL {
            let mut held = String::new();
            for kind in HandKind::ALL {
                for _ in 0..start.hands[color][kind.index()] {
                    held.push_str(&format!("00{}", letters(kind.piece_kind())));
                }
            }
            if !held.is_empty() {
                text.push_str(&format!("P{}{held}\n", sign(color)));
            }
        }
    }
    text.push_str(&format!("{}\n", sign(start.side)));
}

fn mv(text: &mut String, position: &Position, mv: Move) {
    text.push_str(&move_words(position, mv));
    text.push('\n');
}

/// The move without the end of its line.
pub fn move_words(position: &Position, mv: Move) -> String {
    let (from, kind) = match mv.origin() {
        Origin::Hand(kind) => ("00".to_string(), Some(kind.piece_kind())),
        Origin::Board(from) => {
            let kind = position.piece_on(from).map(|piece| piece.kind);
            let after = if mv.is_promotion() { kind.and_then(PieceKind::promoted) } else { kind };
            (square(from), after)
        }
    };
    // An illegal move from an empty square has no kind; any will do.
    let kind = letters(kind.unwrap_or(PieceKind::Pawn));
    format!("{}{from}{}{kind}", sign(position.side()), square(mv.to()))
}

fn time(text: &mut String, time: Option<Duration>, version: Version) {
    let Some(time) = time else { return };
    text.push_str(&format!("T{}", time.as_secs()));
    if version == Version::V3 && time.subsec_nanos() > 0 {
        let digits = format!("{:09}", time.subsec_nanos());
        text.push_str(&format!(".{}", digits.trim_end_matches('0')));
    }
    text.push('\n');
}

fn ending(text: &mut String, record: &Record, end: &End, position: &Position) {
    let side = position.side();
    match &end.ending {
        Ending::Illegal { loser, attempted } => {
            if let Some(attempted) = attempted {
                mv(text, position, *attempted);
            }
            if attempted.is_none() && *loser == side {
                text.push_str("%ILLEGAL_MOVE\n");
            } else {
                text.push_str(&format!("%{}ILLEGAL_ACTION\n", sign(*loser)));
            }
        }
        Ending::Won(winner) => summary(text, record, "unknown", *winner),
        Ending::Forfeit { loser } => summary(text, record, FORFEIT, !*loser),
        Ending::Other(word) => text.push_str(&format!("%{word}\n")),
        known => {
            if let Some((word, _)) = ENDINGS.iter().find(|(_, ending)| ending == known) {
                text.push_str(&format!("%{word}\n"));
            }
        }
    }
}

fn summary(text: &mut String, record: &Record, reason: &str, winner: Color) {
    text.push_str(&format!("'{SUMMARY}{reason}"));
    for (color, unnamed) in [(Color::Black, "black"), (Color::White, "white")] {
        // The colon separates the players, so a name must not have one.
        let name = record.players()[color].as_deref().unwrap_or(unnamed).replace(':', " ");
        text.push_str(&format!(":{name} {}", if color == winner { "win" } else { "lose" }));
    }
    text.push('\n');
}

fn comments(text: &mut String, comments: &[String]) {
    for comment in comments {
        text.push_str(&format!("'*{comment}\n"));
    }
}

const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

fn letters(kind: PieceKind) -> &'static str {
    PIECES.iter().find(|(_, k)| *k == kind).map_or("", |(letters, _)| letters)
}

fn square(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}
