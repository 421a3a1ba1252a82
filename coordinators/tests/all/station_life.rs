//! Failed runs, cancelling, holding, limits, draining, messages that come late, and leases.

use locox::error::Error;
use locox::fair::{RoundRobin, StationId};
use locox::node::{Action, Input, Lease, LocalRule, LocalScheduler, OnReturn};
use locox::time::{Duration, Instant};
use locox_coordinators::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, JobId, Message, Misuse, NodeId,
    Nodes, PreemptReason, Refusal, Run, Sender, Status, StopReason, Trigger,
};

type Table = Arrays<2, 4, 6, 8>;

/// The processors of the bank.
const BANK: [NodeId; 2] = [NodeId(2), NodeId(3)];
const HOME: StationId = StationId(0);

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn ticks(count: u64) -> Duration {
    Duration::from_ticks(count)
}

/// Intervals of 10.
fn config() -> Config {
    Config { poll: None, trigger: Trigger::Demand, ..Config::study(ticks(1)) }
}

struct Pool {
    coordinator: Coordinator<RoundRobin, Table>,
    serial: u32,
}

impl Pool {
    /// One processor of the bank is there.
    fn new(config: Config) -> Self {
        let fair = RoundRobin::default();
        let coordinator = Coordinator::new(config, Table::EMPTY, fair, at(0)).unwrap();
        let mut pool = Self { coordinator, serial: 0 };
        pool.act(0, Command::OwnerBack { station: HOME });
        pool.act(0, Command::NodeIdle { node: BANK[0] });
        pool
    }

    fn submit(&mut self, time: u64) -> JobId {
        self.serial += 1;
        let submit = Command::Submit { home: HOME, serial: self.serial };
        let job = self.coordinator.apply(at(time), submit).unwrap().unwrap();
        self.coordinator.check_invariants().unwrap();
        job
    }

    fn act(&mut self, time: u64, command: Command) -> Vec<Effect> {
        self.say(time, command).unwrap_or_else(|error| panic!("{command:?}: {error}"));
        self.effects()
    }

    fn say(&mut self, time: u64, command: Command) -> Result<(), Error<Refusal, Misuse>> {
        self.hear(time, command.into())
    }

    fn hear(&mut self, time: u64, message: Message) -> Result<(), Error<Refusal, Misuse>> {
        let answer = self.coordinator.apply_drawn(at(time), message, ());
        self.coordinator.check_invariants().unwrap();
        answer.map(|_| ())
    }

    fn effects(&mut self) -> Vec<Effect> {
        let effects = std::iter::from_fn(|| self.coordinator.take_effect()).collect();
        self.coordinator.check_invariants().unwrap();
        effects
    }

    fn status(&self, job: JobId) -> Status {
        self.coordinator.status(job).unwrap()
    }

    fn is_gone(&self, job: JobId) -> bool {
        self.coordinator.status(job).is_err()
    }
}

fn run(job: JobId, attempt: u32) -> Run {
    Run { job, attempt }
}

fn started(effects: &[Effect]) -> Vec<(NodeId, Run)> {
    let start = |effect: &Effect| match *effect {
        Effect::Place { node, run, .. } | Effect::Resume { node, run, .. } => Some((node, run)),
        _ => None,
    };
    effects.iter().filter_map(start).collect()
}

fn stopped(why: StopReason) -> Status {
    Status::Stopped { why }
}

// Failed runs.

#[test]
fn a_host_that_gives_up_each_run_does_not_get_the_same_job_for_ever() {
    let mut pool = Pool::new(config());
    let job = pool.submit(1);
    let mut effects = pool.effects();
    let mut starts = vec![];
    for time in 1..2000 {
        for (_, run) in started(&effects) {
            starts.push(time);
            effects = pool.act(time, Command::Vacated { run });
            assert_eq!(started(&effects), [], "at the same instant");
        }
        effects = pool.act(time, Command::Tick);
    }
    // One minute, two, four, eight; it begins with the end of an interval, and is told a tick later.
    assert_eq!(starts[..7], [1, 11, 21, 31, 41, 61, 101]);
    assert!(starts.len() < 12, "{starts:?}");
    assert!(matches!(pool.status(job), Status::Stopped { why: StopReason::BackingOff { .. } }));
}

