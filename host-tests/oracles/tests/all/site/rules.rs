//! Rules of a site that commands drawn at random seldom come to.

use locox::error::Error;
use locox::handle::{self, PoolId};
use locox::mapping::{Basis, Cluster, Site, Times, runs};
use locox::time::{Duration, Instant};
use locox_coordinators::site::{
    Algorithm, Arrays, Claim, Command, Config, Coordinator, Effect, JobClass, JobId, Learning,
    MachineId, Misuse, Policy, QueueId, ResourceId, Run, SiteModel, Status, UserId,
};

const N: u64 = Times::NEVER.ticks();

/// Four machines, and pairs of them.
pub(super) const CLUSTERS: [Cluster<'static>; 2] = [
    Cluster { members: &[0, 1], least: 2, interconnect: Some(7) },
    Cluster { members: &[1, 2], least: 1, interconnect: Some(9) },
];

/// Class 0 runs on each machine, class 1 takes no time at all on it; class 2 runs on the last one, and
/// sooner on the first pair.
const TIMES: [[u64; 6]; 3] = [[40, 40, 40, 40, N, N], [0, 0, 0, 0, N, N], [N, N, N, 50, 30, N]];

pub(super) type Rows = Arrays<6, 4, 6, 3, 2, 3, 2, { runs(6, 3, 1) }>;

pub(super) fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(super) fn ticks(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

pub(super) fn config() -> Config {
    Config::new(ticks(10), PoolId(3))
}

pub(super) fn fresh(config: Config) -> Coordinator<'static> {
    let times = TIMES.concat().into_iter().map(Duration::from_ticks).collect::<Vec<_>>();
    let model = SiteModel {
        site: Site::new(4, &CLUSTERS).unwrap(),
        times: Times::new(times.leak(), 6).unwrap(),
        classes: &[0, 0, 1, 1, 2, 2],
    };
    let rows: &'static mut Rows = Box::leak(Box::new(Rows::EMPTY));
    Coordinator::new(config, model, rows.columns(), at(0)).unwrap()
}

/// One of which so many machines are there.
pub(super) fn begun(config: Config, machines: u32) -> Coordinator<'static> {
    let mut site = fresh(config);
    for machine in (0..machines).map(MachineId) {
        site.apply(at(0), Command::MachineBack { machine, boot: 1 }).unwrap();
    }
    site
}

/// A job of a user, by his serial; of the class, in the queue.
pub(super) fn submit(
    site: &mut Coordinator,
    (user, serial): (u32, u32),
    queue: u32,
    class: u32,
) -> JobId {
    let (user, queue, class) = (UserId(user), QueueId(queue), JobClass(class));
    let submit = Command::Submit { user, serial, queue, class };
    site.apply(site.now(), submit).unwrap().unwrap()
}

pub(super) fn pass(site: &mut Coordinator, until: u64) {
    site.apply(at(until), Command::Tick).unwrap();
}

pub(super) fn set_policy(site: &mut Coordinator, queue: u32, level: u8, claim: Claim) {
    let policy = Policy { algorithm: Algorithm::Pjs, level, claim, clearance: 0 };
    site.apply(site.now(), Command::SetPolicy { queue: QueueId(queue), policy }).unwrap();
}

pub(super) fn run_of(site: &Coordinator, job: JobId) -> Run {
    match site.status(job).unwrap() {
        Status::Running { run, .. } | Status::Leaving { run, .. } => run,
        Status::Waiting { .. } => panic!("{job} waits"),
    }
}

fn dispatched(site: &mut Coordinator) -> Vec<(JobId, u32)> {
    let effects = std::iter::from_fn(|| site.take_effect());
    let of = |effect| match effect {
        Effect::Dispatch { run, resource, .. } => (run.job, resource.0),
        Effect::Preempt { .. } => panic!("{effect}"),
    };
    effects.map(of).collect()
}

#[test]
fn of_jobs_with_one_planned_start_the_first_to_come_starts_first() {
    let mut site = begun(config(), 1);
    let first = submit(&mut site, (0, 1), 0, 0);
    pass(&mut site, 10);
    assert_eq!(dispatched(&mut site), [(first, 0)]);
    // Both are planned to start at 50: the one takes no time.
    let [second, third] = [2, 3].map(|serial| submit(&mut site, (0, serial), 0, 1));
    pass(&mut site, 20);
    for job in [second, third] {
        let place = Some((ResourceId(0), at(50)));
        assert_eq!(site.status(job), Ok(Status::Waiting { place }));
    }
    let run = run_of(&site, first);
    site.apply(at(30), Command::Finished { run, took: ticks(20) }).unwrap();
    assert_eq!(dispatched(&mut site), [(second, 0)]);
}

/// Its machines are busy until its end, also for those who would take them.
#[test]
fn a_run_that_no_machine_could_take_over_keeps_its_cluster() {
    let mut site = begun(config(), 4);
    set_policy(&mut site, 1, 5, Claim::Loses);
    set_policy(&mut site, 2, 3, Claim::Neither);
    set_policy(&mut site, 0, 0, Claim::Takes);
    let low = submit(&mut site, (0, 1), 1, 2);
    pass(&mut site, 10);
    assert_eq!(dispatched(&mut site), [(low, 4)]);
    let lost = Command::MachineLost { machine: MachineId(3), boot: 1 };
    site.apply(at(15), lost).unwrap();
    let [first, second] = [1, 2].map(|serial| submit(&mut site, (1, serial), 0, 0));
    pass(&mut site, 20);
    // Until 40 only machine 2 is free.
    assert_eq!(dispatched(&mut site), [(first, 2)]);
    let place = Some((ResourceId(0), at(40)));
    assert_eq!(site.status(second), Ok(Status::Waiting { place }));
}

#[test]
fn a_run_of_a_row_that_was_never_used_is_a_misuse_and_not_over() {
    let mut other = begun(config(), 4);
    let jobs = [1, 2, 3].map(|serial| submit(&mut other, (0, serial), 0, 0));
    let mut site = begun(config(), 4);
    let own = submit(&mut site, (0, 1), 0, 0);
    assert_eq!(own, jobs[0]);
    for job in [jobs[1], jobs[2]] {
        let never = site.apply(at(0), Command::Vacated { run: Run { job, attempt: 1 } });
        let misuse = Misuse::Job(handle::Misuse::Stale);
        assert_eq!(never, Err(Error::Misused(misuse)));
    }
}

#[test]
fn what_was_learnt_of_long_runs_survives_a_restart() {
    let learning = Learning { memory: 9, basis: Basis::Resource, risk: 16 };
    let config = Config { learning: Some(learning), ..config() };
    let mut site = begun(config, 1);
    let far = 1 << 46;
    for (serial, took) in [(1, 0), (2, far)] {
        let job = submit(&mut site, (0, serial), 0, 0);
        pass(&mut site, 10 * u64::from(serial));
        let run = run_of(&site, job);
        site.apply(site.now(), Command::Finished { run, took: ticks(took) }).unwrap();
    }
    // The mean, and a deviation as large.
    let expected = site.expected(JobClass(0), ResourceId(0)).unwrap();
    assert_eq!(expected, ticks(far));
    let mut words = vec![];
    site.export(|word| words.push(word));
    let mut again = fresh(config);
    again.restore(words).unwrap();
    assert_eq!(again.expected(JobClass(0), ResourceId(0)), Some(expected));
}
