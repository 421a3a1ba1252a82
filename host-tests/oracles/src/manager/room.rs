//! Room for jobs at the expense of others, in the model.

use super::cubes::Picture;
use super::model::{ENDLESS, Job, Room};
use super::{Model, boxes};
use crate::mismatch::equal;
use locox::fair::{Demand, StationId};
use locox::time::Instant;
use locox_coordinators::manager::{
    Key, Options, Places, Ranking, Status, StopReason, UserId, Yields,
};

impl Model {
    /// For whom a job is stopped.
    pub(super) fn why(&self, job: usize) -> StopReason {
        let job = self.jobs[job].yields_to.expect("for a job");
        let of = &self.jobs[self.find(job).unwrap()];
        let of = UserId(self.users[of.user].unwrap());
        match self.config.ranking {
            Ranking::Users => StopReason::Turn { of, job },
            Ranking::Priority => StopReason::Priority { of, job },
        }
    }

    /// When it is, if room is being made.
    pub(super) fn stop_at(&self, job: usize) -> u64 {
        let of = &self.jobs[self.find(self.jobs[job].yields_to.unwrap()).unwrap()];
        of.room.as_ref().unwrap().stop
    }

    fn of_those_that_yield_to(&self, key: Key) -> Vec<usize> {
        let all = self.order.iter().filter_map(|key| self.find(*key).ok());
        let mut all: Vec<usize> = all.filter(|&at| self.jobs[at].yields_to == Some(key)).collect();
        let order = |key| self.told_to_yield.iter().position(|it| it.0 == key);
        all.sort_by_key(|&at| order(self.jobs[at].key));
        all
    }

    /// Whether it was told that a job will be stopped.
    pub(super) fn is_noticed(&self, job: usize) -> bool {
        let of = self.jobs[job].yields_to.map(|key| self.find(key).unwrap());
        self.jobs[job].state == Status::Running && of.is_some_and(|of| self.jobs[of].room.is_some())
    }

    /// When a job will be stopped, and for whom.
    pub(super) fn stop_of(&self, job: usize) -> Option<(Instant, StopReason)> {
        let stops = self.jobs[job].state == Status::Stopping || self.is_noticed(job);
        stops.then(|| (Instant::from_ticks(self.stop_at(job)), self.why(job)))
    }

    /// Nobody has to stop for a job any more.
    fn spare(&mut self, job: usize) {
        for at in self.of_those_that_yield_to(self.jobs[job].key) {
            if matches!(self.jobs[at].state, Status::Running | Status::Stopping) {
                self.jobs[at].state = Status::Running;
                self.jobs[at].end = self.end(at);
                self.note(at, |job| job.act = false);
            }
        }
    }

    /// And nobody is known to have.
    pub(super) fn release(&mut self, job: usize) {
        self.spare(job);
        for at in self.of_those_that_yield_to(self.jobs[job].key) {
            self.jobs[at].yields_to = None;
        }
    }

    /// A job for which room was made waits as any other.
    pub(super) fn give_up_room(&mut self, job: usize) {
        if self.jobs[job].room.take().is_some() {
            self.rooms.given_up += 1;
            self.release(job);
        }
    }

    /// Nobody waits any more for a job to stop.
    pub(super) fn refuse_to_stop(&mut self, job: usize) {
        let Job { yields_to, ref nodes, .. } = self.jobs[job];
        if let Some(of) = yields_to.filter(|_| !nodes.is_empty()) {
            self.give_up_room(self.find(of).unwrap());
        }
    }

    /// A job runs that was to be started.
    pub(super) fn protect_those_stopped_for(&mut self, job: usize) {
        for at in self.of_those_that_yield_to(self.jobs[job].key) {
            self.jobs[at].protected = true;
            self.rooms.protected += 1;
        }
        self.release(job);
    }

    /// Those for which room was made start if it is there, wait on, or give it up.
    pub(super) fn settle(&mut self) {
        for key in self.order.clone() {
            let job = self.find(key).unwrap();
            let Some(Room { nodes, stop, .. }) = self.jobs[job].room.clone() else { continue };
            let owners: Vec<usize> = nodes.iter().filter_map(|node| self.owner(*node)).collect();
            let is_foreign = |&at: &usize| self.jobs[at].yields_to != Some(key);
            let until = self.now + self.limit(job);
            let serves = self.around(|(.., from, to)| from < until && self.now < to);
            let is_out = nodes.iter().any(|&node| !serves.free()[node as usize]);
            if is_out || owners.iter().any(is_foreign) {
                self.rooms.broken += 1;
                self.give_up_room(job);
            } else if owners.is_empty() {
                self.jobs[job].room = None;
                self.spare(job);
                self.start(job, Some(nodes));
            } else if self.now >= stop {
                let mut victims = self.of_those_that_yield_to(key);
                victims.retain(|at| owners.contains(at));
                victims.into_iter().for_each(|at| self.stop(at));
            }
        }
    }

