//! Files that appear whole or not at all.

use super::error::of_system;
use locox_models::swf::encode;
use pyo3::PyResult;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file, compressed as its ending says (`.gz`, `.xz`). It takes the place of one that is there
/// when all is written.
///
/// # Errors
///
/// `OSError`.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> PyResult<()> {
    put(path, write).map_err(|cause| of_system(&cause, format!("{}: {cause}", path.display())))
}

fn put(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    // A link stays, and so does what is no file, as a pipe.
    let path = path.canonicalize().unwrap_or_else(|_| path.into());
    if path.exists() && !path.is_file() {
        return fill(&path, &path, write);
    }
    let staged = staged(&path);
    let done = fill(&staged, &path, write).and_then(|()| fs::rename(&staged, &path));
    if done.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&staged);
    }
    done
}

fn fill(
    at: &Path,
    name: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(at)?);
    encode(name, &mut out, write)?;
    out.flush()
}

/// Its name until it is complete; others that write it at the same time have others.
fn staged(path: &Path) -> PathBuf {
    let thread = std::thread::current().id();
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}-{thread:?}.part", std::process::id()));
    path.with_file_name(name)
}
