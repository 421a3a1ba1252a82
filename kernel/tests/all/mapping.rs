//! Mapping by what its users see: reasons of refusals, misuses, readings, experience.

use locox::mapping::{
    BadSite, Basis, Best, BestAssignment, Cluster, Duplex, Error, Experience, Genetic, Link,
    Mapper, MaxMin, MinMin, Misuse, Olb, Pjs, Plan, PlannedRun, Preemption, Problem, Refusal,
    RunningJob, Runs, Site, Sufferage, Times, Traffic, UnplacedJob, Workspace, bound_workspace,
    genes, lower_bound, runs,
};
use locox::time::{Duration, Instant};

const NEVER: u64 = u64::MAX;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn ticks(ticks: u64) -> Duration {
    Duration::from_ticks(ticks)
}

/// The resource of each job, and the merit.
type Mapped = (Vec<Option<usize>>, u64);

/// Maps with storage for three jobs and two machines.
fn map(mapper: &dyn Mapper, problem: &Problem, levels: Option<&[u8]>) -> Result<Mapped, Error> {
    let (mut placements, mut free) = ([PlannedRun::EMPTY; 3], [Instant::ZERO; 2]);
    let mut plan = Plan::new(&mut placements, &mut free);
    let (mut open, mut more) = ([UnplacedJob::EMPTY; 3], [PlannedRun::EMPTY; 6]);
    let mut instants = [Instant::ZERO; 6];
    let mut room = Workspace::new(&mut open, &mut more, &mut instants);
    let merit = match levels {
        None => mapper.map(problem, &mut plan, &mut room)?,
        Some(levels) => mapper.map_by_level(problem, levels, &mut plan, &mut room)?,
    };
    let jobs = problem.times.jobs();
    let resource = |job| plan.placement(job).and_then(|placement| placement.resource());
    Ok(((0..jobs).map(resource).collect(), merit.ticks()))
}

fn cells<const N: usize>(ticks: [u64; N]) -> [Duration; N] {
    ticks.map(Duration::from_ticks)
}

#[test]
fn the_first_job_that_nothing_can_run_is_named() {
    let cells = cells([5, 7, NEVER, NEVER, NEVER, NEVER]);
    let site = Site::new(2, &[]).unwrap();
    let times = Times::new(&cells, 2).unwrap();
    let free_from = [at(0), at(0)];
    let problem = Problem { now: at(0), site, times, free_from: &free_from, down: &[] };
    let mappers: [&dyn Mapper; 3] =
        [&Duplex::default(), &Pjs::default(), &BestAssignment::default()];
    for mapper in mappers {
        let refused = map(mapper, &problem, None).unwrap_err();
        assert_eq!(refused.refusal(), Some(Refusal::NoMachine(1)));
    }
}

/// At the end of the clock the best machine by execution has no room left, and no other is taken in
/// its place: then jobs would end earlier than before.
#[test]
fn by_execution_the_best_machine_stays_the_best_at_the_end_of_the_clock() {
    let cells = cells([2, 2, 2, 2, 2, 2]);
    let times = Times::new(&cells, 2).unwrap();
    let site = Site::new(2, &[]).unwrap();
    let free_from = [at(NEVER - 3), at(NEVER - 12)];
    let problem = Problem { now: at(NEVER - 1000), site, times, free_from: &free_from, down: &[] };
    let best = Best::Execution;
    for mapper in [&MinMin { best } as &dyn Mapper, &MaxMin { best }, &Duplex { best }] {
        let refused = map(mapper, &problem, None).unwrap_err();
        assert_eq!(refused.refusal(), Some(Refusal::TooLong), "{}", mapper.name());
    }
    let mapped = map(&MinMin::default(), &problem, None).unwrap();
    assert_eq!(mapped.0, [Some(1), Some(1), Some(1)]);
}

