//! What a discipline must do; an [`Ordered`](super::Ordered) queue does the rest.

use super::{Lines, Slot};
use crate::dispatch::{Job, SizeClass, Ticket};

/// Chooses in which order waiting jobs are offered.
///
/// Jobs wait in lines, first come, first in line: one line a size class, or all in one.
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

    /// A job that was taken has ended.
    fn finished(&mut self, _class: SizeClass) {}
}

/// The lines of a queue, and somebody who takes one job.
pub struct Offers<'a> {
    pub(super) lines: &'a mut Lines,
    pub(super) slots: &'a mut [Slot],
    pub(super) start: &'a mut dyn FnMut(Job) -> bool,
    pub(super) taken: Option<(Ticket, Job)>,
}

impl Offers<'_> {
    /// Jobs in a line.
    pub fn len(&self, line: SizeClass) -> u32 {
        self.lines.len(line.get())
    }

    /// Whether no job is in a line.
    pub fn is_empty(&self, line: SizeClass) -> bool {
        self.len(line) == 0
    }

    /// The arrival number of the first job of a line: smaller is older.
    pub fn number(&self, line: SizeClass) -> Option<u64> {
        number(self.lines, self.slots, line)
    }

    /// Offers the `width` oldest jobs of a line, the oldest first, until one is taken, which
    /// leaves the line. Whether one was; none is after that.
    pub fn offer(&mut self, line: SizeClass, width: u32) -> bool {
        if self.taken.is_some() {
            return false;
        }
        let (mut at, mut left) = (self.lines.first(line.get()), width);
        while left > 0
            && let Some(row) = at
            && let Some(slot) = self.slots.get(row as usize)
        {
            let job = slot.job;
            at = slot.next();
            left = left.wrapping_sub(1);
            if (self.start)(job) {
                self.lines.leave(self.slots, row);
                self.taken = Some((self.lines.ticket(self.slots, row), job));
                return true;
            }
        }
        false
    }
}

/// The arrival number of the first job of a line.
pub(super) fn number(lines: &Lines, slots: &[Slot], line: SizeClass) -> Option<u64> {
    let first = lines.first(line.get())?;
    slots.get(first as usize).map(|slot| slot.note)
}
