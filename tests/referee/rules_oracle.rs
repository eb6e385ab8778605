//! Answers questions about the rules, one line each, for a referee that is another program.
//!
//! Reads USI `position` lines and answers with four fields, separated by tabs: the legal moves; how the position
//! repeats an earlier board (`-`, or the hand compared with then and which sides gave check throughout); how often the
//! position has occurred; whether the side to move may declare a win by 27 points.

use std::io::{self, BufRead, Write};

use jitsugen::shogi::generate;
use jitsugen::shogi::position::Position;
use jitsugen::shogi::position::declaration::EnteringKingRule;
use jitsugen::shogi::sfen;

/// The position of a line, and how often it has occurred in the game.
fn read(line: &str) -> Option<(Position, usize)> {
    let rest = line.strip_prefix("position ")?;
    let (start, moves) = rest.split_once(" moves").unwrap_or((rest, ""));
    let start = if start == "startpos" { sfen::START } else { start.strip_prefix("sfen ")? };
    let mut position = sfen::parse(start).ok()?;
    let mut keys = vec![position.key()];
    for mv in moves.split_whitespace() {
        let mv = mv.parse().ok().filter(|&mv| position.is_legal(mv))?;
        position.play(mv, &mut ());
        keys.push(position.key());
    }
    let occurrences = keys.iter().filter(|&&key| key == position.key()).count();
    Some((position, occurrences))
}

fn answer(position: &Position, occurrences: usize) -> String {
    let mut moves: Vec<String> = generate::all_legal(position).iter().map(ToString::to_string).collect();
    moves.sort();
    let repetition = position.repetition().map_or("-".to_owned(), |found| {
        let [black, white] = found.checking.map(u8::from);
        format!("{:?} {black} {white}", found.hand)
    });
    let declares = position.declaration(EnteringKingRule::Points27).is_some();
    format!("{}\t{repetition}\t{occurrences}\t{}", moves.join(" "), u8::from(declares))
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        match read(&line) {
            Some((position, occurrences)) => writeln!(out, "{}", answer(&position, occurrences))?,
            None => writeln!(out, "refused: {line}")?,
        }
        out.flush()?;
    }
    Ok(())
}
