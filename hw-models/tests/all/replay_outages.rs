//! Replays with processors out of service: the rules by hand, and against a naive simulation that
//! goes from second to second.

use locox::cube::Dim;
use locox::mesh::Leftover;
use locox::time::{Duration, Instant};
use locox_models::machine::{AsPrinted, Hypercube, Machine, MeshCube, Pool, StrategyKind};
use locox_models::outages::Outage;
use locox_models::replay::{
    Decisions, Event, JobRecord, Options, Order, Outcome, QueueKind, ReplayError, Simulation,
    replay,
};
use locox_models::workload::{Job, Workload};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Submission, processors, requested time, run time.
type Line = (u64, u32, u64, u64);

/// Processors, start, end.
type Down = (u32, u64, u64);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn workload(lines: &[Line]) -> Workload {
    let job = |(id, &(submit, processors, requested, run)): (usize, &Line)| Job {
        id: id as u64,
        line: None,
        submit: at(submit),
        processors,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(run),
        requested: Some(Duration::from_ticks(requested)),
        user: None,
    };
    let jobs = lines.iter().enumerate().map(job).collect();
    let name = "lines".into();
    Workload { name, jobs, processors: None, notes: vec![], skipped: 0, incomplete: 0 }
}

fn outages(down: &[Down]) -> Vec<Outage> {
    down.iter()
        .map(|&(processors, start, end)| Outage::of(processors, at(start), Some(at(end))))
        .collect()
}

fn run_on(
    machine: &mut dyn Machine,
    queue: QueueKind,
    lines: &[Line],
    outages: &[Outage],
    decisions: Decisions,
) -> Result<Outcome, ReplayError> {
    let options =
        Options { decisions, points: 0, allocations: true, outages, ..Options::default() };
    let mut queue = queue.queue(lines.len(), machine.processors());
    replay(&workload(lines), machine, &mut *queue, &options)
}

/// On a pool of eight.
fn run(queue: QueueKind, lines: &[Line], outages: &[Outage]) -> Outcome {
    run_on(&mut Pool::new(8), queue, lines, outages, queue.decisions()).unwrap()
}

fn times(outcome: &Outcome) -> Vec<(u64, u64)> {
    outcome.jobs.iter().map(|job| (job.start.ticks(), job.finish.ticks())).collect()
}

const ALL: [QueueKind; 7] = [
    QueueKind::Fcfs,
    QueueKind::ScanUp,
    QueueKind::Lazy,
    QueueKind::Window(3),
    QueueKind::Easy,
    QueueKind::Conservative,
    QueueKind::ConservativeAmong(2),
];

#[test]
fn the_job_that_started_last_fails_and_runs_its_whole_time_again() {
    let lines = [(0, 3, 10, 10), (2, 4, 10, 10), (4, 1, 20, 20)];
    // A lazy queue would hold back the second job.
    for queue in ALL.into_iter().filter(|&queue| queue != QueueKind::Lazy) {
        // Of eight in use one goes at 6: the third job, which has run for 2 s, starts when the first ends.
        let outcome = run(queue, &lines, &outages(&[(1, 6, 40)]));
        assert_eq!(times(&outcome), [(0, 10), (2, 12), (10, 30)], "{queue}");
        let figures = outcome.outages.unwrap();
        assert_eq!((figures.failed_runs, figures.restarted, figures.lost), (1, 1, 2.0));
        assert_eq!(figures.out_of_service, 24.0);
        let work = 30.0 + 40.0 + 20.0;
        assert!((outcome.utilisation - work / 240.0).abs() < 1e-9, "of the whole machine");
        assert!((figures.utilisation - work / 216.0).abs() < 1e-9, "of what served");
    }
}