#[test]
fn a_run_that_got_somewhere_or_was_told_to_leave_has_not_failed() {
    let mut pool = Pool::new(Config { retries: 2, ..config() });
    let job = pool.submit(1);
    assert_eq!(started(&pool.effects()), [(BANK[0], run(job, 1))]);
    pool.act(2, Command::Vacated { run: run(job, 1) });
    pool.act(10, Command::Tick);
    let checkpoint = Checkpoint(1);
    pool.act(11, Command::Checkpointed { run: run(job, 2), checkpoint });
    pool.act(12, Command::Vacated { run: run(job, 2) });
    assert_eq!(pool.status(job), stopped(StopReason::BackingOff { until: at(13) }), "its first");
    assert_eq!(started(&pool.act(20, Command::Tick)), [(BANK[0], run(job, 3))]);
    let told = pool.act(21, Command::Drain { nodes: Nodes::One { node: BANK[0] } });
    assert_eq!(
        told,
        [Effect::Preempt { node: BANK[0], run: run(job, 3), why: PreemptReason::Drained }]
    );
    pool.act(22, Command::Vacated { run: run(job, 3) });
    assert_eq!(pool.status(job), Status::Waiting);
}

#[test]
fn after_too_many_failed_runs_a_job_waits_for_its_release() {
    let mut pool = Pool::new(Config { retries: 3, ..config() });
    let job = pool.submit(1);
    pool.effects();
    for (attempt, time) in [(1, 2), (2, 12), (3, 22)] {
        pool.act(time, Command::Vacated { run: run(job, attempt) });
        pool.act(time + 8, Command::Tick);
    }
    assert_eq!(pool.status(job), stopped(StopReason::Failed));
    assert_eq!(pool.act(5000, Command::Tick), []);
    assert_eq!(started(&pool.act(5001, Command::Release { job })), [(BANK[0], run(job, 4))]);
    assert_eq!(pool.say(5002, Command::Release { job }), Err(Misuse::NotStopped.into()));
}

#[test]
fn a_processor_that_fails_every_job_is_set_aside_and_reported() {
    let mut pool = Pool::new(Config { faults: 3, ..config() });
    let jobs = [1, 1, 1].map(|time| pool.submit(time));
    let mut effects = pool.effects();
    let mut failed = vec![];
    while let [(node, run)] = started(&effects)[..] {
        assert_eq!(node, BANK[0]);
        failed.push(run.job);
        effects = pool.act(2, Command::Vacated { run });
    }
    assert_eq!(failed, jobs);
    assert_eq!(effects, [Effect::SetAside { node: BANK[0] }]);
    assert_eq!(started(&pool.act(50, Command::Tick)), []);
    assert_eq!(started(&pool.act(51, Command::NodeIdle { node: BANK[1] })).len(), 1);
    let effects = pool.act(52, Command::Restore { nodes: Nodes::One { node: BANK[0] } });
    assert_eq!(started(&effects).len(), 1);
}

/// The row of a job that is gone is used again: the next job there is another one.
#[test]
fn jobs_that_fail_one_after_the_other_in_the_same_row_count_as_different() {
    let mut pool = Pool::new(Config { faults: 2, ..config() });
    let first = pool.submit(1);
    let [(_, run)] = started(&pool.effects())[..] else { panic!() };
    pool.act(2, Command::Vacated { run });
    pool.act(3, Command::Cancel { job: first });
    let second = pool.submit(4);
    assert_eq!(second.handle().index(), first.handle().index());
    let [(node, run)] = started(&pool.effects())[..] else { panic!() };
    assert_eq!(pool.act(5, Command::Vacated { run }), [Effect::SetAside { node }]);
}

#[test]
fn one_job_that_fails_everywhere_sets_no_processor_aside() {
    let mut pool = Pool::new(Config { faults: 2, ..config() });
    let job = pool.submit(1);
    let mut effects = pool.effects();
    for time in 2..3000 {
        assert!(!effects.contains(&Effect::SetAside { node: BANK[0] }));
        if let [(_, run)] = started(&effects)[..] {
            pool.act(time, Command::Vacated { run });
        }
        effects = pool.act(time, Command::Tick);
    }
    assert!(!pool.is_gone(job));
}

