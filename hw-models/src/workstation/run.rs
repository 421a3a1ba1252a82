//! A pool is run under a ranking.

use super::world::World;
use super::{BadPool, Outcome, Policy, Pool};
use locox::fair::{
    Amount, Fairness, Pace, Random, RoundRobin, ScheduleIndex, TimedRow, TimedUpDown, UpDown,
};
use locox::time::{Duration, Instant};

/// Ticks are seconds.
const MINUTE: u64 = 60;

impl Pool {
    /// Runs it under one of the kernel's rankings. The step of the functions is the interval in
    /// minutes; the quantum is the interval, and the half-life a day. Same seed and replication, same outcome.
    ///
    /// # Errors
    ///
    /// [`BadPool`] names the parameter.
    pub fn run(&self, policy: Policy, seed: u64, replication: u64) -> Result<Outcome, BadPool> {
        match policy {
            Policy::TimedUpDown => {
                let quantum = self.config.interval;
                let pace = Pace { quantum, ..Pace::standard(Duration::from_ticks(MINUTE)) };
                let rows = vec![TimedRow::EMPTY; self.stations.len()];
                let fair = TimedUpDown::new(rows, pace);
                let fair = fair.map_err(|_| BadPool::NotPositive { parameter: "interval" })?;
                self.run_by(fair, seed, replication, |_, _| ())
            }
            Policy::UpDown(functions) => {
                let step = Amount::ratio(self.config.interval.ticks(), MINUTE);
                let step = step.unwrap_or(Amount::MAX).max(Amount::from_bits(1));
                let table = vec![ScheduleIndex::ZERO; self.stations.len()];
                let fair = UpDown::new(table, functions.with_step(step)).shuffled();
                self.run_by(fair, seed, replication, |_, _| ())
            }
            Policy::RoundRobin => self.run_by(RoundRobin::default(), seed, replication, |_, _| ()),
            Policy::Random => self.run_by(Random::new(), seed, replication, |_, _| ()),
        }
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
        Ok(world.run(watch))
    }
}
