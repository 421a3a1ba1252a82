//! What the coordinator of workstations takes and gives, and what that is in the kernel.

use super::network::Under;
use crate::interface::{Numbered, faults, numbered, opaque, structures};
use crate::memory::*;
use crate::status::locox_status::*;
use crate::time::{number_of, period, ticks};
use core::num::NonZeroU32;
use locox::coordinate::Durable;
use locox::fair::{self, Contender, StationId, TimedRow};
use locox::handle::PoolId;
use locox::station::{
    Checkpoint, Command, Config, Effect, HomeRow, JobRow, Misuse, NodeId, NodeRow, Nodes,
    PreemptReason, Refusal, Run, Sender, Status, StopReason, Trigger,
};

numbered! {
    Trigger {
        /// What else makes a coordinator schedule, but the end of an interval: nothing.
        LOCOX_TRIGGER_INTERVAL_ONLY = IntervalOnly = 0,
        /// See `LOCOX_TRIGGER_INTERVAL_ONLY`: a processor becomes free.
        LOCOX_TRIGGER_CAPACITY = Capacity = 1,
        /// See `LOCOX_TRIGGER_INTERVAL_ONLY`: also a job is submitted, or leaves.
        LOCOX_TRIGGER_DEMAND = Demand = 2,
    }
}

/// No processor, no station, no number.
pub const LOCOX_NOBODY: u32 = u32::MAX;
/// All processors of the bank.
pub const LOCOX_BANK: u32 = u32::MAX;

/// What is said to a coordinator: a job waits at station `node`; `number` is one more than at its
/// submission before, 1 at its first, and the same if it is said again. The answer is the job's name.
pub const LOCOX_SUBMIT: u32 = 0;
/// See `LOCOX_SUBMIT`: processor `node` is available.
pub const LOCOX_NODE_IDLE: u32 = 1;
/// See `LOCOX_SUBMIT`: the owner is at station `node`.
pub const LOCOX_OWNER_BACK: u32 = 2;
/// See `LOCOX_SUBMIT`: the owner left while `run` was suspended, and it goes on.
pub const LOCOX_CONTINUED: u32 = 3;
/// See `LOCOX_SUBMIT`: a checkpoint of `run`, called `number`, is safe.
pub const LOCOX_CHECKPOINTED: u32 = 4;
/// See `LOCOX_SUBMIT`: `run` is no longer where it was.
pub const LOCOX_VACATED: u32 = 5;
/// See `LOCOX_SUBMIT`: `run` finished its job.
pub const LOCOX_FINISHED: u32 = 6;
/// See `LOCOX_SUBMIT`: processor `node` is gone, and what ran there.
pub const LOCOX_NODE_LOST: u32 = 7;
/// See `LOCOX_SUBMIT`: only that it is `now`. In a message it is a sign of life.
pub const LOCOX_TICK: u32 = 8;
/// See `LOCOX_SUBMIT`: the host has `run`.
pub const LOCOX_HEARD: u32 = 9;
/// See `LOCOX_SUBMIT`: the job of `run` is not wanted any more.
pub const LOCOX_CANCEL: u32 = 10;
/// See `LOCOX_SUBMIT`: the job of `run` shall have no processor until it is released.
pub const LOCOX_HOLD: u32 = 11;
/// See `LOCOX_SUBMIT`: the job of `run` may have a processor again.
pub const LOCOX_RELEASE: u32 = 12;
/// See `LOCOX_SUBMIT`: all runs of the job of `run` together may take `limit`; zero is no limit.
pub const LOCOX_LIMIT: u32 = 13;
/// See `LOCOX_SUBMIT`: processor `node`, or `LOCOX_BANK`, is given to nobody until it is restored.
pub const LOCOX_DRAIN: u32 = 14;
/// See `LOCOX_SUBMIT`: processor `node`, or `LOCOX_BANK`, may be given to jobs again.
pub const LOCOX_RESTORE: u32 = 15;
/// See `LOCOX_TICK`: station `node` has a share of `number` times that of a station of weight 1, from 1 to 65,535, if there
/// are enough processors, as `locox_ranking_set_weight` says. Under other rankings than Up-Down by elapsed time: `LOCOX_BAD_ARGUMENT`.
pub const LOCOX_SET_WEIGHT: u32 = 16;

