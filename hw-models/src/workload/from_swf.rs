//! From the records of a trace to jobs.

use super::numbers::Numbers;
use super::{Job, Workload};
use crate::swf::columns::{GROUP, NUMBER, PROCESSORS, REQUESTED_PROCESSORS, SUBMIT, USER};
use crate::swf::{self, Header, Reader, Record, Strictness, SwfError, SwfErrorKind};
use locox::time::{Duration, Instant};
use std::path::Path;

/// Reads the trace at `path`, at most `limit` jobs of it.
///
/// A job asks for the processors that it requested or, where the trace does not know, that it was
/// allocated, and for memory likewise. Records without a size or a run time are sound but cannot be run; they are left out,
/// counted, and mentioned in the notes.
///
/// # Errors
///
/// What [`swf::open`] and [`swf::Reader`] report; also times of submission that are unknown or out of order, no
/// processors, the number of an owner beyond 32 bits, a job number that was there before, and no job at all. With [`Strictness::Lenient`] bad lines are skipped
/// and counted instead.
pub fn from_swf(
    path: &Path,
    strictness: Strictness,
    limit: Option<usize>,
) -> Result<Workload, SwfError> {
    from_reader(swf::open(path, strictness)?, name_of(path), limit)
}

/// As [`from_swf`], for a trace in any order, such as what a simulator wrote in the order of completion:
/// jobs are sorted by submission, then by their numbers; the limit is one of the sorted jobs.
///
/// # Errors
///
/// As [`from_swf`], but for the order.
pub fn from_swf_sorted(
    path: &Path,
    strictness: Strictness,
    limit: Option<usize>,
) -> Result<Workload, SwfError> {
    let selection = Selection { limit, sort: true, ..Selection::default() };
    select(&mut swf::open(path, strictness)?, name_of(path), &selection)
}

/// As [`from_swf`] from a reader that is open already.
///
/// # Errors
///
/// As [`from_swf`].
pub fn from_reader(
    mut reader: Reader,
    name: String,
    limit: Option<usize>,
) -> Result<Workload, SwfError> {
    select(&mut reader, name, &Selection { limit, ..Selection::default() })
}

/// Which jobs of a trace are wanted, and how many there is room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Only the first so many.
    pub limit: Option<usize>,
    /// Times of submission may stand in any order: jobs are sorted, and the limit is one of the
    /// sorted jobs.
    pub sort: bool,
    /// More than so many jobs are an error.
    pub room: usize,
    /// Who counts as a job's owner.
    pub owner: Owner,
    /// A job without a number is an error: another file names jobs by theirs.
    pub numbered: bool,
}

/// Who counts as the owner of a job of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Owner {
    /// Its user.
    #[default]
    User,
    /// Its user's group.
    Group,
}

impl Default for Selection {
    /// All, as they stand.
    fn default() -> Self {
        let (limit, room, owner) = (None, usize::MAX, Owner::User);
        Self { limit, sort: false, room, owner, numbered: false }
    }
}

/// The selected jobs of a trace. Afterwards the reader's header is complete.
///
/// # Errors
///
/// As [`from_swf`]; also [`SwfErrorKind::NoRoom`] and [`SwfErrorKind::NoNumber`].
pub fn select(
    reader: &mut Reader,
    name: String,
    selection: &Selection,
) -> Result<Workload, SwfError> {
    let mut stream = JobStream::new(reader, selection);
    let mut jobs = stream.by_ref().collect::<Result<Vec<Job>, SwfError>>()?;
    if selection.sort {
        jobs.sort_by_key(|job| (job.submit, job.id));
        jobs.truncate(selection.limit.unwrap_or(usize::MAX));
    }
    let (notes, incomplete) = (stream.notes(), stream.incomplete());
    let (processors, skipped) = (reader.header().processors(), reader.skipped());
    Ok(Workload { name, jobs, processors, notes, skipped, incomplete })
}

/// The jobs of a trace one by one, in the order of the file, as [`select`] reads them; memory does not
/// grow with jobs whose numbers rise line by line.
///
/// The limit of a selection is one of the jobs in the order of the file; where it sorts, their order is
/// not looked at, and there is no limit. After an error there is nothing more; a trace without any job
/// is one.
///
/// ```
/// use locox_models::swf::{self, Strictness};
/// use locox_models::workload::{JobStream, Selection};
/// let text = "; MaxProcs: 64\n1 5 -1 60 8 -1 -1 8 -1 -1 1 1 1 1 1 1 -1 -1\n";
/// let mut reader = swf::read("day.swf", text.as_bytes(), Strictness::Strict).unwrap();
/// let mut jobs = JobStream::new(&mut reader, &Selection::default());
/// assert_eq!(jobs.next().unwrap().unwrap().submit.ticks(), 5);
/// assert_eq!(jobs.reader().header().processors(), Some(64));
/// assert!(jobs.next().is_none());
/// ```
pub struct JobStream<'r> {
    reader: &'r mut Reader,
    sort: bool,
    left: usize,
    room: usize,
    owner: Owner,
    numbered: bool,
    given: usize,
    incomplete: u64,
    previous: i64,
    numbers: Numbers,
    ended: bool,
}

impl<'r> JobStream<'r> {
    /// The selected jobs of a trace from where its reader stands.
    pub fn new(reader: &'r mut Reader, selection: &Selection) -> Self {
        let &Selection { limit, sort, room, owner, numbered } = selection;
        let left = if sort { usize::MAX } else { limit.unwrap_or(usize::MAX) };
        let numbers = Numbers::default();
        let (given, incomplete, previous, ended) = (0, 0, 0, false);
        Self {
            reader,
            sort,
            left,
            room,
            owner,
            numbered,
            given,
            incomplete,
            previous,
            numbers,
            ended,
        }
    }

