//! The replay against a naive simulation that goes from second to second.

use super::observed::{Keep, observed};
use locox::cube::{Dim, Node};
use locox::grid;
use locox::subcube::{self, Outage};
use locox::time::{Duration, Instant};
use locox_models::machine::{
    GridMachine, Hypercube, Machine, Placement, Pool, Refusal, StrategyKind, Token,
};
use locox_models::replay::{JobRecord, Options, Order, Outcome, QueueKind, ReplayError, replay};
use locox_models::swf::Strictness;
use locox_models::workload::lublin::{Kind, Lublin};
use locox_models::workload::synthetic::Synthetic;
use locox_models::workload::{Job, Workload};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Jobs of (submit, processors, run), numbered from 1.
fn workload(jobs: &[(u64, u32, u64)]) -> Workload {
    let job = |(id, &(submit, processors, run)): (u64, _)| Job {
        id,
        line: Some(10 * id),
        submit: Instant::from_ticks(submit),
        processors,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(run),
        requested: None,
        user: None,
    };
    Workload {
        name: "test".into(),
        jobs: (1..).zip(jobs).map(job).collect(),
        processors: None,
        notes: vec![],
        skipped: 0,
        incomplete: 0,
    }
}

fn all_recorded() -> Options<'static> {
    Options { allocations: true, ..Options::default() }
}

/// A replay, first come, first served.
fn first_come(
    workload: &Workload,
    machine: &mut dyn Machine,
    options: &Options,
) -> Result<Outcome, ReplayError> {
    let kind = QueueKind::Fcfs;
    let mut queue = kind.queue(workload.jobs.len(), machine.processors());
    let options = Options { decisions: kind.decisions(), ..*options };
    replay(workload, machine, &mut *queue, &options)
}

fn fcfs(jobs: &[(u64, u32, u64)], machine: &mut dyn Machine) -> Outcome {
    first_come(&workload(jobs), machine, &all_recorded()).unwrap()
}

fn cube(dims: u8, kind: StrategyKind) -> Hypercube {
    Hypercube::new(Dim::new(dims).unwrap(), kind)
}

/// A pool as a list of processors: who has which.
struct NaivePool {
    holder: Vec<Option<u64>>,
}

impl NaivePool {
    fn new(processors: usize) -> Self {
        Self { holder: vec![None; processors] }
    }

    fn of(&self, id: u64) -> Vec<usize> {
        (0..self.holder.len()).filter(|&at| self.holder[at] == Some(id)).collect()
    }
}

impl Machine for NaivePool {
    fn name(&self) -> String {
        format!("pool of {}", self.holder.len())
    }
    fn processors(&self) -> u32 {
        self.holder.len() as u32
    }
    fn in_use(&self) -> u32 {
        self.holder.iter().flatten().count() as u32
    }
    fn held(&self) -> u32 {
        self.in_use()
    }
    fn start(&mut self, job: &Job) -> Result<Placement, Refusal> {
        let free = self.processors() - self.in_use();
        if job.processors > free {
            return Err(subcube::Refusal::TooFewFree { needed: job.processors, free }.into());
        }
        let takers = self.holder.iter_mut().filter(|holder| holder.is_none());
        takers.take(job.processors as usize).for_each(|holder| *holder = Some(job.id));
        let token = Token::Slot(job.id as usize);
        Ok(Placement { processors: job.processors, held: job.processors, token })
    }
    fn can_ever(&self, job: &Job) -> bool {
        job.processors <= self.processors()
    }
    fn finish(&mut self, placement: Placement) {
        let Token::Slot(id) = placement.token else { unreachable!() };
        let leavers = self.holder.iter_mut().filter(|holder| **holder == Some(id as u64));
        leavers.for_each(|holder| *holder = None);
    }
    fn allocated(&self, placement: Placement) -> String {
        let Token::Slot(id) = placement.token else { unreachable!() };
        let mut text: Vec<(usize, usize)> = vec![];
        for at in self.of(id as u64) {
            match text.last_mut() {
                Some((_, last)) if *last + 1 == at => *last = at,
                _ => text.push((at, at)),
            }
        }
        let interval = |(first, last): (usize, usize)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        };
        text.into_iter().map(interval).collect::<Vec<_>>().join(" ")
    }
}