/// What is to be done: ask every station whether its owner is there and which jobs wait.
pub const LOCOX_POLL: u32 = 0;
/// See `LOCOX_POLL`: start `run`, a job of station `home`, on `node` from its beginning.
pub const LOCOX_PLACE: u32 = 1;
/// See `LOCOX_POLL`: start `run`, a job of station `home`, on `node` from checkpoint `number`.
pub const LOCOX_RESUME: u32 = 2;
/// See `LOCOX_POLL`: checkpoint `run` and have it out of `node`; `why` and `to` say why.
pub const LOCOX_PREEMPT: u32 = 3;
/// See `LOCOX_POLL`: checkpoint `run` on `node`; it goes on.
pub const LOCOX_CHECKPOINT: u32 = 4;
/// See `LOCOX_POLL`: ask `node` what became of `run`.
pub const LOCOX_ASK: u32 = 5;
/// See `LOCOX_POLL`: so many runs failed on `node` that it is given to nobody any more.
pub const LOCOX_SET_ASIDE: u32 = 6;

/// Why a run is preempted: the processor goes to station `to`.
pub const LOCOX_PREEMPT_FAIRNESS: u32 = 0;
/// See `LOCOX_PREEMPT_FAIRNESS`: the job has a new place, processor `to`.
pub const LOCOX_PREEMPT_MOVED: u32 = 1;
/// See `LOCOX_PREEMPT_FAIRNESS`: the owner came back too early.
pub const LOCOX_PREEMPT_WITHDRAWN: u32 = 2;
/// See `LOCOX_PREEMPT_FAIRNESS`: the job was cancelled; no checkpoint is needed.
pub const LOCOX_PREEMPT_CANCELLED: u32 = 3;
/// See `LOCOX_PREEMPT_FAIRNESS`: the job is held.
pub const LOCOX_PREEMPT_HELD: u32 = 4;
/// See `LOCOX_PREEMPT_FAIRNESS`: the job ran for longer than it may.
pub const LOCOX_PREEMPT_LIMIT: u32 = 5;
/// See `LOCOX_PREEMPT_FAIRNESS`: the processor is drained.
pub const LOCOX_PREEMPT_DRAINED: u32 = 6;

/// Where a job is: at home, waiting.
pub const LOCOX_JOB_WAITING: u32 = 0;
/// See `LOCOX_JOB_WAITING`: at home; its last run failed, and it waits from `until` on.
pub const LOCOX_JOB_BACKING_OFF: u32 = 1;
/// See `LOCOX_JOB_WAITING`: at home; it is held.
pub const LOCOX_JOB_HELD: u32 = 2;
/// See `LOCOX_JOB_WAITING`: at home; too many of its runs failed.
pub const LOCOX_JOB_FAILED: u32 = 3;
/// See `LOCOX_JOB_WAITING`: at home; it ran for longer than it may.
pub const LOCOX_JOB_LIMIT: u32 = 4;
/// See `LOCOX_JOB_WAITING`: `node` is kept for it.
pub const LOCOX_JOB_PLACED: u32 = 5;
/// See `LOCOX_JOB_WAITING`: on its way to `node`, or running there.
pub const LOCOX_JOB_RUNNING: u32 = 6;
/// See `LOCOX_JOB_WAITING`: still on `node`; `next`, if any, is kept for it.
pub const LOCOX_JOB_LEAVING: u32 = 7;

pub(super) type Body = Durable<Under>;

opaque! {
    /// The coordinator of a network of workstations and a processor bank. Opaque, small, and may be
    /// moved; its rows may not.
    locox_station: [u64; LOCOX_STATION_LENGTH], locox_size_of_station, as Body, b"STAT";

    /// Room for what is kept of a station.
    locox_home_row: [u32; LOCOX_HOME_ROW_LENGTH], locox_size_of_home_row, for HomeRow;

    /// Room for what is kept of a processor.
    locox_node_row: [u64; LOCOX_NODE_ROW_LENGTH], locox_size_of_node_row, for NodeRow;

    /// Room for what is kept of a job.
    locox_job_row: [u64; LOCOX_JOB_ROW_LENGTH], locox_size_of_job_row, for JobRow;

    /// Room for a round of allocation.
    locox_contender: [u64; LOCOX_CONTENDER_LENGTH], locox_size_of_contender, for Contender;

    /// Room for what Up-Down by time keeps of a station.
    locox_timed_row: [u64; LOCOX_TIMED_ROW_LENGTH], locox_size_of_timed_row, for TimedRow;
}

/// Room for what a station wants and holds.
#[repr(C)]
pub struct locox_demand_row {
    opaque: [u32; 1],
}

/// Bytes of a `locox_demand_row`, for callers who do not compile its header.
#[unsafe(no_mangle)]
pub extern "C" fn locox_size_of_demand_row() -> usize {
    size_of::<locox_demand_row>()
}

