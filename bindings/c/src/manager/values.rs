//! What the coordinator of a resource manager's machine takes and gives, and what that is in the kernel.

use crate::prelude::*;
use crate::queue::locox_backfill_row;
use crate::station::{LOCOX_NOBODY, locox_timed_row};
use locox::fair::DecayParams;
use locox_coordinators::manager::*;

commands! {
    command_of(it: locox_manager_command) -> Command, by it.kind;
    {
        let (key, user, first, nodes) = (FromC::from_c(it.key)?, UserId(it.user), NodeId(it.first), it.nodes);
        let (limit, priority) = (ticks(it.time), it.priority);
    }
    /// What is said to the coordinator of a resource manager's machine: the job `key` is new, and waits for `nodes`, for
    /// no longer than `time`. A larger `priority` is served earlier. Its `user` is known from now on. If all rows for
    /// users are in use, a new user gets that of one without jobs, of weight 1, with an index of 0, or of -1, where one that rises ends.
    LOCOX_MANAGER_SEEN = 0 => Command::Seen { key, user, nodes, limit, priority };
    /// See `LOCOX_MANAGER_SEEN`: `key` has other `nodes`, `time` and `priority`. It keeps its place among those of its
    /// priority. Of one that has nodes the number of nodes counts when it waits again.
    LOCOX_MANAGER_CHANGED = 1 => Command::Changed { key, nodes, limit, priority };
    /// See `LOCOX_MANAGER_SEEN`: somebody holds `key`, or, if `number` is zero, lets it go. It keeps its place. One that was
    /// to be started waits again.
    LOCOX_MANAGER_HELD = 2 => Command::Held { key, held: it.number != 0 };
    /// See `LOCOX_MANAGER_SEEN`: `key` runs since `time` on so many `nodes` from `first` on, and on no others: as was decided, or
    /// begun by somebody else, or moved there. A time that is yet to come means now. What was to be started on these nodes
    /// waits again.
    LOCOX_MANAGER_RUNS = 3 => Command::Runs { key, since: at(it.time), first, nodes };
    /// See `LOCOX_MANAGER_SEEN`: `key`, which runs, does so on so many `nodes` from `first` on as well.
    LOCOX_MANAGER_RUNS_ALSO = 4 => Command::RunsAlso { key, first, nodes };
    /// See `LOCOX_MANAGER_SEEN`: `key`, which ran, or was to be started or stopped, waits again, where it stood.
    LOCOX_MANAGER_WAITS = 5 => Command::Waits { key };
    /// See `LOCOX_MANAGER_SEEN`: `key` has ended, was cancelled, or is gone.
    LOCOX_MANAGER_LEFT = 6 => Command::Left { key };
    /// See `LOCOX_MANAGER_SEEN`: so many `nodes` from `first` on are out of service, or taken by jobs that are not told. What
    /// runs there runs on; what was to be started there waits again.
    LOCOX_MANAGER_NODE_OUT = 7 => Command::NodeOut { first, nodes };
    /// See `LOCOX_MANAGER_SEEN`: so many `nodes` from `first` on are in service again.
    LOCOX_MANAGER_NODE_BACK = 8 => Command::NodeBack { first, nodes };
    /// See `LOCOX_MANAGER_SEEN`: `user` has a share of `number` (1 to 65,535) times that of a user of weight 1, if there are
    /// enough nodes, as `locox_ranking_set_weight` says. He is known from now on.
    LOCOX_MANAGER_WEIGHT = 9 => Command::Weight { user, weight: FromC::from_c(it.number)? };
    /// See `LOCOX_MANAGER_SEEN`: `user`, who has no jobs, is to be forgotten, with his weight and with what he has had.
    LOCOX_MANAGER_USER_GONE = 10 => Command::UserGone { user };
    /// See `LOCOX_MANAGER_SEEN`: all that is known has been told. Start what can start.
    LOCOX_MANAGER_DECIDE = 11 => Command::Decide;
    /// See `LOCOX_MANAGER_SEEN`: `key` is to end by `time`; at `LOCOX_NEVER` it has no deadline, as at first.
    LOCOX_MANAGER_DEADLINE = 12 => Command::Deadline { key, by: at(it.time) };
    /// See `LOCOX_MANAGER_SEEN`: `key` is to be a mesh of `first` by `nodes` by `number`. As long as these are not as many nodes
    /// as it asks for, as at first, it is the one nearest to a square. It has a meaning with `LOCOX_MANAGER_MESHES` only.
    LOCOX_MANAGER_SHAPE = 13 => Command::Shape { key, sides: [it.first, it.nodes, it.number] };
    /// See `LOCOX_MANAGER_SEEN`: `key` may be stopped for another job, as at first, or, if `number` is zero, may not.
    LOCOX_MANAGER_STOPPABLE = 18 => Command::Stoppable { key, stoppable: it.number != 0 };
    /// See `LOCOX_MANAGER_SEEN`: what `key` has done up to `time` is not lost if it is stopped, until it waits again. A time that
    /// is yet to come means now.
    LOCOX_MANAGER_SAVED = 19 => Command::Saved { key, at: at(it.time) };
}

