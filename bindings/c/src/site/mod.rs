//! The coordinator of a site of unlike machines, and of clusters of them.

mod values;

pub use values::*;

use crate::coordinate::{self, coordinator, locox_record};
use crate::interface::interface;
use crate::mapping::{cells_in, clusters_in};
use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::{at, ticks};
use core::ffi::c_void;
use locox::coordinate::Durable;
use locox::handle::PoolId;
use locox::mapping::{PlannedRun, RunningJob, Runs, Site, Times, UnplacedJob, runs};
use locox::site::{
    Columns, Config, Coordinator, JobClass, JobRow, MachineRow, Policy, QueueId, ResourceId,
    SiteModel, UserId, UserRow,
};
use locox::time::{Duration, Instant};

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
        let (place, config) = (place(site)?, config_of(&input(config)?)?);
        let (model, rows) = (input(model)?, input(rows)?);
        if rows.job_count == 0 || rows.queue_count == 0 {
            return Err(LOCOX_ZERO.into());
        }
        if rows.queue_count > 254 {
            return Err(LOCOX_BAD_ARGUMENT.into());
        }
        let resources =
            model.machines.checked_add(model.cluster_count).ok_or(LOCOX_BAD_ARGUMENT)?;
        let cells = cells_in(model.times, model.job_classes, resources)?;
        let classes = match model.classes.is_null() {
            false => inputs(model.classes, resources)?,
            true if config.learning.is_some() => return Err(LOCOX_NULL.into()),
            true => &[],
        };
        let columns = checked(&config, &model, &rows, classes)?;
        place.stop();
        let clusters = (model.clusters, model.cluster_count);
        let clusters = clusters_in(clusters, (rows.clusters, rows.cluster_count))?;
        let site = Site::new(model.machines, clusters)?;
        let times = Times::new(cells, resources).ok_or(LOCOX_WRONG_TABLE)?;
        let known = SiteModel { site, times, classes };
        place.start(Durable::new(Coordinator::new(config, known, columns.cleared(), at(now))?))
    }
}

/// Columns that are long enough, not touched yet.
struct Checked {
    jobs: Storage<JobRow>,
    machines: Storage<MachineRow>,
    users: Storage<UserRow>,
    queues: Storage<Policy>,
    down: Storage<u32>,
    runs: Storage<Runs>,
    expected: Storage<Duration>,
    open: Storage<UnplacedJob>,
    placements: Storage<PlannedRun>,
    running: Storage<RunningJob>,
    numbers: Storage<u32>,
    next: Storage<u32>,
    levels: Storage<u8>,
    instants: Storage<Instant>,
}

/// # Safety
///
/// The contract of `memory`.
unsafe fn checked(
    config: &Config,
    model: &locox_site_model,
    rows: &locox_site_rows,
    classes: &[u16],
) -> Answer<Checked> {
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
    // So many as there must be are there, by the caller's word.
    let times = |count: usize, each: usize| count.saturating_mul(each);
    // SAFETY: the caller keeps the contract.
    unsafe {
        Ok(Checked {
            jobs: any_storage(rows.jobs, jobs, jobs)?,
            machines: any_storage(rows.machines, machines, machines)?,
            users: any_storage(rows.users, rows.user_count, rows.user_count)?,
            queues: any_storage(rows.queues, rows.queue_count, rows.queue_count)?,
            down: any_storage(rows.down, clusters, clusters)?,
            runs: spaced(rows.runs, rows.run_count, learnt)?,
            expected: any_storage(rows.expected, rows.expected_count, cells)?.first(cells),
            open: any_storage(rows.unplaced, jobs, jobs)?,
            placements: any_storage(rows.placements, times(jobs, 3), times(jobs, 3))?,
            running: any_storage(rows.running, jobs, jobs)?,
            numbers: any_storage(rows.numbers, times(jobs, 2), times(jobs, 2))?,
            next: any_storage(rows.next, machines, machines)?,
            levels: any_storage(rows.levels, jobs, jobs)?,
            instants: any_storage(rows.instants, times(machines, 5), times(machines, 5))?,
        })
    }
}

