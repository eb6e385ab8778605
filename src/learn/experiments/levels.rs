//! How strong the levels are against each other, and the weakest against a player that knows nothing but captures.

use std::error::Error;
use std::fmt;
use std::io;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, Sender, unbounded};
use parking_lot::Mutex;

use crate::engine::limits::{Limits, TimeControl};
use crate::engine::observer::{Answer, Info, Observer};
use crate::engine::player::Player;
use crate::engine::skill::{FULL_STRENGTH, ability_of};
use crate::exchange::see;
use crate::learn::plot::{self, Captions, Curve};
use crate::learn::selfplay::openings::Openings;
use crate::search::value::Mate;
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;
use crate::shogi::position::declaration::{GameEnd, Rules};
use crate::shogi::position::repetition::Sennichite;
use crate::util::workers::share_out;

/// The last move of a game; a longer one is drawn.
const MAX_MOVES: u32 = 320;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelSettings {
    /// Games of each pair, an even number: each opening is played with both colours.
    pub games: u32,
    /// What each move may take.
    pub time: Duration,
    /// Decides what levels leave to chance, and the order of the openings.
    pub seed: u64,
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// The engine with this `SkillLevel`.
    Level(u8),
    /// Makes the capture that gains most by static exchange, if one gains, and else any move.
    Captures,
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Level(level) => match ability_of(*level) {
                Some(ability) => write!(f, "level {level} ({ability})"),
                None => write!(f, "level {level}"),
            },
            Contestant::Captures => f.write_str("captures alone"),
        }
    }
}

/// Games won, lost and drawn by the first of two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Won.
    pub won: u32,
    /// Lost.
    pub lost: u32,
    /// Drawn.
    pub drawn: u32,
}

impl Score {
    fn games(self) -> f64 {
        f64::from((self.won + self.lost + self.drawn).max(1))
    }

    /// The part of all points, from 0 to 1.
    pub fn share(self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / self.games()
    }

    /// The standard error of the same, as if games were independent of each other.
    pub fn error(self) -> f64 {
        let (share, games) = (self.share(), self.games());
        let of = |count: u32, points: f64| f64::from(count) / games * (points - share).powi(2);
        ((of(self.won, 1.0) + of(self.drawn, 0.5) + of(self.lost, 0.0)) / games).sqrt()
    }
}

/// As it is displayed.
impl FromStr for Score {
    type Err = ();

    fn from_str(text: &str) -> Result<Score, ()> {
        let (counts, _) = text.split_once(',').ok_or(())?;
        let counts: Result<Vec<u32>, _> = counts.trim().split('-').map(str::parse).collect();
        match counts.as_deref() {
            Ok(&[won, lost, drawn]) => Ok(Score { won, lost, drawn }),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { won, lost, drawn } = self;
        let (share, error) = (100.0 * self.share(), 196.0 * self.error());
        write!(f, "{won}-{lost}-{drawn}, {share:.1}% +- {error:.1}")
    }
}

/// Takes what a player answers.
struct Answers(Sender<Answer>);

impl Observer for Answers {
    fn info(&self, _: &Info) {}

    fn nothing_to_search(&self, _: Mate) {}

    fn note(&self, _: &str) {}

    fn still_there(&self) {}

    fn answer(&self, answer: Answer) {
        // Without a receiver the games are over.
        let _ = self.0.send(answer);
    }
}

/// A player with its answers.
struct Seat {
    player: Player,
    answers: Receiver<Answer>,
}

impl Seat {
    fn new() -> io::Result<Seat> {
        let (sender, answers) = unbounded();
        let mut player = Player::new(Arc::new(Answers(sender)))?;
        let options = player.options_mut();
        (options.hash, options.threads, options.book.own) = (16, 1, false);
        // Nothing is lost on the way.
        (options.time.average_delay, options.time.worst_delay) = (Duration::ZERO, Duration::ZERO);
        options.rules = rules();
        Ok(Seat { player, answers })
    }

    fn begin(&mut self, level: u8, seed: u64) {
        let options = self.player.options_mut();
        (options.skill.level, options.skill.seed) = (level, seed);
        self.player.new_game();
        self.player.prepare();
    }

    /// The answer; resigning after a panic.
    fn answer(&mut self, position: &Position, time: Duration) -> Answer {
        self.player.set_position(Ok(position.clone()));
        let clock = TimeControl { byoyomi: time, ..TimeControl::default() };
        self.player.go(Limits { clock: Some(clock), ..Limits::default() }, Instant::now());
        self.answers.recv().unwrap_or(Answer::Resign)
    }
}

fn rules() -> Rules {
    Rules { max_moves: Some(MAX_MOVES), ..Rules::default() }
}

/// Where several games are played at once. Its players keep their evaluation from match to match.
pub struct Arena {
    /// Two for each game.
    seats: Vec<[Seat; 2]>,
}

impl Arena {
    /// For so many games at once, at least one.
    ///
    /// # Errors
    /// When the system cannot start a thread.
    pub fn new(games: usize) -> io::Result<Arena> {
        let seats = (0..games.max(1)).map(|_| Ok([Seat::new()?, Seat::new()?]));
        Ok(Arena { seats: seats.collect::<io::Result<_>>()? })
    }

