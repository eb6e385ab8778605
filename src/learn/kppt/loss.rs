//! The losses: how wrong an evaluation is, and in which direction it should change.

use serde::{Deserialize, Serialize};

/// The weights of the losses.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Loss {
    /// The value, in units, at which a side is expected to win e times as often as it loses.
    pub scale: f64,
    /// The weight of a search's score in the target of a judged position; the rest is the result of the game.
    pub mix: f64,
    /// The value, in units, by which a move has to be better for an alternative to count e times less than the move.
    pub move_scale: f64,
    /// What an alternative to a played move counts in comparison with a judged position.
    pub move_weight: f64,
}

/// 1 / (1 + e^-x).
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A loss and its slope by the value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slope {
    /// The loss, 0 or more.
    pub loss: f64,
    /// How it grows with the value.
    pub slope: f64,
}

impl Loss {
    /// The result that a search's `score` expects for a side: 0 to 1.
    pub fn expected(&self, score: f64) -> f64 {
        logistic(score / self.scale)
    }

    /// The target for a side, by what searches expect and by the result of the game (1 won, ½ drawn, 0 lost); `None`
    /// where neither is known.
    pub fn target(&self, expected: Option<f64>, result: Option<f64>) -> Option<f64> {
        match (expected, result) {
            (Some(expected), Some(result)) => Some(self.mix * expected + (1.0 - self.mix) * result),
            (known, None) | (None, known) => known,
        }
    }

    /// The cross entropy between the target and what `value` expects, less the entropy of the target, so that 0 is the
    /// least.
    pub fn judged(&self, value: f64, target: f64) -> Slope {
        let expected = self.expected(value);
        let entropy = |p: f64, q: f64| if p == 0.0 { 0.0 } else { -p * q.max(1e-300).ln() };
        let cross = entropy(target, expected) + entropy(1.0 - target, logistic(-value / self.scale));
        let least = entropy(target, target) + entropy(1.0 - target, 1.0 - target);
        Slope { loss: (cross - least).max(0.0), slope: (expected - target) / self.scale }
    }

    /// The most that the loss of a position or of a move with so many alternatives grows with the value of a leaf.
    pub fn steepest(&self, alternatives: usize) -> f64 {
        let moves = self.move_weight * 0.25 / self.move_scale * alternatives as f64;
        (1.0 / self.scale).max(moves)
    }

    /// What an alternative that is `ahead` of the played move in value costs: near 1 where it is far ahead, near 0
    /// where it is far behind (Hoki 2006).
    pub fn alternative(&self, ahead: f64) -> Slope {
        let loss = logistic(ahead / self.move_scale);
        Slope {
            loss: self.move_weight * loss,
            slope: self.move_weight * loss * (1.0 - loss) / self.move_scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOSS: Loss = Loss { scale: 600.0, mix: 0.7, move_scale: 50.0, move_weight: 0.3 };

    #[test]
    fn slopes_are_those_of_the_losses() {
        for value in [-3000.0, -100.0, 0.0, 1.0, 450.0, 2500.0] {
            for target in [0.0, 0.2, 0.5, 1.0] {
                let slope =
                    (LOSS.judged(value + 0.01, target).loss - LOSS.judged(value - 0.01, target).loss) / 0.02;
                assert!((slope - LOSS.judged(value, target).slope).abs() < 1e-8, "{value} {target}");
            }
            let slope = (LOSS.alternative(value + 0.01).loss - LOSS.alternative(value - 0.01).loss) / 0.02;
            assert!((slope - LOSS.alternative(value).slope).abs() < 1e-8, "{value}");
            assert!(LOSS.judged(value, 0.0).slope.abs() <= LOSS.steepest(0));
            assert!(7.0 * LOSS.alternative(value).slope <= LOSS.steepest(7));
        }
    }

    #[test]
    fn targets_mix_scores_and_results() {
        assert_eq!(LOSS.target(None, None), None);
        assert_eq!(LOSS.target(None, Some(1.0)), Some(1.0));
        assert_eq!(LOSS.target(Some(0.5), None), Some(0.5));
        assert!((LOSS.target(Some(LOSS.expected(0.0)), Some(1.0)).unwrap() - 0.65).abs() < 1e-12);
        assert_eq!(LOSS.judged(600.0, logistic(1.0)).slope, 0.0);
        assert!(LOSS.judged(600.0, logistic(1.0)).loss < 1e-12);
    }
}
