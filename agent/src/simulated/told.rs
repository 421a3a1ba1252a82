//! What the simulated manager tells.

use super::job::{Doing, Job};
use super::{Simulated, Trouble};
use crate::backend::{BackendError, JobSeen, NodeSeen, OutageSeen, Refused, Snapshot, State};

impl Simulated {
    /// What is asked for, if it answers.
    pub(crate) fn tell(&mut self) -> Result<Snapshot, BackendError> {
        let trouble = self.world.trouble;
        if self.numbers.chance(trouble.silent) {
            return Err(silent());
        }
        if self.numbers.chance(trouble.stale)
            && let Some(told) = &self.told
        {
            return Ok(told.clone());
        }
        let mut told = self.truth();
        if self.numbers.chance(trouble.clock) {
            told.now = told.now.saturating_sub(self.numbers.below(100));
        }
        if trouble != Trouble::NONE {
            let nodes = told.nodes.len() as u64;
            told.nodes.rotate_left(self.numbers.below(nodes) as usize);
        }
        if trouble.stale > 0 {
            self.told = Some(told.clone());
        }
        Ok(told)
    }

    /// What there is. No time passes, and nothing goes wrong.
    pub fn truth(&self) -> Snapshot {
        let cluster = &self.cluster;
        let nodes = self.names.iter().zip(&cluster.out);
        let nodes =
            nodes.map(|(name, out)| NodeSeen { name: name.clone(), serves: *out <= cluster.now });
        let jobs = cluster.jobs.iter().filter(|(_, job)| job.governed || job.doing != Doing::Waits);
        Snapshot {
            now: cluster.now,
            nodes: nodes.collect(),
            jobs: jobs.map(|(id, job)| self.seen(*id, job)).collect(),
            outages: self.outage().into_iter().collect(),
            mark: cluster.mark.clone(),
        }
    }

    /// The planned outage, unless it is over.
    fn outage(&self) -> Option<OutageSeen> {
        let (from, to, nodes) = self.cluster.window;
        let nodes = self.names.get(..nodes as usize)?.to_vec();
        let outage = OutageSeen { name: "outage".into(), nodes, from, to, floats: false };
        (to > self.cluster.now).then_some(outage)
    }

    fn seen(&self, id: u64, job: &Job) -> JobSeen {
        let state = match &job.doing {
            Doing::Waits => State::Waits { gated: job.gated, held: job.held },
            Doing::Runs { since, nodes, .. } => {
                State::Runs { since: *since, nodes: self.named(nodes) }
            }
            Doing::Ends { nodes, .. } => State::Ends { nodes: self.named(nodes) },
        };
        JobSeen {
            id,
            born: job.born as u32,
            name: id.to_string(),
            user: job.user,
            owner: format!("user{}", job.user),
            nodes: job.nodes,
            sides: job.sides,
            limit: job.limit,
            deadline: job.patience.map(|patience| job.born + patience),
            priority: job.priority,
            rank: job.rank,
            governed: job.governed,
            left: self.left(job),
            refused: self.refused(job),
            kind: if self.world.limit > 0 { kind(job) } else { String::new() },
            changed: !job.chosen.is_empty(),
            firm: job.is_firm,
            state,
            reason: if job.is_bad { "BadConstraints".into() } else { String::new() },
        }
    }

    /// What of a job nobody could place who does not know which nodes it may have.
    fn left(&self, job: &Job) -> Option<String> {
        if job.is_hidden || job.doing != Doing::Waits || job.allowed.is_empty() {
            return None;
        }
        Some(format!("it asks for {} of the nodes", job.allowed.len()))
    }

    fn refused(&self, job: &Job) -> Option<Refused> {
        if job.is_bad {
            return Some(Refused::Request);
        }
        let is_limited = job.is_ready() && self.cluster.is_limited(job);
        is_limited.then(|| Refused::Limit(kind(job)))
    }

    fn named(&self, nodes: &[u32]) -> Vec<String> {
        nodes.iter().filter_map(|node| self.names.get(*node as usize).cloned()).collect()
    }
}

/// What a limit counts a job by.
fn kind(job: &Job) -> String {
    format!("user={}", job.user)
}

pub(crate) fn silent() -> BackendError {
    BackendError::Silent { what: "the simulated manager".into(), why: "its seed says so".into() }
}
