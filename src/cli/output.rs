//! What commands print: remarks on standard error, and figures.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

/// Writes `text` on standard error, if possible: if nobody reads it any more or a disk is full, the work still goes on.
pub fn remark(text: fmt::Arguments) {
    // There is nowhere else to complain.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes the figures that scripts read. They come last, one a line.
pub fn write_figures(out: &mut dyn Write, nodes: u64, time: Duration) -> io::Result<()> {
    writeln!(out, "Nodes/second: {}", (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64)?;
    writeln!(out, "Nodes searched: {nodes}")
}
