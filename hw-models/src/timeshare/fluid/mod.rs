//! A stream of jobs on many hosts, by rates: between two events each job goes on at a constant
//! rate, which follows from who is above it on its hosts. Queue, levels and hosts are those of the
//! kernel's own coordinator.

mod arrival;
mod fixed;
mod rates;

pub use arrival::Arrival;
pub use fixed::{Place, Start, lowered};
pub use rates::Use;

use self::rates::{Jobs, Progress, set_rates};
use crate::events::EventQueue;
use locox::dispatch::Discipline;
use locox::draw::Draw;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{self, Entry, HostId, HostRow, JobNumber, Load, Placement, Speed, UserId};
use locox_coordinators::cluster::{Columns, Command, Config, Coordinator, JobId, JobRow, Terms};
use locox_recorded::cluster::Queueing;
use locox_storage::Log;
use rand::RngExt;
use std::collections::BTreeMap;

/// The share of its processor that the first process of a barrier uses.
pub const ROOT: f64 = 0.95;

/// How long after a change hosts report.
const REPORT: f64 = 5.0;

/// Ticks of the coordinator's clock to the second.
const TICKS: f64 = 1000.0;

/// What came of a job. Times are seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ended {
    /// From its submission to its end.
    pub turnaround: f64,
    /// From its start to its end.
    pub ran: f64,
    /// The same alone.
    pub alone: f64,
    /// Its least urgent level when it started.
    pub level: u8,
}

/// A host that is gone for a while. Jobs that have a process there are killed and begin anew. Times
/// are seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Which host.
    pub host: usize,
    /// From when on.
    pub from: f64,
    /// When it is back.
    pub until: f64,
}

/// Jobs, and what they run on.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The jobs, by time.
    pub arrivals: &'a [Arrival],
    /// How many hosts there are.
    pub hosts: usize,
    /// Levels of each.
    pub levels: u8,
    /// The speed of each host; of those beyond the list nominal.
    pub speeds: &'a [Speed],
    /// Hosts that are lost; none twice at a time.
    pub losses: &'a [Loss],
    /// In which order jobs are tried.
    pub queue: Queueing,
    /// The hosts of each set that jobs may name, from set 1 on.
    pub sets: &'a [Vec<usize>],
    /// The memory of each host; empty if it is not looked at.
    pub memory: &'a [u32],
    /// Whether to keep who was at which level when.
    pub record: bool,
}

impl<'a> Setup<'a> {
    /// Hosts that are all alike and never lost, and serve first who comes first.
    pub const fn new(arrivals: &'a [Arrival], hosts: usize, levels: u8) -> Self {
        Self {
            arrivals,
            hosts,
            levels,
            speeds: &[],
            losses: &[],
            queue: Queueing::Fcfs,
            sets: &[],
            memory: &[],
            record: false,
        }
    }

    /// The parameters of its coordinator.
    pub(crate) fn config(&self) -> Config {
        let (sets, memory) = (self.sets.len() as u16, !self.memory.is_empty());
        Config { sets, memory, ..Config::new(PoolId(0)) }
    }

    /// How many hosts a job may have, lost ones included, if no other job has any memory.
    pub fn suited(&self, arrival: &Arrival) -> usize {
        let Terms { set, memory, .. } = arrival.terms;
        let has = |host: usize| self.memory.get(host).copied().unwrap_or(0);
        let is_named = |host: usize| match usize::from(set).checked_sub(1) {
            None => true,
            Some(set) => self.sets.get(set).is_some_and(|set| set.contains(&host)),
        };
        (0..self.hosts).filter(|&host| is_named(host) && has(host) >= memory).count()
    }

    fn speed(&self, host: usize) -> Speed {
        self.speeds.get(host).copied().unwrap_or(Speed::NOMINAL)
    }
}

/// A time for which a job was at a level of a host, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spell {
    /// The host.
    pub host: usize,
    /// The number of the job.
    pub job: usize,
    /// Its level there.
    pub level: u8,
    /// From when on.
    pub from: f64,
    /// To when.
    pub to: f64,
}

/// What came of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// The jobs in the order of their submission.
    pub jobs: Vec<Ended>,
    /// All starts by time; of a job that began anew several.
    pub starts: Vec<Start>,
    /// Who was at which level when, by when it ended; empty if that was not to be recorded.
    pub spells: Vec<Spell>,
    /// When the last one ended.
    pub makespan: f64,
}

