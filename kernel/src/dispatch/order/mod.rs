//! Queues that know an order only: who is next is a discipline's business, all else is done here
//! for all of them.

pub(crate) mod discipline;
mod fcfs;
mod lazy;
mod scan;
mod window;

pub use discipline::{Discipline, Offers};
pub(crate) use discipline::{Lines, next};
pub use fcfs::Fcfs;
pub use lazy::Lazy;
pub use scan::Scan;
pub use window::Window;

use super::jobs::Jobs;
use super::slot::{HELD, QueueKey, Slot};
use super::{Error, Job, Misuse, Queue, Refusal, SizeClass, Standing, Ticket, tree};
use crate::handle::PoolId;
use crate::invariant::InvariantViolation;
use crate::reserve::Interval;
use crate::time::Instant;

crate::data::data! {
    /// How often a job may be overtaken: how many jobs that came later may leave the queue before it.
    ///
    /// When the oldest job has been overtaken so often, it alone is offered, until it starts. As a job
    /// is never overtaken more often than those before it, this bounds all jobs. If every job can start
    /// on the empty machine and ends some time, every job starts some time.
    ///
    /// A cancelled job counts as one that has overtaken the older ones.
    #[cfg_attr(feature = "serde", serde(try_from = "u64"))]
    pub struct Patience(u64);
}

crate::data::read_as! {
    Patience: u64, |it| match u32::try_from(it) {
        Ok(times) => Some(Self::of(times)),
        Err(_) => (it == u64::MAX).then_some(Self::ENDLESS),
    }, "patience is below 2^32, or endless, which is 2^64 - 1";
}

impl Patience {
    /// As often as it happens: disciplines as published. A job may then wait for ever.
    pub const ENDLESS: Self = Self(u64::MAX);

    /// At most `times`.
    pub const fn of(times: u32) -> Self {
        Self(times as u64)
    }
}

/// Jobs that wait under discipline `D`, in the caller's slots `S`: an array, a boxed or a borrowed
/// slice. As many jobs may wait and run together as there are slots.
///
/// Each call says the time, as for every [`Queue`]; none of these looks at it, nothing is planned, and
/// there is nothing to wait for but events. Cost: the logarithm of the line for all that puts a job
/// into it or takes one out; an end is constant.
#[derive(Clone, Debug)]
pub struct Ordered<D, S> {
    pub(super) discipline: D,
    patience: Patience,
    pub(super) jobs: Jobs,
    pub(super) slots: S,
}

impl<D, S> Ordered<D, S> {
    /// An empty queue; what `slots` held does not matter.
    pub const fn new(id: PoolId, slots: S, discipline: D, patience: Patience) -> Self {
        Self { discipline, patience, jobs: Jobs::new(id), slots }
    }
}

impl<D: Copy, const N: usize> Ordered<D, [Slot; N]> {
    /// An empty queue with its slots inside: for a `static` of a host. One in firmware is paid
    /// for in flash as well as in memory; there a queue over slots in a static of their own, which
    /// is all zeros, costs memory only.
    pub const fn new_static(id: PoolId, discipline: D, patience: Patience) -> Self {
        Self::new(id, [Slot::EMPTY; N], discipline, patience)
    }
}

impl<D, S: AsRef<[Slot]> + AsMut<[Slot]>> Ordered<D, S> {
    /// Moves all jobs to other slots, such as more of them; what these held does not matter. Tickets stay
    /// as they are. Returns the old slots.
    ///
    /// Cost: a copy of each slot that has been in use.
    ///
    /// # Errors
    ///
    /// The new slots, if they are fewer than have been in use. All is as before.
    pub fn move_into(&mut self, mut slots: S) -> Result<S, S> {
        let fit = self.jobs.copy(self.slots.as_ref(), slots.as_mut()).is_some();
        if fit { Ok(core::mem::replace(&mut self.slots, slots)) } else { Err(slots) }
    }

    /// Removes a job that waits, or one that runs.
    fn remove(&mut self, ticket: Ticket, waits: bool) -> Result<Job, Misuse> {
        let slots = self.slots.as_mut();
        let (row, &Slot { job, .. }) = self.jobs.find_if(slots, ticket, waits)?;
        self.jobs.close(slots, row);
        Ok(job)
    }

    /// The slot of the oldest job, if that has been overtaken as often as it may be.
    fn no_longer_overtaken(&self) -> Option<u32> {
        if self.patience == Patience::ENDLESS {
            return None;
        }
        let (row, overtaken) = self.jobs.oldest(self.slots.as_ref())?;
        (overtaken >= self.patience.0).then_some(row)
    }
}

