//! The settings of `jitsugen csa`, from a file and from the command line.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use jitsugen::csa::settings::{Comments, KEEP_ALIVE, Password, Patience, Settings};
use jitsugen::engine::options::EngineOptions;
use jitsugen::usi::option::SetOutcome;
use jitsugen::usi::options::{self, OPTIONS};
use jitsugen::util::input_file;
use jitsugen::util::text::{excerpt, strip_bom};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::cli::failure::Failure;

/// What can be set. The names are those of the file; options of the command line have `-` for `_`.
#[derive(Args, Deserialize, Default, Debug)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The server, a name or an address (IPv4 or IPv6).
    #[arg(long)]
    server: Option<String>,
    /// Its port [default: 4081].
    #[arg(long)]
    port: Option<u16>,
    /// The name to log in with.
    #[arg(long)]
    name: Option<String>,
    /// The password. It stays in the shell's history: better in the file, in JITSUGEN_CSA_PASSWORD, or typed when asked for.
    #[arg(long)]
    #[serde(default, deserialize_with = "password")]
    password: Option<String>,
    /// End after so many games; 0 plays without end [default: 0].
    #[arg(long)]
    games: Option<u64>,
    /// Think on the opponent's time [default: true].
    #[arg(long, num_args = 0..=1, default_missing_value = "true", value_name = "true|false")]
    ponder: Option<bool>,
    /// An opening book in the YANEURAOU-DB2016 format (.db); no_book for none [default: the built-in one].
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Send value and line with each move: auto (on floodgate only), always or never [default: auto].
    #[arg(long)]
    #[serde(default, deserialize_with = "comments")]
    comments: Option<Comments>,
    /// The folder for the records of games [default: records].
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// A file to which everything is logged, except the password.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Milliseconds that are kept back for each move beside what is measured of the way to the server [default: 200].
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(0..=MAX_MARGIN))]
    #[serde(default, deserialize_with = "margin")]
    margin: Option<u64>,
    /// Seconds of silence after which a blank line is sent, 30 to 3600 [default: 60].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(KEEP_ALIVE))]
    #[serde(default, deserialize_with = "keep_alive")]
    keep_alive: Option<u64>,
    /// An option of the engine, by its name in USI; may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = name_and_value)]
    #[serde(skip)]
    given_options: Vec<(String, String)>,
    /// The options of the engine in the file, with the place of each.
    #[arg(skip)]
    #[serde(default)]
    options: BTreeMap<Spanned<String>, toml::Value>,
    /// The file and its text, for messages.
    #[arg(skip)]
    #[serde(skip)]
    source: (PathBuf, String),
}

/// The longest margin, in milliseconds.
const MAX_MARGIN: u64 = 60_000;

fn comments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Comments>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let parsed = text.parse();
    parsed.map(Some).map_err(|expected| serde::de::Error::custom(format!("'{}': {expected}", excerpt(&text))))
}

/// Its errors do not show the value, unlike those of other settings.
fn password<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    match toml::Value::deserialize(deserializer)? {
        toml::Value::String(text) => Ok(Some(text)),
        other => {
            let found = other.type_str();
            Err(serde::de::Error::custom(format!(
                "password: expected text in quotes, found a value of type {found}"
            )))
        }
    }
}

fn number_in<'de, D: Deserializer<'de>>(
    deserializer: D,
    range: std::ops::RangeInclusive<u64>,
    unit: &str,
) -> Result<Option<u64>, D::Error> {
    let number = u64::deserialize(deserializer)?;
    if range.contains(&number) {
        return Ok(Some(number));
    }
    let (least, most) = range.into_inner();
    Err(serde::de::Error::custom(format!("{number}: expected {least} to {most} {unit}")))
}

fn margin<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    number_in(deserializer, 0..=MAX_MARGIN, "milliseconds")
}

fn keep_alive<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    number_in(deserializer, KEEP_ALIVE, "seconds")
}

fn name_and_value(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_string(), value.to_string()))
}

