//! The pool of workstations: nothing is lost, nothing is done twice, and the figures are those of
//! formulas and of sums by hand.

use locox::fair::Amount;
use locox::node::{LocalRule, OnReturn, OwnerRule};
use locox::time::Duration;
use locox_coordinators::station::{Config, Misuse, Trigger};
use locox_models::workstation::{
    Activity, Arrivals, BadPool, Calls, Costs, Functions, Habit, Lengths, Outcome, Policy, Pool,
    Recording, Station, User,
};
use std::path::Path;
use std::sync::Arc;

const DAY: u64 = 86_400;

fn ticks(count: u64) -> Duration {
    Duration::from_ticks(count)
}

fn study(heavy: u32, days: u64) -> Pool {
    Pool { span: ticks(days * DAY), ..Pool::study(heavy) }
}

fn run(pool: &Pool, policy: Policy) -> Outcome {
    pool.run(policy, 1, 0).unwrap()
}

/// Stations with the recorded habits of `text` and the users given.
fn recorded(text: &str, users: &[User]) -> Pool {
    let recording = Arc::new(Recording::read(Path::new("av"), text.as_bytes()).unwrap());
    let station = |(station, user): (usize, &User)| Station {
        habit: Habit::Recorded { recording: Arc::clone(&recording), station },
        user: user.clone(),
    };
    Pool { stations: users.iter().enumerate().map(station).collect(), ..Pool::study(2) }
}

fn constant(jobs: u32, seconds: f64) -> User {
    User { service: Lengths::Constant(seconds), ..User::permanent(jobs) }
}

/// Pools that between them use everything that there is.
fn varied() -> Vec<Pool> {
    let base = study(5, 60);
    let suspend = OnReturn::Suspend { wait: ticks(300) };
    let mut arriving = base.clone();
    for station in &mut arriving.stations {
        let arrivals = Arrivals { every: Lengths::Exponential(30_000.0), batch: 3 };
        station.user = User { arrivals: Some(arrivals), ..User::permanent(0) };
    }
    let mut watched = base.clone();
    for station in &mut watched.stations {
        let minutes = |count: f64| Lengths::Exponential(60.0 * count);
        let rule = OwnerRule::study(ticks(60));
        station.habit = Habit::Watched(Activity::office(minutes(20.0), minutes(90.0), rule));
    }
    let config = base.config;
    let slow = Costs { checkpoint: 240.0, shadow: 0.01, ..Costs::STUDY };
    let calls = Some(Calls { rate: 0.3, cost: 0.01, time: 1.7 });
    let calling = Costs { calls, ..Costs::STUDY };
    let often = Config { checkpoint: Some(ticks(1800)), ..config };
    let hasty = LocalRule { grace: ticks(60), ..base.local };
    vec![
        Pool { bank: 4, ..base.clone() },
        Pool { bank: 2, config: Config { recall: true, ..config }, ..base.clone() },
        Pool { bank: 3, config: Config { trigger: Trigger::Demand, ..config }, ..base.clone() },
        Pool {
            bank: 3,
            config: Config { trigger: Trigger::IntervalOnly, ..config },
            ..base.clone()
        },
        Pool { config: Config { poll: Some(ticks(120)), ..config }, ..arriving.clone() },
        Pool { costs: slow, config: Config { recall: true, ..config }, ..arriving.clone() },
        Pool { costs: slow, local: hasty, bank: 1, ..base.clone() },
        Pool { local: LocalRule { on_return: suspend, ..base.local }, costs: slow, ..arriving },
        Pool {
            config: Config { checkpoint: Some(ticks(1800)), ..config },
            costs: slow,
            local: hasty,
            bank: 2,
            ..base.clone()
        },
        Pool { costs: calling, local: hasty, bank: 2, config: often, ..base.clone() },
        Pool { costs: calling, local: LocalRule { on_return: suspend, ..base.local }, ..base },
        Pool { bank: 2, ..watched },
    ]
}

