//! From the records of a trace to jobs.

use super::{Job, Workload};
use crate::swf::columns::{PROCESSORS, REQUESTED_PROCESSORS, SUBMIT};
use crate::swf::{self, Header, Reader, Record, Strictness, SwfError, SwfErrorKind};
use locox::time::{Duration, Instant};
use std::path::Path;

/// Reads the trace at `path`, at most `limit` jobs of it.
///
/// A job asks for the processors that it requested or, where the trace does not know, that it was
/// allocated. Records without a size or a run time are sound but cannot be run; they are left out,
/// counted, and mentioned in the notes.
///
/// # Errors
///
/// What [`swf::open`] and [`swf::Reader`] report; also times of submission that are unknown or out
/// of order, no processors, and no job at all. With [`Strictness::Lenient`] bad lines are skipped
/// and counted instead.
pub fn from_swf(
    path: &Path,
    strictness: Strictness,
    limit: Option<usize>,
) -> Result<Workload, SwfError> {
    from_reader(swf::open(path, strictness)?, name_of(path), limit)
}

/// The same for a trace in any order, such as what a simulator wrote in the order of completion:
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
    let mut workload =
        collect(swf::open(path, strictness)?, name_of(path), usize::MAX, Order::Any)?;
    workload.jobs.sort_by_key(|job| (job.submit, job.id));
    workload.jobs.truncate(limit.unwrap_or(usize::MAX));
    Ok(workload)
}

/// As [`from_swf`] from a reader that is open already.
///
/// # Errors
///
/// As [`from_swf`].
pub fn from_reader(
    reader: Reader,
    name: String,
    limit: Option<usize>,
) -> Result<Workload, SwfError> {
    collect(reader, name, limit.unwrap_or(usize::MAX), Order::Rising)
}

/// In which order times of submission may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Rising,
    Any,
}

fn collect(
    mut reader: Reader,
    name: String,
    limit: usize,
    order: Order,
) -> Result<Workload, SwfError> {
    let mut jobs = Vec::new();
    let mut incomplete = 0;
    let mut previous = 0;
    while jobs.len() < limit {
        let Some(record) = reader.next().transpose()? else { break };
        if let Err((column, kind)) = check(&record, previous) {
            reader.bad_line(record.line, Some(column), kind)?;
            continue;
        }
        if order == Order::Rising {
            previous = record.submit;
        }
        match job(&record) {
            Some(job) => jobs.push(job),
            None => incomplete += 1,
        }
    }
    if jobs.is_empty() {
        return Err(reader.whole_file(SwfErrorKind::NoJobs));
    }
    Ok(Workload {
        name,
        jobs,
        processors: reader.header().processors(),
        notes: notes(&reader, incomplete),
        skipped: reader.skipped(),
        incomplete,
    })
}

/// The name of the file without the endings of format and compression.
fn name_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let name = name.strip_suffix(".xz").or(name.strip_suffix(".gz")).unwrap_or(&name);
    name.strip_suffix(".swf").unwrap_or(name).to_owned()
}

fn check(record: &Record, previous: i64) -> Result<(), (&'static str, SwfErrorKind)> {
    let submit = record.submit;
    if submit < 0 {
        return Err((SUBMIT, SwfErrorKind::NoSubmit));
    }
    if submit < previous {
        return Err((SUBMIT, SwfErrorKind::OutOfOrder { submit, previous }));
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

/// The job of a record that was checked; `None` if its size or its run time is unknown.
fn job(record: &Record) -> Option<Job> {
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
        user: u32::try_from(record.user).ok(),
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
