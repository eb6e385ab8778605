//! The test data that is not part of the repository: game records, tsume problems, openings, test vectors.
//!
//! build.rs looks for it and sets the cfg `test_data` where it is. Elsewhere the tests that need it are ignored.

use std::fs;
use std::path::Path;

/// The text of a file of the test data.
pub fn read(name: &str) -> String {
    let Some(folder) = option_env!("JITSUGEN_TEST_DATA") else {
        panic!("this needs the test data, whose folder JITSUGEN_DATA names")
    };
    let path = Path::new(folder).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
