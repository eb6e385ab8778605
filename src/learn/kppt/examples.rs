//! Positions and choices to learn from, each at the leaf of its quiescence search.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::loss::Loss;
use super::model::Model;
use super::place_tables::PlaceTables;
use super::places::ByKing;
use super::snapshot::Snapshot;
use crate::eval::weights::Weights;
use crate::learn::sources::{Content, SourceGame};
use crate::record::packed::{Packed, TrainingPosition};
use crate::search::control::NoLimit;
use crate::search::hash_moves::HashMoveTable;
use crate::search::leaves::Leaves;
use crate::search::value::Value;
use crate::search::{Memory, SearchRequest};
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::util::workers::share_out;

/// Positions with scores beyond this are left out: the game is decided, often by mates that an evaluation cannot know.
const DECIDED: u16 = 3000;

/// Alternatives that are behind the played move by so many scales of moves are left out.
const WINDOW: f64 = 6.0;

/// How examples are made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExampleSettings {
    /// The losses that the examples are for.
    pub loss: Loss,
    /// The share of the expectation a ply later in the expectation of a position, 0 to 1.
    pub later: f64,
    /// Positions of so many plies at the beginning of a game are left out.
    pub skip: usize,
    /// How many alternatives of a move are kept: half are the best ones, the others are drawn from the rest and count for
    /// all of it. With 0 moves are not learned from.
    pub alternatives: usize,
    /// The share of the positions of games that are used, 0 to 1.
    pub share: f64,
    /// The share of these whose moves are learned from, 0 to 1.
    pub move_share: f64,
    /// The share of inner nodes that are used, 0 to 1.
    pub inner_share: f64,
    /// How many threads work.
    pub threads: usize,
}

impl ExampleSettings {
    /// Whether the positions of a game without scores are judged by those after them, and not by its result alone.
    fn looks_ahead(&self) -> bool {
        self.later > 0.0
    }

    /// The expectation for Black in each position of a game, by the score of the position and those of all later ones; each
    /// ply counts `later` times the one before (λ of TD(λ), Sutton 1988). One short search sees less than all that
    /// follow. Where a ply is missing, what follows may be of another game and does not count.
    pub fn expected(&self, game: &[TrainingPosition]) -> Vec<f64> {
        let mut later: Option<(u32, f64)> = None;
        let mut expected: Vec<f64> = game
            .iter()
            .rev()
            .map(|known| {
                let own = for_black(known.position.side(), self.loss.expected(f64::from(known.score)));
                let number = known.position.move_number();
                let all = later
                    .filter(|&(at, _)| at == number + 1)
                    .map_or(own, |(_, later)| (1.0 - self.later) * own + self.later * later);
                later = Some((number, all));
                all
            })
            .collect();
        expected.reverse();
        expected
    }
}

/// The expectation for Black, given that for `side`.
fn for_black(side: Color, expected: f64) -> f64 {
    if side == Color::Black { expected } else { 1.0 - expected }
}

/// A position that a search or the end of a game has judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// Its leaf.
    pub leaf: Snapshot,
    /// The target for Black, 0 to 1.
    pub target: f64,
    /// Which file it is from.
    pub file: usize,
}

/// A played move and its alternatives.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The side that played.
    pub side: Color,
    /// The leaves: that of the played move first.
    pub leaves: Vec<Snapshot>,
    /// How many alternatives each of the others stands for.
    pub weights: Vec<f32>,
    /// Which file it is from.
    pub file: usize,
}

/// How often the played move was the one with the best value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Agreement {
    /// Positions with a choice.
    pub positions: usize,
    /// Those in which the played move is best; of moves that are equally good each has its share.
    pub agreed: f64,
}

/// Examples that are all learned from, or all held back.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Examples {
    /// Judged positions.
    pub judged: Vec<Judged>,
    /// Choices of moves.
    pub choices: Vec<Choice>,
    /// By file, how often the best move was played.
    pub agreement: Vec<Agreement>,
}

impl Examples {
    /// All leaves.
    pub fn leaves(&self) -> impl Iterator<Item = &Snapshot> + Clone {
        let judged = self.judged.iter().map(|judged| &judged.leaf);
        judged.chain(self.choices.iter().flat_map(|choice| &choice.leaves))
    }

    /// The leaves of the example with this number: judged positions come first.
    pub fn leaves_of(&self, number: usize) -> &[Snapshot] {
        match number.checked_sub(self.judged.len()) {
            None => std::slice::from_ref(&self.judged[number].leaf),
            Some(number) => &self.choices[number].leaves,
        }
    }

