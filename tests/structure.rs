//! The structure of src: no two files import each other, even in a longer circle, and folders import only what is below.
//!
//! A file imports another where it names a path into it: in `use`, also `pub use`, or in an expression or a type. A path
//! leads to the file of the last module that it names. `mod child;` is no import, and tests do not count.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;

/// The folders and files below src from the top to the bottom. Those of one row do not import each other.
const LAYERS: [&[&str]; 14] = [
    &["main"],
    &["cli"],
    &["usi", "csa"],
    &["analyse", "learn", "bench"],
    &["engine"],
    &["book"],
    &["search"],
    &["policy"],
    &["mate"],
    &["exchange"],
    &["eval"],
    &["record"],
    &["shogi"],
    &["util"],
];

/// The names of a module from its crate's root, which is `main` or `lib`.
type Module = Vec<String>;

/// The files, and which of them each file imports.
struct Structure {
    imports: BTreeMap<String, BTreeSet<String>>,
}

impl Structure {
    /// Reads the files, by their paths below src.
    fn new(sources: &BTreeMap<String, String>) -> Structure {
        let mut tree = ModuleTree::default();
        for root in ["lib", "main"] {
            tree.add(sources, &format!("{root}.rs"), vec![root.to_string()]);
        }
        let mut imports = BTreeMap::new();
        for (file, module) in &tree.files {
            let found = tree.paths(&sources[file], module);
            imports.insert(file.clone(), found.into_iter().filter(|other| other != file).collect());
        }
        Structure { imports }
    }

    /// The shortest circle through each file, each circle once.
    fn circles(&self) -> BTreeSet<Vec<String>> {
        self.imports.keys().filter_map(|file| self.circle(file)).collect()
    }

