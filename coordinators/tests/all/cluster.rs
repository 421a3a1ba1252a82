//! The coordinator of a cluster and its part on each host, by what their users see.

use locox::error::Error;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{
    FirstLevel, HostId, Level, Load, NonInterfering, Placement, Speed, Threshold, UserId,
};
use locox_coordinators::cluster::{
    Arrays, Assignment, Batch, Command, Config, Coordinator, Effect, HostCommand, HostConfig,
    HostEffect, HostPart, JobId, Misuse, Refusal, Retry, Status, Terms, words,
};

const HOSTS: u32 = 6;
type Rows = Arrays<12, 6, 8, { words(6, 2) }>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn non_interfering() -> NonInterfering {
    let threshold = Threshold::from_thousandths(800).unwrap();
    let forever = Duration::MAX;
    NonInterfering { degree: 2, threshold, believed: forever, settled: Duration::ZERO }
}

fn config() -> Config {
    Config::new(PoolId(4))
}

fn submit(user: u32, hosts: u32) -> Command {
    let terms = Terms::default();
    Command::Submit { user: UserId(user), hosts, synchronising: false, terms }
}

fn report(host: u32, load: u16) -> Command {
    let load = Load::from_thousandths(load);
    // Nobody has heard anything: all are told once more.
    let heard = Batch::default();
    Command::HostReport { host: HostId(host), load, speed: Speed::NOMINAL, heard }
}

fn started<'a, P: Placement<Draw = ()>>(
    rows: &'a mut Rows,
    config: Config,
    placement: P,
) -> Coordinator<'a, P> {
    let mut cluster = Coordinator::new(config, 2, rows.columns(), placement, at(0)).unwrap();
    for host in 0..HOSTS {
        cluster.apply(at(0), report(host, 0)).unwrap();
    }
    drain(&mut cluster);
    cluster
}

fn drain<P: Placement>(cluster: &mut Coordinator<'_, P>) -> Vec<Effect> {
    std::iter::from_fn(|| cluster.take_effect()).collect()
}

fn run<P: Placement<Draw = ()>>(cluster: &mut Coordinator<'_, P>, command: Command) -> JobId {
    let answer = cluster.apply(cluster.now(), command).unwrap();
    cluster.check_invariants().unwrap();
    answer.unwrap()
}

#[test]
fn the_head_of_the_queue_starts_or_nobody() {
    let mut rows = Rows::EMPTY;
    let mut cluster = started(&mut rows, config(), FirstLevel::new(1));
    let first = run(&mut cluster, submit(1, 4));
    let second = run(&mut cluster, submit(1, 4));
    let third = run(&mut cluster, submit(2, 2));
    assert_eq!(cluster.status(first), Ok(Status::Running { first: HostId(0), unheard: 4 }));
    assert_eq!(cluster.status(second), Ok(Status::Waiting { ahead: 0 }));
    assert_eq!(cluster.status(third), Ok(Status::Waiting { ahead: 1 }), "two hosts are idle");
    assert_eq!(cluster.queue().map(|(job, _)| job).collect::<Vec<_>>(), [second, third]);
    cluster.apply(at(1), Command::Ended { job: first }).unwrap();
    assert_eq!(cluster.running().count(), 2);
    assert_eq!(cluster.queue().count(), 0);
}

#[test]
fn one_retry_at_an_end_leaves_a_job_beside_idle_hosts() {
    let waiting = |retry| {
        let mut rows = Rows::EMPTY;
        let mut cluster = started(&mut rows, Config { retry, ..config() }, FirstLevel::new(1));
        let first = run(&mut cluster, submit(1, 6));
        run(&mut cluster, submit(1, 2));
        run(&mut cluster, submit(2, 2));
        cluster.apply(at(1), Command::Ended { job: first }).unwrap();
        cluster.queue().count()
    };
    assert_eq!(waiting(Retry::OneAtEnds), 1);
    assert_eq!(waiting(Retry::AllAtEnds), 0);
    assert_eq!(waiting(Retry::Always), 0);
}

