//! Both readings of A: a job is small with probability A, or each of its sides is; p. 47 ("the probability
//! of a value") can be read either way. And both of the free list, with a search and without.

use super::super::load_sweep::{Cube, Effort, Method, Sweep, limits, measure};
use super::Lab;
use super::panel::{Panel, Studied};
use locox_models::workload::meshes::{Choice, Meshes};
use locox_report::report::{Cell, Table};

/// What the other reading of A does: each side small with probability A. Turnarounds with less effort.
pub(super) fn by_side(
    lab: &Lab,
    cube: Cube,
    panels: &[Panel],
    loads: &[f64],
    effort: Effort,
) -> Vec<Studied> {
    let by_side = |panel: &Panel| Panel { choice: Choice::PerSide, ..*panel };
    let panels: Vec<Panel> = panels.iter().map(by_side).collect();
    let recipes: Vec<Meshes> = panels.iter().map(Panel::recipe).collect();
    let limits = limits(lab, cube, &recipes, &Method::PAIR, effort.jobs, effort.batch);
    let sweeps: Vec<Sweep> = panels.iter().map(|panel| panel.sweep(cube, loads)).collect();
    let curves = measure(lab, &sweeps, effort.beyond_the_source());
    let studied = |((panel, curves), limits)| Studied { panel, curves, limits };
    panels.into_iter().zip(curves).zip(limits).map(studied).collect()
}

/// Turnarounds under a free list that searches, of workloads whose limits are known, with less effort.
pub(super) fn searched(
    lab: &Lab,
    cube: Cube,
    studied: &[Studied],
    loads: &[f64],
    effort: Effort,
) -> Vec<Studied> {
    let methods = Method::SEARCHED;
    let sweep = |it: &Studied| Sweep { methods: methods.to_vec(), ..it.panel.sweep(cube, loads) };
    let sweeps: Vec<Sweep> = studied.iter().map(sweep).collect();
    let curves = measure(lab, &sweeps, effort.beyond_the_source());
    let with = |(it, curves): (&Studied, _)| {
        let limits = methods.map(|method| it.limit(method).clone()).to_vec();
        Studied { panel: it.panel, curves, limits }
    };
    studied.iter().zip(curves).map(with).collect()
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
