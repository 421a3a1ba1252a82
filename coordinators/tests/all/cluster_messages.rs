//! What a coordinator and its hosts promise over a network that loses, doubles and delays, and what they do not.

use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox::timeshare::{FirstLevel, HostId, Level, Load, Speed, UserId};
use locox_coordinators::cluster::{
    Arrays, Batch, Command, Config, Coordinator, Effect, HostCommand, HostConfig, HostEffect,
    HostPart, JobId, Refusal, Status, Terms, words,
};

const HOSTS: usize = 2;
const LEVELS: u8 = 2;
const NOW: Instant = Instant::ZERO;

type Rows = Arrays<{ HOSTS * LEVELS as usize }, HOSTS, 4, { words(HOSTS, LEVELS) }>;
type Elmer<'a> = Coordinator<'a, FirstLevel>;

fn coordinator(rows: &mut Rows) -> Elmer<'_> {
    let config = Config::new(PoolId(5));
    Coordinator::new(config, LEVELS, rows.columns(), FirstLevel::new(LEVELS), NOW).unwrap()
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

/// The image does not know that a job that waits in it was sent to the first host.
#[test]
fn after_an_older_image_a_job_that_waited_in_it_may_start_late_until_its_host_has_heard_more() {
    for ends in [true, false] {
        let (mut rows, mut others) = (Rows::EMPTY, Rows::EMPTY);
        let (mut elmer, mut other) = (coordinator(&mut rows), coordinator(&mut others));
        let mut first = part();
        let job = submit(&mut elmer, 1);
        let mut image = vec![];
        elmer.export(|word| image.push(word));
        say(&mut elmer, report(0, 1, 0));
        let [late, _] = told(&mut elmer);
        other.restore(image).unwrap();
        if ends {
            say(&mut other, report(1, 1, 0));
            told(&mut other);
            let newest = other.batch(HostId(1));
            say(&mut other, report(1, 1, newest.number));
            assert_eq!(unheard(&other, job), Some(0));
            say(&mut other, Command::Ended { job });
        } else {
            say(&mut other, Command::Cancel { job });
        }
        assert!(starts(&hears(&mut first, &late)));
        say(&mut other, report(0, 1, first.heard().number));
        let [newest, _] = told(&mut other);
        assert_eq!(hears(&mut first, &newest)[0], HostEffect::Kill { job });
        assert_eq!(first.heard(), other.batch(HostId(0)));
        assert_eq!(hears(&mut first, &late), []);
    }
}

#[test]
fn a_host_gets_a_new_batch_when_it_is_lost_when_it_returns_and_after_a_resync() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    say(&mut elmer, Command::HostLost { host: HostId(0) });
    assert_eq!(elmer.batch(HostId(0)).number, 2);
    say(&mut elmer, report(0, 1, 2));
    assert_eq!(elmer.batch(HostId(0)).number, 3);
    elmer.resync();
    assert_eq!(elmer.batch(HostId(0)).number, 0x2_0001);
}

#[test]
fn batches_last_for_so_many_restores_and_until_then_a_restart_of_the_host_helps() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    let can_be_told = |elmer: &mut Elmer<'_>, host: usize, boot| {
        say(elmer, report(host as u32, boot, 0));
        !told(elmer)[host].is_empty()
    };
    (0..32_767).for_each(|_| elmer.resync());
    assert!(can_be_told(&mut elmer, 0, 1));
    elmer.resync();
    assert_eq!(told(&mut elmer), [vec![], vec![]]);
    let over = Err(Refusal::BootOver { next: 2 }.into());
    assert_eq!(elmer.apply(NOW, report(0, 1, 0)), over);
    assert!(can_be_told(&mut elmer, 0, 2));
    (32_768..65_535).for_each(|_| elmer.resync());
    assert!(can_be_told(&mut elmer, 0, 3));
    elmer.resync();
    assert!(!can_be_told(&mut elmer, 0, 4));
    assert_eq!(elmer.table().there(), 2);
}

#[test]
fn a_host_without_batches_gets_jobs_that_it_is_not_told_of_until_it_is_lost_or_starts_again() {
    let mut rows = Rows::EMPTY;
    let mut elmer = with_hosts(&mut rows);
    say(&mut elmer, report(0, 2, u32::MAX - 1));
    let job = submit(&mut elmer, 1);
    assert_eq!(elmer.status(job), Ok(Status::Running { first: HostId(0), unheard: 1 }));
    assert_eq!(told(&mut elmer)[0], []);
    say(&mut elmer, Command::HostLost { host: HostId(0) });
    assert_eq!(elmer.table().there(), 1);
    say(&mut elmer, report(0, 3, 0));
    assert_eq!(told(&mut elmer)[0].len(), 1);
}

#[test]
fn a_coordinator_that_was_down_loses_silent_hosts_unless_its_clock_goes_on_from_the_image() {
    let at = Instant::from_ticks;
    let config = Config { silence: Some(Duration::from_ticks(10)), ..Config::new(PoolId(5)) };
    for (now, there) in [(100, 1), (0, 2)] {
        let mut rows = Rows::EMPTY;
        let rules = FirstLevel::new(LEVELS);
        let mut elmer = Coordinator::new(config, LEVELS, rows.columns(), rules, NOW).unwrap();
        (0..HOSTS as u32).for_each(|host| _ = say(&mut elmer, report(host, 1, 0)));
        let job = submit(&mut elmer, 2);
        let mut image = vec![];
        elmer.export(|word| image.push(word));
        elmer.restore(image).unwrap();
        assert_eq!(elmer.now(), at(0));
        elmer.apply(at(now), report(0, 1, 1)).unwrap();
        assert_eq!(elmer.table().there(), there);
        let ends = matches!(elmer.status(job), Ok(Status::Ending { .. }));
        assert_eq!(ends, there == 1);
    }
}

/// When it is to be killed and when it leaves the list; one that ended by itself then, too.
#[test]
fn a_host_kills_a_job_at_each_step_and_a_job_to_be_killed_counts_for_the_level_of_the_helper() {
    let mut rows = Rows::EMPTY;
    let (mut elmer, mut host) = (with_hosts(&mut rows), part());
    let jobs = [submit(&mut elmer, 2), submit(&mut elmer, 2)];
    let raise = |level| HostEffect::RaiseHelper { user: UserId(1), level };
    let upper = Level::TOP;
    let [all, _] = told(&mut elmer);
    assert_eq!(hears(&mut host, &all)[0], raise(upper));
    let [first, second] = jobs;
    say(&mut elmer, Command::Kill { job: first });
    let [kill, _] = told(&mut elmer);
    assert_eq!(hears(&mut host, &kill), [HostEffect::Kill { job: first }]);
    host.resync();
    assert_eq!(host.running().as_slice().iter().map(|it| it.job).collect::<Vec<_>>(), [first]);
    assert_eq!(hears(&mut host, &[])[..2], [HostEffect::Kill { job: first }, raise(upper)]);
    assert_eq!(host.running().as_slice().len(), 2);
    say(&mut elmer, Command::Ended { job: first });
    let [ended, _] = told(&mut elmer);
    let moves = HostEffect::SetPriority { job: second, level: upper };
    assert_eq!(hears(&mut host, &ended), [HostEffect::Kill { job: first }, moves]);
    say(&mut elmer, Command::Ended { job: second });
    let [ended, _] = told(&mut elmer);
    assert_eq!(hears(&mut host, &ended)[0], HostEffect::Kill { job: second });
}
