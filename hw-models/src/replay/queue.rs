//! The kernel's queues by name.

use super::promises::promises;
use super::{Decisions, OutageQueue};
use crate::machine::{Machine, Rule};
use locox::bits::Word;
use locox::dispatch::{
    Backfill, Discipline, Entry, Fcfs, Lazy, Ordered, Patience, Scan, Slot, Window,
};
use locox::handle::PoolId;
use locox_recorded::cluster::Queueing;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Which queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueKind {
    /// [`Fcfs`](locox::dispatch::Fcfs).
    Fcfs,
    /// [`Scan::up`].
    ScanUp,
    /// [`Scan::down`].
    ScanDown,
    /// [`Lazy`], not beyond [`LAZY_BACKLOG`].
    Lazy,
    /// [`Window`] of so many jobs.
    Window(u32),
    /// [`Easy`](locox::dispatch::Easy) backfilling.
    Easy,
    /// The same, among so many jobs behind the first.
    EasyAmong(u32),
    /// [`Conservative`](locox::dispatch::Conservative) backfilling.
    Conservative,
    /// The same, with so many jobs moved as far as they can.
    ConservativeAmong(u32),
    /// [`Promises`](locox::dispatch::Promises) of times and places, so many at a time.
    Promises(u32),
}

/// A size of which more jobs than this wait is not held back in [`QueueKind::Lazy`].
pub const LAZY_BACKLOG: u32 = 4;

/// Entries of an empty queue at most; there are twice as many whenever more jobs wait or run than that.
const MOST_AT_FIRST: usize = 1 << 10;

/// Entries of an empty queue for so many jobs: a power of two.
fn at_first(jobs: usize) -> usize {
    jobs.clamp(1, MOST_AT_FIRST).next_power_of_two()
}

fn ordered<D: Discipline + Clone + Send + Sync + 'static>(
    discipline: D,
    jobs: usize,
) -> Box<dyn OutageQueue + Send + Sync> {
    let slots = vec![Slot::EMPTY; at_first(jobs)].into_boxed_slice();
    Box::new(Ordered::new(PoolId(0), slots, discipline, Patience::ENDLESS))
}

fn easy(depth: u32, jobs: usize, processors: u32) -> Box<dyn OutageQueue + Send + Sync> {
    let entries = vec![Entry::EMPTY; at_first(jobs)].into_boxed_slice();
    Box::new(Backfill::easy(PoolId(0), processors, entries).with_depth(depth))
}

fn conservative(depth: u32, jobs: usize, processors: u32) -> Box<dyn OutageQueue + Send + Sync> {
    // Entries double until there are as many. Words that nobody uses are zeros that take no memory, only addresses.
    let jobs = jobs.max(1).next_power_of_two();
    let words = vec![0 as Word; Backfill::words(processors, jobs)].into_boxed_slice();
    let entries = vec![Entry::EMPTY; at_first(jobs)].into_boxed_slice();
    let queue = Backfill::conservative_up_to(PoolId(0), processors, words, entries, jobs);
    Box::new(queue.expect("a machine that the kernel can plan for").with_depth(depth))
}

/// A name that no queue discipline has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown queue `{0}`; the queues are {names}, N from {least} to {most}", names = QueueKind::NAMES,
        least = QueueKind::NUMBERS.start(), most = QueueKind::NUMBERS.end())]
pub struct UnknownQueue(pub String);

impl QueueKind {
    /// All names; N stands for one of [`QueueKind::NUMBERS`].
    pub const NAMES: &str = "fcfs, scan-up, scan-down, lazy, window:N, easy, easy:N, conservative, \
                             conservative:N, promises:N, promises:all";

    /// What N may be.
    pub const NUMBERS: RangeInclusive<u32> = 1..=u32::MAX;

    /// An empty queue of this kind for a machine of so many processors. It takes memory for as many jobs
    /// as wait or run at once; a conservative one has room for so many of them, others for any number.
    ///
    /// Jobs may be overtaken without bound: a replay ends, so nobody waits for ever.
    ///
    /// # Panics
    ///
    /// If it is conservative, and the machine has no processors or more than the kernel can plan for.
    pub fn queue(self, jobs: usize, processors: u32) -> Box<dyn OutageQueue + Send + Sync> {
        match self {
            Self::Fcfs => ordered(Fcfs, jobs),
            Self::ScanUp => ordered(Scan::up(), jobs),
            Self::ScanDown => ordered(Scan::down(), jobs),
            Self::Lazy => ordered(Lazy::beyond(LAZY_BACKLOG), jobs),
            Self::Window(width) => ordered(Window::of(width), jobs),
            Self::Easy => easy(u32::MAX, jobs, processors),
            Self::EasyAmong(depth) => easy(depth, jobs, processors),
            Self::Conservative => conservative(u32::MAX, jobs, processors),
            Self::ConservativeAmong(depth) => conservative(depth, jobs, processors),
            Self::Promises(most) => promises(most, at_first(jobs), Rule::Count(processors)),
        }
    }

