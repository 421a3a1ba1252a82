//! Preemption for fairness, and jobs that come home.

use super::*;

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
