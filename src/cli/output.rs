//! What commands print: remarks on standard error, figures, and output that may be lost.

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

/// The output of hours of work whose result is a file. Once it cannot be written any more, because nobody reads it or a disk
/// is full, a remark says so, and the rest is dropped: that is no reason to lose the work.
pub struct OptionalOutput<'a> {
    out: Option<&'a mut dyn Write>,
}

impl<'a> OptionalOutput<'a> {
    pub fn new(out: &'a mut dyn Write) -> OptionalOutput<'a> {
        OptionalOutput { out: Some(out) }
    }

    fn attempt(&mut self, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if let Some(out) = &mut self.out
            && let Err(error) = work(*out)
        {
            remark(format_args!(
                "standard output: {error}: nothing more is written to it, and the work goes on"
            ));
            self.out = None;
        }
    }
}

impl Write for OptionalOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt(|out| out.flush());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Has room for so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn work_goes_on_when_nobody_reads() {
        let mut full = Full(4);
        let mut out = OptionalOutput::new(&mut full);
        for _ in 0..3 {
            out.write_all(b"abc").and_then(|()| out.flush()).unwrap();
        }
        assert!(out.out.is_none());
        assert_eq!(full.0, 1);
    }
}
