//! What a discipline must do; a [`Queue`](super::Queue) does the rest.

use super::Job;
use super::lines::{Lines, Slot};
use crate::cube::Dim;

/// Chooses in which order waiting jobs are offered.
///
/// Jobs wait in lines, first come, first in line: one line a size, or all in one.
pub trait Discipline {
    /// The name in tables and options.
    fn name(&self) -> &'static str;

    /// The line in which jobs of a size wait.
    fn line(&self, class: Dim) -> Dim;

    /// Offers jobs until one is taken.
    fn choose(&mut self, offers: &mut Offers<'_>) -> Option<Job>;

    /// A job has been taken.
    fn started(&mut self, _class: Dim) {}

    /// A job that was taken has ended.
    fn finished(&mut self, _class: Dim) {}
}

/// The lines of a queue, and somebody who takes jobs.
pub struct Offers<'a> {
    pub(super) lines: &'a mut Lines,
    pub(super) slots: &'a mut [Slot],
    pub(super) start: &'a mut dyn FnMut(Job) -> bool,
}

impl Offers<'_> {
    /// Jobs in a line.
    pub fn len(&self, line: Dim) -> u32 {
        self.lines.len(line)
    }

    /// Whether no job is in a line.
    pub fn is_empty(&self, line: Dim) -> bool {
        self.len(line) == 0
    }

    /// The arrival number of the first job of a line: smaller is older.
    pub fn number(&self, line: Dim) -> Option<u64> {
        self.lines.number(self.slots, line)
    }

    /// Offers the `width` oldest jobs of a line, the oldest first, until one is taken, which
    /// leaves the line.
    pub fn offer(&mut self, line: Dim, width: u32) -> Option<Job> {
        self.lines.remove(self.slots, line, width, self.start)
    }
}
