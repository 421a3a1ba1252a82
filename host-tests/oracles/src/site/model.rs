//! What the coordinator must do, by looking at everything again.

use super::Setup;
use crate::mapping::{self, Case, Group, Heuristic, Place, Reading, Rule, preempt};
use locox::error::Error;
use locox::mapping::{Basis, Best, Experience, Runs, runs};
use locox::time::Duration;
use locox_coordinators::site::{
    Algorithm, Claim, JobClass, Learning, MachineId, Misuse, Policy, QueueId, Refusal, Remap,
    UserId, UserStatus,
};
use std::collections::BTreeSet;

type Answer<T> = Result<T, Error<Refusal, Misuse>>;

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Where, and when it is to start.
    Waits(Option<(usize, u64)>),
    /// Where, and when it is to end.
    Runs(usize, u64),
    Leaves(usize),
    Over,
}

#[derive(Clone, Debug)]
pub(super) struct Job {
    user: usize,
    queue: usize,
    pub(super) class: usize,
    pub(super) attempt: u32,
    preemptions: u32,
    /// How often a mapping gave it a place.
    mapped: u32,
    pub(super) state: State,
    pub(super) due: bool,
}

#[derive(Clone, Debug, Default)]
struct User {
    /// The number of his last job is that of all jobs at that time.
    serial: u32,
    last: usize,
    limit: u32,
    clearance: u8,
    machine_time: u64,
}

/// Jobs in the order of their arrival, those that are over included.
#[derive(Clone, Debug)]
pub struct Model {
    setup: Setup,
    pub(super) now: u64,
    next: u64,
    pub(super) jobs: Vec<Job>,
    /// Of each machine its start, whether it is there, and the job that it has.
    pub(super) machines: Vec<(u32, bool, Option<usize>)>,
    users: Vec<User>,
    queues: Vec<Policy>,
    down: BTreeSet<u32>,
    /// Class, resource, how long, the last one last.
    history: Vec<(usize, usize, u64)>,
}

impl Model {
    /// Nothing has happened.
    pub fn new(setup: Setup) -> Self {
        let machines = vec![(0, false, None); setup.machines];
        let (users, queues) =
            (vec![User::default(); setup.users], vec![Policy::EMPTY; setup.queues]);
        let (down, history) = (BTreeSet::new(), vec![]);
        Self { setup, now: 0, next: 0, jobs: vec![], machines, users, queues, down, history }
    }

    pub(super) fn wake_at(&self) -> Option<u64> {
        (self.waiting() > 0).then_some(self.next)
    }

    fn waiting(&self) -> usize {
        self.jobs.iter().filter(|job| matches!(job.state, State::Waits(_))).count()
    }

    pub(super) fn serial(&self, user: usize) -> u32 {
        self.users.get(user).map_or(0, |user| user.serial)
    }

    pub(super) fn boot(&self, machine: usize) -> u32 {
        self.machines.get(machine).map_or(1, |machine| machine.0)
    }

    /// What a class takes on a resource.
    pub(super) fn expected(&self, class: usize, resource: usize) -> Option<u64> {
        let table = self.setup.times[class][resource]?;
        let Some(learning) = self.setup.config.learning else { return Some(table) };
        let class_of = |at: usize| self.setup.classes[at];
        let runs = |suits: &dyn Fn(usize) -> bool| {
            let these = self.history.iter().filter(|(of, at, _)| *of == class && suits(*at));
            of_runs(learning, these.map(|(.., took)| *took))
        };
        let here = runs(&|at| at == resource);
        let alike = || runs(&|at| class_of(at) == class_of(resource));
        let found = match learning.basis {
            Basis::Resource => here,
            Basis::Class => here.or_else(alike),
            Basis::Anywhere => here.or_else(alike).or_else(|| runs(&|_| true)),
        };
        Some(found.unwrap_or(table))
    }

