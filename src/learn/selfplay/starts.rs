//! Which game began where first.

use std::collections::HashMap;

use parking_lot::Mutex;

use crate::shogi::key::Key;

/// The positions that games have begun from, each with the lowest number of such a game.
///
/// Threads are not at the same game, so a game with a lower number may turn up later. Once all of them have, who was
/// first is settled, and the same for any number of threads.
pub struct Starts(Mutex<HashMap<Key, u64>>);

impl Starts {
    /// Those of games that were played before.
    pub fn new(known: HashMap<Key, u64>) -> Starts {
        Starts(Mutex::new(known))
    }

    /// Game `number` begins from `start`. Whether no game with a lower number is known to.
    pub fn claim(&self, start: Key, number: u64) -> bool {
        let mut known = self.0.lock();
        let first = known.entry(start).or_insert(number);
        *first = number.min(*first);
        *first == number
    }

    /// Whether game `number` is the first that begins from `start`, as far as is known.
    pub fn is_first(&self, start: Key, number: u64) -> bool {
        self.0.lock().get(&start).is_none_or(|&first| first == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_number_is_first_whoever_comes_first() {
        let starts = Starts::new(HashMap::from([(Key(1), 3)]));
        assert!(!starts.claim(Key(1), 5));
        assert!(starts.claim(Key(2), 9));
        assert!(starts.claim(Key(2), 8));
        assert!(!starts.is_first(Key(2), 9));
        assert!(starts.is_first(Key(2), 8));
    }
}
