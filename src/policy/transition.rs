//! Transition probabilities learned over features of moves.
//!
//! A category's probability says how often moves of its kind are played where they are legal, whatever the other moves
//! are. Here every move of a position has a score, the sum of its features' weights, and its probability is
//! proportional to 2^score (a multinomial logistic model, a softmax to base 2), so that the probabilities of a
//! position's moves add up to one. All arithmetic is in integers, so that every machine finds the same.
//!
//! Powers of two and binary logarithms in 1/256 bit, in integers: the same on every machine.

use std::sync::LazyLock;
use std::{fmt, io};

use super::budget::Budget;
use super::category::CategorySet;
use super::features::FEATURES;
use super::move_context::MoveContext;
use crate::shogi::generate::{self, MoveList, NonPromotions};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::square::Square;
use crate::util::checked_file::{self, CheckedFileError, Kind};

/// A weight for each feature, in 1/256 bit.
#[derive(Clone, PartialEq, Eq)]
pub struct Transitions(Box<[i16]>);

/// How a file of weights is recognised.
pub const KIND: Kind =
    Kind { name: "table of transition probabilities", magic: *b"JITSUTRN", versions: [1, 1] };

static BUILT_IN: &[u8] = include_bytes!("../../eval_files/transitions.jgt");
static BUILT_IN_PLAIN: &[u8] = include_bytes!("../../eval_files/plain-transitions.jgt");
static HUMAN: &[u8] = include_bytes!("../../eval_files/human-transitions.jgt");

/// Why a file of weights could not be read.
#[derive(Debug)]
pub enum TransitionsError {
    /// It is no whole file of this kind.
    CheckedFile(CheckedFileError),
    /// It has this many weights, but the program knows [`FEATURES`] features.
    Features(usize),
}

impl fmt::Display for TransitionsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TransitionsError::CheckedFile(source) => source.fmt(f),
            TransitionsError::Features(found) => write!(f, "{found} weights: expected {FEATURES}"),
        }
    }
}

impl std::error::Error for TransitionsError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            TransitionsError::CheckedFile(source) => source.source(),
            TransitionsError::Features(_) => None,
        }
    }
}

impl fmt::Debug for Transitions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transitions")
    }
}

impl Transitions {
    /// A table of these weights, in the order of the features.
    ///
    /// # Errors
    /// When their number is not [`FEATURES`].
    pub fn new(weights: Vec<i16>) -> Result<Transitions, TransitionsError> {
        match weights.len() {
            FEATURES => Ok(Transitions(weights.into())),
            found => Err(TransitionsError::Features(found)),
        }
    }

    /// The built-in weights of all features.
    pub fn built_in() -> &'static Transitions {
        static WEIGHTS: LazyLock<Transitions> = LazyLock::new(|| Transitions::decode_own(BUILT_IN));
        &WEIGHTS
    }

    /// The built-in weights for the plain features alone.
    pub fn built_in_plain() -> &'static Transitions {
        static WEIGHTS: LazyLock<Transitions> = LazyLock::new(|| Transitions::decode_own(BUILT_IN_PLAIN));
        &WEIGHTS
    }

    /// The built-in weights of all features that were learned from games of people alone, from the first move on.
    pub fn human() -> &'static Transitions {
        static WEIGHTS: LazyLock<Transitions> = LazyLock::new(|| Transitions::decode_own(HUMAN));
        &WEIGHTS
    }

    fn decode_own(bytes: &[u8]) -> Transitions {
        Transitions::decode(bytes).expect("the built-in table was written by this program")
    }

    /// Reads the bytes of a file: the low bytes of all weights in the order of the features, then their high bytes.
    ///
    /// # Errors
    /// See [`TransitionsError`].
    pub fn decode(bytes: &[u8]) -> Result<Transitions, TransitionsError> {
        let (_, contents) = checked_file::decode(KIND, bytes).map_err(TransitionsError::CheckedFile)?;
        let (low, high) = contents.split_at(contents.len() / 2);
        Transitions::new(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
    }

    /// The bytes of a file with these weights.
    ///
    /// # Errors
    /// When the compression fails.
    pub fn encode(&self) -> io::Result<Vec<u8>> {
        let bytes = self.0.iter().map(|weight| weight.to_le_bytes());
        // High bytes resemble each other and compress better together.
        let contents: Vec<u8> =
            bytes.clone().map(|[low, _]| low).chain(bytes.map(|[_, high]| high)).collect();
        checked_file::encode(KIND, KIND.versions[1], &contents)
    }

    /// The weight of a feature, in 1/256 bit.
    ///
    /// # Panics
    /// When there is no such feature.
    pub fn weight(&self, feature: usize) -> i16 {
        self.0[feature]
    }

    /// The score of a legal move, in 1/256 bit, and its categories.
    pub fn score(&self, context: &MoveContext, mv: Move) -> (i32, CategorySet) {
        let mut score = 0;
        let categories = context.features(mv, |feature| score += i32::from(self.0[feature]));
        (score, categories)
    }

    /// The same for a move whose categories are `wanted`; `None` for any other.
    pub fn score_if(
        &self,
        context: &MoveContext,
        mv: Move,
        wanted: impl FnOnce(CategorySet) -> bool,
    ) -> Option<(i32, CategorySet)> {
        let mut score = 0;
        let categories = context.features_if(mv, wanted, |feature| score += i32::from(self.0[feature]))?;
        Some((score, categories))
    }

    /// How probable it is that a strong player plays `mv`: the model was learned from games of professionals and engines. 0
    /// for moves that the search does not look at, which are hardly ever played. `last_to` is where the move before it went.
    pub fn probability(&self, position: &Position, last_to: Option<Square>, mv: Move) -> f64 {
        let scores = self.scores(position, last_to);
        let Some(&(_, own)) = scores.iter().find(|(other, _)| *other == mv) else { return 0.0 };
        (log_sum(scores.iter().map(|(_, score)| *score)) - Budget::new(own)).probability()
    }

    /// The scores, in 1/256 bit, of the moves of a position that the search looks at; it leaves out promotions declined
    /// for nothing. `last_to` is where the move before went.
    pub fn scores(&self, position: &Position, last_to: Option<Square>) -> Vec<(Move, i32)> {
        let mut moves = MoveList::new();
        generate::legal(position, NonPromotions::Useful, &mut moves);
        let context = MoveContext::new(position, last_to);
        moves.iter().map(|&mv| (mv, self.score(&context, mv).0)).collect()
    }

    /// All weights, by feature.
    pub(super) fn as_slice(&self) -> &[i16] {
        &self.0
    }
}

