//! What the coordinator of a cluster and its part on a host take and give.

use super::{Body, host};
use crate::memory::*;
use crate::station::LOCOX_NOBODY;
use crate::status::locox_status::*;
use crate::time::{number_of, period};
use crate::timeshare::{locox_shared_entry, locox_shared_host, locox_shared_job};
use locox::cluster::{
    Assignment, Command, Config, Effect, HostCommand, HostEffect, HostMisuse, JobId, JobRow,
    Misuse, Refusal, Retry, Status,
};
use locox::handle::{Handle, PoolId};
use locox::timeshare::{HostId, Level, Load, Speed, UserId};

/// What is said to a coordinator of a cluster: only that it is `now`.
pub const LOCOX_CLUSTER_TICK: u32 = 0;
/// See `LOCOX_CLUSTER_TICK`: `user` wants a job on so many `hosts` to run. The answer is its name.
pub const LOCOX_CLUSTER_SUBMIT: u32 = 1;
/// See `LOCOX_CLUSTER_TICK`: `job`, which waits, is wanted no more.
pub const LOCOX_CLUSTER_CANCEL: u32 = 2;
/// See `LOCOX_CLUSTER_TICK`: `job`, which runs, is to be killed.
pub const LOCOX_CLUSTER_KILL: u32 = 3;
/// See `LOCOX_CLUSTER_TICK`: `job`, which ran, has ended on all its hosts.
pub const LOCOX_CLUSTER_ENDED: u32 = 4;
/// See `LOCOX_CLUSTER_TICK`: `host` is there, with this `load` and this `speed`.
pub const LOCOX_CLUSTER_HOST_REPORT: u32 = 5;
/// See `LOCOX_CLUSTER_TICK`: `host` is gone, and with it what ran there.
pub const LOCOX_CLUSTER_HOST_LOST: u32 = 6;

/// What is to be done: `host` is to run `seat`, the job of this `number` of which it is told. With number
/// 0 it begins anew.
pub const LOCOX_CLUSTER_SEAT: u32 = 0;
/// See `LOCOX_CLUSTER_SEAT`: that was all, `number` jobs: what else it has is over.
pub const LOCOX_CLUSTER_SEATED: u32 = 1;

/// Where a job is: in the queue, with `number` before it.
pub const LOCOX_CLUSTER_WAITING: u32 = 0;
/// See `LOCOX_CLUSTER_WAITING`: on its hosts, its first process on that of this `number`.
pub const LOCOX_CLUSTER_RUNNING: u32 = 1;
/// See `LOCOX_CLUSTER_WAITING`: to be killed, or killed and not yet reported to have ended.
pub const LOCOX_CLUSTER_ENDING: u32 = 2;

/// When a job that waits is tried again: whenever anything happened that may have made room.
pub const LOCOX_RETRY_ALWAYS: u32 = 0;
/// See `LOCOX_RETRY_ALWAYS`: when a job ends; jobs until one does not fit.
pub const LOCOX_RETRY_ALL_AT_ENDS: u32 = 1;
/// See `LOCOX_RETRY_ALWAYS`: when a job ends; one job.
pub const LOCOX_RETRY_ONE_AT_ENDS: u32 = 2;

/// What is said to a host: only that it is `now`.
pub const LOCOX_HOST_TICK: u32 = 0;
/// See `LOCOX_HOST_TICK`: it is to run `seat`, the job of this `number`; see `LOCOX_CLUSTER_SEAT`.
pub const LOCOX_HOST_SEAT: u32 = 1;
/// See `LOCOX_HOST_TICK`: that was all, `number` jobs; see `LOCOX_CLUSTER_SEATED`.
pub const LOCOX_HOST_SEATED: u32 = 2;
/// See `LOCOX_HOST_TICK`: jobs used so much of the processor, `load`.
pub const LOCOX_HOST_MEASURED: u32 = 3;

