//! A queue in front of a machine whose time passes elsewhere.

use super::front::Front;
use super::{Decisions, Order, OutageQueue, QueueKind};
use crate::machine::Machine;
use crate::workload::Job;
use locox::dispatch;
use locox::time::{Duration, Instant};
use std::collections::BTreeSet;

/// Jobs that somebody else runs: he says when they come and end, and is told what starts where.
///
/// What is decided is what a [replay](super::replay) decides, if the caller's jobs come and end as those of a
/// trace: the order of an instant is that of [`QueueKind::decisions`].
///
/// ```
/// use locox::time::{Duration, Instant};
/// use locox_models::machine::Pool;
/// use locox_models::replay::{Live, News, QueueKind, Request};
/// let mut live = Live::new(QueueKind::Easy, Box::new(Pool::new(8)), 100).unwrap();
/// let hour = Some(Duration::from_ticks(3600));
/// let request = |processors| Request { processors, limit: hour };
/// let mut started = vec![];
/// let mut told = |news: News| if let News::Started { job, allocated } = news { started.push((job, allocated)) };
/// live.instant(Instant::ZERO, &[], &[request(6), request(4), request(2)], &mut told);
/// live.instant(Instant::from_ticks(900), &[0, 2], &[], &mut told);
/// assert_eq!(started, [(0, "0-5".into()), (2, "6-7".into()), (1, "0-3".into())]);
/// ```
///
/// # Invariants
///
/// - `limits` has the running jobs, with when they have had their time; those that have a limit.
pub struct Live {
    front: Front<Box<dyn Machine>, Box<dyn OutageQueue + Send + Sync>>,
    kind: QueueKind,
    limits: BTreeSet<(Instant, usize)>,
}

/// What a job asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Processors, at least one.
    pub processors: u32,
    /// How long it may run. It ends by then; queues that plan need to know.
    pub limit: Option<Duration>,
}

/// What comes of an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// A job waits, and is known by a number until it ends.
    Waits {
        /// Which of those that arrived.
        arrival: usize,
        /// The number; it may be another job's when this one has ended.
        job: usize,
    },
    /// A job will never run.
    Rejected {
        /// Which of those that arrived.
        arrival: usize,
        /// Why.
        why: Rejection,
    },
    /// A job starts.
    Started {
        /// Its number.
        job: usize,
        /// As [`Machine::allocated`] says.
        allocated: String,
    },
}

/// Why a job will never run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// It is larger than the machine.
    #[error("the machine has {0} processors only")]
    TooLarge(u32),
    /// The queue plans, and needs to know how long the job may run.
    #[error("it has no time limit, and the queue plans by it")]
    NoLimit,
    /// The queue does not take it.
    #[error("{0}")]
    Queue(dispatch::Error),
}

impl Live {
    /// An empty queue with room for so many jobs that wait or run at once, and an idle machine. `None` if places are to be
    /// promised on a machine without a [rule](Machine::rule).
    ///
    /// # Panics
    ///
    /// As [`QueueKind::queue`].
    pub fn new(kind: QueueKind, machine: Box<dyn Machine>, room: usize) -> Option<Self> {
        let mut queue = kind.queue_on(room, &*machine)?;
        queue.make_room(room);
        let front = Front::new(machine, queue, Order::Arrival);
        Some(Self { front, kind, limits: BTreeSet::new() })
    }

    /// When an instant is to come at which nothing else may happen: the next planned start. `None` if there is
    /// none, or if a running job ends by then, as it has had its time.
    pub fn wake_at(&self) -> Option<Instant> {
        let at = self.front.queue.wake_at()?;
        let ends = self.limits.range((at, 0)..).next().is_some_and(|&(last, _)| last == at);
        (!ends).then_some(at)
    }

