//! `locox` alone: made-up months first come, first served, and with backfilling.

use super::delivery::{deliver, provenance, publication};
use crate::cli::{MachineSpec, MainJob};
use crate::compare::{Design, Jobs, Metric, Shard, Source, Store, Subject, headline};
use crate::comparison::Comparison;
use crate::method::methods;
use locox::subcube::Effort;
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
const MONTHS: u64 = 20;

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
        title: "When does a job start? A month with and without backfilling".into(),
        lead: format!(
            "{} Of {MONTHS} made-up months of {} jobs, with the sizes and run times of a machine of 128 nodes of 1993; \
             below, the first of them. Under fcfs jobs start strictly in turn; under easy and conservative later ones fill \
             the gaps. Jobs ask for the time that they take.",
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
        "the same with a trace of yours: locox compare TRACE --queue fcfs,easy,conservative",
    )
}

fn design(seed: u64) -> Design {
    let name = "a month of 128 nodes";
    let recipe = Synthetic { jobs: JOBS, name: name.into(), ..Synthetic::cube_day() };
    let machine = MachineSpec::Pool(recipe.processors);
    let source =
        Source { name: name.into(), origin: name.into(), machine, jobs: Jobs::Synthetic(recipe) };
    let queues = [QueueKind::Fcfs, QueueKind::Easy, QueueKind::Conservative];
    let methods = methods(&[], &queues, &[Order::Arrival]);
    Design {
        subjects: vec![Subject { source, methods }],
        loads: vec![Some(LOAD)],
        seeds: MONTHS,
        seed,
        strictness: Strictness::Strict,
        program: 0,
    }
}
