//! The coordinator's parameters.

use locox::fair::DecayParams;
use locox::grid::{Axis, Grid};
use locox::handle::PoolId;
use locox::time::Duration;

locox::ground::data! {
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

    /// Which nodes a job can have.
    #[derive(Default)]
    pub enum Places {
        /// Any that are free; it gets those of the lowest numbers.
        #[default]
        Any,
        /// Those of a subcube, where the numbers of nodes are their addresses in a hypercube: a power of two of
        /// nodes, 65,536 at the most. A job that asks for another number gets all of the next larger subcube.
        Subcubes,
        /// Those of a mesh, where numbers are addresses as for [`Subcubes`](Self::Subcubes): a job gets as many as it
        /// asks for, in a subcube of which all are free, and others get what it leaves over there.
        Meshes,
        /// Those of a box of a mesh or torus, where the numbers of nodes are [its own](Grid): of as many as a job asks for,
        /// in the shape of the smallest surface of which one is free.
        Boxes(Grid),
        /// Those of one domain of a [`Tree`](super::Tree), the lowest that has room; for
        /// [`Coordinator::in_tree`](super::Coordinator::in_tree).
        Tree,
    }

    /// When jobs are [stopped for others](super#at-whose-expense).
    pub struct Preemption {
        /// A job waits for so long, as far as that is known beforehand, before others are stopped for it; and none is stopped that
        /// ends by then.
        pub patience: Duration,
        /// A job runs for so long before it is stopped.
        pub least_run: Duration,
        /// One that was stopped, and whose nodes another job had for it, runs for so long the next time.
        pub protection: Duration,
        /// From the notice to the stop.
        pub notice: Duration,
    }

    /// The parameters of a coordinator.
    pub struct Config {
        /// Who stands before whom.
        pub ranking: Ranking,
        /// Which nodes a job can have.
        pub places: Places,
        /// How the ranking of users forgets; its quantum is for how long about a user keeps what he took from one
        /// like himself.
        pub decay: DecayParams,
        /// Whether, and when, jobs are stopped for others.
        pub preempt: Option<Preemption>,
        /// The number that tells its images from those of others.
        pub pool: PoolId,
    }
}

const fn minutes(minute: Duration, count: u64) -> Duration {
    Duration::from_ticks(minute.ticks().saturating_mul(count))
}

impl Preemption {
    /// Half an hour of patience, ten minutes that each job runs, a day of protection, and no notice. A `minute` is so many ticks
    /// long.
    pub const fn standard(minute: Duration) -> Self {
        Self {
            patience: minutes(minute, 30),
            least_run: minutes(minute, 10),
            protection: minutes(minute, 24 * 60),
            notice: Duration::ZERO,
        }
    }

    /// What an image has to agree with.
    pub(super) fn numbers(self) -> [u64; 4] {
        let Self { patience, least_run, protection, notice } = self;
        [patience, least_run, protection, notice].map(Duration::ticks)
    }
}

impl Config {
    /// Any nodes, users by their ranking, with the [standard](DecayParams::standard) half-life of a day, and nobody stopped. A
    /// `minute` is so many ticks long.
    pub const fn standard(minute: Duration) -> Self {
        let decay = DecayParams::standard(minute);
        let (ranking, places) = (Ranking::Users, Places::Any);
        Self { ranking, places, decay, preempt: None, pool: PoolId(0) }
    }

    /// From a notice to the stop.
    pub(super) fn notice(&self) -> Duration {
        self.preempt.map_or(Duration::ZERO, |it| it.notice)
    }

    /// What an image has to agree with, besides the pool and a tree.
    pub(super) fn numbers(&self, nodes: u32) -> impl Iterator<Item = u64> + use<> {
        let DecayParams { half_life, quantum } = self.decay;
        let (places, grid) = match self.places {
            Places::Any => (0, None),
            Places::Subcubes => (1, None),
            Places::Meshes => (2, None),
            Places::Boxes(grid) => (3, Some(grid)),
            Places::Tree => (4, None),
        };
        let ranking = self.ranking as u64;
        let first = [
            ranking,
            places,
            self.preempt.is_some().into(),
            half_life.ticks(),
            quantum.ticks(),
            nodes.into(),
        ];
        let axis = |axis: &Axis| u64::from(axis.nodes()) << 1 | u64::from(axis.is_ring());
        let axes = (0..4).map_while(move |at| grid?.axes().get(at).map(axis));
        first.into_iter().chain(axes)
    }
}
