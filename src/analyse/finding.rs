//! What the engine found in one position.

use serde::{Deserialize, Serialize};

use crate::search::Line;
use crate::search::value::{Mate, Value};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// What the engine found in one position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// How many moves of the game lead to the position.
    pub ply: usize,
    /// For the side to move.
    pub value: Value,
    /// The best lines, the best first. None where there is nothing to search: the game is over there, or the side to
    /// move wins by a declaration.
    pub lines: Vec<FoundLine>,
    /// The last iteration; 0 without a search.
    pub depth: u32,
    /// The nodes of the search.
    pub nodes: u64,
    /// The time of the search, in seconds.
    pub seconds: f64,
}

/// One of the best lines of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundLine {
    /// For the side to move.
    pub value: Value,
    /// The moves of both sides, at least one.
    pub moves: Vec<Move>,
}

impl Finding {
    /// A position with nothing to search.
    pub fn without_search(ply: usize, value: Value) -> Finding {
        Finding { ply, value, lines: Vec::new(), depth: 0, nodes: 0, seconds: 0.0 }
    }

    /// The best move and what follows it; `None` where there is nothing to search.
    pub fn best(&self) -> Option<&FoundLine> {
        self.lines.first()
    }
}

impl From<&Line> for FoundLine {
    fn from(line: &Line) -> FoundLine {
        FoundLine { value: line.value, moves: line.moves.clone() }
    }
}

/// A value in a file: hundredths of a pawn, or the plies to a mate. Above 0, or `+`, is good for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// The side to move mates in so many plies; 1 where it wins by a declaration.
    Mates(u32),
    /// The side to move is mated in so many plies; 0 where it is mated already.
    Mated(u32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        match value.mate_distance() {
            None => Score::Cp(value.cp()),
            Some(Mate::Gives(plies)) => Score::Mates(plies),
            Some(Mate::Suffers(plies)) => Score::Mated(plies),
        }
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        match score {
            Score::Cp(cp) => Value::from_cp(cp),
            // A distance that no value has is a damaged file's, and as good as won or lost.
            Score::Mates(plies) => Value::mate_in(plies.min(MAX_MATE) as usize),
            Score::Mated(plies) => Value::mated_in(plies.min(MAX_MATE) as usize),
        }
    }
}

/// The longest mate that a value holds.
const MAX_MATE: u32 = 250;

/// A finding as a line of a file has it.
#[derive(Serialize, Deserialize, Debug)]
pub struct StoredFinding {
    /// How many moves of the game lead to the position.
    pub ply: usize,
    /// For the side to move.
    pub score: Score,
    /// The best lines.
    pub lines: Vec<StoredLine>,
    /// The last iteration.
    pub depth: u32,
    /// The nodes of the search.
    pub nodes: u64,
    /// The time of the search.
    pub seconds: f64,
}

/// A line as a line of a file has it.
#[derive(Serialize, Deserialize, Debug)]
pub struct StoredLine {
    /// For the side to move.
    pub score: Score,
    /// The moves in USI.
    pub pv: Vec<String>,
}

impl From<&Finding> for StoredFinding {
    fn from(finding: &Finding) -> StoredFinding {
        let &Finding { ply, value, depth, nodes, seconds, .. } = finding;
        let stored = |line: &FoundLine| StoredLine {
            score: line.value.into(),
            pv: line.moves.iter().map(ToString::to_string).collect(),
        };
        let lines = finding.lines.iter().map(stored).collect();
        // Milliseconds are enough.
        StoredFinding {
            ply,
            score: value.into(),
            lines,
            depth,
            nodes,
            seconds: (seconds * 1e3).round() / 1e3,
        }
    }
}

impl StoredFinding {
    /// The finding about `position`; `None` where a line is no line of that position.
    pub fn check(&self, position: &Position) -> Option<Finding> {
        let lines: Option<Vec<FoundLine>> = self.lines.iter().map(|line| line.check(position)).collect();
        let &StoredFinding { ply, score, depth, nodes, seconds, .. } = self;
        Some(Finding { ply, value: score.into(), lines: lines?, depth, nodes, seconds })
    }
}

impl StoredLine {
    fn check(&self, position: &Position) -> Option<FoundLine> {
        let mut position = position.clone();
        let mut moves = Vec::new();
        for text in &self.pv {
            let mv: Move = text.parse().ok()?;
            if !position.is_legal(mv) {
                return None;
            }
            position.play(mv, &mut ());
            moves.push(mv);
        }
        (!moves.is_empty()).then(|| FoundLine { value: self.score.into(), moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_survives_a_file() {
        let start = Position::start();
        let moves: Vec<Move> = ["7g7f", "3c3d"].iter().map(|text| text.parse().unwrap()).collect();
        for value in [Value::from_cp(-57), Value::mate_in(7), Value::mated_in(0)] {
            let lines = vec![FoundLine { value, moves: moves.clone() }];
            let finding = Finding { ply: 3, value, lines, depth: 9, nodes: 1234, seconds: 0.125 };
            let text = serde_json::to_string(&StoredFinding::from(&finding)).unwrap();
            let read: StoredFinding = serde_json::from_str(&text).unwrap();
            assert_eq!(read.check(&start), Some(finding), "{text}");
        }
    }

    #[test]
    fn lines_that_cannot_be_played_are_refused() {
        for pv in [vec![], vec!["7g7e"], vec!["7g7f", "7g7f"], vec!["nonsense"]] {
            let pv = pv.into_iter().map(str::to_string).collect();
            let lines = vec![StoredLine { score: Score::Cp(0), pv }];
            let stored =
                StoredFinding { ply: 0, score: Score::Cp(0), lines, depth: 1, nodes: 1, seconds: 0.0 };
            assert_eq!(stored.check(&Position::start()), None);
        }
    }
}
