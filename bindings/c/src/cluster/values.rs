//! What the coordinator of a cluster and its part on a host take and give.

use super::queueing::Queueing;
use crate::placing::Placing;
use crate::prelude::*;
use crate::station::LOCOX_NOBODY;
use crate::timeshare::{locox_shared_entry, locox_shared_host, locox_shared_job};
use locox::timeshare::HostId;
use locox_coordinators::cluster::*;

commands! {
    command_of(it: locox_cluster_command) -> Command, by it.kind;
    {
        let (job, host, user) = (it.job.into(), HostId(it.host), FromC::from_c(it.user)?);
        let (hosts, terms, set, memory) = (it.hosts, FromC::from_c(it.terms)?, it.terms.set, it.terms.memory);
    }
    /// What is said to a coordinator of a cluster: `user` wants a job on so many `hosts` to run, on these
    /// `terms`. The answer is its name.
    LOCOX_CLUSTER_SUBMIT = 0 => Command::Submit { user, hosts, synchronising: it.synchronising != 0, terms };
    /// See `LOCOX_CLUSTER_SUBMIT`: `job`, which waits, is wanted no more.
    LOCOX_CLUSTER_CANCEL = 1 => Command::Cancel { job };
    /// See `LOCOX_CLUSTER_SUBMIT`: `job`, which runs, is to be killed.
    LOCOX_CLUSTER_KILL = 2 => Command::Kill { job };
    /// See `LOCOX_CLUSTER_SUBMIT`: `job`, which ran, has ended on all its hosts.
    LOCOX_CLUSTER_ENDED = 3 => Command::Ended { job };
    /// See `LOCOX_CLUSTER_SUBMIT`: `host` is there, with this `load` and this `speed`, and has
    /// `heard` this batch. One that was lost is there again when it has started anew, or has heard its newest batch.
    LOCOX_CLUSTER_HOST_REPORT = 4 => {
        let (load, speed) = (FromC::from_c(it.load)?, FromC::from_c(it.speed)?);
        Command::HostReport { host, load, speed, heard: FromC::from_c(it.heard)? }
    };
    /// See `LOCOX_CLUSTER_SUBMIT`: `host` is gone, and with it what ran there.
    LOCOX_CLUSTER_HOST_LOST = 5 => Command::HostLost { host };
    /// See `LOCOX_CLUSTER_SUBMIT`: only that it is `now`.
    LOCOX_CLUSTER_TICK = 6 => Command::Tick;
    /// See `LOCOX_CLUSTER_SUBMIT`: `host` has so much memory for jobs, `terms.memory`.
    LOCOX_CLUSTER_HOST_MEMORY = 7 => Command::HostMemory { host, memory };
    /// See `LOCOX_CLUSTER_SUBMIT`: so many `hosts` from `host` on are in the set `terms.set` from now on, or
    /// are not if `named` is zero.
    LOCOX_CLUSTER_NAME_HOSTS = 8 => Command::NameHosts { set, first: host, hosts, named: it.named != 0 };
    /// See `LOCOX_CLUSTER_SUBMIT`: the set `terms.set` is to hold so many `hosts`, those with the fewest
    /// jobs.
    LOCOX_CLUSTER_CHOOSE_HOSTS = 9 => Command::ChooseHosts { set, hosts };
}

told! {
    Effect => locox_cluster_effect.kind {
        /// What is to be done: `host` is to run `assignment`, the job of this `number` in this `batch`.
        LOCOX_CLUSTER_ASSIGN = 0:
            Effect::Assign { host, batch, number, assignment } => { host, batch, number, assignment };
        /// See `LOCOX_CLUSTER_ASSIGN`: that was all of this `batch`, `number` jobs: what else it has is over.
        LOCOX_CLUSTER_ASSIGNMENTS_END = 1:
            Effect::AssignmentsEnd { host, batch, jobs } => { host, batch, number: jobs };
    }

    Status => locox_cluster_status.kind {
        /// Where a job is: in the queue, with `number` before it.
        LOCOX_CLUSTER_WAITING = 0: Status::Waiting { ahead } => { number: ahead };
        /// See `LOCOX_CLUSTER_WAITING`: on its hosts, its first process on that of this `number`. So many of them, `unheard`,
        /// have not reported that they heard of it, and may start it at any later time.
        LOCOX_CLUSTER_RUNNING = 1: Status::Running { first, unheard } => { number: first, unheard };
        /// See `LOCOX_CLUSTER_WAITING`: to be killed, or killed and not yet reported to have ended. So many of its hosts,
        /// `unheard`, have not reported that they heard that, and may still start it. Lost hosts are not counted.
        LOCOX_CLUSTER_ENDING = 2: Status::Ending { unheard } => { unheard };
    }
}

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

pub(super) type Body = Durable<Coordinator<'static, Placing, Queueing>>;

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
        pub user: u32 = LOCOX_NOBODY,
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

callbacks! {
    /// Called for each effect that a call has to name.
    pub type locox_cluster_effect_fn(effect: *const locox_cluster_effect);
}

mirrors! {
    locox_cluster_config = Config { silence, retry, pool, sets, memory }
    locox_cluster_terms = Terms { set, key, memory }
    locox_batch = Batch { boot, number }
    locox_assignment = Assignment { job, user, level, first, terminating }
}

/// Checked as the coordinator would, for it must be known before rows are cleared.
pub(super) fn config_of(it: locox_cluster_config) -> Answer<Config> {
    let config = FromC::from_c(it)?;
    if it.silence == 0 { Err(LOCOX_ZERO.into()) } else { Ok(config) }
}

faults! {
    Refusal {
        JobsFull => LOCOX_FULL, TooLarge { hosts } => LOCOX_TOO_LARGE.with(hosts),
        Unsuited { hosts } => LOCOX_UNSUITED.with(hosts), BootOver { next } => LOCOX_OLD.with(next),
    }
    Misuse {
        TimeWentBack => LOCOX_PAST, Job(misuse) => misuse, Waits => LOCOX_WAITS, Runs => LOCOX_RUNS,
        NoHosts => LOCOX_NO_HOSTS, NoSuchHost(host) => LOCOX_NO_SUCH_HOST.with(host.0),
        NoSuchSet { set } => LOCOX_NO_SUCH_SET.with(set), NoMemory => LOCOX_NO_MEMORY, Zero { .. } => LOCOX_ZERO,
        StorageTooSmall { needs, .. } => LOCOX_TOO_SHORT.with(needs), Table(misuse) => misuse,
    }
}