structures! {
    /// Where a coordinator keeps its rows, of any content. The structure itself is only read.
    pub struct locox_station_rows {
        /// One a station.
        pub demand: *mut locox_demand_row,
        /// One a station.
        pub homes: *mut locox_home_row,
        /// How many stations.
        pub stations: usize,
        /// One a processor: first those of the stations, then those of the bank.
        pub nodes: *mut locox_node_row,
        /// How many processors, as many as stations at least.
        pub node_count: usize,
        /// One for each job that is not finished.
        pub jobs: *mut locox_job_row,
        /// How many jobs.
        pub job_count: usize,
        /// Room for a round of allocation: four at least, and fast with two for each decision.
        pub scratch: *mut locox_contender,
        /// How many.
        pub scratch_count: usize,
    }

    /// Parameters of a coordinator; `locox_station_standard` has some to start from. Times are ticks.
    pub struct locox_station_config {
        /// Scheduling interval; not zero.
        pub interval: u64,
        /// Time between polls of the stations, not zero; `LOCOX_NEVER` if they report by themselves.
        pub poll: u64,
        /// Time between checkpoints of all that runs, not zero; `LOCOX_NEVER`: at preemption only.
        pub checkpoint: u64,
        /// How long it takes to move a job to another processor.
        pub transfer: u64,
        /// How long a host that numbers its messages may be silent, not zero; `LOCOX_NEVER`: for ever.
        pub lease: u64,
        /// How long a job stays out after a run that failed; twice as long after each further one.
        pub back_off: u64,
        /// `LOCOX_TRIGGER_...`.
        pub trigger: u32,
        /// How many rounds it holds at the most whenever it schedules; not zero.
        pub rounds: u32,
        /// Not zero: a job comes home as soon as its own station's processor is free.
        pub recall: u32,
        /// After so many failed runs in a row a job waits for a release; 0 for never.
        pub retries: u16,
        /// After so many failed runs in a row a processor is set aside; 0 for never.
        pub faults: u16,
        /// The number that its jobs' names carry: to other coordinators they are foreign.
        pub pool: u16,
        /// Of no meaning.
        pub padding: u16,
        /// How many processors change hands in a command at the most; 0 for as many as there are to decide.
        pub decisions: u32,
    }

    /// One attempt of a job on one processor.
    pub struct locox_run {
        /// The job.
        pub job: locox_handle,
        /// Counts the attempts of the job.
        pub attempt: u32,
    }

    /// What is said to a coordinator: of the fields those that its kind names.
    pub struct locox_station_command {
        /// `LOCOX_SUBMIT`, `LOCOX_NODE_IDLE`, ...
        pub kind: u32,
        /// A processor or a station.
        pub node: u32,
        /// A run, or a job of which any attempt is meant.
        pub run: locox_run,
        /// The number of a submission, a host's name for a checkpoint, or a weight.
        pub number: u32,
        /// Of no meaning.
        pub padding: u32,
        /// A limit in ticks.
        pub limit: u64,
    }

    /// Which host says it, of hosts that number their messages.
    pub struct locox_sender {
        /// The host's processor.
        pub node: u32,
        /// How often it restarted, from 1 on.
        pub boot: u32,
        /// Counts the messages of this boot, from 1 on; not those of submissions.
        pub number: u32,
    }

    /// What is to be done: of the fields those that its kind names.
    pub struct locox_station_effect {
        /// `LOCOX_POLL`, `LOCOX_PLACE`, ...
        pub kind: u32,
        /// The processor.
        pub node: u32,
        /// The run.
        pub run: locox_run,
        /// The station whose job it is.
        pub home: u32,
        /// The host's name for the checkpoint to resume from.
        pub number: u32,
        /// When the transfer should be over.
        pub begins: u64,
        /// `LOCOX_PREEMPT_...`.
        pub why: u32,
        /// The station or processor that is meant.
        pub to: u32,
    }

    /// Where a job is: of the fields those that its kind names.
    pub struct locox_job_status {
        /// `LOCOX_JOB_...`.
        pub kind: u32,
        /// A processor, or `LOCOX_NOBODY`.
        pub node: u32,
        /// The processor that is kept for it, or `LOCOX_NOBODY`.
        pub next: u32,
        /// Of no meaning.
        pub padding: u32,
        /// Until when it backs off.
        pub until: u64,
    }
}

/// Called for each effect that a call has to name.
pub type locox_station_effect_fn =
    Option<unsafe extern "C" fn(effect: *const locox_station_effect, user: *mut core::ffi::c_void)>;