    /// The same for a machine: where it promises places they are that machine's. `None` if it would and the machine has no
    /// [rule](Machine::rule).
    pub fn queue_on(
        self,
        jobs: usize,
        machine: &dyn Machine,
    ) -> Option<Box<dyn OutageQueue + Send + Sync>> {
        match self {
            Self::Promises(most) => Some(promises(most, at_first(jobs), machine.rule()?)),
            _ => Some(self.queue(jobs, machine.processors())),
        }
    }

    /// The words that a queue for so many jobs takes at once; others take what they need as they need it.
    pub const fn words(self, jobs: usize, processors: u32) -> usize {
        match self {
            Self::Conservative | Self::ConservativeAmong(_) => {
                let jobs = if jobs == 0 { 1 } else { jobs };
                Backfill::words(processors, jobs.next_power_of_two())
            }
            _ => 0,
        }
    }

    /// As [`QueueKind::queue`], with room for exactly so many jobs that wait or run at once: more are refused.
    pub fn queue_with_room(
        self,
        room: usize,
        processors: u32,
    ) -> Box<dyn OutageQueue + Send + Sync> {
        let mut queue = self.queue(room, processors);
        queue.make_room(room);
        queue
    }

    /// The order that it knows; `None` if it plans.
    pub const fn queueing(self) -> Option<Queueing> {
        match self {
            Self::Fcfs => Some(Queueing::Fcfs),
            Self::ScanUp => Some(Queueing::ScanUp),
            Self::ScanDown => Some(Queueing::ScanDown),
            Self::Lazy => Some(Queueing::Lazy(LAZY_BACKLOG)),
            Self::Window(width) => Some(Queueing::Window(width)),
            _ => None,
        }
    }

    /// The order of an instant that goes with it: whoever plans counts on what was requested.
    pub const fn decisions(self) -> Decisions {
        if self.plans() { Decisions::Planned } else { Decisions::EachEvent }
    }

    /// Whether it plans with places, and not only with numbers of processors.
    pub const fn plans_places(self) -> bool {
        matches!(self, Self::Promises(_))
    }

    /// Whether it plans with numbers of processors, which says nothing of subcubes and boxes.
    pub const fn plans_numbers(self) -> bool {
        self.plans() && !self.plans_places()
    }

    /// Whether it plans by requested times, with numbers of processors or with places.
    pub const fn plans(self) -> bool {
        self.queueing().is_none()
    }
}

impl fmt::Display for QueueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fcfs => f.pad("fcfs"),
            Self::ScanUp => f.pad("scan-up"),
            Self::ScanDown => f.pad("scan-down"),
            Self::Lazy => f.pad("lazy"),
            Self::Window(width) => f.pad(&format!("window:{width}")),
            Self::Easy => f.pad("easy"),
            Self::EasyAmong(depth) => f.pad(&format!("easy:{depth}")),
            Self::Conservative => f.pad("conservative"),
            Self::ConservativeAmong(depth) => f.pad(&format!("conservative:{depth}")),
            Self::Promises(u32::MAX) => f.pad("promises:all"),
            Self::Promises(most) => f.pad(&format!("promises:{most}")),
        }
    }
}

impl FromStr for QueueKind {
    type Err = UnknownQueue;