    /// What it reads from. The header is complete after the first job.
    pub fn reader(&self) -> &Reader {
        self.reader
    }

    /// Sound records so far that cannot be run because they lack a size or a run time.
    pub fn incomplete(&self) -> u64 {
        self.incomplete
    }

    /// What a reader of results should know, complete at the end: [`Workload::notes`].
    pub fn notes(&self) -> Vec<String> {
        notes(self.reader, self.incomplete)
    }

    fn next_job(&mut self) -> Result<Option<Job>, SwfError> {
        while self.left > 0 {
            let Some(record) = self.reader.next().transpose()? else { break };
            let sound =
                check(&record, self.previous, self.owner).and_then(|()| self.is_new(&record));
            if let Err((column, kind)) = sound {
                self.reader.bad_line(record.line, Some(column), kind)?;
                continue;
            }
            if !self.sort {
                self.previous = record.submit;
            }
            // Of those that cannot be run the numbers are kept.
            if (self.given as u64).saturating_add(self.incomplete) >= self.room as u64 {
                return Err(self.reader.whole_file(SwfErrorKind::NoRoom(self.room)));
            }
            match job(&record, self.owner) {
                Some(_) if self.numbered && record.number < 0 => {
                    let error = self.reader.whole_file(SwfErrorKind::NoNumber);
                    return Err(SwfError {
                        line: Some(record.line),
                        column: Some(NUMBER),
                        ..error
                    });
                }
                Some(job) => {
                    self.given += 1;
                    self.left -= 1;
                    return Ok(Some(job));
                }
                None => self.incomplete += 1,
            }
        }
        match (self.given, self.incomplete) {
            (0, 0) => Err(self.reader.whole_file(SwfErrorKind::NoJobs)),
            (0, all) => Err(self.reader.whole_file(SwfErrorKind::AllIncomplete(all))),
            _ => Ok(None),
        }
    }

    fn is_new(&mut self, record: &Record) -> Result<(), (&'static str, SwfErrorKind)> {
        let &Record { number, line, .. } = record;
        let first = self.numbers.note(number, line);
        first.map_or(Ok(()), |line| Err((NUMBER, SwfErrorKind::Repeated { number, line })))
    }
}

impl Iterator for JobStream<'_> {
    type Item = Result<Job, SwfError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let job = self.next_job().transpose();
        self.ended = !matches!(job, Some(Ok(_)));
        job
    }
}

/// The name of the file without the endings of format and compression.
pub fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let name = name.strip_suffix(".xz").or(name.strip_suffix(".gz")).unwrap_or(&name);
    name.strip_suffix(".swf").unwrap_or(name).to_owned()
}

fn check(record: &Record, previous: i64, owner: Owner) -> Result<(), (&'static str, SwfErrorKind)> {
    let submit = record.submit;
    if submit < 0 {
        return Err((SUBMIT, SwfErrorKind::NoSubmit));
    }
    if submit < previous {
        return Err((SUBMIT, SwfErrorKind::OutOfOrder { submit, previous }));
    }
    let (column, number) = owner_of(record, owner);
    if number > i64::from(u32::MAX) {
        return Err((column, SwfErrorKind::OwnerTooLarge(number)));
    }
    let (column, size) = match record.requested_processors {
        -1 => (PROCESSORS, record.processors),
        requested => (REQUESTED_PROCESSORS, requested),
    };
    match size {
        0 => Err((column, SwfErrorKind::NoProcessors)),
        _ if size > i64::from(u32::MAX) => Err((column, SwfErrorKind::TooManyProcessors(size))),
        _ => Ok(()),
    }
}

fn owner_of(record: &Record, owner: Owner) -> (&'static str, i64) {
    match owner {
        Owner::User => (USER, record.user),
        Owner::Group => (GROUP, record.group),
    }
}

/// The job of a record that was checked; `None` if its size or its run time is unknown.
fn job(record: &Record, owner: Owner) -> Option<Job> {
    let (_, owner) = owner_of(record, owner);
    let known = |value: i64| u64::try_from(value).ok();
    let size = known(record.requested_processors).or(known(record.processors))?;
    Some(Job {
        id: known(record.number).unwrap_or(record.line),
        line: Some(record.line),
        submit: Instant::from_ticks(known(record.submit)?),
        processors: u32::try_from(size).ok()?,
        shape: None,
        memory: memory(record),
        demand: None,
        run: Duration::from_ticks(known(record.run)?),
        requested: known(record.requested_time).map(Duration::from_ticks),
        user: u32::try_from(owner).ok(),
    })
}

/// What was requested or, where the trace does not know, used; in MiB, rounded up.
fn memory(record: &Record) -> u32 {
    let known = |value: i64| u64::try_from(value).ok();
    let kilobytes = known(record.requested_memory).or(known(record.memory)).unwrap_or(0);
    u32::try_from(kilobytes.div_ceil(1024)).unwrap_or(u32::MAX)
}

fn notes(reader: &Reader, incomplete: u64) -> Vec<String> {
    let Header { computer, installation, acknowledge, .. } = reader.header();
    let origin = |key: &str, value: &String| format!("{key}: {value}");
    let mut notes = Vec::new();
    notes.extend(computer.iter().map(|value| origin("Computer", value)));
    notes.extend(installation.iter().map(|value| origin("Installation", value)));
    notes.extend(acknowledge.iter().map(|value| origin("Acknowledge", value)));
    if incomplete > 0 {
        notes.push(format!("Left out for lack of a size or a run time: {incomplete}"));
    }
    if let Some(first) = reader.first_skipped() {
        let (skipped, first) = (reader.skipped(), first.finding());
        notes.push(format!("Bad lines skipped: {skipped}, the first: {first}"));
    }
    notes
}
