//! What a planner must do, computed anew for each question from one count per unit of time.

/// What has become of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It waits, and is planned by the rule.
    InLine,
    /// It waits for the time that it was promised.
    Reserved,
    /// It waits, and is passed over.
    Held,
    /// It runs.
    Runs,
    /// It ended or was cancelled.
    Gone,
}

/// What is known of a job.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// PEs that it needs.
    pub pes: u32,
    /// How long it says it runs.
    pub requested: u64,
    /// Where it stands in line.
    pub key: u64,
    /// What has become of it.
    pub state: State,
    /// When it is to run, or has been to run since it started.
    pub planned: Option<(u64, u64)>,
    /// What is noted of it in the profile.
    pub booked: Option<(u64, u64)>,
}

/// Jobs are known by the order in which they came.
#[derive(Clone, Debug)]
pub struct Naive {
    /// Whether every job is promised its start, not the first in line alone.
    pub conservative: bool,
    /// How many jobs may be tried behind the first one; if all are promised their start, how many
    /// are moved as far as they can after an early end, where others start now or stay.
    pub depth: usize,
    /// Whether those behind them are moved as far as they can too, `depth` a time, when it is asked
    /// who starts.
    pub in_steps: bool,
    /// The key and number of the first of them that has not been looked at.
    pub left: Option<(u64, usize)>,
    /// Whether jobs from there on may have no interval although enough PEs serve.
    pub unplanned: bool,
    /// Whether a job with a deadline may have another interval than it was given.
    pub displaced: bool,
    /// PEs of the machine.
    pub pes: u32,
    /// Those of them that are out of service.
    pub out: u32,
    /// The present.
    pub now: u64,
    /// All jobs that there ever were.
    pub jobs: Vec<Job>,
}

impl Naive {
    /// Without a job.
    pub fn new(conservative: bool, depth: usize, in_steps: bool, pes: u32) -> Self {
        let (left, unplanned, displaced, out, now) = (None, false, false, 0, 0);
        let jobs = vec![];
        Self { conservative, depth, in_steps, left, unplanned, displaced, pes, out, now, jobs }
    }

    /// The jobs in a state: those in line by their keys, those with an interval of their own by
    /// the start of that, else the first to come first.
    pub fn each(&self, state: State) -> Vec<usize> {
        let mut jobs: Vec<usize> =
            (0..self.jobs.len()).filter(|&job| self.jobs[job].state == state).collect();
        match state {
            State::InLine | State::Reserved => jobs.sort_by_key(|&job| self.jobs[job].key),
            State::Held | State::Runs | State::Gone => {}
        }
        jobs
    }

    /// PEs in service.
    pub fn serving(&self) -> u32 {
        self.pes - self.out
    }

    fn free(&self) -> u32 {
        let running = self.each(State::Runs);
        let held = running.iter().map(|&job| self.jobs[job].pes).sum::<u32>();
        self.serving().saturating_sub(held)
    }

    /// Whether a job's time has come.
    fn is_due(&self, job: usize) -> bool {
        let Job { pes, planned, .. } = self.jobs[job];
        pes <= self.serving() && planned.is_some_and(|(start, _)| start <= self.now)
    }

    fn late_reserved(&self) -> u32 {
        let late = |&job: &usize| self.is_due(job);
        let late = self.each(State::Reserved).into_iter().filter(late);
        late.map(|job| self.jobs[job].pes).sum()
    }

    fn fits(&self, pes: u32, from: u64, to: u64, except: Option<usize>) -> bool {
        (from..to).all(|time| {
            let holds = |(at, job): (usize, &Job)| {
                let inside = job.booked.is_some_and(|(start, end)| start <= time && time < end);
                if inside && Some(at) != except { job.pes } else { 0 }
            };
            self.jobs.iter().enumerate().map(holds).sum::<u32>() + pes <= self.serving()
        })
    }

    /// A job gets an interval, if there is one.
    fn put(&mut self, job: usize, start: Option<u64>) {
        let Job { requested, planned, booked, .. } = &mut self.jobs[job];
        *planned = start.map(|start| (start, start + *requested));
        *booked = *planned;
    }

    /// Gives a job the earliest interval from an instant on, if enough PEs serve.
    fn place(&mut self, job: usize, from: u64) {
        let Job { pes, requested, .. } = self.jobs[job];
        let fits = |&start: &u64| self.fits(pes, start, start + requested, None);
        let start = (pes <= self.serving()).then(|| (from..).find(fits).unwrap());
        self.put(job, start);
    }

