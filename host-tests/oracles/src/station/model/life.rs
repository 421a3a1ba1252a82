//! What becomes of jobs and processors besides running.

use super::{Job, Model, Presence, Stop, Word, status};
use crate::fair::Ranking;
use locox::handle;
use locox::time::Duration;
use locox_coordinators::station::{JobId, Misuse, Nodes};

impl<R: Ranking> Model<R> {
    pub(super) fn wanted(&self, name: JobId) -> Result<usize, Misuse> {
        let job = self.names.iter().position(|&it| it == name);
        let job = job.ok_or(Misuse::Job(handle::Misuse::Foreign))?;
        status(&self.jobs[job])?;
        let cancelled = self.jobs[job].stop == Some(Stop::Cancelled);
        if cancelled { Err(Misuse::Cancelled) } else { Ok(job) }
    }

    /// It gives up what it holds, and leaves where it is.
    pub(super) fn stop(&mut self, job: usize, why: Stop) {
        self.waiting.retain(|&it| it != job);
        self.jobs[job].stop = Some(why);
        let kept = self.jobs[job].at;
        self.withdraw(job);
        if let Some(node) = self.jobs[job].on {
            self.tell(node, Word::Preempt);
        }
        kept.into_iter().for_each(|kept| self.offer(kept));
    }

    pub(super) fn end_cancelled(&mut self, job: usize) {
        let Job { on, stop, .. } = self.jobs[job];
        self.jobs[job].finished |= on.is_none() && stop == Some(Stop::Cancelled);
    }

    pub(super) fn let_go(&mut self, job: usize) {
        self.jobs[job].stop = None;
        self.wait(job);
        self.serve_own(self.jobs[job].home);
    }

    pub(super) fn did_well(&mut self, job: usize, node: usize) {
        self.jobs[job].failures = 0;
        (self.hosts[node].faults, self.hosts[node].failed) = (0, None);
    }

    pub(super) fn each_of(&self, nodes: Nodes) -> Result<Vec<usize>, Misuse> {
        Ok(match nodes {
            Nodes::One { node } => vec![self.node(node)?],
            Nodes::Bank => (self.stations..self.presence.len()).collect(),
        })
    }

    pub(super) fn drain(&mut self, node: usize) {
        self.free.retain(|&it| it != node);
        self.words.retain(|word| *word != (node, Word::Aside));
        (self.hosts[node].drained, self.hosts[node].aside) = (true, false);
        let Some(job) = self.holder(node) else { return };
        self.withdraw(job);
        if self.occupant(node) == Some(job) {
            self.tell(node, Word::Preempt);
        }
        self.serve_own(self.jobs[job].home);
    }

    pub(super) fn restore(&mut self, node: usize) {
        self.words.retain(|word| *word != (node, Word::Aside));
        let host = &mut self.hosts[node];
        (host.drained, host.aside, host.faults, host.failed) = (false, false, 0, None);
        self.offer(node);
    }

    /// Hosts that are silent, runs that take too long, jobs that waited long enough.
    pub(super) fn review(&mut self) {
        for node in 0..self.presence.len() {
            let Some((_, _, heard)) = self.hosts[node].last else { continue };
            if self.presence[node] == Presence::Absent {
                continue;
            }
            let silent = self.now.since(heard);
            if self.config.lease.is_some_and(|lease| silent > Some(lease)) {
                self.node_lost(node);
                continue;
            }
            let urgent = |word: &&(usize, Word)| word.0 == node && word.1 != Word::Checkpoint;
            if self.occupant(node).is_none() || self.words.iter().any(|word| urgent(&word)) {
                continue;
            }
            match (self.occupant(node) == self.holder(node), self.hosts[node].told) {
                (true, Some(Word::Start)) => self.tell(node, Word::StartAgain),
                (true, Some(Word::Preempt)) | (false, Some(Word::Start)) => {
                    self.tell(node, Word::Ask);
                }
                (false, Some(Word::Preempt)) => self.tell(node, Word::Preempt),
                _ => {}
            }
        }
        // In the order of the coordinator's rows; one that is submitted just now has no name yet.
        let mut jobs: Vec<_> =
            (0..self.names.len()).filter(|&it| !self.jobs[it].finished).collect();
        jobs.sort_by_key(|&job| self.names[job].handle().index());
        for job in jobs {
            let Job { stop, on, at, limit, spent, began, .. } = self.jobs[job];
            let running = on.and(self.now.since(began)).map_or(0, Duration::ticks);
            match stop {
                Some(Stop::BackOff(until)) if until <= self.now => self.let_go(job),
                None if at.is_some() && limit > 0 && spent + running >= limit => {
                    self.stop(job, Stop::Limit);
                }
                _ => {}
            }
        }
    }
}
