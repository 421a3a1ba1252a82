//! What the part of a cluster's coordinator on a host takes and gives.

use super::values::{assignment_of, load_of, locox_assignment, locox_batch};
use crate::interface::{faults, opaque, structures};
use crate::memory::*;
use crate::station::LOCOX_NOBODY;
use crate::status::locox_status::*;
use locox::cluster::{HostCommand, HostEffect, HostMisuse, HostPart, JobId};
use locox::coordinate::Durable;

/// What is said to a host: it is to run `assignment`, the job of this `number` in this `batch`; see
/// `LOCOX_CLUSTER_ASSIGN`.
pub const LOCOX_HOST_ASSIGN: u32 = 0;
/// See `LOCOX_HOST_ASSIGN`: that was all of this `batch`, `number` jobs; see `LOCOX_CLUSTER_ASSIGNMENTS_END`.
pub const LOCOX_HOST_ASSIGNMENTS_END: u32 = 1;
/// See `LOCOX_HOST_ASSIGN`: jobs used so much of the processor, `load`.
pub const LOCOX_HOST_MEASURED: u32 = 2;
/// See `LOCOX_HOST_ASSIGN`: only that it is `now`.
pub const LOCOX_HOST_TICK: u32 = 3;

/// What is to be done on a host: kill whatever is left of the processes of `job`. This comes when it is to be killed, and
/// again when it leaves the list of the host.
pub const LOCOX_HOST_KILL: u32 = 0;
/// See `LOCOX_HOST_KILL`: run the message helper of `user` above everything at `level`.
pub const LOCOX_HOST_RAISE_HELPER: u32 = 1;
/// See `LOCOX_HOST_KILL`: take the processes of `job` in and run them at `level`; start it if its
/// `first` one is here.
pub const LOCOX_HOST_START: u32 = 2;
/// See `LOCOX_HOST_KILL`: run the processes of `job` at `level` from now on.
pub const LOCOX_HOST_SET_PRIORITY: u32 = 3;
/// See `LOCOX_HOST_KILL`: run the message helper of `user` as before: he has no job here.
pub const LOCOX_HOST_RESTORE_HELPER: u32 = 4;
/// See `LOCOX_HOST_KILL`: report `load` to the coordinator, and which batch was `heard`.
pub const LOCOX_HOST_REPORT: u32 = 5;

pub(super) type Body = Durable<HostPart>;

opaque! {
    /// Its part on a host. Opaque, a few kilobytes at most, and may be moved. It needs no other storage.
    locox_host: [u64; LOCOX_HOST_LENGTH], locox_size_of_host, as Body, b"HOST";
}

structures! {
    /// What is said to a host: of the fields those that its kind names.
    pub struct locox_host_command {
        /// `LOCOX_HOST_ASSIGN`, `LOCOX_HOST_ASSIGNMENTS_END`, ...
        pub kind: u32,
        /// A batch.
        pub batch: locox_batch,
        /// Counts the jobs.
        pub number: u32,
        /// A job.
        pub assignment: locox_assignment,
        /// In thousandths, up to 65,535.
        pub load: u32,
    }

    /// What is to be done on a host: of the fields those that its kind names.
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
        /// The latest batch that was heard as a whole.
        pub heard: locox_batch,
    }
}

/// Called for each effect that a call has to name.
pub type locox_host_effect_fn =
    Option<unsafe extern "C" fn(effect: *const locox_host_effect, user: *mut core::ffi::c_void)>;

pub(super) fn host_command_of(it: &locox_host_command) -> Answer<HostCommand> {
    Ok(match it.kind {
        LOCOX_HOST_TICK => HostCommand::Tick,
        LOCOX_HOST_ASSIGN => {
            let assignment = assignment_of(&it.assignment)?;
            HostCommand::Assign { batch: it.batch.into(), number: it.number, assignment }
        }
        LOCOX_HOST_ASSIGNMENTS_END => {
            HostCommand::AssignmentsEnd { batch: it.batch.into(), jobs: it.number }
        }
        LOCOX_HOST_MEASURED => HostCommand::Measured { load: load_of(it.load)? },
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

impl From<HostEffect> for locox_host_effect {
    fn from(effect: HostEffect) -> Self {
        let of = |kind| Self {
            kind,
            job: locox_handle::NOBODY,
            user: LOCOX_NOBODY,
            level: 0,
            first: 0,
            load: 0,
            heard: locox_batch { boot: 0, number: 0 },
        };
        let named = |kind, job: JobId| Self { job: job.into(), ..of(kind) };
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
            HostEffect::Report { load, heard } => Self {
                load: load.thousandths().into(),
                heard: heard.into(),
                ..of(LOCOX_HOST_REPORT)
            },
        }
    }
}

faults! {
    HostMisuse {
        HostMisuse::TimeWentBack => LOCOX_PAST,
        HostMisuse::NoPeriod => LOCOX_ZERO,
        HostMisuse::Number { next } => LOCOX_WRONG_NUMBER.with(next),
    }
}
