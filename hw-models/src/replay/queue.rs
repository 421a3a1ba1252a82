//! Queue disciplines: which waiting job is to start next.

use crate::workload::Job;
use locox::subcube::Refusal;
use locox::time::Instant;
use std::collections::VecDeque;
use std::fmt;
use std::str::FromStr;

/// A queue discipline. The replay tells it what happens, and after each event asks it for jobs to
/// start until it names none.
///
/// Jobs are known by their index in the workload.
pub trait Queue: Send {
    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// A job arrives and waits from now on.
    fn arrived(&mut self, index: usize, job: &Job, now: Instant);

    /// The job to try next, `None` if all that wait are to wait on. Each answer is followed by
    /// [`Queue::started`] or [`Queue::refused`] for that job.
    fn next(&mut self, now: Instant) -> Option<usize>;

    /// The job named by [`Queue::next`] runs and waits no longer.
    fn started(&mut self, index: usize, now: Instant);

    /// The machine refused the job named by [`Queue::next`]; it waits on.
    fn refused(&mut self, index: usize, why: Refusal);

    /// A running job has ended and its processors are free again.
    fn finished(&mut self, index: usize, now: Instant);

    /// Jobs that wait.
    fn waiting(&self) -> usize;
}

/// First come, first served: the job that has waited longest starts first, and all others wait
/// behind it.
///
/// - `blocked`: the head was refused, and nothing has been released since; to try it again would
///   be in vain.
#[derive(Clone, Debug, Default)]
pub struct Fcfs {
    waiting: VecDeque<usize>,
    blocked: bool,
}

impl Queue for Fcfs {
    fn name(&self) -> &'static str {
        QueueKind::Fcfs.name()
    }

    fn arrived(&mut self, index: usize, _: &Job, _: Instant) {
        self.waiting.push_back(index);
    }

    fn next(&mut self, _: Instant) -> Option<usize> {
        self.waiting.front().copied().filter(|_| !self.blocked)
    }

    fn started(&mut self, index: usize, _: Instant) {
        let head = self.waiting.pop_front();
        debug_assert_eq!(head, Some(index), "only the head of the queue starts");
    }

    fn refused(&mut self, _: usize, _: Refusal) {
        self.blocked = true;
    }

    fn finished(&mut self, _: usize, _: Instant) {
        self.blocked = false;
    }

    fn waiting(&self) -> usize {
        self.waiting.len()
    }
}

/// The queue disciplines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueKind {
    /// [`Fcfs`].
    Fcfs,
}

/// A name that no queue discipline has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown queue `{0}`; the queues are {list}", list = QueueKind::ALL.map(QueueKind::name).join(", "))]
pub struct UnknownQueue(pub String);

impl QueueKind {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Fcfs];

    /// The name in tables and options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fcfs => "fcfs",
        }
    }

    /// An empty queue of this kind.
    pub fn queue(self) -> Box<dyn Queue> {
        match self {
            Self::Fcfs => Box::new(Fcfs::default()),
        }
    }
}

impl fmt::Display for QueueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for QueueKind {
    type Err = UnknownQueue;

    fn from_str(name: &str) -> Result<Self, UnknownQueue> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownQueue(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_found_by_its_name_and_an_unknown_one_is_answered_with_the_known() {
        for kind in QueueKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(kind.queue().name(), kind.name());
        }
        assert_eq!(
            "lifo".parse::<QueueKind>().unwrap_err().to_string(),
            "unknown queue `lifo`; the queues are fcfs"
        );
    }
}
