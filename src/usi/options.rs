//! The table of options: name, default, range, help and effect of each in one place.

use std::time::Duration;

use super::option::{Button, OptionKind, SetOutcome, UsiOption};
use crate::book::BUILT_IN;
use crate::engine::options::EngineOptions;
use crate::engine::skill::{FULL_STRENGTH, STRENGTHS};
use crate::search::SearchPolicy;
use crate::search::value::{MAX_PLY, Value};
use crate::shogi::color::Color;
use crate::shogi::generate::NonPromotions;
use crate::shogi::position::declaration::EnteringKingRule;
use crate::util::text::excerpt;

/// Every option, in the order in which clients show them.
pub static OPTIONS: &[UsiOption] = &[
    UsiOption {
        name: "USI_Hash",
        help: "Memory for what the search finds, in MiB: a quarter for moves, which all threads share, the rest for what \
               each thread knows of values and mates. The first `go mate` takes as much again, for a solver of its own.",
        kind: OptionKind::Spin { default: 256, min: 1, max: 1 << 20, set: |o, n| o.hash = n as usize },
    },
    UsiOption {
        name: "Threads",
        help: "Threads that search. The default is the number of cores.",
        kind: OptionKind::Threads,
    },
    UsiOption {
        name: "USI_Ponder",
        help: "Whether the client may let the engine think on the opponent's time. The client decides when; with this set \
               a move is planned a quarter longer, and what was thought on it before ponderhit is taken off that.",
        kind: OptionKind::Check { default: false, set: |o, on| o.time.ponders = on },
    },
    UsiOption {
        name: "Stochastic_Ponder",
        help: "Whether to ponder on the position before the opponent's move, so that every reply is prepared, in place \
               of the one that is expected. The client has to send ponderhit or stop as ever.",
        kind: OptionKind::Check { default: false, set: |o, on| o.stochastic_ponder = on },
    },
    UsiOption {
        name: "MultiPV",
        help: "How many of the best moves get a line of their own. More than 1 costs strength: it is for analysis.",
        kind: OptionKind::Spin { default: 1, min: 1, max: 600, set: |o, n| o.multi_pv = n as usize },
    },
    UsiOption {
        name: "EvalDir",
        help: "Folder with evaluation files of the KPPT kind: tried as it is given, then beside the program. Empty for \
               the built-in evaluation. Do not write into these files while an engine uses them.",
        kind: OptionKind::Text { default: "", set: |o, folder| o.eval_dir = folder.to_string() },
    },
    UsiOption {
        name: "EvalCache",
        help: "Whether the built-in evaluation is kept, unpacked, in a file of 860 MB in the user's cache folder. From the \
               second start on the engine is then ready at once, and engines share the memory.",
        kind: OptionKind::Check { default: true, set: |o, on| o.eval_cache = on },
    },
    UsiOption {
        name: "USI_OwnBook",
        help: "Whether moves are played from the book that BookFile names, the built-in one by default.",
        kind: OptionKind::Check { default: true, set: |o, on| o.book.own = on },
    },
    UsiOption {
        name: "BookFile",
        help: "The opening book: built-in, or a file in the YANEURAOU-DB2016 format (.db). Empty, <empty> or no_book for none; a \
               whole path stands for itself, without BookDir.",
        kind: OptionKind::File { default: BUILT_IN, set: |o, file| o.book.file = file.to_string() },
    },
    UsiOption {
        name: "BookDir",
        help: "The folder in which BookFile lies: tried as it is given, then beside the program.",
        kind: OptionKind::Text { default: "book", set: |o, folder| o.book.folder = folder.to_string() },
    },
    UsiOption {
        name: "BookMoves",
        help: "The last move of a game that may come from the book.",
        kind: OptionKind::Spin { default: 16, min: 0, max: 10_000, set: |o, n| o.book.moves = n as u32 },
    },
    UsiOption {
        name: "FlippedBook",
        help: "Whether a position that the book does not have is looked up with the sides exchanged as well.",
        kind: OptionKind::Check { default: true, set: |o, on| o.book.choice.flipped = on },
    },
    UsiOption {
        name: "IgnoreBookPly",
        help: "Whether the number of the move does not matter. Otherwise it has to be the one that the book states, if it \
               states one.",
        kind: OptionKind::Check { default: true, set: |o, on| o.book.choice.any_number = on },
    },
    UsiOption {
        name: "BookEvalDiff",
        help: "How much less than the best move of the book a move may be worth to be played, in hundredths of a pawn; 0 for \
               the best only.",
        kind: OptionKind::Spin {
            default: 30,
            min: 0,
            max: 99_999,
            set: |o, n| o.book.choice.eval_diff = n as i32,
        },
    },
    UsiOption {
        name: "BookEvalBlackLimit",
        help: "A move of the book that is worth less than this, in hundredths of a pawn, is not played as Black (sente).",
        kind: OptionKind::Spin {
            default: 0,
            min: -99_999,
            max: 99_999,
            set: |o, n| o.book.choice.least_value[Color::Black] = n as i32,
        },
    },
    UsiOption {
        name: "BookEvalWhiteLimit",
        help: "A move of the book that is worth less than this, in hundredths of a pawn, is not played as White (gote).",
        kind: OptionKind::Spin {
            default: -140,
            min: -99_999,
            max: 99_999,
            set: |o, n| o.book.choice.least_value[Color::White] = n as i32,
        },
    },
    UsiOption {
        name: "BookDepthLimit",
        help: "A move of the book whose search was less deep is not played; 0 for no limit. Each engine counts depth in its \
               own way.",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 99_999,
            set: |o, n| o.book.choice.least_depth = n as u32,
        },
    },
    UsiOption {
        name: "NarrowBook",
        help: "Whether moves that were played in less than a tenth of the games of their position are left out.",
        kind: OptionKind::Check { default: false, set: |o, on| o.book.choice.narrow = on },
    },
    UsiOption {
        name: "ConsiderBookMoveCount",
        help: "Whether the book's moves come up as often as they were played. Otherwise all that may be played are equally \
               probable.",
        kind: OptionKind::Check { default: true, set: |o, on| o.book.choice.by_count = on },
    },
    UsiOption {
        name: "BookIgnoreRate",
        help: "How often the engine thinks although the book has a move, in percent.",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100,
            set: |o, n| o.book.choice.ignore_rate = n as u32,
        },
    },
    UsiOption {
        name: "BookPvMoves",
        help: "The longest line from the book that is shown with a move of it, in moves of both sides.",
        kind: OptionKind::Spin {
            default: 8,
            min: 1,
            max: MAX_PLY as i64,
            set: |o, n| o.book.choice.pv_moves = n as usize,
        },
    },
    UsiOption {
        name: "EnteringKingRule",
        help: "Which entering-king declarations are valid.",
        kind: OptionKind::Combo {
            default: "CSARule27",
            choices: &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"],
            retired: &[],
            set: |o, choice| o.rules.entering_king = entering_king_rule(choice),
        },
    },
    UsiOption {
        name: "MaxMovesToDraw",
        help: "The game is drawn after this many moves; 0 for no limit.",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 100_000,
            set: |o, n| o.rules.max_moves = (n > 0).then_some(n as u32),
        },
    },
    UsiOption {
        name: "NetworkDelay",
        help: "Milliseconds that a move loses on the way on average: it is given so much less. 10 suits a client on the \
               same machine, 120 a server.",
        kind: OptionKind::Spin {
            default: 10,
            min: 0,
            max: 10_000,
            set: |o, n| o.time.average_delay = milliseconds(n),
        },
    },
    UsiOption {
        name: "NetworkDelay2",
        help: "Milliseconds that a move loses on the way at worst: kept back where a limit must not be passed. 40 suits \
               a client on the same machine, as a busy system wakes a process within that nearly always; 1120 a server \
               that counts whole seconds.",
        kind: OptionKind::Spin {
            default: 40,
            min: 0,
            max: 10_000,
            set: |o, n| o.time.worst_delay = milliseconds(n),
        },
    },
    UsiOption {
        name: "MinimumThinkingTime",
        help: "Milliseconds that a move takes at least. Never more than the clock has; of a clock that has run low, an \
               eighth at most. A move without an alternative, from the book or to a mate that was found is played at \
               once all the same.",
        kind: OptionKind::Spin {
            default: 20,
            min: 0,
            max: 100_000,
            set: |o, n| o.time.min_time = milliseconds(n),
        },
    },
    UsiOption {
        name: "SlowMover",
        help: "How much time a move gets, in percent of what the engine would give it. Above 100 it has more early in a \
               game and less late.",
        kind: OptionKind::Spin { default: 100, min: 1, max: 1_000, set: |o, n| o.time.percent = n as u32 },
    },
    UsiOption {
        name: "RoundUpToFullSecond",
        help: "Whether to use up a second that has begun, for servers that count whole seconds; NetworkDelay is kept \
               back from it.",
        kind: OptionKind::Check { default: false, set: |o, on| o.time.full_seconds = on },
    },
    UsiOption {
        name: "DrawValueBlack",
        help: "What a draw is worth to the engine when it plays Black (sente), in hundredths of a pawn.",
        kind: OptionKind::Spin {
            default: 0,
            min: -30_000,
            max: 30_000,
            set: |o, n| o.draw_value[Color::Black] = Value::from_cp(n as i32),
        },
    },
    UsiOption {
        name: "DrawValueWhite",
        help: "What a draw is worth to the engine when it plays White (gote), in hundredths of a pawn.",
        kind: OptionKind::Spin {
            default: 0,
            min: -30_000,
            max: 30_000,
            set: |o, n| o.draw_value[Color::White] = Value::from_cp(n as i32),
        },
    },
    UsiOption {
        name: "ResignValue",
        help: "Resign when the own score is at or below minus this many hundredths of a pawn.",
        kind: OptionKind::Spin {
            default: 99_999,
            min: 0,
            max: 99_999,
            set: |o, n| o.resign_value = -n as i32,
        },
    },
    UsiOption {
        name: "SkillLevel",
        help: "How strong the engine plays in games: 0 for a beginner, 20 for all of its strength. A lower level looks less \
               far, at moves that people are likely to play, and plays no two games alike. Analysis (go infinite, as GUIs \
               send it) is at full strength, whatever the level is.",
        kind: OptionKind::Spin {
            default: FULL_STRENGTH as i64,
            min: 0,
            max: FULL_STRENGTH as i64,
            set: |o, n| o.skill.level = n as u8,
        },
    },
    UsiOption {
        name: "SkillDelay",
        help: "About how many milliseconds an answer takes below full strength, for a natural pace: less where the move is \
               obvious, never more than three quarters of what the clock has for it. 0 answers at once.",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: 600_000,
            set: |o, n| o.skill.delay = milliseconds(n),
        },
    },
    UsiOption {
        name: "USI_LimitStrength",
        help: "Whether USI_Strength says how strong the engine plays, in place of SkillLevel.",
        kind: OptionKind::Check { default: false, set: |o, on| o.skill.by_strength = on },
    },
    UsiOption {
        name: "USI_Strength",
        help: "How strong the engine plays where USI_LimitStrength is set, as the protocol has it: amateur kyu below 0, \
               amateur dan above. They stand for SkillLevel 0 to 19, and were not measured against people.",
        kind: OptionKind::Spin {
            default: 1,
            min: *STRENGTHS.start() as i64,
            max: *STRENGTHS.end() as i64,
            set: |o, n| o.skill.strength = n as i32,
        },
    },
    UsiOption {
        name: "SearchPolicy",
        help: "What decides how far a line is followed: how probable it is that it is played, or its depth (plausible \
               moves only near the leaves).",
        kind: OptionKind::Combo {
            default: "RealizationProbability",
            choices: SearchPolicy::NAMES,
            retired: &["Reductions"],
            set: |o, choice| o.policy = SearchPolicy::named(choice).unwrap_or_default(),
        },
    },
    UsiOption {
        name: "GenerateAllLegalMoves",
        help: "Whether the search also looks at non-promotions that are hardly ever of use.",
        kind: OptionKind::Check {
            default: false,
            set: |o, all| {
                o.non_promotions = if all { NonPromotions::All } else { NonPromotions::Useful };
            },
        },
    },
    UsiOption {
        name: "NodesLimit",
        help: "No search takes more nodes; 0 for no limit.",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: i64::MAX,
            set: |o, n| o.nodes_limit = (n > 0).then_some(n.unsigned_abs()),
        },
    },
    UsiOption {
        name: "DepthLimit",
        help: "No search makes more iterations; 0 for no limit. What clients show as depth is their number; lines go \
               further.",
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            set: |o, n| o.depth_limit = (n > 0).then_some(n as u32),
        },
    },
    UsiOption {
        name: "PvInterval",
        help: "The least time between two lines that are reported within an iteration, in milliseconds; 0 reports each better \
               line. The end of an iteration is reported in any case, unless it changes nothing within this time. \
               `go infinite` for one line reports each, too. The first iterations are not shown before 50 ms, unless they \
               are the last or this is 0.",
        kind: OptionKind::Spin {
            default: 300,
            min: 0,
            max: 100_000,
            set: |o, n| o.info.pv_interval = milliseconds(n),
        },
    },
    UsiOption {
        name: "ConsiderationMode",
        help: "For analysis: lines are made as long as the table of moves allows, and PvInterval counts as 0.",
        kind: OptionKind::Check { default: false, set: |o, on| o.info.consideration_mode = on },
    },
    UsiOption {
        name: "OutputFailLHPV",
        help: "Whether a move is reported before its value is known: as lowerbound once it is found to be better than all \
               before it or than expected, as upperbound where the best move turns out worse than expected. Costs some \
               time. Without this every value is exact, as it is where MultiPV asks for several lines.",
        kind: OptionKind::Check { default: false, set: |o, on| o.info.bounds = on },
    },
    UsiOption {
        name: "Clear_Hash",
        help: "Forget what was found so far.",
        kind: OptionKind::Button(Button::ClearHash),
    },
    UsiOption {
        name: "DebugLogFile",
        help: "A file to which the conversation is appended, with the time of each line. Empty for none.",
        kind: OptionKind::File { default: "", set: |o, file| o.debug_log = file.to_string() },
    },
];

