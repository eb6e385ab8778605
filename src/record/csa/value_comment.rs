//! Comments that say what an engine thinks of a position: its value and the line that it expects, in floodgate's form.

use super::moves::csa_move;
use crate::shogi::moves::Move;
use crate::shogi::position::Position;

/// Floodgate's comment at `position`: the value in hundredths of a pawn, as Black sees it, and the line that begins there, up
/// to a move that is not legal. It comes without the sign of comments `'`.
pub fn value_comment(position: &Position, value_for_black: i32, line: &[Move]) -> String {
    let mut position = position.clone();
    let mut text = format!("* {value_for_black}");
    for &mv in line {
        if !position.is_legal(mv) {
            break;
        }
        text.push(' ');
        text.push_str(&csa_move(&position, mv));
        position.play(mv, &mut ());
    }
    text
}

/// The value in a comment on a move in the form that floodgate has: `'** 123 +7776FU -3334FU` in the server's record,
/// `'* 123 +7776FU` as it is sent. ShogiHome's form is known as well: `'**評価値=123`. In centipawns for Black. The comment
/// comes without its sign `'*`.
pub fn value_of_comment(comment: &str) -> Option<i32> {
    let (text, is_server_form) = match comment.strip_prefix('*') {
        Some(text) => (text, true),
        None => (comment, false),
    };
    let text = text.strip_prefix("評価値=").unwrap_or(text);
    let mut words = text.split_whitespace();
    let value: f64 = words.next()?.parse().ok()?;
    // A person may begin a comment with a number, too. Then the words after it are no moves.
    let is_value = value.is_finite() && (is_server_form || words.all(is_part_of_line));
    // Out of range, the cast takes the end of the range.
    is_value.then_some(value.round() as i32)
}

/// Whether a word may stand in a line behind a value: a move or its like, or a number of nodes.
fn is_part_of_line(word: &str) -> bool {
    let is_move = |rest: &str| rest.len() == 6 && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match word.as_bytes() {
        [b'+' | b'-', ..] => is_move(&word[1..]),
        [b'%' | b'#', _, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_the_value_and_the_line_up_to_an_illegal_move() {
        let mut position = Position::start();
        let line = ["7g7f", "3c3d", "8h2b+"].map(|mv| mv.parse().unwrap());
        let comment = value_comment(&position, 123, &line);
        assert_eq!(comment, "* 123 +7776FU -3334FU +8822UM");
        assert_eq!(value_of_comment(&comment), Some(123));
        position.play(line[0], &mut ());
        assert_eq!(value_comment(&position, -123, &line[1..2]), "* -123 -3334FU");
        assert_eq!(value_comment(&position, 0, &line), "* 0", "Black's move is not legal here");
    }

    #[test]
    fn values_are_read_as_floodgate_writes_them() {
        for (comment, expected) in [
            ("* 30 -3334FU +2726FU", Some(30)),
            ("* -30000", Some(-30_000)),
            ("* 12.5 +7776FU", Some(13)),
            ("*30", Some(30)),
            (" 123 +7776FU -3334FU", Some(123)),
            (" +123", Some(123)),
            (" 123 +7776FU %TORYO #4500", Some(123)),
            ("* 99999999999", Some(i32::MAX)),
            ("*評価値=-71", Some(-71)),
            ("*深さ=9", None),
            (" 5 moves to mate", None),
            (" 123 +7776F", None),
            (" 123 +777666歩", None),
            ("* inf", None),
            ("*", None),
            ("", None),
            (" a joseki move", None),
        ] {
            assert_eq!(value_of_comment(comment), expected, "{comment:?}");
        }
    }
}