// Cancelling, holding, limits.

#[test]
fn a_job_that_waits_is_cancelled_at_once_and_one_that_runs_leaves_first() {
    let mut pool = Pool::new(config());
    let (runs, waits) = (pool.submit(1), pool.submit(1));
    pool.effects();
    assert_eq!(pool.act(2, Command::Cancel { job: waits }), []);
    assert!(pool.is_gone(waits));
    let leave = Effect::Preempt { node: BANK[0], run: run(runs, 1), why: PreemptReason::Cancelled };
    assert_eq!(pool.act(3, Command::Cancel { job: runs }), [leave]);
    assert_eq!(pool.status(runs), Status::Leaving { node: BANK[0], next: None });
    assert_eq!(pool.say(3, Command::Hold { job: runs }), Err(Misuse::Cancelled.into()));
    let next = pool.submit(4);
    assert_eq!(pool.effects(), [], "the processor is not free yet");
    let effects = pool.act(5, Command::Vacated { run: run(runs, 1) });
    assert!(pool.is_gone(runs));
    assert_eq!(started(&effects), [(BANK[0], run(next, 1))]);
}

#[test]
fn a_run_of_which_nobody_has_heard_is_cancelled_without_its_host() {
    let mut pool = Pool::new(config());
    let job = pool.submit(1);
    assert_eq!(pool.act(1, Command::Cancel { job }), []);
    assert!(pool.is_gone(job));
    let next = pool.submit(2);
    assert_eq!(started(&pool.effects()), [(BANK[0], run(next, 1))]);
}

#[test]
fn a_cancelled_job_ends_however_it_leaves() {
    for last in 0..3 {
        let mut pool = Pool::new(config());
        let job = pool.submit(1);
        pool.effects();
        pool.act(2, Command::Cancel { job });
        pool.act(
            3,
            match last {
                0 => Command::Finished { run: run(job, 1) },
                1 => Command::Vacated { run: run(job, 1) },
                _ => Command::NodeLost { node: BANK[0] },
            },
        );
        assert!(pool.is_gone(job));
    }
}

#[test]
fn a_held_job_gives_its_processor_back_and_has_none_until_it_is_released() {
    let mut pool = Pool::new(config());
    let job = pool.submit(1);
    pool.effects();
    let leave = Effect::Preempt { node: BANK[0], run: run(job, 1), why: PreemptReason::Held };
    assert_eq!(pool.act(2, Command::Hold { job }), [leave]);
    let checkpoint = Checkpoint(4);
    pool.act(3, Command::Checkpointed { run: run(job, 1), checkpoint });
    assert_eq!(pool.act(3, Command::Vacated { run: run(job, 1) }), []);
    assert_eq!(pool.status(job), stopped(StopReason::Held));
    assert_eq!(pool.act(100, Command::Tick), []);
    let effects = pool.act(101, Command::Release { job });
    assert!(matches!(effects[..], [Effect::Resume { checkpoint: Checkpoint(4), .. }]));
}

#[test]
fn a_job_that_ran_for_too_long_is_stopped_whatever_its_runs() {
    let mut pool = Pool::new(config());
    let job = pool.submit(0);
    pool.effects();
    pool.act(0, Command::Limit { job, limit: ticks(25) });
    // Sixteen ticks in a first run, then ten in a second one.
    pool.act(16, Command::NodeLost { node: BANK[0] });
    pool.act(16, Command::NodeIdle { node: BANK[0] });
    assert_eq!(pool.act(20, Command::Tick), []);
    let leave = Effect::Preempt { node: BANK[0], run: run(job, 2), why: PreemptReason::Limit };
    assert_eq!(pool.act(30, Command::Tick), [leave]);
    pool.act(31, Command::Vacated { run: run(job, 2) });
    assert_eq!(pool.status(job), stopped(StopReason::Limit));
    pool.act(32, Command::Limit { job, limit: Duration::ZERO });
    assert_eq!(started(&pool.act(33, Command::Release { job })), [(BANK[0], run(job, 3))]);
}

