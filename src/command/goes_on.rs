//! Output of hours of work that is done for a file, not for what it tells.

use std::io::{self, Write};

/// Takes what is written there as long as somebody reads it. After that the work goes on without, and a message says so
/// once.
pub struct GoesOn<'a> {
    out: Option<&'a mut dyn Write>,
}

impl<'a> GoesOn<'a> {
    pub fn new(out: &'a mut dyn Write) -> GoesOn<'a> {
        GoesOn { out: Some(out) }
    }

    /// Does it as long as there is an output.
    fn with(&mut self, work: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
        if let Some(out) = &mut self.out
            && let Err(error) = work(*out)
        {
            eprintln!("standard output: {error}: it is told no more, and the work goes on");
            self.out = None;
        }
    }
}

impl Write for GoesOn<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|out| out.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.with(|out| out.flush());
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
        let mut out = GoesOn::new(&mut full);
        for _ in 0..3 {
            out.write_all(b"abc").and_then(|()| out.flush()).unwrap();
        }
        assert!(out.out.is_none());
        assert_eq!(full.0, 1);
    }
}
