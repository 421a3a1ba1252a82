//! What a command answers.

use std::fmt::Display;
use std::io::{self, Write};

/// An error is one line.
pub(super) type Failure = Box<dyn std::error::Error>;
/// Whether the answer is yes, or all is well.
pub(super) type Done = Result<bool, Failure>;

/// Writes a line. Whoever reads no further has what he wanted.
pub(super) fn say(text: impl Display) -> io::Result<()> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// An error of one line.
pub(super) fn failure(text: impl Display) -> Failure {
    text.to_string().into()
}
