//! What a discipline must do; an [`Ordered`](super::Ordered) queue does the rest.

use crate::dispatch::jobs::Jobs;
use crate::dispatch::slot::Slot;
use crate::dispatch::{Job, SizeClass, Ticket, tree};

/// Chooses in which order waiting jobs are offered.
///
/// Jobs wait in lines, by key and arrival: one line a size class, or all in one.
pub trait Discipline {
    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// The line in which jobs of a size wait, always the same; if not told, one for all.
    fn line(&self, _class: SizeClass) -> SizeClass {
        SizeClass::SMALLEST
    }

    /// Offers jobs until one is taken.
    fn choose(&mut self, offers: &mut Offers<'_>);

    /// A job has been taken.
    fn started(&mut self, _class: SizeClass) {}

    /// A job that was taken has ended, or waits again.
    fn finished(&mut self, _class: SizeClass) {}

    /// What an image of the queue keeps of it, 0 of one that is as new. Of jobs that run it is told anew
    /// by `started`.
    fn state(&self) -> u32 {
        0
    }

    /// Goes on from the [`Discipline::state`] of an image, which may hold any number; from 0 as new.
    fn resume(&mut self, _state: u32) {}
}

/// The lines of a queue, and somebody who takes one job.
pub struct Offers<'a> {
    pub(super) jobs: &'a mut Jobs,
    pub(super) slots: &'a mut [Slot],
    pub(super) start: &'a mut dyn FnMut(Job) -> bool,
    pub(super) taken: Option<(Ticket, Job)>,
}

impl Offers<'_> {
    /// Whether more than `jobs` are in a line. Cost: as many steps.
    pub fn is_longer(&self, line: SizeClass, jobs: u32) -> bool {
        self.jobs.line(line.get()).rows(self.slots).nth(jobs as usize).is_some()
    }

    /// Whether no job is in a line.
    pub fn is_empty(&self, line: SizeClass) -> bool {
        self.jobs.first(line.get()).is_none()
    }

    /// The key and the arrival number of the first job of a line: the smaller goes first.
    pub fn place(&self, line: SizeClass) -> Option<(u64, u64)> {
        let first = self.jobs.first(line.get())?;
        self.slots.get(first as usize).map(Slot::place)
    }

    /// Offers the `width` first jobs of a line until one is taken, which leaves the line. Whether
    /// one was; none is after that.
    pub fn offer(&mut self, line: SizeClass, width: u32) -> bool {
        if self.taken.is_some() {
            return false;
        }
        let (mut at, mut left) = (self.jobs.first(line.get()), width);
        while left > 0
            && let Some(row) = at
        {
            // Before it is taken out.
            at = tree::next(self.slots, row);
            left = left.wrapping_sub(1);
            if self.offer_row(row) {
                return true;
            }
        }
        false
    }

    /// Offers one job; whether it was taken.
    pub(super) fn offer_row(&mut self, row: u32) -> bool {
        let Some(&Slot { job, .. }) = self.slots.get(row as usize) else { return false };
        if !(self.start)(job) {
            return false;
        }
        self.jobs.leave(self.slots, row);
        self.taken = Some((self.jobs.ticket(self.slots, row), job));
        true
    }
}
