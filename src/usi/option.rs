//! One option: what clients read of it, and what setting it does.

use std::fmt;

use crate::engine::options::{EngineOptions, MAX_THREADS};
use crate::util::text::excerpt;

/// Something a user can set.
pub struct UsiOption {
    /// Without blanks, spelt as users know it.
    pub name: &'static str,
    /// One or two sentences for people.
    pub help: &'static str,
    /// Default, range and effect.
    pub kind: OptionKind,
}

/// What values an option takes, and what setting it does.
pub enum OptionKind {
    /// True or false.
    Check {
        /// Without a value.
        default: bool,
        /// What it does.
        set: fn(&mut EngineOptions, bool),
    },
    /// A number.
    Spin {
        /// Without a value.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// What it does.
        set: fn(&mut EngineOptions, i64),
    },
    /// A number of threads, by default that of the machine's cores.
    Threads,
    /// A text.
    Text {
        /// Without blanks: a client takes the first word.
        default: &'static str,
        /// What it does.
        set: fn(&mut EngineOptions, &str),
    },
    /// The path of a file, which clients let the user choose by a click.
    File {
        /// Without blanks, or empty.
        default: &'static str,
        /// What it does.
        set: fn(&mut EngineOptions, &str),
    },
    /// Something to do at once.
    Button(Button),
    /// One of several words.
    Combo {
        /// Without a value.
        default: &'static str,
        /// The words.
        choices: &'static [&'static str],
        /// Values that earlier versions had. One of them sets the default.
        retired: &'static [&'static str],
        /// What it does.
        set: fn(&mut EngineOptions, &str),
    },
}

/// What a button asks for, at once rather than from the next search on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Button {
    /// Forget what was found so far.
    ClearHash,
}

/// What came of setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetOutcome {
    /// It has its value.
    Set,
    /// It is a button.
    Pressed(Button),
    /// There is none of this name.
    Unknown,
}

impl UsiOption {
    /// Sets the option. An empty value restores the default, except for a text or a file, which is then empty. What a button asks
    /// for is left to the caller.
    ///
    /// # Errors
    /// A message with the value and what is accepted. The option is as it was; where the value is one that earlier versions
    /// had, it is the default.
    pub fn set(&self, options: &mut EngineOptions, value: &str) -> Result<SetOutcome, String> {
        let refused = |expected: &str| {
            Err(format!("option {} is left as it was: '{}': expected {expected}", self.name, excerpt(value)))
        };
        match &self.kind {
            // Python's clients send True and False.
            OptionKind::Check { default, set } => match value {
                _ if value.eq_ignore_ascii_case("true") => set(options, true),
                _ if value.eq_ignore_ascii_case("false") => set(options, false),
                "" => set(options, *default),
                _ => return refused("true or false"),
            },
            OptionKind::Spin { default, min, max, set } => {
                let number = if value.is_empty() { Some(*default) } else { value.parse().ok() };
                match number {
                    Some(n) if (*min..=*max).contains(&n) => set(options, n),
                    _ => return refused(&format!("a number from {min} to {max}")),
                }
            }
            OptionKind::Threads => {
                let number = if value.is_empty() {
                    Some(EngineOptions::default().threads)
                } else {
                    value.parse().ok()
                };
                match number {
                    Some(n) if (1..=MAX_THREADS).contains(&n) => options.threads = n,
                    _ => return refused(&format!("a number from 1 to {MAX_THREADS}")),
                }
            }
            OptionKind::Text { set, .. } | OptionKind::File { set, .. } => set(options, value),
            OptionKind::Button(button) => return Ok(SetOutcome::Pressed(*button)),
            OptionKind::Combo { default, choices, retired, set } => {
                let wanted = if value.is_empty() { default } else { value };
                match choices.iter().find(|choice| choice.eq_ignore_ascii_case(wanted)) {
                    Some(choice) => set(options, choice),
                    None if retired.iter().any(|name| name.eq_ignore_ascii_case(wanted)) => {
                        set(options, default);
                        return Err(format!(
                            "option {} has its default {default}: '{}': expected one of {}",
                            self.name,
                            excerpt(value),
                            choices.join(", ")
                        ));
                    }
                    None => return refused(&format!("one of {}", choices.join(", "))),
                }
            }
        }
        Ok(SetOutcome::Set)
    }
}

/// As a client reads it after `usi`.
impl fmt::Display for UsiOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default, .. } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Threads => {
                write!(f, "spin default {} min 1 max {MAX_THREADS}", EngineOptions::default().threads)
            }
            OptionKind::Text { default: "", .. } => write!(f, "string default <empty>"),
            OptionKind::Text { default, .. } => write!(f, "string default {default}"),
            OptionKind::File { default: "", .. } => write!(f, "filename default <empty>"),
            OptionKind::File { default, .. } => write!(f, "filename default {default}"),
            OptionKind::Button(_) => write!(f, "button"),
            OptionKind::Combo { default, choices, .. } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
        }
    }
}
