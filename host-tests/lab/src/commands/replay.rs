//! `locox replay`: a trace on a modelled machine.

use super::{deliver, notice, provenance, publication};
use crate::cli::{MachineSpec, Replay, Strategies, Switch};
use crate::comparison::{Comparison, Run, Way};
use crate::failure::Failure;
use crate::input;
use crate::memory;
use crate::progress::Progress;
use crate::report::{Report, counted};
use locox::mesh::Leftover;
use locox::reserve::Limits;
use locox_models::machine::StrategyKind;
use locox_models::replay::{QueueKind, ReplayError};
use locox_models::swf::{Header, Strictness, SwfErrorKind};
use locox_models::workload::{Selection, Workload};

pub(super) fn run(options: &Replay, command_line: &str) -> Result<(), Failure> {
    let strictness = if options.lenient { Strictness::Lenient } else { Strictness::Strict };
    let mut publication = publication(&options.results)?;
    let (workload, header) = read(options, strictness)?;
    let machine = machine(options, &header)?;
    let ways = ways(options, machine)?;
    has_room(options, &workload, ways.len())?;
    warn_of_complete(&ways, machine);
    let queue = options.queue;
    let comparison = Comparison { workload: &workload, machine, ways, queue, strictness };
    let runs = comparison.run(&Progress::watched("replay"));
    let runs = runs.map_err(|error| in_file(options, &workload, &error))?;
    let report = Report {
        title: format!("{} on a {machine}", workload.name),
        lead: lead(&workload, queue, &runs),
        provenance: provenance(command_line, None),
        sections: vec![comparison.section(&runs)],
    };
    comparison.add_jobs(&runs, &mut publication)?;
    deliver(&report, publication, options.results.format)
}

fn read(options: &Replay, strictness: Strictness) -> Result<(Workload, Header), Failure> {
    let limit = options.jobs.and_then(|jobs| usize::try_from(jobs).ok());
    let selection = Selection { limit, sort: options.sort, room: memory::jobs(1) };
    let read = input::trace(&options.trace, strictness, &selection);
    let (mut workload, header) = read.map_err(|error| match error.kind {
        SwfErrorKind::NoRoom(most) => no_room(options, most, 1),
        _ => Failure::Input(error.to_string()),
    })?;
    let scaled = workload.scale_load(options.scale_load);
    scaled.map_err(|error| Failure::Usage(format!("--scale-load: {error}")))?;
    Ok((workload, header))
}

/// The jobs are in memory, and so will be what becomes of them in each way.
fn has_room(options: &Replay, workload: &Workload, ways: usize) -> Result<(), Failure> {
    let room = memory::more_jobs(ways);
    if workload.jobs.len() <= room { Ok(()) } else { Err(no_room(options, room, ways)) }
}

fn no_room(options: &Replay, jobs: usize, ways: usize) -> Failure {
    let fewer_ways = if ways > 1 { ", name one --strategy" } else { "" };
    Failure::Input(format!(
        "{}: memory is free for about {} jobs in {ways} ways at once, at {} bytes each, and there \
         are more; take the first ones with --jobs{fewer_ways}, or use a host with more memory",
        input::shown(&options.trace).display(),
        counted(jobs as u64),
        memory::bytes(ways)
    ))
}

/// Complete recognition takes up to 2^6 * 3^(n-6) operations on words for a decision on an n-cube:
/// from here on that can be a tenth of a second.
const LONG: u32 = 17;

fn warn_of_complete(ways: &[Way], machine: MachineSpec) {
    let complete = |way: &Way| {
        matches!(
            way,
            Way::Subcubes(StrategyKind::Complete) | Way::Meshes(StrategyKind::Complete, _)
        )
    };
    let MachineSpec::Cube(dims) = machine else { return };
    if u32::from(dims.get()) < LONG || !ways.iter().any(complete) {
        return;
    }
    notice(&format!(
        "complete on a {machine} may take from tenths of a second to minutes for a single job; \
         for an answer sooner ask for --strategy free-list, or buddy"
    ));
}

fn lead(workload: &Workload, queue: QueueKind, runs: &[Run]) -> String {
    let some = |count: u64, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{} {what}{plural}", counted(count))
    };
    let mut parts = vec![some(workload.jobs.len() as u64, "job"), queue.to_string()];
    if workload.skipped > 0 {
        parts.push(some(workload.skipped, "line") + " skipped");
    }
    let rejected = runs.first().map_or(0, |run| run.outcome.rejected);
    if rejected > 0 {
        parts.push(some(rejected, "job") + " rejected");
    }
    parts.join(", ") + "."
}

/// The machine asked for, or the one that the header describes.
fn machine(options: &Replay, header: &Header) -> Result<MachineSpec, Failure> {
    let plans = options.queue.plans();
    let of_header = if plans { MachineSpec::Pool } else { MachineSpec::of };
    let of_trace = || header.processors().map(of_header);
    let machine = options.machine.or_else(of_trace).ok_or_else(|| {
        let trace = input::shown(&options.trace).display();
        let fault = match &header.unusable_size {
            Some(size) => format!("the header says {size}, which no machine has"),
            None => "the header names no number of processors".into(),
        };
        Failure::Input(format!("{trace}: {fault}; add --machine cube:N or pool:P"))
    })?;
    if plans { can_be_planned(options.queue, machine) } else { Ok(machine) }
}

/// Backfilling promises processors by their number, which says nothing of subcubes.
fn can_be_planned(queue: QueueKind, machine: MachineSpec) -> Result<MachineSpec, Failure> {
    let processors = machine.processors();
    let fault = match machine {
        MachineSpec::Cube(_) => format!(
            "--queue {queue} plans by numbers of processors, not by subcubes; \
             use --machine pool:{processors}"
        ),
        MachineSpec::Pool(_) if processors > Limits::MOST => format!(
            "--queue {queue} plans for at most {} processors; use a smaller --machine",
            Limits::MOST
        ),
        MachineSpec::Pool(_) => return Ok(machine),
    };
    Err(Failure::Usage(fault))
}

fn ways(options: &Replay, machine: MachineSpec) -> Result<Vec<Way>, Failure> {
    if let MachineSpec::Pool(_) = machine {
        let asked = [("--strategy", options.strategy.is_some()), ("--mesh", options.mesh)];
        return match asked.iter().find(|(_, given)| *given) {
            None => Ok(vec![Way::Any]),
            Some((option, _)) => Err(Failure::Usage(format!(
                "{option}: a {machine} has no subcubes; leave it out, or use --machine cube:N"
            ))),
        };
    }
    let strategies = options.strategy.unwrap_or(Strategies::All).list();
    if !options.mesh {
        return Ok(strategies.into_iter().map(Way::Subcubes).collect());
    }
    let leftovers: &[Leftover] = match options.afl {
        None => &[Leftover::Kept, Leftover::Reused],
        Some(Switch::Off) => &[Leftover::Kept],
        Some(Switch::On) => &[Leftover::Reused],
    };
    let over = |kind| leftovers.iter().map(move |&leftover| Way::Meshes(kind, leftover));
    Ok(strategies.into_iter().flat_map(over).collect())
}

/// A fault of the workload is one of the file that it came from.
fn in_file(options: &Replay, workload: &Workload, error: &ReplayError) -> Failure {
    let text = error.to_string();
    let path = input::shown(&options.trace).display();
    Failure::Input(match text.strip_prefix(&workload.name) {
        Some(rest) => format!("{path}{rest}"),
        None => text,
    })
}