    /// A job has come in line, and is not promised what those before it may need that have no interval yet.
    fn enter(&mut self, job: usize) {
        let Job { pes, requested, key, .. } = self.jobs[job];
        let waits = self.unplanned && self.left.is_some_and(|left| left <= (key, job));
        let serves = !waits && pes <= self.serving();
        self.put(job, serves.then(|| self.earliest(pes, requested, self.now)));
    }

    fn earliest(&self, pes: u32, requested: u64, from: u64) -> u64 {
        let free = self.free().saturating_sub(self.late_reserved());
        let from = if from <= self.now && pes > free { self.now + 1 } else { from };
        (from..).find(|&start| self.fits(pes, start, start + requested, None)).unwrap()
    }

    /// A job joins the line. It has no interval if it asks for more PEs than are in service.
    pub fn push(&mut self, pes: u32, requested: u64, key: u64) {
        let (state, planned, booked) = (State::InLine, None, None);
        self.settle();
        self.jobs.push(Job { pes, requested, key, state, planned, booked });
        if self.conservative {
            self.enter(self.jobs.len() - 1);
        }
    }

    /// PEs of the machine on which nothing runs.
    pub fn idle(&self) -> u32 {
        let running = self.each(State::Runs);
        self.pes - running.iter().map(|&job| self.jobs[job].pes).sum::<u32>()
    }

    /// A job runs already.
    pub fn adopt(&mut self, pes: u32, requested: u64, key: u64, started: u64) {
        let end = started + requested;
        let (planned, rest) = (Some((started, end)), (self.now, end.max(self.now)));
        // Where all are planned anew, nobody who waits has what it takes.
        let lacks =
            |&(from, to): &(u64, u64)| !self.fits(pes, from.max(rest.0), to.min(rest.1), None);
        let waits = |job: &&Job| matches!(job.state, State::InLine | State::Reserved);
        let taken =
            self.jobs.iter().filter(waits).any(|job| job.booked.as_ref().is_some_and(lacks));
        self.jobs.push(Job {
            pes,
            requested,
            key,
            state: State::Runs,
            planned,
            booked: Some(rest),
        });
        if self.conservative && taken {
            self.plan_anew();
        }
        self.settle();
    }

    /// A job whose time has passed has the present from now on. If that is in the way of others, all are planned
    /// anew. Whether they were.
    pub fn settle(&mut self) -> bool {
        if !self.conservative {
            return false;
        }
        for job in self.each(State::Reserved).into_iter().chain(self.each(State::InLine)) {
            let Job { pes, requested, planned, state, .. } = self.jobs[job];
            if planned.is_some_and(|(start, _)| start < self.now) {
                self.displaced |= state == State::Reserved;
                if !self.fits(pes, self.now, self.now + requested, Some(job)) {
                    self.plan_anew();
                    return true;
                }
                self.put(job, Some(self.now));
            }
        }
        false
    }

    /// All have no interval, and get theirs one after the other.
    fn plan_anew(&mut self) {
        for job in self.each(State::InLine).into_iter().chain(self.each(State::Reserved)) {
            self.put(job, None);
        }
        for job in self.each(State::Runs) {
            let Job { planned, booked, .. } = &mut self.jobs[job];
            let ran = planned.map_or(0, |(start, _)| self.now - start);
            if booked.is_none_or(|(_, end)| end <= self.now) {
                *booked = Some((self.now, self.now + ran.max(1)));
            }
        }
        for job in self.each(State::Reserved) {
            let Job { pes, requested, key, .. } = self.jobs[job];
            if key >= self.now && self.fits(pes, key, key + requested, None) {
                self.put(job, Some(key));
            }
        }
        self.displaced = false;
        for job in self.each(State::Reserved) {
            if self.jobs[job].booked.is_none() {
                self.displaced = true;
                self.place(job, self.jobs[job].key.max(self.now));
            }
        }
        (self.left, self.unplanned) = (Some((0, 0)), true);
        self.compress((0, 0), 0);
    }

    /// What the first job in line is promised.
    pub fn promise(&self) -> Option<(usize, u64, u64)> {
        let line = self.each(State::InLine).into_iter().filter(|_| !self.conservative);
        let head = line.into_iter().find(|&job| self.jobs[job].pes <= self.serving())?;
        let Job { pes, requested, .. } = self.jobs[head];
        let start = self.earliest(pes, requested, self.now);
        Some((head, start, start + requested))
    }