#[test]
fn free_processors_go_first() {
    for queue in ALL {
        let outcome = run(queue, &[(0, 3, 10, 10)], &outages(&[(5, 6, 40)]));
        assert_eq!(times(&outcome), [(0, 10)]);
        let figures = outcome.outages.unwrap();
        assert_eq!((figures.failed_runs, figures.restarted, figures.lost), (0, 0, 0.0));
        assert_eq!(figures.out_of_service, 20.0);
    }
}

#[test]
fn a_job_that_ends_when_an_outage_begins_has_ended() {
    for queue in ALL {
        let outcome = run(queue, &[(0, 8, 10, 10), (1, 8, 5, 5)], &outages(&[(8, 10, 12)]));
        assert_eq!(times(&outcome), [(0, 10), (12, 17)], "{queue}");
        assert_eq!(outcome.outages.unwrap().failed_runs, 0);
    }
}

#[test]
fn an_outage_that_ends_makes_room_for_one_that_begins_and_one_without_duration_is_none() {
    for queue in ALL {
        let down = outages(&[(4, 5, 9), (4, 1, 5), (8, 3, 3)]);
        let outcome = run(queue, &[(0, 4, 20, 20)], &down);
        assert_eq!(times(&outcome), [(0, 20)]);
        assert_eq!(outcome.outages.unwrap().failed_runs, 0);
    }
}

#[test]
fn a_job_may_fail_again_and_again() {
    for queue in ALL {
        let down = outages(&[(8, 5, 6), (8, 9, 10), (8, 21, 22)]);
        let outcome = run(queue, &[(0, 2, 10, 10)], &down);
        assert_eq!(times(&outcome), [(10, 20)], "{queue}");
        let figures = outcome.outages.unwrap();
        assert_eq!((figures.failed_runs, figures.restarted, figures.lost), (2, 1, 16.0));
    }
}

#[test]
fn who_fails_stands_where_its_first_arrival_says() {
    // At 5 the second job fails; the third came after it, and does not overtake.
    let lines = [(0, 4, 10, 10), (1, 4, 10, 10), (2, 4, 10, 10)];
    let outcome = run(QueueKind::Fcfs, &lines, &outages(&[(4, 5, 50)]));
    assert_eq!(times(&outcome), [(0, 10), (10, 20), (20, 30)]);
}

#[test]
fn without_a_plan_a_job_for_which_too_few_serve_holds_others_up_and_with_one_it_does_not() {
    let lines = [(0, 8, 10, 10), (3, 2, 4, 4)];
    let down = outages(&[(1, 0, 30)]);
    assert_eq!(times(&run(QueueKind::Fcfs, &lines, &down)), [(30, 40), (40, 44)]);
    for queue in [QueueKind::Easy, QueueKind::Conservative] {
        assert_eq!(times(&run(queue, &lines, &down)), [(30, 40), (3, 7)], "{queue}");
    }
}

/// It stands before the one that came at 4, and nobody who comes later takes its turn.
#[test]
fn under_a_plan_a_job_that_comes_while_too_few_serve_keeps_its_place() {
    let lines = [(0, 7, 20, 20), (3, 8, 10, 10), (4, 7, 10, 10)];
    let down = outages(&[(1, 1, 15)]);
    for queue in [QueueKind::Easy, QueueKind::Conservative] {
        let outcome = run(queue, &lines, &down);
        assert_eq!(times(&outcome), [(0, 20), (20, 30), (30, 40)], "{queue}");
        assert_eq!(outcome.peak_queue, 2);
    }
}

#[test]
fn a_job_that_never_finds_enough_processors_again_is_told_in_one_line() {
    let forever = [Outage::of(1, at(5), None)];
    for (queue, lines) in [
        (QueueKind::Fcfs, [(0, 8, 10, 10), (1, 2, 1, 1)]),
        (QueueKind::Easy, [(0, 8, 10, 10), (6, 8, 1, 1)]),
        (QueueKind::Conservative, [(0, 8, 10, 10), (6, 8, 1, 1)]),
    ] {
        let error = run_on(&mut Pool::new(8), queue, &lines, &forever, queue.decisions());
        assert_eq!(
            error.unwrap_err().to_string(),
            "pool of 8: 2 jobs wait for ever (impossible until nodes are repaired); repair nodes, or \
             choose another machine or queue"
        );
    }
}

