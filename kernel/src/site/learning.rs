//! What runs are expected to take: by the table, and by what past ones took.

use super::{Columns, Config, SiteModel};
use crate::mapping::{Experience, Times};
use crate::time::Duration;

/// The expected times as they are now.
pub(super) fn expected<'t>(model: &SiteModel<'t>, columns: &'t Columns) -> Times<'t> {
    Times::new(columns.expected, model.site.resources()).unwrap_or(model.times)
}

/// Notes how long a run took.
pub(super) fn learn(
    config: &Config,
    model: &SiteModel,
    columns: &mut Columns,
    (class, resource): (usize, usize),
    took: Duration,
) {
    let Some(learning) = config.learning else { return };
    let took = took.min(longest(columns.jobs.len()));
    let (classes, runs) = (model.classes_of_resources(), &mut *columns.runs);
    if let Ok(mut it) = Experience::new(model.classes, classes, learning.memory, runs) {
        let noted = it.ran(class, resource, took);
        debug_assert!(noted.is_ok(), "the class and the resource of a job are there");
    }
    let resources = model.site.resources();
    (0..resources).for_each(|resource| look_up_again(config, model, columns, (class, resource)));
}

/// Looks up what all jobs are expected to take.
pub(super) fn look_up_all(config: &Config, model: &SiteModel, columns: &mut Columns) {
    model.cells().for_each(|cell| look_up_again(config, model, columns, cell));
}

fn look_up_again(
    config: &Config,
    model: &SiteModel,
    columns: &mut Columns,
    (class, resource): (usize, usize),
) {
    let time = look_up(config, model, columns, (class, resource));
    let at = class.saturating_mul(model.site.resources()).saturating_add(resource);
    if let Some(cell) = columns.expected.get_mut(at) {
        *cell = time;
    }
}

/// What runs say, if they go before the table, or else what that says.
pub(super) fn look_up(
    config: &Config,
    model: &SiteModel,
    columns: &Columns,
    (class, resource): (usize, usize),
) -> Duration {
    let Some(by_table) = model.times.on(class, resource) else { return Times::NEVER };
    let Some(learning) = config.learning else { return by_table };
    let (classes, runs) = (model.classes_of_resources(), &*columns.runs);
    let experience = Experience::new(model.classes, classes, learning.memory, runs);
    let expected = experience.and_then(|it| it.expected(class, resource)).ok().flatten();
    let counts = expected.filter(|it| it.basis as u8 <= learning.basis as u8);
    counts.map_or(by_table, |it| it.mean)
}

/// No expected time is longer, so that those of all jobs can be added up, one behind the other.
pub(super) fn longest(jobs: usize) -> Duration {
    let jobs = jobs.max(1) as u64;
    let of = (1_u64 << 62).checked_div(jobs.saturating_mul(jobs)).unwrap_or(0);
    Duration::from_ticks(of)
}
