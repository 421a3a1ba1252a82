//! What the coordinator of a site takes and gives, and what that is in the kernel.

use crate::interface::{Numbered, faults, numbered, opaque, structures};
use crate::mapping::{
    LOCOX_BASIS_RESOURCE, locox_cluster_row, locox_machine_cluster, locox_mapped_row,
    locox_unplaced_row,
};
use crate::memory::*;
use crate::station::{LOCOX_NOBODY, locox_run};
use crate::status::locox_status::*;
use crate::time::ticks;
use locox::coordinate::Durable;
use locox::handle::PoolId;
use locox::mapping::RunningJob;
use locox::site::{
    Algorithm, Claim, Command, Config, Coordinator, Effect, JobClass, JobRow, Learning, MachineId,
    MachineRow, Misuse, Policy, QueueId, Refusal, Remap, Run, Status, UserId, UserRow, UserStatus,
};

/// What is said to a coordinator of a site: `user` wants a job of `job_class` to run, through `queue`;
/// `number` is one more than at his submission before, 1 at his first, and the same if it is said again.
/// The answer is the job's name.
pub const LOCOX_SITE_SUBMIT: u32 = 0;
/// See `LOCOX_SITE_SUBMIT`: `run` has done its job, for which it `took` so long.
pub const LOCOX_SITE_FINISHED: u32 = 1;
/// See `LOCOX_SITE_SUBMIT`: `run` is no longer on its machines. Its job begins anew.
pub const LOCOX_SITE_VACATED: u32 = 2;
/// See `LOCOX_SITE_SUBMIT`: `machine` is gone, and its start `number` is over.
pub const LOCOX_SITE_MACHINE_LOST: u32 = 3;
/// See `LOCOX_SITE_SUBMIT`: `machine` is there, at its start `number`, from 1 on.
pub const LOCOX_SITE_MACHINE_BACK: u32 = 4;
/// See `LOCOX_SITE_SUBMIT`: the interconnect of this `number` is down.
pub const LOCOX_SITE_LINK_DOWN: u32 = 5;
/// See `LOCOX_SITE_SUBMIT`: the interconnect of this `number` is up again.
pub const LOCOX_SITE_LINK_UP: u32 = 6;
/// See `LOCOX_SITE_SUBMIT`: `queue` has another `policy` from the next mapping on.
pub const LOCOX_SITE_SET_POLICY: u32 = 7;
/// See `LOCOX_SITE_SUBMIT`: `user` may have `number` jobs that wait or run; zero for any number.
pub const LOCOX_SITE_SET_LIMIT: u32 = 8;
/// See `LOCOX_SITE_SUBMIT`: only that it is `now`.
pub const LOCOX_SITE_TICK: u32 = 9;
/// See `LOCOX_SITE_SUBMIT`: `user` has a clearance, `number`, up to 255; queues may ask for one.
pub const LOCOX_SITE_SET_CLEARANCE: u32 = 10;

/// What is to be done: `run` is to be on `resource`; of a cluster on those machines that were present.
pub const LOCOX_SITE_DISPATCH: u32 = 0;
/// See `LOCOX_SITE_DISPATCH`: `run` is to leave the machines that it has.
pub const LOCOX_SITE_PREEMPT: u32 = 1;

/// Where a job is: it waits; `resource` is its place, or `LOCOX_NOBODY`, and `until` when it was
/// expected to start there.
pub const LOCOX_SITE_WAITING: u32 = 0;
/// See `LOCOX_SITE_WAITING`: it runs on `resource`, and is expected to end at `until`.
pub const LOCOX_SITE_RUNNING: u32 = 1;
/// See `LOCOX_SITE_WAITING`: it is to leave `resource`.
pub const LOCOX_SITE_LEAVING: u32 = 2;