/// Checked as the coordinator would, for it must be known before rows are cleared.
pub(super) fn config_of(it: &locox_station_config) -> Answer<Config> {
    let trigger = Numbered::from_number(it.trigger)?;
    if [it.interval, it.poll, it.checkpoint, it.lease, it.rounds.into()].contains(&0) {
        return Err(LOCOX_ZERO.into());
    }
    Ok(Config {
        interval: ticks(it.interval),
        poll: period(it.poll),
        checkpoint: period(it.checkpoint),
        transfer: ticks(it.transfer),
        trigger,
        rounds: it.rounds,
        recall: it.recall != 0,
        lease: period(it.lease),
        back_off: ticks(it.back_off),
        retries: it.retries,
        faults: it.faults,
        pool: PoolId(it.pool),
        decisions: NonZeroU32::new(it.decisions),
    })
}

impl From<Config> for locox_station_config {
    fn from(it: Config) -> Self {
        Self {
            interval: it.interval.ticks(),
            poll: number_of(it.poll),
            checkpoint: number_of(it.checkpoint),
            transfer: it.transfer.ticks(),
            lease: number_of(it.lease),
            back_off: it.back_off.ticks(),
            trigger: it.trigger.number(),
            rounds: it.rounds,
            recall: it.recall.into(),
            retries: it.retries,
            faults: it.faults,
            pool: it.pool.0,
            padding: 0,
            decisions: it.decisions.map_or(0, NonZeroU32::get),
        }
    }
}

pub(super) fn sender_of(it: locox_sender) -> Sender {
    Sender { node: NodeId(it.node), boot: it.boot, number: it.number }
}

pub(super) fn command_of(it: &locox_station_command) -> Answer<Command> {
    let (node, station) = (NodeId(it.node), StationId(it.node));
    let job = it.run.job.into();
    let run = Run { job, attempt: it.run.attempt };
    let nodes = if it.node == LOCOX_BANK { Nodes::Bank } else { Nodes::One { node } };
    Ok(match it.kind {
        LOCOX_TICK => Command::Tick,
        LOCOX_SUBMIT => Command::Submit { home: station, serial: it.number },
        LOCOX_NODE_IDLE => Command::NodeIdle { node },
        LOCOX_OWNER_BACK => Command::OwnerBack { station },
        LOCOX_CONTINUED => Command::Continued { run },
        LOCOX_CHECKPOINTED => Command::Checkpointed { run, checkpoint: Checkpoint(it.number) },
        LOCOX_VACATED => Command::Vacated { run },
        LOCOX_FINISHED => Command::Finished { run },
        LOCOX_NODE_LOST => Command::NodeLost { node },
        LOCOX_HEARD => Command::Heard { run },
        LOCOX_CANCEL => Command::Cancel { job },
        LOCOX_HOLD => Command::Hold { job },
        LOCOX_RELEASE => Command::Release { job },
        LOCOX_LIMIT => Command::Limit { job, limit: ticks(it.limit) },
        LOCOX_DRAIN => Command::Drain { nodes },
        LOCOX_RESTORE => Command::Restore { nodes },
        LOCOX_SET_WEIGHT => {
            let weight = u16::try_from(it.number).map_err(|_| LOCOX_BAD_ARGUMENT)?;
            Command::SetWeight { station, weight }
        }
        _ => return Err(LOCOX_BAD_ARGUMENT.into()),
    })
}

impl From<Run> for locox_run {
    fn from(run: Run) -> Self {
        Self { job: run.job.into(), attempt: run.attempt }
    }
}

impl locox_station_effect {
    const NOTHING: Self = Self {
        kind: LOCOX_POLL,
        node: LOCOX_NOBODY,
        run: locox_run { job: locox_handle::NOBODY, attempt: 0 },
        home: LOCOX_NOBODY,
        begins: 0,
        number: 0,
        why: 0,
        to: LOCOX_NOBODY,
    };

    fn of(kind: u32, node: NodeId) -> Self {
        Self { kind, node: node.0, ..Self::NOTHING }
    }

    fn of_run(kind: u32, node: NodeId, run: Run) -> Self {
        Self { run: run.into(), ..Self::of(kind, node) }
    }
}

impl From<Effect> for locox_station_effect {
    fn from(effect: Effect) -> Self {
        match effect {
            Effect::Poll => Self::NOTHING,
            Effect::Place { node, run, home, begins } => Self {
                home: home.0,
                begins: begins.ticks(),
                ..Self::of_run(LOCOX_PLACE, node, run)
            },
            Effect::Resume { node, run, home, checkpoint, begins } => Self {
                home: home.0,
                begins: begins.ticks(),
                number: checkpoint.0,
                ..Self::of_run(LOCOX_RESUME, node, run)
            },
            Effect::Preempt { node, run, why } => {
                let (why, to) = why_of(why);
                Self { why, to, ..Self::of_run(LOCOX_PREEMPT, node, run) }
            }
            Effect::Checkpoint { node, run } => Self::of_run(LOCOX_CHECKPOINT, node, run),
            Effect::Ask { node, run } => Self::of_run(LOCOX_ASK, node, run),
            Effect::SetAside { node } => Self::of(LOCOX_SET_ASIDE, node),
        }
    }
}