#[test]
fn no_job_is_lost_or_done_twice_and_work_done_is_work_asked_for() {
    for (number, pool) in varied().iter().enumerate() {
        for policy in Policy::STUDY {
            let outcome = run(pool, policy);
            let all = outcome.all();
            let alive = all.submitted - all.finished;
            let permanent: u64 =
                pool.stations.iter().map(|one| u64::from(one.user.permanent)).sum();
            assert!(all.finished > 500, "pool {number}, {policy}: {all:?}");
            assert!(if permanent > 0 { alive == permanent } else { alive < 500 }, "{alive} alive");
            let off = all.remote + all.local - (all.demand + all.lost + all.unfinished);
            // Between calls there are parts of seconds, which do not add up to the bit.
            let most = if pool.costs.calls.is_some() { 1e-3 } else { 0.0 };
            assert!(off.abs() <= most, "{number}: {off}");
            assert!(all.turnaround >= all.demand && all.remote_turnaround >= all.remote_demand);
            assert!(outcome.available >= all.remote + all.local, "pool {number}, {policy}");
            assert!(outcome.users.iter().all(|user| user.wait <= outcome.span));
            assert_eq!(all.lost > 0.0, outcome.kills > 0, "pool {number}");
        }
    }
}

#[test]
fn the_varied_pools_met_what_they_are_there_for() {
    let outcomes: Vec<_> = varied().iter().map(|pool| run(pool, Policy::STUDY[0])).collect();
    assert!(outcomes.iter().all(|outcome| outcome.evictions > 500));
    assert!(outcomes[..4].iter().all(|outcome| outcome.preemptions > 100));
    assert!(outcomes[6].kills > 100, "{}", outcomes[6].kills);
    assert!(outcomes[8].all().lost < outcomes[6].all().lost, "periodic checkpoints save work");
}

#[test]
fn the_same_seed_gives_the_same_outcome_and_another_seed_another() {
    let pool = Pool { bank: 3, points: 20, ..study(5, 60) };
    for policy in Policy::STUDY {
        let outcome = run(&pool, policy);
        assert_eq!(outcome, run(&pool, policy));
        assert_ne!(outcome, pool.run(policy, 2, 0).unwrap());
        assert_ne!(outcome, pool.run(policy, 1, 1).unwrap());
    }
}

#[test]
fn all_policies_see_the_same_owners() {
    let pool = Pool { bank: 3, ..study(5, 60) };
    let available = Policy::STUDY.map(|policy| run(&pool, policy).available);
    assert_eq!(available, [available[0]; 3]);
}

/// Owner always there, a bank of one: each job takes a minute to move and two hours to run. The
/// first one has to wait for the first interval, as arrivals do not make the coordinator schedule.
#[test]
fn a_bank_of_one_runs_one_job_after_the_other() {
    let mut pool = recorded("1,0,1\n", &[constant(1, 7200.0), User::permanent(0)]);
    pool.stations.truncate(1);
    let pool = Pool { bank: 1, span: ticks(600 + 9 * 7260 + 60 + 3600), ..pool };
    let user = run(&pool, Policy::RoundRobin).users[0];
    assert_eq!((user.finished, user.finished_remotely, user.placements), (9, 9, 10));
    assert_eq!((user.wait, user.remote, user.local), (600.0, 9.0 * 7200.0 + 3600.0, 0.0));
    assert_eq!(user.support, 10.0 * 2.5);
    assert_eq!(user.turnaround, 600.0 + 9.0 * 7260.0);
}

