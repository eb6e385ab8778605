//! The formats of game records.

use std::path::Path;
use std::str::FromStr;

use crate::util::text::excerpt;

/// A notation of whole games.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// CSA 2.2. Reading takes either version.
    Csa,
    /// CSA 3, which names its encoding and has times with a fraction.
    Csa3,
    /// KIF: a numbered move on each line, with the square it comes from.
    Kif,
    /// KI2: moves as people write them.
    Ki2,
    /// One game a line: `startpos moves 7g7f ...`, after the result (`b`, `w`, `d`, `?`) and a tab where there is one.
    Usi,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 5] = [Format::Csa, Format::Csa3, Format::Kif, Format::Ki2, Format::Usi];

    /// The name by which the command line knows it.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csa => "csa",
            Format::Csa3 => "csa3",
            Format::Kif => "kif",
            Format::Ki2 => "ki2",
            Format::Usi => "usi",
        }
    }

    /// Whether it can say what else might have been played.
    pub const fn has_variations(self) -> bool {
        matches!(self, Format::Kif | Format::Ki2)
    }

    /// The format that a file of this name should have.
    pub fn of_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "csa" => Format::Csa,
            "kif" | "kifu" => Format::Kif,
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
