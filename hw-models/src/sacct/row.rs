//! From a line to a run, or to the reason why it is none.

use super::clock::seconds;
use super::columns::Columns;
use super::error::SacctErrorKind;
use super::id::{self, Id};
use super::names::{LONGEST, Names};
use super::options::Options;
use super::report::Drop;
use super::resources::{Lists, MOST_OF_LISTS, Resources, has_usable_names};
use super::run::{Run, Status, Whole};
use super::unit::Unit;
use super::value::{count, duration, limit, limit_of_minutes, tres};
use crate::memory::Room;

/// Names of all lines that are kept.
#[derive(Debug)]
pub(super) struct Directory {
    pub(super) users: Names,
    pub(super) groups: Names,
    pub(super) partitions: Names,
    pub(super) lists: Lists,
    names_room: Room,
    lists_room: Room,
}

impl Default for Directory {
    fn default() -> Self {
        let names = Names::default;
        let (users, groups, partitions, lists) = (names(), names(), names(), Lists::default());
        let (names_room, lists_room) = (Room::of(LONGEST), Room::asked(MOST_OF_LISTS, 4));
        Self { users, groups, partitions, lists, names_room, lists_room }
    }
}

impl Directory {
    /// The run with the numbers of its names.
    ///
    /// # Errors
    ///
    /// That there is no room for them.
    pub(super) fn numbered(&mut self, row: Row<'_>) -> Result<Run, SacctErrorKind> {
        let Row { run, names: [user, group, partition], resources: (resources, length) } = row;
        let resources = self.lists.number(resources, length, &mut self.lists_room);
        let resources = resources.map_err(SacctErrorKind::Lists)?;
        let mut number = |of: &mut Names, name| {
            of.number(name, &mut self.names_room).map_err(SacctErrorKind::Names)
        };
        Ok(Run {
            user: number(&mut self.users, user)?,
            group: number(&mut self.groups, group)?,
            partition: number(&mut self.partitions, partition)?,
            resources,
            ..run
        })
    }
}

/// A run, the names of its user, group and partition, and what it asks for of nodes with the length of the list.
pub(super) struct Row<'t> {
    run: Run,
    names: [&'t str; 3],
    resources: (Option<Resources>, usize),
}

/// Reads a line.
///
/// # Errors
///
/// Why it is not kept.
pub(super) fn run<'t>(
    line: u64,
    text: &'t str,
    columns: &Columns,
    &Options { unit, demands, .. }: &Options,
) -> Result<Row<'t>, Drop> {
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
    let Some(start) = start else { return Err(never_ran(state)) };
    let Some(end) = end else { return Err(Drop::Running) };
    if !is_final(state) {
        return Err(Drop::Running);
    }
    let allocated = allocated(field(columns.allocated), field(columns.tres), unit)?;
    let submit = time(fields[columns.submit], "Submit")?.ok_or(Drop::Value("Submit"))?;
    let elapsed = optional(field(columns.elapsed), "Elapsed")?;
    if allocated == 0 {
        return Err(if start == end { Drop::NeverStarted } else { Drop::NoSize });
    }
    let took_no_time = start == end && elapsed.unwrap_or(0) == 0;
    if took_no_time && is_given_nothing(&fields, columns) {
        return Err(Drop::NeverStarted);
    }
    if end < start || start < submit {
        return Err(Drop::Times);
    }
    let suspended = optional(field(columns.suspended), "Suspended")?.unwrap_or(0);
    let limit = match (columns.limit, columns.limit_minutes) {
        (Some(at), _) => limit(fields[at]),
        (None, Some(at)) => limit_of_minutes(fields[at]),
        (None, None) => Some(None),
    };
    let run = Run {
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
        user: 0,
        group: 0,
        partition: 0,
        resources: 0,
    };
    let names = [columns.user, columns.group, columns.partition].map(field);
    let resources = match demands {
        true => resources(field(columns.tres), field(columns.asked), allocated)?,
        false => (None, 0),
    };
    Ok(Row { run, names, resources })
}

/// Whether a job that took no time was cancelled in the queue. Newer versions give it no start. Older ones give it the start
/// of its end, and as allocated what it asked for; of those that list allocated resources the list is empty, and where
/// there is no such list, only its state tells.
fn is_given_nothing(fields: &[&str], columns: &Columns) -> bool {
    let state = word(fields[columns.state]);
    match columns.tres {
        // Nobody runs to the end on nothing: the list has been lost.
        Some(tres) => fields[tres].is_empty() && state != "COMPLETED",
        None => matches!(state, "CANCELLED" | "DEADLINE" | "REVOKED"),
    }
}

/// The heterogeneous job that a line is a component of which was dropped for what it is or may be: a run that has not ended.
pub(super) fn unended(why: Drop, text: &str, columns: &Columns) -> Option<Whole> {
    if matches!(why, Drop::Step | Drop::NeverStarted) {
        return None;
    }
    let fields: Vec<&str> = text.split('|').map(str::trim).collect();
    let Some(Id::Job(id)) = id::parse(fields.get(columns.id)?) else { return None };
    id.whole(seconds(fields.get(columns.submit)?)?)
}

/// A time; none if Slurm does not know it.
fn time(text: &str, column: &'static str) -> Result<Option<i64>, Drop> {
    match text {
        "" | "Unknown" | "None" | "N/A" => Ok(None),
        // `%s` prints 0 for a start or an end that is not known.
        "0" if column != "Submit" => Ok(None),
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

/// What it was given or, where that is empty, asked for, and how long the list is.
///
/// Of nodes a job asks for the least number that will do, so that what it was given says better what it took of each.
fn resources(
    given: &str,
    asked: &str,
    processors: u32,
) -> Result<(Option<Resources>, usize), Drop> {
    let (list, column) = if given.is_empty() { (asked, "ReqTRES") } else { (given, "AllocTRES") };
    let resources = Resources::of(list, processors).ok_or(Drop::Value(column))?;
    if !has_usable_names(list) {
        return Err(Drop::Name(column));
    }
    Ok((resources, list.len()))
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
