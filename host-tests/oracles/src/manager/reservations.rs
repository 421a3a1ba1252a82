//! Jobs for which nodes are kept, in the model.

use super::model::Kept;
use super::{Model, boxes};
use locox::time::Instant;
use locox_coordinators::manager::{Error, Key, Misuse, Places, Refusal, Status};

impl Model {
    /// What is kept for a job is for this: nodes, the sides that count, and the limit.
    pub(super) fn needs(&self, job: usize) -> (u32, Option<[u32; 3]>, u64) {
        let it = &self.jobs[job];
        let sides = match self.config.places {
            Places::Boxes(grid) => {
                Some(it.sides).filter(|_| boxes::own(grid, it.wants, it.sides).is_some())
            }
            _ => None,
        };
        (self.asked(job), sides, it.limit)
    }

    pub(super) fn needs_as_before(&mut self, job: usize, before: (u32, Option<[u32; 3]>, u64)) {
        if self.needs(job) != before {
            self.jobs[job].kept = None;
        }
    }

    /// Rows that outages and reservations take.
    pub(super) fn rows_used(&self) -> usize {
        let kept = self.jobs.iter().filter_map(|job| job.kept.as_ref());
        self.outages.len() + kept.map(Kept::ranges).sum::<usize>()
    }

    pub(super) fn reserve(
        &mut self,
        now: u64,
        key: Key,
        from: u64,
        by: Instant,
    ) -> Result<(), Error> {
        let job = self.find(key)?;
        if !self.waits(job) {
            return Err(Misuse::Runs.into());
        }
        // As if the time had passed, which an error takes back.
        let (before, old) = (std::mem::replace(&mut self.now, now), self.jobs[job].kept.take());
        let found = self.earliest_from(job, from.max(now));
        let answer = match found {
            None => Err(Refusal::NoPlace),
            Some(kept) if kept.to > by.ticks() => {
                Err(Refusal::Late { finish: Instant::from_ticks(kept.to) })
            }
            Some(kept) if self.rows_used() + kept.ranges() > self.most_outages => {
                Err(Refusal::OutagesFull)
            }
            Some(kept) => Ok(kept),
        };
        self.now = before;
        self.jobs[job].kept = old;
        let kept = answer?;
        self.pass(now);
        self.stand(job);
        self.jobs[job].kept = Some(kept);
        Ok(())
    }

    pub(super) fn give_up(&mut self, job: usize) {
        self.jobs[job].kept = None;
        self.stand(job);
    }

    /// The first place of a job from a time on, if jobs end when they must.
    fn earliest_from(&self, job: usize, from: u64) -> Option<Kept> {
        let limit = self.limit(job);
        let running = self.jobs.iter().filter(|job| !job.nodes.is_empty());
        let running = running.map(|job| job.end.max(self.now + 1));
        let outages = self.outages.iter().map(|it| it.3);
        let kept = self.jobs.iter().filter_map(|job| job.kept.as_ref()).map(|kept| kept.to);
        let mut starts: Vec<u64> = running.chain(outages).chain(kept).chain([from]).collect();
        starts.retain(|start| *start >= from && start.checked_add(limit).is_some());
        starts.sort_unstable();
        starts.into_iter().find_map(|from| {
            let mut nodes = self.place(job, &self.picture(from, limit, &[]))?;
            nodes.sort_unstable();
            Some(Kept { from, to: from + limit, nodes })
        })
    }

    /// Each gets what is kept for it or, where that will not be free, the first other place.
    pub(super) fn serve_reserved(&mut self) {
        let mut last = None;
        loop {
            let all = self.jobs.iter().enumerate();
            let orders = all.filter_map(|(at, job)| Some((job.kept.as_ref()?.from, at)));
            let Some(next) = orders.filter(|order| Some(*order) > last).min() else { return };
            last = Some(next);
            self.serve_reservation(next.1);
        }
    }

    fn serve_reservation(&mut self, job: usize) {
        let old = self.jobs[job].kept.take().unwrap();
        let from = old.from.max(self.now);
        let old = Kept { from, to: from.saturating_add(self.limit(job)), ..old };
        let kept = if self.will_be_free(&old) { Some(old) } else { self.earliest_from(job, from) };
        let Some(kept) = kept.filter(|it| self.rows_used() + it.ranges() <= self.most_outages)
        else {
            return self.stand(job);
        };
        let is_due = kept.from <= self.now;
        let nodes = kept.nodes.clone();
        if is_due && self.jobs[job].held {
            return self.stand(job);
        }
        if is_due {
            return self.start(job, Some(nodes));
        }
        self.jobs[job].kept = Some(kept);
        debug_assert!(matches!(self.jobs[job].state, Status::Waiting | Status::Held));
    }

    fn will_be_free(&self, kept: &Kept) -> bool {
        let picture = self.picture(kept.from, kept.to - kept.from, &[]);
        kept.nodes.iter().all(|node| picture.free()[*node as usize])
    }
}
