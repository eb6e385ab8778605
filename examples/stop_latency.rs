//! From `stop` to the answer, inside the process: searches with two threads are stopped a thousand times while two other
//! threads keep the cores busy. Then the same for `go mate` on a problem that takes far longer, and how far beyond its time a
//! `go mate` with one is answered.
//!
//!     cargo run --release --example stop_latency -- [THREADS] [STOPS]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::{Sender, unbounded};
use jitsugen::engine::limits::Limits;
use jitsugen::engine::observer::{Answer, Info, Observer};
use jitsugen::engine::player::Player;
use jitsugen::search::value::Mate;
use jitsugen::shogi::sfen;

/// Notes when the answer comes.
struct Ear(Sender<Instant>);

impl Observer for Ear {
    fn info(&self, _: &Info) {}

    fn settled(&self, _: Mate) {}

    fn note(&self, _: &str) {}

    fn still_there(&self) {}

    fn answer(&self, _: Answer) {
        self.0.send(Instant::now()).expect("somebody listens");
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse().expect("a number"));
    let threads = arguments.next().unwrap_or(2);
    let stops = arguments.next().unwrap_or(1000);
    let (sender, answers) = unbounded();
    let mut player = Player::new(Arc::new(Ear(sender)));
    player.settings_mut().threads = threads;
    player.prepare();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let stop = |player: &mut Player, limits: Limits, n: usize| {
            player.go(limits, Instant::now());
            std::thread::sleep(Duration::from_millis(3 + n as u64 % 17));
            let begin = Instant::now();
            player.stop();
            answers.recv().expect("every search answers").saturating_duration_since(begin)
        };
        let endless = Limits { infinite: true, ..Limits::default() };
        tell("stop", (0..stops).map(|n| stop(&mut player, endless.clone(), n)));
        player.set_position(Ok(sfen::parse(MICROCOSMOS).expect("a position")));
        let mate = Limits { mate: true, ..Limits::default() };
        tell("stop of a search for mate", (0..stops).map(|n| stop(&mut player, mate.clone(), n)));
        let late = |n: usize| {
            let time = Duration::from_millis(50 + n as u64 % 100);
            let begin = Instant::now();
            player.go(Limits { move_time: Some(time), ..mate.clone() }, begin);
            answers.recv().expect("every search answers").saturating_duration_since(begin + time)
        };
        tell("beyond its time", (0..stops / 4).map(late));
        done.store(true, Relaxed);
    });
}

/// A mate in 1,525 plies.
const MICROCOSMOS: &str =
    "g1+P1k1+P+P+L/1p3P3/+R+p2pp1pl/1NNsg+p2+R/+b+nL+P1+p3/1P3ssP1/2P1+Ps2N/4+P1P1L/+B5G1g b - 1";

fn tell(what: &str, times: impl Iterator<Item = Duration>) {
    let mut times: Vec<Duration> = times.collect();
    times.sort();
    println!("{what}, {} times:", times.len());
    for share in [50, 90, 99, 100] {
        println!("{share}%: {:?}", times[(times.len() * share).div_ceil(100) - 1]);
    }
}
