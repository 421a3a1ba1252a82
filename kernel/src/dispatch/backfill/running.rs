//! Jobs that run, in the order in which they are to end.
//!
//! Where nobody holds an interval that is yet to come, PEs only become free, those of one job after
//! the other. How many there are when follows from a tree by ends whose branches add up PEs, without
//! a profile. When somebody wants such an interval, the profile is told of all jobs that it does not
//! know.

use super::planner::{Entry, Lines, Planner, RESERVED};
use crate::bits::Word;
use crate::dispatch::Job;
use crate::dispatch::jobs::Room;
use crate::dispatch::tree::{BEFORE, BEHIND, Kind, Needs, Place, Tree, node, room};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::List;
use crate::reserve::{Placement, Profile};
use crate::time::{Duration, Instant};

/// By end and arrival; together jobs hold the PEs of all.
#[derive(Clone, Copy, Debug)]
struct ByEnd;

impl Kind for ByEnd {
    fn place<N>(room: &Room<N>) -> Place {
        room.place_in_time()
    }

    fn together(one: Needs, other: Needs) -> Needs {
        Needs { pes: one.pes.saturating_add(other.pes), ..one }
    }
}

/// The jobs that run.
///
/// - All of them are in `ends`, at the end until which they are taken to hold PEs.
/// - `unbooked` links those of them that the profile is yet to be told of. There is none while a job
///   waits for an interval of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    ends: Tree<ByEnd>,
    unbooked: List,
}

impl Running {
    pub(super) const NONE: Self = Self { ends: Tree::EMPTY, unbooked: List::EMPTY };

    /// A job that has started runs until `end`, as far as is planned.
    pub(super) fn add(&mut self, entries: &mut [Entry], row: u32, end: Instant) {
        if let Some(entry) = entries.get_mut(row as usize) {
            entry.time = end.ticks();
            self.ends.insert(entries, row);
        }
    }

    /// The same, of one that the profile may have to be told of.
    pub(super) fn add_unbooked(&mut self, entries: &mut [Entry], row: u32, end: Instant) {
        self.add(entries, row, end);
        self.unbooked.push_back(entries, row);
    }

    /// The first of those that the profile is to be told of, which it is now.
    pub(super) fn take_unbooked(&mut self, entries: &mut [Entry]) -> Option<u32> {
        let row = self.unbooked.first()?;
        self.unbooked.remove(entries, row);
        Some(row)
    }

    /// A job has ended.
    pub(super) fn remove(&mut self, entries: &mut [Entry], row: u32) {
        self.ends.remove(entries, row);
        if self.unbooked.has(entries, row) {
            self.unbooked.remove(entries, row);
        }
    }

    /// The earliest interval for a job: from the present on, or when enough others are to have ended,
    /// which for those that should have is the next tick. `None` if it would end beyond the end of
    /// time.
    pub(super) fn earliest(&self, planner: &Planner<'_>, job: &Job) -> Option<Placement> {
        let (now, free) = (planner.now, *planner.free);
        let start = if job.pes <= free {
            now
        } else {
            let others = self.held(planner.entries).saturating_add(free).saturating_sub(job.pes);
            let next = now.saturating_add(Duration::from_ticks(1));
            self.end_that_leaves(planner.entries, others).max(next)
        };
        let end = start.checked_add(job.requested).filter(|&end| end < Instant::MAX)?;
        Some(Placement { start, end })
    }

    /// How many PEs will be free at an instant to come.
    pub(super) fn free_at(&self, planner: &Planner<'_>, at: Instant) -> u32 {
        let all = self.held(planner.entries).saturating_add(*planner.free);
        all.saturating_sub(self.held_after(planner.entries, at))
    }

    /// The PEs of all.
    fn held(&self, entries: &[Entry]) -> u32 {
        node(entries, self.ends.root()).sum.pes
    }

    /// The PEs of those that end after an instant.
    fn held_after(&self, entries: &[Entry], time: Instant) -> u32 {
        let (mut at, mut held) = (self.ends.root(), 0u32);
        while let Some(entry) = room(entries, at) {
            let later = entry.time > time.ticks();
            if later {
                held = held.saturating_add(held_from(entries, entry));
            }
            at = entry.node.side(if later { BEFORE } else { BEHIND });
        }
        held
    }

    /// The first end after which no more than `most` PEs are held.
    fn end_that_leaves(&self, entries: &[Entry], most: u32) -> Instant {
        let (mut at, mut later, mut end) = (self.ends.root(), 0u32, 0);
        while let Some(entry) = room(entries, at) {
            let held = later.saturating_add(held_from(entries, entry));
            let leaves = held.saturating_sub(entry.job.pes) <= most;
            if leaves {
                (end, later) = (entry.time, held);
            }
            at = entry.node.side(if leaves { BEFORE } else { BEHIND });
        }
        Instant::from_ticks(end)
    }

    /// Every job that runs is among the ends; the profile knows of it, is to be told, or takes it to
    /// have ended.
    pub(super) fn check<W: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        jobs: &Lines,
        entries: &[Entry],
        profile: &Profile<W>,
    ) -> Result<(), InvariantViolation> {
        let running = || jobs.open_rooms(entries).filter(|entry| entry.runs());
        let count = Some(running().count());
        let ends = self.ends.audit(entries, Room::runs).map(|len| len as usize);
        ensure(ends == count, "the jobs that run, by their ends")?;
        let unbooked = self.unbooked.audit(entries, |_, it| it.runs() && it.note.booking.is_none());
        ensure(unbooked.is_some(), "what the profile is to be told of runs")?;
        let told = jobs.first(RESERVED).is_none() || unbooked == Some(0);
        ensure(told, "the profile knows of all that runs if anybody waits for an interval")?;
        let untold = running().filter(|entry| {
            let held = entry.note.booking.and_then(|id| profile.reservation(id).ok());
            held.is_none_or(|held| held.at.end.ticks() != entry.time)
                && entry.time > profile.now().ticks()
        });
        let owed = self.unbooked.iter(entries);
        let owed = owed.filter(|(_, entry)| entry.time > profile.now().ticks());
        ensure(untold.count() == owed.count(), "PEs are held for a job until its end")
    }
}

/// The PEs of a job and of those in its branch that end after it.
fn held_from(entries: &[Entry], entry: &Entry) -> u32 {
    entry.job.pes.saturating_add(node(entries, entry.node.side(BEHIND)).sum.pes)
}
