//! What is said beside the output.

use std::fmt;
use std::io::{self, Write};

/// Says `text` on standard error, if that can be written: where nobody reads it any more or a disk is full, work goes on
/// that has been asked for.
pub fn remark(text: fmt::Arguments) {
    // There is nowhere else to complain.
    let _ = writeln!(io::stderr(), "{text}");
}