#[test]
fn a_machine_whose_model_knows_no_outages_is_told() {
    let mut machine = AsPrinted::new(Dim::new(3).unwrap());
    let (queue, lines) = (QueueKind::Fcfs, [(0, 8, 10, 10)]);
    let down = outages(&[(1, 5, 6)]);
    let error = run_on(&mut machine, queue, &lines, &down, queue.decisions()).unwrap_err();
    assert!(matches!(error, ReplayError::NoOutages { .. }), "{error}");
    assert!(
        error
            .to_string()
            .ends_with("its model knows no outages; leave them out, or choose another machine")
    );
}

fn cube(kind: StrategyKind) -> Hypercube {
    Hypercube::new(Dim::new(3).unwrap(), kind)
}

#[test]
fn on_a_hypercube_the_nodes_listed_go_and_whoever_holds_one_fails() {
    for kind in StrategyKind::NAMED {
        let lines = [(0, 4, 10, 10), (1, 4, 10, 10)];
        // The first job holds 0 to 3, the second one the others.
        let node = Outage { nodes: vec![2], ..Outage::of(1, at(4), Some(at(20))) };
        let queue = QueueKind::Fcfs;
        let outcome = run_on(&mut cube(kind), queue, &lines, &[node], queue.decisions()).unwrap();
        assert_eq!(times(&outcome), [(11, 21), (1, 11)], "{kind}");
        assert_eq!(outcome.jobs[0].allocated.as_deref(), Some("4-7"));
        assert_eq!(outcome.outages.unwrap().lost, 16.0);
    }
}

#[test]
fn on_a_hypercube_the_lowest_nodes_go_if_none_is_listed() {
    for kind in StrategyKind::NAMED {
        let lines = [(0, 1, 10, 10), (1, 4, 10, 10)];
        let queue = QueueKind::Fcfs;
        let down = outages(&[(2, 4, 30)]);
        let outcome = run_on(&mut cube(kind), queue, &lines, &down, queue.decisions()).unwrap();
        // Under each strategy the first job is at node 0; 2 and 3 are left, or what is beyond.
        assert_eq!(outcome.jobs[1].start, at(1), "{kind}");
        assert_eq!(outcome.jobs[0].start, at(4), "{kind}");
        let nodes = outcome.jobs[0].allocated.clone().unwrap();
        assert!(!["0", "1"].contains(&nodes.as_str()), "{kind}: {nodes}");
    }
}

#[test]
fn on_meshes_whoever_holds_a_node_fails_and_runs_elsewhere() {
    for leftover in [Leftover::Kept, Leftover::Reused] {
        let mut machine = MeshCube::new(Dim::new(3).unwrap(), StrategyKind::FreeList, leftover);
        let node = Outage { nodes: vec![0], ..Outage::of(1, at(4), Some(at(20))) };
        let (queue, lines) = (QueueKind::Fcfs, [(0, 3, 10, 10)]);
        let outcome = run_on(&mut machine, queue, &lines, &[node], queue.decisions()).unwrap();
        assert_eq!(times(&outcome), [(4, 14)]);
    }
}

#[test]
fn an_owner_whose_job_failed_has_had_its_processors_all_the_same() {
    let lines = [(0, 8, 100, 100), (1, 8, 10, 10), (1, 8, 10, 10)];
    let mut jobs = workload(&lines);
    [7, 7, 9].into_iter().zip(&mut jobs.jobs).for_each(|(user, job)| job.user = Some(user));
    let down = outages(&[(8, 5, 6)]);
    let options = Options { order: Order::FairShare, outages: &down, ..Options::default() };
    for queue in [QueueKind::Fcfs, QueueKind::Easy] {
        let mut queue = queue.queue(3, 8);
        let outcome = replay(&jobs, &mut Pool::new(8), &mut *queue, &options).unwrap();
        // The other user's job first, then those of the first user in the order of arrival.
        assert_eq!(times(&outcome), [(16, 116), (116, 126), (6, 16)]);
    }
}

