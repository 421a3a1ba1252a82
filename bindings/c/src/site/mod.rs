//! The coordinator of a site of unlike machines, and of clusters of them.

mod values;

pub use values::*;

use crate::coordinate::{apply_for_job, coordinator, locox_record};
use crate::mapping::{cells_in, clusters_in};
use crate::prelude::*;
use locox::mapping::{PlannedRun, RunningJob, Runs, Site, Times, UnplacedJob, runs};
use locox_coordinators::site::*;

interface! {
    /// Writes parameters to start from to `config`, with a quantum of so many ticks.
    fn locox_site_standard(quantum: u64, config: *mut locox_site_config) {
        out(config)?.put(Config::new(ticks(quantum), PoolId(0)))
    }

    /// Starts a coordinator that knows of no job, and of no machine that is there. All queues are of the
    /// most urgent level, by PJS and without preemption.
    ///
    /// `LOCOX_WRONG_TABLE` for a cluster (detail) whose members or their number make no sense, or if there
    /// is no machine; `LOCOX_TOO_LONG` for a time that is too long to be added up for all jobs. After
    /// these two a coordinator that was started before is so no more.
    fn locox_site_start(
        site: *mut locox_site, config: *const locox_site_config, model: *const locox_site_model,
        rows: *const locox_site_rows, now: u64; detail
    ) {
        let (place, config) = (place(site)?, config_of(input(config)?)?);
        let (model, rows) = (input(model)?, input(rows)?);
        if rows.job_count == 0 || rows.queue_count == 0 {
            return Err(LOCOX_ZERO.into());
        }
        if rows.queue_count > 254 {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        let resources = model.machines.checked_add(model.cluster_count).ok_or(LOCOX_BAD_ARGUMENT)?;
        let cells = cells_in(model.times, model.job_classes, resources)?;
        let classes = match model.classes.is_null() {
            false => inputs(model.classes, resources)?,
            true if config.learning.is_some() => return Err(LOCOX_NULL.into()),
            true => &[],
        };
        let columns = columns_in(&config, &model, &rows, classes)?;
        place.stop();
        let clusters = (model.clusters, model.cluster_count);
        let clusters = clusters_in(clusters, (rows.clusters, rows.cluster_count))?;
        let site = Site::new(model.machines, clusters)?;
        let times = Times::new(cells, resources).ok_or(LOCOX_WRONG_TABLE)?;
        let known = SiteModel { site, times, classes };
        place.start(Durable::new(Coordinator::new(config, known, columns(), at(now))?))
    }
}

/// The rows of a coordinator, checked, and cleared when they are asked for.
///
/// # Safety
///
/// The contract of `memory`.
unsafe fn columns_in(
    config: &Config,
    model: &locox_site_model,
    rows: &locox_site_rows,
    classes: &[u16],
) -> Answer<impl FnOnce() -> Columns<'static> + use<>> {
    let (jobs, machines, clusters) = (rows.job_count, model.machines, model.cluster_count);
    if rows.machine_count < machines {
        return Err(LOCOX_TOO_SHORT.with_len(machines));
    }
    if rows.cluster_count < clusters {
        return Err(LOCOX_TOO_SHORT.with_len(clusters));
    }
    let resources = machines.saturating_add(clusters);
    let cells = model.job_classes.saturating_mul(resources);
    let class_count = classes.iter().max().map_or(0, |&class| usize::from(class).saturating_add(1));
    let learnt = match config.learning {
        Some(_) => runs(resources, class_count, model.job_classes),
        None => 0,
    };
    let (triple, double) = (jobs.saturating_mul(3), jobs.saturating_mul(2));
    let fivefold = machines.saturating_mul(5);
    // SAFETY: the caller keeps the contract.
    unsafe {
        Ok(columns! { Columns:
            jobs: any_storage(rows.jobs, jobs, jobs)? => JobRow::EMPTY,
            machines: any_storage(rows.machines, machines, machines)? => MachineRow::EMPTY,
            users: any_storage(rows.users, rows.user_count, rows.user_count)? => UserRow::EMPTY,
            queues: any_storage(rows.queues, rows.queue_count, rows.queue_count)? => Policy::EMPTY,
            down: any_storage(rows.down, clusters, clusters)? => 0,
            runs: spaced(rows.runs, rows.run_count, learnt)? => Runs::EMPTY,
            expected: any_storage(rows.expected, rows.expected_count, cells)? => Duration::ZERO,
            open: any_storage(rows.unplaced, jobs, jobs)? => UnplacedJob::EMPTY,
            placements: any_storage(rows.placements, triple, triple)? => PlannedRun::EMPTY,
            running: any_storage(rows.running, jobs, jobs)? => RunningJob::EMPTY,
            numbers: any_storage(rows.numbers, double, double)? => 0,
            next: any_storage(rows.next, machines, machines)? => 0,
            levels: any_storage(rows.levels, jobs, jobs)? => 0,
            instants: any_storage(rows.instants, fivefold, fivefold)? => Instant::ZERO,
        })
    }
}

