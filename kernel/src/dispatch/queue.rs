//! A discipline made into a queue over the slots of its caller.

use super::lines::{Lines, Slot};
use super::{Discipline, Dispatcher, Job, NotWaiting, Offers, QueueFull};
use crate::broken::Broken;
use crate::cube::Dim;

/// How often a job may be overtaken: how many jobs that came later may leave the queue before it.
///
/// When the oldest job has been overtaken so often, it alone is offered, until it starts. As a job
/// is never overtaken more often than those before it, this bounds all jobs. If every job can start
/// on the empty machine and ends some time, every job starts some time.
///
/// A cancelled job counts as one that has overtaken the older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Patience(u64);

impl Patience {
    /// As often as it happens: disciplines as published. A job may then wait for ever.
    pub const ENDLESS: Self = Self(u64::MAX);

    /// At most `times`.
    pub const fn of(times: u32) -> Self {
        Self(times as u64)
    }
}

/// Jobs that wait under discipline `D`, in the caller's slots `S`: an array in a `static`, a boxed
/// slice, a borrowed slice. As many jobs may wait as there are slots.
#[derive(Clone, Debug)]
pub struct Queue<D, S> {
    discipline: D,
    patience: Patience,
    lines: Lines,
    slots: S,
}

impl<D, S> Queue<D, S> {
    /// An empty queue; what `slots` held does not matter.
    pub const fn new(discipline: D, patience: Patience, slots: S) -> Self {
        Self { discipline, patience, lines: Lines::new(), slots }
    }
}

impl<D: Discipline, S: AsRef<[Slot]> + AsMut<[Slot]>> Dispatcher for Queue<D, S> {
    fn name(&self) -> &'static str {
        self.discipline.name()
    }

    fn len(&self) -> usize {
        self.lines.waiting() as usize
    }

    fn push(&mut self, job: Job) -> Result<(), QueueFull> {
        let line = self.discipline.line(job.class);
        if self.lines.push(self.slots.as_mut(), line, job) { Ok(()) } else { Err(QueueFull) }
    }

    fn next(&mut self, start: &mut dyn FnMut(Job) -> bool) -> Option<Job> {
        let slots = self.slots.as_mut();
        let (oldest, overtaken) = self.lines.oldest(slots)?;
        let mut offers = Offers { lines: &mut self.lines, slots, start };
        let job = if overtaken >= self.patience.0 {
            offers.offer(oldest, 1)
        } else {
            self.discipline.choose(&mut offers)
        }?;
        self.discipline.started(job.class);
        Some(job)
    }

    fn finished(&mut self, job: Job) {
        self.discipline.finished(job.class);
    }

    fn cancel(&mut self, id: u32) -> Result<Job, NotWaiting> {
        let slots = self.slots.as_mut();
        let mut named = |job: Job| job.id == id;
        Dim::MAX
            .up_to()
            .find_map(|line| self.lines.remove(slots, line, u32::MAX, &mut named))
            .ok_or(NotWaiting(id))
    }

    fn check_invariants(&self) -> Result<(), Broken> {
        self.lines.check(self.slots.as_ref())
    }
}
