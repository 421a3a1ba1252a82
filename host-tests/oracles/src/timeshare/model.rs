//! What a table must do, by looking through all hosts.

use crate::fair::permute;
use locox::error::Error;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    HostId, JobNumber, Level, Load, Misuse, Refusal, Request, Speed, Threshold, Why,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A placement of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Version 1.
    FirstLevel {
        /// Jobs on a host at most.
        degree: u8,
        /// Whether it draws lots.
        drawn: bool,
    },
    /// Version 2.
    FirstCalmLevel {
        /// Jobs on a host at most.
        degree: u8,
        /// Whether it draws lots.
        drawn: bool,
        /// Above which a host is busy.
        threshold: Threshold,
        /// For how long a reading counts.
        believed: Duration,
    },
    /// Version 3.
    NonInterfering {
        /// Jobs on a host at most.
        degree: u8,
        /// Above which a host is not shared.
        threshold: Threshold,
        /// For how long a reading counts.
        believed: Duration,
        /// From when on a reading counts after a change.
        settled: Duration,
    },
}

impl Rule {
    fn degree(&self) -> u8 {
        let (Self::FirstLevel { degree, .. }
        | Self::FirstCalmLevel { degree, .. }
        | Self::NonInterfering { degree, .. }) = *self;
        degree
    }
}

#[derive(Clone, Copy, Debug)]
struct Host {
    read_at: Instant,
    changed_at: Instant,
    load: Load,
    speed: Speed,
}

#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) request: Request,
    pub(crate) lead: Option<u32>,
    pub(crate) terminating: bool,
    pub(crate) sequence: u32,
}

/// What was decided for a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub(crate) hosts: Vec<u32>,
    level: Option<usize>,
    pub(crate) why: Why,
    lead: u32,
}

/// A grid of job numbers, and what is known of hosts and jobs.
#[derive(Clone, Debug)]
pub struct Model {
    levels: usize,
    hosts: Vec<Option<Host>>,
    /// By host and level.
    grid: Vec<Vec<Option<u32>>>,
    pub(crate) jobs: BTreeMap<u32, Job>,
    rows: u32,
    sequence: u32,
}

type Answer<T> = Result<T, Error<Refusal, Misuse>>;

impl Model {
    /// No host is there.
    pub fn new(levels: u8, hosts: usize, rows: usize) -> Self {
        let levels = usize::from(levels);
        Self {
            levels,
            hosts: vec![None; hosts],
            grid: vec![vec![None; levels]; hosts],
            jobs: BTreeMap::new(),
            rows: rows as u32,
            sequence: 0,
        }
    }

    pub(crate) fn there(&self) -> usize {
        self.hosts.iter().flatten().count()
    }

    pub(crate) fn hosts(&self) -> usize {
        self.hosts.len()
    }

    /// When a host was read last; `None` of one that is lost.
    pub(crate) fn read_at(&self, host: usize) -> Option<Instant> {
        self.hosts[host].as_ref().map(|host| host.read_at)
    }

    /// The host of the first process of a job that has hosts or had them.
    pub(crate) fn lead_of(&self, job: u32) -> Option<u32> {
        self.jobs[&job].lead
    }

    pub(crate) fn is_terminating(&self, job: u32) -> bool {
        self.jobs[&job].terminating
    }

    pub(crate) fn column(&self, host: usize) -> Vec<(usize, u32)> {
        let levels = self.grid[host].iter().enumerate();
        levels.filter_map(|(level, job)| Some((level, (*job)?))).collect()
    }

    pub(crate) fn hosts_of(&self, job: u32) -> Vec<u32> {
        let has = |host: &u32| self.grid[*host as usize].contains(&Some(job));
        (0..self.grid.len() as u32).filter(has).collect()
    }

    /// A host on which a later job stands above an earlier one.
    pub(crate) fn passed(&self) -> Option<u32> {
        let sequence = |(_, job): (usize, u32)| self.jobs[&job].sequence;
        let in_order = |host: &usize| self.column(*host).into_iter().map(sequence).is_sorted();
        (0..self.grid.len()).find(|host| !in_order(host)).map(|host| host as u32)
    }

    /// Whether a level is free above a job.
    pub(crate) fn has_gap(&self) -> bool {
        let gap = |column: &Vec<Option<u32>>| {
            column.iter().skip_while(|job| job.is_some()).any(Option::is_some)
        };
        self.grid.iter().any(gap)
    }

    pub(crate) fn report(
        &mut self,
        now: Instant,
        host: HostId,
        load: Load,
        speed: Speed,
    ) -> Result<bool, Misuse> {
        let row = self.hosts.get_mut(host.0 as usize).ok_or(Misuse::NoSuchHost(host))?;
        let changed_at = row.map_or(Instant::ZERO, |row| row.changed_at);
        Ok(row.replace(Host { read_at: now, changed_at, load, speed }).is_none())
    }

