//! Which hosts a job may have: those of a set that it names, with the memory that it needs.
//!
//! Source: Turner's thesis (1995). `esubmit -p hostfile` runs a user's PVM daemons on the hosts of
//! his list, `esubmit -P nprocs` has Elmer choose so many (pp. 104 and 108); which hosts it chooses
//! is not said. "Third, our facility currently does not consider memory usage in its scheduling
//! decisions" (p. 99): here a process is promised so much memory at most, and a host is given no
//! more processes than its memory holds.

use super::Terms;
use super::storage::JobRow;
use locox::bits::{Word, words_for};
use locox::ground::{bit, load, set_bit};
use locox::image::{BadImage, Stored};
use locox::timeshare::{HostId, Slices, Table};

/// Sets of hosts, and their memory: nothing where a coordinator keeps neither.
#[derive(Debug)]
pub(super) struct Limits<'a> {
    /// A bit for each host: in place of set 0 the hosts that a job may have, as scratch, then each set.
    pub(super) bits: &'a mut [Word],
    pub(super) sets: u16,
    /// How much each host has.
    pub(super) memory: &'a mut [Word],
    pub(super) hosts: u32,
}

/// Words of the bits and of the memory of so many hosts.
pub(super) const fn words_of(sets: u16, memory: bool, hosts: usize) -> [usize; 2] {
    let width = if sets > 0 || memory { words_for(hosts) } else { 0 };
    [width.saturating_mul((sets as usize).saturating_add(1)), if memory { hosts } else { 0 }]
}

impl Limits<'_> {
    /// Whether a host is in a set.
    pub(super) fn contains(&self, set: u16, host: u32) -> bool {
        set == 0 || bit(self.bits, self.start(set), host)
    }

    /// Puts a host into a set, or takes it out.
    pub(super) fn name(&mut self, set: u16, host: u32, is_named: bool) {
        let start = self.start(set);
        set_bit(self.bits, start, host, is_named);
    }

    fn start(&self, set: u16) -> usize {
        words_for(self.hosts as usize).wrapping_mul(set.into())
    }

    /// How much memory a host has.
    pub(super) fn memory(&self, host: u32) -> u32 {
        load(self.memory, host as usize) as u32
    }

    /// How many hosts a job may have, if no other job has any memory; none for all.
    pub(super) fn count(&self, terms: Terms) -> Option<u32> {
        let suited = (0..self.hosts).filter(|&host| self.suits(terms, host, 0));
        (terms.set > 0 || terms.memory > 0).then(|| suited.count() as u32)
    }

    /// Whether a host of which others have `used` is one for a job.
    fn suits(&self, terms: Terms, host: u32, used: u32) -> bool {
        let left = self.memory(host).saturating_sub(used);
        self.contains(terms.set, host) && left >= terms.memory
    }

    /// The hosts that a job may have now; all if none are returned. Cost: a pass over all entries of
    /// the table, but for jobs without terms.
    pub(super) fn among(
        &mut self,
        terms: Terms,
        table: &Table<Slices<'_>>,
        jobs: &[JobRow],
    ) -> Option<&[Word]> {
        if terms.set == 0 && terms.memory == 0 {
            return None;
        }
        let needed = |job: u32| jobs.get(job as usize).map_or(0, |job| job.memory);
        for host in 0..self.hosts {
            let column = table.column(HostId(host));
            let used = column.fold(0u32, |sum, (_, job, _)| sum.saturating_add(needed(job.0)));
            set_bit(self.bits, 0, host, self.suits(terms, host, used));
        }
        Some(self.bits)
    }

    fn members(&self) -> impl Iterator<Item = (u16, u32)> + use<> {
        let hosts = self.hosts;
        (1..=self.sets).flat_map(move |set| (0..hosts).map(move |host| (set, host)))
    }

    pub(super) fn store(&self, put: &mut impl FnMut(u32)) {
        self.members().for_each(|(set, host)| self.contains(set, host).store(put));
        self.memory.iter().for_each(|memory| put(*memory as u32));
    }

    pub(super) fn load(
        &mut self,
        take: &mut impl FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        for (set, host) in self.members() {
            self.name(set, host, bool::load(take)?);
        }
        self.memory.iter_mut().try_for_each(|memory| take().map(|it| *memory = it as Word))
    }
}