/// What the naive simulation saw: records, and the state in each second from the first arrival on.
struct Seen {
    records: Vec<(u64, u64, String)>,
    in_use: Vec<u32>,
    held: Vec<u32>,
    waiting: Vec<usize>,
    peak_queue: usize,
}

/// FCFS second by second: within one, each completion, then each arrival, lets jobs start. The
/// head is tried every time, so it also shows that what the replay leaves out was in vain.
fn naive(jobs: &[(u64, u32, u64)], machine: &mut dyn Machine) -> Seen {
    let jobs = workload(jobs).jobs;
    let mut running: Vec<(u64, usize, Placement)> = vec![];
    let mut waiting: Vec<usize> = vec![];
    let mut seen = Seen {
        records: vec![(0, 0, String::new()); jobs.len()],
        in_use: vec![],
        held: vec![],
        waiting: vec![],
        peak_queue: 0,
    };
    let (mut arrived, mut now) = (0, jobs[0].submit.ticks());
    while arrived < jobs.len() || !running.is_empty() {
        loop {
            if let Some(at) = running.iter().position(|&(end, ..)| end == now) {
                machine.finish(running.remove(at).2);
            } else if jobs.get(arrived).is_some_and(|job| job.submit.ticks() == now) {
                waiting.push(arrived);
                arrived += 1;
            } else {
                break;
            }
            while let Some(&head) = waiting.first() {
                let Ok(placement) = machine.start(&jobs[head]) else { break };
                let end = now + jobs[head].run.ticks();
                seen.records[head] = (now, end, machine.allocated(placement));
                running.push((end, head, placement));
                waiting.remove(0);
            }
            seen.peak_queue = seen.peak_queue.max(waiting.len());
        }
        if arrived < jobs.len() || !running.is_empty() {
            seen.in_use.push(machine.in_use());
            seen.held.push(machine.held());
            seen.waiting.push(waiting.len());
        }
        now += 1;
    }
    seen
}

#[track_caller]
fn assert_close(a: f64, b: f64, what: &str) {
    assert!((a - b).abs() < 1e-9 * b.abs().max(1.0), "{what}: {a} is not {b}");
}

fn compare(jobs: &[(u64, u32, u64)], machine: &mut dyn Machine, model: &mut dyn Machine) {
    let seen = naive(jobs, model);
    let seconds = seen.in_use.len();
    let options = Options { points: seconds, ..all_recorded() };
    let outcome = first_come(&workload(jobs), machine, &options).unwrap();
    let records = outcome.jobs.iter().map(|job| {
        assert!(job.success);
        (job.start.ticks(), job.finish.ticks(), job.allocated.clone().unwrap())
    });
    assert_eq!(records.collect::<Vec<_>>(), seen.records);
    assert_eq!(outcome.makespan.ticks(), seconds as u64);
    assert_eq!(outcome.peak_queue, seen.peak_queue);
    assert_eq!(outcome.events, 2 * jobs.len() as u64);
    assert_eq!((machine.in_use(), machine.held()), (0, 0));
    let capacity = (seconds as f64 * f64::from(machine.processors())).max(1.0);
    let share = |counts: &[u32]| counts.iter().sum::<u32>() as f64 / capacity;
    assert_close(outcome.utilisation, share(&seen.in_use), "utilisation");
    assert_close(outcome.held_utilisation, share(&seen.held), "held utilisation");
    let waited: usize = seen.waiting.iter().sum();
    assert_close(outcome.mean_wait, waited as f64 / jobs.len() as f64, "mean wait");
    assert_eq!(outcome.series.len(), seconds);
    for (second, point) in outcome.series.iter().enumerate() {
        assert_eq!(point.at.ticks(), jobs[0].0 + second as u64);
        let in_use = point.utilisation * f64::from(machine.processors());
        assert_close(in_use, f64::from(seen.in_use[second]), "processors in use");
        assert_close(point.queue, seen.waiting[second] as f64, "queue");
    }
}

fn jobs_for(processors: u32) -> impl Strategy<Value = Vec<(u64, u32, u64)>> {
    // Gaps and runs of zero and equal ends are frequent: there the order of events matters.
    let job = (0u64..4, 1..=processors, 0u64..12);
    proptest::collection::vec(job, 1..40).prop_map(|jobs| {
        let mut now = 3;
        let arrive = |(gap, processors, run)| {
            now += gap;
            (now, processors, run)
        };
        jobs.into_iter().map(arrive).collect()
    })
}