    fn from_str(name: &str) -> Result<Self, UnknownQueue> {
        match name {
            "fcfs" => return Ok(Self::Fcfs),
            "scan-up" => return Ok(Self::ScanUp),
            "scan-down" => return Ok(Self::ScanDown),
            "lazy" => return Ok(Self::Lazy),
            "easy" => return Ok(Self::Easy),
            "conservative" => return Ok(Self::Conservative),
            "promises:all" => return Ok(Self::Promises(u32::MAX)),
            _ => {}
        }
        let number =
            |(_, number): (&str, &str)| number.parse().ok().filter(|it| Self::NUMBERS.contains(it));
        let split = name.split_once(':');
        match (split.map(|(kind, _)| kind), split.and_then(number)) {
            (Some("window"), Some(width)) => Ok(Self::Window(width)),
            (Some("easy"), Some(depth)) => Ok(Self::EasyAmong(depth)),
            (Some("conservative"), Some(depth)) => Ok(Self::ConservativeAmong(depth)),
            (Some("promises"), Some(most)) => Ok(Self::Promises(most)),
            _ => Err(UnknownQueue(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::dispatch::{Error, Job, Queue, Refusal};
    use locox::time::{Duration, Instant};

    const KINDS: [QueueKind; 11] = [
        QueueKind::Fcfs,
        QueueKind::ScanUp,
        QueueKind::ScanDown,
        QueueKind::Lazy,
        QueueKind::Window(16),
        QueueKind::Easy,
        QueueKind::EasyAmong(8),
        QueueKind::Conservative,
        QueueKind::ConservativeAmong(100),
        QueueKind::Promises(2),
        QueueKind::Promises(u32::MAX),
    ];

    #[test]
    fn a_queue_is_found_by_its_name_and_an_unknown_one_is_answered_with_the_known() {
        for kind in KINDS {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            let name = kind.to_string();
            assert_eq!(kind.queue(1, 1).name(), name.split(':').next().unwrap());
        }
        for wrong in
            ["lifo", "window", "window:", "window:0", "window:x", "Lazy", "easy:0", "fcfs:2"]
        {
            assert_eq!(
                wrong.parse::<QueueKind>().unwrap_err().to_string(),
                format!(
                    "unknown queue `{wrong}`; the queues are fcfs, scan-up, scan-down, lazy, \
                     window:N, easy, easy:N, conservative, conservative:N, promises:N, \
                     promises:all, N from 1 to 4294967295"
                )
            );
        }
    }

    #[test]
    fn a_queue_has_room_for_as_many_jobs_as_it_was_made_for() {
        const JOBS: u32 = 3_000;
        // To promise each of them a time takes long; two promises grow the same storage.
        for kind in KINDS.into_iter().filter(|&kind| kind != QueueKind::Promises(u32::MAX)) {
            let mut queue = kind.queue(JOBS as usize, 18);
            for id in 0..JOBS {
                let job = Job::new(id, 1 + id % 18).within(Duration::from_ticks(1));
                let pushed = queue.push(Instant::ZERO, job);
                if let Err(Error::Refused(Refusal::Full { entries })) = pushed {
                    queue.make_room(2 * entries as usize);
                    queue.push(Instant::ZERO, job).unwrap();
                }
            }
            assert_eq!(queue.len(), JOBS as usize, "{kind}");
        }
    }

    /// Jobs of so many processors, all waiting.
    fn waiting(kind: QueueKind, sizes: &[u32]) -> Box<dyn OutageQueue + Send + Sync> {
        let mut queue = kind.queue(sizes.len(), 18);
        for (id, &pes) in (0..).zip(sizes) {
            let job = Job::new(id, pes).within(Duration::from_ticks(1));
            queue.push(Instant::ZERO, job).unwrap();
        }
        queue
    }

    /// The jobs that a machine with so many free processors takes, none of which ends.
    fn started(queue: &mut dyn Queue, mut free: u32) -> Vec<u32> {
        let mut start = |job: Job| {
            let fits = job.pes <= free;
            free -= if fits { job.pes } else { 0 };
            fits
        };
        let next = || queue.next(Instant::ZERO, &mut start);
        std::iter::from_fn(next).map(|(_, job)| job.id).collect()
    }

    #[test]
    fn the_disciplines_differ_in_whom_they_start() {
        let sizes = [8, 2, 16, 2, 4, 8];
        for (kind, expected) in [
            (QueueKind::Fcfs, vec![0, 1]),
            (QueueKind::ScanUp, vec![1, 3, 4, 0]),
            (QueueKind::ScanDown, vec![2]),
            (QueueKind::Lazy, vec![0, 1, 4]),
            (QueueKind::Window(1), vec![0, 1]),
            (QueueKind::Window(2), vec![0, 1, 3, 4]),
            (QueueKind::Easy, vec![0, 1, 3, 4]),
            (QueueKind::Conservative, vec![0, 1, 3, 4]),
        ] {
            let mut queue = waiting(kind, &sizes);
            assert_eq!(started(&mut *queue, 18), expected, "{kind}");
            assert_eq!(queue.len(), sizes.len() - expected.len());
        }
    }
}
