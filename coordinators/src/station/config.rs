//! The coordinator's parameters.

use super::Misuse;
use core::num::NonZeroU32;
use locox::handle::PoolId;
use locox::time::Duration;

locox::ground::data! {
    /// When the coordinator updates its ranking and allocates, besides each scheduling interval.
    ///
    /// A schedule index counts updates, not time: where these are many, it moves fast.
    #[derive(Default)]
    pub enum Trigger {
        /// At no other time: the cheapest, for very many stations.
        IntervalOnly,
        /// Whenever a processor becomes free that its own station has no use for, as in the study.
        #[default]
        Capacity,
        /// Also whenever a job is submitted or no longer has the processor that it held, be it that
        /// it ended or goes home, so that few wait for the interval beside a free processor. A
        /// station that was lost and is back waits, however, until anything makes it schedule.
        Demand,
    }

    /// The parameters of a coordinator.
    pub struct Config {
        /// Scheduling interval; not zero. Much longer than a transfer and a checkpoint, or preempted
        /// jobs move more than they run.
        pub interval: Duration,
        /// Time between polls of the stations; `None` if they report by themselves. Not zero.
        pub poll: Option<Duration>,
        /// Time between checkpoints of all that runs; `None` for checkpoints at preemption only. Not
        /// zero.
        pub checkpoint: Option<Duration>,
        /// How long it takes to move a job to another processor.
        pub transfer: Duration,
        /// What else makes it schedule.
        pub trigger: Trigger,
        /// How many rounds it holds at the most whenever it schedules, as long as a processor is free
        /// and wanted; not zero. So many processors a station can get at one time, but for a ranking
        /// that [keeps the order](locox::fair::Fairness::KEEPS_ORDER): that gives all in one round.
        pub rounds: u32,
        /// How many processors change hands at the most when it schedules; `None` for as many as there
        /// are to decide. So a command takes no longer than so many decisions and what it takes without
        /// one. What is left is decided by the commands that follow, whatever they are and whenever they
        /// come: until then it wants to be woken [at once](super::Coordinator::wake_at). Under a ranking that
        /// [keeps the order](locox::fair::Fairness::KEEPS_ORDER) that is what would have been decided
        /// in one go, if nothing happens meanwhile; who takes the effects in between may tell a host more,
        /// as to write a checkpoint before it yields. Under others what follows is a round of its own,
        /// without an update before.
        pub decisions: Option<NonZeroU32>,
        /// Whether a job that runs elsewhere comes home as soon as its own station's processor is free
        /// and no other of its jobs waits for that. It costs a checkpoint, and leaves the processor of
        /// the others to those who have none. It is the job that has been away the longest; if its host
        /// has not been told of it yet, or it is still leaving another, none comes.
        pub recall: bool,
        /// How long a host that [numbers its messages](super::Sender) may be silent before it is taken
        /// for lost, at the next end of an interval; `None` for ever. It is the `length` of the
        /// [`Lease`](locox::node::Lease) by which that host kills its guest before.
        pub lease: Option<Duration>,
        /// How long a job stays out after a run that failed; twice as long after each further one.
        pub back_off: Duration,
        /// After so many failed runs in a row a job waits for [`Release`](super::Command::Release); 0
        /// for never.
        pub retries: u16,
        /// After so many failed runs of different jobs in a row a processor is set aside until
        /// [`Restore`](super::Command::Restore); 0 for never.
        pub faults: u16,
        /// The number that tells its jobs' handles from those of other pools.
        pub pool: PoolId,
    }
}

impl Config {
    /// What to start from: reports come by themselves, whatever changes makes it schedule, and what
    /// is free is given away at once. Interval 10 minutes, transfer 1 minute, checkpoints at
    /// preemption only, no recall, no leases; a job whose run failed stays out for a minute at
    /// first. A `minute` is so many ticks long.
    pub const fn standard(minute: Duration) -> Self {
        Self { poll: None, trigger: Trigger::Demand, rounds: u32::MAX, ..Self::study(minute) }
    }

    /// The configuration of the study: one processor a station and round, interval 10 minutes, poll
    /// 2 minutes, transfer 1 minute, checkpoints at preemption only, no recall, no leases. A job
    /// whose run failed stays out for a minute at first; the study knows nothing of that. A
    /// `minute` is so many ticks long.
    pub const fn study(minute: Duration) -> Self {
        Self {
            interval: Duration::from_ticks(minute.ticks().saturating_mul(10)),
            poll: Some(Duration::from_ticks(minute.ticks().saturating_mul(2))),
            checkpoint: None,
            transfer: minute,
            trigger: Trigger::Capacity,
            rounds: 1,
            decisions: None,
            recall: false,
            lease: None,
            back_off: minute,
            retries: 0,
            faults: 0,
            pool: PoolId(0),
        }
    }

    pub(super) fn check(&self) -> Result<(), Misuse> {
        let numbers = [
            ("interval", Some(self.interval)),
            ("poll", self.poll),
            ("checkpoint", self.checkpoint),
            ("lease", self.lease),
            ("rounds", Some(Duration::from_ticks(self.rounds.into()))),
        ];
        match numbers.into_iter().find(|(_, number)| *number == Some(Duration::ZERO)) {
            Some((parameter, _)) => Err(Misuse::Zero { parameter }),
            None => Ok(()),
        }
    }

    /// What an image has to agree with, besides the pool. A bound that is not there is no number, as
    /// images are older than it.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let period = |it: Option<Duration>| it.map_or(u64::MAX, Duration::ticks);
        let numbers = [
            self.interval.ticks(),
            period(self.poll),
            period(self.checkpoint),
            self.transfer.ticks(),
            self.trigger as u64,
            self.recall.into(),
            self.rounds.into(),
            period(self.lease),
            self.back_off.ticks(),
            self.retries.into(),
            self.faults.into(),
        ];
        numbers.into_iter().chain(self.decisions.map(|most| most.get().into()))
    }
}
