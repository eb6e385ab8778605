//! MultiPV: the best lines of the root while an iteration runs.

use super::control::Line;
use super::value::Value;

/// As many lines as were asked for. First come those that the running iteration has found, the best first; then those of
/// the iteration before whose moves it has not searched yet.
pub struct MultiPv {
    wanted: usize,
    list: Vec<Line>,
    /// How many of them the running iteration has found.
    fresh: usize,
    /// The lines of the iteration before, where there are several.
    before: Vec<Line>,
}

impl MultiPv {
    /// Starts with `unsearched`, as many lines as are wanted, which no iteration has found: at least one.
    pub fn new(unsearched: Vec<Line>) -> MultiPv {
        MultiPv { wanted: unsearched.len(), list: unsearched, fresh: 0, before: Vec::new() }
    }

    /// An iteration begins.
    pub fn begin(&mut self) {
        self.fresh = 0;
        if self.wanted > 1 {
            self.before.clone_from(&self.list);
        }
    }

    /// The iteration is broken off. Several lines have to be of one iteration: where it has not found all of them, those of
    /// the one before stand, if there was one.
    pub fn break_off(&mut self) {
        let has_others = self.before.first().is_some_and(|line| line.depth > 0);
        if self.fresh < self.wanted && has_others {
            self.list.clone_from(&self.before);
        }
    }

    /// What a move has to be better than to get a line.
    pub fn alpha(&self) -> Value {
        if self.fresh < self.wanted { -Value::INFINITE } else { self.list[self.wanted - 1].value }
    }

    /// The value of the best line that the running iteration has found.
    pub fn best_value(&self) -> Value {
        if self.fresh == 0 { -Value::INFINITE } else { self.list[0].value }
    }

    /// The value of the first line, whichever iteration has found it.
    pub fn first_value(&self) -> Value {
        self.list[0].value
    }

    /// Inserts a line that the running iteration has found, and returns its index, from 0.
    pub fn insert(&mut self, line: Line) -> usize {
        if let Some(old) = self.list[self.fresh..].iter().position(|old| old.moves[0] == line.moves[0]) {
            self.list.remove(self.fresh + old);
        } else if self.fresh == 0 && self.list[0].depth == 0 {
            // Those from before the first iteration.
            self.list.clear();
        }
        let index = self.list[..self.fresh].partition_point(|known| known.value >= line.value);
        self.list.insert(index, line);
        self.fresh = (self.fresh + 1).min(self.wanted);
        self.list.truncate(self.wanted);
        for (number, line) in (1..).zip(&mut self.list) {
            line.multipv_index = number;
        }
        index
    }

    /// Sets the nodes of every line.
    pub fn set_nodes(&mut self, nodes: u64) {
        self.list.iter_mut().for_each(|line| line.nodes = nodes);
    }

    /// The lines, best first.
    pub fn as_slice(&self) -> &[Line] {
        &self.list
    }

    /// The best line.
    pub fn into_best(mut self) -> Line {
        self.list.swap_remove(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(depth: u32, mv: &str, units: i32) -> Line {
        let moves = vec![mv.parse().expect("a move")];
        Line { multipv_index: 1, depth, seldepth: depth, value: Value::new(units), nodes: 0, moves }
    }

    fn summary(lines: &MultiPv) -> Vec<(u32, u32, String)> {
        lines
            .as_slice()
            .iter()
            .map(|line| (line.multipv_index, line.depth, line.moves[0].to_string()))
            .collect()
    }

    #[test]
    fn lines_of_a_broken_iteration_count_once_all_are_found() {
        let unsearched = vec![line(0, "9g9f", 0), line(0, "1g1f", 0)];
        let mut lines = MultiPv::new(unsearched.clone());
        lines.begin();
        lines.break_off();
        assert_eq!(lines.as_slice(), unsearched);
        lines.insert(line(1, "7g7f", 10));
        lines.break_off();
        assert_eq!(summary(&lines), [(1, 1, "7g7f".to_string())], "there is nothing else");
        lines.insert(line(1, "2g2f", 5));
        lines.begin();
        lines.insert(line(2, "5g5f", 20));
        assert_eq!(lines.as_slice()[0].depth, 2);
        let mut whole = lines;
        whole.break_off();
        assert_eq!(summary(&whole), [(1, 1, "7g7f".to_string()), (2, 1, "2g2f".to_string())]);
        whole.begin();
        for (mv, value) in [("5g5f", 20), ("2g2f", 30)] {
            whole.insert(line(2, mv, value));
        }
        whole.break_off();
        assert_eq!(summary(&whole), [(1, 2, "2g2f".to_string()), (2, 2, "5g5f".to_string())]);
    }

    #[test]
    fn new_lines_take_their_place_before_old_ones() {
        let mut lines = MultiPv::new(vec![line(0, "9g9f", 0), line(0, "1g1f", 0)]);
        for (mv, value, index) in [("7g7f", 10, 0), ("2g2f", 30, 0), ("5g5f", 20, 1)] {
            assert!(Value::new(value) > lines.alpha());
            assert_eq!(lines.insert(line(1, mv, value)), index);
        }
        assert_eq!(summary(&lines), [(1, 1, "2g2f".to_string()), (2, 1, "5g5f".to_string())]);
        assert_eq!(lines.alpha(), Value::new(20));
        lines.begin();
        assert_eq!(lines.alpha(), -Value::INFINITE);
        lines.insert(line(2, "5g5f", -5));
        // The old line of the same move is gone; that of the other move still stands.
        assert_eq!(summary(&lines), [(1, 2, "5g5f".to_string()), (2, 1, "2g2f".to_string())]);
        assert_eq!(lines.into_best().value, Value::new(-5));
    }
}