/// A job of 1500 s whose home is never available. The other station is until 1000 and from 2000
/// on; a move takes 60 s. It runs from 60 to 1000 and from 2060 to 2620.
#[test]
fn an_evicted_job_goes_on_from_its_checkpoint_and_its_home_pays_for_each_move() {
    let text = "1,0,1000\n1,2000,100000\n";
    let pool = recorded(text, &[constant(1, 1500.0), User::permanent(0)]);
    let user = |until| run(&Pool { span: ticks(until), ..pool.clone() }, Policy::STUDY[0]).users[0];
    let done = user(2621);
    assert_eq!((done.finished, done.turnaround, done.remote), (1, 2620.0, 1500.0));
    assert_eq!(done.wait, 1000.0);
    assert_eq!(user(2620).finished, 0);
    // Two placements and a checkpoint of 0.5 MB at 5 s each, before the next job.
    assert_eq!(user(2620).support, 3.0 * 2.5);
    let shadowed = Pool { costs: Costs { shadow: 0.1, ..Costs::STUDY }, ..pool.clone() };
    let shadowed = run(&Pool { span: ticks(2620), ..shadowed }, Policy::STUDY[0]).users[0];
    assert_eq!(shadowed.support, 3.0 * 2.5 + 150.0);
}

/// Each hundred seconds of execution a call, not at the end: 71 in two hours.
#[test]
fn calls_make_a_remote_job_longer_and_cost_its_home_processor_time() {
    let mut pool = recorded("1,0,1\n", &[constant(1, 7200.0), User::permanent(0)]);
    pool.stations.truncate(1);
    let calls = Some(Calls { rate: 0.01, cost: 0.5, time: 2.0 });
    let costs = Costs { calls, ..Costs::STUDY };
    let each = 7260 + 71 * 2;
    let pool = Pool { bank: 1, costs, span: ticks(600 + 9 * each + 60 + 151), ..pool };
    let user = run(&pool, Policy::RoundRobin).users[0];
    assert_eq!((user.finished, user.calls), (9, 9 * 71 + 1));
    assert_eq!((user.remote, user.turnaround), (9.0 * 7200.0 + 149.0, (600 + 9 * each) as f64));
    assert_eq!(user.support, 10.0 * 2.5 + 640.0 * 0.5);
    assert_eq!(user.leverage(), user.remote / user.support);
    let at_home = Pool { bank: 0, ..recorded("0,0,9000\n", &[constant(1, 7200.0)]) };
    let at_home = run(&Pool { costs, span: ticks(8000), ..at_home }, Policy::RoundRobin).users[0];
    assert_eq!((at_home.finished, at_home.calls, at_home.support), (1, 0, 0.0));
}

/// As above, but a call goes out when the owner comes back, at 1000, after 800 s of execution; its
/// answer takes 20 s.
#[test]
fn a_checkpoint_waits_for_the_answer_to_a_call_and_the_owner_only_for_the_grace() {
    let pool = recorded("1,0,1000\n1,2000,100000\n", &[constant(1, 1500.0), User::permanent(0)]);
    let costs = Costs { calls: Some(Calls { rate: 0.01, cost: 0.0, time: 20.0 }), ..Costs::STUDY };
    let graced = |grace| {
        let local = LocalRule { grace: ticks(grace), ..pool.local };
        run(&Pool { costs, local, span: ticks(4000), ..pool.clone() }, Policy::STUDY[0])
    };
    let (saved, killed) = (graced(20), graced(19));
    assert_eq!((saved.kills, saved.users[0].lost), (0, 0.0));
    assert_eq!(saved.users[0].turnaround, 2060.0 + 700.0 + 6.0 * 20.0, "calls at 900 to 1400");
    assert_eq!((killed.kills, killed.users[0].lost), (1, 800.0));
    assert_eq!(killed.users[0].turnaround, 2060.0 + 1500.0 + 14.0 * 20.0);
}

#[test]
fn a_suspended_job_goes_on_when_its_call_is_answered() {
    let pool = recorded("1,0,1000\n1,1010,100000\n", &[constant(1, 1500.0), User::permanent(0)]);
    let local = LocalRule { on_return: OnReturn::Suspend { wait: ticks(300) }, ..pool.local };
    let costs = Costs { calls: Some(Calls { rate: 0.01, cost: 0.0, time: 20.0 }), ..Costs::STUDY };
    let user = run(&Pool { local, costs, span: ticks(2000), ..pool }, Policy::STUDY[0]).users[0];
    assert_eq!((user.finished, user.turnaround), (1, 60.0 + 1500.0 + 14.0 * 20.0));
}