fn fixed_seed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(2), ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(fixed_seed())]

    #[test]
    fn a_pool_is_replayed_as_second_by_second(jobs in jobs_for(70)) {
        compare(&jobs, &mut Pool::new(70), &mut NaivePool::new(70));
    }

    #[test]
    fn a_hypercube_is_replayed_as_second_by_second(jobs in jobs_for(16)) {
        for kind in StrategyKind::ALL {
            compare(&jobs, &mut cube(4, kind), &mut cube(4, kind));
        }
    }

    #[test]
    fn no_processor_runs_two_jobs_at_once(jobs in jobs_for(16)) {
        for kind in StrategyKind::ALL {
            let jobs = fcfs(&jobs, &mut cube(4, kind)).jobs;
            for (index, a) in jobs.iter().enumerate() {
                prop_assert_eq!(nodes(a).len() as u32, a.held);
                prop_assert_eq!(a.held, a.processors.next_power_of_two());
                for b in &jobs[..index] {
                    let together = a.start < b.finish && b.start < a.finish;
                    let apart = nodes(a).iter().all(|node| !nodes(b).contains(node));
                    prop_assert!(!together || apart, "{:?} and {:?}", a, b);
                }
            }
        }
    }
}

/// The processors of a record, read back from its interval set.
fn nodes(job: &JobRecord) -> Vec<u32> {
    let number = |text: &str| text.parse::<u32>().unwrap();
    let interval = |text: &str| match text.split_once('-') {
        Some((first, last)) => number(first)..=number(last),
        None => number(text)..=number(text),
    };
    job.allocated.as_deref().unwrap().split(' ').flat_map(interval).collect()
}

/// A 4-processor pool: job 1 holds 3 for 10 s, job 2 wants 2 and waits, job 3 would fit but waits
/// behind it.
#[test]
fn the_figures_of_three_jobs_equal_those_by_hand() {
    let outcome = fcfs(&[(0, 3, 10), (2, 2, 20), (4, 1, 2)], &mut Pool::new(4));
    let times: Vec<_> =
        outcome.jobs.iter().map(|job| (job.start.ticks(), job.finish.ticks())).collect();
    assert_eq!(times, [(0, 10), (10, 30), (10, 12)]);
    let places: Vec<_> = outcome.jobs.iter().map(|job| job.allocated.as_deref()).collect();
    assert_eq!(places, [Some("0-2"), Some("0-1"), Some("2")]);
    assert_eq!(outcome.makespan.ticks(), 30);
    assert_close(outcome.utilisation, (30.0 + 40.0 + 2.0) / 120.0, "utilisation");
    assert_close(outcome.mean_wait, (0.0 + 8.0 + 6.0) / 3.0, "mean wait");
    assert_close(outcome.wait_p50, 6.0, "median wait");
    assert_close(outcome.wait_p95, 6.0 + 0.9 * 2.0, "95th percentile");
    assert_close(outcome.wait_p99, 6.0 + 0.98 * 2.0, "99th percentile");
    assert_close(outcome.mean_turnaround, (10.0 + 28.0 + 8.0) / 3.0, "turnaround");
    // Job 3 ran for 2 s, which counts as 10: (6 + 2) / 10 is below 1.
    assert_close(outcome.mean_bounded_slowdown, (1.0 + 1.4 + 1.0) / 3.0, "slowdown");
    assert_eq!(outcome.peak_queue, 2);
    // Job 2 at its arrival; the arrival of job 3 is no reason to try it again.
    assert_eq!((outcome.refusals.too_few_free, outcome.refusals.fragmented), (1, 0));
    assert_eq!(outcome.events, 6);
}

/// A 2-cube: jobs 1 to 4 take a node each, 2 and 3 leave, and two nodes that are no buddies
/// (01 and 10) are free: too few are not the reason.
#[test]
fn refusals_are_counted_by_their_reason() {
    let jobs = [(0, 1, 90), (0, 1, 5), (0, 1, 5), (0, 1, 90), (1, 1, 0), (10, 2, 1)];
    let outcome = fcfs(&jobs, &mut cube(2, StrategyKind::Complete));
    assert_eq!(outcome.refusals.too_few_free, 1);
    assert_eq!(outcome.refusals.fragmented, 1);
    assert_eq!(outcome.jobs[5].start.ticks(), 90);
}

