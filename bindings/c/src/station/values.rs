//! What the coordinator of workstations takes and gives, and what that is in the kernel.

use super::network::Under;
use crate::prelude::*;
use locox::fair::{self, Contender, StationId, TimedRow};
use locox_coordinators::station::*;

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

commands! {
    command_of(it: locox_station_command) -> Command, by it.kind;
    {
        let (node, station) = (NodeId(it.node), StationId(it.node));
        let (job, run) = (it.run.job.into(), FromC::from_c(it.run)?);
        let nodes = if it.node == LOCOX_BANK { Nodes::Bank } else { Nodes::One { node } };
    }
    /// What is said to a coordinator: a job waits at station `node`; `number` is one more than at its
    /// submission before, 1 at its first, and the same if it is said again. The answer is the job's name.
    LOCOX_SUBMIT = 0 => Command::Submit { home: station, serial: it.number };
    /// See `LOCOX_SUBMIT`: processor `node` is available.
    LOCOX_NODE_IDLE = 1 => Command::NodeIdle { node };
    /// See `LOCOX_SUBMIT`: the owner is at station `node`.
    LOCOX_OWNER_BACK = 2 => Command::OwnerBack { station };
    /// See `LOCOX_SUBMIT`: the owner left while `run` was suspended, and it goes on.
    LOCOX_CONTINUED = 3 => Command::Continued { run };
    /// See `LOCOX_SUBMIT`: a checkpoint of `run`, called `number`, is safe.
    LOCOX_CHECKPOINTED = 4 => Command::Checkpointed { run, checkpoint: Checkpoint(it.number) };
    /// See `LOCOX_SUBMIT`: `run` is no longer where it was.
    LOCOX_VACATED = 5 => Command::Vacated { run };
    /// See `LOCOX_SUBMIT`: `run` finished its job.
    LOCOX_FINISHED = 6 => Command::Finished { run };
    /// See `LOCOX_SUBMIT`: processor `node` is gone, and what ran there.
    LOCOX_NODE_LOST = 7 => Command::NodeLost { node };
    /// See `LOCOX_SUBMIT`: only that it is `now`. In a message it is a sign of life.
    LOCOX_TICK = 8 => Command::Tick;
    /// See `LOCOX_SUBMIT`: the host has `run`.
    LOCOX_HEARD = 9 => Command::Heard { run };
    /// See `LOCOX_SUBMIT`: the job of `run` is not wanted any more.
    LOCOX_CANCEL = 10 => Command::Cancel { job };
    /// See `LOCOX_SUBMIT`: the job of `run` shall have no processor until it is released.
    LOCOX_HOLD = 11 => Command::Hold { job };
    /// See `LOCOX_SUBMIT`: the job of `run` may have a processor again.
    LOCOX_RELEASE = 12 => Command::Release { job };
    /// See `LOCOX_SUBMIT`: all runs of the job of `run` together may take `limit`; zero is no limit.
    LOCOX_LIMIT = 13 => Command::Limit { job, limit: ticks(it.limit) };
    /// See `LOCOX_SUBMIT`: processor `node`, or `LOCOX_BANK`, is given to nobody until it is restored.
    LOCOX_DRAIN = 14 => Command::Drain { nodes };
    /// See `LOCOX_SUBMIT`: processor `node`, or `LOCOX_BANK`, may be given to jobs again.
    LOCOX_RESTORE = 15 => Command::Restore { nodes };
    /// See `LOCOX_TICK`: station `node` has a share of `number` times that of a station of weight 1, from 1 to 65,535, if there
    /// are enough processors, as `locox_ranking_set_weight` says. Under other rankings than Up-Down by elapsed time: `LOCOX_BAD_ARGUMENT`.
    LOCOX_SET_WEIGHT = 16 => Command::SetWeight { station, weight: FromC::from_c(it.number)? };
}