    fn leaves_mut(&mut self) -> impl Iterator<Item = &mut Snapshot> {
        let judged = self.judged.iter_mut().map(|judged| &mut judged.leaf);
        judged.chain(self.choices.iter_mut().flat_map(|choice| &mut choice.leaves))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.judged.len() + self.choices.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn append(&mut self, mut other: Examples) {
        self.judged.append(&mut other.judged);
        self.choices.append(&mut other.choices);
        for (file, more) in other.agreement.into_iter().enumerate() {
            let agreement = self.agreement_of(file);
            agreement.positions += more.positions;
            agreement.agreed += more.agreed;
        }
    }

    fn agreement_of(&mut self, file: usize) -> &mut Agreement {
        if self.agreement.len() <= file {
            self.agreement.resize(file + 1, Agreement::default());
        }
        &mut self.agreement[file]
    }
}

/// Makes the examples of `games` in their order, with the leaves that `weights` find; `model` is the learned part of these
/// weights. `done` gets the number of games that are done.
pub fn make(
    games: &[&SourceGame],
    weights: &Arc<Weights>,
    model: Option<&Model>,
    example_settings: ExampleSettings,
    done: &(dyn Fn(usize) + Sync),
) -> Examples {
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(0);
    let parts: Vec<Mutex<Examples>> = games.iter().map(|_| Mutex::default()).collect();
    let table = Arc::new(HashMoveTable::empty());
    let root = Position::start();
    let threads = example_settings.threads.max(1);
    share_out(threads, 0..threads, |_| {
        let request = SearchRequest::new(&root, weights, &table);
        let mut memory = Memory::new(0);
        let mut control = NoLimit;
        let mut maker = Maker {
            leaves: Leaves::new(&request, &mut memory, &mut control),
            example_settings,
            part: Examples::default(),
        };
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = games.get(nth) else { break };
            maker.add(game);
            *parts[nth].lock() = std::mem::take(&mut maker.part);
            // Called while it is locked, so that the numbers come in order.
            let mut finished = finished.lock();
            *finished += 1;
            done(*finished);
        }
    });
    let mut examples = Examples::default();
    for part in parts {
        examples.append(part.into_inner());
    }
    if let Some(model) = model {
        let leaves: Vec<&Snapshot> = examples.leaves().collect();
        let tables = PlaceTables::of(model, &leaves, example_settings.threads);
        let learned = tables.learned(&leaves, &ByKing::new(&leaves));
        for (leaf, learned) in examples.leaves_mut().zip(learned) {
            leaf.base -= learned as f32;
        }
    }
    examples
}

/// A number from 0 to below 1, the same for a position in every run, that decides whether it is used.
fn lot(position: &Position) -> f64 {
    fastrand::Rng::with_seed(!position.board_key().0).f64()
}

struct Maker<'a> {
    leaves: Leaves<'a>,
    example_settings: ExampleSettings,
    part: Examples,
}

