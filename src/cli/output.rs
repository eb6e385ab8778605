//! What commands print: remarks and progress on standard error, and figures.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use jitsugen::util::text::rate;

/// Writes `text` on standard error, if possible: if nobody reads it any more or a disk is full, the work still goes on.
pub fn remark(text: fmt::Arguments) {
    // There is nowhere else to complain.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes the figures that scripts read. They come last, one a line.
pub fn write_figures(out: &mut dyn Write, nodes: u64, time: Duration) -> io::Result<()> {
    writeln!(out, "Nodes/second: {}", rate(nodes, time))?;
    writeln!(out, "Nodes searched: {nodes}")
}

/// A bar with the time left; hidden unless standard error is a terminal.
pub fn progress_bar(length: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template has known keys only");
    ProgressBar::new(length).with_style(style).with_message(name.to_string())
}
