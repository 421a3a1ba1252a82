//! What a queue promises to jobs that wait, and whether it keeps that.

use locox::dispatch::Cause;
use locox::time::Instant;
use std::fmt;

/// How often promises became later, by [`Cause`].
pub type Counts = [u32; Cause::ALL.len()];

/// Why a promise became later: one of these causes, or several at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons([bool; Cause::ALL.len()]);

/// The start that a job was promised while it waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// The first one.
    pub first: Instant,
    /// The last one; of a job that has started, when it did.
    pub last: Instant,
    /// Why it became later than it had been, if it did.
    pub later: Reasons,
}

/// What became of the promises of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PromiseFigures {
    /// Jobs that waited with a promise and have started.
    pub jobs: u64,
    /// Those of them that started no later than they were promised first.
    pub kept: u64,
    /// What the queue has counted of each [`Cause`].
    pub later: [u64; Cause::ALL.len()],
    /// How often a promise became later and the queue named no cause.
    pub without_cause: u64,
}

/// The promise of a job that waits, at which look it was seen, and why it had none after that.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    promise: Promise,
    look: u64,
    lost: Reasons,
}

/// Follows the promises of a queue.
///
/// - `counted` is what the queue had counted at the last look, and `later` how many promises have been found later since.
/// - `promised` are the jobs that had a promise at the last look.
#[derive(Clone, Default)]
pub(super) struct Watch {
    looks: u64,
    counted: Counts,
    later: u64,
    promised: Vec<u32>,
    figures: PromiseFigures,
}

impl Reasons {
    /// These causes.
    pub fn new(causes: &[Cause]) -> Self {
        Self(Cause::ALL.map(|cause| causes.contains(&cause)))
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    fn add(&mut self, more: Self) {
        self.0.iter_mut().zip(more.0).for_each(|(cause, more)| *cause |= more);
    }
}

/// As `outage+overrun`.
impl fmt::Display for Reasons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Cause::ALL.into_iter().zip(self.0).filter(|(_, is)| *is);
        let names: Vec<&str> = named.map(|(cause, _)| cause_name(cause)).collect();
        f.write_str(&names.join("+"))
    }
}

/// The name of a cause in tables and files.
pub fn cause_name(cause: Cause) -> &'static str {
    match cause {
        Cause::Outage => "outage",
        Cause::Overrun => "overrun",
        Cause::Adoption => "adoption",
        Cause::NotStarted => "not-started",
        Cause::Passed => "passed",
    }
}

impl Watch {
    /// The queue has decided that nobody else starts now. What it promises to each who waits is [seen](Self::see) next, then of
    /// these, which had a promise at the last look, [who has none](Self::miss), and then it is [over](Self::end_look).
    pub(super) fn look(&mut self) -> Vec<u32> {
        self.looks += 1;
        std::mem::take(&mut self.promised)
    }

    /// A job that waits is promised this start by a queue that has counted so.
    pub(super) fn see(
        &mut self,
        job: u32,
        waiting: &mut Option<Waiting>,
        start: Instant,
        counted: Counts,
    ) {
        self.promised.push(job);
        match waiting {
            Some(waiting) => self.find(waiting, start, counted),
            None => {
                let promise = Promise { first: start, last: start, later: Reasons::default() };
                *waiting = Some(Waiting { promise, look: self.looks, lost: Reasons::default() });
            }
        }
    }

    /// A job that had a promise at the last look may have none at this one.
    pub(super) fn miss(&self, waiting: &mut Waiting, counted: Counts) {
        if waiting.look != self.looks {
            waiting.lost.add(self.reasons(counted));
        }
    }

    /// All have been seen.
    pub(super) fn end_look(&mut self, counted: Counts) {
        let risen = self.risen(counted);
        self.figures.later.iter_mut().zip(risen).for_each(|(sum, rise)| *sum += rise);
        self.figures.without_cause += self.later.saturating_sub(risen.iter().sum());
        (self.counted, self.later) = (counted, 0);
    }

    /// A job starts that waited so; what it was promised.
    pub(super) fn start(
        &mut self,
        waiting: Option<Waiting>,
        now: Instant,
        counted: Counts,
    ) -> Option<Promise> {
        let mut waiting = waiting?;
        self.find(&mut waiting, now, counted);
        self.figures.jobs += 1;
        self.figures.kept += u64::from(now <= waiting.promise.first);
        Some(waiting.promise)
    }

    /// What became of all promises.
    pub(super) fn figures(&self) -> PromiseFigures {
        self.figures
    }

    /// What was promised before is this start now.
    fn find(&mut self, waiting: &mut Waiting, start: Instant, counted: Counts) {
        if start > waiting.promise.last {
            // Why it had lost the promise in between was said then.
            let known = !waiting.lost.is_empty();
            self.later += u64::from(!known);
            let reasons = if known { waiting.lost } else { self.reasons(counted) };
            waiting.promise.later.add(reasons);
        }
        (waiting.promise.last, waiting.look) = (start, self.looks);
        waiting.lost = Reasons::default();
    }

    /// The causes that have been counted since the last look.
    fn reasons(&self, counted: Counts) -> Reasons {
        Reasons(self.risen(counted).map(|rise| rise > 0))
    }

    fn risen(&self, counted: Counts) -> [u64; Cause::ALL.len()] {
        let mut risen = counted.map(u64::from);
        risen.iter_mut().zip(self.counted).for_each(|(now, before)| *now -= u64::from(before));
        risen
    }
}
