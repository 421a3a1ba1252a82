//! Queue disciplines: which waiting job is to start next.

use super::planned::PlannedQueue;
use crate::workload::Job;
use locox::cube::Dim;
use locox::dispatch::{self, Discipline, Dispatcher, Lazy, Patience, Scan, Slot, Window};
use locox::time::Instant;
use std::fmt;
use std::str::FromStr;

/// A queue discipline. The replay tells it what happens, and after each event asks it for jobs to
/// start until it names none.
///
/// Jobs are known by their index in the workload.
pub trait Queue: Send {
    /// The name in tables and options.
    fn name(&self) -> String;

    /// The machine has so many processors. Told once, before all else.
    fn begin(&mut self, _processors: u32) {}

    /// A job arrives and waits from now on.
    fn arrived(&mut self, index: usize, job: &Job, now: Instant);

    /// Offers jobs that wait to `start`, which says whether the machine took the job, until one is
    /// taken; that one waits no longer. `None` if all that wait are to wait on.
    fn next(&mut self, now: Instant, start: &mut dyn FnMut(usize) -> bool) -> Option<usize>;

    /// A running job has ended and its processors are free again.
    fn finished(&mut self, index: usize, now: Instant);

    /// Jobs that wait.
    fn waiting(&self) -> usize;

    /// When to ask for jobs if nothing happens before.
    fn wake(&self) -> Option<Instant> {
        None
    }
}

/// A discipline of the kernel. The size by which [`Scan`] and [`Lazy`] tell jobs apart is the
/// dimension of the subcube that a job needs.
///
/// - `refused[job]` is the number of releases at which the job was refused last. Until the next
///   one it would be in vain to try it again.
struct KernelQueue<D> {
    name: QueueKind,
    queue: dispatch::Queue<D, Box<[Slot]>>,
    classes: Vec<Dim>,
    refused: Vec<u64>,
    releases: u64,
}

impl<D: Discipline + Send + 'static> KernelQueue<D> {
    fn boxed(name: QueueKind, discipline: D, jobs: usize) -> Box<dyn Queue> {
        let slots = vec![Slot::EMPTY; jobs].into_boxed_slice();
        Box::new(Self {
            name,
            queue: dispatch::Queue::new(discipline, Patience::ENDLESS, slots),
            classes: vec![Dim::ZERO; jobs],
            refused: vec![0; jobs],
            releases: 1,
        })
    }

    fn job(&self, index: usize) -> dispatch::Job {
        let id = u32::try_from(index).expect("the kernel numbers fewer than 2^32 jobs");
        dispatch::Job { id, class: self.classes[index] }
    }
}

fn class(job: &Job) -> Dim {
    let of_mesh = job.shape.map(|shape| shape.dim());
    of_mesh.or(Dim::holding(job.processors)).unwrap_or(Dim::MAX)
}

impl<D: Discipline + Send + 'static> Queue for KernelQueue<D> {
    fn name(&self) -> String {
        self.name.to_string()
    }

    fn arrived(&mut self, index: usize, job: &Job, _: Instant) {
        self.classes[index] = class(job);
        self.queue.push(self.job(index)).expect("there is a slot for each job of the workload");
    }

    fn next(&mut self, _: Instant, start: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        let (refused, releases) = (&mut self.refused, self.releases);
        let started = self.queue.next(&mut |job| {
            let index = job.id as usize;
            if refused[index] == releases {
                return false;
            }
            let starts = start(index);
            if !starts {
                refused[index] = releases;
            }
            starts
        });
        started.map(|job| job.id as usize)
    }

    fn finished(&mut self, index: usize, _: Instant) {
        self.queue.finished(self.job(index));
        self.releases += 1;
    }

    fn waiting(&self) -> usize {
        self.queue.len()
    }
}

/// The queue disciplines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueKind {
    /// [`dispatch::Fcfs`].
    Fcfs,
    /// [`Scan::up`].
    ScanUp,
    /// [`Scan::down`].
    ScanDown,
    /// [`Lazy`], not beyond [`LAZY_BACKLOG`].
    Lazy,
    /// [`Window`] of so many jobs.
    Window(u32),
    /// [`dispatch::Easy`] backfilling.
    Easy,
    /// [`dispatch::Conservative`] backfilling.
    Conservative,
}

/// A size of which more jobs than this wait is not held back in [`QueueKind::Lazy`].
pub const LAZY_BACKLOG: u32 = 4;