#[test]
fn a_job_without_time_for_its_checkpoint_starts_again() {
    let pool = recorded("1,0,1000\n1,2000,100000\n", &[constant(1, 1500.0), User::permanent(0)]);
    let costs = Costs { checkpoint: 100.0, ..Costs::STUDY };
    let local = LocalRule { grace: ticks(49), ..pool.local };
    let killed = run(&Pool { costs, local, span: ticks(4000), ..pool.clone() }, Policy::STUDY[0]);
    assert_eq!((killed.kills, killed.users[0].lost), (1, 940.0));
    assert_eq!(killed.users[0].turnaround, 2060.0 + 1500.0);
    let enough = LocalRule { grace: ticks(50), ..pool.local };
    let saved = run(&Pool { costs, local: enough, span: ticks(4000), ..pool }, Policy::STUDY[0]);
    assert_eq!((saved.kills, saved.users[0].turnaround), (0, 2620.0));
}

#[test]
fn a_suspended_job_goes_on_where_it_is_when_the_owner_leaves_soon() {
    let pool = recorded("1,0,1000\n1,1200,100000\n", &[constant(1, 1500.0), User::permanent(0)]);
    let wait =
        |wait| LocalRule { on_return: OnReturn::Suspend { wait: ticks(wait) }, ..pool.local };
    let patient = Pool { local: wait(300), span: ticks(1761), ..pool.clone() };
    let user = run(&patient, Policy::STUDY[0]).users[0];
    assert_eq!((user.finished, user.turnaround, user.placements), (1, 60.0 + 1500.0 + 200.0, 2));
    let impatient = Pool { local: wait(100), span: ticks(1761), ..pool.clone() };
    let user = run(&impatient, Policy::STUDY[0]).users[0];
    assert_eq!((user.finished, user.placements), (0, 2), "it had to move, for another minute");
}

#[test]
fn with_recall_jobs_come_home() {
    // Home is available from 500 on.
    let pool = recorded("0,500,100000\n1,0,100000\n", &[constant(1, 1500.0), User::permanent(0)]);
    let pool = Pool { span: ticks(1600), ..pool };
    let stays = run(&pool, Policy::STUDY[0]).users[0];
    assert_eq!((stays.remote, stays.local), (1500.0, 40.0));
    let config = Config { recall: true, ..pool.config };
    let comes = run(&Pool { config, ..pool }, Policy::STUDY[0]).users[0];
    assert_eq!((comes.remote, comes.local), (440.0, 1100.0));
}

/// Poisson arrivals of exponential jobs to a bank of 3: the queue that Erlang's C formula gives.
#[test]
fn a_bank_is_the_queue_that_erlang_computed() {
    let (servers, service, every) = (3.0, 2100.0, 1000.0);
    let arrivals = Arrivals { every: Lengths::Exponential(every), batch: 1 };
    let service_times = Lengths::Exponential(service);
    let user = User { arrivals: Some(arrivals), service: service_times, ..User::permanent(0) };
    let pool = recorded("1,0,1\n", &[user, User::permanent(0)]);
    let config = Config { trigger: Trigger::Demand, transfer: Duration::ZERO, ..pool.config };
    let load: f64 = service / every;
    let terms = [1.0, load, load * load / 2.0];
    let waiting = load.powi(3) / 6.0 * servers / (servers - load);
    let erlang = waiting / (terms.iter().sum::<f64>() + waiting) * load / (servers - load);
    for policy in Policy::STUDY {
        let mut pool = Pool { bank: 3, config, span: ticks(3 * 365 * DAY), ..pool.clone() };
        pool.stations.truncate(1);
        let queue = run(&pool, policy).mean_queue;
        assert!((queue / erlang - 1.0).abs() < 0.06, "{policy}: {queue} is not {erlang}");
    }
}

