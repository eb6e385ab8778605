//! The processor time of this thread, which other work on the machine does not count in.

use std::fs;
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// Time since some moment in the past: of the processor where the system says it (Linux), else of the wall.
pub fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    // The system brings the number up to date when the thread stops running, and else only some hundred times a second.
    thread::sleep(Duration::from_micros(1));
    of_thread().unwrap_or_else(|| START.elapsed())
}

/// Whether [`now`] is processor time.
pub fn is_of_processor() -> bool {
    of_thread().is_some()
}

/// Nanoseconds on a processor, the first number of the file.
fn of_thread() -> Option<Duration> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
