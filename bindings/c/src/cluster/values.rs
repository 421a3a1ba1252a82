//! What the coordinator of a cluster and its part on a host take and give.

use super::queueing::Queueing;
use crate::interface::{Numbered, faults, numbered, opaque, structures};
use crate::memory::*;
use crate::placing::Placing;
use crate::station::LOCOX_NOBODY;
use crate::status::locox_status::*;
use crate::time::{number_of, period};
use crate::timeshare::{locox_shared_entry, locox_shared_host, locox_shared_job};
use locox::cluster::{
    Assignment, Batch, Cluster, Command, Config, Effect, JobRow, Misuse, Refusal, Retry, Status,
    Terms,
};
use locox::coordinate::Durable;
use locox::handle::PoolId;
use locox::timeshare::{HostId, Level, Load, Speed, UserId};

/// What is said to a coordinator of a cluster: `user` wants a job on so many `hosts` to run, on these
/// `terms`. The answer is its name.
pub const LOCOX_CLUSTER_SUBMIT: u32 = 0;
/// See `LOCOX_CLUSTER_SUBMIT`: `job`, which waits, is wanted no more.
pub const LOCOX_CLUSTER_CANCEL: u32 = 1;
/// See `LOCOX_CLUSTER_SUBMIT`: `job`, which runs, is to be killed.
pub const LOCOX_CLUSTER_KILL: u32 = 2;
/// See `LOCOX_CLUSTER_SUBMIT`: `job`, which ran, has ended on all its hosts.
pub const LOCOX_CLUSTER_ENDED: u32 = 3;
/// See `LOCOX_CLUSTER_SUBMIT`: `host` is there, with this `load` and this `speed`, and has
/// `heard` this batch. One that was lost is there again when it has started anew, or has heard its newest batch.
pub const LOCOX_CLUSTER_HOST_REPORT: u32 = 4;
/// See `LOCOX_CLUSTER_SUBMIT`: `host` is gone, and with it what ran there.
pub const LOCOX_CLUSTER_HOST_LOST: u32 = 5;
/// See `LOCOX_CLUSTER_SUBMIT`: only that it is `now`.
pub const LOCOX_CLUSTER_TICK: u32 = 6;
/// See `LOCOX_CLUSTER_SUBMIT`: `host` has so much memory for jobs, `terms.memory`.
pub const LOCOX_CLUSTER_HOST_MEMORY: u32 = 7;
/// See `LOCOX_CLUSTER_SUBMIT`: so many `hosts` from `host` on are in the set `terms.set` from now on, or
/// are not if `named` is zero.
pub const LOCOX_CLUSTER_NAME_HOSTS: u32 = 8;
/// See `LOCOX_CLUSTER_SUBMIT`: the set `terms.set` is to hold so many `hosts`, those with the fewest
/// jobs.
pub const LOCOX_CLUSTER_CHOOSE_HOSTS: u32 = 9;

/// What is to be done: `host` is to run `assignment`, the job of this `number` in this `batch`.
pub const LOCOX_CLUSTER_ASSIGN: u32 = 0;
/// See `LOCOX_CLUSTER_ASSIGN`: that was all of this `batch`, `number` jobs: what else it has is over.
pub const LOCOX_CLUSTER_ASSIGNMENTS_END: u32 = 1;

/// Where a job is: in the queue, with `number` before it.
pub const LOCOX_CLUSTER_WAITING: u32 = 0;
/// See `LOCOX_CLUSTER_WAITING`: on its hosts, its first process on that of this `number`. So many of them, `unheard`,
/// have not reported that they heard of it, and may start it at any later time.
pub const LOCOX_CLUSTER_RUNNING: u32 = 1;
/// See `LOCOX_CLUSTER_WAITING`: to be killed, or killed and not yet reported to have ended. So many of its hosts,
/// `unheard`, have not reported that they heard that, and may still start it. Lost hosts are not counted.
pub const LOCOX_CLUSTER_ENDING: u32 = 2;