#[test]
fn curves_have_the_means_of_the_whole() {
    let pool = Pool { bank: 2, points: 48, ..study(8, 30) };
    let outcome = run(&pool, Policy::STUDY[0]);
    let mean = |value: fn(&locox_models::workstation::Point) -> f64| {
        outcome.points.iter().map(value).sum::<f64>() / outcome.points.len() as f64
    };
    assert_eq!(outcome.points.len(), 48);
    assert!((mean(|point| point.available) - outcome.available / outcome.span).abs() < 1e-6);
    assert!((mean(|point| point.waiting.iter().sum()) - outcome.mean_queue).abs() < 1e-6);
    assert!(outcome.points.iter().all(|point| point.used <= point.available + 1e-9));
}

#[test]
fn every_set_of_functions_moves_by_the_step_at_zero() {
    use locox::fair::{IndexFunctions, ScheduleIndex};
    let step = Amount::from_int(10);
    for functions in Functions::ALL {
        let movement = functions.with_step(step);
        let at_zero = ScheduleIndex::ZERO;
        assert_eq!((movement.f(at_zero), movement.g(at_zero)), (step, step), "{functions}");
        assert_eq!((movement.h(at_zero), movement.l(at_zero)), (step, step), "{functions}");
    }
}

#[test]
fn bad_parameters_are_refused_by_name() {
    let refused = |spoil: &dyn Fn(&mut Pool), parts: &[&str]| {
        let mut pool = study(2, 1);
        spoil(&mut pool);
        let error = pool.run(Policy::Random, 1, 0).unwrap_err();
        for part in parts {
            assert!(error.to_string().contains(part), "{error} lacks {part}");
        }
    };
    refused(&|pool| pool.stations.clear(), &["stations", "at least one"]);
    refused(&|pool| pool.span = Duration::ZERO, &["span must be above 0"]);
    refused(&|pool| pool.costs.checkpoint = -1.0, &["checkpoint must not be negative"]);
    refused(&|pool| pool.costs.handling = f64::NAN, &["handling must not be negative"]);
    refused(&|pool| pool.costs.shadow = -0.1, &["shadow must not be negative"]);
    let calling = |rate, cost, time| Some(Calls { rate, cost, time });
    refused(&|pool| pool.costs.calls = calling(0.0, 0.0, 0.0), &["calls must be above 0"]);
    refused(&|pool| pool.costs.calls = calling(2e6, 0.0, 0.0), &["a million a second"]);
    refused(&|pool| pool.costs.calls = calling(1.0, -1.0, 0.0), &["call cost must not be"]);
    refused(&|pool| pool.costs.calls = calling(1.0, 0.0, f64::NAN), &["call time must not be"]);
    refused(&|pool| pool.stations[3].user.memory = -0.1, &["memory must not be negative"]);
    refused(&|pool| pool.stations[3].user.permanent = 5000, &["permanent", "5014", "4096"]);
    refused(&|pool| pool.config.interval = Duration::ZERO, &["interval must not be zero"]);
    refused(&|pool| pool.config.poll = Some(Duration::ZERO), &["poll must not be zero"]);
    let service = |pool: &mut Pool| pool.stations[0].user.service = Lengths::Constant(0.0);
    refused(&service, &["service must be above 0"]);
    let batch = |pool: &mut Pool| {
        let every = Lengths::Exponential(1.0);
        pool.stations[0].user.arrivals = Some(Arrivals { every, batch: 0 });
    };
    refused(&batch, &["batch must be above 0"]);
    let recording = Recording::read(Path::new("av"), "0,0,1\n".as_bytes()).unwrap();
    let habit = Habit::Recorded { recording: Arc::new(recording), station: 1 };
    let unrecorded = |pool: &mut Pool| pool.stations[0].habit = habit.clone();
    refused(&unrecorded, &["recording", "no station 1", "only 1"]);
    let mut pool = study(2, 1);
    pool.config.interval = Duration::ZERO;
    let zero = BadPool::Config(Misuse::Zero { parameter: "interval" });
    assert_eq!(pool.run(Policy::RoundRobin, 1, 0), Err(zero));
}
