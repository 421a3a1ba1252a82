//! The coordinator as an image, and back.

use super::check;
use super::coordinator::Coordinator;
use super::storage::{JobRow, UserRow};
use super::tables::Core;
use super::users::{UserLists, name_of};
use crate::coordinate::Snapshot;
use locox::fair::{Fairness, TimedUpDown};
use locox::ground::{Epochs, List, Slab, Take, digest_of_all, load_all};
use locox::image::{BadImage, Identity, Stored};
use locox::invariant::InvariantViolation;
use locox::time::Instant;

/// An image is as long as the state: some 67 words for each row that a job ever used, 17 for each user, 4 for each node. It
/// fits a coordinator with more rows for jobs and users, not one with another number of nodes.
impl Snapshot for Coordinator<'_> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        let config = self.tables.config;
        let numbers = config.numbers(self.tables.nodes.len());
        let first = Identity::of(*b"MNGR", config.pool, digest_of_all(numbers));
        // Since the second version there are subcubes and deadlines, since the third one meshes; since the fourth one the
        // queue takes nodes to be out that are busy; since the fifth one there are boxes and trees, and another choice of subcubes; since the sixth
        // one jobs can have reservations.
        Identity { version: 6, ..first }
    }

    fn kept(&self) -> Instant {
        self.tables.core.now
    }

    fn store(&self, mut put: &mut dyn FnMut(u32)) {
        let it = &self.tables;
        let put = &mut put;
        it.core.store(put);
        it.users.lists.store(put);
        let used = it.users.lists.slab.used() as usize;
        it.users.rows.iter().take(used).for_each(|row| row.store(put));
        // The ranking passes on all its rows: those of nobody yet are zeros, behind the others.
        let mut left = TimedUpDown::words_exported(used);
        it.users.fair.export(&mut |word| {
            if left > 0 {
                put(word);
            }
            left = left.saturating_sub(1);
        });
        it.nodes.rows.iter().for_each(|row| row.store(put));
        put(it.outages.used as u32);
        it.outages.planned().iter().for_each(|row| row.store(put));
        it.queue.store(put);
        for (number, row) in it.used_jobs() {
            put(number);
            row.store(put);
        }
    }

    fn load_contents(&mut self, mut take: &mut Take<'_>) -> Result<(), BadImage> {
        let it = &mut self.tables;
        let take = &mut take;
        it.core = Core::load(take)?;
        it.users.lists = UserLists::load(take)?;
        let used = it.users.lists.slab.used() as usize;
        load_all(it.users.rows.get_mut(..used).ok_or(BadImage::OtherSize)?, take)?;
        let words = TimedUpDown::words_exported(used);
        let mut words =
            core::iter::from_fn(|| take().ok()).take(words).chain(core::iter::repeat(0));
        let remembered = it.users.fair.restore(&mut words);
        remembered.ok_or(BadImage::Contradiction("it is of another ranking"))?;
        load_all(it.nodes.rows, take)?;
        it.nodes.set_free();
        it.outages.used = take()? as usize;
        let used = it.outages.rows.get_mut(..it.outages.used).ok_or(BadImage::OtherSize)?;
        load_all(used, take)?;
        it.queue.load_contents(take)?;
        for _ in 0..it.core.jobs {
            let number = take()?;
            let row = it.jobs.get_mut(number as usize).ok_or(BadImage::OtherSize)?;
            *row = JobRow::load(take)?;
            let key = row.key;
            let jobs = &*it.jobs;
            it.index.insert(key, number, |row| jobs.get(row as usize).map(|it| it.key));
        }
        let users = &mut it.users;
        for row in users.lists.slab.open_rows(&*users.rows) {
            let name = |row: u32| Some(name_of(users.rows.get(row as usize)?.id));
            if let Some(key) = name(row) {
                users.index.insert(key, row, name);
            }
        }
        Ok(())
    }

    fn reset(&mut self, now: Instant) {
        let it = &mut self.tables;
        it.core = Core::new(now);
        it.queue.reset(Epochs::FIRST);
        it.jobs.fill(JobRow::EMPTY);
        it.index.clear();
        it.users.lists = UserLists { slab: Slab::new(it.config.pool), due: List::EMPTY };
        it.users.rows.fill(UserRow::EMPTY);
        it.users.index.clear();
        it.users.fair.clear();
        it.nodes.clear();
        it.outages.used = 0;
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        check::check(&self.tables)
    }
}
