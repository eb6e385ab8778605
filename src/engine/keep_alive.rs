//! Signs of life for clients that wait: some give up an engine that is silent for half a minute.

use std::thread::Builder;
use std::time::Duration;

use crossbeam::channel::{RecvTimeoutError, bounded};

use super::observer::Observer;

/// The time between two signs of life while something is loaded.
pub const KEEP_ALIVE: Duration = Duration::from_secs(3);

/// Does `work`, and gives `observer` a sign of life whenever the time `every` has passed.
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
    use crossbeam::channel::{Sender, unbounded};

    use super::*;
    use crate::engine::observer::{Answer, Info};
    use crate::search::value::Mate;

    struct Signs(Sender<()>);

    impl Observer for Signs {
        fn info(&self, _: &Info) {}
        fn nothing_to_search(&self, _: Mate) {}
        fn note(&self, _: &str) {}
        fn still_there(&self) {
            self.0.send(()).expect("the test listens");
        }
        fn answer(&self, _: Answer) {}
    }

    #[test]
    fn long_work_gives_signs_of_life() {
        let (signs, seen) = unbounded();
        let signs = Signs(signs);
        assert_eq!(kept_alive(&signs, Duration::from_secs(60), || 7), 7);
        assert!(seen.is_empty());
        let two_signs = || (0..2).filter(|_| seen.recv().is_ok()).count();
        assert_eq!(kept_alive(&signs, Duration::from_millis(1), two_signs), 2);
        // The strictest client waits for five seconds.
        assert!(KEEP_ALIVE < Duration::from_secs(5));
    }
}
