//! Where a job is placed.

use super::*;

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
