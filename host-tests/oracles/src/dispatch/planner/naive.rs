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
        Self { conservative, depth, in_steps, left: None, pes, out: 0, now: 0, jobs: vec![] }
    }

    /// The jobs in a state: those in line by their keys, those with an interval of their own by
    /// the start of that, else the first to come first.
    pub fn each(&self, state: State) -> Vec<usize> {
        let mut jobs: Vec<usize> =
            (0..self.jobs.len()).filter(|&job| self.jobs[job].state == state).collect();
        match state {
            State::InLine => jobs.sort_by_key(|&job| self.jobs[job].key),
            State::Reserved => {
                jobs.sort_by_key(|&job| self.jobs[job].planned.map(|(start, _)| start))
            }
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

    /// The earliest interval; none for a job that asks for more PEs than are in service.
    fn place(&self, pes: u32, requested: u64) -> Option<(u64, u64)> {
        let start = (pes <= self.serving()).then(|| self.earliest(pes, requested, self.now))?;
        Some((start, start + requested))
    }

    fn earliest(&self, pes: u32, requested: u64, from: u64) -> u64 {
        let free = self.free().saturating_sub(self.late_reserved());
        let from = if from <= self.now && pes > free { self.now + 1 } else { from };
        (from..).find(|&start| self.fits(pes, start, start + requested, None)).unwrap()
    }

    /// A job joins the line.
    pub fn push(&mut self, pes: u32, requested: u64, key: u64) {
        let start = self.earliest(pes, requested, self.now);
        let planned = self.conservative.then_some((start, start + requested));
        let booked = planned;
        self.jobs.push(Job { pes, requested, key, state: State::InLine, planned, booked });
    }

    /// PEs of the machine on which nothing runs.
    pub fn idle(&self) -> u32 {
        let running = self.each(State::Runs);
        self.pes - running.iter().map(|&job| self.jobs[job].pes).sum::<u32>()
    }

    /// A job runs already.
    pub fn adopt(&mut self, pes: u32, requested: u64, key: u64, started: u64) {
        let job = self.jobs.len();
        let end = started + requested;
        let (planned, rest) = (Some((started, end)), (self.now, end.max(self.now)));
        self.jobs.push(Job { pes, requested, key, state: State::Runs, planned, booked: None });
        if !self.conservative || self.fits(pes, rest.0, rest.1, None) {
            self.jobs[job].booked = Some(rest);
            return;
        }
        let line = self.clear_line();
        let until = (rest.0..rest.1).find(|&time| !self.fits(pes, time, time + 1, None));
        self.jobs[job].booked = Some((rest.0, until.unwrap_or(rest.1)));
        self.place_line(&line);
    }

    /// Those in line that are not due have no intervals from now on.
    fn clear_line(&mut self) -> Vec<usize> {
        self.left = None;
        let line = self.each(State::InLine).into_iter().filter(|&job| !self.is_due(job));
        let line: Vec<usize> = line.collect();
        line.iter().for_each(|&job| self.jobs[job].booked = None);
        line
    }

    /// They are planned anew.
    fn place_line(&mut self, line: &[usize]) {
        for &job in line {
            let Job { pes, requested, .. } = self.jobs[job];
            self.jobs[job].planned = self.place(pes, requested);
            self.jobs[job].booked = self.jobs[job].planned;
        }
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
        let start = self.earliest(pes, requested, ready.max(self.now));
        if start + requested > deadline {
            return Err(start + requested);
        }
        let planned = Some((start, start + requested));
        let booked = planned;
        self.jobs.push(Job { pes, requested, key: start, state: State::Reserved, planned, booked });
        Ok((start, start + requested))
    }

    /// The job that starts next.
    pub fn start_next(&mut self) -> Option<usize> {
        let job = self.pick()?;
        let Job { pes, requested, booked, .. } = self.jobs[job];
        let runs = Some((self.now, self.now + requested));
        // It has its own interval already, even if more is promised than there is.
        let (from, to) = booked.unwrap_or((self.now, self.now));
        let added =
            |time: u64| from <= time && time < to || self.fits(pes, time, time + 1, Some(job));
        let fits = (self.now..self.now + requested).all(added);
        let late = booked.filter(|&(_, end)| end > self.now);
        self.jobs[job].booked = if fits { runs } else { late };
        (self.jobs[job].state, self.jobs[job].planned) = (State::Runs, runs);
        Some(job)
    }

    /// The first of a state whose time has come, if it finds free PEs; those before it keep theirs.
    fn due(&self, state: State, free: &mut u32) -> Option<usize> {
        for job in self.each(state) {
            if self.is_due(job) {
                if self.jobs[job].pes <= *free {
                    return Some(job);
                }
                *free -= self.jobs[job].pes.min(*free);
            }
        }
        None
    }

    fn pick(&mut self) -> Option<usize> {
        let mut free = self.free();
        let reserved = self.due(State::Reserved, &mut free);
        if reserved.is_some() {
            return reserved;
        }
        if self.conservative {
            if let Some(place) = self.left {
                self.compress(place);
            }
            return self.due(State::InLine, &mut free);
        }
        let (head, start, end) = self.promise()?;
        if start == self.now {
            return Some(head);
        }
        let mut with_head = self.clone();
        with_head.jobs[head].booked = Some((start, end));
        let starts = |&job: &usize| {
            let Job { pes, requested, .. } = self.jobs[job];
            pes <= free && with_head.fits(pes, self.now, self.now + requested, None)
        };
        let behind = self.each(State::InLine).into_iter().skip_while(|&job| job != head);
        behind.skip(1).take(self.depth).find(starts)
    }

    /// A job ends or is cancelled.
    pub fn leave(&mut self, job: usize) {
        let early = self.jobs[job].booked.is_some_and(|(_, end)| end > self.now);
        (self.jobs[job].state, self.jobs[job].booked) = (State::Gone, None);
        if early {
            self.compress((0, 0));
        }
    }

    /// A job that runs waits again.
    pub fn requeue(&mut self, job: usize) {
        let early = self.jobs[job].booked.is_some_and(|(_, end)| end > self.now);
        (self.jobs[job].state, self.jobs[job].booked) = (State::InLine, None);
        self.jobs[job].planned = None;
        if self.conservative {
            let Job { pes, requested, .. } = self.jobs[job];
            self.jobs[job].planned = self.place(pes, requested);
            self.jobs[job].booked = self.jobs[job].planned;
        }
        if early {
            self.compress((0, 0));
        }
    }

    /// A job in line is held.
    pub fn hold(&mut self, job: usize) {
        let early = self.jobs[job].booked.is_some_and(|(_, end)| end > self.now);
        let Job { state, planned, booked, .. } = &mut self.jobs[job];
        (*state, *planned, *booked) = (State::Held, None, None);
        if early {
            self.compress((0, 0));
        }
    }

    /// A job that was held is in line again.
    pub fn release(&mut self, job: usize) {
        self.jobs[job].state = State::InLine;
        if self.conservative {
            let Job { pes, requested, .. } = self.jobs[job];
            self.jobs[job].planned = self.place(pes, requested);
            self.jobs[job].booked = self.jobs[job].planned;
        }
    }

    /// So many PEs are out of service from now on; those in line are planned anew.
    pub fn set_out(&mut self, out: u32) {
        self.out = out;
        if self.conservative {
            let line = self.clear_line();
            self.place_line(&line);
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

    /// Jobs in line from a place on move forward.
    fn compress(&mut self, from: (u64, usize)) {
        self.left = None;
        let line = self.each(State::InLine).into_iter();
        let line = line.filter(|&job| (self.jobs[job].key, job) >= from).collect::<Vec<_>>();
        for (place, job) in line.into_iter().enumerate() {
            let Job { pes, requested, key, booked, .. } = self.jobs[job];
            if self.in_steps && place >= self.depth {
                self.left = Some((key, job));
                return;
            }
            let Some((own, _)) = booked.filter(|&(_, end)| end > self.now) else { continue };
            let free =
                |&start: &u64| self.fits(pes, start, (start + requested).min(own), Some(job));
            let starts =
                if place < self.depth { self.now..own } else { self.now..own.min(self.now + 1) };
            if place >= self.depth && pes > self.free() {
                continue;
            }
            if let Some(start) = { starts }.find(free) {
                self.jobs[job].planned = Some((start, start + requested));
                self.jobs[job].booked = self.jobs[job].planned;
            }
        }
    }
}
