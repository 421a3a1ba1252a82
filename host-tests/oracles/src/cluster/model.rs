//! What a coordinator must do: a queue, a naive table, and who is to be told.

use crate::dispatch::order;
use crate::timeshare::{Model as Table, Rule};
use locox::dispatch::Job;
use locox::draw::Draw;
use locox::error::Error;
use locox::handle;
use locox::time::Instant;
use locox::timeshare::{HostId, JobNumber, Level, Load, Request, Speed};
use locox_coordinators::cluster::{
    Assignment, Batch, Config, Effect, JobId, Misuse, Refusal, Retry, Status, Terms,
};
use std::collections::{BTreeMap, BTreeSet};

/// Jobs have the numbers of their submissions.
#[derive(Clone, Debug)]
pub struct Model {
    config: Config,
    rule: Rule,
    table: Table,
    rows: usize,
    /// Those that wait or run.
    jobs: BTreeMap<u32, (Request, Terms)>,
    /// The names that the coordinator gave them.
    names: BTreeMap<u32, JobId>,
    queue: order::Model,
    submitted: u32,
    now: Instant,
    next_check: Instant,
    /// Hosts that are to be told, and how many jobs the first one has been told of.
    due: BTreeSet<u32>,
    told: u32,
    /// The newest batch of each host, and what the numbers of hosts of a later start are above.
    batches: BTreeMap<u32, Batch>,
    base: u32,
    /// Hosts and their jobs of which they may not have heard that they have them, or are to kill them: in which batch
    /// they were told.
    unheard: BTreeMap<(u32, u32), Option<u32>>,
    /// From set 1 on.
    sets: Vec<BTreeSet<u32>>,
    memory: BTreeMap<u32, u32>,
}

/// What was said.
#[derive(Clone, Copy, Debug)]
pub(super) enum Said {
    Submit(Request, Terms),
    Cancel(JobId),
    Kill(JobId),
    Ended(JobId),
    Report(HostId, Load, Speed, Batch),
    Lost(HostId),
    Tick,
    Memory(HostId, u32),
    Name(u16, HostId, u32, bool),
    Choose(u16, u32),
}

enum News {
    Nothing,
    Job(u32),
    Room,
    End,
}

type Answer<T> = Result<T, Error<Refusal, Misuse>>;

impl Model {
    /// No host is there.
    pub fn new(
        config: Config,
        (rule, order): (Rule, order::Rule),
        levels: u8,
        hosts: usize,
        rows: usize,
    ) -> Self {
        let mut model = Self {
            config,
            rule,
            // Its numbers are never used again.
            table: Table::new(levels, hosts, 1 << 24),
            rows,
            jobs: BTreeMap::new(),
            names: BTreeMap::new(),
            queue: order::Model::new(order, None),
            submitted: 0,
            now: Instant::ZERO,
            next_check: Instant::MAX,
            due: BTreeSet::new(),
            told: 0,
            batches: BTreeMap::new(),
            base: 0,
            unheard: BTreeMap::new(),
            sets: vec![BTreeSet::new(); config.sets.into()],
            memory: BTreeMap::new(),
        };
        model.look_again(Instant::ZERO);
        model
    }

    fn look_again(&mut self, now: Instant) {
        self.next_check = self.config.silence.map_or(Instant::MAX, |it| now.saturating_add(it));
    }

    /// The number of the job that was submitted, which still has no name.
    pub(super) fn apply<D: Draw>(
        &mut self,
        now: Instant,
        it: Said,
        draw: D,
    ) -> Answer<Option<u32>> {
        if now < self.now {
            return Err(Misuse::TimeWentBack.into());
        }
        let (answer, news) = self.obey(now, it)?;
        self.now = now;
        if now >= self.next_check {
            self.look_again(now);
            self.lose_silent();
        }
        // A new job is tried at once if it is offered, whatever the retry.
        let (only, tries) = match (news, self.config.retry) {
            (News::Job(job), _) => (Some(job), 1),
            (News::End, Retry::OneAtEnds) => (None, 1),
            (News::End, _) | (News::Room, Retry::Always) => (None, u32::MAX),
            _ => (None, 0),
        };
        for nth in 0..tries {
            let drawn = draw.raw().wrapping_add(nth.wrapping_mul(0x9E37_79B9));
            if !self.start_next(only, drawn) {
                break;
            }
        }
        Ok(answer)
    }

