//! The coordinator's rules one by one: what each command does, and what comes out.

use locox::error::Error;
use locox::fair::{self, Condor, Demand, RoundRobin, ScheduleIndex, StationId, UpDown};
use locox::handle::{self, PoolId};
use locox::station::{
    Arrays, Checkpoint, Command, Config, Coordinator, Effect, HomeRow, JobId, JobRow, Misuse,
    NodeId, NodeRow, PreemptReason, Refusal, Run, Status, Trigger,
};
use locox::time::{Duration, Instant};

const STATIONS: usize = 3;
const NODES: usize = 5;
/// The processors of the bank.
const BANK: [NodeId; 2] = [NodeId(3), NodeId(4)];
const TRANSFER: u64 = 1;

type Table = Arrays<STATIONS, NODES, 6, 8>;
type UpDown3 = UpDown<[ScheduleIndex; STATIONS], Condor>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

/// Intervals of 10, transfers of 1, no polls and no checkpoints in between.
fn config(trigger: Trigger) -> Config {
    let minute = Duration::from_ticks(1);
    Config { poll: None, trigger, ..Config::study(minute) }
}

/// A coordinator whose effects are taken after each command.
struct Pool {
    coordinator: Coordinator<UpDown3, Table>,
    serials: [u32; STATIONS],
}

impl Pool {
    /// Three stations with their owners present, and a bank that nobody has heard of.
    fn new(trigger: Trigger) -> Self {
        Self::with(config(trigger))
    }

    fn with(config: Config) -> Self {
        let fair = UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
        let coordinator = Coordinator::new(config, fair, Table::EMPTY, at(0)).unwrap();
        let mut pool = Self { coordinator, serials: [0; STATIONS] };
        for station in 0..STATIONS as u32 {
            assert_eq!(pool.owner_back(0, station), []);
        }
        pool
    }

    fn act(&mut self, time: u64, command: Command) -> Vec<Effect> {
        self.coordinator.apply(at(time), command).unwrap();
        self.effects()
    }

    fn effects(&mut self) -> Vec<Effect> {
        self.coordinator.check_invariants().unwrap();
        let effects = std::iter::from_fn(|| self.coordinator.take_effect()).collect();
        self.coordinator.check_invariants().unwrap();
        effects
    }

    fn submit(&mut self, time: u64, home: u32) -> (JobId, Vec<Effect>) {
        let serial = &mut self.serials[home as usize];
        *serial += 1;
        let command = Command::Submit { home: StationId(home), serial: *serial };
        let job = self.coordinator.apply(at(time), command).unwrap().unwrap();
        (job, self.effects())
    }

    fn idle(&mut self, time: u64, node: NodeId) -> Vec<Effect> {
        self.act(time, Command::NodeIdle { node })
    }

    fn owner_back(&mut self, time: u64, station: u32) -> Vec<Effect> {
        self.act(time, Command::OwnerBack { station: StationId(station) })
    }

    fn status(&self, job: JobId) -> Status {
        self.coordinator.status(job).unwrap()
    }

    fn demand(&self, station: usize) -> (u16, u16) {
        let demand = self.coordinator.demand()[station];
        (demand.wants, demand.holds)
    }
}

fn run(job: JobId, attempt: u32) -> Run {
    Run { job, attempt }
}

fn place(time: u64, node: NodeId, run: Run, home: u32) -> Effect {
    let transfer = if node.0 == home { 0 } else { TRANSFER };
    Effect::Place { node, run, home: StationId(home), begins: at(time + transfer) }
}

fn resume(time: u64, node: NodeId, run: Run, home: u32, checkpoint: u32) -> Effect {
    let transfer = if node.0 == home { 0 } else { TRANSFER };
    let checkpoint = Checkpoint(checkpoint);
    Effect::Resume { node, run, home: StationId(home), checkpoint, begins: at(time + transfer) }
}

/// A pool that schedules on demand, in which a job of station 0 runs on the bank's first.
fn one_running() -> (Pool, JobId) {
    run_one(Pool::new(Trigger::Demand))
}

fn run_one(mut pool: Pool) -> (Pool, JobId) {
    assert_eq!(pool.idle(0, BANK[0]), []);
    let (job, effects) = pool.submit(1, 0);
    assert_eq!(effects, [place(1, BANK[0], run(job, 1), 0)]);
    (pool, job)
}

