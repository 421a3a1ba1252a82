//! How good a plan can be at best.

use super::plan::spent;
use super::{Misuse, Problem};
use crate::sort;
use crate::time::{Duration, Instant};

/// How much storage [`lower_bound`] needs.
pub const fn bound_workspace(jobs: usize, machines: usize) -> usize {
    jobs.saturating_mul(2).saturating_add(machines)
}

/// A merit that no plan can be below, so that a plan at 1.2 times as much is at most a fifth from
/// the best there is. Jobs that nothing can run do not count.
///
/// The job that ends as number j ends no earlier than the j-th of all jobs' earliest ends, each as
/// if it were alone; and no earlier than all machines together, from when each is free, have done
/// the work of the j least jobs. The work of a job is its least machine time: on a cluster as many
/// times its time as members are present. The larger of both is summed over all jobs.
///
/// Costs a look at each cell of the table, and at each member of each cluster for each job; then
/// it sorts jobs and machines. `room` takes [`bound_workspace`] entries; what is in it does not matter.
///
/// # Errors
///
/// What does not fit.
pub fn lower_bound(problem: &Problem, room: &mut [Instant]) -> Result<Duration, Misuse> {
    problem.check()?;
    let (jobs, machines) = (problem.times.jobs(), problem.site.machines());
    let (ends, room) = room.split_at_mut_checked(jobs).ok_or(Misuse::Storage)?;
    let (works, room) = room.split_at_mut_checked(jobs).ok_or(Misuse::Storage)?;
    let free = room.get_mut(..machines).ok_or(Misuse::Storage)?;
    for (free, &from) in free.iter_mut().zip(problem.free_from) {
        *free = from.max(problem.now);
    }
    for (job, (end, work)) in ends.iter_mut().zip(&mut *works).enumerate() {
        (*end, *work) = alone(problem, free, job);
    }
    let ascending = |a: &Instant, b: &Instant| a > b;
    for room in [&mut *ends, &mut *works, &mut *free] {
        sort::sort_backwards(room, ascending);
    }
    let mut capacity = Capacity::of(free);
    let mut sum = 0_u64;
    // Jobs that nothing can run come last.
    let can_run = ends.iter().zip(works).take_while(|(end, _)| **end != Instant::MAX);
    for (&end, work) in can_run {
        let last = end.max(capacity.done_by(work.ticks()));
        sum = sum.saturating_add(spent(problem.now, last));
    }
    Ok(Duration::from_ticks(sum))
}

/// The earliest end of a job as if it were alone, and its least machine time, in ticks.
fn alone(problem: &Problem, free: &[Instant], job: usize) -> (Instant, Instant) {
    let machines = (0..).zip(free).map(|(machine, &from)| (machine, (1, from)));
    let clusters = problem.site.clusters().map(|(at, one)| (at, problem.gathers(one, free)));
    let usable = machines.chain(clusters).filter(|(_, (_, from))| *from != Instant::MAX);
    let options = usable.filter_map(|(resource, (width, from))| {
        let time = problem.times.on(job, resource)?;
        let work = Instant::from_ticks(time.ticks().saturating_mul(width as u64));
        Some((from.saturating_add(time), work))
    });
    let never = (Instant::MAX, Instant::MAX);
    options.fold(never, |(end, least), (e, work)| (end.min(e), least.min(work)))
}

/// What machines, in the order in which they are free, can do together. Saturates on the low side.
struct Capacity<'f> {
    /// Those that have not begun.
    later: core::slice::Iter<'f, Instant>,
    begun: u64,
    /// The work to be done, and the sum of when those that have begun were free.
    sum: u64,
}

impl<'f> Capacity<'f> {
    fn of(free: &'f [Instant]) -> Self {
        Self { later: free.iter(), begun: 0, sum: 0 }
    }

    /// When so much `more` work can be done at the earliest.
    fn done_by(&mut self, more: u64) -> Instant {
        self.sum = self.sum.saturating_add(more);
        while let Some(next) = self.later.as_slice().first() {
            if self.begun > 0 && self.share() <= next.ticks() {
                break;
            }
            self.later.next();
            self.begun = self.begun.saturating_add(1);
            self.sum = self.sum.saturating_add(next.ticks());
        }
        Instant::from_ticks(self.share())
    }

    /// The sum by those that have begun, rounded up.
    fn share(&self) -> u64 {
        let whole = self.sum.checked_div(self.begun).unwrap_or(0);
        let rest = self.sum.checked_rem(self.begun).unwrap_or(0);
        whole.saturating_add(u64::from(rest > 0))
    }
}
