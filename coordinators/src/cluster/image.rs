//! A coordinator as an image, and back.

use super::coordinator::Core;
use super::storage::RUNS;
use super::{Batch, Coordinator, check};
use crate::coordinate::Snapshot;
use locox::dispatch::{Discipline, SizeClass};
use locox::ground::{Take, digest_of_all, load_all, stored};
use locox::image::{BadImage, Identity, Stored};
use locox::invariant::InvariantViolation;
use locox::time::Instant;
use locox::timeshare::{HostId, Placement};

stored!(Core { now, next_check, waiting, jobs });

/// An image is 31 words, 2 for each entry, 9 for each host, 15 for each row that a job ever used; and for
/// each host one for each set, and one if its memory is kept. That the placement is the same is the
/// caller's business, and so are the parameters of the discipline.
impl<P: Placement, D: Discipline> Snapshot for Coordinator<'_, P, D> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        let discipline = self.discipline.name().bytes().map(u64::from);
        let numbers = self.config.numbers().into_iter().chain(discipline);
        Identity::of(*b"ELMR", self.config.pool, digest_of_all(numbers))
    }

    fn kept(&self) -> Instant {
        self.core.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        let put = &mut put;
        self.core.store(put);
        [self.core.jobs.floor, self.due.told, self.due.base].iter().for_each(|it| it.store(put));
        let used = self.core.jobs.used() as usize;
        self.table.store(used, put);
        self.jobs.iter().take(used).for_each(|row| row.store(put));
        for host in (0..self.table.hosts()).map(HostId) {
            self.due.contains(host).store(put);
            self.due.batch(host).store(put);
        }
        self.limits.store(put);
        self.discipline.state().store(put);
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let take = &mut take;
        let mut core = Core::load(take)?;
        let [floor, told, base] = [take()?, take()?, take()?];
        core.jobs.floor = floor;
        let used = core.jobs.used() as usize;
        self.table.load(used, take)?;
        load_all(self.jobs.get_mut(..used).ok_or(BadImage::OtherSize)?, take)?;
        for host in (0..self.table.hosts()).map(HostId) {
            let is_due = bool::load(take)?;
            self.due.put_batch(host, Batch::load(take)?);
            self.due.put(host, is_due);
        }
        (self.due.told, self.due.base) = (told, base);
        self.limits.load(take)?;
        let state = u32::load(take)?;
        // Until now no job runs of which a reset would tell the discipline.
        self.core = core;
        self.tell_running(D::started);
        self.discipline.resume(state);
        Ok(())
    }

    /// Rows for jobs need no clearing: their slab knows which were never used.
    fn reset(&mut self, now: Instant) {
        self.tell_running(D::finished);
        self.discipline.resume(0);
        self.core = Core::new(&self.config, now);
        self.table.clear();
        self.limits.bits.fill(0);
        self.limits.memory.fill(0);
        self.due.words.fill(0);
        (self.due.told, self.due.base) = (0, 0);
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        check::check(self)
    }
}

impl<P: Placement, D: Discipline> Coordinator<'_, P, D> {
    /// Tells the discipline of each job that runs.
    fn tell_running(&mut self, tell: impl Fn(&mut D, SizeClass)) {
        let used = self.jobs.iter().take(self.core.jobs.used() as usize);
        let running = used.filter(|job| job.generation.is_live() && job.line == RUNS);
        running.for_each(|job| tell(&mut self.discipline, SizeClass::of(job.hosts)));
    }
}
