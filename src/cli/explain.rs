//! `jitsugen explain`.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use jitsugen::eval::{compact, full};
use jitsugen::exchange::whole_board::WholeBoard;
use jitsugen::exchange::whole_board::drawing::{self, Drawing};
use jitsugen::exchange::whole_board::explain::Explanation;
use jitsugen::exchange::whole_board::piece_values::PieceValues;
use jitsugen::record::{self, Format};
use jitsugen::shogi::position::Position;
use jitsugen::usi::{debug_commands, protocol};
use jitsugen::util::atomic_file::write_atomically;
use jitsugen::util::input_file;

use super::failure::Failure;
use super::files::{keep_apart, replaceable};

/// Say why a position is tactical: what hangs, what is tied, what each move does to the others, and what will follow.
///
/// Nothing is searched: this is SUPER-SOMA, described in docs/internals/whole-board-exchange.md. Values are in hundredths of a
/// pawn; the capture of a pawn is worth 200, as one side loses it and the other has it in hand. The last line is what the
/// built-in evaluation says of the position as it stands.
///
/// Examples: jitsugen explain startpos moves 7g7f 3c3d 8h3c+
///           jitsugen explain game.kif@47 --svg board.svg
#[derive(Args)]
pub struct Explain {
    /// A game record and the number of a move, game.kif@47, for the position before that move; or a position: an SFEN, or
    /// as after the word `position` in USI. The start position if left out.
    position: Vec<String>,
    /// What the pieces are worth.
    #[arg(long, value_enum, default_value_t = Values::Customary)]
    values: Values,
    /// Draw the board with the predicted moves as arrows (SVG).
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Values {
    /// A pawn is 100, a rook 1,100, as in the evaluation.
    Customary,
    /// A pawn is 52, a rook 480, as in the paper on SUPER-SOMA; values are written as there.
    Paper,
}

impl Explain {
    pub fn run(self, out: &mut dyn Write) -> Result<(), Failure> {
        let place = place_in_game(&self.position);
        if let Some(svg) = &self.svg {
            let inputs: Vec<(&str, &Path)> = place.iter().map(|&(file, _)| ("the game", file)).collect();
            keep_apart(&inputs, &[("--svg", svg)])?;
            replaceable("--svg", svg, "drawing (SVG)", drawing::MAGIC.as_bytes())?;
        }
        let position = match place {
            Some((file, number)) => before_move(file, number)?,
            None if self.position.is_empty() => Position::start(),
            None => position_in_words(&self.position)?,
        };
        let values = match self.values {
            Values::Customary => PieceValues::CUSTOMARY,
            Values::Paper => PieceValues::PAPER,
        };
        let mut whole = WholeBoard::new(&position, &values);
        whole.find_answers();
        if let Some(svg) = &self.svg {
            let text = Drawing(&whole).to_string();
            write_atomically(svg, |file| file.write_all(text.as_bytes()))?;
        }
        writeln!(out, "{}", Explanation(&whole))?;
        let terms = compact::built_in().map_err(|error| error.to_string())?;
        let evaluation = full::value(&terms, &position);
        Ok(writeln!(out, "{}", debug_commands::static_evaluation(position.side(), evaluation))?)
    }
}

/// The file and the move of `game.kif@47`.
fn place_in_game(words: &[String]) -> Option<(&Path, &str)> {
    let [word] = words else { return None };
    let (file, number) = word.rsplit_once('@')?;
    Some((Path::new(file), number))
}

/// A position as after the word `position` in USI.
fn position_in_words(words: &[String]) -> Result<Position, String> {
    let text = words.join(" ");
    protocol::parse_position(&text).map_err(|error| {
        if Path::new(&text).is_file() {
            format!("{text}: the number of a move is missing: expected {text}@47, for example")
        } else {
            error
        }
    })
}

/// The position before a move of the first game of a file.
fn before_move(file: &Path, number: &str) -> Result<Position, String> {
    let named = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let bytes = input_file::read(file).map_err(|error| named(&error))?;
    let games = record::read(&bytes, Format::of_path(file)).map_err(|error| named(&error))?;
    let game = games.first().ok_or_else(|| named(&"expected a game"))?;
    let moves = game.moves().len();
    // After the last move there is a position as well.
    let ply: usize = number.parse().ok().filter(|ply| (1..=moves + 1).contains(ply)).ok_or_else(|| {
        named(&format_args!("'{number}' is no move of the game: expected 1 to {}", moves + 1))
    })?;
    let mut position = game.start_position();
    for mv in game.moves().take(ply - 1) {
        position.play(mv, &mut ());
    }
    Ok(position)
}
