//! The coordinator's parameters.

use super::limits::words_of;
use super::{Misuse, words};
use locox::handle::PoolId;
use locox::time::Duration;

locox::ground::data! {
    /// When jobs that wait are tried again. Which ones that are is the discipline's business: first come,
    /// first served, the head of the queue.
    ///
    /// The source tries one job at each end of another, and does not say whether a second one follows.
    /// Where a placement looks at readings, which lag behind, both readings can leave the head waiting
    /// beside idle hosts with no end to come that would try it.
    #[derive(Default)]
    pub enum Retry {
        /// One job, when a job ends.
        OneAtEnds,
        /// Jobs until one does not fit, when a job ends.
        AllAtEnds,
        /// Jobs until one does not fit, whenever anything happened that may have made room: ends, reports, cancels.
        #[default]
        Always,
    }

    /// The parameters of a coordinator.
    pub struct Config {
        /// When the head of the queue is tried.
        pub retry: Retry,
        /// After which silence a host is taken for lost, and at the latest after twice that; `None` if
        /// the caller finds out. Not zero.
        ///
        /// Time for which the coordinator gets no command counts. If it was down for longer, its first command takes
        /// all hosts for lost except one that this command reports, and their jobs are killed. To keep them, let the
        /// clock go on from [`now`](super::Coordinator::now) of the restored image, as if no time had passed.
        pub silence: Option<Duration>,
        /// How many sets of hosts may be named, besides that of all, which is number 0.
        pub sets: u16,
        /// Whether a job gets only hosts with the memory that it needs.
        pub memory: bool,
        /// The number that tells its jobs' handles from those of other pools.
        pub pool: PoolId,
    }
}

impl Config {
    /// The queue tried whenever there may be room, hosts lost only when that is said, no sets of hosts, and
    /// memory not looked at.
    pub const fn new(pool: PoolId) -> Self {
        Self { retry: Retry::Always, silence: None, sets: 0, memory: false, pool }
    }

    /// Words of storage for so many hosts and levels: [`words`](super::words), and more where sets of hosts
    /// or their memory are kept.
    ///
    /// ```
    /// use locox::handle::PoolId;
    /// use locox_coordinators::cluster::{Config, words};
    /// let config = Config::new(PoolId(1));
    /// assert_eq!(config.words(12, 2), words(12, 2));
    /// let with_memory = Config { memory: true, ..config };
    /// assert_eq!(with_memory.words(12, 2), words(12, 2) + 1 + 12); // scratch, and one a host
    /// let with_sets = Config { sets: 4, ..config };
    /// assert_eq!(with_sets.words(12, 2), words(12, 2) + 1 + 4);
    /// ```
    pub const fn words(&self, hosts: usize, levels: u8) -> usize {
        let [bits, memory] = words_of(self.sets, self.memory, hosts);
        words(hosts, levels).saturating_add(bits).saturating_add(memory)
    }

    pub(super) fn check(&self) -> Result<(), Misuse> {
        if self.silence == Some(Duration::ZERO) {
            return Err(Misuse::Zero { parameter: "silence" });
        }
        Ok(())
    }

    /// What an image has to agree with, besides the pool.
    pub(super) fn numbers(&self) -> [u64; 4] {
        let silence = self.silence.map_or(u64::MAX, Duration::ticks);
        [self.retry as u64, silence, self.sets.into(), self.memory.into()]
    }
}