/// What is to be done on a host: kill whatever is left of the processes of `job`.
pub const LOCOX_HOST_KILL: u32 = 0;
/// See `LOCOX_HOST_KILL`: run the message helper of `user` above everything at `level`.
pub const LOCOX_HOST_RAISE_HELPER: u32 = 1;
/// See `LOCOX_HOST_KILL`: take the processes of `job` in and run them at `level`; start it if its `first`
/// one is here.
pub const LOCOX_HOST_START: u32 = 2;
/// See `LOCOX_HOST_KILL`: run the processes of `job` at `level` from now on.
pub const LOCOX_HOST_SET_PRIORITY: u32 = 3;
/// See `LOCOX_HOST_KILL`: run the message helper of `user` as before: he has no job here.
pub const LOCOX_HOST_RESTORE_HELPER: u32 = 4;
/// See `LOCOX_HOST_KILL`: report `load` to the coordinator.
pub const LOCOX_HOST_REPORT: u32 = 5;

/// How many words of 64 bits a `locox_cluster` has.
pub const LOCOX_CLUSTER_LENGTH: usize = length_of::<Body>();
/// How many words of 32 bits a `locox_cluster_job` has.
pub const LOCOX_CLUSTER_JOB_LENGTH: usize = size_of::<JobRow>().div_ceil(4);
/// How many words of 64 bits a `locox_host` has.
pub const LOCOX_HOST_LENGTH: usize = length_of::<host::Body>();

/// The coordinator of a cluster whose hosts run several parallel jobs. Opaque, small, and may be moved;
/// its rows may not.
#[repr(C)]
pub struct locox_cluster {
    opaque: [u64; LOCOX_CLUSTER_LENGTH],
}

opaque! { locox_cluster: Body, b"CLUS"; }

/// Its part on a host. Opaque, a few kilobytes at most, and may be moved. It needs no other storage.
#[repr(C)]
pub struct locox_host {
    opaque: [u64; LOCOX_HOST_LENGTH],
}

opaque! { locox_host: host::Body, b"HOST"; }

/// Room for what is kept of a job.
#[repr(C)]
pub struct locox_cluster_job {
    opaque: [u32; LOCOX_CLUSTER_JOB_LENGTH],
}

/// Where a coordinator keeps its rows, of any content. The structure itself is only read.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
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
    /// As many as `LOCOX_CLUSTER_WORDS` says.
    pub words: *mut usize,
    /// How many.
    pub word_count: usize,
}

/// Parameters of a coordinator.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_cluster_config {
    /// After which silence a host is taken for lost, and at the latest after twice that; not zero.
    /// `LOCOX_NEVER`: only when that is said.
    pub silence: u64,
    /// `LOCOX_RETRY_...`.
    pub retry: u32,
    /// The number that its jobs' names carry: to other coordinators they are foreign.
    pub pool: u16,
    /// Of no meaning.
    pub padding: u16,
}

/// A job on a host, as the host is told of it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_seat {
    /// The job.
    pub job: locox_handle,
    /// Whose it is.
    pub user: u32,
    /// How urgent it is there: the smaller, the more; below 8.
    pub level: u32,
    /// 1 if its first process is there, which starts the others.
    pub first: u32,
    /// 1 if it is to be killed.
    pub doomed: u32,
}

/// What is said to a coordinator: of the fields those that its kind names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_cluster_command {
    /// `LOCOX_CLUSTER_TICK`, `LOCOX_CLUSTER_SUBMIT`, ...
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
}

/// What is to be done: of the fields those that its kind names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_cluster_effect {
    /// `LOCOX_CLUSTER_SEAT`, `LOCOX_CLUSTER_SEATED`.
    pub kind: u32,
    /// The host that is told.
    pub host: u32,
    /// Counts the jobs of which it is told, from 0 on, or how many they were.
    pub number: u32,
    /// A job.
    pub seat: locox_seat,
}

/// Called for each effect that a call has to name.
pub type locox_cluster_effect_fn =
    Option<unsafe extern "C" fn(effect: *const locox_cluster_effect, user: *mut core::ffi::c_void)>;

/// Where a job is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_cluster_status {
    /// `LOCOX_CLUSTER_WAITING`, ...
    pub kind: u32,
    /// Jobs before it, or the host of its first process.
    pub number: u32,
}

