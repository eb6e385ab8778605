//! Moves in words.
//!
//! The words name the destination and the piece. If several pieces of that kind can reach the square, they also name
//! the motion (上 up, 寄 sideways, 引 back, as the player sees it). If that is not enough, they name the side that the
//! piece comes from instead (左 left, 直 straight up, 右 right); if neither is enough, both. Dragons and horses have no 直:
//! of two, one is the left and one the right. 打 marks a drop if a piece on the board can reach the square too; 成 and
//! 不成 say whether a piece that can promote does.
//!
//! "Can reach" ignores pins when words are written, as in most programs. Words that take pins into account are read too.

use arrayvec::ArrayVec;

use crate::record::japanese;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// The direction of a move, as the player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Motion {
    Up,
    Sideways,
    Back,
}

/// The side from which a piece comes, as the player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Straight,
    Right,
}

/// The parsed words of a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    to: Square,
    kind: PieceKind,
    side: Option<Side>,
    motion: Option<Motion>,
    /// 成 (true) or 不成 (false).
    promotes: Option<bool>,
    is_drop: bool,
}

/// Why words do not mean one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misread {
    /// They fit several moves.
    Ambiguous(Vec<Move>),
    /// They fit no legal move. This is the illegal move that they mean, if they fit one.
    Illegal(Option<Move>),
}

/// The squares of the pieces of a kind that can reach a square. There are at most eighteen pieces of a kind.
type Origins = ArrayVec<Square, 18>;

impl Words {
    /// Parses words without the mark of the side. `last_to` is the square that 同 stands for.
    pub fn parse(text: &str, last_to: Option<Square>) -> Option<Words> {
        let text = text.trim();
        let (to, rest) = match text.strip_prefix('同') {
            Some(rest) => (last_to?, rest),
            // Some programs write both: ７六同歩.
            None => {
                let (to, rest) = japanese::square(text)?;
                (to, rest.strip_prefix('同').unwrap_or(rest))
            }
        };
        let (kind, mut rest) = japanese::piece(japanese::skip_blanks(rest))?;
        let mut words = Words { to, kind, side: None, motion: None, promotes: None, is_drop: false };
        loop {
            rest = japanese::skip_blanks(rest);
            if let Some(after) = rest.strip_prefix("不成") {
                words.promotes = Some(false);
                rest = after;
                continue;
            }
            let Some(c) = rest.chars().next() else { break };
            match c {
                '左' => words.side = Some(Side::Left),
                '直' => words.side = Some(Side::Straight),
                '右' => words.side = Some(Side::Right),
                '上' | '行' | '入' => words.motion = Some(Motion::Up),
                '寄' => words.motion = Some(Motion::Sideways),
                '引' | '下' => words.motion = Some(Motion::Back),
                '成' => words.promotes = Some(true),
                '生' => words.promotes = Some(false),
                '打' => words.is_drop = true,
                _ => return None,
            }
            rest = &rest[c.len_utf8()..];
        }
        Some(words)
    }

    /// The legal move that the words mean.
    pub fn resolve(&self, position: &Position) -> Result<Move, Misread> {
        let drop = || Some(Move::drop(self.kind.dropped()?, self.to));
        if self.is_drop {
            let drop = drop().ok_or(Misread::Illegal(None))?;
            return if position.is_legal(drop) { Ok(drop) } else { Err(Misread::Illegal(Some(drop))) };
        }
        let origins = origins_of(position, self.kind, self.to);
        let mv = |from: Square| match self.promotes {
            Some(true) => Move::promoting(from, self.to),
            _ => Move::board(from, self.to),
        };
        let legal: Origins = origins.iter().copied().filter(|&from| position.is_legal(mv(from))).collect();
        // First as if the words ignored pins, then as if they took them into account.
        let mut fitting = Origins::new();
        for among in [&origins, &legal] {
            fitting = self.fitting(among, position.side());
            let able: Origins = fitting.iter().copied().filter(|from| legal.contains(from)).collect();
            match able[..] {
                [from] => return Ok(mv(from)),
                [] => {}
                _ => return Err(Misread::Ambiguous(able.iter().map(|&from| mv(from)).collect())),
            }
            fitting = if fitting.is_empty() { origins.clone() } else { fitting };
        }
        let is_bare = self.side.is_none() && self.motion.is_none() && self.promotes.is_none();
        let drop = drop().filter(|_| is_bare);
        match drop {
            Some(drop) if position.is_legal(drop) => Ok(drop),
            // An illegal move: that of a piece that can reach the square, else a drop of a piece in hand.
            _ => Err(Misread::Illegal(fitting.first().map(|&from| mv(from)).or(drop.filter(|drop| {
                drop.dropped().is_some_and(|kind| position.hand(position.side()).has(kind))
            })))),
        }
    }