#[test]
fn a_cluster_on_which_a_job_would_not_end_saves_nothing() {
    let members = [0, 1];
    let clusters = [Cluster::of(&members)];
    let cells = cells([6, 4, 2]);
    let times = Times::new(&cells, 3).unwrap();
    let site = Site::new(2, &clusters).unwrap();
    let free_from = [at(NEVER - 1), at(8)];
    let problem = Problem { now: at(0), site, times, free_from: &free_from, down: &[] };
    for best in [Best::Completion, Best::Execution] {
        let [sjs, pjs] = [&Duplex { best } as &dyn Mapper, &Pjs { best }]
            .map(|mapper| map(mapper, &problem, None).unwrap());
        assert_eq!((sjs.1, &pjs), (12, &sjs));
    }
}

#[test]
fn a_merit_beyond_the_clock_is_refused_by_every_mapper() {
    let cells = cells([1 << 63, 1 << 62]);
    let times = Times::new(&cells, 1).unwrap();
    let site = Site::new(1, &[]).unwrap();
    let problem = Problem { now: at(0), site, times, free_from: &[at(0)], down: &[] };
    let best_assignment = BestAssignment::default();
    let mappers: [&dyn Mapper; 5] =
        [&Olb, &best_assignment, &Sufferage, &MinMin::default(), &Pjs::default()];
    for mapper in mappers {
        for levels in [None, Some(&[0, 1][..])] {
            let (mut placements, mut free) = ([PlannedRun::EMPTY; 2], [at(0)]);
            let mut plan = Plan::new(&mut placements, &mut free);
            let (mut open, mut more) = ([UnplacedJob::EMPTY; 2], [PlannedRun::EMPTY; 4]);
            let mut instants = [at(0); 3];
            let mut room = Workspace::new(&mut open, &mut more, &mut instants);
            let mapped = match levels {
                None => mapper.map(&problem, &mut plan, &mut room),
                Some(levels) => mapper.map_by_level(&problem, levels, &mut plan, &mut room),
            };
            let refused = mapped.unwrap_err().refusal();
            assert_eq!(refused, Some(Refusal::TooLong), "{}", mapper.name());
        }
    }
}

#[test]
fn a_machine_that_is_away_runs_nothing_and_its_cluster_only_by_policy() {
    let members = [0, 1];
    let cells = cells([50, 50, 10]);
    let times = Times::new(&cells, 3).unwrap();
    let free_from = [at(0), Instant::MAX];
    let by_least = |least, down: &[u32]| {
        let clusters = [Cluster { members: &members, least, interconnect: Some(3) }];
        let site = Site::new(2, &clusters).unwrap();
        let problem = Problem { now: at(0), site, times, free_from: &free_from, down };
        map(&Pjs::default(), &problem, None).unwrap()
    };
    assert_eq!(by_least(2, &[]), (vec![Some(0)], 50));
    assert_eq!(by_least(1, &[]), (vec![Some(2)], 10));
    assert_eq!(by_least(1, &[3]), (vec![Some(0)], 50));
}

#[test]
fn by_execution_all_jobs_pile_up_on_one_machine() {
    let cells = cells([10, 11, 10, 11, 10, 11]);
    let site = Site::new(2, &[]).unwrap();
    let times = Times::new(&cells, 2).unwrap();
    let free_from = [at(0), at(0)];
    let problem = Problem { now: at(0), site, times, free_from: &free_from, down: &[] };
    let by = |best| map(&Duplex { best }, &problem, None).unwrap();
    assert_eq!(by(Best::Execution), (vec![Some(0); 3], 10 + 20 + 30));
    assert_eq!(by(Best::Completion), (vec![Some(0), Some(1), Some(0)], 10 + 11 + 20));
}

#[test]
fn a_less_urgent_level_never_moves_a_more_urgent_one() {
    let cells = cells([9, 90, 1, 90, 9, 90]);
    let site = Site::new(2, &[]).unwrap();
    let times = Times::new(&cells, 2).unwrap();
    let free_from = [at(0), at(0)];
    let problem = Problem { now: at(0), site, times, free_from: &free_from, down: &[] };
    // The short job is not urgent, so it waits.
    let (_, merit) = map(&Duplex::default(), &problem, Some(&[0, 2, 0])).unwrap();
    assert_eq!(merit, 9 + 18 + 19);
    let wrong = map(&Duplex::default(), &problem, Some(&[0, 2])).unwrap_err();
    assert_eq!(wrong.misuse(), Some(Misuse::Levels));
}

