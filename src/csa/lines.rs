//! Lines out of the bytes that come in.

use crate::record::encoding;

/// Longer lines are left out: the longest of the protocol has a hundred bytes, with a comment a few hundred.
pub const LONGEST: usize = 1 << 14;

/// Collects bytes and gives whole lines.
#[derive(Default, Debug)]
pub struct LineSplitter {
    /// The beginning of a line.
    begun: Vec<u8>,
    /// Whether the line is too long already.
    is_too_long: bool,
}

/// What has come in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// A line, without its end.
    Whole(String),
    /// A line that was too long to be one. It is left out.
    TooLong,
}

impl LineSplitter {
    /// Takes bytes as they come, and gives the lines that they complete.
    pub fn add(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ends) = part.strip_suffix(b"\n").map_or((part, false), |text| (text, true));
            if self.begun.len() + text.len() > LONGEST {
                self.is_too_long = true;
                self.begun.clear();
            } else if !self.is_too_long {
                self.begun.extend_from_slice(text);
            }
            if ends {
                lines.push(if std::mem::take(&mut self.is_too_long) {
                    Line::TooLong
                } else {
                    Line::Whole(text_of(&std::mem::take(&mut self.begun)))
                });
            }
        }
        lines
    }

    /// What there is of a line that was not completed; `None` where none has begun.
    pub fn rest(self) -> Option<String> {
        (!self.begun.is_empty()).then(|| text_of(&self.begun))
    }
}

/// The protocol is ASCII. What is not must not end a game.
fn text_of(bytes: &[u8]) -> String {
    let text = encoding::decode_lossy(bytes);
    text.trim_end_matches('\r').to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.to_string())
    }

    #[test]
    fn lines_come_whole_however_the_bytes_come() {
        let mut splitter = LineSplitter::default();
        assert!(splitter.add(b"+77").is_empty());
        assert_eq!(splitter.add(b"76FU,T1\r\n\n#W"), [whole("+7776FU,T1"), whole("")]);
        assert_eq!(splitter.rest().as_deref(), Some("#W"));
        assert_eq!(LineSplitter::default().rest(), None);
        assert!(matches!(&LineSplitter::default().add(b"\xFF\xFE\xFD\n")[..], [Line::Whole(_)]));
    }

    #[test]
    fn a_line_without_end_takes_no_memory() {
        let mut splitter = LineSplitter::default();
        for _ in 0..100 {
            assert!(splitter.add(&[b'x'; 1_000]).is_empty());
            assert!(splitter.begun.len() <= LONGEST);
        }
        assert_eq!(splitter.add(b"\n#WIN\n"), [Line::TooLong, whole("#WIN")]);
    }

    proptest! {
        #[test]
        fn the_cuts_between_pieces_do_not_matter(
            text in prop::collection::vec(prop::sample::select(b"ab\r\n+%".to_vec()), 0..200),
            cuts in prop::collection::vec(0usize..200, 0..10),
        ) {
            let mut at_once = LineSplitter::default();
            let expected = at_once.add(&text);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            let (mut splitter, mut found, mut from) = (LineSplitter::default(), Vec::new(), 0);
            for cut in cuts.into_iter().chain([text.len()]) {
                found.extend(splitter.add(&text[from..cut]));
                from = cut;
            }
            prop_assert_eq!(found, expected);
            prop_assert_eq!(splitter.rest(), at_once.rest());
        }
    }
}
