//! The evaluation of YSS 7.0 as terms of a KPPT table, from which learning began.
//!
//! From H. Yamashita, "YSS 7.0: about the data structures and the algorithm" (1998), sections 3.2 to 3.4: values of
//! pieces and hands (table 3), corrections of a piece's value by its distance to either king (tables 4 and 5, the
//! larger counts), entering kings, threats around the king, pins and walls. `docs/internals/evaluation-format.md` lists
//! what a table of pairs cannot express, and which numbers are ours because the paper has none.
//!
//! All values here are in the paper's units: a pawn is 100, which becomes the field's 90.

use super::index::{BOARD_KINDS, Index, IndexedPiece, Place};
use super::material;
use super::sparse::Sparse;
use super::symmetric::{Relative, pair_key};
use super::table::{Pair, SCALE};
use super::terms::Terms;
use crate::shogi::attacks;
use crate::shogi::color::Color;
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::square::Square;

/// The paper's pawn of 100 becomes the field's of 90.
const fn scaled(value: i32) -> i32 {
    value * SCALE * 9 / 10
}

/// Table 3, basic value; promoted pieces with their promotion value. Those that move like a gold share its entries.
const fn basic(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::Pawn => 100,
        PieceKind::Lance => 430,
        PieceKind::Knight => 450,
        PieceKind::Silver => 640,
        PieceKind::Bishop => 890,
        PieceKind::Rook => 1040,
        PieceKind::Horse => 890 + 260,
        PieceKind::Dragon => 1040 + 260,
        PieceKind::King => 0,
        _ => 690,
    }
}

/// Table 3, how much more a piece in hand is worth than on the board. Further golds add 40, 10 and 0; the other kinds
/// take the same shares.
const fn in_hand(kind: HandKind, nth: u8) -> i32 {
    let first = [15, 50, 60, 80, 90, 220, 230][kind.index()];
    match nth {
        1 => first,
        2 => first * 4 / 9,
        3 => first / 9,
        _ => 0,
    }
}

/// Per cent of a piece's value by its place relative to a king: the rows from 8 ranks in front of the king to 8 ranks
/// behind it, the columns by distance in files.
type Rates = [[i32; 9]; 17];

/// Table 4: to the opponent's king.
const TO_THEIR_KING: Rates = [
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
    [62, 60, 58, 52, 50, 50, 50, 50, 50],
    [80, 78, 72, 67, 55, 51, 50, 50, 50],
    [100, 99, 95, 87, 78, 69, 50, 50, 50],
    [140, 130, 110, 100, 95, 75, 54, 50, 50],
    [170, 160, 142, 114, 98, 80, 62, 55, 50],
    [170, 165, 150, 121, 94, 78, 58, 52, 50],
    [170, 145, 137, 115, 91, 75, 57, 50, 50],
    [132, 132, 129, 102, 84, 71, 51, 50, 50],
    [100, 97, 95, 85, 70, 62, 50, 50, 50],
    [90, 85, 80, 68, 60, 53, 50, 50, 50],
    [70, 66, 62, 55, 52, 50, 50, 50, 50],
    [54, 53, 51, 50, 50, 50, 50, 50, 50],
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
];

/// Table 5: to its own king.
const TO_OWN_KING: Rates = [
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
    [56, 53, 50, 50, 50, 50, 50, 50, 50],
    [64, 61, 55, 50, 50, 50, 50, 50, 50],
    [79, 77, 70, 65, 54, 51, 50, 50, 50],
    [100, 99, 95, 87, 74, 58, 50, 50, 50],
    [116, 117, 101, 95, 88, 67, 54, 50, 50],
    [131, 129, 124, 114, 90, 71, 59, 51, 50],
    [137, 138, 132, 116, 96, 76, 61, 53, 50],
    [142, 142, 136, 118, 98, 79, 64, 52, 50],
    [132, 132, 129, 109, 95, 75, 60, 51, 50],
    [121, 120, 105, 97, 84, 66, 54, 50, 50],
    [95, 93, 89, 75, 68, 58, 51, 50, 50],
    [79, 76, 69, 60, 53, 50, 50, 50, 50],
    [64, 61, 55, 51, 50, 50, 50, 50, 50],
    [56, 52, 50, 50, 50, 50, 50, 50, 50],
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
    [50, 50, 50, 50, 50, 50, 50, 50, 50],
];

/// What a king gains by its rank, from its own last rank to the opponent's, on an edge file.
const ENTERED: [i32; 9] = [0, 0, 0, 150, 450, 900, 1300, 1550, 1600];

/// How much of tables 4 and 5 is used, in per cent. With all of it a piece far from both kings is given away for one
/// in hand; half of it won 77 : 18 against material alone where all of it won 38 : 17.
const DISTANCE_SHARE: i32 = 50;
/// How much of [`ENTERED`] is used, in per cent: the paper gives it to kings that are entering, a table to every king
/// that leaves its camp.
const ENTERED_SHARE: i32 = 30;

