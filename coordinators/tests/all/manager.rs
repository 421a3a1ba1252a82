//! The coordinator for resource managers: the rules, one by one.

use crate::manager_rows::Rows;
use locox::cube::{Dim, Node, Subcube};
use locox::fair::DecayParams;
use locox::grid::Grid;
use locox::handle::PoolId;
use locox::mesh::{Embedding, Shape};
use locox::reserve::{Interval, Limits, Profile};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, Key, Misuse, NodeId, NodeRange, Places, Promise, Ranking,
    Reason, Refusal, Status, Tree, UserId,
};

pub(crate) const CONFIG: Config = Config {
    ranking: Ranking::Users,
    places: Places::Any,
    decay: DecayParams { half_life: Duration::from_ticks(1000), quantum: Duration::from_ticks(10) },
    preempt: None,
    pool: PoolId(3),
};

pub(crate) const BY_PRIORITY: Config = Config { ranking: Ranking::Priority, ..CONFIG };

pub(crate) fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

pub(crate) const fn key(id: u64) -> Key {
    Key { id, born: 0 }
}

pub(crate) fn seen(id: u64, user: u32, nodes: u32, limit: u64) -> Command {
    let limit = Duration::from_ticks(limit);
    Command::Seen { key: key(id), user: UserId(user), nodes, limit, priority: 0 }
}

pub(crate) fn runs(id: u64, since: u64, first: u32, nodes: u32) -> Command {
    Command::Runs { key: key(id), since: at(since), first: NodeId(first), nodes }
}

pub(crate) fn range(first: u32, nodes: u32) -> NodeRange {
    NodeRange { first: NodeId(first), nodes }
}

/// Tells facts, decides, and returns what is said.
pub(crate) fn say(manager: &mut Coordinator<'_>, now: u64, facts: &[Command]) -> Vec<Effect> {
    for &fact in facts {
        manager.apply(at(now), fact).unwrap();
        manager.check_invariants().unwrap();
    }
    manager.apply(at(now), Command::Decide).unwrap();
    manager.check_invariants().unwrap();
    std::iter::from_fn(|| manager.take_effect()).collect()
}

pub(crate) fn starts(manager: &mut Coordinator<'_>, now: u64, facts: &[Command]) -> Vec<u64> {
    let said = say(manager, now, facts).into_iter();
    let started = said.filter_map(|it| match it {
        Effect::Start { key, .. } => Some(key.id),
        _ => None,
    });
    started.collect()
}

pub(crate) fn status(manager: &Coordinator<'_>, id: u64) -> Option<Status> {
    manager.job(key(id)).map(|job| job.status)
}

fn nodes(manager: &Coordinator<'_>, id: u64) -> Vec<NodeRange> {
    manager.nodes(key(id)).collect()
}

#[test]
fn a_job_that_somebody_else_began_is_adopted_where_it_runs() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(CONFIG);
    let facts = [seen(1, 7, 3, 100), runs(1, 0, 4, 3), seen(2, 8, 5, 10), seen(3, 8, 6, 10)];
    assert_eq!(starts(&mut manager, 50, &facts), [2]);
    assert_eq!(nodes(&manager, 2), [range(0, 4), range(7, 1)]);
    assert_eq!(status(&manager, 1), Some(Status::Running));
    // Job 1 is to end at 100: with job 2 gone at 60 there are 5 nodes, with job 1 gone as well 8.
    let promise = Promise { key: key(3), from: at(100), to: at(110) };
    assert_eq!(manager.promise(), Some(promise));
}

#[test]
fn a_job_that_has_moved_leaves_its_nodes_to_others() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(CONFIG);
    assert_eq!(starts(&mut manager, 0, &[seen(1, 7, 3, 100)]), [1]);
    assert_eq!(nodes(&manager, 1), [range(0, 3)]);
    let also = Command::RunsAlso { key: key(1), first: NodeId(7), nodes: 1 };
    assert_eq!(starts(&mut manager, 5, &[runs(1, 3, 4, 2), also, seen(2, 7, 4, 10)]), [2]);
    assert_eq!(nodes(&manager, 1), [range(4, 2), range(7, 1)]);
    assert_eq!(nodes(&manager, 2), [range(0, 4)]);
    let job = manager.job(key(1)).unwrap();
    assert_eq!((job.since, job.attempt), (Some(at(3)), 1));
}

#[test]
fn a_job_on_more_nodes_than_it_asked_for_waits_for_as_many_as_it_asked_for() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(CONFIG);
    let facts = [seen(1, 7, 2, 100), runs(1, 0, 0, 8), seen(2, 7, 1, 10)];
    assert!(starts(&mut manager, 0, &facts).is_empty());
    assert_eq!(starts(&mut manager, 1, &[Command::Waits { key: key(1) }]), [1, 2]);
    assert_eq!(nodes(&manager, 1), [range(0, 2)]);
    assert_eq!(manager.job(key(1)).unwrap().attempt, 2);
}

#[test]
fn a_node_that_goes_out_below_a_started_job_has_it_wait_again_and_a_running_one_run_on() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(CONFIG);
    assert_eq!(starts(&mut manager, 0, &[seen(1, 7, 4, 100), seen(2, 7, 4, 100)]), [1, 2]);
    let out = |first| Command::NodeOut { first: NodeId(first), nodes: 1 };
    manager.apply(at(1), runs(1, 0, 0, 4)).unwrap();
    assert!(starts(&mut manager, 1, &[out(0), out(5)]).is_empty());
    assert_eq!(status(&manager, 1), Some(Status::Running));
    assert_eq!(status(&manager, 2), Some(Status::Waiting));
    assert_eq!(manager.reason(key(2)), Ok(Some(Reason::TooFewFree { free: 3 })));
    // When job 1 has left, six nodes serve, as they do now.
    let left = Command::Left { key: key(1) };
    assert_eq!(starts(&mut manager, 2, &[left]), [2]);
    assert_eq!(nodes(&manager, 2), [range(1, 4)]);
    assert_eq!(manager.free(), 2);
    let back = Command::NodeBack { first: NodeId(0), nodes: 8 };
    manager.apply(at(3), back).unwrap();
    assert_eq!(manager.free(), 4);
}

#[test]
fn a_job_of_all_nodes_waits_while_one_is_out_and_stops_nobody() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(BY_PRIORITY);
    let out = Command::NodeOut { first: NodeId(3), nodes: 1 };
    let facts = [out, seen(1, 7, 8, 10), seen(2, 7, 7, 10)];
    assert_eq!(starts(&mut manager, 0, &facts), [2]);
    assert_eq!(manager.reason(key(1)), Ok(Some(Reason::Outage { serving: 7 })));
    let back = Command::NodeBack { first: NodeId(3), nodes: 1 };
    let promise = Effect::Promise { key: key(1), from: at(10), to: at(20) };
    assert_eq!(say(&mut manager, 1, &[back]), [promise]);
    assert_eq!(say(&mut manager, 2, &[]), [], "what was promised is not told again");
}

