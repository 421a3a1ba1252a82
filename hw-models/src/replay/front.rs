//! A queue of the kernel in front of a machine.

use crate::machine::{Machine, Placement};
use crate::workload::Job;
use locox::dispatch::{self, Queue, Ticket};
use locox::subcube::Refusal;
use locox::time::{Duration, Instant};

/// Jobs on their way through a queue to a machine. They are known by their index in the workload.
///
/// - `tickets[job]` is what the queue knows the job by, while it waits or runs.
/// - `refused[job]` is the number of releases at which the job was refused last. Until the next
///   one it would be in vain to try it again.
pub(super) struct Front<'a> {
    pub(super) jobs: &'a [Job],
    pub(super) machine: &'a mut dyn Machine,
    pub(super) queue: &'a mut dyn Queue,
    tickets: Vec<Option<Ticket>>,
    refused: Vec<u64>,
    releases: u64,
}

impl<'a> Front<'a> {
    pub(super) fn new(
        jobs: &'a [Job],
        machine: &'a mut dyn Machine,
        queue: &'a mut dyn Queue,
    ) -> Self {
        let (tickets, refused) = (vec![None; jobs.len()], vec![0; jobs.len()]);
        Self { jobs, machine, queue, tickets, refused, releases: 1 }
    }

    /// A job arrives, and waits if the machine could ever run it.
    pub(super) fn arrive(&mut self, now: Instant, index: usize) {
        let job = &self.jobs[index];
        if !self.machine.can_ever(job) {
            return;
        }
        let id = u32::try_from(index).expect("the kernel numbers fewer than 2^32 jobs");
        let queued = dispatch::Job::new(id, self.machine.size(job)).within(limit(job));
        let ticket = self.queue.push(now, queued);
        self.tickets[index] = Some(ticket.expect("room for each job, and none too large"));
    }

    /// The next job that the queue offers and the machine takes. `on_refusal` hears why it does
    /// not.
    pub(super) fn start(
        &mut self,
        now: Instant,
        mut on_refusal: impl FnMut(Refusal),
    ) -> Option<(usize, Placement)> {
        let Self { jobs, machine, refused, releases, .. } = self;
        let mut placement = None;
        let mut start = |job: dispatch::Job| {
            let index = job.id as usize;
            if refused[index] == *releases {
                return false;
            }
            match machine.start(&jobs[index]) {
                Ok(granted) => placement = Some(granted),
                Err(refusal) => {
                    refused[index] = *releases;
                    on_refusal(refusal);
                }
            }
            placement.is_some()
        };
        let (_, job) = self.queue.next(now, &mut start)?;
        Some((job.id as usize, placement.expect("a queue names the job that was taken")))
    }

    /// Whether a job runs just as long as it may.
    pub(super) fn ends_as_planned(&self, index: usize) -> bool {
        let job = &self.jobs[index];
        job.run == limit(job)
    }

    /// A running job ends.
    pub(super) fn finish(&mut self, now: Instant, index: usize, placement: Placement) {
        self.machine.finish(placement);
        let ticket = self.tickets[index].take().expect("a job that ends has arrived");
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
        let mut front = Front::new(&jobs, &mut pool, &mut *queue);
        [0, 1].into_iter().for_each(|index| front.arrive(Instant::ZERO, index));
        let mut refusals = vec![];
        let (first, placement) = front.start(Instant::ZERO, |_| panic!("it fits")).unwrap();
        assert_eq!(front.start(Instant::ZERO, |refusal| refusals.push(refusal)), None);
        assert_eq!((first, refusals), (0, vec![Refusal::TooFewFree { free: 3 }]));
        assert_eq!(front.start(Instant::ZERO, |_| panic!("nothing was released")), None);
        front.finish(Instant::ZERO, 0, placement);
        let started = front.start(Instant::ZERO, |_| panic!("it fits"));
        assert_eq!(started.map(|(index, _)| index), Some(1));
    }
}
