//! EASY backfilling as one would write it down, for a manager that is looked at now and then.

use locox_agent::backend::{Snapshot, State};
use std::collections::{HashMap, HashSet};

/// A job that waits or runs.
#[derive(Clone, Debug)]
struct Job {
    arrival: u64,
    nodes: u32,
    limit: u64,
    priority: u32,
    held: bool,
    /// Nodes that it will leave to others, which are those in service, and since when it has them.
    has: Option<(u32, u64)>,
    /// Whether it was decided, and does not run yet.
    decided: bool,
}

/// What is known of each job, by number and time of birth.
#[derive(Clone, Debug, Default)]
pub(crate) struct Naive {
    jobs: HashMap<(u64, u32), Job>,
    arrivals: u64,
}

impl Naive {
    /// Looks, and decides: who is to start and does not run yet.
    pub(crate) fn decide(&mut self, snapshot: &Snapshot) -> HashSet<u64> {
        self.hear(snapshot);
        self.start(snapshot);
        self.jobs.iter().filter(|(_, job)| job.decided).map(|(key, _)| key.0).collect()
    }

    /// Looks, and decides nothing.
    pub(crate) fn hear(&mut self, snapshot: &Snapshot) {
        let (now, serving) = (snapshot.now, serving(snapshot));
        let seen: HashSet<_> = snapshot.jobs.iter().map(|job| (job.id, job.born)).collect();
        self.jobs.retain(|key, _| seen.contains(key));
        let mut new: Vec<_> = snapshot.jobs.iter().filter(|job| job.governed).collect();
        new.sort_by_key(|job| (matches!(job.state, State::Waits { .. }), job.born, job.id));
        for job in &new {
            let arrival = self.arrivals;
            let fresh = Job {
                arrival,
                nodes: 0,
                limit: 0,
                priority: 0,
                held: false,
                has: None,
                decided: false,
            };
            self.arrivals += u64::from(!self.jobs.contains_key(&(job.id, job.born)));
            let known = self.jobs.entry((job.id, job.born)).or_insert(fresh);
            let is_other = known.nodes != job.nodes;
            (known.nodes, known.limit, known.priority) = (job.nodes, job.limit, job.priority);
            match &job.state {
                State::Waits { held, .. } => {
                    known.held = *held;
                    if *held || !known.decided || is_other {
                        (known.has, known.decided) = (None, false);
                    }
                }
                State::Runs { since, nodes } => {
                    (known.decided, known.held) = (false, false);
                    known.has = Some((count(nodes, &serving), *since));
                }
                State::Ends { nodes } => {
                    let since = known.has.filter(|_| !known.decided).map_or(now, |it| it.1);
                    (known.decided, known.held) = (false, false);
                    known.has = Some((count(nodes, &serving), since));
                }
            }
        }
    }

    fn start(&mut self, snapshot: &Snapshot) {
        let now = snapshot.now;
        let serving = serving(snapshot).len() as u32;
        let mut line: Vec<_> =
            self.jobs.iter().filter(|(_, job)| job.has.is_none() && !job.held).collect();
        line.sort_by_key(|(_, job)| (std::cmp::Reverse(job.priority), job.arrival));
        let line: Vec<_> =
            line.into_iter().filter(|(_, job)| job.nodes <= serving).map(|(key, _)| *key).collect();
        let mut shadow = None;
        for key in line {
            let job = self.jobs[&key].clone();
            let free = serving - self.busy();
            let fits = job.nodes <= free;
            match shadow {
                None if !fits => shadow = Some(self.shadow(job.nodes, serving, now)),
                None => self.take(key, now),
                Some((at, extra)) if fits && (now + job.limit <= at || job.nodes <= extra) => {
                    self.take(key, now);
                    if now + job.limit > at {
                        shadow = Some((at, extra - job.nodes));
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn take(&mut self, key: (u64, u32), now: u64) {
        let job = self.jobs.get_mut(&key).unwrap();
        (job.has, job.decided) = (Some((job.nodes, now)), true);
    }

    fn busy(&self) -> u32 {
        self.jobs.values().filter_map(|job| job.has).map(|(nodes, _)| nodes).sum()
    }

    /// When so many nodes are free, and how many more are then.
    fn shadow(&self, wanted: u32, serving: u32, now: u64) -> (u64, u32) {
        let busy = self.jobs.values().filter_map(|job| Some((job.has?, job.limit)));
        let ends = busy.map(|((nodes, since), limit)| ((since + limit).max(now + 1), nodes));
        let mut ends: Vec<(u64, u32)> = ends.collect();
        ends.sort_unstable();
        let mut free = serving - self.busy();
        let mut at = now;
        for (end, nodes) in ends {
            if free >= wanted && end > at {
                break;
            }
            (at, free) = (end, free + nodes);
        }
        (at, free - wanted)
    }
}

fn count(nodes: &[String], serving: &HashSet<&str>) -> u32 {
    nodes.iter().filter(|name| serving.contains(name.as_str())).count() as u32
}

/// Nodes in service that are not somebody else's.
fn serving(snapshot: &Snapshot) -> HashSet<&str> {
    let others = snapshot.jobs.iter().filter(|job| !job.governed);
    let nodes = others.filter_map(|job| match &job.state {
        State::Waits { .. } => None,
        State::Runs { nodes, .. } | State::Ends { nodes } => Some(nodes),
    });
    let others: HashSet<&str> = nodes.flatten().map(String::as_str).collect();
    let serves = snapshot.nodes.iter().filter(|node| node.serves).map(|node| node.name.as_str());
    serves.filter(|name| !others.contains(name)).collect()
}
