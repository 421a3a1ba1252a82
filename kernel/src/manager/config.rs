//! The coordinator's parameters.

use crate::fair::DecayParams;
use crate::handle::PoolId;
use crate::time::Duration;

crate::data::data! {
    /// Who stands before whom in line.
    #[derive(Default)]
    pub enum Ranking {
        /// The first job of each user, by the ranking of users; behind these all others, by priority and arrival.
        /// Which job is a user's first, priority and arrival say.
        #[default]
        Users,
        /// By priority and arrival, whosever jobs they are.
        Priority,
    }

    /// The parameters of a coordinator.
    pub struct Config {
        /// Who stands before whom.
        pub ranking: Ranking,
        /// How the ranking of users forgets; its quantum is for how long about a user keeps what he took from one
        /// like himself.
        pub decay: DecayParams,
        /// Whether a job in its first attempt is stopped for a user whose turn it is and who has nothing. With [`Ranking::Users`] only.
        pub preempt: bool,
        /// The number that tells its images from those of others.
        pub pool: PoolId,
    }
}

impl Config {
    /// Users by their ranking, with the [standard](DecayParams::standard) half-life of a day, and nobody stopped. A
    /// `minute` is so many ticks long.
    pub const fn standard(minute: Duration) -> Self {
        let decay = DecayParams::standard(minute);
        Self { ranking: Ranking::Users, decay, preempt: false, pool: PoolId(0) }
    }

    /// What an image has to agree with, besides the pool.
    pub(super) fn numbers(&self, nodes: u32) -> [u64; 5] {
        let DecayParams { half_life, quantum } = self.decay;
        let rules = [self.ranking as u64, self.preempt.into()];
        let [ranking, preempt] = rules;
        [ranking, preempt, half_life.ticks(), quantum.ticks(), nodes.into()]
    }
}