/// Options that clients do not see: for tests and measurements.
pub static HIDDEN: &[UsiOption] = &[UsiOption {
    name: "SkillSeed",
    help: "Decides what SkillLevel leaves to chance, so that a game can be repeated; 0 for other games each time.",
    kind: OptionKind::Spin { default: 0, min: 0, max: i64::MAX, set: |o, n| o.skill.seed = n.unsigned_abs() },
}];

/// Sets the option `name`, found without regard to case. Options that we do not have are left alone, as clients send
/// some to every engine. See [`UsiOption::set`].
///
/// # Errors
/// A message with the value and what is accepted; the option is as it was.
pub fn set(options: &mut EngineOptions, name: &str, value: &str) -> Result<SetOutcome, String> {
    let named = |option: &&UsiOption| option.name.eq_ignore_ascii_case(name);
    match OPTIONS.iter().chain(HIDDEN).find(named) {
        Some(option) => option.set(options, value),
        None => set_parameter(options, name, value),
    }
}

/// The search's parameters are set by their names as well, for tuning. Clients do not see them.
fn set_parameter(options: &mut EngineOptions, name: &str, value: &str) -> Result<SetOutcome, String> {
    let number = value.parse().unwrap_or(i32::MIN);
    match options.params.set(name, number) {
        None => Ok(SetOutcome::Unknown),
        Some(Ok(())) => Ok(SetOutcome::Set),
        Some(Err(range)) => {
            let (min, max) = range.into_inner();
            Err(format!(
                "{name} is left as it was: '{}': expected a number from {min} to {max}",
                excerpt(value)
            ))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::choice::ChoiceOptions;
    use crate::book::current::BookOptions;
    use crate::engine::clock::TimePolicy;
    use crate::engine::options::InfoOptions;
    use crate::engine::skill::SkillOptions;
    use crate::shogi::color::PerColor;

    #[test]
    fn declared_defaults_are_the_defaults_of_the_engine() {
        let mut options = EngineOptions::default();
        for option in OPTIONS.iter().chain(HIDDEN) {
            let value = match &option.kind {
                OptionKind::Text { default, .. } | OptionKind::File { default, .. } => default,
                _ => "",
            };
            set(&mut options, option.name, value).unwrap();
            assert_eq!(options, EngineOptions::default(), "{}", option.name);
            assert!(!option.name.contains(' ') && !value.contains(' ') && !option.help.is_empty());
        }
    }

    #[test]
    fn parameters_of_the_search_are_set_by_their_names() {
        let mut options = EngineOptions::default();
        assert_eq!(set(&mut options, "Least_Cost", "20"), Ok(SetOutcome::Set));
        assert_eq!(options.params.least_cost, 20);
        for value in ["0", "much", ""] {
            let error = set(&mut options, "least_cost", value).unwrap_err();
            assert!(error.contains("least_cost") && error.contains("16 to 256"), "{error}");
        }
        assert_eq!(options.params.least_cost, 20);
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let mut options = EngineOptions::default();
        for (name, value) in [
            ("USI_Hash", "0"),
            ("USI_Hash", "much"),
            ("USI_Hash", "99999999999999999999"),
            ("MultiPV", "601"),
            ("SlowMover", "0"),
            ("DrawValueBlack", "-30001"),
            ("EnteringKingRule", "CSARule28"),
            ("GenerateAllLegalMoves", "yes"),
        ] {
            let error = set(&mut options, name, value).unwrap_err();
            assert!(error.contains(name) && error.contains(value) && error.contains("expected"), "{error}");
        }
        assert_eq!(options, EngineOptions::default());
        assert_eq!(set(&mut options, "NoSuchOption", "1"), Ok(SetOutcome::Unknown));
    }

    #[test]
    fn a_value_of_earlier_versions_sets_the_default() {
        let mut options = EngineOptions::default();
        set(&mut options, "SearchPolicy", "Depth").unwrap();
        let error = set(&mut options, "SearchPolicy", "reductions").unwrap_err();
        assert!(error.contains("reductions") && error.contains("RealizationProbability, Depth"), "{error}");
        assert_eq!(options, EngineOptions::default());
    }

    #[test]
    fn each_option_changes_what_it_says() {
        let mut o = EngineOptions::default();
        for (name, value) in [
            ("usi_hash", "16"),
            ("Threads", "3"),
            ("USI_Ponder", "True"),
            ("Stochastic_Ponder", "true"),
            ("MultiPV", "3"),
            ("EnteringKingRule", "TryRule"),
            ("EvalDir", "my eval"),
            ("EvalCache", "false"),
            ("USI_OwnBook", "false"),
            ("BookFile", "user book.db"),
            ("BookDir", "本"),
            ("BookMoves", "30"),
            ("FlippedBook", "false"),
            ("IgnoreBookPly", "false"),
            ("BookEvalDiff", "40"),
            ("BookEvalBlackLimit", "-41"),
            ("BookEvalWhiteLimit", "42"),
            ("BookDepthLimit", "43"),
            ("NarrowBook", "true"),
            ("ConsiderBookMoveCount", "false"),
            ("BookIgnoreRate", "44"),
            ("BookPvMoves", "45"),
            ("MaxMovesToDraw", "256"),
            ("NetworkDelay", "120"),
            ("NetworkDelay2", "1120"),
            ("MinimumThinkingTime", "2000"),
            ("SlowMover", "80"),
            ("RoundUpToFullSecond", "true"),
            ("DrawValueBlack", "-2"),
            ("DrawValueWhite", "50"),
            ("ResignValue", "3000"),
            ("SkillLevel", "3"),
            ("SkillDelay", "1500"),
            ("USI_LimitStrength", "true"),
            ("USI_Strength", "-9"),
            ("SkillSeed", "77"),
            ("GenerateAllLegalMoves", "true"),
            ("SearchPolicy", "Depth"),
            ("NodesLimit", "1000"),
            ("DepthLimit", "9"),
            ("PvInterval", "0"),
            ("ConsiderationMode", "true"),
            ("OutputFailLHPV", "true"),
            ("DebugLogFile", "log.txt"),
        ] {
            assert_eq!(set(&mut o, name, value), Ok(SetOutcome::Set));
        }
        assert_eq!(
            (o.hash, o.threads, o.depth_limit, o.nodes_limit, o.resign_value),
            (16, 3, Some(9), Some(1000), -3000)
        );
        assert_eq!((o.stochastic_ponder, o.multi_pv), (true, 3));
        assert_eq!((o.eval_dir.as_str(), o.eval_cache, o.debug_log.as_str()), ("my eval", false, "log.txt"));
        let choice = ChoiceOptions {
            flipped: false,
            any_number: false,
            ignore_rate: 44,
            eval_diff: 40,
            least_value: PerColor([-41, 42]),
            least_depth: 43,
            narrow: true,
            by_count: false,
            pv_moves: 45,
        };
        let book =
            BookOptions { own: false, file: "user book.db".into(), folder: "本".into(), moves: 30, choice };
        assert_eq!(o.book, book);
        assert_eq!((o.rules.entering_king, o.rules.max_moves), (EnteringKingRule::Try, Some(256)));
        let time = TimePolicy {
            average_delay: milliseconds(120),
            worst_delay: milliseconds(1120),
            min_time: milliseconds(2000),
            percent: 80,
            full_seconds: true,
            ponders: true,
        };
        assert_eq!(o.time, time);
        assert_eq!(o.draw_value.0.map(Value::cp), [-2, 50]);
        assert_eq!((o.non_promotions, o.policy), (NonPromotions::All, SearchPolicy::Depth));
        let info = InfoOptions {
            pv_interval: Duration::ZERO,
            every_improvement: false,
            consideration_mode: true,
            bounds: true,
        };
        assert_eq!(o.info, info);
        let skill =
            SkillOptions { level: 3, by_strength: true, strength: -9, seed: 77, delay: milliseconds(1500) };
        assert_eq!(o.skill, skill);
        assert_eq!(set(&mut o, "Clear_Hash", ""), Ok(SetOutcome::Pressed(Button::ClearHash)));
    }
}
