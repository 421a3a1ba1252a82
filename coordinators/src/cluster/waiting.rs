//! The queue as a discipline sees it: the jobs of a line are those of the queue that stand in it.

use super::storage::JobRow;
use locox::dispatch::SizeClass;
use locox::ground::{Lines, List};

/// The jobs that wait, and who starts one. Finding the next one of a line costs a look at each job
/// between the two.
pub(super) struct Waiting<'a, F> {
    pub(super) list: &'a List,
    pub(super) rows: &'a [JobRow],
    pub(super) start: F,
}

impl<F: FnMut(u32, &JobRow) -> bool> Lines for Waiting<'_, F> {
    fn first(&self, line: SizeClass) -> Option<u32> {
        let mut jobs = self.list.iter(self.rows);
        jobs.find(|(_, job)| job.line == u16::from(line.get())).map(|(row, _)| row)
    }

    fn next(&self, row: u32) -> Option<u32> {
        let JobRow { links, line, .. } = self.rows.get(row as usize)?;
        let mut behind = List { head: links.next, ..*self.list }.iter(self.rows);
        behind.find(|(_, job)| job.line == *line).map(|(row, _)| row)
    }

    fn place(&self, row: u32) -> Option<(u64, u64)> {
        let (at, (_, job)) =
            (0..).zip(self.list.iter(self.rows)).find(|(_, (it, _))| *it == row)?;
        Some((job.key.into(), at))
    }

    fn offer(&mut self, row: u32) -> bool {
        self.rows.get(row as usize).is_some_and(|job| (self.start)(row, job))
    }
}
