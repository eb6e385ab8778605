//! Japanese words of KIF, KI2 and board diagrams: numbers, squares, pieces, sides, headers.

use crate::shogi::color::Color;
use crate::shogi::piece::PieceKind;
use crate::shogi::square::Square;

/// Files as they are written in moves.
const FULL_WIDTH: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// Ranks as they are written in moves.
const KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// The number 1 to 9 that a digit stands for: ASCII, full-width or Japanese.
pub(super) fn digit(c: char) -> Option<u8> {
    let of = |list: [char; 9]| list.iter().position(|&d| d == c);
    let number = match c {
        '1'..='9' => return Some(c as u8 - b'0'),
        _ => of(FULL_WIDTH).or_else(|| of(KANJI))?,
    };
    Some(number as u8 + 1)
}

/// The square at the start of `text`, two digits of any kind, and the rest of the text.
pub(super) fn square(text: &str) -> Option<(Square, &str)> {
    let mut chars = text.chars();
    let (file, rank) = (digit(chars.next()?)?, digit(chars.next()?)?);
    Some((Square::new(file - 1, rank - 1), chars.as_str()))
}

/// A square as in `７六`.
pub(super) fn square_name(square: Square) -> String {
    [FULL_WIDTH[usize::from(square.file())], rank_name(square.rank())].iter().collect()
}

/// A file counted from 0.
pub(super) fn file_name(file: u8) -> char {
    FULL_WIDTH[usize::from(file)]
}

/// A rank counted from 0.
pub(super) fn rank_name(rank: u8) -> char {
    KANJI[usize::from(rank)]
}

/// The number at the start of `text`, up to 99, in digits (`18`, `１８`) or words (`十八`), and the rest of the text.
pub(super) fn number(text: &str) -> Option<(u8, &str)> {
    let mut value: Option<u8> = None;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let so_far = value.unwrap_or(0);
        let next = match c {
            // Ten stands alone or after the digit of the tens.
            '十' if so_far == 0 => 10,
            '十' if so_far < 10 => so_far * 10,
            '0' | '０' | '〇' => so_far.checked_mul(10)?,
            _ => match digit(c) {
                Some(ones) if so_far >= 10 && so_far.is_multiple_of(10) && KANJI.contains(&c) => {
                    so_far + ones
                }
                Some(ones) => so_far.checked_mul(10)?.checked_add(ones)?,
                None => break,
            },
        };
        if next > 99 {
            return None;
        }
        value = Some(next);
        rest = &rest[c.len_utf8()..];
    }
    value.map(|value| (value, rest))
}

/// A number from 1 to 99 in words.
pub(super) fn number_name(number: u8) -> String {
    let (tens, ones) = (number / 10, number % 10);
    let mut name = String::new();
    if tens > 1 {
        name.push(KANJI[usize::from(tens) - 1]);
    }
    if tens > 0 {
        name.push('十');
    }
    if ones > 0 {
        name.push(KANJI[usize::from(ones) - 1]);
    }
    name
}

/// Names of pieces. The first of each kind is the one that is written. A name comes before the names it begins with.
const PIECES: [(&str, PieceKind); 22] = [
    ("成香", PieceKind::ProLance),
    ("成桂", PieceKind::ProKnight),
    ("成銀", PieceKind::ProSilver),
    ("歩", PieceKind::Pawn),
    ("香", PieceKind::Lance),
    ("桂", PieceKind::Knight),
    ("銀", PieceKind::Silver),
    ("金", PieceKind::Gold),
    ("角", PieceKind::Bishop),
    ("飛", PieceKind::Rook),
    ("玉", PieceKind::King),
    ("王", PieceKind::King),
    ("と", PieceKind::ProPawn),
    ("杏", PieceKind::ProLance),
    ("圭", PieceKind::ProKnight),
    ("全", PieceKind::ProSilver),
    ("馬", PieceKind::Horse),
    ("龍", PieceKind::Dragon),
    ("竜", PieceKind::Dragon),
    // Some programs write these promoted pieces with two characters.
    ("成歩", PieceKind::ProPawn),
    ("成角", PieceKind::Horse),
    ("成飛", PieceKind::Dragon),
];

