//! What a coordinator must do: a queue, a naive table, and who is to be told.

use crate::timeshare::{Model as Table, Rule};
use locox::cluster::{Assignment, Config, Effect, JobId, Misuse, Refusal, Retry, Status};
use locox::coordinate::Draw;
use locox::error::Error;
use locox::handle;
use locox::time::Instant;
use locox::timeshare::{HostId, JobNumber, Level, Load, Request, Speed};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Jobs have the numbers of their submissions.
#[derive(Clone, Debug)]
pub struct Model {
    config: Config,
    rule: Rule,
    table: Table,
    rows: usize,
    /// Those that wait or run.
    jobs: BTreeMap<u32, Request>,
    /// The names that the coordinator gave them.
    names: BTreeMap<u32, JobId>,
    queue: VecDeque<u32>,
    submitted: u32,
    now: Instant,
    next_check: Instant,
    /// Hosts that are to be told, and how many jobs the first one has been told of.
    due: BTreeSet<u32>,
    told: u32,
}

/// What was said.
#[derive(Clone, Copy, Debug)]
pub(super) enum Said {
    Submit(Request),
    Cancel(JobId),
    Kill(JobId),
    Ended(JobId),
    Report(HostId, Load, Speed),
    Lost(HostId),
    Tick,
}

enum News {
    Nothing,
    Head,
    Room,
    End,
}

type Answer<T> = Result<T, Error<Refusal, Misuse>>;

impl Model {
    /// No host is there.
    pub fn new(config: Config, rule: Rule, levels: u8, hosts: usize, rows: usize) -> Self {
        let mut model = Self {
            config,
            rule,
            // Its numbers are never used again.
            table: Table::new(levels, hosts, 1 << 24),
            rows,
            jobs: BTreeMap::new(),
            names: BTreeMap::new(),
            queue: VecDeque::new(),
            submitted: 0,
            now: Instant::ZERO,
            next_check: Instant::MAX,
            due: BTreeSet::new(),
            told: 0,
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
        // A new head is tried at once, whatever the retry.
        let tries = match (news, self.config.retry) {
            (News::Head, _) | (News::End, Retry::OneAtEnds) => 1,
            (News::End, _) | (News::Room, Retry::Always) => u32::MAX,
            _ => 0,
        };
        for nth in 0..tries {
            let drawn = draw.raw().wrapping_add(nth.wrapping_mul(0x9E37_79B9));
            if !self.start_head(drawn) {
                break;
            }
        }
        Ok(answer)
    }

    fn obey(&mut self, now: Instant, it: Said) -> Answer<(Option<u32>, News)> {
        let news = match it {
            Said::Submit(request) => {
                let hosts = self.table.hosts() as u32;
                if request.hosts == 0 {
                    return Err(Misuse::NoHosts.into());
                }
                if request.hosts > hosts {
                    return Err(Refusal::TooLarge { hosts }.into());
                }
                if self.jobs.len() == self.rows {
                    return Err(Refusal::JobsFull.into());
                }
                let (number, is_head) = (self.submitted, self.queue.is_empty());
                self.submitted += 1;
                self.queue.push_back(number);
                self.jobs.insert(number, request);
                return Ok((Some(number), if is_head { News::Head } else { News::Nothing }));
            }
            Said::Cancel(name) => {
                let job = self.find(name)?;
                if !self.waits(job) {
                    return Err(Misuse::Runs.into());
                }
                self.queue.retain(|it| *it != job);
                self.jobs.remove(&job);
                News::Room
            }
            Said::Kill(name) => {
                let job = self.find_running(name)?;
                let hosts = self.table.terminate(JobNumber(job)).expect("it runs");
                self.tell(hosts);
                News::Nothing
            }
            Said::Ended(name) => {
                let job = self.find_running(name)?;
                let hosts = self.table.remove(now, JobNumber(job)).expect("it runs");
                self.tell(hosts);
                self.jobs.remove(&job);
                News::End
            }
            Said::Report(host, load, speed) => {
                let is_new = self.table.report(now, host, load, speed);
                if is_new.map_err(|_| Misuse::NoSuchHost(host))? {
                    self.tell(vec![host.0]);
                }
                News::Room
            }
            Said::Lost(host) => {
                self.lose(host)?;
                News::Nothing
            }
            Said::Tick => News::Nothing,
        };
        Ok((None, news))
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
        self.queue.contains(&job)
    }

    /// The name that the coordinator gave a job.
    pub(super) fn name(&mut self, job: u32, name: JobId) {
        self.names.insert(job, name);
    }

    fn tell(&mut self, hosts: Vec<u32>) {
        if !hosts.is_empty() {
            self.told = 0;
        }
        self.due.extend(hosts);
    }

    fn lose(&mut self, host: HostId) -> Result<(), Misuse> {
        let hosts = self.table.lose(host).map_err(|_| Misuse::NoSuchHost(host))?;
        self.due.extend(hosts);
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

    fn start_head(&mut self, draw: u32) -> bool {
        let Some(&job) = self.queue.front() else { return false };
        let request = self.jobs[&job];
        let placed = self.table.place(self.now, &self.rule, JobNumber(job), request, draw);
        if placed.is_err() {
            return false;
        }
        self.queue.pop_front();
        self.tell(self.table.hosts_of(job));
        true
    }

    pub(super) fn restored(&mut self) {
        let there = (0..self.table.hosts()).filter(|&host| self.table.read_at(host).is_some());
        self.due.extend(there.map(|host| host as u32));
        self.told = 0;
    }

    pub(super) fn take_effect(&mut self) -> Option<Effect> {
        let host = *self.due.first()?;
        let number = self.told;
        let Some(&(level, job)) = self.table.column(host as usize).get(number as usize) else {
            self.due.remove(&host);
            self.told = 0;
            return Some(Effect::AssignmentsEnd { host: HostId(host), jobs: number });
        };
        self.told += 1;
        let Request { user, .. } = self.jobs[&job];
        let assignment = Assignment {
            job: self.names[&job],
            user,
            level: Level::new(level as u8).expect("levels are few"),
            first: self.table.lead_of(job) == Some(host),
            terminating: self.table.is_terminating(job),
        };
        Some(Effect::Assign { host: HostId(host), number, assignment })
    }

    /// All jobs, with where each is.
    pub(super) fn statuses(&self) -> impl Iterator<Item = (JobId, Status)> {
        self.jobs.keys().map(|job| (self.names[job], self.status(*job)))
    }

    fn status(&self, job: u32) -> Status {
        if let Some(ahead) = self.queue.iter().position(|it| *it == job) {
            return Status::Waiting { ahead: ahead as u32 };
        }
        match self.table.lead_of(job) {
            Some(first) if !self.table.is_terminating(job) => {
                Status::Running { first: HostId(first) }
            }
            _ => Status::Ending,
        }
    }

    pub(super) fn queue(&self) -> Vec<(JobId, Request)> {
        self.queue.iter().map(|job| (self.names[job], self.jobs[job])).collect()
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
