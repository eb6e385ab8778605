//! The leaf of a position: where its quiescence search ends.
//!
//! The value of the search is the evaluation of the leaf; only where the side to move captures nothing at once, what it
//! then loses in any case is taken off. Learning corrects the evaluation of the leaf and not of the position itself, as an
//! evaluation need not know which pieces hang.

use super::control::NoLimit;
use super::memory::Memory;
use super::request::SearchRequest;
use super::thread::SearchThread;
use super::value::Value;
use super::window::Window;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Finds leaves, one position after the other.
pub struct Leaves<'a> {
    thread: SearchThread<'a>,
}

impl<'a> Leaves<'a> {
    /// Begins at the root of `request`, which must not limit the nodes of a search. `memory` must not hold values of other
    /// weights.
    pub fn new(request: &'a SearchRequest, memory: &'a mut Memory, control: &'a mut NoLimit) -> Leaves<'a> {
        Leaves { thread: SearchThread::new(request, memory, control) }
    }

    /// Goes on with `position`.
    pub fn go_to(&mut self, position: &Position) {
        self.thread.begin(position);
    }

    /// The value of the position for its side to move, or after the legal move `first` for the side that plays it; and
    /// what `look` returns for the leaf. A mate, a repetition or a limit of moves has no leaf.
    pub fn of<R>(&mut self, first: Option<Move>, look: impl FnOnce(&Position) -> R) -> (Value, Option<R>) {
        let thread = &mut self.thread;
        thread.nodes = 0;
        let Some(mv) = first else { return Self::find_from(thread, 0, look) };
        thread.play(mv, 0);
        let (value, looked) = Self::find_from(thread, 1, look);
        thread.undo(mv);
        (-value, looked)
    }

    fn find_from<R>(
        thread: &mut SearchThread,
        ply: usize,
        look: impl FnOnce(&Position) -> R,
    ) -> (Value, Option<R>) {
        let Ok(value) = thread.qsearch(ply, 0, Window::FULL) else {
            unreachable!("without a limit no search is stopped");
        };
        if value.mate_distance().is_some() {
            return (value, None);
        }
        let line = thread.pv.from(ply).to_vec();
        for (nth, &mv) in line.iter().enumerate() {
            thread.play(mv, ply + nth);
        }
        // A line that ends because the game does has a value that no evaluation gave.
        let looked = thread.game_over(ply + line.len()).is_none().then(|| look(&thread.position));
        for &mv in line.iter().rev() {
            thread.undo(mv);
        }
        (value, looked)
    }
}
