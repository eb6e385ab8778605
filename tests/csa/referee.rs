//! A server that knows the rules: two clients log in and play each other.

use std::time::{Duration, Instant};

use jitsugen::record::{csa_move, parse_csa_move};
use jitsugen::shogi::color::{Color, PerColor};
use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::{Declaration, EnteringKingRule, GameEnd, Rules};
use jitsugen::shogi::position::repetition::Sennichite;

use super::server::{Server, Talk};

/// The time of each side, in milliseconds, added before each move of its own.
#[derive(Clone, Copy)]
pub struct Time {
    pub total: u64,
    pub increment: u64,
}

/// A game that was played.
#[derive(Debug)]
pub struct Outcome {
    /// `#RESIGN`
    pub reason: &'static str,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    pub moves: u32,
    /// The least that a clock ever showed after a move, in milliseconds.
    pub least_left: u64,
}

/// A client that has logged in.
struct Player {
    name: String,
    talk: Talk,
}

/// Moves of a game that are chosen at random, so that games differ.
const RANDOM_MOVES: usize = 6;

const MAX_MOVES: u32 = 256;

/// Lets two clients log in and play so many games, with colours that alternate.
pub fn play_games(server: &Server, games: usize, time: Time) -> Vec<Outcome> {
    let mut players = [(); 2].map(|()| {
        let mut talk = server.accept();
        let login = words(&mut talk);
        let name = login.split(' ').nth(1).expect("LOGIN name password").to_string();
        talk.say(&format!("LOGIN:{name} OK"));
        Player { name, talk }
    });
    let mut random = fastrand::Rng::with_seed(47);
    let outcomes = (0..games)
        .map(|number| {
            let outcome = play_game(number, &mut players, time, &mut random);
            players.reverse();
            outcome
        })
        .collect();
    for Player { talk, .. } in &mut players {
        assert_eq!(words(talk), "LOGOUT");
        talk.say("LOGOUT:completed");
    }
    outcomes
}

/// The next line that is not a sign of life.
fn words(talk: &mut Talk) -> String {
    loop {
        let line = talk.line().expect("the client goes on");
        if !line.is_empty() {
            return line;
        }
    }
}

/// A game that the first player begins.
fn play_game(number: usize, players: &mut [Player; 2], time: Time, random: &mut fastrand::Rng) -> Outcome {
    let mut position = Position::start();
    let mut moves = String::new();
    for _ in 0..RANDOM_MOVES {
        let legal = generate::all_legal(&position);
        let mv = legal[random.usize(..legal.len())];
        moves.push_str(&format!("{},T0\n", csa_move(&position, mv)));
        position.play(mv, &mut ());
    }
    let game_id = format!("game-{number:03}");
    let names = PerColor([players[0].name.clone(), players[1].name.clone()]);
    for (sign, player) in ["+", "-"].into_iter().zip(&mut *players) {
        let Time { total, increment } = time;
        player.talk.say_bytes(
            format!(
                "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\n\
                 Declaration:Jishogi 1.1\nGame_ID:{game_id}\nName+:{}\nName-:{}\nYour_Turn:{sign}\nTo_Move:+\n\
                 Max_Moves:{MAX_MOVES}\nBEGIN Time\nTime_Unit:1msec\nTotal_Time:{total}\nIncrement:{increment}\n\
                 END Time\nBEGIN Position\nPI\n+\n{moves}END Position\nEND Game_Summary\n",
                names[Color::Black], names[Color::White]
            )
            .as_bytes(),
        );
    }
    for player in &mut *players {
        assert_eq!(words(&mut player.talk), format!("AGREE {game_id}"));
    }
    both(players, &format!("START:{game_id}"));
    // The random moves took no time, but their turns have added the increment.
    let begun = time.total + time.increment * (RANDOM_MOVES as u64 / 2);
    let mut left = PerColor([begun; 2]);
    let mut least_left = begun;
    let rules = Rules { entering_king: EnteringKingRule::Points27, max_moves: Some(MAX_MOVES) };
    let (reason, winner) = loop {
        let side = position.side();
        let begin = Instant::now();
        let line = words(&mut players[side.index()].talk);
        let used = u64::try_from(begin.elapsed().as_millis()).expect("not for ever");
        let text = line.split(',').next().unwrap_or_default().to_string();
        let available = left[side] + time.increment;
        if used > available {
            break ("#TIME_UP", Some(!side));
        }
        left[side] = available - used;
        least_left = least_left.min(left[side]);
        both(players, &format!("{text},T{used}"));
        match text.as_str() {
            "%TORYO" => break ("#RESIGN", Some(!side)),
            "%KACHI" if position.declaration(rules.entering_king) == Some(Declaration::Win) => {
                break ("#JISHOGI", Some(side));
            }
            _ => {}
        }
        let Ok(mv) = parse_csa_move(&text, &position) else { break ("#ILLEGAL_MOVE", Some(!side)) };
        position.play(mv, &mut ());
        match position.game_end(&rules) {
            None | Some(GameEnd::NoMoves { .. } | GameEnd::Try { .. }) => {}
            Some(GameEnd::MaxMoves) => break ("#MAX_MOVES", None),
            Some(GameEnd::Sennichite(Sennichite::Draw)) => break ("#SENNICHITE", None),
            Some(GameEnd::Sennichite(Sennichite::PerpetualCheck { loser })) => {
                break ("#OUTE_SENNICHITE", Some(!loser));
            }
        }
    };
    both(players, reason);
    for (color, player) in Color::ALL.into_iter().zip(&mut *players) {
        player.talk.say(match winner {
            Some(winner) if winner == color => "#WIN",
            Some(_) => "#LOSE",
            None if reason == "#MAX_MOVES" => "#CENSORED",
            None => "#DRAW",
        });
    }
    Outcome { reason, winner, moves: position.move_number() - 1, least_left }
}

fn both(players: &mut [Player; 2], line: &str) {
    players.iter_mut().for_each(|player| player.talk.say(line));
}

/// What came of the games, in one line.
pub fn summary(outcomes: &[Outcome]) -> String {
    let count = |reason: &str| outcomes.iter().filter(|outcome| outcome.reason == reason).count();
    let moves: u32 = outcomes.iter().map(|outcome| outcome.moves).sum();
    let least = outcomes.iter().map(|outcome| outcome.least_left).min().unwrap_or_default();
    let black = outcomes.iter().filter(|outcome| outcome.winner == Some(Color::Black)).count();
    format!(
        "{} games of {} moves on average: {} resigned, {} declared, {} repeated, {} perpetual checks, {} of {MAX_MOVES} \
         moves, {} illegal, {} lost on time; Black won {black}; the least time left after a move: {:?}",
        outcomes.len(),
        moves as usize / outcomes.len().max(1),
        count("#RESIGN"),
        count("#JISHOGI"),
        count("#SENNICHITE"),
        count("#OUTE_SENNICHITE"),
        count("#MAX_MOVES"),
        count("#ILLEGAL_MOVE"),
        count("#TIME_UP"),
        Duration::from_millis(least)
    )
}