/// When a job starts, as its promise, an estimate and a deadline that it misses say alike.
fn foreseen(manager: &mut Coordinator<'_>, now: u64, id: u64) -> Option<Interval> {
    manager.apply(at(now), Command::Deadline { key: key(id), by: at(1) }).unwrap();
    say(manager, now, &[]);
    let late = manager.job(key(id)).and_then(|job| job.late);
    let limits = Limits { pes: manager.size(), reservations: 8 };
    let mut scratch =
        Profile::new(PoolId(0), limits, vec![0; Profile::words(limits)]).expect("it is small");
    let placed = manager.estimate(key(id), &mut scratch).unwrap();
    assert_eq!(placed.map(|at| at.end), late);
    let promise = manager.promise().filter(|it| it.key == key(id));
    assert_eq!(promise.map(|it| Interval { start: it.from, end: it.to }), placed);
    placed
}

#[test]
fn a_node_that_goes_out_below_a_running_job_does_not_come_free_when_that_ends() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(BY_PRIORITY);
    assert_eq!(starts(&mut manager, 0, &[seen(1, 7, 8, 1000), runs(1, 0, 0, 8)]), [0; 0]);
    let out = |first, nodes| Command::NodeOut { first: NodeId(first), nodes };
    let back = |first, nodes| Command::NodeBack { first: NodeId(first), nodes };
    assert_eq!(say(&mut manager, 10, &[out(7, 1)]), []);
    assert_eq!(say(&mut manager, 20, &[seen(2, 7, 8, 50)]), []);
    assert_eq!(manager.reason(key(2)), Ok(Some(Reason::Outage { serving: 7 })));
    assert_eq!(foreseen(&mut manager, 20, 2), None);
    manager.apply(at(30), back(0, 8)).unwrap();
    let placed = Interval { start: at(1000), end: at(1050) };
    assert_eq!(foreseen(&mut manager, 30, 2), Some(placed));
    // All that the job runs on goes out, is told twice, and comes back one by one.
    assert_eq!(say(&mut manager, 40, &[out(0, 8), out(2, 2)]), []);
    assert_eq!(foreseen(&mut manager, 40, 2), None);
    let facts: Vec<_> = (0..8).map(|node| back(node, 1)).collect();
    facts.into_iter().for_each(|fact| manager.apply(at(41), fact).unwrap());
    assert_eq!(foreseen(&mut manager, 41, 2), Some(placed));
    // One that waits again leaves what is out behind.
    assert_eq!(say(&mut manager, 42, &[out(0, 8), Command::Waits { key: key(1) }]), []);
    assert_eq!(starts(&mut manager, 43, &[back(0, 8)]), [1]);
}

#[test]
fn no_long_job_passes_the_first_in_line_on_nodes_that_will_not_come_free() {
    let mut rows = Rows::new(8, 4, 4);
    let mut manager = rows.manager(BY_PRIORITY);
    let facts = [seen(1, 7, 2, 1000), seen(4, 7, 1, 3000), runs(1, 0, 0, 2), runs(4, 0, 2, 1)];
    assert_eq!(starts(&mut manager, 0, &facts), [0; 0]);
    let out = Command::NodeOut { first: NodeId(0), nodes: 1 };
    let facts = [out, seen(2, 7, 3, 10), seen(3, 7, 1, 1_000_000)];
    assert_eq!(starts(&mut manager, 5, &facts), [0; 0]);
    // Node 1 is free at 1,000, and node 2 at 3,000.
    let promise = Promise { key: key(2), from: at(3000), to: at(3010) };
    assert_eq!(manager.promise(), Some(promise));
    let short =
        Command::Changed { key: key(3), nodes: 1, limit: Duration::from_ticks(2995), priority: 0 };
    assert_eq!(starts(&mut manager, 5, &[short]), [3]);
}

#[test]
fn a_number_that_is_used_again_is_another_job() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(CONFIG);
    assert_eq!(starts(&mut manager, 0, &[seen(1, 7, 8, 100)]), [1]);
    let (user, limit) = (UserId(8), Duration::from_ticks(5));
    let again = Key { id: 1, born: 77 };
    let other = Command::Seen { key: again, user, nodes: 2, limit, priority: 0 };
    assert!(starts(&mut manager, 1, &[other]).is_empty());
    assert_eq!(starts(&mut manager, 2, &[Command::Left { key: key(1) }]), [1]);
    assert_eq!(manager.job(again).map(|job| job.status), Some(Status::Starting));
    assert_eq!(manager.job(key(1)), None);
    assert_eq!(manager.apply(at(2), Command::Waits { key: key(1) }), Err(Misuse::NoSuchJob.into()));
}

#[test]
fn a_job_that_is_held_keeps_its_place_and_stands_in_nobodys_way() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(BY_PRIORITY);
    let held = |id, held| Command::Held { key: key(id), held };
    let facts =
        [seen(1, 7, 8, 10), seen(2, 7, 8, 10), seen(3, 7, 8, 10), seen(4, 7, 8, 10), held(2, true)];
    assert_eq!(starts(&mut manager, 0, &facts), [1]);
    assert!(manager.line().eq([key(3), key(4)]));
    assert_eq!(manager.reason(key(2)), Ok(Some(Reason::Held)));
    assert_eq!(manager.ahead(key(2)), Ok(None));
    manager.apply(at(1), held(2, false)).unwrap();
    assert!(manager.line().eq([key(2), key(3), key(4)]));
    // One that is held before it was begun waits again.
    assert_eq!(starts(&mut manager, 2, &[held(1, true)]), [2]);
    assert_eq!(status(&manager, 1), Some(Status::Held));
    // One that is held as it runs waits, held, when it has stopped.
    let facts = [runs(2, 2, 0, 8), held(2, true)];
    assert!(starts(&mut manager, 3, &facts).is_empty());
    assert_eq!(status(&manager, 2), Some(Status::Running));
    assert_eq!(starts(&mut manager, 4, &[Command::Waits { key: key(2) }]), [3]);
    assert_eq!(status(&manager, 2), Some(Status::Held));
}

