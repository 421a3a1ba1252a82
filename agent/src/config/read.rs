//! Reads a configuration.

use super::error::{ConfigError, Fault};
use super::kinds::Config;
use super::text::Text;
use super::words;
use locox_storage::read_regular;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Bytes of a configuration.
const LONGEST: u64 = 1 << 22;

impl Config {
    /// Reads a file. Paths in it start at its folder.
    ///
    /// # Errors
    ///
    /// What is wrong with it, and where.
    pub fn open(path: &Path) -> Result<Self, ConfigError> {
        let whole = |fault| ConfigError { path: path.into(), place: None, fault };
        let bytes = read_regular(path, LONGEST).map_err(|error| match error.kind() {
            ErrorKind::FileTooLarge => whole(Fault::Long { most: LONGEST }),
            _ => whole(Fault::Read(error)),
        })?;
        let text = String::from_utf8(bytes);
        let text = text.map_err(|error| {
            whole(Fault::Read(io::Error::new(ErrorKind::InvalidData, error.utf8_error())))
        })?;
        Self::parse(path, &text)
    }

    /// Reads a text; `path` is its name in errors.
    ///
    /// # Errors
    ///
    /// As [`Config::open`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        let said: Text = toml::from_str(text).map_err(|error| {
            let fault = Fault::Toml(words::plain(error.message()));
            let place = error.span().map(|span| place(text, span.start));
            ConfigError { path: path.into(), place, fault }
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        said.checked(folder).map_err(|(at, fault)| ConfigError {
            path: path.into(),
            place: Some(place(text, at)),
            fault,
        })
    }
}

/// Line and column, from 1, of the byte at `at`.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
