//! The progress of work that takes hours.

use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use crate::cli::output::remark;

/// How often a line reports the progress where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// The progress of hours of work: a bar with the rate and the time left, or a line every minute where standard error is no
/// terminal, as in the log of a process in the background.
pub struct LongProgress {
    bar: ProgressBar,
    /// What is counted.
    unit: &'static str,
    begun_at: u64,
    begin: Instant,
    reported: Mutex<Instant>,
}

impl LongProgress {
    /// Begins with `done` of `length` units.
    pub fn new(length: u64, done: u64, unit: &'static str) -> LongProgress {
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}, {per_sec}, {msg}, {eta} left")
                .expect("the template has known keys only");
        let bar = ProgressBar::new(length).with_style(style).with_position(done).with_message(unit);
        bar.reset_eta();
        let begin = Instant::now();
        LongProgress { bar, unit, begun_at: done, begin, reported: Mutex::new(begin) }
    }

    /// Shows that so much is done, with the message `said`.
    pub fn set(&self, done: u64, said: Option<&str>) {
        if !self.bar.is_hidden() {
            if let Some(said) = said {
                self.bar.set_message(said.to_string());
            }
            self.bar.set_position(done);
            return;
        }
        let mut reported = self.reported.lock();
        if reported.elapsed() >= EVERY {
            *reported = Instant::now();
            remark(format_args!("{}", self.line(done, said, self.begin.elapsed())));
        }
    }

    fn line(&self, done: u64, said: Option<&str>, elapsed: Duration) -> String {
        let length = self.bar.length().unwrap_or_default();
        let rate = done.saturating_sub(self.begun_at) as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64((length.saturating_sub(done) as f64 / rate.max(1e-3)).min(1e9));
        let said = said.map(|said| format!(" ({said})")).unwrap_or_default();
        let (done, length, left) = (HumanCount(done), HumanCount(length), HumanDuration(left));
        // Where each takes minutes, the rate is by the hour.
        let rate = if rate < 1.0 { format!("{:.0}/h", 3600.0 * rate) } else { format!("{rate:.0}/s") };
        format!("{done}/{length} {}{said}, {rate}, {left} left", self.unit)
    }

    /// Removes the bar: the work is done.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_and_what_is_left() {
        let progress = LongProgress::new(61_000, 1_000, "positions");
        let elapsed = Duration::from_secs(100);
        assert_eq!(
            progress.line(21_000, Some("70 games"), elapsed),
            "21,000/61,000 positions (70 games), 200/s, 3 minutes left"
        );
        assert!(progress.line(1_000, None, Duration::ZERO).starts_with("1,000/61,000 positions, 0/h, "));
        let pairs = LongProgress::new(1_000, 0, "pairs");
        assert_eq!(pairs.line(40, None, elapsed), "40/1,000 pairs, 1440/h, 40 minutes left");
    }
}
