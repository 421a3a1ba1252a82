//! What `locox replay` is asked for, and what its report begins with.

use crate::cli::{MachineName, MachineSpec, Replay, ShareBy, Switch, once};
use crate::comparison::{About, Run};
use crate::input;
use crate::method::{Method, Variants, checked, methods, ways};
use crate::queue::Queue;
use crate::way::Way;
use locox::mesh::Leftover;
use locox_models::outages::OutageFile;
use locox_models::replay::ReplayError;
use locox_models::swf::{Header, Strictness};
use locox_models::workload::Owner;
use locox_report::failure::Failure;
use locox_report::report::some;

pub(super) fn outages(
    options: &Replay,
    machine: MachineSpec,
    strictness: Strictness,
) -> Result<Option<OutageFile>, Failure> {
    let Some(path) = &options.outages else { return Ok(None) };
    let file = input::outages(path, machine.nodes(), strictness);
    file.map(Some).map_err(|error| Failure::Input(error.to_string()))
}

/// Who counts as a job's owner.
pub(super) fn owner(options: &Replay) -> Owner {
    match options.share_by {
        ShareBy::User => Owner::User,
        ShareBy::Group => Owner::Group,
    }
}

/// The machine asked for, or the one that the header describes.
pub(super) fn machine(options: &Replay, header: &Header) -> Result<MachineSpec, Failure> {
    let plans = options.queue.iter().find(|queue| queue.plans_numbers());
    let of_header = if plans.is_some() { MachineSpec::Pool } else { MachineSpec::of };
    let asked = options.machine.as_ref().map(MachineName::open).transpose()?;
    let machine = asked.or_else(|| header.processors().map(of_header));
    let machine = machine.ok_or_else(|| input::no_size(&options.trace, header))?;
    if options.fragmentation && matches!(machine, MachineSpec::Pool(_)) {
        let told = format!(
            "--fragmentation: any free processors of a {machine} will do; name another --machine"
        );
        return Err(Failure::Usage(told));
    }
    if options.fragmentation && matches!(machine, MachineSpec::Tree(_)) {
        let told =
            format!("--fragmentation: a {machine} has no subcubes and no boxes; leave it out");
        return Err(Failure::Usage(told));
    }
    super::demands::suit(options.demands.as_deref(), machine)?;
    plans.map_or(Ok(machine), |&queue| can_be_planned(queue, machine))
}

/// Backfilling promises processors by their number, which says nothing of subcubes and boxes.
fn can_be_planned(queue: Queue, machine: MachineSpec) -> Result<MachineSpec, Failure> {
    let what = match machine {
        MachineSpec::Pool(_) => return Ok(machine),
        MachineSpec::Cube(_) => "subcubes",
        MachineSpec::Boxes(_) => "boxes",
        MachineSpec::Tree(_) => "racks",
        MachineSpec::Nodes(_) => "nodes",
    };
    Err(Failure::Usage(format!(
        "--queue {queue} plans by numbers of processors, not by {what}; use --queue promises:1, or --machine \
         pool:{}",
        machine.processors()
    )))
}

pub(super) fn methods_on(options: &Replay, machine: MachineSpec) -> Result<Vec<Method>, Failure> {
    let who = format!("a {machine}");
    let variants = Variants { mesh: options.mesh, exclusive: options.exclusive };
    let ways = ways(machine, &options.strategy, variants, &who).map_err(Failure::Usage)?;
    let asked_for = |method: &Method| match method.way {
        Way::Meshes(_, leftover) => options.afl.is_none_or(|afl| leftover == of_switch(afl)),
        _ => true,
    };
    let queues = options.preempting.queues(&options.queue);
    let mut methods = methods(&ways, &queues, &options.order);
    managed_alone(options, &queues)?;
    methods.retain(asked_for);
    checked(methods, machine).map_err(Failure::Usage)
}

/// What a manager does not do.
fn managed_alone(options: &Replay, queues: &[Queue]) -> Result<(), Failure> {
    if !queues.iter().any(|it| matches!(it, Queue::Manager(_))) {
        return Ok(());
    }
    let unknown = [
        ("--outages", options.outages.is_some()),
        ("--fragmentation", options.fragmentation),
        ("--decide", options.decide.is_some()),
        ("--afl off", options.afl == Some(Switch::Off)),
    ];
    match unknown.iter().find(|(_, is_asked)| *is_asked) {
        Some((option, _)) => Err(Failure::Usage(format!(
            "{option}: the replay of a manager has none; leave it out, or replay the other queues alone"
        ))),
        None => Ok(()),
    }
}

fn of_switch(afl: Switch) -> Leftover {
    match afl {
        Switch::On => Leftover::Reused,
        Switch::Off => Leftover::Kept,
    }
}

pub(super) fn title(about: &About, machine: MachineSpec) -> String {
    let of = if matches!(machine, MachineSpec::Pool(_)) { " processors" } else { "" };
    format!("{} on a {machine}{of}", about.name)
}

pub(super) fn lead(
    about: &About,
    queues: &[Queue],
    runs: &[Run],
    outages: Option<&OutageFile>,
) -> String {
    let names: Vec<String> = once(queues.iter()).into_iter().map(Queue::to_string).collect();
    let word = if names.len() == 1 { "queue" } else { "queues" };
    let mut parts = vec![some(about.jobs, "job"), format!("{word}: {}", names.join(", "))];
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
        parts.push(some(rejected, "job") + " never run, larger than the machine");
    }
    parts.join("; ") + "."
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
