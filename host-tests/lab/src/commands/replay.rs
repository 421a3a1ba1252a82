//! `locox replay`: a trace on a modelled machine.

use super::delivery::{deliver, provenance, publication, warn_of_complete};
use super::replay_stream;
use crate::cli::{MachineSpec, Replay, ShareBy, Strategies, Switch};
use crate::comparison::{About, Comparison, Run};
use crate::input;
use crate::memory;
use crate::method::{Method, Way, methods};
use locox::mesh::Leftover;
use locox::subcube::Effort;
use locox_models::outages::OutageFile;
use locox_models::replay::{QueueKind, ReplayError};
use locox_models::swf::{Header, Strictness, SwfErrorKind};
use locox_models::workload::{Owner, Selection, Workload};
use locox_report::failure::Failure;
use locox_report::progress::Progress;
use locox_report::report::{Report, some};

pub(super) fn run(options: &Replay, command_line: &str) -> Result<(), Failure> {
    let strictness = if options.lenient { Strictness::Lenient } else { Strictness::Strict };
    let mut publication = publication(&options.results)?;
    reads_once(options)?;
    let streamed = replay_stream::report(options, strictness, &mut publication, command_line)?;
    if let Some(report) = streamed {
        return deliver(&report, publication, options.results.format);
    }
    let (workload, header) = read(options, strictness)?;
    let machine = machine(options, &header)?;
    let methods = methods_on(options, machine)?;
    let outages = outages(options, machine, strictness)?;
    memory::has_room(&options.trace, workload.jobs.len(), methods.len())?;
    warn_of_complete(methods.iter().map(|method| method.way), machine);
    let effort = Effort(options.effort);
    let (workload, order, outages) = (&workload, options.order, outages.as_ref());
    let down = outages.map_or(&[][..], |file| &file.outages);
    let comparison =
        Comparison { workload, machine, methods, effort, strictness, order, outages: down };
    let runs = comparison.run(&Progress::watched("replay"));
    let runs = runs.map_err(|error| in_file(options, &workload.name, &error))?;
    let about = About::of(workload, machine.processors());
    let report = Report {
        title: format!("{} on a {machine}", workload.name),
        lead: lead(&about, &options.queue, &runs, outages),
        provenance: provenance(command_line, None),
        sections: vec![comparison.section(&runs)],
    };
    comparison.add_jobs(&runs, &mut publication)?;
    deliver(&report, publication, options.results.format)
}

/// Standard input has one content.
fn reads_once(options: &Replay) -> Result<(), Failure> {
    let files = [Some(&options.trace), options.outages.as_ref()];
    if files.iter().flatten().filter(|path| input::is_standard_input(path)).count() < 2 {
        return Ok(());
    }
    let fault = "trace and --outages cannot both be standard input; name a file for one of them";
    Err(Failure::Usage(fault.into()))
}

pub(super) fn outages(
    options: &Replay,
    machine: MachineSpec,
    strictness: Strictness,
) -> Result<Option<OutageFile>, Failure> {
    let Some(path) = &options.outages else { return Ok(None) };
    let file = input::outages(path, machine.processors(), strictness);
    file.map(Some).map_err(|error| Failure::Input(error.to_string()))
}

fn read(options: &Replay, strictness: Strictness) -> Result<(Workload, Header), Failure> {
    let limit = options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
    let (sort, room, owner) = (options.sort, memory::jobs(1), owner(options));
    let selection = Selection { limit, sort, room, owner };
    let read = input::trace(&options.trace, strictness, &selection);
    let (mut workload, header) = read.map_err(|error| match error.kind {
        SwfErrorKind::NoRoom(most) => memory::refused(&options.trace, most, 1),
        _ => Failure::Input(error.to_string()),
    })?;
    let scaled = workload.scale_load(options.scale_load);
    scaled.map_err(|error| Failure::Usage(format!("--scale-load: {error}")))?;
    Ok((workload, header))
}

/// Who counts as a job's owner.
pub(super) fn owner(options: &Replay) -> Owner {
    match options.share_by {
        ShareBy::User => Owner::User,
        ShareBy::Group => Owner::Group,
    }
}

pub(super) fn lead(
    about: &About,
    queues: &[QueueKind],
    runs: &[Run],
    outages: Option<&OutageFile>,
) -> String {
    let mut parts = vec![some(about.jobs, "job")];
    parts.extend(queues.iter().map(QueueKind::to_string));
    parts.extend(outages.map(|file| some(file.outages.len() as u64, "outage")));
    if about.skipped > 0 {
        parts.push(some(about.skipped, "line") + " skipped");
    }
    let bad = outages.map_or(0, |file| file.skipped);
    if bad > 0 {
        parts.push(some(bad, "line") + " of outages skipped");
    }
    if about.incomplete > 0 {
        parts.push(some(about.incomplete, "record") + " without size or run time left out");
    }
    let rejected = runs.first().map_or(0, |run| run.outcome.rejected);
    if rejected > 0 {
        parts.push(some(rejected, "job") + " rejected");
    }
    parts.join(", ") + "."
}

/// The machine asked for, or the one that the header describes.
pub(super) fn machine(options: &Replay, header: &Header) -> Result<MachineSpec, Failure> {
    let plans = options.queue.iter().find(|queue| queue.plans());
    let of_header = if plans.is_some() { MachineSpec::Pool } else { MachineSpec::of };
    let of_trace = || header.processors().map(of_header);
    let machine = options.machine.or_else(of_trace);
    let machine = machine.ok_or_else(|| input::no_size(&options.trace, header))?;
    plans.map_or(Ok(machine), |&queue| can_be_planned(queue, machine))
}

/// Backfilling promises processors by their number, which says nothing of subcubes.
fn can_be_planned(queue: QueueKind, machine: MachineSpec) -> Result<MachineSpec, Failure> {
    match machine {
        MachineSpec::Pool(_) => Ok(machine),
        MachineSpec::Cube(dims) => Err(Failure::Usage(format!(
            "--queue {queue} plans by numbers of processors, not by subcubes; use --machine pool:{}",
            dims.nodes()
        ))),
    }
}

pub(super) fn methods_on(options: &Replay, machine: MachineSpec) -> Result<Vec<Method>, Failure> {
    if let MachineSpec::Pool(_) = machine {
        let asked = [("--strategy", !options.strategy.is_empty()), ("--mesh", options.mesh)];
        return match asked.iter().find(|(_, given)| *given) {
            None => Ok(methods(&[], &options.queue, false)),
            Some((option, _)) => Err(Failure::Usage(format!(
                "{option}: a {machine} has no subcubes; leave it out, or use --machine cube:N"
            ))),
        };
    }
    let asked_for = |method: &Method| match method.way {
        Way::Meshes(_, leftover) => options.afl.is_none_or(|afl| leftover == of_switch(afl)),
        _ => true,
    };
    let mut methods = methods(&Strategies::of(&options.strategy), &options.queue, options.mesh);
    methods.retain(asked_for);
    Ok(methods)
}

fn of_switch(afl: Switch) -> Leftover {
    match afl {
        Switch::On => Leftover::Reused,
        Switch::Off => Leftover::Kept,
    }
}

/// A fault of the workload is one of the file that it came from.
pub(super) fn in_file(options: &Replay, workload: &str, error: &ReplayError) -> Failure {
    let text = error.to_string();
    let path = input::shown(&options.trace).display();
    Failure::Input(match text.strip_prefix(workload) {
        Some(rest) => format!("{path}{rest}"),
        None => text,
    })
}
