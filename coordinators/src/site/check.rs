//! The coordinator's invariants, recomputed.

use super::storage::{JobRow, State};
use super::tables::Tables;
use locox::ground::ensure;
use locox::invariant::InvariantViolation;
use locox::mapping::Times;

/// Checks every invariant named at the coordinator.
pub(super) fn check(tables: &Tables<'_>) -> Result<(), InvariantViolation> {
    let columns = &tables.columns;
    tables.core.jobs.check(&*columns.jobs)?;
    ensure(tables.core.jobs.pool() == tables.config.pool, "the pool of the jobs")?;
    let listed = tables.core.all.audit(columns.jobs, |row, job| is_open(tables, row, job));
    ensure(listed == Some(tables.core.jobs.open_count()), "the list of all jobs")?;
    let waiting = tables.core.all.iter(columns.jobs).filter(|(_, job)| job.state == State::Waits);
    ensure(waiting.count() == tables.core.waiting as usize, "the count of jobs that wait")?;
    tables.core.all.iter(columns.jobs).try_for_each(|(row, job)| check_job(tables, row, job))?;
    check_machines(tables)?;
    check_due(tables)?;
    check_users(tables)?;
    check_policies(tables)?;
    check_links(tables)?;
    check_expected(tables)
}

/// Rows of storage that no job has used yet may have any content.
fn is_open(tables: &Tables, row: u32, job: &JobRow) -> bool {
    row < tables.core.jobs.used() && job.generation.is_live()
}

fn check_job(tables: &Tables, row: u32, job: &JobRow) -> Result<(), InvariantViolation> {
    let resources = tables.model.site.resources();
    let there = (job.class as usize) < tables.model.times.jobs()
        && (job.user as usize) < tables.columns.users.len()
        && (job.queue as usize) < tables.columns.queues.len();
    ensure(there, "the class, user and queue of a job are there")?;
    let place = job.place.get();
    ensure(place.is_none_or(|at| (at as usize) < resources), "a place is a resource")?;
    let has = tables.columns.machines.iter().filter(|it| it.job.get() == Some(row)).count();
    if job.state == State::Waits {
        ensure(has == 0, "a job that waits has no machine")?;
        return ensure(place.is_none_or(|at| tables.is_usable(at)), "a place can take a job");
    }
    ensure(has > 0 && place.is_some(), "a job that runs or leaves has machines")
}

fn check_machines(tables: &Tables) -> Result<(), InvariantViolation> {
    for (at, machine) in (0..).zip(&*tables.columns.machines) {
        let Some(row) = machine.job.get() else { continue };
        let job = tables.job(row);
        let runs = is_open(tables, row, &job) && job.state != State::Waits;
        let place = job.place.get().filter(|_| runs);
        let is_member = place.is_some_and(|place| tables.members(place).any(|it| it == at));
        ensure(is_member, "a machine's job is one of a resource that it belongs to")?;
    }
    Ok(())
}

fn check_due(tables: &Tables) -> Result<(), InvariantViolation> {
    let runs = |job: &JobRow| job.generation.is_live() && job.state != State::Waits;
    let mut due = tables.used_jobs().filter(|(_, job)| job.due != 0);
    let fits = due.all(|(row, job)| runs(job) && row >= tables.core.due_from);
    ensure(fits, "what is due is of a job that has machines")
}

fn check_users(tables: &Tables) -> Result<(), InvariantViolation> {
    let all = || tables.core.all.iter(tables.columns.jobs);
    let jobs_of = |at: u32| all().filter(|(_, job)| job.user == at).count();
    let mut users = (0..).zip(&*tables.columns.users);
    ensure(users.all(|(at, user)| jobs_of(at) == user.jobs as usize), "the count of a user's jobs")
}

fn check_policies(tables: &Tables) -> Result<(), InvariantViolation> {
    let queues = &*tables.columns.queues;
    let mut agree = queues.iter().map(|policy| queues.iter().all(|other| policy.agrees(other)));
    ensure(agree.all(|it| it), "levels agree with who takes places from whom")
}

fn check_links(tables: &Tables) -> Result<(), InvariantViolation> {
    let down = tables.down();
    let once = |link: &u32| down.iter().filter(|it| *it == link).count() == 1;
    let fits = down.iter().all(|link| once(link) && tables.check_link(*link).is_ok());
    ensure(fits, "an interconnect is down once")
}

fn check_expected(tables: &Tables) -> Result<(), InvariantViolation> {
    let times = tables.expected();
    let agrees = tables.model.cells().all(|(class, resource)| {
        times.on(class, resource).unwrap_or(Times::NEVER) == tables.look_up((class, resource))
    });
    ensure(agrees, "expected times are what runs and table say")
}