/// A square beside the king that the opponent attacks with one piece more than defend it.
const THREAT: i32 = 110;
/// What a second attacker of the same square adds.
const SECOND_ATTACKER: i32 = 30;
/// What a defender other than the king subtracts for each attacker.
const DEFENDER: i32 = 45;
/// What a gold or silver in the attacker's hand adds.
const DROP: i32 = 35;
/// A gold or silver beside the king, on the side of the near edge, when the king has not yet got there.
const WALL: i32 = 60;

/// The terms.
pub fn terms() -> Terms {
    let mut terms = without_pairs();
    let mut pairs = Vec::new();
    around_king(&mut pairs);
    pins(&mut pairs);
    terms.pairs = Sparse::new(pairs);
    terms
}

/// The terms without pairs of pieces: what pieces are worth by their distance to both kings, and entering kings. Games
/// against material alone are with the numbers above.
pub fn without_pairs() -> Terms {
    let mut terms = Terms::default();
    for piece in Index::all() {
        terms.piece[piece.get()] = [value_correction(piece), 0];
        for king in Square::all() {
            let place = king.index() * Index::COUNT + piece.get();
            terms.larger[place] = scaled(by_distance(king, piece) * DISTANCE_SHARE / 100);
            terms.king_piece[place] = [near_king(king, piece), 0];
        }
    }
    for black in Square::all() {
        for white in Square::all() {
            let both = scaled(entered(black)) - scaled(entered(white.rotated()));
            terms.kk[black.index() * Square::COUNT + white.index()] = [both, 0];
        }
    }
    terms
}

/// The paper's value of a piece, on the board or in hand, minus the material term.
fn value_correction(piece: Index) -> i32 {
    let IndexedPiece { own, place } = piece.piece();
    let more = match place {
        Place::Hand(_, 0) => 0,
        Place::Hand(kind, nth) => {
            let value = basic(kind.piece_kind()) + in_hand(kind, nth);
            scaled(value) - material::hand_value(kind) * SCALE
        }
        Place::Board(kind, _) => scaled(basic(kind)) - material::board_value(kind) * SCALE,
    };
    if own { more } else { -more }
}

/// What a piece gains or loses for its own side by its place relative to this king, its own or the opponent's.
fn by_distance(king: Square, piece: Index) -> i32 {
    let IndexedPiece { own, place: Place::Board(kind, square) } = piece.piece() else { return 0 };
    let files = king.file().abs_diff(square.file());
    // A lance or knight counts as one rank further forward.
    let advance = match kind {
        PieceKind::Lance | PieceKind::Knight => 1,
        _ => 0,
    };
    let in_front = king.rank() as i32 - square.rank() as i32 + if own { advance } else { -advance };
    let row = (8 - in_front).clamp(0, 16) as usize;
    let rates = if own { &TO_OWN_KING } else { &TO_THEIR_KING };
    let mut rate = rates[row][usize::from(files)] - 100;
    match kind {
        PieceKind::Pawn | PieceKind::Lance | PieceKind::Knight if own => rate /= 2,
        // These reach far, and lose nothing by their distance.
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => rate = rate.max(0),
        _ => {}
    }
    basic(kind) * rate / 100
}

/// What a king, as its side sees the board, has gained on its way to the opponent's camp: less away from the edge.
fn entered(king: Square) -> i32 {
    let from_edge = i32::from(king.file().min(8 - king.file()));
    ENTERED[usize::from(8 - king.rank())] * ENTERED_SHARE / 100 * (10 - from_edge) / 10
}

/// The effect of one piece on the safety of this king: threats to the squares beside it, and walls.
fn near_king(king: Square, piece: Index) -> i32 {
    let IndexedPiece { own, place: Place::Board(kind, square) } = piece.piece() else { return 0 };
    if own {
        return wall(king, kind, square);
    }
    let threats: i32 = attacks::king(king)
        .into_iter()
        .map(|beside| THREAT * weight(king, beside) * reach(Color::White, kind, square, beside) / 16)
        .sum();
    -scaled(threats)
}

fn wall(king: Square, kind: PieceKind, square: Square) -> i32 {
    let toward_edge = match king.file() {
        2 | 3 => -1,
        5 | 6 => 1,
        _ => return 0,
    };
    let beside = [king.offset(toward_edge, 0), king.offset(toward_edge, -1)];
    let blocks = matches!(kind, PieceKind::Gold | PieceKind::Silver) && beside.contains(&Some(square));
    if blocks { -scaled(WALL) } else { 0 }
}

/// How much a square beside the king matters, in quarters: most in front, least behind.
fn weight(king: Square, beside: Square) -> i32 {
    match beside.rank().cmp(&king.rank()) {
        std::cmp::Ordering::Less => 4,
        std::cmp::Ordering::Equal => 3,
        std::cmp::Ordering::Greater => 2,
    }
}

