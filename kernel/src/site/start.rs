//! Jobs that have places start, in the order of the plan.

use super::learning;
use super::storage::{MachineRow, State};
use super::tables::Tables;
use crate::list::Ref;
use crate::time::{Duration, Instant};

impl Tables<'_> {
    /// Starts all jobs with a place that are the next on all their machines, if these are free.
    pub(super) fn start_jobs(&mut self, now: Instant) {
        self.find_next();
        let mut at = self.core.all.first();
        while let Some(row) = at {
            let job = self.job(row);
            at = job.links.next.get();
            let Some(place) = job.place.get().filter(|_| job.state == State::Waits) else {
                continue;
            };
            let is_next = |machine: u32| {
                let is_free = |it: &MachineRow| it.job == Ref::NONE;
                self.columns.machines.get(machine as usize).is_some_and(is_free)
                    && self.columns.next.get(machine as usize) == Some(&row)
            };
            if self.members(place).all(is_next) {
                self.start(now, row, place);
            }
        }
    }

    /// Finds out who is the next on each machine: whose planned start is the first, of equals who
    /// came first.
    fn find_next(&mut self) {
        const NOBODY: u32 = u32::MAX;
        self.columns.next.fill(NOBODY);
        let mut at = self.core.all.first();
        while let Some(row) = at {
            let job = self.job(row);
            at = job.links.next.get();
            let Some(place) = job.place.get().filter(|_| job.state == State::Waits) else {
                continue;
            };
            let cluster = self.model.site.cluster(place as usize);
            let single = [place];
            for &machine in cluster.map_or(&single[..], |cluster| cluster.members) {
                let Some(&next) = self.columns.next.get(machine as usize) else { continue };
                let is_before = next == NOBODY || job.at < self.job(next).at;
                if let Some(next) =
                    self.columns.next.get_mut(machine as usize).filter(|_| is_before)
                {
                    *next = row;
                }
            }
        }
    }

    fn start(&mut self, now: Instant, row: u32, place: u32) {
        let class = self.job(row).class as usize;
        let times = learning::expected(&self.model, &self.columns);
        let takes = times.on(class, place as usize).unwrap_or(Duration::ZERO);
        let cluster = self.model.site.cluster(place as usize);
        let single = [place];
        for &machine in cluster.map_or(&single[..], |cluster| cluster.members) {
            let machine = self.columns.machines.get_mut(machine as usize);
            if let Some(machine) = machine.filter(|machine| machine.is_here) {
                machine.job = Ref::to(row);
            }
        }
        self.edit_job(row, |job| {
            job.state = State::Runs;
            job.at = now.saturating_add(takes);
            job.attempt = job.attempt.wrapping_add(1);
        });
        self.core.waiting = self.core.waiting.wrapping_sub(1);
        self.mark(row);
    }
}
