//! Text that comes from outside: byte order marks, and excerpts for messages.

use std::time::Duration;

/// UTF-8's byte order mark, which some editors write at the beginning of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The bytes after the byte order mark; `None` if they do not begin with one.
pub fn strip_bom(bytes: &[u8]) -> Option<&[u8]> {
    bytes.strip_prefix(BYTE_ORDER_MARK)
}

/// The longest excerpt, in characters.
const LONGEST: usize = 60;

/// Bad input as a message quotes it: without spaces around it, cut to a readable length, control characters replaced.
pub fn excerpt(text: &str) -> String {
    let text = text.trim();
    let mut excerpt: String = text.chars().take(LONGEST).map(visible).collect();
    if text.chars().nth(LONGEST).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// Text from outside as a log has it: whole, in one line, control characters replaced.
pub fn printable(text: &str) -> String {
    text.chars().map(visible).collect()
}

fn visible(c: char) -> char {
    if c.is_control() { '\u{FFFD}' } else { c }
}

/// How many a second, to three digits: the rest differs from run to run.
pub fn rate(count: u64, time: Duration) -> u64 {
    let exact = (count as f64 / time.as_secs_f64().max(1e-9)) as u64;
    let unit = 10u64.pow(exact.checked_ilog10().unwrap_or(0).saturating_sub(2));
    exact.saturating_add(unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        for (count, rounded) in
            [(0, 0), (7, 7), (999, 999), (1_234, 1_230), (1_235, 1_240), (987_654, 988_000)]
        {
            assert_eq!(rate(count, Duration::from_secs(1)), rounded);
        }
        assert_eq!(rate(5, Duration::ZERO), 5_000_000_000);
    }

    #[test]
    fn long_text_is_cut_and_control_characters_are_replaced() {
        assert_eq!(excerpt(" 7g7f\n"), "7g7f");
        assert_eq!(excerpt("a\x1b[2J\0b"), "a\u{FFFD}[2J\u{FFFD}b");
        assert_eq!(printable(" a\x1b[2J\n"), " a\u{FFFD}[2J\u{FFFD}");
        assert_eq!(printable(&"歩".repeat(61)), "歩".repeat(61));
        assert_eq!(excerpt(&"歩".repeat(60)), "歩".repeat(60));
        assert_eq!(excerpt(&"歩".repeat(61)), format!("{}…", "歩".repeat(60)));
    }
}
