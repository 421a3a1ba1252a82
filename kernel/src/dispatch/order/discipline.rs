//! What a discipline must do; an [`Ordered`](super::Ordered) queue does the rest.

use crate::dispatch::SizeClass;
use crate::dispatch::slot::QueueKey;
use core::iter::successors;

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

/// So that it can be chosen while the program runs: `&mut dyn Discipline` is one, too.
impl<D: Discipline + ?Sized> Discipline for &mut D {
    crate::delegate::delegate! { D:
        fn name(&self) -> &'static str;
        fn line(&self, class: SizeClass) -> SizeClass;
        fn choose(&mut self, offers: &mut Offers<'_>);
        fn started(&mut self, class: SizeClass);
        fn finished(&mut self, class: SizeClass);
        fn state(&self) -> u32;
        fn resume(&mut self, state: u32);
    }
}

/// Jobs that wait in lines, whoever keeps them, and somebody who takes one.
pub trait Lines {
    /// The row of the first job of a line.
    fn first(&self, line: SizeClass) -> Option<u32>;
    /// The row of the job behind another one in the same line.
    fn next(&self, row: u32) -> Option<u32>;
    /// Where a job stands: the smaller goes first.
    fn place(&self, row: u32) -> Option<QueueKey>;
    /// Offers a job; whether it was taken. It is in its line until the discipline has returned.
    fn offer(&mut self, row: u32) -> bool;
}

/// The row of the job that is taken by the order of a discipline.
pub fn next(discipline: &mut impl Discipline, lines: &mut dyn Lines) -> Option<u32> {
    let mut offers = Offers { lines, taken: None };
    discipline.choose(&mut offers);
    offers.taken
}

/// The lines of a queue, and somebody who takes one job.
pub struct Offers<'a> {
    lines: &'a mut dyn Lines,
    taken: Option<u32>,
}

impl Offers<'_> {
    /// Whether more than `jobs` are in a line. Cost: as many steps.
    pub fn is_longer(&self, line: SizeClass, jobs: u32) -> bool {
        let mut rows = successors(self.lines.first(line), |&row| self.lines.next(row));
        rows.nth(jobs as usize).is_some()
    }

    /// Whether no job is in a line.
    pub fn is_empty(&self, line: SizeClass) -> bool {
        self.lines.first(line).is_none()
    }

    /// The key and the number of the first job of a line: the smaller goes first. Jobs are numbered in
    /// the order in which they came, or in which they stand in the queue.
    pub fn place(&self, line: SizeClass) -> Option<(u64, u64)> {
        self.lines.place(self.lines.first(line)?)
    }

    /// Offers the `width` first jobs of a line until one is taken, which leaves the line when the
    /// discipline is done. Whether one was; none is after that.
    pub fn offer(&mut self, line: SizeClass, width: u32) -> bool {
        if self.taken.is_some() {
            return false;
        }
        let (mut at, mut left) = (self.lines.first(line), width);
        while left > 0
            && let Some(row) = at
        {
            if self.lines.offer(row) {
                self.taken = at;
                return true;
            }
            at = self.lines.next(row);
            left = left.wrapping_sub(1);
        }
        false
    }
}
