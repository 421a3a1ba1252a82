//! What one pass of compression leaves: logs under conservative backfilling with more of them.

use super::replays::replayed_by;
use crate::Lab;
use locox::bits::Word;
use locox::dispatch::{Backfill, Conservative, Entry, Error, Job, Misuse, Queue, Standing, Ticket};
use locox::handle::PoolId;
use locox::invariant::InvariantViolation;
use locox::reserve::Interval;
use locox::time::{Duration, Instant};
use locox_models::replay::{Decisions, OutageQueue};
use locox_models::swf::Strictness;
use locox_models::workload::from_swf;
use locox_report::failure::Failure;
use locox_report::report::{Cell, Table};

const LOGS: [(&str, u32); 3] = [
    ("KTH-SP2-1996-2.1-cln", 100),
    ("LANL-CM5-1994-4.1-cln", 1024),
    ("NASA-iPSC-1993-3.1-cln", 128),
];
/// Passes after each end of a job.
const PASSES: [u32; 3] = [1, 2, 4];

/// `None` without the logs.
pub(super) fn table(lab: &Lab) -> Result<Option<Table>, Failure> {
    let columns = [
        ("log", "log"),
        ("passes", "passes"),
        ("mean_wait_s", "mean wait (s)"),
        ("mean_bounded_slowdown", "slowdown"),
    ];
    let mut table = Table::new("What one pass leaves, under conservative backfilling", &columns);
    let limit = lab.either(Some(2_000), None);
    for (name, processors) in LOGS {
        let Some(path) = lab.trace(name) else { return Ok(None) };
        let workload = from_swf(&path, Strictness::Strict, limit);
        let workload = workload.map_err(|error| Failure::Input(error.to_string()))?;
        let outcomes = lab.parallel(&PASSES, |&passes| {
            let queue = &mut Passes::new(passes, workload.jobs.len(), processors);
            replayed_by(queue, &workload, processors, Decisions::Planned)
        });
        for (passes, outcome) in PASSES.into_iter().zip(outcomes) {
            let outcome = outcome?;
            table.push(vec![
                Cell::text(name),
                Cell::Count(passes.into()),
                Cell::Number(outcome.mean_wait, 0),
                Cell::Number(outcome.mean_bounded_slowdown, 1),
            ]);
        }
    }
    Ok(Some(table))
}

/// A queue in which a job that comes last and is cancelled at once brings another pass.
#[derive(Clone)]
struct Passes {
    queue: Backfill<Conservative<Box<[Word]>>, Box<[Entry]>>,
    more: u32,
}

impl Passes {
    fn new(passes: u32, jobs: usize, processors: u32) -> Self {
        // And the one that is cancelled at once.
        let entries = vec![Entry::EMPTY; jobs + 1].into_boxed_slice();
        let words = vec![0; Backfill::words(processors, entries.len())].into_boxed_slice();
        let queue = Backfill::conservative(PoolId(0), processors, words, entries);
        Self { queue: queue.expect("a log's machine can be planned for"), more: passes - 1 }
    }

    fn compress(&mut self, now: Instant) -> Result<(), Misuse> {
        let last = Job::new(u32::MAX, 1).within(Duration::from_ticks(1)).keyed(u64::MAX);
        for _ in 0..self.more {
            let ticket = self.queue.push(now, last).expect("there is an entry for it");
            self.queue.cancel(now, ticket)?;
        }
        Ok(())
    }
}

impl OutageQueue for Passes {
    fn make_room(&mut self, _: usize) {}

    fn copy(&self) -> Box<dyn OutageQueue + Send + Sync> {
        Box::new(self.clone())
    }

    fn plans(&self) -> bool {
        true
    }

    fn finished_together(&mut self, now: Instant, tickets: &[Ticket]) -> Result<(), Misuse> {
        self.queue.finished_together(now, tickets)?;
        self.compress(now)
    }
}

impl Queue for Passes {
    fn name(&self) -> &'static str {
        self.queue.name()
    }

    fn len(&self) -> usize {
        self.queue.len()
    }

    fn push(&mut self, now: Instant, job: Job) -> Result<Ticket, Error> {
        self.queue.push(now, job)
    }

    fn adopt(&mut self, now: Instant, job: Job, started: Instant) -> Result<Ticket, Error> {
        self.queue.adopt(now, job, started)
    }

    fn next(&mut self, now: Instant, start: &mut dyn FnMut(Job) -> bool) -> Option<(Ticket, Job)> {
        self.queue.next(now, start)
    }

    fn finished(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        let job = self.queue.finished(now, ticket)?;
        self.compress(now)?;
        Ok(job)
    }

    fn cancel(&mut self, now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        self.queue.cancel(now, ticket)
    }

    fn requeue(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.queue.requeue(now, ticket)
    }

    fn hold(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.queue.hold(now, ticket)
    }

    fn release(&mut self, now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        self.queue.release(now, ticket)
    }

    fn rekey(&mut self, now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse> {
        self.queue.rekey(now, ticket, key)
    }

    fn planned(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
        self.queue.planned(ticket)
    }

    fn visit(&self, visit: &mut dyn FnMut(Ticket, Job, Standing, u64)) {
        self.queue.visit(visit);
    }

    fn wake_at(&self) -> Option<Instant> {
        self.queue.wake_at()
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.queue.check_invariants()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_models::machine::Pool;
    use locox_models::replay::{Options, QueueKind, replay};
    use locox_models::workload::lublin::{Kind, Lublin};

    /// The row of one pass is that of the queue itself, and more passes move somebody.
    #[test]
    fn one_pass_is_the_queue_itself() {
        let recipe = Lublin { kind: Kind::All, jobs: 600, processors: 64, estimates: Some(3.0) };
        let mut workload = recipe.generate(1, 0).unwrap();
        workload.scale_load(1.0 / workload.offered_load(64).unwrap()).unwrap();
        let mean_wait = |queue: &mut dyn OutageQueue| {
            replay(&workload, &mut Pool::new(64), queue, &Options::default()).unwrap().mean_wait
        };
        let itself = mean_wait(&mut *QueueKind::Conservative.queue(600, 64));
        let [one, four] = [1, 4].map(|passes| mean_wait(&mut Passes::new(passes, 600, 64)));
        assert_eq!(one, itself);
        assert_ne!(four, itself);
    }
}
