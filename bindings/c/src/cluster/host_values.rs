//! What the part of a cluster's coordinator on a host takes and gives.

use super::values::{locox_assignment, locox_batch};
use crate::prelude::*;
use crate::station::LOCOX_NOBODY;
use locox_coordinators::cluster::{HostCommand, HostEffect, HostMisuse, HostPart};

commands! {
    host_command_of(it: locox_host_command) -> HostCommand, by it.kind;
    { let (batch, number) = (FromC::from_c(it.batch)?, it.number); }
    /// What is said to a host: it is to run `assignment`, the job of this `number` in this `batch`; see
    /// `LOCOX_CLUSTER_ASSIGN`.
    LOCOX_HOST_ASSIGN = 0 => HostCommand::Assign { batch, number, assignment: FromC::from_c(it.assignment)? };
    /// See `LOCOX_HOST_ASSIGN`: that was all of this `batch`, `number` jobs; see `LOCOX_CLUSTER_ASSIGNMENTS_END`.
    LOCOX_HOST_ASSIGNMENTS_END = 1 => HostCommand::AssignmentsEnd { batch, jobs: number };
    /// See `LOCOX_HOST_ASSIGN`: jobs used so much of the processor, `load`.
    LOCOX_HOST_MEASURED = 2 => HostCommand::Measured { load: FromC::from_c(it.load)? };
    /// See `LOCOX_HOST_ASSIGN`: only that it is `now`.
    LOCOX_HOST_TICK = 3 => HostCommand::Tick;
}

told! {
    HostEffect => locox_host_effect.kind {
        /// What is to be done on a host: kill whatever is left of the processes of `job`. This comes when it is to be killed, and
        /// again when it leaves the list of the host.
        LOCOX_HOST_KILL = 0: HostEffect::Kill { job } => { job };
        /// See `LOCOX_HOST_KILL`: run the message helper of `user` above everything at `level`.
        LOCOX_HOST_RAISE_HELPER = 1: HostEffect::RaiseHelper { user, level } => { user, level };
        /// See `LOCOX_HOST_KILL`: take the processes of `job` in and run them at `level`; start it if its
        /// `first` one is here.
        LOCOX_HOST_START = 2: HostEffect::Start { job, user, level, first } => { job, user, level, first };
        /// See `LOCOX_HOST_KILL`: run the processes of `job` at `level` from now on.
        LOCOX_HOST_SET_PRIORITY = 3: HostEffect::SetPriority { job, level } => { job, level };
        /// See `LOCOX_HOST_KILL`: run the message helper of `user` as before: he has no job here.
        LOCOX_HOST_RESTORE_HELPER = 4: HostEffect::RestoreHelper { user } => { user };
        /// See `LOCOX_HOST_KILL`: report `load` to the coordinator, and which batch was `heard`.
        LOCOX_HOST_REPORT = 5: HostEffect::Report { load, heard } => { load, heard };
    }
}

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
        pub user: u32 = LOCOX_NOBODY,
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

callbacks! {
    /// Called for each effect that a call has to name.
    pub type locox_host_effect_fn(effect: *const locox_host_effect);
}

faults! {
    HostMisuse {
        TimeWentBack => LOCOX_PAST, NoPeriod => LOCOX_ZERO, Number { next } => LOCOX_WRONG_NUMBER.with(next),
    }
}
