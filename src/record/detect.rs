//! Which format a text has.

use super::{Format, japanese, lines};

/// The format that the first telling line has; `None` where no line tells.
pub(super) fn format(text: &str) -> Option<Format> {
    let mut is_kakinoki = false;
    for (_, line) in lines::numbered(text) {
        if let Some(format) = of_line(line) {
            return Some(format);
        }
        is_kakinoki = is_kakinoki || line.contains('：') || line.starts_with("まで");
    }
    // Headers and no moves: both can read it.
    is_kakinoki.then_some(Format::Kif)
}

fn of_line(line: &str) -> Option<Format> {
    let text = japanese::skip_blanks(line);
    if is_csa(line) {
        return Some(Format::Csa);
    }
    if line.starts_with("手数--") {
        return Some(Format::Kif);
    }
    if japanese::side_mark(text).is_some() {
        return Some(Format::Ki2);
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        let words = japanese::skip_blanks(text.trim_start_matches(|c: char| c.is_ascii_digit()));
        // The digits above a diagram are no moves.
        let is_ruler = text.starts_with("9 8 7 6");
        return (!is_ruler && words.chars().next().is_some_and(|c| !c.is_ascii_punctuation()))
            .then_some(Format::Kif);
    }
    let game = line.split_once('\t').map_or(line, |(_, game)| game);
    let first = game.split_ascii_whitespace().next();
    matches!(first, Some("startpos" | "sfen" | "position")).then_some(Format::Usi)
}

/// Whether a line can only be CSA's.
fn is_csa(line: &str) -> bool {
    let bytes = line.as_bytes();
    match bytes {
        [b'V', b'1'..=b'9', ..] | [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-' | b'1'..=b'9', ..] => {
            true
        }
        [b'\'' | b'$', ..] | [b'+' | b'-'] | [b'%', b'A'..=b'Z', ..] => true,
        [b'+' | b'-', digits @ ..] => digits.len() >= 6 && digits[..4].iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