told! {
    Effect => locox_station_effect.kind {
        /// What is to be done: ask every station whether its owner is there and which jobs wait.
        LOCOX_POLL = 0: Effect::Poll => {};
        /// See `LOCOX_POLL`: start `run`, a job of station `home`, on `node` from its beginning.
        LOCOX_PLACE = 1: Effect::Place { node, run, home, begins } => { node, run, home, begins };
        /// See `LOCOX_POLL`: start `run`, a job of station `home`, on `node` from checkpoint `number`.
        LOCOX_RESUME = 2:
            Effect::Resume { node, run, home, checkpoint, begins } => { node, run, home, number: checkpoint, begins };
        /// See `LOCOX_POLL`: checkpoint `run` and have it out of `node`; `why` and `to` say why.
        LOCOX_PREEMPT = 3: Effect::Preempt { node, run, why } => { node, run; ..why.into_c() };
        /// See `LOCOX_POLL`: checkpoint `run` on `node`; it goes on.
        LOCOX_CHECKPOINT = 4: Effect::Checkpoint { node, run } => { node, run };
        /// See `LOCOX_POLL`: ask `node` what became of `run`.
        LOCOX_ASK = 5: Effect::Ask { node, run } => { node, run };
        /// See `LOCOX_POLL`: so many runs failed on `node` that it is given to nobody any more.
        LOCOX_SET_ASIDE = 6: Effect::SetAside { node } => { node };
    }

    PreemptReason => locox_station_effect.why {
        /// Why a run is preempted: the processor goes to station `to`.
        LOCOX_PREEMPT_FAIRNESS = 0: PreemptReason::Fairness { to } => { to };
        /// See `LOCOX_PREEMPT_FAIRNESS`: the job has a new place, processor `to`.
        LOCOX_PREEMPT_MOVED = 1: PreemptReason::Moved { to } => { to };
        /// See `LOCOX_PREEMPT_FAIRNESS`: the owner came back too early.
        LOCOX_PREEMPT_WITHDRAWN = 2: PreemptReason::Withdrawn => {};
        /// See `LOCOX_PREEMPT_FAIRNESS`: the job was cancelled; no checkpoint is needed.
        LOCOX_PREEMPT_CANCELLED = 3: PreemptReason::Cancelled => {};
        /// See `LOCOX_PREEMPT_FAIRNESS`: the job is held.
        LOCOX_PREEMPT_HELD = 4: PreemptReason::Held => {};
        /// See `LOCOX_PREEMPT_FAIRNESS`: the job ran for longer than it may.
        LOCOX_PREEMPT_LIMIT = 5: PreemptReason::Limit => {};
        /// See `LOCOX_PREEMPT_FAIRNESS`: the processor is drained.
        LOCOX_PREEMPT_DRAINED = 6: PreemptReason::Drained => {};
    }

    Status => locox_job_status.kind {
        /// Where a job is: at home, waiting.
        LOCOX_JOB_WAITING = 0: Status::Waiting => {};
        /// See `LOCOX_JOB_WAITING`: at home; its last run failed, and it waits from `until` on.
        LOCOX_JOB_BACKING_OFF = 1: Status::Stopped { why: StopReason::BackingOff { until } } => { until };
        /// See `LOCOX_JOB_WAITING`: at home; it is held.
        LOCOX_JOB_HELD = 2: Status::Stopped { why: StopReason::Held } => {};
        /// See `LOCOX_JOB_WAITING`: at home; too many of its runs failed.
        LOCOX_JOB_FAILED = 3: Status::Stopped { why: StopReason::Failed } => {};
        /// See `LOCOX_JOB_WAITING`: at home; it ran for longer than it may.
        LOCOX_JOB_LIMIT = 4: Status::Stopped { why: StopReason::Limit } => {};
        /// See `LOCOX_JOB_WAITING`: `node` is kept for it.
        LOCOX_JOB_PLACED = 5: Status::Placed { node } => { node };
        /// See `LOCOX_JOB_WAITING`: on its way to `node`, or running there.
        LOCOX_JOB_RUNNING = 6: Status::Running { node } => { node };
        /// See `LOCOX_JOB_WAITING`: still on `node`; `next`, if any, is kept for it.
        LOCOX_JOB_LEAVING = 7: Status::Leaving { node, next } => { node, next };
    }
}

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