    /// The interval of a job with a deadline, or how early it could end.
    pub fn reserve(
        &mut self,
        pes: u32,
        requested: u64,
        ready: u64,
        deadline: u64,
    ) -> Result<(u64, u64), u64> {
        self.settle();
        let start = self.earliest(pes, requested, ready.max(self.now));
        if start + requested > deadline {
            return Err(start + requested);
        }
        let planned = Some((start, start + requested));
        let booked = planned;
        self.jobs.push(Job { pes, requested, key: start, state: State::Reserved, planned, booked });
        Ok((start, start + requested))
    }

    /// The job that starts next on a machine that takes some, and those that it is offered.
    pub fn start_next(&mut self, takes: impl Fn(usize) -> bool) -> (Vec<usize>, Option<usize>) {
        let mut offered = vec![];
        let started = if self.conservative {
            self.pick_due(&takes, &mut offered)
        } else {
            self.pick(&takes, &mut offered)
        };
        if let Some(job) = started {
            let start = self.now;
            self.put(job, Some(start));
            self.jobs[job].state = State::Runs;
        }
        (offered, started)
    }

    /// The first of a state whose time has come, if it finds free PEs and is taken; those before it keep theirs.
    fn due(
        &self,
        state: State,
        free: &mut u32,
        takes: &impl Fn(usize) -> bool,
        offered: &mut Vec<usize>,
    ) -> Option<usize> {
        for job in self.each(state) {
            if *free > 0 && self.is_due(job) {
                if self.jobs[job].pes <= *free {
                    offered.push(job);
                    if takes(job) {
                        return Some(job);
                    }
                }
                *free -= self.jobs[job].pes.min(*free);
            }
        }
        None
    }

    fn pick_due(
        &mut self,
        takes: &impl Fn(usize) -> bool,
        offered: &mut Vec<usize>,
    ) -> Option<usize> {
        self.settle();
        let mut free = self.free();
        let reserved = self.due(State::Reserved, &mut free, takes, offered);
        if reserved.is_some() {
            return reserved;
        }
        if let Some(place) = self.left {
            self.compress(place, self.free() - free);
        }
        self.due(State::InLine, &mut free, takes, offered)
    }

    fn pick(&self, takes: &impl Fn(usize) -> bool, offered: &mut Vec<usize>) -> Option<usize> {
        let mut free = self.free();
        let (head, start, end) = self.promise()?;
        if start == self.now {
            offered.push(head);
            if takes(head) {
                return Some(head);
            }
            free -= self.jobs[head].pes;
        }
        let mut with_head = self.clone();
        with_head.jobs[head].booked = Some((start, end));
        let starts = |&job: &usize| {
            let Job { pes, requested, .. } = self.jobs[job];
            pes <= free && with_head.fits(pes, self.now, self.now + requested, None)
        };
        let is_served = |&job: &usize| self.jobs[job].pes <= self.serving();
        let line = self.each(State::InLine).into_iter().filter(is_served);
        let behind = line.skip_while(|&job| job != head).skip(1).take(self.depth);
        behind.filter(starts).inspect(|&job| offered.push(job)).find(|&job| takes(job))
    }

    /// What somebody had is offered to those in line, as far as it is yet to come.
    fn offer(&mut self, had: Option<(u64, u64)>) {
        if !self.conservative || self.settle() || had.is_none_or(|(_, end)| end <= self.now) {
            return;
        }
        if self.displaced {
            self.bring_back();
        }
        self.compress((0, 0), 0);
    }

    /// Jobs with deadlines have their own intervals again, or else earlier ones, where nobody else is in the way.
    fn bring_back(&mut self) {
        for own in [true, false] {
            for job in self.each(State::Reserved) {
                let Job { pes, requested, key, planned, .. } = self.jobs[job];
                let Some((had, _)) = planned.filter(|&(start, _)| start != key) else { continue };
                let fits = |&start: &u64| self.fits(pes, start, start + requested, Some(job));
                let found = (key.max(self.now)..had).find(fits);
                if let Some(start) = found.filter(|&start| !own || start == key) {
                    self.put(job, Some(start));
                }
            }
        }
        let is_back =
            |&job: &usize| self.jobs[job].planned.is_some_and(|at| at.0 == self.jobs[job].key);
        self.displaced = !self.each(State::Reserved).iter().all(is_back);
    }

    /// Jobs end at once, or one is cancelled.
    pub fn leave(&mut self, jobs: &[usize]) {
        let mut had = None;
        for &job in jobs {
            self.jobs[job].state = State::Gone;
            had = had.max(self.jobs[job].booked.take().map(|(_, end)| (end, end)));
        }
        self.offer(had);
    }

