//! A table's invariants, recomputed.

use super::board::column;
use super::sets::{SPEED_BITS, Set, Sets};
use super::storage::{Entry, HostRow, JobRow, Storage, View};
use super::table::Table;
use super::watch::{Grid, Watch};
use super::{HostId, JobNumber};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::Ref;

impl<S: Storage> Table<S> {
    /// Checks every invariant named at the struct. Cost: all entries for each job.
    ///
    /// # Errors
    ///
    /// [`InvariantViolation`] says which does not hold: a defect of this crate, or of what was restored.
    pub fn check_invariants(&self) -> Result<(), InvariantViolation> {
        let view = self.storage.view();
        let (mut there, mut alike) = (0u32, true);
        for (host, row) in (0..).zip(view.hosts) {
            check_host(view, self.levels(), &self.watch, host, row)?;
            there = there.wrapping_add(row.is_there().into());
            if row.is_there() {
                alike &= u32::from(row.speed) == self.core.speed;
            }
        }
        ensure(there == self.core.there, "the hosts that are there are miscounted")?;
        ensure(alike || !self.core.alike, "hosts of different speeds pass for alike")?;
        (0..).map(JobNumber).zip(view.jobs).try_for_each(|(job, row)| self.check_job(job, row))?;
        self.check_open(view)
    }

    /// What is kept of the hosts that the placement watched would share.
    fn check_open(&self, view: View<'_>) -> Result<(), InvariantViolation> {
        let sets = Sets::view(view.words, view.hosts.len());
        let grid = Grid { entries: view.entries, levels: self.levels() };
        for (at, block) in sets.blocks.iter().enumerate() {
            let open = self.watch.open(&sets, grid.levels, at);
            ensure(Set::Open.of(block) == open, "the open hosts")?;
        }
        let open = |host: &u32| sets.contains(Set::Open, *host);
        let mut owners = 0u32;
        for (job, row) in (0..).map(Ref::to).zip(view.jobs) {
            let of_job = (0..self.hosts()).filter(open).filter(|&host| grid.top(host) == job);
            ensure(row.open as usize == of_job.count(), "the open hosts of a job")?;
            owners = owners.wrapping_add((row.open > 0).into());
        }
        let listed = self.watch.owners.audit(view.jobs, |_, row| row.open > 0);
        ensure(listed == Some(owners), "the list of the jobs with open hosts")
    }

    fn check_job(&self, job: JobNumber, row: &JobRow) -> Result<(), InvariantViolation> {
        let places = self.entries_of(job).count();
        ensure(places == row.held as usize, "a job is not on as many hosts as its row counts")?;
        ensure(row.held <= row.given, "a job has more hosts than it was given")?;
        ensure(row.is_placed() || *row == JobRow::EMPTY, "a row that is not in use is not empty")?;
        ensure(row.doomed <= 1, "a job is neither doomed nor not")?;
        ensure(row.held == row.given || row.doomed > 0, "a job goes on without a host of it")?;
        let Some(lead) = row.lead.get() else {
            return ensure(row.doomed > 0 || !row.is_placed(), "a job has no first host");
        };
        let has = self.column(HostId(lead)).any(|(_, it, _)| it == job);
        ensure(has, "the first host of a job is none of its hosts")
    }

    /// A host on which a later job stands above an earlier one: it has passed it. There is none
    /// where all jobs were placed by [`V3`](super::V3). One pass over the entries.
    pub fn passed(&self) -> Option<HostId> {
        let jobs = self.storage.view().jobs;
        let sequence = |job: JobNumber| jobs.get(job.0 as usize).map_or(0, |row| row.sequence);
        let is_before = |a: &u32, b: &u32| (b.wrapping_sub(*a) as i32) > 0;
        let in_order = |host: &HostId| {
            self.column(*host).map(|(_, job, _)| sequence(job)).is_sorted_by(is_before)
        };
        (0..self.hosts()).map(HostId).find(|host| !in_order(host))
    }
}

fn check_host(
    view: View<'_>,
    levels: u8,
    watch: &Watch,
    host: u32,
    row: &HostRow,
) -> Result<(), InvariantViolation> {
    let entries = column(view.entries, levels, host);
    let sets = Sets::view(view.words, view.hosts.len());
    let there = row.is_there();
    for (level, entry) in (0..).zip(entries) {
        let is_free = there && entry.is_free();
        ensure(sets.is_free(level, host) == is_free, "the free hosts of a level")?;
    }
    let is_idle = entries.iter().all(|entry| entry.is_free());
    ensure(sets.contains(Set::Idle, host) == (there && is_idle), "the idle hosts")?;
    let is_calm = sets.contains(Set::Calm, host);
    ensure(!there || is_calm == watch.is_calm(row), "the calm hosts")?;
    ensure(
        !is_calm || !there || row.read_at >= watch.oldest,
        "a reading is older than the oldest",
    )?;
    for bit in 0..SPEED_BITS {
        let has = sets.contains(Set::Speed(bit), host);
        ensure(has == (row.speed().0 >> bit & 1 > 0), "the hosts of a speed")?;
    }
    ensure(there || *row == HostRow::EMPTY && is_idle, "a lost host has jobs")?;
    let mut leads = 0u16;
    for (at, entry) in (0..).zip(entries) {
        let Some(job) = entry.job.get() else {
            ensure(*entry == Entry::EMPTY, "a free entry has a user")?;
            continue;
        };
        let others = entries.get(..at).unwrap_or(&[]);
        ensure(others.iter().all(|other| other.job != entry.job), "a job is twice on a host")?;
        let Some(job) = view.jobs.get(job as usize) else {
            return Err(InvariantViolation("an orphan"));
        };
        ensure(job.is_placed() && job.user == entry.user, "an entry is of no job")?;
        let is_lead = job.lead.get() == Some(host) && job.synchronising > 0;
        leads = leads.saturating_add(is_lead.into());
    }
    ensure(leads == row.leads, "the synchronising processes of a host are miscounted")
}
