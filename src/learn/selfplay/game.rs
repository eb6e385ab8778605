//! Plays one game.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::adjudication::{AdjudicationRules, Adjudicator, Ending};
use super::inner_nodes::InnerNodes;
use super::openings::{Openings, StartPositions};
use super::thinker::{self, Thinker};
use crate::eval::weights::Weights;
use crate::record::packed::{Outcome, Packed, TrainingPosition};
use crate::record::{self, Encoding, Ending as RecordEnding, Format, ReadError, Record, RecordBuilder};
use crate::search::params::Params;
use crate::search::{Line, SearchPolicy};
use crate::shogi::color::Color;
use crate::shogi::generate::{self, MoveList, NonPromotions};
use crate::shogi::key::Key;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{self, Declaration};
use crate::shogi::position::repetition::Sennichite;

/// How games are played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfplaySettings {
    /// The seed of all random choices.
    pub seed: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// The largest number of random moves after the opening.
    pub random_moves: u32,
    /// How much worse than the best move a random move may be, in units (a pawn is 90).
    pub random_margin: i32,
    /// A game is not played if its start position is worth more than this to either side, in units (a pawn is 90).
    pub balance: i32,
    /// The inner nodes of each search that have so many bits to spend are kept; `None` for none.
    pub inner_bits: Option<u32>,
    /// When a game is adjudicated.
    pub adjudication: AdjudicationRules,
}

/// The settings in one line of text. A run can only be continued with the settings that it was begun with.
impl fmt::Display for SelfplaySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AdjudicationRules { resign_at, resign_plies, max_moves } = self.adjudication;
        write!(
            f,
            "seed={} nodes={} random-moves={} random-margin={} balance={} resign-at={resign_at} \
             resign-plies={resign_plies} max-moves={max_moves}",
            self.seed, self.nodes, self.random_moves, self.random_margin, self.balance
        )?;
        self.inner_bits.map_or(Ok(()), |bits| write!(f, " inner-bits={bits}"))
    }
}

/// A game that was played, or why it was not.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number, from 0.
    pub number: u64,
    /// The line of its opening in the file, from 1.
    pub opening: usize,
    /// How many random moves came after the opening.
    pub random_moves: u32,
    /// The position after the random moves: from here both sides play to win.
    pub start: Key,
    /// How it ended.
    pub ending: Ending,
    /// The winner; `None` for a draw, and for a game that was not played.
    pub winner: Option<Color>,
    /// One for each position in which a side chose a move, the start position first. Its move is the one that was
    /// played; in the last position of an adjudicated game, the one that would have been.
    pub positions: Vec<Packed>,
    /// Inner nodes of the searches of these positions, with the values that the searches have found, without moves.
    pub inner_nodes: Vec<Packed>,
    /// The game with its opening as a line of a USI file; empty for a game that was not played.
    pub line: String,
}

impl Game {
    /// Drops a game that an earlier one has the start position of.
    pub(super) fn drop_as_duplicate(&mut self) {
        self.ending = Ending::Duplicate;
        self.winner = None;
        self.positions.clear();
        self.inner_nodes.clear();
        self.line.clear();
    }

    /// The moves with those of the opening; `None` for a game that was not played.
    ///
    /// # Errors
    /// When the line is not one that [`GamePlayer`] has written.
    pub fn record(&self) -> Result<Option<Record>, ReadError> {
        if self.line.is_empty() {
            return Ok(None);
        }
        Ok(record::read_text(&self.line, Some(Format::Usi))?.pop())
    }
}

/// Plays games on one thread.
pub struct GamePlayer<'a> {
    settings: &'a SelfplaySettings,
    openings: &'a Openings,
    order: Vec<usize>,
    starts: &'a StartPositions,
    thinker: Thinker<'a>,
}

/// How many random moves are tried before the best move is played instead.
const TRIES: usize = 8;

/// The search of a random move has the nodes of a full search divided by this.
const RANDOM_MOVE_DIVISOR: u64 = 4;

