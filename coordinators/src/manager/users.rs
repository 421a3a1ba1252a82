//! Users: their jobs in line, and what the ranking is to know of them.

use super::index::Index;
use super::storage::{Flag, JobRow, UserRow};
use super::{Key, Refusal, UserId};
use core::cmp::Ordering;
use locox::fair::{Demand, Fairness, StationId, TimedRow, TimedUpDown};
use locox::ground::heap::{self, HeapNode, Heaped};
use locox::ground::{List, Ref, Slab};
use locox::time::Instant;

impl Heaped for JobRow {
    type Side = ();

    fn node(&self, (): ()) -> &HeapNode {
        &self.heap
    }

    fn node_mut(&mut self, (): ()) -> &mut HeapNode {
        &mut self.heap
    }

    /// By priority and arrival.
    fn order(&self, other: &Self, (): ()) -> Ordering {
        other.priority.cmp(&self.priority).then(self.arrival.cmp(&other.arrival))
    }
}

/// What of the users is no column.
#[derive(Clone, Copy, Debug)]
pub(super) struct UserLists {
    /// Which rows are in use.
    pub(super) slab: Slab,
    /// Those of whom the ranking is to be told.
    pub(super) due: List,
}

locox::stored!(UserLists { slab, due });

/// The users. The station of a user in the ranking is the number of his row.
///
/// The ranking is told what a user has and wants before time passes, and before anything is decided: so it does not
/// matter in which order things happened at one instant.
pub(super) struct Users<'a> {
    pub(super) lists: UserLists,
    pub(super) rows: &'a mut [UserRow],
    pub(super) index: Index<'a>,
    pub(super) fair: TimedUpDown<&'a mut [TimedRow]>,
}

/// The name of a user in the index.
pub(super) const fn name_of(id: u32) -> Key {
    Key { id: id as u64, born: 0 }
}

impl Users<'_> {
    pub(super) fn find(&self, user: UserId) -> Option<u32> {
        self.index.find(name_of(user.0), |row| Some(name_of(self.rows.get(row as usize)?.id)))
    }

    /// Whether a user is known or can be.
    pub(super) fn has_room(&self, user: UserId) -> Result<(), Refusal> {
        self.find(user).or_else(|| self.next_row()).map(|_| ()).ok_or(Refusal::UsersFull)
    }

    /// The row of the next new user. If all are in use, it is that of a user without jobs whom the ranking cannot tell from
    /// a new one: so nobody gets rid of what he has had.
    fn next_row(&self) -> Option<u32> {
        let Self { lists: UserLists { slab, .. }, rows, fair, .. } = self;
        let is_new = |&row: &u32| self.row(row).jobs == 0 && fair.is_new(StationId(row));
        slab.next_row(&**rows).or_else(|| slab.open_rows(&**rows).find(is_new))
    }

    /// The row of a user, a new one if he is not known. There is room.
    pub(super) fn find_or_open(&mut self, now: Instant, user: UserId) -> u32 {
        if let Some(row) = self.find(user) {
            return row;
        }
        if let Some(row) = self.next_row().filter(|&row| self.row(row).generation.is_live()) {
            self.close(now, row);
        }
        let Some(row) = self.lists.slab.open(self.rows) else { return u32::MAX };
        if let Some(it) = self.row_mut(row) {
            *it = UserRow { generation: it.generation, id: user.0, ..UserRow::EMPTY };
        }
        let Self { index, rows, .. } = self;
        index.insert(name_of(user.0), row, |row| Some(name_of(rows.get(row as usize)?.id)));
        row
    }

    /// Forgets a user without jobs.
    pub(super) fn close(&mut self, now: Instant, row: u32) {
        self.tell(now);
        let Self { index, rows, lists, fair, .. } = self;
        let id = rows.get(row as usize).map_or(0, |it| it.id);
        index.remove(name_of(id), |row| Some(name_of(rows.get(row as usize)?.id)));
        fair.renew(StationId(row));
        lists.slab.close(&mut **rows, row);
    }

    pub(super) fn row(&self, row: u32) -> &UserRow {
        self.rows.get(row as usize).unwrap_or(&UserRow::EMPTY)
    }

    fn row_mut(&mut self, row: u32) -> Option<&mut UserRow> {
        self.rows.get_mut(row as usize)
    }

    /// Something of a user changes, of which the ranking is to be told.
    pub(super) fn edit(&mut self, row: u32, change: impl FnOnce(&mut UserRow)) {
        let is_due = |it: &UserRow| it.due == Flag::Yes;
        self.lists.due.change(self.rows, row, is_due, |it| {
            change(it);
            it.due = Flag::Yes;
        });
    }

    /// Tells the ranking how things are, at the time at which they came to be so.
    pub(super) fn tell(&mut self, now: Instant) {
        self.fair.advance(now);
        while let Some(row) = self.lists.due.first() {
            self.lists.due.remove(self.rows, row);
            let Some(it) = self.rows.get_mut(row as usize) else { break };
            it.due = Flag::No;
            let count = |number| u16::try_from(number).unwrap_or(u16::MAX);
            let demand = Demand { wants: count(it.waiting), holds: count(it.nodes) };
            self.fair.note(StationId(row), demand);
        }
    }

    /// A job of a user waits in line.
    pub(super) fn join(&mut self, jobs: &mut [JobRow], user: u32, job: u32) {
        self.edit(user, |it| {
            it.line = heap::insert(jobs, (), it.line, job);
            it.waiting = it.waiting.saturating_add(1);
        });
    }

    /// A job of a user waits in line no more.
    pub(super) fn leave(&mut self, jobs: &mut [JobRow], user: u32, job: u32) {
        self.edit(user, |it| {
            it.line = heap::remove(jobs, (), it.line, job);
            it.waiting = it.waiting.saturating_sub(1);
            if it.first == Ref::to(job) {
                it.first = Ref::NONE;
            }
        });
    }

    /// The first job in line of a user is what is said to be the first.
    pub(super) fn set_first(&mut self, user: u32) {
        if let Some(it) = self.row_mut(user) {
            it.first = it.line;
        }
    }

    /// The key in line of the first job of a user. Smaller than that of any job that is not. Of those with the same one
    /// the job that came first is first.
    pub(super) fn key_of_first(&self, user: u32) -> u64 {
        self.fair.exact_key(StationId(user)) >> 1
    }
}
