//! What is dear today: the prices of moves. How many of a node's prices are those of two plies before, when the same side was
//! to move, and what it would save to take them over; counted in real searches of the engine.

use std::collections::HashSet;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jitsugen::eval::compact;
use jitsugen::eval::weights::Weights;
use jitsugen::policy::budget::Budget;
use jitsugen::policy::move_context::MoveContext;
use jitsugen::policy::plain_context::PlainContext;
use jitsugen::policy::plain_transitions::PlainTransitions;
use jitsugen::policy::scores::Scores;
use jitsugen::policy::transition::{Transitions, log_sum};
use jitsugen::search::hash_moves::HashMoveTable;
use jitsugen::search::params::Params;
use jitsugen::search::{Control, Line, Memory, SearchRequest, think};
use jitsugen::shogi::generate::{self, MoveList, NonPromotions};
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::square::Square;

use super::cpu_time;

/// One of so many nodes that compute prices is looked at.
const SAMPLE: u64 = 16;

/// A node that computed the prices of its moves.
struct Node {
    position: Position,
    /// Whether prices were known in the position two plies before; `None` where a null move is between.
    known_before: Option<bool>,
}

/// What searches did.
#[derive(Default)]
struct Searches {
    nodes: u64,
    time: Duration,
    /// Nodes that wanted prices: those that computed them, and those that found them in the cache.
    computed: u64,
    cached: u64,
    sample: Vec<Node>,
}

/// Watches one search.
struct Watch<'a> {
    searches: &'a mut Searches,
    /// The positions whose prices have been computed, each with the square of the last move.
    known: HashSet<(u64, Option<Square>)>,
}

impl Control for Watch<'_> {
    fn stops(&mut self, _: u64) -> bool {
        false
    }

    fn found(&mut self, _: &Line) {}

    fn starts(&mut self, _: u32) -> bool {
        true
    }

    fn prices(&mut self, ply: usize, position: &Position, cached: bool) {
        if cached {
            self.searches.cached += 1;
            return;
        }
        if ply >= 2 && self.searches.computed.is_multiple_of(SAMPLE) {
            let before = two_plies_before(position);
            let known_before = before.map(|before| self.known.contains(&key(&before)));
            self.searches.sample.push(Node { position: position.clone(), known_before });
        }
        self.searches.computed += 1;
        self.known.insert(key(position));
    }
}

/// What prices depend on.
fn key(position: &Position) -> (u64, Option<Square>) {
    (position.key().0, previous_to(position))
}

fn previous_to(position: &Position) -> Option<Square> {
    position.last_move().map(Move::to)
}

/// The position two plies before; `None` where a null move is between.
fn two_plies_before(position: &Position) -> Option<Position> {
    let mut before = position.clone();
    for _ in 0..2 {
        let mv = before.last_move()?;
        before.undo(mv, &mut ());
    }
    Some(before)
}

/// Prints how much prices have in common with those of two plies before, in searches of `roots` of so many nodes each.
///
/// # Errors
/// When there is no memory for the evaluation.
pub fn measure(roots: &[&Position], nodes: u64) -> Result<(), String> {
    let terms = compact::built_in().map_err(|error| error.to_string())?;
    let weights = Arc::new(terms.expand().map_err(|error| error.to_string())?);
    let mut searches = Searches::default();
    for root in roots {
        search(root, &weights, nodes, &mut searches);
    }
    let sample = &searches.sample;
    let Searches { computed, cached, .. } = searches;
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "\n{} searches, {} nodes, {computed} of them computed prices, {cached} found them in the cache; a look at {}",
        roots.len(),
        searches.nodes,
        sample.len()
    );
    let known = sample.iter().filter(|node| node.known_before == Some(true)).count();
    let after_null_move = sample.iter().filter(|node| node.known_before.is_none()).count();
    println!(
        "prices known two plies before: {:.1}%; a null move between: {:.1}%",
        share(known, sample.len()),
        share(after_null_move, sample.len())
    );

    let mut alike = Alike::default();
    let mut works = Vec::new();
    for node in sample {
        if let Some(before) = two_plies_before(&node.position) {
            works.push(alike.count(&node.position, &before));
        }
    }
    alike.print();
    Times::of(&works).print(&searches, known as f64 / sample.len().max(1) as f64);
    Ok(())
}

fn search(root: &Position, weights: &Arc<Weights>, nodes: u64, searches: &mut Searches) {
    let table = Arc::new(HashMoveTable::new(16));
    let mut memory = Memory::new(32 << 20);
    let request = SearchRequest { nodes, ..SearchRequest::new(root, weights, &table) };
    // Once without the watch, for the time.
    let begin = cpu_time::now();
    think(&request, &mut memory, &mut Unwatched);
    searches.time += cpu_time::now() - begin;
    searches.nodes += nodes;
    let table = Arc::new(HashMoveTable::new(16));
    let request = SearchRequest { table, ..request };
    memory.clear();
    think(&request, &mut memory, &mut Watch { searches, known: HashSet::new() });
}

