//! Any bytes are read as packed training positions or refused; what is read is written and read again as the same.
#![no_main]

use jitsugen::record::packed::{Packed, Reader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut reader = Reader::new(bytes);
    let records: Vec<Packed> = reader.by_ref().map(|packed| packed.expect("memory can be read")).collect();
    assert_eq!(40 * records.len() + reader.left_over(), bytes.len());
    for packed in records {
        let Ok(known) = packed.unpack() else { continue };
        let written = known.pack().expect("what was read can be written");
        let again = written.unpack().expect("what was written can be read");
        assert_eq!(again.position.setup(), known.position.setup());
        assert_eq!((again.best, again.score, again.result), (known.best, known.score, known.result));
        // The order of the pieces in hand and the last byte are free, and the move number may be 0: once written,
        // nothing is.
        assert_eq!(again.pack(), Ok(written));
    }
});