/// As above, and a job of station 1 has taken the processor; the first one is still there.
fn one_preempted() -> (Pool, JobId, JobId) {
    let (mut pool, old) = one_running();
    // Station 0 has held it for an interval; station 1 comes anew.
    assert_eq!(pool.act(10, Command::Tick), []);
    let (new, effects) = pool.submit(11, 1);
    let why = PreemptReason::Fairness { to: StationId(1) };
    assert_eq!(effects, [Effect::Preempt { node: BANK[0], run: run(old, 1), why }]);
    (pool, old, new)
}

// Placing.

#[test]
fn a_job_is_placed_on_a_free_processor_after_the_transfer() {
    let (pool, job) = one_running();
    assert_eq!(pool.status(job), Status::Running { node: BANK[0] });
    assert_eq!(pool.demand(0), (0, 1));
}

#[test]
fn a_job_runs_at_home_without_transfer_if_its_own_station_is_idle() {
    let mut pool = Pool::new(Trigger::IntervalOnly);
    let (job, effects) = pool.submit(1, 2);
    assert_eq!(effects, []);
    assert_eq!(pool.idle(2, NodeId(2)), [place(2, NodeId(2), run(job, 1), 2)]);
    assert_eq!(pool.demand(2), (0, 0), "its own processor is not one of others");
    let (next, effects) = pool.submit(3, 2);
    assert_eq!(effects, []);
    let done = pool.act(4, Command::Finished { run: run(job, 1) });
    assert_eq!(done, [place(4, NodeId(2), run(next, 1), 2)]);
}

#[test]
fn the_bank_goes_first_and_then_the_station_that_is_idle_the_longest() {
    let mut pool = Pool::new(Trigger::IntervalOnly);
    for (time, node) in [(1, NodeId(2)), (2, NodeId(1)), (3, BANK[0])] {
        assert_eq!(pool.idle(time, node), []);
    }
    let jobs = [0, 0, 0].map(|home| pool.submit(4, home).0);
    // At most one processor a station and interval.
    let nodes = [BANK[0], NodeId(2), NodeId(1)];
    for (tick, (job, node)) in jobs.into_iter().zip(nodes).enumerate() {
        let time = 10 * (tick as u64 + 1);
        assert_eq!(pool.act(time, Command::Tick), [place(time, node, run(job, 1), 0)]);
    }
}

#[test]
fn the_jobs_of_a_station_are_served_in_their_order() {
    let mut pool = Pool::new(Trigger::Capacity);
    let jobs = [0, 0].map(|home| pool.submit(1, home).0);
    assert_eq!(pool.idle(2, BANK[0]), [place(2, BANK[0], run(jobs[0], 1), 0)]);
    assert_eq!(pool.idle(3, BANK[1]), [place(3, BANK[1], run(jobs[1], 1), 0)]);
}

// When it schedules.

#[test]
fn it_schedules_at_the_interval_when_capacity_comes_or_on_demand_as_configured() {
    for (trigger, on_idle, on_submit) in [
        (Trigger::IntervalOnly, false, false),
        (Trigger::Capacity, true, false),
        (Trigger::Demand, true, true),
    ] {
        let mut pool = Pool::new(trigger);
        pool.submit(1, 0);
        let placed = |effects: &[Effect]| effects.len() == 1;
        assert_eq!(placed(&pool.idle(2, BANK[0])), on_idle, "{trigger:?}");
        pool.idle(3, BANK[1]);
        assert_eq!(placed(&pool.submit(4, 1).1), on_submit, "{trigger:?}");
        assert_eq!(pool.coordinator.wake_at(), Some(at(10)));
        assert_eq!(pool.act(9, Command::Tick), []);
        pool.act(10, Command::Tick);
        assert_eq!((pool.demand(0), pool.demand(1)), ((0, 1), (0, 1)), "{trigger:?}");
        assert_eq!(pool.coordinator.wake_at(), Some(at(20)));
    }
}

#[test]
fn the_ranking_is_updated_whenever_it_schedules() {
    let (mut pool, job) = one_running();
    let index = |pool: &Pool| pool.coordinator.fairness().index_of(StationId(0)).unwrap();
    let whole = ScheduleIndex::from_int;
    assert_eq!(index(&pool), whole(-10), "it asked, and waited until it was served");
    pool.act(10, Command::Tick);
    assert_eq!(index(&pool), whole(0), "an interval is over: it held one");
    pool.idle(11, BANK[1]);
    assert_eq!(index(&pool), whole(10), "capacity came: it held one");
    pool.act(12, Command::Finished { run: run(job, 1) });
    assert_eq!(index(&pool), whole(0), "a job completed: it decays");
}