#[test]
fn ends_told_in_another_order_give_the_same_schedule() {
    let mut facts: Vec<u64> = (1..=6).collect();
    let mut schedules = vec![];
    for _ in 0..facts.len() {
        facts.rotate_left(1);
        let mut rows = Rows::new(32, 4, 12);
        let mut manager = rows.manager(CONFIG);
        let first = (1..=6).map(|id| seen(id, id as u32 % 3, 2, 100 - id));
        let first: Vec<_> = first.collect();
        let mut said = say(&mut manager, 0, &first);
        let waits = (11..=22).map(|id| seen(id, id as u32 % 4, 1 + id as u32 % 5, 30 + id));
        said.extend(say(&mut manager, 1, &waits.collect::<Vec<_>>()));
        let left: Vec<_> = facts.iter().map(|&id| Command::Left { key: key(id) }).collect();
        said.extend(say(&mut manager, 37, &left));
        let placed: Vec<_> = (11..=22).map(|id| nodes(&manager, id)).collect();
        let users: Vec<_> = manager.users().map(|user| (user.id, user.index)).collect();
        let line: Vec<_> = manager.line().collect();
        schedules.push((said, placed, users, line));
    }
    assert!(schedules.iter().all(|it| it == &schedules[0]));
}

#[test]
fn users_take_turns_by_what_they_have_had_and_by_weight() {
    let mut rows = Rows::new(64, 4, 4);
    let mut manager = rows.manager(CONFIG);
    let weight = Command::Weight { user: UserId(2), weight: 3 };
    let of = |user: u32| (0..16).map(move |id| seen(u64::from(user) * 100 + id, user, 1, 50));
    let facts: Vec<_> = [weight].into_iter().chain(of(1)).chain(of(2)).collect();
    let started = starts(&mut manager, 0, &facts);
    let of_second = started.iter().filter(|&&id| id >= 200).count();
    assert_eq!((started.len(), of_second), (4, 3), "{started:?}");
    let users: Vec<_> = manager.users().map(|it| (it.id.0, it.nodes, it.weight)).collect();
    assert_eq!(users, [(2, 3, 3), (1, 1, 1)]);
}

/// Users 1 and 2 have had a node for 4 and for 3 ticks of the 1,000 of a half-life: less than the 1/256 by which a key of
/// 32 bits tells users apart.
#[test]
fn users_who_have_had_nearly_the_same_take_turns_all_the_same() {
    let mut rows = Rows::new(8, 4, 1);
    let mut manager = rows.manager(CONFIG);
    let begin = [seen(1, 1, 1, 9), seen(2, 2, 1, 9), seen(3, 1, 1, 9)];
    assert_eq!(starts(&mut manager, 0, &begin), [1]);
    assert_eq!(starts(&mut manager, 4, &[Command::Left { key: key(1) }]), [2]);
    let end = [Command::Left { key: key(2) }, seen(4, 2, 1, 9)];
    assert_eq!(starts(&mut manager, 7, &end), [4], "user 2 has had less");
}

#[test]
fn who_came_first_is_first_among_users_who_have_had_the_same() {
    let mut rows = Rows::new(8, 4, 4);
    let mut manager = rows.manager(CONFIG);
    let begin = [seen(1, 1, 4, 1), Command::Held { key: key(1), held: true }];
    assert_eq!(starts(&mut manager, 0, &begin), [0; 0]);
    assert_eq!(starts(&mut manager, 1, &[seen(2, 2, 4, 1), seen(3, 1, 4, 1)]), [2]);
}

#[test]
fn the_first_job_of_each_user_stands_in_front_and_others_by_priority() {
    let mut rows = Rows::new(16, 4, 1);
    let mut manager = rows.manager(CONFIG);
    let with = |id, user, priority| {
        let (key, limit) = (key(id), Duration::from_ticks(10));
        Command::Seen { key, user: UserId(user), nodes: 1, limit, priority }
    };
    let facts = [with(1, 1, 0), with(2, 1, 5), with(3, 1, 9), with(4, 2, 1), with(5, 2, 7)];
    assert_eq!(starts(&mut manager, 0, &facts), [3]);
    // User 2 has nothing; then the next one of user 1; then the others by priority.
    assert!(manager.line().eq([5, 2, 4, 1].map(key)));
    let limit = Duration::from_ticks(10);
    let changed = Command::Changed { key: key(1), nodes: 1, limit, priority: u32::MAX };
    assert!(starts(&mut manager, 1, &[changed]).is_empty());
    assert!(manager.line().eq([5, 1, 2, 4].map(key)));
}

#[test]
fn all_that_is_not_confirmed_is_told_again() {
    let mut rows = Rows::new(16, 4, 8);
    let mut manager = rows.manager(CONFIG);
    let facts = [seen(1, 1, 4, 10), seen(2, 1, 2, 10), seen(3, 1, 8, 10), seen(4, 1, 9, 10)];
    let mut said = say(&mut manager, 0, &facts);
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(said.contains(&Effect::Never { key: key(4), nodes: 8 }));
    manager.apply(at(1), runs(1, 0, 0, 4)).unwrap();
    manager.resync();
    let mut again: Vec<_> = std::iter::from_fn(|| manager.take_effect()).collect();
    said.retain(|it| !matches!(it, Effect::Start { key, .. } if key.id == 1));
    let name = |it: &Effect| it.to_string();
    said.sort_by_key(name);
    again.sort_by_key(name);
    assert_eq!(again, said);
    assert_eq!(manager.reason(key(4)), Ok(Some(Reason::TooLarge { nodes: 8 })));
}

#[test]
fn an_image_fits_more_rows_and_leads_to_the_same_answers() {
    let (mut small, mut large) = (Rows::new(8, 3, 8), Rows::new(80, 30, 8));
    let mut manager = small.manager(CONFIG);
    let facts = [seen(1, 1, 4, 10), seen(2, 2, 4, 20), seen(3, 1, 8, 10), seen(4, 1, 2, 3)];
    say(&mut manager, 3, &facts);
    let mut image = vec![];
    manager.export(|word| image.push(word));
    let mut other = large.manager(CONFIG);
    other.load(image.iter().copied()).unwrap();
    other.check_invariants().unwrap();
    for (now, id) in [(5, 1), (9, 2), (12, 3)] {
        let left = [Command::Left { key: key(id) }, seen(id + 10, 4, 3, 9)];
        if now < 12 {
            assert_eq!(say(&mut manager, now, &left), say(&mut other, now, &left));
        } else {
            // A fourth user has no row in the one.
            let said = manager.apply(at(now), seen(99, 77, 1, 1));
            assert_eq!(said, Err(Refusal::UsersFull.into()));
            other.apply(at(now), seen(99, 77, 1, 1)).unwrap();
        }
    }
    let mut rows = Rows::new(80, 30, 9);
    let mut nine = rows.manager(CONFIG);
    assert!(
        nine.load(image.iter().copied()).is_err(),
        "a machine of another size decides otherwise"
    );
}

