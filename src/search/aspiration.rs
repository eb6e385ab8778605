//! A window around the value that is expected at the root, which grows where the value lies outside it.

use super::value::Value;

/// What the distance to an end of the window is multiplied by where the value lies beyond it.
const GROWTH: i32 = 3;

/// An aspiration window: bounds that a value is guessed to lie between, as a search between narrow bounds is a small one.
pub struct Aspiration {
    expected: Value,
    /// How far the window reaches to either side, in hundredths of a pawn.
    below: i32,
    above: i32,
}

impl Aspiration {
    /// From this distance on the window has no end on that side, in hundredths of a pawn.
    pub const OPEN: i32 = 2000;

    /// A window that reaches `margin` to either side of what is expected.
    pub fn around(expected: Value, margin: i32) -> Aspiration {
        Aspiration { expected, below: margin, above: margin }
    }

    /// Its ends, where values down to `best` are of no interest.
    pub fn ends(&self, best: Value) -> (Value, Value) {
        // Open, too, where an end would come to what is as good as won or lost: nothing lies between that and the mates,
        // and the distances of mates are not guessed.
        let (alpha, beta) = (self.expected - self.below, self.expected + self.above);
        let alpha = if self.below < Self::OPEN && alpha > -Value::WON { alpha.max(best) } else { best };
        let beta = if self.above < Self::OPEN && beta < Value::WON { beta } else { Value::INFINITE };
        (alpha, beta)
    }

    /// The value lies below.
    pub fn lower(&mut self) {
        self.below *= GROWTH;
    }

    /// The value lies above.
    pub fn raise(&mut self) {
        self.above *= GROWTH;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_to_one_side_until_it_is_open() {
        let none = -Value::INFINITE;
        let mut window = Aspiration::around(Value::new(100), 60);
        assert_eq!(window.ends(none), (Value::new(40), Value::new(160)));
        window.lower();
        assert_eq!(window.ends(none), (Value::new(-80), Value::new(160)));
        for above in [180, 540, 1620] {
            window.raise();
            assert_eq!(window.ends(none), (Value::new(-80), Value::new(100 + above)));
        }
        window.raise();
        assert_eq!(window.ends(none), (Value::new(-80), Value::INFINITE));
        for _ in 0..3 {
            window.lower();
        }
        assert_eq!(window.ends(none), (none, Value::INFINITE));
    }

    #[test]
    fn does_not_reach_below_what_is_found_already_nor_into_mates() {
        let best = Value::new(70);
        assert_eq!(Aspiration::around(best, 60).ends(best), (best, Value::new(130)));
        let none = -Value::INFINITE;
        let won = Aspiration::around(Value::WON, 60);
        assert_eq!(won.ends(none), (Value::WON - 60, Value::INFINITE));
        assert_eq!(won.ends(Value::WON), (Value::WON, Value::INFINITE));
        let lost = Aspiration::around(-Value::WON, 60);
        assert_eq!(lost.ends(none), (none, -Value::WON + 60));
    }
}