told! {
    Effect => locox_manager_effect.kind {
        /// What is to be done, or to be known: `key` is to be started on so many `nodes`, which `locox_manager_nodes` tells.
        LOCOX_MANAGER_START = 0: Effect::Start { key, nodes } => { key, nodes };
        /// See `LOCOX_MANAGER_START`: `key` is to be stopped, and to wait again; `job` of `user` gets its nodes, and `why` says why.
        LOCOX_MANAGER_STOP = 1: Effect::Stop { key, why } => { key; ..why.into_c() };
        /// See `LOCOX_MANAGER_START`: `key` is the first in line, and will start at `from` at the latest, if no node goes out and
        /// no other job goes before it, and all end by their limits; `to` is when it ends then at the latest.
        LOCOX_MANAGER_PROMISE = 2: Effect::Promise { key, from, to } => { key, from, to };
        /// See `LOCOX_MANAGER_START`: `key` asks for more nodes than there are, which are so many `nodes`: it waits for ever.
        /// Told again whenever it is changed, held or let go, or waits again.
        LOCOX_MANAGER_NEVER = 3: Effect::Never { key, nodes } => { key, nodes };
        /// See `LOCOX_MANAGER_START`: `key` will end after its deadline: at `to` at the earliest while it waits, and once it has
        /// nodes at the latest, if all jobs take as long as their limits. One that runs longer is taken to end at the next tick.
        LOCOX_MANAGER_LATE = 4: Effect::Late { key, finish } => { key, to: finish };
        /// See `LOCOX_MANAGER_STOP`: `key` will be stopped at `to`, unless it has ended by then, or its nodes are not needed any more.
        LOCOX_MANAGER_NOTICE = 5: Effect::Notice { key, at, why } => { key, to: at; ..why.into_c() };
    }

    StopReason => locox_manager_effect.why {
        /// Why a job is stopped: it is the turn of `user`, who has nothing.
        LOCOX_MANAGER_STOP_TURN = 0: StopReason::Turn { of, job } => { user: of, job };
        /// See `LOCOX_MANAGER_STOP_TURN`: `job` has a larger priority.
        LOCOX_MANAGER_STOP_PRIORITY = 1: StopReason::Priority { of, job } => { user: of, job };
    }

    Reason => locox_manager_reason.kind {
        /// Why a job waits: somebody holds it.
        LOCOX_MANAGER_WHY_HELD = 0: Reason::Held => {};
        /// See `LOCOX_MANAGER_WHY_HELD`: it asks for more than all `nodes`.
        LOCOX_MANAGER_WHY_TOO_LARGE = 1: Reason::TooLarge { nodes } => { nodes };
        /// See `LOCOX_MANAGER_WHY_HELD`: it asks for more than the `nodes` that are in service.
        LOCOX_MANAGER_WHY_OUTAGE = 2: Reason::Outage { serving } => { nodes: serving };
        /// See `LOCOX_MANAGER_WHY_HELD`: it asks for more than the `nodes` that are free.
        LOCOX_MANAGER_WHY_TOO_FEW_FREE = 3: Reason::TooFewFree { free } => { nodes: free };
        /// See `LOCOX_MANAGER_WHY_HELD`: the largest subcube in service has so many `nodes`.
        LOCOX_MANAGER_WHY_DIVIDED = 4: Reason::Divided { largest } => { nodes: largest };
        /// See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and the largest free subcube has so many `nodes`.
        LOCOX_MANAGER_WHY_FRAGMENTED = 5: Reason::Fragmented { largest } => { nodes: largest };
        /// See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and it would delay `first`, which is the first in line.
        LOCOX_MANAGER_WHY_WOULD_DELAY = 6: Reason::WouldDelay { first } => { first };
        /// See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and nothing was decided since the last fact.
        LOCOX_MANAGER_WHY_UNDECIDED = 7: Reason::Undecided => {};
        /// See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and they do not lie as it needs them.
        LOCOX_MANAGER_WHY_NO_FREE_PLACE = 8: Reason::NoFreePlace => {};
        /// See `LOCOX_MANAGER_WHY_HELD`: enough nodes are free, and it would run into a planned outage.
        LOCOX_MANAGER_WHY_PLANNED = 9: Reason::Planned => {};
        /// See `LOCOX_MANAGER_WHY_HELD`: those in service do not lie as it needs them, even while nothing runs.
        LOCOX_MANAGER_WHY_NO_PLACE = 10: Reason::NoPlace => {};
        /// See `LOCOX_MANAGER_WHY_HELD`: it is to start at a time of its own, which C cannot give it.
        LOCOX_MANAGER_WHY_RESERVED = 11: Reason::Reserved { .. } => {};
        /// See `LOCOX_MANAGER_WHY_HELD`: others stop for it, and it starts when they have.
        LOCOX_MANAGER_WHY_ROOM = 12: Reason::Room => {};
    }
}

