//! When it schedules, polls and takes checkpoints.

use super::*;

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
    let mut pool = Coordinator::new(config, Table::EMPTY, fair, at(0)).unwrap();
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
    let mut pool = Coordinator::new(config, Table::EMPTY, RoundRobin::new(), at(0)).unwrap();
    pool.apply(at(u64::MAX - 60), Command::Tick).unwrap();
    assert_eq!(pool.wake_at(), None);
    pool.apply(Instant::MAX, Command::Tick).unwrap();
    assert_eq!(pool.wake_at(), None);
}

#[test]
fn everything_that_runs_is_checkpointed_at_its_own_period() {
    let fair = UpDown::new([ScheduleIndex::ZERO; STATIONS], Condor::default());
    let config = Config { checkpoint: Some(Duration::from_ticks(4)), ..config(Trigger::Demand) };
    let coordinator = Coordinator::new(config, Table::EMPTY, fair, at(0)).unwrap();
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
