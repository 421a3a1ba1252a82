//! Planned outages: what a snapshot says of them, in the kernel's words.

use crate::backend::{JobSeen, OutageSeen, Snapshot, State};
use crate::facts::limit;
use crate::names::{Names, ranges};
use crate::seen::{Seen, SeenJob};
use locox::time::Instant;
use locox_coordinators::manager::{Command, Coordinator, Job, NodeRange, Outage, Status};
use std::collections::HashSet;

/// Rows that the kernel has for them: one for each range of nodes of an outage.
pub(crate) const ROWS: usize = 256;

/// The longest time, in seconds, until the end of an outage that has begun for which a job is made to wait: a week. A job that is first
/// in line for a year would leave those behind it without a promise.
const FORESEEN: u64 = 7 * 24 * 3600;

/// The planned outages of a snapshot.
pub(crate) struct Outages<'a> {
    now: Instant,
    /// What the kernel is to know, no more than it has rows for, from the earliest on.
    told: Vec<Outage>,
    /// The earliest one that it is not told. A job that may still run then is left to the manager.
    untold: Option<&'a OutageSeen>,
    /// The nodes of those that are told and have begun.
    begun: HashSet<&'a str>,
}

impl<'a> Outages<'a> {
    /// Those of a snapshot that are not over. Cost: their nodes.
    pub(crate) fn of(
        snapshot: &'a Snapshot,
        names: &Names,
        manager: &Coordinator<'_>,
        now: u64,
    ) -> Self {
        let (told, begun) = (vec![], HashSet::new());
        let mut all = Self { now: Instant::from_ticks(now), told, untold: None, begun };
        let mut to_come: Vec<&OutageSeen> =
            snapshot.outages.iter().filter(|it| it.to > now.max(it.from)).collect();
        if to_come.is_empty() {
            return all;
        }
        to_come.sort_by_key(|it| it.from);
        let serving = snapshot.nodes.iter().filter(|node| node.serves);
        let serving: HashSet<&str> = serving.map(|node| node.name.as_str()).collect();
        // The kernel forgets what is over with its next decision.
        let most = ROWS.saturating_sub(manager.outages().filter(|it| it.to <= all.now).count());
        for outage in to_come {
            let has_begun = outage.from <= now;
            let is_long = has_begun && outage.to.saturating_sub(now) > FORESEEN;
            let counts = |name: &str| !is_long || serving.contains(name);
            let known = || {
                let names = outage.nodes.iter().filter(|name| names.number(name).is_some());
                names.filter(|name| counts(name))
            };
            let ranges = ranges(known().filter_map(|name| names.number(name)).collect());
            if outage.floats || all.told.len() + ranges.len() > most {
                // Once it has begun, its nodes are out of service.
                if known().any(|name| !has_begun || serving.contains(name.as_str())) {
                    all.untold.get_or_insert(outage);
                }
                continue;
            }
            all.begun.extend(known().filter(|_| has_begun).map(String::as_str));
            let [from, to] = [outage.from, outage.to].map(Instant::from_ticks);
            all.told.extend(ranges.into_iter().map(|nodes| Outage { nodes, from, to }));
        }
        all
    }

    /// Whether a node is out of service until an outage ends, as the kernel knows: it is promised for the time after that.
    pub(crate) fn covers(&self, node: &str) -> bool {
        self.begun.contains(node)
    }

    /// Why a job that waits is left to the manager, if it may run into an outage that the kernel is not told.
    pub(crate) fn leave(&self, job: &JobSeen) -> Option<String> {
        let outage = self.untold?;
        let waits = matches!(job.state, State::Waits { held: false, .. });
        let crosses = self.now.ticks().saturating_add(job.limit) > outage.from;
        let why = || format!("planned outage {} begins before its limit ends", outage.name);
        (waits && crosses).then(why)
    }

    /// Why the kernel is not told of all, if it is not.
    pub(crate) fn lacks(&self) -> Option<String> {
        let OutageSeen { name, floats, .. } = self.untold?;
        let why = match floats {
            true => "its times go on with the clock".into(),
            false => format!("outages take more than {ROWS} ranges of nodes"),
        };
        Some(format!("jobs that may run into planned outage {name} are left to the manager: {why}"))
    }

    /// What is to be told: outages that are not planned any more, then those that are new; and which jobs wait again, as
    /// they did not start in time.
    pub(crate) fn commands(&self, manager: &Coordinator<'_>, seen: &Seen<'_>) -> Vec<Command> {
        let known: Vec<Outage> = manager.outages().filter(|it| it.to > self.now).collect();
        let gone = known.iter().filter(|it| !self.told.contains(it));
        let gone = gone.map(|&Outage { nodes: NodeRange { first, nodes }, from, to }| {
            Command::NoOutage { first, nodes, from, to }
        });
        let new = self.told.iter().filter(|it| !known.contains(it));
        let new = new.map(|&Outage { nodes: NodeRange { first, nodes }, from, to }| {
            Command::Outage { first, nodes, from, to }
        });
        let late = seen.jobs.iter().filter(|job| self.is_late(manager, job));
        let late = late.map(|job| Command::Waits { key: job.key });
        gone.chain(new).chain(late).collect()
    }

    /// Whether a job that was to start, and waits still, would run into an outage of its nodes by now.
    fn is_late(&self, manager: &Coordinator<'_>, job: &SeenJob<'_>) -> bool {
        if self.told.is_empty() || !job.waits() {
            return false;
        }
        let starts = |known: &Job| known.status == Status::Starting;
        if !manager.job(job.key).is_some_and(|known| starts(&known)) {
            return false;
        }
        // It may have another limit than when it was decided.
        let end = self.now.saturating_add(limit(job));
        let meets =
            |range: NodeRange| self.told.iter().any(|it| it.from < end && overlap(range, it.nodes));
        manager.nodes(job.key).any(meets)
    }
}

const fn overlap(one: NodeRange, other: NodeRange) -> bool {
    let [first, second] = [one.first.0, other.first.0];
    first < second.saturating_add(other.nodes) && second < first.saturating_add(one.nodes)
}
