//! The jobs that a host was told to run.

use super::{Assignment, JobId};
use heapless::Vec;
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

const MOST: usize = Level::COUNT as usize;

/// The jobs of a host, at most one a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignments(Vec<Assignment, MOST>);

impl Assignments {
    pub(super) const EMPTY: Self = Self(Vec::new());

    /// The jobs, in the order in which they came up.
    pub fn as_slice(&self) -> &[Assignment] {
        &self.0
    }

    pub(super) fn find(&self, job: JobId) -> Option<&Assignment> {
        self.0.iter().find(|it| it.job == job)
    }

    /// Adds a job; one for which there is no room is left out.
    pub(super) fn push(&mut self, assignment: Assignment) {
        _ = self.0.push(assignment);
    }

    /// Keeps those that are as said.
    pub(super) fn retain(&mut self, keep: impl Fn(&Assignment) -> bool) {
        self.0.retain(keep);
    }

    /// Puts a job in place of the one that `is_same`, or adds it.
    pub(super) fn replace(
        &mut self,
        assignment: Assignment,
        is_same: impl Fn(&Assignment) -> bool,
    ) {
        match self.0.iter_mut().find(|it| is_same(it)) {
            Some(place) => *place = assignment,
            None => self.push(assignment),
        }
    }

    /// Whether a user has a job that is not only to be killed.
    pub(super) fn need_helper(&self, user: UserId) -> bool {
        self.0.iter().any(|it| it.user == user && !it.terminating)
    }

    /// The most urgent job of each user, by the order of the jobs.
    pub(super) fn helped(&self) -> impl Iterator<Item = &Assignment> {
        let tops = |one: &Assignment| {
            let mut same = self.0.iter().filter(|it| it.user == one.user);
            !same.any(|it| it.level.is_more_urgent_than(one.level))
        };
        self.0.iter().filter(move |it| tops(it))
    }
}

/// As many rows as there are levels, whatever is in use.
impl Stored for Assignments {
    fn store(&self, put: &mut impl FnMut(u32)) {
        put(self.0.len() as u32);
        self.0.iter().chain(core::iter::repeat(&NOBODY)).take(MOST).for_each(|it| it.store(put));
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let len = take()? as usize;
        let mut rows = [NOBODY; MOST];
        load_all(&mut rows, take)?;
        let used = rows.get(..len).and_then(|used| Vec::from_slice(used).ok());
        used.map(Self).ok_or(BadImage::Contradiction("there are more jobs than levels"))
    }
}