#[test]
fn what_does_not_fit_is_a_misuse() {
    let cells = cells([5, 7, 6, 8]);
    let site = Site::new(2, &[]).unwrap();
    let free_from = [at(0), at(0)];
    let problem = Problem {
        now: at(0),
        site,
        times: Times::new(&cells, 2).unwrap(),
        free_from: &free_from,
        down: &[],
    };
    let misuse = |problem: &Problem| map(&Duplex::default(), problem, None).unwrap_err().misuse();
    let other_columns = Problem { times: Times::new(&cells, 1).unwrap(), ..problem };
    assert_eq!(misuse(&other_columns), Some(Misuse::Columns));
    assert_eq!(misuse(&Problem { free_from: &free_from[..1], ..problem }), Some(Misuse::Machines));
    let many = [Duration::ZERO; 8];
    let more_jobs = Problem { times: Times::new(&many, 2).unwrap(), ..problem };
    assert_eq!(misuse(&more_jobs), Some(Misuse::Storage));
    let mut room = [Instant::ZERO; bound_workspace(2, 2)];
    assert_eq!(lower_bound(&problem, &mut room), Ok(Duration::from_ticks(5 + 6)));
    assert_eq!(lower_bound(&problem, &mut room[1..]), Err(Misuse::Storage));
}

#[test]
fn a_wrong_site_is_refused_by_its_cluster() {
    let wrong = |machines, clusters: &[Cluster]| Site::new(machines, clusters).unwrap_err();
    let right = Cluster::of(&[0, 1]);
    assert_eq!(wrong(0, &[]), BadSite::NoMachines);
    assert_eq!(wrong(2, &[right, Cluster::of(&[])]), BadSite::Members(1));
    assert_eq!(wrong(2, &[Cluster { least: 3, ..right }]), BadSite::Members(0));
    assert_eq!(wrong(2, &[right, Cluster::of(&[1, 2])]), BadSite::UnknownMachine(1, 2));
    assert_eq!(wrong(2, &[right, Cluster::of(&[1, 0, 1])]), BadSite::Twice(1, 1));
    assert_eq!(
        BadSite::UnknownMachine(1, 2).to_string(),
        "cluster 1 names machine 2, which the site does not have"
    );
}

#[test]
fn times_beyond_any_clock_are_refused() {
    let cells = cells([u64::MAX - 1, u64::MAX - 1]);
    let site = Site::new(1, &[]).unwrap();
    let times = Times::new(&cells, 1).unwrap();
    let problem = Problem { now: at(0), site, times, free_from: &[at(0)], down: &[] };
    let (mut placements, mut free) = ([PlannedRun::EMPTY; 2], [Instant::ZERO; 1]);
    let mut plan = Plan::new(&mut placements, &mut free);
    let (mut open, mut more) = ([UnplacedJob::EMPTY; 2], [PlannedRun::EMPTY; 4]);
    let mut instants = [Instant::ZERO; 3];
    let mut room = Workspace::new(&mut open, &mut more, &mut instants);
    let refused = Duplex::default().map(&problem, &mut plan, &mut room).unwrap_err();
    assert_eq!(refused.refusal(), Some(Refusal::TooLong));
}

type History = Experience<'static, Vec<Runs>>;

/// Two resources of one class and one of another, for one class of jobs.
fn history(memory: u32) -> History {
    Experience::new(&[0, 0, 1], 2, vec![Runs::EMPTY; runs(3, 2, 1)], memory).unwrap()
}

fn learn(history: &mut History, resource: usize, took: impl IntoIterator<Item = u64>) {
    for took in took {
        history.ran(0, resource, Duration::from_ticks(took)).unwrap();
    }
}