    fn obey(&mut self, now: Instant, it: Said) -> Answer<(Option<u32>, News)> {
        let news = match it {
            Said::Submit(request, terms) => {
                self.check_size(request.hosts)?;
                if terms.set > 0 {
                    self.check_set(terms.set)?;
                }
                if terms.memory > 0 && !self.config.memory {
                    return Err(Misuse::NoMemory.into());
                }
                let suited = (0..self.table.hosts() as u32)
                    .filter(|&host| self.is_in(terms.set, host) && self.has(host) >= terms.memory);
                let hosts = suited.count() as u32;
                if request.hosts > hosts {
                    return Err(Refusal::Unsuited { hosts }.into());
                }
                if self.jobs.len() == self.rows {
                    return Err(Refusal::JobsFull.into());
                }
                let number = self.submitted;
                self.submitted += 1;
                self.queue.push(Job::new(number, request.hosts).keyed(terms.key.into()));
                self.jobs.insert(number, (request, terms));
                return Ok((Some(number), News::Job(number)));
            }
            Said::Cancel(name) => {
                let job = self.find(name)?;
                if !self.waits(job) {
                    return Err(Misuse::Runs.into());
                }
                self.queue.leave(job);
                self.jobs.remove(&job);
                News::Room
            }
            Said::Kill(name) => {
                let job = self.find_running(name)?;
                let hosts = self.table.terminate(JobNumber(job)).expect("it runs");
                hosts.iter().for_each(|&host| _ = self.unheard.insert((host, job), None));
                self.tell(hosts);
                News::Nothing
            }
            Said::Ended(name) => {
                let job = self.find_running(name)?;
                let hosts = self.table.remove(now, JobNumber(job)).expect("it runs");
                self.tell(hosts);
                self.unheard.retain(|(_, it), _| *it != job);
                self.jobs.remove(&job);
                self.queue.running.retain(|(_, it)| it.id != job);
                News::End
            }
            Said::Report(host, load, speed, heard) => {
                self.check_host(host)?;
                let newest = self.batch(host.0);
                let is_used_up = heard.max(newest).number == u32::MAX;
                if heard.boot < newest.boot || is_used_up {
                    let boot = newest.boot.max(heard.boot);
                    return Err(Refusal::BootOver { next: boot.saturating_add(1) }.into());
                }
                if heard.boot > newest.boot {
                    self.lose(host)?;
                }
                let newest = self.batch(host.0);
                let is_there = self.table.read_at(host.0 as usize).is_some();
                if is_there || heard >= newest {
                    self.table.report(now, host, load, speed).expect("there is one");
                    self.unheard.retain(|(at, _), told| {
                        *at != host.0 || told.is_none_or(|told| told > heard.number)
                    });
                }
                if heard < newest {
                    self.due.insert(host.0);
                    self.told = 0;
                } else if !is_there || heard > newest {
                    let least = Batch { number: self.base, ..heard };
                    self.batches.insert(host.0, heard.max(least));
                    self.tell(vec![host.0]);
                }
                News::Room
            }
            Said::Lost(host) => {
                self.lose(host)?;
                News::Nothing
            }
            Said::Tick => News::Nothing,
            Said::Memory(host, memory) => {
                if !self.config.memory {
                    return Err(Misuse::NoMemory.into());
                }
                self.check_host(host)?;
                self.memory.insert(host.0, memory);
                News::Room
            }
            Said::Name(set, first, hosts, named) => {
                self.check_set(set)?;
                self.check_host(HostId((first.0 + hosts).saturating_sub(1)))?;
                let set = &mut self.sets[usize::from(set) - 1];
                let hosts: BTreeSet<u32> = (first.0..first.0 + hosts).collect();
                *set = if named { &*set | &hosts } else { &*set - &hosts };
                News::Room
            }
            Said::Choose(set, hosts) => {
                self.check_set(set)?;
                self.check_size(hosts)?;
                let mut all: Vec<u32> = (0..self.table.hosts() as u32).collect();
                all.sort_by_key(|&host| {
                    let host = host as usize;
                    (self.table.read_at(host).is_none(), self.table.column(host).len())
                });
                all.truncate(hosts as usize);
                self.sets[usize::from(set) - 1] = all.into_iter().collect();
                News::Room
            }
        };
        Ok((None, news))
    }