#[test]
fn a_reading_that_lags_leaves_the_head_waiting_for_ever_unless_reports_try_it() {
    let threshold = Threshold::from_thousandths(500).unwrap();
    let placement = FirstLevel::new(1).on_calm_hosts(threshold, Duration::MAX);
    let waiting = |retry| {
        let mut rows = Rows::EMPTY;
        let mut cluster = started(&mut rows, Config { retry, ..config() }, placement);
        let first = run(&mut cluster, submit(1, 6));
        for host in 0..HOSTS {
            cluster.apply(at(1), report(host, 990)).unwrap();
        }
        run(&mut cluster, submit(2, 2));
        cluster.apply(at(2), Command::Ended { job: first }).unwrap();
        for host in 0..HOSTS {
            cluster.apply(at(3), report(host, 0)).unwrap();
        }
        cluster.queue().count()
    };
    assert_eq!(waiting(Retry::AllAtEnds), 1, "all hosts are idle and nobody tries it");
    assert_eq!(waiting(Retry::Always), 0);
}

#[test]
fn what_makes_no_sense_is_an_error_with_its_reason_and_changes_nothing() {
    let mut rows = Rows::EMPTY;
    let mut cluster = started(&mut rows, config(), FirstLevel::new(1));
    let runs = run(&mut cluster, submit(1, 6));
    let waits = run(&mut cluster, submit(1, 1));
    let gone = run(&mut cluster, submit(1, 1));
    cluster.apply(at(0), Command::Cancel { job: gone }).unwrap();
    drain(&mut cluster);
    let image = |cluster: &Coordinator<'_, FirstLevel>| {
        let mut words = vec![];
        cluster.export(|word| words.push(word));
        words
    };
    let before = image(&cluster);
    let stale = Misuse::Job(locox::handle::Misuse::Stale);
    let cases: [(Command, Error<Refusal, Misuse>); 9] = [
        (Command::Kill { job: waits }, Misuse::Waits.into()),
        (Command::Ended { job: waits }, Misuse::Waits.into()),
        (Command::Cancel { job: runs }, Misuse::Runs.into()),
        (Command::Kill { job: gone }, stale.into()),
        (Command::Cancel { job: gone }, stale.into()),
        (submit(1, 7), Refusal::TooLarge { hosts: 6 }.into()),
        (submit(1, 0), Misuse::NoHosts.into()),
        (report(6, 0), Misuse::NoSuchHost(HostId(6)).into()),
        (Command::HostLost { host: HostId(9) }, Misuse::NoSuchHost(HostId(9)).into()),
    ];
    for (command, error) in cases {
        assert_eq!(cluster.apply(at(5), command), Err(error), "{command:?}");
        assert_eq!(image(&cluster), before, "{command:?}");
    }
}

#[test]
fn a_killed_job_keeps_its_hosts_until_its_end_is_reported() {
    let mut rows = Rows::EMPTY;
    let mut cluster = started(&mut rows, config(), FirstLevel::new(1));
    let job = run(&mut cluster, submit(1, 6));
    let next = run(&mut cluster, submit(1, 6));
    drain(&mut cluster);
    cluster.apply(at(1), Command::Kill { job }).unwrap();
    let terminating = |it: &Effect| {
        matches!(it, Effect::Assign { assignment: Assignment { terminating: true, .. }, .. })
    };
    assert_eq!(drain(&mut cluster).iter().filter(|it| terminating(it)).count(), 6);
    assert_eq!(cluster.status(job), Ok(Status::Ending { unheard: 6 }));
    assert_eq!(cluster.status(next), Ok(Status::Waiting { ahead: 0 }));
    cluster.apply(at(2), Command::Ended { job }).unwrap();
    assert!(matches!(cluster.status(next), Ok(Status::Running { .. })));
}

#[test]
fn a_lost_host_ends_its_jobs_everywhere_and_comes_back_empty() {
    let mut rows = Rows::EMPTY;
    let silence = Some(Duration::from_ticks(10));
    let mut cluster = started(&mut rows, Config { silence, ..config() }, non_interfering());
    let job = run(&mut cluster, submit(1, 3));
    drain(&mut cluster);
    for host in 1..HOSTS {
        let heard = cluster.batch(HostId(host));
        let (host, load, speed) = (HostId(host), Load::IDLE, Speed::NOMINAL);
        cluster.apply(at(9), Command::HostReport { host, load, speed, heard }).unwrap();
    }
    assert_eq!(cluster.wake_at(), Some(at(10)));
    cluster.apply(at(10), Command::Tick).unwrap();
    cluster.check_invariants().unwrap();
    assert_eq!(cluster.table().there(), 5);
    assert_eq!(cluster.status(job), Ok(Status::Ending { unheard: 2 }));
    assert_eq!(drain(&mut cluster).len(), 4, "two other hosts are told of one job each");
    cluster.apply(at(11), Command::Ended { job }).unwrap();
    cluster.apply(at(12), report(0, 0)).unwrap();
    cluster.check_invariants().unwrap();
    assert_eq!(cluster.table().column(HostId(0)).count(), 0);
}

