//! `locox` alone: made-up months on a hypercube, first come, first served, and with backfilling.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{MachineSpec, MainJob};
use crate::compare::{Design, Jobs, Metric, Shard, Source, Store, Subject, headline};
use crate::comparison::Comparison;
use crate::method::methods;
use crate::way::Way;
use locox::subcube::Effort;
use locox_models::machine::StrategyKind;
use locox_models::replay::{Order, QueueKind};
use locox_models::swf::Strictness;
use locox_models::workload::synthetic::Synthetic;
use locox_report::failure::Failure;
use locox_report::progress::Progress;
use locox_report::report::{Report, counted};

/// Jobs of a month, about.
const JOBS: usize = 12_000;
/// High enough that the line is long, low enough that it drains without backfilling.
const LOAD: f64 = 0.75;
/// Months in which all are compared: fewer tell the difference, but not how large it is.
const MONTHS: u64 = 10;

pub(super) fn run(options: &MainJob, command_line: &str) -> Result<(), Failure> {
    let mut publication = publication(&options.results)?;
    let design = design(options.seed);
    let Subject { source, methods } = &design.subjects[0];
    let store = Store::nowhere();
    design.run(&store, Shard::default(), &Progress::watched("months"))?;
    let settings = design.settings(&store).expect("all of it was run");
    // The first of those months, in full.
    let month = source.draw(Some(LOAD), options.seed, 1).map_err(Failure::Input)?;
    let comparison = Comparison {
        workload: &month,
        machine: source.machine,
        methods: methods.clone(),
        effort: Effort::default(),
        strictness: design.strictness,
        decisions: None,
        outages: &[],
        fragmentation: false,
    };
    let runs = comparison.run(&Progress::watched("replay"));
    let runs = runs.map_err(|error| Failure::Input(error.to_string()))?;
    let report = Report {
        title: "Where and when does a job start? A month with and without backfilling".into(),
        lead: format!(
            "{} Of {MONTHS} made-up months of {} jobs, with the sizes and run times of a hypercube of 128 nodes of 1993; \
             below, the first of them. Where: buddy and complete differ in which free subcubes they recognise. When: under \
             fcfs jobs start strictly in turn; under promises:1, as in EASY backfilling, the first in line is promised a time \
             and a subcube, and later ones fill the gaps. Jobs ask for the time that they take.",
            headline::of_draws(&settings[0], Metric::Wait),
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
        "the same with a trace of yours: locox compare TRACE --queue fcfs,promises:1 --strategy buddy,complete",
    )
}

fn design(seed: u64) -> Design {
    let name = "a month of a 7-cube";
    let recipe = Synthetic { jobs: JOBS, name: name.into(), ..Synthetic::cube_day() };
    let machine = MachineSpec::of(recipe.processors);
    let source =
        Source { name: name.into(), origin: name.into(), machine, jobs: Jobs::Synthetic(recipe) };
    let ways = [StrategyKind::Buddy, StrategyKind::Complete].map(Way::Subcubes);
    let queues = [QueueKind::Fcfs, QueueKind::Promises(1)];
    let methods = methods(&ways, &queues, &[Order::Arrival]);
    Design {
        subjects: vec![Subject { source, methods }],
        loads: vec![Some(LOAD)],
        seeds: MONTHS,
        seed,
        strictness: Strictness::Strict,
        program: 0,
    }
}