    pub(crate) fn place(
        &mut self,
        now: Instant,
        rule: &Rule,
        job: JobNumber,
        request: Request,
        (among, draw): (&dyn Fn(u32) -> bool, u32),
    ) -> Answer<Why> {
        if job.0 >= self.rows {
            return Err(Misuse::NoSuchJob(job).into());
        }
        if self.jobs.contains_key(&job.0) {
            return Err(Misuse::Placed(job).into());
        }
        let choice = self.choose(now, rule, &request, (among, draw))?;
        for &host in &choice.hosts {
            let column = &mut self.grid[host as usize];
            let below = column.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            column[choice.level.unwrap_or(below)] = Some(job.0);
            self.hosts[host as usize].as_mut().expect("it is there").changed_at = now;
        }
        let (lead, sequence) = (Some(choice.lead), self.sequence);
        self.sequence += 1;
        self.jobs.insert(job.0, Job { request, lead, terminating: false, sequence });
        Ok(choice.why)
    }

    pub(crate) fn choose(
        &self,
        now: Instant,
        rule: &Rule,
        request: &Request,
        (among, draw): (&dyn Fn(u32) -> bool, u32),
    ) -> Answer<Choice> {
        if rule.degree() == 0 || usize::from(rule.degree()) > self.levels {
            return Err(Misuse::Levels { levels: rule.degree() }.into());
        }
        if request.hosts == 0 {
            return Err(Misuse::NoHosts.into());
        }
        if request.hosts as usize > self.hosts.len() {
            return Err(Refusal::TooLarge { hosts: self.hosts.len() as u32 }.into());
        }
        if request.hosts as usize > self.there() {
            return Err(Refusal::Lost { there: self.there() as u32 }.into());
        }
        let chosen = match *rule {
            Rule::FirstLevel { degree, drawn } => {
                self.first_level(degree, request, (among, drawn.then_some(draw)), |_| true)
            }
            Rule::FirstCalmLevel { degree, drawn, threshold, believed } => {
                self.first_level(degree, request, (among, drawn.then_some(draw)), |host| {
                    host.load <= threshold.load() && age(now, host) <= believed
                })
            }
            Rule::NonInterfering { degree, threshold, believed, settled } => {
                self.considerate(degree, request, among, |host| {
                    host.load <= threshold.load()
                        && age(now, host) <= believed
                        && host.read_at >= host.changed_at.saturating_add(settled)
                })
            }
        };
        Ok(chosen?)
    }

    fn first_level(
        &self,
        degree: u8,
        request: &Request,
        (among, draw): (&dyn Fn(u32) -> bool, Option<u32>),
        is_calm: impl Fn(&Host) -> bool,
    ) -> Result<Choice, Refusal> {
        let there = |host: &u32| self.hosts[*host as usize].as_ref().is_some_and(&is_calm);
        let free_at = |level: usize| {
            let free = |host: &u32| {
                among(*host) && there(host) && self.grid[*host as usize][level].is_none()
            };
            (0..self.hosts.len() as u32).filter(free).collect::<Vec<_>>()
        };
        let wanted = request.hosts as usize;
        let levels = (0..usize::from(degree)).map(free_at).collect::<Vec<_>>();
        let Some(level) = levels.iter().position(|free| free.len() >= wanted) else {
            let free = levels.iter().map(Vec::len).max().unwrap_or(0);
            return Err(Refusal::TooFew { free: free as u32 });
        };
        let hosts = match draw {
            None => levels[level][..wanted].to_vec(),
            Some(draw) => sample(&levels[level], wanted, draw),
        };
        let why = Why::Level(Level::new(level as u8).expect("levels are few"));
        Ok(Choice { lead: hosts[0], hosts, level: Some(level), why })
    }

    /// Hosts by falling speed; among equal ones by number.
    fn by_speed(&self, mut hosts: Vec<u32>) -> Vec<u32> {
        hosts.sort_by_key(|&host| (Reverse(self.hosts[host as usize].map(|it| it.speed)), host));
        hosts
    }

    fn synchronises(&self, host: u32) -> bool {
        let leads = |(_, job): (usize, u32)| {
            let job = &self.jobs[&job];
            job.request.synchronising && job.lead == Some(host)
        };
        self.column(host as usize).into_iter().any(leads)
    }