/// Lets a search run.
struct Unwatched;

impl Control for Unwatched {
    fn stops(&mut self, _: u64) -> bool {
        false
    }

    fn found(&mut self, _: &Line) {}

    fn starts(&mut self, _: u32) -> bool {
        true
    }
}

/// What the price of a move is made of.
struct Price {
    mv: Move,
    /// The features that are cheap to find, without those of the last move and with them.
    plain_by_place: Vec<usize>,
    plain: Vec<usize>,
    /// All features of a likely move, in the same two ways.
    full_by_place: Vec<usize>,
    full: Vec<usize>,
    is_likely: bool,
    cost: Budget,
}

fn moves_of(position: &Position) -> MoveList {
    let mut moves = MoveList::new();
    generate::legal(position, NonPromotions::Useful, &mut moves);
    moves
}

/// The prices of a position's moves, as the move picker finds them.
fn prices(position: &Position) -> Vec<Price> {
    let moves = moves_of(position);
    let context = MoveContext::new(position, previous_to(position));
    let without_last = MoveContext::new(position, None);
    let mut scores = Scores::new();
    PlainTransitions::built_in().scores(context.plain(), &moves, &mut scores);
    let scores = scores.into_iter().map(i32::from).collect::<Vec<_>>();
    let total = log_sum(scores.iter().copied());
    let likely_until = Budget::new(Params::DEFAULT.likely_until);
    let listed = |context: &MoveContext, mv| {
        let mut features = Vec::new();
        context.features(mv, |feature| features.push(feature));
        features
    };
    let plain = |context: &PlainContext, mv| {
        let mut features = Vec::new();
        context.features(mv, |feature| features.push(feature));
        features
    };
    let mut prices: Vec<Price> = moves
        .iter()
        .zip(&scores)
        .map(|(&mv, &score)| Price {
            mv,
            plain_by_place: plain(without_last.plain(), mv),
            plain: plain(context.plain(), mv),
            full_by_place: listed(&without_last, mv),
            full: listed(&context, mv),
            is_likely: total - Budget::new(score) <= likely_until,
            cost: total - Budget::new(score),
        })
        .collect();
    let likely: Vec<usize> = (0..prices.len()).filter(|&n| prices[n].is_likely).collect();
    let full: Vec<i32> =
        likely.iter().map(|&n| Transitions::built_in().score(&context, prices[n].mv).0).collect();
    let shared = log_sum(full.iter().copied()) - log_sum(likely.iter().map(|&n| -prices[n].cost.units()));
    for (&n, score) in likely.iter().zip(full) {
        prices[n].cost = shared - Budget::new(score);
    }
    prices
}

/// How many prices are like those of two plies before.
#[derive(Default)]
struct Alike {
    moves: usize,
    likely: usize,
    /// Moves that were possible two plies before.
    present: usize,
    plain_by_place: usize,
    plain: usize,
    likely_present: usize,
    full_by_place: usize,
    full: usize,
    exact: usize,
    near: usize,
}

/// The moves of a node, and those of them whose features are new.
struct Work {
    position: Position,
    moves: MoveList,
    /// Moves whose plain features, those of the last move aside, are not those of two plies before.
    new_plain: Vec<Move>,
    likely: Vec<Move>,
    /// Likely moves of which the same holds for all features.
    new_full: Vec<Move>,
}

impl Work {
    fn context(&self) -> MoveContext<'_> {
        MoveContext::new(&self.position, previous_to(&self.position))
    }
}

impl Alike {
    fn count(&mut self, position: &Position, before: &Position) -> Work {
        let old = prices(before);
        let mut work = Work {
            position: position.clone(),
            moves: moves_of(position),
            new_plain: Vec::new(),
            likely: Vec::new(),
            new_full: Vec::new(),
        };
        for price in prices(position) {
            let old = old.iter().find(|old| old.mv == price.mv);
            let has = |same: &dyn Fn(&Price) -> bool| old.is_some_and(same);
            self.moves += 1;
            self.present += usize::from(old.is_some());
            let plain_by_place = has(&|old| old.plain_by_place == price.plain_by_place);
            self.plain_by_place += usize::from(plain_by_place);
            self.plain += usize::from(has(&|old| old.plain == price.plain));
            self.exact += usize::from(has(&|old| old.cost == price.cost));
            self.near += usize::from(has(&|old| (old.cost.units() - price.cost.units()).abs() <= 16));
            if !plain_by_place {
                work.new_plain.push(price.mv);
            }
            if price.is_likely {
                let full_by_place = has(&|old| old.full_by_place == price.full_by_place);
                self.likely += 1;
                self.likely_present += usize::from(old.is_some());
                self.full_by_place += usize::from(full_by_place);
                self.full += usize::from(has(&|old| old.full == price.full));
                work.likely.push(price.mv);
                if !full_by_place {
                    work.new_full.push(price.mv);
                }
            }
        }
        work
    }

