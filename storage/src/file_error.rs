//! What the system said of a file.

use crate::StoreError;
use std::fmt;
use std::io;

/// What the system said of a file. As all media it is shown as debugging shows it, so that is its text too.
pub struct FileError(io::Error);

impl FileError {
    /// Of which kind it is.
    pub fn kind(&self) -> io::ErrorKind {
        self.0.kind()
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

impl From<FileError> for io::Error {
    fn from(error: FileError) -> Self {
        error.0
    }
}

impl From<io::Error> for StoreError<FileError> {
    fn from(error: io::Error) -> Self {
        Self::Medium(FileError(error))
    }
}

impl fmt::Debug for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl std::error::Error for FileError {}
