//! Any text is read as a move or refused, and any sequence of words is legal exactly where it was generated.
#![no_main]

use jitsugen::shogi::generate;
use jitsugen::shogi::moves::Move;
use jitsugen::shogi::position::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut position = Position::start();
    for word in text.split(' ') {
        let Ok(mv) = word.parse::<Move>() else { continue };
        assert_eq!(mv.to_string(), word);
        let legal = generate::all_legal(&position);
        assert_eq!(position.is_legal(mv), legal.contains(&mv));
        if position.is_legal(mv) {
            position.play(mv, &mut ());
        }
    }
});
