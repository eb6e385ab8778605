//! The window of values that a search is asked about.
//!
//! Aspiration windows: the root's moves are first searched near the value that is expected.

use std::ops::Neg;

use super::value::Value;

/// A search finds the exact value between `alpha` and `beta`; at or below `alpha` it finds an upper bound, from `beta` on
/// a lower bound. Both ends are for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What a move has to be better than.
    pub alpha: Value,
    /// What is good enough: the opponent avoids such a node.
    pub beta: Value,
}

impl Window {
    /// Every value.
    pub const FULL: Window = Window { alpha: Value::NEGATIVE_INFINITE, beta: Value::INFINITE };

    /// From `alpha` to `beta`.
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// Whether no value lies between the ends: the search only says on which side the value is.
    pub fn is_null(self) -> bool {
        self.alpha + 1 >= self.beta
    }

    /// Whether a value cannot be inside it at all, nor at its ends.
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// The null window at `alpha`: is a move better than what is known?
    pub fn null(self) -> Window {
        Window { beta: self.alpha + 1, ..self }
    }

    /// The null window below `beta`: is the node good enough?
    pub fn null_at_beta(self) -> Window {
        Window { alpha: self.beta - 1, ..self }
    }

    /// Without the values that no mate can reach from a node `ply` plies from the root (mate distance pruning): the side
    /// to move is mated here at worst, and mates with its next move at best.
    pub fn within_mates(self, ply: usize) -> Window {
        Window { alpha: self.alpha.max(Value::mated_in(ply)), beta: self.beta.min(Value::mate_in(ply + 1)) }
    }
}

/// The same window for the opponent.
impl Neg for Window {
    type Output = Window;

    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The distance to an end of the window is multiplied by this where the value lies beyond that end.
const GROWTH: i32 = 3;

/// A window around the expected value. It grows on the side where the value turns out to lie outside: a search of a
/// narrow window is a small one.
pub struct Aspiration {
    expected: Value,
    /// How far the window reaches to either side, in units.
    below: i32,
    above: i32,
}

impl Aspiration {
    /// From this distance on the window has no end on that side, in units.
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
    fn a_null_window_has_nothing_between_its_ends() {
        let open = Window::new(Value::new(-30), Value::new(70));
        assert!(!open.is_null() && !open.is_empty() && !Window::FULL.is_null());
        assert_eq!(open.null(), Window::new(Value::new(-30), Value::new(-29)));
        assert_eq!(open.null_at_beta(), Window::new(Value::new(69), Value::new(70)));
        assert!(open.null().is_null() && !open.null().is_empty());
    }

    #[test]
    fn the_opponents_window_is_the_other_way_round() {
        let window = Window::new(Value::new(-30), Value::new(70));
        assert_eq!(-window, Window::new(Value::new(-70), Value::new(30)));
        assert_eq!(-Window::FULL, Window::FULL);
    }

    #[test]
    fn a_nearer_mate_leaves_nothing_to_search_for() {
        assert_eq!(Window::FULL.within_mates(3), Window::new(Value::mated_in(3), Value::mate_in(4)));
        let mate_in_three = Window::new(Value::mate_in(3), Value::INFINITE);
        assert!(!mate_in_three.within_mates(0).is_empty());
        assert!(mate_in_three.within_mates(2).is_empty());
    }

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
