//! The formats of game records.

use std::path::Path;
use std::str::FromStr;

use crate::util::text::excerpt;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// CSA 2.2. Reading takes either version.
    Csa,
    /// CSA 3: it names its encoding and has fractions of a second.
    Csa3,
    /// KIF: one numbered move a line, with its origin.
    Kif,
    /// KI2: moves in words, as people write them.
    Ki2,
    /// One game a line: `startpos moves 7g7f ...`. The result (`b`, `w`, `d`, `?`) and a tab may stand before it.
    Usi,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Csa, Format::Csa3, Format::Kif, Format::Ki2, Format::Usi];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csa => "csa",
            Format::Csa3 => "csa3",
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Usi => "usi",
        }
    }

    /// Whether it holds variations.
    pub const fn has_variations(self) -> bool {
        matches!(self, Format::Kif | Format::Ki2)
    }

    /// The format that the extension of a file name stands for.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "csa" => Format::Csa,
            "kif" | "kifu" | "bod" => Format::Kif,
            "ki2" | "ki2u" => Format::Ki2,
            "usi" | "sfen" => Format::Usi,
            _ => return None,
        })
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let found = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownFormat(excerpt(text)))
    }
}

/// No format has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(String);

impl std::fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "record format '{}': expected csa, csa3, kif, ki2 or usi", self.0)
    }
}

impl std::error::Error for UnknownFormat {}