impl<D: Discipline, S: AsRef<[Slot]> + AsMut<[Slot]>> Ordered<D, S> {
    /// Puts a job in line; its slot.
    fn accept(&mut self, job: Job) -> Result<u32, Error> {
        if job.pes == 0 {
            return Err(Misuse::NoPes.into());
        }
        let line = self.discipline.line(SizeClass::of(job.pes));
        let slots = self.slots.as_mut();
        let entries = slots.len() as u32;
        let row = self.jobs.push(slots, line.get(), job, 0, ());
        Ok(row.ok_or(Refusal::Full { entries })?)
    }

    /// A job in line runs from now on.
    fn starts(&mut self, row: u32, job: Job) -> Ticket {
        let slots = self.slots.as_mut();
        self.jobs.leave(slots, row);
        self.discipline.started(SizeClass::of(job.pes));
        self.jobs.ticket(slots, row)
    }
}

/// The lines of a queue, and who takes its jobs.
struct Waiting<'a> {
    jobs: &'a Jobs,
    slots: &'a [Slot],
    start: &'a mut dyn FnMut(Job) -> bool,
}

impl Lines for Waiting<'_> {
    fn first(&self, line: SizeClass) -> Option<u32> {
        self.jobs.first(line.get())
    }

    fn next(&self, row: u32) -> Option<u32> {
        tree::next(self.slots, row)
    }

    fn place(&self, row: u32) -> Option<QueueKey> {
        self.slots.get(row as usize).map(Slot::place)
    }

    fn offer(&mut self, row: u32) -> bool {
        self.slots.get(row as usize).is_some_and(|slot| (self.start)(slot.job))
    }
}

impl<D: Discipline, S: AsRef<[Slot]> + AsMut<[Slot]>> Queue for Ordered<D, S> {
    fn name(&self) -> &'static str {
        self.discipline.name()
    }

    fn len(&self) -> usize {
        self.jobs.waiting as usize
    }

    fn push(&mut self, _now: Instant, job: Job) -> Result<Ticket, Error> {
        let row = self.accept(job)?;
        Ok(self.jobs.ticket(self.slots.as_ref(), row))
    }

    fn adopt(&mut self, _now: Instant, job: Job, _started: Instant) -> Result<Ticket, Error> {
        let row = self.accept(job)?;
        Ok(self.starts(row, job))
    }

    fn next(&mut self, _now: Instant, start: &mut dyn FnMut(Job) -> bool) -> Option<(Ticket, Job)> {
        if self.is_empty() {
            return None;
        }
        let at_last = self.no_longer_overtaken();
        let slots = self.slots.as_mut();
        let mut waiting = Waiting { jobs: &self.jobs, slots: &*slots, start };
        let row = match at_last {
            Some(row) => waiting.offer(row).then_some(row),
            None => next(&mut self.discipline, &mut waiting),
        }?;
        let job = slots.get(row as usize)?.job;
        Some((self.starts(row, job), job))
    }

    fn finished(&mut self, _now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        let removed = self.remove(ticket, false);
        if let Ok(job) = &removed {
            self.discipline.finished(SizeClass::of(job.pes));
        }
        removed
    }

    fn cancel(&mut self, _now: Instant, ticket: Ticket) -> Result<Job, Misuse> {
        self.remove(ticket, true)
    }

    fn requeue(&mut self, _now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        let slots = self.slots.as_mut();
        let (row, &Slot { job, .. }) = self.jobs.find_if(slots, ticket, false)?;
        let class = SizeClass::of(job.pes);
        self.discipline.finished(class);
        self.jobs.requeue(slots, row, self.discipline.line(class).get());
        Ok(())
    }

    fn hold(&mut self, _now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        let slots = self.slots.as_mut();
        let (row, _) = self.jobs.find_if(slots, ticket, true)?;
        self.jobs.change_line(slots, row, HELD);
        Ok(())
    }

    fn release(&mut self, _now: Instant, ticket: Ticket) -> Result<(), Misuse> {
        let slots = self.slots.as_mut();
        let (row, slot) = self.jobs.find_if(slots, ticket, true)?;
        let line = self.discipline.line(SizeClass::of(slot.job.pes));
        self.jobs.change_line(slots, row, line.get());
        Ok(())
    }

    fn rekey(&mut self, _now: Instant, ticket: Ticket, key: u64) -> Result<(), Misuse> {
        let slots = self.slots.as_mut();
        let (row, _) = self.jobs.find_if(slots, ticket, true)?;
        self.jobs.rekey(slots, row, key);
        Ok(())
    }

    fn planned(&self, ticket: Ticket) -> Result<Option<Interval>, Misuse> {
        self.jobs.find(self.slots.as_ref(), ticket)?;
        Ok(None)
    }

    fn visit(&self, visit: &mut dyn FnMut(Ticket, Job, Standing, u64)) {
        self.jobs.visit(self.slots.as_ref(), None, visit);
    }

    fn wake_at(&self) -> Option<Instant> {
        None
    }

    fn check_invariants(&self) -> Result<(), InvariantViolation> {
        self.jobs.check(self.slots.as_ref())
    }
}
