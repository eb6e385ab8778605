//! How a game went: the engine's own value of every position, from Black's side.

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use crate::engine::limits::Limits;
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::learn::plot::{self, Captions, Curve};
use crate::record::Record;
use crate::search::value::Mate;
use crate::shogi::color::Color;

/// Values beyond this are as good as won.
const EDGE: i32 = 3000;

/// Keeps the last value.
#[derive(Default)]
struct LastValue(Mutex<i32>);

impl Observer for LastValue {
    fn info(&self, info: &Info) {
        *self.0.lock() = info.line.value.cp();
    }

    fn nothing_to_search(&self, mate: Mate) {
        *self.0.lock() = if matches!(mate, Mate::Gives(_)) { EDGE } else { -EDGE };
    }

    fn note(&self, _: &str) {}

    fn still_there(&self) {}

    fn answer(&self, _: Answer) {}
}

/// The value of every position of the game in which a move was played, for Black, by searches of `nodes` nodes. `progress`
/// is called after each.
pub fn values(game: &Record, nodes: u64, mut progress: impl FnMut()) -> Vec<i32> {
    let last = Arc::new(LastValue::default());
    let mut player = Player::new(Arc::clone(&last) as Arc<dyn Observer>);
    player.options_mut().book.own = false;
    player.prepare();
    let mut position = game.start_position();
    let mut values = Vec::new();
    for mv in game.moves() {
        player.set_position(Ok(position.clone()));
        player.go(Limits { nodes: Some(nodes), ..Limits::default() }, Instant::now());
        player.wait();
        let value = *last.0.lock();
        values.push(if position.side() == Color::Black { value } else { -value }.clamp(-EDGE, EDGE));
        position.play(mv, &mut ());
        progress();
    }
    values
}

/// Draws the values of a game.
///
/// # Errors
/// When they cannot be drawn.
pub fn draw(game: &Record, values: &[i32]) -> Result<String, Box<dyn Error>> {
    let name = |color| game.players()[color].as_deref().unwrap_or("?");
    let title = format!("{} – {}", name(Color::Black), name(Color::White));
    let captions = Captions { title: &title, x: "move", y: "value for Black (a pawn is 100)" };
    let points = (0..).zip(values).map(|(ply, &value)| (ply, f64::from(value))).collect();
    let curve = Curve { name: String::new(), points };
    plot::drawing((plot::SIZE.0, 360), |area| {
        let edge = f64::from(EDGE);
        plot::curves(area, captions, (0..values.len() as i32, -edge..edge), &[curve])
    })
}
