//! How much a machine gets done when there is always enough to do.

use super::front::Front;
use super::{Order, OutageQueue, QueueKind};
use crate::events::EventQueue;
use crate::machine::Machine;
use crate::stats::TimeWeighted;
use crate::workload::Job;
use locox::time::Instant;

/// What a saturated machine yields, averaged from the end of the warm-up on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Saturated {
    /// Processors asked for by running jobs, as a share of all.
    pub utilisation: f64,
    /// The same for the processors held, rounding included.
    pub held_utilisation: f64,
    /// Jobs that run, on average.
    pub running: f64,
}

/// Runs the jobs, whatever their times of arrival, so that `waiting` of them always wait: as soon
/// as one starts, the next one arrives. Averages begin when `warm_up` jobs have started and end
/// when no more jobs are left to arrive.
///
/// `None` if that is no time. Jobs that are too large for the machine are left out. A start that a
/// queue has planned between two completions waits for the later one.
///
/// ```
/// use locox_models::machine::Pool;
/// use locox_models::replay::{QueueKind, saturated};
/// use locox_models::workload::synthetic::Synthetic;
/// let day = Synthetic::cube_day().generate(1, 0).unwrap();
/// let full = saturated(&day.jobs, &mut Pool::new(128), QueueKind::Fcfs, 16, 50).unwrap();
/// assert!((0.8..1.0).contains(&full.utilisation));
/// ```
pub fn saturated(
    jobs: &[Job],
    machine: &mut dyn Machine,
    queue: QueueKind,
    waiting: usize,
    warm_up: usize,
) -> Option<Saturated> {
    let mut queue = queue.queue(jobs.len(), machine.processors());
    let mut run =
        Run::new(jobs, Front::new(machine, &mut *queue, Order::Arrival), waiting, warm_up);
    run.fill_and_start(Instant::ZERO);
    while run.arrived < jobs.len() {
        let (now, at) = run.completions.take()?;
        run.front.finish(now, at);
        run.fill_and_start(now);
    }
    run.averages()
}

type Borrowed<'a> = Front<&'a mut dyn Machine, &'a mut dyn OutageQueue>;

struct Run<'a> {
    jobs: &'a [Job],
    front: Borrowed<'a>,
    waiting: usize,
    warm_up: usize,
    arrived: usize,
    started: usize,
    completions: EventQueue<usize>,
    /// In use, held, and jobs running, from the end of the warm-up on.
    levels: Option<[TimeWeighted; 3]>,
}

impl<'a> Run<'a> {
    fn new(jobs: &'a [Job], front: Borrowed<'a>, waiting: usize, warm_up: usize) -> Self {
        let completions = EventQueue::new();
        Self { jobs, front, waiting, warm_up, arrived: 0, started: 0, completions, levels: None }
    }

    fn fill_and_start(&mut self, now: Instant) {
        self.fill(now);
        while let Some((at, _)) = self.front.start(now, |_| ()) {
            self.started += 1;
            let end = now.saturating_add(self.front.job(at).run);
            self.completions.schedule(end, at);
            self.fill(now);
        }
        self.note(now);
    }

    fn fill(&mut self, now: Instant) {
        while self.front.queue.len() < self.waiting && self.arrived < self.jobs.len() {
            self.front.arrive(now, self.jobs[self.arrived].clone());
            self.arrived += 1;
        }
    }

    fn note(&mut self, now: Instant) {
        if self.started < self.warm_up {
            return;
        }
        let running = self.completions.len() as f64;
        let values =
            [self.front.machine.in_use().into(), self.front.machine.held().into(), running];
        match &mut self.levels {
            None => self.levels = Some(values.map(|value| TimeWeighted::new(now, value))),
            Some(levels) => {
                levels.iter_mut().zip(values).for_each(|(level, value)| level.set(now, value))
            }
        }
    }

    fn averages(&self) -> Option<Saturated> {
        let [in_use, held, running] = self.levels.as_ref()?;
        let mean = |level: &TimeWeighted| level.mean(self.completions.now());
        let processors = f64::from(self.front.machine.processors());
        Some(Saturated {
            utilisation: mean(in_use)? / processors,
            held_utilisation: mean(held)? / processors,
            running: mean(running)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Hypercube, Pool, StrategyKind};
    use crate::workload::synthetic::Synthetic;
    use locox::cube::Dim;
    use locox::time::Duration;

    fn job(processors: u32, run: u64) -> Job {
        Job {
            id: 0,
            line: None,
            submit: Instant::from_ticks(1 << 40),
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run: Duration::from_ticks(run),
            requested: None,
            user: None,
        }
    }

    /// Jobs of two and of three of four processors never fit together.
    #[test]
    fn averages_are_those_by_hand() {
        let jobs: Vec<Job> = (0..99).map(|at| job(2 + at % 2, 10)).collect();
        let full = saturated(&jobs, &mut Pool::new(4), QueueKind::Fcfs, 5, 10).unwrap();
        assert!((full.utilisation - 2.5 / 4.0).abs() < 1e-9, "{full:?}");
        assert_eq!((full.held_utilisation, full.running), (full.utilisation, 1.0));
    }

    #[test]
    fn rounding_up_shows_in_what_is_held() {
        let jobs = vec![job(3, 10); 50];
        let mut cube = Hypercube::new(Dim::new(4).unwrap(), StrategyKind::Buddy);
        let full = saturated(&jobs, &mut cube, QueueKind::Fcfs, 1, 8).unwrap();
        assert_eq!((full.utilisation, full.held_utilisation, full.running), (0.75, 1.0, 4.0));
    }

    #[test]
    fn too_few_jobs_yield_nothing_and_too_large_ones_are_left_out() {
        let idle = |jobs: &[Job]| saturated(jobs, &mut Pool::new(4), QueueKind::Fcfs, 3, 5);
        assert_eq!(idle(&[]), None);
        assert_eq!(idle(&vec![job(1, 1); 3]), None);
        assert_eq!(idle(&vec![job(5, 1); 100]), None);
    }

    #[test]
    fn how_many_wait_does_not_matter_if_only_the_first_may_start() {
        let seven = Dim::new(7).unwrap();
        let day = Synthetic::subcubes(seven, 0..=6, 1e6, 3000).generate(1, 0).unwrap();
        let full = |waiting| {
            let mut cube = Hypercube::new(seven, StrategyKind::FreeList);
            saturated(&day.jobs, &mut cube, QueueKind::Fcfs, waiting, 300).unwrap()
        };
        assert!((full(1).utilisation - full(16).utilisation).abs() < 0.01);
    }
}
