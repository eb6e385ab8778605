//! Any text is read as a position or refused; what is read is written and read again, and can be played on.
#![no_main]

use jitsugen::shogi::{generate, sfen};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(mut position) = sfen::parse(text) else { return };
    let written = sfen::write(&position);
    let again = sfen::parse(&written).expect("what was written can be read");
    assert_eq!(again.setup(), position.setup());
    assert_eq!(sfen::write(&again), written);
    for mv in generate::all_legal(&position) {
        assert!(position.is_legal(mv));
        position.play(mv, &mut ());
        position.undo(mv, &mut ());
    }
    assert_eq!(again.setup(), position.setup());
});
