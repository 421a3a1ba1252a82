//! The coordinator's parameters.

use super::Misuse;
use locox::handle::PoolId;
use locox::mapping::{Basis, Best};
use locox::time::Duration;

locox::ground::data! {
    /// Which jobs are mapped when a quantum ends. The source leaves it open.
    #[derive(Default)]
    pub enum Remap {
        /// All that have not started: what came since, and what took longer than expected, counts.
        #[default]
        Waiting,
        /// Those without a place only: what has one keeps it, in its turn, and new jobs get theirs
        /// behind it. Costs less.
        New,
    }

    /// How the coordinator learns from runs.
    pub struct Learning {
        /// After so many runs it forgets ([`Experience::new`](locox::mapping::Experience::new)).
        pub memory: u32,
        /// Runs on which resources go before the table: only those on the very one, or also those on
        /// others of its class, or on any.
        pub basis: Basis,
        /// So many sixteenths of the standard deviation of single runs are added to their mean
        /// ([`Expectation::at_risk`](locox::mapping::Expectation::at_risk)); 0: none. Machines whose
        /// times vary then look slower to whatever algorithm a queue has.
        pub risk: u16,
    }

    /// The parameters of a coordinator.
    pub struct Config {
        /// Time between two mappings; not zero.
        pub quantum: Duration,
        /// What is mapped.
        pub remap: Remap,
        /// Which machine counts as the best.
        pub best: Best,
        /// Whether runs tell what others will take; `None`: the table does, for ever.
        pub learning: Option<Learning>,
        /// So often a job is preempted at most; `None`: as often as somebody wants its place. More than 65,535
        /// count as 65,535.
        pub preemptions: Option<u32>,
        /// Jobs are preempted only where those who take their places gain more than this for each.
        pub gain: Option<Duration>,
        /// The bound on waiting. At most so many mappings give a job a place in the order of its queue's
        /// [algorithm](super::Algorithm). If it has not started by then, it is mapped before all jobs of its queue
        /// that have waited for fewer mappings, with the others like it in the order of arrival. `None`: no bound,
        /// and under most algorithms a job may wait for as long as others come. More than 65,535 count as 65,535.
        pub patience: Option<u32>,
        /// The number that tells its jobs' handles from those of other pools.
        pub pool: PoolId,
    }
}

impl Config {
    /// As in the study, with a bound on waiting: jobs that wait are mapped anew each quantum by the
    /// table, at most a [hundred times](Self::patience) in the order of the algorithm, and preempted
    /// without a bound.
    pub const fn new(quantum: Duration, pool: PoolId) -> Self {
        Self {
            quantum,
            remap: Remap::Waiting,
            best: Best::Completion,
            learning: None,
            preemptions: None,
            gain: None,
            patience: Some(100),
            pool,
        }
    }

    pub(super) fn check(&self) -> Result<(), Misuse> {
        if self.quantum == Duration::ZERO {
            return Err(Misuse::Zero { parameter: "quantum" });
        }
        Ok(())
    }

    /// What an image has to agree with, besides the pool.
    pub(super) fn numbers(&self) -> [u64; 8] {
        let some = |number: Option<u64>| number.map_or(0, |number| number.saturating_add(1));
        let learning = self.learning.map(|Learning { memory, basis, risk }| {
            (u64::from(risk) << 34) | (u64::from(memory) << 2) | basis as u64
        });
        [
            self.quantum.ticks(),
            self.remap as u64,
            self.best as u64,
            some(learning),
            some(self.preemptions.map(u64::from)),
            some(self.gain.map(Duration::ticks)),
            some(self.patience.map(u64::from)),
            u64::from(self.pool.0),
        ]
    }
}