/// How much a piece on `from` threatens `to`, in quarters: less from far away, where lines are often blocked.
fn reach(color: Color, kind: PieceKind, from: Square, to: Square) -> i32 {
    if !attacks::on_empty_board(Piece::new(color, kind), from).contains(to) {
        return 0;
    }
    match distance(from, to) {
        _ if kind == PieceKind::Knight => 4,
        1 => 4,
        2 => 2,
        _ => 1,
    }
}

fn distance(one: Square, other: Square) -> u8 {
    one.file().abs_diff(other.file()).max(one.rank().abs_diff(other.rank()))
}

/// A piece near the king that threatens or defends a square beside it.
struct Reaching {
    piece: Relative,
    quarters: i32,
}

/// Pairs of pieces that meet on a square beside the king. They are made around a king in the middle of the board and
/// hold wherever the pieces fit on it.
fn around_king(pairs: &mut Vec<(u32, Pair<i32>)>) {
    let king = Square::new(4, 4);
    let mut add = |one: Relative, other: Relative, value: i32| {
        if value != 0 {
            pairs.push((pair_key(one, other), [scaled(value), 0]));
        }
    };
    for beside in attacks::king(king) {
        let weight = weight(king, beside);
        let attackers = reaching(king, beside, Color::White);
        let defenders = reaching(king, beside, Color::Black);
        for (place, one) in attackers.iter().enumerate() {
            let worth = |value: i32| value * weight * one.quarters / 16;
            for other in &attackers[..place] {
                add(one.piece, other.piece, -worth(SECOND_ATTACKER) * other.quarters / 4);
            }
            for other in &defenders {
                add(one.piece, other.piece, worth(DEFENDER) * other.quarters / 4);
            }
            for kind in [HandKind::Gold, HandKind::Silver] {
                let hand = Index::hand(Color::Black, Color::White, kind, 1);
                add(one.piece, Relative::of(king, hand), -worth(DROP));
            }
            // On an occupied square an eighth of the piece's value is at risk, in place of the cost of an empty square.
            for kind in BOARD_KINDS {
                let standing = board(Color::Black, kind, beside);
                add(one.piece, Relative::of(king, standing), worth(THREAT - basic(kind) / 8));
            }
        }
    }
}

/// Every piece of `color` that could threaten `beside` from at most two squares away, on every such square.
fn reaching(king: Square, beside: Square, color: Color) -> Vec<Reaching> {
    let mut list = Vec::new();
    for square in Square::all().filter(|&square| square != king && distance(square, beside) <= 2) {
        for kind in BOARD_KINDS {
            let quarters = reach(color, kind, square, beside);
            if quarters > 0 {
                list.push(Reaching { piece: Relative::of(king, board(color, kind, square)), quarters });
            }
        }
    }
    list
}

fn board(color: Color, kind: PieceKind, square: Square) -> Index {
    Index::board(Color::Black, Piece::new(color, kind), square).expect("it is no king")
}

/// Own pieces between the king and an opponent's rook, bishop or lance on its line: the nearer each is to the next,
/// the less likely is something else between them.
fn pins(pairs: &mut Vec<(u32, Pair<i32>)>) {
    // From the corners and the edges every distance occurs in every direction.
    let corners = [Square::new(0, 0), Square::new(0, 8), Square::new(8, 0), Square::new(8, 8)];
    let middles = [Square::new(0, 4), Square::new(4, 0), Square::new(4, 8), Square::new(8, 4)];
    let mut seen = std::collections::BTreeSet::new();
    for king in corners.into_iter().chain(middles) {
        for slider in
            [PieceKind::Rook, PieceKind::Dragon, PieceKind::Bishop, PieceKind::Horse, PieceKind::Lance]
        {
            // White's lance reaches the king from where Black's would go.
            for square in attacks::on_empty_board(Piece::new(Color::Black, slider), king) {
                for between in attacks::between(king, square) {
                    let away = i32::from(distance(king, between)) * i32::from(distance(between, square));
                    for kind in BOARD_KINDS {
                        let pinned = Relative::of(king, board(Color::Black, kind, between));
                        let pinning = Relative::of(king, board(Color::White, slider, square));
                        let key = pair_key(pinned, pinning);
                        let value = basic(kind) / 8 / away;
                        if value > 0 && seen.insert(key) {
                            pairs.push((key, [-scaled(value), 0]));
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's own example: Black's king on 6i, White's golds on 3g and 1i.
    #[test]
    fn distances_count_as_in_the_example_of_the_paper() {
        let gain = |square: &str| {
            let gold = board(Color::White, PieceKind::Gold, square.parse().unwrap());
            by_distance("6i".parse().unwrap(), gold)
        };
        assert_eq!(gain("3g"), 96);
        assert_eq!(gain("1i"), -172);
    }

    #[test]
    fn golds_in_hand_count_as_in_the_paper() {
        let golds: Vec<i32> = (1..=4).map(|nth| in_hand(HandKind::Gold, nth)).collect();
        assert_eq!(golds, [90, 40, 10, 0]);
    }
}
