//! What is left of a search that breaks down: a message and an answer by the rules, and an engine that goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, unbounded};
use jitsugen::engine::limits::Limits;
use jitsugen::engine::observer::{Answer, Info, Observer};
use jitsugen::engine::player::Player;
use jitsugen::search::value::Mate;
use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::sfen;

/// Far longer than anything here takes, for busy machines.
const PATIENCE: Duration = Duration::from_secs(60);

/// No iteration has this number.
const NEVER: u32 = u32::MAX;

/// Notes what is said, and breaks down once at a line of the iteration that it is told, or of a later one.
struct Ear {
    breaks_from: AtomicU32,
    notes: Sender<String>,
    answers: Sender<Answer>,
}

impl Observer for Ear {
    fn info(&self, info: &Info) {
        if info.line.depth >= self.breaks_from.load(Relaxed) {
            self.breaks_from.store(NEVER, Relaxed);
            panic!("this is the test's own panic");
        }
    }

    fn settled(&self, _: Mate) {}

    fn note(&self, text: &str) {
        self.notes.send(text.to_string()).expect("somebody listens");
    }

    fn still_there(&self) {}

    fn answer(&self, answer: Answer) {
        self.answers.send(answer).expect("somebody listens");
    }
}

struct Table {
    player: Player,
    ear: Arc<Ear>,
    notes: Receiver<String>,
    answers: Receiver<Answer>,
}

impl Table {
    fn new() -> Table {
        let ((say, notes), (give, answers)) = (unbounded(), unbounded());
        let ear = Arc::new(Ear { breaks_from: AtomicU32::new(NEVER), notes: say, answers: give });
        let mut player = Player::new(Arc::clone(&ear) as Arc<dyn Observer>);
        player.options_mut().hash = 16;
        Table { player, ear, notes, answers }
    }

    /// The move that is played, and whether it was said that the leading thread broke down. Whether another one begins
    /// early enough to break down as well, nobody knows.
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
fn a_search_that_breaks_down_is_answered() {
    let mut table = Table::new();
    for threads in [1, 3] {
        table.player.options_mut().threads = threads;
        // The leading thread, at its first line.
        for breaks in [true, false, true, false] {
            table.ear.breaks_from.store(if breaks { 1 } else { NEVER }, Relaxed);
            assert_eq!(table.go(Vec::new()).1, breaks, "{threads} threads");
        }
        without_any_line(&mut table, threads);
    }
}

#[test]
fn last_words_that_break_down_leave_the_best_move() {
    let mut table = Table::new();
    // Whatever White does, a gold mates: iteration after iteration finds that, which is told once and in the end.
    let doomed = sfen::parse("7nk/9/7G1/p8/9/9/9/9/4K4 w G 1").expect("a position");
    table.player.set_position(Ok(doomed));
    table.player.options_mut().info.pv_interval = PATIENCE;
    let (before, told) = table.go(Vec::new());
    assert!(!told);
    table.ear.breaks_from.store(10, Relaxed);
    assert_eq!(table.go(Vec::new()), (before, true));
    assert_eq!(table.ear.breaks_from.load(Relaxed), NEVER);
}

/// All threads, before they have any line: a number far outside its range overflows in the first look at the moves.
fn without_any_line(table: &mut Table, threads: usize) {
    if !cfg!(debug_assertions) {
        return;
    }
    // Not the first of all: those may not be chosen.
    let mut only: Vec<Move> = generate::all_legal(&Position::start()).into_iter().skip(10).collect();
    only.reverse();
    let usual = table.player.options_mut().params.learned_scale;
    for (learned_scale, breaks) in [(i32::MAX, true), (usual, false)] {
        table.player.options_mut().params.learned_scale = learned_scale;
        let (best, told) = table.go(only.clone());
        assert_eq!(told, breaks, "{threads} threads");
        assert!(if breaks { best == only[0] } else { only.contains(&best) }, "{best}");
    }
}
