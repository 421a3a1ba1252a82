//! What a queue with promises must do, by its rules word for word.

use super::ground::{Ground, Nodes, PlaceIn};
use crate::machine::earliest;
use locox::dispatch::{self, Cause, Error, Misuse, Refusal};
use locox::handle;
use locox::machine::Machine;
use locox::reserve::Request;
use locox::time::Instant;
use std::rc::Rc;

/// What has become of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits in line, with a promise or without one.
    InLine,
    /// It waits in line and is passed over.
    Held,
    /// It waits for an interval of its own.
    Reserved,
    /// It runs.
    Runs,
    /// It has ended or was cancelled.
    Gone,
}

/// What is known of a job.
#[derive(Clone, Copy, Debug)]
pub struct Job<P> {
    /// Its terms.
    pub terms: dispatch::Job,
    /// The number of its arrival.
    pub number: u64,
    /// What has become of it.
    pub state: State,
    /// From when until when it runs or is to, and where.
    pub at: Option<(u64, u64, P)>,
    /// If it runs, how long its place is taken to be held.
    pub until: u64,
}

/// Nodes out of service.
#[derive(Clone, Copy, Debug)]
struct Outage<P> {
    place: P,
    start: u64,
    end: u64,
}

/// Something that is held: how much, from when until when.
#[derive(Clone, Copy)]
struct Row {
    taken: u64,
    start: u64,
    end: u64,
}

const STALE: Error = Error::Misused(Misuse::Handle(handle::Misuse::Stale));

/// Jobs with the places that they have from now on.
type Moved<G> = Vec<(usize, PlaceIn<G>)>;

/// A queue.
pub struct Naive<G: Nodes> {
    ground: Rc<Ground<G>>,
    /// How many are promised something.
    most: usize,
    entries: usize,
    outages_known: usize,
    /// The present.
    pub now: u64,
    /// All jobs that there ever were.
    pub jobs: Vec<Job<PlaceIn<G>>>,
    outages: Vec<Outage<PlaceIn<G>>>,
    later: [u32; Cause::ALL.len()],
    /// How many have started by rule 4 (B).
    pub replaced: u32,
    /// When some are to start if those end who have run longer than they said.
    overrun: Option<u64>,
}

impl<G: Nodes> Clone for Naive<G> {
    fn clone(&self) -> Self {
        let (ground, jobs, outages) =
            (Rc::clone(&self.ground), self.jobs.clone(), self.outages.clone());
        Self { ground, jobs, outages, ..*self }
    }
}

/// The number of a job's request, which is part of its id.
pub(super) fn request_of(job: &dispatch::Job) -> usize {
    (job.id & 0xFF) as usize
}

impl<G: Nodes> Naive<G> {
    /// An idle machine.
    pub fn new(ground: Rc<Ground<G>>, most: usize, entries: usize, outages_known: usize) -> Self {
        let (jobs, outages) = (vec![], vec![]);
        let (now, later, replaced, overrun) = (0, [0; Cause::ALL.len()], 0, None);
        Self { ground, most, entries, outages_known, now, jobs, outages, later, replaced, overrun }
    }

    /// A job's place among all that there were.
    pub fn find(&self, id: u32) -> Option<usize> {
        self.jobs.iter().position(|job| job.terms.id == id)
    }

