//! Reads what ends.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The bytes of a regular file, or of one that a link leads to. Anything else, such as a FIFO or a device, is not even
/// opened: it may have no end, or let one wait for ever.
///
/// ```
/// let folder = tempfile::tempdir().unwrap();
/// std::fs::write(folder.path().join("a"), "four").unwrap();
/// assert_eq!(locox_storage::read_regular(&folder.path().join("a"), 4).unwrap(), b"four");
/// assert!(locox_storage::read_regular(&folder.path().join("a"), 3).is_err());
/// assert!(locox_storage::read_regular(folder.path(), 3).is_err());
/// ```
///
/// # Errors
///
/// Those of the system; [`ErrorKind::InvalidInput`] for what is no regular file; [`ErrorKind::FileTooLarge`] for
/// more than `most` bytes.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    check_regular(path)?;
    let mut bytes = vec![];
    File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, "it is too long")),
        false => Ok(bytes),
    }
}

/// Whether what is there is a regular file, or a link to one.
pub(crate) fn check_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file")),
    }
}