/// The binary logarithm of the sum of 2^score over these scores (log-sum-exp, to base 2). A move of the position costs
/// this minus its own score.
pub fn log_sum(scores: impl Iterator<Item = i32> + Clone) -> Budget {
    match scores.clone().max() {
        Some(highest) => log_sum_up_to(highest, scores),
        None => Budget::ZERO,
    }
}

/// The same, where the highest of the scores is known.
pub fn log_sum_up_to(highest: i32, scores: impl Iterator<Item = i32>) -> Budget {
    // Relative to the highest, so that the sum is at least one and at most as many as there are moves.
    let powers = &*POWERS;
    let sum = scores.map(|score| power_of_minus(powers, (highest - score) as u32)).sum();
    Budget::new(highest + log2(sum))
}

/// Fractional bits of [`exp2_of_minus`].
pub const ONE_BITS: u32 = 32;

/// 2 to the power of 0, 1/256 … 255/256, with 32 fractional bits.
static POWERS: LazyLock<[u64; 256]> = LazyLock::new(|| {
    // IEEE 754 fixes the results of square roots and products, but not those of powers.
    let step = (0..8).fold(2.0f64, |value, _| value.sqrt());
    let mut value = (1u64 << ONE_BITS) as f64;
    std::array::from_fn(|_| {
        let this = value;
        value *= step;
        this as u64
    })
});

/// 2 to the power of minus `bits`, given in 1/256 bit. The result has 32 fractional bits.
pub fn exp2_of_minus(bits: u32) -> u64 {
    power_of_minus(&POWERS, bits)
}

fn power_of_minus(powers: &[u64; 256], bits: u32) -> u64 {
    let (whole, part) = ((bits >> 8) + u32::from(bits & 255 != 0), bits.wrapping_neg() & 255);
    // All powers are under 2 to the power of 63.
    powers[part as usize] >> whole.min(63)
}

/// The binary logarithm in 1/256 bit, rounded down, of a `value` of at least one with 32 fractional bits.
fn log2(value: u64) -> i32 {
    let whole = value.max(1).ilog2().saturating_sub(ONE_BITS);
    let part = POWERS.partition_point(|&power| power <= value >> whole).saturating_sub(1);
    (256 * whole as usize + part) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_of_a_position_add_up_to_one() {
        for scores in [vec![0], vec![-700, -700], vec![300, 1000, 20, -5000, 999], vec![12; 593]] {
            let total = log_sum(scores.iter().copied()).units();
            let sum: f64 = scores.iter().map(|&score| (f64::from(score - total) / 256.0).exp2()).sum();
            assert!((0.995..1.005).contains(&sum), "{scores:?}: {sum}");
        }
        assert_eq!(log_sum([77].into_iter()).units(), 77);
    }

    #[test]
    fn all_moves_together_are_certain() {
        let mut position = Position::start();
        let mut last_to = None;
        for text in ["7g7f", "3c3d", "8h2b+"] {
            let mv: Move = text.parse().unwrap();
            position.play(mv, &mut ());
            last_to = Some(mv.to());
        }
        let of = |mv: Move| Transitions::built_in().probability(&position, last_to, mv);
        let sum: f64 = generate::all_legal(&position).iter().map(|&mv| of(mv)).sum();
        assert!((0.99..1.01).contains(&sum), "{sum}");
        // The bishop is taken back.
        let [usual, odd] = ["3a2b", "5a5b"].map(|text| of(text.parse().unwrap()));
        assert!(usual > 0.4 && odd < 0.1, "{usual} {odd}");
    }

    #[test]
    fn powers_are_close_and_logarithms_invert_them() {
        for bits in [0, 1, 255, 256, 257, 4000] {
            let expected = (f64::from(bits) / -256.0).exp2() * (1u64 << ONE_BITS) as f64;
            assert!((exp2_of_minus(bits) as f64 - expected).abs() <= 2.0, "{bits}");
        }
        assert_eq!(log2(exp2_of_minus(0)), 0);
        assert_eq!(log2(exp2_of_minus(0) * 8), 3 * 256);
    }
}