/// What is said to a host: of the fields those that its kind names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_host_command {
    /// `LOCOX_HOST_TICK`, `LOCOX_HOST_SEAT`, ...
    pub kind: u32,
    /// Counts the jobs.
    pub number: u32,
    /// A job.
    pub seat: locox_seat,
    /// In thousandths, up to 65,535.
    pub load: u32,
}

/// What is to be done on a host: of the fields those that its kind names.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct locox_host_effect {
    /// `LOCOX_HOST_KILL`, ...
    pub kind: u32,
    /// A job.
    pub job: locox_handle,
    /// A user.
    pub user: u32,
    /// A level.
    pub level: u32,
    /// 1 if the job's first process is here.
    pub first: u32,
    /// In thousandths.
    pub load: u32,
}

/// Called for each effect that a call has to name.
pub type locox_host_effect_fn =
    Option<unsafe extern "C" fn(effect: *const locox_host_effect, user: *mut core::ffi::c_void)>;

pub(super) fn config_of(it: &locox_cluster_config) -> Answer<Config> {
    let retry = match it.retry {
        LOCOX_RETRY_ALWAYS => Retry::Always,
        LOCOX_RETRY_ALL_AT_ENDS => Retry::AllAtEnds,
        LOCOX_RETRY_ONE_AT_ENDS => Retry::OneAtEnds,
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    };
    if it.silence == 0 {
        return Err(LOCOX_ZERO.into());
    }
    Ok(Config { retry, silence: period(it.silence), pool: PoolId(it.pool) })
}

impl From<Config> for locox_cluster_config {
    fn from(it: Config) -> Self {
        let retry = match it.retry {
            Retry::Always => LOCOX_RETRY_ALWAYS,
            Retry::AllAtEnds => LOCOX_RETRY_ALL_AT_ENDS,
            Retry::OneAtEnds => LOCOX_RETRY_ONE_AT_ENDS,
        };
        Self { silence: number_of(it.silence), retry, pool: it.pool.0, padding: 0 }
    }
}

pub(super) fn job_of(handle: locox_handle) -> JobId {
    JobId::from_handle(Handle::from(handle))
}

fn load_of(thousandths: u32) -> Answer<Load> {
    let load = u16::try_from(thousandths).map_err(|_| LOCOX_BAD_ARGUMENT)?;
    Ok(Load::from_thousandths(load))
}