#[test]
fn users_come_and_go() {
    let mut rows = Rows::new(8, 2, 8);
    let mut manager = rows.manager(CONFIG);
    manager.apply(at(0), seen(1, u32::MAX, 8, 100)).unwrap();
    manager.apply(at(0), Command::Weight { user: UserId(0), weight: 9 }).unwrap();
    assert_eq!(manager.apply(at(0), seen(2, 5, 1, 1)), Err(Refusal::UsersFull.into()));
    let gone = |user| Command::UserGone { user: UserId(user) };
    let has_jobs = Refusal::HasJobs { user: UserId(u32::MAX), jobs: 1 };
    assert_eq!(manager.apply(at(0), gone(u32::MAX)), Err(has_jobs.into()));
    assert_eq!(manager.apply(at(0), gone(5)), Err(Misuse::NoSuchUser.into()));
    say(&mut manager, 0, &[gone(0), seen(2, 5, 1, 1)]);
    let say_left = [Command::Left { key: key(1) }, gone(u32::MAX), seen(3, 6, 1, 1)];
    say(&mut manager, 50, &say_left);
    // Who comes in the place of another has had nothing, and weighs as anybody.
    let users: Vec<_> = manager.users().map(|it| (it.id.0, it.weight)).collect();
    assert_eq!(users, [(6, 1), (5, 1)]);
    assert_eq!(manager.users().next().map(|it| it.index), Some(0));
}

#[test]
fn a_user_whom_nothing_remembers_leaves_his_row_to_another() {
    let left = |id| Command::Left { key: key(id) };
    let mut rows = Rows::new(8, 2, 8);
    let mut manager = rows.manager(CONFIG);
    say(&mut manager, 0, &[seen(1, 1, 8, 100), seen(2, 2, 8, 100)]);
    say(&mut manager, 50, &[left(1)]);
    say(&mut manager, 60, &[left(2)]);
    // Both have had nodes, and one has waited, too: who leaves keeps what he has had, above zero or below.
    let full = Err(Refusal::UsersFull.into());
    assert_eq!(manager.apply(at(60), seen(3, 3, 1, 1)), full);
    say(&mut manager, 20_000, &[seen(4, 1, 8, 1000)]);
    say(&mut manager, 20_000, &[seen(5, 2, 8, 100)]);
    say(&mut manager, 20_400, &[left(5)]);
    let index = |manager: &Coordinator<'_>, user| {
        let of = manager.users().find(|it| it.id == UserId(user)).map(|it| (it.weight, it.index));
        of.unwrap_or_else(|| panic!("user {user} is not known"))
    };
    assert!(index(&manager, 2).1 < 0);
    assert_eq!(manager.apply(at(20_400), seen(3, 3, 1, 1)), full);
    // Fifty half-lives later nothing is left of it.
    say(&mut manager, 70_400, &[]);
    assert_eq!(index(&manager, 2), (1, -1));
    say(&mut manager, 70_400, &[seen(3, 3, 1, 1)]);
    let users = |manager: &Coordinator<'_>| manager.users().map(|it| it.id.0).collect::<Vec<_>>();
    assert_eq!(users(&manager), [1, 3]);
    assert_eq!(index(&manager, 3), (1, 0), "and who comes in his place is as new");
    // User 1 has a job, and user 3 has one: there is no row.
    assert_eq!(manager.apply(at(70_400), seen(6, 2, 1, 1)), full);
    // Neither a weight nor a job of this instant is forgotten.
    let weight = |weight| Command::Weight { user: UserId(3), weight };
    say(&mut manager, 70_400, &[left(3), weight(2)]);
    say(&mut manager, 120_400, &[]);
    assert_eq!(index(&manager, 3), (2, 0));
    assert_eq!(manager.apply(at(120_400), seen(6, 2, 1, 1)), full);
    say(&mut manager, 120_400, &[weight(1), seen(6, 2, 1, 1)]);
    assert_eq!(users(&manager), [1, 2]);
}

#[test]
fn the_largest_numbers_that_can_be_told_are_taken_or_refused() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(CONFIG);
    let most = Key { id: u64::MAX, born: u32::MAX };
    let (user, limit, priority) = (UserId(u32::MAX), Duration::MAX, u32::MAX);
    let largest = Command::Seen { key: most, user, nodes: u32::MAX, limit, priority };
    assert_eq!(say(&mut manager, 0, &[largest]), [Effect::Never { key: most, nodes: 8 }]);
    let changed = Command::Changed { key: most, nodes: 8, limit, priority };
    let latest = locox_coordinators::manager::LATEST.ticks();
    assert_eq!(say(&mut manager, latest, &[changed]), [Effect::Start { key: most, nodes: 8 }]);
    let since = Instant::MAX;
    let runs = Command::Runs { key: most, since, first: NodeId(0), nodes: 8 };
    assert_eq!(say(&mut manager, latest, &[runs, seen(1, 0, 8, u64::MAX)]), [], "no promise");
    assert_eq!(manager.job(most).unwrap().since, Some(at(latest)));
    let too_late = manager.apply(at(latest + 1), Command::Decide);
    assert_eq!(too_late, Err(Misuse::TimeTooLate.into()));
    for (first, nodes, misuse) in [
        (u32::MAX, u32::MAX, Misuse::NoSuchNode(NodeId(u32::MAX))),
        (8, 1, Misuse::NoSuchNode(NodeId(8))),
        (0, 9, Misuse::NoSuchNode(NodeId(8))),
        (0, 0, Misuse::NoNodes),
    ] {
        let first = NodeId(first);
        for command in [
            Command::NodeOut { first, nodes },
            Command::NodeBack { first, nodes },
            Command::Runs { key: key(1), since, first, nodes },
            Command::RunsAlso { key: most, first, nodes },
        ] {
            assert_eq!(manager.apply(at(latest), command), Err(misuse.into()));
        }
    }
    let taken = Refusal::Taken { node: NodeId(2), by: most };
    let on_taken = Command::Runs { key: key(1), since, first: NodeId(2), nodes: 1 };
    assert_eq!(manager.apply(at(latest), on_taken), Err(taken.into()));
    manager.check_invariants().unwrap();
}

#[test]
fn an_estimate_is_when_a_job_starts_if_nobody_ends_early() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(BY_PRIORITY);
    let facts = [seen(1, 1, 6, 10), seen(2, 1, 8, 10), seen(3, 1, 4, 100), seen(4, 1, 2, 5)];
    assert_eq!(starts(&mut manager, 0, &facts), [1, 4]);
    let limits = Limits { pes: 8, reservations: 8 };
    let mut scratch = Profile::new(PoolId(9), limits, vec![0; Profile::words(limits)]).unwrap();
    let mut ask = |manager: &Coordinator<'_>, id| manager.estimate(key(id), &mut scratch).unwrap();
    let interval = |start, end| Some(Interval { start: at(start), end: at(end) });
    assert_eq!(ask(&manager, 1), interval(0, 10));
    assert_eq!(ask(&manager, 2), interval(10, 20));
    assert_eq!(ask(&manager, 3), interval(20, 120));
    // Of a job that nobody has submitted: on a copy.
    let mut copy_rows = Rows::new(8, 4, 8);
    let mut copy = copy_rows.manager(BY_PRIORITY);
    let mut image = vec![];
    manager.export(|word| image.push(word));
    copy.load(image).unwrap();
    copy.apply(at(1), seen(5, 9, 4, 7)).unwrap();
    assert_eq!(ask(&copy, 5), interval(20, 27));
    assert_eq!(manager.job(key(5)), None);
}

