//! `locox` alone: an embedded workload under every strategy.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{MachineSpec, MainJob};
use crate::comparison::Comparison;
use crate::method::{Way, methods};
use locox::subcube::Effort;
use locox_models::machine::StrategyKind;
use locox_models::replay::{Order, QueueKind};
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_models::workload::synthetic::{BadRecipe, Synthetic};
use locox_report::failure::Failure;
use locox_report::progress::Progress;
use locox_report::report::{Report, counted};

/// Jobs of the embedded workload: about a month.
const JOBS: usize = 12_000;
/// Its load: high enough that it matters which subcubes are seen, low enough that the queue drains.
const LOAD: f64 = 0.65;

pub(super) fn run(options: &MainJob, command_line: &str) -> Result<(), Failure> {
    let mut publication = publication(&options.results)?;
    let workload = workload(options.seed).map_err(|error| Failure::Input(error.to_string()))?;
    let comparison = Comparison {
        workload: &workload,
        machine: MachineSpec::of(workload.processors.unwrap_or(1)),
        methods: methods(
            &StrategyKind::ALL.map(Way::Subcubes),
            &[QueueKind::Fcfs],
            &[Order::Arrival],
        ),
        effort: Effort::default(),
        strictness: Strictness::Strict,
        decisions: None,
        outages: &[],
        fragmentation: false,
    };
    let runs = comparison.run(&Progress::watched("replay"));
    let runs = runs.map_err(|error| Failure::Input(error.to_string()))?;
    let report = Report {
        title: "Which nodes does a job get? Four strategies on a hypercube".into(),
        lead: format!(
            "{} made-up jobs with the sizes and run times of a real 7-cube of 1993, first come, \
             first served. All that differs is which free subcubes a strategy sees, and which of \
             them it takes.",
            counted(JOBS as u64)
        ),
        provenance: provenance(command_line, Some(options.seed)),
        sections: vec![comparison.section(&runs)],
    };
    comparison.add_jobs(&runs, &mut publication)?;
    deliver(
        &report,
        publication,
        options.results.format,
        "the same with a trace of yours: locox replay TRACE",
    )
}

fn workload(seed: u64) -> Result<Workload, BadRecipe> {
    let recipe =
        Synthetic { jobs: JOBS, name: "a month of a 7-cube".into(), ..Synthetic::cube_day() };
    recipe.with_load(LOAD).generate(seed, 0)
}
