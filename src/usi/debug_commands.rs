//! Commands beside USI that only people and scripts send: what the position looks like, what can be played.

use std::fmt::{self, Write};

use super::protocol::DebugCommand;
use crate::exchange::whole_board::WholeBoard;
use crate::exchange::whole_board::explain::Explanation;
use crate::exchange::whole_board::piece_values::PieceValues;
use crate::search::value::Value;
use crate::shogi::color::Color;
use crate::shogi::generate;
use crate::shogi::position::Position;
use crate::shogi::sfen;

/// The answer to a command about the position. The evaluation is not among them: the player has it.
pub fn answer(command: DebugCommand, position: &Position) -> String {
    match command {
        DebugCommand::Board => board(position),
        DebugCommand::Moves => {
            let mut moves: Vec<String> =
                generate::all_legal(position).iter().map(ToString::to_string).collect();
            moves.sort_unstable();
            moves.join(" ")
        }
        DebugCommand::Key => format!("{:016x}", position.key().0),
        DebugCommand::Sfen => sfen::write(position),
        DebugCommand::Side => match position.side() {
            Color::Black => "black".into(),
            Color::White => "white".into(),
        },
        DebugCommand::Compiler => Build.to_string(),
        DebugCommand::Explain => {
            let values = PieceValues::CUSTOMARY;
            let mut whole = WholeBoard::new(position, &values);
            whole.find_answers();
            Explanation(&whole).to_string()
        }
        DebugCommand::Eval => String::new(),
    }
}

/// The end of an explanation: what the evaluation alone makes of the position, `units` for the side to move.
pub fn static_evaluation(side: Color, units: i32) -> String {
    let value = Value::new(units);
    let chance = value.chance_to_win() * 100.0;
    format!("Evaluation without a search for {side:?}: {:+}, chance to win {chance:.0}%", value.cp())
}

/// The board as Black sees it, Black's pieces in capitals, then SFEN, key and check.
fn board(position: &Position) -> String {
    let sfen = sfen::write(position);
    // Writing to a string does not fail.
    let mut text = String::from(" 9  8  7  6  5  4  3  2  1\n");
    let squares = sfen.split(' ').next().unwrap_or_default();
    for (rank, pieces) in ('a'..='i').zip(squares.split('/')) {
        let mut promoted = false;
        for letter in pieces.chars() {
            match letter.to_digit(10) {
                Some(empty) => (0..empty).for_each(|_| text.push_str(" . ")),
                None if letter == '+' => promoted = true,
                None => {
                    let _ = write!(text, "{}{letter} ", if promoted { '+' } else { ' ' });
                    promoted = false;
                }
            }
        }
        text.push(rank);
        text.push('\n');
    }
    let _ = write!(text, "sfen {sfen}\nkey {:016x}", position.key().0);
    if position.in_check() {
        text.push_str("\nin check");
    }
    text
}

/// How the program was built.
struct Build;

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = if cfg!(debug_assertions) { "with debug checks" } else { "without debug checks" };
        write!(
            f,
            "Jitsugen {}, {}, for {} on {}, {}, {profile}",
            env!("CARGO_PKG_VERSION"),
            env!("JITSUGEN_COMPILER"),
            std::env::consts::ARCH,
            std::env::consts::OS,
            level(),
        )
    }
}

/// The instruction set that the build needs.
const fn level() -> &'static str {
    if cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")) {
        "x86-64-v3"
    } else if cfg!(all(target_arch = "x86_64", target_feature = "sse4.2", target_feature = "popcnt")) {
        "x86-64-v2"
    } else {
        "any processor of its kind"
    }
}
