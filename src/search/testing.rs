//! A thread for the tests of its parts.

use std::sync::{Arc, LazyLock};

use super::hash_moves::HashMoveTable;
use super::leaves::NoLimit;
use super::params::Params;
use super::thread::SearchThread;
use super::{Memory, SearchRequest};
use crate::eval::weights::{Blank, Weights};
use crate::shogi::position::Position;

/// Material alone.
static WEIGHTS: LazyLock<Arc<Weights>> =
    LazyLock::new(|| Arc::new(Blank::new().and_then(Blank::finish).expect("there is memory")));

/// What `ask` finds out from a new thread at `root` that knows nothing but material and goes by `params`.
pub fn searcher_at<T>(root: &Position, params: Params, ask: impl FnOnce(&mut SearchThread) -> T) -> T {
    let table = HashMoveTable::new(1);
    let request = SearchRequest { params, ..SearchRequest::new(root, &WEIGHTS, &table) };
    let (mut memory, mut control) = (Memory::new(0), NoLimit);
    ask(&mut SearchThread::new(&request, &mut memory, &mut control))
}