impl Checked {
    fn cleared(self) -> Columns<'static> {
        Columns {
            jobs: self.jobs.cleared(JobRow::EMPTY),
            machines: self.machines.cleared(MachineRow::EMPTY),
            users: self.users.cleared(UserRow::EMPTY),
            queues: self.queues.cleared(Policy::EMPTY),
            down: self.down.cleared(0),
            runs: self.runs.cleared(Runs::EMPTY),
            expected: self.expected.cleared(Duration::ZERO),
            open: self.open.cleared(UnplacedJob::EMPTY),
            placements: self.placements.cleared(PlannedRun::EMPTY),
            running: self.running.cleared(RunningJob::EMPTY),
            numbers: self.numbers.cleared(0),
            next: self.next.cleared(0),
            levels: self.levels.cleared(0),
            instants: self.instants.cleared(Instant::ZERO),
        }
    }
}

interface! {
    /// Takes note of what happened at `now`, and does whatever was due by then. `job`, which may be
    /// null, is written for `LOCOX_SITE_SUBMIT`. `record`, which may be null, is to be stored before an
    /// effect is taken, by who keeps a history.
    ///
    /// Refused as `LOCOX_NO_ACCESS`, `LOCOX_FULL` (with the user's limit as detail, or zero if all rows are in use),
    /// `LOCOX_NO_MACHINE` (for this class of jobs) or `LOCOX_OLD`. Misused as `LOCOX_WRONG_SERIAL` (with the next serial
    /// of the user as detail) where a submission is neither the user's next nor the last one again. Afterwards, see
    /// `locox_site_take_effect`.
    fn locox_site_apply(
        site: *mut locox_site, now: u64, command: *const locox_site_command, job: *mut locox_handle,
        record: *mut locox_record; detail
    ) {
        let command = command_of(&input(command)?)?;
        coordinate::apply_for_job(site, now, command, |_| (), (job, record))
    }

    /// Where a job is.
    fn locox_site_status_of(
        site: *const locox_site, job: *const locox_handle, status: *mut locox_site_status
    ) {
        get(site, status, |it| Ok(it.coordinator().status(input(job)?.into())?))
    }

    /// Calls `visit` for each machine that a job has, by rising number; none if it waits.
    /// While `visit` runs, every call on this site, `const` ones too, answers `LOCOX_REENTERED`.
    fn locox_site_machines_of(
        site: *const locox_site, job: *const locox_handle, visit: locox_machine_fn,
        user: *mut c_void
    ) {
        let job = input(job)?.into();
        of(site, |it| {
            let coordinator = it.coordinator();
            coordinator.status(job)?;
            let Some(visit) = visit else { return Ok(()) };
            coordinator.machines_of(job).for_each(|machine| visit(machine.0, user));
            Ok(())
        })
    }

    /// What jobs of a class are expected to take on a resource; `LOCOX_NONE` if they cannot run there.
    fn locox_site_expected(site: *const locox_site, job_class: u32, resource: u32, time: *mut u64) {
        get(site, time, |it| {
            let time = it.coordinator().expected(JobClass(job_class), ResourceId(resource));
            Ok(time.ok_or(LOCOX_NONE)?.ticks())
        })
    }

    /// What a user has, may and has used.
    fn locox_site_user_of(
        site: *const locox_site, user: u32, status: *mut locox_site_user_status
    ) {
        get(site, status, |it| {
            let status = it.coordinator().user(UserId(user));
            Ok(status.ok_or(LOCOX_NO_SUCH_USER)?)
        })
    }

    /// The policy of a queue.
    fn locox_site_policy(site: *const locox_site, queue: u32, policy: *mut locox_policy) {
        get(site, policy, |it| {
            let policy = it.coordinator().policy(QueueId(queue));
            Ok(policy.ok_or(LOCOX_NO_SUCH_QUEUE)?)
        })
    }

    /// When to say `LOCOX_SITE_TICK` if nothing happens before: at the end of the
    /// quantum, if jobs wait; else `LOCOX_NONE`, if there is nothing to wait for.
    fn locox_site_wake_at(site: *const locox_site, time: *mut u64) {
        get(site, time, |it| Ok(it.coordinator().wake_at().ok_or(LOCOX_NONE)?.ticks()))
    }
}

coordinator! {
    locox_site, locox_site_effect, locox_site_effect_fn:
    locox_site_take_effect, locox_site_peek_effect, locox_site_now, locox_site_place,
    locox_site_export, locox_site_restore, locox_site_load,
    locox_site_replay, locox_site_resync, locox_site_check
}