    /// The number of the job; that of an earlier one if it was submitted before.
    pub(super) fn submit(
        &mut self,
        now: u64,
        user: u32,
        serial: u32,
        queue: u32,
        class: u32,
    ) -> Answer<usize> {
        let it = self.users.get(user as usize).ok_or(Misuse::NoSuchUser(UserId(user)))?.clone();
        if serial == it.serial && serial > 0 {
            return Ok(it.last);
        }
        if serial != it.serial + 1 {
            return Err(Misuse::Serial { next: it.serial + 1 }.into());
        }
        if queue as usize >= self.queues.len() {
            return Err(Misuse::NoSuchQueue(QueueId(queue)).into());
        }
        let class = class as usize;
        let row = self.setup.times.get(class).ok_or(Misuse::NoSuchClass(JobClass(class as u32)))?;
        let least = self.queues[queue as usize].clearance;
        if it.clearance < least {
            return Err(Refusal::NoAccess { clearance: least }.into());
        }
        let open = self.jobs.iter().filter(|job| job.state != State::Over);
        let jobs = open.clone().filter(|job| job.user == user as usize).count() as u32;
        if it.limit > 0 && jobs >= it.limit {
            return Err(Refusal::Limit { jobs }.into());
        }
        if row[..self.setup.machines].iter().all(Option::is_none) {
            return Err(Refusal::NoMachine(JobClass(class as u32)).into());
        }
        if open.count() == self.setup.jobs {
            return Err(Refusal::JobsFull.into());
        }
        self.begin_to_wait(now);
        let (user, queue, last) = (user as usize, queue as usize, self.jobs.len());
        let state = State::Waits(None);
        self.jobs.push(Job {
            user,
            queue,
            class,
            attempt: 0,
            preemptions: 0,
            mapped: 0,
            state,
            due: false,
        });
        self.users[user] = User { serial, last, ..it };
        Ok(last)
    }

    /// Whether this is the run of a job that has machines.
    fn has(&self, job: usize, attempt: u32) -> Answer<()> {
        let it = &self.jobs[job];
        let has_machines = matches!(it.state, State::Runs(..) | State::Leaves(_));
        if has_machines && it.attempt == attempt { Ok(()) } else { Err(Refusal::Old.into()) }
    }

    pub(super) fn finished(&mut self, job: usize, attempt: u32, took: u64) -> Answer<()> {
        self.has(job, attempt)?;
        if let State::Runs(resource, _) | State::Leaves(resource) = self.jobs[job].state {
            self.history.push((self.jobs[job].class, resource, took));
        }
        let machines = self.machines.iter().filter(|it| it.2 == Some(job)).count() as u64;
        self.users[self.jobs[job].user].machine_time += took * machines;
        self.set(job, State::Over);
        Ok(())
    }

    pub(super) fn vacated(&mut self, now: u64, job: usize, attempt: u32) -> Answer<()> {
        self.has(job, attempt)?;
        self.begin_to_wait(now);
        self.set(job, State::Waits(None));
        Ok(())
    }

    pub(super) fn lost(&mut self, now: u64, machine: u32, boot: u32) -> Answer<()> {
        let at = machine as usize;
        let it = self.machines.get_mut(at).ok_or(Misuse::NoSuchMachine(MachineId(machine)))?;
        if boot < it.0 {
            return Err(Refusal::Old.into());
        }
        (it.0, it.1) = (boot, false);
        self.drop_job(now, at);
        self.drop_places();
        Ok(())
    }

    pub(super) fn back(&mut self, now: u64, machine: u32, boot: u32) -> Answer<()> {
        let at = machine as usize;
        let it = self.machines.get_mut(at).ok_or(Misuse::NoSuchMachine(MachineId(machine)))?;
        if boot == it.0 && it.1 {
            return Ok(());
        }
        if boot <= it.0 {
            return Err(Refusal::Old.into());
        }
        (it.0, it.1) = (boot, true);
        self.drop_job(now, at);
        Ok(())
    }

    pub(super) fn link(&mut self, link: u32, is_up: bool) -> Answer<()> {
        if self.setup.clusters.iter().all(|(.., of)| *of != Some(link)) {
            return Err(Misuse::NoSuchLink(link).into());
        }
        if is_up {
            self.down.remove(&link);
        } else {
            self.down.insert(link);
        }
        self.drop_places();
        Ok(())
    }

