//! The coordinator as an image, and back.

use super::coordinator::Coordinator;
use super::storage::{JobRow, OutageRow, State, UserRow};
use super::tables::Core;
use super::users::{UserLists, name_of};
use super::yields::Rooms;
use super::{Config, Preemption, check};
use crate::coordinate::Snapshot;
use locox::fair::{Fairness, TimedUpDown};
use locox::ground::{Epochs, List, Ref, Slab, Take, digest_of_all, load_all};
use locox::image::{BadImage, Identity, Stored};
use locox::invariant::InvariantViolation;
use locox::time::Instant;

/// The version of today's images. Since the second one there are subcubes and deadlines, since the third one meshes; since the
/// fourth one the queue takes nodes to be out that are busy; since the fifth one there are boxes and trees, and another choice of
/// subcubes; since the sixth one jobs can have reservations; since the seventh one room is made for jobs.
const VERSION: u16 = 7;

/// The first version with planned outages, and with the reason why a job did not start as the last word of its row.
const PLANNED: u16 = 5;
/// The first one whose rows of outages say in their last two words for which job nodes are kept.
const RESERVED: u16 = 6;
/// The first one whose rows of jobs say up to when they are saved, and whether they may be stopped, and those of nodes for which job
/// they are kept.
const ROOM: u16 = 7;

/// An image is as long as the state: some 70 words for each row that a job ever used, 17 for each user, 5 for each node. It
/// fits a coordinator with more rows for jobs and users, not one with another number of nodes.
impl Snapshot for Coordinator<'_> {
    type Kept = Instant;

    fn identity(&self) -> Identity {
        self.identity_as(VERSION)
    }

    fn kept(&self) -> Instant {
        self.tables.core.now
    }

    fn store(&self, put: &mut dyn FnMut(u32)) {
        self.store_as(VERSION, put);
    }

    fn load_contents(&mut self, take: &mut Take<'_>) -> Result<(), BadImage> {
        self.load_as(VERSION, take)
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
        it.rooms = Rooms::default();
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        check::check(&self.tables)
    }
}

/// Images of other versions, for a program that takes over what an older one stored.
impl Coordinator<'_> {
    /// The older versions that can be read, the latest first.
    pub const OLDER: [u16; 3] = [6, 5, 4];

    /// What tells images of this version from those of others.
    pub fn identity_as(&self, version: u16) -> Identity {
        let Config { preempt, .. } = self.tables.config;
        // Before, nobody could say when jobs are stopped.
        let said = preempt.filter(|_| version >= ROOM);
        let said = said.into_iter().flat_map(Preemption::numbers);
        let numbers = self.tables.config.numbers(self.tables.nodes.len()).chain(said);
        let first = Identity::of(*b"MNGR", self.tables.config.pool, digest_of_all(numbers));
        Identity { version, ..first }
    }

    /// Passes the contents of an image of this version to `put`.
    pub fn store_as(&self, version: u16, mut put: &mut dyn FnMut(u32)) {
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
        it.nodes.rows.iter().for_each(|row| store_without(row, node_lacks(version), put));
        if version >= PLANNED {
            put(it.outages.used as u32);
            let lacks = outage_lacks(version);
            it.outages.planned().iter().for_each(|row| store_without(row, lacks, put));
        }
        it.queue.store(put);
        for (number, row) in it.used_jobs() {
            put(number);
            store_without(row, job_lacks(version), put);
        }
    }

    /// Takes the contents of an image of this version, as [`Snapshot::load_contents`] does of today's.
    ///
    /// # Errors
    ///
    /// [`BadImage`]. [`Snapshot::reset`] follows.
    pub fn load_as(
        &mut self,
        version: u16,
        mut take: &mut dyn FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
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
        for row in &mut *it.nodes.rows {
            *row = load_without(node_lacks(version), take)?;
        }
        it.nodes.set_free();
        it.outages.used = if version >= PLANNED { take()? as usize } else { 0 };
        let used = it.outages.rows.get_mut(..it.outages.used).ok_or(BadImage::OtherSize)?;
        for row in used {
            *row = load_without(outage_lacks(version), take)?;
        }
        it.queue.load_contents(take)?;
        for _ in 0..it.core.jobs {
            let number = take()?;
            let row = it.jobs.get_mut(number as usize).ok_or(BadImage::OtherSize)?;
            *row = load_without(job_lacks(version), take)?;
            if version < ROOM {
                row.yields_to = Ref::NONE;
            }
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
        it.rooms = Rooms::of(it.jobs);
        // For whom they were to stop then is not known.
        for row in 0..it.jobs.len() as u32 {
            if it.row(row).state == State::Stops && it.row(row).yields_to == Ref::NONE {
                it.edit(row, |job| job.state = State::Runs);
                it.set_due(row, false);
                it.tell_queue(row);
            }
        }
        Ok(())
    }
}

/// Which words of the row of a job an older version did not have.
fn job_lacks(version: u16) -> impl Fn(u32) -> bool + Copy {
    let words = words_of(&JobRow::EMPTY);
    let from_end = move |at: u32| words.saturating_sub(at);
    move |at| match from_end(at) {
        1 | 5 | 6 => version < ROOM,
        2 => version < PLANNED,
        _ => false,
    }
}

/// The same of that of a node.
fn node_lacks(version: u16) -> impl Fn(u32) -> bool + Copy {
    move |at| at == 3 && version < ROOM
}

/// The same of that of an outage.
fn outage_lacks(version: u16) -> impl Fn(u32) -> bool + Copy {
    let first = words_of(&OutageRow::EMPTY).saturating_sub(2);
    move |at| at >= first && version < RESERVED
}

fn words_of(row: &impl Stored) -> u32 {
    let mut words = 0u32;
    row.store(&mut |_| words = words.saturating_add(1));
    words
}

/// Stores a row without some words.
fn store_without(row: &impl Stored, lacks: impl Fn(u32) -> bool, put: &mut impl FnMut(u32)) {
    let mut at = 0u32;
    row.store(&mut |word| {
        if !lacks(at) {
            put(word);
        }
        at = at.saturating_add(1);
    });
}

/// Loads such a row; the words are zeros.
fn load_without<R: Stored>(
    lacks: impl Fn(u32) -> bool,
    take: &mut impl FnMut() -> Result<u32, BadImage>,
) -> Result<R, BadImage> {
    let mut at = 0u32;
    R::load(&mut || {
        let is_there = !lacks(at);
        at = at.saturating_add(1);
        if is_there { take() } else { Ok(0) }
    })
}
