//! A simulation, event by event, and with a caller who chooses.

use locox::time::{Duration, Instant};
use locox_models::machine::Pool;
use locox_models::outages::Outage;
use locox_models::replay::{
    Decisions, Event, JobRecord, Options, Order, OutageQueue, QueueKind, Simulation, replay,
};
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::{Job, Workload};
use std::collections::BTreeSet;

const PROCESSORS: u32 = 128;

fn workload(seed: u64) -> Workload {
    let mut day = Synthetic::cube_day().generate(seed, 0).unwrap();
    // Requests that are not kept, and several events at one instant.
    for job in &mut day.jobs {
        job.submit = Instant::from_ticks(job.submit.ticks() / 300 * 300);
        job.run = Duration::from_ticks(job.run.ticks() / 60 * 60);
        job.requested = Some(Duration::from_ticks(job.run.ticks() / 600 * 600 + 600));
    }
    day.scale_load(1.3).unwrap();
    day
}

/// The records of a run in which the caller chooses by place among those that wait.
fn run(
    day: &Workload,
    queue: QueueKind,
    options: Options<'_>,
    mut choose: impl FnMut(&[&Job]) -> usize,
) -> Vec<JobRecord> {
    let (jobs, machine) = (day.jobs.iter().cloned(), Box::new(Pool::new(PROCESSORS)));
    let queue = queue.queue(day.jobs.len(), PROCESSORS);
    let mut simulation =
        Simulation::new(&day.name, jobs, machine, queue, options).chosen_by_caller();
    let mut records = vec![None; day.jobs.len()];
    loop {
        match simulation.step().unwrap() {
            Event::Choice => {
                let waiting: Vec<&Job> = simulation.waiting().collect();
                let nth = choose(&waiting);
                simulation.choose(nth);
            }
            Event::Started { job, record } => records[job] = Some(record),
            Event::Done => return records.into_iter().map(Option::unwrap).collect(),
            _ => {}
        }
    }
}

fn starts(records: &[JobRecord]) -> Vec<u64> {
    records.iter().map(|record| record.start.ticks()).collect()
}

#[test]
fn to_choose_whoever_came_first_is_to_let_the_queue_decide() {
    for queue in [QueueKind::Fcfs, QueueKind::Easy] {
        for seed in 1..=3 {
            let day = workload(seed);
            let options = Options { decisions: queue.decisions(), ..Options::default() };
            let mut decided = queue.queue(day.jobs.len(), PROCESSORS);
            let expected = replay(&day, &mut Pool::new(PROCESSORS), &mut *decided, &options);
            assert_eq!(run(&day, queue, options, |_| 0), expected.unwrap().jobs, "{queue} {seed}");
        }
    }
}

/// The shortest of those that wait is next, and nobody starts before it: at each event, in the plainest
/// way.
fn shortest_first(jobs: &[Job], arrivals_first: bool) -> Vec<u64> {
    let (mut free, mut chosen, mut arrived) = (PROCESSORS, None, 0);
    let (mut waiting, mut starts) = (BTreeSet::new(), vec![0; jobs.len()]);
    let mut running: Vec<(u64, u64, usize)> = vec![];
    let mut begun = 0;
    loop {
        let end = running.iter().min().copied();
        let arrival = jobs.get(arrived).map(|job| job.submit.ticks());
        let now = match (end, arrival) {
            (Some((end, ..)), Some(arrival)) => end.min(arrival),
            (Some((end, ..)), None) => end,
            (None, Some(arrival)) => arrival,
            (None, None) => return starts,
        };
        let arrives = arrivals_first && arrival == Some(now);
        if let Some(first @ (_, _, job)) = end.filter(|&(end, ..)| end == now && !arrives) {
            running.retain(|run| *run != first);
            free += jobs[job].processors;
        } else {
            waiting.insert((jobs[arrived].requested.unwrap().ticks(), arrived));
            arrived += 1;
        }
        while let Some((_, next)) = chosen.or_else(|| waiting.first().copied()) {
            chosen = waiting.iter().find(|&&(_, job)| job == next).copied();
            if jobs[next].processors > free {
                break;
            }
            free -= jobs[next].processors;
            running.push((now + jobs[next].run.ticks(), begun, next));
            starts[next] = now;
            begun += 1;
            waiting.retain(|&(_, job)| job != next);
            chosen = None;
        }
    }
}

