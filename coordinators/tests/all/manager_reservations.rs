//! Jobs for which nodes are kept.

use super::manager::{BY_PRIORITY, at, key, node_list, runs, say, seen, starts};
use super::manager_rows::{Rows, confirm};
use locox::grid::Grid;
use locox::image::BadImage;
use locox::time::Instant;
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, Job, Key, Misuse, NodeId, Places, Reason, Refusal, Status,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::collections::HashMap;

fn reserve(id: u64, from: u64) -> Command {
    Command::Reserve { key: key(id), from: at(from), by: Instant::MAX }
}

/// What is kept for a job: its nodes, from when, until when.
fn kept(manager: &Coordinator<'_>, id: u64) -> Option<(Vec<u32>, u64, u64)> {
    let rows: Vec<_> = manager.reservation(key(id)).collect();
    let first = rows.first()?;
    let mut nodes: Vec<u32> =
        rows.iter().flat_map(|it| it.nodes.first.0..it.nodes.first.0 + it.nodes.nodes).collect();
    nodes.sort_unstable();
    Some((nodes, first.from.ticks(), first.to.ticks()))
}

#[test]
fn a_job_starts_at_its_time_on_the_nodes_that_are_kept_for_it() {
    for places in [Places::Any, Places::Subcubes, Places::Meshes] {
        let mut rows = Rows::new(8, 4, 8).with_outages(4);
        let mut manager = rows.manager(Config { places, ..BY_PRIORITY });
        let facts = [seen(1, 7, 4, 5), seen(2, 7, 8, 10), reserve(2, 20)];
        // The first one has ended by then.
        assert_eq!(starts(&mut manager, 0, &facts), [1], "{places:?}");
        assert_eq!(kept(&manager, 2), Some(((0..8).collect(), 20, 30)));
        assert_eq!(manager.reason(key(2)), Ok(Some(Reason::Reserved { from: at(20) })));
        assert_eq!(manager.line().count(), 0);
        let facts = [runs(1, 0, 0, 4), seen(3, 7, 4, 20), seen(4, 7, 2, 19), seen(5, 7, 2, 100)];
        // Only one that ends by 20 starts; the others are promised the time behind.
        assert_eq!(starts(&mut manager, 1, &facts), [4]);
        assert_eq!(manager.promise().map(|it| (it.key, it.from)), Some((key(3), at(30))));
        assert_eq!(manager.reason(key(5)), Ok(Some(Reason::Planned)));
        let facts = [Command::Left { key: key(1) }, Command::Left { key: key(4) }];
        assert_eq!(starts(&mut manager, 20, &facts), [2]);
        assert_eq!((node_list(&manager, 2).len(), kept(&manager, 2)), (8, None));
        assert_eq!(starts(&mut manager, 30, &[Command::Left { key: key(2) }]), [3, 5]);
    }
}

#[test]
fn it_gets_the_earliest_place_and_a_deadline_that_cannot_be_kept_is_refused() {
    let mut rows = Rows::new(8, 4, 16).of_boxes(Grid::torus(&[4, 4]).unwrap()).with_outages(9);
    let grid = Grid::torus(&[4, 4]).unwrap();
    let mut manager = rows.manager(Config { places: Places::Boxes(grid), ..BY_PRIORITY });
    starts(&mut manager, 0, &[seen(1, 7, 8, 50), seen(2, 7, 16, 10), seen(3, 7, 4, 30)]);
    let by = |by| Command::Reserve { key: key(2), from: at(7), by: at(by) };
    let late = Err(Refusal::Late { finish: at(60) }.into());
    assert_eq!(manager.apply(at(1), by(59)), late);
    assert_eq!((manager.apply(at(1), by(60)), kept(&manager, 2).unwrap().1), (Ok(()), 50));
    // Beside the first one: a box of 16 nodes is kept from 50 on, and this ends before.
    assert_eq!(manager.apply(at(1), Command::Left { key: key(3) }), Ok(()));
    assert_eq!(manager.apply(at(1), seen(4, 7, 4, 10)), Ok(()));
    assert_eq!(manager.apply(at(1), reserve(4, 45)), Ok(()));
    assert_eq!(kept(&manager, 4).unwrap().1, 60);
    assert_eq!(manager.apply(at(1), reserve(4, 10)), Ok(()));
    let (nodes, from, _) = kept(&manager, 4).unwrap();
    assert_eq!((nodes.len(), from), (4, 10));
    let misuse = |id, command| manager.apply(at(1), command).map(|()| id);
    let mut misuse = misuse;
    assert_eq!(misuse(1, reserve(1, 9)), Err(Misuse::Runs.into()));
    assert_eq!(misuse(9, reserve(9, 9)), Err(Misuse::NoSuchJob.into()));
    assert_eq!(
        misuse(1, Command::NoReservation { key: key(1) }),
        Err(Misuse::NoReservation.into())
    );
    let mut none = Rows::new(8, 4, 8);
    let mut manager = none.manager(BY_PRIORITY);
    manager.apply(at(0), seen(1, 7, 1, 1)).unwrap();
    assert_eq!(manager.apply(at(0), reserve(1, 5)), Err(Refusal::OutagesFull.into()));
}

