//! Changes of one job, and what hosts are to be told of it.

use super::{Job, Model, Word};
use crate::fair::Ranking;
use locox::time::Duration;

impl<R: Ranking> Model<R> {
    /// A job gets a processor: it starts there, goes on there, or has to leave another first.
    pub(super) fn assign(&mut self, job: usize, node: usize) {
        self.free.retain(|&it| it != node);
        self.waiting.retain(|&it| it != job);
        self.holding.push(job);
        self.jobs[job].at = Some(node);
        match self.jobs[job].on {
            None => self.start(node),
            Some(on) if on == node => self.words.retain(|word| word.0 != node),
            Some(on) => self.tell(on, Word::Preempt),
        }
    }

    pub(super) fn unassign(&mut self, job: usize) {
        self.jobs[job].at = None;
        self.holding.retain(|&it| it != job);
        self.wait(job);
    }

    /// It waits at the end, or in front if it was served before and has left.
    pub(super) fn wait(&mut self, job: usize) {
        let Job { on, attempt, stop, failures, .. } = self.jobs[job];
        if stop.is_some() {
            return;
        }
        let first = on.is_none() && attempt > 0 && failures == 0;
        let place = if first { 0 } else { self.waiting.len() };
        self.waiting.insert(place, job);
        self.someone_waits = true;
    }

    /// A job loses its place, and was never there if its host has not heard of it.
    pub(super) fn withdraw(&mut self, job: usize) {
        let Some(node) = self.jobs[job].at else { return };
        self.unassign(job);
        if self.jobs[job].on == Some(node) && self.words.contains(&(node, Word::Start)) {
            self.clear(job, node);
        }
    }

    /// The holder starts if neither it nor the processor has to be left first.
    pub(super) fn start(&mut self, node: usize) {
        let Some(job) = self.holder(node) else { return };
        if self.occupant(node).is_none() && self.jobs[job].on.is_none() {
            self.jobs[job].on = Some(node);
            self.jobs[job].attempt += 1;
            self.jobs[job].began = self.now;
            self.tell(node, Word::Start);
        }
    }

    /// A job has left a processor. If it waits, it is now the first.
    pub(super) fn clear(&mut self, job: usize, node: usize) {
        self.words.retain(|word| word.0 != node);
        self.hosts[node].told = None;
        let ran = self.now.since(self.jobs[job].began).map_or(0, Duration::ticks);
        self.jobs[job].spent += ran;
        self.jobs[job].on = None;
        if self.jobs[job].at.is_none() && self.jobs[job].stop.is_none() {
            self.waiting.retain(|&it| it != job);
            self.waiting.insert(0, job);
        }
    }

    /// In the place of what the host was to be told before, if there was such.
    pub(super) fn tell(&mut self, node: usize, word: Word) {
        match self.words.iter_mut().find(|word| word.0 == node) {
            Some(old) => old.1 = word,
            None => self.words.push((node, word)),
        }
    }
}