numbered! {
    Retry {
        /// When a job that waits is tried again: whenever anything happened that may have made room.
        LOCOX_RETRY_ALWAYS = Always = 0,
        /// See `LOCOX_RETRY_ALWAYS`: when a job ends; jobs until one does not fit.
        LOCOX_RETRY_ALL_AT_ENDS = AllAtEnds = 1,
        /// See `LOCOX_RETRY_ALWAYS`: when a job ends; one job.
        LOCOX_RETRY_ONE_AT_ENDS = OneAtEnds = 2,
    }
}

pub(super) type Body = Durable<Cluster<'static, Placing, Queueing>>;

opaque! {
    /// The coordinator of a cluster whose hosts run several parallel jobs. Opaque, small, and may be
    /// moved; its rows may not.
    locox_cluster: [u64; LOCOX_CLUSTER_LENGTH], locox_size_of_cluster, as Body, b"CLUS";

    /// Room for what is kept of a job.
    locox_cluster_job: [u32; LOCOX_CLUSTER_JOB_LENGTH], locox_size_of_cluster_job, for JobRow;
}

structures! {
    /// Where a coordinator keeps its rows, of any content. The structure itself is only read.
    pub struct locox_cluster_rows {
        /// For each host one for each level.
        pub entries: *mut locox_shared_entry,
        /// How many.
        pub entry_count: usize,
        /// One a host.
        pub hosts: *mut locox_shared_host,
        /// How many.
        pub host_count: usize,
        /// One for each job that waits or runs.
        pub jobs: *mut locox_cluster_job,
        /// As many.
        pub placed: *mut locox_shared_job,
        /// How many of each.
        pub job_count: usize,
        /// As many as `LOCOX_CLUSTER_WORDS` says, and `LOCOX_CLUSTER_MORE_WORDS` more.
        pub words: *mut usize,
        /// How many.
        pub word_count: usize,
    }

    /// Parameters of a coordinator.
    pub struct locox_cluster_config {
        /// After which silence a host is taken for lost, and at the latest after twice that; not zero. Time for which the
        /// coordinator gets no command counts: if it was down for longer, go on with the clock from the restored image.
        /// `LOCOX_NEVER`: only when that is said.
        pub silence: u64,
        /// `LOCOX_RETRY_...`.
        pub retry: u32,
        /// The number that its jobs' names carry: to other coordinators they are foreign.
        pub pool: u16,
        /// How many sets of hosts may be named, besides that of all, which is number 0.
        pub sets: u16,
        /// Not zero: a job gets only hosts with the memory that it needs.
        pub memory: u32,
        /// Of no meaning.
        pub padding: u32,
    }

    /// What a job asks for besides a number of hosts; zeros are nothing.
    pub struct locox_cluster_terms {
        /// The set of hosts among which it runs; 0 for all.
        pub set: u16,
        /// Where it stands in the queue: behind those of smaller keys.
        pub key: u16,
        /// How much memory each of its processes needs at most, in any unit; 0 if that does not matter.
        pub memory: u32,
    }

    /// All that a host is to run at some time, as it is told; a later one is greater, by `boot` and then by
    /// `number`. A host takes none that is older than the one it has, and reports which one that is.
    pub struct locox_batch {
        /// How often the host has started.
        pub boot: u32,
        /// Counts the batches since then; 0: it has heard none.
        pub number: u32,
    }

    /// A job on a host, as the host is told of it.
    pub struct locox_assignment {
        /// The job.
        pub job: locox_handle,
        /// Whose it is.
        pub user: u32,
        /// How urgent it is there: the smaller, the more; below 8.
        pub level: u32,
        /// 1 if its first process is there, which starts the others.
        pub first: u32,
        /// 1 if it is to be killed.
        pub terminating: u32,
    }

    /// What is said to a coordinator: of the fields those that its kind names.
    pub struct locox_cluster_command {
        /// `LOCOX_CLUSTER_SUBMIT`, `LOCOX_CLUSTER_CANCEL`, ...
        pub kind: u32,
        /// A user.
        pub user: u32,
        /// How many hosts, at least one.
        pub hosts: u32,
        /// Not zero: the job's first process synchronises the others.
        pub synchronising: u32,
        /// A job.
        pub job: locox_handle,
        /// A host.
        pub host: u32,
        /// In thousandths, up to 65,535.
        pub load: u32,
        /// `LOCOX_SPEED_NOMINAL`; up to 255.
        pub speed: u32,
        /// The terms of a job; the number of a set, the memory of a host.
        pub terms: locox_cluster_terms,
        /// Not zero: hosts come into the set.
        pub named: u32,
        /// The latest batch that the host heard as a whole.
        pub heard: locox_batch,
    }

    /// What is to be done: of the fields those that its kind names.
    pub struct locox_cluster_effect {
        /// `LOCOX_CLUSTER_ASSIGN`, `LOCOX_CLUSTER_ASSIGNMENTS_END`.
        pub kind: u32,
        /// The host that is told.
        pub host: u32,
        /// What tells this telling from others.
        pub batch: locox_batch,
        /// Counts the jobs of the batch, from 0 on, or how many they were.
        pub number: u32,
        /// A job.
        pub assignment: locox_assignment,
    }

    /// Where a job is.
    pub struct locox_cluster_status {
        /// `LOCOX_CLUSTER_WAITING`, ...
        pub kind: u32,
        /// Jobs before it, or the host of its first process.
        pub number: u32,
        /// Hosts that may not have heard of it, or that it is to be killed. Its end is reported when there is none.
        pub unheard: u32,
    }
}

