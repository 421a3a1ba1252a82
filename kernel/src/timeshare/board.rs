//! What a placement sees of a table, and how it picks hosts.

use super::sets::{Block, SPEED_BITS, Set, SetsMut, bit_of, lowest, members};
use super::storage::{Entry, HostRow, JobRow};
use super::watch::{Calm, Grid, Watch};
use super::{HostId, JobNumber, Level, Load, Speed};
use crate::bits::{Word, algebra, locate};
use crate::list::Ref;
use crate::permute::permute;
use crate::time::{Duration, Instant};

/// A table, open to a placement that picks hosts for one job.
pub struct Board<'a> {
    pub(super) now: Instant,
    pub(super) levels: u8,
    /// All hosts are of one speed.
    pub(super) alike: bool,
    pub(super) entries: &'a [Entry],
    pub(super) hosts: &'a [HostRow],
    pub(super) jobs: &'a mut [JobRow],
    pub(super) sets: SetsMut<'a>,
    pub(super) watch: &'a mut Watch,
    /// The host of the job's first process; the first one picked if none is named.
    pub(super) lead: Option<u32>,
}

impl Board<'_> {
    /// How many hosts there are, lost ones included.
    pub fn hosts(&self) -> u32 {
        self.hosts.len() as u32
    }

    /// How many levels a host has.
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// Whether the host is there and nobody has it at this level.
    pub fn is_free(&self, host: HostId, level: Level) -> bool {
        level.number() < self.levels && self.sets.is_free(level.number(), host.0)
    }

    /// Whether the host is there and has no job.
    pub fn is_idle(&self, host: HostId) -> bool {
        self.sets.contains(Set::Idle, host.0)
    }

    /// Its utilisation when it was last read, and how long ago that was. `None` of a host that is
    /// lost.
    pub fn reading(&self, host: HostId) -> Option<(Load, Duration)> {
        let row = self.row(host.0)?;
        Some((row.utilisation(), self.now.since(row.read_at).unwrap_or(Duration::ZERO)))
    }

    /// How fast it is. `None` of a host that is lost.
    pub fn speed(&self, host: HostId) -> Option<Speed> {
        self.row(host.0).map(HostRow::speed)
    }

    /// How many jobs have their synchronising process there.
    pub fn synchronising(&self, host: HostId) -> u16 {
        self.row(host.0).map_or(0, |row| row.leads)
    }

    /// The job at its most urgent level that is not free.
    pub fn owner(&self, host: HostId) -> Option<JobNumber> {
        top(self.entries, self.levels, host.0).get().map(JobNumber)
    }

    /// Picks a host. One that is not there is not picked.
    pub fn pick(&mut self, host: HostId) {
        if self.row(host.0).is_some()
            && let Some(block) = self.sets.block(locate(host.0 as usize).0)
        {
            Set::Picked.put_bit(block, bit_of(host.0), true);
        }
    }

    /// Names the host of the job's first process, which synchronises the others if any does. It is
    /// to be picked, too; otherwise it is the first host picked.
    pub fn lead(&mut self, host: HostId) {
        self.lead = Some(host.0);
    }

    /// A host that is there.
    pub(super) fn row(&self, host: u32) -> Option<&HostRow> {
        self.hosts.get(host as usize).filter(|row| row.is_there())
    }

    /// Has the sets of calm and of open hosts be those of a placement which believes readings for
    /// so long. They are already, as long as the same placement asks and no reading has become too
    /// old. Cost then: constant; otherwise one pass over the hosts.
    pub(super) fn watch(&mut self, calm: Calm, believed: Duration) {
        let since = self.now.ticks().saturating_sub(believed.ticks());
        let since = Instant::from_ticks(since);
        if self.watch.covers(calm, since) {
            self.watch.since = since;
            return;
        }
        let Self { sets, hosts, entries, levels, jobs, watch, .. } = self;
        watch.turn_to(calm, since);
        let grid = Grid { entries, levels: *levels };
        for (at, rows) in hosts.chunks(WORD_BITS).enumerate() {
            let note = |word, row| word << 1 | Word::from(watch.note(row));
            let calm = rows.iter().rev().fold(0, note);
            if let Some(block) = sets.block(at) {
                Set::Calm.put(block, calm);
            }
            watch.reopen(sets, at, grid, jobs);
        }
    }

    /// The first level below `degree` at which so many hosts are free, of those that `among` has of
    /// a block; if there is none, how many hosts are free at the level where there are the most.
    pub(super) fn level_with(
        &self,
        degree: u8,
        hosts: u32,
        among: impl Fn(&Block) -> Word,
    ) -> Result<(Level, u32), u32> {
        let mut most = 0;
        for level in (0..degree).map_while(Level::new) {
            let free = self.sets.free_row(level.number()).iter().zip(&*self.sets.blocks);
            let count = algebra::members(free.map(|(free, block)| free & among(block)));
            if count >= hosts {
                return Ok((level, count));
            }
            most = most.max(count);
        }
        Err(most)
    }

    /// Picks the first hosts of those that `choice` has of a block and that were not picked.
    pub(super) fn pick_first(&mut self, hosts: u32, choice: impl Fn(&SetsMut<'_>, usize) -> Word) {
        let mut left = hosts;
        for at in 0..self.sets.blocks.len() {
            if left == 0 {
                return;
            }
            let choice = choice(&self.sets, at);
            let Some(block) = self.sets.block(at) else { return };
            let picked = Set::Picked.of(block);
            let choice = choice & !picked;
            let count = choice.count_ones();
            let choice = if count > left { lowest(choice, left) } else { choice };
            Set::Picked.put(block, picked | choice);
            left = left.saturating_sub(count);
        }
    }

    /// Picks hosts of a set.
    pub(super) fn pick_of(&mut self, set: Set, hosts: u32) {
        self.pick_first(hosts, |sets, at| sets.blocks.get(at).map_or(0, |block| set.of(block)));
    }

    /// Picks hosts by lot, of `choices` that `choice` has of the blocks: each choice of so many is
    /// about as likely. Nothing is picked before.
    pub(super) fn pick_drawn(
        &mut self,
        hosts: u32,
        choices: u32,
        draw: u32,
        choice: impl Fn(&SetsMut<'_>, usize) -> Word,
    ) {
        let (mut left, mut choices) = (hosts, choices);
        for at in 0..self.sets.blocks.len() {
            if left == 0 {
                return;
            }
            let mut picked = 0;
            for host in members(choice(&self.sets, at), at) {
                // The chance is `left` in `choices`.
                let place = u64::from(permute(draw, host)).wrapping_mul(choices.into()) >> 32;
                let takes = place < u64::from(left);
                picked |= Word::from(takes) << (host & (Word::BITS - 1));
                left = left.wrapping_sub(takes.into());
                choices = choices.wrapping_sub(1);
            }
            if let Some(block) = self.sets.block(at) {
                Set::Picked.put(block, picked);
            }
        }
    }

    /// Picks the fastest hosts of a set; among equal ones the first. The candidates are used up
    /// where speeds differ.
    pub(super) fn pick_fastest(&mut self, of: Set, hosts: u32) {
        if self.alike {
            return self.pick_of(of, hosts);
        }
        for block in self.sets.blocks.iter_mut() {
            Set::Candidates.put(block, of.of(block) & !Set::Picked.of(block));
        }
        // Those with a bit are faster than those without, as far as they are alike in higher bits:
        // either enough have it, and the others are too slow, or all that have it are picked.
        let mut left = hosts;
        for bit in (0..SPEED_BITS).rev().map(Set::Speed) {
            let fast = |block: &Block| Set::Candidates.of(block) & bit.of(block);
            let count = algebra::members(self.sets.blocks.iter().map(fast));
            for block in self.sets.blocks.iter_mut() {
                let fast = fast(block);
                if count < left {
                    Set::Picked.put(block, Set::Picked.of(block) | fast);
                    Set::Candidates.put(block, Set::Candidates.of(block) ^ fast);
                } else {
                    Set::Candidates.put(block, fast);
                }
            }
            if count < left {
                left = left.wrapping_sub(count);
            }
        }
        self.pick_of(Set::Candidates, left);
    }

    /// The fastest of the idle hosts that were picked; the first one among equals. The candidates
    /// are used up.
    pub(super) fn fastest_idle(&mut self) -> Option<HostId> {
        let idle = |block: &Block| Set::Idle.of(block) & Set::Picked.of(block);
        if self.alike {
            return self.sets.first(idle).map(HostId);
        }
        for block in self.sets.blocks.iter_mut() {
            Set::Candidates.put(block, idle(block));
        }
        for bit in (0..SPEED_BITS).rev().map(Set::Speed) {
            let fast = |block: &Block| Set::Candidates.of(block) & bit.of(block);
            if self.sets.blocks.iter().any(|block| fast(block) != 0) {
                self.sets
                    .blocks
                    .iter_mut()
                    .for_each(|block| Set::Candidates.put(block, fast(block)));
            }
        }
        self.sets.first(|block| Set::Candidates.of(block)).map(HostId)
    }
}

const WORD_BITS: usize = Word::BITS as usize;

/// The job at the most urgent level of a host that is not free.
pub(super) fn top(entries: &[Entry], levels: u8, host: u32) -> Ref {
    let start = (host as usize).wrapping_mul(levels.into());
    for level in 0..usize::from(levels) {
        match entries.get(start.wrapping_add(level)) {
            Some(entry) if !entry.is_free() => return entry.job,
            _ => {}
        }
    }
    Ref::NONE
}

/// Whether a job is the one at the top of a host.
pub(super) fn is_at_top(entries: &[Entry], levels: u8, host: u32, job: Ref) -> bool {
    let most_urgent = entries.get((host as usize).wrapping_mul(levels.into()));
    most_urgent.is_some_and(|entry| entry.job == job)
        || most_urgent.is_some_and(|entry| entry.is_free()) && top(entries, levels, host) == job
}

/// The entries of a host by level; none beyond the hosts.
pub(super) fn column(entries: &[Entry], levels: u8, host: u32) -> &[Entry] {
    let levels = usize::from(levels);
    let start = (host as usize).wrapping_mul(levels);
    entries.get(start..start.wrapping_add(levels)).unwrap_or(&[])
}