    /// Plays `settings.games` games between two contestants; `progress` is called after each.
    ///
    /// # Panics
    /// When a player answers with a move that is not legal.
    pub fn play(
        &mut self,
        contestants: [Contestant; 2],
        openings: &Openings,
        settings: LevelSettings,
        progress: impl Fn() + Sync,
    ) -> Score {
        let (next, score) = (AtomicU64::new(0), Mutex::new(Score::default()));
        let order = openings.shuffled(settings.seed);
        let work = |seats: &mut [Seat; 2]| {
            loop {
                let game = next.fetch_add(1, Relaxed);
                if game >= u64::from(settings.games) {
                    break;
                }
                // Each opening is played with both colours.
                let (_, builder) = openings.get(order[(game / 2 % order.len() as u64) as usize]);
                let first = if game % 2 == 0 { Color::Black } else { Color::White };
                let seed = settings.seed.wrapping_mul(1 << 20).wrapping_add(game + 1);
                let winner = game_of(seats, contestants, first, builder.position(), seed, settings.time);
                let mut score = score.lock();
                *match winner {
                    Some(color) if color == first => &mut score.won,
                    Some(_) => &mut score.lost,
                    None => &mut score.drawn,
                } += 1;
                progress();
            }
        };
        share_out(self.seats.len(), &mut self.seats, work);
        score.into_inner()
    }
}

/// The winner of a game in which the first contestant has the colour `first`.
fn game_of(
    seats: &mut [Seat; 2],
    contestants: [Contestant; 2],
    first: Color,
    start: &Position,
    seed: u64,
    time: Duration,
) -> Option<Color> {
    for (seat, contestant) in seats.iter_mut().zip(contestants) {
        if let Contestant::Level(level) = contestant {
            seat.begin(level, seed);
        }
    }
    let (mut position, mut random) = (start.clone(), fastrand::Rng::with_seed(seed));
    loop {
        if let Some(end) = position.game_end(&rules()) {
            return match end {
                GameEnd::NoMoves { loser } => Some(!loser),
                GameEnd::Try { winner } => Some(winner),
                GameEnd::Sennichite(Sennichite::PerpetualCheck { loser }) => Some(!loser),
                GameEnd::Sennichite(Sennichite::Draw) | GameEnd::MaxMoves => None,
            };
        }
        let side = position.side();
        let turn = usize::from(side != first);
        let answer = match contestants[turn] {
            Contestant::Level(_) => seats[turn].answer(&position, time),
            Contestant::Captures => {
                Answer::Move { best: capture_or_any(&position, &mut random), ponder: None }
            }
        };
        match answer {
            Answer::Move { best, .. } => {
                assert!(position.is_legal(best), "{}: {best} is not legal", contestants[turn]);
                position.play(best, &mut ());
            }
            Answer::Declare => return Some(side),
            _ => return Some(!side),
        }
    }
}

/// The capture that gains most by static exchange, if one gains, and else any legal move.
fn capture_or_any(position: &Position, random: &mut fastrand::Rng) -> Move {
    let legal = generate::all_legal(position);
    let captures = legal.iter().filter(|mv| position.piece_on(mv.to()).is_some());
    let gains = captures.map(|&mv| (see::see(position, mv), mv)).filter(|(gain, _)| *gain > 0);
    match gains.max_by_key(|(gain, _)| *gain) {
        Some((_, mv)) => mv,
        None => legal[random.usize(..legal.len())],
    }
}

/// What each level scored against the one before it, from level 1 on, with two errors either way and the wanted range.
///
/// # Errors
/// When something cannot be drawn.
pub fn draw(title: &str, scores: &[(u8, Score)]) -> Result<String, Box<dyn Error>> {
    let percent = |part: f64| 100.0 * part.clamp(0.0, 1.0);
    let curve = |name: &str, of: &dyn Fn(Score) -> f64| Curve {
        name: name.to_string(),
        points: scores.iter().map(|&(level, score)| (i32::from(level), percent(of(score)))).collect(),
    };
    let range = |name: &str, at: f64| Curve {
        name: name.to_string(),
        points: vec![(1, at), (i32::from(FULL_STRENGTH), at)],
    };
    let curves = [
        curve("score", &|score| score.share()),
        curve("two errors less", &|score| score.share() - 2.0 * score.error()),
        curve("two errors more", &|score| score.share() + 2.0 * score.error()),
        range("55%", 55.0),
        range("75%", 75.0),
    ];
    let captions = Captions { title, x: "level", y: "score against the level before, percent" };
    plot::drawing(plot::SIZE, |area| {
        plot::curves(area, captions, (1..i32::from(FULL_STRENGTH) + 1, 40.0..100.0), &curves)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::sfen;

    #[test]
    fn the_test_player_makes_the_best_capture() {
        // A rook and a pawn hang; another pawn is defended.
        let position = sfen::parse("4k4/9/9/4r4/p3G4/1R7/9/9/4K4 b - 1").unwrap();
        let mut random = fastrand::Rng::with_seed(1);
        assert_eq!(capture_or_any(&position, &mut random).to_string(), "5e5d");
        let moves: std::collections::HashSet<Move> =
            (0..50).map(|_| capture_or_any(&Position::start(), &mut random)).collect();
        assert!(moves.len() > 10 && moves.iter().all(|&mv| Position::start().is_legal(mv)));
    }

    #[test]
    fn a_score_has_its_share_and_its_error() {
        let score = Score { won: 120, lost: 60, drawn: 20 };
        assert!((score.share() - 0.65).abs() < 1e-9 && (0.02..0.04).contains(&score.error()), "{score}");
        assert_eq!(score.to_string(), "120-60-20, 65.0% +- 6.2");
        assert_eq!("120-60-20, 65.0% +- 6.2".parse(), Ok(score));
        for wrong in ["", "120-60, 65.0%", "a-b-c, 1%", "1-2-3"] {
            assert_eq!(wrong.parse::<Score>(), Err(()), "{wrong}");
        }
        assert!(draw("levels", &[(1, score), (2, score)]).is_ok_and(|text| text.starts_with("<svg")));
    }
}
