//! Files: they are read and written without the interpreter, and an interrupt ends that. What is written
//! appears whole or not at all.

use super::error::of_system;
use super::interrupt::{Watch, Watched, watched};
use locox_models::file::is_device;
use locox_models::swf::encode;
use pyo3::prelude::*;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// Writes a file, compressed as its ending says (`.gz`, `.xz`). It takes the place of one that is there
/// when all is written.
///
/// # Errors
///
/// `OSError`, and what an interrupt raises.
pub(crate) fn write(
    py: Python<'_>,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()> + Send,
) -> PyResult<()> {
    let done = watched(py, |watch| put(path, watch, write))?;
    done.map_err(|cause| of_system(&cause, format!("{}: {cause}", path.display())))
}

fn put(
    path: &Path,
    watch: &Watch,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    // A link stays, and so does what is no file, as a pipe.
    let path = path.canonicalize().unwrap_or_else(|_| path.into());
    let fill = |out: &mut dyn Write| {
        let mut out = BufWriter::new(out);
        encode(&path, &mut out, |out| write(&mut Watched::new(out, watch)))?;
        out.flush()
    };
    if is_special(&path) {
        #[cfg(unix)]
        return fill(&mut super::pipe::writer(&path, watch)?);
        #[cfg(not(unix))]
        return fill(&mut File::create(&path)?);
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return File::create(&path).map(drop);
    }
    let mut staged = tempfile::Builder::new();
    let mut staged = staged.prefix(".locox-").make_in(folder, |path| File::create_new(path))?;
    fill(staged.as_file_mut())?;
    staged.persist(&path).map(drop).map_err(|fault| fault.error)
}

/// Opens a file to be read.
///
/// # Errors
///
/// Those of the system.
pub(crate) fn open(path: &Path, watch: &Watch) -> io::Result<Watched<Box<dyn Read + Send>>> {
    if fs::metadata(path).is_ok_and(|it| is_device(it.file_type())) {
        return Err(io::Error::other("it is a device; name a file"));
    }
    #[cfg(unix)]
    if is_special(path) {
        return Ok(Watched::new(Box::new(super::pipe::reader(path, watch)?), watch));
    }
    Ok(Watched::new(Box::new(File::open(path)?), watch))
}

/// Whether there is something that is no file and no folder.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}
