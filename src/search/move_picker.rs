//! The move picker: what the moves of a node cost, and in which order they are searched.
//!
//! A move costs what its learned probability says, changed by what the search has found out about it. The hash move comes
//! first, then the moves by their cost. Histories and killers count in the cost and once more in the order.
//!
//! Near the leaves, where most nodes lie, nine of ten moves are pruned. So costs and order lie in lists of 16-bit numbers,
//! side by side, and only what is left of a node's moves is looked at one by one.

use arrayvec::ArrayVec;

use super::continuation_history::PieceTo;
use super::history::MAX_HISTORY;
use super::params::Params;
use super::thread::SearchThread;
use crate::exchange::see;
use crate::policy::budget::{Budget, MAX_COST};
use crate::policy::category::CategorySet;
use crate::policy::move_context::MoveContext;
use crate::policy::packed_cost::PackedCost;
use crate::policy::{scores, transition};
use crate::shogi::generate::{self, MAX_MOVES, MoveList};
use crate::shogi::moves::Move;
use crate::shogi::piece::{HandKind, PieceKind};

/// A move with what it costs.
#[derive(Clone, Copy, Debug)]
pub struct CostedMove {
    pub mv: Move,
    /// What it takes from the budget.
    pub cost: Budget,
    /// Whether it is known to be quiet or to lose material. Means nothing in check.
    pub is_quiet_or_loses: bool,
}

impl CostedMove {
    /// A move that is certain to be played.
    pub const fn certain(mv: Move) -> CostedMove {
        CostedMove { mv, cost: Budget::ZERO, is_quiet_or_loses: false }
    }
}

/// What moves cost, in the order of their list; quiet and losing moves are marked. The mark means nothing in check.
type Costs = ArrayVec<PackedCost, MAX_MOVES>;

/// Scores of moves in one of the histories.
type HistoryScores = ArrayVec<i16, MAX_MOVES>;

/// Sums of features' weights.
type Scores = ArrayVec<i32, MAX_MOVES>;

/// Places in a list of moves.
type Places = ArrayVec<u16, MAX_MOVES>;

/// A move that waits to be given out: its order key, then its place in the list. The lowest comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Waiting(u32);

impl Waiting {
    fn new(key: i16, place: usize) -> Waiting {
        let from_lowest = (i32::from(key) - i32::from(i16::MIN)) as u32;
        Waiting(from_lowest << 16 | place as u32)
    }

    fn place(self) -> usize {
        usize::from(self.0 as u16)
    }
}

/// How many scores are looked at together.
const CHUNK: usize = 16;

/// The order key of the hash move: nothing comes before it.
const FIRST: i16 = i16::MIN;

/// Gives out the moves of a node, best first; of equals the one that was generated first. It sorts only as far as it is
/// asked: most nodes end early.
#[derive(Default)]
pub struct MovePicker {
    /// A move that was searched before the list is filled, and does not come again.
    searched: Option<Move>,
    moves: MoveList,
    costs: Costs,
    /// The order keys, in the order of the list: the move with the lowest is searched first. Until they are known, the scores
    /// in the history.
    keys: HistoryScores,
    /// The moves that have not been given out and are not pruned.
    waiting: ArrayVec<Waiting, MAX_MOVES>,
    /// Moves that cost more are pruned.
    limit: PackedCost,
    some_are_pruned: bool,
    gives_out_pruned: bool,
}

impl MovePicker {
    /// The next move that is not pruned; `None` also once pruned moves have been given out.
    pub fn next(&mut self) -> Option<CostedMove> {
        if self.gives_out_pruned { None } else { self.pick() }
    }

    /// The next of all moves; the pruned ones come last.
    pub fn next_even_pruned(&mut self) -> Option<CostedMove> {
        if self.waiting.is_empty() && self.some_are_pruned && !self.gives_out_pruned {
            self.gives_out_pruned = true;
            let limit = self.limit;
            self.await_those(|cost| cost > limit);
        }
        self.pick()
    }

