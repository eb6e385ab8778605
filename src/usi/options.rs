//! The table of options: name, default, range, help and effect of each in one place.

use std::fmt;
use std::time::Duration;

use super::protocol::quoted;
use crate::engine::clock::Margins;
use crate::engine::settings::{MAX_THREADS, Settings};
use crate::search::Policy;
use crate::shogi::generate::NonPromotions;
use crate::shogi::position::declaration::EnteringKingRule;

/// Something a user can set.
pub struct UsiOption {
    /// Without blanks, spelt as users know it.
    pub name: &'static str,
    /// One or two sentences for people.
    pub help: &'static str,
    kind: Kind,
}

/// What values an option takes, and what setting it does.
enum Kind {
    Check {
        default: bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Settings, i64),
    },
    /// A number of threads, by default that of the machine's cores.
    Threads,
    Text {
        set: fn(&mut Settings, &str),
    },
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
        set: fn(&mut Settings, &str),
    },
}

/// Every option, in the order in which clients show them.
pub static OPTIONS: &[UsiOption] = &[
    UsiOption {
        name: "USI_Hash",
        help: "Memory for what the search finds, in MiB: a quarter for moves, which all threads share, the rest for what \
               each thread knows of values.",
        kind: Kind::Spin { default: 256, min: 1, max: 1 << 20, set: |s, n| s.hash = n as usize },
    },
    UsiOption {
        name: "Threads",
        help: "Threads that search. The default is the number of cores.",
        kind: Kind::Threads,
    },
    UsiOption {
        name: "USI_Ponder",
        help: "Whether the client may let the engine think on the opponent's time. The client decides; the engine \
               does as it is told.",
        kind: Kind::Check { default: false, set: |_, _| {} },
    },
    UsiOption {
        name: "EvalDir",
        help: "Folder with evaluation files of the KPPT kind: tried as it is given, then beside the program. Empty for \
               the built-in evaluation.",
        kind: Kind::Text { set: |s, folder| s.eval_dir = folder.to_string() },
    },
    UsiOption {
        name: "EnteringKingRule",
        help: "Which entering-king declarations are valid.",
        kind: Kind::Combo {
            default: "CSARule27",
            choices: &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"],
            set: |s, choice| s.rules.entering_king = entering_king_rule(choice),
        },
    },
    UsiOption {
        name: "MaxMovesToDraw",
        help: "The game is drawn after this many moves; 0 for no limit.",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            set: |s, n| s.rules.max_moves = (n > 0).then_some(n as u32),
        },
    },
    UsiOption {
        name: "NetworkDelay",
        help: "Milliseconds that a move loses on the way on average.",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 10_000,
            set: |s, n| s.margins = Margins { average: milliseconds(n), ..s.margins },
        },
    },
    UsiOption {
        name: "NetworkDelay2",
        help: "Milliseconds that a move loses on the way at worst: kept back where a limit must not be passed.",
        kind: Kind::Spin {
            default: 30,
            min: 0,
            max: 10_000,
            set: |s, n| s.margins = Margins { worst: milliseconds(n), ..s.margins },
        },
    },
    UsiOption {
        name: "ResignValue",
        help: "Resign when the own score is at or below minus this many hundredths of a pawn.",
        kind: Kind::Spin { default: 99_999, min: 0, max: 99_999, set: |s, n| s.resign_at = -n as i32 },
    },
    UsiOption {
        name: "SearchPolicy",
        help: "What decides how far a line is followed: how probable it is that it is played, or its depth.",
        kind: Kind::Combo {
            default: "RealizationProbability",
            choices: &["RealizationProbability", "Depth"],
            set: |s, choice| {
                s.policy = match choice {
                    "Depth" => Policy::Depth,
                    _ => Policy::RealizationProbability,
                };
            },
        },
    },
    UsiOption {
        name: "GenerateAllLegalMoves",
        help: "Whether the search also looks at non-promotions that are hardly ever of use.",
        kind: Kind::Check {
            default: false,
            set: |s, all| {
                s.non_promotions = if all { NonPromotions::All } else { NonPromotions::Useful };
            },
        },
    },
    UsiOption {
        name: "NodesLimit",
        help: "No search takes more nodes; 0 for no limit.",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i64::MAX,
            set: |s, n| s.nodes = (n > 0).then_some(n.unsigned_abs()),
        },
    },
    UsiOption {
        name: "DepthLimit",
        help: "No search goes deeper; 0 for no limit.",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            set: |s, n| s.depth = (n > 0).then_some(n as u32),
        },
    },
];

/// The search's numbers are set by their names as well, for tuning; clients are not told of them.
fn set_parameter(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let number = value.parse().unwrap_or(i32::MIN);
    match settings.params.set(name, number) {
        None | Some(Ok(())) => Ok(()),
        Some(Err(range)) => {
            let (min, max) = range.into_inner();
            Err(format!("{name} is left as it was: {}: expected a number from {min} to {max}", quoted(value)))
        }
    }
}