#[test]
fn a_job_that_fails_is_told_of_again_when_it_starts_again() {
    let down = outages(&[(8, 5, 6)]);
    let options = Options { outages: &down, ..Options::default() };
    let mut queue = QueueKind::Easy.queue(1, 8);
    let (jobs, mut told) = (workload(&[(0, 8, 10, 10)]).jobs, vec![]);
    let mut pool = Pool::new(8);
    let mut simulation = Simulation::new("one", jobs.into_iter(), &mut pool, &mut *queue, options);
    loop {
        match simulation.step().unwrap() {
            Event::Started { record, .. } => told.push(record.start.ticks()),
            Event::Done => break,
            _ => {}
        }
    }
    assert_eq!(told, [0, 6]);
}

#[test]
fn the_series_says_how_many_are_out_of_service() {
    let down = outages(&[(4, 5, 10), (2, 8, 20)]);
    let options = Options { points: 4, outages: &down, ..Options::default() };
    let mut queue = QueueKind::Fcfs.queue(1, 8);
    let jobs = workload(&[(0, 1, 20, 20)]);
    let outcome = replay(&jobs, &mut Pool::new(8), &mut *queue, &options).unwrap();
    let shares: Vec<f64> = outcome.series.iter().map(|point| point.out_of_service).collect();
    assert_eq!(shares, [0.0, 4.8 / 8.0, 0.25, 0.25]);
    assert_eq!(outcome.outages.unwrap().out_of_service, 44.0);
}

/// What is known of a job in the naive simulation.
#[derive(Clone, Copy, PartialEq)]
enum State {
    /// It has not come.
    Away,
    Waits,
    /// It runs since then, and was the so-many-th to start.
    Runs(u64, usize),
    Done,
}

/// Second by second: jobs that end, outages and a decision, if there is one; arrivals and a decision, if
/// anything happened.
struct Naive<'a> {
    lines: &'a [Line],
    processors: u32,
    easy: bool,
    out: u32,
    states: Vec<State>,
    records: Vec<(u64, u64)>,
    started: usize,
    failed: u64,
    lost: u64,
}

impl<'a> Naive<'a> {
    fn run(lines: &'a [Line], down: &[Down], processors: u32, easy: bool) -> Self {
        let (states, records) = (vec![State::Away; lines.len()], vec![(0, 0); lines.len()]);
        let (out, started, failed, lost) = (0, 0, 0, 0);
        let mut it = Self { lines, processors, easy, out, states, records, started, failed, lost };
        for now in 0.. {
            if it.states.iter().all(|&state| state == State::Done) {
                break;
            }
            it.step(now, down);
        }
        it
    }

    fn step(&mut self, now: u64, down: &[Down]) {
        let mut happened = self.end(now);
        let change = |&(_, start, end): &Down| start < end && (start == now || end == now);
        if down.iter().any(change) {
            self.change(now, down);
            self.join(now);
            self.decide(now);
            happened = true;
        }
        happened |= self.lines.iter().any(|&(submit, ..)| submit == now);
        self.join(now + 1);
        // Who starts and runs for no time ends at once. Without an event nobody is asked.
        while happened {
            self.decide(now);
            happened = self.end(now);
        }
    }

    fn end(&mut self, now: u64) -> bool {
        let ends = |at: &usize| matches!(self.states[*at], State::Runs(since, _) if since + self.lines[*at].3 == now);
        let ended: Vec<usize> = (0..self.lines.len()).filter(ends).collect();
        ended.iter().for_each(|&at| self.states[at] = State::Done);
        !ended.is_empty()
    }

