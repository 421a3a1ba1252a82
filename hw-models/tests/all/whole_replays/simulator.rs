//! Backfilling with promised places, by its definition alone: nothing is remembered that makes a search shorter.

use locox_models::replay::Decisions;
use locox_models::workload::Job;
use std::ops::Range;

/// A place, and from when until when it is held.
#[derive(Clone)]
pub(super) struct Held<P> {
    pub(super) place: P,
    pub(super) during: Range<u64>,
}

/// Which places there are, and which one a job gets.
pub(super) trait Rule {
    type Place: Clone;
    type Map;

    /// What is free throughout an interval.
    fn free(&self, held: &[Held<Self::Place>], during: &Range<u64>) -> Self::Map;

    fn has(&self, map: &Self::Map, place: &Self::Place) -> bool;

    /// The place of a job.
    fn find(&self, map: &Self::Map, job: &Job) -> Option<Self::Place>;

    /// Whether a place consists of these nodes, as far as it says which.
    fn consists_of(&self, place: &Self::Place, nodes: &[u32]) -> bool;
}

/// A job that runs. It is taken to hold its place until its limit; if it runs longer, until the next tick.
struct Running<P> {
    held: Held<P>,
    end: u64,
    /// Whether it takes just the time that it asked for.
    exact: bool,
    /// Whether it has run for longer.
    is_over: bool,
}

pub(super) struct Simulator<'a, R: Rule> {
    rule: &'a R,
    jobs: &'a [Job],
    /// How many are promised a place.
    most: usize,
    now: u64,
    /// Waiting jobs by arrival; the first ones have the promises, in the same order.
    line: Vec<usize>,
    promised: Vec<Held<R::Place>>,
    /// By start.
    running: Vec<Running<R::Place>>,
    released: bool,
    /// When and where each job started; `None` of jobs that the machine has no place for.
    pub(super) starts: Vec<Option<(u64, R::Place)>>,
}

impl<'a, R: Rule> Simulator<'a, R> {
    /// Runs all jobs.
    pub(super) fn run(rule: &'a R, jobs: &'a [Job], most: u32, decisions: Decisions) -> Self {
        let (line, promised, running) = (vec![], vec![], vec![]);
        let starts = vec![None; jobs.len()];
        let most = most as usize;
        let mut all =
            Self { rule, jobs, most, now: 0, line, promised, running, released: false, starts };
        let mut arrived = 0;
        while let Some(now) = all.next_instant(arrived) {
            all.now = now;
            let arrive = jobs[arrived..].iter().take_while(|job| job.submit.ticks() == now).count();
            let arriving = arrived..arrived + arrive;
            arrived += arrive;
            match decisions {
                Decisions::EachInstant => all.instant(arriving),
                Decisions::Planned => all.planned_instant(arriving),
                _ => unreachable!("no test asks for it"),
            }
        }
        all
    }

    fn next_instant(&self, arrived: usize) -> Option<u64> {
        let ends = self.running.iter().map(|it| it.end);
        let arrival = self.jobs.get(arrived).map(|job| job.submit.ticks());
        let asked = |&at: &usize| !self.waits_for_an_end(at);
        let promised =
            (0..self.promised.len()).filter(asked).map(|at| self.promised[at].during.start);
        // One that was not asked for in time is late, and made anew at the next event.
        let promised = promised.filter(|&start| start > self.now);
        ends.chain(arrival).chain(promised).min()
    }

    /// Whether a promise is of the next tick, but only if jobs that run longer than they asked for end by then: their ends are
    /// told.
    fn waits_for_an_end(&self, at: usize) -> bool {
        let Held { place, during } = &self.promised[at];
        if during.start != self.now + 1 {
            return false;
        }
        let mut held = self.beside(at);
        for (it, running) in held.iter_mut().zip(&self.running) {
            it.during.end += u64::from(running.is_over && it.during.end == during.start);
        }
        !self.rule.has(&self.rule.free(&held, &(during.start..during.start + 1)), place)
    }

    /// All ends, all arrivals, one decision.
    fn instant(&mut self, arriving: Range<usize>) {
        while self.end(|_| true) {}
        // All ends are told together, even if there are none.
        self.plan(self.now);
        arriving.for_each(|job| self.arrive(job));
        self.decide();
    }

    /// Ends that were expected; then arrivals, then all ends, with a decision after each.
    fn planned_instant(&mut self, arriving: Range<usize>) {
        let ending = self.running.iter().filter(|it| it.end == self.now);
        let ends: Vec<bool> = ending.map(|it| it.exact).collect();
        let nothing = ends.is_empty() && arriving.is_empty();
        while self.end(|it| it.exact) {
            self.plan(self.now);
        }
        for job in arriving {
            self.arrive(job);
            self.decide();
        }
        for has_ended in ends {
            if !has_ended {
                self.end(|_| true);
                self.plan(self.now);
            }
            self.decide();
        }
        if nothing {
            self.decide();
        }
    }

    /// The first of these jobs that ends now ends; whether there is one.
    fn end(&mut self, which: impl Fn(&Running<R::Place>) -> bool) -> bool {
        let ends = |it: &Running<R::Place>| it.end == self.now && which(it);
        let Some(at) = self.running.iter().position(ends) else { return false };
        let ended = self.running.remove(at);
        self.released |= self.now < ended.held.during.end;
        true
    }

    fn arrive(&mut self, job: usize) {
        let empty = self.rule.free(&[], &(0..1));
        if self.rule.find(&empty, &self.jobs[job]).is_some() {
            self.line.push(job);
            self.plan(self.now);
        }
    }

