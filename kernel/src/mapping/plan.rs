//! Which job runs where and when, and when each machine is free after that.

use super::{Misuse, Problem};
use crate::slices::{copy, put};
use crate::time::{Duration, Instant};

/// Where and when a job runs. 24 bytes; zeros: it has no place yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PlannedRun {
    /// The resource's number and 1, or 0.
    place: u32,
    start: Instant,
    end: Instant,
}

impl PlannedRun {
    /// What to fill storage with.
    pub const EMPTY: Self = Self { place: 0, start: Instant::ZERO, end: Instant::ZERO };

    /// The number of the resource; `None` if it has no place.
    pub fn resource(&self) -> Option<usize> {
        (self.place as usize).checked_sub(1)
    }

    /// When it is to start.
    pub fn start(&self) -> Instant {
        self.start
    }

    /// When it is expected to end.
    pub fn end(&self) -> Instant {
        self.end
    }
}

/// A plan in the caller's storage: a placement for each job, and for each machine when it is free.
///
/// # Invariants
///
/// - What a machine does, alone or in a cluster, lies one behind the other: `free_from` is the end
///   of the last. Gaps, which wait for a cluster's other members, stay empty.
/// - A machine that is away is free at [`Instant::MAX`].
#[derive(Debug)]
pub struct Plan<'p> {
    placements: &'p mut [PlannedRun],
    free_from: &'p mut [Instant],
}

impl<'p> Plan<'p> {
    /// A plan for as many jobs and machines as there is storage; what is in it does not matter.
    pub const fn new(placements: &'p mut [PlannedRun], free_from: &'p mut [Instant]) -> Self {
        Self { placements, free_from }
    }

    /// Where `job` runs; `None` if it has no place.
    pub fn placement(&self, job: usize) -> Option<PlannedRun> {
        self.placements.get(job).copied().filter(|placement| placement.place != 0)
    }

    /// When `machine` has done all of it.
    pub fn free_from(&self, machine: usize) -> Option<Instant> {
        self.free_from.get(machine).copied()
    }

    /// The sum over all jobs of the time from `now` to their end: what they wait and what they
    /// run. Less is better.
    pub fn merit(&self, now: Instant) -> Duration {
        let sum = self.ends().map(|end| spent(now, end)).fold(0_u64, u64::saturating_add);
        Duration::from_ticks(sum)
    }

    /// When the last job ends; `None` if no job has a place.
    pub fn makespan(&self) -> Option<Instant> {
        self.ends().max()
    }

    fn ends(&self) -> impl Iterator<Item = Instant> {
        let placed = self.placements.iter().filter(|placement| placement.place != 0);
        placed.map(|placement| placement.end)
    }

    pub(super) fn fits(&self, jobs: usize, machines: usize) -> Result<(), Misuse> {
        let enough = self.placements.len() >= jobs && self.free_from.len() == machines;
        if enough { Ok(()) } else { Err(Misuse::Storage) }
    }

    /// Nobody has a place, and machines are as `problem` has them.
    pub(super) fn clear(&mut self, problem: &Problem) {
        self.placements.fill(PlannedRun::EMPTY);
        self.withdraw(problem, 0..0);
    }

    /// These jobs have no places any more, and machines are free of them. A look at each job, and at
    /// each machine of those that have places.
    pub(super) fn withdraw(&mut self, problem: &Problem, jobs: impl Iterator<Item = usize>) {
        jobs.for_each(|job| put(self.placements, job, PlannedRun::EMPTY));
        for (free, &from) in self.free_from.iter_mut().zip(problem.free_from) {
            *free = from.max(problem.now);
        }
        for job in 0..problem.times.jobs() {
            let Some(run) = self.placement(job) else { continue };
            self.occupy(problem, job, run.resource().unwrap_or(usize::MAX), (run.start, run.end));
        }
    }

    pub(super) fn copy_from(&mut self, other: &Plan) {
        copy(self.placements, other.placements);
        self.set_free(other.free());
    }

    pub(super) fn free(&self) -> &[Instant] {
        self.free_from
    }

    pub(super) fn set_free(&mut self, from: &[Instant]) {
        copy(self.free_from, from);
    }

    /// When a resource can start another job; [`Instant::MAX`]: never.
    fn starts(&self, problem: &Problem, resource: usize) -> Instant {
        match problem.site.cluster(resource) {
            Some(cluster) => problem.gathers(cluster, self.free_from).1,
            None => self.free_from(resource).unwrap_or(Instant::MAX),
        }
    }

    /// Gives `job` the `resource` as soon as it is free, until it has run there. Nothing happens
    /// if it never can; otherwise returns when it ends. Costs a look at each member of a cluster.
    pub(super) fn place(
        &mut self,
        problem: &Problem,
        job: usize,
        resource: usize,
    ) -> Option<Instant> {
        let start = self.starts(problem, resource);
        let end = start.saturating_add(problem.times.on(job, resource)?);
        if end == Instant::MAX {
            return None;
        }
        self.occupy(problem, job, resource, (start, end))
    }

    /// `job` stays on the `resource`, on which it is, until an instant. `false`, and nothing happens,
    /// if there is no such job or resource.
    pub(super) fn hold(
        &mut self,
        problem: &Problem,
        job: usize,
        resource: usize,
        until: Instant,
    ) -> bool {
        let is_there = job < problem.times.jobs() && resource < problem.site.resources();
        let run = (problem.now, until.max(problem.now));
        is_there && self.occupy(problem, job, resource, run).is_some()
    }

    /// `job` has the `resource` from start to end. Machines that are away stay away.
    fn occupy(
        &mut self,
        problem: &Problem,
        job: usize,
        resource: usize,
        (start, end): (Instant, Instant),
    ) -> Option<Instant> {
        let placement = self.placements.get_mut(job)?;
        // Machines and clusters are numbered in 32 bits.
        let number = u32::try_from(resource).ok()?;
        *placement = PlannedRun { place: number.checked_add(1)?, start, end };
        let members = problem.site.cluster(resource).map(|cluster| cluster.members);
        for &machine in members.unwrap_or(&[number]) {
            if let Some(free) = self.free_from.get_mut(machine as usize) {
                *free = end.max(*free);
            }
        }
        Some(end)
    }
}

/// From `now` until `end`.
pub(super) fn spent(now: Instant, end: Instant) -> u64 {
    end.ticks().saturating_sub(now.ticks())
}