methods! { site: locox_site |it| it.coordinator() =>
    /// Takes note of what happened at `now`, and does whatever was due by then. `job`, which may be
    /// null, is written for `LOCOX_SITE_SUBMIT`. `record`, which may be null, is to be stored before an
    /// effect is taken, by who keeps a history.
    ///
    /// Refused as `LOCOX_NO_ACCESS`, `LOCOX_FULL` (with the user's limit as detail, or zero if all rows are in use),
    /// `LOCOX_NO_MACHINE` (for this class of jobs) or `LOCOX_OLD`. Misused as `LOCOX_WRONG_SERIAL` (with the next serial
    /// of the user as detail) where a submission is neither the user's next nor the last one again. Afterwards, see
    /// `locox_site_take_effect`.
    raw_act fn locox_site_apply(
        now: u64, command: *const locox_site_command, job: *mut locox_handle, record: *mut locox_record
    ) -> (; detail) { apply_for_job(site, now, command_of(input(command)?)?, |_| (), (job, record)) }

    /// Where a job is.
    look fn locox_site_status_of(job: *const locox_handle) -> (status: locox_site_status) { it.status(job.into())? }

    /// Calls `visit` for each machine that a job has, by rising number; none if it waits.
    /// While `visit` runs, every call on this site, `const` ones too, answers `LOCOX_REENTERED`.
    look fn locox_site_machines_of(job: *const locox_handle, visit: locox_machine_fn, user: *mut c_void) {
        let job = job.into();
        it.status(job)?;
        it.machines_of(job).for_each(|machine| tell_number(visit, machine.0, user))
    }

    /// What jobs of a class are expected to take on a resource; `LOCOX_NONE` if they cannot run there.
    look fn locox_site_expected(job_class: u32, resource: u32) -> (time: u64) {
        it.expected(JobClass(job_class), ResourceId(resource)).ok_or(LOCOX_NONE)?
    }

    /// What a user has, may and has used.
    look fn locox_site_user_of(user: u32) -> (status: locox_site_user_status) {
        it.user(UserId(user)).ok_or(LOCOX_NO_SUCH_USER)?
    }

    /// The policy of a queue.
    look fn locox_site_policy(queue: u32) -> (policy: locox_policy) {
        it.policy(QueueId(queue)).ok_or(LOCOX_NO_SUCH_QUEUE)?
    }

    /// When to say `LOCOX_SITE_TICK` if nothing happens before: at the end of the
    /// quantum, if jobs wait; else `LOCOX_NONE`, if there is nothing to wait for.
    look fn locox_site_wake_at() -> (time: u64) { it.wake_at().ok_or(LOCOX_NONE)? }
}

coordinator! {
    locox_site, locox_site_effect, locox_site_effect_fn:
    locox_site_take_effect, locox_site_peek_effect, locox_site_now, locox_site_place, locox_site_export,
    locox_site_restore, locox_site_load, locox_site_replay, locox_site_resync, locox_site_check
}