    fn check_size(&self, wanted: u32) -> Answer<()> {
        let hosts = self.table.hosts() as u32;
        if wanted == 0 {
            return Err(Misuse::NoHosts.into());
        }
        if wanted > hosts { Err(Refusal::TooLarge { hosts }.into()) } else { Ok(()) }
    }

    fn check_set(&self, set: u16) -> Result<(), Misuse> {
        let is_there = (1..=self.sets.len()).contains(&usize::from(set));
        if is_there { Ok(()) } else { Err(Misuse::NoSuchSet { set }) }
    }

    fn check_host(&self, host: HostId) -> Result<(), Misuse> {
        let is_there = (host.0 as usize) < self.table.hosts();
        if is_there { Ok(()) } else { Err(Misuse::NoSuchHost(host)) }
    }

    pub(super) fn is_in(&self, set: u16, host: u32) -> bool {
        set == 0 || self.sets[usize::from(set) - 1].contains(&host)
    }

    /// The memory of a host.
    pub(super) fn has(&self, host: u32) -> u32 {
        self.memory.get(&host).copied().unwrap_or(0)
    }

    fn find(&self, name: JobId) -> Result<u32, Misuse> {
        if name.handle().pool() != self.config.pool {
            return Err(Misuse::Job(handle::Misuse::Foreign));
        }
        let found = self.jobs.keys().find(|job| self.names[job] == name);
        found.copied().ok_or(Misuse::Job(handle::Misuse::Stale))
    }

    fn find_running(&self, name: JobId) -> Result<u32, Misuse> {
        let job = self.find(name)?;
        if self.waits(job) { Err(Misuse::Waits) } else { Ok(job) }
    }

    fn waits(&self, job: u32) -> bool {
        self.queue.waiting.iter().any(|(_, it)| it.id == job)
    }

    /// The name that the coordinator gave a job.
    pub(super) fn name(&mut self, job: u32, name: JobId) {
        self.names.insert(job, name);
    }

    /// The newest batch of a host.
    pub(super) fn batch(&self, host: u32) -> Batch {
        self.batches.get(&host).copied().unwrap_or_default()
    }

    fn tell(&mut self, hosts: Vec<u32>) {
        for host in hosts {
            self.told = 0;
            let batch = self.batches.entry(host).or_default();
            batch.number = batch.number.saturating_add(1);
            // The last number is told to nobody.
            let is_told = batch.number < u32::MAX;
            self.due.retain(|it| *it != host);
            self.due.extend(is_told.then_some(host));
        }
    }

    fn lose(&mut self, host: HostId) -> Result<(), Misuse> {
        self.check_host(host)?;
        let jobs = self.table.column(host.0 as usize).into_iter().map(|(_, job)| job);
        let killed: Vec<u32> = jobs.filter(|&job| !self.table.is_terminating(job)).collect();
        let hosts = self.table.lose(host).expect("there is one");
        self.unheard.retain(|(at, _), _| *at != host.0);
        for (job, at) in killed
            .iter()
            .flat_map(|&job| self.table.hosts_of(job).into_iter().map(move |at| (job, at)))
        {
            self.unheard.insert((at, job), None);
        }
        self.tell(hosts);
        self.due.remove(&host.0);
        self.told = 0;
        Ok(())
    }

    fn lose_silent(&mut self) {
        let Some(silence) = self.config.silence else { return };
        for host in 0..self.table.hosts() {
            let read = self.table.read_at(host);
            if read.is_some_and(|at| at.saturating_add(silence) <= self.now) {
                self.lose(HostId(host as u32)).expect("it is there");
            }
        }
    }

    /// Starts the first of the jobs that are offered that can start, or only this one.
    fn start_next(&mut self, only: Option<u32>, draw: u32) -> bool {
        for Job { id: job, .. } in self.queue.offers() {
            if only.is_some_and(|only| only != job) {
                continue;
            }
            let (request, terms) = self.jobs[&job];
            let hosts = 0..self.table.hosts() as u32;
            let among: BTreeSet<u32> = hosts.filter(|&host| self.suits(terms, host)).collect();
            let among = |host: u32| among.contains(&host);
            let limits = (&among as &dyn Fn(u32) -> bool, draw);
            let placed = self.table.place(self.now, &self.rule, JobNumber(job), request, limits);
            if placed.is_ok() {
                self.queue.start(job);
                let hosts = self.table.hosts_of(job);
                hosts.iter().for_each(|&host| _ = self.unheard.insert((host, job), None));
                self.tell(hosts);
                return true;
            }
        }
        false
    }