#[test]
fn requests_are_rounded_up_to_a_power_of_two_and_both_figures_kept() {
    let mut machine = cube(3, StrategyKind::Buddy);
    let outcome = fcfs(&[(0, 5, 10)], &mut machine);
    assert_eq!((outcome.jobs[0].processors, outcome.jobs[0].held), (5, 8));
    assert_close(outcome.utilisation, 5.0 / 8.0, "asked for");
    assert_close(outcome.held_utilisation, 1.0, "held");
}

#[test]
fn a_job_larger_than_the_machine_is_an_error_with_its_place() {
    let jobs = [(0, 16, 1), (0, 17, 1)];
    for machine in [&mut cube(4, StrategyKind::Buddy) as &mut dyn Machine, &mut Pool::new(16)] {
        let error = first_come(&workload(&jobs), machine, &Options::default());
        assert_eq!(
            error.unwrap_err().to_string(),
            format!(
                "test:20: job 2 asks for 17 processors, but {} has 16; choose a larger machine, or \
                 reject such jobs with --lenient",
                machine.name()
            )
        );
        assert_eq!(machine.held(), 0);
    }
}

#[test]
fn a_lenient_replay_rejects_such_a_job_and_counts_it() {
    let jobs = workload(&[(0, 4, 5), (1, 17, 5), (2, 16, 5), (99, 17, 5)]);
    let options = Options { strictness: Strictness::Lenient, ..Options::default() };
    let outcome = first_come(&jobs, &mut Pool::new(16), &options).unwrap();
    let success: Vec<_> = outcome.jobs.iter().map(|job| job.success).collect();
    assert_eq!(success, [true, false, true, false]);
    assert_eq!((outcome.rejected, outcome.events), (2, 6));
    assert_eq!(outcome.makespan.ticks(), 10);
    assert_eq!(outcome.jobs[1].start, outcome.jobs[1].submit);
    assert_eq!(outcome.jobs[1].finish, outcome.jobs[1].submit);
    assert_close(outcome.mean_wait, 1.5, "only jobs that ran count");
}

#[test]
fn jobs_out_of_order_are_refused() {
    let error =
        first_come(&workload(&[(5, 1, 1), (4, 1, 1)]), &mut Pool::new(1), &Options::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "test:20: job 2 is submitted before the job in front of it; sort the jobs"
    );
}

#[test]
fn a_job_that_would_end_after_the_last_instant_is_an_error() {
    let jobs = workload(&[(1, 1, u64::MAX)]);
    let error = first_come(&jobs, &mut Pool::new(1), &Options::default());
    assert_eq!(
        error.unwrap_err(),
        ReplayError::EndOfTime { workload: "test".into(), id: 1, line: Some(10) }
    );
}

#[test]
fn jobs_that_wait_for_failed_nodes_for_ever_are_an_error() {
    let mut machine = cube(3, StrategyKind::Complete);
    machine.allocator().withdraw(&[Node(5)], Outage::Failed, &mut |_| {}).unwrap();
    let jobs = workload(&[(0, 4, 1), (0, 8, 1), (0, 1, 1)]);
    let error = first_come(&jobs, &mut machine, &Options::default());
    assert_eq!(
        error.unwrap_err().to_string(),
        "3-cube, complete: 2 jobs wait for ever (impossible until nodes are repaired); repair \
         nodes, or choose another machine or queue"
    );
}

#[test]
fn an_empty_workload_and_one_without_duration_have_figures_too() {
    let empty = fcfs(&[], &mut Pool::new(4));
    assert_eq!((empty.events, empty.utilisation, empty.mean_wait), (0, 0.0, 0.0));
    // The first job ends before the second arrives, though both happen at 7.
    let instant = fcfs(&[(7, 1, 0), (7, 4, 0)], &mut Pool::new(4));
    assert_eq!((instant.events, instant.utilisation, instant.peak_queue), (4, 0.0, 0));
    assert!(instant.series.is_empty());
}