numbers! {
    /// Which nodes a job can have: any that are free; it gets those of the lowest numbers.
    LOCOX_MANAGER_ANY_NODES = 0;
    /// See `LOCOX_MANAGER_ANY_NODES`: those of a subcube, where the numbers of nodes are their addresses in a
    /// hypercube. A job that asks for another number than a power of two gets all of the next larger subcube.
    LOCOX_MANAGER_SUBCUBES = 1;
    /// See `LOCOX_MANAGER_ANY_NODES`: those of a mesh, in a subcube of which all are free; others get what it leaves
    /// over there.
    LOCOX_MANAGER_MESHES = 2;
}

impl FromC<u32> for Places {
    fn from_c(number: u32) -> Answer<Self> {
        match number {
            LOCOX_MANAGER_ANY_NODES => Ok(Self::Any),
            LOCOX_MANAGER_SUBCUBES => Ok(Self::Subcubes),
            LOCOX_MANAGER_MESHES => Ok(Self::Meshes),
            _ => Err(LOCOX_BAD_ARGUMENT.into()),
        }
    }
}

numbered! {
    Ranking {
        /// Who stands before whom: the first job of each user, by the ranking of users; behind these all others, by
        /// priority and arrival.
        LOCOX_MANAGER_BY_USERS = Users = 0,
        /// See `LOCOX_MANAGER_BY_USERS`: by priority and arrival, whosever jobs they are.
        LOCOX_MANAGER_BY_PRIORITY = Priority = 1,
    }

    Status {
        /// What a job does, as far as is known and decided: it waits in line.
        LOCOX_MANAGED_WAITING = Waiting = 0,
        /// See `LOCOX_MANAGED_WAITING`: it waits, and somebody holds it.
        LOCOX_MANAGED_HELD = Held = 1,
        /// See `LOCOX_MANAGED_WAITING`: it waits, and asks for more nodes than there are.
        LOCOX_MANAGED_NEVER = Never = 2,
        /// See `LOCOX_MANAGED_WAITING`: it is to be started, on its nodes; that it runs has not been told yet.
        LOCOX_MANAGED_STARTING = Starting = 3,
        /// See `LOCOX_MANAGED_WAITING`: it runs.
        LOCOX_MANAGED_RUNNING = Running = 4,
        /// See `LOCOX_MANAGED_WAITING`: it runs, and is to be stopped, to wait again.
        LOCOX_MANAGED_STOPPING = Stopping = 5,
    }
}

