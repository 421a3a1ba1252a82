//! `locox replay`: a trace on a modelled machine.

use super::delivery::{
    can_watch, deliver, notice, progress, provenance, publication, warn_of_complete,
};
use super::demands::demands;
use super::replay_setup::{in_file, lead, machine, methods_on, outages, owner, title};
use super::replay_stream;
use crate::cli::Replay;
use crate::compare::headline;
use crate::comparison::{About, Comparison};
use crate::input;
use crate::memory;
use crate::shell::quoted;
use locox::subcube::Effort;
use locox_models::replay::QueueKind;
use locox_models::swf::{Header, Strictness, SwfErrorKind};
use locox_models::workload::{Selection, Workload};
use locox_report::failure::Failure;
use locox_report::report::Report;

/// From so many jobs on a replay under conservative backfilling may take minutes at full load.
const LONG_TRACE: usize = 50_000;

pub(super) fn run(options: &Replay, command_line: &str) -> Result<(), Failure> {
    let strictness = if options.lenient { Strictness::Lenient } else { Strictness::Strict };
    let mut publication = publication(&options.results)?;
    reads_once(options)?;
    can_watch(options.watch)?;
    let streamed = replay_stream::report(options, strictness, &mut publication, command_line)?;
    if let Some(report) = streamed {
        return deliver(&report, publication, options.results.format, &next(options));
    }
    let (mut workload, header) = read(options, strictness)?;
    let machine = machine(options, &header)?;
    demands(options.demands.as_deref(), machine, strictness, &mut workload)?;
    let methods = methods_on(options, machine)?;
    let outages = outages(options, machine, strictness)?;
    let count = workload.jobs.len();
    memory::has_room(&options.trace, count, methods.len())?;
    let words = methods.iter().map(|method| method.queue.words(count, machine.processors()));
    memory::can_plan(&options.trace, count, words.fold(0, usize::saturating_add))?;
    warn_of_complete(methods.iter().map(|method| method.way), machine);
    let load = workload.offered_load(machine.processors()).unwrap_or(0.0);
    if options.queue.contains(&QueueKind::Conservative.into())
        && workload.jobs.len() > LONG_TRACE
        && load > 0.95
    {
        notice(&format!(
            "conservative plans each waiting job: with {} jobs at a load of {load:.2} that may take minutes; \
             conservative:100 plans 100 at a time",
            workload.jobs.len()
        ));
    }
    let effort = Effort(options.effort);
    let (workload, outages) = (&workload, outages.as_ref());
    let down = outages.map_or(&[][..], |file| &file.outages);
    let decisions = options.decide.map(Into::into);
    let comparison = Comparison {
        workload,
        machine,
        methods,
        effort,
        strictness,
        decisions,
        outages: down,
        fragmentation: options.fragmentation,
    };
    let runs = comparison.run(&progress("replay", options.watch)?);
    let runs = runs.map_err(|error| in_file(options, &workload.name, &error))?;
    let about = About::of(workload, machine.processors());
    let about_all = lead(&about, &options.preempting.queues(&options.queue), &runs, outages);
    let report = Report {
        title: title(&about, machine),
        lead: headline::before(comparison.headline(&runs), about_all),
        provenance: provenance(command_line, None),
        sections: vec![comparison.section(&runs)],
    };
    comparison.add_jobs(&runs, &mut publication)?;
    deliver(&report, publication, options.results.format, &next(options))
}

/// A single replay does not say what is chance.
fn next(options: &Replay) -> String {
    let trace = match input::is_standard_input(&options.trace) {
        true => "TRACE".into(),
        false => quoted(&options.trace.display().to_string()),
    };
    format!("to tell differences from chance: locox compare {trace}")
}

/// Standard input has one content.
fn reads_once(options: &Replay) -> Result<(), Failure> {
    let files = [
        ("trace", Some(&options.trace)),
        ("--outages", options.outages.as_ref()),
        ("--demands", options.demands.as_ref()),
    ];
    let read = files.iter().filter(|it| it.1.is_some_and(|path| input::is_standard_input(path)));
    let names: Vec<&str> = read.map(|it| it.0).collect();
    let [one, other, ..] = names[..] else { return Ok(()) };
    let fault =
        format!("{one} and {other} cannot both be standard input; name a file for one of them");
    Err(Failure::Usage(fault))
}

fn read(options: &Replay, strictness: Strictness) -> Result<(Workload, Header), Failure> {
    let limit = options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
    let (sort, room, owner) = (options.sort, memory::jobs(1), owner(options));
    let selection = Selection { limit, sort, room, owner, numbered: options.demands.is_some() };
    let read = input::trace(&options.trace, strictness, &selection);
    let (mut workload, header) = read.map_err(|error| match error.kind {
        SwfErrorKind::NoRoom(most) => memory::refused(&options.trace, most, 1),
        _ => Failure::Input(error.to_string()),
    })?;
    let scaled = workload.scale_load(options.scale_load);
    scaled.map_err(|error| Failure::Usage(format!("--scale-load: {error}")))?;
    Ok((workload, header))
}