#[test]
fn the_same_seed_gives_the_same_outcome_bit_for_bit() {
    let run = |kind| {
        let workload = Synthetic::cube_day().generate(9, 3).unwrap();
        first_come(&workload, &mut cube(7, kind), &all_recorded()).unwrap()
    };
    for kind in StrategyKind::ALL {
        assert_eq!(run(kind), run(kind));
    }
}

/// Nothing of a strategy but its recognition differs: all give every job of a single size the
/// start that a pool gives it.
#[test]
fn jobs_of_one_size_never_meet_fragmentation_under_any_strategy() {
    let recipe = Synthetic::subcubes(Dim::new(7).unwrap(), 3..=3, 1e6, 2000).with_load(0.95);
    let workload = recipe.generate(4, 0).unwrap();
    let starts = |machine: &mut dyn Machine| -> Vec<_> {
        let outcome = first_come(&workload, machine, &Options::default()).unwrap();
        assert_eq!(outcome.refusals.fragmented, 0, "{}", outcome.machine);
        outcome.jobs.iter().map(|job| job.start).collect()
    };
    let pool = starts(&mut Pool::new(128));
    for kind in StrategyKind::ALL {
        assert_eq!(starts(&mut cube(7, kind)), pool, "{kind}");
    }
}

/// Jobs of one processor on a machine of one, all there from the start but the first: user,
/// requested time.
fn starts_in_order(order: Order, jobs: &[(u32, u64)]) -> Vec<usize> {
    let job = |(id, &(user, time)): (usize, &(u32, u64))| Job {
        id: id as u64,
        line: None,
        submit: Instant::from_ticks(u64::from(id > 0)),
        processors: 1,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(time),
        requested: None,
        user: Some(user),
    };
    let jobs = jobs.iter().enumerate().map(job).collect();
    let name = "order".into();
    let workload =
        Workload { name, jobs, processors: None, notes: vec![], skipped: 0, incomplete: 0 };
    let options = Options { order, ..Options::default() };
    let mut by_start: Option<Vec<usize>> = None;
    for queue in [QueueKind::Fcfs, QueueKind::Easy, QueueKind::EasyAmong(1)] {
        let mut queue = queue.queue(workload.jobs.len(), 1);
        let outcome = replay(&workload, &mut Pool::new(1), &mut *queue, &options).unwrap();
        let mut started: Vec<usize> = (0..workload.jobs.len()).collect();
        started.sort_by_key(|&at| outcome.jobs[at].start);
        assert_eq!(by_start.get_or_insert(started.clone()), &started);
    }
    by_start.unwrap()
}

#[test]
fn the_line_is_in_the_order_that_was_asked_for() {
    // One user has four jobs, another two.
    let jobs = [(1, 50), (1, 30), (1, 20), (1, 40), (2, 30), (2, 25)];
    assert_eq!(starts_in_order(Order::Arrival, &jobs), [0, 1, 2, 3, 4, 5]);
    assert_eq!(starts_in_order(Order::Shortest, &jobs), [0, 2, 5, 1, 4, 3]);
    // After 50 of the first user the second has 30, still less, then 55, then the first 80.
    assert_eq!(starts_in_order(Order::FairShare, &jobs), [0, 4, 5, 1, 2, 3]);
    // After 50 of the first the second has 60, so the first goes on, up to 80, and so on.
    let jobs = [(1, 50), (1, 30), (1, 20), (2, 60), (2, 25)];
    assert_eq!(starts_in_order(Order::FairShare, &jobs), [0, 3, 1, 4, 2]);
}

#[test]
fn jobs_that_come_one_by_one_start_as_those_of_a_list() {
    let recipe = Lublin { kind: Kind::All, jobs: 3_000, processors: 64, estimates: Some(2.0) };
    let mut workload = recipe.generate(5, 0).unwrap();
    assert!(recipe.stream(5, 0).unwrap().eq(workload.jobs.iter().cloned()));
    workload.scale_load(1.1 / workload.offered_load(64).unwrap()).unwrap();
    workload.jobs[7].processors = 65;
    let options =
        Options { strictness: Strictness::Lenient, allocations: true, ..Options::default() };
    for kind in [QueueKind::Fcfs, QueueKind::Easy, QueueKind::ConservativeAmong(9)] {
        let (mut list, mut keep) = (kind.queue(3_000, 64), Keep(vec![], usize::MAX));
        let outcome = replay(&workload, &mut Pool::new(64), &mut *list, &options).unwrap();
        let each = observed(&workload, kind, &options, &mut keep).unwrap().unwrap();
        assert_eq!((keep.0, each.peak_queue), (outcome.jobs, outcome.peak_queue));
    }
}

