//! A search that panics: it leaves a message and a legal answer, and the engine goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use crossbeam::channel::{Receiver, Sender, unbounded};
use jitsugen::engine::limits::Limits;
use jitsugen::engine::observer::{Answer, Info, Observer};
use jitsugen::engine::player::Player;
use jitsugen::search::value::Mate;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

use crate::support::client::PATIENCE;
use crate::support::evaluation::{alone_with_full_tables, built_in_files};

/// No iteration has this number.
const NEVER: u32 = u32::MAX;

/// Keeps notes and answers. Panics once, at a line of iteration `panics_from` or a later one.
struct PanickingObserver {
    panics_from: AtomicU32,
    notes: Sender<String>,
    answers: Sender<Answer>,
}

impl Observer for PanickingObserver {
    fn info(&self, info: &Info) {
        if info.line.depth >= self.panics_from.load(Relaxed) {
            self.panics_from.store(NEVER, Relaxed);
            panic!("this is the test's own panic");
        }
    }

    fn nothing_to_search(&self, _: Mate) {}

    fn note(&self, text: &str) {
        self.notes.send(text.to_string()).expect("the test has the other end");
    }

    fn still_there(&self) {}

    fn answer(&self, answer: Answer) {
        self.answers.send(answer).expect("the test has the other end");
    }
}

/// A player and what it says.
struct Engine {
    player: Player,
    observer: Arc<PanickingObserver>,
    notes: Receiver<String>,
    answers: Receiver<Answer>,
}

impl Engine {
    fn new() -> Engine {
        let ((say, notes), (give, answers)) = (unbounded(), unbounded());
        let observer =
            Arc::new(PanickingObserver { panics_from: AtomicU32::new(NEVER), notes: say, answers: give });
        let mut player = Player::new(Arc::clone(&observer) as Arc<dyn Observer>).unwrap();
        player.options_mut().book.own = false;
        player.options_mut().hash = 16;
        player.options_mut().eval_dir = built_in_files().display().to_string();
        Engine { player, observer, notes, answers }
    }

    /// The move that is played, and whether a note says that the leading thread panicked. Another thread may or may not
    /// begin early enough to panic as well.
    fn go(&mut self, only: Vec<Move>) -> (Move, bool) {
        self.player.go(Limits { nodes: Some(5_000), only, ..Limits::default() }, Instant::now());
        let answer = self.answers.recv_timeout(PATIENCE).expect("every search answers");
        let Answer::Move { best, .. } = answer else { panic!("{answer:?}") };
        assert!(self.player.position().is_ok_and(|position| position.is_legal(best)), "{best}");
        let leading = self.notes.try_iter().filter(|text| text.contains("the answer is the best")).count();
        assert!(leading <= 1, "{leading}");
        (best, leading > 0)
    }
}

#[test]
fn a_search_that_panics_is_answered() {
    let _alone = alone_with_full_tables();
    let mut engine = Engine::new();
    for threads in [1, 3] {
        engine.player.options_mut().threads = threads;
        // The leading thread, at its first line.
        for panics in [true, false, true, false] {
            engine.observer.panics_from.store(if panics { 1 } else { NEVER }, Relaxed);
            assert_eq!(engine.go(Vec::new()).1, panics, "{threads} threads");
        }
        check_panics_before_any_line(&mut engine, threads);
    }
}

#[test]
fn a_panic_at_the_last_line_leaves_the_best_move() {
    let _alone = alone_with_full_tables();
    let mut engine = Engine::new();
    // Whatever White does, a gold mates. Every iteration finds that, and it is reported at first and in the end.
    let doomed = sfen::parse("7nk/9/7G1/p8/9/9/9/9/4K4 w G 1").expect("a position");
    engine.player.set_position(Ok(doomed));
    engine.player.options_mut().info.pv_interval = PATIENCE;
    let (before, panicked) = engine.go(Vec::new());
    assert!(!panicked);
    engine.observer.panics_from.store(10, Relaxed);
    assert_eq!(engine.go(Vec::new()), (before, true));
    assert_eq!(engine.observer.panics_from.load(Relaxed), NEVER);
}

/// All threads panic before they have any line: a parameter far outside its range overflows at the first move.
fn check_panics_before_any_line(engine: &mut Engine, threads: usize) {
    if !cfg!(debug_assertions) {
        return;
    }
    // Not the first legal moves, which may not be chosen here.
    let mut only: Vec<Move> = generate::all_legal(&Position::start()).into_iter().skip(10).collect();
    only.reverse();
    let usual = engine.player.options_mut().params.learned_scale;
    for (learned_scale, panics) in [(i32::MAX, true), (usual, false)] {
        engine.player.options_mut().params.learned_scale = learned_scale;
        let (best, panicked) = engine.go(only.clone());
        assert_eq!(panicked, panics, "{threads} threads");
        assert!(if panics { best == only[0] } else { only.contains(&best) }, "{best}");
    }
}