const IN_CUBES: Config = Config { places: Places::Subcubes, ..BY_PRIORITY };

pub(crate) fn node_list(manager: &Coordinator<'_>, id: u64) -> Vec<u32> {
    nodes(manager, id).iter().flat_map(|it| it.first.0..it.first.0 + it.nodes).collect()
}

#[test]
fn a_job_gets_the_next_larger_subcube_and_one_that_runs_elsewhere_what_it_has() {
    let mut rows = Rows::new(8, 4, 16);
    let mut manager = rows.manager(IN_CUBES);
    // Nodes 1, 2 and 4 are no subcube.
    let also =
        [2, 4].map(|first| Command::RunsAlso { key: key(1), first: NodeId(first), nodes: 1 });
    let facts = [seen(1, 7, 3, 100), runs(1, 0, 1, 1), also[0], also[1], seen(2, 7, 5, 10)];
    assert_eq!(starts(&mut manager, 0, &facts), [2]);
    // Nodes 8 to 15: the other subcubes of 8 nodes have one of those three.
    assert_eq!(node_list(&manager, 2), (8..16).collect::<Vec<_>>());
    assert_eq!(node_list(&manager, 1), [1, 2, 4]);
    // 0, 3, 5, 6, 7 are left: pairs, and no square.
    assert_eq!(starts(&mut manager, 1, &[seen(3, 7, 3, 10), seen(4, 7, 2, 10)]), [4]);
    assert_eq!(manager.reason(key(3)), Ok(Some(Reason::TooFewFree { free: 3 })));
    assert_eq!(starts(&mut manager, 2, &[Command::Left { key: key(4) }]), [0; 0]);
    assert_eq!(manager.reason(key(3)), Ok(Some(Reason::Fragmented { largest: 2 })));
}

#[test]
fn the_first_in_line_is_promised_a_subcube_and_others_leave_it_alone() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(IN_CUBES);
    // Opposite corners: every square has one of them.
    let facts = [seen(1, 7, 1, 100), runs(1, 0, 0, 1), seen(2, 7, 1, 30), runs(2, 0, 7, 1)];
    assert_eq!(starts(&mut manager, 0, &facts), [0; 0]);
    // A square is free at 30, when node 7 is. Six nodes are free now.
    let facts = [seen(3, 7, 4, 50), seen(4, 7, 1, 31), seen(5, 7, 1, 31), seen(6, 7, 1, 30)];
    let (from, to) = (at(30), at(80));
    let said = say(&mut manager, 0, &facts);
    assert_eq!(said.last(), Some(&Effect::Promise { key: key(3), from, to }));
    // Three of the six are in that square: two of the jobs that end later get others, the short one any.
    assert_eq!([4, 5, 6].map(|id| status(&manager, id)), [Some(Status::Starting); 3]);
    assert_eq!(starts(&mut manager, 0, &[seen(7, 7, 2, 31), seen(8, 7, 1, 30)]), [8]);
    assert!(matches!(
        manager.reason(key(7)),
        Ok(Some(Reason::WouldDelay { .. } | Reason::Fragmented { .. }))
    ));
    let left = [2, 6, 8].map(|id| Command::Left { key: key(id) });
    assert_eq!(starts(&mut manager, 30, &left), [3]);
}

#[test]
fn what_no_subcube_in_service_can_hold_waits_and_stops_nobody() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(IN_CUBES);
    let out = [0, 7].map(|first| Command::NodeOut { first: NodeId(first), nodes: 1 });
    let facts = [out[0], out[1], seen(1, 7, 4, 10), seen(2, 7, 9, 10), seen(3, 7, 2, 10)];
    let said = say(&mut manager, 0, &facts);
    assert_eq!(
        said,
        [Effect::Never { key: key(2), nodes: 8 }, Effect::Start { key: key(3), nodes: 2 }]
    );
    assert_eq!(manager.reason(key(1)), Ok(Some(Reason::Divided { largest: 2 })));
    let back = Command::NodeBack { first: NodeId(7), nodes: 1 };
    assert_eq!(starts(&mut manager, 1, &[back]), [1]);
    let mut rows = Rows::new(1, 1, 12);
    let columns = rows.columns();
    let refused = Coordinator::new(IN_CUBES, columns, Instant::ZERO).err();
    assert_eq!(refused, Some(Misuse::NoCube { nodes: 12 }));
}

#[test]
fn a_job_gets_a_box_and_the_first_in_line_another_one_where_that_lets_others_start() {
    let grid = Grid::torus(&[4, 4]).unwrap();
    let mut rows = Rows::new(8, 4, 16).of_boxes(grid);
    let mut manager = rows.manager(Config { places: Places::Boxes(grid), ..BY_PRIORITY });
    // Seven nodes are no box: it gets 2x4. No box of the machine has 17 nodes.
    let facts = [seen(1, 7, 7, 20), seen(2, 7, 17, 5)];
    let never = Effect::Never { key: key(2), nodes: 16 };
    let start = Effect::Start { key: key(1), nodes: 8 };
    assert_eq!(say(&mut manager, 0, &facts), [never, start]);
    assert_eq!(manager.job(key(1)).unwrap().needs, 8);
    // Half of the machine is free: a square starts, and one of nine nodes waits for both.
    assert_eq!(starts(&mut manager, 1, &[seen(3, 7, 4, 9), seen(4, 7, 9, 9)]), [3]);
    let (from, to) = (at(20), at(29));
    assert_eq!(manager.promise(), Some(Promise { key: key(4), from, to }));
    assert_eq!(manager.reason(key(4)), Ok(Some(Reason::TooFewFree { free: 4 })));
    // A column of four may run for ever: the square of nine has other places on the torus.
    assert_eq!(starts(&mut manager, 2, &[seen(5, 7, 4, 900)]), [5]);
    assert_eq!(manager.promise(), Some(Promise { key: key(4), from, to }));
    let left = [1, 3].map(|id| Command::Left { key: key(id) });
    assert_eq!(starts(&mut manager, 20, &left), [4]);
    // Nodes of no side in common.
    let grid = Grid::mesh(&[2, 2]).unwrap();
    let mut rows = Rows::new(8, 4, 4).of_boxes(grid);
    let mut manager = rows.manager(Config { places: Places::Boxes(grid), ..BY_PRIORITY });
    let out = [1, 2].map(|first| Command::NodeOut { first: NodeId(first), nodes: 1 });
    assert_eq!(starts(&mut manager, 0, &[out[0], out[1], seen(1, 7, 2, 9)]), [0; 0]);
    assert_eq!(manager.reason(key(1)), Ok(Some(Reason::NoPlace)));
    // A shape that the machine does not have says nothing.
    let shape = Command::Shape { key: key(2), sides: [3, 1, 1] };
    say(&mut manager, 1, &[seen(2, 7, 3, 9), shape]);
    assert_eq!(manager.job(key(2)).unwrap().needs, 4);
    let other = Grid::torus(&[2, 4]).unwrap();
    let config = Config { places: Places::Boxes(other), ..BY_PRIORITY };
    let refused = Coordinator::new(config, rows.columns(), Instant::ZERO).err();
    assert_eq!(refused, Some(Misuse::OtherNodes { nodes: 4 }));
}

