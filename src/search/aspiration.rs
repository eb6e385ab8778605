//! Aspiration windows: the root's moves are first searched near the value that is expected.

use super::value::Value;
use super::window::Window;

/// The distance to an end of the window is multiplied by this where the value lies beyond that end.
const GROWTH: i32 = 3;

/// A window around the expected value. It grows on the side where the value turns out to lie outside: a search of a
/// narrow window is a small one.
pub struct Aspiration {
    expected: Value,
    /// How far the window reaches to either side, in hundredths of a pawn.
    below: i32,
    above: i32,
}

impl Aspiration {
    /// From this distance on the window has no end on that side, in hundredths of a pawn.
    pub const OPEN: i32 = 2000;

    /// A window that reaches `margin` to either side of the expected value.
    pub fn around(expected: Value, margin: i32) -> Aspiration {
        Aspiration { expected, below: margin, above: margin }
    }

    /// The window, where values down to `best` are of no interest.
    ///
    /// It is open on a side where its end would be as good as won or lost: nothing lies between that and the mates, and
    /// how far away a mate is cannot be guessed.
    pub fn window(&self, best: Value) -> Window {
        let (alpha, beta) = (self.expected - self.below, self.expected + self.above);
        let alpha = if self.below < Self::OPEN && alpha > -Value::WON { alpha.max(best) } else { best };
        let beta = if self.above < Self::OPEN && beta < Value::WON { beta } else { Value::INFINITE };
        Window { alpha, beta }
    }

    /// The search failed low: the value lies below the window.
    pub fn fail_low(&mut self) {
        self.below *= GROWTH;
    }

    /// The search failed high: the value lies above the window.
    pub fn fail_high(&mut self) {
        self.above *= GROWTH;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_grows_on_one_side_until_it_is_open() {
        let none = -Value::INFINITE;
        let mut aspiration = Aspiration::around(Value::new(100), 60);
        assert_eq!(aspiration.window(none), Window::new(Value::new(40), Value::new(160)));
        aspiration.fail_low();
        assert_eq!(aspiration.window(none), Window::new(Value::new(-80), Value::new(160)));
        for above in [180, 540, 1620] {
            aspiration.fail_high();
            assert_eq!(aspiration.window(none), Window::new(Value::new(-80), Value::new(100 + above)));
        }
        aspiration.fail_high();
        assert_eq!(aspiration.window(none), Window::new(Value::new(-80), Value::INFINITE));
        for _ in 0..3 {
            aspiration.fail_low();
        }
        assert_eq!(aspiration.window(none), Window::FULL);
    }

    #[test]
    fn the_window_reaches_neither_below_the_best_value_nor_into_the_mates() {
        let best = Value::new(70);
        assert_eq!(Aspiration::around(best, 60).window(best), Window::new(best, Value::new(130)));
        let none = -Value::INFINITE;
        let won = Aspiration::around(Value::WON, 60);
        assert_eq!(won.window(none), Window::new(Value::WON - 60, Value::INFINITE));
        assert_eq!(won.window(Value::WON), Window::new(Value::WON, Value::INFINITE));
        let lost = Aspiration::around(-Value::WON, 60);
        assert_eq!(lost.window(none), Window::new(none, -Value::WON + 60));
    }
}
