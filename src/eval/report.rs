//! An evaluation broken down into its parts, for people.

use std::fmt;

use super::full::{self, Parts};
use super::index::{Index, letter};
use super::material;
use super::table::{SCALE, Table};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::piece::{HandKind, Piece, PieceKind};
use crate::shogi::position::Position;
use crate::shogi::square::Square;

/// The number of contributions that are shown.
const SHOWN: usize = 10;

/// The parts of a position's evaluation. The last line of its text is `eval = N`, for the side to move,
/// in hundredths of a pawn.
pub struct Report {
    side: Color,
    parts: Parts,
    /// Every piece other than kings, the largest contribution first.
    contributions: Vec<Contribution>,
}

/// What one piece adds to the evaluation, in 1/32 of a unit, as Black sees it and without the component for the turn.
pub struct Contribution {
    /// The piece and where it is; `None` for a piece in hand.
    pub square: Option<Square>,
    /// Its owner and kind.
    pub piece: Piece,
    /// Its material value.
    pub material: i32,
    /// Its value with both kings.
    pub kkp: i32,
    /// Half of its value with every other piece, so that the contributions of all pieces add up.
    pub kpp: f64,
}

impl Contribution {
    /// The sum, in 1/32 of a unit.
    pub fn total(&self) -> f64 {
        f64::from(self.material) + f64::from(self.kkp) + self.kpp
    }
}

impl Report {
    /// Breaks down the evaluation of `position` by `table`.
    pub fn new<T: Table + ?Sized>(table: &T, position: &Position) -> Report {
        let kings = PerColor(Color::ALL.map(|color| position.king(color)));
        let mut contributions = contributions(table, position, kings);
        contributions.sort_by(|one, other| other.total().abs().total_cmp(&one.total().abs()));
        Report { side: position.side(), parts: full::parts(table, position), contributions }
    }

    /// The score for the side to move, in units.
    pub fn value(&self) -> i32 {
        self.parts.value(self.side)
    }

    /// The sums.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Every piece other than kings, the largest contribution first.
    pub fn contributions(&self) -> &[Contribution] {
        &self.contributions
    }
}

fn contributions<T: Table + ?Sized>(
    table: &T,
    position: &Position,
    kings: PerColor<Option<Square>>,
) -> Vec<Contribution> {
    let lists = PerColor(Color::ALL.map(|view| full::pieces(position, view)));
    let mut list = Vec::new();
    for (nth, (square, piece)) in pieces(position).into_iter().enumerate() {
        let sign = if piece.color == Color::Black { SCALE } else { -SCALE };
        let mut contribution = Contribution {
            square,
            piece,
            material: sign * material::board_value(piece.kind),
            kkp: 0,
            kpp: 0.0,
        };
        if let PerColor([Some(black), Some(white)]) = kings {
            contribution.kkp = table.kkp(black, white, lists.0[0][nth])[0];
            let with_others = |king: Square, list: &[Index]| -> f64 {
                let others = list.iter().filter(|&&other| other != list[nth]);
                others.map(|&other| f64::from(table.kpp(king, list[nth], other)[0])).sum()
            };
            contribution.kpp =
                (with_others(black, &lists.0[0]) - with_others(white.rotated(), &lists.0[1])) / 2.0;
        }
        list.push(contribution);
    }
    list
}

/// The pieces in the order of [`full::pieces`].
fn pieces(position: &Position) -> Vec<(Option<Square>, Piece)> {
    let mut list = Vec::new();
    for square in Square::all() {
        let piece = position.piece_on(square).filter(|piece| piece.kind.hand_kind().is_some());
        list.extend(piece.map(|piece| (Some(square), piece)));
    }
    for color in Color::ALL {
        for kind in HandKind::ALL {
            let piece = Piece::new(color, kind.piece_kind());
            list.extend((0..position.hand(color).count(kind)).map(|_| (None, piece)));
        }
    }
    list
}

/// A sum in hundredths of a pawn.
fn hundredths(sum: f64) -> f64 {
    sum / f64::from(SCALE) * 100.0 / f64::from(material::board_value(PieceKind::Pawn))
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.parts;
        let kpp = parts.kpp.0[0][0].wrapping_sub(parts.kpp.0[1][0]);
        writeln!(f, "good for Black, a pawn being 100:")?;
        writeln!(f, "  material {:>+9.2}", hundredths(f64::from(parts.material * SCALE)))?;
        writeln!(f, "  KK       {:>+9.2}", hundredths(parts.kk[0].into()))?;
        writeln!(f, "  KKP      {:>+9.2}", hundredths(parts.kkp[0].into()))?;
        writeln!(f, "  KPP      {:>+9.2}", hundredths(kpp.into()))?;
        writeln!(f, "good for the side to move, {:?}:", self.side)?;
        writeln!(f, "  turn     {:>+9.2}", hundredths(parts.turn().into()))?;
        writeln!(f, "largest contributions, good for Black:")?;
        writeln!(f, "  piece        total  material       KKP       KPP")?;
        for contribution in self.contributions.iter().take(SHOWN) {
            let Contribution { square, piece, material, kkp, kpp } = contribution;
            let place = square.map_or_else(|| "hand".to_string(), |square| square.to_string());
            let name = format!("{:?} {} {place}", piece.color, letter(piece.kind));
            let total = hundredths(contribution.total());
            let (material, kkp, kpp) =
                (hundredths((*material).into()), hundredths((*kkp).into()), hundredths(*kpp));
            writeln!(f, "  {name:<13}{total:>+8.2} {material:>+9.2} {kkp:>+9.2} {kpp:>+9.2}")?;
        }
        write!(f, "eval = {}", material::hundredths(self.value()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::yss;
    use crate::shogi::sfen;

    #[test]
    fn contributions_add_up_to_the_evaluation() {
        let table = yss::terms();
        for text in [
            sfen::START,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
            "4k4/9/9/9/4P4/9/9/9/9 b G 1",
        ] {
            let position = sfen::parse(text).unwrap();
            let report = Report::new(&table, &position);
            let sum: f64 = report.contributions().iter().map(Contribution::total).sum();
            let parts = report.parts();
            assert_eq!(sum, f64::from(parts.board() - parts.kk[0]));
            let shown = report.to_string();
            let last = format!("eval = {}", material::hundredths(full::value(&table, &position)));
            assert_eq!(shown.lines().last(), Some(last.as_str()));
        }
    }
}