#[test]
fn stations_are_polled_at_their_own_period() {
    let fair = RoundRobin::default();
    let config = Config::study(Duration::from_ticks(60));
    let mut pool = Coordinator::new(config, fair, Table::EMPTY, at(0)).unwrap();
    assert_eq!(pool.wake_at(), Some(at(120)));
    pool.apply(at(119), Command::Tick).unwrap();
    assert_eq!(pool.take_effect(), None);
    pool.apply(at(121), Command::Tick).unwrap();
    assert_eq!(pool.take_effect(), Some(Effect::Poll));
    assert_eq!(pool.take_effect(), None);
    assert_eq!(pool.wake_at(), Some(at(241)));
}

#[test]
fn there_is_nothing_to_wait_for_at_the_end_of_time() {
    let config = Config::study(Duration::from_ticks(60));
    let mut pool = Coordinator::new(config, RoundRobin::new(), Table::EMPTY, at(0)).unwrap();
    pool.apply(at(u64::MAX - 60), Command::Tick).unwrap();
    assert_eq!(pool.wake_at(), None);
    pool.apply(Instant::MAX, Command::Tick).unwrap();
    assert_eq!(pool.wake_at(), None);
}

#[test]
fn everything_that_runs_is_checkpointed_at_its_own_period() {
    let fair = UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
    let config = Config { checkpoint: Some(Duration::from_ticks(4)), ..config(Trigger::Demand) };
    let coordinator = Coordinator::new(config, fair, Table::EMPTY, at(0)).unwrap();
    let mut pool = Pool { coordinator, serials: [0; STATIONS] };
    pool.owner_back(0, 0);
    pool.idle(0, BANK[0]);
    pool.idle(0, BANK[1]);
    let (job, _) = pool.submit(1, 0);
    let asked = [Effect::Checkpoint { node: BANK[1], run: run(job, 1) }];
    assert_eq!(pool.act(4, Command::Tick), asked);
    assert_eq!(pool.coordinator.wake_at(), Some(at(8)));
    let checkpointed = Command::Checkpointed { run: run(job, 1), checkpoint: Checkpoint(7) };
    assert_eq!(pool.act(5, checkpointed), []);
    assert_eq!(pool.status(job), Status::Running { node: BANK[1] }, "it goes on");
    let lost = pool.act(6, Command::NodeLost { node: BANK[1] });
    assert_eq!(lost, [resume(6, BANK[0], run(job, 2), 0, 7)]);
}

// Preemption for fairness.

#[test]
fn a_light_user_takes_a_processor_from_a_heavy_one() {
    let (mut pool, old, new) = one_preempted();
    assert_eq!(pool.status(old), Status::Leaving { node: BANK[0], next: None });
    assert_eq!(pool.status(new), Status::Placed { node: BANK[0] });
    assert_eq!((pool.demand(0), pool.demand(1)), ((1, 0), (0, 1)));
    let checkpointed = Command::Checkpointed { run: run(old, 1), checkpoint: Checkpoint(3) };
    assert_eq!(pool.act(12, checkpointed), []);
    let vacated = pool.act(12, Command::Vacated { run: run(old, 1) });
    assert_eq!(vacated, [place(12, BANK[0], run(new, 1), 1)]);
    assert_eq!(pool.status(old), Status::Waiting);
}

#[test]
fn preempted_work_resumes_from_its_checkpoint_elsewhere() {
    let (mut pool, old, _) = one_preempted();
    pool.act(12, Command::Checkpointed { run: run(old, 1), checkpoint: Checkpoint(3) });
    pool.act(12, Command::Vacated { run: run(old, 1) });
    assert_eq!(pool.idle(13, BANK[1]), [resume(13, BANK[1], run(old, 2), 0, 3)]);
}

#[test]
fn preempted_work_resumes_at_home_when_its_owner_leaves() {
    let (mut pool, old, _) = one_preempted();
    pool.act(12, Command::Checkpointed { run: run(old, 1), checkpoint: Checkpoint(3) });
    pool.act(12, Command::Vacated { run: run(old, 1) });
    assert_eq!(pool.idle(13, NodeId(0)), [resume(13, NodeId(0), run(old, 2), 0, 3)]);
}

