//! What the coordinator of a site takes and gives, and what that is in the kernel.

use crate::mapping::{
    LOCOX_BASIS_RESOURCE, locox_cluster_row, locox_machine_cluster, locox_mapped_row,
    locox_unplaced_row,
};
use crate::prelude::*;
use crate::station::{LOCOX_NOBODY, locox_run};
use locox::mapping::RunningJob;
use locox_coordinators::site::*;

commands! {
    command_of(it: locox_site_command) -> Command, by it.kind;
    {
        let (run, user, queue) = (FromC::from_c(it.run)?, UserId(it.user), QueueId(it.queue));
        let (machine, class, number) = (MachineId(it.machine), JobClass(it.job_class), it.number);
    }
    /// What is said to a coordinator of a site: `user` wants a job of `job_class` to run, through `queue`;
    /// `number` is one more than at his submission before, 1 at his first, and the same if it is said again.
    /// The answer is the job's name.
    LOCOX_SITE_SUBMIT = 0 => Command::Submit { user, serial: number, queue, class };
    /// See `LOCOX_SITE_SUBMIT`: `run` has done its job, for which it `took` so long.
    LOCOX_SITE_FINISHED = 1 => Command::Finished { run, took: ticks(it.took) };
    /// See `LOCOX_SITE_SUBMIT`: `run` is no longer on its machines. Its job begins anew.
    LOCOX_SITE_VACATED = 2 => Command::Vacated { run };
    /// See `LOCOX_SITE_SUBMIT`: `machine` is gone, and its start `number` is over.
    LOCOX_SITE_MACHINE_LOST = 3 => Command::MachineLost { machine, boot: number };
    /// See `LOCOX_SITE_SUBMIT`: `machine` is there, at its start `number`, from 1 on.
    LOCOX_SITE_MACHINE_BACK = 4 => Command::MachineBack { machine, boot: number };
    /// See `LOCOX_SITE_SUBMIT`: the interconnect of this `number` is down.
    LOCOX_SITE_LINK_DOWN = 5 => Command::LinkDown { link: number };
    /// See `LOCOX_SITE_SUBMIT`: the interconnect of this `number` is up again.
    LOCOX_SITE_LINK_UP = 6 => Command::LinkUp { link: number };
    /// See `LOCOX_SITE_SUBMIT`: `queue` has another `policy` from the next mapping on.
    LOCOX_SITE_SET_POLICY = 7 => Command::SetPolicy { queue, policy: FromC::from_c(it.policy)? };
    /// See `LOCOX_SITE_SUBMIT`: `user` may have `number` jobs that wait or run; zero for any number.
    LOCOX_SITE_SET_LIMIT = 8 => Command::SetLimit { user, jobs: number };
    /// See `LOCOX_SITE_SUBMIT`: only that it is `now`.
    LOCOX_SITE_TICK = 9 => Command::Tick;
    /// See `LOCOX_SITE_SUBMIT`: `user` has a clearance, `number`, up to 255; queues may ask for one.
    LOCOX_SITE_SET_CLEARANCE = 10 => Command::SetClearance { user, clearance: FromC::from_c(number)? };
}

