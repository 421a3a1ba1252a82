//! What a store needs of files.

use std::io;

/// What files do. A test has another than [`Directory`](crate::Directory), which is cut at every step.
pub trait Folder {
    /// All that is in a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn read(&mut self, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Writes a file that is durable when this returns, but may have no name yet that lasts.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn write(&mut self, name: &str, bytes: &[u8]) -> io::Result<()>;

    /// Writes to a file from byte `at` on, which is no further than its end. It need not be durable before
    /// [`Folder::sync`].
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn write_at(&mut self, name: &str, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Makes durable what was written to a file by [`Folder::write_at`], if the file still has this name.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn sync(&mut self, name: &str) -> io::Result<()>;

    /// Gives a file another name, in place of the file that had it.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn rename(&mut self, from: &str, to: &str) -> io::Result<()>;

    /// Makes names last.
    ///
    /// # Errors
    ///
    /// Those of the system.
    fn sync_names(&mut self) -> io::Result<()>;
}