/// A pool with recall, in which the only job of station 0 runs on the bank's first.
fn one_away() -> (Pool, JobId) {
    run_one(Pool::with(Config { recall: true, ..config(Trigger::Demand) }))
}

#[test]
fn with_recall_a_job_comes_home_when_its_own_station_becomes_available() {
    let (mut pool, job) = one_away();
    let home = NodeId(0);
    let preempted =
        Effect::Preempt { node: BANK[0], run: run(job, 1), why: PreemptReason::Moved { to: home } };
    assert_eq!(pool.idle(5, home), [preempted]);
    assert_eq!(pool.status(job), Status::Leaving { node: BANK[0], next: Some(home) });
    assert_eq!(pool.demand(0), (0, 0));
    pool.act(6, Command::Checkpointed { run: run(job, 1), checkpoint: Checkpoint(8) });
    let vacated = pool.act(6, Command::Vacated { run: run(job, 1) });
    let resumed = Effect::Resume {
        node: home,
        run: run(job, 2),
        home: StationId(0),
        checkpoint: Checkpoint(8),
        begins: at(6),
    };
    assert_eq!(vacated, [resumed]);
}

#[test]
fn with_recall_a_job_that_waits_goes_before_one_that_runs_elsewhere() {
    let (mut pool, away) = one_away();
    let (waiting, _) = pool.submit(4, 0);
    assert_eq!(pool.idle(5, NodeId(0)), [place(5, NodeId(0), run(waiting, 1), 0)]);
    assert_eq!(pool.status(away), Status::Running { node: BANK[0] });
}

#[test]
fn without_recall_a_job_stays_where_it_runs() {
    let (mut pool, job) = one_running();
    assert_eq!(pool.idle(5, NodeId(0)), []);
    assert_eq!(pool.status(job), Status::Running { node: BANK[0] });
}

#[test]
fn a_job_that_is_still_leaving_starts_at_its_new_place_only_when_it_has_left() {
    let (mut pool, old, new) = one_preempted();
    assert_eq!(
        pool.idle(12, NodeId(0)),
        [Effect::Preempt {
            node: BANK[0],
            run: run(old, 1),
            why: PreemptReason::Fairness { to: StationId(1) },
        }]
    );
    let next = Some(NodeId(0));
    assert_eq!(pool.status(old), Status::Leaving { node: BANK[0], next });
    let vacated = pool.act(13, Command::Vacated { run: run(old, 1) });
    let both = [place(13, BANK[0], run(new, 1), 1), place(13, NodeId(0), run(old, 2), 0)];
    assert_eq!(vacated, both);
}

#[test]
fn a_job_that_ends_while_it_should_leave_makes_room_just_so() {
    let (mut pool, old, new) = one_preempted();
    let finished = pool.act(12, Command::Finished { run: run(old, 1) });
    assert_eq!(finished, [place(12, BANK[0], run(new, 1), 1)]);
    assert_eq!(pool.coordinator.status(old), Err(Misuse::Job(handle::Misuse::Stale)));
    assert_eq!(pool.demand(0), (0, 0));
}

#[test]
fn a_place_kept_for_a_job_that_ended_elsewhere_becomes_free() {
    let (mut pool, old, _) = one_preempted();
    pool.idle(12, NodeId(0));
    pool.act(13, Command::Finished { run: run(old, 1) });
    let (next, effects) = pool.submit(14, 0);
    assert_eq!(effects, [place(14, NodeId(0), run(next, 1), 0)]);
}

#[test]
fn a_run_that_was_never_told_to_its_host_is_taken_back_without_a_word() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.coordinator.apply(at(1), Command::NodeIdle { node: NodeId(2) }).unwrap();
    let submit = Command::Submit { home: StationId(0), serial: 1 };
    let job = pool.coordinator.apply(at(1), submit).unwrap().unwrap();
    assert_eq!(pool.status(job), Status::Running { node: NodeId(2) });
    let back = Command::OwnerBack { station: StationId(2) };
    pool.coordinator.apply(at(2), back).unwrap();
    assert_eq!(pool.effects(), []);
    assert_eq!(pool.status(job), Status::Waiting);
    let late = Command::Finished { run: run(job, 1) };
    assert_eq!(pool.coordinator.apply(at(3), late), Err(Error::Misused(Misuse::RunOver)));
}

