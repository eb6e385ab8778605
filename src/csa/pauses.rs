//! Pauses between attempts, each twice as long as the one before.

use std::time::Duration;

/// The pauses of a session.
#[derive(Clone, Debug)]
pub struct Pauses {
    first: Duration,
    longest: Duration,
    next: Duration,
}

impl Pauses {
    /// The first pause, and the longest.
    pub fn new(first: Duration, longest: Duration) -> Pauses {
        Pauses { first, longest, next: first.min(longest) }
    }

    /// The next pause.
    pub fn take(&mut self) -> Duration {
        let pause = self.next;
        self.next = pause.saturating_mul(2).min(self.longest);
        pause
    }

    /// Something has worked: the next pause is the first one again.
    pub fn reset(&mut self) {
        self.next = self.first.min(self.longest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_until_the_longest() {
        let s = Duration::from_secs;
        let mut pauses = Pauses::new(s(1), s(5));
        assert_eq!([(); 5].map(|()| pauses.take()), [s(1), s(2), s(4), s(5), s(5)]);
        pauses.reset();
        assert_eq!(pauses.take(), s(1));
        assert_eq!(Pauses::new(s(9), s(5)).take(), s(5));
    }
}
