//! Room that is made for jobs, at the expense of others.

use super::manager::{BY_PRIORITY, CONFIG, at, key, range, runs, say, seen, starts, status};
use super::manager_rows::Rows;
use locox::grid::Grid;
use locox::time::Duration;
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, Key, NodeId, Places, Preemption, Reason, Status,
    StopReason, UserId,
};

const STOPS: Preemption = Preemption {
    patience: Duration::from_ticks(20),
    least_run: Duration::from_ticks(50),
    protection: Duration::from_ticks(300),
    notice: Duration::ZERO,
};

fn config(stops: Preemption) -> Config {
    Config { preempt: Some(stops), ..CONFIG }
}

fn rows(nodes: usize) -> Rows {
    Rows::new(16, 4, nodes).with_stops(Places::Any)
}

fn left(id: u64) -> Command {
    Command::Left { key: key(id) }
}

fn waits(id: u64) -> Command {
    Command::Waits { key: key(id) }
}

fn stop(id: u64, job: u64) -> Effect {
    Effect::Stop { key: key(id), why: StopReason::Turn { of: UserId(9), job: key(job) } }
}

fn stopped(said: &[Effect]) -> Vec<u64> {
    let of = |it: &Effect| if let Effect::Stop { key, .. } = it { Some(key.id) } else { None };
    said.iter().filter_map(of).collect()
}

/// User 1 has eight nodes: job 1 the first four since 0, job 2 the others since 5.
fn two_jobs(manager: &mut Coordinator<'_>) {
    let facts = [seen(1, 1, 4, 1000), seen(2, 1, 4, 1000), runs(1, 0, 0, 4), runs(2, 5, 4, 4)];
    assert!(starts(manager, 5, &facts).is_empty());
}

#[test]
fn what_a_stop_frees_is_kept_for_the_job_for_which_it_was_made() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    // Job 2 has lost less.
    assert_eq!(say(&mut manager, 200, &[seen(3, 9, 3, 900)]), [stop(2, 3)]);
    assert_eq!(status(&manager, 2), Some(Status::Stopping));
    assert_eq!(manager.reason(key(3)), Ok(Some(Reason::Room)));
    assert_eq!(manager.line().count(), 0);
    // Nobody else gets it, not even in the same decision, and it is not told twice.
    assert_eq!(stopped(&say(&mut manager, 201, &[])), [0; 0]);
    assert_eq!(starts(&mut manager, 202, &[waits(2), seen(4, 2, 4, 1)]), [3]);
    assert!(manager.nodes(key(3)).eq([range(4, 3)]));
    assert_eq!(status(&manager, 2), Some(Status::Waiting));
}

#[test]
fn a_job_that_was_stopped_is_not_stopped_again_before_it_has_run_for_long() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    assert_eq!(stopped(&say(&mut manager, 200, &[seen(3, 9, 3, 900)])), [2]);
    assert_eq!(starts(&mut manager, 201, &[waits(2)]), [3]);
    let facts = [runs(3, 201, 4, 3), left(3), runs(2, 210, 4, 4)];
    assert_eq!(stopped(&say(&mut manager, 210, &facts)), [0; 0]);
    // Job 1 would lose far more.
    assert_eq!(stopped(&say(&mut manager, 400, &[seen(4, 9, 3, 900)])), [1]);
    assert_eq!(stopped(&say(&mut manager, 401, &[left(4)])), [0; 0]);
    assert_eq!(stopped(&say(&mut manager, 510, &[seen(5, 9, 3, 900)])), [2]);
}

#[test]
fn a_job_for_which_nobody_ran_gives_no_protection() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    assert_eq!(stopped(&say(&mut manager, 200, &[seen(3, 9, 3, 900)])), [2]);
    // It is cancelled before it runs.
    assert_eq!(say(&mut manager, 201, &[waits(2), left(3), runs(2, 201, 4, 4)]), []);
    assert_eq!(stopped(&say(&mut manager, 260, &[seen(4, 9, 3, 900)])), [2]);
}

#[test]
fn who_need_not_stop_any_more_runs_on() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    for (now, fact) in [
        (200, left(3)),
        (210, Command::Held { key: key(3), held: true }),
        (215, Command::Stoppable { key: key(2), stoppable: false }),
        (220, Command::NodeOut { first: NodeId(4), nodes: 1 }),
    ] {
        let back = Command::NodeBack { first: NodeId(4), nodes: 1 };
        let may = Command::Stoppable { key: key(2), stoppable: true };
        assert_eq!(stopped(&say(&mut manager, now, &[back, may, seen(3, 9, 3, 900)])), [2]);
        manager.apply(at(now + 1), fact).unwrap();
        if now < 220 {
            assert_eq!(status(&manager, 2), Some(Status::Running));
        } else {
            // With a node less the job has still a place there, another stop later.
            assert_eq!(stopped(&say(&mut manager, now + 1, &[])), [2]);
        }
        _ = manager.apply(at(now + 2), left(3));
    }
}