told! {
    Effect => locox_site_effect.kind {
        /// What is to be done: `run` is to be on `resource`; of a cluster on those machines that were present.
        LOCOX_SITE_DISPATCH = 0:
            Effect::Dispatch { run, class, resource } => { run, job_class: class, resource };
        /// See `LOCOX_SITE_DISPATCH`: `run` is to leave the machines that it has.
        LOCOX_SITE_PREEMPT = 1: Effect::Preempt { run, resource } => { run, resource };
    }

    Status => locox_site_status.kind {
        /// Where a job is: it waits; `resource` is its place, or `LOCOX_NOBODY`, and `until` when it was
        /// expected to start there.
        LOCOX_SITE_WAITING = 0:
            Status::Waiting { place: None } => {},
            Status::Waiting { place: Some((resource, until)) } => { resource, until };
        /// See `LOCOX_SITE_WAITING`: it runs on `resource`, and is expected to end at `until`.
        LOCOX_SITE_RUNNING = 1: Status::Running { resource, run, until } => { resource, run, until };
        /// See `LOCOX_SITE_WAITING`: it is to leave `resource`.
        LOCOX_SITE_LEAVING = 2: Status::Leaving { resource, run } => { resource, run };
    }
}

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
    locox_site_machine: [u32; LOCOX_SITE_MACHINE_LENGTH], locox_size_of_site_machine, for MachineRow;

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
        pub job_class: u32 = LOCOX_NOBODY,
        /// The run.
        pub run: locox_run,
    }

    /// Where a job is: of the fields those that its kind names.
    pub struct locox_site_status {
        /// `LOCOX_SITE_WAITING`, ...
        pub kind: u32,
        /// Its resource, or `LOCOX_NOBODY`.
        pub resource: u32 = LOCOX_NOBODY,
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

callbacks! {
    /// Called for each effect that a call has to name.
    pub type locox_site_effect_fn(effect: *const locox_site_effect);
    /// Called for each machine that a call has to name.
    pub type locox_machine_fn(machine: u32);
}

ids!(u32: UserId, QueueId, JobClass, MachineId, ResourceId);
values! {
    Algorithm as u32: |it| Self::ALL.iter().position(|one| *one == it).unwrap_or(0) as u32,
        else Self::ALL.get(it as usize).copied().ok_or(LOCOX_BAD_ARGUMENT)?;
}
mirrors! {
    locox_policy <- Policy { algorithm, level, claim, clearance }
    locox_site_user_status <- UserStatus { jobs, limit, clearance, ended, machine_time }
}

impl FromC<locox_policy> for Policy {
    fn from_c(it: locox_policy) -> Answer<Self> {
        let claim = FromC::from_c(it.claim)?;
        let level = u8::try_from(it.level).map_err(|_| LOCOX_WRONG_LEVELS)?;
        let (clearance, algorithm) = (FromC::from_c(it.clearance)?, FromC::from_c(it.algorithm)?);
        Ok(Self { algorithm, level, claim, clearance })
    }
}

pub(super) fn config_of(it: locox_site_config) -> Answer<Config> {
    let remap = FromC::from_c(it.remap)?;
    if it.quantum == 0 {
        return Err(LOCOX_ZERO.into());
    }
    let learning = match it.learns {
        0 => None,
        _ => Some(Learning { memory: it.memory, basis: FromC::from_c(it.basis)?, risk: it.risk }),
    };
    let standard = Config::new(ticks(it.quantum), PoolId(it.pool));
    let patience = match it.patience {
        0 => standard.patience,
        LOCOX_NOBODY => None,
        most => Some(most),
    };
    Ok(Config {
        remap,
        best: FromC::from_c(it.best)?,
        learning,
        preemptions: (it.preemptions != LOCOX_NOBODY).then_some(it.preemptions),
        gain: (it.heeds_gain != 0).then_some(ticks(it.gain)),
        patience,
        ..standard
    })
}

values! {
    Config as locox_site_config: |it| locox_site_config {
        quantum: it.quantum.into_c(),
        gain: it.gain.unwrap_or_default().into_c(),
        heeds_gain: it.gain.is_some().into(),
        preemptions: it.preemptions.unwrap_or(LOCOX_NOBODY),
        remap: it.remap.into_c(),
        best: it.best.into_c(),
        learns: it.learning.is_some().into(),
        memory: it.learning.map_or(0, |learning| learning.memory),
        basis: it.learning.map_or(LOCOX_BASIS_RESOURCE, |learning| learning.basis.into_c()),
        pool: it.pool.into_c(),
        risk: it.learning.map_or(0, |learning| learning.risk),
        patience: it.patience.unwrap_or(LOCOX_NOBODY),
        padding: 0,
    };
}

faults! {
    Refusal {
        JobsFull => LOCOX_FULL, NoAccess { clearance } => LOCOX_NO_ACCESS.with(clearance),
        Limit { jobs } => LOCOX_FULL.with(jobs), NoMachine(class) => LOCOX_NO_MACHINE.with(class.0), Old => LOCOX_OLD,
    }
    Misuse {
        TimeWentBack => LOCOX_PAST, Job(misuse) => misuse, Serial { next } => LOCOX_WRONG_SERIAL.with(next),
        NoSuchUser(user) => LOCOX_NO_SUCH_USER.with(user.0), NoSuchQueue(queue) => LOCOX_NO_SUCH_QUEUE.with(queue.0),
        NoSuchClass(class) => LOCOX_NO_SUCH_CLASS.with(class.0),
        NoSuchMachine(machine) => LOCOX_NO_SUCH_MACHINE.with(machine.0),
        NoSuchLink(link) => LOCOX_NO_SUCH_LINK.with(link), Claims(queue) => LOCOX_WRONG_LEVELS.with(queue.0),
        Zero { .. } => LOCOX_ZERO, StorageTooSmall { needs, .. } => LOCOX_TOO_SHORT.with(needs), TooMany => LOCOX_BAD_ARGUMENT,
        TooLong => LOCOX_TOO_LONG,
    }
}