    /// A job that runs waits again.
    pub fn requeue(&mut self, job: usize) {
        let had = self.jobs[job].booked.take();
        (self.jobs[job].state, self.jobs[job].planned) = (State::InLine, None);
        if self.conservative && !self.settle() {
            self.enter(job);
            self.offer(had);
        }
    }

    /// A job in line is held.
    pub fn hold(&mut self, job: usize) {
        let Job { state, planned, booked, .. } = &mut self.jobs[job];
        let had = booked.take();
        (*state, *planned) = (State::Held, None);
        self.offer(had);
    }

    /// A job that was held is in line again.
    pub fn release(&mut self, job: usize) {
        self.jobs[job].state = State::InLine;
        if self.conservative && !self.settle() {
            self.enter(job);
        }
    }

    /// A job that waits has another key.
    pub fn rekey(&mut self, job: usize, key: u64) {
        self.jobs[job].key = key;
        self.settle();
        let Job { state, booked, .. } = self.jobs[job];
        if self.unplanned && state == State::InLine && booked.is_none() {
            self.left = self.left.min(Some((key, job)));
        }
    }

    /// So many PEs are out of service from now on; all are planned anew.
    pub fn set_out(&mut self, out: u32) {
        self.out = out;
        if self.conservative {
            self.plan_anew();
        }
    }

    /// When a job will start if each takes as long as it requested, and nobody overtakes.
    pub fn estimate(&self, wanted: usize) -> Option<(u64, u64)> {
        let mut plan = self.clone();
        for job in plan.each(State::Runs) {
            let end = plan.jobs[job].planned.unwrap().1.max(self.now + 1);
            plan.jobs[job].booked = Some((self.now, end));
        }
        for job in self.each(State::InLine) {
            let Job { pes, requested, .. } = self.jobs[job];
            let fits = |&start: &u64| plan.fits(pes, start, start + requested, None);
            let start = (pes <= self.serving()).then(|| (self.now..).find(fits).unwrap());
            plan.jobs[job].booked = start.map(|start| (start, start + requested));
            if job == wanted {
                break;
            }
        }
        plan.jobs[wanted].booked
    }

    /// Jobs in line from a place on, for which enough PEs serve, move forward, or get an interval; so many PEs
    /// are kept.
    fn compress(&mut self, from: (u64, usize), kept: u32) {
        let line = self.each(State::InLine).into_iter();
        let line = line.filter(|&job| self.jobs[job].pes <= self.serving()).collect::<Vec<_>>();
        let place = |job: usize, it: &Self| (it.jobs[job].key, job);
        let mut later = line.clone();
        later.retain(|&job| place(job, self) >= from);
        let most = self.depth.max(self.unplanned.into()).min(later.len());
        let others = later.split_off(most);
        for job in later {
            self.look_at(job);
        }
        let left = others.first().map(|&job| place(job, self));
        if self.depth > 0 && (!self.in_steps || left.is_none()) {
            self.retry_first(&line);
        }
        self.left = match left {
            Some(_) if self.in_steps => left,
            Some(_) if self.unplanned => left.max(self.left),
            _ => None,
        };
        self.unplanned &= self.left.is_some();
        if self.in_steps {
            return;
        }
        let spare = self.free().saturating_sub(kept);
        for job in others {
            let Job { pes, requested, planned, .. } = self.jobs[job];
            let own = planned.map_or(u64::MAX, |(start, _)| start);
            let end = (self.now + requested).min(own);
            if own > self.now && pes <= spare && self.fits(pes, self.now, end, Some(job)) {
                self.put(job, Some(self.now));
            }
        }
    }

    /// The first job in line that cannot start now moves until it stays.
    fn retry_first(&mut self, line: &[usize]) {
        let waits = |it: &Self, job: usize| it.jobs[job].planned.is_none_or(|at| at.0 > it.now);
        while let Some(&first) = line.iter().find(|&&job| waits(self, job)) {
            let before = self.jobs[first].planned;
            if before.is_some() {
                self.look_at(first);
            }
            if self.jobs[first].planned == before {
                return;
            }
        }
    }

    /// A job in line moves to the earliest interval that is free, if that is earlier than its own.
    fn look_at(&mut self, job: usize) {
        let Job { pes, requested, planned, .. } = self.jobs[job];
        let Some((own, _)) = planned else { return self.place(job, self.now) };
        let fits = |&start: &u64| self.fits(pes, start, (start + requested).min(own), Some(job));
        if let Some(start) = (self.now..own).find(fits) {
            self.put(job, Some(start));
        }
    }
}
