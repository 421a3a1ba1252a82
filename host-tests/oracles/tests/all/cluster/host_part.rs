//! A host's part, by what it is told and what it does, command by command.

use crate::forged::{HEAD, seal};
use locox::handle::{Epoch, Generation, Handle, PoolId};
use locox::image::BadImage;
use locox::time::{Duration, Instant};
use locox::timeshare::{Level, Load, UserId};
use locox_coordinators::cluster::{
    Assignment, Batch, HostCommand, HostConfig, HostEffect, HostMisuse, HostPart, JobId,
};

const PERIOD: u64 = 10;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn part() -> HostPart {
    let config = HostConfig { report: Duration::from_ticks(PERIOD), boot: 2, pool: PoolId(3) };
    HostPart::new(config, at(0)).unwrap()
}

fn job(row: u32) -> JobId {
    JobId::from_handle(Handle::from_parts(PoolId(3), row, Generation::from_raw(1), Epoch(0)))
}

/// A job of the user of its number.
fn assignment(row: u32, level: u8) -> Assignment {
    let level = Level::new(level).unwrap();
    Assignment { job: job(row), user: UserId(row), level, first: false, terminating: false }
}

fn killed(row: u32, level: u8) -> Assignment {
    Assignment { terminating: true, ..assignment(row, level) }
}

const fn batch(number: u32) -> Batch {
    Batch { boot: 2, number }
}

/// Tells all that it is to run.
fn tell(host: &mut HostPart, all: &[Assignment]) {
    let batch = batch(host.heard().number + 1);
    for (number, &assignment) in (0..).zip(all) {
        host.apply(host.now(), HostCommand::Assign { batch, number, assignment }).unwrap();
    }
    host.apply(host.now(), HostCommand::AssignmentsEnd { batch, jobs: all.len() as u32 }).unwrap();
    assert_eq!(host.heard(), batch);
}

/// All that it does now, but for reports.
fn effects(host: &mut HostPart) -> Vec<HostEffect> {
    let all = std::iter::from_fn(|| {
        let (shown, taken) = (host.peek_effect(), host.take_effect());
        assert_eq!(shown, taken);
        host.check_invariants().unwrap();
        taken
    });
    all.filter(|it| !matches!(it, HostEffect::Report { .. })).collect()
}

fn starts(row: u32, level: u8) -> [HostEffect; 2] {
    let Assignment { job, user, level, first, .. } = assignment(row, level);
    [HostEffect::RaiseHelper { user, level }, HostEffect::Start { job, user, level, first }]
}

fn image(host: &HostPart) -> Vec<u32> {
    let mut words = vec![];
    host.export(|word| words.push(word));
    words
}

#[test]
fn what_is_told_out_of_turn_changes_nothing_and_the_next_number_is_named() {
    let mut host = part();
    let say = |host: &mut HostPart, command| {
        let before = image(host);
        let answer = host.apply(at(0), command);
        assert!(answer.is_ok() || image(host) == before);
        answer
    };
    let assign = |of, row, number| HostCommand::Assign {
        batch: batch(of),
        number,
        assignment: assignment(row, 0),
    };
    let end = |of, jobs| HostCommand::AssignmentsEnd { batch: batch(of), jobs };
    let next = |next| Err(HostMisuse::Number { next });
    assert_eq!(say(&mut host, assign(4, 1, 1)), next(0));
    assert_eq!(say(&mut host, assign(4, 1, 0)), Ok(()));
    assert_eq!(say(&mut host, assign(4, 2, 2)), next(1));
    assert_eq!(say(&mut host, assign(4, 1, 1)), next(1), "it is there");
    assert_eq!(say(&mut host, assign(4, 2, 1)), Ok(()));
    for jobs in [0, 1, 3] {
        assert_eq!(say(&mut host, end(4, jobs)), next(2));
    }
    // Of a newer batch nothing has come yet.
    assert_eq!(say(&mut host, end(5, 2)), next(0));
    assert_eq!(say(&mut host, assign(5, 3, 2)), next(0));
    assert_eq!(say(&mut host, end(4, 2)), Ok(()));
    assert_eq!(effects(&mut host).len(), 4);
    // A newer one begins anew.
    assert_eq!(say(&mut host, assign(5, 4, 0)), Ok(()));
    assert_eq!(say(&mut host, assign(7, 3, 0)), Ok(()));
    assert_eq!(say(&mut host, end(7, 1)), Ok(()));
    let done = effects(&mut host);
    assert!(starts(3, 0).iter().all(|it| done.contains(it)), "{done:?}");
}

