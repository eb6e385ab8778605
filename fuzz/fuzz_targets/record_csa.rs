//! Any bytes as a CSA file: read or refused, and what was read can be written in every format.
#![no_main]

use jitsugen::record::{self, Encoding, Format};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(records) = record::read(bytes, Some(Format::Csa)) else { return };
    for record in &records {
        for format in Format::ALL {
            let written = record::write(std::slice::from_ref(record), format, Encoding::Utf8).unwrap();
            let back = record::read(&written, Some(format)).unwrap();
            assert!(back[0].moves().eq(record.moves()));
            if format != Format::Usi {
                assert_eq!(back[0].winner(), record.winner());
            }
        }
    }
});