#[test]
fn means_and_deviations_are_those_of_all_runs_until_it_forgets() {
    let took = [813, 22, 4_711, 90, 1_000, 7, 77_777, 5];
    let mut history = history(u32::MAX);
    learn(&mut history, 1, took);
    let expected = history.expected(0, 1).unwrap().unwrap();
    let mean = took.iter().sum::<u64>() as f64 / took.len() as f64;
    let square = took.iter().map(|&took| (took as f64 - mean).powi(2)).sum::<f64>();
    let deviation = (square / took.len() as f64).sqrt();
    assert_eq!(expected.mean.ticks(), mean.round() as u64);
    assert!((expected.deviation.ticks() as f64 - deviation).abs() <= 1.0, "{expected:?}");
    assert_eq!((expected.runs, expected.basis), (8, Basis::Resource));
}

#[test]
fn what_was_long_ago_is_forgotten() {
    let mut history = history(10);
    learn(&mut history, 0, [1_000_000; 50]);
    learn(&mut history, 0, [100; 300]);
    let expected = history.expected(0, 0).unwrap().unwrap();
    assert_eq!((expected.mean.ticks(), expected.deviation.ticks()), (100, 0));
}

#[test]
fn the_longest_times_do_not_overflow() {
    let mut history = history(u32::MAX);
    learn(&mut history, 2, [u64::MAX, 0, u64::MAX, 0]);
    let longest = History::LONGEST.ticks();
    let expected = history.expected(0, 2).unwrap().unwrap();
    assert!(expected.mean.ticks().abs_diff(longest / 2) <= 1, "{expected:?}");
    assert!(expected.deviation.ticks().abs_diff(longest / 2) <= 1, "{expected:?}");
}

#[test]
fn unknown_classes_and_resources_are_misuses() {
    let mut history = history(10);
    let took = Duration::from_ticks(3);
    assert_eq!(history.ran(1, 0, took), Err(Misuse::Unknown));
    assert_eq!(history.ran(0, 3, took), Err(Misuse::Unknown));
    assert_eq!(history.expected(1, 0), Err(Misuse::Unknown));
    assert_eq!(history.job_classes(), 1);
    let of = |classes: &'static [u16], storage| Experience::new(classes, 2, storage, 9).map(|_| ());
    assert_eq!(of(&[0, 2], vec![Runs::EMPTY; 5]), Err(Misuse::Columns));
    assert_eq!(of(&[0, 1], vec![Runs::EMPTY; 6]), Err(Misuse::Storage));
}

#[test]
fn what_runs_must_be_in_the_problem_once_and_takers_be_more_urgent() {
    let cells = cells([5, 7, 6, 8]);
    let site = Site::new(2, &[]).unwrap();
    let times = Times::new(&cells, 2).unwrap();
    let free_from = [at(0), at(0)];
    let problem = Problem { now: at(0), site, times, free_from: &free_from, down: &[] };
    let (mut placements, mut free) = ([PlannedRun::EMPTY; 2], [Instant::ZERO; 2]);
    let mut plan = Plan::new(&mut placements, &mut free);
    let (mut open, mut more) = ([UnplacedJob::EMPTY; 2], [PlannedRun::EMPTY; 4]);
    let mut instants = [Instant::ZERO; 6];
    let mut room = Workspace::new(&mut open, &mut more, &mut instants);
    let right = Preemption { takers: 0, losers: 1, most: None, gain: None };
    let mut misuse = |preemption: Preemption, running: &[(usize, usize)]| {
        let new = |&(job, resource)| RunningJob::new(job, resource, at(9), 0);
        let mut running: Vec<RunningJob> = running.iter().map(new).collect();
        let mapper = Duplex::default();
        let result = preemption.map(&mapper, &problem, &[1, 0], &mut running, &mut plan, &mut room);
        result.err().and_then(|error| error.misuse())
    };
    assert_eq!(misuse(right, &[(0, 1)]), None);
    assert_eq!(misuse(right, &[(2, 1)]), Some(Misuse::Running));
    assert_eq!(misuse(right, &[(0, 2)]), Some(Misuse::Running));
    assert_eq!(misuse(right, &[(0, 0), (0, 1)]), Some(Misuse::Running));
    assert_eq!(misuse(Preemption { losers: 0, ..right }, &[]), Some(Misuse::Levels));
}