    fn considerate(
        &self,
        degree: u8,
        request: &Request,
        among: &dyn Fn(u32) -> bool,
        is_calm: impl Fn(&Host) -> bool,
    ) -> Result<Choice, Refusal> {
        let wanted = request.hosts as usize;
        let (mut idle, mut calm) = (vec![], BTreeMap::<u32, Vec<u32>>::new());
        for (number, host) in (0..).zip(&self.hosts) {
            let Some(host) = host.as_ref().filter(|_| among(number)) else { continue };
            let column = self.column(number as usize);
            let Some(&(_, owner)) = column.first() else {
                idle.push(number);
                continue;
            };
            let deepest = column.last().expect("somebody is there").0;
            if deepest + 1 < usize::from(degree) && !self.synchronises(number) && is_calm(host) {
                calm.entry(owner).or_default().push(number);
            }
        }
        let idle = self.by_speed(idle);
        let found = idle.len() + calm.values().map(Vec::len).sum::<usize>();
        if found < wanted {
            return Err(Refusal::TooFew { free: found as u32 });
        }
        let mut hosts = idle[..wanted.min(idle.len())].to_vec();
        let best_for_barrier = hosts.first().copied();
        let mut why = Why::Idle;
        if hosts.len() < wanted {
            let shared = wanted - hosts.len();
            let taken;
            (taken, why) = self.share(&calm, shared);
            hosts.extend(taken);
        }
        hosts.sort_unstable();
        let lead = best_for_barrier.filter(|_| request.synchronising).unwrap_or(hosts[0]);
        Ok(Choice { lead, hosts, level: None, why })
    }

    fn share(&self, calm: &BTreeMap<u32, Vec<u32>>, shared: usize) -> (Vec<u32>, Why) {
        let fits = calm.iter().filter(|(_, hosts)| hosts.len() >= shared);
        let why = |owner, shared| Why::Beside { owner: JobNumber(owner), shared };
        if let Some((&owner, hosts)) = fits.min_by_key(|(_, hosts)| (hosts.len(), hosts[0])) {
            let mut hosts = self.by_speed(hosts.clone());
            hosts.truncate(shared);
            return (hosts, why(owner, shared as u32));
        }
        let widest = calm.iter().min_by_key(|(_, hosts)| (Reverse(hosts.len()), hosts[0]));
        let (owner, mut taken) = widest.map(|(owner, hosts)| (*owner, hosts.clone())).unwrap();
        let others = calm.iter().filter(|(it, _)| **it != owner).flat_map(|(_, hosts)| hosts);
        taken.extend(self.by_speed(others.copied().collect()));
        taken.truncate(shared);
        (taken, Why::Spanning { shared: shared as u32 })
    }

    fn placed(&self, job: JobNumber) -> Result<&Job, Misuse> {
        if job.0 >= self.rows {
            return Err(Misuse::NoSuchJob(job));
        }
        self.jobs.get(&job.0).ok_or(Misuse::NotPlaced(job))
    }

    /// The hosts that change.
    pub(crate) fn remove(&mut self, now: Instant, job: JobNumber) -> Result<Vec<u32>, Misuse> {
        self.placed(job)?;
        let hosts = self.hosts_of(job.0);
        for &host in &hosts {
            let column = &mut self.grid[host as usize];
            let level = column.iter().position(|it| *it == Some(job.0)).expect("it is there");
            let mut below = column.split_off(level);
            below.remove(0);
            below.retain(Option::is_some);
            column.extend(below);
            column.resize(self.levels, None);
            self.hosts[host as usize].as_mut().expect("it is there").changed_at = now;
        }
        self.jobs.remove(&job.0);
        Ok(hosts)
    }

    pub(crate) fn terminate(&mut self, job: JobNumber) -> Result<Vec<u32>, Misuse> {
        self.placed(job)?;
        Ok(if self.kill(job.0) { self.hosts_of(job.0) } else { vec![] })
    }

    /// Whether a job is to be killed from now on, and was not before.
    fn kill(&mut self, job: u32) -> bool {
        let job = self.jobs.get_mut(&job).expect("it has hosts");
        !std::mem::replace(&mut job.terminating, true)
    }

    /// The hosts that are told: the lost one, and all that have a job of it that was not to be killed before.
    pub(crate) fn lose(&mut self, host: HostId) -> Result<Vec<u32>, Misuse> {
        let at = host.0 as usize;
        if self.hosts.get(at).ok_or(Misuse::NoSuchHost(host))?.is_none() {
            return Ok(vec![]);
        }
        let hit: Vec<u32> = self.grid[at].drain(..).flatten().collect();
        self.grid[at] = vec![None; self.levels];
        self.hosts[at] = None;
        for job in &hit {
            let job = self.jobs.get_mut(job).expect("it has a host");
            job.lead = job.lead.filter(|&lead| lead != host.0);
        }
        let killed: Vec<u32> = hit.into_iter().filter(|&job| self.kill(job)).collect();
        let mut hosts: Vec<u32> = killed.iter().flat_map(|&job| self.hosts_of(job)).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts.insert(0, host.0);
        Ok(hosts)
    }
}

fn age(now: Instant, host: &Host) -> Duration {
    now.since(host.read_at).unwrap_or(Duration::ZERO)
}

/// So many of the hosts by lot: each is taken with the chance of what is left over what is to come.
fn sample(hosts: &[u32], wanted: usize, draw: u32) -> Vec<u32> {
    let mut taken = vec![];
    for (passed, &host) in hosts.iter().enumerate() {
        let to_come = (hosts.len() - passed) as u128;
        let place = u128::from(permute(draw, host)) * to_come / (1 << 32);
        if place < (wanted - taken.len()) as u128 {
            taken.push(host);
        }
    }
    taken
}
