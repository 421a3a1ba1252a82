//! A stream of jobs on many hosts, by rates: between two events each job goes on at a constant
//! rate, which follows from who is above it on its hosts. Queue, levels and hosts are those of the
//! kernel's own coordinator.

use crate::events::EventQueue;
use locox::cluster::{Cluster, Columns, Command, Config, JobId, JobRow, Retry, words};
use locox::coordinate::Draw;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{self, Entry, HostId, HostRow, JobNumber, Load, Placement, Speed, UserId};
use rand::RngExt;
use std::collections::BTreeMap;

/// A job of a stream. Times are seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrival {
    /// When it is submitted.
    pub at: f64,
    /// How many hosts it needs.
    pub hosts: u32,
    /// How long it takes alone.
    pub alone: f64,
    /// The share of a processor that each process uses then, but for the first of a barrier.
    pub demand: f64,
    /// Whether its first process synchronises the others: it uses [`ROOT`] of its processor, and
    /// the job goes on as its slowest process does. Without it the job balances itself.
    pub barrier: bool,
}

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

/// What came of a stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// The jobs in the order of their submission.
    pub jobs: Vec<Ended>,
    /// When the last one ended.
    pub makespan: f64,
}

struct Running {
    name: JobId,
    arrival: usize,
    started: f64,
    level: u8,
    /// Seconds alone that are left.
    left: f64,
    rate: f64,
    /// Its hosts, and the share of each that it uses.
    uses: Vec<(usize, f64)>,
}

#[derive(Clone, Copy, Debug)]
enum Event {
    Submit(usize),
    Report,
    /// The next job ends, if rates did not change since.
    End(u64),
}

struct State<'a, P> {
    cluster: Cluster<'a, P>,
    arrivals: &'a [Arrival],
    events: EventQueue<Event>,
    now: f64,
    names: BTreeMap<u32, usize>,
    running: BTreeMap<u32, Running>,
    ended: Vec<Option<Ended>>,
    plan: u64,
    report_planned: bool,
    random: crate::streams::Stream,
}

/// Runs a stream, which is sorted by time, on so many hosts with so many levels each.
///
/// # Panics
///
/// If a job needs more hosts than there are.
pub fn run<P: Placement>(
    arrivals: &[Arrival],
    hosts: usize,
    levels: u8,
    placement: P,
    random: crate::streams::Stream,
) -> Stream {
    let mut entries = vec![Entry::EMPTY; hosts * usize::from(levels)];
    let mut host_rows = vec![HostRow::EMPTY; hosts];
    let mut jobs = vec![JobRow::EMPTY; arrivals.len()];
    let mut placed = vec![timeshare::JobRow::EMPTY; arrivals.len()];
    let mut bits = vec![0; words(hosts, levels)];
    let columns = Columns {
        entries: &mut entries,
        hosts: &mut host_rows,
        jobs: &mut jobs,
        placed: &mut placed,
        words: &mut bits,
    };
    let config = Config { retry: Retry::Always, silence: None, pool: PoolId(0) };
    let cluster = Cluster::new(config, placement, levels, columns, Instant::ZERO);
    let mut state = State {
        cluster: cluster.expect("the columns fit"),
        arrivals,
        events: EventQueue::new(),
        now: 0.0,
        names: BTreeMap::new(),
        running: BTreeMap::new(),
        ended: vec![None; arrivals.len()],
        plan: 0,
        report_planned: false,
        random,
    };
    state.report(hosts);
    for (number, arrival) in arrivals.iter().enumerate() {
        state.events.schedule(instant(arrival.at), Event::Submit(number));
    }
    while let Some((at, event)) = state.events.take() {
        state.pass(at.ticks() as f64 / TICKS);
        state.happen(event, hosts);
    }
    let jobs: Vec<Ended> = state.ended.into_iter().map(|it| it.expect("every job ends")).collect();
    Stream { makespan: state.now, jobs }
}