    /// Whether moves are pruned.
    pub fn some_are_pruned(&self) -> bool {
        self.some_are_pruned
    }

    fn pick(&mut self) -> Option<CostedMove> {
        let (best, _) = self.waiting.iter().enumerate().min_by_key(|(_, waiting)| **waiting)?;
        let place = self.waiting.swap_remove(best).place();
        let (mv, packed) = (self.moves[place], self.costs[place]);
        Some(CostedMove { mv, cost: packed.cost(), is_quiet_or_loses: packed.is_quiet_or_loses() })
    }

    /// Lets the moves with the wanted costs wait to be given out.
    fn await_those(&mut self, is_wanted: impl Fn(PackedCost) -> bool) {
        for (place, (&cost, &key)) in self.costs.iter().zip(&self.keys).enumerate() {
            if is_wanted(cost) {
                self.waiting.push(Waiting::new(key, place));
            }
        }
    }

    /// Begins to give out moves. Quiet and losing moves that cost more than `max_cost` are pruned.
    fn start(&mut self, max_cost: Option<Budget>) {
        self.limit = PackedCost::new(max_cost.unwrap_or(PackedCost::MAX), true);
        // A move that was searched is neither pruned nor given out.
        let searched = self.searched.and_then(|searched| self.moves.iter().position(|&mv| mv == searched));
        if let Some(place) = searched {
            (self.costs[place], self.keys[place]) = (PackedCost::default(), FIRST);
        }
        let limit = self.limit;
        self.await_those(|cost| cost <= limit);
        self.some_are_pruned = self.waiting.len() < self.moves.len();
        if searched.is_some() {
            self.pick();
        }
    }
}

/// Appends to a list that has room for all moves of a position; faster than one by one.
fn append<T: Copy>(list: &mut ArrayVec<T, MAX_MOVES>, added: &[T]) {
    list.try_extend_from_slice(added).expect("no position has more moves");
}

