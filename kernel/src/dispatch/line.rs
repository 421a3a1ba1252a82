//! A line of waiting jobs.

use crate::broken::Broken;
use crate::list::{Linked, List};

/// First come, first in line: a list through the rows of jobs, and how many it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line {
    list: List,
    len: u32,
}

impl Line {
    pub(super) const EMPTY: Self = Self { list: List::EMPTY, len: 0 };

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The row of the first job.
    pub(super) const fn first(&self) -> Option<u32> {
        self.list.first()
    }

    /// The jobs in the order of arrival.
    pub(super) fn iter<'a, T: Linked>(
        &self,
        rows: &'a [T],
    ) -> impl Iterator<Item = (u32, &'a T)> + use<'a, T> {
        self.list.iter(rows)
    }

    /// Adds a row that is in no line.
    pub(super) fn push<T: Linked>(&mut self, rows: &mut [T], row: u32) {
        self.list.push_back(rows, row);
        self.len = self.len.wrapping_add(1);
    }

    /// Takes out a row that is in this line.
    pub(super) fn remove<T: Linked>(&mut self, rows: &mut [T], row: u32) {
        self.list.remove(rows, row);
        self.len = self.len.wrapping_sub(1);
    }

    /// All rows of the line satisfy `belongs`, and there are `len` of them.
    pub(super) fn check<T: Linked>(
        &self,
        rows: &[T],
        belongs: impl Fn(u32, &T) -> bool,
    ) -> Result<(), Broken> {
        match self.list.audit(rows, belongs) {
            None => Err(Broken("a line links its own jobs, both ways")),
            Some(len) if len != self.len => Err(Broken("the length of a line")),
            Some(_) => Ok(()),
        }
    }
}
