//! What a coordinator and its hosts promise over a network that loses, doubles and delays, and what they do not.

use locox::cluster::{
    Arrays, Batch, Cluster, Command, Config, Effect, HostCommand, HostConfig, HostEffect, HostPart,
    JobId, Refusal, Status, Terms, words,
};
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{FirstLevel, HostId, Load, Speed, UserId};

const HOSTS: usize = 2;
const LEVELS: u8 = 2;
const NOW: Instant = Instant::ZERO;

type Rows = Arrays<{ HOSTS * LEVELS as usize }, HOSTS, 4, { words(HOSTS, LEVELS) }>;
type Elmer<'a> = Cluster<'a, FirstLevel>;

fn coordinator(rows: &mut Rows) -> Elmer<'_> {
    let config = Config::new(PoolId(5));
    Cluster::new(config, FirstLevel::new(LEVELS), LEVELS, rows.columns(), NOW).unwrap()
}

fn part() -> HostPart {
    let config = HostConfig { report: Duration::from_ticks(1), boot: 1, pool: PoolId(9) };
    HostPart::new(config, NOW).unwrap()
}

fn say(elmer: &mut Elmer<'_>, command: Command) -> Option<JobId> {
    let answer = elmer.apply(NOW, command).unwrap();
    elmer.check_invariants().unwrap();
    answer
}

fn report(host: u32, boot: u32, number: u32) -> Command {
    let (host, load, speed) = (HostId(host), Load::IDLE, Speed::NOMINAL);
    Command::HostReport { host, load, speed, heard: Batch { boot, number } }
}

fn submit(elmer: &mut Elmer<'_>, hosts: u32) -> JobId {
    let (user, terms) = (UserId(1), Terms::default());
    say(elmer, Command::Submit { user, hosts, synchronising: false, terms }).unwrap()
}

/// What each host is told.
fn told(elmer: &mut Elmer<'_>) -> [Vec<HostCommand>; HOSTS] {
    let mut all = [const { vec![] }; HOSTS];
    while let Some(effect) = elmer.take_effect() {
        let (host, command) = match effect {
            Effect::Assign { host, batch, number, assignment } => {
                (host, HostCommand::Assign { batch, number, assignment })
            }
            Effect::AssignmentsEnd { host, batch, jobs } => {
                (host, HostCommand::AssignmentsEnd { batch, jobs })
            }
        };
        all[host.0 as usize].push(command);
    }
    all
}

/// What a host does that hears this; [`HostEffect::Report`] left out.
fn hears(part: &mut HostPart, commands: &[HostCommand]) -> Vec<HostEffect> {
    commands.iter().for_each(|it| _ = part.apply(NOW, *it));
    let effects = std::iter::from_fn(|| part.take_effect());
    effects.filter(|it| !matches!(it, HostEffect::Report { .. })).collect()
}

fn starts(effects: &[HostEffect]) -> bool {
    effects.iter().any(|it| matches!(it, HostEffect::Start { .. }))
}

/// Hosts that have heard that they have nothing, in batch 1.1.
fn with_hosts(rows: &mut Rows) -> Elmer<'_> {
    let mut elmer = coordinator(rows);
    (0..HOSTS as u32).for_each(|host| _ = say(&mut elmer, report(host, 1, 0)));
    told(&mut elmer);
    (0..HOSTS as u32).for_each(|host| _ = say(&mut elmer, report(host, 1, 1)));
    elmer
}

fn unheard(elmer: &Elmer<'_>, job: JobId) -> Option<u32> {
    match elmer.status(job).unwrap() {
        Status::Running { unheard, .. } | Status::Ending { unheard } => Some(unheard),
        Status::Waiting { .. } => None,
    }
}

#[test]
fn hosts_that_have_not_heard_of_a_job_are_counted_while_it_runs_and_while_it_ends() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    let job = submit(&mut elmer, 2);
    let first = HostId(0);
    let running = |unheard| Ok(Status::Running { first, unheard });
    assert_eq!(elmer.status(job), running(2));
    told(&mut elmer);
    for (command, expected) in [
        (report(0, 1, 1), 2), // late, or it has heard nothing
        (report(0, 1, 2), 1),
        (report(0, 1, 1), 1), // late
        (report(1, 1, 2), 0),
    ] {
        say(&mut elmer, command);
        assert_eq!(elmer.status(job), running(expected));
    }
    say(&mut elmer, Command::Kill { job });
    told(&mut elmer);
    for (command, expected) in [(report(1, 1, 3), 1), (report(0, 1, 2), 1), (report(0, 1, 3), 0)] {
        say(&mut elmer, command);
        assert_eq!(elmer.status(job), Ok(Status::Ending { unheard: expected }));
    }
}

/// The kill is heard with any batch from the one on that says it.
#[test]
fn a_kill_is_heard_although_other_jobs_change_with_each_report() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    let job = submit(&mut elmer, 1);
    told(&mut elmer);
    say(&mut elmer, Command::Kill { job });
    for round in 0..3 {
        let heard = elmer.batch(HostId(0)).number;
        told(&mut elmer);
        let other = submit(&mut elmer, 2);
        say(&mut elmer, report(0, 1, heard));
        assert_eq!(unheard(&elmer, job), Some(0), "{round}");
        assert_eq!(unheard(&elmer, other), Some(2));
        say(&mut elmer, Command::Ended { job: other });
    }
}

#[test]
fn a_list_that_does_not_change_keeps_its_batch() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    let job = submit(&mut elmer, 2);
    say(&mut elmer, Command::Kill { job });
    told(&mut elmer);
    let batch = elmer.batch(HostId(0));
    for command in [Command::Kill { job }, Command::HostLost { host: HostId(1) }] {
        say(&mut elmer, command);
        assert_eq!((elmer.batch(HostId(0)), told(&mut elmer)), (batch, [vec![], vec![]]));
    }
}