// Draining.

#[test]
fn a_drained_bank_empties_and_takes_no_job_until_it_is_restored() {
    let mut pool = Pool::new(config());
    pool.act(0, Command::NodeIdle { node: BANK[1] });
    let jobs = [1, 1, 1].map(|time| pool.submit(time));
    assert_eq!(started(&pool.effects()).len(), 2);
    let effects = pool.act(2, Command::Drain { nodes: Nodes::Bank });
    assert_eq!(effects.len(), 2);
    assert!(
        effects.iter().all(|it| matches!(it, Effect::Preempt { why: PreemptReason::Drained, .. }))
    );
    for effect in effects {
        let Effect::Preempt { run, .. } = effect else { panic!() };
        assert_eq!(pool.act(3, Command::Vacated { run }), []);
    }
    assert!(jobs.iter().all(|job| pool.status(*job) == Status::Waiting));
    assert_eq!(pool.act(30, Command::Tick), []);
    // One station gets one processor in a round.
    assert_eq!(started(&pool.act(31, Command::Restore { nodes: Nodes::Bank })).len(), 1);
    assert_eq!(started(&pool.act(40, Command::Tick)).len(), 1);
}

// Messages.

fn from(boot: u32, number: u32, command: Command) -> Message {
    Message { from: Some(Sender { node: BANK[0], boot, number }), command }
}

#[test]
fn a_late_loss_of_an_earlier_boot_starts_no_job_a_second_time() {
    let mut pool = Pool::new(config());
    let lost = Command::NodeLost { node: BANK[0] };
    pool.hear(1, from(1, 1, lost)).unwrap();
    pool.hear(1, from(1, 2, Command::NodeIdle { node: BANK[0] })).unwrap();
    pool.hear(2, from(2, 1, lost)).unwrap();
    pool.hear(2, from(2, 2, Command::NodeIdle { node: BANK[0] })).unwrap();
    let job = pool.submit(3);
    assert_eq!(started(&pool.effects()), [(BANK[0], run(job, 1))]);
    for number in [1, 3] {
        let over = Refusal::BootOver { next: 3 };
        assert_eq!(pool.hear(4, from(1, number, lost)), Err(over.into()));
    }
    assert_eq!(pool.hear(4, from(2, 1, lost)), Err(Refusal::Old.into()));
    assert_eq!(pool.effects(), []);
    assert_eq!(pool.status(job), Status::Running { node: BANK[0] });
}

#[test]
fn what_was_swapped_is_taken_in_the_order_in_which_it_was_said() {
    let mut pool = Pool::new(config());
    let (idle, back) =
        (Command::NodeIdle { node: NodeId(1) }, Command::OwnerBack { station: StationId(1) });
    let say = |number, command| {
        let from = Sender { node: NodeId(1), boot: 1, number };
        Message { from: Some(from), command }
    };
    pool.hear(1, say(1, back)).unwrap();
    // It became idle, and its owner came back; the second arrives first.
    assert_eq!(pool.hear(2, say(3, back)), Err(Refusal::Early { next: 2 }.into()));
    pool.hear(2, say(2, idle)).unwrap();
    pool.hear(2, say(3, back)).unwrap();
    assert_eq!(pool.hear(3, say(2, idle)), Err(Refusal::Old.into()));
    let job = [3, 3].map(|time| pool.submit(time));
    assert_eq!(started(&pool.effects()), [(BANK[0], run(job[0], 1))], "only the bank's");
}