#[test]
fn the_processor_held_longest_is_the_one_to_yield() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.idle(0, BANK[0]);
    pool.idle(0, BANK[1]);
    let (first, _) = pool.submit(1, 0);
    let (_, effects) = pool.submit(2, 0);
    assert_eq!(effects.len(), 1);
    pool.act(10, Command::Tick);
    let (_, effects) = pool.submit(11, 1);
    let why = PreemptReason::Fairness { to: StationId(1) };
    assert_eq!(effects, [Effect::Preempt { node: BANK[1], run: run(first, 1), why }]);
}

// The owner returns.

#[test]
fn the_owners_return_is_the_local_schedulers_business_and_the_job_waits_again() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.idle(0, NodeId(2));
    let (job, effects) = pool.submit(1, 0);
    assert_eq!(effects, [place(1, NodeId(2), run(job, 1), 0)]);
    assert_eq!(pool.owner_back(5, 2), []);
    assert_eq!(pool.status(job), Status::Leaving { node: NodeId(2), next: None });
    assert_eq!(pool.demand(0), (1, 0));
    pool.act(6, Command::Checkpointed { run: run(job, 1), checkpoint: Checkpoint(0) });
    assert_eq!(pool.act(6, Command::Vacated { run: run(job, 1) }), []);
    assert_eq!(pool.status(job), Status::Waiting);
    assert_eq!(pool.idle(7, BANK[0]), [resume(7, BANK[0], run(job, 2), 0, 0)]);
}

#[test]
fn a_suspended_job_goes_on_if_the_owner_leaves_again() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.idle(0, NodeId(2));
    let (job, _) = pool.submit(1, 0);
    pool.owner_back(5, 2);
    assert_eq!(pool.act(6, Command::Continued { run: run(job, 1) }), []);
    assert_eq!(pool.status(job), Status::Running { node: NodeId(2) });
    assert_eq!(pool.demand(0), (0, 1));
    assert_eq!(pool.act(7, Command::Continued { run: run(job, 1) }), [], "known already");
}

#[test]
fn a_suspended_job_moves_as_soon_as_it_has_a_new_place() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.idle(0, NodeId(2));
    let (job, _) = pool.submit(1, 0);
    pool.owner_back(5, 2);
    let moved = Effect::Preempt {
        node: NodeId(2),
        run: run(job, 1),
        why: PreemptReason::Moved { to: BANK[0] },
    };
    assert_eq!(pool.idle(6, BANK[0]), [moved]);
    assert_eq!(pool.act(7, Command::Continued { run: run(job, 1) }), [], "it was told already");
    let vacated = pool.act(8, Command::Vacated { run: run(job, 1) });
    assert_eq!(vacated, [place(8, BANK[0], run(job, 2), 0)]);
    // And the station, whose owner left, is free.
    let (next, effects) = pool.submit(9, 0);
    assert_eq!(effects, [place(9, NodeId(2), run(next, 1), 0)]);
}

#[test]
fn a_place_kept_on_a_station_is_lost_when_the_owner_returns() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.idle(0, NodeId(2));
    let (old, _) = pool.submit(1, 0);
    pool.act(10, Command::Tick);
    let (new, effects) = pool.submit(11, 1);
    assert_eq!(effects.len(), 1);
    assert_eq!(pool.owner_back(12, 2), []);
    assert_eq!(pool.status(new), Status::Waiting);
    pool.act(13, Command::Vacated { run: run(old, 1) });
    assert_eq!((pool.demand(0), pool.demand(1)), ((1, 0), (1, 0)));
}

#[test]
fn a_job_that_gets_back_the_place_it_should_leave_stays_if_its_host_was_not_told() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.idle(0, BANK[0]);
    let (old, _) = pool.submit(1, 0);
    pool.act(10, Command::Tick);
    let submit = Command::Submit { home: StationId(1), serial: 1 };
    pool.coordinator.apply(at(11), submit).unwrap();
    // Nothing was taken yet; by the next intervals station 1 is the worse one.
    pool.coordinator.apply(at(20), Command::Tick).unwrap();
    pool.coordinator.apply(at(30), Command::Tick).unwrap();
    assert_eq!(pool.status(old), Status::Running { node: BANK[0] });
    assert_eq!(pool.effects(), []);
}

// Losses.