    /// The origins that fit motion and side.
    fn fitting(&self, origins: &Origins, color: Color) -> Origins {
        let to = self.to;
        let mut fitting: Origins = origins.clone();
        if let Some(wanted) = self.motion {
            fitting.retain(|&mut from| motion(color, from, to) == wanted);
        }
        let Some(wanted) = self.side else { return fitting };
        if is_big(self.kind) && wanted != Side::Straight {
            return outermost(&fitting, color, wanted).into_iter().collect();
        }
        // Straight (直) means straight up; a piece that moves straight back has 引.
        let fits = |from| {
            side(color, from, to) == wanted
                && (wanted != Side::Straight || motion(color, from, to) == Motion::Up)
        };
        let by_side: Origins = fitting.iter().copied().filter(|&from| fits(from)).collect();
        // If no piece comes from that side, the outermost one is meant: of two silvers on the right, one is the left.
        if by_side.is_empty() && wanted != Side::Straight {
            return outermost(&fitting, color, wanted).into_iter().collect();
        }
        by_side
    }
}

/// The words of a legal move, with the mark of the side.
pub fn write(position: &Position, mv: Move, last_to: Option<Square>) -> String {
    let color = position.side();
    let to = mv.to();
    let (kind, origins, from) = match mv.origin() {
        Origin::Board(from) => {
            let kind = position.piece_on(from).map_or(PieceKind::Pawn, |piece| piece.kind);
            (kind, origins_of(position, kind, to), Some(from))
        }
        Origin::Hand(kind) => (kind.piece_kind(), origins_of(position, kind.piece_kind(), to), None),
    };
    let mut words = String::from(if color == Color::Black { '▲' } else { '△' });
    match last_to {
        Some(last) if last == to => words.push_str("同　"),
        _ => words.push_str(&japanese::square_name(to)),
    }
    words.push_str(japanese::piece_name(kind));
    let Some(from) = from else {
        words.push_str(if origins.is_empty() { "" } else { "打" });
        return words;
    };
    words.push_str(distinguishing_words(color, kind, from, to, &origins));
    if mv.is_promotion() {
        words.push('成');
    } else if kind.promoted().is_some() && (from.in_promotion_zone(color) || to.in_promotion_zone(color)) {
        words.push_str("不成");
    }
    words
}

/// The words of an illegal move, if reading them gives the same move.
pub fn write_illegal(position: &Position, mv: Move, last_to: Option<Square>) -> Option<String> {
    let mut words = write(position, mv, last_to);
    if mv.is_drop() && !words.ends_with('打') {
        words.push('打');
    }
    let (_, unmarked) = japanese::side_mark(&words)?;
    let read = Words::parse(unmarked, last_to)?.resolve(position);
    (read == Err(Misread::Illegal(Some(mv)))).then_some(words)
}

/// The words that distinguish the piece on `from` among all `origins`.
fn distinguishing_words(
    color: Color,
    kind: PieceKind,
    from: Square,
    to: Square,
    origins: &Origins,
) -> &'static str {
    let count = |fits: &dyn Fn(Square) -> bool| origins.iter().filter(|&&other| fits(other)).count();
    if origins.len() < 2 {
        return "";
    }
    let own_motion = motion(color, from, to);
    if count(&|other| motion(color, other, to) == own_motion) == 1 {
        return match own_motion {
            Motion::Up => "上",
            Motion::Sideways => "寄",
            Motion::Back => "引",
        };
    }
    if is_big(kind) {
        return if outermost(origins, color, Side::Left) == Some(from) { "左" } else { "右" };
    }
    let own_side = side(color, from, to);
    let by_side = count(&|other| side(color, other, to) == own_side);
    match (own_side, own_motion) {
        // At most one piece moves straight up. Straight back only golds move, and 引 alone names them.
        (Side::Straight, _) => "直",
        (Side::Left, _) if by_side == 1 => "左",
        (Side::Right, _) if by_side == 1 => "右",
        (Side::Left, Motion::Up) => "左上",
        (Side::Left, Motion::Sideways) => "左寄",
        (Side::Left, Motion::Back) => "左引",
        (Side::Right, Motion::Up) => "右上",
        (Side::Right, Motion::Sideways) => "右寄",
        (Side::Right, Motion::Back) => "右引",
    }
}

