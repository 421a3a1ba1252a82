//! Jobs that run, in the order in which they are to end.
//!
//! Under EASY nobody holds an interval that is yet to come, so PEs only become free, those of one
//! job after the other. How many are free when follows from a tree by ends that adds up PEs.

use super::planner::{Entry, Planner};
use crate::dispatch::Job;
use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::{Aggregate, JobSlot, QueueKey};
use crate::dispatch::tree::{Augment, LEFT, RIGHT, Tree, node, slot};
use crate::invariant::{InvariantViolation, ensure};
use crate::reserve::Interval;
use crate::time::{Duration, Instant};

/// Sorts by end and arrival, and adds up PEs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByEnd;

impl Augment for ByEnd {
    fn key<N>(slot: &JobSlot<N>) -> QueueKey {
        (slot.time, slot.number)
    }

    fn combine(one: Aggregate, other: Aggregate) -> Aggregate {
        Aggregate { pes: one.pes.saturating_add(other.pes), ..one }
    }
}

/// The jobs that run, each at the end until which it is taken to hold PEs.
pub(super) type Running = Tree<ByEnd>;

impl Running {
    /// A job runs since `start`. One that may run to the end of time is taken to end any moment.
    pub(super) fn add(&mut self, planner: &mut Planner<'_>, row: u32, start: Instant) {
        let now = planner.now;
        let Some(entry) = planner.entries.get_mut(row as usize) else { return };
        let end = start.saturating_add(entry.job.requested);
        entry.note.at = Interval { start, end };
        entry.time = if end < Instant::MAX { end } else { now }.ticks();
        self.insert(planner.entries, row);
    }

    /// The earliest start for a job: now, or when enough others are to have ended. Those that should have
    /// ended are taken to end at the next tick. `None` if it asks for more PEs than serve.
    pub(super) fn earliest(&self, planner: &Planner<'_>, job: &Job) -> Option<Instant> {
        let now = planner.now;
        let others = planner.serving().checked_sub(job.pes)?;
        if job.pes <= planner.free() {
            return Some(now);
        }
        let soonest = now.saturating_add(Duration::from_ticks(1));
        Some(self.end_that_leaves(planner.entries, others).max(soonest))
    }

    /// How many PEs are free now, or will be at an instant to come. Jobs that should have ended hold theirs until then.
    pub(super) fn free_at(&self, planner: &Planner<'_>, at: Instant) -> u32 {
        if at <= planner.now {
            return planner.free();
        }
        planner.serving().saturating_sub(self.held_after(planner.entries, at))
    }

    /// The PEs of those that end after an instant.
    fn held_after(&self, entries: &[Entry], time: Instant) -> u32 {
        let (mut at, mut held) = (self.root(), 0u32);
        while let Some(entry) = slot(entries, at) {
            let later = entry.time > time.ticks();
            if later {
                held = held.saturating_add(held_from(entries, entry));
            }
            at = entry.node.child(if later { LEFT } else { RIGHT });
        }
        held
    }

    /// The first end after which no more than `most` PEs are held.
    fn end_that_leaves(&self, entries: &[Entry], most: u32) -> Instant {
        let (mut at, mut later, mut end) = (self.root(), 0u32, 0);
        while let Some(entry) = slot(entries, at) {
            let held = later.saturating_add(held_from(entries, entry));
            let leaves = held.saturating_sub(entry.job.pes) <= most;
            if leaves {
                (end, later) = (entry.time, held);
            }
            at = entry.node.child(if leaves { LEFT } else { RIGHT });
        }
        Instant::from_ticks(end)
    }

    /// Every job that runs is in the tree.
    pub(super) fn check(&self, jobs: &Jobs, entries: &[Entry]) -> Result<(), InvariantViolation> {
        let running = jobs.open_slots(entries).filter(|entry| entry.runs()).count();
        let len = self.audit(entries, JobSlot::runs).map(|len| len as usize);
        ensure(len == Some(running), "the jobs that run, by their ends")
    }
}

/// The PEs of a job and of those in its branch that end after it.
fn held_from(entries: &[Entry], entry: &Entry) -> u32 {
    entry.job.pes.saturating_add(node(entries, entry.node.child(RIGHT)).sum.pes)
}
