//! Bytes to text and back.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::SHIFT_JIS;

use super::error::{Problem, ReadError, WriteError};
use crate::util::text::excerpt;

/// How characters are stored in a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// UTF-8 without a byte order mark; one is skipped when reading.
    #[default]
    Utf8,
    /// Shift_JIS as Windows has it (code page 932).
    ShiftJis,
}

impl Encoding {
    /// The bytes of `text`, whose lines end with a line feed.
    pub(super) fn encode(self, text: &str) -> Result<Vec<u8>, WriteError> {
        match self {
            Encoding::Utf8 => Ok(text.as_bytes().to_vec()),
            Encoding::ShiftJis => {
                let text = text.replace('\n', "\r\n");
                let (bytes, _, unmappable) = SHIFT_JIS.encode(&text);
                // The encoder also folds a few characters into others, the yen sign into the backslash: what does
                // not read back is reported like what has no code.
                if unmappable || SHIFT_JIS.decode_without_bom_handling(&bytes).0 != text {
                    return Err(self.first_unmappable(&text));
                }
                Ok(bytes.into_owned())
            }
        }
    }

    fn first_unmappable(self, text: &str) -> WriteError {
        let mut line = 1;
        for character in text.chars() {
            let mut buffer = [0; 4];
            let single: &str = character.encode_utf8(&mut buffer);
            let (bytes, _, unmappable) = SHIFT_JIS.encode(single);
            if unmappable || SHIFT_JIS.decode_without_bom_handling(&bytes).0 != single {
                return WriteError::Unmappable { character, line, encoding: self };
            }
            line += usize::from(character == '\n');
        }
        // Each character reads back alone, so all of them do together; this is for completeness.
        WriteError::Unmappable { character: char::REPLACEMENT_CHARACTER, line, encoding: self }
    }
}

/// The text of a line that somebody wrote in UTF-8 or Shift_JIS; what is neither has marks in place of characters.
pub fn legible(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => SHIFT_JIS.decode_without_bom_handling(bytes).0,
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::ShiftJis => "Shift_JIS",
        })
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(text: &str) -> Result<Encoding, UnknownEncoding> {
        match text.trim().to_ascii_lowercase().as_str() {
            "utf-8" | "utf8" => Ok(Encoding::Utf8),
            "shift_jis" | "shift-jis" | "shiftjis" | "sjis" | "cp932" | "windows-31j" => {
                Ok(Encoding::ShiftJis)
            }
            _ => Err(UnknownEncoding(excerpt(text))),
        }
    }
}

/// No encoding that we write has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "encoding '{}': expected utf-8 or shift_jis", self.0)
    }
}

impl std::error::Error for UnknownEncoding {}

pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
/// The first line of a CSA 3 file and, in practice, of some KIF files (`#KIF version=2.0 encoding=UTF-8`).
const DECLARATIONS: [&[u8]; 2] = [b"'CSA encoding=", b"#KIF version=2.0 encoding="];

/// The text of a file, and how it was stored: as the file itself says, else UTF-8 where that fits, else Shift_JIS.
pub(super) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), ReadError> {
    if let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK) {
        return utf8(rest).map(|text| (text, Encoding::Utf8));
    }
    match declared(bytes)? {
        Some(Encoding::Utf8) => utf8(bytes).map(|text| (text, Encoding::Utf8)),
        Some(Encoding::ShiftJis) => {
            shift_jis(bytes, Some(Encoding::ShiftJis)).map(|text| (text, Encoding::ShiftJis))
        }
        None => match std::str::from_utf8(bytes) {
            Ok(text) => Ok((Cow::Borrowed(text), Encoding::Utf8)),
            Err(_) => shift_jis(bytes, None).map(|text| (text, Encoding::ShiftJis)),
        },
    }
}

fn declared(bytes: &[u8]) -> Result<Option<Encoding>, ReadError> {
    let Some(rest) = DECLARATIONS.iter().find_map(|prefix| bytes.strip_prefix(*prefix)) else {
        return Ok(None);
    };
    let name: Vec<u8> = rest.iter().copied().take_while(|&b| b != b'\n' && b != b'\r').take(80).collect();
    let name = String::from_utf8_lossy(&name);
    match name.parse() {
        Ok(encoding) => Ok(Some(encoding)),
        Err(_) => Err(ReadError::unexpected(1, &name, "the encoding UTF-8 or SHIFT_JIS")),
    }
}

fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, ReadError> {
    std::str::from_utf8(bytes)
        .map(Cow::Borrowed)
        .map_err(|error| not_in(Some(Encoding::Utf8), &bytes[..error.valid_up_to()]))
}

fn shift_jis(bytes: &[u8], named: Option<Encoding>) -> Result<Cow<'_, str>, ReadError> {
    SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes).ok_or_else(|| {
        // No line break is part of a longer character, so the lines can be tried one by one.
        let bad = |line: &[u8]| SHIFT_JIS.decode_without_bom_handling_and_without_replacement(line).is_none();
        let before = bytes.split_inclusive(|&b| b == b'\n').take_while(|line| !bad(line));
        not_in(named, &bytes[..before.map(<[u8]>::len).sum()])
    })
}

fn not_in(encoding: Option<Encoding>, before: &[u8]) -> ReadError {
    let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
    ReadError { line, problem: Problem::Encoding(encoding) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_encodings_apart() {
        let sjis = Encoding::ShiftJis.encode("先手：羽生\n").unwrap();
        assert_eq!(decode(&sjis).unwrap(), ("先手：羽生\r\n".into(), Encoding::ShiftJis));
        assert_eq!(decode("先手：羽生".as_bytes()).unwrap(), ("先手：羽生".into(), Encoding::Utf8));
        assert_eq!(decode(b"\xEF\xBB\xBFa").unwrap(), ("a".into(), Encoding::Utf8));
    }

    #[test]
    fn names_the_line_of_bad_bytes() {
        let line = |bytes: &[u8]| decode(bytes).unwrap_err().line;
        assert_eq!(line(b"a\nb\n\x81\n"), 3);
        assert_eq!(line(b"'CSA encoding=UTF-8\nV3.0\nN+\x90\xe6\n"), 3);
        assert_eq!(line(b"'CSA encoding=EUC-JP\n"), 1);
    }

    #[test]
    fn reports_what_shift_jis_lacks() {
        let error = Encoding::ShiftJis.encode("先手\n後手☗\n").unwrap_err();
        assert_eq!(error, WriteError::Unmappable { character: '☗', line: 2, encoding: Encoding::ShiftJis });
        // The yen sign and the overline would come back as other characters.
        assert!(Encoding::ShiftJis.encode("¥").is_err());
        assert!(Encoding::ShiftJis.encode("‾").is_err());
    }
}