    /// The shortest way from `start` back to itself, beginning with the least of its files.
    fn circle(&self, start: &str) -> Option<Vec<String>> {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(file) = queue.pop_front() {
            for next in &self.imports[file] {
                if next == start {
                    let mut circle = vec![file.to_string()];
                    let mut at = file;
                    while at != start {
                        at = before[at];
                        circle.push(at.to_string());
                    }
                    circle.reverse();
                    let least = (0..circle.len()).min_by_key(|&place| &circle[place]).unwrap_or(0);
                    circle.rotate_left(least);
                    return Some(circle);
                }
                if !before.contains_key(next.as_str()) {
                    before.insert(next, file);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// The imports that do not lead downwards, and the files that have no layer.
    fn wrong_directions(&self) -> Vec<String> {
        let layer = |file: &str| {
            let name = file.split(['/', '.']).next().unwrap_or_default();
            (name.to_string(), LAYERS.iter().position(|names| names.contains(&name)))
        };
        let mut wrong = Vec::new();
        for (file, imports) in self.imports.iter().filter(|(file, _)| *file != "lib.rs") {
            let (name, Some(own)) = layer(file) else {
                wrong.push(format!("{file} has no layer"));
                continue;
            };
            for import in imports.iter().filter(|import| *import != "lib.rs") {
                let (other, theirs) = layer(import);
                if other != name && theirs.is_none_or(|theirs| theirs <= own) {
                    wrong.push(format!("{file} imports {import}"));
                }
            }
        }
        wrong
    }
}

/// Which modules there are, and where.
#[derive(Default)]
struct ModuleTree {
    /// The file of each module. Modules with a body are in the file around them.
    places: BTreeMap<Module, String>,
    /// The module of each file.
    files: BTreeMap<String, Module>,
}

impl ModuleTree {
    /// Adds `file` and the files of the modules that it declares.
    fn add(&mut self, sources: &BTreeMap<String, String>, file: &str, module: Module) {
        let Some(text) = sources.get(file) else { return };
        self.places.insert(module.clone(), file.to_string());
        self.files.insert(file.to_string(), module.clone());
        let folder = match file.rsplit_once('/') {
            Some((folder, "mod.rs")) => format!("{folder}/"),
            None if module.len() == 1 => String::new(),
            _ => format!("{}/", file.trim_end_matches(".rs")),
        };
        let mut inside = Vec::new();
        walk(&tokens(text), |item, scope| {
            if let Item::Module { name, has_body } = item {
                let child: Module = module.iter().chain(scope).chain([name]).cloned().collect();
                inside.push((child, *has_body));
            }
        });
        for (child, has_body) in inside {
            if has_body {
                self.places.insert(child, file.to_string());
                continue;
            }
            let path = child[module.len()..].join("/");
            for file in [format!("{folder}{path}.rs"), format!("{folder}{path}/mod.rs")] {
                self.add(sources, &file, child.clone());
            }
        }
    }

    /// The files that paths in `text` lead to, which is the text of `module`.
    fn paths(&self, text: &str, module: &Module) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        walk(&tokens(text), |item, scope| {
            if let Item::Path(path) = item {
                let here: Module = module.iter().chain(scope).cloned().collect();
                files.extend(self.resolve(&here, path));
            }
        });
        files
    }

    /// The file of the last module that `path` names, as seen from `here`. None for other crates and for local names.
    fn resolve(&self, here: &Module, path: &[String]) -> Option<String> {
        let mut at = here.clone();
        let mut names = path.iter().peekable();
        match names.peek().map(|name| name.as_str())? {
            "crate" => {
                at.truncate(1);
                names.next();
            }
            "jitsugen" => {
                at = vec!["lib".to_string()];
                names.next();
            }
            "self" => {
                names.next();
            }
            "super" => {
                while names.next_if(|name| *name == "super").is_some() {
                    at.pop();
                }
            }
            name => {
                at.push(name.to_string());
                if !self.places.contains_key(&at) {
                    return None;
                }
                names.next();
            }
        }
        for name in names {
            at.push(name.clone());
            if !self.places.contains_key(&at) {
                at.pop();
                break;
            }
        }
        self.places.get(&at).cloned()
    }
}

/// What `walk` finds.
enum Item {
    Module { name: String, has_body: bool },
    Path(Vec<String>),
}

/// The words and marks of a Rust source, without comments, strings, characters and lifetimes. `::` is one mark.
fn tokens(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            while i < chars.len() && !(chars[i] == '*' && at(i + 1) == '/') {
                i += 1;
            }
            i += 2;
        } else if c == '"' {
            i += 1;
            while i < chars.len() && chars[i] != '"' {
                i += if chars[i] == '\\' { 2 } else { 1 };
            }
            i += 1;
        } else if c == '\'' {
            // A character ends with a quote, a lifetime does not.
            if at(i + 1) == '\\' {
                i += 3;
                while i < chars.len() && chars[i] != '\'' {
                    i += 1;
                }
                i += 1;
            } else if at(i + 2) == '\'' {
                i += 3;
            } else {
                i += 1;
                while is_word(at(i)) {
                    i += 1;
                }
            }
        } else if is_word(c) {
            let begin = i;
            while is_word(at(i)) {
                i += 1;
            }
            let word: String = chars[begin..i].iter().collect();
            let hashes = chars[i..].iter().take_while(|&&c| c == '#').count();
            if matches!(word.as_str(), "r" | "br") && at(i + hashes) == '"' {
                // A raw string ends with as many hashes as it begins with.
                i += hashes + 1;
                while i < chars.len() && !(chars[i] == '"' && (1..=hashes).all(|n| at(i + n) == '#')) {
                    i += 1;
                }
                i += hashes + 1;
            } else {
                tokens.push(word);
            }
        } else if c == ':' && at(i + 1) == ':' {
            tokens.push("::".to_string());
            i += 2;
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            i += 1;
        }
    }
    tokens
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Calls `visit` with the modules and paths of a file, except those of tests, and with the modules with a body around
/// them.
fn walk(tokens: &[String], mut visit: impl FnMut(&Item, &[String])) {
    const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let at = |place: usize| tokens.get(place).map_or("", String::as_str);
    let (mut scope, mut depths, mut depth) = (Vec::new(), Vec::new(), 0);
    let mut i = 0;
    while i < tokens.len() {
        if TEST.iter().enumerate().all(|(n, token)| at(i + n) == *token) {
            i = end_of_item(tokens, i + TEST.len());
            continue;
        }
        match at(i) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                if depths.last() == Some(&depth) {
                    depths.pop();
                    scope.pop();
                }
            }
            "mod" if is_name(at(i + 1)) && matches!(at(i + 2), ";" | "{") => {
                let name = at(i + 1).to_string();
                let has_body = at(i + 2) == "{";
                visit(&Item::Module { name: name.clone(), has_body }, &scope);
                if has_body {
                    scope.push(name);
                    depths.push(depth);
                    depth += 1;
                }
                i += 2;
            }
            "use" => {
                let end = i + tokens[i..].iter().position(|token| token == ";").unwrap_or(0);
                for path in use_paths(&tokens[i + 1..end]) {
                    visit(&Item::Path(path), &scope);
                }
                i = end;
            }
            name if is_name(name) && at(i + 1) == "::" && !matches!(at(i.wrapping_sub(1)), "::" | ".") => {
                let mut path = vec![name.to_string()];
                while at(i + 1) == "::" && is_name(at(i + 2)) {
                    path.push(at(i + 2).to_string());
                    i += 2;
                }
                visit(&Item::Path(path), &scope);
            }
            _ => {}
        }
        i += 1;
    }
}

