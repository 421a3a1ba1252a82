//! The jobs that a host was told to run.

use super::{Assignment, JobId};
use locox::ground::load_all;
use locox::handle::{Generation, Handle, PoolId};
use locox::image::{BadImage, Stored};
use locox::timeshare::{Level, UserId};

pub(super) const NOBODY: Assignment = Assignment {
    job: JobId(Handle::new(PoolId(0), 0, Generation::from_raw(0))),
    user: UserId(0),
    level: Level::TOP,
    first: false,
    terminating: false,
};

/// The jobs of a host, at most one a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignments {
    rows: [Assignment; Level::COUNT as usize],
    len: u32,
}

impl Assignments {
    pub(super) const EMPTY: Self = Self { rows: [NOBODY; Level::COUNT as usize], len: 0 };

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    /// The jobs, in the order in which they came up.
    pub fn as_slice(&self) -> &[Assignment] {
        self.rows.get(..self.len as usize).unwrap_or(&[])
    }

    pub(super) fn find(&self, job: JobId) -> Option<&Assignment> {
        self.as_slice().iter().find(|it| it.job == job)
    }

    pub(super) fn push(&mut self, assignment: Assignment) {
        if let Some(place) = self.rows.get_mut(self.len as usize) {
            *place = assignment;
            self.len = self.len.wrapping_add(1);
        }
    }

    /// Keeps those that are as said.
    pub(super) fn retain(&mut self, keep: impl Fn(&Assignment) -> bool) {
        let all = core::mem::replace(self, Self::EMPTY);
        all.as_slice().iter().filter(|it| keep(it)).for_each(|it| self.push(*it));
    }

    /// Puts a job in place of the one that `is_same`, or adds it.
    pub(super) fn replace(
        &mut self,
        assignment: Assignment,
        is_same: impl Fn(&Assignment) -> bool,
    ) {
        let len = self.len as usize;
        let place = self.rows.iter_mut().take(len).find(|it| is_same(it));
        match place {
            Some(place) => *place = assignment,
            None => self.push(assignment),
        }
    }

    /// Whether a user has a job that is not only to be killed.
    pub(super) fn need_helper(&self, user: UserId) -> bool {
        self.as_slice().iter().any(|it| it.user == user && !it.terminating)
    }

    /// The most urgent job of each user, by the order of the jobs.
    pub(super) fn helped(&self) -> impl Iterator<Item = &Assignment> {
        let tops = |one: &Assignment| {
            let mut same = self.as_slice().iter().filter(|it| it.user == one.user);
            !same.any(|it| it.level.is_more_urgent_than(one.level))
        };
        self.as_slice().iter().filter(move |it| tops(it))
    }
}

impl Stored for Assignments {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(self.len);
        self.rows.iter().for_each(|it| it.store(put));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let mut list = Self { len: take()?, ..Self::EMPTY };
        load_all(&mut list.rows, take)?;
        Ok(list)
    }
}