/// A name that no queue discipline has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown queue `{0}`; the queues are {names}, N from 1 on", names = QueueKind::NAMES)]
pub struct UnknownQueue(pub String);

impl QueueKind {
    /// All names; N stands for a number above 0.
    pub const NAMES: &str = "fcfs, scan-up, scan-down, lazy, window:N, easy, conservative";

    /// An empty queue of this kind for a workload of so many jobs.
    ///
    /// Jobs may be overtaken without bound: a replay ends, so nobody waits for ever.
    pub fn queue(self, jobs: usize) -> Box<dyn Queue> {
        match self {
            Self::Fcfs => KernelQueue::boxed(self, dispatch::Fcfs, jobs),
            Self::ScanUp => KernelQueue::boxed(self, Scan::up(), jobs),
            Self::ScanDown => KernelQueue::boxed(self, Scan::down(), jobs),
            Self::Lazy => KernelQueue::boxed(self, Lazy::beyond(LAZY_BACKLOG), jobs),
            Self::Window(width) => KernelQueue::boxed(self, Window::of(width), jobs),
            Self::Easy | Self::Conservative => PlannedQueue::boxed(self, jobs),
        }
    }

    /// Whether it plans by numbers of processors and requested times.
    pub const fn plans(self) -> bool {
        matches!(self, Self::Easy | Self::Conservative)
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
            Self::Conservative => f.pad("conservative"),
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
            _ => {}
        }
        let width = name.strip_prefix("window:").and_then(|width| width.parse().ok());
        let width = width.filter(|&width| width > 0);
        width.map(Self::Window).ok_or_else(|| UnknownQueue(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::Duration;

    const KINDS: [QueueKind; 7] = [
        QueueKind::Fcfs,
        QueueKind::ScanUp,
        QueueKind::ScanDown,
        QueueKind::Lazy,
        QueueKind::Window(16),
        QueueKind::Easy,
        QueueKind::Conservative,
    ];

    #[test]
    fn a_queue_is_found_by_its_name_and_an_unknown_one_is_answered_with_the_known() {
        for kind in KINDS {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(kind.queue(1).name(), kind.to_string());
        }
        for wrong in ["lifo", "window", "window:", "window:0", "window:x", "Lazy"] {
            assert_eq!(
                wrong.parse::<QueueKind>().unwrap_err().to_string(),
                format!(
                    "unknown queue `{wrong}`; the queues are fcfs, scan-up, scan-down, lazy, \
                     window:N, easy, conservative, N from 1 on"
                )
            );
        }
    }

    /// Jobs of so many processors, all waiting.
    fn waiting(kind: QueueKind, sizes: &[u32]) -> Box<dyn Queue> {
        let mut queue = kind.queue(sizes.len());
        queue.begin(18);
        for (index, &processors) in sizes.iter().enumerate() {
            let (submit, run) = (Instant::ZERO, Duration::from_ticks(1));
            let id = index as u64;
            let job = Job {
                id,
                line: None,
                submit,
                processors,
                shape: None,
                run,
                requested: None,
                user: None,
            };
            queue.arrived(index, &job, Instant::ZERO);
        }
        queue
    }

    /// The jobs that a machine with so many free processors takes, none of which ends.
    fn started(queue: &mut dyn Queue, sizes: &[u32], mut free: u32) -> Vec<usize> {
        let mut start = |index: usize| {
            let fits = sizes[index] <= free;
            free -= if fits { sizes[index] } else { 0 };
            fits
        };
        std::iter::from_fn(|| queue.next(Instant::ZERO, &mut start)).collect()
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
            assert_eq!(started(&mut *queue, &sizes, 18), expected, "{kind}");
            assert_eq!(queue.waiting(), sizes.len() - expected.len());
        }
    }

    #[test]
    fn a_refused_job_is_tried_again_after_a_release_and_not_before() {
        let sizes = [1, 4];
        let mut queue = waiting(QueueKind::Fcfs, &sizes);
        assert_eq!(started(&mut *queue, &sizes, 2), [0]);
        let never = &mut |_| panic!("nothing was released");
        assert_eq!(queue.next(Instant::ZERO, never), None);
        queue.finished(0, Instant::ZERO);
        assert_eq!(queue.next(Instant::ZERO, &mut |_| true), Some(1));
    }
}