#[test]
fn a_table_of_times_can_be_a_constant() {
    const CELLS: [Duration; 4] = [Duration::from_ticks(1); 4];
    const TIMES: Times<'static> = Times::new(&CELLS, 2).unwrap();
    const NOT_WHOLE: Option<Times<'static>> = Times::new(&CELLS, 3);
    const NO_COLUMNS: Option<Times<'static>> = Times::new(&CELLS, 0);
    assert_eq!(TIMES.jobs(), 2);
    assert!(NOT_WHOLE.is_none() && NO_COLUMNS.is_none());
}

#[test]
fn communication_takes_latency_for_each_message_and_the_bandwidth_that_is_left() {
    let link = Link { latency: ticks(3), bytes: 10, per: ticks(7), taken: 0 };
    let time = |link: Link, messages, bytes, sharing| {
        link.time(&Traffic { messages, bytes }, sharing).ticks()
    };
    assert_eq!(time(link, 0, 0, 4), 0);
    assert_eq!(time(link, 5, 0, 4), 15, "processes wait side by side");
    assert_eq!(time(link, 0, 100, 1), 70);
    assert_eq!(time(link, 0, 100, 4), 280);
    assert_eq!(time(link, 0, 101, 1), 71, "rounded up");
    assert_eq!(time(Link { taken: 5, ..link }, 2, 100, 1), 6 + 140);
    let never = Times::NEVER.ticks();
    for taken in [10, 11] {
        let full = Link { taken, ..link };
        assert_eq!((time(full, 2, 1, 1), time(full, 2, 0, 1)), (never, 6));
    }
    let most = u64::MAX;
    let slow = Link { latency: ticks(most), bytes: 1, per: ticks(most), taken: 0 };
    assert_eq!(time(slow, most, most, usize::MAX), never);
    // The product is beyond 128 bits, and so beyond any clock by the largest bandwidth, too.
    assert_eq!(time(Link { bytes: most, ..slow }, 0, most, usize::MAX), never);
    assert_eq!(time(Link { bytes: most, per: ticks(1), ..slow }, 0, most, 1), 1);
}

#[test]
fn genetic_search_with_no_room_is_pjs_and_a_seed_is_a_plan() {
    let times: Vec<u64> = (0..60_u64).map(|cell| 1 + cell * cell * 37 % 23).collect();
    let cells: Vec<Duration> = times.into_iter().map(ticks).collect();
    let clusters = [Cluster::of(&[0, 1]), Cluster::of(&[1, 2])];
    let site = Site::new(3, &clusters).unwrap();
    let free_from = [at(0), at(4), at(9)];
    let times = Times::new(&cells, 5).unwrap();
    let problem = Problem { now: at(0), site, times, free_from: &free_from, down: &[] };
    let plan = |mapper: &dyn Mapper, words: usize| {
        let (mut placements, mut free) = ([PlannedRun::EMPTY; 12], [at(0); 3]);
        let mut plan = Plan::new(&mut placements, &mut free);
        let (mut open, mut more) = ([UnplacedJob::EMPTY; 12], [PlannedRun::EMPTY; 24]);
        let (mut instants, mut genes) = ([at(0); 9], vec![99; words]);
        let room = Workspace::new(&mut open, &mut more, &mut instants);
        let merit = mapper.map(&problem, &mut plan, &mut room.with_genes(&mut genes)).unwrap();
        let places: Vec<_> = (0..12).map(|job| plan.placement(job).unwrap()).collect();
        (merit.ticks(), places)
    };
    let genetic = |seed, generations| Genetic { seed, generations, ..Genetic::default() };
    let pjs = plan(&Pjs::default(), 0);
    for words in [0, 5, genes(12, 1) + 1] {
        assert_eq!(plan(&genetic(1, 50), words), pjs, "{words} words");
    }
    assert_eq!(plan(&genetic(1, 0), genes(12, 2)).0, pjs.0);
    let found = plan(&genetic(1, 50), genes(12, 20));
    assert!(found.0 < pjs.0, "{} beside {}", found.0, pjs.0);
    assert_eq!(plan(&genetic(1, 50), genes(12, 20)), found);
    let longer = plan(&genetic(1, 200), genes(12, 20));
    assert!(longer.0 <= found.0);
}