    pub(super) fn set_policy(&mut self, queue: u32, policy: Policy) -> Answer<()> {
        let rank = |claim| match claim {
            Claim::Takes => 0,
            Claim::Neither => 1,
            Claim::Loses => 2,
        };
        let mut all = self.queues.clone();
        let old = all.get_mut(queue as usize);
        let disagrees = |one: &Policy, other: &Policy| {
            rank(one.claim) < rank(other.claim) && one.level >= other.level
        };
        match old {
            Some(old) => *old = policy,
            None => all.push(policy),
        }
        let clash = all.iter().any(|one| all.iter().any(|other| disagrees(one, other)));
        if clash {
            return Err(Misuse::Claims(QueueId(queue)).into());
        }
        if all.len() > self.queues.len() {
            return Err(Misuse::NoSuchQueue(QueueId(queue)).into());
        }
        self.queues = all;
        Ok(())
    }

    pub(super) fn set_limit(&mut self, user: u32, jobs: u32) -> Answer<()> {
        let it = self.users.get_mut(user as usize);
        it.ok_or(Misuse::NoSuchUser(UserId(user)))?.limit = jobs;
        Ok(())
    }

    pub(super) fn set_clearance(&mut self, user: u32, clearance: u8) -> Answer<()> {
        let it = self.users.get_mut(user as usize);
        it.ok_or(Misuse::NoSuchUser(UserId(user)))?.clearance = clearance;
        Ok(())
    }

    pub(super) fn user(&self, user: usize) -> Option<UserStatus> {
        let User { limit, clearance, machine_time, .. } = *self.users.get(user)?;
        let his = self.jobs.iter().filter(|job| job.user == user);
        let (ended, open): (Vec<_>, Vec<_>) = his.partition(|job| job.state == State::Over);
        Some(UserStatus {
            jobs: open.len() as u32,
            limit,
            clearance,
            ended: ended.len() as u32,
            machine_time: Duration::from_ticks(machine_time),
        })
    }

    /// What was due by `now`, after a command.
    pub(super) fn go_on(&mut self, now: u64) {
        self.now = now;
        if self.waiting() > 0 && now >= self.next {
            self.next = self.end_of_quantum(now);
            self.map();
        }
        self.start_jobs();
    }

    fn end_of_quantum(&self, now: u64) -> u64 {
        let quantum = self.setup.config.quantum.ticks();
        (now / quantum + 1) * quantum
    }

    /// What is over while nobody waits does not count.
    fn begin_to_wait(&mut self, now: u64) {
        if self.waiting() == 0 && now >= self.next {
            self.next = self.end_of_quantum(now);
        }
    }

    /// A job has no machines and is not due.
    fn set(&mut self, job: usize, state: State) {
        self.machines.iter_mut().filter(|it| it.2 == Some(job)).for_each(|it| it.2 = None);
        (self.jobs[job].state, self.jobs[job].due) = (state, false);
    }

    fn leave(&mut self, job: usize) {
        if let State::Runs(resource, _) = self.jobs[job].state {
            self.jobs[job].state = State::Leaves(resource);
        }
        self.jobs[job].due = true;
    }

    fn drop_job(&mut self, now: u64, machine: usize) {
        let Some(job) = self.machines[machine].2.take() else { return };
        if self.machines.iter().any(|it| it.2 == Some(job)) {
            self.leave(job);
        } else {
            self.begin_to_wait(now);
            self.set(job, State::Waits(None));
        }
    }

    fn drop_places(&mut self) {
        for job in 0..self.jobs.len() {
            if let State::Waits(Some((at, _))) = self.jobs[job].state
                && self.present(at).is_empty()
            {
                self.jobs[job].state = State::Waits(None);
            }
        }
    }

    /// The machines of a resource that are there; none if it can take no job.
    fn present(&self, resource: usize) -> Vec<usize> {
        let members = self.setup.members(resource).into_iter();
        let present: Vec<usize> = members.filter(|&at| self.machines[at].1).collect();
        let Some(at) = resource.checked_sub(self.setup.machines) else { return present };
        let (_, least, link) = &self.setup.clusters[at];
        let is_up = link.is_none_or(|link| !self.down.contains(&link));
        if is_up && present.len() >= *least { present } else { vec![] }
    }

