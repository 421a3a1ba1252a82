//! Which hosts are calm and which are open, for the placement that asked last.
//!
//! A placement that looks at readings asks about the same threshold again and again. So the hosts
//! that are calm by it are a set that is kept up to date wherever a row changes, and a decision
//! looks at readings only if one may have become too old, or if another placement asks. The same
//! holds for the hosts that it would share, and for how many of them each job is at the top of.

use super::Threshold;
use super::board::top;
use super::sets::{Block, Set, Sets, SetsMut, members};
use super::storage::{Entry, HostRow, JobRow};
use crate::bits::Word;
use crate::list::{List, Ref};
use crate::time::{Duration, Instant};

/// When a placement calls a host calm, the age of the reading aside, and when it would share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Calm {
    /// The highest utilisation.
    pub(super) threshold: Threshold,
    /// `None` of a placement that does not care what hosts carry.
    pub(super) sharing: Option<Sharing>,
}

/// When a host may be shared, of a placement that cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sharing {
    /// How long after a job came or went a reading begins to tell anything. A host with a
    /// synchronising process is not calm either.
    pub(super) settled: Duration,
    /// A host is open if it is calm, not idle, and free at all levels from this one on.
    pub(super) deepest: u8,
}

/// For whom the sets of calm and open hosts are kept.
///
/// - A host that is there is calm if and only if [`Watch::is_calm`] says so of its row.
/// - No calm host was read before `oldest`.
/// - A job counts the open hosts that it is at the top of; those with any are in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Watch {
    /// `None` if nobody has asked: no host is calm then.
    calm: Option<Calm>,
    /// Readings from before then are too old.
    pub(super) since: Instant,
    pub(super) oldest: Instant,
    /// Jobs at the top of open hosts.
    pub(super) owners: List,
}

/// The entries by host.
#[derive(Clone, Copy)]
pub(super) struct Grid<'a> {
    pub(super) entries: &'a [Entry],
    pub(super) levels: u8,
}

impl Grid<'_> {
    pub(super) fn top(&self, host: u32) -> Ref {
        top(self.entries, self.levels, host)
    }
}

impl Watch {
    /// Nobody has asked.
    pub(super) const NOBODY: Self =
        Self { calm: None, since: Instant::ZERO, oldest: Instant::MAX, owners: List::EMPTY };

    /// Watches for another placement, or for later readings. The sets are to follow.
    pub(super) fn turn_to(&mut self, calm: Calm, since: Instant) {
        *self = Self { calm: Some(calm), since, oldest: Instant::MAX, owners: self.owners };
    }

    /// Whether the set stays as it is if readings from `since` on are asked for.
    pub(super) fn covers(&self, calm: Calm, since: Instant) -> bool {
        self.calm == Some(calm) && self.since <= since && since <= self.oldest
    }

    /// Whether a host with this row is calm, if it is there.
    pub(super) fn is_calm(&self, row: &HostRow) -> bool {
        let Some(calm) = self.calm else { return false };
        let is_settled = calm.sharing.is_none_or(|it| {
            row.read_at >= row.changed_at.saturating_add(it.settled) && row.leads == 0
        });
        is_settled && row.read_at >= self.since && row.load <= calm.threshold.load().thousandths()
    }

    /// Whether jobs that come and go make a difference.
    pub(super) fn heeds_jobs(&self) -> bool {
        self.calm.is_some_and(|calm| calm.sharing.is_some())
    }

    /// Whether a host is calm whose row has changed. It is to be in the set if so.
    pub(super) fn note(&mut self, row: &HostRow) -> bool {
        let is_calm = self.is_calm(row);
        if is_calm {
            self.oldest = self.oldest.min(row.read_at);
        }
        is_calm
    }

    /// The hosts of block `at` that are open.
    pub(super) fn open<B, F>(&self, sets: &Sets<B, F>, levels: u8, at: usize) -> Word
    where
        B: AsRef<[Block]>,
        F: AsRef<[Word]>,
    {
        let sharing = self.calm.and_then(|calm| calm.sharing);
        let (Some(sharing), Some(block)) = (sharing, sets.blocks.as_ref().get(at)) else {
            return 0;
        };
        let open = Set::Calm.of(block) & !Set::Idle.of(block);
        (sharing.deepest..levels).fold(open, |open, level| open & sets.free(level, at))
    }

    /// Entries of these hosts of block `at` are about to change: none of them is open until
    /// [`Watch::reopen`].
    pub(super) fn close(
        &mut self,
        sets: &mut SetsMut<'_>,
        at: usize,
        hosts: Word,
        grid: Grid<'_>,
        jobs: &mut [JobRow],
    ) {
        let Some(block) = sets.block(at) else { return };
        let open = Set::Open.of(block);
        self.recount(at, open & hosts, u32::MAX, grid, jobs);
        Set::Open.put(block, open & !hosts);
    }

    /// Makes the set of open hosts of block `at` say what the others say, where entries changed
    /// only on hosts that were closed before.
    pub(super) fn reopen(
        &mut self,
        sets: &mut SetsMut<'_>,
        at: usize,
        grid: Grid<'_>,
        jobs: &mut [JobRow],
    ) {
        let open = self.open(sets, grid.levels, at);
        if sets.blocks.get(at).is_none_or(|block| Set::Open.of(block) == open) {
            return;
        }
        self.close(sets, at, !open, grid, jobs);
        let Some(block) = sets.block(at) else { return };
        let opened = open & !Set::Open.of(block);
        Set::Open.put(block, open);
        self.recount(at, opened, 1, grid, jobs);
    }

    /// Adds `step`, one or minus one, to what the jobs at the top of these hosts count.
    fn recount(&mut self, at: usize, hosts: Word, step: u32, grid: Grid<'_>, jobs: &mut [JobRow]) {
        for host in members(hosts, at) {
            let Some(job) = grid.top(host).get() else { continue };
            let Some(row) = jobs.get_mut(job as usize) else { continue };
            let before = row.open;
            row.open = before.wrapping_add(step);
            if before == 0 {
                self.owners.push_back(jobs, job);
            } else if row.open == 0 {
                self.owners.remove(jobs, job);
            }
        }
    }
}
