//! A table's invariants, recomputed.

use super::sets::{Set, Sets};
use super::storage::{Entry, HostRow, JobRow, Storage, View};
use super::table::Table;
use super::view::column;
use super::{HostId, JobNumber};
use crate::invariant::{InvariantViolation, ensure};

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
            check_host(view, self.levels(), host, row)?;
            there = there.wrapping_add(row.is_there().into());
            if row.is_there() {
                alike &= u32::from(row.speed) == self.core.speed;
            }
        }
        ensure(there == self.core.there, "the hosts that are there are miscounted")?;
        ensure(alike || !self.core.alike, "hosts of different speeds pass for alike")?;
        (0..).map(JobNumber).zip(view.jobs).try_for_each(|(job, row)| self.check_job(job, row))
    }

    fn check_job(&self, job: JobNumber, row: &JobRow) -> Result<(), InvariantViolation> {
        let places = self.entries_of(job).count();
        ensure(places == row.held as usize, "a job is not on as many hosts as its row counts")?;
        ensure(row.held <= row.given, "a job has more hosts than it was given")?;
        ensure(row.is_placed() || *row == JobRow::EMPTY, "a row that is not in use is not empty")?;
        ensure(row.terminating <= 1, "a job is neither to be killed nor not")?;
        ensure(row.held == row.given || row.terminating > 0, "a job goes on without a host of it")?;
        ensure(row.tally == 0, "the scratch of a placement is not clear")?;
        let Some(lead) = row.lead.get() else {
            return ensure(row.terminating > 0 || !row.is_placed(), "a job has no first host");
        };
        let has = self.column(HostId(lead)).any(|(_, it, _)| it == job);
        ensure(has, "the first host of a job is none of its hosts")
    }

    /// A host on which a later job stands above an earlier one: it has passed it. There is none
    /// where all jobs were placed by [`NonInterfering`](super::NonInterfering). One pass over the entries.
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
    host: u32,
    row: &HostRow,
) -> Result<(), InvariantViolation> {
    let entries = column(view.entries, levels, host);
    let sets = Sets::new(view.words, view.hosts.len(), levels);
    let there = row.is_there();
    for (level, entry) in (0..).zip(entries) {
        let is_free = there && entry.is_free();
        ensure(sets.contains(Set::Free(level), host) == is_free, "the free hosts of a level")?;
    }
    let is_idle = entries.iter().all(|entry| entry.is_free());
    ensure(there || *row == HostRow::EMPTY && is_idle, "a lost host has jobs")?;
    let mut leads = 0u16;
    for (at, entry) in (0..).zip(entries) {
        let Some(job) = entry.job.get() else {
            ensure(*entry == Entry::EMPTY, "a free entry is not empty")?;
            continue;
        };
        let others = entries.get(..at).unwrap_or(&[]);
        ensure(others.iter().all(|other| other.job != entry.job), "a job is twice on a host")?;
        let Some(job) = view.jobs.get(job as usize) else {
            return Err(InvariantViolation("an orphan"));
        };
        ensure(job.is_placed(), "an entry is of no job")?;
        let is_lead = job.lead.get() == Some(host) && job.synchronising > 0;
        leads = leads.saturating_add(is_lead.into());
    }
    ensure(leads == row.leads, "the synchronising processes of a host are miscounted")
}
