//! Where results go: standard output, which a reader may close early, and a directory, where a
//! report is either whole or not there.

use crate::failure::Failure;
use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Standard output that shrugs when its reader is gone, as in `locox | head`: what is left to do,
/// such as the report, is still done.
pub struct Stdout(io::StdoutLock<'static>);

impl Stdout {
    pub fn lock() -> Self {
        Self(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes);
        if is_closed(&written) { Ok(bytes.len()) } else { written }
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.0.flush();
        if is_closed(&flushed) { Ok(()) } else { flushed }
    }
}

fn is_closed<T>(result: &io::Result<T>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Name of the page in its directory.
const PAGE: &str = "index.html";

/// Files that appear in a directory together, the page last.
///
/// - Until [`Publication::publish`] they have temporary names and vanish with this value.
/// - While they take their places there is no page, so that a page never stands beside files of
///   another run.
pub struct Publication {
    dir: PathBuf,
    staged: Vec<(NamedTempFile, PathBuf)>,
}

impl Publication {
    /// Makes the directory if need be.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it cannot be made.
    pub fn new(dir: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(dir).map_err(|error| Failure::unwritable(dir, &error))?;
        Ok(Self { dir: dir.into(), staged: Vec::new() })
    }

    /// Adds a file `name` that `write` fills.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it cannot be written.
    pub fn add(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let path = self.dir.join(name);
        let file = stage(&self.dir, write).map_err(|error| Failure::unwritable(&path, &error))?;
        self.staged.push((file, path));
        Ok(())
    }

    /// Puts all files and then `page` in their places, and says where the page is.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if a file cannot take its place; then there is no page.
    pub fn publish(mut self, page: &str) -> Result<PathBuf, Failure> {
        self.add(PAGE, |out| out.write_all(page.as_bytes()))?;
        let path = self.dir.join(PAGE);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(Failure::unwritable(&path, &error));
            }
            _ => {}
        }
        for (file, path) in self.staged {
            file.persist(&path).map_err(|error| Failure::unwritable(&path, &error.error))?;
        }
        Ok(path)
    }
}

/// Fills a file with a temporary name in `dir`; it vanishes with the value.
fn stage(
    dir: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".locox-");
    // Readable by those whom the user's mask lets read; the default is the user alone.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(dir)?;
    let mut buffered = BufWriter::new(file.as_file_mut());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    Ok(file)
}

/// Writes a single file, which appears whole or stays as it was.
///
/// # Errors
///
/// [`Failure::Input`] if it cannot be written.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    let unwritable = |error: io::Error| Failure::unwritable(path, &error);
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let file = stage(dir, write).map_err(unwritable)?;
    file.persist(path).map_err(|error| unwritable(error.error))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_files_appear_together() {
        let dir = tempfile::tempdir().unwrap();
        let mut publication = Publication::new(&dir.path().join("a/b")).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        assert!(names(&dir.path().join("a/b")).iter().all(|name| name.starts_with(".locox-")));
        let page = publication.publish("<html>").unwrap();
        assert_eq!(names(&dir.path().join("a/b")), ["index.html", "jobs.csv"]);
        assert_eq!(fs::read_to_string(page).unwrap(), "<html>");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_a_published_file_as_any_file() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let page = Publication::new(dir.path()).unwrap().publish("<html>").unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&page), mode(&plain));
    }

    #[test]
    fn nothing_stays_of_a_publication_that_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let mut publication = Publication::new(dir.path()).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        publication.add("broken.csv", |_| Err(io::Error::other("full"))).unwrap_err();
        drop(publication);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn an_older_page_goes_before_its_files_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "old").unwrap();
        fs::create_dir(dir.path().join("jobs.csv")).unwrap(); // in the way
        let mut publication = Publication::new(dir.path()).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        let failure = publication.publish("new").unwrap_err();
        assert!(failure.to_string().contains("jobs.csv: cannot be written"), "{failure}");
        assert_eq!(names(dir.path()), ["jobs.csv"]);
    }
}