fn milliseconds(n: i64) -> Duration {
    Duration::from_millis(n.unsigned_abs())
}

fn entering_king_rule(choice: &str) -> EnteringKingRule {
    match choice {
        "NoEnteringKing" => EnteringKingRule::None,
        "CSARule24" => EnteringKingRule::Points24,
        "CSARule24H" => EnteringKingRule::Points24Handicap,
        "CSARule27H" => EnteringKingRule::Points27Handicap,
        "TryRule" => EnteringKingRule::Try,
        _ => EnteringKingRule::Points27,
    }
}

/// As a client reads it after `usi`.
impl fmt::Display for UsiOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin { default, min, max, .. } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Kind::Threads => {
                write!(f, "spin default {} min 1 max {MAX_THREADS}", Settings::default().threads)
            }
            Kind::Text { .. } => write!(f, "string default <empty>"),
            Kind::Combo { default, choices, .. } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
        }
    }
}

/// Sets the option `name`, found without regard to case. Options that we do not have are left alone, as clients send
/// some to every engine; an empty value restores the default.
///
/// # Errors
/// A message with what was found and what is accepted; the setting is as it was.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let Some(option) = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name)) else {
        return set_parameter(settings, name, value);
    };
    let refused = |expected: &str| {
        Err(format!("option {} is left as it was: {}: expected {expected}", option.name, quoted(value)))
    };
    match &option.kind {
        Kind::Check { default, set } => match value {
            "true" => set(settings, true),
            "false" => set(settings, false),
            "" => set(settings, *default),
            _ => return refused("true or false"),
        },
        Kind::Spin { default, min, max, set } => {
            let number = if value.is_empty() { Some(*default) } else { value.parse().ok() };
            match number {
                Some(n) if (*min..=*max).contains(&n) => set(settings, n),
                _ => return refused(&format!("a number from {min} to {max}")),
            }
        }
        Kind::Threads => {
            let number =
                if value.is_empty() { Some(Settings::default().threads) } else { value.parse().ok() };
            match number {
                Some(n) if (1..=MAX_THREADS).contains(&n) => settings.threads = n,
                _ => return refused(&format!("a number from 1 to {MAX_THREADS}")),
            }
        }
        Kind::Text { set } => set(settings, value),
        Kind::Combo { default, choices, set } => {
            let wanted = if value.is_empty() { default } else { value };
            match choices.iter().find(|choice| choice.eq_ignore_ascii_case(wanted)) {
                Some(choice) => set(settings, choice),
                None => return refused(&format!("one of {}", choices.join(", "))),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_defaults_are_the_settings_defaults() {
        let mut settings = Settings::default();
        for option in OPTIONS {
            set(&mut settings, option.name, "").unwrap();
            assert_eq!(settings, Settings::default(), "{}", option.name);
            assert!(!option.name.contains(' ') && !option.help.is_empty());
        }
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("USI_Hash", "0"),
            ("USI_Hash", "much"),
            ("USI_Hash", "99999999999999999999"),
            ("EnteringKingRule", "CSARule28"),
            ("GenerateAllLegalMoves", "yes"),
        ] {
            let error = set(&mut settings, name, value).unwrap_err();
            assert!(error.contains(name) && error.contains(value) && error.contains("expected"), "{error}");
        }
        assert_eq!(settings, Settings::default());
        assert_eq!(set(&mut settings, "NoSuchOption", "1"), Ok(()));
    }

    #[test]
    fn each_option_changes_what_it_says() {
        let mut s = Settings::default();
        for (name, value) in [
            ("usi_hash", "16"),
            ("EnteringKingRule", "TryRule"),
            ("EvalDir", "my eval"),
            ("MaxMovesToDraw", "256"),
            ("NetworkDelay", "120"),
            ("NetworkDelay2", "1120"),
            ("ResignValue", "3000"),
            ("GenerateAllLegalMoves", "true"),
            ("SearchPolicy", "Depth"),
            ("NodesLimit", "1000"),
            ("DepthLimit", "9"),
        ] {
            set(&mut s, name, value).unwrap();
        }
        assert_eq!((s.hash, s.depth, s.nodes, s.resign_at), (16, Some(9), Some(1000), -3000));
        assert_eq!(s.eval_dir, "my eval");
        assert_eq!((s.rules.entering_king, s.rules.max_moves), (EnteringKingRule::Try, Some(256)));
        assert_eq!((s.margins.average, s.margins.worst), (milliseconds(120), milliseconds(1120)));
        assert_eq!((s.non_promotions, s.policy), (NonPromotions::All, Policy::Depth));
    }
}