    /// Queues in the order in which they are mapped.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.queues.len()).collect();
        order.sort_by_key(|&queue| (self.queues[queue].level, queue));
        order
    }

    fn map(&mut self) {
        let now = self.now;
        let mut free: Vec<Option<u64>> =
            self.machines.iter().map(|it| it.1.then_some(now)).collect();
        let can_start = |job: &Job| {
            (0..self.setup.machines)
                .any(|at| self.machines[at].1 && self.setup.times[job.class][at].is_some())
        };
        let mut numbered = vec![];
        for (number, job) in self.jobs.iter().enumerate() {
            match job.state {
                State::Over | State::Leaves(_) => {}
                _ if can_start(job) => numbered.push(number),
                State::Runs(_, until) => {
                    let of =
                        self.machines.iter().zip(&mut free).filter(|(it, _)| it.2 == Some(number));
                    of.for_each(|(_, free)| *free = Some(until.max(now + 1)));
                }
                State::Waits(_) => {}
            }
        }
        let keeps = self.setup.config.remap == Remap::New;
        let place = |number: &usize| match self.jobs[*number].state {
            State::Runs(at, until) => Some((0, at, until.max(now + 1))),
            State::Waits(Some((at, start))) if keeps => Some((1, at, start)),
            _ => None,
        };
        let mut kept: Vec<_> =
            numbered.iter().filter_map(|number| Some((place(number)?, *number))).collect();
        // Those that run first, then by start and arrival.
        kept.sort_by_key(|((waits, _, when), number)| (*waits, when * waits, *number));
        if kept.len() == numbered.len() {
            return;
        }
        let mut chain = free.clone();
        let mut running = vec![];
        let mut starts = vec![];
        for ((waits, at, when), number) in kept {
            let members = self.setup.members(at);
            let start = members.iter().filter_map(|&at| chain[at]).max().unwrap_or(now).max(now);
            let takes = self.expected(self.jobs[number].class, at).unwrap_or(0);
            let until = if waits == 1 { start + takes } else { when };
            for at in members {
                chain[at] = chain[at].map(|free| free.max(until));
            }
            let job = numbered.iter().position(|it| *it == number).expect("it is numbered");
            let preemptions = self.jobs[number].preemptions;
            running.push(mapping::Runs { job, resource: at, until, preemptions });
            starts.push(start);
        }
        self.map_beside(free, &numbered, &running, &starts);
    }

    fn map_beside(
        &mut self,
        machines: Vec<Option<u64>>,
        numbered: &[usize],
        running: &[mapping::Runs],
        starts: &[u64],
    ) {
        let Setup { config, clusters, .. } = &self.setup;
        let group = |(members, least, link): &(Vec<u32>, usize, Option<u32>)| Group {
            members: members.clone(),
            least: *least,
            is_up: link.is_none_or(|link| !self.down.contains(&link)),
        };
        let resources = self.setup.machines + clusters.len();
        let row = |number: &usize| {
            let class = self.jobs[*number].class;
            (0..resources).map(|at| self.expected(class, at)).collect()
        };
        let case = Case {
            now: self.now,
            machines,
            clusters: clusters.iter().map(group).collect(),
            times: numbered.iter().map(row).collect(),
        };
        let order = self.order();
        let rank =
            |queue: usize| order.iter().position(|it| *it == queue).expect("it is there") as u8;
        // A job that has waited for too long is mapped by itself, as if it had a level between its queue and the
        // one before.
        let group = |&number: &usize| {
            let Job { queue, mapped, .. } = self.jobs[number];
            let waited = config.patience.is_some_and(|patience| mapped >= patience);
            (rank(queue), if waited { number } else { usize::MAX })
        };
        let groups: BTreeSet<(u8, usize)> = numbered.iter().map(group).collect();
        let groups: Vec<(u8, usize)> = groups.into_iter().collect();
        let level =
            |number: &usize| groups.binary_search(&group(number)).expect("it is there") as u8;
        let levels: Vec<u8> = numbered.iter().map(level).collect();
        let reading = match config.best {
            Best::Completion => Reading::Completion,
            Best::Execution => Reading::Execution,
        };
        let queue_of = |level: u8| order[usize::from(groups[usize::from(level)].0)];
        let by = |level: u8| match groups
            .get(usize::from(level))
            .map(|_| self.queues[queue_of(level)].algorithm)
        {
            Some(Algorithm::Sjs) => Heuristic::Duplex(reading),
            Some(Algorithm::Olb) => Heuristic::Olb,
            Some(Algorithm::BestAssignment) => Heuristic::BestAssignment(reading),
            Some(Algorithm::MinMin) => Heuristic::MinMin(reading),
            Some(Algorithm::MaxMin) => Heuristic::MaxMin(reading),
            Some(Algorithm::Sufferage) => Heuristic::Sufferage,
            _ => Heuristic::Pjs(reading),
        };
        let of = |claim| -> Vec<u8> {
            let these = order.iter().filter(|queue| self.queues[**queue].claim == claim);
            these.map(|&queue| rank(queue)).collect()
        };
        let last = |rank: u8| groups.iter().rposition(|group| group.0 <= rank);
        let first = |rank: u8| groups.iter().position(|group| group.0 >= rank);
        let takers = of(Claim::Takes).pop().and_then(last);
        let losers = of(Claim::Loses).first().copied().and_then(first);
        let between = takers.zip(losers).map(|(takers, losers)| (takers as u8, losers as u8));
        let (takers, losers) = between.unwrap_or((0, u8::MAX));
        let gain = config.gain.map(|gain| gain.ticks());
        let rule = Rule { takers, losers, most: config.preemptions, gain };
        let planned = preempt(&case, &by, &levels, running, &rule);
        let (places, loses) = planned.expect("each job has a machine");
        self.take_over(numbered, running, starts, &places, &loses);
    }

    fn take_over(
        &mut self,
        numbered: &[usize],
        running: &[mapping::Runs],
        starts: &[u64],
        places: &[Option<Place>],
        loses: &[bool],
    ) {
        let mut stays = vec![];
        for ((one, &start), &loses) in running.iter().zip(starts).zip(loses) {
            let number = numbered[one.job];
            match self.jobs[number].state {
                State::Waits(_) if !loses => {
                    self.jobs[number].state = State::Waits(Some((one.resource, start)));
                }
                State::Runs(..) if loses => {
                    self.jobs[number].preemptions += 1;
                    self.leave(number);
                }
                State::Runs(..) => {}
                _ => continue,
            }
            stays.push(one.job);
        }
        for (job, &number) in numbered.iter().enumerate().filter(|(job, _)| !stays.contains(job)) {
            let place = places[job].expect("all have places");
            self.jobs[number].state = State::Waits(Some((place.resource, place.start)));
            self.jobs[number].mapped += 1;
        }
    }

    /// In the order of their starts: nobody passes another on a machine.
    fn start_jobs(&mut self) {
        let mut waiting: Vec<(u64, usize, usize)> = vec![];
        for (number, job) in self.jobs.iter().enumerate() {
            if let State::Waits(Some((at, start))) = job.state {
                waiting.push((start, number, at));
            }
        }
        waiting.sort_unstable();
        let mut claimed = BTreeSet::new();
        for (_, number, at) in waiting {
            let machines = self.present(at);
            let is_free = |&at: &usize| self.machines[at].2.is_none() && !claimed.contains(&at);
            if machines.iter().all(is_free) {
                let takes = self.expected(self.jobs[number].class, at).unwrap_or(0);
                machines.iter().for_each(|&at| self.machines[at].2 = Some(number));
                let job = &mut self.jobs[number];
                (job.state, job.due) = (State::Runs(at, self.now + takes), true);
                job.attempt += 1;
            }
            claimed.extend(self.setup.members(at));
        }
    }

    pub(super) fn resync(&mut self) {
        for job in &mut self.jobs {
            job.due = matches!(job.state, State::Runs(..) | State::Leaves(_));
        }
    }
}

/// What runs that took so long, one after the other, let expect of the next.
fn of_runs(learning: Learning, took: impl Iterator<Item = u64>) -> Option<u64> {
    let mut alone =
        Experience::new(&[0], 1, [Runs::EMPTY; runs(1, 1, 1)], learning.memory).unwrap();
    took.for_each(|took| alone.ran(0, 0, Duration::from_ticks(took)).unwrap());
    let known = alone.expected(0, 0).unwrap()?;
    Some(known.mean.ticks() + known.deviation.ticks() * u64::from(learning.risk) / 16)
}