#[test]
fn a_job_falls_back_to_its_last_checkpoint_when_its_processor_vanishes() {
    let (mut pool, job) = one_running();
    pool.act(3, Command::Checkpointed { run: run(job, 1), checkpoint: Checkpoint(1) });
    pool.act(4, Command::Checkpointed { run: run(job, 1), checkpoint: Checkpoint(2) });
    assert_eq!(pool.act(5, Command::NodeLost { node: BANK[0] }), []);
    assert_eq!(pool.status(job), Status::Waiting);
    assert_eq!(pool.idle(6, BANK[0]), [resume(6, BANK[0], run(job, 2), 0, 2)]);
}

#[test]
fn a_job_without_checkpoint_starts_from_its_beginning() {
    let (mut pool, job) = one_running();
    pool.act(5, Command::NodeLost { node: BANK[0] });
    assert_eq!(pool.idle(6, BANK[1]), [place(6, BANK[1], run(job, 2), 0)]);
}

#[test]
fn jobs_of_a_lost_station_wait_until_it_is_back_and_those_elsewhere_go_on() {
    let (mut pool, away) = one_running();
    let (waiting, _) = pool.submit(2, 0);
    pool.act(3, Command::NodeLost { node: NodeId(0) });
    assert_eq!(pool.demand(0), (0, 1));
    assert_eq!(pool.idle(4, BANK[1]), [], "its files are out of reach");
    assert_eq!(pool.status(away), Status::Running { node: BANK[0] });
    assert_eq!(pool.owner_back(5, 0), []);
    assert_eq!(pool.demand(0), (1, 1));
    assert_eq!(pool.act(10, Command::Tick), [place(10, BANK[1], run(waiting, 1), 0)]);
}

#[test]
fn a_lost_processor_that_one_leaves_and_another_waits_for_frees_both() {
    let (mut pool, old, new) = one_preempted();
    assert_eq!(pool.act(12, Command::NodeLost { node: BANK[0] }), []);
    assert_eq!([pool.status(old), pool.status(new)], [Status::Waiting; 2]);
    let effects = pool.idle(13, BANK[1]);
    assert_eq!(effects, [place(13, BANK[1], run(new, 1), 1)]);
}

#[test]
fn a_submission_is_a_sign_of_life() {
    let fair = UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
    let fresh = Coordinator::new(config(Trigger::Demand), fair, Table::EMPTY, at(0)).unwrap();
    let mut pool = Pool { coordinator: fresh, serials: [0; STATIONS] };
    pool.idle(1, BANK[0]);
    let (job, effects) = pool.submit(2, 1);
    assert_eq!(
        effects,
        [place(2, BANK[0], run(job, 1), 1)],
        "nobody waits beside a free processor"
    );
    let (next, effects) = pool.submit(3, 1);
    assert_eq!(effects, [], "but its own processor is not offered before it says so");
    assert_eq!(pool.idle(4, NodeId(1)), [place(4, NodeId(1), run(next, 1), 1)]);
}

#[test]
fn a_submission_said_again_after_a_loss_is_no_sign_of_life() {
    let mut pool = Pool::new(Trigger::Demand);
    pool.submit(1, 0);
    pool.act(2, Command::NodeLost { node: NodeId(0) });
    let late = Command::Submit { home: StationId(0), serial: 1 };
    assert_eq!(pool.act(3, late), []);
    assert_eq!(pool.idle(4, BANK[0]), [], "its files are out of reach");
}

#[test]
fn an_effect_can_be_looked_at_before_it_is_taken() {
    let mut pool =
        Pool::with(Config { poll: Some(Duration::from_ticks(3)), ..config(Trigger::Demand) });
    assert_eq!(pool.coordinator.peek_effect(), None);
    pool.coordinator.apply(at(4), Command::NodeIdle { node: BANK[0] }).unwrap();
    pool.coordinator.apply(at(4), Command::Submit { home: StationId(0), serial: 1 }).unwrap();
    let mut seen = 0;
    while let Some(next) = pool.coordinator.peek_effect() {
        assert_eq!(pool.coordinator.peek_effect(), Some(next), "looking takes nothing");
        assert_eq!(pool.coordinator.take_effect(), Some(next));
        pool.coordinator.check_invariants().unwrap();
        seen += 1;
    }
    assert_eq!(seen, 2, "a poll and a placement");
}

/// A coordinator in a static, as on a host.
static POOL: std::sync::Mutex<Coordinator<UpDown<[ScheduleIndex; 3]>, Table>> =
    std::sync::Mutex::new(Coordinator::new_static(config_of_zeros(), Instant::ZERO));

