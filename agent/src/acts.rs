//! What is to be done so that what is so becomes what was decided, where the agent has the last word.

use crate::backend::{Act, State};
use crate::memory::{Clock, Memory};
use crate::names::Names;
use crate::planned::{Planned, count};
use crate::seen::{LeftJob, Seen, SeenJob};
use crate::stops::Stop;
use locox_coordinators::manager::{Coordinator, Status};

/// At most so many acts a cycle; the others come in the next one.
pub(crate) const MOST: usize = 2000;

/// What is to be done: who is to stop, who is left to the manager, who is to start, and whose gate is to be closed.
/// Whatever was done already and is seen is not done again.
///
/// Cost: all jobs.
pub(crate) fn authoritative(
    manager: &Coordinator<'_>,
    seen: &Seen<'_>,
    names: &Names,
    memory: &Memory,
    clock: Clock,
) -> Vec<Planned> {
    let (mut stops, mut starts, mut gates) = (vec![], vec![], vec![]);
    for job in &seen.jobs {
        let status = manager.job(job.key).map(|known| known.status);
        match status {
            Some(Status::Stopping) if matches!(job.job.state, State::Runs { .. }) => {
                stops.extend(stop(manager, seen, job, clock));
            }
            Some(Status::Starting) if job.waits() && !job.is_held() => {
                starts.extend(start(manager, job, names, memory, clock));
            }
            _ if job.waits() && (!job.is_gated() || job.job.changed) => {
                gates.push(gate(job, status));
            }
            _ => {}
        }
    }
    stops.extend(seen.left.iter().filter(|left| left.job.is_touched()).map(leave));
    stops.append(&mut starts);
    stops.append(&mut gates);
    stops.truncate(MOST);
    stops
}

fn stop(
    manager: &Coordinator<'_>,
    seen: &Seen<'_>,
    job: &SeenJob<'_>,
    clock: Clock,
) -> Option<Planned> {
    let Stop { job, key, why, .. } = Stop::of(manager, seen, job, clock.now)?;
    Some(Planned { act: Act::Stop { job }, key, why })
}

fn start(
    manager: &Coordinator<'_>,
    job: &SeenJob<'_>,
    names: &Names,
    memory: &Memory,
    clock: Clock,
) -> Option<Planned> {
    let nodes = names.of_ranges(manager.nodes(job.key));
    if !memory.is_due(job.key, &nodes, job.is_gated(), clock) {
        return None;
    }
    let waited = clock.now.saturating_sub(u64::from(job.key.born));
    let (owner, count) = (&job.job.owner, count(job.job.nodes));
    let why = format!("decided for {owner}, {count}, after {waited} s");
    Some(Planned { act: Act::Start { job: job.job.name.clone(), nodes }, key: job.key, why })
}

/// A job is given back that is left to the manager.
pub(crate) fn leave(left: &LeftJob<'_>) -> Planned {
    let why = format!("it is left to the manager, as {}", left.why);
    Planned { act: Act::Release { job: left.job.name.clone() }, key: left.job.key(), why }
}

fn gate(job: &SeenJob<'_>, status: Option<Status>) -> Planned {
    let why = match status {
        _ if job.is_gated() => "it is not its turn, and its request was another one",
        Some(Status::Held) => "it is held, and its gate was open",
        None => "there is no room for it, and its gate was open",
        _ => "it is not its turn, and its gate was open",
    };
    Planned { act: Act::Gate { job: job.job.name.clone() }, key: job.key, why: why.into() }
}
