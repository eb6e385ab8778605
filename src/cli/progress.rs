//! Progress on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with the time left; hidden unless standard error is a terminal.
pub fn bar(length: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template has known keys only");
    ProgressBar::new(length).with_style(style).with_message(name.to_string())
}
