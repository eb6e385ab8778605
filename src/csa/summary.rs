//! What a server says of a game before it begins: `Game_Summary`.

use std::fmt;
use std::time::Duration;

use super::time_rule::{ServerClock, TimeRule};
use crate::record::{self, Format, Record};
use crate::shogi::color::{Color, PerColor};
use crate::shogi::position::declaration::EnteringKingRule;
use crate::util::text::excerpt;

/// A game that can be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSummary {
    /// The name of the game.
    pub game_id: String,
    /// The players' names.
    pub names: PerColor<String>,
    /// Our side.
    pub our_side: Color,
    /// The number of the last move; `None` without limit.
    pub max_moves: Option<u32>,
    /// Which declarations the server takes.
    pub declaration: EnteringKingRule,
    /// How time is counted.
    pub time: PerColor<TimeRule>,
    /// The start, and the moves that are played already, with their times.
    pub opening: Record,
    /// What was in the summary and is not known, or is not as the protocol has it.
    pub remarks: Vec<String>,
}

impl GameSummary {
    /// The clocks at the first move that is not played yet.
    pub fn clock(&self) -> ServerClock {
        let mut clock = ServerClock::new(self.time);
        let mut side = self.opening.start().side;
        for played in &self.opening.main().moves {
            clock.charge(side, played.time.unwrap_or_default());
            side = !side;
        }
        clock
    }

    /// Whether this is a game of floodgate, which takes comments.
    pub fn is_floodgate(&self) -> bool {
        self.game_id.contains("floodgate")
    }
}

/// A game that cannot be played, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unplayable {
    /// The name of the game; empty where the summary has none.
    pub game_id: String,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game '{}' cannot be played: {}", excerpt(&self.game_id), self.reason)
    }
}

impl std::error::Error for Unplayable {}

/// More lines than any summary has. One that has them is not read on.
const MAX_LINES: usize = 20_000;

/// Takes the lines between `BEGIN Game_Summary` and `END Game_Summary`.
#[derive(Default, Debug)]
pub struct SummaryReader {
    lines: usize,
    fields: Fields,
    /// What the lines belong to.
    section: Section,
    /// What is wrong, first of all.
    problem: Option<String>,
    remarks: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Section {
    #[default]
    General,
    /// The time of both sides, or of one.
    Time(Option<Color>),
    Position,
    /// One that is not known.
    Unknown,
}

#[derive(Default, Debug)]
struct Fields {
    game_id: String,
    names: PerColor<String>,
    our_side: Option<Color>,
    to_move: Option<Color>,
    max_moves: Option<u32>,
    declaration: Option<EnteringKingRule>,
    time: PerColor<TimeFields>,
    position: String,
}

/// The times in units, which may be stated before the unit.
#[derive(Clone, Copy, Default, Debug)]
struct TimeFields {
    unit: Option<Duration>,
    rounds_up: bool,
    least: u64,
    total: Option<u64>,
    byoyomi: u64,
    delay: u64,
    increment: u64,
}

impl TimeFields {
    /// Sets a field. Returns whether it is one that is known.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        let refused = |expected: &str| format!("{}: '{}': expected {expected}", excerpt(key), excerpt(value));
        let number = || value.parse::<u32>().map(u64::from).map_err(|_| refused("a whole number"));
        match key {
            "Time_Unit" => self.unit = Some(unit(value).ok_or_else(|| refused("1sec, 1msec or 1min"))?),
            "Time_Roundup" => {
                self.rounds_up = match value {
                    "YES" => true,
                    "NO" => false,
                    _ => return Err(refused("YES or NO")),
                }
            }
            "Least_Time_Per_Move" => self.least = number()?,
            "Total_Time" => self.total = Some(number()?),
            "Byoyomi" => self.byoyomi = number()?,
            "Delay" => self.delay = number()?,
            "Increment" => self.increment = number()?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn rule(&self) -> TimeRule {
        let rule = TimeRule { unit: self.unit.unwrap_or(TimeRule::default().unit), ..TimeRule::default() };
        TimeRule {
            rounds_up: self.rounds_up,
            least: rule.time(self.least),
            total: self.total.map(|total| rule.time(total)),
            byoyomi: rule.time(self.byoyomi),
            delay: rule.time(self.delay),
            increment: rule.time(self.increment),
            ..rule
        }
    }
}

impl SummaryReader {
    /// Takes a line. Returns the game after the last one.
    pub fn line(&mut self, line: &str) -> Option<Result<GameSummary, Unplayable>> {
        let line = line.trim_end();
        self.lines += 1;
        if self.lines > MAX_LINES {
            return Some(Err(self.unplayable(format!("a summary of more than {MAX_LINES} lines"))));
        }
        if line == "END Game_Summary" {
            let taken = std::mem::take(self);
            return Some(taken.finish());
        }
        if let Err(problem) = self.take(line) {
            self.problem.get_or_insert(problem);
        }
        None
    }