/// A job that has hosts.
#[derive(Clone, Copy, Debug)]
struct Running {
    name: JobId,
    started: f64,
    level: u8,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Submit(usize),
    Report,
    /// The next job ends, if rates did not change since.
    End(u64),
    Lose(usize),
    Return(usize),
}

struct State<'a, P> {
    cluster: Coordinator<'a, P, &'a mut dyn Discipline>,
    setup: Setup<'a>,
    events: EventQueue<Event>,
    now: f64,
    /// The number of each job by that of its row.
    numbers: BTreeMap<u32, usize>,
    running: BTreeMap<usize, Running>,
    progress: Jobs,
    starts: Vec<Start>,
    /// Jobs and levels of each host, and since when, if that is recorded.
    seated: Vec<Vec<(usize, u8, f64)>>,
    spells: Vec<Spell>,
    ended: Vec<Option<Ended>>,
    gone: Vec<bool>,
    plan: u64,
    report_planned: bool,
    random: crate::streams::Stream,
    /// What the coordinator is told, and how many commands at most.
    log: Option<(Log, u64)>,
}

/// Runs a stream.
///
/// # Panics
///
/// If a job needs more hosts than [suit it](Setup::suited).
pub fn run<P: Placement>(setup: Setup<'_>, placement: P, random: crate::streams::Stream) -> Stream {
    drive(setup, placement, random, None, |state| {
        let ended = state.ended.into_iter();
        Stream {
            jobs: ended.map(|it| it.expect("every job ends")).collect(),
            makespan: state.now,
            starts: state.starts,
            spells: state.spells,
        }
    })
}

/// What its coordinator is told, up to so many commands, as a history.
pub(crate) fn history<P: Placement>(
    setup: Setup<'_>,
    placement: P,
    random: crate::streams::Stream,
    most: u64,
) -> Vec<u8> {
    drive(setup, placement, random, Some(most), |state| {
        state.log.map_or(vec![], |(log, _)| log.into_bytes())
    })
}

