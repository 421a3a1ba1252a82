//! Machines and interconnects come and go, and with them the resources that can take jobs; jobs start
//! on those that are free.

use super::error::Outcome;
use super::storage::{JobRow, MachineRow, State};
use super::tables::Tables;
use super::{MachineId, Misuse, Refusal};
use locox::ground::{Ref, put};
use locox::time::{Duration, Instant};

impl Tables<'_> {
    pub(super) fn lost(&mut self, now: Instant, machine: MachineId, boot: u32) -> Outcome<()> {
        let row = self.machine_mut(machine)?;
        if boot < row.boot {
            return Err(Refusal::Old.into());
        }
        (row.boot, row.is_here) = (boot, false);
        self.drop_job(now, machine);
        self.drop_places();
        Ok(())
    }

    pub(super) fn back(&mut self, now: Instant, machine: MachineId, boot: u32) -> Outcome<()> {
        let row = self.machine_mut(machine)?;
        if boot == row.boot && row.is_here {
            return Ok(());
        }
        if boot <= row.boot {
            return Err(Refusal::Old.into());
        }
        (row.boot, row.is_here) = (boot, true);
        self.drop_job(now, machine);
        Ok(())
    }

    /// What ran on a machine is lost. What is left of it on others is to leave.
    fn drop_job(&mut self, now: Instant, machine: MachineId) {
        let Some(machine) = self.columns.machines.get_mut(machine.0 as usize) else { return };
        let Some(row) = core::mem::take(&mut machine.job).get() else { return };
        if self.columns.machines.iter().any(|machine| machine.job.get() == Some(row)) {
            self.leave(row);
        } else {
            self.wait_again(now, row);
        }
    }

    pub(super) fn link_down(&mut self, link: u32) -> Result<(), Misuse> {
        if self.down().contains(&link) {
            return Ok(());
        }
        self.check_link(link)?;
        // There is a row for each cluster, and so for each interconnect.
        if let Some(row) = self.columns.down.get_mut(self.core.down as usize) {
            *row = link;
            self.core.down = self.core.down.wrapping_add(1);
        }
        self.drop_places();
        Ok(())
    }

    pub(super) fn link_up(&mut self, link: u32) -> Result<(), Misuse> {
        self.check_link(link)?;
        let Some(at) = self.down().iter().position(|it| *it == link) else { return Ok(()) };
        self.core.down = self.core.down.saturating_sub(1);
        let last = self.columns.down.get(self.core.down as usize).copied().unwrap_or_default();
        put(self.columns.down, at, last);
        Ok(())
    }

    pub(super) fn check_link(&self, link: u32) -> Result<(), Misuse> {
        let mut clusters = self.model.site.clusters();
        let serves = clusters.any(|(_, cluster)| cluster.interconnect == Some(link));
        if serves { Ok(()) } else { Err(Misuse::NoSuchLink(link)) }
    }

    /// The interconnects that are down.
    pub(super) fn down(&self) -> &[u32] {
        self.columns.down.get(..self.core.down as usize).unwrap_or_default()
    }

    fn machine_mut(&mut self, machine: MachineId) -> Result<&mut MachineRow, Misuse> {
        let row = self.columns.machines.get_mut(machine.0 as usize);
        row.ok_or(Misuse::NoSuchMachine(machine))
    }

    /// Jobs that wait lose places on resources that can take no job any more.
    fn drop_places(&mut self) {
        for row in 0..self.core.jobs.used() {
            let JobRow { state, place, .. } = self.job(row);
            let Some(place) = place.get().filter(|_| state == State::Waits) else { continue };
            if !self.is_usable(place) {
                self.edit_job(row, |job| (job.place, job.at) = (Ref::NONE, Instant::ZERO));
            }
        }
    }

    /// Whether a resource can take jobs, now or later.
    pub(super) fn is_usable(&self, resource: u32) -> bool {
        let Some(cluster) = self.model.site.cluster(resource as usize) else {
            return self.is_here(resource);
        };
        let present = cluster.members.iter().filter(|&&at| self.is_here(at)).count();
        let is_down = cluster.interconnect.is_some_and(|link| self.down().contains(&link));
        present >= cluster.least && !is_down
    }

    pub(super) fn is_here(&self, machine: u32) -> bool {
        self.columns.machines.get(machine as usize).is_some_and(|machine| machine.is_here)
    }

    /// The machines of a resource that are present.
    pub(super) fn members(&self, resource: u32) -> impl Iterator<Item = u32> + '_ {
        self.model.site.members(resource as usize).filter(|&at| self.is_here(at))
    }

    // Jobs that have places start, in the order of the plan.

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
        // The row of nobody.
        self.columns.next.fill(u32::MAX);
        let mut at = self.core.all.first();
        while let Some(row) = at {
            let job = self.job(row);
            at = job.links.next.get();
            let Some(place) = job.place.get().filter(|_| job.state == State::Waits) else {
                continue;
            };
            let (jobs, next) = (&*self.columns.jobs, &mut *self.columns.next);
            let is_before = |next: u32| jobs.get(next as usize).is_none_or(|it| job.at < it.at);
            for machine in self.model.site.members(place as usize) {
                match next.get_mut(machine as usize) {
                    Some(next) if is_before(*next) => *next = row,
                    _ => {}
                }
            }
        }
    }

    fn start(&mut self, now: Instant, row: u32, place: u32) {
        let class = self.job(row).class as usize;
        let times = self.expected();
        let takes = times.on(class, place as usize).unwrap_or(Duration::ZERO);
        for machine in self.model.site.members(place as usize) {
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