/// Where the item that begins at `from` ends: behind its `;` or behind its body.
fn end_of_item(tokens: &[String], from: usize) -> usize {
    let mut depth = 0;
    let mut i = from;
    // More attributes come first.
    while tokens.get(i).is_some_and(|token| token == "#") {
        i += 1 + tokens[i..].iter().position(|token| token == "]").unwrap_or(0);
    }
    let is_use = tokens[i..].iter().take(5).any(|token| token == "use");
    while i < tokens.len() {
        match tokens[i].as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth -= 1;
                if depth == 0 && tokens[i] == "}" && !is_use {
                    return i + 1;
                }
            }
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
        i += 1;
    }
    i
}

/// The whole paths of a tree of `use`, as `a::{b, c::{self, d}}`.
fn use_paths(tokens: &[String]) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let (mut around, mut path): (Vec<Vec<String>>, Vec<String>) = (Vec::new(), Vec::new());
    // Whether the path has more than what is around it, and whether a new name follows.
    let (mut goes_on, mut renames) = (false, false);
    for token in tokens {
        match token.as_str() {
            "{" => {
                around.push(path.clone());
                goes_on = false;
            }
            "," | "}" => {
                if goes_on {
                    paths.push(path);
                }
                path = if token == "}" { around.pop() } else { around.last().cloned() }.unwrap_or_default();
                (goes_on, renames) = (false, false);
            }
            "as" => renames = true,
            "*" => goes_on = true,
            "self" if !path.is_empty() => goes_on = true,
            name if is_name(name) && !renames => {
                path.push(name.to_string());
                goes_on = true;
            }
            _ => {}
        }
    }
    if goes_on {
        paths.push(path);
    }
    paths
}

/// The sources below src, by their paths.
fn read_sources(folder: &Path, below: &str, sources: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        let name = format!("{below}{}", path.file_name().expect("an entry has a name").to_string_lossy());
        if path.is_dir() {
            read_sources(&path, &format!("{name}/"), sources);
        } else if name.ends_with(".rs") {
            sources.insert(name, fs::read_to_string(&path).expect("sources are text"));
        }
    }
}

fn structure_of_the_sources() -> Structure {
    let mut sources = BTreeMap::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut sources);
    let structure = Structure::new(&sources);
    assert!(structure.imports.len() > 100, "{} files", structure.imports.len());
    structure
}

#[test]
fn no_files_import_each_other() {
    let circles = structure_of_the_sources().circles();
    let text: Vec<String> =
        circles.iter().map(|circle| format!("{} -> {}", circle.join(" -> "), circle[0])).collect();
    assert!(circles.is_empty(), "files of src that import each other:\n{}", text.join("\n"));
}