/// Nothing tells a host that it passes for lost: until it has heard a newer batch an older one still counts. Whoever says that
/// a host is lost ends what it runs.
#[test]
fn a_host_that_is_lost_and_alive_may_start_what_it_was_told_before_and_gets_nothing_until_it_has_heard_more()
 {
    let mut rows = Rows::EMPTY;
    let (mut elmer, mut host) = (with_hosts(&mut rows), part());
    let job = submit(&mut elmer, 1);
    let [late, _] = told(&mut elmer);
    say(&mut elmer, Command::HostLost { host: HostId(0) });
    assert_eq!(elmer.status(job), Ok(Status::Ending { unheard: 0 }), "of the hosts that are there");
    say(&mut elmer, Command::Ended { job });
    // Its end was accepted, and the host does not know.
    assert!(starts(&hears(&mut host, &late)));
    let next = submit(&mut elmer, 2);
    say(&mut elmer, report(0, 1, host.heard().number));
    assert_eq!(elmer.status(next), Ok(Status::Waiting { ahead: 0 }), "it is not there yet");
    let [newest, _] = told(&mut elmer);
    assert_eq!(hears(&mut host, &newest)[0], HostEffect::Kill { job });
    // From now on it starts nothing of before, and the next report brings it back.
    assert_eq!(hears(&mut host, &late), []);
    say(&mut elmer, report(0, 1, host.heard().number));
    assert!(matches!(elmer.status(next), Ok(Status::Running { .. })));
    assert_ne!(next, job);
}

#[test]
fn a_late_report_does_not_bring_a_lost_host_back_and_one_of_another_start_does() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    say(&mut elmer, Command::HostLost { host: HostId(0) });
    for number in [0, 1] {
        say(&mut elmer, report(0, 1, number));
        assert_eq!(elmer.table().there(), 1);
    }
    say(&mut elmer, report(0, 2, 0));
    assert_eq!(elmer.table().there(), 2);
    // Among hosts that are there a late one counts: it may be an old reading, and the host is told once more.
    let job = submit(&mut elmer, 2);
    told(&mut elmer);
    let newest = elmer.batch(HostId(0));
    say(&mut elmer, report(0, 2, newest.number));
    say(&mut elmer, report(0, 2, newest.number - 1));
    assert_eq!(unheard(&elmer, job), Some(1));
    assert_eq!(told(&mut elmer)[0].len(), 2);
}

/// A job whose end is reported while a host has not heard of it may start there.
#[test]
fn the_end_of_a_job_of_which_a_host_has_not_heard_is_taken_and_it_may_start_there() {
    let mut rows = Rows::EMPTY;
    let (mut elmer, mut second) = (with_hosts(&mut rows), part());
    let job = submit(&mut elmer, 2);
    let [_, late] = told(&mut elmer);
    say(&mut elmer, report(0, 1, 2));
    assert_eq!(unheard(&elmer, job), Some(1), "too early to report the end");
    say(&mut elmer, Command::Ended { job });
    assert!(starts(&hears(&mut second, &late)));
    // It is killed with the next batch.
    let [_, newest] = told(&mut elmer);
    assert_eq!(hears(&mut second, &newest)[0], HostEffect::Kill { job });
}

/// Of a host up to 65,535 batches, and of a row up to 32,767 jobs: those that an image does not know of are told from what
/// comes after it.
#[test]
fn a_coordinator_goes_on_beyond_what_an_older_image_does_not_know_of() {
    for before in [0, 1, 65_534, 65_535, 65_536, 131_071] {
        let (mut rows, mut others) = (Rows::EMPTY, Rows::EMPTY);
        let (mut elmer, mut other) = (coordinator(&mut rows), coordinator(&mut others));
        say(&mut elmer, report(0, 1, before));
        let mut image = vec![];
        elmer.export(|word| image.push(word));
        // The second host reports for the first time.
        say(&mut elmer, report(1, 1, 0));
        let (mut names, mut newest) = (vec![], [Batch::default(); HOSTS]);
        for _ in 0..10 {
            let job = submit(&mut elmer, 2);
            told(&mut elmer);
            names.push(job);
            newest = [0, 1].map(|host| elmer.batch(HostId(host)));
            say(&mut elmer, Command::Ended { job });
        }
        other.restore(image).unwrap();
        say(&mut other, report(1, 1, 0));
        assert!([0, 1].into_iter().all(|host| other.batch(HostId(host)) > newest[host as usize]));
        for _ in 0..10 {
            let job = submit(&mut other, 1);
            assert!(!names.contains(&job), "{job} once more");
            say(&mut other, Command::Ended { job });
        }
    }
}

#[test]
fn a_host_whose_batches_are_used_up_starts_again() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    let over = |next| Err(Refusal::BootOver { next }.into());
    assert_eq!(elmer.apply(NOW, report(0, 1, u32::MAX)), over(2));
    assert_eq!(elmer.apply(NOW, report(0, 3, u32::MAX)), over(4));
    say(&mut elmer, report(0, 1, u32::MAX - 1));
    assert_eq!(told(&mut elmer), [vec![], vec![]], "the last one is told to nobody");
    submit(&mut elmer, 2);
    assert_eq!(told(&mut elmer)[0], []);
    assert_eq!(elmer.apply(NOW, report(0, 1, 5)), over(2));
    say(&mut elmer, report(0, 2, 0));
    assert_eq!(told(&mut elmer)[0].len(), 1);
    assert_eq!(elmer.batch(HostId(0)), Batch { boot: 2, number: 1 });
}