    fn unplayable(&self, reason: String) -> Unplayable {
        Unplayable { game_id: self.fields.game_id.clone(), reason }
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        if let Some(name) = line.strip_prefix("BEGIN ") {
            self.section = match name {
                "Time" => Section::Time(None),
                "Time+" => Section::Time(Some(Color::Black)),
                "Time-" => Section::Time(Some(Color::White)),
                "Position" => Section::Position,
                _ => {
                    self.remarks.push(format!("section '{}' is not known", excerpt(name)));
                    Section::Unknown
                }
            };
            return Ok(());
        }
        if line.starts_with("END ") {
            self.section = Section::General;
            return Ok(());
        }
        match self.section {
            Section::General => self.general(line),
            Section::Time(color) => self.time(line, color),
            Section::Position => {
                self.fields.position.push_str(line);
                self.fields.position.push('\n');
                Ok(())
            }
            Section::Unknown => Ok(()),
        }
    }

    fn general(&mut self, line: &str) -> Result<(), String> {
        if line.is_empty() {
            return Ok(());
        }
        let Some((key, value)) = line.split_once(':') else {
            self.remarks.push(format!("'{}' is no field like Name:value", excerpt(line)));
            return Ok(());
        };
        let refused = |expected: &str| format!("{}: '{}': expected {expected}", excerpt(key), excerpt(value));
        let fields = &mut self.fields;
        match key {
            "Game_ID" => fields.game_id = value.to_string(),
            "Name+" => fields.names[Color::Black] = value.to_string(),
            "Name-" => fields.names[Color::White] = value.to_string(),
            "Your_Turn" => fields.our_side = Some(side(value).ok_or_else(|| refused("+ or -"))?),
            "To_Move" => fields.to_move = Some(side(value).ok_or_else(|| refused("+ or -"))?),
            "Max_Moves" => {
                let moves: u32 = value.parse().map_err(|_| refused("a number of moves"))?;
                fields.max_moves = (moves > 0).then_some(moves);
            }
            "Declaration" => {
                // Both versions of it count 28 points for Black and 27 for White.
                let is_known = value.starts_with("Jishogi 1.");
                if !is_known {
                    let text = format!("{}, so nothing is declared", refused("Jishogi 1.1"));
                    self.remarks.push(text);
                }
                fields.declaration =
                    Some(if is_known { EnteringKingRule::Points27 } else { EnteringKingRule::None });
            }
            "Format" if !value.starts_with("Shogi 1.") => return Err(refused("Shogi 1.0")),
            "Protocol_Version" if !value.starts_with("1.") => return Err(refused("1.2")),
            "Protocol_Mode" if value != "Server" => return Err(refused("Server")),
            // A second game is announced like the first one.
            "Rematch_On_Draw" | "Format" | "Protocol_Version" | "Protocol_Mode" => {}
            _ => self.remarks.push(format!("field {} is not known", excerpt(key))),
        }
        Ok(())
    }

    fn time(&mut self, line: &str, color: Option<Color>) -> Result<(), String> {
        if line.is_empty() {
            return Ok(());
        }
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let mut is_known = true;
        for side in Color::ALL.into_iter().filter(|&side| color.is_none_or(|color| color == side)) {
            is_known = self.fields.time[side].set(key, value)?;
        }
        if !is_known {
            self.remarks.push(format!("field {} of the time is not known", excerpt(key)));
        }
        Ok(())
    }