pub(super) type Body = Durable<Coordinator<'static>>;

opaque! {
    /// The coordinator of a machine whose hosts do not talk: a resource manager starts its jobs. Opaque, small, and may
    /// be moved; its rows may not.
    locox_manager: [u64; LOCOX_MANAGER_LENGTH], locox_size_of_manager, as Body, b"MNGR";

    /// Room for what is kept of a job, beside the queue.
    locox_manager_job_row: [u64; LOCOX_MANAGER_JOB_ROW_LENGTH], locox_size_of_manager_job_row, for JobRow;

    /// Room for what is kept of a user, beside the ranking.
    locox_manager_user_row: [u32; LOCOX_MANAGER_USER_ROW_LENGTH], locox_size_of_manager_user_row, for UserRow;

    /// Room for what is kept of a node.
    locox_manager_node_row: [u32; LOCOX_MANAGER_NODE_ROW_LENGTH], locox_size_of_manager_node_row, for NodeRow;

    /// Room for who holds nodes in a decision.
    locox_manager_plan_row: [u64; LOCOX_MANAGER_PLAN_ROW_LENGTH], locox_size_of_manager_plan_row, for PlanRow;

    /// Room for who could stop for a job in a decision.
    locox_manager_stake_row: [u64; LOCOX_MANAGER_STAKE_ROW_LENGTH], locox_size_of_manager_stake_row, for StakeRow;
}