#[test]
fn the_shortest_first_is_as_in_a_plain_simulation() {
    let shortest = |waiting: &[&Job]| {
        let least = waiting.iter().enumerate().min_by_key(|(_, job)| job.requested);
        least.unwrap().0
    };
    let mut differ = 0;
    for seed in 1..=5 {
        let day = workload(seed);
        let [ends_first, arrivals_first] =
            [Decisions::EachEvent, Decisions::ArrivalsFirst].map(|decisions| {
                let options = Options { decisions, ..Options::default() };
                starts(&run(&day, QueueKind::Fcfs, options, shortest))
            });
        assert_eq!(ends_first, shortest_first(&day.jobs, false), "seed {seed}");
        assert_eq!(arrivals_first, shortest_first(&day.jobs, true), "seed {seed}");
        differ += usize::from(ends_first != arrivals_first);
    }
    assert!(differ > 0, "what happens at one instant never matters");
}

#[test]
fn events_come_by_time_and_each_job_comes_starts_and_ends_once() {
    let day = workload(7);
    let (mut machine, count) = (Pool::new(PROCESSORS / 2), day.jobs.len());
    let mut queue = QueueKind::Conservative.queue(count, PROCESSORS / 2);
    let jobs = day.jobs.iter().cloned();
    let (machine, queue) = (&mut machine, &mut *queue);
    let mut simulation = Simulation::new(&day.name, jobs, machine, queue, Options::default());
    let (mut before, mut seen) = (Instant::ZERO, vec![0; count]);
    loop {
        let event = simulation.step().unwrap();
        assert!(simulation.now() >= before);
        before = simulation.now();
        match event {
            Event::Arrived { job } => {
                assert_eq!(before, day.jobs[job].submit);
                assert_eq!(std::mem::replace(&mut seen[job], 1), 0);
            }
            Event::Rejected { job, record } => {
                assert!(!record.success && record.processors > PROCESSORS / 2);
                assert_eq!(std::mem::replace(&mut seen[job], 3), 0);
            }
            Event::Started { job, record } => {
                assert_eq!((record.start, record.id), (before, day.jobs[job].id));
                assert_eq!(std::mem::replace(&mut seen[job], 2), 1);
            }
            Event::Ended { job } => assert_eq!(std::mem::replace(&mut seen[job], 3), 2),
            Event::Done => break,
            other => panic!("{other:?}"),
        }
    }
    assert!(seen.iter().all(|&stage| stage == 3));
    assert_eq!(simulation.step(), Ok(Event::Done));
}

#[test]
fn a_job_that_an_outage_hits_is_to_be_chosen_again_in_its_old_place() {
    let at = Instant::from_ticks;
    let job = |id: u64, submit: u64| Job {
        id,
        line: None,
        submit: at(submit),
        processors: PROCESSORS,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(100),
        requested: None,
        user: None,
    };
    let day = Workload { jobs: vec![job(1, 0), job(2, 10)], ..workload(1) };
    let outages = [Outage::of(1, at(50), Some(at(60)))];
    for queue in [QueueKind::Fcfs, QueueKind::Easy] {
        let options = Options { outages: &outages, ..Options::default() };
        let mut offered = vec![];
        let records = run(&day, queue, options, |waiting| {
            offered.push(waiting.iter().map(|job| job.id).collect::<Vec<_>>());
            0
        });
        // Job 2 had been chosen already when job 1 failed, and stays so.
        assert_eq!(offered, [vec![1], vec![2], vec![1]], "{queue}");
        assert_eq!(starts(&records), [160, 60], "{queue}");
    }
}