/// Old ones, those that came before, and those of another start.
#[test]
fn what_is_no_news_changes_nothing() {
    let mut host = part();
    let assign =
        |batch, row, number| HostCommand::Assign { batch, number, assignment: assignment(row, 0) };
    let end = |batch, jobs| HostCommand::AssignmentsEnd { batch, jobs };
    tell(&mut host, &[assignment(1, 0)]);
    tell(&mut host, &[assignment(2, 0), assignment(3, 1)]);
    let begun = batch(5);
    host.apply(at(0), assign(begun, 4, 0)).unwrap();
    host.apply(at(0), assign(begun, 5, 1)).unwrap();
    effects(&mut host);
    let before = image(&host);
    for old in [batch(0), batch(1), batch(2), batch(4), Batch { boot: 1, number: 9 }] {
        for command in [assign(old, 1, 0), assign(old, 7, 2), end(old, 0), end(old, 1), end(old, 2)]
        {
            assert_eq!(host.apply(at(0), command), Ok(()), "{command:?}");
            assert_eq!(image(&host), before, "{command:?}");
        }
    }
    for (row, number) in [(4, 0), (5, 1)] {
        assert_eq!(host.apply(at(0), assign(begun, row, number)), Ok(()));
        assert_eq!(image(&host), before);
    }
    assert_eq!(host.heard(), batch(2));
}

#[test]
fn a_host_is_told_of_no_more_jobs_than_there_are_levels() {
    let mut host = part();
    for number in 0..=u32::from(Level::COUNT) {
        let assignment = assignment(number, 0);
        let assign = HostCommand::Assign { batch: batch(1), number, assignment };
        let expected = match number < u32::from(Level::COUNT) {
            true => Ok(()),
            false => Err(HostMisuse::Number { next: u32::from(Level::COUNT) }),
        };
        assert_eq!(host.apply(at(0), assign), expected, "{number}");
    }
}

#[test]
fn a_job_that_is_to_be_killed_is_not_started() {
    let mut host = part();
    tell(&mut host, &[killed(1, 0)]);
    assert_eq!(effects(&mut host), []);
    assert!(host.running().as_slice().is_empty());
}

#[test]
fn a_job_that_is_killed_is_killed_again_when_it_is_over_and_nothing_else_is_done_for_it() {
    let mut host = part();
    tell(&mut host, &[assignment(1, 1)]);
    assert_eq!(effects(&mut host), starts(1, 1));
    for level in [1, 0] {
        tell(&mut host, &[killed(1, level)]);
        let expected = (level == 1).then_some(HostEffect::Kill { job: job(1) });
        assert_eq!(effects(&mut host), expected.as_slice());
        assert_eq!(host.running().as_slice(), [killed(1, 1)]);
    }
    tell(&mut host, &[]);
    assert_eq!(
        effects(&mut host),
        [HostEffect::Kill { job: job(1) }, HostEffect::RestoreHelper { user: UserId(1) }]
    );
}

/// The helper of a user is raised above his most urgent job as long as one of them is to go on.
#[test]
fn a_helper_is_raised_for_jobs_that_go_on() {
    let mut host = part();
    let of_one = |it: Assignment| Assignment { user: UserId(1), ..it };
    tell(&mut host, &[killed(1, 0)]);
    assert_eq!(effects(&mut host), []);
    tell(&mut host, &[of_one(killed(1, 0)), of_one(assignment(2, 1))]);
    let [_, start] = starts(2, 1);
    let HostEffect::Start { job, level, first, .. } = start else { unreachable!() };
    let user = UserId(1);
    let raise = HostEffect::RaiseHelper { user, level: Level::TOP };
    assert_eq!(effects(&mut host), [raise, HostEffect::Start { job, user, level, first }]);
}

/// As the host is, whose count of starts may have gone back; a coordinator hears that from its reports.
#[test]
fn a_batch_of_a_later_start_is_none_for_a_host() {
    let mut host = part();
    tell(&mut host, &[assignment(1, 0)]);
    effects(&mut host);
    let before = image(&host);
    let later = Batch { boot: 3, number: 1 };
    let assign = HostCommand::Assign { batch: later, number: 0, assignment: assignment(2, 0) };
    for command in [assign, HostCommand::AssignmentsEnd { batch: later, jobs: 0 }] {
        assert_eq!(host.apply(at(0), command), Ok(()));
        assert_eq!(image(&host), before);
    }
}

#[test]
fn a_report_is_due_at_once_and_then_each_period() {
    let mut host = part();
    let heard = batch(0);
    let report = |load| Some(HostEffect::Report { load: Load::from_thousandths(load), heard });
    let measured = |load| HostCommand::Measured { load: Load::from_thousandths(load) };
    assert_eq!((host.take_effect(), host.wake_at()), (None, Some(at(0))));
    for (now, load) in [(0, 300), (PERIOD, 500), (2 * PERIOD, 0)] {
        assert_eq!(host.apply(at(now), measured(load)), Ok(()));
        assert_eq!((host.take_effect(), host.take_effect()), (report(load), None));
        assert_eq!((host.now(), host.wake_at()), (at(now), Some(at(now + PERIOD))));
        assert_eq!(host.apply(at(now + PERIOD - 1), HostCommand::Tick), Ok(()));
        assert_eq!(host.take_effect(), None);
        assert_eq!(host.apply(at(now), HostCommand::Tick), Err(HostMisuse::TimeWentBack));
    }
    let config = HostConfig { report: Duration::from_ticks(u64::MAX), boot: 0, pool: PoolId(3) };
    let mut once = HostPart::new(config, at(1)).unwrap();
    once.apply(at(1), HostCommand::Tick).unwrap();
    assert_eq!(once.wake_at(), None);
    let never = HostConfig { report: Duration::ZERO, boot: 0, pool: PoolId(3) };
    assert_eq!(HostPart::new(never, at(0)).err(), Some(HostMisuse::NoPeriod));
}

