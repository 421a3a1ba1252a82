//! What a placement sees of a table, and how it picks hosts.

use super::sets::{Set, Sets, members};
use super::storage::{Entry, HostRow, JobRow};
use super::{HostId, JobNumber, Level, Load, Speed};
use crate::bits::Word;
use crate::lot::lot;
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
    pub(super) sets: Sets<&'a mut [Word]>,
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
        level.number() < self.levels && self.sets.contains(Set::Free(level.number()), host.0)
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
        let column = column(self.entries, self.levels, host.0);
        column.iter().find_map(|entry| entry.job.get()).map(JobNumber)
    }

    /// Picks a host. One that is not there is not picked.
    pub fn pick(&mut self, host: HostId) {
        if self.row(host.0).is_some() {
            self.sets.put(Set::Picked, host.0, true);
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

    /// Of what two sets have in common and was not picked, word by word.
    fn choice(&self, of: (Set, Set), at: usize) -> Word {
        self.sets.word(of.0, at) & self.sets.word(of.1, at) & !self.sets.word(Set::Picked, at)
    }

    /// Picks the first hosts that two sets have in common.
    pub(super) fn pick_first(&mut self, of: (Set, Set), hosts: u32) {
        let mut left = hosts;
        for at in 0..self.sets.width() {
            if left == 0 {
                return;
            }
            let mut choice = self.choice(of, at);
            while choice.count_ones() > left {
                choice ^= (Word::MAX ^ Word::MAX >> 1).wrapping_shr(choice.leading_zeros());
            }
            left = left.wrapping_sub(choice.count_ones());
            self.sets.edit(Set::Picked, at, |picked| picked | choice);
        }
    }

    /// Picks hosts that two sets have in common by lot: each choice of so many is about as likely.
    pub(super) fn pick_drawn(&mut self, of: (Set, Set), hosts: u32, draw: u32) {
        let (mut left, mut choices) = (hosts, self.sets.count_common(of.0, of.1));
        for at in 0..self.sets.width() {
            let mut picked = 0;
            for host in members(self.choice(of, at), at) {
                // The chance is `left` in `choices`.
                let place = u64::from(lot(draw, host)).wrapping_mul(choices.into()) >> 32;
                let takes = place < u64::from(left);
                picked |= Word::from(takes) << (host & (Word::BITS - 1));
                left = left.wrapping_sub(takes.into());
                choices = choices.wrapping_sub(1);
            }
            self.sets.edit(Set::Picked, at, |before| before | picked);
        }
    }

    /// Picks the fastest hosts of a set; among equal ones the first.
    pub(super) fn pick_fastest(&mut self, of: Set, hosts: u32) {
        if self.alike {
            return self.pick_first((of, of), hosts);
        }
        let slowest = self.slowest_picked(of, hosts);
        let faster = |speed| speed > slowest;
        let left = hosts.saturating_sub(self.pick_where(of, u32::MAX, faster));
        self.pick_where(of, left, |speed| speed == slowest);
    }

    /// The greatest speed that so many hosts of a set have at least.
    fn slowest_picked(&self, of: Set, hosts: u32) -> u8 {
        (0..u8::BITS).rev().fold(0, |speed, bit| {
            let tried = speed | 1 << bit;
            let fast = self.each(of).filter(|&host| self.has_speed(host, |it| it >= tried));
            if fast.count() >= hosts as usize { tried } else { speed }
        })
    }

    fn has_speed(&self, host: u32, is: impl Fn(u8) -> bool) -> bool {
        self.row(host).is_some_and(|row| is(row.speed().0))
    }

    /// Picks the first hosts of a set with such a speed, and returns how many there were.
    fn pick_where(&mut self, of: Set, hosts: u32, is: impl Fn(u8) -> bool) -> u32 {
        let mut count = 0u32;
        for at in 0..self.sets.width() {
            for host in members(self.choice((of, of), at), at) {
                if count < hosts && self.has_speed(host, &is) {
                    self.sets.put(Set::Picked, host, true);
                    count = count.wrapping_add(1);
                }
            }
        }
        count
    }

    /// The hosts of a set that were not picked.
    pub(super) fn each(&self, of: Set) -> impl Iterator<Item = u32> {
        (0..self.sets.width()).flat_map(move |at| members(self.choice((of, of), at), at))
    }
}

/// The entries of a host by level; none beyond the hosts.
pub(super) fn column(entries: &[Entry], levels: u8, host: u32) -> &[Entry] {
    let levels = usize::from(levels);
    let start = (host as usize).wrapping_mul(levels);
    entries.get(start..start.wrapping_add(levels)).unwrap_or(&[])
}
