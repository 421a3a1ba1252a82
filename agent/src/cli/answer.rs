//! What a command answers.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

/// An error is one line.
pub(super) type Failure = Box<dyn std::error::Error>;
/// Whether the answer is yes, or all is well.
pub(super) type Done = Result<bool, Failure>;

/// Writes a line. Whoever reads no further has what he wanted.
pub(super) fn say(text: impl Display) -> io::Result<()> {
    print(format!("{}\n", plain(&text.to_string())).as_bytes())
}

/// Writes lines.
pub(super) fn say_lines(text: &str) -> io::Result<()> {
    text.lines().try_for_each(say)
}

/// Writes bytes that are meant as they are.
pub(super) fn print(text: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let text = format!("standard output: {error}; send it where there is room");
            Err(io::Error::new(error.kind(), text))
        }
        Ok(()) => Ok(()),
    }
}

/// Writes a line to standard error. If that cannot be, nobody is left to be told.
pub(super) fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "locox-agent: {}", plain(&text.to_string()));
}

/// An error of one line.
pub(super) fn failure(text: impl Display) -> Failure {
    text.to_string().into()
}

/// A text of one line that moves no terminal: control characters are written as JSON writes them. Names come from
/// managers and files, where somebody else wrote them.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for one in text.chars() {
        match one.is_control() {
            true => _ = write!(plain, "\\u{:04x}", u32::from(one)),
            false => plain.push(one),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_terminal_is_written_out() {
        assert_eq!(plain("n1 Zürich"), "n1 Zürich");
        assert_eq!(plain("a\n\x1b[2J\0\u{9b}"), "a\\u000a\\u001b[2J\\u0000\\u009b");
    }
}