    fn stop(&mut self, victim: usize) {
        if self.jobs[victim].state == Status::Running {
            self.jobs[victim].state = Status::Stopping;
            self.jobs[victim].end = self.now.max(self.jobs[victim].since + 1);
            self.note(victim, |job| job.act = true);
        }
    }

    /// Makes room for the first job for which that is right; whether there is one.
    pub(super) fn make_room(&mut self) -> bool {
        if self.config.preempt.is_none() {
            return false;
        }
        let Some((head, start)) = self.head() else { return false };
        self.tell();
        let known = self.kept.as_ref().filter(|(key, _)| *key == self.jobs[head].key);
        let limit = self.limit(head);
        let place = known.map(|(_, place)| place.clone());
        let place =
            place.unwrap_or_else(|| self.place(head, &self.picture(start, limit, &[])).unwrap());
        let first = First { job: head, start, end: start + limit, place };
        for job in self.candidates(head) {
            if let Some((victims, place)) = self.room_for(job, &first) {
                self.come(job, &victims, place);
                return true;
            }
        }
        false
    }

    /// For whom room may be made.
    fn candidates(&self, head: usize) -> Vec<usize> {
        if self.config.ranking == Ranking::Priority {
            return vec![head];
        }
        let has_none = |user: usize| {
            let mut own = self.jobs.iter().filter(|job| job.user == user);
            own.all(|job| job.holds().is_empty())
        };
        let mut line = self.line();
        line.retain(|&job| self.jobs[job].first.is_some() && has_none(self.jobs[job].user));
        line.truncate(16);
        line
    }

    /// When a job ends if room is made for it now.
    fn room_until(&self, job: usize) -> u64 {
        let notice = self.config.preempt.map_or(0, |it| it.notice.ticks());
        self.now + notice.saturating_add(self.limit(job)).min(ENDLESS)
    }

    /// Whom to stop for a job, and which nodes it gets.
    fn room_for(&mut self, job: usize, first: &First) -> Option<(Vec<usize>, Vec<u32>)> {
        let eligible = self.eligible(job);
        let is_clear = job == first.job || self.room_until(job) <= first.start;
        let promised: &[u32] = if is_clear { &[] } else { &first.place };
        self.place_without(job, &eligible, promised)?;
        let start = match job == first.job {
            true => Some(first.start),
            false => self.earliest_beside(job, first),
        };
        let patience = self.config.preempt?.patience.ticks();
        if start.is_some_and(|start| start <= self.now.saturating_add(patience)) {
            return None;
        }
        let victims = self.least(job, &eligible, promised)?;
        let known = start.filter(|start| *start < self.now + (1 << 60));
        if known.is_some_and(|start| !self.is_worth(job, &victims, start)) {
            return None;
        }
        let place = self.place_without(job, &victims, promised)?;
        if eligible.len() <= 10 {
            self.try_all(job, &eligible, &victims, promised);
        }
        Some((victims, place))
    }

    /// The jobs that may be stopped for another.
    fn eligible(&self, of: usize) -> Vec<usize> {
        let rule = self.config.preempt.unwrap();
        let may_be = |&at: &usize| {
            let job = &self.jobs[at];
            let runs_for = self.now - job.since;
            let ends_soon = self.end(at) <= self.now.saturating_add(rule.patience.ticks());
            let is_protected =
                job.protected && job.limit < ENDLESS && runs_for < rule.protection.ticks();
            let may = job.state == Status::Running && job.yields_to.is_none() && job.stoppable;
            may && runs_for >= rule.least_run.ticks() && !ends_soon && !is_protected
        };
        let all: Vec<usize> = (0..self.jobs.len()).filter(may_be).collect();
        let yields = |at: usize| match self.config.ranking {
            Ranking::Users => self.is_behind(self.jobs[at].user, &all, of),
            Ranking::Priority => self.jobs[at].priority < self.jobs[of].priority,
        };
        all.iter().copied().filter(|&at| yields(at)).collect()
    }

    /// Whether a user would be served after that of a job which he made room for.
    fn is_behind(&self, user: usize, stopped: &[usize], of: usize) -> bool {
        let capped = |nodes: usize| nodes.min(0xFFFF) as u16;
        let stays = self.jobs.iter().enumerate();
        let stays = stays.filter(|(at, job)| job.user == user && !stopped.contains(at));
        let holds = capped(stays.map(|(_, job)| job.nodes.len()).sum());
        let ahead = |user: usize, wants, holds| {
            self.fair.index_ahead_with(StationId(user as u32), Demand { wants, holds }).unwrap()
        };
        let asked = capped(self.asked(of) as usize);
        ahead(user, 1, holds) > ahead(self.jobs[of].user, 0, asked)
    }