    fn change(&mut self, now: u64, down: &[Down]) {
        let out = down.iter().filter(|&&(_, start, end)| start <= now && now < end);
        self.out = out.map(|&(processors, ..)| processors).sum::<u32>().min(self.processors);
        while self.held() > self.serving() {
            let last = (0..self.lines.len()).max_by_key(|&at| match self.states[at] {
                State::Runs(_, started) => Some(started),
                _ => None,
            });
            self.fail(now, last.unwrap());
        }
    }

    fn fail(&mut self, now: u64, at: usize) {
        let State::Runs(since, _) = self.states[at] else { unreachable!() };
        self.failed += 1;
        self.lost += u64::from(self.lines[at].1) * (now - since);
        // The line is by first arrival.
        self.states[at] = State::Waits;
    }

    /// Those that came before `end` join the line.
    fn join(&mut self, end: u64) {
        for (state, &(submit, ..)) in self.states.iter_mut().zip(self.lines) {
            if *state == State::Away && submit < end {
                *state = State::Waits;
            }
        }
    }

    fn serving(&self) -> u32 {
        self.processors - self.out
    }

    fn held(&self) -> u32 {
        self.running().map(|(at, _)| self.lines[at].1).sum()
    }

    fn running(&self) -> impl Iterator<Item = (usize, u64)> {
        self.states.iter().enumerate().filter_map(|(at, &state)| match state {
            State::Runs(since, _) => Some((at, since)),
            _ => None,
        })
    }

    fn line(&self) -> Vec<usize> {
        let waits = |&at: &usize| self.states[at] == State::Waits;
        (0..self.lines.len()).filter(waits).collect()
    }

    fn decide(&mut self, now: u64) {
        while let Some(at) = if self.easy { self.next_easy(now) } else { self.next_fcfs() } {
            self.states[at] = State::Runs(now, self.started);
            self.records[at] = (now, now + self.lines[at].3);
            self.started += 1;
        }
    }

    fn free(&self) -> u32 {
        self.serving() - self.held()
    }

    fn next_fcfs(&self) -> Option<usize> {
        self.line().into_iter().next().filter(|&at| self.lines[at].1 <= self.free())
    }

    /// The first for which enough serve if it fits, else the first behind it that does not delay it.
    fn next_easy(&self, now: u64) -> Option<usize> {
        let enough = |&at: &usize| self.lines[at].1 <= self.serving();
        let mut line = self.line().into_iter().skip_while(|at| !enough(at));
        let head = line.next()?;
        if self.lines[head].1 <= self.free() {
            return Some(head);
        }
        // Who runs for longer than requested ends any moment.
        let end = |(at, since): (usize, u64)| (since + self.lines[at].2.max(1)).max(now + 1);
        let free_at = |time| {
            let held = self.running().filter(|&it| end(it) > time).map(|(at, _)| self.lines[at].1);
            self.serving() - held.sum::<u32>()
        };
        let start = (now + 1..).find(|&time| free_at(time) >= self.lines[head].1)?;
        let spare = free_at(start) - self.lines[head].1;
        line.find(|&at| {
            let (_, processors, requested, _) = self.lines[at];
            let in_time = now + requested.max(1) <= start;
            processors <= self.free() && (in_time || processors <= spare)
        })
    }
}

const PROCESSORS: u32 = 16;

fn lines() -> impl Strategy<Value = Vec<Line>> {
    // Gaps of zero and equal ends are frequent: there the order of events matters.
    let job = (0u64..4, 1..=PROCESSORS, 1u64..14, 0u64..14);
    proptest::collection::vec(job, 1..30).prop_map(|jobs| {
        let mut now = 0;
        let arrive = |(gap, processors, requested, run)| {
            now += gap;
            (now, processors, requested, run)
        };
        jobs.into_iter().map(arrive).collect()
    })
}

