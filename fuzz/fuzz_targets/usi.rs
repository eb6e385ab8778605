//! Any line from a client: no panic, and a position that was taken is one that can be played on.
#![no_main]

use jitsugen::shogi::generate;
use jitsugen::usi::protocol::{self, Command};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for line in String::from_utf8_lossy(bytes).lines() {
        if let Ok(Command::Position(text)) = protocol::parse(line)
            && let Ok(mut position) = protocol::parse_position(&text)
            && let Some(&mv) = generate::all_legal(&position).first()
        {
            position.play(mv, &mut ());
            position.undo(mv, &mut ());
        }
    }
});
