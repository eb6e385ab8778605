//! Whole files from bytes to text and back.

use std::borrow::Cow;

use encoding_rs::SHIFT_JIS;

use super::encoding::Encoding;
use super::error::{Problem, ReadError, WriteError};
use crate::util::text::strip_bom;

/// The bytes of `text`, whose lines end with a line feed.
pub(super) fn encode(text: &str, encoding: Encoding) -> Result<Vec<u8>, WriteError> {
    match encoding {
        Encoding::Utf8 => Ok(text.as_bytes().to_vec()),
        Encoding::ShiftJis => {
            let text = text.replace('\n', "\r\n");
            let (bytes, _, unmappable) = SHIFT_JIS.encode(&text);
            // The encoder also turns a few characters into others, the yen sign into the backslash. A character that
            // does not read back is reported like one without a code.
            if unmappable || SHIFT_JIS.decode_without_bom_handling(&bytes).0 != text {
                return Err(first_unmappable(&text, encoding));
            }
            Ok(bytes.into_owned())
        }
    }
}

fn first_unmappable(text: &str, encoding: Encoding) -> WriteError {
    let mut line = 1;
    for character in text.chars() {
        let mut buffer = [0; 4];
        let single: &str = character.encode_utf8(&mut buffer);
        let (bytes, _, unmappable) = SHIFT_JIS.encode(single);
        if unmappable || SHIFT_JIS.decode_without_bom_handling(&bytes).0 != single {
            return WriteError::Unmappable { character, line, encoding };
        }
        line += usize::from(character == '\n');
    }
    // Unreachable: if each character reads back alone, all of them do together.
    WriteError::Unmappable { character: char::REPLACEMENT_CHARACTER, line, encoding }
}

/// The first line of a CSA 3 file and, in practice, of some KIF files (`#KIF version=2.0 encoding=UTF-8`).
const DECLARATIONS: [&[u8]; 2] = [b"'CSA encoding=", b"#KIF version=2.0 encoding="];

/// The text of a file, and its encoding: the one that the file names, else UTF-8 if the bytes are valid, else Shift_JIS.
pub(super) fn decode(bytes: &[u8]) -> Result<(Cow<'_, str>, Encoding), ReadError> {
    if let Some(rest) = strip_bom(bytes) {
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
        .map_err(|error| decoding_error(Some(Encoding::Utf8), &bytes[..error.valid_up_to()]))
}

fn shift_jis(bytes: &[u8], named: Option<Encoding>) -> Result<Cow<'_, str>, ReadError> {
    SHIFT_JIS.decode_without_bom_handling_and_without_replacement(bytes).ok_or_else(|| {
        // A line feed is never part of a longer character, so the lines can be tried one by one.
        let bad = |line: &[u8]| SHIFT_JIS.decode_without_bom_handling_and_without_replacement(line).is_none();
        let before = bytes.split_inclusive(|&b| b == b'\n').take_while(|line| !bad(line));
        decoding_error(named, &bytes[..before.map(<[u8]>::len).sum()])
    })
}

fn decoding_error(encoding: Option<Encoding>, before: &[u8]) -> ReadError {
    let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
    ReadError { line, problem: Problem::Encoding(encoding) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_recognised() {
        let sjis = encode("先手：羽生\n", Encoding::ShiftJis).unwrap();
        assert_eq!(decode(&sjis).unwrap(), ("先手：羽生\r\n".into(), Encoding::ShiftJis));
        assert_eq!(decode("先手：羽生".as_bytes()).unwrap(), ("先手：羽生".into(), Encoding::Utf8));
        assert_eq!(decode(b"\xEF\xBB\xBFa").unwrap(), ("a".into(), Encoding::Utf8));
    }

    #[test]
    fn errors_name_the_line_of_bad_bytes() {
        let line = |bytes: &[u8]| decode(bytes).unwrap_err().line;
        assert_eq!(line(b"a\nb\n\x81\n"), 3);
        assert_eq!(line(b"'CSA encoding=UTF-8\nV3.0\nN+\x90\xe6\n"), 3);
        assert_eq!(line(b"'CSA encoding=EUC-JP\n"), 1);
    }

    #[test]
    fn characters_that_shift_jis_lacks_are_reported() {
        let error = encode("先手\n後手☗\n", Encoding::ShiftJis).unwrap_err();
        assert_eq!(error, WriteError::Unmappable { character: '☗', line: 2, encoding: Encoding::ShiftJis });
        // The yen sign and the overline would come back as other characters.
        assert!(encode("¥", Encoding::ShiftJis).is_err());
        assert!(encode("‾", Encoding::ShiftJis).is_err());
    }
}
