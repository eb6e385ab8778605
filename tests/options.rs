//! docs/guide/options.md has a row for every option, in the order and with the help of the option table.

use std::fmt::Write;

use jitsugen::usi::options::OPTIONS;

/// The rows as they have to be.
fn rows() -> String {
    let mut rows = String::from("| option | type, default, range | what it does |\n|---|---|---|\n");
    for option in OPTIONS {
        let declared = option.to_string();
        let kind = declared.split_once(" type ").expect("an option has a type").1;
        let kind = kind.replace(" default <empty>", ", empty by default").replace(" default ", ", default ");
        let kind =
            kind.replace(" min ", ", from ").replace(" max ", " to ").replacen(" var ", ", one of ", 1);
        let mut kind = kind.replace(" var ", ", ");
        if option.name == "Threads" {
            // Other machines have other numbers.
            kind =
                kind.replace(&format!("default {}", num_cpus::get()), "default as many as there are cores");
        }
        writeln!(rows, "| `{}` | {kind} | {} |", option.name, option.help).expect("a string takes it");
    }
    rows
}

#[test]
fn docs_describe_every_option() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/guide/options.md");
    let text = std::fs::read_to_string(path).expect("docs/guide/options.md is there").replace("\r\n", "\n");
    assert!(text.contains(&rows()), "docs/guide/options.md should have these rows:\n{}", rows());
}