    /// The jobs that wait or run.
    pub fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.jobs.len()).filter(|&job| self.jobs[job].state != State::Gone)
    }

    /// Those in a state, in their order.
    pub fn each(&self, state: State) -> Vec<usize> {
        let mut jobs: Vec<usize> =
            self.open().filter(|&job| self.jobs[job].state == state).collect();
        jobs.sort_by_key(|&job| (self.jobs[job].terms.key, self.jobs[job].number));
        jobs
    }

    fn with_interval(&self, state: State) -> Vec<usize> {
        let mut jobs = self.each(state);
        jobs.retain(|&job| self.jobs[job].at.is_some());
        jobs
    }

    /// Those in line that have a promise, in order.
    pub fn promised(&self) -> Vec<usize> {
        self.with_interval(State::InLine)
    }

    /// Those that wait with an interval: first their own ones, then promises.
    fn waiting(&self) -> Vec<usize> {
        [self.with_interval(State::Reserved), self.promised()].concat()
    }

    fn start_of(&self, job: usize) -> Option<u64> {
        self.jobs[job].at.map(|(start, _, _)| start)
    }

    fn is_due(&self, job: usize) -> bool {
        self.start_of(job).is_some_and(|start| start <= self.now)
    }

    /// All that is held, but for some jobs.
    fn rows(&self, without: impl Fn(usize) -> bool) -> Vec<Row> {
        let taken = |place: &PlaceIn<G>| self.ground.nodes.of(place);
        let of_jobs = self.open().filter(|&job| !without(job)).filter_map(|job| {
            let Job { state, at, until, .. } = &self.jobs[job];
            let (start, end, place) = at.as_ref()?;
            let end = if *state == State::Runs { *until } else { *end };
            Some(Row { taken: taken(place), start: *start, end })
        });
        let out = |it: &Outage<_>| Row { taken: taken(&it.place), start: it.start, end: it.end };
        of_jobs.chain(self.outages.iter().map(out)).collect()
    }

    fn free_at(&self, rows: &[Row], tick: u64) -> u64 {
        let nodes = &self.ground.nodes;
        let holds = rows.iter().filter(|row| (row.start..row.end).contains(&tick));
        holds.fold(nodes.all(), |free, row| nodes.without(free, row.taken))
    }

    /// What is free throughout.
    fn free(&self, rows: &[Row], ticks: std::ops::Range<u64>) -> u64 {
        let nodes = &self.ground.nodes;
        ticks.fold(nodes.all(), |free, tick| nodes.both(free, self.free_at(rows, tick)))
    }

    fn has(&self, rows: &[Row], (start, end, place): &(u64, u64, PlaceIn<G>)) -> bool {
        let nodes = &self.ground.nodes;
        nodes.has(self.free(rows, *start..*end), nodes.of(place))
    }

    /// The earliest time from an instant on at which a job has a place beside what is held, and that place.
    fn earliest_beside(
        &self,
        rows: &[Row],
        job: &dispatch::Job,
        ready: u64,
    ) -> Option<(u64, u64, PlaceIn<G>)> {
        let (nodes, duration) = (&self.ground.nodes, job.requested.ticks());
        let ends = rows.iter().map(|row| row.end).filter(|&end| end != u64::MAX);
        // From there on nothing changes.
        let last = ends.fold(ready, u64::max);
        let free: Vec<u64> =
            (ready..last + duration).map(|tick| self.free_at(rows, tick)).collect();
        let place = |start: u64| {
            let during = &free[(start - ready) as usize..][..duration as usize];
            let free = during.iter().fold(nodes.all(), |all, &free| nodes.both(all, free));
            self.ground.place(request_of(job), free)
        };
        let start = earliest(ready, last + 1, |start| place(start).is_some())?;
        place(start).map(|place| (start, start + duration, place))
    }

    /// When and where a job could start if it were promised something now.
    pub fn ask(&mut self, now: u64, job: &dispatch::Job) -> Option<(u64, u64, PlaceIn<G>)> {
        match self.admit(job) {
            Ok(()) | Err(Error::Refused(Refusal::Full { .. })) => {}
            Err(_) => return None,
        }
        let Ground { nodes, requests, .. } = &*self.ground;
        let request = request_of(job);
        let has_place = self.ground.place(request, nodes.all()).is_some();
        if !has_place || job.pes > nodes.machine().size(&requests[request]) {
            return None;
        }
        let lost = self.lapse(now, false);
        self.settle(lost);
        self.earliest(now, job)
    }

    fn earliest(&self, now: u64, job: &dispatch::Job) -> Option<(u64, u64, PlaceIn<G>)> {
        self.earliest_beside(&self.rows(|_| false), job, now.max(self.now))
    }

    /// A job gets an interval and a place, or none.
    fn put(&mut self, job: usize, at: Option<(u64, u64, PlaceIn<G>)>) {
        let it = &mut self.jobs[job];
        it.at = at;
    }

    fn found_beside_others(&self, job: usize, ready: u64) -> Option<(u64, u64, PlaceIn<G>)> {
        self.earliest_beside(&self.rows(|it| it == job), &self.jobs[job].terms, ready)
    }

    /// Everything that waits with an interval keeps it, or gets another. Whether a promise is no more.
    fn look_again(&mut self, cause: Cause) -> bool {
        let (mut lost, mut anew) = (false, self.waiting());
        for job in anew.clone() {
            let Some(at) = self.jobs[job].at else { continue };
            if at.0 >= self.now && self.has(&self.rows(|it| anew.contains(&it)), &at) {
                anew.retain(|it| *it != job);
            }
        }
        while !anew.is_empty() {
            let rows = self.rows(|it| anew.contains(&it));
            let job = anew.remove(0);
            let Some(at) = self.jobs[job].at else { continue };
            let found = self.earliest_beside(&rows, &self.jobs[job].terms, at.0.max(self.now));
            let is_later = found.is_none_or(|(start, _, _)| start > at.0);
            self.later[cause_number(cause)] += u32::from(is_later);
            lost |= found.is_none();
            self.put(job, found);
        }
        lost
    }

    /// Time passes to an instant, or to just before it. Whether a promise is no more.
    fn lapse(&mut self, now: u64, included: bool) -> bool {
        self.now = self.now.max(now);
        let now = self.now;
        self.outages.retain(|it| it.end > now);
        let (mut overruns, mut lost) = (false, false);
        for job in self.each(State::Runs) {
            let until = &mut self.jobs[job].until;
            if *until < now || included && *until == now {
                *until = now + 1;
                overruns = true;
            }
        }
        if overruns {
            lost |= self.look_again(Cause::Overrun);
        }
        let starts = self.waiting().into_iter().filter_map(|job| self.start_of(job));
        let late: Vec<u64> = starts.filter(|&start| start < now).collect();
        if !late.is_empty() {
            let overrun = late.iter().all(|&start| Some(start) == self.overrun);
            lost |= self.look_again(if overrun { Cause::Overrun } else { Cause::NotStarted });
        }
        lost
    }

    /// Moves a promise to the earliest time, if that is earlier; whether it was.
    fn move_up(&mut self, job: usize) -> bool {
        let found = self.found_beside_others(job, self.now);
        let is_earlier = found.map(|it| it.0) < self.start_of(job);
        if is_earlier && found.is_some() {
            self.put(job, found);
        }
        is_earlier && found.is_some()
    }

    /// Rule 2.
    fn move_all_up(&mut self) {
        for job in self.promised() {
            self.move_up(job);
        }
        while let Some(first) = self.promised().into_iter().find(|&job| !self.is_due(job)) {
            while self.move_up(first) {}
            if !self.is_due(first) {
                return;
            }
        }
    }

    /// Rule 1.
    fn fill(&mut self) {
        loop {
            for job in self.each(State::Reserved) {
                if self.jobs[job].at.is_none() {
                    let found =
                        self.found_beside_others(job, self.now.max(self.jobs[job].terms.key));
                    self.put(job, found);
                }
            }
            let (mut count, mut lost) = (0, false);
            for job in self.each(State::InLine) {
                if count == self.most {
                    let passed = self.jobs[job].at.take().is_some();
                    self.later[cause_number(Cause::Passed)] += u32::from(passed);
                    lost |= passed;
                    continue;
                }
                if self.jobs[job].at.is_none() {
                    let found = self.found_beside_others(job, self.now);
                    self.put(job, found);
                }
                count += usize::from(self.jobs[job].at.is_some());
            }
            if !lost {
                return;
            }
            self.move_all_up();
        }
    }

    /// What follows each event.
    fn settle(&mut self, released: bool) {
        if released {
            self.move_all_up();
        }
        self.fill();
        let next = self.now + 1;
        let mut starts = self.waiting();
        starts.retain(|&job| self.start_of(job) == Some(next));
        let wait = !starts.is_empty() && starts.into_iter().all(|job| self.waits_for_an_end(job));
        self.overrun = wait.then_some(next);
    }

    fn add(&mut self, terms: dispatch::Job, state: State) -> usize {
        let number = self.jobs.len() as u64;
        self.jobs.push(Job { terms, number, state, at: None, until: 0 });
        self.jobs.len() - 1
    }

    /// What a job holds is given up; whether that matters to anybody.
    fn give_up(&mut self, job: usize) -> bool {
        let now = self.now;
        let Job { state, at, until, .. } = &mut self.jobs[job];
        let held = at.take().map(|(_, end, _)| if *state == State::Runs { *until } else { end });
        held.is_some_and(|end| end > now)
    }

    fn is_full(&self) -> bool {
        self.open().count() >= self.entries
    }

    /// Why a job is not let in, but for what has to do with times.
    fn admit(&self, job: &dispatch::Job) -> Result<(), Error> {
        let Ground { nodes, requests, .. } = &*self.ground;
        let request = request_of(job);
        if job.pes == 0 {
            return Err(Misuse::NoPes.into());
        }
        if job.requested.ticks() == 0 {
            return Err(Misuse::NoTime.into());
        }
        if job.pes > nodes.nodes() {
            return Err(Refusal::TooLarge { pes: nodes.nodes() }.into());
        }
        if self.is_full() {
            return Err(Refusal::Full { entries: self.entries as u32 }.into());
        }
        let has_place = self.ground.place(request, nodes.all()).is_some();
        if !has_place || job.pes > nodes.machine().size(&requests[request]) {
            return Err(Refusal::NoPlace.into());
        }
        if self.is_full() {
            return Err(Refusal::Full { entries: self.entries as u32 }.into());
        }
        Ok(())
    }

    /// A job arrives.
    pub fn push(&mut self, now: u64, job: dispatch::Job) -> Result<(), Error> {
        self.admit(&job)?;
        let lost = self.lapse(now, false);
        self.add(job, State::InLine);
        self.settle(lost);
        Ok(())
    }

    /// The nodes without jobs that run.
    pub fn idle(&self) -> u64 {
        let running = self.each(State::Runs).into_iter().filter_map(|job| self.jobs[job].at);
        let taken = running.map(|(_, _, place)| self.ground.nodes.of(&place));
        taken.fold(self.ground.nodes.all(), |free, taken| self.ground.nodes.without(free, taken))
    }

    /// Why a job cannot be running.
    pub fn check_adopted(
        &self,
        now: u64,
        job: &dispatch::Job,
        started: u64,
        place: Option<&PlaceIn<G>>,
    ) -> Result<(), Error> {
        let nodes = &self.ground.nodes;
        let running: u32 =
            self.each(State::Runs).into_iter().map(|it| self.jobs[it].terms.pes).sum();
        let free = nodes.nodes().saturating_sub(running);
        if job.pes == 0 {
            return Err(Misuse::NoPes.into());
        }
        if job.requested.ticks() == 0 {
            return Err(Misuse::NoTime.into());
        }
        if started > now.max(self.now) {
            return Err(Misuse::Future.into());
        }
        if job.pes > nodes.nodes() {
            return Err(Refusal::TooLarge { pes: nodes.nodes() }.into());
        }
        if job.pes > free {
            return Err(Refusal::TooFewFree { needed: job.pes, free }.into());
        }
        if self.is_full() {
            return Err(Refusal::Full { entries: self.entries as u32 }.into());
        }
        if place.is_some_and(|place| !nodes.has(self.idle(), nodes.of(place))) {
            return Err(Refusal::Occupied.into());
        }
        if self.is_full() {
            return Err(Refusal::Full { entries: self.entries as u32 }.into());
        }
        Ok(())
    }

    /// A job runs already.
    pub fn adopt_at(
        &mut self,
        now: u64,
        job: dispatch::Job,
        started: u64,
        place: PlaceIn<G>,
    ) -> Result<(), Error> {
        self.check_adopted(now, &job, started, Some(&place))?;
        self.now = self.now.max(now);
        let end = started + job.requested.ticks();
        let row = self.add(job, State::Runs);
        self.jobs[row].at = Some((started, end, place));
        self.jobs[row].until = end;
        let mut lost = self.lapse(now, false);
        lost |= self.look_again(Cause::Adoption);
        self.settle(lost);
        Ok(())
    }

    /// A job gets an interval of its own.
    pub fn reserve(&mut self, now: u64, id: u32, request: &Request) -> Result<(u64, u64), Error> {
        let job = dispatch::Job::new(id, request.pes).within(request.duration);
        if request.pes > 0 && request.duration.ticks() > 0 {
            let least = request.ready.saturating_add(request.duration);
            if request.deadline.is_some_and(|deadline| deadline < least) {
                return Err(Misuse::DeadlineTooEarly.into());
            }
        }
        self.admit(&job)?;
        let lost = self.lapse(now, false);
        let found = self.earliest(request.ready.ticks(), &job);
        let refusal = match found {
            None => Some(Refusal::Overflow),
            Some((_, end, _)) => {
                let finish = Instant::from_ticks(end);
                let is_late = request.deadline.is_some_and(|deadline| finish > deadline);
                is_late.then_some(Refusal::Late { finish })
            }
        };
        if refusal.is_none() {
            let row = self.add(job, State::Reserved);
            self.put(row, found);
            self.jobs[row].terms.key = found.map_or(0, |it| it.0);
        }
        self.settle(lost);
        let at = found.map(|(start, end, _)| (start, end)).unwrap_or_default();
        refusal.map_or(Ok(at), |refusal| Err(refusal.into()))
    }

    fn known(&self, id: u32, refused: &[(State, Misuse)]) -> Result<usize, Error> {
        let job = self.find(id).filter(|&job| self.jobs[job].state != State::Gone).ok_or(STALE)?;
        let is = |(state, _): &&(State, Misuse)| *state == self.jobs[job].state;
        refused.iter().find(is).map_or(Ok(job), |(_, misuse)| Err((*misuse).into()))
    }

    fn running(&self, id: u32) -> Result<usize, Error> {
        let waits = [State::InLine, State::Held, State::Reserved];
        self.known(id, &waits.map(|state| (state, Misuse::Waits)))
    }

    /// Jobs that run have ended.
    pub fn finish(&mut self, now: u64, ids: &[u32]) -> Result<(), Error> {
        let jobs: Vec<usize> = ids.iter().map(|&id| self.running(id)).collect::<Result<_, _>>()?;
        self.now = self.now.max(now);
        let mut released = false;
        for job in jobs {
            released |= self.give_up(job);
            self.jobs[job].state = State::Gone;
        }
        released |= self.lapse(now, false);
        self.settle(released);
        Ok(())
    }

    /// A job that waits is no more.
    pub fn cancel(&mut self, now: u64, id: u32) -> Result<(), Error> {
        let job = self.known(id, &[(State::Runs, Misuse::Runs)])?;
        self.now = self.now.max(now);
        let mut released = self.give_up(job);
        self.jobs[job].state = State::Gone;
        released |= self.lapse(now, false);
        self.settle(released);
        Ok(())
    }

    /// A job that runs waits again.
    pub fn requeue(&mut self, now: u64, id: u32) -> Result<(), Error> {
        let job = self.running(id)?;
        self.now = self.now.max(now);
        self.give_up(job);
        self.jobs[job].state = State::InLine;
        self.lapse(now, false);
        self.settle(true);
        Ok(())
    }

    /// A job in line is held.
    pub fn hold(&mut self, now: u64, id: u32) -> Result<(), Error> {
        let refused = [(State::Runs, Misuse::Runs), (State::Reserved, Misuse::Reserved)];
        let job = self.known(id, &refused)?;
        let mut released = self.lapse(now, false);
        self.jobs[job].state = State::Held;
        released |= self.jobs[job].at.take().is_some();
        self.settle(released);
        Ok(())
    }

    /// A job that was held is offered again.
    pub fn release(&mut self, now: u64, id: u32) -> Result<(), Error> {
        let job = self.known(id, &[(State::Runs, Misuse::Runs)])?;
        let lost = self.lapse(now, false);
        if self.jobs[job].state == State::Held {
            self.jobs[job].state = State::InLine;
        }
        self.settle(lost);
        Ok(())
    }

    /// A job in line has another key.
    pub fn rekey(&mut self, now: u64, id: u32, key: u64) -> Result<(), Error> {
        let refused = [(State::Runs, Misuse::Runs), (State::Reserved, Misuse::Reserved)];
        let job = self.known(id, &refused)?;
        self.now = self.now.max(now);
        self.jobs[job].terms.key = key;
        self.settle(false);
        Ok(())
    }

    /// Nodes are out of service from when until when.
    pub fn withdraw(
        &mut self,
        now: u64,
        place: PlaceIn<G>,
        (start, end): (u64, u64),
    ) -> Result<(), Error> {
        let nodes = &self.ground.nodes;
        let now = now.max(self.now);
        if end <= start {
            return Err(Misuse::NoTime.into());
        }
        if !nodes.has(nodes.all(), nodes.of(&place)) {
            return Err(Refusal::NoPlace.into());
        }
        if self.outages.iter().filter(|it| it.end > now).count() >= self.outages_known {
            return Err(Refusal::NoRow.into());
        }
        let mut lost = self.lapse(now, false);
        self.outages.push(Outage { place, start, end });
        lost |= self.look_again(Cause::Outage);
        self.settle(lost);
        Ok(())
    }

    /// An outage ends now.
    pub fn repair(&mut self, now: u64, place: &PlaceIn<G>) -> Result<(), Error> {
        let now = now.max(self.now);
        let is_it = |it: &Outage<PlaceIn<G>>| it.place == *place && it.end > now;
        let these = (0..self.outages.len()).filter(|&it| is_it(&self.outages[it]));
        let Some(first) = these.min_by_key(|&it| self.outages[it].end) else {
            return Err(Misuse::Outage.into());
        };
        self.outages.remove(first);
        self.lapse(now, false);
        self.settle(true);
        Ok(())
    }

    /// The places of all outages that are known, and when these end.
    pub fn outages(&self) -> impl Iterator<Item = (PlaceIn<G>, u64)> {
        self.outages.iter().map(|it| (it.place, it.end))
    }

    /// Who starts: the first that the machine takes.
    pub fn next(
        &mut self,
        now: u64,
        start: &mut dyn FnMut(&dispatch::Job, &PlaceIn<G>) -> bool,
    ) -> Option<usize> {
        let lost = self.lapse(now, true);
        self.settle(lost);
        let due: Vec<usize> = self.waiting().into_iter().filter(|&job| self.is_due(job)).collect();
        for job in due {
            let Some((_, _, place)) = self.jobs[job].at else { continue };
            if start(&self.jobs[job].terms, &place) {
                return Some(self.start(job, place, &[]));
            }
        }
        let mut others = self.each(State::InLine);
        others.retain(|&job| self.jobs[job].at.is_none());
        for job in others {
            let Some((place, moved)) = self.behind(job) else { continue };
            if start(&self.jobs[job].terms, &place) {
                return Some(self.start(job, place, &moved));
            }
        }
        None
    }

    fn start(&mut self, job: usize, place: PlaceIn<G>, moved: &[(usize, PlaceIn<G>)]) -> usize {
        let end = self.now + self.jobs[job].terms.requested.ticks();
        self.jobs[job].state = State::Runs;
        self.jobs[job].at = Some((self.now, end, place));
        self.jobs[job].until = end;
        for &(other, place) in moved {
            if let Some(at) = &mut self.jobs[other].at {
                at.2 = place;
            }
        }
        self.replaced += u32::from(!moved.is_empty());
        self.settle(false);
        job
    }

    /// Rule 4: where a job without a promise starts, and where promises are then.
    fn behind(&self, job: usize) -> Option<(PlaceIn<G>, Moved<G>)> {
        let terms = &self.jobs[job].terms;
        let end = self.now + terms.requested.ticks();
        let free = self.free(&self.rows(|_| false), self.now..end);
        if let Some(place) = self.ground.place(request_of(terms), free) {
            return Some((place, vec![]));
        }
        let promised = self.promised();
        let mut rows = self.rows(|it| promised.contains(&it));
        let place = self.ground.place(request_of(terms), self.free(&rows, self.now..end))?;
        rows.push(Row { taken: self.ground.nodes.of(&place), start: self.now, end });
        self.beside(rows).map(|moved| (place, moved))
    }

    /// Where promises are beside something else, in order: where they were, or somewhere at the same time.
    fn beside(&self, mut rows: Vec<Row>) -> Option<Moved<G>> {
        let nodes = &self.ground.nodes;
        let mut moved = vec![];
        for job in self.promised() {
            let Job { at: Some(at), terms, .. } = self.jobs[job] else { continue };
            let (start, end, mut place) = at;
            if !self.has(&rows, &at) {
                place = self.ground.place(request_of(&terms), self.free(&rows, start..end))?;
            }
            rows.push(Row { taken: nodes.of(&place), start, end });
            moved.push((job, place));
        }
        Some(moved)
    }

    /// Whether a job without a promise that does not start now would by rule 4 (B) if another place were tried.
    pub fn would_start_elsewhere(&self) -> bool {
        let (nodes, promised) = (&self.ground.nodes, self.promised());
        let mut others = self.each(State::InLine);
        others.retain(|&job| self.jobs[job].at.is_none() && self.behind(job).is_none());
        others.into_iter().any(|job| {
            let terms = &self.jobs[job].terms;
            let end = self.now + terms.requested.ticks();
            let rows = self.rows(|it| promised.contains(&it));
            let free = self.free(&rows, self.now..end);
            let choices = nodes.choices(&self.ground.requests[request_of(terms)]);
            choices.into_iter().filter(|&it| nodes.has(free, it)).any(|taken| {
                let mut rows = rows.clone();
                rows.push(Row { taken, start: self.now, end });
                self.beside(rows).is_some()
            })
        })
    }

    /// Whether a job is to start at the next tick, but only if those that have run longer than they said end by then.
    fn waits_for_an_end(&self, job: usize) -> bool {
        let Some((start, _, place)) = self.jobs[job].at.filter(|at| at.0 == self.now + 1) else {
            return false;
        };
        let mut on = self.clone();
        for other in self.each(State::Runs) {
            let Job { at: Some((began, ..)), until, terms, .. } = &mut on.jobs[other] else {
                continue;
            };
            if *until == start && *began + terms.requested.ticks() < start {
                *until += 1;
            }
        }
        !on.has(&on.rows(|it| it == job), &(start, start + 1, place))
    }

    /// When somebody is to start who does not now.
    pub fn wake_at(&self) -> Option<u64> {
        let waiting = self.waiting().into_iter().filter(|&job| !self.waits_for_an_end(job));
        let starts = waiting.filter_map(|job| self.start_of(job));
        // Nobody tells of the end of an outage.
        let waits = self.open().any(|job| self.jobs[job].state != State::Runs);
        let ends = self.outages.iter().map(|it| it.end);
        let ends = ends.filter(|&end| waits && end < u64::MAX);
        starts.chain(ends).filter(|&start| start > self.now).min()
    }

    /// How often something is later for a cause.
    pub fn later(&self, cause: Cause) -> u32 {
        self.later[cause_number(cause)]
    }

    /// How many are promised something.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The machine.
    pub fn ground(&self) -> &Ground<G> {
        &self.ground
    }
}

fn cause_number(cause: Cause) -> usize {
    Cause::ALL.iter().position(|it| *it == cause).unwrap_or_default()
}
