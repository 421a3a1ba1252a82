//! From the records of a trace to jobs.

use super::{Job, Workload};
use crate::swf::columns::{GROUP, NUMBER, PROCESSORS, REQUESTED_PROCESSORS, SUBMIT, USER};
use crate::swf::{self, Header, Reader, Record, Strictness, SwfError, SwfErrorKind};
use locox::time::{Duration, Instant};
use std::collections::HashMap;
use std::path::Path;

/// Reads the trace at `path`, at most `limit` jobs of it.
///
/// A job asks for the processors that it requested or, where the trace does not know, that it was
/// allocated. Records without a size or a run time are sound but cannot be run; they are left out,
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
        Self { limit: None, sort: false, room: usize::MAX, owner: Owner::User }
    }
}

/// The selected jobs of a trace. Afterwards the reader's header is complete.
///
/// # Errors
///
/// As [`from_swf`]; also [`SwfErrorKind::NoRoom`].
pub fn select(
    reader: &mut Reader,
    name: String,
    selection: &Selection,
) -> Result<Workload, SwfError> {
    let limit = selection.limit.unwrap_or(usize::MAX);
    let read = if selection.sort { usize::MAX } else { limit };
    let (mut jobs, incomplete) = collect(reader, read, selection)?;
    if jobs.is_empty() {
        let kind = match incomplete {
            0 => SwfErrorKind::NoJobs,
            _ => SwfErrorKind::AllIncomplete(incomplete),
        };
        return Err(reader.whole_file(kind));
    }
    if selection.sort {
        jobs.sort_by_key(|job| (job.submit, job.id));
        jobs.truncate(limit);
    }
    Ok(Workload {
        name,
        jobs,
        processors: reader.header().processors(),
        notes: notes(reader, incomplete),
        skipped: reader.skipped(),
        incomplete,
    })
}

/// At most `limit` jobs in the order of the file, and how many records could not be run.
fn collect(
    reader: &mut Reader,
    limit: usize,
    selection: &Selection,
) -> Result<(Vec<Job>, u64), SwfError> {
    let mut jobs = Vec::new();
    let mut incomplete = 0;
    let mut previous = 0;
    let mut lines = HashMap::new();
    while jobs.len() < limit {
        let Some(record) = reader.next().transpose()? else { break };
        let sound =
            check(&record, previous, selection.owner).and_then(|()| is_new(&record, &mut lines));
        if let Err((column, kind)) = sound {
            reader.bad_line(record.line, Some(column), kind)?;
            continue;
        }
        if !selection.sort {
            previous = record.submit;
        }
        match job(&record, selection.owner) {
            Some(_) if jobs.len() == selection.room => {
                return Err(reader.whole_file(SwfErrorKind::NoRoom(selection.room)));
            }
            Some(job) => jobs.push(job),
            None => incomplete += 1,
        }
    }
    Ok((jobs, incomplete))
}

/// Notes the line that each job number stands in; an unknown number is nobody's.
fn is_new(
    record: &Record,
    lines: &mut HashMap<i64, u64>,
) -> Result<(), (&'static str, SwfErrorKind)> {
    let &Record { number, line, .. } = record;
    if number < 0 {
        return Ok(());
    }
    match *lines.entry(number).or_insert(line) {
        first if first == line => Ok(()),
        first => Err((NUMBER, SwfErrorKind::Repeated { number, line: first })),
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
        run: Duration::from_ticks(known(record.run)?),
        requested: known(record.requested_time).map(Duration::from_ticks),
        user: u32::try_from(owner).ok(),
    })
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
