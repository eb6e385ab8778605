//! Progress on a terminal.

use std::time::{Duration, Instant};

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use parking_lot::Mutex;

use super::remark::remark;

/// A bar with the time left; hidden unless standard error is a terminal.
pub fn bar(length: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template has known keys only");
    ProgressBar::new(length).with_style(style).with_message(name.to_string())
}

/// How long work goes on until a line tells of it where there is no terminal.
const EVERY: Duration = Duration::from_secs(60);

/// The course of hours of work: a bar with what is done a second and the time left, or a line every minute where standard
/// error is no terminal, as in the log of what runs in the background.
pub struct Course {
    bar: ProgressBar,
    /// What is counted.
    unit: &'static str,
    begun_at: u64,
    begin: Instant,
    told: Mutex<Instant>,
}

impl Course {
    /// From `done` to `length` of what is counted.
    pub fn new(length: u64, done: u64, unit: &'static str) -> Course {
        let style =
            ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}, {per_sec}, {msg}, {eta} left")
                .expect("the template has known keys only");
        let bar = ProgressBar::new(length).with_style(style).with_position(done).with_message(unit);
        bar.reset_eta();
        let begin = Instant::now();
        Course { bar, unit, begun_at: done, begin, told: Mutex::new(begin) }
    }

    /// So much is done, of which `said` says more where there is more to say.
    pub fn set(&self, done: u64, said: Option<&str>) {
        if !self.bar.is_hidden() {
            if let Some(said) = said {
                self.bar.set_message(said.to_string());
            }
            self.bar.set_position(done);
            return;
        }
        let mut told = self.told.lock();
        if told.elapsed() >= EVERY {
            *told = Instant::now();
            remark(format_args!("{}", self.line(done, said, self.begin.elapsed())));
        }
    }

    fn line(&self, done: u64, said: Option<&str>, elapsed: Duration) -> String {
        let length = self.bar.length().unwrap_or_default();
        let rate = done.saturating_sub(self.begun_at) as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = Duration::from_secs_f64((length.saturating_sub(done) as f64 / rate.max(1e-3)).min(1e9));
        let said = said.map(|said| format!(" ({said})")).unwrap_or_default();
        let (done, length, left) = (HumanCount(done), HumanCount(length), HumanDuration(left));
        // What takes minutes each is counted by the hour.
        let rate = if rate < 1.0 { format!("{:.0}/h", 3600.0 * rate) } else { format!("{rate:.0}/s") };
        format!("{done}/{length} {}{said}, {rate}, {left} left", self.unit)
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
    fn a_line_says_what_is_done_and_what_is_left() {
        let course = Course::new(61_000, 1_000, "positions");
        let elapsed = Duration::from_secs(100);
        assert_eq!(
            course.line(21_000, Some("70 games"), elapsed),
            "21,000/61,000 positions (70 games), 200/s, 3 minutes left"
        );
        assert!(course.line(1_000, None, Duration::ZERO).starts_with("1,000/61,000 positions, 0/h, "));
        let pairs = Course::new(1_000, 0, "pairs");
        assert_eq!(pairs.line(40, None, elapsed), "40/1,000 pairs, 1440/h, 40 minutes left");
    }
}