impl Config {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read, or a key or a value is not allowed: with the line, and what is.
    pub fn read(path: &Path) -> Result<Config, Failure> {
        let named = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let bytes = input_file::read(path).map_err(|error| named(&error))?;
        let bytes = strip_bom(&bytes).unwrap_or(&bytes);
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = line_of(&String::from_utf8_lossy(bytes), error.valid_up_to());
            named(&format!("line {line}: expected UTF-8"))
        })?;
        let mut config: Config = toml::from_str(text).map_err(|error| {
            let line =
                error.span().map_or(String::new(), |span| format!("line {}: ", line_of(text, span.start)));
            named(&format!("{line}{}", error.message()))
        })?;
        config.source = (path.to_path_buf(), text.to_string());
        Ok(config)
    }

    /// These settings, and those of `other` where there is none here.
    pub fn over(self, other: Config) -> Config {
        Config {
            server: self.server.or(other.server),
            port: self.port.or(other.port),
            name: self.name.or(other.name),
            password: self.password.or(other.password),
            games: self.games.or(other.games),
            ponder: self.ponder.or(other.ponder),
            book: self.book.or(other.book),
            comments: self.comments.or(other.comments),
            records: self.records.or(other.records),
            log: self.log.or(other.log),
            margin: self.margin.or(other.margin),
            keep_alive: self.keep_alive.or(other.keep_alive),
            given_options: self.given_options,
            options: other.options,
            source: other.source,
        }
    }

    /// The file for the log, opened at its end.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn log_file(&self) -> Result<Option<File>, Failure> {
        let Some(path) = &self.log else { return Ok(None) };
        let file = input_file::open_at_end(path);
        Ok(Some(file.map_err(|error| format!("log: {}: {error}", path.display()))?))
    }

    /// The settings of the session and the options of its engine. Asks for a password where there is none.
    ///
    /// # Errors
    /// When something is missing, or is not allowed.
    pub fn settings(self) -> Result<(Settings, EngineOptions), Failure> {
        let options = self.engine_options()?;
        let missing =
            |what: &str| format!("{what} is missing: expected it in a file of settings, or as --{what}");
        let settings = Settings {
            server: self.server.clone().ok_or_else(|| missing("server"))?,
            port: self.port.unwrap_or(4081),
            name: self.name.clone().ok_or_else(|| missing("name"))?,
            password: Password(self.password()?),
            games: self.games.filter(|&games| games > 0),
            ponder: options.time.ponders,
            comments: self.comments.unwrap_or_default(),
            records: self.records.unwrap_or_else(|| "records".into()),
            policy: options.time,
            margin: Duration::from_millis(self.margin.unwrap_or(200)),
            patience: Patience {
                keep_alive: self.keep_alive.map_or(Patience::default().keep_alive, Duration::from_secs),
                ..Patience::default()
            },
        };
        match settings.objection() {
            Some(objection) => Err(Failure::Message(objection)),
            None => Ok((settings, options)),
        }
    }

    fn password(&self) -> Result<String, Failure> {
        if let Some(password) = &self.password {
            return Ok(password.clone());
        }
        if let Ok(password) = std::env::var("JITSUGEN_CSA_PASSWORD") {
            return Ok(password);
        }
        if !std::io::stdin().is_terminal() {
            let text = "password is missing: expected it in a file of settings or in JITSUGEN_CSA_PASSWORD";
            return Err(Failure::Message(text.to_string()));
        }
        Ok(rpassword::prompt_password("Password: ")?)
    }

    fn engine_options(&self) -> Result<EngineOptions, Failure> {
        let mut options = EngineOptions::default();
        options.time.ponders = true;
        let (path, text) = &self.source;
        for (name, value) in &self.options {
            let value = match value {
                toml::Value::String(text) => text.clone(),
                toml::Value::Integer(number) => number.to_string(),
                toml::Value::Boolean(on) => on.to_string(),
                // No option takes it: the message says what is expected.
                other => other.type_str().to_string(),
            };
            set(&mut options, name.get_ref(), &value).map_err(|error| {
                format!("{}: line {}: {error}", path.display(), line_of(text, name.span().start))
            })?;
        }
        for (name, value) in &self.given_options {
            set(&mut options, name, value).map_err(|error| format!("--option {name}={value}: {error}"))?;
        }
        if let Some(book) = &self.book {
            let folder = book.parent().filter(|folder| !folder.as_os_str().is_empty());
            options.book.own = true;
            options.book.folder = folder.unwrap_or(Path::new(".")).to_string_lossy().into_owned();
            options.book.file = book.file_name().unwrap_or_default().to_string_lossy().into_owned();
        }
        if let Some(ponder) = self.ponder {
            options.time.ponders = ponder;
        }
        Ok(options)
    }
}

fn set(options: &mut EngineOptions, name: &str, value: &str) -> Result<(), String> {
    match options::set(options, name, value) {
        Ok(SetOutcome::Unknown) => {
            let names: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
            Err(format!("option '{}' is not known: expected one of {}", excerpt(name), names.join(", ")))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The number of the line that has this byte.
fn line_of(text: &str, byte: usize) -> usize {
    1 + text.bytes().take(byte).filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_setting_ponder_counts_more_than_the_option_and_the_option_more_than_the_default() {
        for (text, expected) in [
            ("", true),
            ("[options]\nUSI_Ponder = false\n", false),
            ("ponder = true\n[options]\nUSI_Ponder = false\n", true),
            ("ponder = false\n", false),
        ] {
            let config: Config = toml::from_str(text).expect("good settings");
            let options = config.engine_options().unwrap_or_else(|_| panic!("{text}"));
            assert_eq!(options.time.ponders, expected, "{text}");
        }
    }
}