    /// The place that a job gets if some jobs have left.
    fn place_without(&self, job: usize, victims: &[usize], promised: &[u32]) -> Option<Vec<u32>> {
        self.place(job, &self.picture_without(job, victims, promised))
    }

    fn picture_without(&self, job: usize, victims: &[usize], promised: &[u32]) -> Picture {
        let keys: Vec<Key> = victims.iter().map(|&at| self.jobs[at].key).collect();
        let until = [self.now, self.room_until(job)];
        self.beside(|job| keys.contains(&job.key), promised, until)
    }

    /// When a job can start beside the first in line if nobody is stopped.
    fn earliest_beside(&self, job: usize, first: &First) -> Option<u64> {
        let limit = self.limit(job);
        let times = self.changes().into_iter().chain([self.now, first.end]);
        let times = times.filter(|start| start.checked_add(limit).is_some());
        let fits = |&start: &u64| {
            let meets = start < first.end && start + limit > first.start;
            let promised: &[u32] = if meets { &first.place } else { &[] };
            self.place(job, &self.picture(start, limit, promised)).is_some()
        };
        times.filter(fits).min()
    }

    /// Whether no more is lost than a job gains that starts now and not then; users only.
    fn is_worth(&self, job: usize, victims: &[usize], start: u64) -> bool {
        let lost: u64 = victims.iter().map(|&at| self.lost(at)).sum();
        let sooner = (start - self.now).min(self.limit(job));
        let gain = u64::from(self.asked(job)).saturating_mul(sooner);
        self.config.ranking == Ranking::Priority || lost <= gain
    }

    /// What is lost if a job is stopped.
    fn lost(&self, victim: usize) -> u64 {
        let job = &self.jobs[victim];
        (self.now - job.since.max(job.saved)).saturating_mul(job.nodes.len() as u64)
    }

    fn cost(&self, victim: usize) -> u64 {
        self.lost(victim).max(1)
    }

    fn costs(&self, victims: impl IntoIterator<Item = usize>) -> u64 {
        victims.into_iter().map(|at| self.cost(at)).sum()
    }

    /// The jobs whose stop costs the least so that there is a place.
    fn least(&self, job: usize, eligible: &[usize], promised: &[u32]) -> Option<Vec<usize>> {
        let map = self.picture_without(job, eligible, promised);
        let chosen = match self.config.places {
            Places::Any | Places::Tree => return self.least_sum(job, eligible, promised),
            Places::Subcubes | Places::Meshes => {
                let stakes = eligible.iter().map(|&at| {
                    let job = &self.jobs[at];
                    ((&*job.nodes, job.mesh), self.cost(at))
                });
                map.cheapest(self.asked(job), &stakes.collect::<Vec<_>>())?
            }
            Places::Boxes(grid) => {
                let stakes = eligible.iter().map(|&at| (&*self.jobs[at].nodes, self.cost(at)));
                let stakes: Vec<_> = stakes.collect();
                let Job { wants, sides, .. } = self.jobs[job];
                boxes::cheapest(grid, map.free(), wants, sides, &stakes)?
            }
        };
        Some(chosen.into_iter().map(|at| eligible[at]).collect())
    }

    /// Of those sets that cost the least, the one that yields in the coordinator if that is one of them.
    fn least_sum(&self, job: usize, eligible: &[usize], promised: &[u32]) -> Option<Vec<usize>> {
        let key = self.jobs[job].key;
        let yields = |at: &usize| self.told_to_yield.contains(&(self.jobs[*at].key, key));
        let order = |set: &Vec<usize>| {
            (
                self.costs(set.iter().copied()),
                !eligible.iter().all(|at| set.contains(at) == yields(at)),
            )
        };
        let count = |set: &[usize]| {
            let map = self.picture_without(job, set, promised);
            map.free().iter().filter(|free| **free).count()
        };
        let none = count(&[]);
        let gains: Vec<usize> = eligible.iter().map(|at| count(&[*at]) - none).collect();
        let sets = (0u32..1 << eligible.len()).filter(|set| {
            let gain: usize = members(*set).map(|at| gains[at]).sum();
            none + gain >= self.asked(job) as usize
        });
        let sets = sets.map(|set| members(set).map(|at| eligible[at]).collect::<Vec<_>>());
        sets.min_by_key(order)
    }

