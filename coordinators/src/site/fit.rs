//! Whether what a coordinator is made of fits together.

use super::{Columns, Config, Misuse, SiteModel};
use locox::ground::check_columns;
use locox::mapping::runs;
use locox::time::Duration;

/// Names the first parameter or column that does not fit.
pub(super) fn check(config: &Config, model: &SiteModel, columns: &Columns) -> Result<(), Misuse> {
    let (machines, resources) = (model.site.machines(), model.site.resources());
    let (jobs, classes_of_jobs) = (columns.jobs.len(), model.times.jobs());
    let clusters = resources.saturating_sub(machines);
    let (learnt, of_resource) = match config.learning {
        Some(_) => (runs(resources, model.classes_of_resources(), classes_of_jobs), resources),
        None => (0, 0),
    };
    let cells = classes_of_jobs.saturating_mul(resources);
    let exact = [
        ("times", resources, model.times.resources()),
        ("machines", machines, columns.machines.len()),
        ("expected", cells, columns.expected.len()),
        ("next", machines, columns.next.len()),
        ("instants", machines.saturating_mul(5), columns.instants.len()),
    ];
    let least = [
        ("classes", of_resource, model.classes.len()),
        ("down", clusters, columns.down.len()),
        ("runs", learnt, columns.runs.len()),
        ("open", jobs, columns.open.len()),
        ("placements", jobs.saturating_mul(3), columns.placements.len()),
        ("running", jobs, columns.running.len()),
        ("numbers", jobs.saturating_mul(2), columns.numbers.len()),
        ("levels", jobs, columns.levels.len()),
    ];
    let misuse = |(column, needs, has)| Misuse::StorageTooSmall { column, needs, has };
    check_columns(&exact, &least).map_err(misuse)?;
    for (parameter, has) in [("queues", columns.queues.len()), ("jobs", jobs)] {
        if has == 0 {
            return Err(Misuse::Zero { parameter });
        }
    }
    let rows = jobs.max(resources).max(columns.users.len());
    if columns.queues.len() >= usize::from(u8::MAX)
        || u32::try_from(rows).map_or(true, |it| it == u32::MAX)
    {
        return Err(Misuse::TooMany);
    }
    let mut times = model.cells().filter_map(|(class, at)| model.times.on(class, at));
    if times.any(|time| time > longest(jobs)) { Err(Misuse::TooLong) } else { Ok(()) }
}

/// No expected time is longer, so that those of all jobs can be added up, one behind the other.
pub(super) fn longest(jobs: usize) -> Duration {
    let jobs = jobs.max(1) as u64;
    let of = (1_u64 << 62).checked_div(jobs.saturating_mul(jobs)).unwrap_or(0);
    Duration::from_ticks(of)
}
