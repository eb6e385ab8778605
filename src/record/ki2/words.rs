//! A move in words, and which move the words mean.
//!
//! A move names the square it goes to and the piece. Where several pieces of the kind could go there, the motion is
//! added (上 up, 寄 sideways, 引 back, as the player sees it); where that does not tell, where the piece comes from
//! (左 left, 直 straight up, 右 right); where neither does, both. Dragons and horses have no 直: of two, one is the
//! left and one the right. 打 marks a drop where a piece on the board could go there too, 成 and 不成 whether a piece
//! promotes that could.
//!
//! "Could go there" means by the way the piece moves. Whether it is pinned does not count when words are written, as
//! in most programs; words by someone who did count it are understood all the same.

use arrayvec::ArrayVec;

use crate::record::japanese;
use crate::shogi::color::Color;
use crate::shogi::moves::{Move, Origin};
use crate::shogi::piece::{Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// Which way a piece goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Motion {
    Up,
    Sideways,
    Back,
}

/// Where a piece comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Left,
    Straight,
    Right,
}

/// Words for a move, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::record) struct Words {
    to: Square,
    kind: PieceKind,
    side: Option<Side>,
    motion: Option<Motion>,
    /// Whether it says 成 or 不成.
    promotes: Option<bool>,
    is_drop: bool,
}

/// Why words do not mean one legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::record) enum Misread {
    /// They fit several.
    Ambiguous(Vec<Move>),
    /// They fit none that is legal; this is what they must have meant, if that can be told.
    Illegal(Option<Move>),
}

/// Pieces of a kind that could go to a square. Eighteen promoted pawns do not fit around one.
type Origins = ArrayVec<Square, 18>;