/// Called for each effect that a call has to name.
pub type locox_cluster_effect_fn =
    Option<unsafe extern "C" fn(effect: *const locox_cluster_effect, user: *mut core::ffi::c_void)>;

pub(super) fn config_of(it: &locox_cluster_config) -> Answer<Config> {
    let retry = Numbered::from_number(it.retry)?;
    if it.silence == 0 {
        return Err(LOCOX_ZERO.into());
    }
    let (silence, memory) = (period(it.silence), it.memory != 0);
    Ok(Config { retry, silence, sets: it.sets, memory, pool: PoolId(it.pool) })
}

impl From<Config> for locox_cluster_config {
    fn from(it: Config) -> Self {
        Self {
            silence: number_of(it.silence),
            retry: it.retry.number(),
            pool: it.pool.0,
            sets: it.sets,
            memory: it.memory.into(),
            padding: 0,
        }
    }
}

impl From<Terms> for locox_cluster_terms {
    fn from(Terms { set, key, memory }: Terms) -> Self {
        Self { set, key, memory }
    }
}

impl From<locox_batch> for Batch {
    fn from(locox_batch { boot, number }: locox_batch) -> Self {
        Self { boot, number }
    }
}

impl From<Batch> for locox_batch {
    fn from(Batch { boot, number }: Batch) -> Self {
        Self { boot, number }
    }
}

pub(super) fn load_of(thousandths: u32) -> Answer<Load> {
    let load = u16::try_from(thousandths).map_err(|_| LOCOX_BAD_ARGUMENT)?;
    Ok(Load::from_thousandths(load))
}

