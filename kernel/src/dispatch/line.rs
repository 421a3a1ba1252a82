//! A line of jobs: a tree by key and arrival.
//!
//! Each slot knows the least PEs, the least requested time and the earliest start below it. So a
//! search for a job that asks for little passes over whole branches.

use super::slot::{Aggregate, JobSlot, QueueKey};
use super::tree::{Augment, LEFT, RIGHT, Tree, climb, outmost, slot};
use crate::list::Ref;

/// Sorts by key and arrival, and keeps the least of each number.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByKey;

/// The jobs of a line in order.
pub(super) type Line = Tree<ByKey>;

impl Augment for ByKey {
    fn key<N>(slot: &JobSlot<N>) -> QueueKey {
        slot.place()
    }

    fn combine(one: Aggregate, other: Aggregate) -> Aggregate {
        Aggregate {
            pes: one.pes.min(other.pes),
            requested: one.requested.min(other.requested),
            time: one.time.min(other.time),
        }
    }
}

impl Aggregate {
    /// No job asks for more.
    pub(super) const MOST: Self = Self { pes: u32::MAX, requested: u64::MAX, time: u64::MAX };

    fn within_one(self, most: &[Self]) -> bool {
        let within = |most: &Self| {
            self.pes <= most.pes && self.requested <= most.requested && self.time <= most.time
        };
        most.iter().any(within)
    }
}

impl Line {
    /// The first slot at `from` or behind it whose job asks for no more than one of `most`.
    ///
    /// Cost: the logarithm of the line where such a job is found, or where `most` bounds a single
    /// number. Else also a look at each branch that has every number small, but not in one job.
    pub(super) fn first_within<N>(
        &self,
        slots: &[JobSlot<N>],
        from: QueueKey,
        most: &[Aggregate],
    ) -> Option<(QueueKey, u32)> {
        let may = |at| slot(slots, at).is_some_and(|slot| slot.node.sum.within_one(most));
        if !may(self.root()) {
            return None;
        }
        let mut row = self.from(slots, from)?;
        loop {
            let at = slots.get(row as usize)?;
            if at.own().within_one(most) {
                return Some((at.place(), row));
            }
            let right = at.node.child(RIGHT);
            row = if may(right) {
                outmost(slots, right, LEFT, |node| node.sum.within_one(most)).get()?
            } else {
                climb(slots, Ref::to(row), RIGHT)?
            };
        }
    }

    /// The least PEs, the least requested time and the earliest start of any job.
    pub(super) fn least<N>(&self, slots: &[JobSlot<N>]) -> Aggregate {
        slot(slots, self.root()).map_or(Aggregate::MOST, |slot| slot.node.sum)
    }

    /// The earliest start after `time`. Cost: the logarithm of the line for each job that starts no
    /// later than `time`.
    pub(super) fn least_after<N>(&self, slots: &[JobSlot<N>], time: u64) -> Option<u64> {
        least_after(slots, self.root(), time)
    }
}

/// The earliest start of a branch after `time`.
fn least_after<N>(slots: &[JobSlot<N>], at: Ref, time: u64) -> Option<u64> {
    let top = slot(slots, at)?;
    if top.node.sum.time > time {
        return Some(top.node.sum.time);
    }
    let own = Some(top.time).filter(|&own| own > time);
    let [left, right] = [LEFT, RIGHT].map(|side| least_after(slots, top.node.child(side), time));
    left.into_iter().chain(own).chain(right).min()
}