fn down() -> impl Strategy<Value = Vec<Down>> {
    let outage = (1..=PROCESSORS, 0u64..60, 0u64..20);
    let outage = outage.prop_map(|(processors, start, time)| (processors, start, start + time));
    proptest::collection::vec(outage, 0..8)
}

fn fixed_seed() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(5), cases: 400, ..ProptestConfig::default() }
}

fn compare(lines: &[Line], down: &[Down], queue: QueueKind) {
    let outcome =
        run_on(&mut Pool::new(PROCESSORS), queue, lines, &outages(down), Decisions::EachInstant);
    let outcome = outcome.unwrap();
    let naive = Naive::run(lines, down, PROCESSORS, queue == QueueKind::Easy);
    assert_eq!(times(&outcome), naive.records, "{queue}");
    let Some(figures) = outcome.outages else { return assert!(down.is_empty()) };
    assert_eq!((figures.failed_runs, figures.lost), (naive.failed, naive.lost as f64));
}

/// Processors in use and out of service are never more than there are, counting last runs alone.
fn fits(outcome: &Outcome, down: &[Down]) {
    for job in &outcome.jobs {
        let now = job.start.ticks();
        let out = down.iter().filter(|&&(_, start, end)| start <= now && now < end);
        let out = out.map(|&(processors, ..)| processors).sum::<u32>().min(PROCESSORS);
        let runs = |other: &&JobRecord| other.start <= job.start && job.start < other.finish;
        let used: u32 = outcome.jobs.iter().filter(runs).map(|job| job.processors).sum();
        assert!(used + out <= PROCESSORS, "{used} used and {out} out at {now}");
    }
}

proptest! {
    #![proptest_config(fixed_seed())]

    #[test]
    fn fcfs_with_outages_is_as_second_by_second(lines in lines(), down in down()) {
        compare(&lines, &down, QueueKind::Fcfs);
    }

    #[test]
    fn easy_with_outages_is_as_second_by_second(lines in lines(), down in down()) {
        compare(&lines, &down, QueueKind::Easy);
    }

    #[test]
    fn every_queue_runs_all_jobs_on_what_serves(lines in lines(), down in down()) {
        for queue in ALL {
            let decisions = queue.decisions();
            let mut pool = Pool::new(PROCESSORS);
            let outcome = run_on(&mut pool, queue, &lines, &outages(&down), decisions).unwrap();
            prop_assert!(outcome.jobs.iter().all(|job| job.success));
            fits(&outcome, &down);
            prop_assert_eq!((pool.in_use(), pool.outages().unwrap().serving()), (0, PROCESSORS));
        }
    }

    #[test]
    fn every_strategy_runs_all_jobs_on_nodes_that_serve(
        lines in lines(),
        down in proptest::collection::vec((0..PROCESSORS, 0u64..60, 1u64..20), 0..8),
    ) {
        let outages: Vec<Outage> = down.iter().map(|&(node, start, time)| {
            Outage { nodes: vec![node], ..Outage::of(1, at(start), Some(at(start + time))) }
        }).collect();
        for kind in StrategyKind::ALL {
            let mut cube = Hypercube::new(Dim::new(4).unwrap(), kind);
            let outcome = run_on(&mut cube, QueueKind::Fcfs, &lines, &outages, Decisions::EachEvent);
            for job in outcome.unwrap().jobs {
                let (start, finish) = (job.start.ticks(), job.finish.ticks());
                let numbers = job.allocated.unwrap();
                for &(node, from, time) in &down {
                    let together = from < finish && start < from + time;
                    prop_assert!(!together || !holds(&numbers, node), "{} has {}", numbers, node);
                }
            }
        }
    }
}

/// Whether a number lies in an interval set.
fn holds(set: &str, number: u32) -> bool {
    let bounds = |text: &str| -> (u32, u32) {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        (first.parse().unwrap(), last.parse().unwrap())
    };
    set.split(' ').map(bounds).any(|(first, last)| (first..=last).contains(&number))
}