#[test]
fn hosts_do_what_they_are_told_in_the_order_that_hurts_least() {
    let job = |user, hosts| submit(user, hosts);
    let mut rows = Rows::EMPTY;
    let mut cluster = started(&mut rows, config(), non_interfering());
    let config = HostConfig { report: Duration::from_ticks(5), boot: 0, pool: PoolId(1) };
    let mut host = HostPart::new(config, at(0)).unwrap();
    let mut said = |cluster: &mut Coordinator<'_, NonInterfering>| {
        let mut effects = vec![];
        for effect in drain(cluster) {
            let command = match effect {
                Effect::Assign { host: HostId(0), batch, number, assignment } => {
                    HostCommand::Assign { batch, number, assignment }
                }
                Effect::AssignmentsEnd { host: HostId(0), batch, jobs } => {
                    HostCommand::AssignmentsEnd { batch, jobs }
                }
                _ => continue,
            };
            host.apply(at(0), command).unwrap();
            host.check_invariants().unwrap();
        }
        effects.extend(std::iter::from_fn(|| host.take_effect()));
        effects.retain(|effect| !matches!(effect, HostEffect::Report { .. }));
        effects
    };
    let (top, low) = (Level::TOP, Level::new(1).unwrap());
    let (ann, bob) = (UserId(1), UserId(2));
    let a = run(&mut cluster, job(1, 6));
    assert_eq!(
        said(&mut cluster),
        [
            HostEffect::RaiseHelper { user: ann, level: top },
            HostEffect::Start { job: a, user: ann, level: top, first: true },
        ]
    );
    let b = run(&mut cluster, job(2, 6));
    assert_eq!(
        said(&mut cluster),
        [
            HostEffect::RaiseHelper { user: bob, level: low },
            HostEffect::Start { job: b, user: bob, level: low, first: true },
        ]
    );
    cluster.apply(at(0), Command::Ended { job: a }).unwrap();
    assert_eq!(
        said(&mut cluster),
        [
            HostEffect::Kill { job: a },
            HostEffect::RaiseHelper { user: bob, level: top },
            HostEffect::SetPriority { job: b, level: top },
            HostEffect::RestoreHelper { user: ann },
        ]
    );
    // The helper is the user's: a second job of his does not move it, and the end of one only
    // puts it back if it was his last.
    for number in 0..HOSTS {
        cluster.apply(at(0), report(number, 0)).unwrap();
    }
    let c = run(&mut cluster, job(2, 6));
    assert_eq!(
        said(&mut cluster),
        [HostEffect::Start { job: c, user: bob, level: low, first: true }]
    );
    cluster.apply(at(0), Command::Ended { job: c }).unwrap();
    assert_eq!(said(&mut cluster), [HostEffect::Kill { job: c }]);
}

#[test]
fn an_image_leads_to_the_same_state_and_a_damaged_one_is_found() {
    let mut rows = Rows::EMPTY;
    let mut cluster = started(&mut rows, config(), non_interfering());
    for (user, hosts) in [(1, 4), (2, 3), (1, 6), (3, 1)] {
        run(&mut cluster, submit(user, hosts));
    }
    let mut words = vec![];
    cluster.export(|word| words.push(word));
    let mut other_rows = Rows::EMPTY;
    let mut other =
        Coordinator::new(config(), 2, other_rows.columns(), non_interfering(), at(0)).unwrap();
    for turned in 0..words.len() {
        let mut bad = words.clone();
        bad[turned] ^= 1;
        assert!(other.load(bad).is_err(), "word {turned}");
        other.check_invariants().unwrap();
    }
    other.load(words.iter().copied()).unwrap();
    let mut again = vec![];
    other.export(|word| again.push(word));
    assert_eq!(again, words);
    assert_eq!(drain(&mut other), drain(&mut cluster));
}