fn instant(seconds: f64) -> Instant {
    Instant::from_ticks((seconds * TICKS).round() as u64)
}

impl<P: Placement> State<'_, P> {
    fn pass(&mut self, now: f64) {
        let passed = (now - self.now).max(0.0);
        self.running.values_mut().for_each(|job| job.left -= passed * job.rate);
        self.now = self.now.max(now);
    }

    fn apply(&mut self, command: Command) -> Option<JobId> {
        let draw = P::Draw::from_source(|| self.random.random());
        let answer = self.cluster.apply_drawn(instant(self.now), command, draw);
        answer.expect("the stream is sensible")
    }

    fn happen(&mut self, event: Event, hosts: usize) {
        match event {
            Event::Submit(number) => {
                let Arrival { hosts, barrier, .. } = self.arrivals[number];
                let submit = Command::Submit { user: UserId(0), hosts, synchronising: barrier };
                let name = self.apply(submit).expect("a submission has an answer");
                self.names.insert(name.handle().index(), number);
            }
            Event::Report => {
                self.report_planned = false;
                self.report(hosts);
            }
            Event::End(plan) if plan == self.plan => self.end(),
            Event::End(_) => return,
        }
        self.settle();
    }

    /// Hosts report how much of their processors is used.
    fn report(&mut self, hosts: usize) {
        let mut used = vec![0.0; hosts];
        for job in self.running.values() {
            job.uses.iter().for_each(|&(host, share)| used[host] += share * job.rate);
        }
        for (host, used) in (0..).map(HostId).zip(used) {
            let load = Load::from_thousandths((used.min(1.0) * 1000.0).round() as u16);
            self.apply(Command::HostReport { host, load, speed: Speed::NOMINAL });
        }
    }

    fn end(&mut self) {
        let done: Vec<u32> =
            self.running.iter().filter(|(_, job)| job.left < 1e-3).map(|(&at, _)| at).collect();
        for number in done {
            let Some(job) = self.running.remove(&number) else { continue };
            let Arrival { at, alone, .. } = self.arrivals[job.arrival];
            let (turnaround, ran) = (self.now - at, self.now - job.started);
            self.ended[job.arrival] = Some(Ended { turnaround, ran, alone, level: job.level });
            self.apply(Command::Ended { job: job.name });
        }
    }

    /// Takes note of jobs that started, and sets all rates and the next events.
    fn settle(&mut self) {
        while self.cluster.take_effect().is_some() {}
        let started: Vec<JobId> = self.cluster.running().map(|(name, _)| name).collect();
        let mut is_changed = false;
        for name in started {
            let number = name.handle().index();
            if !self.running.contains_key(&number) {
                self.running.insert(number, self.started(name));
                is_changed = true;
            }
        }
        self.set_rates();
        self.plan += 1;
        let next = self.running.values().map(|job| job.left.max(0.0) / job.rate);
        if let Some(next) = next.min_by(f64::total_cmp) {
            // A tick late rather than early.
            let at = instant(self.now + next).saturating_add(Duration::from_ticks(1));
            self.events.schedule(at, Event::End(self.plan));
        }
        let waits = self.cluster.queue().next().is_some();
        if (is_changed || waits) && !self.report_planned {
            self.report_planned = true;
            self.events.schedule(instant(self.now + REPORT), Event::Report);
        }
    }

    fn started(&self, name: JobId) -> Running {
        let number = JobNumber(name.handle().index());
        let arrival = self.names[&number.0];
        let Arrival { alone, demand, barrier, .. } = self.arrivals[arrival];
        let table = self.cluster.table();
        let lead = table.lead(number).ok().flatten();
        let places: Vec<_> = table.places(number).collect();
        let level = places.iter().map(|(_, level)| level.number()).max().unwrap_or(0);
        let share = |host: HostId| if barrier && Some(host) == lead { ROOT } else { demand };
        let uses = places.iter().map(|&(host, _)| (host.0 as usize, share(host))).collect();
        Running { name, arrival, started: self.now, level, left: alone, rate: 1.0, uses }
    }

    /// The rate of each job: what those above it leave of its hosts. Jobs that are above each other
    /// on different hosts are settled by some rounds.
    fn set_rates(&mut self) {
        const ROUNDS: usize = 8;
        // A job that gets nothing goes on very slowly.
        const LEAST: f64 = 1e-4;
        let order: Vec<u32> = {
            let mut order: Vec<(usize, u32)> =
                self.running.iter().map(|(&number, job)| (job.arrival, number)).collect();
            order.sort_unstable();
            order.into_iter().map(|(_, number)| number).collect()
        };
        for _ in 0..ROUNDS {
            let mut moved = 0.0f64;
            for number in &order {
                let rate = self.rate(*number).max(LEAST);
                if let Some(job) = self.running.get_mut(number) {
                    moved = moved.max((job.rate - rate).abs());
                    job.rate = rate;
                }
            }
            if moved < 1e-9 {
                break;
            }
        }
    }

    fn rate(&self, number: u32) -> f64 {
        let job = &self.running[&number];
        let left = |host: usize| {
            let above = self.cluster.table().column(HostId(host as u32));
            let above = above.map(|(_, job, _)| job.0).take_while(|&it| it != number);
            let used = |other: u32| {
                let Some(other) = self.running.get(&other) else { return 0.0 };
                // They are in the order of the hosts.
                let found = other.uses.binary_search_by_key(&host, |(it, _)| *it);
                found.map_or(0.0, |at| other.uses[at].1 * other.rate)
            };
            (1.0 - above.map(used).sum::<f64>()).max(0.0)
        };
        let rates = job.uses.iter().map(|&(host, share)| (left(host) / share).min(1.0));
        if self.arrivals[job.arrival].barrier {
            return rates.fold(1.0, f64::min);
        }
        rates.sum::<f64>() / job.uses.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::stream;
    use locox::timeshare::{Threshold, V1, V3};

    fn job(at: f64, hosts: u32, demand: f64, barrier: bool) -> Arrival {
        Arrival { at, hosts, alone: 100.0, demand, barrier }
    }

    fn v3() -> V3 {
        V3 {
            degree: 2,
            threshold: Threshold::from_thousandths(800).unwrap(),
            believed: Duration::from_ticks(60_000),
            settled: Duration::from_ticks(1000),
        }
    }

    #[test]
    fn in_space_jobs_wait_and_in_time_the_second_one_uses_what_is_left() {
        let jobs = [job(0.0, 4, 0.5, false), job(0.0, 4, 1.0, false)];
        let random = || stream(1, "fluid", 0);
        let space = run(&jobs, 4, 1, V1::new(1), random());
        assert!((space.jobs[0].turnaround - 100.0).abs() < 0.1);
        assert!((space.jobs[1].turnaround - 200.0).abs() < 0.2, "{space:?}");
        let time = run(&jobs, 4, 2, v3(), random());
        assert!((time.jobs[0].ran - 100.0).abs() < 0.1);
        // From the first report on it has half of each host, and all when the first has ended.
        assert!((time.jobs[1].turnaround - 152.5).abs() < 1.0, "{time:?}");
        assert_eq!(time.jobs[1].level, 1);
    }

    #[test]
    fn under_version_3_whoever_is_first_is_not_slowed() {
        let jobs: Vec<Arrival> =
            (0..40).map(|at| job(f64::from(at) * 60.0, 1 + at % 6, 0.4, at % 2 == 0)).collect();
        let found = run(&jobs, 8, 2, v3(), stream(1, "fluid", 1));
        let first = found.jobs.iter().filter(|it| it.level == 0);
        assert!(first.clone().count() > 10);
        assert!(first.clone().all(|it| it.ran < it.alone + 0.2), "{found:?}");
        assert!(found.jobs.iter().any(|it| it.level > 0));
    }
}