const fn config_of_zeros() -> Config {
    let config = Config::study(Duration::from_ticks(1));
    Config { interval: Duration::ZERO, poll: None, trigger: Trigger::Demand, ..config }
}

#[test]
fn a_coordinator_can_stand_in_a_static_and_a_period_of_zero_is_a_tick_there() {
    let mut pool = POOL.lock().unwrap();
    assert_eq!(pool.wake_at(), Some(at(1)));
    pool.apply(at(1), Command::NodeIdle { node: BANK[0] }).unwrap();
    pool.apply(at(1), Command::Submit { home: StationId(0), serial: 1 }).unwrap();
    assert!(matches!(pool.take_effect(), Some(Effect::Place { .. })));
    pool.check_invariants().unwrap();
    assert_eq!(pool.wake_at(), Some(at(2)));
}

#[test]
fn ids_print_as_numbers() {
    let (_, job) = one_running();
    let printed = format!("{} {} {} {}", StationId(3), NodeId(4), job, run(job, 2));
    assert_eq!(printed, "3 4 0.1 0.1/2");
}

// Reports that are late, repeated or wrong.

#[test]
fn what_is_known_already_changes_nothing() {
    let (mut pool, _) = one_running();
    let before = pool.coordinator.demand().to_vec();
    for command in [
        Command::NodeIdle { node: BANK[0] },
        Command::OwnerBack { station: StationId(1) },
        Command::NodeLost { node: BANK[1] },
    ] {
        assert_eq!(pool.act(2, command), []);
        assert_eq!(pool.coordinator.demand(), before);
    }
}

#[test]
fn a_submission_said_twice_opens_one_job() {
    let mut pool = Pool::new(Trigger::Capacity);
    let submit = |serial| Command::Submit { home: StationId(1), serial };
    let first = pool.coordinator.apply(at(1), submit(1));
    assert_eq!(pool.coordinator.apply(at(2), submit(1)), first);
    assert_eq!(pool.demand(1), (1, 0));
    let second = pool.coordinator.apply(at(3), submit(2));
    assert_ne!(first, second);
    for serial in [0, 1, 4] {
        let refused = pool.coordinator.apply(at(3), submit(serial));
        assert_eq!(refused, Err(Error::Misused(Misuse::Serial { next: 3 })));
    }
}

#[test]
fn refused_commands_name_the_parameter_and_change_nothing() {
    let (mut pool, job) = one_running();
    pool.act(2, Command::NodeLost { node: BANK[0] });
    pool.act(2, Command::NodeIdle { node: BANK[0] });
    // Lost, it was placed again.
    assert_eq!(pool.status(job), Status::Running { node: BANK[0] });
    let (done, _) = pool.submit(2, 1);
    let submit = |home, serial| Command::Submit { home: StationId(home), serial };
    for serial in 2..6 {
        pool.act(3, submit(1, serial));
    }
    let mut other = Pool::new(Trigger::Demand);
    other.coordinator = {
        let config = Config { pool: PoolId(8), ..config(Trigger::Demand) };
        let fair = other.coordinator.fairness().clone();
        Coordinator::new(config, fair, Table::EMPTY, at(0)).unwrap()
    };
    let foreign = other.submit(1, 0).0;
    use Error::{Misused, Refused};
    let cases = [
        (1, Command::Tick, Misused(Misuse::TimeWentBack), "now"),
        (4, submit(3, 1), Misused(Misuse::NoSuchStation(StationId(3))), "station"),
        (4, submit(0, 9), Misused(Misuse::Serial { next: 2 }), "serial"),
        (4, submit(0, 2), Refused(Refusal::JobsFull), "jobs"),
        (4, Command::NodeIdle { node: NodeId(5) }, Misused(Misuse::NoSuchNode(NodeId(5))), "node"),
        (4, Command::NodeLost { node: NodeId(9) }, Misused(Misuse::NoSuchNode(NodeId(9))), "node"),
        (
            4,
            Command::OwnerBack { station: StationId(4) },
            Misused(Misuse::NoSuchStation(StationId(4))),
            "station",
        ),
        (4, Command::Vacated { run: run(job, 1) }, Misused(Misuse::RunOver), "run"),
        (4, Command::Finished { run: run(job, 3) }, Misused(Misuse::RunOver), "run"),
        (4, Command::Continued { run: run(done, 1) }, Misused(Misuse::RunOver), "run"),
        (
            4,
            Command::Finished { run: run(foreign, 1) },
            Misused(Misuse::Job(handle::Misuse::Foreign)),
            "job",
        ),
    ];
    let image = |pool: &Pool| {
        let mut words = Vec::new();
        pool.coordinator.export(|word| words.push(word));
        words
    };
    let before = image(&pool);
    for (time, command, error, parameter) in cases {
        assert_eq!(pool.coordinator.apply(at(time), command), Err(error), "{command:?}");
        assert!(error.to_string().contains(parameter), "{error}");
        assert_eq!(image(&pool), before, "{command:?}");
    }
}