#[test]
fn nobody_is_stopped_before_its_time_or_for_little() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    // Each has run for less than 50 ticks.
    assert_eq!(stopped(&say(&mut manager, 49, &[seen(3, 9, 8, 10)])), [0; 0]);
    assert_eq!(stopped(&say(&mut manager, 54, &[])), [0; 0]);
    assert_eq!(stopped(&say(&mut manager, 200, &[left(3)])), [0; 0]);
    // They end soon enough.
    assert_eq!(stopped(&say(&mut manager, 980, &[seen(4, 9, 4, 10)])), [0; 0]);
    // They must not be stopped, or have saved what they did.
    let firm = Command::Stoppable { key: key(2), stoppable: false };
    assert_eq!(stopped(&say(&mut manager, 980, &[left(4), firm])), [0; 0]);
    assert_eq!([1, 2].map(|id| manager.job(key(id)).unwrap().stoppable), [true, false]);
}

#[test]
fn nobody_is_stopped_who_loses_more_than_is_gained() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    // Three nodes, 800 ticks sooner and for 259: 777. Job 2 loses 4 * 195 = 780.
    assert_eq!(stopped(&say(&mut manager, 200, &[seen(3, 9, 3, 259)])), [0; 0]);
    assert_eq!(stopped(&say(&mut manager, 200, &[left(3), seen(4, 9, 3, 260)])), [2]);
}

#[test]
fn nodes_that_never_come_free_are_worth_any_loss() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    let facts = [seen(1, 1, 8, u64::MAX), runs(1, 0, 0, 8)];
    say(&mut manager, 0, &facts);
    assert_eq!(stopped(&say(&mut manager, 1_000_000, &[seen(3, 9, 1, 1)])), [1]);
}

#[test]
fn what_was_saved_costs_nothing() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    let saved = Command::Saved { key: key(1), at: at(190) };
    assert_eq!(stopped(&say(&mut manager, 200, &[saved, seen(3, 9, 3, 900)])), [1]);
}

#[test]
fn of_all_sets_the_least_is_stopped() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    let facts = [
        seen(1, 1, 5, 1000),
        seen(2, 1, 2, 1000),
        seen(4, 2, 1, 1000),
        runs(1, 0, 0, 5),
        runs(2, 0, 5, 2),
        runs(4, 100, 7, 1),
    ];
    say(&mut manager, 100, &facts);
    // Three nodes: of jobs 2 and 4 together, of different users, rather than of job 1.
    assert_eq!(stopped(&say(&mut manager, 200, &[seen(3, 9, 3, 900)])), [2, 4]);
    assert_eq!(starts(&mut manager, 201, &[waits(2)]), [0; 0]);
    assert_eq!(starts(&mut manager, 202, &[waits(4)]), [3]);
}

#[test]
fn a_notice_comes_before_the_stop() {
    let mut rows = rows(8);
    let mut manager =
        rows.manager(config(Preemption { notice: Duration::from_ticks(30), ..STOPS }));
    two_jobs(&mut manager);
    let why = StopReason::Turn { of: UserId(9), job: key(3) };
    let notice = Effect::Notice { key: key(2), at: at(230), why };
    assert_eq!(say(&mut manager, 200, &[seen(3, 9, 3, 900)]), [notice]);
    assert_eq!([1, 2].map(|id| manager.stop(key(id))), [None, Some((at(230), why))]);
    assert_eq!(status(&manager, 2), Some(Status::Running));
    assert_eq!(say(&mut manager, 229, &[]), []);
    manager.resync();
    assert_eq!(manager.take_effect(), Some(notice));
    assert_eq!(say(&mut manager, 230, &[]), [stop(2, 3)]);
    assert_eq!(manager.stop(key(2)), Some((at(230), why)));
    assert_eq!(starts(&mut manager, 231, &[waits(2)]), [3]);
}

#[test]
fn a_job_whose_nodes_will_be_out_before_it_would_end_gives_them_up() {
    for (limit, starts) in [(900, false), (890, true)] {
        let mut rows = rows(8).with_outages(1);
        let mut manager = rows.manager(config(STOPS));
        two_jobs(&mut manager);
        let [from, to] = [1105, 1200].map(at);
        let outage = Command::Outage { first: NodeId(0), nodes: 8, from, to };
        assert_eq!(stopped(&say(&mut manager, 200, &[outage, seen(3, 9, 3, limit)])), [2]);
        // The stop takes ten ticks.
        say(&mut manager, 210, &[]);
        assert_eq!(manager.reason(key(3)) == Ok(Some(Reason::Room)), starts);
        assert_eq!(manager.stop(key(2)).is_some(), starts);
    }
}

