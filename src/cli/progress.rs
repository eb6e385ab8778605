//! Progress on a terminal.

use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use super::output::remark;

/// A bar with the time left; hidden unless standard error is a terminal.
pub fn bar(length: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template has known keys only");
    ProgressBar::new(length).with_style(style).with_message(name.to_string())
}

/// The time between two lines where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// The progress of hours of work: a bar with rate and time left, or a line every minute where standard error is no
/// terminal, as in the log of a job in the background.
pub struct Progress {
    bar: ProgressBar,
    /// What is counted.
    unit: &'static str,
    begun_at: u64,
    begin: Instant,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// From `done` to `length` of what is counted.
    pub fn new(length: u64, done: u64, unit: &'static str) -> Progress {
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}, {per_sec}, {msg}, {eta} left")
                .expect("the template has known keys only");
        let bar = ProgressBar::new(length).with_style(style).with_position(done).with_message(unit);
        bar.reset_eta();
        let begin = Instant::now();
        Progress { bar, unit, begun_at: done, begin, last_line: Mutex::new(begin) }
    }

    /// So much is done; `detail` says more of it.
    pub fn set(&self, done: u64, detail: Option<&str>) {
        if !self.bar.is_hidden() {
            if let Some(detail) = detail {
                self.bar.set_message(detail.to_string());
            }
            self.bar.set_position(done);
            return;
        }
        let mut last_line = self.last_line.lock();
        if last_line.elapsed() >= EVERY {
            *last_line = Instant::now();
            remark(format_args!("{}", self.line(done, detail, self.begin.elapsed())));
        }
    }

    fn line(&self, done: u64, detail: Option<&str>, elapsed: Duration) -> String {
        let length = self.bar.length().unwrap_or_default();
        let rate = done.saturating_sub(self.begun_at) as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64((length.saturating_sub(done) as f64 / rate.max(1e-3)).min(1e9));
        let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
        let (done, length, left) = (HumanCount(done), HumanCount(length), HumanDuration(left));
        // Slow work is counted by the hour.
        let rate = if rate < 1.0 { format!("{:.0}/h", 3600.0 * rate) } else { format!("{rate:.0}/s") };
        format!("{done}/{length} {}{detail}, {rate}, {left} left", self.unit)
    }

    /// The work is done.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_shows_count_rate_and_time_left() {
        let progress = Progress::new(61_000, 1_000, "positions");
        let elapsed = Duration::from_secs(100);
        assert_eq!(
            progress.line(21_000, Some("70 games"), elapsed),
            "21,000/61,000 positions (70 games), 200/s, 3 minutes left"
        );
        assert!(progress.line(1_000, None, Duration::ZERO).starts_with("1,000/61,000 positions, 0/h, "));
        let pairs = Progress::new(1_000, 0, "pairs");
        assert_eq!(pairs.line(40, None, elapsed), "40/1,000 pairs, 1440/h, 40 minutes left");
    }
}