structures! {
    /// The name of a job: its number in the resource manager, and when it was submitted there, in seconds. Managers give
    /// a number again when they have lost a job or have run out of numbers; the time tells the two apart.
    pub struct locox_key {
        /// The manager's number.
        pub id: u64,
        /// When it was submitted there, in seconds.
        pub born: u32,
        /// Not looked at; zero in results.
        pub padding: u32,
    }

    /// Nodes that follow each other.
    pub struct locox_node_range {
        /// The first of them.
        pub first: u32,
        /// How many they are.
        pub nodes: u32,
    }

    /// Where a coordinator keeps its rows, of any content. The structure itself is only read.
    pub struct locox_manager_rows {
        /// One a job.
        pub entries: *mut locox_backfill_row,
        /// One a job.
        pub jobs: *mut locox_manager_job_row,
        /// For how many jobs that are known at once.
        pub job_count: usize,
        /// One a user.
        pub users: *mut locox_manager_user_row,
        /// One a user.
        pub ranks: *mut locox_timed_row,
        /// For how many users that are known at once.
        pub user_count: usize,
        /// One a node.
        pub nodes: *mut locox_manager_node_row,
        /// How many nodes there are; those that come later are out of service until then.
        pub node_count: usize,
        /// As many as `LOCOX_MANAGER_INDEX` says, or more, which makes it faster.
        pub index: *mut u32,
        /// How many.
        pub index_count: usize,
        /// As many as `locox_manager_words` says.
        pub words: *mut usize,
        /// How many.
        pub word_count: usize,
        /// One a job, where these need a subcube or are stopped for others; else it may be null.
        pub plan: *mut locox_manager_plan_row,
        /// One a job, where jobs are stopped for others; else it may be null.
        pub stakes: *mut locox_manager_stake_row,
        /// As many as `locox_manager_sums` says, where jobs are stopped for others; else it may be null.
        pub sums: *mut u64,
        /// How many.
        pub sum_count: usize,
    }

    /// Parameters of a coordinator; `locox_manager_standard` has some to start from. Times are ticks.
    pub struct locox_manager_config {
        /// After so long half of what a user had counts; not zero.
        pub half_life: u64,
        /// For about so long a user keeps what he took from one like himself; not zero.
        pub quantum: u64,
        /// With `preempt`: a job waits for so long, as far as that is known beforehand, before others are stopped for it; and none
        /// is stopped that ends by then.
        pub patience: u64,
        /// With `preempt`: a job runs for so long before it is stopped.
        pub least_run: u64,
        /// With `preempt`: one that was stopped, and whose nodes another job had for it, runs for so long the next time.
        pub protection: u64,
        /// With `preempt`: from `LOCOX_MANAGER_NOTICE` to `LOCOX_MANAGER_STOP`.
        pub notice: u64,
        /// `LOCOX_MANAGER_BY_...`.
        pub ranking: u32,
        /// `LOCOX_MANAGER_ANY_NODES` or `LOCOX_MANAGER_SUBCUBES`.
        pub places: u32,
        /// Not zero: jobs are stopped for one of a user whose turn it is and who has nothing, or by priority for the first in line
        /// if its priority is larger, where that loses the least work.
        pub preempt: u32,
        /// The number that tells its images from those of others.
        pub pool: u16,
        /// Not looked at.
        pub padding: u16,
    }

    /// What is said to a coordinator: of the fields those that its kind names.
    pub struct locox_manager_command {
        /// `LOCOX_MANAGER_SEEN`, `LOCOX_MANAGER_CHANGED`, ...
        pub kind: u32,
        /// A user.
        pub user: u32,
        /// A job.
        pub key: locox_key,
        /// The first of several nodes.
        pub first: u32,
        /// How many nodes.
        pub nodes: u32,
        /// A priority.
        pub priority: u32,
        /// A weight, or whether a job is held or may be stopped.
        pub number: u32,
        /// A limit, a start, a deadline, or up to when work is saved.
        pub time: u64,
    }

    /// What is to be done, or to be known: of the fields those that its kind names.
    pub struct locox_manager_effect {
        /// `LOCOX_MANAGER_START`, `LOCOX_MANAGER_STOP`, ...
        pub kind: u32,
        /// How many nodes.
        pub nodes: u32,
        /// A job.
        pub key: locox_key,
        /// A user, or `LOCOX_NOBODY`.
        pub user: u32 = LOCOX_NOBODY,
        /// `LOCOX_MANAGER_STOP_...`.
        pub why: u32,
        /// The job for which `key` is stopped.
        pub job: locox_key,
        /// A start.
        pub from: u64,
        /// An end.
        pub to: u64,
    }

    /// A job, as it is known.
    pub struct locox_managed_job {
        /// Its name.
        pub key: locox_key,
        /// For how long it may run.
        pub limit: u64,
        /// Since when it has nodes; of one that is to be started, when that was decided; `LOCOX_NEVER` of one that has
        /// none.
        pub since: u64,
        /// By when it is to end, or `LOCOX_NEVER`.
        pub deadline: u64,
        /// When it ends, if that is after its deadline, as of the last decision; else `LOCOX_NEVER`.
        pub late: u64,
        /// Whose it is.
        pub user: u32,
        /// How many nodes it asks for.
        pub nodes: u32,
        /// Its priority; a larger one is served earlier.
        pub priority: u32,
        /// 1 if somebody holds it.
        pub held: u32,
        /// `LOCOX_MANAGED_WAITING`, ...
        pub status: u32,
        /// How often it got nodes, counting those that it has.
        pub attempt: u32,
        /// How many nodes have to be free for it: those of a subcube if it needs one.
        pub needs: u32,
        /// The sides of the mesh that it is to be, if they were told; else zeros.
        pub sides: [u32; 3],
    }

    /// A node, as it is known.
    pub struct locox_managed_node {
        /// The job that has it, or is to get it, if any has.
        pub key: locox_key,
        /// 1 if a job has it.
        pub has_job: u32,
        /// 1 if it is out of service.
        pub out: u32,
    }

    /// A user, as he is known.
    pub struct locox_managed_user {
        /// His index in the ranking, in units of 2^-40 nodes times half-lives. A lower one is served earlier.
        pub index: i64,
        /// His number.
        pub id: u32,
        /// His jobs.
        pub jobs: u32,
        /// Those of them that wait, and that nobody holds.
        pub waiting: u32,
        /// Nodes that they have.
        pub nodes: u32,
        /// His share.
        pub weight: u32,
        /// Zero.
        pub padding: u32,
    }

    /// Why a job waits: of the fields those that its kind names.
    pub struct locox_manager_reason {
        /// `LOCOX_MANAGER_WHY_...`.
        pub kind: u32,
        /// How many nodes.
        pub nodes: u32,
        /// A job.
        pub first: locox_key,
    }
}

