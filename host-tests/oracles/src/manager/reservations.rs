//! Jobs for which nodes are kept, in the model.

use super::model::Kept;
use super::{Model, boxes};
use locox::time::Instant;
use locox_coordinators::manager::{Error, Key, Misuse, Places, Refusal};

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
            self.give_up_room(job);
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
        if from > u64::MAX / 2 {
            return Err(Misuse::TimeTooLate.into());
        }
        let job = self.find(key)?;
        if !self.waits(job) || self.jobs[job].room.is_some() {
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

    /// When an outage ends or a job is to have what is kept for it.
    pub(super) fn wake_at(&self) -> Option<u64> {
        let kept = self.jobs.iter().filter_map(|job| job.kept.as_ref());
        self.outages.iter().map(|it| it.3).chain(kept.map(|it| it.from)).min()
    }

    pub(super) fn give_up(&mut self, job: usize) {
        self.jobs[job].kept = None;
        self.stand(job);
    }

    /// The first place of a job from a time on, if jobs end when they must.
    fn earliest_from(&self, job: usize, from: u64) -> Option<Kept> {
        let limit = self.limit(job);
        let mut starts = self.changes();
        starts.push(from);
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
        let order = (old.from, job);
        let from = old.from.max(self.now);
        let old = Kept { from, to: from.saturating_add(self.limit(job)), ..old };
        // Those behind it are in nobody's way.
        let others = self.without_those_behind(order);
        let kept = if self.will_be_free(&old) { Some(old) } else { None };
        let before = kept.is_none().then(|| self.earliest_from(job, from));
        self.put_back(others);
        let kept = kept.or_else(|| {
            let beside_all = self.earliest_from(job, from).filter(|kept| kept.from == from);
            beside_all.or(before.flatten())
        });
        let Some(kept) = kept.filter(|it| self.rows_used() + it.ranges() <= self.most_outages)
        else {
            return self.stand(job);
        };
        let is_due = kept.from <= self.now;
        if is_due && self.jobs[job].held {
            return self.stand(job);
        }
        if is_due {
            return self.start(job, Some(kept.nodes));
        }
        self.jobs[job].kept = Some(kept);
    }

    fn without_those_behind(&mut self, order: (u64, usize)) -> Vec<(usize, Kept)> {
        let all = self.jobs.iter_mut().enumerate();
        all.filter_map(|(at, job)| {
            let is_behind = job.kept.as_ref().is_some_and(|kept| (kept.from, at) > order);
            is_behind.then(|| job.kept.take()).flatten().map(|kept| (at, kept))
        })
        .collect()
    }

    fn put_back(&mut self, others: Vec<(usize, Kept)>) {
        others.into_iter().for_each(|(at, kept)| self.jobs[at].kept = Some(kept));
    }

    fn will_be_free(&self, kept: &Kept) -> bool {
        let picture = self.picture(kept.from, kept.to - kept.from, &[]);
        kept.nodes.iter().all(|node| picture.free()[*node as usize])
    }
}
