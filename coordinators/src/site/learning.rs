//! What runs are expected to take: by the table, and by what past ones took.

use super::fit::longest;
use super::tables::Tables;
use locox::ground::put;
use locox::mapping::{Expectation, Experience, Times};
use locox::time::Duration;

impl Tables<'_> {
    /// The expected times as they are now.
    pub(super) fn expected(&self) -> Times<'_> {
        Times::new(self.columns.expected, self.model.site.resources()).unwrap_or(self.model.times)
    }

    /// Notes how long a run took.
    pub(super) fn learn(&mut self, class: usize, resource: usize, took: Duration) {
        let Some(learning) = self.config.learning else { return };
        let took = took.min(longest(self.columns.jobs.len()));
        let (classes, runs) = (self.model.classes_of_resources(), &mut *self.columns.runs);
        if let Ok(mut it) = Experience::new(self.model.classes, classes, runs, learning.memory) {
            let noted = it.ran(class, resource, took);
            debug_assert!(noted.is_ok(), "the class and the resource of a job are there");
        }
        let resources = 0..self.model.site.resources();
        resources.for_each(|resource| self.look_up_again((class, resource)));
    }

    /// Looks up what all jobs are expected to take.
    pub(super) fn look_up_all(&mut self) {
        self.model.cells().for_each(|cell| self.look_up_again(cell));
    }

    fn look_up_again(&mut self, (class, resource): (usize, usize)) {
        let time = self.look_up((class, resource));
        let at = class.saturating_mul(self.model.site.resources()).saturating_add(resource);
        put(self.columns.expected, at, time);
    }

    /// What runs say, if they go before the table, or else what that says.
    pub(super) fn look_up(&self, (class, resource): (usize, usize)) -> Duration {
        let Some(by_table) = self.model.times.on(class, resource) else { return Times::NEVER };
        let Some(learning) = self.config.learning else { return by_table };
        let (classes, runs) = (self.model.classes_of_resources(), &*self.columns.runs);
        let experience = Experience::new(self.model.classes, classes, runs, learning.memory);
        let expected = experience.and_then(|it| it.expected(class, resource)).ok().flatten();
        let counts = expected.filter(|it| it.basis as u8 <= learning.basis as u8);
        let at_risk = |it: Expectation| it.at_risk(learning.risk);
        counts.map_or(by_table, |it| at_risk(it).min(longest(self.columns.jobs.len())))
    }
}