/// Two jobs that run and one that is told of.
fn busy() -> HostPart {
    let mut host = part();
    host.apply(at(7), HostCommand::Measured { load: Load::from_thousandths(400) }).unwrap();
    tell(&mut host, &[assignment(1, 0), assignment(2, 1)]);
    effects(&mut host);
    let told = HostCommand::Assign { batch: batch(2), number: 0, assignment: assignment(4, 0) };
    host.apply(at(8), told).unwrap();
    host
}

#[test]
fn a_host_goes_on_from_its_image_and_does_all_once_more() {
    let host = busy();
    let words = image(&host);
    let mut other = part();
    other.load(words.iter().copied()).unwrap();
    assert_eq!(
        (image(&other), other.now(), other.wake_at()),
        (words.clone(), at(8), host.wake_at())
    );
    assert_eq!(effects(&mut other), []);
    other.resync();
    assert_eq!(other.running().as_slice(), []);
    let all = [starts(1, 0), starts(2, 1)];
    let [[raise, start], [raise_other, start_other]] = all;
    assert_eq!(effects(&mut other), [raise, raise_other, start, start_other]);
    assert_eq!(other.running(), host.running());
    // The host is as new after an image whose contents are bad, at the present time.
    let mut bad = words;
    bad[HEAD + 4] ^= 1;
    assert_eq!(other.load(bad), Err(BadImage::Damaged));
    let mut fresh = part();
    fresh.apply(at(8), HostCommand::Tick).unwrap();
    assert_eq!(
        (other.now(), other.running().as_slice(), other.peek_effect()),
        (at(8), &[][..], None)
    );
}

/// What a batch that was heard as a whole leaves to do is owed until it was taken, whatever happened to the part.
#[test]
fn a_host_that_goes_on_from_its_image_still_kills_and_puts_helpers_back() {
    let over = [HostEffect::Kill { job: job(1) }, HostEffect::RestoreHelper { user: UserId(1) }];
    let cases: [(&[Assignment], &[HostEffect]); 2] = [(&[killed(1, 0)], &over[..1]), (&[], &over)];
    for (told, owed) in cases {
        let mut host = part();
        tell(&mut host, &[assignment(1, 0)]);
        effects(&mut host);
        tell(&mut host, told);
        let words = image(&host);
        let mut restored = part();
        restored.restore(words.iter().copied()).unwrap();
        let mut loaded = part();
        loaded.load(words.iter().copied()).unwrap();
        loaded.resync();
        for mut it in [host, restored, loaded] {
            it.resync();
            it.check_invariants().unwrap();
            assert_eq!(effects(&mut it), owed);
        }
    }
    // A kill that was said is said once more: it may not have been done.
    let mut host = part();
    tell(&mut host, &[assignment(1, 0)]);
    effects(&mut host);
    tell(&mut host, &[killed(1, 0)]);
    for _ in 0..2 {
        assert_eq!(effects(&mut host), &over[..1]);
        host.resync();
    }
}

/// As somebody who can seal it might.
#[test]
fn an_image_with_a_job_twice_more_jobs_than_levels_or_an_old_batch_is_refused() {
    let words = image(&busy());
    // The time, the next report, the load, whether one is due, two batches, then the list of what is told: its length, its jobs.
    let told = HEAD + 10;
    assert_eq!(words[told], 1);
    let forged = |at: usize, word: u32| {
        let mut words = words.clone();
        words[at] = word;
        part().load(seal(words)).map(|_| ())
    };
    assert_eq!(forged(told, 1), Ok(()));
    let [heard, telling] = [HEAD + 6, HEAD + 8];
    let other = BadImage::Contradiction("a batch is of another start");
    for boot in [1, 3] {
        assert_eq!(forged(heard, boot), Err(other));
        assert_eq!(forged(telling, boot), Err(other));
    }
    let older =
        BadImage::Contradiction("a batch that was heard is newer than the one that is told");
    assert_eq!(forged(telling + 1, 0), Err(older));
    let many = BadImage::Contradiction("there are more jobs than levels");
    assert_eq!(forged(told, u32::from(Level::COUNT) + 1), Err(many));
    // The rest of that list is the same job, that nobody is.
    assert_eq!(forged(told, 3), Err(BadImage::Contradiction("a job is twice on a host")));
}