pub(super) fn command_of(it: &locox_cluster_command) -> Answer<Command> {
    let (job, host) = (it.job.into(), HostId(it.host));
    let (locox_cluster_terms { set, key, memory }, hosts) = (it.terms, it.hosts);
    Ok(match it.kind {
        LOCOX_CLUSTER_TICK => Command::Tick,
        LOCOX_CLUSTER_SUBMIT => Command::Submit {
            user: UserId(it.user),
            hosts,
            synchronising: it.synchronising != 0,
            terms: Terms { set, key, memory },
        },
        LOCOX_CLUSTER_CANCEL => Command::Cancel { job },
        LOCOX_CLUSTER_KILL => Command::Kill { job },
        LOCOX_CLUSTER_ENDED => Command::Ended { job },
        LOCOX_CLUSTER_HOST_REPORT => Command::HostReport {
            host,
            load: load_of(it.load)?,
            speed: Speed(u8::try_from(it.speed).map_err(|_| LOCOX_BAD_ARGUMENT)?),
            heard: it.heard.into(),
        },
        LOCOX_CLUSTER_HOST_LOST => Command::HostLost { host },
        LOCOX_CLUSTER_HOST_MEMORY => Command::HostMemory { host, memory },
        LOCOX_CLUSTER_NAME_HOSTS => {
            Command::NameHosts { set, first: host, hosts, named: it.named != 0 }
        }
        LOCOX_CLUSTER_CHOOSE_HOSTS => Command::ChooseHosts { set, hosts },
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

pub(super) fn assignment_of(it: &locox_assignment) -> Answer<Assignment> {
    let level = u8::try_from(it.level).ok().and_then(Level::new);
    Ok(Assignment {
        job: it.job.into(),
        user: UserId(it.user),
        level: level.ok_or(LOCOX_WRONG_LEVELS)?,
        first: it.first != 0,
        terminating: it.terminating != 0,
    })
}

impl From<Assignment> for locox_assignment {
    fn from(it: Assignment) -> Self {
        Self {
            job: it.job.into(),
            user: it.user.0,
            level: it.level.number().into(),
            first: it.first.into(),
            terminating: it.terminating.into(),
        }
    }
}

impl From<Effect> for locox_cluster_effect {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Assign { host, batch, number, assignment } => Self {
                kind: LOCOX_CLUSTER_ASSIGN,
                host: host.0,
                batch: batch.into(),
                number,
                assignment: assignment.into(),
            },
            Effect::AssignmentsEnd { host, batch, jobs } => {
                let assignment = locox_assignment {
                    job: locox_handle::NOBODY,
                    user: LOCOX_NOBODY,
                    level: 0,
                    first: 0,
                    terminating: 0,
                };
                let (host, batch) = (host.0, batch.into());
                Self { kind: LOCOX_CLUSTER_ASSIGNMENTS_END, host, batch, number: jobs, assignment }
            }
        }
    }
}

impl From<Status> for locox_cluster_status {
    fn from(status: Status) -> Self {
        let (kind, number, unheard) = match status {
            Status::Waiting { ahead } => (LOCOX_CLUSTER_WAITING, ahead, 0),
            Status::Running { first, unheard } => (LOCOX_CLUSTER_RUNNING, first.0, unheard),
            Status::Ending { unheard } => (LOCOX_CLUSTER_ENDING, 0, unheard),
        };
        Self { kind, number, unheard }
    }
}

faults! {
    Refusal {
        Refusal::JobsFull => LOCOX_FULL,
        Refusal::TooLarge { hosts } => LOCOX_TOO_LARGE.with(hosts),
        Refusal::Unsuited { hosts } => LOCOX_UNSUITED.with(hosts),
        Refusal::BootOver { next } => LOCOX_OLD.with(next),
    }

    Misuse {
        Misuse::TimeWentBack => LOCOX_PAST,
        Misuse::Job(misuse) => misuse,
        Misuse::Waits => LOCOX_WAITS,
        Misuse::Runs => LOCOX_RUNS,
        Misuse::NoHosts => LOCOX_NO_HOSTS,
        Misuse::NoSuchHost(host) => LOCOX_NO_SUCH_HOST.with(host.0),
        Misuse::NoSuchSet { set } => LOCOX_NO_SUCH_SET.with(set),
        Misuse::NoMemory => LOCOX_NO_MEMORY,
        Misuse::Zero { .. } => LOCOX_ZERO,
        Misuse::Column { needs, .. } => LOCOX_TOO_SHORT.with(needs),
        Misuse::Table(misuse) => misuse,
    }
}
