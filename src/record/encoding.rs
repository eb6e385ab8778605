//! The encodings of text files.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use encoding_rs::SHIFT_JIS;

use crate::util::text::{excerpt, strip_bom};

/// The encoding of a text file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Encoding {
    /// UTF-8. It is written without a byte order mark; one is skipped when reading.
    #[default]
    Utf8,
    /// Windows' Shift_JIS (code page 932).
    ShiftJis,
}

/// Text that is in UTF-8 or Shift_JIS, without a byte order mark. Bytes that are neither become replacement characters.
pub fn decode_lossy(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = strip_bom(bytes).unwrap_or(bytes);
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

/// The name is of no known encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEncoding(String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "encoding '{}': expected utf-8 or shift_jis", self.0)
    }
}

impl std::error::Error for UnknownEncoding {}