    fn suits(&self, terms: Terms, host: u32) -> bool {
        let used = self.table.column(host as usize).into_iter();
        let used: u32 = used.map(|(_, job)| self.jobs[&job].1.memory).sum();
        let fits = terms.memory == 0 || used + terms.memory <= self.has(host);
        fits && self.is_in(terms.set, host)
    }

    pub(super) fn restored(&mut self) {
        self.base = self.base.saturating_add(65_536);
        for host in 0..self.table.hosts() as u32 {
            // Above all that were told and are not known of.
            let number = &mut self.batches.entry(host).or_default().number;
            if *number > 0 {
                *number = (number.saturating_add(65_535) | 65_535).saturating_add(1);
            }
            if self.table.read_at(host as usize).is_some() {
                let jobs = self.table.column(host as usize).into_iter();
                self.unheard.extend(jobs.map(|(_, job)| ((host, job), None)));
                self.tell(vec![host]);
            }
        }
        self.told = 0;
    }

    pub(super) fn take_effect(&mut self) -> Option<Effect> {
        let host = *self.due.first()?;
        let (batch, number) = (self.batch(host), self.told);
        let Some(&(level, job)) = self.table.column(host as usize).get(number as usize) else {
            self.due.remove(&host);
            self.told = 0;
            let of_host = self.unheard.iter_mut().filter(|((at, _), _)| *at == host);
            of_host.for_each(|(_, told)| *told = told.or(Some(batch.number)));
            return Some(Effect::AssignmentsEnd { host: HostId(host), batch, jobs: number });
        };
        self.told += 1;
        let (Request { user, .. }, _) = self.jobs[&job];
        let assignment = Assignment {
            job: self.names[&job],
            user,
            level: Level::new(level as u8).expect("levels are few"),
            first: self.table.lead_of(job) == Some(host),
            terminating: self.table.is_terminating(job),
        };
        Some(Effect::Assign { host: HostId(host), batch, number, assignment })
    }

    /// All jobs, with where each is.
    pub(super) fn statuses(&self) -> impl Iterator<Item = (JobId, Status)> {
        self.jobs.keys().map(|job| (self.names[job], self.status(*job)))
    }

    fn status(&self, job: u32) -> Status {
        if let Some(ahead) = self.in_order().iter().position(|it| *it == job) {
            return Status::Waiting { ahead: ahead as u32 };
        }
        let unheard = self.unheard.keys().filter(|(_, it)| *it == job).count() as u32;
        match self.table.lead_of(job) {
            Some(first) if !self.table.is_terminating(job) => {
                Status::Running { first: HostId(first), unheard }
            }
            _ => Status::Ending { unheard },
        }
    }

    /// The numbers of the jobs that wait.
    fn in_order(&self) -> Vec<u32> {
        let mut waiting: Vec<Job> = self.queue.waiting.iter().map(|&(_, job)| job).collect();
        waiting.sort_by_key(|job| job.key);
        waiting.iter().map(|job| job.id).collect()
    }

    pub(super) fn queue(&self) -> Vec<(JobId, Request)> {
        self.in_order().iter().map(|job| (self.names[job], self.jobs[job].0)).collect()
    }

    /// The terms of all jobs.
    pub(super) fn terms(&self) -> impl Iterator<Item = (JobId, Terms)> {
        self.jobs.iter().map(|(job, it)| (self.names[job], it.1))
    }

    /// Names and levels on a host, from the most urgent one on.
    pub(super) fn column(&self, host: u32) -> Vec<(usize, JobId)> {
        let column = self.table.column(host as usize).into_iter();
        column.map(|(level, job)| (level, self.names[&job])).collect()
    }

    pub(super) fn passed(&self) -> Option<u32> {
        self.table.passed()
    }

    pub(super) fn has_gap(&self) -> bool {
        self.table.has_gap()
    }

    pub(super) fn wake_at(&self) -> Option<Instant> {
        Some(self.next_check).filter(|&at| at < Instant::MAX)
    }
}
