//! What runs are expected to take: by the table, and by what past ones took.

use super::fit::longest;
use super::{Coordinator, SiteModel};
use crate::mapping::{Experience, Times};
use crate::time::Duration;

impl Coordinator<'_> {
    /// The expected times as they are now.
    pub(super) fn table(&self) -> Times<'_> {
        let resources = self.known.site.resources();
        Times::new(self.columns.expected, resources).unwrap_or(self.known.times)
    }

    pub(super) fn learn(&mut self, class: usize, resource: usize, took: Duration) {
        let Some(learning) = self.config.learning else { return };
        let took = took.min(longest(self.columns.jobs.len()));
        let classes = classes(&self.known);
        let runs = &mut *self.columns.runs;
        if let Ok(mut it) = Experience::new(self.known.classes, classes, learning.memory, runs) {
            let noted = it.ran(class, resource, took);
            debug_assert!(noted.is_ok(), "the class and the resource of a job are there");
        }
        self.learn_of(class);
    }

    /// Looks up what jobs of a class are expected to take.
    fn learn_of(&mut self, class: usize) {
        let resources = self.known.site.resources();
        for resource in 0..resources {
            let time = self.look_up(class, resource);
            let at = class.saturating_mul(resources).saturating_add(resource);
            if let Some(cell) = self.columns.expected.get_mut(at) {
                *cell = time;
            }
        }
    }

    pub(super) fn learn_all(&mut self) {
        (0..self.known.times.jobs()).for_each(|class| self.learn_of(class));
    }

    /// What runs say, if they go before the table, or else what that says.
    pub(super) fn look_up(&self, class: usize, resource: usize) -> Duration {
        let Some(known) = self.known.times.on(class, resource) else { return Times::NEVER };
        let Some(learning) = self.config.learning else { return known };
        let classes = classes(&self.known);
        let runs = &*self.columns.runs;
        let experience = Experience::new(self.known.classes, classes, learning.memory, runs);
        let expected = experience.and_then(|it| it.expected(class, resource)).ok().flatten();
        let counts = expected.filter(|it| it.basis as u8 <= learning.basis as u8);
        counts.map_or(known, |it| it.mean)
    }
}

/// How many classes of resources there are.
pub(super) fn classes(known: &SiteModel) -> usize {
    known.classes.iter().max().map_or(0, |&class| usize::from(class).saturating_add(1))
}
