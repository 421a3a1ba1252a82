//! Replays in the order of fair shares, beside a model that is written from its documentation.

use locox::time::{Duration, Instant};
use locox_models::machine::Pool;
use locox_models::replay::{Options, Order, QueueKind, replay};
use locox_models::streams::stream;
use locox_models::workload::{Job, Workload};
use rand::{Rng, RngExt};

const PROCESSORS: u32 = 8;
const WEEK: u64 = 604_800;

/// A job of a random user, or of nobody known, that comes at a random time of a few weeks.
fn random_jobs(random: &mut impl Rng, count: usize) -> Vec<Job> {
    let mut submits: Vec<u64> = (0..count).map(|_| random.random_range(0..6 * WEEK)).collect();
    submits.sort_unstable();
    let job = |(id, submit): (usize, u64)| Job {
        id: id as u64,
        line: None,
        submit: Instant::from_ticks(submit),
        processors: random.random_range(1..=PROCESSORS),
        shape: None,
        memory: 0,
        demand: None,
        // Often the same, so that owners are often equal.
        run: Duration::from_ticks([0, WEEK / 5, WEEK / 5, WEEK / 7][random.random_range(0..4)]),
        requested: [None, Some(Duration::from_ticks(WEEK / 4))][random.random_range(0..2)],
        user: [None, Some(1), Some(2), Some(3)][random.random_range(0..4)],
    };
    submits.into_iter().enumerate().map(job).collect()
}

fn cost(job: &Job) -> f64 {
    let limit = job.requested.unwrap_or(job.run).ticks().max(1);
    f64::from(job.processors) * limit as f64
}

/// What a user has had by `then`: each cost halved once a week since the job started.
fn had(jobs: &[Job], starts: &[Option<u64>], user: Option<u32>, then: u64) -> u64 {
    let decayed = |since: u64| 2_f64.powf(-(then as f64 - since as f64) / WEEK as f64);
    let of_user = jobs.iter().zip(starts).filter(|(job, _)| job.user == user);
    let costs = of_user.filter_map(|(job, start)| Some(cost(job) * decayed((*start)?)));
    let sum: f64 = decayed(0) + costs.sum::<f64>();
    ((sum.log2() + then as f64 / WEEK as f64) * f64::from(1 << 20)).round() as u64
}

/// The waiting jobs in order.
fn line(jobs: &[Job], came: usize, starts: &[Option<u64>], now: u64) -> Vec<usize> {
    let mut waiting: Vec<usize> = (0..came).filter(|&at| starts[at].is_none()).collect();
    let all = waiting.clone();
    waiting.sort_by_key(|&at| {
        let is_first = all.iter().find(|&&it| jobs[it].user == jobs[at].user) == Some(&at);
        (!is_first, if is_first { had(jobs, starts, jobs[at].user, now) } else { 0 }, at)
    });
    waiting
}

/// When each job starts, if of those that are looked at the first that fits does. Jobs end before others
/// come, one after the other.
fn naive(jobs: &[Job], width: usize) -> Vec<u64> {
    let mut starts: Vec<Option<u64>> = vec![None; jobs.len()];
    let (mut running, mut came, mut free) = (Vec::<(u64, usize, usize)>::new(), 0, PROCESSORS);
    loop {
        let end = running.iter().min_by_key(|&&(end, order, _)| (end, order)).copied();
        let arrival = jobs.get(came).map(|job| job.submit.ticks());
        let now = match (end, arrival) {
            (Some((end, _, at)), arrival) if arrival.is_none_or(|arrival| end <= arrival) => {
                running.retain(|&(_, _, other)| other != at);
                free += jobs[at].processors;
                end
            }
            (_, Some(arrival)) => {
                came += 1;
                arrival
            }
            _ => return starts.into_iter().map(|start| start.unwrap()).collect(),
        };
        while let Some(at) = line(jobs, came, &starts, now)
            .into_iter()
            .take(width)
            .find(|&at| jobs[at].processors <= free)
        {
            let order = starts.iter().flatten().count();
            starts[at] = Some(now);
            free -= jobs[at].processors;
            running.push((now + jobs[at].run.ticks(), order, at));
        }
    }
}

#[test]
fn starts_are_those_of_a_model_of_the_documentation() {
    for seed in 0..150 {
        let mut random = stream(seed, "fair shares", 0);
        let count = random.random_range(1..50);
        let jobs = random_jobs(&mut random, count);
        for width in [1, 3, 50] {
            let name = "fair".into();
            let jobs = jobs.clone();
            let workload =
                Workload { name, jobs, processors: None, notes: vec![], skipped: 0, incomplete: 0 };
            let kind = QueueKind::Window(width);
            let decisions = kind.decisions();
            let options = Options { order: Order::FairShare, decisions, ..Options::default() };
            let mut queue = kind.queue(count, PROCESSORS);
            let mut machine = Pool::new(PROCESSORS);
            let outcome = replay(&workload, &mut machine, &mut *queue, &options).unwrap();
            let starts: Vec<u64> = outcome.jobs.iter().map(|job| job.start.ticks()).collect();
            assert_eq!(
                starts,
                naive(&workload.jobs, width as usize),
                "seed {seed}, window {width}"
            );
        }
    }
}