/// Dragons and horses.
const fn is_big(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Horse | PieceKind::Dragon)
}

/// The squares of the pieces of the kind that can reach `to`, pinned or not.
fn origins_of(position: &Position, kind: PieceKind, to: Square) -> Origins {
    let piece = Piece::new(position.side(), kind);
    if position.of_color(piece.color).contains(to) {
        return Origins::new();
    }
    let attackers = position.attackers(to, piece.color, position.occupied());
    (attackers & position.of_piece(piece)).into_iter().collect()
}

/// How many files to the left and ranks behind the destination the piece comes from, as the player sees it.
fn displacement(color: Color, from: Square, to: Square) -> (i8, i8) {
    let (files, ranks) = (from.file() as i8 - to.file() as i8, from.rank() as i8 - to.rank() as i8);
    match color {
        Color::Black => (files, ranks),
        Color::White => (-files, -ranks),
    }
}

fn motion(color: Color, from: Square, to: Square) -> Motion {
    match displacement(color, from, to).1 {
        1.. => Motion::Up,
        0 => Motion::Sideways,
        _ => Motion::Back,
    }
}

fn side(color: Color, from: Square, to: Square) -> Side {
    match displacement(color, from, to).0 {
        1.. => Side::Left,
        0 => Side::Straight,
        _ => Side::Right,
    }
}

/// The origin furthest to the side `wanted`.
fn outermost(origins: &Origins, color: Color, wanted: Side) -> Option<Square> {
    let leftness = |&from: &Square| match color {
        Color::Black => from.file() as i8,
        Color::White => -(from.file() as i8),
    };
    match wanted {
        Side::Left => origins.iter().copied().max_by_key(leftness),
        Side::Right => origins.iter().copied().min_by_key(leftness),
        Side::Straight => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::sfen;

    fn read(position: &Position, words: &str) -> Result<Move, Misread> {
        let (_, words) = japanese::side_mark(words).unwrap();
        Words::parse(words, None).unwrap().resolve(position)
    }

    #[test]
    fn words_follow_the_rules() {
        for case in include_str!("../../../tests/data/records/ki2_words.tsv").lines() {
            if case.starts_with('#') {
                continue;
            }
            let fields: Vec<&str> = case.split('\t').collect();
            let [sfen, mv, words] = fields[..] else { panic!("{case}") };
            let position = sfen::parse(sfen).unwrap_or_else(|error| panic!("{case}: {error}"));
            let mv = mv.parse().unwrap();
            assert!(position.is_legal(mv), "{case}");
            assert_eq!(write(&position, mv, None), words, "{case}");
            assert_eq!(read(&position, words), Ok(mv), "{case}");
        }
    }

    #[test]
    fn words_that_take_pins_into_account_are_read() {
        // The gold on 5h is pinned, so words need not distinguish it from the other gold or from a drop.
        let position = sfen::parse("4k4/9/9/9/4r4/9/9/4G4/3GK4 b - 1").unwrap();
        assert_eq!(read(&position, "▲６八金"), Ok("6i6h".parse().unwrap()));
        let position = sfen::parse("4k4/9/9/9/4r4/9/9/4G4/4K4 b G 1").unwrap();
        assert_eq!(read(&position, "▲４八金"), Ok("G*4h".parse().unwrap()));
    }

    #[test]
    fn superfluous_words_are_read_and_missing_words_are_errors() {
        let position = sfen::parse("8k/9/3GGG3/9/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(read(&position, "▲５二金左上"), Ok("6c5b".parse().unwrap()));
        assert_eq!(read(&position, "▲５二金直行"), Ok("5c5b".parse().unwrap()));
        assert!(matches!(read(&position, "▲５二金"), Err(Misread::Ambiguous(moves)) if moves.len() == 3));
        assert!(matches!(read(&position, "▲５二金上"), Err(Misread::Ambiguous(moves)) if moves.len() == 3));
        assert!(matches!(read(&position, "▲５二金引"), Err(Misread::Illegal(_))));
        assert_eq!(read(&position, "▲５五金"), Err(Misread::Illegal(None)));
    }
}