    /// Starts jobs until none starts.
    fn decide(&mut self) {
        loop {
            self.plan(self.now + 1);
            if !self.start_due() && !self.start_another() {
                return;
            }
        }
    }

    /// Plans after an event. Jobs that should have ended before a time, and still run, hold their places until the next
    /// tick.
    ///
    /// Before the decision of an instant, that time is the instant: a job that should end now may still do so.
    fn plan(&mut self, before: u64) {
        let mut any = false;
        for it in self.running.iter_mut().filter(|it| it.held.during.end < before) {
            it.held.during.end = self.now + 1;
            it.is_over = true;
            any = true;
        }
        if any || self.promised.iter().any(|it| it.during.start < self.now) {
            self.mend();
        }
        if std::mem::take(&mut self.released) {
            self.move_promises();
        }
        self.fill();
    }

    /// Makes promises anew that have lost their time or their place.
    ///
    /// Kept is what is free beside what those in front keep; nobody is moved to an earlier time.
    fn mend(&mut self) {
        let (mut held, mut lost) = (self.held_by_running(), vec![]);
        for (at, promise) in self.promised.iter().enumerate() {
            let Held { place, during } = promise;
            let is_late = during.start < self.now;
            match is_late || !self.rule.has(&self.rule.free(&held, during), place) {
                true => lost.push(at),
                false => held.push(promise.clone()),
            }
        }
        for at in lost {
            let ready = self.now.max(self.promised[at].during.start);
            self.promised[at] = self.earliest_from(ready, &held, self.line[at]);
            held.push(self.promised[at].clone());
        }
    }

    /// Makes promises that are missing.
    fn fill(&mut self) {
        while self.promised.len() < self.most.min(self.line.len()) {
            let next = self.promised.len();
            self.promised.push(self.earliest(&self.beside(next), self.line[next]));
        }
    }

    fn move_promises(&mut self) {
        for at in 0..self.promised.len() {
            self.advance(at);
        }
        while let Some(at) = self.promised.iter().position(|it| it.during.start > self.now) {
            while self.advance(at) {}
            if self.promised[at].during.start > self.now {
                return;
            }
        }
    }

    /// Moves a promise to the earliest time; whether that is earlier.
    fn advance(&mut self, at: usize) -> bool {
        let earliest = self.earliest(&self.beside(at), self.line[at]);
        let is_earlier = earliest.during.start < self.promised[at].during.start;
        if is_earlier {
            self.promised[at] = earliest;
        }
        is_earlier
    }

    fn start_due(&mut self) -> bool {
        let due = self.promised.iter().position(|it| it.during.start == self.now);
        if let Some(at) = due {
            let held = self.promised.remove(at);
            self.start(at, held);
        }
        due.is_some()
    }

    /// The first job without a promise that can start does; whether there is one.
    fn start_another(&mut self) -> bool {
        for at in self.promised.len()..self.line.len() {
            let found = self.place_beside_promises(at).or_else(|| self.place_instead(at));
            if let Some(held) = found {
                self.start(at, held);
                return true;
            }
        }
        false
    }

    fn place_beside_promises(&self, at: usize) -> Option<Held<R::Place>> {
        self.place(&self.beside(self.promised.len()), self.line[at], self.now)
    }

    /// A place in what running jobs leave free, if each promise can then keep its time.
    /// The promises get their new places.
    fn place_instead(&mut self, at: usize) -> Option<Held<R::Place>> {
        let mut held = self.held_by_running();
        let found = self.place(&held, self.line[at], self.now)?;
        held.push(found.clone());
        let first = held.len();
        // A promise further back does not count before its turn.
        for (promise, &job) in self.promised.iter().zip(&self.line) {
            let is_free = self.rule.has(&self.rule.free(&held, &promise.during), &promise.place);
            let kept = is_free.then(|| promise.clone());
            held.push(kept.or_else(|| self.place(&held, job, promise.during.start))?);
        }
        self.promised = held.split_off(first);
        Some(found)
    }

    fn start(&mut self, at: usize, held: Held<R::Place>) {
        let job = self.line.remove(at);
        self.starts[job] = Some((self.now, held.place.clone()));
        let end = self.now + self.jobs[job].run.ticks();
        let exact = end == held.during.end;
        self.running.push(Running { held, end, exact, is_over: false });
    }

    /// All that is held except one promise; everything for a number that no promise has.
    fn beside(&self, at: usize) -> Vec<Held<R::Place>> {
        let others = self.promised.iter().enumerate().filter(|it| it.0 != at);
        self.held_by_running().into_iter().chain(others.map(|it| it.1.clone())).collect()
    }

    fn held_by_running(&self) -> Vec<Held<R::Place>> {
        self.running.iter().map(|it| it.held.clone()).collect()
    }

    fn earliest(&self, held: &[Held<R::Place>], job: usize) -> Held<R::Place> {
        self.earliest_from(self.now, held, job)
    }

    fn earliest_from(&self, ready: u64, held: &[Held<R::Place>], job: usize) -> Held<R::Place> {
        // A place becomes free only where something ends.
        let mut times: Vec<u64> = held.iter().map(|it| it.during.end).collect();
        times.push(ready);
        times.retain(|&time| time >= ready);
        times.sort_unstable();
        times.dedup();
        let mut places = times.into_iter().filter_map(|time| self.place(held, job, time));
        places.next().expect("in the end all is free")
    }

    fn place(&self, held: &[Held<R::Place>], job: usize, start: u64) -> Option<Held<R::Place>> {
        let job = &self.jobs[job];
        let during = start..start + job.requested.unwrap_or(job.run).ticks().max(1);
        let place = self.rule.find(&self.rule.free(held, &during), job)?;
        Some(Held { place, during })
    }
}
