//! The coordinator's invariants, recomputed.

use super::storage::{JobRow, RUNS};
use super::{Batch, Coordinator, Terms};
use locox::dispatch::{Discipline, SizeClass};
use locox::ground::{UNTOLD, ensure};
use locox::invariant::InvariantViolation;
use locox::timeshare::{HostId, JobNumber};

/// Checks every invariant named at the struct, and those of the table.
pub(super) fn check<P, D: Discipline>(
    it: &Coordinator<'_, P, D>,
) -> Result<(), InvariantViolation> {
    it.table.check_invariants()?;
    it.core.jobs.check(&*it.jobs)?;
    ensure(it.core.jobs.pool() == it.config.pool, "the pool of the jobs")?;
    let used = it.core.jobs.used();
    let waits = |row: u32, job: &JobRow| {
        let is_in_line = job.line == u16::from(it.discipline.line(SizeClass::of(job.hosts)).get());
        row < used && job.generation.is_live() && is_in_line
    };
    let queued = it.core.waiting.audit(it.jobs, waits);
    let mut waiting = 0u32;
    for (row, job) in (0..).zip(&*it.jobs) {
        let number = JobNumber(row);
        let open = row < used && job.generation.is_live();
        let placed = it.table.request(number);
        let Terms { set, memory, .. } = job.terms();
        let has_terms = !open || set <= it.config.sets && (memory == 0 || it.config.memory);
        ensure(has_terms, "a job has terms that the configuration does not know")?;
        if open && job.line == RUNS {
            ensure(placed == Ok(job.request()), "a job that runs is not in the table")?;
        } else {
            ensure(placed.is_err(), "a job is in the table and does not run")?;
            waiting = waiting.wrapping_add(open.into());
        }
    }
    ensure(queued == Some(waiting), "the queue is not that of the jobs that wait, in their lines")?;
    let keys = it.core.waiting.iter(it.jobs).map(|(_, job)| job.key);
    ensure(keys.is_sorted(), "jobs do not wait by their keys")?;
    let mut hosts = (0..it.table.hosts()).map(HostId);
    let of_batch = |host, told| told == UNTOLD || told <= it.due.batch(host).number;
    let is_told = |host| it.table.told(host).all(|(_, told)| of_batch(host, told));
    ensure(hosts.clone().all(is_told), "a job was told in a batch that was never made")?;
    let is_known = |host| it.due.batch(host) > Batch::default();
    ensure(
        hosts.all(|at| !it.due.contains(at) || is_known(at)),
        "a host that never reported is to be told",
    )
}