#[test]
fn a_notice_counts_where_an_outage_is_planned() {
    for (limit, stops) in [(880, vec![]), (870, vec![key(2)])] {
        let mut rows = rows(8).with_outages(1);
        let mut manager =
            rows.manager(config(Preemption { notice: Duration::from_ticks(30), ..STOPS }));
        two_jobs(&mut manager);
        let [from, to] = [1105, 1200].map(at);
        let outage = Command::Outage { first: NodeId(0), nodes: 8, from, to };
        say(&mut manager, 200, &[outage, seen(3, 9, 3, limit)]);
        let noticed = [1, 2].map(key).into_iter().filter(|key| manager.stop(*key).is_some());
        assert_eq!(noticed.collect::<Vec<_>>(), stops);
    }
}

#[test]
fn by_priority_a_job_stops_for_one_of_a_larger_one() {
    let mut rows = rows(8);
    let mut manager = rows.manager(Config { preempt: Some(STOPS), ..BY_PRIORITY });
    two_jobs(&mut manager);
    let with = |id, priority| {
        let (key, limit) = (key(id), Duration::from_ticks(10));
        Command::Seen { key, user: UserId(1), nodes: 3, limit, priority }
    };
    assert_eq!(stopped(&say(&mut manager, 200, &[with(3, 0)])), [0; 0]);
    let why = StopReason::Priority { of: UserId(1), job: key(4) };
    assert_eq!(say(&mut manager, 201, &[with(4, 1)])[0], Effect::Stop { key: key(2), why });
}

#[test]
fn nobody_is_stopped_for_nodes_that_are_out() {
    let mut rows = rows(8);
    let mut manager = rows.manager(config(STOPS));
    two_jobs(&mut manager);
    // Job 2 would leave two nodes.
    let out = Command::NodeOut { first: NodeId(5), nodes: 2 };
    assert_eq!(stopped(&say(&mut manager, 200, &[out, seen(3, 9, 3, 900)])), [1]);
    // Of what it leaves two go out as well, and with those of the other one there are four: both stop.
    let out = Command::NodeOut { first: NodeId(0), nodes: 2 };
    assert_eq!(stopped(&say(&mut manager, 201, &[out])), [1, 2]);
}

#[test]
fn an_image_keeps_what_is_kept() {
    let (mut one, mut other) = (rows(8), rows(8));
    let mut manager = one.manager(config(STOPS));
    two_jobs(&mut manager);
    assert_eq!(stopped(&say(&mut manager, 200, &[seen(3, 9, 3, 900)])), [2]);
    let mut image = vec![];
    manager.export(|word| image.push(word));
    let mut again = other.manager(config(STOPS));
    again.load(image.iter().copied()).unwrap();
    again.check_invariants().unwrap();
    for manager in [&mut manager, &mut again] {
        assert_eq!(starts(manager, 202, &[waits(2)]), [3]);
        assert_eq!(stopped(&say(manager, 203, &[runs(3, 202, 4, 3)])), [0; 0]);
    }
}

/// A box that two jobs are in, and one of four that costs less.
#[test]
fn on_a_torus_the_box_that_costs_least_is_freed() {
    let grid = Grid::torus(&[4, 4]).unwrap();
    let places = Places::Boxes(grid);
    let mut rows = Rows::new(16, 4, 16).of_boxes(grid).with_stops(places);
    let mut manager = rows.manager(Config { places, ..config(STOPS) });
    let of = |id: u64| Key { id, born: 0 };
    let mut facts = vec![];
    // Rows of four nodes, each begun later than the one before.
    for row in 0..4 {
        let id = u64::from(row) + 1;
        facts.extend([seen(id, 1, 4, 1000), runs(id, 10 * id, 4 * row, 4)]);
    }
    say(&mut manager, 50, &facts);
    // A square of two by two lies in two rows next to each other: the last two lose least.
    assert_eq!(stopped(&say(&mut manager, 200, &[seen(9, 9, 4, 900)])), [4]);
    let square = Command::Shape { key: of(9), sides: [2, 2, 1] };
    assert_eq!(stopped(&say(&mut manager, 201, &[square])), [3, 4]);
    assert_eq!(starts(&mut manager, 202, &[waits(4), waits(3)]), [9, 3]);
}
