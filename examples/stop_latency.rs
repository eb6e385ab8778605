//! From `stop` to the answer, inside the process: searches with two threads are stopped a thousand times while two other
//! threads keep the cores busy.
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
        let mut times: Vec<Duration> = (0..stops)
            .map(|n| {
                player.go(Limits { infinite: true, ..Limits::default() }, Instant::now());
                std::thread::sleep(Duration::from_millis(3 + n as u64 % 17));
                let begin = Instant::now();
                player.stop();
                answers.recv().expect("every search answers").saturating_duration_since(begin)
            })
            .collect();
        done.store(true, Relaxed);
        times.sort();
        for share in [50, 90, 99, 100] {
            println!("{share}%: {:?}", times[(times.len() * share).div_ceil(100) - 1]);
        }
    });
}
