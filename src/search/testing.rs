//! A searcher for the tests of its parts.

use std::sync::{Arc, LazyLock};

use super::leaves::NoLimit;
use super::moves_table::MovesTable;
use super::params::Params;
use super::searcher::Searcher;
use super::{Memory, Task};
use crate::eval::weights::{Blank, Weights};
use crate::shogi::position::Position;

/// Material alone.
static WEIGHTS: LazyLock<Arc<Weights>> =
    LazyLock::new(|| Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory")));

/// What `ask` finds out from a new searcher at `root` that knows nothing but material and goes by `params`.
pub fn searcher_at<T>(root: &Position, params: Params, ask: impl FnOnce(&mut Searcher) -> T) -> T {
    let table = MovesTable::new(1);
    let task = Task { params, ..Task::new(root, &WEIGHTS, &table) };
    let (mut memory, mut control) = (Memory::new(0), NoLimit);
    ask(&mut Searcher::new(&task, &mut memory, &mut control))
}
