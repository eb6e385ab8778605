//! What the search can ask of the whole-board exchange (SUPER-SOMA): cheaper moves, a hash move, more budget, the value of a
//! leaf. As the engine plays it asks nothing: a prediction takes as long as several nodes, and games have to decide.

use super::params::Params;
use super::thread::SearchThread;
use super::value::Value;
use super::window::Window;
use crate::exchange::whole_board::piece_values::PieceValues;
use crate::exchange::whole_board::predict_once;
use crate::policy::budget::Budget;
use crate::shogi::moves::Move;

static VALUES: PieceValues = PieceValues::CUSTOMARY;

/// The most by which a prediction changes the value of a leaf: a mate that it sees is not proved.
const MAX_NET: i32 = 3000;

/// What was predicted at a node; nothing where it was not asked.
#[derive(Clone, Copy, Default, Debug)]
pub struct Prediction {
    /// The first move of the line, if it is legal.
    mv: Option<Move>,
    /// The profitable entries on the line.
    complexity: u32,
}

impl Prediction {
    /// The move to take for the hash move where there is none.
    pub fn as_hash_move(self, params: &Params) -> Option<Move> {
        self.mv.filter(|_| params.whole_board_hash_move > 0)
    }

    /// The move that is cheaper than its probability says.
    pub fn cheaper_move(self, params: &Params) -> Option<Move> {
        self.mv.filter(|_| params.whole_board_bonus > 0)
    }

    /// The budget that the node gets beside its own: one bit at most.
    pub fn extra_budget(self, params: &Params) -> Budget {
        let extra = i64::from(self.complexity) * i64::from(params.whole_board_complexity);
        Budget::new(extra.min(256) as i32)
    }
}

impl SearchThread<'_> {
    /// What the whole board predicts at the node at `ply`, which has `left` to spend, where the parameters ask for it.
    pub fn predict(&self, ply: usize, left: Budget) -> Prediction {
        let Params {
            whole_board_from, whole_board_bonus, whole_board_hash_move, whole_board_complexity, ..
        } = *self.params;
        let asks = whole_board_bonus > 0 || whole_board_hash_move > 0 || whole_board_complexity > 0;
        if !asks || left < Budget::new(whole_board_from) {
            return Prediction::default();
        }
        let line = predict_once(&self.position, &VALUES);
        // Extra budget on every ply would let a line go on for ever.
        let complexity = if ply < self.iteration as usize { line.complexity } else { 0 };
        Prediction { mv: line.first_move().filter(|&mv| self.position.is_legal(mv)), complexity }
    }

    /// What a leaf that is not in check is worth by its prediction, where the parameters ask for it: the value to stand pat
    /// with, and whether it is so far outside `window` that nothing need be searched.
    pub fn predicted_leaf(&self, static_eval: Value, window: Window) -> Option<(Value, bool)> {
        let (share, margin) = (self.params.whole_board_stand_pat, self.params.whole_board_leaf_margin);
        if share == 0 && margin == 0 {
            return None;
        }
        let net = predict_once(&self.position, &VALUES).net.clamp(-MAX_NET, MAX_NET);
        let changed = |by: i32| Value::new((static_eval + by).units());
        let whole = changed(net);
        let is_outside = margin > 0
            && window.is_null()
            && (whole - margin >= window.beta || whole + margin <= window.alpha);
        let stand_pat = changed(net * share / 256);
        Some((if is_outside { whole } else { stand_pat }, is_outside))
    }
}

#[cfg(test)]
mod tests {
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::sfen;

    /// A rook can be taken for nothing.
    const HANGING: &str = "4k4/9/9/4r4/4P4/5G3/9/9/4K4 b - 1";

    #[test]
    fn as_the_engine_plays_nothing_is_asked() {
        let root = sfen::parse(HANGING).unwrap();
        with_thread(&root, Params::DEFAULT, |thread| {
            let predicted = thread.predict(0, Budget::new(65_536));
            assert_eq!((predicted.mv, predicted.complexity), (None, 0));
            assert!(thread.predicted_leaf(Value::DRAW, Window::FULL).is_none());
        });
    }

    #[test]
    fn the_predicted_capture_is_a_hash_move_and_cheaper_where_the_budget_is_large() {
        let root = sfen::parse(HANGING).unwrap();
        let params = Params {
            whole_board_from: 1000,
            whole_board_bonus: 100,
            whole_board_hash_move: 1,
            ..Params::DEFAULT
        };
        let capture: Move = "5e5d".parse().unwrap();
        with_thread(&root, params, |thread| {
            let predicted = thread.predict(0, Budget::new(1000));
            assert_eq!(predicted.as_hash_move(&params), Some(capture));
            assert_eq!(predicted.cheaper_move(&params), Some(capture));
            assert_eq!(thread.predict(0, Budget::new(999)).mv, None);
        });
    }

    #[test]
    fn a_leaf_is_worth_what_hangs_and_ends_where_that_is_far_outside_the_window() {
        let root = sfen::parse(HANGING).unwrap();
        let leaf = |share: i32, margin: i32, window| {
            let params =
                Params { whole_board_stand_pat: share, whole_board_leaf_margin: margin, ..Params::DEFAULT };
            with_thread(&root, params, |thread| thread.predicted_leaf(Value::DRAW, window))
        };
        let null = |alpha: i32| Window::new(Value::new(alpha), Value::new(alpha + 1));
        // A rook is worth 990 on the board and in hand.
        assert_eq!(leaf(256, 0, Window::FULL), Some((Value::new(1980), false)));
        assert_eq!(leaf(128, 0, Window::FULL), Some((Value::new(990), false)));
        assert_eq!(leaf(0, 100, null(1879)), Some((Value::new(1980), true)));
        assert_eq!(leaf(0, 100, null(1880)), Some((Value::DRAW, false)));
        assert_eq!(leaf(0, 100, null(2080)), Some((Value::new(1980), true)));
    }

    #[test]
    fn a_prediction_never_makes_a_leaf_a_mate() {
        let root = sfen::parse(HANGING).unwrap();
        let params = Params { whole_board_stand_pat: 256, whole_board_leaf_margin: 1, ..Params::DEFAULT };
        with_thread(&root, params, |thread| {
            for window in [Window::FULL, Window::new(Value::DRAW, Value::new(1))] {
                let (value, _) = thread.predicted_leaf(Value::new(31_000), window).unwrap();
                assert_eq!(value, Value::WON);
            }
        });
    }

    #[test]
    fn a_complex_line_gives_a_bit_at_most() {
        let params = Params { whole_board_complexity: 100, ..Params::DEFAULT };
        let extra = |complexity| Prediction { mv: None, complexity }.extra_budget(&params);
        assert_eq!([0, 1, 2, 3].map(extra), [0, 100, 200, 256].map(Budget::new));
    }
}
