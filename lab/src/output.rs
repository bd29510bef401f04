//! Standard output and standard error, to which nobody may listen any more.

use crate::draw::for_stdout;
use std::io::{self, Write};

/// Writes a line to standard error. Whoever does not listen misses it, and nothing else.
macro_rules! tell {
    ($($text:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}
pub(crate) use tell;

/// Writes an answer to standard output, with colours if it takes them.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(for_stdout(text).as_bytes())?;
    out.flush()
}

/// Standard output of a command that may have files to write as well: then an error waits until they are written.
pub struct Output {
    has_files: bool,
    error: Option<io::Error>,
}

impl Output {
    pub fn new(has_files: bool) -> Self {
        let error = None;
        Output { has_files, error }
    }

    /// Prints, unless printing has failed before.
    pub fn print(&mut self, text: &str) -> io::Result<()> {
        if self.error.is_none() {
            self.error = print(text).err();
        }
        match self.has_files {
            true => Ok(()),
            false => self.end(),
        }
    }

    /// The error that has waited, if there is one.
    pub fn end(&mut self) -> io::Result<()> {
        self.error.take().map_or(Ok(()), Err)
    }
}