numbered! {
    Remap {
        /// Which jobs are mapped when a quantum ends: all that have not started.
        LOCOX_REMAP_WAITING = Waiting = 0,
        /// See `LOCOX_REMAP_WAITING`: those without a place only.
        LOCOX_REMAP_NEW = New = 1,
    }

    Claim {
        /// What the jobs of a queue do with places that others have: they take none and lose none.
        LOCOX_CLAIM_NEITHER = Neither = 0,
        /// See `LOCOX_CLAIM_NEITHER`: they take places from jobs of queues that lose them.
        LOCOX_CLAIM_TAKES = Takes = 1,
        /// See `LOCOX_CLAIM_NEITHER`: they lose them.
        LOCOX_CLAIM_LOSES = Loses = 2,
    }
}

pub(super) type Body = Durable<Coordinator<'static>>;

opaque! {
    /// The coordinator of a site of unlike machines, and of clusters of them. Opaque, small, and may be
    /// moved; its rows may not.
    locox_site: [u64; LOCOX_SITE_LENGTH], locox_size_of_site, as Body, b"SITE";

    /// Room for what is kept of a job.
    locox_site_job: [u64; LOCOX_SITE_JOB_LENGTH], locox_size_of_site_job, for JobRow;

    /// Room for what is kept of a machine.
    locox_site_machine: [u32; LOCOX_SITE_MACHINE_LENGTH], locox_size_of_site_machine,
        for MachineRow;

    /// Room for what is kept of a user.
    locox_site_user: [u64; LOCOX_SITE_USER_LENGTH], locox_size_of_site_user, for UserRow;

    /// Room for what is kept of a queue.
    locox_site_queue: [u8; LOCOX_SITE_QUEUE_LENGTH], locox_size_of_site_queue, for Policy;

    /// Room for a job that runs while others are mapped.
    locox_running_row: [u64; LOCOX_RUNNING_ROW_LENGTH], locox_size_of_running_row, for RunningJob;
}

