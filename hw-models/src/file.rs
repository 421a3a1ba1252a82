//! How files of users are opened.

use std::fs::{File, FileType};
use std::io::{self, IsTerminal};
use std::path::Path;

/// Opens a file, a pipe or a terminal to be read.
///
/// # Errors
///
/// Those of the system, and that it is a device: many of them never end.
///
/// ```
/// let error = locox_models::file::open("/dev/zero").unwrap_err();
/// assert_eq!(error.to_string(), "it is a device; name a file");
/// ```
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let file = File::open(path)?;
    if is_device(file.metadata()?.file_type()) && !file.is_terminal() {
        return Err(io::Error::other("it is a device; name a file"));
    }
    Ok(file)
}

/// Whether it is a device, such as a disk or a source of random numbers.
#[cfg(unix)]
pub fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

/// Whether it is a device, which cannot be told here.
#[cfg(not(unix))]
pub fn is_device(_: FileType) -> bool {
    false
}
