//! A coordinator as an image, and back.

use super::coordinator::Core;
use super::{Cluster, check};
use crate::coordinate::{BadImage, Identity, Snapshot, Stored, Take, digest_of, load_all, stored};
use crate::invariant::InvariantViolation;
use crate::time::Instant;
use crate::timeshare::{HostId, Placement};

stored!(Core { now, next_check, waiting, jobs });

/// An image is 28 words, 2 for each entry, 6 for each host and a bit, 13 for each row that a job ever
/// used. That the placement is the same is the caller's business.
impl<P: Placement> Snapshot for Cluster<'_, P> {
    fn identity(&self) -> Identity {
        Identity::of(*b"ELMR", self.config.pool, digest_of(&self.config.numbers()))
    }

    fn now(&self) -> Instant {
        self.core.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        let put = &mut put;
        self.core.store(put);
        self.due.told.store(put);
        let used = self.core.jobs.used() as usize;
        self.table.store(used, put);
        self.jobs.iter().take(used).for_each(|row| row.store(put));
        for host in (0..self.table.hosts()).map(HostId) {
            self.due.contains(host).store(put);
        }
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let take = &mut take;
        self.reset(self.core.now);
        self.core = Core::load(take)?;
        let told = u32::load(take)?;
        let used = self.core.jobs.used() as usize;
        self.table.load(used, take)?;
        load_all(self.jobs.get_mut(..used).ok_or(BadImage::OtherSize)?, take)?;
        for host in (0..self.table.hosts()).map(HostId) {
            if bool::load(take)? {
                self.due.put(host, true);
            }
        }
        self.due.told = told;
        Ok(())
    }

    /// Rows for jobs need no clearing: their slab knows which were never used.
    fn reset(&mut self, now: Instant) {
        self.core = Core::new(&self.config, now);
        self.table.clear();
        self.due.words.fill(0);
        self.due.told = 0;
    }

    fn resync(&mut self) {
        for host in (0..self.table.hosts()).map(HostId) {
            if self.table.read_at(host).is_some() {
                self.due.put(host, true);
            }
        }
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        check::check(self)
    }
}