#[test]
fn a_job_may_start_where_a_smaller_one_would_leave_the_first_in_line_no_place() {
    let grid = Grid::mesh(&[8, 2]).unwrap();
    let mut rows = Rows::new(8, 4, 16).of_boxes(grid);
    let mut manager = rows.manager(Config { places: Places::Boxes(grid), ..BY_PRIORITY });
    let mut facts =
        vec![seen(1, 7, 12, 10), runs(1, 0, 0, 1), seen(2, 7, 1, 1000), runs(2, 0, 6, 1)];
    let also = [2, 3, 4, 5, 7, 8, 10, 12, 13, 14, 15];
    facts.extend(also.map(|at| Command::RunsAlso { key: key(1), first: NodeId(at), nodes: 1 }));
    facts.extend([seen(3, 7, 8, 100), seen(4, 7, 1, 100), seen(5, 7, 2, 100)]);
    // Nodes 1, 9 and 11 are free. The place of one node that is tried would leave eight nodes together none.
    assert_eq!(starts(&mut manager, 0, &facts), [5]);
    assert_eq!(node_list(&manager, 5), [1, 9]);
    let (from, to) = (at(10), at(110));
    assert_eq!(manager.promise(), Some(Promise { key: key(3), from, to }));
    assert_eq!(manager.reason(key(4)), Ok(Some(Reason::WouldDelay { first: key(3) })));
}

#[test]
fn a_job_gets_nodes_of_one_rack_if_one_has_room_else_of_one_block() {
    let levels: &[&[u32]] = &[&[0, 4, 8, 12], &[0, 8]];
    let mut rows = Rows::new(8, 4, 16);
    let config = Config { places: Places::Tree, ..BY_PRIORITY };
    let tree = Tree::new(16, levels).unwrap();
    let mut manager = Coordinator::in_tree(config, tree, rows.columns(), Instant::ZERO).unwrap();
    let facts = [seen(1, 7, 3, 20), seen(2, 7, 3, 20), seen(3, 7, 6, 20)];
    assert_eq!(starts(&mut manager, 0, &facts), [1, 2, 3]);
    assert_eq!(node_list(&manager, 1), [0, 1, 2]);
    assert_eq!(node_list(&manager, 2), [4, 5, 6]);
    // A block of its own, and not one node here and the others there.
    assert_eq!(node_list(&manager, 3), (8..14).collect::<Vec<_>>());
    let mut rows = Rows::new(8, 4, 16);
    let refused = Coordinator::new(config, rows.columns(), Instant::ZERO).err();
    assert_eq!(refused, Some(Misuse::NoTree));
}

#[test]
fn nobody_starts_who_would_run_into_an_outage_and_promises_keep_clear_of_it() {
    for places in [Places::Any, Places::Subcubes] {
        let mut rows = Rows::new(8, 4, 8).with_outages(2);
        let mut manager = rows.manager(Config { places, ..BY_PRIORITY });
        let (first, nodes, from, to) = (NodeId(0), 4, at(10), at(20));
        let outage = Command::Outage { first, nodes, from, to };
        // Four nodes are free for longer than that, and all of them for 10 ticks.
        let facts = [outage, outage, seen(1, 7, 4, 100), seen(2, 7, 4, 11), seen(3, 7, 2, 10)];
        assert_eq!(starts(&mut manager, 0, &facts), [1, 3], "{places:?}");
        assert_eq!(node_list(&manager, 1), [4, 5, 6, 7]);
        assert_eq!(manager.outages().count(), 1);
        let (from, to) = (at(20), at(31));
        assert_eq!(manager.promise(), Some(Promise { key: key(2), from, to }));
        assert_eq!(manager.reason(key(2)), Ok(Some(Reason::TooFewFree { free: 2 })));
        let facts = [Command::Left { key: key(3) }];
        assert_eq!(starts(&mut manager, 1, &facts), [0; 0]);
        assert_eq!(manager.reason(key(2)), Ok(Some(Reason::Planned)));
        // It does not take place.
        let (from, to) = (at(10), at(20));
        let not = Command::NoOutage { first, nodes, from, to };
        assert_eq!(starts(&mut manager, 2, &[not]), [2]);
        let again = manager.apply(at(2), not);
        assert_eq!(again, Err(Misuse::NoSuchOutage.into()));
        // What is over is forgotten, and there is room for two.
        let other = |from, to| Command::Outage { first, nodes, from: at(from), to: at(to) };
        for (from, to, answer) in [
            (0, 1, Ok(())),
            (5, 6, Ok(())),
            (7, 9, Ok(())),
            (8, 9, Err(Refusal::OutagesFull.into())),
            (9, 9, Err(Misuse::NoTime.into())),
        ] {
            assert_eq!(manager.apply(at(3), other(from, to)), answer);
        }
        say(&mut manager, 6, &[]);
        assert_eq!(manager.outages().count(), 1);
    }
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(BY_PRIORITY);
    let (first, nodes, from, to) = (NodeId(0), 4, at(10), at(20));
    let outage = Command::Outage { first, nodes, from, to };
    assert_eq!(manager.apply(at(0), outage), Err(Refusal::OutagesFull.into()));
}

const IN_MESHES: Config = Config { places: Places::Meshes, ..BY_PRIORITY };

fn shape(id: u64, sides: [u32; 3]) -> Command {
    Command::Shape { key: key(id), sides }
}