impl<'a> GamePlayer<'a> {
    /// Plays until `stop` is set.
    pub(super) fn new(
        settings: &'a SelfplaySettings,
        openings: &'a Openings,
        weights: &'a Arc<Weights>,
        starts: &'a StartPositions,
        stop: &'a AtomicBool,
    ) -> GamePlayer<'a> {
        let order = openings.shuffled(settings.seed);
        let thinker = Thinker::new(weights, settings.adjudication, settings.nodes, stop)
            .keeping(settings.inner_bits.map(InnerNodes::from_bits));
        GamePlayer { settings, openings, order, starts, thinker }
    }

    /// Plays game `number`; `None` when it was stopped.
    pub fn play(&mut self, number: u64) -> Option<Game> {
        self.thinker.begin(SearchPolicy::default(), Params::DEFAULT);
        let mut random =
            fastrand::Rng::with_seed(self.settings.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let index = self.order[(number % self.order.len() as u64) as usize];
        let (opening, mut builder) = self.openings.get(index);
        let mut random_moves = 0;
        for _ in 0..random.u32(0..=self.settings.random_moves) {
            let Some(mv) = self.random_move(&builder, &mut random)? else { break };
            builder.play(mv, None).expect("it was chosen among the legal moves");
            random_moves += 1;
        }
        let start = builder.position().key();
        let (mut positions, mut inner_nodes) = (Vec::new(), Vec::new());
        let (ending, winner) = if self.starts.claim(start, number) {
            self.play_on(&mut builder, &mut positions, &mut inner_nodes)?
        } else {
            (Ending::Duplicate, None)
        };
        let end = winner.map_or(RecordEnding::Draw, RecordEnding::Won);
        builder.end(end, None);
        let with_result = |(side, packed): (Color, Packed)| packed.with_result(Outcome::of(side, winner));
        let positions = positions.into_iter().map(with_result).collect();
        let inner_nodes = inner_nodes.into_iter().map(with_result).collect();
        let line = if ending.is_played() { usi_line(builder.finish()) } else { String::new() };
        Some(Game { number, opening, random_moves, start, ending, winner, positions, inner_nodes, line })
    }

    /// Plays the game to its end. `None` when it was stopped.
    fn play_on(
        &mut self,
        builder: &mut RecordBuilder,
        positions: &mut Vec<(Color, Packed)>,
        inner_nodes: &mut Vec<(Color, Packed)>,
    ) -> Option<(Ending, Option<Color>)> {
        let (nodes, balance) = (self.settings.nodes, self.settings.balance);
        play_out(builder, self.settings.adjudication, |position| {
            let line = self.thinker.search(position, &[], nodes)?;
            if positions.is_empty() && line.value.units().abs() > balance {
                return Some(Choice::Unplayed(Ending::Unbalanced));
            }
            let known = TrainingPosition {
                position: position.clone(),
                score: line.value.units() as i16,
                best: Some(line.moves[0]),
                // The result is not known yet.
                result: Outcome::Draw,
            };
            positions.push((position.side(), known.pack().expect("both kings are there")));
            inner_nodes.extend(self.thinker.take_inner_nodes());
            Some(Choice::Move(line))
        })
    }

    /// A random move that is not much worse than the best one; `Some(None)` if there is no legal move, `None` when it was
    /// stopped.
    fn random_move(&mut self, builder: &RecordBuilder, random: &mut fastrand::Rng) -> Option<Option<Move>> {
        let mut moves = MoveList::new();
        generate::legal(builder.position(), NonPromotions::Useful, &mut moves);
        if moves.is_empty() {
            return Some(None);
        }
        let best = self.thinker.search(builder.position(), &[], self.settings.nodes)?;
        random.shuffle(&mut moves);
        for &mv in moves.iter().take(TRIES) {
            let line =
                self.thinker.search(builder.position(), &[mv], self.settings.nodes / RANDOM_MOVE_DIVISOR)?;
            if line.value >= best.value - self.settings.random_margin {
                return Some(Some(mv));
            }
        }
        Some(Some(best.moves[0]))
    }
}

fn usi_line(record: Record) -> String {
    let bytes = record::write(&[record], Format::Usi, Encoding::Utf8)
        .expect("UTF-8 has all characters, and USI files any number of games");
    String::from_utf8(bytes).expect("it was written in UTF-8")
}

/// The decision of the side to move.
pub enum Choice {
    /// Play the first move of the line.
    Move(Line),
    /// Do not play the game, for this reason.
    Unplayed(Ending),
}

/// Plays a game from the builder's position to its end, with the moves that `choose` returns. Returns the ending and the
/// winner; `None` when it was stopped.
pub fn play_out(
    builder: &mut RecordBuilder,
    adjudication: AdjudicationRules,
    mut choose: impl FnMut(&Position) -> Option<Choice>,
) -> Option<(Ending, Option<Color>)> {
    let rules = thinker::rules(adjudication);
    let mut adjudicator = Adjudicator::new(adjudication);
    loop {
        let position = builder.position();
        let side = position.side();
        if let Some(ending) = position.game_end(&rules) {
            return Some(ended(ending));
        }
        if position.declaration(rules.entering_king) == Some(Declaration::Win) {
            return Some((Ending::Declared, Some(side)));
        }
        let line = match choose(position)? {
            Choice::Move(line) => line,
            Choice::Unplayed(ending) => return Some((ending, None)),
        };
        if let Some((ending, winner)) = adjudicator.see(side, line.value) {
            return Some((ending, Some(winner)));
        }
        builder.play(line.moves[0], None).expect("the search plays legal moves");
    }
}

