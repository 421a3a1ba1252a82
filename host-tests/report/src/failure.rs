//! What goes wrong because of input, and how it is told: one line, and an exit code.

use crate::printable::printable;
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
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Usage(text) | Self::Input(text)) = self;
        // File names may hold line breaks; the message stays on its line.
        f.write_str(&printable(&text.replace(['\n', '\r'], " ")))
    }
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