#[test]
fn what_a_mesh_leaves_over_is_lent_part_by_part() {
    let mut rows = Rows::new(8, 4, 16);
    let mut manager = rows.manager(IN_MESHES);
    // Nearest to a square: 3x3, in all of the cube. It leaves over 4, 2 and 1 nodes.
    let facts = [seen(1, 7, 9, 100), seen(2, 7, 4, 50), seen(3, 7, 4, 50), seen(4, 7, 2, 50)];
    assert_eq!(starts(&mut manager, 0, &facts), [1, 2, 4]);
    let mesh = node_list(&manager, 1);
    let whole =
        Embedding::new(Subcube::whole(Dim::new(4).unwrap()), Shape::rectangle(3, 3).unwrap());
    let whole = whole.unwrap();
    assert!(mesh.len() == 9 && mesh.iter().all(|node| whole.contains(Node(*node))));
    let lies_in_a_part = |id| {
        let nodes = node_list(&manager, id);
        whole.leftover().any(|part| nodes.iter().all(|node| part.contains(Node(*node))))
    };
    assert!(lies_in_a_part(2) && lies_in_a_part(4));
    assert_eq!(manager.free(), 1);
    // The tenants stay where they are when the mesh has left; job 3 gets a square beside them.
    let kept = [2, 4].map(|id| node_list(&manager, id));
    assert_eq!(starts(&mut manager, 1, &[Command::Left { key: key(1) }]), [3]);
    assert_eq!([2, 4].map(|id| node_list(&manager, id)), kept);
}

#[test]
fn nodes_of_two_parts_are_never_given_together() {
    let mut rows = Rows::new(8, 4, 16);
    let mut manager = rows.manager(IN_MESHES);
    // 3x3 leaves over seven nodes, of which four are a square: two jobs of two nodes take that, and the pair is a third one's.
    let facts = [seen(1, 7, 9, 100), seen(2, 7, 2, 50), seen(3, 7, 2, 50), seen(4, 7, 2, 50)];
    assert_eq!(starts(&mut manager, 0, &facts), [1, 2, 3, 4]);
    assert_eq!(starts(&mut manager, 1, &[seen(5, 7, 2, 9)]), [0; 0]);
    // One more is free, and then its neighbour, which is of another part.
    let ended = [2, 3, 4].map(|id| Command::Left { key: key(id) });
    assert_eq!(starts(&mut manager, 2, &ended), [5]);
    assert_eq!(starts(&mut manager, 2, &[seen(6, 7, 5, 9), seen(7, 7, 4, 9)]), [7]);
}

#[test]
fn a_shape_of_other_sides_needs_another_subcube() {
    let mut rows = Rows::new(8, 4, 16);
    let mut manager = rows.manager(IN_MESHES);
    // 15 nodes fit as a line; 3x5 needs 32, and for 2x5, which has fewer nodes, there is room.
    let facts = [seen(1, 7, 15, 10), shape(1, [3, 5, 1]), seen(2, 7, 10, 10), shape(2, [2, 5, 1])];
    let said = say(&mut manager, 0, &facts);
    assert_eq!(
        said,
        [Effect::Never { key: key(1), nodes: 16 }, Effect::Start { key: key(2), nodes: 10 }]
    );
    assert_eq!(manager.job(key(1)).map(|job| (job.needs, job.sides)), Some((32, [3, 5, 1])));
    // Sides of another number of nodes mean nothing, and so do none.
    for sides in [[3, 4, 1], [0; 3], [u32::MAX; 3]] {
        say(&mut manager, 1, &[shape(1, sides)]);
        assert_eq!(manager.job(key(1)).map(|job| job.needs), Some(16), "{sides:?}");
    }
    assert_eq!(manager.apply(at(1), shape(9, [1; 3])), Err(Misuse::NoSuchJob.into()));
}

#[test]
fn a_job_that_will_miss_its_deadline_is_told_of_once() {
    let mut rows = Rows::new(8, 4, 4);
    let mut manager = rows.manager(BY_PRIORITY);
    let by = |id, ticks| Command::Deadline { key: key(id), by: at(ticks) };
    let late = |id, finish| Effect::Late { key: key(id), finish: at(finish) };
    let lates = |said: Vec<Effect>| -> Vec<Effect> {
        said.into_iter().filter(|it| matches!(it, Effect::Late { .. })).collect()
    };
    // Job 1 may run to 100, so that job 2 ends at 120; job 3, behind it, needs one node only, and has it at once.
    let facts = [seen(1, 7, 3, 100), seen(2, 7, 4, 20), by(2, 119), seen(3, 7, 1, 50), by(3, 49)];
    assert_eq!(lates(say(&mut manager, 0, &facts)), [late(3, 50), late(2, 120)]);
    assert_eq!(manager.job(key(2)).and_then(|job| job.late), Some(at(120)));
    assert_eq!(lates(say(&mut manager, 1, &[])), []);
    // Another deadline is news, and so is one that is missed again.
    assert_eq!(lates(say(&mut manager, 2, &[by(2, 118)])), [late(2, 120)]);
    assert_eq!(lates(say(&mut manager, 3, &[by(2, 120)])), []);
    assert_eq!(
        manager.job(key(2)).map(|job| (job.deadline, job.late)),
        Some((Some(at(120)), None))
    );
    let longer = |limit| Command::Changed {
        key: key(1),
        nodes: 3,
        limit: Duration::from_ticks(limit),
        priority: 0,
    };
    assert_eq!(lates(say(&mut manager, 4, &[longer(110)])), [late(2, 130)]);
    assert_eq!(lates(say(&mut manager, 5, &[longer(100)])), []);
    assert_eq!(lates(say(&mut manager, 6, &[longer(110)])), [late(2, 130)]);
    assert_eq!(lates(say(&mut manager, 7, &[by(2, u64::MAX)])), []);
}

/// Those of which it is said that they will be late, and when they end.
fn lates(manager: &mut Coordinator<'_>, now: u64, facts: &[Command]) -> Vec<(u64, u64)> {
    let said = say(manager, now, facts).into_iter();
    let late = said.filter_map(|it| match it {
        Effect::Late { key, finish } => Some((key.id, finish.ticks())),
        _ => None,
    });
    late.collect()
}

fn by(id: u64, ticks: u64) -> Command {
    Command::Deadline { key: key(id), by: at(ticks) }
}

fn out(first: u32, nodes: u32) -> Command {
    Command::NodeOut { first: NodeId(first), nodes }
}

fn back(first: u32, nodes: u32) -> Command {
    Command::NodeBack { first: NodeId(first), nodes }
}

#[test]
fn a_job_that_runs_beyond_its_limit_is_late_once_its_deadline_has_come() {
    let mut rows = Rows::new(8, 4, 4);
    let mut manager = rows.manager(BY_PRIORITY);
    let facts = [seen(1, 7, 4, 10), runs(1, 0, 0, 4), by(1, 20)];
    assert_eq!(lates(&mut manager, 0, &facts), []);
    // It is taken to end at the next tick, and so does whoever waits for it take it.
    assert_eq!(lates(&mut manager, 19, &[seen(2, 7, 4, 10), by(2, 29)]), [(2, 30)]);
    assert_eq!(lates(&mut manager, 20, &[]), [(1, 21)]);
    assert_eq!(lates(&mut manager, 35, &[]), []);
    assert_eq!(manager.job(key(1)).and_then(|job| job.late), Some(at(36)));
    assert_eq!(manager.promise().map(|promise| promise.from), Some(at(36)));
}

