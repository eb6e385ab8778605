//! A game with what the engine found in each of its positions: what each move has lost, and how each side played.

use super::finding::Finding;
use crate::policy::transition::Transitions;
use crate::record::{self, Record};
use crate::search::value::{Mate, Value};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Values beyond this, in hundredths of a pawn, are as good as won: a loss above it is no loss.
pub const EDGE: i32 = 3000;

/// How bad a move is, by what it takes off the chance to win.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Grade {
    /// At least 5 in a hundred (緩手).
    Inaccuracy,
    /// At least 10 in a hundred (疑問手).
    Mistake,
    /// At least 20 in a hundred (悪手).
    Blunder,
}

impl Grade {
    /// Every grade, the mildest first.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];

    /// The least loss of chance to win that has this grade.
    const fn least(self) -> f64 {
        match self {
            Grade::Inaccuracy => 0.05,
            Grade::Mistake => 0.10,
            Grade::Blunder => 0.20,
        }
    }

    fn of(lost: f64) -> Option<Grade> {
        Grade::ALL.into_iter().rfind(|grade| lost >= grade.least())
    }

    /// Its name in English.
    pub const fn name(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "inaccuracy",
            Grade::Mistake => "mistake",
            Grade::Blunder => "blunder",
        }
    }

    /// Its name in Japanese.
    pub const fn japanese(self) -> &'static str {
        match self {
            Grade::Inaccuracy => "緩手",
            Grade::Mistake => "疑問手",
            Grade::Blunder => "悪手",
        }
    }
}

/// What a move of the game was worth.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The move.
    pub mv: Move,
    /// The side that played it.
    pub color: Color,
    /// In the words of KI2.
    pub words: String,
    /// The best that was known before the move, for the side that played it.
    pub before: Value,
    /// The value after the move, for the same side.
    pub after: Value,
    /// Whether it is the move that the engine holds for the best; `false` where there was nothing to search.
    pub is_best: bool,
    /// What it lost, in hundredths of a pawn, 0 or more, and 0 where there was nothing to search. Values beyond [`EDGE`]
    /// count as that.
    pub loss: i32,
    /// What it lost of the chance to win, 0 to 1.
    pub lost_chance: f64,
    /// How bad that is; `None` for good moves.
    pub grade: Option<Grade>,
    /// How probable it is that a strong player plays the move, 0 to 1.
    pub probability: f64,
    /// The same for the engine's best move.
    pub best_probability: f64,
}

impl Judgement {
    /// The plies of a mate that the side had and has not any more, where it played another move than the best.
    pub fn missed_mate(&self) -> Option<u32> {
        if self.is_best {
            return None;
        }
        match (self.before.mate_distance(), self.after.mate_distance()) {
            (Some(Mate::Gives(_)), Some(Mate::Gives(_))) => None,
            (Some(Mate::Gives(plies)), _) => Some(plies),
            _ => None,
        }
    }

    /// The plies of a mate that the move has allowed, counted from the position after it.
    pub fn allowed_mate(&self) -> Option<u32> {
        match (self.before.mate_distance(), self.after.mate_distance()) {
            (Some(Mate::Suffers(_)), _) => None,
            (_, Some(Mate::Suffers(plies))) => Some(plies),
            _ => None,
        }
    }

    /// Whether the list of mistakes has it.
    pub fn is_mistake(&self) -> bool {
        self.grade.is_some() || self.missed_mate().is_some()
    }
}

/// How a side played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// Its moves.
    pub moves: usize,
    /// How many of them were the engine's best.
    pub best: usize,
    /// The mean loss of a move, in hundredths of a pawn.
    pub mean_loss: f64,
    /// The mean chance to win that a move kept: 1 where every move was the best.
    pub accuracy: f64,
    /// How many moves have each grade, in the order of [`Grade::ALL`].
    pub grades: [usize; 3],
    /// How many mates it had and did not play.
    pub missed_mates: usize,
    /// The geometric mean of the probabilities that a strong player plays its moves: how usual they were.
    pub usual: f64,
}

/// A game with what was found.
pub struct GameAnalysis {
    record: Record,
    /// Of every position, from the start to the end.
    positions: Vec<Position>,
    findings: Vec<Finding>,
    judgements: Vec<Judgement>,
}