fn ended(ending: declaration::GameEnd) -> (Ending, Option<Color>) {
    match ending {
        declaration::GameEnd::NoMoves { loser } => (Ending::Mated, Some(!loser)),
        declaration::GameEnd::Try { winner } => (Ending::Declared, Some(winner)),
        declaration::GameEnd::Sennichite(Sennichite::Draw) => (Ending::Repetition, None),
        declaration::GameEnd::Sennichite(Sennichite::PerpetualCheck { loser }) => {
            (Ending::PerpetualCheck, Some(!loser))
        }
        declaration::GameEnd::MaxMoves => (Ending::MaxMoves, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::value::Value;
    use crate::shogi::color::Color::{Black, White};
    use crate::shogi::sfen;

    const RULES: AdjudicationRules = AdjudicationRules { resign_at: 2000, resign_plies: 2, max_moves: 20 };

    /// The ending of a game from `start` in which `moves` are repeated, with the scores `values` repeated.
    fn played(start: &str, moves: &[&str], values: &[Value]) -> (Ending, Option<Color>, u32) {
        let mut builder = RecordBuilder::new(&sfen::parse(start).unwrap().setup()).unwrap();
        let mut moves = moves.iter().map(|text| text.parse::<Move>().unwrap()).cycle();
        let mut values = values.iter().copied().cycle();
        let (ending, winner) = play_out(&mut builder, RULES, |position| {
            let mv = moves.next().unwrap();
            assert!(position.is_legal(mv), "{mv} in {position:?}");
            let value = values.next().unwrap();
            let line = Line { multipv_index: 1, depth: 1, seldepth: 1, value, nodes: 1, moves: vec![mv] };
            Some(Choice::Move(line))
        })
        .unwrap();
        (ending, winner, builder.position().move_number())
    }

    #[test]
    fn each_ending_has_the_right_winner() {
        let even = [Value::DRAW];
        let mated = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        assert_eq!(played(mated, &["G*5b"], &even), (Ending::Mated, Some(Black), 2));
        // The same with colours exchanged.
        let mated = "4k4/9/9/9/9/9/4p4/9/4K4 w g 1";
        assert_eq!(played(mated, &["G*5h"], &even), (Ending::Mated, Some(White), 2));

        let entered = "KRB1+P+P+P+P+P/+P+P+P+P+P4/9/9/9/9/9/9/8k b RB4G4S4N4L 1";
        assert_eq!(played(entered, &[], &even), (Ending::Declared, Some(Black), 1));

        let there_and_back = ["2h3h", "8b7b", "3h2h", "7b8b"];
        assert_eq!(played(sfen::START, &there_and_back, &even), (Ending::Repetition, None, 13));
        // The side that always gives check loses.
        let chase = ["4e5e", "5a4a", "5e4e", "4a5a"];
        assert_eq!(played("4k4/9/9/9/5R3/9/9/9/8K b - 1", &chase, &even).0, Ending::PerpetualCheck);
        assert_eq!(played("4k4/9/9/9/5R3/9/9/9/8K b - 1", &chase, &even).1, Some(White));

        let develop = ["9g9f", "9c9d", "8g8f", "8c8d", "7g7f", "7c7d", "6g6f", "6c6d", "5g5f", "5c5d"];
        let rest = ["4g4f", "4c4d", "3g3f", "3c3d", "2g2f", "2c2d", "1g1f", "1c1d", "6i6h", "4a4b"];
        assert_eq!(played(sfen::START, &[develop, rest].concat(), &even), (Ending::MaxMoves, None, 21));
    }

    #[test]
    fn scores_of_both_sides_decide() {
        let moves = ["7g7f", "3c3d", "2g2f", "8c8d"];
        let far = |score| Value::new(score);
        assert_eq!(played(sfen::START, &moves, &[far(2000), far(-2000)]), (Ending::Resigned, Some(Black), 2));
        assert_eq!(played(sfen::START, &moves, &[far(-2000), far(2000)]), (Ending::Resigned, Some(White), 2));
        let mate = [Value::DRAW, Value::mate_in(5)];
        assert_eq!(played(sfen::START, &moves, &mate), (Ending::MateFound, Some(White), 2));
        let mate = [Value::DRAW, Value::mated_in(4)];
        assert_eq!(played(sfen::START, &moves, &mate), (Ending::MateFound, Some(Black), 2));
    }
}
