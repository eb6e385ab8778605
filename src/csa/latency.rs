//! How long a line takes to the server and back.

use std::collections::VecDeque;
use std::time::Duration;

/// What is measured: the time from a move of ours until the server repeats it. The server's clock stops somewhere in between.
#[derive(Clone, Debug)]
pub struct Latency {
    /// The latest measurements.
    recent: VecDeque<Duration>,
    /// Kept back beside what was measured.
    margin: Duration,
}

/// How many measurements count.
const RECENT: usize = 32;

/// A measurement counts as this at most: one stall must not make a whole game hasty.
const LONGEST: Duration = Duration::from_secs(3);

impl Latency {
    /// Nothing is measured yet. `margin` is kept back beside what will be.
    pub fn new(margin: Duration) -> Latency {
        Latency { recent: VecDeque::new(), margin }
    }

    /// One more measurement.
    pub fn add(&mut self, time: Duration) {
        if self.recent.len() == RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back(time.min(LONGEST));
    }

    /// What a move loses on average.
    pub fn average(&self) -> Duration {
        let count = u32::try_from(self.recent.len()).unwrap_or(1).max(1);
        self.recent.iter().sum::<Duration>() / count + self.margin / 2
    }

    /// What a move loses at worst: the longest measurement and the margin.
    pub fn worst(&self) -> Duration {
        self.recent.iter().max().copied().unwrap_or_default() + self.margin
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_of_recent_measurements_is_kept_back() {
        let ms = Duration::from_millis;
        let mut latency = Latency::new(ms(200));
        assert_eq!((latency.average(), latency.worst()), (ms(100), ms(200)));
        latency.add(ms(50));
        latency.add(ms(150));
        assert_eq!((latency.average(), latency.worst()), (ms(200), ms(350)));
        latency.add(ms(60_000));
        assert_eq!(latency.worst(), LONGEST + ms(200), "one stall counts, but not for ever");
        for _ in 0..RECENT {
            latency.add(ms(10));
        }
        assert_eq!((latency.average(), latency.worst()), (ms(110), ms(210)));
    }
}
