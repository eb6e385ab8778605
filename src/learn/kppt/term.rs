//! The terms that an evaluation is the sum of.

use std::fmt;
use std::str::FromStr;

/// A kind of features that share parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// Both kings' squares.
    Kings,
    /// A piece, wherever the kings are.
    Piece,
    /// One king and one piece.
    KingPiece,
    /// A piece by its distance from a king in files and ranks.
    KingPieceRelative,
    /// Both kings and a piece.
    KingsPiece,
    /// Two pieces, wherever the kings are.
    Pair,
    /// Two pieces on the board by their kinds and their distance in files and ranks.
    PairRelative,
    /// Two pieces and in which of nine zones a king is.
    ZonePair,
    /// Two pieces, each by its distance from a king.
    RelativePair,
    /// A king and two pieces.
    KingPair,
}

impl Term {
    /// Every term, those with fewer parameters first.
    pub const ALL: [Term; 10] = [
        Term::Kings,
        Term::Piece,
        Term::KingPiece,
        Term::KingPieceRelative,
        Term::KingsPiece,
        Term::Pair,
        Term::PairRelative,
        Term::ZonePair,
        Term::RelativePair,
        Term::KingPair,
    ];

    /// What the command line calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Kings => "kings",
            Term::Piece => "piece",
            Term::KingPiece => "king-piece",
            Term::KingPieceRelative => "king-piece-relative",
            Term::KingsPiece => "kings-piece",
            Term::Pair => "pair",
            Term::PairRelative => "pair-relative",
            Term::ZonePair => "zone-pair",
            Term::RelativePair => "relative-pair",
            Term::KingPair => "king-pair",
        }
    }

    /// Whether it is of two pieces.
    pub const fn is_of_pairs(self) -> bool {
        use Term::*;
        matches!(self, Pair | PairRelative | ZonePair | RelativePair | KingPair)
    }

    /// How far its parameters are expected to go from where they start, in units of a score.
    pub const fn spread(self) -> f32 {
        match self {
            Term::Kings | Term::Piece => 20.0,
            Term::KingPiece | Term::KingPieceRelative => 10.0,
            Term::KingsPiece => 4.0,
            Term::Pair | Term::PairRelative => 2.0,
            Term::ZonePair | Term::RelativePair => 1.0,
            Term::KingPair => 0.7,
        }
    }
}

/// A term with how far its parameters are expected to go from where they start, in units of a score.
///
/// This is the regularisation: parameters are assumed to be normally distributed with this deviation, so that those in
/// few examples stay near their start. It is also the unit of the steps.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// Which term.
    pub term: Term,
    /// The deviation of the part for the board; of the part for the turn it is half.
    pub units: f32,
}

impl Spread {
    /// The term with its usual deviation.
    pub const fn usual(term: Term) -> Spread {
        Spread { term, units: term.spread() }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.term.name(), self.units)
    }
}

/// `pair` or `pair=1.5`.
impl FromStr for Spread {
    type Err = String;

    fn from_str(text: &str) -> Result<Spread, String> {
        let (name, units) = text.split_once('=').map_or((text, None), |(name, units)| (name, Some(units)));
        let term = Term::ALL.into_iter().find(|term| term.name() == name).ok_or_else(|| {
            let names = Term::ALL.map(Term::name).join(", ");
            format!("term '{name}': expected one of {names}")
        })?;
        let Some(units) = units else { return Ok(Spread::usual(term)) };
        match units.parse() {
            Ok(units) if (0.001..=1000.0).contains(&units) => Ok(Spread { term, units }),
            _ => Err(format!("spread '{units}' of {name}: expected a number from 0.001 to 1000")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_and_spreads_are_read_from_their_texts() {
        for term in Term::ALL {
            let usual = Spread::usual(term);
            assert_eq!(term.name().parse(), Ok(usual));
            assert_eq!(usual.to_string().parse(), Ok(usual));
        }
        for wrong in ["", "pears", "pair=", "pair=-1", "pair=0", "pair=NaN", "pair=inf"] {
            assert!(wrong.parse::<Spread>().is_err(), "{wrong}");
        }
    }
}