structures! {
    /// What is known of a site beforehand. The structure itself is only read at the start; what it points
    /// to stays where and as it is.
    pub struct locox_site_model {
        /// How many machines, one at least. Resources are numbered: first the machines, then the clusters.
        pub machines: usize,
        /// Clusters of them; themselves read at the start only, their members later, too.
        pub clusters: *const locox_machine_cluster,
        /// How many.
        pub cluster_count: usize,
        /// A row for each class of jobs, and in it a time for each resource; `LOCOX_NEVER` where such jobs
        /// cannot run.
        pub times: *const u64,
        /// How many classes of jobs.
        pub job_classes: usize,
        /// The class of each resource, whose runs tell of each other; null where nothing is learnt.
        pub classes: *const u16,
    }

    /// Where a coordinator keeps its rows, of any content. The structure itself is only read.
    pub struct locox_site_rows {
        /// One a job.
        pub jobs: *mut locox_site_job,
        /// One a job.
        pub unplaced: *mut locox_unplaced_row,
        /// Three a job.
        pub placements: *mut locox_mapped_row,
        /// One a job.
        pub running: *mut locox_running_row,
        /// Two a job.
        pub numbers: *mut u32,
        /// One a job.
        pub levels: *mut u8,
        /// For how many jobs that wait or run.
        pub job_count: usize,
        /// One a user.
        pub users: *mut locox_site_user,
        /// How many.
        pub user_count: usize,
        /// One a queue.
        pub queues: *mut locox_site_queue,
        /// How many, 254 at most.
        pub queue_count: usize,
        /// One a machine.
        pub machines: *mut locox_site_machine,
        /// One a machine.
        pub next: *mut u32,
        /// Five a machine.
        pub instants: *mut u64,
        /// For how many machines.
        pub machine_count: usize,
        /// One a cluster.
        pub clusters: *mut locox_cluster_row,
        /// One a cluster.
        pub down: *mut u32,
        /// For how many clusters.
        pub cluster_count: usize,
        /// One for each class of jobs and resource.
        pub expected: *mut u64,
        /// How many.
        pub expected_count: usize,
        /// As many as `locox_experience_words` says; none where nothing is learnt.
        pub runs: *mut u64,
        /// How many.
        pub run_count: usize,
    }

    /// Parameters of a coordinator; `locox_site_standard` has some to start from. Times are ticks.
    pub struct locox_site_config {
        /// Time between two mappings; not zero.
        pub quantum: u64,
        /// If `heeds_gain`: jobs are preempted only where those who take their places gain more than this
        /// for each.
        pub gain: u64,
        /// Not zero: see `gain`. Zero: jobs are preempted as others want their places.
        pub heeds_gain: u32,
        /// So often a job is preempted at most; `LOCOX_NOBODY`: without a bound.
        pub preemptions: u32,
        /// `LOCOX_REMAP_...`.
        pub remap: u32,
        /// `LOCOX_BEST_...`.
        pub best: u32,
        /// Not zero: runs tell what others will take. Zero: the table does, for ever.
        pub learns: u32,
        /// If it learns: after so many runs it forgets.
        pub memory: u32,
        /// If it learns: runs on which resources go before the table, `LOCOX_BASIS_...`.
        pub basis: u32,
        /// The number that its jobs' names carry: to other coordinators they are foreign.
        pub pool: u16,
        /// If it learns: so many sixteenths of the standard deviation are added to a mean; zero: none.
        pub risk: u16,
        /// So many mappings give a job a place in the order of its queue's algorithm; then it is mapped before the
        /// others of its queue. Zero: as many as `locox_site_standard` has; `LOCOX_NOBODY`: without a bound.
        pub patience: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// How the jobs of a queue are served. A queue that takes places has a level before all that do not,
    /// and one that loses them a level behind all that do not.
    pub struct locox_policy {
        /// `LOCOX_MAP_...`.
        pub algorithm: u32,
        /// The smaller, the more urgent; up to 255.
        pub level: u32,
        /// `LOCOX_CLAIM_...`.
        pub claim: u32,
        /// Who may submit to it: users of this clearance and of higher ones. Zero: all. Up to 255.
        pub clearance: u32,
    }

    /// What is said to a coordinator: of the fields those that its kind names.
    pub struct locox_site_command {
        /// `LOCOX_SITE_SUBMIT`, `LOCOX_SITE_FINISHED`, ...
        pub kind: u32,
        /// A user.
        pub user: u32,
        /// A queue.
        pub queue: u32,
        /// A class of jobs.
        pub job_class: u32,
        /// A machine.
        pub machine: u32,
        /// A number of a submission, a start, an interconnect or jobs, or a clearance.
        pub number: u32,
        /// A run.
        pub run: locox_run,
        /// A policy.
        pub policy: locox_policy,
        /// How long a run took.
        pub took: u64,
    }

    /// What is to be done: of the fields those that its kind names.
    pub struct locox_site_effect {
        /// `LOCOX_SITE_DISPATCH`, `LOCOX_SITE_PREEMPT`.
        pub kind: u32,
        /// Where.
        pub resource: u32,
        /// What the job is like; of a dispatch.
        pub job_class: u32,
        /// The run.
        pub run: locox_run,
    }

    /// Where a job is: of the fields those that its kind names.
    pub struct locox_site_status {
        /// `LOCOX_SITE_WAITING`, ...
        pub kind: u32,
        /// Its resource, or `LOCOX_NOBODY`.
        pub resource: u32,
        /// Its run, if it runs or leaves.
        pub run: locox_run,
        /// When it is expected to start, or to end.
        pub until: u64,
    }

    /// What is known of a user.
    pub struct locox_site_user_status {
        /// What his jobs took that have ended: the time of the run that ended, for each machine that it had.
        pub machine_time: u64,
        /// How many those are.
        pub ended: u32,
        /// His jobs that wait or run.
        pub jobs: u32,
        /// How many he may have; zero for any number.
        pub limit: u32,
        /// His clearance.
        pub clearance: u32,
    }
}

/// Called for each effect that a call has to name.
pub type locox_site_effect_fn =
    Option<unsafe extern "C" fn(effect: *const locox_site_effect, user: *mut core::ffi::c_void)>;

/// Called for each machine that a call has to name.
pub type locox_machine_fn =
    Option<unsafe extern "C" fn(machine: u32, user: *mut core::ffi::c_void)>;

impl From<UserStatus> for locox_site_user_status {
    fn from(it: UserStatus) -> Self {
        let UserStatus { jobs, limit, clearance, ended, machine_time } = it;
        let (machine_time, clearance) = (machine_time.ticks(), clearance.into());
        Self { machine_time, ended, jobs, limit, clearance }
    }
}

pub(super) fn config_of(it: &locox_site_config) -> Answer<Config> {
    let remap = Numbered::from_number(it.remap)?;
    if it.quantum == 0 {
        return Err(LOCOX_ZERO.into());
    }
    let learning = match it.learns {
        0 => None,
        _ => {
            let (memory, basis) = (it.memory, Numbered::from_number(it.basis)?);
            Some(Learning { memory, basis, risk: it.risk })
        }
    };
    let standard = Config::new(ticks(it.quantum), PoolId(it.pool));
    let patience = match it.patience {
        0 => standard.patience,
        LOCOX_NOBODY => None,
        most => Some(most),
    };
    Ok(Config {
        quantum: ticks(it.quantum),
        remap,
        best: Numbered::from_number(it.best)?,
        learning,
        preemptions: (it.preemptions != LOCOX_NOBODY).then_some(it.preemptions),
        gain: (it.heeds_gain != 0).then_some(ticks(it.gain)),
        patience,
        pool: PoolId(it.pool),
    })
}

impl From<Config> for locox_site_config {
    fn from(it: Config) -> Self {
        Self {
            quantum: it.quantum.ticks(),
            gain: it.gain.unwrap_or_default().ticks(),
            heeds_gain: it.gain.is_some().into(),
            preemptions: it.preemptions.unwrap_or(LOCOX_NOBODY),
            remap: it.remap.number(),
            best: it.best.number(),
            learns: it.learning.is_some().into(),
            memory: it.learning.map_or(0, |learning| learning.memory),
            basis: it.learning.map_or(LOCOX_BASIS_RESOURCE, |learning| learning.basis.number()),
            pool: it.pool.0,
            risk: it.learning.map_or(0, |learning| learning.risk),
            patience: it.patience.unwrap_or(LOCOX_NOBODY),
            padding: 0,
        }
    }
}

fn policy_of(it: locox_policy) -> Answer<Policy> {
    let algorithm = Algorithm::ALL.get(it.algorithm as usize).copied();
    let claim = Numbered::from_number(it.claim)?;
    let level = u8::try_from(it.level).map_err(|_| LOCOX_WRONG_LEVELS)?;
    let clearance = clearance_of(it.clearance)?;
    Ok(Policy { algorithm: algorithm.ok_or(LOCOX_BAD_ARGUMENT)?, level, claim, clearance })
}

fn clearance_of(number: u32) -> Answer<u8> {
    Ok(u8::try_from(number).map_err(|_| LOCOX_BAD_ARGUMENT)?)
}

impl From<Policy> for locox_policy {
    fn from(it: Policy) -> Self {
        let algorithm = Algorithm::ALL.iter().position(|one| *one == it.algorithm).unwrap_or(0);
        let (level, clearance) = (it.level.into(), it.clearance.into());
        Self { algorithm: algorithm as u32, level, claim: it.claim.number(), clearance }
    }
}

pub(super) fn command_of(it: &locox_site_command) -> Answer<Command> {
    let run = Run { job: it.run.job.into(), attempt: it.run.attempt };
    let (user, queue) = (UserId(it.user), QueueId(it.queue));
    let (machine, number) = (MachineId(it.machine), it.number);
    Ok(match it.kind {
        LOCOX_SITE_TICK => Command::Tick,
        LOCOX_SITE_SUBMIT => {
            Command::Submit { user, serial: number, queue, class: JobClass(it.job_class) }
        }
        LOCOX_SITE_FINISHED => Command::Finished { run, took: ticks(it.took) },
        LOCOX_SITE_VACATED => Command::Vacated { run },
        LOCOX_SITE_MACHINE_LOST => Command::MachineLost { machine, boot: number },
        LOCOX_SITE_MACHINE_BACK => Command::MachineBack { machine, boot: number },
        LOCOX_SITE_LINK_DOWN => Command::LinkDown { link: number },
        LOCOX_SITE_LINK_UP => Command::LinkUp { link: number },
        LOCOX_SITE_SET_POLICY => Command::SetPolicy { queue, policy: policy_of(it.policy)? },
        LOCOX_SITE_SET_LIMIT => Command::SetLimit { user, jobs: number },
        LOCOX_SITE_SET_CLEARANCE => {
            Command::SetClearance { user, clearance: clearance_of(number)? }
        }
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

impl From<Effect> for locox_site_effect {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Dispatch { run, class, resource } => Self {
                kind: LOCOX_SITE_DISPATCH,
                resource: resource.0,
                job_class: class.0,
                run: run.into(),
            },
            Effect::Preempt { run, resource } => Self {
                kind: LOCOX_SITE_PREEMPT,
                resource: resource.0,
                job_class: LOCOX_NOBODY,
                run: run.into(),
            },
        }
    }
}

impl From<Status> for locox_site_status {
    fn from(status: Status) -> Self {
        let none = locox_run { job: locox_handle::NOBODY, attempt: 0 };
        let waits = Self { kind: LOCOX_SITE_WAITING, resource: LOCOX_NOBODY, run: none, until: 0 };
        match status {
            Status::Waiting { place: None } => waits,
            Status::Waiting { place: Some((resource, at)) } => {
                Self { resource: resource.0, until: at.ticks(), ..waits }
            }
            Status::Running { resource, run, until } => Self {
                kind: LOCOX_SITE_RUNNING,
                resource: resource.0,
                run: run.into(),
                until: until.ticks(),
            },
            Status::Leaving { resource, run } => {
                Self { kind: LOCOX_SITE_LEAVING, resource: resource.0, run: run.into(), until: 0 }
            }
        }
    }
}

faults! {
    Refusal {
        Refusal::JobsFull => LOCOX_FULL,
        Refusal::NoAccess { clearance } => LOCOX_NO_ACCESS.with(clearance),
        Refusal::Limit { jobs } => LOCOX_FULL.with(jobs),
        Refusal::NoMachine(class) => LOCOX_NO_MACHINE.with(class.0),
        Refusal::Old => LOCOX_OLD,
    }

    Misuse {
        Misuse::TimeWentBack => LOCOX_PAST,
        Misuse::Job(misuse) => misuse,
        Misuse::Serial { next } => LOCOX_WRONG_SERIAL.with(next),
        Misuse::NoSuchUser(user) => LOCOX_NO_SUCH_USER.with(user.0),
        Misuse::NoSuchQueue(queue) => LOCOX_NO_SUCH_QUEUE.with(queue.0),
        Misuse::NoSuchClass(class) => LOCOX_NO_SUCH_CLASS.with(class.0),
        Misuse::NoSuchMachine(machine) => LOCOX_NO_SUCH_MACHINE.with(machine.0),
        Misuse::NoSuchLink(link) => LOCOX_NO_SUCH_LINK.with(link),
        Misuse::Claims(queue) => LOCOX_WRONG_LEVELS.with(queue.0),
        Misuse::Zero { .. } => LOCOX_ZERO,
        Misuse::Column { needs, .. } => LOCOX_TOO_SHORT.with(needs),
        Misuse::TooMany => LOCOX_BAD_ARGUMENT,
        Misuse::TooLong => LOCOX_TOO_LONG,
    }
}
