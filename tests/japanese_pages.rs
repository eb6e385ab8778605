//! README and guide are in English and in Japanese, and say the same as far as a program can tell. tests/options.rs
//! compares the tables of options.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A page in both languages.
struct Page {
    /// The path of the English one in the repository.
    name: String,
    english: String,
    japanese: String,
}

impl Page {
    /// All pages that have to be there.
    fn all() -> Vec<Page> {
        let mut pages = vec![Page {
            name: "README.md".into(),
            english: text("README.md"),
            japanese: text("README.ja.md"),
        }];
        pages.extend(names("docs/guide").into_iter().map(|name| Page {
            english: text(&format!("docs/guide/{name}")),
            japanese: text(&format!("docs/guide/ja/{name}")),
            name: format!("docs/guide/{name}"),
        }));
        pages
    }

    /// Asserts that `part` of both is the same. It has what is compared in its order.
    fn same(&self, what: &str, part: impl Fn(&str) -> Vec<String>) {
        let (english, japanese) = (part(&self.english), part(&self.japanese));
        for (one, other) in english.iter().zip(&japanese) {
            assert_eq!(one, other, "{}: {what} in English and in Japanese", self.name);
        }
        let (count, other) = (english.len(), japanese.len());
        assert_eq!(count, other, "{}: how many {what} in English and in Japanese", self.name);
    }
}

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())).replace("\r\n", "\n")
}

/// The names of the Markdown files of a folder.
fn names(folder: &str) -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let names = files.map(|file| file.expect("a folder can be read").file_name().into_string());
    names.filter_map(|name| name.ok().filter(|name| name.ends_with(".md"))).collect()
}

/// The blocks of code: lines that begin with four spaces, the first one after an empty line.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let (mut after_empty, mut inside) = (true, false);
    for line in text.lines() {
        let indented = line.starts_with("    ");
        if indented && inside {
            let block = blocks.last_mut().expect("a line is inside a block");
            block.push('\n');
            block.push_str(line);
        } else if indented && after_empty {
            blocks.push(line.to_string());
            inside = true;
        } else {
            inside = inside && line.is_empty();
        }
        after_empty = line.is_empty();
    }
    blocks
}

/// The blocks, without remarks: words in the language of the page that stand far behind what is typed. What a program
/// writes is whole.
fn examples(text: &str) -> Vec<String> {
    let without_remark = |line: &str| {
        let begin = line.len() - line.trim_start().len();
        let end = line[begin..].find("      ").map_or(line.len(), |at| begin + at);
        line[..end].to_string()
    };
    let example = |block: String| {
        if block.trim_start().starts_with('$') {
            return block;
        }
        block.lines().map(without_remark).collect::<Vec<_>>().join("\n")
    };
    blocks(text).into_iter().map(example).collect()
}

/// The text without its blocks of code.
fn prose(text: &str) -> String {
    blocks(text).into_iter().fold(text.to_string(), |text, block| text.replacen(&block, "", 1))
}

/// With one blank in place of several, and of the ends of lines.
fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands between backquotes.
fn code(text: &str) -> BTreeSet<String> {
    in_one_line(&prose(text)).split('`').skip(1).step_by(2).map(str::to_string).collect()
}

fn heading_levels(text: &str) -> Vec<String> {
    let marks = |line: &str| line.chars().take_while(|&c| c == '#').collect::<String>();
    prose(text).lines().map(marks).filter(|marks| !marks.is_empty()).collect()
}

/// The cells of tables that are figures alone.
fn figures(text: &str) -> Vec<String> {
    let is_figure = |cell: &&str| {
        cell.contains(|c: char| c.is_ascii_digit()) && cell.chars().all(|c| "0123456789.,%- ".contains(c))
    };
    let rows = text.lines().filter(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('|').map(str::trim).filter(is_figure)).map(str::to_string).collect()
}

#[test]
fn pages_are_there_in_both_languages() {
    assert_eq!(
        names("docs/guide"),
        names("docs/guide/ja"),
        "the pages of the guide in English and in Japanese"
    );
}

#[test]
fn first_lines_lead_to_the_other_language_in_both_languages() {
    for page in Page::all() {
        let file = page.name.strip_prefix("docs/guide/");
        let to_japanese = file.map_or("README.ja.md".into(), |file| format!("ja/{file}"));
        let to_english = file.map_or("README.md".into(), |file| format!("../{file}"));
        for (text, link) in [
            (&page.english, format!("[日本語]({to_japanese})")),
            (&page.japanese, format!("[English]({to_english})")),
        ] {
            assert!(text.lines().take(3).any(|line| line == link), "{}: line 3 should be {link}", page.name);
        }
    }
}

#[test]
fn sections_are_the_same_in_both_languages() {
    for page in Page::all() {
        page.same("levels of headings", heading_levels);
    }
}

#[test]
fn examples_are_the_same_in_both_languages() {
    for page in Page::all() {
        page.same("examples", examples);
    }
}

#[test]
fn figures_in_tables_are_the_same_in_both_languages() {
    for page in Page::all() {
        page.same("figures", figures);
    }
}

#[test]
fn what_stands_in_code_is_mentioned_in_both_languages() {
    for page in Page::all() {
        for (of, other, language) in
            [(&page.english, &page.japanese, "Japanese"), (&page.japanese, &page.english, "English")]
        {
            let other = in_one_line(other);
            let missing: Vec<String> = code(of).into_iter().filter(|code| !other.contains(code)).collect();
            assert!(missing.is_empty(), "{}: the {language} page does not mention {missing:?}", page.name);
        }
    }
}

#[test]
fn links_are_the_same_in_both_languages() {
    // What the Japanese folder has is linked there, everything else where the English page links it.
    // docs/check_links.py follows the links.
    let targets = |text: &str| -> BTreeSet<String> {
        let text = prose(text);
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        links.map(|(link, _)| link.split_once('#').map_or(link, |(file, _)| file).to_string()).collect()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in Page::all() {
        let in_japanese = |link: &String| match (page.name.strip_prefix("docs/guide/"), link.as_str()) {
            (_, web) if web.contains("://") => web.to_string(),
            (None, "README.ja.md") => "README.md".into(),
            (None, link) => link.replacen("docs/guide/", "docs/guide/ja/", 1),
            (Some(_), "") => String::new(),
            (Some(name), link) if link.strip_prefix("ja/") == Some(name) => format!("../{name}"),
            (Some(_), link) if root.join("docs/guide/ja").join(link).exists() => link.into(),
            (Some(_), link) => format!("../{link}"),
        };
        let expected: BTreeSet<String> = targets(&page.english).iter().map(in_japanese).collect();
        assert_eq!(expected, targets(&page.japanese), "{}: expected and found Japanese links", page.name);
    }
}
