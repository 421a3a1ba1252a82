//! What a placement sees of a table, and how it picks hosts.

use super::sets::{Set, Sets, bit_of, members};
use super::storage::{Entry, HostRow, JobRow};
use super::{HostId, JobNumber, Level, Load, Speed, Threshold};
use crate::bits::{Word, algebra, bit, load};
use crate::list::Ref;
use crate::permute::permute;
use crate::time::{Duration, Instant};

/// A table, open to a placement that picks hosts for one job.
pub struct PlacementView<'a> {
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
    /// The hosts that the job may have; all if there are none.
    pub(super) among: Option<&'a [Word]>,
}

impl PlacementView<'_> {
    /// How many hosts there are, lost ones included.
    pub fn hosts(&self) -> u32 {
        self.hosts.len() as u32
    }

    /// How many levels a host has.
    pub const fn levels(&self) -> u8 {
        self.levels
    }

    /// Whether the host is there, the job may have it, and nobody has it at this level.
    pub fn is_free(&self, host: HostId, level: Level) -> bool {
        let is_free = self.sets.contains(Set::Free(level.number()), host.0);
        level.number() < self.levels && is_free && self.may_have(host)
    }

    /// Whether the host is there, the job may have it, and it has no job.
    pub fn is_idle(&self, host: HostId) -> bool {
        self.row(host.0).is_some() && self.top(host.0) == Ref::NONE && self.may_have(host)
    }

    /// Its utilisation when it was last read, and how long ago that was. `None` of a host that is
    /// lost.
    pub fn reading(&self, host: HostId) -> Option<(Load, Duration)> {
        let age = |row: &HostRow| self.now.since(row.read_at).unwrap_or(Duration::ZERO);
        self.row(host.0).map(|row| (row.utilisation(), age(row)))
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
        self.top(host.0).get().map(JobNumber)
    }

    /// Picks a host. One that is not there is not picked, nor one that the job may not have.
    pub fn pick(&mut self, host: HostId) {
        if self.row(host.0).is_some() && self.may_have(host) {
            self.sets.add(Set::Picked, host.0);
        }
    }

    /// Names the host of the job's first process, which synchronises the others if any does. It is
    /// to be picked, too; otherwise it is the first host picked.
    pub fn lead(&mut self, host: HostId) {
        self.lead = Some(host.0);
    }

    /// Whether the host is one of those that the job names, with the memory that it needs.
    fn may_have(&self, host: HostId) -> bool {
        self.among.is_none_or(|among| bit(among, 0, host.0))
    }

    /// A host that is there.
    fn row(&self, host: u32) -> Option<&HostRow> {
        self.hosts.get(host as usize).filter(|row| row.is_there())
    }

    /// Whether a host does not exceed the threshold, by a reading that is no older than `believed`.
    pub(super) fn is_calm(
        &self,
        threshold: Threshold,
        believed: Duration,
    ) -> impl Fn(&HostRow) -> bool + use<> {
        let oldest = self.now.checked_sub(believed).unwrap_or(Instant::ZERO);
        move |row| row.load <= threshold.load().thousandths() && row.read_at >= oldest
    }

    /// Of the hosts in word `at` those that the job may have.
    pub(super) fn among(&self, at: usize) -> Word {
        self.among.map_or(Word::MAX, |among| load(among, at))
    }

    fn top(&self, host: u32) -> Ref {
        top(self.entries, self.levels, host)
    }

    /// Of the hosts `among` in word `at` those whose row is as wanted.
    pub(super) fn filter(
        &self,
        among: Word,
        at: usize,
        is_wanted: impl Fn(&HostRow) -> bool,
    ) -> Word {
        let wanted = |host: u32| self.hosts.get(host as usize).is_some_and(&is_wanted);
        subset(among, at, wanted)
    }

    /// Of the candidates in word `at` those that have this job at the top.
    pub(super) fn owned(&self, owner: Ref, at: usize) -> Word {
        subset(self.sets.word(Set::Candidates, at), at, |host| self.top(host) == owner)
    }

    /// The first level below `degree` at which so many candidates are free. The candidates are
    /// those from then on, and their number is returned, too. If there is no such level, returns
    /// how many are free at the level where there are the most.
    pub(super) fn first_level(&mut self, degree: u8, hosts: u32) -> Result<(Level, u32), u32> {
        let mut most = 0;
        for level in (0..degree).map_while(Level::new) {
            let set = Set::Free(level.number());
            let sets = &mut self.sets;
            let both = |sets: &Sets<_>, at| sets.word(Set::Candidates, at) & sets.word(set, at);
            let count = algebra::members((0..sets.width()).map(|at| both(sets, at)));
            if count >= hosts {
                (0..sets.width()).for_each(|at| sets.put(Set::Candidates, at, both(sets, at)));
                return Ok((level, count));
            }
            most = most.max(count);
        }
        Err(most)
    }

    /// Picks candidates in the order of their numbers, each that `takes` says yes to.
    fn pick_each(&mut self, mut takes: impl FnMut(&Self, u32) -> bool) {
        for at in 0..self.sets.width() {
            let taken = subset(self.sets.word(Set::Candidates, at), at, |host| takes(self, host));
            self.sets.put(Set::Picked, at, self.sets.word(Set::Picked, at) | taken);
        }
    }

    /// Picks the first candidates.
    pub(super) fn pick_first(&mut self, hosts: u32) {
        let mut left = hosts;
        for at in 0..self.sets.width() {
            let candidates = self.sets.word(Set::Candidates, at);
            let taken = lowest(candidates, left);
            left = left.wrapping_sub(taken.count_ones());
            self.sets.put(Set::Picked, at, self.sets.word(Set::Picked, at) | taken);
        }
    }

    /// Picks by lot among the candidates, of which there are so many: each choice of so many hosts
    /// is about as likely.
    pub(super) fn pick_drawn(&mut self, hosts: u32, candidates: u32, draw: u32) {
        let (mut left, mut choices) = (hosts, candidates);
        self.pick_each(|_, host| {
            // The chance is `left` in `choices`.
            let place = u64::from(permute(draw, host)).wrapping_mul(choices.into()) >> 32;
            let takes = place < u64::from(left);
            left = left.wrapping_sub(takes.into());
            choices = choices.wrapping_sub(1);
            takes
        });
    }

    /// Picks the fastest candidates; among equal ones the first.
    pub(super) fn pick_fastest(&mut self, hosts: u32) {
        if self.alike {
            return self.pick_first(hosts);
        }
        let slowest = self.slowest_of_fastest(hosts);
        let mut left = hosts.wrapping_sub(self.count_faster(u32::from(slowest).wrapping_add(1)));
        self.pick_each(|view, host| {
            let speed = view.speed_of(host);
            let is_last = speed == slowest && left > 0;
            left = left.wrapping_sub(is_last.into());
            speed > slowest || is_last
        });
    }

    /// The least speed among so many of the fastest candidates. A pass for each bit of it.
    fn slowest_of_fastest(&self, hosts: u32) -> u8 {
        (0..u8::BITS).rev().fold(0, |slowest, bit| {
            let faster = slowest | 1 << bit;
            if self.count_faster(faster.into()) >= hosts { faster } else { slowest }
        })
    }

    /// How many candidates are at least this fast.
    fn count_faster(&self, speed: u32) -> u32 {
        let is_faster = |host: &u32| u32::from(self.speed_of(*host)) >= speed;
        self.sets.members(Set::Candidates).filter(is_faster).count() as u32
    }

    fn speed_of(&self, host: u32) -> u8 {
        self.hosts.get(host as usize).map_or(0, |row| row.speed().0)
    }

    /// The fastest of the idle hosts that were picked; the first one among equals.
    pub(super) fn fastest_idle(&self) -> Option<HostId> {
        let sets = &self.sets;
        let idle = |at| members(sets.word(Set::Picked, at) & sets.idle(at), at);
        let mut picked = (0..sets.width()).flat_map(idle);
        let faster =
            |best, next| if self.speed_of(next) > self.speed_of(best) { next } else { best };
        if self.alike { picked.next() } else { picked.reduce(faster) }.map(HostId)
    }
}