    fn finish(self) -> Result<GameSummary, Unplayable> {
        let unplayable = |reason: &str| self.unplayable(reason.to_string());
        if let Some(problem) = &self.problem {
            return Err(unplayable(problem));
        }
        let fields = &self.fields;
        if fields.game_id.is_empty() {
            return Err(unplayable("Game_ID is missing"));
        }
        let our_side = fields.our_side.ok_or_else(|| unplayable("Your_Turn is missing"))?;
        let time = PerColor(fields.time.0.map(|time| time.rule()));
        let mut opening = read_position(&fields.position).map_err(|reason| unplayable(&reason))?;
        let to_move = opening.final_position().side();
        if fields.to_move.is_some_and(|side| side != to_move) {
            return Err(unplayable("To_Move: expected the side to move of the position"));
        }
        opening.rescale_times(|side, time| self.fields.time[side].rule().time(time.as_secs()));
        Ok(GameSummary {
            our_side,
            max_moves: fields.max_moves,
            declaration: fields.declaration.unwrap_or(EnteringKingRule::None),
            time,
            opening,
            game_id: self.fields.game_id,
            names: self.fields.names,
            remarks: self.remarks,
        })
    }
}

/// The position is written as in a record of a game, the moves played before with it.
fn read_position(text: &str) -> Result<Record, String> {
    if text.trim().is_empty() {
        return Err("the position is missing".to_string());
    }
    let games = record::read_text(text, Some(Format::Csa)).map_err(|error| format!("position: {error}"))?;
    let mut games = games.into_iter();
    match (games.next(), games.next()) {
        (Some(game), None) if game.ending().is_none() => Ok(game),
        (Some(_), None) => Err("position: the game has ended in it".to_string()),
        _ => Err("position: expected one".to_string()),
    }
}

fn side(text: &str) -> Option<Color> {
    match text {
        "+" => Some(Color::Black),
        "-" => Some(Color::White),
        _ => None,
    }
}

/// `1sec`, and with other numbers, which some servers have.
fn unit(text: &str) -> Option<Duration> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u32 = text[..digits].parse().ok().filter(|number| (1..=3_600).contains(number))?;
    let unit = match &text[digits..] {
        "msec" => Duration::from_millis(1),
        "sec" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        _ => return None,
    };
    Some(unit * number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::sfen;

    const BOARD: &str = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\nP2 * -HI *  *  *  *  * -KA * \n\
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU\nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \n\
        P6 *  *  *  *  *  *  *  *  * \nP7+FU+FU+FU+FU+FU+FU+FU+FU+FU\nP8 * +KA *  *  *  *  * +HI * \n\
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY\nP+\nP-\n+\n";

    /// The summary of the protocol's own example, with other times and another position.
    fn read(general: &str, time: &str, position: &str) -> Result<GameSummary, Unplayable> {
        let text = format!(
            "Protocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
             Game_ID:20060505-CSA14-3-5-7\nName+:TANUKI\nName-:KITSUNE\nYour_Turn:+\nRematch_On_Draw:NO\nTo_Move:+\n\
             {general}{time}BEGIN Position\n{position}END Position\nEND Game_Summary"
        );
        let mut reader = SummaryReader::default();
        let mut lines = text.lines();
        let last = lines.next_back().expect("there are lines");
        for line in lines {
            assert_eq!(reader.line(line), None, "{line}");
        }
        reader.line(last).expect("the summary ends")
    }

    fn s(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn every_field_of_the_protocol_is_read() {
        let time =
            "BEGIN Time\nTime_Unit:1sec\nTotal_Time:600\nByoyomi:60\nLeast_Time_Per_Move:1\nEND Time\n";
        let game = read("Max_Moves:256\n", time, BOARD).expect("it can be played");
        assert_eq!((game.game_id.as_str(), game.our_side), ("20060505-CSA14-3-5-7", Color::Black));
        assert_eq!(game.names, PerColor(["TANUKI".to_string(), "KITSUNE".to_string()]));
        assert_eq!((game.max_moves, game.declaration), (Some(256), EnteringKingRule::Points27));
        let rule = TimeRule { total: Some(s(600)), byoyomi: s(60), least: s(1), ..TimeRule::default() };
        assert_eq!(game.time, PerColor([rule; 2]));
        assert_eq!(sfen::write(&game.opening.final_position()), sfen::START);
        assert!(game.remarks.is_empty() && !game.is_floodgate(), "{:?}", game.remarks);
    }

    #[test]
    fn each_side_may_have_its_own_time() {
        let time = "BEGIN Time+\nTotal_Time:600\nIncrement:10\nDelay:2\nEND Time+\nBEGIN Time-\nTotal_Time:60000\n\
                    Time_Roundup:YES\nTime_Unit:1msec\nEND Time-\n";
        let game = read("Max_Moves:0\n", time, BOARD).expect("it can be played");
        assert_eq!(game.max_moves, None);
        let black = TimeRule { total: Some(s(600)), increment: s(10), delay: s(2), ..TimeRule::default() };
        let white = TimeRule {
            total: Some(s(60)),
            rounds_up: true,
            unit: Duration::from_millis(1),
            ..TimeRule::default()
        };
        assert_eq!(game.time, PerColor([black, white]));
        for (text, expected) in [("1min", Some(s(60))), ("10sec", Some(s(10))), ("sec", None), ("0sec", None)]
        {
            assert_eq!(unit(text), expected, "{text}");
        }
    }

    #[test]
    fn moves_played_before_are_played_and_counted() {
        let time = "BEGIN Time\nTotal_Time:600\nEND Time\n";
        let moves = format!("{BOARD}+2726FU,T12\n-3334FU,T6\n");
        let game = read("", time, &moves).expect("it can be played");
        assert_eq!(game.opening.moves().len(), 2);
        let clock = game.clock();
        assert_eq!((clock.left(Color::Black), clock.left(Color::White)), (s(588), s(594)));
        let time = "BEGIN Time\nTime_Unit:1msec\nTotal_Time:600000\nEND Time\n";
        let clock = read("", time, &moves).expect("it can be played").clock();
        assert_eq!(clock.left(Color::Black), Duration::from_millis(599_988));
        // A position that is not the start, with White to move.
        let handicap = "PI82HI\n-\n";
        let game = read("To_Move:-\n", "", handicap).expect("it can be played");
        assert_eq!(game.opening.start().side, Color::White);
        assert!(game.time[Color::Black].is_unlimited());
    }

    #[test]
    fn what_cannot_be_played_has_its_reason() {
        for (general, time, position, expected) in [
            ("Format:Chess 1.0\n", "", BOARD, "Format"),
            ("Protocol_Mode:Direct\n", "", BOARD, "Protocol_Mode"),
            ("Protocol_Version:2.0\n", "", BOARD, "Protocol_Version"),
            ("Max_Moves:many\n", "", BOARD, "Max_Moves"),
            ("Your_Turn:x\n", "", BOARD, "Your_Turn"),
            ("To_Move:-\n", "", BOARD, "To_Move"),
            ("Game_ID:\n", "", BOARD, "Game_ID"),
            ("", "BEGIN Time\nTime_Unit:1year\nEND Time\n", BOARD, "Time_Unit"),
            ("", "BEGIN Time\nTotal_Time:-1\nEND Time\n", BOARD, "Total_Time"),
            ("", "BEGIN Time\nTime_Roundup:MAYBE\nEND Time\n", BOARD, "Time_Roundup"),
            ("", "", "", "the position is missing"),
            ("", "", "P1-KY\nP1 nonsense\n+\n", "position: line"),
            ("", "", "PI\n+\n+7775FU\n", "position: line 3"),
            ("", "", "PI\n+\n%TORYO\n", "ended"),
        ] {
            let error = read(general, time, position).expect_err(general);
            assert!(error.to_string().contains(expected), "{error}");
        }
        let lines = (0..=MAX_LINES).map(|_| "x");
        let mut reader = SummaryReader::default();
        assert!(lines.filter_map(|line| reader.line(line)).any(|result| result.is_err()));
    }

    #[test]
    fn what_is_not_known_is_remarked() {
        let general = "Colour:red\nnonsense\nBEGIN Weather\nrain\nEND Weather\nDeclaration:Trick 2.0\n";
        let game = read(general, "BEGIN Time\nHourglass:3\nEND Time\n", BOARD).expect("it can be played");
        assert_eq!(game.declaration, EnteringKingRule::None);
        assert_eq!(game.remarks.len(), 5, "{:?}", game.remarks);
    }
}