#[test]
fn folders_import_only_what_is_below() {
    let wrong = structure_of_the_sources().wrong_directions();
    assert!(wrong.is_empty(), "files of src that import what is not below:\n{}", wrong.join("\n"));
}

fn structure_of(files: &[(&str, &str)]) -> Structure {
    Structure::new(&files.iter().map(|(file, text)| (file.to_string(), text.to_string())).collect())
}

#[test]
fn circles_of_imports_are_found() {
    let structure = structure_of(&[
        ("lib.rs", "pub mod shogi; pub mod util;"),
        ("shogi/mod.rs", "pub mod position; pub mod sfen; pub mod square;"),
        ("shogi/position.rs", "mod play; use super::square::Square; fn f() -> crate::shogi::sfen::Error {}"),
        ("shogi/position/play.rs", "use super::{super::square::*, Position as P,};"),
        ("shogi/sfen.rs", "use crate::{shogi::position::{Position, Setup}, shogi::square, util};"),
        ("shogi/square.rs", "pub struct Square;"),
        ("util.rs", "pub fn text() {}"),
    ]);
    let imports = |file: &str| structure.imports[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(imports("lib.rs"), [""; 0]);
    assert_eq!(imports("shogi/position.rs"), ["shogi/sfen.rs", "shogi/square.rs"]);
    assert_eq!(imports("shogi/position/play.rs"), ["shogi/position.rs", "shogi/square.rs"]);
    assert_eq!(imports("shogi/sfen.rs"), ["shogi/position.rs", "shogi/square.rs", "util.rs"]);
    let circle = ["shogi/position.rs", "shogi/sfen.rs"].map(String::from).to_vec();
    assert_eq!(structure.circles().into_iter().collect::<Vec<_>>(), [circle]);
}

#[test]
fn a_reexport_and_a_path_without_use_close_a_circle() {
    let parent = |text: &str| {
        let child = "use super::Shared; use crate::search::Shared as Other;";
        let parent = format!("mod child; pub struct Shared; {text}");
        let files = [("lib.rs", "mod search;"), ("search.rs", parent.as_str()), ("search/child.rs", child)];
        structure_of(&files).circles().len()
    };
    assert_eq!(parent(""), 0, "a declaration is no import");
    assert_eq!(parent("pub use child::Item;"), 1);
    assert_eq!(parent("pub use self::child::Item;"), 1);
    assert_eq!(parent("fn f() { child::run(); }"), 1);
    assert_eq!(parent("fn f(x: &X) { x.child::<u8>(); }"), 0);
    assert_eq!(parent("#[cfg(test)] mod tests { use super::child::Item; fn f() {} } fn g() {}"), 0);
    assert_eq!(parent("#[cfg(test)] #[rustfmt::skip] use child::{Item, Other};"), 0);
    assert_eq!(parent("// use child::Item;\n/* child::run() */ const A: &str = \"child::run()\";"), 0);
    assert_eq!(
        parent("const A: char = '\"'; fn f<'a>(s: &'a str) { child::run() } const B: char = '\"';"),
        1
    );
    assert_eq!(parent("const A: &str = r#\"\"child::run()\"#; mod inner { use super::child::Item; }"), 1);
}

#[test]
fn imports_have_to_lead_downwards() {
    let structure = structure_of(&[
        ("lib.rs", "pub mod usi; pub mod csa; pub mod engine; pub mod odd; pub mod bench;"),
        ("main.rs", "mod cli; use jitsugen::usi;"),
        ("cli.rs", "use jitsugen::{bench, usi::Line};"),
        ("usi.rs", "use crate::engine; use crate::csa;"),
        ("csa.rs", "pub mod login; use login::Name;"),
        ("csa/login.rs", ""),
        ("engine.rs", "use crate::usi::Line;"),
        ("bench.rs", "use crate::engine;"),
        ("odd.rs", ""),
    ]);
    let wrong = ["engine.rs imports usi.rs", "odd.rs has no layer", "usi.rs imports csa.rs"];
    assert_eq!(structure.wrong_directions(), wrong);
}
