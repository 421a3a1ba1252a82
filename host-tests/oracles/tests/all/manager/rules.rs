//! Rules that random histories seldom come near.

use locox::fair::DecayParams;
use locox::handle::PoolId;
use locox::time::{Duration, Instant};
use locox_coordinators::coordinate::Snapshot;
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, Key, NodeId, Places, Preemption, Ranking, Status, UserId,
};
use locox_oracles::manager::{Rows, Size};

/// Nobody has patience, a first run or protection, and nobody is told beforehand.
pub(super) const AT_ONCE: Preemption = Preemption {
    patience: Duration::ZERO,
    least_run: Duration::ZERO,
    protection: Duration::ZERO,
    notice: Duration::ZERO,
};

pub(super) const CONFIG: Config = Config {
    ranking: Ranking::Users,
    places: Places::Any,
    decay: DecayParams { half_life: Duration::from_ticks(50), quantum: Duration::from_ticks(1) },
    preempt: Some(AT_ONCE),
    pool: PoolId(5),
};

pub(super) fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(super) const fn key(id: u64) -> Key {
    Key { id, born: 0 }
}

pub(super) fn seen(id: u64, user: u32, nodes: u32, limit: u64) -> Command {
    let limit = Duration::from_ticks(limit);
    Command::Seen { key: key(id), user: UserId(user), nodes, limit, priority: 0 }
}

pub(super) fn runs(id: u64, since: u64, first: u32, nodes: u32) -> Command {
    Command::Runs { key: key(id), since: at(since), first: NodeId(first), nodes }
}

/// Says all that, and then to decide; what is to be done.
pub(super) fn decide(manager: &mut Coordinator<'_>, now: u64, facts: &[Command]) -> Vec<Effect> {
    for &fact in facts {
        manager.apply(at(now), fact).unwrap();
    }
    manager.apply(at(now), Command::Decide).unwrap();
    manager.check_invariants().unwrap();
    std::iter::from_fn(|| manager.take_effect()).collect()
}

fn status(manager: &Coordinator<'_>, id: u64) -> Option<Status> {
    manager.job(key(id)).map(|job| job.status)
}

fn nodes(manager: &Coordinator<'_>, id: u64) -> Vec<u32> {
    manager.nodes(key(id)).flat_map(|it| it.first.0..it.first.0 + it.nodes).collect()
}

const SIZE: Size = Size { jobs: 8, users: 4, nodes: 4 };

#[test]
fn a_job_that_is_to_be_stopped_counts_its_deadline_from_its_next_start_at_once() {
    let mut rows = Rows::new(SIZE);
    let mut manager = rows.manager(CONFIG);
    decide(&mut manager, 0, &[seen(1, 10, 4, 100)]);
    let by = at(90);
    decide(&mut manager, 0, &[runs(1, 0, 0, 4), Command::Deadline { key: key(1), by }]);
    decide(&mut manager, 30, &[seen(2, 20, 4, 40)]);
    assert_eq!(status(&manager, 1), Some(Status::Stopping));
    assert_eq!(manager.job(key(1)).unwrap().late, Some(at(130)));
}

#[test]
fn what_waits_for_a_job_that_may_run_for_ever_is_promised_nothing() {
    for (limit, is_promised) in [((1 << 60) - 1, true), (1 << 60, false), (u64::MAX, false)] {
        let mut rows = Rows::new(SIZE);
        let mut manager = rows.manager(CONFIG);
        decide(&mut manager, 7, &[seen(1, 10, 4, limit), seen(2, 10, 1, 5)]);
        assert_eq!(status(&manager, 1), Some(Status::Starting));
        let promise = manager.promise().map(|it| (it.key, it.from));
        assert_eq!(promise, is_promised.then_some((key(2), at(7 + limit.min(1 << 60)))));
    }
}

#[test]
fn facts_that_undo_each_other_at_one_instant_leave_the_ranking_as_it_was() {
    let [mut first, mut second] = [Rows::new(SIZE), Rows::new(SIZE)];
    let [mut calm, mut hectic] = [first.manager(CONFIG), second.manager(CONFIG)];
    let begin = [seen(1, 10, 3, 1000), seen(2, 20, 1, 1000)];
    for manager in [&mut calm, &mut hectic] {
        decide(manager, 0, &begin);
        decide(manager, 0, &[runs(1, 0, 0, 3), runs(2, 0, 3, 1)]);
    }
    for now in (3..300).step_by(7) {
        for fact in [Command::Waits { key: key(1) }, runs(1, 0, 0, 3), seen(3, 20, 1, 5)] {
            hectic.apply(at(now), fact).unwrap();
        }
        hectic.apply(at(now), Command::Left { key: key(3) }).unwrap();
        decide(&mut hectic, now, &[]);
        decide(&mut calm, now, &[]);
        assert!(hectic.users().eq(calm.users()), "at {now}");
    }
}