#[test]
fn who_cannot_have_his_nodes_gets_the_earliest_other_ones() {
    let mut rows = Rows::new(8, 4, 8).with_outages(4);
    let mut manager = rows.manager(BY_PRIORITY);
    starts(&mut manager, 0, &[seen(1, 7, 4, 10), seen(2, 7, 4, 10), reserve(2, 10)]);
    assert_eq!(kept(&manager, 2), Some(((0..4).collect(), 10, 20)));
    // A node goes out: others are free at the same time.
    let out = Command::NodeOut { first: NodeId(2), nodes: 1 };
    say(&mut manager, 1, &[runs(1, 0, 0, 4), out]);
    assert_eq!(kept(&manager, 2), Some((vec![0, 1, 3, 4], 10, 20)));
    // An outage of more nodes: not before it is over.
    let (first, from, to) = (NodeId(4), at(15), at(18));
    say(&mut manager, 2, &[Command::Outage { first, nodes: 4, from, to }]);
    assert_eq!(kept(&manager, 2), Some((vec![0, 1, 3, 4], 18, 28)));
    // The first one runs on beyond its limit: other nodes are as good.
    say(&mut manager, 18, &[]);
    assert_eq!(node_list(&manager, 2), [4, 5, 6, 7]);
}

#[test]
fn decisions_that_come_late_do_not_have_them_put_each_other_off_for_ever() {
    let mut rows = Rows::new(8, 4, 8).with_outages(4);
    let mut manager = rows.manager(BY_PRIORITY);
    let facts = [seen(1, 7, 8, 10), seen(2, 7, 8, 10), reserve(1, 10), reserve(2, 10)];
    assert_eq!(starts(&mut manager, 0, &facts), [0; 0]);
    assert_eq!(kept(&manager, 2).unwrap().1, 20);
    assert_eq!(starts(&mut manager, 15, &[]), [1]);
    assert_eq!(kept(&manager, 2).unwrap().1, 25);
    assert_eq!(starts(&mut manager, 27, &[Command::Left { key: key(1) }]), [2]);
}

#[test]
fn one_that_is_held_or_asks_for_something_else_loses_what_is_kept() {
    let mut rows = Rows::new(8, 4, 8).with_outages(4);
    let mut manager = rows.manager(BY_PRIORITY);
    let held = |held| Command::Held { key: key(1), held };
    say(&mut manager, 0, &[seen(1, 7, 8, 10), reserve(1, 10), held(true)]);
    assert!(kept(&manager, 1).is_some());
    assert_eq!(manager.reason(key(1)), Ok(Some(Reason::Held)));
    say(&mut manager, 10, &[]);
    assert_eq!(kept(&manager, 1), None);
    assert_eq!(starts(&mut manager, 11, &[held(false)]), [1]);
    let limit = locox::time::Duration::from_ticks(11);
    let changed = |priority, nodes| Command::Changed { key: key(2), nodes, limit, priority };
    say(&mut manager, 12, &[seen(2, 7, 4, 11), reserve(2, 50), changed(9, 4)]);
    assert!(kept(&manager, 2).is_some(), "only its priority has changed");
    say(&mut manager, 13, &[changed(9, 5)]);
    assert_eq!((kept(&manager, 2), manager.line().count()), (None, 1));
    say(&mut manager, 14, &[reserve(2, 50), Command::Left { key: key(2) }]);
    say(&mut manager, 15, &[seen(2, 7, 4, 11), reserve(2, 50), Command::Left { key: key(1) }]);
    let begun = say(&mut manager, 16, &[runs(2, 16, 0, 4)]);
    assert_eq!((begun, kept(&manager, 2)), (vec![], None), "somebody else began it");
}