#[test]
fn a_station_has_65535_jobs_at_most() {
    let most = u32::from(u16::MAX);
    let table = locox::station::Columns {
        demand: [Demand::NONE; 1],
        homes: [HomeRow::EMPTY; 1],
        nodes: [NodeRow::EMPTY; 1],
        jobs: vec![JobRow::EMPTY; most as usize + 1],
        scratch: [fair::Contender::EMPTY; 4],
    };
    let config = config(Trigger::IntervalOnly);
    let mut pool = Coordinator::new(config, RoundRobin::default(), table, at(0)).unwrap();
    let submit = |serial| Command::Submit { home: StationId(0), serial };
    for serial in 1..=most {
        pool.apply(at(0), submit(serial)).unwrap();
    }
    let full = Err(Error::Refused(Refusal::StationFull(StationId(0))));
    assert_eq!(pool.apply(at(0), submit(most + 1)), full);
    pool.apply(at(1), Command::NodeIdle { node: NodeId(0) }).unwrap();
    let Some(Effect::Place { run, .. }) = pool.take_effect() else { panic!("nothing starts") };
    pool.apply(at(2), Command::Finished { run }).unwrap();
    assert!(pool.apply(at(2), submit(most + 1)).is_ok());
    pool.check_invariants().unwrap();
}

#[test]
fn a_finished_job_is_stale_even_when_its_row_is_used_again() {
    let (mut pool, job) = one_running();
    pool.act(2, Command::Finished { run: run(job, 1) });
    let (next, _) = pool.submit(3, 0);
    assert_eq!(next.handle().index(), job.handle().index());
    let late = Command::Finished { run: run(job, 1) };
    let stale = Err(Error::Misused(Misuse::Job(handle::Misuse::Stale)));
    assert_eq!(pool.coordinator.apply(at(4), late), stale);
    assert_eq!(pool.status(next), Status::Running { node: BANK[0] });
}

// Bad parameters.

#[test]
fn a_configuration_or_storage_that_cannot_be_is_refused_by_its_name() {
    let zero = Some(Duration::ZERO);
    let good = config(Trigger::Capacity);
    let fair = || UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
    let refused = |config| Coordinator::new(config, fair(), Table::EMPTY, at(0)).err().unwrap();
    let zero_of = |parameter| Misuse::Zero { parameter };
    assert_eq!(refused(Config { interval: Duration::ZERO, ..good }), zero_of("interval"));
    assert_eq!(refused(Config { poll: zero, ..good }), zero_of("poll"));
    assert_eq!(refused(Config { checkpoint: zero, ..good }), zero_of("checkpoint"));

    let narrow = Arrays::<3, 2, 4, 4>::EMPTY;
    let error = Coordinator::new(good, fair(), narrow, at(0)).err().unwrap();
    assert_eq!(error, Misuse::Column { column: "nodes", needs: 3, has: 2 });
    assert_eq!(error.to_string(), "nodes has 2 rows and needs 3");
    let tight = Arrays::<3, 3, 4, 3>::EMPTY;
    let error = Coordinator::new(good, fair(), tight, at(0)).err().unwrap();
    assert_eq!(error, Misuse::Column { column: "scratch", needs: 4, has: 3 });
    let wide = Arrays::<4, 4, 4, 4>::EMPTY;
    let error = Coordinator::new(good, fair(), wide, at(0)).err().unwrap();
    let table = fair::Misuse::Stations { table: 3, demand: 4 };
    assert_eq!(error, Misuse::Ranking(table));
    assert!(error.to_string().starts_with("demand"));
}

#[test]
fn rows_are_as_large_as_their_documentation_says() {
    assert_eq!(size_of::<Demand>() + size_of::<HomeRow>(), 36);
    assert_eq!(size_of::<NodeRow>(), 48);
    assert_eq!(size_of::<JobRow>(), 64);
}
