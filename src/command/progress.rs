//! Progress on a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with the time left; hidden unless standard error is a terminal.
pub fn bar(length: u64, name: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}")
        .expect("the template has known keys only");
    ProgressBar::new(length).with_style(style).with_message(name.to_string())
}

/// A bar for hours of work: with what is done a second, what is said in the end, and the time left.
pub fn long_bar(length: u64, done: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len}, {per_sec}, {msg}, {eta} left")
            .expect("the template has known keys only");
    let bar = ProgressBar::new(length).with_style(style).with_position(done);
    bar.reset_eta();
    bar
}
