//! The tables of options in docs/guide, English and Japanese, have a row for every option, in the order of the option
//! table, with its type, default and range. The English one has its help as well.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use jitsugen::usi::option::UsiOption;
use jitsugen::usi::options::OPTIONS;

/// How a language writes what an option declares.
struct Words {
    head: &'static str,
    empty: &'static str,
    default: &'static str,
    cores: &'static str,
    min: &'static str,
    max: &'static str,
    first_choice: &'static str,
    next_choice: &'static str,
}

const ENGLISH: Words = Words {
    head: "| option | type, default, range | what it does |\n|---|---|---|\n",
    empty: ", empty by default",
    default: ", default ",
    cores: ", default as many as there are cores",
    min: ", from ",
    max: " to ",
    first_choice: ", one of ",
    next_choice: ", ",
};

const JAPANESE: Words = Words {
    head: "| オプション | 型、既定値、範囲 | 説明 |\n|---|---|---|\n",
    empty: "、既定値は空",
    default: "、既定値",
    cores: "、既定値はCPUのコア数",
    min: "、",
    max: "～",
    first_choice: "、選択肢は",
    next_choice: "、",
};

impl Words {
    /// The type, default and range of an option.
    fn kind(&self, option: &UsiOption) -> String {
        let declared = option.to_string();
        let kind = declared.split_once(" type ").expect("an option has a type").1;
        let mut kind = kind
            .replace(" default <empty>", self.empty)
            .replace(" default ", self.default)
            .replace(" min ", self.min)
            .replace(" max ", self.max)
            .replacen(" var ", self.first_choice, 1)
            .replace(" var ", self.next_choice);
        if option.name == "Threads" {
            // Other machines have other numbers.
            kind = kind.replace(&format!("{}{}", self.default, num_cpus::get()), self.cores);
        }
        kind
    }
}

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).replace("\r\n", "\n")
}

#[test]
fn docs_describe_every_option() {
    let mut rows = String::from(ENGLISH.head);
    for option in OPTIONS {
        writeln!(rows, "| `{}` | {} | {} |", option.name, ENGLISH.kind(option), option.help)
            .expect("a string takes it");
    }
    let text = text("docs/guide/options.md");
    assert!(text.contains(&rows), "docs/guide/options.md should have these rows:\n{rows}");
}

#[test]
fn options_are_the_same_in_both_languages() {
    let text = text("docs/guide/ja/options.md");
    let (_, table) = text.split_once(JAPANESE.head).expect("docs/guide/ja/options.md has the table");
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    for (nth, option) in OPTIONS.iter().enumerate() {
        let begin = format!("| `{}` | {} | ", option.name, JAPANESE.kind(option));
        let help = rows.get(nth).and_then(|row| row.strip_prefix(&begin)?.strip_suffix(" |"));
        let help = help.unwrap_or_else(|| {
            panic!(
                "docs/guide/ja/options.md: row {} should begin with {begin}; it is {:?}",
                nth + 1,
                rows.get(nth)
            )
        });
        let is_japanese = help.contains(|c| ('ぁ'..='ん').contains(&c));
        assert!(is_japanese, "docs/guide/ja/options.md: {} has no explanation in Japanese", option.name);
    }
    assert_eq!(rows.len(), OPTIONS.len(), "docs/guide/ja/options.md has rows of options that are not there");
}
