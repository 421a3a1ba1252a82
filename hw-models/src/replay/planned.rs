//! Backfilling: the kernel's planners as queues.

use super::Queue;
use super::queue::QueueKind;
use crate::workload::Job;
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Conservative, Easy, Entry, Planner, Rule, Ticket, TimedJob, backfill_words,
};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};

/// A planner of the kernel. It plans by the processors that jobs ask for: on a machine with a
/// topology the machine has the last word, and what it refuses waits at the front.
///
/// A job may run as long as its user said or, where the trace does not know, as long as it does;
/// at least a tick. One that runs longer is not killed: it follows the log, and the planner takes
/// it to end any moment.
pub(super) struct PlannedQueue {
    kind: QueueKind,
    /// Made when the machine is known.
    planner: Option<Box<dyn Planner + Send>>,
    tickets: Vec<Option<Ticket>>,
}

impl PlannedQueue {
    pub(super) fn boxed(kind: QueueKind, jobs: usize) -> Box<dyn Queue> {
        Box::new(Self { kind, planner: None, tickets: vec![None; jobs] })
    }

    fn planner(&mut self) -> &mut dyn Planner {
        &mut **self.planner.as_mut().expect("a queue is told its machine before all else")
    }
}

fn planner<R: Rule + Send + 'static>(
    rule: R,
    processors: u32,
    jobs: usize,
) -> Box<dyn Planner + Send> {
    let words = vec![0 as Word; backfill_words(processors, jobs)].into_boxed_slice();
    let entries = vec![Entry::EMPTY; jobs].into_boxed_slice();
    let planner = Backfill::new(rule, PoolId(0), processors, words, entries);
    Box::new(planner.expect("a machine that the kernel can plan for"))
}

/// How long a job may run.
fn limit(job: &Job) -> Duration {
    job.requested.unwrap_or(job.run).max(Duration::from_ticks(1))
}

impl Queue for PlannedQueue {
    fn name(&self) -> String {
        self.kind.to_string()
    }

    fn begin(&mut self, processors: u32) {
        let jobs = self.tickets.len().max(1);
        self.planner = Some(match self.kind {
            QueueKind::Conservative => planner(Conservative::new(), processors, jobs),
            _ => planner(Easy::new(), processors, jobs),
        });
    }

    fn arrived(&mut self, index: usize, job: &Job, now: Instant) {
        let id = u32::try_from(index).expect("the kernel numbers fewer than 2^32 jobs");
        let timed = TimedJob { id, pes: job.processors, requested: limit(job) };
        let ticket = self.planner().push(timed, now);
        self.tickets[index] = Some(ticket.expect("an entry for each job, and none too large"));
    }

    fn next(&mut self, now: Instant, start: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        let started = self.planner().next(now, &mut |job| start(job.id as usize));
        started.map(|(_, job)| job.id as usize)
    }

    fn finished(&mut self, index: usize, now: Instant) {
        let ticket = self.tickets[index].take().expect("a job that ends has arrived");
        self.planner().finished(ticket, now).expect("a job that ends runs");
    }

    fn waiting(&self) -> usize {
        self.planner.as_ref().map_or(0, |planner| planner.len())
    }

    fn wake(&self) -> Option<Instant> {
        self.planner.as_ref()?.wake()
    }
}