impl Maker<'_> {
    fn add(&mut self, game: &SourceGame) {
        match &game.content {
            Content::Moves(start, moves, result) => {
                let expected =
                    self.example_settings.looks_ahead().then(|| self.expected(start, moves, *result));
                let mut position = Position::clone(start);
                let ExampleSettings { skip, share, move_share, .. } = self.example_settings;
                for (ply, &mv) in moves.iter().enumerate() {
                    let lot = lot(&position);
                    // The search, not the evaluation, has to see what a check threatens.
                    if ply >= skip && lot < share && !position.in_check() {
                        let expected = expected.as_ref().map(|expected| expected[ply]);
                        self.leaves.go_to(&position);
                        self.judge(&position, expected, *result, game.file);
                        if lot < share * move_share {
                            self.choose(&position, mv, game.file);
                        }
                    }
                    position.play(mv, &mut ());
                }
            }
            Content::Positions(positions, inner_nodes) => {
                // They were all checked when the file was read.
                let known: Vec<_> = positions.iter().filter_map(|packed| packed.unpack().ok()).collect();
                for (known, expected) in known.iter().zip(self.example_settings.expected(&known)) {
                    self.add_packed(known, expected, game.file);
                }
                // What is held back measures the positions of games alone, and is not mixed with easier ones.
                if !game.held_back {
                    inner_nodes.iter().for_each(|packed| self.add_inner_node(packed, game.file));
                }
            }
        }
    }

    /// The expectation for Black before each move of a game, by the values of all later positions and by its result.
    fn expected(&mut self, start: &Position, moves: &[Move], result: Option<f64>) -> Vec<f64> {
        let ExampleSettings { loss, later, .. } = self.example_settings;
        let mut position = start.clone();
        let own: Vec<f64> = moves
            .iter()
            .map(|&mv| {
                self.leaves.go_to(&position);
                let (value, _) = self.leaves.of(None, |_| ());
                let own = for_black(position.side(), loss.expected(f64::from(value.units())));
                position.play(mv, &mut ());
                own
            })
            .collect();
        let mut ahead = result;
        let mut expected: Vec<f64> = own
            .into_iter()
            .rev()
            .map(|own| *ahead.insert(ahead.map_or(own, |ahead| (1.0 - later) * own + later * ahead)))
            .collect();
        expected.reverse();
        expected
    }

    /// Adds an inner node of a search, which does not belong to the line of the game.
    fn add_inner_node(&mut self, packed: &Packed, file: usize) {
        if let Ok(known) = packed.unpack()
            && lot(&known.position) < self.example_settings.inner_share
        {
            let expected = self.example_settings.loss.expected(f64::from(known.score));
            self.add_packed(&known, for_black(known.position.side(), expected), file);
        }
    }

    /// Adds a packed position with the expectation for Black.
    fn add_packed(&mut self, known: &TrainingPosition, expected: f64, file: usize) {
        // Some files number the first move 0; to the position it is 1.
        let skipped = known.position.move_number() as usize <= self.example_settings.skip;
        if skipped || known.position.in_check() || known.score.unsigned_abs() > DECIDED {
            return;
        }
        let result = for_black(known.position.side(), f64::from(known.result.sign() + 1) / 2.0);
        self.leaves.go_to(&known.position);
        self.judge(&known.position, Some(expected), Some(result), file);
    }

    /// Adds the position that [`Leaves`] has gone to, with the expectation and the result for Black.
    fn judge(&mut self, position: &Position, expected: Option<f64>, result: Option<f64>, file: usize) {
        let Some(target) = self.example_settings.loss.target(expected, result) else { return };
        if let (value, Some(Some(leaf))) = self.leaves.of(None, Snapshot::new) {
            let leaf = with_base(leaf, value, position.side());
            self.part.judged.push(Judged { leaf, target, file });
        }
    }

    /// Adds the choice of a move in the position that [`Leaves`] has gone to.
    fn choose(&mut self, position: &Position, played: Move, file: usize) {
        let moves = generate::all_legal(position);
        if moves.len() < 2 || self.example_settings.alternatives == 0 {
            return;
        }
        let mut known: Vec<(Value, Option<Snapshot>)> = Vec::with_capacity(moves.len());
        let mut first = None;
        for mv in moves {
            let (value, leaf) = self.leaves.of(Some(mv), Snapshot::new);
            if mv == played {
                first = Some(known.len());
            }
            known.push((value, leaf.flatten()));
        }
        let Some(first) = first else { return };
        let best = known.iter().map(|&(value, _)| value).max().unwrap_or(Value::DRAW);
        let equals = known.iter().filter(|&&(value, _)| value == best).count();
        let agreement = self.part.agreement_of(file);
        agreement.positions += 1;
        if known[first].0 == best {
            agreement.agreed += 1.0 / equals as f64;
        }
        let (value, Some(leaf)) = known.swap_remove(first) else { return };
        let window = (WINDOW * self.example_settings.loss.move_scale) as i32;
        known.retain(|(other, leaf)| leaf.is_some() && *other >= value - window);
        if known.is_empty() {
            return;
        }
        known.sort_by_key(|&(other, _)| std::cmp::Reverse(other));
        let weights = self.draw(position, &mut known);
        let side = position.side();
        let mut leaves = vec![with_base(leaf, value, side)];
        for (value, leaf) in known {
            leaves.extend(leaf.map(|leaf| with_base(leaf, value, side)));
        }
        self.part.choices.push(Choice { side, leaves, weights, file });
    }

    /// Leaves as many alternatives as are wanted, which are sorted, and returns how many each of them stands for. With the
    /// best ones alone those that are not shown would become the best of the next evaluation.
    fn draw<T>(&self, position: &Position, alternatives: &mut Vec<T>) -> Vec<f32> {
        let wanted = self.example_settings.alternatives;
        if alternatives.len() <= wanted {
            return vec![1.0; alternatives.len()];
        }
        let best = wanted / 2;
        let (rest, drawn) = (alternatives.len() - best, wanted - best);
        // The same for every number of threads.
        let mut random = fastrand::Rng::with_seed(position.board_key().0);
        for place in best..wanted {
            let other = random.usize(place..alternatives.len());
            alternatives.swap(place, other);
        }
        alternatives.truncate(wanted);
        let mut weights = vec![1.0; best];
        weights.resize(wanted, rest as f32 / drawn as f32);
        weights
    }
}

/// The leaf with its value, which is for `side`, as base.
fn with_base(mut leaf: Snapshot, value: Value, side: Color) -> Snapshot {
    let units = f64::from(value.units());
    leaf.base = (if side == Color::Black { units } else { -units }) as f32;
    leaf
}