#[test]
fn an_older_checkpoint_does_not_roll_a_job_back() {
    let mut pool = Pool::new(config());
    pool.hear(0, from(1, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    let job = pool.submit(1);
    pool.effects();
    let saved = |name| Command::Checkpointed { run: run(job, 1), checkpoint: Checkpoint(name) };
    pool.hear(2, from(1, 2, saved(7))).unwrap();
    pool.hear(3, from(1, 3, saved(8))).unwrap();
    assert_eq!(pool.hear(4, from(1, 2, saved(7))), Err(Refusal::Old.into()));
    pool.hear(5, from(2, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    let effects = pool.effects();
    assert!(matches!(effects[..], [Effect::Resume { checkpoint: Checkpoint(8), .. }]));
}

#[test]
fn a_report_of_a_run_that_is_over_takes_its_number() {
    let mut pool = Pool::new(config());
    let job = pool.submit(1);
    pool.effects();
    let vacated = Command::Vacated { run: run(job, 9) };
    pool.hear(2, from(1, 1, vacated)).unwrap();
    assert_eq!(pool.hear(2, from(1, 1, vacated)), Err(Refusal::Old.into()));
    pool.hear(2, from(1, 2, Command::Tick)).unwrap();
}

#[test]
fn only_reports_are_numbered_and_from_one_on() {
    let mut pool = Pool::new(config());
    let submit = Command::Submit { home: HOME, serial: 1 };
    assert_eq!(pool.hear(1, from(1, 1, submit)), Err(Misuse::NoReport.into()));
    for (boot, number) in [(0, 1), (1, 0)] {
        let refused = pool.hear(1, from(boot, number, Command::Tick));
        assert_eq!(refused, Err(Misuse::Unnumbered.into()));
    }
    let nobody = Sender { node: NodeId(4), boot: 1, number: 1 };
    let message = Message { from: Some(nobody), command: Command::Tick };
    assert_eq!(pool.hear(1, message), Err(Misuse::NoSuchNode(NodeId(4)).into()));
    let strange = Command::NodeIdle { node: NodeId(9) };
    assert_eq!(pool.hear(1, from(1, 1, strange)), Err(Misuse::NoSuchNode(NodeId(9)).into()));
    pool.hear(1, from(1, 1, Command::Tick)).unwrap();
}

#[test]
fn what_was_told_is_told_again_until_it_is_heard() {
    let mut pool = Pool::new(config());
    pool.hear(0, from(1, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    let job = pool.submit(1);
    let start = pool.effects();
    assert_eq!(started(&start), [(BANK[0], run(job, 1))]);
    assert_eq!(started(&pool.act(10, Command::Tick)), started(&start));
    pool.hear(11, from(1, 2, Command::Heard { run: run(job, 1) })).unwrap();
    assert_eq!(pool.act(20, Command::Tick), []);
    let leave = pool.act(21, Command::Hold { job });
    assert_eq!(pool.act(30, Command::Tick), leave);
    assert_eq!(pool.act(40, Command::Tick), leave);
    pool.hear(41, from(1, 3, Command::Vacated { run: run(job, 1) })).unwrap();
    assert_eq!(pool.act(50, Command::Tick), []);
}

// Leases.

#[test]
fn a_host_that_is_silent_for_a_lease_is_lost_and_one_that_is_heard_is_not() {
    let mut pool = Pool::new(Config { lease: Some(ticks(16)), ..config() });
    assert_eq!(pool.coordinator.now(), at(0));
    pool.hear(1, from(1, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    pool.act(1, Command::NodeIdle { node: BANK[1] });
    let job = pool.submit(2);
    let [(node, _)] = started(&pool.effects())[..] else { panic!() };
    assert_eq!(node, BANK[1], "the one that became free last");
    let other = pool.submit(2);
    assert_eq!(started(&pool.effects()), [(BANK[0], run(other, 1))]);
    pool.hear(14, from(1, 2, Command::Heard { run: run(other, 1) })).unwrap();
    pool.act(20, Command::Tick);
    pool.act(30, Command::Tick);
    assert_eq!(pool.status(other), Status::Running { node: BANK[0] }, "sixteen ticks");
    pool.act(40, Command::Tick);
    assert_eq!(pool.status(other), Status::Waiting);
    assert_eq!(pool.status(job), Status::Running { node: BANK[1] }, "it numbers nothing");
    // It has dropped its guest before, and counts as restarted.
    let lease = pool.coordinator.now();
    assert_eq!(lease, at(40));
    pool.hear(41, from(2, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    assert_eq!(started(&pool.effects()), [(BANK[0], run(other, 2))]);
}

/// It would believe that it had said all that is to be known of it, and its processor would be
/// nobody's for ever.
#[test]
fn a_host_that_was_taken_for_lost_is_told_to_restart_whatever_it_says() {
    let mut pool = Pool::new(Config { lease: Some(ticks(16)), ..config() });
    pool.hear(1, from(4, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    pool.act(30, Command::Tick);
    let job = pool.submit(30);
    assert_eq!((pool.status(job), pool.coordinator.free()), (Status::Waiting, 0));
    let over = Err(Refusal::BootOver { next: 5 }.into());
    for number in 1..4 {
        assert_eq!(pool.hear(31, from(4, number, Command::Tick)), over);
        assert_eq!(pool.hear(31, from(4, number, Command::NodeIdle { node: BANK[0] })), over);
    }
    pool.act(40, Command::Tick);
    assert_eq!(pool.hear(41, from(4, 2, Command::Tick)), over, "silent for twice as long");
    pool.hear(41, from(5, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    assert_eq!(started(&pool.effects()), [(BANK[0], run(job, 1))]);
}

#[test]
fn a_host_of_which_an_operator_says_that_it_is_lost_restarts_and_one_that_says_so_itself_goes_on() {
    let mut pool = Pool::new(config());
    let lost = Command::NodeLost { node: BANK[0] };
    pool.act(1, lost);
    pool.hear(1, from(1, 1, lost)).unwrap();
    pool.hear(1, from(1, 2, Command::NodeIdle { node: BANK[0] })).unwrap();
    pool.hear(2, from(1, 3, lost)).unwrap();
    pool.hear(2, from(1, 4, Command::NodeIdle { node: BANK[0] })).unwrap();
    pool.act(3, lost);
    pool.act(3, lost);
    let over = Refusal::BootOver { next: 2 };
    assert_eq!(pool.hear(4, from(1, 5, Command::Tick)), Err(over.into()));
    pool.hear(4, from(2, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    assert_eq!(pool.coordinator.free(), 1);
}

/// A host whose clock is as slow as may be, beside a coordinator whose clock is as fast: a driver
/// that keeps to [`Lease`] has killed its guest, and waited for it to be gone, before the job is
/// anybody else's.
#[test]
fn a_guest_is_gone_before_its_job_is_given_away() {
    const DRIFT: u32 = 50_000;
    let lease = Lease { length: ticks(4000), drift: DRIFT, kill: ticks(30) };
    // Of a true clock's million ticks.
    let slow = |true_time: u64| at(true_time * (1_000_000 - u64::from(DRIFT)) / 1_000_000);
    let fast = |true_time: u64| true_time * (1_000_000 + u64::from(DRIFT)) / 1_000_000;

    let mut pool = Pool::new(Config { lease: Some(lease.length), ..config() });
    pool.hear(0, from(1, 1, Command::NodeIdle { node: BANK[0] })).unwrap();
    let job = pool.submit(0);
    assert_eq!(started(&pool.effects()), [(BANK[0], run(job, 1))]);
    let on_return = OnReturn::Checkpoint;
    let mut host =
        LocalScheduler::new(LocalRule { on_return, grace: ticks(9), kill_again: ticks(9) });
    host.step(slow(100), Input::OwnerLeft).unwrap();
    host.step(slow(100), Input::Place).unwrap();
    // Sent and received at once, which leaves the least time.
    pool.hear(fast(100), from(1, 2, Command::Heard { run: run(job, 1) })).unwrap();
    host.step(slow(150), Input::LeasedUntil(lease.until(slow(100)))).unwrap();

    let killed =
        (150..).find(|&now| host.step(slow(now), Input::Time).unwrap() == Some(Action::Kill));
    let lost = (150..).find(|&now| {
        pool.act(fast(now), Command::Tick);
        pool.status(job) == Status::Waiting
    });
    let (killed, lost) = (killed.unwrap(), lost.unwrap());
    // The kill takes thirty ticks of the slow clock.
    assert!(slow(killed).ticks() + 30 < slow(lost).ticks(), "{killed} and {lost}");
    assert!(lost - killed < 60, "and not much before: {killed} and {lost}");
}
