//! What a queue keeps of one job, in storage that the caller owns.

use super::{Job, SizeClass};
use crate::handle::Generation;
use crate::list::{Links, Ref};
use crate::time::Duration;

/// Where a job stands in a tree: by what that tree is sorted by, then by the number of its arrival.
pub(super) type QueueKey = (u64, u64);

/// The line of jobs that are held, behind those of the size classes.
pub(super) const HELD: u8 = SizeClass::COUNT as u8;

/// The first key behind another one.
pub(super) const fn behind((key, number): QueueKey) -> QueueKey {
    (key, number.wrapping_add(1))
}

/// What a job asks for and when it is planned, or what the jobs of a branch add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aggregate {
    pub(super) pes: u32,
    pub(super) requested: u64,
    pub(super) time: u64,
}

/// A slot's links in the tree that it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeNode {
    pub(super) parent: Ref,
    /// The left child and the right one.
    pub(super) children: [Ref; 2],
    /// Slots on the longest path down from here, itself counted.
    pub(super) height: u32,
    /// What the jobs of this branch add up to.
    pub(super) sum: Aggregate,
}

impl TreeNode {
    /// All zeros: of no meaning in a slot, a branch without slots elsewhere.
    pub(super) const EMPTY: Self = Self {
        parent: Ref::NONE,
        children: [Ref::NONE; 2],
        height: 0,
        sum: Aggregate { pes: 0, requested: 0, time: 0 },
    };

    pub(super) fn child(&self, side: usize) -> Ref {
        self.children.get(side).copied().unwrap_or(Ref::NONE)
    }
}

/// Room for one job of a queue, and for what the queue notes of it.
#[derive(Clone, Copy, Debug)]
pub struct JobSlot<N> {
    pub(super) job: Job,
    pub(super) note: N,
    /// The number of its arrival.
    pub(super) number: u64,
    /// When it is planned to start, if it is; when it is to end, if it runs.
    pub(super) time: u64,
    /// Its neighbours in the list that it is in: while it waits, that of arrivals.
    pub(super) links: Links,
    pub(super) generation: Generation,
    /// Of no meaning in a job that is in no tree.
    pub(super) node: TreeNode,
    /// The line in which the job waits; none of one that runs.
    pub(super) line: Option<u8>,
}

impl<N> JobSlot<N> {
    pub(super) const fn empty(note: N) -> Self {
        Self {
            job: Job { id: 0, pes: 0, requested: Duration::ZERO, key: 0 },
            note,
            number: 0,
            time: 0,
            links: Links::NONE,
            generation: Generation::from_raw(0),
            node: TreeNode::EMPTY,
            line: None,
        }
    }

    /// Where the job stands in its line.
    pub(super) const fn place(&self) -> QueueKey {
        (self.job.key, self.number)
    }

    /// What the job alone adds to a branch.
    pub(super) const fn own(&self) -> Aggregate {
        let (pes, requested) = (self.job.pes, self.job.requested.ticks());
        Aggregate { pes, requested, time: self.time }
    }

    pub(super) const fn waits(&self) -> bool {
        self.line.is_some()
    }

    pub(super) const fn is_held(&self) -> bool {
        matches!(self.line, Some(HELD))
    }

    pub(super) const fn runs(&self) -> bool {
        self.generation.is_live() && !self.waits()
    }
}

crate::rows! { JobSlot<N> where N }

/// Room for one job of an [`Ordered`](super::Ordered) queue.
pub type Slot = JobSlot<()>;

impl Slot {
    /// What a queue's storage is filled with, all zeros; its content does not matter.
    pub const EMPTY: Self = Self::empty(());
}