pub(super) fn why_of(why: PreemptReason) -> (u32, u32) {
    match why {
        PreemptReason::Fairness { to } => (LOCOX_PREEMPT_FAIRNESS, to.0),
        PreemptReason::Moved { to } => (LOCOX_PREEMPT_MOVED, to.0),
        PreemptReason::Withdrawn => (LOCOX_PREEMPT_WITHDRAWN, LOCOX_NOBODY),
        PreemptReason::Cancelled => (LOCOX_PREEMPT_CANCELLED, LOCOX_NOBODY),
        PreemptReason::Held => (LOCOX_PREEMPT_HELD, LOCOX_NOBODY),
        PreemptReason::Limit => (LOCOX_PREEMPT_LIMIT, LOCOX_NOBODY),
        PreemptReason::Drained => (LOCOX_PREEMPT_DRAINED, LOCOX_NOBODY),
    }
}

impl From<Status> for locox_job_status {
    fn from(status: Status) -> Self {
        let at = |kind| {
            let (node, next) = (LOCOX_NOBODY, LOCOX_NOBODY);
            Self { kind, node, next, padding: 0, until: 0 }
        };
        match status {
            Status::Waiting => at(LOCOX_JOB_WAITING),
            Status::Stopped { why: StopReason::BackingOff { until } } => {
                Self { until: until.ticks(), ..at(LOCOX_JOB_BACKING_OFF) }
            }
            Status::Stopped { why: StopReason::Held } => at(LOCOX_JOB_HELD),
            Status::Stopped { why: StopReason::Failed } => at(LOCOX_JOB_FAILED),
            Status::Stopped { why: StopReason::Limit } => at(LOCOX_JOB_LIMIT),
            Status::Placed { node } => Self { node: node.0, ..at(LOCOX_JOB_PLACED) },
            Status::Running { node } => Self { node: node.0, ..at(LOCOX_JOB_RUNNING) },
            Status::Leaving { node, next } => {
                let next = next.map_or(LOCOX_NOBODY, |next| next.0);
                Self { node: node.0, next, ..at(LOCOX_JOB_LEAVING) }
            }
        }
    }
}

faults! {
    Refusal {
        Refusal::JobsFull => LOCOX_FULL,
        Refusal::StationFull(station) => LOCOX_FULL.with(station.0),
        Refusal::Old => LOCOX_OLD,
        Refusal::BootOver { next } => LOCOX_OLD.with(next),
        Refusal::Early { next } => LOCOX_EARLY.with(next),
    }

    Misuse {
        Misuse::TimeWentBack => LOCOX_PAST,
        Misuse::NoSuchStation(station) => LOCOX_NO_SUCH_STATION.with(station.0),
        Misuse::NoSuchNode(node) => LOCOX_NO_SUCH_NODE.with(node.0),
        Misuse::Serial { next } => LOCOX_WRONG_SERIAL.with(next),
        Misuse::Job(misuse) => misuse,
        Misuse::RunOver => LOCOX_RUN_OVER,
        Misuse::Cancelled => LOCOX_CANCELLED,
        Misuse::NotStopped => LOCOX_NOT_STOPPED,
        Misuse::Unnumbered => LOCOX_UNNUMBERED,
        Misuse::NoReport => LOCOX_NO_REPORT,
        Misuse::Zero { .. } => LOCOX_ZERO,
        Misuse::Column { needs, .. } => LOCOX_TOO_SHORT.with(needs),
        Misuse::Ranking(misuse) => misuse,
    }

    fair::Misuse {
        fair::Misuse::Zero { .. } => LOCOX_ZERO,
        fair::Misuse::Stations { demand, .. } => LOCOX_TOO_SHORT.with(demand),
        fair::Misuse::HoldingsExceedCapacity { held, .. } => LOCOX_WRONG_TABLE.with(held),
        fair::Misuse::Scratch => LOCOX_TOO_SHORT.with(4u32),
        fair::Misuse::NoSuchStation(station) => LOCOX_NO_SUCH_STATION.with(station.0),
        fair::Misuse::NoWeights => LOCOX_BAD_ARGUMENT,
    }
}
