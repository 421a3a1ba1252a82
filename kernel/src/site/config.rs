//! The coordinator's parameters.

use super::Misuse;
use crate::handle::PoolId;
use crate::mapping::{Basis, Best};
use crate::time::Duration;

crate::data::data! {
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
        /// After so many runs it forgets ([`Experience::new`](crate::mapping::Experience::new)).
        pub memory: u32,
        /// Runs on which resources go before the table: only those on the very one, or also those on
        /// others of its class, or on any.
        pub basis: Basis,
        /// So many sixteenths of the standard deviation of single runs are added to their mean
        /// ([`Expectation::at_risk`](crate::mapping::Expectation::at_risk)); 0: none. Machines whose
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
        /// So often a job is preempted at most; `None`: as often as somebody wants its place.
        pub preemptions: Option<u32>,
        /// Jobs are preempted only where those who take their places gain more than this for each.
        pub gain: Option<Duration>,
        /// The number that tells its jobs' handles from those of other pools.
        pub pool: PoolId,
    }
}

impl Config {
    /// As in the study: jobs that wait are mapped anew each quantum by the table, and preempted
    /// without a bound.
    pub const fn new(quantum: Duration, pool: PoolId) -> Self {
        Self {
            quantum,
            remap: Remap::Waiting,
            best: Best::Completion,
            learning: None,
            preemptions: None,
            gain: None,
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
    pub(super) fn numbers(&self) -> [u64; 7] {
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
            u64::from(self.pool.0),
        ]
    }
}