/// The piece at the start of `text`, and the rest of the text.
pub(super) fn piece(text: &str) -> Option<(PieceKind, &str)> {
    PIECES.iter().find_map(|&(name, kind)| Some((kind, text.strip_prefix(name)?)))
}

/// The name of a piece in moves.
pub(super) fn piece_name(kind: PieceKind) -> &'static str {
    PIECES.iter().find(|(_, k)| *k == kind).map_or("", |(name, _)| name)
}

/// The name of a piece in diagrams, one character.
pub(super) fn piece_on_board(kind: PieceKind) -> &'static str {
    let single = |name: &str| name.chars().nth(1).is_none();
    PIECES.iter().find(|(name, k)| *k == kind && single(name)).map_or("", |(name, _)| name)
}

/// `text` without leading blanks, full-width ones included.
pub(super) fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '　', '\t'])
}

/// The side whose mark begins `text`, and the rest of the text.
pub(super) fn side_mark(text: &str) -> Option<(Color, &str)> {
    let c = text.chars().next()?;
    let color = match c {
        '▲' | '☗' | '▼' => Color::Black,
        '△' | '☖' | '▽' => Color::White,
        _ => return None,
    };
    Some((color, &text[c.len_utf8()..]))
}

/// The name of a side: sente and gote, in handicap games shitate and uwate.
pub(super) fn side_name(color: Color, handicap: bool) -> &'static str {
    match (color, handicap) {
        (Color::Black, false) => "先手",
        (Color::White, false) => "後手",
        (Color::Black, true) => "下手",
        (Color::White, true) => "上手",
    }
}

/// The sides that `text` names or marks, in order, each with its byte offset.
pub(super) fn sides_in(text: &str) -> impl DoubleEndedIterator<Item = (usize, Color)> + '_ {
    let named = |text: &str| {
        let has_name =
            |color| [false, true].iter().any(|&handicap| text.starts_with(side_name(color, handicap)));
        Color::ALL.into_iter().find(|&color| has_name(color))
    };
    text.char_indices().filter_map(move |(at, _)| {
        let rest = &text[at..];
        let marked = side_mark(rest).map(|(color, _)| color);
        Some((at, marked.or_else(|| named(rest))?))
    })
}

/// Headers that CSA and KIF name differently: CSA's name, KIF's name.
const HEADERS: [(&str, &str); 7] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
    ("NOTE", "備考"),
];

/// The name of a header in a record: CSA's if CSA has the header.
pub(super) fn csa_header(name: &str) -> &str {
    HEADERS.iter().find(|(_, kif)| *kif == name).map_or(name, |(csa, _)| csa)
}

/// The name of a header in a KIF file.
pub(super) fn kif_header(name: &str) -> &str {
    HEADERS.iter().find(|(csa, _)| *csa == name).map_or(name, |(_, kif)| kif)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        for n in 1..=99 {
            assert_eq!(number(&number_name(n)), Some((n, "")), "{n}");
            assert_eq!(number(&format!("{n}枚")), Some((n, "枚")), "{n}");
        }
        assert_eq!(number("１８"), Some((18, "")));
        assert_eq!(number("一八"), Some((18, "")));
        for bad in ["", "枚", "100", "九十九九", "99999999999999999999"] {
            assert_eq!(number(bad), None, "{bad}");
        }
    }

    #[test]
    fn pieces_round_trip() {
        for kind in PieceKind::ALL {
            assert_eq!(piece(piece_name(kind)), Some((kind, "")));
            assert_eq!(piece(piece_on_board(kind)), Some((kind, "")));
            assert_eq!(piece_on_board(kind).chars().count(), 1);
        }
    }

    #[test]
    fn squares_are_read_in_any_digits() {
        let expected = "7f".parse().unwrap();
        for text in ["７六", "7六", "76", "７６"] {
            assert_eq!(square(text), Some((expected, "")), "{text}");
        }
        assert_eq!(square_name(expected), "７六");
        assert_eq!(square("0六"), None);
    }
}
