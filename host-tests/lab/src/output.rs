//! Where results go, the same for all of them:
//!
//! - `-` is standard output, which a reader may close early.
//! - Links are followed; it is their target that counts.
//! - A new file, or one in place of a regular file, appears whole or not at all. A regular file is
//!   replaced only by force, unless an earlier report left it, and never if it is write-protected.
//! - Anything else, such as a FIFO or a device, is written to and stays what it is.
//! - The files of a report appear together in a directory, the page last. A link there is followed only by force, unless
//!   it leads to the page of an earlier report.
//! - If a signal ends the command, what is unfinished goes with it.

use crate::unfinished::Noted;
use locox_models::swf::{compression_of, encode};
use locox_report::failure::Failure;
use locox_report::report::html;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use tempfile::{NamedTempFile, TempPath};

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

/// That standard output cannot be written.
pub fn unprintable(error: &io::Error) -> Failure {
    Failure::Input(format!("standard output: cannot be written: {error}; free some room"))
}

fn is_closed<T>(result: &io::Result<T>) -> bool {
    result.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Whether a place is standard output. Its other names count, too: to open them again would begin
/// a file anew that standard output was sent to.
pub fn is_standard_output(path: &Path) -> bool {
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name))
}

/// What stands where a result is to go.
enum Target {
    /// Nothing: there will be a file.
    New(PathBuf),
    /// A file, which another one takes the place of.
    File(PathBuf, Permissions),
    /// A FIFO, a device: written to as it is.
    Stream(PathBuf),
}

impl Target {
    /// Follows all links.
    fn at(path: &Path) -> io::Result<Self> {
        let found = match fs::metadata(path) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return end_of_links(path).map(Self::New);
            }
            Err(error) => return Err(error),
        };
        if found.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !found.is_file() {
            return Ok(Self::Stream(path.into()));
        }
        if found.permissions().readonly() {
            return Err(io::Error::other("the file is write-protected"));
        }
        Ok(Self::File(fs::canonicalize(path)?, found.permissions()))
    }

    /// The directory for a file that is to be here.
    fn directory(&self) -> &Path {
        let (Self::New(path) | Self::File(path, _) | Self::Stream(path)) = self;
        path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    /// Puts a finished file here; in place of one that has come since it was looked, only by force.
    fn take(self, Temporary { file, .. }: Temporary, force: bool) -> io::Result<()> {
        let moved = match self {
            Self::New(path) if !force => file.persist_noclobber(path),
            Self::New(path) => file.persist(path),
            Self::File(path, permissions) => {
                file.as_file().set_permissions(permissions)?;
                file.persist(path)
            }
            Self::Stream(path) => return copy(file, &path),
        };
        moved.map(|_| ()).map_err(|failed| failed.error)
    }
}

/// That something cannot be put at `path`.
fn refused(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        ErrorKind::AlreadyExists => Failure::taken(path),
        _ => Failure::unwritable(path, error),
    }
}

/// Where the last of a chain of links points to, though nothing is there. The chain has an end:
/// otherwise it had not been nothing that was found.
fn end_of_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    while fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink()) {
        let target = fs::read_link(&path)?;
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Ok(path)
}

fn stream(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

fn copy(mut file: NamedTempFile, path: &Path) -> io::Result<()> {
    file.rewind()?;
    io::copy(&mut file, &mut stream(path)?).map(|_| ())
}

/// A file with a temporary name; it vanishes with the value, or with the command.
struct Temporary {
    file: NamedTempFile,
    _noted: Noted,
}

impl Temporary {
    /// A new one in `dir`, readable by those whom the user's mask lets read.
    fn new(dir: &Path) -> io::Result<Self> {
        let (file, noted) = Noted::made(|| fresh(dir), |file| file.path().into())?;
        Ok(Self { file, _noted: noted })
    }
}

/// A file in `dir` with a name that none has.
fn fresh(dir: &Path) -> io::Result<NamedTempFile> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = dir.join(format!(".locox-{}-{number}", process::id()));
        match File::options().read(true).write(true).create_new(true).open(&path) {
            // Of a process of this number elsewhere, or long ago.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return Ok(NamedTempFile::from_parts(made?, TempPath::try_from_path(path)?)),
        }
    }
}