    /// No other set of jobs makes room at a lower cost.
    fn try_all(&mut self, job: usize, eligible: &[usize], chosen: &[usize], promised: &[u32]) {
        let least = self.costs(chosen.iter().copied());
        for set in 0u32..1 << eligible.len() {
            let set: Vec<usize> = members(set).map(|at| eligible[at]).collect();
            let is_cheaper = self.costs(set.iter().copied()) < least;
            assert!(!is_cheaper || self.place_without(job, &set, promised).is_none(), "{set:?}");
        }
        self.rooms.tried += usize::from(eligible.len() > chosen.len());
    }

    /// Compares what could be done for a job with what is said.
    pub(super) fn compare_options(
        &self,
        job: usize,
        told: Options,
        yields: &[Yields],
    ) -> Result<(), String> {
        let Job { ref kept, ref room, .. } = self.jobs[job];
        if !self.waits(job) || kept.is_some() || room.is_some() {
            return equal("options", told, Options { wait: None, now: None });
        }
        let limit = self.limit(job);
        let fits = |&start: &u64| self.place(job, &self.picture(start, limit, &[])).is_some();
        let times = self.changes().into_iter().chain([self.now]);
        let wait = times.filter(|start| start.checked_add(limit).is_some()).filter(fits).min();
        let wait = wait.filter(|start| *start < self.now + (1 << 60));
        equal("when it could start", told.wait.map(Instant::ticks), wait)?;
        let may_stop = |&at: &usize| {
            let job = &self.jobs[at];
            job.state == Status::Running && job.stoppable && job.yields_to.is_none()
        };
        let eligible: Vec<usize> = (0..self.jobs.len()).filter(may_stop).collect();
        let least = self.place_without(job, &eligible, &[]);
        let least = least.and_then(|_| self.least(job, &eligible, &[]));
        let least = least.filter(|least| self.place_without(job, least, &[]).is_some());
        let rows: Vec<usize> = yields.iter().map(|it| self.find(it.key).unwrap()).collect();
        let costs = told.now.map(|_| self.costs(rows.iter().copied()));
        equal("least cost", costs, least.map(|least| self.costs(least)))?;
        let lost: Vec<u64> = rows.iter().map(|&at| self.lost(at)).collect();
        equal("lost", yields.iter().map(|it| it.lost).collect(), lost.clone())?;
        equal("lost in all", told.now.unwrap_or(0), lost.iter().sum())?;
        let Some(mut taken) = told.now.and_then(|_| self.place_without(job, &rows, &[])) else {
            return equal("a place", told.now, None);
        };
        // One after the other, each where the others before it left something.
        let sizes = rows.iter().map(|&at| self.jobs[at].nodes.len());
        equal("largest first", sizes.is_sorted_by(|one, next| one >= next), true)?;
        let ends = rows.iter().map(|&at| self.now + self.limit(at));
        let last = ends.max().unwrap_or(0).max(self.room_until(job));
        for (&at, it) in rows.iter().zip(yields) {
            let leaves = |job: &Job| yields.iter().any(|it| it.key == job.key);
            let place = self.place(at, &self.beside(leaves, &taken, [self.now, last]));
            equal("whether it moves", (it.key, it.moves), (it.key, place.is_some()))?;
            taken.extend(place.into_iter().flatten());
        }
        Ok(())
    }

    /// Nodes are kept for a job until those who have them have stopped.
    fn come(&mut self, job: usize, victims: &[usize], mut nodes: Vec<u32>) {
        nodes.sort_unstable();
        let notice = self.config.preempt.unwrap().notice.ticks();
        let stop = self.now.saturating_add(notice);
        let end = self.room_until(job);
        let it = &mut self.jobs[job];
        it.room = Some(Room { nodes, began: self.now, stop });
        (it.end, it.mesh, it.first) = (end, None, None);
        let (key, user) = (it.key, it.user);
        for &at in victims {
            self.jobs[at].yields_to = Some(key);
        }
        for at in self.of_those_that_yield_to(key) {
            match notice {
                0 => self.stop(at),
                _ => {
                    self.jobs[at].end = self.end(at);
                    self.note(at, |job| job.act = true);
                }
            }
        }
        self.rooms.made += 1;
        if self.config.ranking == Ranking::Users {
            self.tell();
            self.rank(user);
        }
    }
}

/// What is promised to the first job in line.
struct First {
    job: usize,
    start: u64,
    end: u64,
    place: Vec<u32>,
}

fn members(set: u32) -> impl Iterator<Item = usize> {
    (0..u32::BITS as usize).filter(move |at| set >> at & 1 == 1)
}