impl GameAnalysis {
    /// Puts the findings of all positions of `record` together, in the order of the game.
    ///
    /// # Panics
    /// When there is not one finding for each position.
    pub fn new(record: Record, findings: Vec<Finding>) -> GameAnalysis {
        let positions = positions(&record);
        assert_eq!(findings.len(), positions.len(), "each position has a finding");
        let judgements = (1..positions.len())
            .map(|ply| judge(&positions, &findings, ply, record.main().moves[ply - 1].mv))
            .collect();
        GameAnalysis { record, positions, findings, judgements }
    }

    /// The game.
    pub const fn record(&self) -> &Record {
        &self.record
    }

    /// Every position, from the start to the end, with the game before it.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// What was found in each position.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Each move.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// The value of the position after `ply` moves, for Black.
    pub fn value_for_black(&self, ply: usize) -> Value {
        let value = self.findings[ply].value;
        if self.positions[ply].side() == Color::Black { value } else { -value }
    }

    /// The moves of a line from the position after `ply` moves, in words. The first names its square, where a record would say
    /// 同: ShogiHome reads a line without the move before it.
    pub fn words(&self, ply: usize, moves: &[Move]) -> Vec<String> {
        let mut position = self.positions[ply].clone();
        let mut last_to = None;
        let mut list = Vec::new();
        for &mv in moves {
            list.push(record::words(&position, mv, last_to));
            position.play(mv, &mut ());
            last_to = Some(mv.to());
        }
        list
    }

    /// How each side played.
    pub fn summaries(&self) -> PerColor<Summary> {
        PerColor(Color::ALL.map(|color| summary(self.judgements.iter().filter(|one| one.color == color))))
    }

    /// The name of a side's player; `fallback` where the record has none.
    pub fn name<'a>(&'a self, color: Color, fallback: &'a str) -> &'a str {
        self.record.players()[color].as_deref().unwrap_or(fallback)
    }
}

/// A share of 1 as files have it: four digits tell all that is known.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// Every position of a game, from the start to the end.
pub fn positions(record: &Record) -> Vec<Position> {
    let mut position = record.start_position();
    let mut positions = vec![position.clone()];
    for mv in record.moves() {
        position.play(mv, &mut ());
        positions.push(position.clone());
    }
    positions
}

/// Move number `ply` of the game.
fn judge(positions: &[Position], findings: &[Finding], ply: usize, mv: Move) -> Judgement {
    let (position, found) = (&positions[ply - 1], &findings[ply - 1]);
    let last_to = position.last_move().map(Move::to);
    let after = -findings[ply].value;
    // The position after the move was searched a ply further. What it is worth is known of the move, too.
    let before = found.value.max(after);
    let best = found.best().map(|line| line.moves[0]);
    let (mut loss, mut lost_chance) = (0, 0.0);
    if best.is_some_and(|best| best != mv) {
        let clipped = |value: Value| value.cp().clamp(-EDGE, EDGE);
        loss = clipped(before) - clipped(after);
        lost_chance = before.chance_to_win() - after.chance_to_win();
    }
    let probability = |mv| Transitions::built_in().probability(position, last_to, mv);
    Judgement {
        mv,
        color: position.side(),
        words: record::words(position, mv, last_to),
        before,
        after,
        is_best: best == Some(mv),
        loss,
        lost_chance,
        grade: Grade::of(lost_chance),
        probability: probability(mv),
        best_probability: best.map_or(0.0, probability),
    }
}

fn summary<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> Summary {
    /// A move of no probability must not make the whole mean 0.
    const LEAST: f64 = 1e-4;
    let mut summary = Summary::default();
    let (mut loss, mut kept, mut log) = (0.0, 0.0, 0.0);
    for judgement in judgements {
        summary.moves += 1;
        summary.best += usize::from(judgement.is_best);
        summary.missed_mates += usize::from(judgement.missed_mate().is_some());
        if let Some(grade) = judgement.grade {
            summary.grades[grade as usize] += 1;
        }
        loss += f64::from(judgement.loss);
        kept += 1.0 - judgement.lost_chance;
        log += judgement.probability.max(LEAST).ln();
    }
    let moves = summary.moves.max(1) as f64;
    summary.mean_loss = loss / moves;
    summary.accuracy = kept / moves;
    summary.usual = if summary.moves == 0 { 0.0 } else { (log / moves).exp() };
    summary
}

