//! Output that is not needed for the result.

use std::io::{self, Write};

use crate::cli::output::remark;

/// The output of hours of work whose result is a file. Once nothing can be written any more, because the reader is gone or
/// a disk is full, a message says so, and the rest is dropped: that is no reason to lose the work.
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
                "standard output: {error}: nothing more is written there, and the work goes on"
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
    fn work_goes_on_when_the_output_is_full() {
        let mut full = Full(4);
        let mut out = OptionalOutput::new(&mut full);
        for _ in 0..3 {
            out.write_all(b"abc").and_then(|()| out.flush()).unwrap();
        }
        assert!(out.out.is_none());
        assert_eq!(full.0, 1);
    }
}
