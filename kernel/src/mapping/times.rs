//! How long each job is expected to run on each resource.

use crate::time::Duration;

/// A table of expected times: a row for each job, or for each class of jobs; in it a column for
/// each resource, first the machines and then the clusters.
///
/// ```
/// use locox::mapping::Times;
/// use locox::time::Duration;
/// let [fast, slow] = [40, 90].map(Duration::from_ticks);
/// let cells = [fast, slow, slow, Times::NEVER];
/// let times = Times::new(&cells, 2).unwrap();
/// assert_eq!((times.jobs(), times.resources()), (2, 2));
/// assert_eq!(times.on(0, 1), Some(slow));
/// assert_eq!(times.on(1, 1), None); // the second job cannot run there
/// assert!(Times::new(&cells, 3).is_none()); // no whole rows
///
/// // Three jobs of two classes.
/// let times = Times::by_class(&cells, 2, &[0, 1, 0]).unwrap();
/// assert_eq!((times.jobs(), times.on(2, 1)), (3, Some(slow)));
/// assert!(Times::by_class(&cells, 2, &[2]).is_none()); // there is no such class
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Times<'t> {
    cells: &'t [Duration],
    resources: usize,
    /// The row of each job; `None`: its number.
    class_of: Option<&'t [u32]>,
}

impl<'t> Times<'t> {
    /// What stands where a job cannot run.
    pub const NEVER: Duration = Duration::MAX;

    /// A table of so many columns with a row for each job; `None` if there are no columns, or if
    /// the rows are not whole.
    pub const fn new(cells: &'t [Duration], resources: usize) -> Option<Self> {
        let is_whole = matches!(cells.len().checked_rem(resources), Some(0));
        if is_whole { Some(Self { cells, resources, class_of: None }) } else { None }
    }

    /// A table of so many columns with a row for each class of jobs, and the class of each job: of
    /// jobs of a class one is looked at for all of them. `None` as for [`Times::new`], or if there
    /// is no such class.
    pub fn by_class(cells: &'t [Duration], resources: usize, class_of: &'t [u32]) -> Option<Self> {
        let rows = Self::new(cells, resources)?;
        let is_there = |&class: &u32| (class as usize) < rows.jobs();
        class_of.iter().all(is_there).then_some(Self { class_of: Some(class_of), ..rows })
    }

    /// Rows, or jobs that have one.
    pub fn jobs(&self) -> usize {
        match self.class_of {
            Some(class_of) => class_of.len(),
            None => self.cells.len().checked_div(self.resources).unwrap_or(0),
        }
    }

    /// Columns.
    pub fn resources(&self) -> usize {
        self.resources
    }

    /// The expected time of `job` on `resource`; `None` if it cannot run there, or if there is no
    /// such job or resource.
    pub fn on(&self, job: usize, resource: usize) -> Option<Duration> {
        let time = *self.row(job).get(resource)?;
        (time != Self::NEVER).then_some(time)
    }

    /// The row of `job`; empty if there is none.
    pub(super) fn row(&self, job: usize) -> &'t [Duration] {
        let from = self.class_of(job).saturating_mul(self.resources);
        self.cells.get(from..from.saturating_add(self.resources)).unwrap_or(&[])
    }

    /// The number of the row of `job`.
    pub(super) fn class_of(&self, job: usize) -> usize {
        match self.class_of {
            Some(class_of) => class_of.get(job).map_or(usize::MAX, |&class| class as usize),
            None => job,
        }
    }
}