pub(super) fn command_of(it: &locox_cluster_command) -> Answer<Command> {
    let (job, host) = (job_of(it.job), HostId(it.host));
    Ok(match it.kind {
        LOCOX_CLUSTER_TICK => Command::Tick,
        LOCOX_CLUSTER_SUBMIT => Command::Submit {
            user: UserId(it.user),
            hosts: it.hosts,
            synchronising: it.synchronising != 0,
        },
        LOCOX_CLUSTER_CANCEL => Command::Cancel { job },
        LOCOX_CLUSTER_KILL => Command::Kill { job },
        LOCOX_CLUSTER_ENDED => Command::Ended { job },
        LOCOX_CLUSTER_HOST_REPORT => Command::HostReport {
            host,
            load: load_of(it.load)?,
            speed: Speed(u8::try_from(it.speed).map_err(|_| LOCOX_BAD_ARGUMENT)?),
        },
        LOCOX_CLUSTER_HOST_LOST => Command::HostLost { host },
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

fn seat_of(it: &locox_seat) -> Answer<Assignment> {
    let level = u8::try_from(it.level).ok().and_then(Level::new);
    Ok(Assignment {
        job: job_of(it.job),
        user: UserId(it.user),
        level: level.ok_or(LOCOX_WRONG_LEVELS)?,
        first: it.first != 0,
        terminating: it.doomed != 0,
    })
}

pub(super) fn host_command_of(it: &locox_host_command) -> Answer<HostCommand> {
    Ok(match it.kind {
        LOCOX_HOST_TICK => HostCommand::Tick,
        LOCOX_HOST_SEAT => {
            HostCommand::Assign { number: it.number, assignment: seat_of(&it.seat)? }
        }
        LOCOX_HOST_SEATED => HostCommand::AssignmentsEnd { jobs: it.number },
        LOCOX_HOST_MEASURED => HostCommand::Measured { load: load_of(it.load)? },
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

const NO_JOB: locox_handle = locox_handle { index: 0, generation: 0, pool: 0, epoch: 0 };

impl From<Assignment> for locox_seat {
    fn from(it: Assignment) -> Self {
        Self {
            job: it.job.handle().into(),
            user: it.user.0,
            level: it.level.number().into(),
            first: it.first.into(),
            doomed: it.terminating.into(),
        }
    }
}

impl From<Effect> for locox_cluster_effect {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Assign { host, number, assignment } => {
                Self { kind: LOCOX_CLUSTER_SEAT, host: host.0, number, seat: assignment.into() }
            }
            Effect::AssignmentsEnd { host, jobs } => {
                let seat =
                    locox_seat { job: NO_JOB, user: LOCOX_NOBODY, level: 0, first: 0, doomed: 0 };
                Self { kind: LOCOX_CLUSTER_SEATED, host: host.0, number: jobs, seat }
            }
        }
    }
}

impl From<Status> for locox_cluster_status {
    fn from(status: Status) -> Self {
        let (kind, number) = match status {
            Status::Waiting { ahead } => (LOCOX_CLUSTER_WAITING, ahead),
            Status::Running { first } => (LOCOX_CLUSTER_RUNNING, first.0),
            Status::Ending => (LOCOX_CLUSTER_ENDING, LOCOX_NOBODY),
        };
        Self { kind, number }
    }
}

impl From<HostEffect> for locox_host_effect {
    fn from(effect: HostEffect) -> Self {
        let of = |kind| Self { kind, job: NO_JOB, user: LOCOX_NOBODY, level: 0, first: 0, load: 0 };
        let named = |kind, job: JobId| Self { job: job.handle().into(), ..of(kind) };
        match effect {
            HostEffect::Kill { job } => named(LOCOX_HOST_KILL, job),
            HostEffect::RaiseHelper { user, level } => {
                Self { user: user.0, level: level.number().into(), ..of(LOCOX_HOST_RAISE_HELPER) }
            }
            HostEffect::Start { job, user, level, first } => Self {
                user: user.0,
                level: level.number().into(),
                first: first.into(),
                ..named(LOCOX_HOST_START, job)
            },
            HostEffect::SetPriority { job, level } => {
                Self { level: level.number().into(), ..named(LOCOX_HOST_SET_PRIORITY, job) }
            }
            HostEffect::RestoreHelper { user } => {
                Self { user: user.0, ..of(LOCOX_HOST_RESTORE_HELPER) }
            }
            HostEffect::Report { load } => {
                Self { load: load.thousandths().into(), ..of(LOCOX_HOST_REPORT) }
            }
        }
    }
}

impl From<Refusal> for Fault {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::JobsFull => LOCOX_FULL.into(),
            Refusal::TooLarge { hosts } => LOCOX_TOO_LARGE.with(hosts),
        }
    }
}

impl From<Misuse> for Fault {
    fn from(misuse: Misuse) -> Self {
        match misuse {
            Misuse::TimeWentBack => LOCOX_PAST.into(),
            Misuse::Job(misuse) => misuse.into(),
            Misuse::Waits => LOCOX_WAITS.into(),
            Misuse::Runs => LOCOX_RUNS.into(),
            Misuse::NoHosts => LOCOX_NO_HOSTS.into(),
            Misuse::NoSuchHost(host) => LOCOX_NO_SUCH_HOST.with(host.0),
            Misuse::Zero { .. } => LOCOX_ZERO.into(),
            Misuse::Column { needs, .. } => LOCOX_TOO_SHORT.with(needs),
            Misuse::Table(misuse) => misuse.into(),
        }
    }
}

impl From<HostMisuse> for Fault {
    fn from(misuse: HostMisuse) -> Self {
        match misuse {
            HostMisuse::TimeWentBack => LOCOX_PAST.into(),
            HostMisuse::NoPeriod => LOCOX_ZERO.into(),
            HostMisuse::Number { next } => LOCOX_WRONG_NUMBER.with(next),
        }
    }
}
