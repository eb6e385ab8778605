//! Text that comes from outside: byte order marks, and excerpts for messages.

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
    let clean = |c: char| if c.is_control() { '\u{FFFD}' } else { c };
    let mut excerpt: String = text.chars().take(LONGEST).map(clean).collect();
    if text.chars().nth(LONGEST).is_some() {
        excerpt.push('…');
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_control_characters_are_replaced() {
        assert_eq!(excerpt(" 7g7f\n"), "7g7f");
        assert_eq!(excerpt("a\x1b[2J\0b"), "a\u{FFFD}[2J\u{FFFD}b");
        assert_eq!(excerpt(&"歩".repeat(60)), "歩".repeat(60));
        assert_eq!(excerpt(&"歩".repeat(61)), format!("{}…", "歩".repeat(60)));
    }
}