plain! {
    /// Bytes of a `locox_demand_row`, for callers who do not compile its header.
    fn locox_size_of_demand_row() -> usize { size_of::<locox_demand_row>() }
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
        pub node: u32 = LOCOX_NOBODY,
        /// The run.
        pub run: locox_run,
        /// The station whose job it is.
        pub home: u32 = LOCOX_NOBODY,
        /// The host's name for the checkpoint to resume from.
        pub number: u32,
        /// When the transfer should be over.
        pub begins: u64,
        /// `LOCOX_PREEMPT_...`.
        pub why: u32,
        /// The station or processor that is meant.
        pub to: u32 = LOCOX_NOBODY,
    }

    /// Where a job is: of the fields those that its kind names.
    pub struct locox_job_status {
        /// `LOCOX_JOB_...`.
        pub kind: u32,
        /// A processor, or `LOCOX_NOBODY`.
        pub node: u32 = LOCOX_NOBODY,
        /// The processor that is kept for it, or `LOCOX_NOBODY`.
        pub next: u32 = LOCOX_NOBODY,
        /// Of no meaning.
        pub padding: u32,
        /// Until when it backs off.
        pub until: u64,
    }
}

callbacks! {
    /// Called for each effect that a call has to name.
    pub type locox_station_effect_fn(effect: *const locox_station_effect);
}

ids!(u32: NodeId, StationId, Checkpoint);
values! { Option<NodeId> as u32: |it| it.map_or(LOCOX_NOBODY, |node| node.0); }
mirrors! {
    locox_run = Run { job, attempt }
    locox_sender = Sender { node, boot, number }
    locox_station_config = Config {
        interval, poll, checkpoint, transfer, lease, back_off, trigger, rounds, recall, retries, faults, pool,
        decisions,
    }
}

/// Checked as the coordinator would, for it must be known before rows are cleared.
pub(super) fn config_of(it: locox_station_config) -> Answer<Config> {
    let config = FromC::from_c(it)?;
    if [it.interval, it.poll, it.checkpoint, it.lease, it.rounds.into()].contains(&0) {
        return Err(LOCOX_ZERO.into());
    }
    Ok(config)
}

faults! {
    Refusal {
        JobsFull => LOCOX_FULL, StationFull(station) => LOCOX_FULL.with(station.0), Old => LOCOX_OLD,
        BootOver { next } => LOCOX_OLD.with(next), Early { next } => LOCOX_EARLY.with(next),
    }
    Misuse {
        TimeWentBack => LOCOX_PAST, NoSuchStation(station) => LOCOX_NO_SUCH_STATION.with(station.0),
        NoSuchNode(node) => LOCOX_NO_SUCH_NODE.with(node.0), Serial { next } => LOCOX_WRONG_SERIAL.with(next),
        Job(misuse) => misuse, RunOver => LOCOX_RUN_OVER, Cancelled => LOCOX_CANCELLED,
        NotStopped => LOCOX_NOT_STOPPED, Unnumbered => LOCOX_UNNUMBERED, NoReport => LOCOX_NO_REPORT,
        Zero { .. } => LOCOX_ZERO, StorageTooSmall { needs, .. } => LOCOX_TOO_SHORT.with(needs), Ranking(misuse) => misuse,
    }
    fair::Misuse {
        Zero { .. } => LOCOX_ZERO, Stations { demand, .. } => LOCOX_TOO_SHORT.with(demand),
        HoldingsExceedCapacity { held, .. } => LOCOX_WRONG_TABLE.with(held), Scratch => LOCOX_TOO_SHORT.with(4u32),
        NoSuchStation(station) => LOCOX_NO_SUCH_STATION.with(station.0), NoWeights => LOCOX_BAD_ARGUMENT,
    }
}