/// Runs it to its end, or until so many commands are noted.
fn drive<P: Placement, T>(
    setup: Setup<'_>,
    placement: P,
    random: crate::streams::Stream,
    noted: Option<u64>,
    then: impl FnOnce(State<'_, P>) -> T,
) -> T {
    let Setup { arrivals, hosts, levels, losses, .. } = setup;
    let mut entries = vec![Entry::EMPTY; hosts * usize::from(levels)];
    let mut host_rows = vec![HostRow::EMPTY; hosts];
    let mut jobs = vec![JobRow::EMPTY; arrivals.len()];
    let mut placed = vec![timeshare::JobRow::EMPTY; arrivals.len()];
    let config = setup.config();
    let mut bits = vec![0; config.words(hosts, levels)];
    let mut discipline = setup.queue.discipline();
    let columns = Columns {
        entries: &mut entries,
        hosts: &mut host_rows,
        jobs: &mut jobs,
        placed: &mut placed,
        words: &mut bits,
    };
    let rules: (P, &mut dyn Discipline) = (placement, &mut *discipline);
    let cluster = Coordinator::with_discipline(config, levels, columns, rules, Instant::ZERO);
    let cluster = cluster.expect("the columns fit");
    let mut state = State {
        log: noted.map(|most| (Log::begin(&cluster), most)),
        cluster,
        setup,
        events: EventQueue::new(),
        now: 0.0,
        numbers: BTreeMap::new(),
        running: BTreeMap::new(),
        progress: Jobs::new(),
        starts: vec![],
        seated: vec![vec![]; hosts],
        spells: vec![],
        ended: vec![None; arrivals.len()],
        gone: vec![false; hosts],
        plan: 0,
        report_planned: false,
        random,
    };
    state.tell_limits();
    state.report();
    for (number, arrival) in arrivals.iter().enumerate() {
        state.events.schedule(instant(arrival.at), Event::Submit(number));
    }
    for loss in losses {
        state.events.schedule(instant(loss.from), Event::Lose(loss.host));
        state.events.schedule(instant(loss.until), Event::Return(loss.host));
    }
    while state.ended.iter().any(Option::is_none) && !state.is_noted() {
        let Some((at, event)) = state.events.take() else { break };
        state.pass(at.ticks() as f64 / TICKS);
        state.happen(event);
    }
    then(state)
}

fn instant(seconds: f64) -> Instant {
    Instant::from_ticks((seconds * TICKS).round() as u64)
}

impl<P: Placement> State<'_, P> {
    fn pass(&mut self, now: f64) {
        let passed = (now - self.now).max(0.0);
        self.progress.values_mut().for_each(|job| job.left -= passed * job.rate);
        self.now = self.now.max(now);
    }

    fn apply(&mut self, command: Command) -> Option<JobId> {
        let draw = P::Draw::from_source(|| self.random.random());
        let now = instant(self.now);
        if let Some((log, most)) = &mut self.log
            && log.commands() < *most
        {
            log.command(now, command, draw);
        }
        let answer = self.cluster.apply_drawn(now, command, draw);
        answer.expect("the stream is sensible")
    }

    fn is_noted(&self) -> bool {
        self.log.as_ref().is_some_and(|(log, most)| log.commands() >= *most)
    }

    fn take_effects(&mut self) {
        while self.cluster.take_effect().is_some() {
            if let Some((log, _)) = &mut self.log {
                log.effect();
            }
        }
    }

    fn happen(&mut self, event: Event) {
        // Who waits is served by what hosts report next, once after each thing that happened.
        let is_news = !matches!(event, Event::Report);
        match event {
            Event::Submit(number) => self.submit(number),
            Event::Report => {
                self.report_planned = false;
                self.report();
            }
            Event::End(plan) if plan == self.plan => self.end(),
            Event::End(_) => return,
            Event::Lose(host) => self.lose(host),
            Event::Return(host) => {
                self.gone[host] = false;
                self.report();
            }
        }
        self.settle(is_news);
    }

    fn submit(&mut self, number: usize) {
        let Arrival { hosts, barrier, terms, .. } = self.setup.arrivals[number];
        let submit = Command::Submit { user: UserId(0), hosts, synchronising: barrier, terms };
        let name = self.apply(submit).expect("a submission has an answer");
        self.numbers.insert(name.handle().index(), number);
    }

    /// Sets of hosts, and their memory.
    fn tell_limits(&mut self) {
        for (set, hosts) in (1..).zip(self.setup.sets) {
            for &host in hosts {
                let first = HostId(host as u32);
                self.apply(Command::NameHosts { set, first, hosts: 1, named: true });
            }
        }
        for (host, &memory) in (0..).map(HostId).zip(self.setup.memory) {
            self.apply(Command::HostMemory { host, memory });
        }
    }

    /// Hosts report how much of their processors is used.
    fn report(&mut self) {
        let mut used = vec![0.0; self.setup.hosts];
        for job in self.progress.values() {
            job.uses.iter().for_each(|it| used[it.host] += it.cost * job.rate);
        }
        for (host, used) in used.into_iter().enumerate() {
            if self.gone[host] {
                continue;
            }
            let load = Load::from_thousandths((used.min(1.0) * 1000.0).round() as u16);
            let (host, speed) = (HostId(host as u32), self.setup.speed(host));
            // Whoever is told hears it at once.
            let heard = self.cluster.batch(host);
            self.apply(Command::HostReport { host, load, speed, heard });
        }
    }

    fn end(&mut self) {
        let is_done = |(&at, job): (&usize, &Progress)| (job.left < 1e-3).then_some(at);
        let done: Vec<usize> = self.progress.iter().filter_map(is_done).collect();
        for number in done {
            let Some(Running { name, started, level }) = self.leave(number) else { continue };
            let Arrival { at, alone, .. } = self.setup.arrivals[number];
            let (turnaround, ran) = (self.now - at, self.now - started);
            self.ended[number] = Some(Ended { turnaround, ran, alone, level });
            self.apply(Command::Ended { job: name });
        }
    }

    fn leave(&mut self, number: usize) -> Option<Running> {
        self.progress.remove(&number);
        self.running.remove(&number)
    }

    /// Jobs that had a process there are submitted once more.
    fn lose(&mut self, host: usize) {
        self.gone[host] = true;
        let is_hit = |(&at, job): (&usize, &Progress)| {
            job.uses.iter().any(|it| it.host == host).then_some(at)
        };
        let hit: Vec<usize> = self.progress.iter().filter_map(is_hit).collect();
        self.apply(Command::HostLost { host: HostId(host as u32) });
        for number in hit {
            let Some(job) = self.leave(number) else { continue };
            self.apply(Command::Ended { job: job.name });
            self.submit(number);
        }
    }

    /// Takes note of jobs that started, and sets all rates and the next events.
    fn settle(&mut self, is_news: bool) {
        self.take_effects();
        let running: Vec<JobId> = self.cluster.running().map(|(name, _)| name).collect();
        let mut is_changed = false;
        for name in running {
            let number = self.numbers[&name.handle().index()];
            if !self.running.contains_key(&number) {
                self.start(name, number);
                is_changed = true;
            }
        }
        if self.setup.record {
            self.note_levels();
        }
        let columns = self.columns();
        set_rates(&mut self.progress, &columns);
        self.plan += 1;
        let next = self.progress.values().map(|job| job.left.max(0.0) / job.rate);
        if let Some(next) = next.min_by(f64::total_cmp) {
            // A tick late rather than early.
            let at = instant(self.now + next).saturating_add(Duration::from_ticks(1));
            self.events.schedule(at, Event::End(self.plan));
        }
        let waits = self.cluster.queue().next().is_some();
        if (is_changed || is_news && waits) && !self.report_planned {
            self.report_planned = true;
            self.events.schedule(instant(self.now + REPORT), Event::Report);
        }
    }

    /// Who stands on a host, from the most urgent one on.
    fn column(&self, host: usize) -> Vec<usize> {
        let column = self.cluster.table().column(HostId(host as u32));
        column.map(|(_, job, _)| self.numbers[&job.0]).collect()
    }

    /// Closes what changed on any host since the last time.
    fn note_levels(&mut self) {
        for (host, seated) in self.seated.iter_mut().enumerate() {
            let column = self.cluster.table().column(HostId(host as u32));
            let column = column.map(|(level, job, _)| (self.numbers[&job.0], level.number()));
            let column: Vec<(usize, u8)> = column.collect();
            let since = |job, level, seated: &[(usize, u8, f64)]| {
                seated.iter().find(|it| (it.0, it.1) == (job, level)).map(|it| it.2)
            };
            let gone = seated.iter().filter(|it| !column.contains(&(it.0, it.1)));
            let to = self.now;
            self.spells.extend(gone.map(|&(job, level, from)| Spell {
                host,
                job,
                level,
                from,
                to,
            }));
            let now = |(job, level)| (job, level, since(job, level, seated).unwrap_or(to));
            *seated = column.into_iter().map(now).collect();
        }
    }

    fn columns(&self) -> Vec<Vec<usize>> {
        (0..self.setup.hosts).map(|host| self.column(host)).collect()
    }

    fn start(&mut self, name: JobId, number: usize) {
        let row = JobNumber(name.handle().index());
        let Arrival { alone, demand, barrier, .. } = self.setup.arrivals[number];
        let table = self.cluster.table();
        let lead = table.lead(row).ok().flatten();
        let found: Vec<_> = table.places(row).collect();
        let level = found.iter().map(|(_, level)| level.number()).max().unwrap_or(0);
        let place = |&(host, _): &(HostId, _)| {
            let mut above = self.column(host.0 as usize);
            above.truncate(above.iter().position(|it| *it == number).unwrap_or(0));
            let demand = if barrier && Some(host) == lead { ROOT } else { demand };
            let host = host.0 as usize;
            Place { used: Use::new(host, demand, self.setup.speed(host)), above }
        };
        let places: Vec<Place> = found.iter().map(place).collect();
        let uses = places.iter().map(|place| place.used).collect();
        self.progress.insert(number, Progress { barrier, left: alone, rate: 1.0, uses });
        self.running.insert(number, Running { name, started: self.now, level });
        self.starts.push(Start { job: number, at: self.now, places });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use locox::timeshare::{FirstLevel, NonInterfering, Threshold};

    fn job(at: f64, hosts: u32, demand: f64, barrier: bool) -> Arrival {
        Arrival { at, hosts, alone: 100.0, demand, barrier, terms: Terms::default() }
    }

    fn non_interfering() -> NonInterfering {
        NonInterfering {
            degree: 2,
            threshold: Threshold::from_thousandths(800).unwrap(),
            believed: Duration::from_ticks(60_000),
            settled: Duration::from_ticks(1000),
        }
    }

    fn on(arrivals: &[Arrival], hosts: usize, levels: u8) -> Setup<'_> {
        Setup::new(arrivals, hosts, levels)
    }

    #[test]
    fn in_space_jobs_wait_and_in_time_the_second_one_uses_what_is_left() {
        let jobs = [job(0.0, 4, 0.5, false), job(0.0, 4, 1.0, false)];
        let random = || stream(1, "fluid", 0);
        let space = run(on(&jobs, 4, 1), FirstLevel::new(1), random());
        assert!((space.jobs[0].turnaround - 100.0).abs() < 0.1);
        assert!((space.jobs[1].turnaround - 200.0).abs() < 0.2, "{space:?}");
        let time = run(on(&jobs, 4, 2), non_interfering(), random());
        assert!((time.jobs[0].ran - 100.0).abs() < 0.1);
        // From the first report on it has half of each host, and all when the first has ended.
        assert!((time.jobs[1].turnaround - 152.5).abs() < 1.0, "{time:?}");
        assert_eq!(time.jobs[1].level, 1);
    }

    fn jobs() -> Vec<Arrival> {
        (0..40).map(|at| job(f64::from(at) * 60.0, 1 + at % 6, 0.4, at % 2 == 0)).collect()
    }

    #[test]
    fn under_version_3_whoever_is_first_is_not_slowed_and_nobody_loses_to_a_newcomer() {
        let jobs = jobs();
        let found = run(on(&jobs, 8, 2), non_interfering(), stream(1, "fluid", 1));
        let first = found.jobs.iter().filter(|it| it.level == 0);
        assert!(first.clone().count() > 10);
        assert!(first.clone().all(|it| it.ran < it.alone + 0.2), "{found:?}");
        assert!(found.jobs.iter().any(|it| it.level > 0));
        assert_eq!(lowered(&jobs, &found.starts, 8), None);
        let passing = run(on(&jobs, 8, 2), FirstLevel::new(2).shuffled(), stream(1, "fluid", 1));
        assert!(lowered(&jobs, &passing.starts, 8).is_some());
    }

    #[test]
    fn a_faster_host_shortens_what_is_computed_and_not_the_waiting() {
        let jobs = [job(0.0, 1, 0.5, false)];
        let speeds = [Speed(8), Speed(32)];
        let found = run(
            Setup { speeds: &speeds, ..on(&jobs, 2, 1) },
            non_interfering_alone(),
            stream(1, "f", 0),
        );
        assert_eq!(found.starts[0].places[0].used.host, 1, "the faster one");
        assert!((found.jobs[0].ran - 75.0).abs() < 0.1, "{found:?}");
        let slow = run(
            Setup { speeds: &speeds, ..on(&jobs, 1, 1) },
            non_interfering_alone(),
            stream(1, "f", 0),
        );
        assert!((slow.jobs[0].ran - 150.0).abs() < 0.1, "{slow:?}");
    }

    fn non_interfering_alone() -> NonInterfering {
        NonInterfering { degree: 1, ..non_interfering() }
    }

    #[test]
    fn whoever_loses_a_host_begins_anew() {
        let jobs = [job(0.0, 2, 0.5, false), job(10.0, 2, 0.5, false)];
        let losses = [Loss { host: 0, from: 50.0, until: 400.0 }];
        let setup = Setup { losses: &losses, record: true, ..on(&jobs, 4, 2) };
        let found = run(setup, non_interfering(), stream(1, "fluid", 0));
        assert_eq!(found.starts.len(), 3);
        assert!((found.jobs[0].ran - 100.0).abs() < 60.0, "{found:?}");
        assert!(found.jobs[0].turnaround > 150.0 && found.jobs[0].turnaround < 210.0, "{found:?}");
        assert!((found.jobs[1].turnaround - 100.0).abs() < 1.0, "{found:?}");
        assert!(found.starts[2].places.iter().all(|place| place.used.host != 0));
        let of_first = found.spells.iter().filter(|it| it.job == 0 && it.host == 0);
        let told: Vec<_> = of_first.map(|it| (it.level, it.from, it.to)).collect();
        assert_eq!(told, [(0, 0.0, 50.0)]);
    }
}
