//! What becomes of a job when the owner returns.

use super::*;

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