    /// All that happens at one instant: these jobs end, and those arrive. `told` hears what comes of it, in its
    /// order. A time before the last one means that one.
    ///
    /// # Panics
    ///
    /// If one of those that end does not run, or is named twice.
    pub fn instant(
        &mut self,
        now: Instant,
        ended: &[usize],
        arrivals: &[Request],
        told: &mut dyn FnMut(News),
    ) {
        let plans = self.kind.decisions() == Decisions::Planned;
        let expected: Vec<bool> = ended
            .iter()
            .map(|&at| plans && self.front.last_instant(at).is_some_and(|last| last <= now))
            .collect();
        // A job that has had its time is free all through the instant; others end when that is told.
        let ends = || ended.iter().copied().zip(expected.iter().copied());
        ends().filter(|&(_, expected)| expected).for_each(|(at, _)| self.finish(now, at));
        if !plans {
            ends().for_each(|(at, expected)| self.end(now, at, expected, told));
        }
        for (arrival, request) in arrivals.iter().enumerate() {
            match self.arrive(now, request) {
                Ok(job) => told(News::Waits { arrival, job }),
                Err(why) => told(News::Rejected { arrival, why }),
            }
            self.decide(now, told);
        }
        if plans {
            ends().for_each(|(at, expected)| self.end(now, at, expected, told));
        }
        self.decide(now, told);
    }

    /// The end of a job is told; it may be free already.
    fn end(&mut self, now: Instant, at: usize, free: bool, told: &mut dyn FnMut(News)) {
        if !free {
            self.finish(now, at);
        }
        self.decide(now, told);
    }

    fn finish(&mut self, now: Instant, at: usize) {
        if let Some(last) = self.front.last_instant(at) {
            self.limits.remove(&(last, at));
        }
        self.front.finish(now, at);
    }

    fn arrive(&mut self, now: Instant, request: &Request) -> Result<usize, Rejection> {
        let &Request { processors, limit } = request;
        if limit.is_none() && self.kind.plans() {
            return Err(Rejection::NoLimit);
        }
        let run = limit.unwrap_or(Duration::MAX);
        let job = Job {
            id: 0,
            line: None,
            submit: now,
            processors,
            shape: None,
            memory: 0,
            demand: None,
            run,
            requested: limit,
            user: None,
        };
        let most = self.front.machine.processors();
        self.front.try_arrive(now, job).map_err(Rejection::Queue)?.ok_or(Rejection::TooLarge(most))
    }

