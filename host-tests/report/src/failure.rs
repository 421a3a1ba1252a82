//! What goes wrong because of input, and how it is told: one line, and an exit code.

use crate::printable::printable;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// An end without a result. Its text says what, where, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line asks for something that there is not.
    Usage(String),
    /// A file or the data in it will not do, or a result cannot be written.
    Input(String),
}

impl Failure {
    /// 2 for usage, 1 for input.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Input(_) => 1,
        }
    }

    /// A result could not be written at `path`.
    pub fn unwritable(path: &Path, error: &dyn fmt::Display) -> Self {
        let path = path.display();
        Self::Input(format!("{path}: cannot be written: {error}; choose another place with --out"))
    }

    /// A result would replace the file at `path`.
    pub fn taken(path: &Path) -> Self {
        Self::Input(format!(
            "{}: there is such a file already; replace it with --force, or choose another place \
             with --out",
            path.display()
        ))
    }

    /// A report would replace the page at `path`.
    pub fn foreign(path: &Path) -> Self {
        Self::Input(format!(
            "{}: the page is not a report of locox; replace it with --force, or choose another \
             place with --out",
            path.display()
        ))
    }

    /// The same, where another option than `--out` says the place.
    #[must_use]
    pub fn of_option(self, option: &str) -> Self {
        match self {
            Self::Input(text) => match text.strip_suffix("--out") {
                Some(told) => Self::Input(format!("{told}{option}")),
                None => Self::Input(text),
            },
            usage => usage,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::Input(text)) = self;
        // File names may hold line breaks; the message stays on its line.
        f.write_str(&shortened(&printable(&text.replace(['\n', '\r'], " "))))
    }
}

/// A message of more bytes quotes something without bound, such as a line of a binary file.
const LONGEST: usize = 4_000;
/// What is kept of it at either end: what and where, and what to do.
const KEPT: usize = 500;

fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return text.into();
    }
    let begin = &text[..text.floor_char_boundary(KEPT)];
    let end = &text[text.ceil_char_boundary(text.len() - KEPT)..];
    format!("{begin} ... {end}").into()
}

impl std::error::Error for Failure {}

/// The parser's message without the lines that repeat the usage.
impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Self {
        let rendered = error.render().to_string();
        let told = rendered.lines().take_while(|line| !line.starts_with("Usage:"));
        let parts = told.map(|line| line.trim().trim_start_matches("error: "));
        let kept =
            parts.filter(|line| !line.is_empty() && !line.starts_with("For more information"));
        // A line that announces a list ends in a colon already.
        let text = kept.collect::<Vec<_>>().join("; ").replace(":;", ":");
        Self::Usage(format!("{text}; see locox --help"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_keeps_its_ends() {
        let short = "\u{e4}".repeat(LONGEST / 2);
        assert_eq!(Failure::Usage(short.clone()).to_string(), short);
        let told = Failure::Input(format!("f:1: `{short}` is no number; correct it")).to_string();
        assert!(
            told.starts_with("f:1: `") && told.ends_with("` is no number; correct it"),
            "{told}"
        );
        assert!(told.len() < 2 * KEPT + 10 && told.contains(" ... "), "{told}");
    }
}