/// Fills a file with a temporary name in `dir`.
fn stage(
    dir: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Temporary> {
    let mut temporary = Temporary::new(dir)?;
    let mut buffered = BufWriter::new(temporary.file.as_file_mut());
    write(&mut buffered)?;
    buffered.flush()?;
    drop(buffered);
    Ok(temporary)
}

/// Whether a single result may be written to where `path` says, and be compressed as that says: asked before the work.
///
/// # Errors
///
/// As of [`check_place`], and that the ending is that of a compression which is not written.
pub fn check_result(path: &Path, force: bool) -> Result<(), Failure> {
    compression_of(path).map_err(|error| Failure::unwritable(path, &error))?;
    check_place(path, force)
}

/// Whether a single result may be written to where `path` says, whatever its ending: asked before the work.
///
/// # Errors
///
/// [`Failure::Input`] if that is no place for a file, or one is there and `force` is not.
pub fn check_place(path: &Path, force: bool) -> Result<(), Failure> {
    match Target::at(path).map_err(|error| Failure::unwritable(path, &error))? {
        Target::File(..) if !force => Err(Failure::taken(path)),
        target if !target.directory().is_dir() => {
            Err(Failure::unwritable(path, &io::Error::from(ErrorKind::NotFound)))
        }
        _ => Ok(()),
    }
}

/// Writes a single result to where `path` says, compressed as its ending says.
///
/// # Errors
///
/// [`Failure::Input`] if it cannot be written, or would replace a file without `force`.
pub fn write_result(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    prepare_result(path, force, write)?.put()
}

/// As [`write_result`], but a file waits under a temporary name until it is put in its place. A stream is written at once.
///
/// # Errors
///
/// As of [`write_result`].
pub fn prepare_result(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Prepared, Failure> {
    if is_standard_output(path) {
        return prepare(path, force, write);
    }
    compression_of(path).map_err(|error| Failure::unwritable(path, &error))?;
    prepare(path, force, |out| encode(path, out, write))
}

/// Whether a result is written at once, because its place is no file.
pub fn is_stream(path: &Path) -> bool {
    is_standard_output(path) || matches!(Target::at(path), Ok(Target::Stream(_)))
}

/// A single result, written but for the place that it takes.
pub struct Prepared {
    path: PathBuf,
    force: bool,
    /// `None` of a stream.
    file: Option<(Target, Temporary)>,
}

impl Prepared {
    /// Puts it in its place.
    ///
    /// # Errors
    ///
    /// As of [`write_result`].
    pub fn put(self) -> Result<(), Failure> {
        let Self { path, force, file } = self;
        let Some((target, file)) = file else { return Ok(()) };
        target.take(file, force).map_err(|error| refused(&path, &error))
    }
}

/// Writes a single result to where `path` says, as it is.
///
/// # Errors
///
/// As of [`write_result`].
pub fn write_as_is(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Failure> {
    prepare(path, force, write)?.put()
}

fn prepare(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Prepared, Failure> {
    let unwritable = |error: io::Error| Failure::unwritable(path, &error);
    let prepared = |file| Prepared { path: path.into(), force, file };
    if is_standard_output(path) {
        let mut out = BufWriter::new(Stdout::lock());
        write(&mut out).and_then(|()| out.flush()).map_err(unwritable)?;
        return Ok(prepared(None));
    }
    let target = Target::at(path).map_err(unwritable)?;
    match &target {
        Target::File(..) if !force => Err(Failure::taken(path)),
        // Not staged: whoever reads it wants to read along.
        Target::Stream(to) => {
            let mut out = BufWriter::new(stream(to).map_err(unwritable)?);
            write(&mut out).and_then(|()| out.flush()).map_err(unwritable)?;
            Ok(prepared(None))
        }
        _ => {
            let staged = stage(target.directory(), write).map_err(unwritable)?;
            Ok(prepared(Some((target, staged))))
        }
    }
}

/// Puts files into a directory, which is made if it is not there: all of them, or none. They take the places of files of
/// their names, but follow no link.
///
/// # Errors
///
/// [`Failure::Input`] if one cannot be written.
pub fn write_files(dir: &Path, files: &[(String, Vec<u8>)]) -> Result<(), Failure> {
    let mut made = Made::default();
    made.make(dir).map_err(|error| Failure::unwritable(dir, &error))?;
    let mut staged = vec![];
    for (name, content) in files {
        let path = dir.join(name);
        let target = match is_link(&path) {
            true => Err(io::Error::other("it is a link, which may lead anywhere")),
            false => Target::at(&path),
        };
        let file = target.and_then(|target| {
            stage(target.directory(), |out| out.write_all(content)).map(|file| (target, file))
        });
        staged.push((path.clone(), file.map_err(|error| Failure::unwritable(&path, &error))?));
    }
    for (path, (target, file)) in staged {
        target.take(file, true).map_err(|error| Failure::unwritable(&path, &error))?;
    }
    made.keep();
    Ok(())
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// Name of the page in its directory.
const PAGE: &str = "index.html";

/// The files of a report, which appear in a directory together, the page last. They take the
/// places of those of an earlier report.
///
/// - Until [`Publication::publish`] they have temporary names and vanish with this value.
/// - While they take their places there is no page, so that a page never stands beside files of
///   another run. Reports that come to one directory at the same time take turns there, as far as it can be
///   locked: the last one stays, as if they had come one after the other.
pub struct Publication {
    /// `None`: there are no files, only what is printed.
    dir: Option<PathBuf>,
    force: bool,
    staged: Vec<Staged>,
    /// Names of the files of the report that is there.
    earlier: Vec<String>,
    made: Made,
}

/// Directories that were made for files, the outermost first; with it they vanish unless they are kept, or somebody has
/// put something into them.
#[derive(Default)]
struct Made(Vec<Noted>);

impl Made {
    /// Makes a directory, and those around it that are not there.
    fn make(&mut self, dir: &Path) -> io::Result<()> {
        let missing =
            dir.ancestors().take_while(|dir| !dir.as_os_str().is_empty() && !dir.exists());
        let missing: Vec<&Path> = missing.collect();
        for dir in missing.into_iter().rev() {
            let made = Noted::made(|| fs::create_dir(dir), |()| dir.into());
            match made {
                Ok(((), noted)) => self.0.push(noted),
                // Somebody else was faster.
                Err(error) if error.kind() == ErrorKind::AlreadyExists && dir.is_dir() => {}
                Err(error) => return Err(error),
            }
        }
        if dir.is_dir() { Ok(()) } else { Err(ErrorKind::NotADirectory.into()) }
    }

    fn keep(&mut self) {
        self.0.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        self.0.iter().rev().for_each(|dir| _ = fs::remove_dir(dir.path()));
    }
}

struct Staged {
    name: String,
    file: Temporary,
}

impl Publication {
    /// Looks whether a report may go there, but makes nothing yet; so this can be called before
    /// the work.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if `dir` is no directory, or has the page of another program and is not
    /// to lose it.
    pub fn new(dir: &Path, force: bool) -> Result<Self, Failure> {
        let nothing = Self {
            dir: None,
            force,
            staged: Vec::new(),
            earlier: Vec::new(),
            made: Made::default(),
        };
        if is_standard_output(dir) {
            return Ok(nothing);
        }
        if fs::metadata(dir).is_ok_and(|found| !found.is_dir()) {
            return Err(Failure::unwritable(dir, &"it is not a directory"));
        }
        let _turn = turn(dir);
        let earlier = files_of_earlier(dir, force)?;
        Ok(Self { dir: Some(dir.into()), earlier, ..nothing })
    }

    /// Where a file of the report is to go.
    fn target(&self, path: &Path, name: &str) -> Result<Target, Failure> {
        let target = Target::at(path).map_err(|error| Failure::unwritable(path, &error))?;
        // Whose the page is was asked for before.
        let ours = name == PAGE || self.earlier.iter().any(|earlier| earlier == name);
        match target {
            target if self.force => Ok(target),
            Target::File(..) if name == PAGE => Ok(target),
            // No report leaves a link, and it may lead anywhere.
            _ if is_link(path) => Err(Failure::taken(path)),
            Target::File(..) if !ours => Err(Failure::taken(path)),
            target => Ok(target),
        }
    }

    /// Adds a file `name` that `write` fills.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if it cannot be written, or would replace what is not of a report.
    pub fn add(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some(dir) = &self.dir else { return Ok(()) };
        self.made.make(dir).map_err(|error| Failure::unwritable(dir, &error))?;
        let path = dir.join(name);
        let target = {
            let _turn = turn(dir);
            // Another report may have come since the beginning.
            self.earlier = files_of_earlier(dir, self.force)?;
            self.target(&path, name)?
        };
        let file =
            stage(target.directory(), write).map_err(|error| Failure::unwritable(&path, &error))?;
        self.staged.push(Staged { name: name.into(), file });
        Ok(())
    }

    /// A file without a name, for what may yet be thrown away: nothing is left of it, even if the process is
    /// ended. It lies on the disk of the directory. `None` if there are no files.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if there cannot be one.
    pub fn draft(&self) -> Result<Option<File>, Failure> {
        let Some(dir) = &self.dir else { return Ok(None) };
        let place = dir.ancestors().find(|place| place.is_dir()).unwrap_or(Path::new("."));
        let draft = tempfile::tempfile_in(place);
        draft.map(Some).map_err(|error| Failure::unwritable(dir, &error))
    }

    /// Adds a file `name` with the content of a draft.
    ///
    /// # Errors
    ///
    /// As [`Publication::add`].
    pub fn add_draft(&mut self, name: &str, mut draft: File) -> Result<(), Failure> {
        self.add(name, |out| {
            draft.rewind()?;
            io::copy(&mut draft, out).map(|_| ())
        })
    }

    /// That a file `name` cannot be written.
    pub fn unwritable(&self, name: &str, error: &io::Error) -> Failure {
        let dir = self.dir.as_deref().unwrap_or(Path::new(""));
        Failure::unwritable(&dir.join(name), error)
    }

    /// Puts all files and then `page` in their places, and says where the page is, if anywhere.
    ///
    /// # Errors
    ///
    /// [`Failure::Input`] if a file cannot take its place; then there is no page.
    pub fn publish(mut self, page: &str) -> Result<Option<PathBuf>, Failure> {
        self.add(PAGE, |out| out.write_all(page.as_bytes()))?;
        let Some(dir) = self.dir.clone() else { return Ok(None) };
        let failed = |name: &str, error: &io::Error| Failure::unwritable(&dir.join(name), error);
        let _turn = turn(&dir);
        self.earlier = files_of_earlier(&dir, self.force)?;
        let page = dir.join(PAGE);
        let mut place = match self.target(&page, PAGE)? {
            Target::File(path, _) => {
                fs::remove_file(&path).map_err(|error| failed(PAGE, &error))?;
                Some(Target::New(path))
            }
            other => Some(other),
        };
        let staged = std::mem::take(&mut self.staged);
        let stale = self.earlier.iter().filter(|&name| staged.iter().all(|it| it.name != *name));
        for name in stale {
            remove(&dir.join(name)).map_err(|error| failed(name, &error))?;
        }
        for Staged { name, file } in staged {
            let path = dir.join(&name);
            let target = match place.take_if(|_| name == PAGE) {
                Some(place) => place,
                None => self.target(&path, &name)?,
            };
            target.take(file, self.force).map_err(|error| refused(&path, &error))?;
        }
        self.made.keep();
        Ok(Some(page))
    }
}

/// Waits until no other process puts files in their places in a directory, and keeps others from it as long as
/// this is held. Where a directory cannot be locked, nothing is held.
fn turn(dir: &Path) -> Option<File> {
    File::open(dir).ok().filter(|dir| dir.lock().is_ok())
}

/// The files of the report that a directory has.
///
/// # Errors
///
/// [`Failure::Input`] if its page is another program's, and is not to be replaced by `force`.
fn files_of_earlier(dir: &Path, force: bool) -> Result<Vec<String>, Failure> {
    let page = dir.join(PAGE);
    let unwritable = |error: io::Error| Failure::unwritable(&page, &error);
    let Target::File(path, _) = Target::at(&page).map_err(unwritable)? else { return Ok(vec![]) };
    let files = html::files_of(&head(&path).map_err(unwritable)?);
    if files.is_none() && !force {
        return Err(Failure::foreign(&page));
    }
    Ok(files.unwrap_or_default())
}

/// The beginning of a page: as much as says whose it is.
fn head(path: &Path) -> io::Result<String> {
    const ENOUGH: u64 = 1 << 16;
    let mut bytes = Vec::new();
    File::open(path)?.take(ENOUGH).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Removes a regular file if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => fs::remove_file(path),
        _ => Ok(()),
    }
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
        let mut publication = Publication::new(&dir.path().join("a/b"), false).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        assert!(names(&dir.path().join("a/b")).iter().all(|name| name.starts_with(".locox-")));
        let page = publication.publish("<html>").unwrap().unwrap();
        assert_eq!(names(&dir.path().join("a/b")), ["index.html", "jobs.csv"]);
        assert_eq!(fs::read_to_string(page).unwrap(), "<html>");
    }

    #[test]
    fn a_draft_has_no_name_before_it_is_added_and_its_content_then() {
        let dir = tempfile::tempdir().unwrap();
        let mut publication = Publication::new(&dir.path().join("a/b"), false).unwrap();
        let mut draft = publication.draft().unwrap().unwrap();
        draft.write_all(b"1,2").unwrap();
        assert!(names(dir.path()).is_empty());
        publication.add_draft("jobs.csv", draft).unwrap();
        publication.publish("<html>").unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("a/b/jobs.csv")).unwrap(), "1,2");
    }

    #[cfg(unix)]
    #[test]
    fn others_may_read_a_published_file_as_any_file() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let page = Publication::new(dir.path(), false).unwrap().publish("<html>").unwrap().unwrap();
        let plain = dir.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&page), mode(&plain));
    }

    #[test]
    fn nothing_stays_of_a_publication_that_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let mut publication = Publication::new(dir.path(), false).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        publication.add("broken.csv", |_| Err(io::Error::other("full"))).unwrap_err();
        drop(publication);
        assert!(names(dir.path()).is_empty());
        let mut publication = Publication::new(&dir.path().join("a/b"), false).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        drop(publication);
        assert!(names(dir.path()).is_empty());
    }

    /// The page of a report of one file.
    fn page_of(file: &str) -> String {
        format!(
            "<meta name=\"generator\" content=\"locox 1\"><meta name=\"locox-files\" content=\"{file}\">"
        )
    }

    #[test]
    fn reports_at_the_same_time_are_as_one_after_the_other() {
        let dir = tempfile::tempdir().unwrap();
        // There is nothing at first, then the report of the other.
        for (one, other) in [("a.csv", "b.csv"), ("c.csv", "c.csv"), ("a.csv", "c.csv")] {
            let both = [one, other].map(|name| {
                let mut publication = Publication::new(dir.path(), false).unwrap();
                publication.add(name, |out| out.write_all(name.as_bytes())).unwrap();
                (publication, name)
            });
            for (publication, name) in both {
                publication.publish(&page_of(name)).unwrap();
                let published = |name: &String| !name.starts_with(".locox-");
                let names: Vec<_> = names(dir.path()).into_iter().filter(published).collect();
                assert_eq!(names, [name, PAGE]);
                assert_eq!(fs::read_to_string(dir.path().join(PAGE)).unwrap(), page_of(name));
            }
        }
    }

    #[test]
    fn one_of_many_reports_at_the_same_time_stays_and_is_whole() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..4 {
                let (name, dir) = (format!("jobs-{}.csv", number % 2), dir.path());
                scope.spawn(move || {
                    for _ in 0..20 {
                        let mut publication = Publication::new(dir, false).unwrap();
                        publication.add(&name, |out| out.write_all(b"1,2")).unwrap();
                        publication.publish(&page_of(&name)).unwrap();
                    }
                });
            }
        });
        let page = fs::read_to_string(dir.path().join(PAGE)).unwrap();
        let mut expected = html::files_of(&page).unwrap();
        expected.insert(0, PAGE.into());
        assert_eq!(names(dir.path()), expected);
    }

    /// All see that nothing is there, and then come one after the other.
    #[test]
    fn one_of_many_results_at_the_same_time_stays_by_force_and_the_first_without() {
        let dir = tempfile::tempdir().unwrap();
        for force in [true, false] {
            let path = dir.path().join(format!("{force}"));
            let ready = [b"1", b"2", b"3"].map(|content| {
                let staged = stage(dir.path(), |out| out.write_all(content)).unwrap();
                (Target::at(&path).unwrap(), staged)
            });
            let ends = ready.map(|(target, staged)| {
                let end = target.take(staged, force).map_err(|error| refused(&path, &error));
                end.map_err(|failure| failure.to_string())
            });
            let taken = Err(Failure::taken(&path).to_string());
            let (expected, stays) = match force {
                true => ([Ok(()), Ok(()), Ok(())], "3"),
                false => ([Ok(()), taken.clone(), taken], "1"),
            };
            assert_eq!(ends, expected);
            assert_eq!(fs::read_to_string(&path).unwrap(), stays);
        }
        assert_eq!(names(dir.path()), ["false", "true"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_report_follows_a_link_only_by_force_and_removes_none() {
        use std::os::unix::fs::symlink;
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let report = |force| {
            let mut publication = Publication::new(&at("out"), force)?;
            publication.add("jobs.csv", |out| out.write_all(b"1,2"))?;
            publication.publish(&page_of("jobs.csv"))
        };
        report(false).unwrap();
        fs::write(at("mine"), "mine").unwrap();
        for (link, target) in [("jobs.csv", "../mine"), ("jobs.csv", "../none"), (PAGE, "../none")]
        {
            report(true).unwrap();
            fs::remove_file(at("out").join(link)).unwrap();
            symlink(target, at("out").join(link)).unwrap();
            let told = report(false).unwrap_err().to_string();
            assert!(told.contains(": there is such a file already"), "{told}");
            assert_eq!(fs::read_to_string(at("mine")).unwrap(), "mine");
            assert!(!at("none").exists() && is_link(&at("out").join(link)));
            // Of another report the link stays.
            Publication::new(&at("out"), true).unwrap().publish(&page_of("")).unwrap();
            assert!(is_link(&at("out").join(link)));
            fs::remove_file(at("out").join(link)).unwrap();
            _ = fs::remove_file(at("none"));
        }
    }

    #[test]
    fn an_error_does_not_name_a_file_that_nobody_knows() {
        for dir in ["none", "/proc/self"] {
            let told = stage(Path::new(dir), |_| Ok(())).err().unwrap().to_string();
            assert!(!told.contains(".locox"), "{told}");
        }
    }

    #[test]
    fn an_older_page_goes_before_its_files_are_replaced() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("index.html"), "old").unwrap();
        let mut publication = Publication::new(dir.path(), true).unwrap();
        publication.add("jobs.csv", |out| out.write_all(b"1,2")).unwrap();
        fs::create_dir(dir.path().join("jobs.csv")).unwrap(); // in the way
        let failure = publication.publish("new").unwrap_err();
        assert!(failure.to_string().contains("jobs.csv: cannot be written"), "{failure}");
        assert_eq!(names(dir.path()), ["jobs.csv"]);
    }
}