callbacks! {
    /// Called for each effect that a call has to name.
    pub type locox_manager_effect_fn(effect: *const locox_manager_effect);
    /// Called for each job that a call has to tell of.
    pub type locox_managed_job_fn(job: *const locox_managed_job);
    /// Called for each user that a call has to tell of.
    pub type locox_managed_user_fn(account: *const locox_managed_user);
    /// Called for each job that a call has to name.
    pub type locox_key_fn(key: *const locox_key);
    /// Called for all nodes that a call has to name, those that follow each other together.
    pub type locox_node_range_fn(range: *const locox_node_range);
}

ids!(u32: NodeId, UserId);
mirrors! {
    locox_key = Key { id, born }
    locox_node_range <- NodeRange { first, nodes }
    locox_managed_user <- User { id, jobs, waiting, nodes, weight, index }
    locox_managed_job <- Job {
        key, limit, since, deadline, late, user, nodes, priority, held, status, attempt, needs, sides,
    }
}
values! {
    locox_coordinators::manager::Node as locox_managed_node: |it| locox_managed_node {
        key: it.job.unwrap_or_default().into_c(), has_job: it.job.is_some().into(), out: it.out.into()
    };
}

/// What the kernel has as standard, and nobody stopped.
pub(super) fn standard(minute: Duration) -> locox_manager_config {
    let Config { ranking, decay, .. } = Config::standard(minute);
    let Preemption { patience, least_run, protection, notice } = Preemption::standard(minute);
    let [half_life, quantum] = [decay.half_life, decay.quantum].map(Duration::ticks);
    let [patience, least_run, protection, notice] =
        [patience, least_run, protection, notice].map(Duration::ticks);
    let times = locox_manager_config { half_life, quantum, patience, least_run, ..Empty::EMPTY };
    locox_manager_config { protection, notice, ranking: ranking.into_c(), ..times }
}

pub(super) fn config_of(it: locox_manager_config) -> Answer<Config> {
    let (ranking, places) = (FromC::from_c(it.ranking)?, FromC::from_c(it.places)?);
    if it.half_life == 0 || it.quantum == 0 {
        return Err(LOCOX_ZERO.into());
    }
    let decay = DecayParams { half_life: ticks(it.half_life), quantum: ticks(it.quantum) };
    let [patience, least_run, protection, notice] =
        [it.patience, it.least_run, it.protection, it.notice].map(ticks);
    let preempt = Preemption { patience, least_run, protection, notice };
    let preempt = Some(preempt).filter(|_| it.preempt != 0);
    Ok(Config { ranking, places, decay, preempt, pool: PoolId(it.pool) })
}

faults! {
    Refusal {
        JobsFull => LOCOX_FULL, UsersFull => LOCOX_USERS_FULL, Taken { node, .. } => LOCOX_NOT_FREE.with(node.0),
        HasJobs { jobs, .. } => LOCOX_HAS_JOBS.with(jobs), OutagesFull => LOCOX_FULL,
        Late { finish } => LOCOX_LATE.with(finish.ticks()), NoPlace => LOCOX_NO_PLACE,
    }
    Misuse {
        TimeWentBack => LOCOX_PAST, TimeTooLate => LOCOX_BEYOND_TIME, Known => LOCOX_KNOWN,
        NoSuchJob => LOCOX_NO_SUCH_JOB, NoSuchUser => LOCOX_NO_SUCH_USER, Waits => LOCOX_WAITS,
        NoNodes => LOCOX_NO_NODES, NoTime => LOCOX_NO_TIME, NoSuchNode(node) => LOCOX_NO_SUCH_NODE.with(node.0),
        Twice(node) => LOCOX_TWICE.with(node.0), StorageTooSmall { needs, .. } => LOCOX_TOO_SHORT.with(needs),
        NoCube { .. } => LOCOX_BAD_ARGUMENT, Ranking(misuse) => misuse, WrongProfile => LOCOX_TOO_SHORT,
        NoTree => LOCOX_BAD_ARGUMENT, OtherNodes { .. } => LOCOX_BAD_ARGUMENT, NoSuchOutage => LOCOX_BAD_ARGUMENT,
        Runs => LOCOX_RUNS, NoReservation => LOCOX_BAD_ARGUMENT,
    }
}