#[test]
fn a_job_whose_nodes_are_not_those_of_its_mesh_lends_none() {
    let config = Config { places: Places::Meshes, ..CONFIG };
    let begin = || [seen(1, 10, 3, 100), seen(2, 10, 1, 5)];
    let mut rows = Rows::new(SIZE);
    let mut manager = rows.manager(config);
    decide(&mut manager, 0, &begin()[..1]);
    let own = nodes(&manager, 1);
    let left: Vec<u32> = (0..4).filter(|node| !own.contains(node)).collect();
    decide(&mut manager, 0, &begin()[1..]);
    assert_eq!(nodes(&manager, 2), left, "what the mesh leaves over");
    for first in 0..2 {
        // On as many nodes that follow each other: on all others than this one, which is free for anybody.
        let mut rows = Rows::new(SIZE);
        let mut manager = rows.manager(config);
        decide(&mut manager, 0, &begin()[..1]);
        decide(&mut manager, 1, &[runs(1, 0, first, 3)]);
        decide(&mut manager, 2, &begin()[1..]);
        assert_eq!(nodes(&manager, 2), [3 - 3 * first]);
    }
    // On two nodes of the mesh: the two others are a subcube.
    let mut rows = Rows::new(SIZE);
    let mut manager = rows.manager(config);
    decide(&mut manager, 0, &begin()[..1]);
    decide(&mut manager, 1, &[runs(1, 0, 0, 2), seen(3, 10, 2, 5)]);
    assert_eq!(nodes(&manager, 3), [2, 3]);
}

fn out(first: u32, nodes: u32) -> Command {
    Command::NodeOut { first: NodeId(first), nodes }
}

#[test]
fn a_decision_once_more_decides_nothing() {
    let ranking = Ranking::Priority;
    let mut rows = Rows::new(Size { jobs: 12, nodes: 16, ..SIZE });
    let mut manager = rows.manager(Config { ranking, places: Places::Subcubes, ..CONFIG });
    decide(&mut manager, 0, &[seen(0, 10, 1, 6), seen(1, 10, 4, 6), seen(2, 10, 2, 13)]);
    let limit = Duration::from_ticks(50);
    let first = Command::Seen { key: key(3), user: UserId(10), nodes: 4, limit, priority: 9 };
    let long = [(4, 2, 1000), (5, 2, 1000), (6, 1, 3), (7, 1, 1000)];
    let long = long.map(|(id, nodes, limit)| seen(id, 10, nodes, limit));
    let facts = [&[out(11, 3), first], &long[..]].concat();
    // All pass the first in line: what it is promised is found anew after each start.
    let told = decide(&mut manager, 0, &facts);
    assert_eq!(told.iter().filter(|it| matches!(it, Effect::Start { .. })).count(), 4);
    assert_eq!(manager.promise().map(|it| it.key), Some(key(3)));
    assert_eq!(decide(&mut manager, 0, &[]), []);
}

#[test]
fn an_image_without_jobs_leaves_none_behind() {
    let [mut first, mut second] = [Rows::new(SIZE), Rows::new(SIZE)];
    let [mut full, empty] = [first.manager(CONFIG), second.manager(CONFIG)];
    decide(&mut full, 3, &[seen(0, 0, 2, 10)]);
    assert_eq!(full.now(), at(3));
    let mut image = vec![];
    empty.export(|word| image.push(word));
    full.load(image).unwrap();
    assert_eq!((full.job(key(0)), full.is_empty(), full.users().count()), (None, true, 0));
    assert_eq!(full.apply(at(0), seen(0, 0, 2, 10)), Ok(()));
}

#[test]
fn a_user_who_comes_after_a_reset_has_the_weight_of_one() {
    let mut rows = Rows::new(SIZE);
    let mut manager = rows.manager(CONFIG);
    let weight = |user, weight| Command::Weight { user: UserId(user), weight };
    decide(&mut manager, 1, &[weight(10, 7), seen(1, 10, 2, 10)]);
    Snapshot::reset(&mut manager, at(2));
    assert_eq!((manager.users().count(), manager.now()), (0, at(2)));
    decide(&mut manager, 2, &[seen(2, 20, 2, 10)]);
    assert_eq!(manager.users().map(|it| (it.id, it.weight)).collect::<Vec<_>>(), [(UserId(20), 1)]);
}

#[test]
fn a_coordinator_is_shown_by_its_parameters() {
    let mut rows = Rows::new(SIZE);
    let manager = rows.manager(CONFIG);
    let shown = format!("{manager:?}");
    assert!(
        shown.starts_with("Coordinator { config: Config { ranking: Users, places: Any"),
        "{shown}"
    );
    assert_eq!(manager.wake_at(), None);
}