    fn print(&self) {
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        println!("\nof {} moves, as two plies before:", self.moves);
        for (name, part) in [
            ("possible", self.present),
            ("plain features, those of the last move aside", self.plain_by_place),
            ("all plain features", self.plain),
            ("price", self.exact),
            ("price, up to a sixteenth of a bit", self.near),
        ] {
            println!("  {name:<48}{:>6.1}%", percent(part, self.moves));
        }
        println!("of {} likely moves:", self.likely);
        for (name, part) in [
            ("possible", self.likely_present),
            ("features, those of the last move aside", self.full_by_place),
            ("all features", self.full),
        ] {
            println!("  {name:<48}{:>6.1}%", percent(part, self.likely));
        }
    }
}

/// A part of the work in a node.
#[derive(Clone, Copy)]
enum Part {
    Generation,
    Context,
    Plain,
    NewPlain,
    Full,
    NewFull,
}

impl Part {
    const ALL: [Part; 6] =
        [Part::Generation, Part::Context, Part::Plain, Part::NewPlain, Part::Full, Part::NewFull];

    const fn name(self) -> &'static str {
        match self {
            Part::Generation => "generation (also where prices are cached)",
            Part::Context => "context",
            Part::Plain => "plain features",
            Part::Full => "all features of likely moves",
            Part::NewPlain | Part::NewFull => "  of moves that are not as two plies before",
        }
    }

    /// Does the part once.
    fn run(self, work: &Work, context: &MoveContext) {
        let plain = |moves: &[Move]| {
            let mut scores = Scores::new();
            PlainTransitions::built_in().scores(context.plain(), moves, &mut scores);
            black_box(scores);
        };
        let full = |moves: &[Move]| {
            black_box(moves.iter().map(|&mv| Transitions::built_in().score(context, mv).0).sum::<i32>());
        };
        match self {
            Part::Generation => {
                black_box(moves_of(&work.position));
            }
            Part::Context => {
                black_box(work.context());
            }
            Part::Plain => plain(&work.moves),
            Part::NewPlain => plain(&work.new_plain),
            Part::Full => full(&work.likely),
            Part::NewFull => full(&work.new_full),
        }
    }
}

/// What the parts take, in seconds a node.
struct Times([f64; Part::ALL.len()]);

impl Times {
    /// Rounds in which all parts take turns; the median counts.
    const ROUNDS: usize = 9;
    /// So many nodes are timed together: their contexts fit into the cache.
    const TOGETHER: usize = 16;

    fn of(works: &[Work]) -> Times {
        let mut sums = [0.0; Part::ALL.len()];
        for works in works.chunks(Self::TOGETHER) {
            let contexts: Vec<MoveContext> = works.iter().map(Work::context).collect();
            let mut rounds = [[0.0; Self::ROUNDS]; Part::ALL.len()];
            for round in 0..Self::ROUNDS {
                for (part, rounds) in Part::ALL.into_iter().zip(&mut rounds) {
                    let begin = Instant::now();
                    for (work, context) in works.iter().zip(&contexts) {
                        part.run(work, context);
                    }
                    rounds[round] = begin.elapsed().as_secs_f64();
                }
            }
            for (sum, rounds) in sums.iter_mut().zip(&mut rounds) {
                rounds.sort_by(f64::total_cmp);
                *sum += rounds[Self::ROUNDS / 2];
            }
        }
        Times(sums.map(|sum| sum / works.len().max(1) as f64))
    }

    fn each(&self, part: Part) -> f64 {
        1e6 * self.0[part as usize]
    }

    fn print(&self, searches: &Searches, known: f64) {
        let search = searches.time.as_secs_f64() * 1e6;
        let share = |time: f64, nodes: u64| 100.0 * time * nodes as f64 / search;
        println!(
            "\na node of the search takes {:.2} µs; of a node with prices:",
            search / searches.nodes as f64
        );
        println!("  {:<48}{:>8}{:>12}", "", "µs", "of search");
        for part in Part::ALL {
            let nodes = match part {
                Part::Generation => searches.computed + searches.cached,
                _ => searches.computed,
            };
            let time = self.each(part);
            println!("  {:<48}{time:>8.2}{:>11.1}%", part.name(), share(time, nodes));
        }
        let plain = self.each(Part::Plain) - self.each(Part::NewPlain);
        let full = self.each(Part::Full) - self.each(Part::NewFull);
        let saved = share(plain + full, searches.computed);
        println!(
            "taking over saves {:.2} µs a node at most, {saved:.1}% of the search; {:.1}% where prices were known",
            plain + full,
            known * saved
        );
    }
}
