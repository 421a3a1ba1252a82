//! A pool is run under a ranking.

use super::world::World;
use super::{BadPool, Outcome, Policy, Pool};
use crate::moment::Moment;
use locox::fair::Fairness;
use locox::time::Instant;
use locox_recorded::{Under, Zero};

struct Run<'p> {
    pool: &'p Pool,
    seed: u64,
    replication: u64,
}

impl Under for Run<'_> {
    type Done = Result<Outcome, BadPool>;

    fn under<F: Fairness>(self, fair: F) -> Self::Done {
        self.pool.run_by(fair, self.seed, self.replication, |_, _| ())
    }
}

struct Shown<'p, S> {
    run: Run<'p>,
    show: S,
}

impl<S: FnMut(&dyn Fn() -> Moment)> Under for Shown<'_, S> {
    type Done = Result<Outcome, BadPool>;

    fn under<F: Fairness>(self, fair: F) -> Self::Done {
        let Run { pool, seed, replication } = self.run;
        pool.check()?;
        let world = World::new(pool, fair, seed, replication).map_err(BadPool::Config)?;
        Ok(world.run(|_, _| (), self.show))
    }
}

struct Record<'p> {
    run: Run<'p>,
    most: u64,
}

impl Under for Record<'_> {
    type Done = Result<Vec<u8>, BadPool>;

    fn under<F: Fairness>(self, fair: F) -> Self::Done {
        let Run { pool, seed, replication } = self.run;
        pool.check()?;
        let world = World::new(pool, fair, seed, replication).map_err(BadPool::Config)?;
        Ok(world.record(self.most))
    }
}

impl Pool {
    /// Runs it under one of the kernel's rankings. The step of the functions is the interval in
    /// minutes; the quantum is the interval, and the half-life a day. Same seed and replication,
    /// same outcome.
    ///
    /// # Errors
    ///
    /// [`BadPool`] names the parameter.
    pub fn run(&self, policy: Policy, seed: u64, replication: u64) -> Result<Outcome, BadPool> {
        let run = Run { pool: self, seed, replication };
        policy.rank(self.config.interval, self.stations.len(), run).map_err(no_interval)?
    }

    /// As [`Pool::run`]; `show` may ask after each scheduling interval how it stands.
    ///
    /// # Errors
    ///
    /// [`BadPool`] names the parameter.
    pub fn run_shown(
        &self,
        policy: Policy,
        seed: u64,
        replication: u64,
        show: impl FnMut(&dyn Fn() -> Moment),
    ) -> Result<Outcome, BadPool> {
        let run = Run { pool: self, seed, replication };
        policy
            .rank(self.config.interval, self.stations.len(), Shown { run, show })
            .map_err(no_interval)?
    }

    /// The history of its coordinator in such a run, up to so many commands.
    ///
    /// # Errors
    ///
    /// [`BadPool`] names the parameter.
    pub(crate) fn history(&self, policy: Policy, seed: u64, most: u64) -> Result<Vec<u8>, BadPool> {
        let run = Run { pool: self, seed, replication: 0 };
        let stations = self.stations.len();
        policy.rank(self.config.interval, stations, Record { run, most }).map_err(no_interval)?
    }

    /// Runs it under any ranking; `watch` sees that after each scheduling interval.
    ///
    /// # Errors
    ///
    /// [`BadPool`] names the parameter.
    pub fn run_by<F: Fairness>(
        &self,
        fair: F,
        seed: u64,
        replication: u64,
        watch: impl FnMut(Instant, &F),
    ) -> Result<Outcome, BadPool> {
        self.check()?;
        let world = World::new(self, fair, seed, replication).map_err(BadPool::Config)?;
        Ok(world.run(watch, |_| ()))
    }
}

fn no_interval(_: Zero) -> BadPool {
    BadPool::NotPositive { parameter: "interval" }
}