impl SearchThread<'_> {
    /// The hash move, where it is to be searched before `picker` is filled; the picker then leaves it out. `None` in check:
    /// there the other moves are few, and a sole one costs nothing.
    pub fn hash_move_first(&self, hash_move: Option<Move>, picker: &mut MovePicker) -> Option<CostedMove> {
        let mv = hash_move.filter(|_| !self.position.in_check())?;
        picker.searched = Some(mv);
        let cost = Budget::new(self.params.hash_move_cost.max(self.params.least_cost));
        Some(CostedMove { mv, cost, is_quiet_or_loses: false })
    }

    /// Fills the empty `picker` with the moves of a node, and prunes quiet and losing moves that cost more than `max_cost`. It
    /// is filled in place, as returning so many moves takes time.
    pub fn fill_picker(
        &mut self,
        ply: usize,
        moves: &MoveList,
        hash_move: Option<Move>,
        max_cost: Option<Budget>,
        picker: &mut MovePicker,
    ) {
        append(&mut picker.moves, moves);
        self.find_costs(ply, moves, &mut picker.costs);
        self.order_moves(ply, hash_move, moves.len() == 1, picker);
        picker.start(max_cost);
    }

    /// Like [`fill_picker`](SearchThread::fill_picker), but only with the hash move and the moves of `wanted` categories, none of
    /// them pruned.
    pub fn fill_picker_with_some(
        &self,
        ply: usize,
        moves: &MoveList,
        hash_move: Option<Move>,
        wanted: impl Fn(CategorySet) -> bool,
        picker: &mut MovePicker,
    ) {
        let wanted = |mv, categories| Some(mv) == hash_move || wanted(categories);
        self.compute_costs_of_some(ply, moves, wanted, picker);
        self.order_moves(ply, hash_move, moves.len() == 1, picker);
        picker.start(None);
    }

    /// The cost of a move as the hash move: its own, but `hash_move_cost` at most and `least_cost` at least.
    pub fn hash_move_cost(&self, cost: Budget) -> Budget {
        cost.min(Budget::new(self.params.hash_move_cost)).max(Budget::new(self.params.least_cost))
    }

    /// Changes the costs of the moves by what the search has found out about them, and sets their order. A sole legal move
    /// is certain to be played (Tsuruoka, Yokoyama and Chikayama 2002, §2.2).
    fn order_moves(&self, ply: usize, hash_move: Option<Move>, is_sole: bool, picker: &mut MovePicker) {
        let MovePicker { moves, costs, keys, .. } = picker;
        let (side, params) = (self.position.side(), self.params);
        append(keys, &[0; MAX_MOVES][..moves.len()]);
        for (score, &mv) in keys.iter_mut().zip(&*moves) {
            *score = self.memory.history.score(side, mv);
        }
        let (mut answers, mut follow_ups) = (HistoryScores::new(), HistoryScores::new());
        self.continuation_scores(ply, moves, [&mut answers, &mut follow_ups]);
        let killers = self.killers[ply].moves().map(|killer| {
            killer.filter(|mv| self.position.piece_on(mv.to()).is_none()).map_or(0, Move::word)
        });
        let Params {
            history_cost,
            answer_history_cost,
            follow_up_history_cost,
            killer_cost,
            least_cost,
            history_order,
            continuation_history_order,
            killer_order,
            ..
        } = *params;
        let scores = keys.iter_mut().zip(&*answers).zip(&*follow_ups);
        for ((&mv, cost), ((key, &answer), &follow_up)) in moves.iter().zip(&mut *costs).zip(scores) {
            let [history, answer, follow_up] = [*key, answer, follow_up].map(i32::from);
            let is_killer = killers[0] == mv.word() || killers[1] == mv.word();
            let if_killer = |units: i32| if is_killer { units } else { 0 };
            let by_histories =
                history * history_cost + answer * answer_history_cost + follow_up * follow_up_history_cost;
            let changed = cost.cost().units() - by_histories / MAX_HISTORY - if_killer(killer_cost);
            let changed = changed.clamp(least_cost, MAX_COST.units());
            *cost = PackedCost::new(Budget::new(changed), cost.is_quiet_or_loses());
            let by_histories = history * history_order + (answer + follow_up) * continuation_history_order;
            *key = (changed - by_histories / MAX_HISTORY - if_killer(killer_order)) as i16;
        }
        if let Some(hash_move) = hash_move
            && picker.searched.is_none()
            && let Some(place) = moves.iter().position(|&mv| mv == hash_move)
        {
            keys[place] = FIRST;
            costs[place] =
                PackedCost::new(self.hash_move_cost(costs[place].cost()), costs[place].is_quiet_or_loses());
        }
        if is_sole {
            costs.iter_mut().for_each(|cost| *cost = PackedCost::default());
        }
    }

    /// Fills empty lists with the continuation histories' scores of `moves`: as answers to the opponent's last move, and as
    /// followers of the side's own.
    fn continuation_scores(&self, ply: usize, moves: &[Move], lists: [&mut HistoryScores; 2]) {
        let mut pieces = ArrayVec::<PieceTo, MAX_MOVES>::new();
        let mut last: Option<(usize, PieceTo)> = None;
        for &mv in moves {
            // Most moves are of the same piece as the one before.
            let piece = match last {
                Some((origin, piece)) if origin == mv.origin_index() => piece.going_to(mv.to()),
                _ => self.piece_to(mv),
            };
            last = Some((mv.origin_index(), piece));
            pieces.push(piece);
        }
        for (before, scores) in self.moves_before(ply).into_iter().zip(lists) {
            let continuations = self.memory.continuation_history.after(before);
            append(scores, &[0; MAX_MOVES][..moves.len()]);
            for (score, &piece) in scores.iter_mut().zip(&pieces) {
                *score = continuations.score(piece);
            }
        }
    }

    /// Fills the empty `costs` with what each move costs by its probability.
    fn find_costs(&mut self, ply: usize, moves: &MoveList, costs: &mut Costs) {
        if ply == 0 {
            // The cache does not know the root: a user may have chosen its moves.
            self.compute_costs(ply, moves, costs);
        } else {
            let (key, previous_to) = (self.position.key(), self.previous_to(ply));
            let cached = self.memory.cost_cache.get(key, previous_to, moves.len());
            self.control.prices(ply, &self.position, cached.is_some());
            if let Some(cached) = cached {
                append(costs, cached);
                #[cfg(debug_assertions)]
                self.check_cached_costs(ply, moves, costs);
            } else {
                self.compute_costs(ply, moves, costs);
                self.memory.cost_cache.insert(key, previous_to, costs);
            }
        }
        #[cfg(debug_assertions)]
        self.check_quiet_or_loses(moves, costs);
    }

    /// Fills the empty `costs` with what each move costs by its probability.
    ///
    /// Plain features, which are cheap to find, are summed for all moves. Finding all features takes longer than anything
    /// else in a node, so it is done for the likely moves alone, and most moves are unlikely. The likely moves share the
    /// probability that plain features give them together.
    fn compute_costs(&self, ply: usize, moves: &MoveList, costs: &mut Costs) {
        let position = &self.position;
        let context = MoveContext::new(position, self.previous_to(ply));
        let mut plain_scores = scores::Scores::new();
        self.plain_transitions.scores(context.plain(), moves, &mut plain_scores);
        let highest = plain_scores.iter().copied().fold(i16::MIN, i16::max);
        let total = transition::log_sum_up_to(highest.into(), plain_scores.iter().copied().map(i32::from));
        let plain_cost = |score: i16| total - Budget::new(score.into());

        append(costs, &[PackedCost::default(); MAX_MOVES][..moves.len()]);
        for (cost, &score) in costs.iter_mut().zip(&plain_scores) {
            *cost = PackedCost::new(self.scaled_cost(plain_cost(score)), true);
        }
        let likely_until = Budget::new(self.params.likely_until);
        let in_check = position.in_check();
        self.visit_not_quiet(moves, |place, mv| {
            if plain_cost(plain_scores[place]) > likely_until {
                let loses = !in_check && !see::see_ge(position, mv, 0);
                costs[place] = PackedCost::new(costs[place].cost(), loses);
            }
        });

        let mut likely = Places::new();
        let (mut plain, mut full) = (Scores::new(), Scores::new());
        let least_likely = (total - likely_until).units();
        for (chunk, scores) in plain_scores.chunks(CHUNK).enumerate() {
            // Most moves are unlikely: several are compared at once.
            if i32::from(scores.iter().copied().fold(i16::MIN, i16::max)) < least_likely {
                continue;
            }
            for (place, &score) in (CHUNK * chunk..).zip(scores) {
                if i32::from(score) >= least_likely {
                    let (full_score, categories) = self.transitions.score(&context, moves[place]);
                    likely.push(place as u16);
                    plain.push(i32::from(score) - total.units());
                    full.push(full_score);
                    costs[place] = PackedCost::new(Budget::ZERO, categories.is_quiet_or_loses());
                }
            }
        }
        let shared = transition::log_sum(full.iter().copied()) - transition::log_sum(plain.iter().copied());
        for (&place, &score) in likely.iter().zip(&full) {
            let cost = &mut costs[usize::from(place)];
            *cost = PackedCost::new(self.scaled_cost(shared - Budget::new(score)), cost.is_quiet_or_loses());
        }
    }

    /// Calls `visit` with the place and the move of each capture, promotion and check among `moves`.
    fn visit_not_quiet(&self, moves: &[Move], mut visit: impl FnMut(usize, Move)) {
        let (occupied, checks) = (self.position.occupied(), self.position.check_squares());
        let (on_board, drops) = generate::split_drops(moves);
        let mut first = 0;
        for moves in on_board.chunk_by(|one, next| one.origin_index() == next.origin_index()) {
            let Some(from) = moves[0].from() else { continue };
            let kind = self.position.piece_on(from).map_or(PieceKind::King, |piece| piece.kind);
            let squares = occupied | checks.of(kind) | checks.discovering(from);
            for (place, &mv) in (first..).zip(moves) {
                if squares.contains(mv.to()) || mv.is_promotion() {
                    visit(place, mv);
                }
            }
            first += moves.len();
        }
        let hand = self.position.hand(self.position.side());
        for kind in HandKind::ALL.into_iter().filter(|&kind| hand.has(kind)) {
            checks.of(kind.piece_kind()).without(occupied).for_each(|to| {
                let mv = Move::drop(kind, to);
                if let Ok(place) = drops.binary_search(&mv) {
                    visit(on_board.len() + place, mv);
                }
            });
        }
    }

    /// Fills the empty `picker` with the `wanted` moves and their costs; their probabilities add up to one. The categories of
    /// every move have to be found here, so plain features would save nothing.
    fn compute_costs_of_some(
        &self,
        ply: usize,
        moves: &MoveList,
        wanted: impl Fn(Move, CategorySet) -> bool,
        picker: &mut MovePicker,
    ) {
        let context = MoveContext::new(&self.position, self.previous_to(ply));
        let mut scores = Scores::new();
        for &mv in moves {
            let scored = self.transitions.score_if(&context, mv, |categories| wanted(mv, categories));
            if let Some((score, categories)) = scored {
                picker.moves.push(mv);
                picker.costs.push(PackedCost::new(Budget::ZERO, categories.is_quiet_or_loses()));
                scores.push(score);
            }
        }
        let total = transition::log_sum(scores.iter().copied());
        for (cost, &score) in picker.costs.iter_mut().zip(&scores) {
            *cost = PackedCost::new(self.scaled_cost(total - Budget::new(score)), cost.is_quiet_or_loses());
        }
    }

    /// The cost of a learned probability, scaled by `learned_scale`.
    fn scaled_cost(&self, cost: Budget) -> Budget {
        Budget::new((cost.units() * self.params.learned_scale) >> 8)
    }

    /// Whether `mv` neither captures, nor promotes, nor checks.
    pub fn is_quiet(&self, mv: Move) -> bool {
        !mv.is_promotion() && self.position.piece_on(mv.to()).is_none() && !self.position.gives_check(mv)
    }

    /// Compares cached costs with computed ones.
    #[cfg(debug_assertions)]
    fn check_cached_costs(&self, ply: usize, moves: &MoveList, cached: &Costs) {
        let mut costs = Costs::new();
        self.compute_costs(ply, moves, &mut costs);
        assert_eq!(costs, *cached, "{:?}", self.position);
    }

    /// Compares the mark of quiet and losing moves with what the moves do.
    #[cfg(debug_assertions)]
    fn check_quiet_or_loses(&self, moves: &MoveList, costs: &Costs) {
        if self.position.in_check() {
            return;
        }
        for (&mv, cost) in moves.iter().zip(costs) {
            assert_eq!(
                cost.is_quiet_or_loses(),
                self.is_quiet(mv) || !see::see_ge(&self.position, mv, 0),
                "{mv} in {:?}",
                self.position
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::thread::with_thread;
    use super::*;
    use crate::shogi::position::Position;
    use crate::shogi::sfen;

    #[test]
    fn pruned_moves_come_last() {
        let moves = ["7g7f", "2g2f", "5g5f", "9g9f", "1g1f", "3g3f"].map(|text| text.parse().unwrap());
        let picker = |max_cost: i32, searched: Option<Move>| {
            let mut picker = MovePicker { searched, ..MovePicker::default() };
            picker.moves.extend(moves);
            picker.costs.extend([3, 1, 5, 2, 4, 6].map(|cost| PackedCost::new(Budget::new(cost), cost < 6)));
            picker.keys.extend([300, 100, 500, 200, 400, 300]);
            picker.start(Some(Budget::new(max_cost)));
            picker
        };
        let name = |picked: Option<CostedMove>| picked.map(|costed| costed.mv.to_string());
        let mut none_pruned = picker(5, None);
        assert!(!none_pruned.some_are_pruned());
        let all: Vec<String> = std::iter::from_fn(|| name(none_pruned.next())).collect();
        // Of two moves with the same key the first in the list comes first.
        assert_eq!(all, ["2g2f", "9g9f", "7g7f", "3g3f", "1g1f", "5g5f"]);

        let mut some_pruned = picker(2, None);
        assert!(some_pruned.some_are_pruned());
        for expected in [Some("2g2f"), Some("9g9f"), Some("3g3f"), None] {
            assert_eq!(name(some_pruned.next()).as_deref(), expected);
        }
        assert_eq!(name(some_pruned.next_even_pruned()).as_deref(), Some("7g7f"));
        assert_eq!(name(some_pruned.next()), None);
        assert_eq!(name(some_pruned.next_even_pruned()).as_deref(), Some("1g1f"));
        assert_eq!(name(some_pruned.next_even_pruned()).as_deref(), Some("5g5f"));
        assert_eq!(name(some_pruned.next_even_pruned()), None);

        // A move that was searched is neither pruned nor given out.
        let mut one_searched = picker(4, Some(moves[2]));
        assert!(!one_searched.some_are_pruned());
        let all: Vec<String> = std::iter::from_fn(|| name(one_searched.next_even_pruned())).collect();
        assert_eq!(all, ["2g2f", "9g9f", "7g7f", "3g3f", "1g1f"]);
    }

    #[test]
    fn a_move_that_was_good_is_cheaper_where_one_of_the_last_two_moves_is_the_same() {
        // The plain history would make it cheaper everywhere.
        let params = Params { history_cost: 0, ..Params::DEFAULT };
        let good: Move = "2g2f".parse().unwrap();
        let play = |thread: &mut SearchThread, line: [&str; 2]| {
            line.iter().enumerate().for_each(|(ply, mv)| thread.play(mv.parse().unwrap(), ply));
        };
        let cost = |line, bonus| {
            with_thread(&Position::start(), params, |thread| {
                play(thread, ["7g7f", "3c3d"]);
                thread.add_to_histories(2, good, bonus);
                thread.begin(&Position::start());
                play(thread, line);
                let mut picker = MovePicker::default();
                thread.fill_picker(2, &generate::all_legal(&thread.position), None, None, &mut picker);
                let place = picker.moves.iter().position(|&mv| mv == good).unwrap();
                picker.costs[place].cost().units()
            })
        };
        let saved = |line| cost(line, 0) - cost(line, MAX_HISTORY);
        let [answer, follow_up] = [params.answer_history_cost, params.follow_up_history_cost];
        assert_eq!(saved(["1g1f", "3c3d"]), answer);
        assert_eq!(saved(["7g7f", "8c8d"]), follow_up);
        assert_eq!(saved(["7g7f", "3c3d"]), answer + follow_up);
        assert_eq!(saved(["1g1f", "8c8d"]), 0);
    }

    #[test]
    fn a_hash_move_that_was_searched_first_does_not_come_again() {
        let start = Position::start();
        let checked = sfen::parse("4k4/9/9/9/9/9/9/9/4K3r b - 1").unwrap();
        for (position, comes_first) in [(start, true), (checked, false)] {
            let moves = generate::all_legal(&position);
            let hash_move = Some(moves[1]);
            with_thread(&position, Params::DEFAULT, |thread| {
                let mut picker = MovePicker::default();
                let first = thread.hash_move_first(hash_move, &mut picker);
                assert_eq!(first.map(|costed| costed.mv), hash_move.filter(|_| comes_first));
                thread.fill_picker(0, &moves, hash_move, None, &mut picker);
                let rest = std::iter::from_fn(|| picker.next());
                let mut all: Vec<Move> = first.into_iter().chain(rest).map(|costed| costed.mv).collect();
                assert_eq!(all[0], moves[1]);
                let mut expected = moves.to_vec();
                all.sort_unstable();
                expected.sort_unstable();
                assert_eq!(all, expected);
            });
        }
    }

    #[test]
    fn a_move_with_alternatives_has_its_least_cost() {
        let root = Position::start();
        let params = Params { least_cost: 200, hash_move_cost: 16, learned_scale: 16, ..Params::DEFAULT };
        let moves = generate::all_legal(&root);
        let [likely, hash_move] = ["7g7f", "2g2f"].map(|text| text.parse().unwrap());
        let costed = |moves: &MoveList, hash_move| {
            with_thread(&root, params, |thread| {
                let mut picker = MovePicker::default();
                thread.fill_picker(0, moves, hash_move, None, &mut picker);
                std::iter::from_fn(|| picker.next()).collect::<Vec<_>>()
            })
        };
        let list = costed(&moves, Some(hash_move));
        let cost = |mv| list.iter().find(|costed| costed.mv == mv).map(|costed| costed.cost);
        assert_eq!([cost(likely), cost(hash_move)], [Some(Budget::new(200)); 2]);
        assert!(list.iter().all(|costed| costed.cost >= Budget::new(200)));
        // A sole legal move has no alternatives.
        let mut sole = MoveList::new();
        sole.push(likely);
        assert_eq!(costed(&sole, None)[0].cost, Budget::ZERO);
    }

    /// What the moves of `position` cost with this limit, and what they cost by all features alone.
    fn costs(position: &Position, likely_until: i32) -> [Vec<i32>; 2] {
        let params = Params { likely_until, learned_scale: 256, ..Params::DEFAULT };
        let moves = generate::all_legal(position);
        let (mut costs, mut picker) = (Costs::new(), MovePicker::default());
        with_thread(position, params, |thread| {
            thread.compute_costs(0, &moves, &mut costs);
            thread.compute_costs_of_some(0, &moves, |_, _| true, &mut picker);
        });
        assert_eq!(picker.moves, moves, "{position:?}");
        let marks = |costs: &Costs| costs.iter().map(|cost| cost.is_quiet_or_loses()).collect::<Vec<_>>();
        if !position.in_check() {
            assert_eq!(marks(&costs), marks(&picker.costs), "{position:?}");
        }
        [costs, picker.costs].map(|costs| costs.iter().map(|cost| cost.cost().units()).collect())
    }

    #[test]
    fn the_probabilities_of_all_moves_add_up_to_one() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut position, mut differ) = (Position::start(), 0);
        for _ in 0..40 {
            for likely_until in [0, 768, 65_536] {
                let [found, full] = costs(&position, likely_until);
                let sum: f64 = found.iter().map(|&cost| (-f64::from(cost) / 256.0).exp2()).sum();
                assert!((0.98..1.02).contains(&sum), "{sum} with {likely_until} in {position:?}");
                if likely_until == 65_536 {
                    let same = found.iter().zip(&full).all(|(one, other)| one.abs_diff(*other) <= 3);
                    assert!(same, "{found:?} but {full:?} in {position:?}");
                } else {
                    differ += usize::from(found != full);
                }
            }
            let moves = generate::all_legal(&position);
            let Some(&mv) = moves.get(random.usize(..moves.len().max(1))) else { break };
            position.play(mv, &mut ());
        }
        assert!(differ > 20, "{differ}");
    }
}