impl Words {
    /// Takes words apart, the mark of the side left off; `last_to` is where 同 points.
    pub fn parse(text: &str, last_to: Option<Square>) -> Option<Words> {
        let text = text.trim();
        let (to, rest) = match text.strip_prefix('同') {
            Some(rest) => (last_to?, rest),
            // Some write both: ７六同歩.
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

    /// The one legal move that the words mean.
    pub fn resolve(&self, position: &Position) -> Result<Move, Misread> {
        let drop = || Some(Move::drop(self.kind.dropped()?, self.to));
        if self.is_drop {
            let drop = drop().ok_or(Misread::Illegal(None))?;
            return if position.is_legal(drop) { Ok(drop) } else { Err(Misread::Illegal(Some(drop))) };
        }
        let origins = origins(position, self.kind, self.to);
        let mv = |from: Square| match self.promotes {
            Some(true) => Move::promoting(from, self.to),
            _ => Move::board(from, self.to),
        };
        let legal: Origins = origins.iter().copied().filter(|&from| position.is_legal(mv(from))).collect();
        // First as written by those who count every piece, then by those who count only pieces that may move.
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
            // What breaks a rule: a piece that could go there, else a drop of what the hand has.
            _ => Err(Misread::Illegal(fitting.first().map(|&from| mv(from)).or(drop.filter(|drop| {
                drop.dropped().is_some_and(|kind| position.hand(position.side()).has(kind))
            })))),
        }
    }

    /// Those of the origins that motion and side leave.
    fn fitting(&self, origins: &Origins, color: Color) -> Origins {
        let to = self.to;
        let mut left: Origins = origins.clone();
        if let Some(wanted) = self.motion {
            left.retain(|&mut from| motion(color, from, to) == wanted);
        }
        let Some(wanted) = self.side else { return left };
        if is_big(self.kind) && wanted != Side::Straight {
            return outermost(&left, color, wanted).into_iter().collect();
        }
        // Straight (直) is straight up: what goes straight back is told by that (引).
        let fits = |from| {
            side(color, from, to) == wanted
                && (wanted != Side::Straight || motion(color, from, to) == Motion::Up)
        };
        let by_side: Origins = left.iter().copied().filter(|&from| fits(from)).collect();
        // Of two silvers on one side of their goal the outer may be called the left, too.
        if by_side.is_empty() && wanted != Side::Straight {
            return outermost(&left, color, wanted).into_iter().collect();
        }
        by_side
    }
}

/// A legal move in words, with the mark of the side.
pub(in crate::record) fn write(position: &Position, mv: Move, last_to: Option<Square>) -> String {
    let color = position.side();
    let to = mv.to();
    let (kind, others, from) = match mv.origin() {
        Origin::Board(from) => {
            let kind = position.piece_on(from).map_or(PieceKind::Pawn, |piece| piece.kind);
            (kind, origins(position, kind, to), Some(from))
        }
        Origin::Hand(kind) => (kind.piece_kind(), origins(position, kind.piece_kind(), to), None),
    };
    let mut words = String::from(if color == Color::Black { '▲' } else { '△' });
    match last_to {
        Some(last) if last == to => words.push_str("同　"),
        _ => words.push_str(&japanese::square_name(to)),
    }
    words.push_str(japanese::piece_name(kind));
    let Some(from) = from else {
        words.push_str(if others.is_empty() { "" } else { "打" });
        return words;
    };
    words.push_str(which(color, kind, from, to, &others));
    if mv.is_promotion() {
        words.push('成');
    } else if kind.promoted().is_some() && (from.in_promotion_zone(color) || to.in_promotion_zone(color)) {
        words.push_str("不成");
    }
    words
}

/// A move that is not legal in words, if the words lead back to it.
pub(in crate::record) fn write_illegal(
    position: &Position,
    mv: Move,
    last_to: Option<Square>,
) -> Option<String> {
    let mut words = write(position, mv, last_to);
    if mv.is_drop() && !words.ends_with('打') {
        words.push('打');
    }
    let (_, unmarked) = japanese::side_mark(&words)?;
    let read = Words::parse(unmarked, last_to)?.resolve(position);
    (read == Err(Misread::Illegal(Some(mv)))).then_some(words)
}

/// The words that tell the piece on `from` from the `others` that could go there (itself among them).
fn which(color: Color, kind: PieceKind, from: Square, to: Square, others: &Origins) -> &'static str {
    let count = |fits: &dyn Fn(Square) -> bool| others.iter().filter(|&&other| fits(other)).count();
    if others.len() < 2 {
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
        return if outermost(others, color, Side::Left) == Some(from) { "左" } else { "右" };
    }
    let own_side = side(color, from, to);
    let by_side = count(&|other| side(color, other, to) == own_side);
    match (own_side, own_motion) {
        // Straight up is one piece at most; straight back only a gold goes, and no other piece beside it.
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

/// Where pieces of the kind stand that move to `to`, pinned or not.
fn origins(position: &Position, kind: PieceKind, to: Square) -> Origins {
    let piece = Piece::new(position.side(), kind);
    if position.of_color(piece.color).contains(to) {
        return Origins::new();
    }
    let attackers = position.attackers(to, piece.color, position.occupied());
    (attackers & position.of_piece(piece)).into_iter().collect()
}

/// Files to the player's left and ranks ahead that lie between the squares.
fn way(color: Color, from: Square, to: Square) -> (i8, i8) {
    let (files, ranks) = (from.file() as i8 - to.file() as i8, from.rank() as i8 - to.rank() as i8);
    match color {
        Color::Black => (files, ranks),
        Color::White => (-files, -ranks),
    }
}

fn motion(color: Color, from: Square, to: Square) -> Motion {
    match way(color, from, to).1 {
        1.. => Motion::Up,
        0 => Motion::Sideways,
        _ => Motion::Back,
    }
}

fn side(color: Color, from: Square, to: Square) -> Side {
    match way(color, from, to).0 {
        1.. => Side::Left,
        0 => Side::Straight,
        _ => Side::Right,
    }
}

/// The origin furthest to that side.
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
    fn words_of_the_rules() {
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
    fn words_with_pinned_pieces_left_out_of_account() {
        // The gold on 5h is pinned, so no word need tell it from the other, nor the drop from it.
        let position = sfen::parse("4k4/9/9/9/4r4/9/9/4G4/3GK4 b - 1").unwrap();
        assert_eq!(read(&position, "▲６八金"), Ok("6i6h".parse().unwrap()));
        let position = sfen::parse("4k4/9/9/9/4r4/9/9/4G4/4K4 b G 1").unwrap();
        assert_eq!(read(&position, "▲４八金"), Ok("G*4h".parse().unwrap()));
    }

    #[test]
    fn too_many_words_do_no_harm_and_too_few_do() {
        let position = sfen::parse("8k/9/3GGG3/9/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(read(&position, "▲５二金左上"), Ok("6c5b".parse().unwrap()));
        assert_eq!(read(&position, "▲５二金直行"), Ok("5c5b".parse().unwrap()));
        assert!(matches!(read(&position, "▲５二金"), Err(Misread::Ambiguous(moves)) if moves.len() == 3));
        assert!(matches!(read(&position, "▲５二金上"), Err(Misread::Ambiguous(moves)) if moves.len() == 3));
        assert!(matches!(read(&position, "▲５二金引"), Err(Misread::Illegal(_))));
        assert_eq!(read(&position, "▲５五金"), Err(Misread::Illegal(None)));
    }
}
