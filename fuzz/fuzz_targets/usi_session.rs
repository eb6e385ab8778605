//! Any conversation: no panic, one answer for each `go`, and only lines that the strictest of clients take.
//!
//! No option is set and nothing is logged, so that nothing outside is touched; searches get a few nodes.
#![no_main]

#[path = "../../tests/support/strict.rs"]
mod strict;

use std::io::{self, Cursor, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use jitsugen::eval::{compact, files};
use jitsugen::record::encoding;
use jitsugen::usi::protocol::{self, Command};
use jitsugen::usi::session;
use libfuzzer_sys::fuzz_target;
use strict::Strict;

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Full evaluation files, which every conversation maps: unpacking the built-in one would take a second each time.
fn evaluation() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join("jitsugen fuzz evaluation");
        if files::Files::find(&folder).is_err() {
            let weights = compact::built_in().unwrap().expand().unwrap();
            files::save(&weights, &folder, &mut |_, _| ()).unwrap();
        }
        folder
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut asked = 0;
    let mut strict = Strict::new();
    let mut input = format!(
        "setoption name USI_Hash value 1\nsetoption name NodesLimit value 50\nsetoption name EvalDir value {}\n",
        evaluation().display()
    )
    .into_bytes();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        // As the session reads it.
        let text = encoding::decode_lossy(line);
        match protocol::parse(&text) {
            Ok(Command::SetOption { .. } | Command::Bench | Command::Quit) => continue,
            Ok(Command::Perft(depth)) if depth > 2 => continue,
            Ok(Command::Go { .. }) => {
                asked += 1;
                if asked > 20 {
                    continue;
                }
            }
            _ => {}
        }
        strict.sends(&text);
        input.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            input.push(b'\n');
        }
    }
    let heard = Heard::default();
    session::run(Cursor::new(input), heard.clone()).expect("memory can be read");
    let heard = heard.0.lock().unwrap();
    for line in String::from_utf8_lossy(&heard).lines() {
        if let Err(message) = strict.hears(line) {
            panic!("'{line}': {message}");
        }
    }
    assert_eq!(strict.unanswered(), 0);
});
