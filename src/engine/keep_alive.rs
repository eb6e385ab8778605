//! Signs of life for clients that wait: some give an engine up that says nothing for half a minute.

use std::thread::Builder;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};

use super::observer::Observer;

/// The time between two signs of life while something is loaded.
pub const KEEP_ALIVE: Duration = Duration::from_secs(3);

/// Does `work`, and tells `observer` `every` so often that it is being done.
pub fn kept_alive<T>(observer: &dyn Observer, every: Duration, work: impl FnOnce() -> T) -> T {
    let (working, wait) = bounded::<()>(0);
    std::thread::scope(|scope| {
        // A thread of its own: on a busy machine any step of the work can take long. Where the system has none left,
        // the work is done without.
        let _ = Builder::new().spawn_scoped(scope, move || {
            while wait.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                observer.still_there();
            }
        });
        let done = work();
        drop(working);
        done
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;
    use crate::engine::observer::{Answer, Info};
    use crate::search::value::Mate;

    #[derive(Default)]
    struct Signs(AtomicU32);

    impl Observer for Signs {
        fn info(&self, _: &Info) {}
        fn settled(&self, _: Mate) {}
        fn note(&self, _: &str) {}
        fn still_there(&self) {
            self.0.fetch_add(1, Relaxed);
        }
        fn answer(&self, _: Answer) {}
    }

    #[test]
    fn who_waits_long_hears_something() {
        let signs = Signs::default();
        assert_eq!(kept_alive(&signs, Duration::from_secs(60), || 7), 7);
        assert_eq!(signs.0.load(Relaxed), 0);
        let slow = || std::thread::sleep(Duration::from_millis(150));
        kept_alive(&signs, Duration::from_millis(10), slow);
        assert!((2..=15).contains(&signs.0.load(Relaxed)), "{}", signs.0.load(Relaxed));
        // The strictest client waits for five seconds.
        assert!(KEEP_ALIVE < Duration::from_secs(5));
    }
}
