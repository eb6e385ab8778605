//! What a user sets for play over the network.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use super::protocol;
use crate::engine::clock::TimePolicy;

/// What a user sets, checked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Name or address of the server, IPv4 or IPv6.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// The name to log in with.
    pub name: String,
    /// The password.
    pub password: Password,
    /// The session ends after so many games that came to their end; `None` for no end.
    pub games: Option<u64>,
    /// Whether to think on the opponent's time.
    pub ponder: bool,
    /// Whether comments with value and line go along with moves.
    pub comments: Comments,
    /// The folder for records.
    pub records: PathBuf,
    /// How time is spent, as far as the user sets it.
    pub policy: TimePolicy,
    /// Kept back for each move beside what was measured of the way to the server.
    pub margin: Duration,
    /// How long to wait for what.
    pub patience: Patience,
}

/// A password. Its debug form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(pub String);

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(***)")
    }
}

/// When comments are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Comments {
    /// In games of floodgate, by the name of the game: other servers may not allow them.
    #[default]
    Auto,
    /// In all games.
    Always,
    /// In none. Records have them all the same.
    Never,
}

impl FromStr for Comments {
    type Err = String;

    fn from_str(text: &str) -> Result<Comments, String> {
        match text {
            "auto" => Ok(Comments::Auto),
            "always" => Ok(Comments::Always),
            "never" => Ok(Comments::Never),
            _ => Err("expected auto, always or never".to_string()),
        }
    }
}

/// How long a session waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For each address of the server to take the connection.
    pub connect: Duration,
    /// For the answer to a line of ours, and beyond the opponent's time.
    pub answer: Duration,
    /// For the other side to agree to a game.
    pub agreement: Duration,
    /// Silence of ours after which a blank line is sent. Servers allow one each 30 seconds.
    pub keep_alive: Duration,
    /// Before it connects again the first time. Each time it is twice as long,
    pub first_pause: Duration,
    /// and never longer than this.
    pub longest_pause: Duration,
    /// How many logins are refused before any was accepted, until the session gives up: the name or the password is wrong
    /// then. With the usual pauses ten are refused in nine minutes, in which a server notices that a connection has broken
    /// off and that its name is free. A session without end never gives up.
    pub refusals: u32,
}

/// The shortest and the longest time between two signs of life, in seconds. The protocol allows no shorter one; after a
/// longer one every router has forgotten the connection.
pub const KEEP_ALIVE: RangeInclusive<u64> = 30..=3_600;

impl Default for Patience {
    fn default() -> Self {
        Patience {
            connect: Duration::from_secs(15),
            answer: Duration::from_secs(30),
            agreement: Duration::from_secs(600),
            keep_alive: Duration::from_secs(60),
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(300),
            refusals: 10,
        }
    }
}

/// The longest name, in bytes.
const LONGEST_NAME: usize = 32;

/// The longest password, in bytes. Floodgate's has the name of the kind of game before it.
const LONGEST_PASSWORD: usize = 256;

impl Settings {
    /// Why these settings cannot be used; `None` where they can.
    pub fn objection(&self) -> Option<String> {
        if self.server.is_empty() {
            return Some("server: expected a name or an address".to_string());
        }
        let name = protocol::objection(&self.name, LONGEST_NAME, true)
            .map(|expected| format!("name: '{}': {expected}", self.name));
        // The message must not show the password.
        name.or_else(|| {
            protocol::objection(&self.password.0, LONGEST_PASSWORD, false)
                .map(|expected| format!("password: {expected}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(server: &str, name: &str, password: &str) -> Settings {
        Settings {
            server: server.into(),
            port: 4081,
            name: name.into(),
            password: Password(password.into()),
            games: None,
            ponder: false,
            comments: Comments::Auto,
            records: "records".into(),
            policy: TimePolicy::default(),
            margin: Duration::ZERO,
            patience: Patience::default(),
        }
    }

    #[test]
    fn no_message_shows_a_password() {
        let wrong = settings("here", "me", "se cret");
        let message = wrong.objection().expect("a blank is not allowed");
        assert!(message.contains("password") && !message.contains("cret"), "{message}");
        assert!(!format!("{wrong:?}").contains("cret"));
        assert!(settings("here", "m e", "secret").objection().is_some_and(|text| text.contains("'m e'")));
        assert!(settings("", "me", "secret").objection().is_some());
        assert_eq!(settings("here", "me", "floodgate-300-10F,secret").objection(), None);
    }
}