    fn decide(&mut self, now: Instant, told: &mut dyn FnMut(News)) {
        while let Some((job, placement)) = self.front.start(now, |_| {}) {
            let allocated = self.front.machine.allocated(placement);
            self.limits.extend(self.front.last_instant(job).map(|last| (last, job)));
            told(News::Started { job, allocated });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::EventQueue;
    use crate::machine::{GridMachine, Hypercube, Pool, StrategyKind};
    use crate::replay::{Options, replay};
    use crate::workload::Workload;
    use crate::workload::lublin::{Kind, Lublin};
    use locox::cube::Dim;
    use locox::grid::Placement;
    use std::collections::HashMap;

    fn jobs(count: usize) -> Workload {
        let recipe = Lublin { kind: Kind::All, jobs: count, processors: 64, estimates: Some(2.0) };
        recipe.generate(7, 0).unwrap()
    }

    fn machine(kind: QueueKind) -> Box<dyn Machine> {
        if kind.plans_places() {
            return Box::new(GridMachine::new("torus:4x4x4".parse().unwrap(), Placement::Corner));
        }
        if kind.plans() {
            return Box::new(Pool::new(64));
        }
        Box::new(Hypercube::new(Dim::new(6).unwrap(), StrategyKind::Buddy))
    }

    /// The starts of the jobs, which somebody else runs.
    fn run(workload: &Workload, kind: QueueKind) -> Vec<Instant> {
        let mut live = Live::new(kind, machine(kind), workload.jobs.len()).unwrap();
        let (mut ends, mut numbers) = (EventQueue::new(), HashMap::new());
        let mut starts = vec![Instant::ZERO; workload.jobs.len()];
        let mut next = 0;
        while let Some(now) =
            [live.wake_at(), ends.next_at(), workload.jobs.get(next).map(|job| job.submit)]
                .into_iter()
                .flatten()
                .min()
        {
            let mut ended = vec![];
            while ends.next_at() == Some(now) {
                ended.push(ends.take().unwrap().1);
            }
            let come: Vec<Request> = workload.jobs[next..]
                .iter()
                .take_while(|job| job.submit == now)
                .map(|job| Request { processors: job.processors, limit: job.requested })
                .collect();
            live.instant(now, &ended, &come, &mut |news| match news {
                News::Waits { arrival, job } => _ = numbers.insert(job, next + arrival),
                News::Rejected { why, .. } => panic!("{why}"),
                News::Started { job, .. } => {
                    starts[numbers[&job]] = now;
                    let end = now.checked_add(workload.jobs[numbers[&job]].run).unwrap();
                    ends.schedule(end, job);
                }
            });
            next += come.len();
        }
        starts
    }

    #[test]
    fn jobs_start_as_in_a_replay() {
        let workload = jobs(500);
        for kind in [
            "fcfs",
            "lazy",
            "easy",
            "easy:3",
            "conservative",
            "conservative:5",
            "promises:1",
            "promises:all",
        ] {
            let kind: QueueKind = kind.parse().unwrap();
            let options = Options { decisions: kind.decisions(), ..Options::default() };
            let mut machine = machine(kind);
            let mut queue = kind.queue_on(workload.jobs.len(), &*machine).unwrap();
            let outcome = replay(&workload, &mut *machine, &mut *queue, &options).unwrap();
            let expected: Vec<Instant> = outcome.jobs.iter().map(|job| job.start).collect();
            assert_eq!(run(&workload, kind), expected, "{kind}");
        }
    }

    #[test]
    fn what_can_never_run_is_rejected_with_its_reason() {
        let request = |processors, limit: Option<u64>| Request {
            processors,
            limit: limit.map(Duration::from_ticks),
        };
        let told = |kind, requests: &[Request]| {
            let mut live = Live::new(kind, Box::new(Pool::new(8)), 2).unwrap();
            let mut whys = vec![];
            live.instant(Instant::ZERO, &[], requests, &mut |news| {
                if let News::Rejected { arrival, why } = news {
                    whys.push((arrival, why.to_string()));
                }
            });
            whys
        };
        let all = [
            request(9, Some(1)),
            request(8, None),
            request(0, Some(1)),
            request(1, Some(u64::MAX)),
        ];
        assert_eq!(
            told(QueueKind::Easy, &all),
            [
                (0, "the machine has 8 processors only".into()),
                (1, "it has no time limit, and the queue plans by it".into()),
                (2, "the job asks for no PE".into()),
                (3, "the job would end beyond the end of time".into()),
            ]
        );
        let many = [request(1, Some(9)); 3];
        assert_eq!(told(QueueKind::Fcfs, &many), [(2, "there is room for 2 jobs only".into())]);
        assert_eq!(told(QueueKind::Fcfs, &all[1..2]), []);
    }

    #[test]
    fn as_many_jobs_wait_as_there_is_room_for() {
        for kind in [QueueKind::Fcfs, QueueKind::Easy, QueueKind::Conservative] {
            let mut live = Live::new(kind, Box::new(Pool::new(8)), 1500).unwrap();
            let limit = Some(Duration::from_ticks(9));
            let requests = vec![Request { processors: 8, limit }; 1501];
            let mut rejected = vec![];
            live.instant(Instant::ZERO, &[], &requests, &mut |news| {
                if let News::Rejected { arrival, .. } = news {
                    rejected.push(arrival);
                }
            });
            assert_eq!(rejected, [1500], "{kind}");
        }
    }
}
