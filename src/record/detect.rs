//! Detecting the format of a text.

use super::format::Format;
use super::{game_reader, japanese};

/// The format of the first line that only one format has; `None` if there is no such line.
pub(super) fn format(text: &str) -> Option<Format> {
    let mut is_kakinoki = false;
    for (_, line) in game_reader::numbered_lines(text) {
        if let Some(format) = of_line(line)
            && (!is_kakinoki || matches!(format, Format::Kif | Format::Ki2))
        {
            return Some(format);
        }
        // Only KIF and KI2 have such headers. The moves decide between the two.
        is_kakinoki |= ["手合割", "# ---", "#KIF", "開始日時"].iter().any(|start| line.starts_with(start));
    }
    // Headers without moves: the readers of both formats accept them.
    let has_headers = || text.contains('：') || text.contains("\nまで") || text.starts_with("まで");
    (is_kakinoki || has_headers()).then_some(Format::Kif)
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
        // The digits above a diagram are no move number.
        let is_ruler = text.starts_with("9 8 7 6");
        let is_move = words.chars().take(3).any(|c| !c.is_ascii());
        return (is_move && !is_ruler).then_some(Format::Kif);
    }
    let game = line.split_once('\t').map_or(line, |(_, game)| game);
    let first = game.split_ascii_whitespace().next();
    matches!(first, Some("startpos" | "sfen" | "position")).then_some(Format::Usi)
}

/// Whether only CSA has such a line.
fn is_csa(line: &str) -> bool {
    match line.as_bytes() {
        [b'V', b'1'..=b'9', ..] | [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-' | b'1'..=b'9', ..] => {
            true
        }
        [b'\'' | b'$', ..] | [b'+' | b'-'] | [b'%', b'A'..=b'Z', ..] => true,
        [b'+' | b'-', digits @ ..] => digits.len() >= 6 && digits[..4].iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_detected_by_their_lines() {
        for (text, expected) in [
            ("V2.2\nN+a\n", Some(Format::Csa)),
            ("'CSA encoding=UTF-8\n", Some(Format::Csa)),
            ("+7776FU\n", Some(Format::Csa)),
            ("手合割：平手\n+7776FU：odd\n1 ７六歩(77)\n", Some(Format::Kif)),
            ("   1 7六歩(77)\n", Some(Format::Kif)),
            ("先手：a\n手数----指手---------消費時間--\n", Some(Format::Kif)),
            ("9 8 7 6 5 4 3 2 1\n▲７六歩\n", Some(Format::Ki2)),
            ("先手：a\n☗７六歩\n", Some(Format::Ki2)),
            ("手合割：平手\n", Some(Format::Kif)),
            ("position startpos moves 7g7f\n", Some(Format::Usi)),
            ("b\tstartpos moves 7g7f\n", Some(Format::Usi)),
            ("# games\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n", Some(Format::Usi)),
            ("", None),
            ("once upon a time\n", None),
        ] {
            assert_eq!(format(text), expected, "{text}");
        }
    }
}