/// By looking at each subcube.
fn stranded(dims: u32, used: &dyn Fn(u32) -> bool, dim: u32) -> u32 {
    let nodes = 1u32 << dims;
    let lies = |node: u32| {
        let masks = (0..nodes).filter(|mask| mask.count_ones() == dim);
        let mut cubes = masks.map(|mask| (0..nodes).filter(move |at| (at ^ node) & !mask == 0));
        cubes.any(|mut cube| cube.all(|node| !used(node)))
    };
    (0..nodes).filter(|&node| !used(node) && !lies(node)).count() as u32
}

#[test]
fn fragmentation_is_the_mean_over_jobs_and_time_of_what_is_of_no_use() {
    let sizes = [1, 4, 2, 1, 8, 2, 3, 1];
    let jobs: Vec<_> =
        (0..40).map(|at| (7 * at, sizes[at as usize % 8], 3 + 11 * at % 60)).collect();
    let workload = workload(&jobs);
    for kind in [StrategyKind::Buddy, StrategyKind::Complete] {
        let measured = Options { fragmentation: Some(&workload.jobs), points: 7, ..all_recorded() };
        let outcome = first_come(&workload, &mut cube(4, kind), &measured).unwrap();
        let plain = first_come(&workload, &mut cube(4, kind), &all_recorded()).unwrap();
        assert_eq!((&outcome.jobs, plain.fragmentation), (&plain.jobs, None));
        let (start, finish) = (0, outcome.makespan.ticks());
        let mut sum = 0.0;
        for second in start..finish {
            let at = Instant::from_ticks(second);
            let mut used = [false; 16];
            for job in outcome.jobs.iter().filter(|job| job.start <= at && at < job.finish) {
                let Some(Token::Lease(lease)) = job.token else { panic!("it ran") };
                lease.nodes().for_each(|node| used[node.0 as usize] = true);
            }
            let free = used.iter().filter(|used| !**used).count() as f64;
            let of = |&size: &u32| {
                let dim = size.next_power_of_two().trailing_zeros();
                f64::from(stranded(4, &|node| used[node as usize], dim))
            };
            let all: f64 = sizes.iter().map(of).sum();
            sum += if free > 0.0 { all / (8.0 * free) } else { 0.0 };
        }
        let mean = sum / (finish - start) as f64;
        let told = outcome.fragmentation.unwrap();
        assert!((told - mean).abs() < 1e-9 && mean > 0.01, "{told} {mean}");
        let points = outcome.series.iter().map(|point| point.fragmentation).sum::<f64>();
        assert!((points / 7.0 - mean).abs() < 1e-9);
    }
}

#[test]
fn a_pool_says_nothing_of_fragmentation_and_boxes_do() {
    let workload = workload(&[(0, 1, 10), (0, 4, 20), (5, 3, 10)]);
    let options = Options { fragmentation: Some(&workload.jobs), ..Options::default() };
    let told =
        |machine: &mut dyn Machine| first_come(&workload, machine, &options).unwrap().fragmentation;
    assert_eq!(told(&mut Pool::new(8)), None);
    let mut line = GridMachine::new("mesh:8".parse().unwrap(), grid::Placement::First);
    // Nodes 0, then 1 to 4, then 5 to 7: until 5 three are free, stranded for the job of four; then none; from 10
    // on node 0 is stranded for 3 and 4; from 15 on three beside it are stranded for 4, and node 0 for both.
    let at = [(5, 3.0 / 3.0 / 3.0), (5, 0.0), (5, 2.0 / 3.0), (5, (1.0 + 4.0) / 4.0 / 3.0)];
    let mean = at.iter().map(|(ticks, level)| f64::from(*ticks) * level).sum::<f64>() / 20.0;
    assert!((told(&mut line).unwrap() - mean).abs() < 1e-9);
}
