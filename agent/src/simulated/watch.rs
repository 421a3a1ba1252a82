//! What an agent may ask a manager for, by what that told last; and what must have become of all jobs.

use super::{Simulated, World};
use crate::backend::{Act, OutageSeen, Snapshot, State};
use std::collections::{HashMap, HashSet};

/// Each job is named once and is governed; who is to be stopped waits again then; who is to start waits and is not held, on nodes that serve, that nobody has
/// and that are given to nobody else, nor meets a planned outage of them.
///
/// # Errors
///
/// What is asked for and may not be: one line.
pub fn check_acts(told: &Snapshot, acts: &[Act]) -> Result<(), String> {
    let mut taken: HashSet<&str> = HashSet::new();
    for job in &told.jobs {
        if let State::Runs { nodes, .. } | State::Ends { nodes } = &job.state {
            taken.extend(nodes.iter().map(String::as_str));
        }
    }
    taken.extend(told.nodes.iter().filter(|node| !node.serves).map(|node| node.name.as_str()));
    let mut named = HashSet::new();
    for act in acts {
        let (Act::Start { job, .. } | Act::Gate { job } | Act::Stop { job }) = act else {
            continue;
        };
        let seen = told.jobs.iter().find(|seen| seen.name == *job && seen.governed);
        let seen = seen.ok_or_else(|| format!("{act:?}: no such job is governed"))?;
        if !named.insert(job) {
            return Err(format!("{act:?}: another act of the same job comes before it"));
        }
        if seen.firm && matches!(act, Act::Stop { .. }) {
            return Err(format!("{act:?}: it would not wait again"));
        }
        let Act::Start { nodes, .. } = act else { continue };
        if !matches!(seen.state, State::Waits { held: false, .. }) {
            return Err(format!("{act:?}: {seen:?}"));
        }
        let end = told.now.saturating_add(seen.limit);
        let meets = |outage: &&OutageSeen| {
            let is_then = outage.from < end && outage.to > told.now;
            is_then && nodes.iter().any(|node| outage.nodes.contains(node))
        };
        if let Some(outage) = told.outages.iter().find(meets) {
            return Err(format!("{act:?}: it may run into {outage:?}"));
        }
        for node in nodes {
            if !told.nodes.iter().any(|known| known.name == *node) || !taken.insert(node) {
                return Err(format!("{act:?}: {node} is taken, out of service, or unknown"));
            }
        }
    }
    Ok(())
}

/// At the end: whoever was not cancelled, and whom the manager itself did not forget, ran once, to its end; nothing waits
/// but jobs that are too large.
///
/// # Errors
///
/// What is otherwise: one line.
pub fn check_end(manager: &Simulated, world: &World) -> Result<(), String> {
    let truth = manager.truth();
    if !manager.is_done() {
        return Err(format!("not all jobs have run: {truth:?}"));
    }
    let count = |list: &[u64]| {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        list.iter().for_each(|serial| *counts.entry(*serial).or_default() += 1);
        counts
    };
    let (started, ended) = (count(manager.started()), count(manager.ended()));
    if let Some(job) = truth.jobs.iter().find(|job| job.nodes <= world.nodes) {
        return Err(format!("a job waits for ever: {job:?}"));
    }
    let mut too_large = truth.jobs.len();
    for serial in 1..=u64::from(world.jobs) {
        if manager.forgotten().contains(&serial) {
            continue;
        }
        let [started, ended] = [&started, &ended].map(|it| it.get(&serial).copied().unwrap_or(0));
        if started > 1 {
            return Err(format!("{serial} was started {started} times"));
        }
        if ended == 0 && !manager.cancelled().contains(&serial) {
            if too_large == 0 {
                return Err(format!("{serial} is lost"));
            }
            too_large -= 1;
        }
    }
    Ok(())
}