#[test]
fn what_is_chosen_strictly_starts_as_under_first_come_first_served() {
    let at = Instant::from_ticks;
    let outages = [
        Outage::of(120, at(20_000), Some(at(30_000))),
        Outage::of(100, at(50_000), Some(at(60_000))),
    ];
    for seed in 1..=3 {
        let day = workload(seed);
        let simulation = || {
            let (jobs, machine) = (day.jobs.iter().cloned(), Box::new(Pool::new(PROCESSORS)));
            let queue = QueueKind::Fcfs.queue(1, PROCESSORS);
            let options = Options { outages: &outages, ..Options::default() };
            Simulation::new(&day.name, jobs, machine, queue, options)
        };
        let last_but_one = |waiting: usize| waiting.saturating_sub(2);
        let expected = rest(simulation().chosen_by_caller(), last_but_one);
        let started = |event: &&Event| matches!(event, Event::Started { .. });
        assert!(expected.iter().filter(started).count() > day.jobs.len(), "no outage hit a job");
        assert_eq!(rest(simulation().chosen_strictly_by_caller(), last_but_one), expected);
    }
}

#[test]
#[should_panic(expected = "knows an order only")]
fn a_queue_that_plans_has_to_know_all_jobs() {
    let queue = QueueKind::Easy.queue(1, PROCESSORS);
    let machine = Box::new(Pool::new(PROCESSORS));
    let jobs = std::iter::empty();
    Simulation::new("none", jobs, machine, queue, Options::default()).chosen_strictly_by_caller();
}

#[test]
#[should_panic(expected = "when he is asked")]
fn nobody_chooses_unasked() {
    let day = workload(1);
    let queue = QueueKind::Fcfs.queue(1, PROCESSORS);
    let jobs = day.jobs.iter().cloned();
    let machine = Box::new(Pool::new(PROCESSORS));
    Simulation::new("day", jobs, machine, queue, Options::default()).choose(0);
}

/// What is left of a simulation, where the caller chooses the nth by `choose`.
fn rest(
    mut simulation: Simulation<
        '_,
        Box<Pool>,
        Box<dyn OutageQueue + Send + Sync>,
        impl Iterator<Item = Job>,
    >,
    mut choose: impl FnMut(usize) -> usize,
) -> Vec<Event> {
    let mut events = vec![];
    loop {
        match simulation.step().unwrap() {
            Event::Choice => {
                let nth = choose(simulation.waiting().len());
                simulation.choose(nth);
            }
            Event::Done => return events,
            event => events.push(event),
        }
    }
}

#[test]
fn a_clone_goes_on_as_the_simulation_and_feels_nothing_of_it() {
    let day = workload(7);
    let at = |ticks| Instant::from_ticks(ticks);
    let outages =
        [Outage::of(70, at(5_000), Some(at(30_000))), Outage::of(20, at(20_000), Some(at(60_000)))];
    for queue in [QueueKind::Fcfs, QueueKind::Lazy, QueueKind::Easy, QueueKind::Conservative] {
        for order in Order::ALL {
            let options = Options { order, outages: &outages, ..Options::default() };
            let mut simulation = Simulation::new(
                &day.name,
                day.jobs.iter().cloned(),
                Box::new(Pool::new(PROCESSORS)),
                queue.queue(day.jobs.len(), PROCESSORS),
                options,
            );
            while simulation.now() < at(25_000) {
                simulation.step().unwrap();
            }
            let (one, other) = (simulation.clone(), simulation.clone());
            let expected = rest(simulation, |_| 0);
            assert!(expected.len() > day.jobs.len() / 2, "{queue} {order}");
            assert_eq!(rest(one, |_| 0), expected, "{queue} {order}");
            assert_eq!(rest(other, |_| 0), expected, "{queue} {order}");
        }
    }
}

#[test]
fn choices_in_a_clone_change_nothing_in_the_other() {
    let day = workload(8);
    for queue in [QueueKind::Fcfs, QueueKind::Easy] {
        let mut simulation = Simulation::new(
            &day.name,
            day.jobs.iter().cloned(),
            Box::new(Pool::new(PROCESSORS)),
            queue.queue(day.jobs.len(), PROCESSORS),
            Options::default(),
        )
        .chosen_by_caller();
        let mut choices = 0;
        while choices < 100 {
            if simulation.step().unwrap() == Event::Choice {
                choices += 1;
                simulation.choose(0);
            }
        }
        let untouched = rest(simulation.clone(), |_| 0);
        let different = rest(simulation.clone(), |waiting| waiting - 1);
        assert_ne!(different, untouched, "{queue}");
        assert_eq!(rest(simulation, |_| 0), untouched, "{queue}");
    }
}