#[cfg(test)]
mod tests {
    use super::super::finding::FoundLine;
    use super::*;
    use crate::record::read_text;

    /// A game of three moves, with these values for the side to move and these best moves.
    fn analysis(found: [(i32, &str); 4]) -> GameAnalysis {
        let record = read_text("startpos moves 7g7f 3c3d 8h2b+", None).unwrap().remove(0);
        let findings = (0..).zip(found).map(|(ply, (cp, best))| {
            let value = Value::from_cp(cp);
            let lines = vec![FoundLine { value, moves: vec![best.parse().unwrap()] }];
            Finding { ply, value, lines, depth: 5, nodes: 100, seconds: 0.1 }
        });
        GameAnalysis::new(record, findings.collect())
    }

    #[test]
    fn a_move_loses_what_the_position_after_it_is_worth_less() {
        let analysis = analysis([(50, "7g7f"), (-40, "8c8d"), (400, "8h2b+"), (-390, "3a2b")]);
        let [first, second, third] = analysis.judgements() else { panic!("there are three moves") };
        // The best move has lost nothing, whatever is found a ply later.
        assert_eq!((first.is_best, first.loss, first.grade), (true, 0, None));
        assert_eq!((second.loss, second.before.cp(), second.after.cp()), (360, -40, -400));
        assert_eq!(second.grade, Some(Grade::Mistake));
        assert!((second.lost_chance - 0.144).abs() < 0.001, "{}", second.lost_chance);
        assert_eq!((third.is_best, third.loss), (true, 0));
        assert_eq!(second.words, "△３四歩");
        let PerColor([black, white]) = analysis.summaries();
        assert_eq!((black.moves, black.best, black.grades), (2, 2, [0, 0, 0]));
        assert_eq!((white.moves, white.best, white.grades), (1, 0, [0, 1, 0]));
        assert_eq!((black.accuracy, white.mean_loss), (1.0, 360.0));
        assert_eq!(analysis.value_for_black(1).cp(), 40);
    }

    #[test]
    fn a_move_that_turns_out_better_than_the_best_has_lost_nothing() {
        let analysis = analysis([(0, "2g2f"), (-80, "8c8d"), (80, "8h2b+"), (-80, "3a2b")]);
        let first = &analysis.judgements()[0];
        assert_eq!((first.is_best, first.loss, first.before.cp()), (false, 0, 80));
    }

    #[test]
    fn mates_that_are_missed_or_allowed_are_counted() {
        let mut analysis = analysis([(0, "7g7f"), (0, "8c8d"), (0, "2g2f"), (0, "3a2b")]);
        let judgement = &mut analysis.judgements[1];
        (judgement.before, judgement.after) = (Value::mate_in(5), Value::from_cp(2000));
        assert_eq!((judgement.missed_mate(), judgement.allowed_mate()), (Some(5), None));
        (judgement.before, judgement.after) = (Value::mate_in(5), Value::mate_in(9));
        assert_eq!((judgement.missed_mate(), judgement.allowed_mate()), (None, None));
        (judgement.before, judgement.after) = (Value::from_cp(-100), Value::mated_in(7));
        assert_eq!((judgement.missed_mate(), judgement.allowed_mate()), (None, Some(7)));
        // The position after the move is a mate in one for the opponent.
        judgement.after = -Value::mate_in(1);
        assert_eq!(judgement.allowed_mate(), Some(1));
        // The engine's own move misses nothing, even if the next search does not see the mate.
        judgement.is_best = true;
        (judgement.before, judgement.after) = (Value::mate_in(5), Value::from_cp(2000));
        assert_eq!((judgement.missed_mate(), judgement.is_mistake()), (None, false));
    }

    #[test]
    fn a_move_where_nothing_was_searched_is_not_counted_as_the_best() {
        let game = analysis([(50, "7g7f"), (-40, "3c3d"), (400, "8h2b+"), (-390, "3a2b")]);
        let mut findings = game.findings().to_vec();
        findings[2] = Finding::without_search(2, Value::DRAW);
        let analysis = GameAnalysis::new(game.record().clone(), findings);
        let third = &analysis.judgements()[2];
        assert_eq!((third.is_best, third.loss, third.grade), (false, 0, None));
        assert_eq!(analysis.summaries().0[0].best, 1);
    }
}
