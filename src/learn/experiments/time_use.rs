//! How time is spent, simulated: walks through recorded games as if the engine had to move in each position, with a
//! clock that runs by nodes.
//!
//! The clock is virtual, so that the result does not depend on the machine. Both sides spend by the engine's own rules,
//! each from a clock of its own; no move may take more than the clock has.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use crate::engine::clock::{self, Plan, TimePolicy};
use crate::engine::limits::{Limits, TimeControl};
use crate::engine::time_manager::TimeManager;
use crate::eval::weights::Weights;
use crate::learn::plot::{self, Captions, Curve};
use crate::record::Record;
use crate::search::hash_moves::HashMoveTable;
use crate::search::{self, Control, Line, Memory, SearchRequest};
use crate::shogi::color::PerColor;
use crate::shogi::generate;

/// Nodes in a second of the virtual clock: few, so that a game is played through in seconds.
const SPEED: f64 = 300.0;

/// Moves that are averaged, and groups of them that are drawn.
const GROUP: usize = 10;
const GROUPS: usize = 16;

/// A time control with its name, in seconds.
#[derive(Clone, Copy, Debug)]
struct NamedTimeControl {
    name: &'static str,
    main: u64,
    increment: u64,
    byoyomi: u64,
}

impl NamedTimeControl {
    const fn new(name: &'static str, main: u64, increment: u64, byoyomi: u64) -> NamedTimeControl {
        NamedTimeControl { name, main, increment, byoyomi }
    }
}

/// What the simulation shows.
const TIME_CONTROLS: [NamedTimeControl; 4] = [
    NamedTimeControl::new("10 min sudden death", 600, 0, 0),
    NamedTimeControl::new("5 min + 5 s a move", 300, 5, 0),
    NamedTimeControl::new("2 min, then byoyomi 10 s", 120, 0, 10),
    NamedTimeControl::new("byoyomi 5 s", 0, 0, 5),
];

/// How many games are simulated for each game of a file.
pub const SIMULATIONS: usize = TIME_CONTROLS.len();

/// How time is spent with one time control.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeUse {
    /// The time control.
    pub name: &'static str,
    /// The least that was left after a move, in seconds.
    pub least_left: f64,
    /// By move of the game: seconds, and the number of moves.
    pub spent: Vec<(f64, u32)>,
}

/// Ends a search by the time manager and the virtual clock.
struct VirtualClock {
    plan: Plan,
    time_manager: TimeManager,
    nodes: u64,
    moved: bool,
}

impl VirtualClock {
    fn elapsed(&self) -> Duration {
        Duration::from_secs_f64(self.nodes as f64 / SPEED)
    }
}

impl Control for VirtualClock {
    fn stops(&mut self, nodes: u64) -> bool {
        self.nodes = nodes;
        self.moved && self.time_manager.must_stop(&self.plan, self.elapsed())
    }

    fn found(&mut self, line: &Line) {
        self.nodes = line.nodes;
        self.moved = true;
        self.time_manager.finished(line.moves[0], line.value);
    }

    fn improved(&mut self, lines: &[Line]) {
        self.moved = true;
        self.time_manager.improved(lines[0].value);
    }

    fn starts(&mut self, depth: u32) -> bool {
        self.time_manager.may_start(&self.plan, self.elapsed(), depth)
    }
}

/// Simulates every game with every time control. `progress` is called after each.
///
/// # Errors
/// When a move takes more than its clock has.
pub fn simulate(
    games: &[Record],
    weights: &Arc<Weights>,
    mut progress: impl FnMut(),
) -> Result<Vec<TimeUse>, String> {
    let table = Arc::new(HashMoveTable::new(16));
    let mut memory = Memory::new(32 << 20);
    let mut uses = Vec::new();
    for time_control in TIME_CONTROLS {
        let mut time_use = TimeUse { name: time_control.name, least_left: f64::INFINITY, spent: Vec::new() };
        for game in games {
            play_through(game, time_control, weights, (&table, &mut memory), &mut time_use)?;
            progress();
        }
        uses.push(time_use);
    }
    Ok(uses)
}

fn play_through(
    game: &Record,
    time_control: NamedTimeControl,
    weights: &Arc<Weights>,
    (table, memory): (&Arc<HashMoveTable>, &mut Memory),
    time_use: &mut TimeUse,
) -> Result<(), String> {
    let NamedTimeControl { name, main, increment, byoyomi } = time_control;
    let [main, increment, byoyomi] = [main, increment, byoyomi].map(Duration::from_secs);
    let mut left = PerColor([main; 2]);
    let mut position = game.start_position();
    for (ply, mv) in game.moves().enumerate() {
        let side = position.side();
        let clock = TimeControl { time: left, increment: PerColor([increment; 2]), byoyomi };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let policy = TimePolicy::default();
        let plan = clock::plan(&limits, side, position.move_number(), policy, Duration::ZERO)
            .ok_or("a clock has a plan")?;
        let sole_move = generate::all_legal(&position).len() == 1;
        let time_manager = TimeManager::new(sole_move, false);
        let mut control = VirtualClock { plan, time_manager, nodes: 0, moved: false };
        let nodes = (plan.stop.as_secs_f64() * SPEED) as u64;
        let request = SearchRequest { nodes, ..SearchRequest::new(&position, weights, table) };
        search::think(&request, memory, &mut control);
        let time = control.elapsed();
        if time_use.spent.len() <= ply {
            time_use.spent.push((0.0, 0));
        }
        time_use.spent[ply].0 += time.as_secs_f64();
        time_use.spent[ply].1 += 1;
        let usable = left[side] + increment + byoyomi;
        time_use.least_left = time_use.least_left.min(usable.as_secs_f64() - time.as_secs_f64());
        if time > usable {
            return Err(format!("{name}: a move took {time:?} of {usable:?}"));
        }
        let paid = if left[side] >= time { time } else { time.saturating_sub(byoyomi) };
        left[side] = left[side].saturating_sub(paid) + increment;
        position.play(mv, &mut ());
    }
    Ok(())
}

/// Draws the time spent by move number.
///
/// # Errors
/// When it cannot be drawn.
pub fn draw(uses: &[TimeUse]) -> Result<String, Box<dyn Error>> {
    let curve = |time_use: &TimeUse| Curve { name: time_use.name.to_string(), points: time_use.means() };
    let curves: Vec<Curve> = uses.iter().map(curve).collect();
    let points = curves.iter().flat_map(|curve| &curve.points);
    let highest = points.map(|&(_, seconds)| seconds).fold(1.0, f64::max);
    let captions = Captions {
        title: "Time spent by move number",
        x: "move of the game",
        y: "seconds (mean of ten moves)",
    };
    plot::drawing(plot::SIZE, |area| {
        let ranges = (0..(GROUP * GROUPS) as i32, 0.0..highest * 1.1);
        plot::curves(area, captions, ranges, &curves)
    })
}

impl TimeUse {
    /// The mean of ten moves at a time.
    fn means(&self) -> Vec<(i32, f64)> {
        let mean = |(nth, group): (usize, &[(f64, u32)])| {
            let (seconds, moves) = group.iter().fold((0.0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
            ((nth * GROUP + GROUP / 2) as i32, seconds / f64::from(moves.max(1)))
        };
        self.spent.chunks(GROUP).take(GROUPS).enumerate().map(mean).collect()
    }
}
