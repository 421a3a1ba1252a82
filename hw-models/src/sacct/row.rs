//! From a line to a run, or to the reason why it is none.

use super::clock::seconds;
use super::columns::Columns;
use super::id::{self, Id};
use super::names::Names;
use super::report::Drop;
use super::run::{Run, Status};
use super::unit::Unit;
use super::value::{count, duration, limit, limit_of_minutes, tres};

/// Names of all lines.
#[derive(Debug, Default)]
pub(super) struct Directory {
    pub(super) users: Names,
    pub(super) groups: Names,
    pub(super) partitions: Names,
}

/// Reads a line.
///
/// # Errors
///
/// Why it is not kept.
pub(super) fn run(
    line: u64,
    text: &str,
    columns: &Columns,
    unit: Unit,
    directory: &mut Directory,
) -> Result<Run, Drop> {
    let fields: Vec<&str> = text.split('|').map(str::trim).collect();
    if fields.len() != columns.count {
        return Err(Drop::Fields);
    }
    let field = |at: Option<usize>| at.map_or("", |at| fields[at]);
    let id = match id::parse(fields[columns.id]).ok_or(Drop::Value("JobID"))? {
        Id::Step => return Err(Drop::Step),
        Id::Tasks => return Err(never_ran(fields[columns.state])),
        Id::Job(id) => id,
    };
    let state = fields[columns.state];
    let start = time(fields[columns.start], "Start")?;
    let end = time(field(columns.end), "End")?;
    let allocated = allocated(field(columns.allocated), field(columns.tres), unit)?;
    let Some(start) = start else { return Err(never_ran(state)) };
    let Some(end) = end else { return Err(Drop::Running) };
    if !is_final(state) {
        return Err(Drop::Running);
    }
    let submit = time(fields[columns.submit], "Submit")?.ok_or(Drop::Value("Submit"))?;
    // What was cancelled in the queue may have a start: that of its end.
    if allocated == 0 {
        return Err(if start == end { Drop::NeverStarted } else { Drop::NoSize });
    }
    if end < start || start < submit {
        return Err(Drop::Times);
    }
    let suspended = optional(field(columns.suspended), "Suspended")?.unwrap_or(0);
    let elapsed = optional(field(columns.elapsed), "Elapsed")?;
    let limit = match (columns.limit, columns.limit_minutes) {
        (Some(at), _) => limit(fields[at]),
        (None, Some(at)) => limit_of_minutes(fields[at]),
        (None, None) => Some(None),
    };
    Ok(Run {
        submit,
        id,
        start,
        line,
        run: elapsed.unwrap_or((end - start - suspended).max(0)),
        processors: allocated,
        requested: count(field(columns.requested)).ok_or(Drop::Value(unit.requested()))?,
        limit: limit.ok_or(Drop::Value("Timelimit"))?,
        suspended: suspended > 0,
        status: status(state),
        user: directory.users.number(field(columns.user)),
        group: directory.groups.number(field(columns.group)),
        partition: directory.partitions.number(field(columns.partition)),
    })
}

/// A time; none if Slurm does not know it.
fn time(text: &str, column: &'static str) -> Result<Option<i64>, Drop> {
    match text {
        "" | "Unknown" | "None" | "N/A" => Ok(None),
        _ => seconds(text).map(Some).ok_or(Drop::Value(column)),
    }
}

fn optional(text: &str, column: &'static str) -> Result<Option<i64>, Drop> {
    match text {
        "" | "Unknown" | "None" | "INVALID" => Ok(None),
        _ => duration(text).map(Some).ok_or(Drop::Value(column)),
    }
}

/// What it was given: the column itself or, where that is empty, the list of resources.
fn allocated(text: &str, list: &str, unit: Unit) -> Result<u32, Drop> {
    match count(text).ok_or(Drop::Value(unit.column()))? {
        0 => tres(list, unit.resource()).ok_or(Drop::Value("AllocTRES")),
        number => Ok(number),
    }
}

/// The first word: `CANCELLED by 1000` says by whom.
fn word(state: &str) -> &str {
    state.split([' ', '+']).next().unwrap_or(state)
}

fn never_ran(state: &str) -> Drop {
    if is_final(state) { Drop::NeverStarted } else { Drop::Waiting }
}

fn is_final(state: &str) -> bool {
    !matches!(
        word(state),
        "PENDING" | "RUNNING" | "SUSPENDED" | "RESIZING" | "COMPLETING" | "CONFIGURING"
    )
}

fn status(state: &str) -> Status {
    match word(state) {
        "COMPLETED" => Status::Completed,
        "CANCELLED" | "REVOKED" => Status::Cancelled,
        _ => Status::Failed,
    }
}
