//! The coordinator's parameters.

use super::Misuse;
use crate::handle::PoolId;
use crate::time::Duration;

crate::data::data! {
    /// When a job that waits is tried again. It is always the head of the queue.
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
        pub silence: Option<Duration>,
        /// The number that tells its jobs' handles from those of other pools.
        pub pool: PoolId,
    }
}

impl Config {
    /// The queue tried whenever there may be room, and hosts lost only when that is said.
    pub const fn new(pool: PoolId) -> Self {
        Self { retry: Retry::Always, silence: None, pool }
    }

    pub(super) fn check(&self) -> Result<(), Misuse> {
        if self.silence == Some(Duration::ZERO) {
            return Err(Misuse::Zero { parameter: "silence" });
        }
        Ok(())
    }

    /// What an image has to agree with, besides the pool.
    pub(super) fn numbers(&self) -> [u64; 2] {
        [self.retry as u64, self.silence.map_or(u64::MAX, Duration::ticks)]
    }
}