#[test]
fn a_job_that_is_reserved_too_late_for_its_deadline_is_told_of() {
    let mut rows = Rows::new(8, 4, 8).with_outages(4);
    let mut manager = rows.manager(BY_PRIORITY);
    let due = Command::Deadline { key: key(1), by: at(25) };
    let said = say(&mut manager, 0, &[seen(1, 7, 4, 10), due, reserve(1, 16)]);
    assert_eq!(said, [Effect::Late { key: key(1), finish: at(26) }]);
    let said = say(&mut manager, 1, &[reserve(1, 15)]);
    assert_eq!(said, []);
}

#[test]
fn what_older_images_lack_is_empty() {
    for (version, outages) in Coordinator::OLDER.into_iter().zip([1, 1, 0]) {
        let mut rows = [(); 2].map(|()| Rows::new(8, 4, 8).with_outages(4));
        let [one, other] = &mut rows;
        let mut manager = one.manager(BY_PRIORITY);
        let (first, nodes, from, to) = (NodeId(6), 2, at(50), at(60));
        let outage = Command::Outage { first, nodes, from, to };
        say(&mut manager, 3, &[seen(1, 7, 4, 10), seen(2, 8, 8, 10), outage]);
        let mut words = vec![];
        manager.store_as(version, &mut |word| words.push(word));
        let (mut words, mut other) = (words.into_iter(), other.manager(BY_PRIORITY));
        let mut take = || words.next().ok_or(BadImage::TooShort);
        other.load_as(version, &mut take).unwrap();
        assert_eq!(words.next(), None, "all are taken");
        other.check_invariants().unwrap();
        assert!(other.jobs().eq(manager.jobs()) && other.users().eq(manager.users()));
        assert_eq!(other.outages().count(), outages);
        assert_eq!(node_list(&other, 1), node_list(&manager, 1));
    }
}

/// Jobs come, each third one with a time of its own, and end by their limits; how many started late.
fn all_end(seed: u64, poll: u64) -> usize {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = Rows::new(40, 4, 16).with_outages(24);
    let mut manager = rows.manager(BY_PRIORITY);
    let (mut times, mut late, mut next) = (HashMap::new(), 0, 0);
    for now in (0..).step_by(poll as usize) {
        assert!(
            now < 60_000,
            "seed {seed}, every {poll} ticks: {} jobs wait for ever",
            manager.len()
        );
        let is_over = |job: &Job| job.status == Status::Running && ends(job) <= now;
        let over: Vec<Key> = manager.jobs().filter(is_over).map(|job| job.key).collect();
        over.into_iter().for_each(|key| manager.apply(at(now), Command::Left { key }).unwrap());
        while next < 150 && manager.len() < 40 && random.random_range(0..4) > 0 {
            let (nodes, limit) = (random.random_range(1..=16), random.random_range(1..90));
            manager.apply(at(now), seen(next, 7, nodes, limit)).unwrap();
            let from = now + random.random_range(0..200);
            if next % 3 == 0 && manager.apply(at(now), reserve(next, from)).is_ok() {
                times.insert(next, kept(&manager, next).unwrap().1);
            }
            next += 1;
        }
        manager.apply(at(now), Command::Decide).unwrap();
        while let Some(effect) = manager.take_effect() {
            let Effect::Start { key, .. } = effect else { continue };
            late += usize::from(times.get(&key.id).is_some_and(|time| now >= time + poll));
            confirm(&mut manager, at(now), key);
        }
        if next == 150 && manager.is_empty() {
            break;
        }
    }
    late
}

fn ends(job: &Job) -> u64 {
    job.since.map_or(0, |since| since.saturating_add(job.limit).ticks())
}

#[test]
fn whenever_it_is_decided_all_jobs_start_and_those_with_a_time_at_that_if_it_is_then() {
    for seed in 0..20 {
        assert_eq!(all_end(seed, 1), 0, "seed {seed}");
        for poll in [3, 7, 20] {
            all_end(seed, poll);
        }
    }
}
