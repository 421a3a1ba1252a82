//! What a queue must offer, by looking through all that waits.

use locox::dispatch::{Discipline, Fcfs, Job, Lazy, Scan, SizeClass, Window};

/// A discipline of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The oldest job.
    Fcfs,
    /// So many of the oldest.
    Window(u32),
    /// One size after the other, upwards.
    ScanUp,
    /// The same downwards.
    ScanDown,
    /// The oldest of each size of which none runs, or more than so many wait.
    Lazy(u32),
}

impl Rule {
    /// The discipline that it says.
    pub(crate) fn discipline(self) -> Box<dyn Discipline> {
        match self {
            Self::Fcfs => Box::new(Fcfs),
            Self::Window(width) => Box::new(Window::of(width)),
            Self::ScanUp => Box::new(Scan::up()),
            Self::ScanDown => Box::new(Scan::down()),
            Self::Lazy(backlog) => Box::new(Lazy::beyond(backlog)),
        }
    }
}

fn class(job: &Job) -> SizeClass {
    SizeClass::of(job.pes)
}

/// All that waits in the order of arrival, with arrival numbers.
#[derive(Clone, Debug)]
pub struct Model {
    rule: Rule,
    /// How many later jobs may leave before the oldest one.
    patience: u64,
    pub(crate) waiting: Vec<(u64, Job)>,
    pub(crate) running: Vec<(u64, Job)>,
    pub(super) held: Vec<u32>,
    arrivals: u64,
    /// The size at which a scan is.
    at: u8,
}

impl Model {
    /// An empty queue; `patience` is how often a job may be overtaken.
    pub fn new(rule: Rule, patience: Option<u32>) -> Self {
        let patience = patience.map_or(u64::MAX, u64::from);
        let at = if matches!(rule, Rule::ScanUp) { 0 } else { 31 };
        Self { rule, patience, waiting: vec![], running: vec![], held: vec![], arrivals: 0, at }
    }

    /// A job arrives.
    pub fn push(&mut self, job: Job) {
        self.waiting.push((self.arrivals, job));
        self.arrivals += 1;
    }

    /// The jobs that are offered as long as none is taken.
    pub fn offers(&mut self) -> Vec<Job> {
        let offered = self.waiting.iter().filter(|(_, job)| !self.held.contains(&job.id));
        let mut jobs: Vec<Job> = offered.clone().map(|&(_, job)| job).collect();
        let Some(&(number, oldest)) = offered.clone().next() else { return vec![] };
        let later = self.waiting.iter().filter(|&&(other, _)| other > number).count() as u64;
        if self.arrivals - number - 1 - later >= self.patience {
            return vec![oldest];
        }
        jobs.sort_by_key(|job| job.key);
        match self.rule {
            Rule::Fcfs => vec![jobs[0]],
            Rule::Window(width) => jobs.into_iter().take(width.max(1) as usize).collect(),
            Rule::ScanUp | Rule::ScanDown => vec![self.scan(&jobs)],
            Rule::Lazy(backlog) => self.first_of_each(&jobs, backlog),
        }
    }

    fn scan(&mut self, jobs: &[Job]) -> Job {
        let step = if matches!(self.rule, Rule::ScanUp) { 1 } else { 31 };
        loop {
            if let Some(&job) = jobs.iter().find(|job| class(job).get() == self.at) {
                return job;
            }
            self.at = (self.at + step) % 32;
        }
    }

    fn first_of_each(&self, jobs: &[Job], backlog: u32) -> Vec<Job> {
        let same =
            |jobs: &[Job], job: &Job| jobs.iter().filter(|it| class(it) == class(job)).count();
        let running: Vec<Job> = self.running.iter().map(|&(_, job)| job).collect();
        let is_first = |at: usize, job: &Job| same(&jobs[..at], job) == 0;
        let held_back = |job: &Job| same(&running, job) > 0 && same(jobs, job) <= backlog as usize;
        let firsts = jobs.iter().enumerate().filter(|(at, job)| is_first(*at, job));
        firsts.map(|(_, job)| *job).filter(|job| !held_back(job)).collect()
    }

    /// A waiting job gets another key; whether there is one.
    pub fn rekey(&mut self, id: u32, key: u64) -> bool {
        let job = self.waiting.iter_mut().find(|(_, job)| job.id == id);
        job.map(|(_, job)| job.key = key).is_some()
    }

    /// A waiting job leaves.
    pub fn leave(&mut self, id: u32) -> Option<Job> {
        let at = self.waiting.iter().position(|(_, job)| job.id == id)?;
        Some(self.waiting.remove(at).1)
    }

    /// A waiting job starts.
    pub fn start(&mut self, id: u32) {
        let at = self.waiting.iter().position(|(_, job)| job.id == id).unwrap();
        self.running.push(self.waiting.remove(at));
    }

    /// A job that runs waits again.
    pub fn requeue(&mut self, at: usize) {
        self.waiting.push(self.running.swap_remove(at));
        self.waiting.sort_by_key(|&(number, _)| number);
    }
}
