//! Processors and stations that are lost.

use super::*;

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
    let fresh = Coordinator::new(config(Trigger::Demand), Table::EMPTY, fair, at(0)).unwrap();
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