/// The entries of a host by level; none beyond the hosts.
pub(super) fn column(entries: &[Entry], levels: u8, host: u32) -> &[Entry] {
    let levels = usize::from(levels);
    let start = (host as usize).wrapping_mul(levels);
    entries.get(start..start.wrapping_add(levels)).unwrap_or(&[])
}

/// The job at the most urgent level of a host that is not free.
pub(super) fn top(entries: &[Entry], levels: u8, host: u32) -> Ref {
    let used = column(entries, levels, host).iter().find(|entry| !entry.is_free());
    used.map_or(Ref::NONE, |entry| entry.job)
}

/// Those of the hosts in word `at` that are wanted.
fn subset(word: Word, at: usize, mut is_wanted: impl FnMut(u32) -> bool) -> Word {
    members(word, at).fold(0, |set, host| if is_wanted(host) { set | bit_of(host) } else { set })
}

/// The lowest members of a word, at most so many.
fn lowest(word: Word, members: u32) -> Word {
    if word.count_ones() <= members {
        return word;
    }
    let rest = (0..members).fold(word, |rest, _| rest & rest.wrapping_sub(1));
    word ^ rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::ones;

    #[test]
    fn the_lowest_members_are_those_met_first() {
        for word in [0, 1, 0b1011_0100, Word::MAX, Word::MAX << 5, 0x5555_5555] {
            for count in 0..=Word::BITS + 1 {
                let met = ones(word).take(count as usize).fold(0, |set, bit| set | 1 << bit);
                assert_eq!(lowest(word, count), met, "{word:#x} {count}");
            }
        }
    }
}
