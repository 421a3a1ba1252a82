//! Both readings of A: a job is small with probability A, or each of its sides is; p. 47 ("the probability
//! of a value") can be read either way.

use super::super::load_sweep::{Cube, Effort, Method, limits};
use super::Lab;
use super::panel::{Panel, Studied};
use locox_models::workload::meshes::{Choice, Meshes};
use locox_report::report::{Cell, Table};

/// What the other reading does at saturation: each side small with probability A.
pub(super) fn by_side(lab: &Lab, cube: Cube, panels: &[Panel], effort: Effort) -> Vec<Studied> {
    let by_side = |panel: &Panel| Panel { choice: Choice::PerSide, ..*panel };
    let panels: Vec<Panel> = panels.iter().map(by_side).collect();
    let recipes: Vec<Meshes> = panels.iter().map(Panel::recipe).collect();
    let limits = limits(lab, cube, &recipes, &Method::PAIR, effort.jobs, effort.batch);
    let studied = |(panel, limits)| Studied { panel, curves: vec![], limits };
    panels.into_iter().zip(limits).map(studied).collect()
}

/// Utilisation at saturation under both readings.
pub(super) fn table(by_job: &[Studied], by_side: &[Studied]) -> Table {
    let columns = [
        ("sides", "sides"),
        ("jobs_fl", "share of jobs: FL"),
        ("jobs_afl", "share of jobs: AFL + FL"),
        ("sides_fl", "share of sides: FL"),
        ("sides_afl", "share of sides: AFL + FL"),
    ];
    let mut table = Table::new("Both readings of A: nodes in use (%) at saturation", &columns);
    for (by_job, by_side) in by_job.iter().zip(by_side) {
        let of = |studied: &Studied, method| Cell::Estimate(studied.limit(method).utilisation(), 1);
        table.push(vec![
            Cell::text(by_job.panel.name()),
            of(by_job, Method::FL),
            of(by_job, Method::AFL),
            of(by_side, Method::FL),
            of(by_side, Method::AFL),
        ]);
    }
    table
}