#[test]
fn a_job_is_late_once_although_its_deadline_is_told_again_or_nodes_were_out_meanwhile() {
    for config in [BY_PRIORITY, IN_CUBES] {
        let mut rows = Rows::new(8, 4, 4);
        let mut manager = rows.manager(config);
        let facts = [seen(1, 7, 4, 100), runs(1, 0, 0, 4), seen(2, 7, 4, 20), by(2, 119)];
        assert_eq!(lates(&mut manager, 0, &facts), [(2, 120)]);
        assert_eq!(lates(&mut manager, 1, &[by(2, 119)]), []);
        assert_eq!(manager.job(key(2)).and_then(|job| job.late), Some(at(120)));
        // While there is no room for it nobody knows when it ends.
        assert_eq!(lates(&mut manager, 2, &[out(1, 1)]), []);
        assert_eq!(manager.job(key(2)).and_then(|job| job.late), None);
        assert_eq!(lates(&mut manager, 3, &[back(1, 1)]), []);
        assert_eq!(manager.job(key(2)).and_then(|job| job.late), Some(at(120)));
        // News again after it would have been in time.
        assert_eq!(lates(&mut manager, 4, &[Command::Left { key: key(1) }]), []);
        let facts = [Command::Waits { key: key(2) }, seen(3, 7, 4, 100), runs(3, 5, 0, 4)];
        assert_eq!(lates(&mut manager, 5, &facts), [(2, 125)]);
    }
}

fn reason(manager: &Coordinator<'_>, id: u64) -> Option<Reason> {
    manager.reason(key(id)).unwrap()
}

#[test]
fn what_a_decision_said_of_those_that_wait_holds_until_the_next_fact() {
    let undecided = Some(Reason::Undecided);
    let mut rows = Rows::new(8, 4, 4);
    let mut manager = rows.manager(BY_PRIORITY);
    let held = |held| Command::Held { key: key(3), held };
    let facts = [seen(1, 7, 2, 100), seen(2, 7, 4, 10), seen(3, 7, 2, 500), held(true)];
    assert_eq!(starts(&mut manager, 0, &facts), [1]);
    let first = Some(Reason::WouldDelay { first: key(2) });
    // Let go, or new: the next decision says why it waits.
    for (told, id) in [(held(false), 3), (seen(4, 7, 1, 500), 4)] {
        manager.apply(at(1), told).unwrap();
        assert_eq!(reason(&manager, id), undecided);
        assert_eq!(starts(&mut manager, 1, &[]), [0; 0]);
        assert_eq!(reason(&manager, id), first);
        assert_eq!(reason(&manager, 2), Some(Reason::TooFewFree { free: 2 }));
    }
    // The first in line runs: it is no more what others would delay.
    manager.apply(at(2), runs(2, 1, 3, 1)).unwrap();
    assert_eq!(reason(&manager, 3), Some(Reason::TooFewFree { free: 1 }));
    assert_eq!(reason(&manager, 4), undecided);
}

#[test]
fn who_waits_behind_a_job_without_a_limit_is_promised_nothing_and_told_why() {
    let mut rows = Rows::new(8, 4, 4);
    let mut manager = rows.manager(BY_PRIORITY);
    let facts = [seen(1, 7, 2, u64::MAX), seen(2, 7, 4, 10), seen(3, 7, 2, u64::MAX)];
    let start = |id, nodes| Effect::Start { key: key(id), nodes };
    // Job 3 would end after job 1, and so delay job 2.
    assert_eq!(say(&mut manager, 1, &facts[..1]), [start(1, 2)]);
    assert_eq!(say(&mut manager, 2, &facts[1..]), []);
    assert_eq!(manager.promise(), None);
    assert_eq!(reason(&manager, 3), Some(Reason::WouldDelay { first: key(2) }));
}

#[test]
fn what_the_nodes_in_service_have_no_room_for_waits_for_repairs_and_not_for_others() {
    let mut rows = Rows::new(8, 4, 8);
    let mut manager = rows.manager(IN_CUBES);
    manager.apply(at(0), seen(1, 7, 4, 10)).unwrap();
    assert_eq!(reason(&manager, 1), Some(Reason::Undecided));
    let facts = [out(0, 1), out(7, 1), seen(2, 7, 2, 10), seen(3, 7, 2, 10)];
    assert_eq!(starts(&mut manager, 0, &facts), [2, 3]);
    // Two are free; were all six, there would be no square.
    assert_eq!(reason(&manager, 1), Some(Reason::Divided { largest: 2 }));
    manager.apply(at(1), back(7, 1)).unwrap();
    assert_eq!(reason(&manager, 1), Some(Reason::TooFewFree { free: 3 }));
}

#[test]
fn a_job_that_cannot_start_is_not_late() {
    for (config, out) in [(BY_PRIORITY, range(3, 1)), (IN_CUBES, range(0, 1))] {
        let mut rows = Rows::new(8, 4, 4);
        let mut manager = rows.manager(config);
        let by = |id| Command::Deadline { key: key(id), by: at(9) };
        let late = |id, finish| Effect::Late { key: key(id), finish: at(finish) };
        let held = Command::Held { key: key(3), held: true };
        // One is larger than the machine, one than what is in service, and one of these is held.
        let facts = [seen(1, 7, 5, 10), seen(2, 7, 4, 10), seen(3, 7, 4, 10), held];
        let NodeRange { first, nodes } = out;
        let outage = [by(1), by(2), by(3), Command::NodeOut { first, nodes }];
        let facts = [&facts[..], &outage].concat();
        assert_eq!(say(&mut manager, 0, &facts), [Effect::Never { key: key(1), nodes: 4 }]);
        assert_eq!(say(&mut manager, 90, &[]), []);
        assert!(manager.jobs().all(|job| job.late.is_none()));
        // Then they are: the one that is held as if it were let go.
        let back = Command::NodeBack { first, nodes };
        let said = say(&mut manager, 100, &[back]);
        assert_eq!(said, [Effect::Start { key: key(2), nodes: 4 }, late(2, 110), late(3, 120)]);
        // One that is too large now is not late any more.
        let limit = Duration::from_ticks(10);
        let larger = Command::Changed { key: key(3), nodes: 5, limit, priority: 0 };
        say(&mut manager, 101, &[larger]);
        assert_eq!(manager.job(key(3)).and_then(|job| job.late), None);
    }
}
