//! A coordinator as an image, and back.

use super::coordinator::Coordinator;
use super::storage::{MachineRow, UserRow};
use super::tables::{Core, Tables};
use super::{Policy, check};
use crate::coordinate::Snapshot;
use locox::ground::{Take, load_all, stored};
use locox::image::{BadImage, Identity, Stored};
use locox::invariant::InvariantViolation;
use locox::mapping::Runs;
use locox::time::Instant;

stored!(Core { now, next, jobs, all, waiting, down, due_from });

/// An image is 24 words, 12 for each row that a job ever used, 3 for each machine, 8 for each user, 1
/// for each queue and each interconnect that is down, and 8 for each entry of experience.
impl Snapshot for Coordinator<'_> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        let first = Identity::of(*b"SITE", self.tables.config.pool, self.digest);
        // Since the second version a row counts in half a word how often its job was preempted, and how often mapped.
        Identity { version: 2, ..first }
    }

    fn kept(&self) -> Instant {
        self.tables.core.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        let put = &mut put;
        let Tables { core, columns, .. } = &self.tables;
        core.store(put);
        columns.jobs.iter().take(core.jobs.used() as usize).for_each(|row| row.store(put));
        columns.machines.iter().for_each(|row| row.store(put));
        columns.users.iter().for_each(|row| row.store(put));
        columns.queues.iter().for_each(|row| row.store(put));
        self.tables.down().iter().for_each(|row| row.store(put));
        columns.runs.iter().for_each(|row| row.store(put));
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let take = &mut take;
        let Tables { core, columns, .. } = &mut self.tables;
        *core = Core::load(take)?;
        let jobs = columns.jobs.get_mut(..core.jobs.used() as usize);
        load_all(jobs.ok_or(BadImage::OtherSize)?, take)?;
        load_all(columns.machines, take)?;
        load_all(columns.users, take)?;
        load_all(columns.queues, take)?;
        let down = columns.down.get_mut(..core.down as usize);
        load_all(down.ok_or(BadImage::OtherSize)?, take)?;
        load_all(columns.runs, take)?;
        self.tables.look_up_all();
        Ok(())
    }

    /// Rows for jobs need no clearing: their slab knows which were never used.
    fn reset(&mut self, now: Instant) {
        let Tables { config, core, columns, .. } = &mut self.tables;
        *core = Core::new(config, now);
        columns.machines.fill(MachineRow::EMPTY);
        columns.users.fill(UserRow::EMPTY);
        columns.queues.fill(Policy::EMPTY);
        columns.runs.fill(Runs::EMPTY);
        self.tables.look_up_all();
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        check::check(&self.tables)
    }
}
