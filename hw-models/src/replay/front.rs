//! A queue of the kernel in front of a machine.

use super::Order;
use super::order::Shares;
use crate::machine::{Machine, Placement};
use crate::workload::Job;
use locox::dispatch::{self, Queue, Ticket};
use locox::subcube::Refusal;
use locox::time::{Duration, Instant};
use slab::Slab;

/// Jobs on their way through a queue to a machine. A job is known by its place among those that
/// wait or run; it may be another's when it has ended.
///
/// - `releases` counts the jobs that have ended. A job that was refused is not tried again before
///   the next one.
pub(super) struct Front<'a> {
    pub(super) machine: &'a mut dyn Machine,
    pub(super) queue: &'a mut dyn Queue,
    present: Slab<Present>,
    releases: u64,
    order: Order,
    shares: Shares,
}

/// A job that waits or runs.
///
/// - `ticket` is what the queue knows it by.
/// - `refused` is the number of releases at which it was refused last.
struct Present {
    job: Job,
    ticket: Ticket,
    refused: u64,
    placement: Option<Placement>,
}

impl<'a> Front<'a> {
    pub(super) fn new(
        machine: &'a mut dyn Machine,
        queue: &'a mut dyn Queue,
        order: Order,
    ) -> Self {
        let (present, shares) = (Slab::new(), Shares::default());
        Self { machine, queue, present, releases: 1, order, shares }
    }

    pub(super) fn job(&self, at: usize) -> &Job {
        &self.present[at].job
    }

    /// A job arrives, and waits if the machine could ever run it; what it is known by then.
    pub(super) fn arrive(&mut self, now: Instant, job: Job) -> Option<usize> {
        if !self.machine.can_ever(&job) {
            return None;
        }
        let place = self.present.vacant_entry();
        let id = u32::try_from(place.key()).expect("the kernel numbers fewer than 2^32 jobs");
        let key = match self.order {
            Order::Arrival => 0,
            Order::Shortest => limit(&job).ticks(),
            Order::FairShare => self.shares.wait(place.key(), &job),
        };
        let queued = dispatch::Job::new(id, self.machine.size(&job)).within(limit(&job));
        let ticket = self.queue.push(now, queued.keyed(key));
        let ticket = ticket.expect("room for each job, and none too large");
        let at = place.key();
        place.insert(Present { job, ticket, refused: 0, placement: None });
        Some(at)
    }

    /// The next job that the queue offers and the machine takes. `on_refusal` hears why it does
    /// not.
    pub(super) fn start(
        &mut self,
        now: Instant,
        mut on_refusal: impl FnMut(Refusal),
    ) -> Option<(usize, Placement)> {
        let Self { machine, present, releases, .. } = self;
        let mut start = |job: dispatch::Job| {
            let present = &mut present[job.id as usize];
            if present.refused == *releases {
                return false;
            }
            match machine.start(&present.job) {
                Ok(granted) => present.placement = Some(granted),
                Err(refusal) => {
                    present.refused = *releases;
                    on_refusal(refusal);
                }
            }
            present.placement.is_some()
        };
        let (_, job) = self.queue.next(now, &mut start)?;
        let at = job.id as usize;
        if self.order == Order::FairShare {
            self.rekey(now, at);
        }
        Some((at, self.present[at].placement.expect("a queue names the job that was taken")))
    }

    /// The owner of a job that starts has had more from now on.
    fn rekey(&mut self, now: Instant, at: usize) {
        let job = &self.present[at].job;
        let (key, others) = self.shares.start(now, at, job, limit(job));
        for &other in others {
            let moved = self.queue.rekey(now, self.present[other].ticket, key);
            moved.expect("a job that waits can be moved");
        }
    }

    /// Whether a job runs just as long as it may.
    pub(super) fn ends_as_planned(&self, at: usize) -> bool {
        let job = self.job(at);
        job.run == limit(job)
    }

    /// A running job ends.
    pub(super) fn finish(&mut self, now: Instant, at: usize) {
        let Present { ticket, placement, .. } = self.present.remove(at);
        self.machine.finish(placement.expect("a job that ends runs"));
        self.queue.finished(now, ticket).expect("a job that ends runs");
        self.releases += 1;
    }
}

/// How long a job may run: as long as its user said or, where the trace does not know, as long as
/// it does; at least a tick. One that runs longer is not killed: it follows the log, and queues
/// that plan take it to end any moment.
fn limit(job: &Job) -> Duration {
    job.requested.unwrap_or(job.run).max(Duration::from_ticks(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Pool;
    use crate::replay::QueueKind;

    fn job(processors: u32) -> Job {
        Job {
            id: 0,
            line: None,
            submit: Instant::ZERO,
            processors,
            shape: None,
            run: Duration::from_ticks(1),
            requested: None,
            user: None,
        }
    }

    #[test]
    fn a_refused_job_is_tried_again_after_a_release_and_not_before() {
        let (jobs, mut pool) = ([job(1), job(4)], Pool::new(4));
        let mut queue = QueueKind::Fcfs.queue(2, 4);
        let mut front = Front::new(&mut pool, &mut *queue, Order::Arrival);
        jobs.into_iter().for_each(|job| _ = front.arrive(Instant::ZERO, job));
        let mut refusals = vec![];
        let (first, _) = front.start(Instant::ZERO, |_| panic!("it fits")).unwrap();
        assert_eq!(front.start(Instant::ZERO, |refusal| refusals.push(refusal)), None);
        assert_eq!((first, refusals), (0, vec![Refusal::TooFewFree { needed: 4, free: 3 }]));
        assert_eq!(front.start(Instant::ZERO, |_| panic!("nothing was released")), None);
        front.finish(Instant::ZERO, 0);
        let started = front.start(Instant::ZERO, |_| panic!("it fits"));
        assert_eq!(started.map(|(index, _)| index), Some(1));
    }
}
