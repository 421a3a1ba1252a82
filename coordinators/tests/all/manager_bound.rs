//! How long a user who has nothing waits at most: all that others can do at each tick, on a machine of two or three nodes.
//!
//! A heavy user has had all nodes, another one has had nothing and waits for all of them, and a light one comes with a job. At each
//! tick one of the others does one of the things below, or nothing, and so often that there are a few acts in all. From one tick to the next
//! all states that differ are gone on with; none of them is left in which the light user waits once the longest limit has passed once for him
//! and once for each user before him.

use super::manager::{CONFIG, at, key, seen};
use super::manager_rows::{Rows, confirm};
use locox::fair::DecayParams;
use locox::time::Duration;
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, Places, Preemption, Status, UserId,
};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, HashSet};

/// Of each job.
const LIMIT: u64 = 4;
/// So many acts of others, at any ticks.
const ACTS: u32 = 4;
/// When the light user comes: by then the heavy one has had all nodes for three half-lives.
const BEGIN: u64 = 3000;

const HEAVY: u32 = 1;
const LIGHT: u32 = 2;
const OTHER: u32 = 3;
/// Nobody has heard of him before.
const NEW: u32 = 4;
const WANTED: u64 = 1;

/// What somebody does.
#[derive(Clone, Copy, Debug)]
enum Act {
    Nothing,
    /// A user submits a job of so many nodes and of this limit.
    Submits(u32, u32, u64),
    /// A job of a user that waits is cancelled.
    Cancels(u32),
    /// It is held, or let go.
    Holds(u32),
    /// A job of a user that runs waits again, as if it had not run.
    Requeues(u32),
    /// It ends before its limit.
    Ends(u32),
}

/// A machine at a tick: what the coordinator knows, and when jobs end.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    image: Vec<u32>,
    ends: BTreeMap<u64, u64>,
    next: u64,
    /// Acts that are still to come at most.
    left: u32,
}

struct World<'a> {
    manager: Coordinator<'a>,
    now: u64,
    ends: BTreeMap<u64, u64>,
    next: u64,
}

impl World<'_> {
    fn state(&self, left: u32) -> State {
        let mut image = vec![];
        self.manager.export(|word| image.push(word));
        State { image, ends: self.ends.clone(), next: self.next, left }
    }

    fn load(&mut self, now: u64, state: &State) {
        self.manager.load(state.image.iter().copied()).unwrap();
        (self.now, self.ends, self.next) = (now, state.ends.clone(), state.next);
    }

    fn tell(&mut self, fact: Command) {
        self.manager.apply(at(self.now), fact).unwrap();
    }

    /// One of a user's jobs: of several the first one that came.
    fn job_of(&self, user: u32, statuses: &[Status]) -> Option<u64> {
        let is_one =
            |id: &u64| self.manager.job(key(*id)).is_some_and(|job| statuses.contains(&job.status));
        let own = self.manager.jobs().filter(|job| job.user == UserId(user)).map(|job| job.key.id);
        own.filter(is_one).min()
    }

    /// Whether that was possible.
    fn act(&mut self, act: Act) -> bool {
        const WAIT: [Status; 2] = [Status::Waiting, Status::Held];
        match act {
            Act::Nothing => return true,
            Act::Submits(user, nodes, limit) => {
                // Two jobs of each in line say all that more would.
                let own = self.manager.users().find(|it| it.id == UserId(user));
                if own.is_some_and(|it| it.waiting > 1) {
                    return false;
                }
                self.next += 1;
                self.tell(seen(self.next, user, nodes, limit));
            }
            Act::Cancels(user) => {
                let Some(id) = self.job_of(user, &WAIT) else { return false };
                self.tell(Command::Left { key: key(id) });
            }
            Act::Holds(user) => {
                let Some(id) = self.job_of(user, &WAIT) else { return false };
                let held = self.manager.job(key(id)).unwrap().status == Status::Waiting;
                self.tell(Command::Held { key: key(id), held });
            }
            Act::Requeues(user) => {
                let Some(id) = self.job_of(user, &[Status::Running]) else { return false };
                self.ends.remove(&id);
                self.tell(Command::Waits { key: key(id) });
            }
            Act::Ends(user) => {
                let Some(id) = self.job_of(user, &[Status::Running]) else { return false };
                self.ends.remove(&id);
                self.tell(Command::Left { key: key(id) });
            }
        }
        true
    }

    fn pass(&mut self, ticks: u64) {
        self.now += ticks;
        let ended: Vec<u64> =
            self.ends.iter().filter(|(_, end)| **end <= self.now).map(|(id, _)| *id).collect();
        for id in ended {
            self.ends.remove(&id);
            self.tell(Command::Left { key: key(id) });
        }
    }

    /// Decides, and does what is decided.
    fn decide(&mut self) {
        self.tell(Command::Decide);
        while let Some(effect) = self.manager.take_effect() {
            match effect {
                Effect::Start { key, .. } => self.start(key.id),
                // A job stops at once.
                Effect::Stop { key, .. } => {
                    self.ends.remove(&key.id);
                    self.tell(Command::Waits { key });
                }
                _ => {}
            }
        }
    }

    fn start(&mut self, id: u64) {
        confirm(&mut self.manager, at(self.now), key(id));
        let limit = self.manager.job(key(id)).unwrap().limit.ticks();
        self.ends.insert(id, self.now + limit);
    }

    fn is_served(&self) -> bool {
        self.manager.job(key(WANTED)).is_none_or(|job| job.status == Status::Running)
    }
}

/// For how many ticks the light user waits at most, who wants so many of the nodes, and how many states there were; `other`: whether
/// somebody else without nodes waits for all of them; `left`: for so many acts.
fn longest_wait(
    [nodes, wants]: [u32; 2],
    other: bool,
    preempt: Option<Preemption>,
    left: u32,
) -> (u64, usize) {
    let config = Config { preempt, ..CONFIG };
    let mut rows = Rows::new(12, 5, nodes as usize);
    if preempt.is_some() {
        rows = rows.with_stops(Places::Any);
    }
    let (manager, ends) = (rows.manager(config), BTreeMap::new());
    let mut world = World { manager, now: 0, ends, next: 100 };
    // The heavy user has had a job on each node, has just begun another one there, and has one in line.
    for limit in [BEGIN - 1, LIMIT] {
        for _ in 0..nodes {
            world.act(Act::Submits(HEAVY, 1, limit));
            world.decide();
        }
        world.pass(BEGIN - 1 - world.now);
    }
    world.act(Act::Submits(HEAVY, 1, LIMIT));
    if other {
        world.act(Act::Submits(OTHER, nodes, LIMIT));
    }
    world.decide();
    world.now = BEGIN;
    world.tell(seen(WANTED, LIGHT, wants, LIMIT));
    world.decide();
    assert!(!world.is_served());

    let mut acts = vec![Act::Nothing];
    for user in [HEAVY, OTHER, NEW] {
        acts.extend([1, nodes].map(|nodes| Act::Submits(user, nodes, LIMIT)));
        acts.extend([Act::Cancels(user), Act::Holds(user)]);
    }
    acts.extend([HEAVY, OTHER].into_iter().flat_map(|user| [Act::Requeues(user), Act::Ends(user)]));
    let (mut states, mut all) = (HashSet::from([world.state(left)]), 1);
    for waited in 1.. {
        let mut later = HashSet::new();
        for state in &states {
            for &act in &acts {
                let is_act = !matches!(act, Act::Nothing);
                let Some(left) = state.left.checked_sub(is_act.into()) else { continue };
                world.load(BEGIN + waited - 1, state);
                world.pass(1);
                if world.act(act) {
                    world.decide();
                    if !world.is_served() {
                        later.insert(world.state(left));
                    }
                }
            }
        }
        all += later.len();
        if later.is_empty() {
            return (waited, all);
        }
        states = later;
    }
    unreachable!()
}

const STOPS: Preemption = Preemption {
    patience: Duration::from_ticks(1),
    least_run: Duration::from_ticks(1),
    protection: Duration::from_ticks(2 * LIMIT),
    notice: Duration::ZERO,
};

#[test]
fn whatever_others_do_a_user_who_has_nothing_waits_for_the_limits_of_those_before_him() {
    for nodes in [[2, 1], [2, 2], [3, 2]] {
        for (other, bound) in [(false, LIMIT), (true, 2 * LIMIT)] {
            for preempt in [None, Some(STOPS)] {
                let (wait, states) = longest_wait(nodes, other, preempt, ACTS);
                let stops = preempt.is_some();
                println!("{nodes:?}, {other}, {stops}: {wait} ticks, {states} states");
                assert!(wait <= bound, "{nodes:?}, {other}, {stops}: {wait}");
            }
        }
    }
}

/// A light user who waits: since when; who has had nodes since then; until when one of these stood before him, and how many others did then.
struct Waits {
    since: u64,
    have_held: HashSet<UserId>,
    behind: u64,
    ahead: u64,
}

impl Waits {
    fn look(&mut self, world: &World<'_>) {
        let users = world.manager.users();
        self.have_held.extend(users.filter(|user| user.nodes > 0).map(|user| user.id));
        let line = world.manager.line().take_while(|it| *it != key(WANTED));
        let before = line.filter_map(|it| world.manager.job(it)).map(|job| job.user);
        let (held, others): (HashSet<_>, HashSet<_>) =
            before.partition(|user| self.have_held.contains(user));
        if !held.is_empty() || world.now == self.since {
            (self.behind, self.ahead) = (world.now - self.since, others.len() as u64);
        }
    }
}

/// Years in minutes, with a look at each half hour, on 16 nodes: six users do at random what they can, and one of them cancels the job that is first
/// in line just before it would start. The light user comes now and then.
#[test]
fn in_years_nobody_who_has_nothing_waits_longer() {
    const DAY: u64 = 1440;
    const STEP: u64 = 30;
    const YEARS: u64 = 10;
    let decay = DecayParams::standard(Duration::from_ticks(1));
    assert_eq!(decay.half_life.ticks(), DAY);
    let mut rows = Rows::new(64, 8, 16).with_stops(Places::Any);
    for preempt in [None, Some(Preemption::standard(Duration::from_ticks(1)))] {
        let manager = rows.manager(Config { decay, preempt, ..CONFIG });
        let mut world = World { manager, now: 0, ends: BTreeMap::new(), next: 100 };
        let mut random = ChaCha8Rng::seed_from_u64(57);
        let (mut waits, mut all): (Option<Waits>, Vec<[u64; 3]>) = (None, vec![]);
        while world.now < YEARS * 365 * DAY {
            world.pass(STEP);
            for user in 10..16 {
                let nodes = [1, 2, 5, 16][random.random_range(0..4)];
                match random.random_range(0..60) {
                    0..8 => _ = world.act(Act::Submits(user, nodes, random.random_range(60..=DAY))),
                    8 => _ = world.act(Act::Cancels(user)),
                    9 => _ = world.act(Act::Holds(user)),
                    10 => _ = world.act(Act::Requeues(user)),
                    11 => _ = world.act(Act::Ends(user)),
                    _ => {}
                }
            }
            let soon = world.manager.promise().filter(|it| it.from <= at(world.now + STEP));
            let is_his = |key| world.manager.job(key).is_some_and(|job| job.user == UserId(10));
            if let Some(first) = soon.filter(|it| is_his(it.key)) {
                world.tell(Command::Left { key: first.key });
            }
            let is_away = world.manager.job(key(WANTED)).is_none();
            if is_away && random.random_range(0..20 * DAY / STEP) == 0 {
                world.tell(seen(WANTED, LIGHT, random.random_range(1..=16), DAY));
                let have_held = HashSet::new();
                waits = Some(Waits { since: world.now, have_held, behind: 0, ahead: 0 });
            }
            world.decide();
            let Some(it) = &mut waits else { continue };
            if !world.is_served() {
                it.look(&world);
                continue;
            }
            let wait = world.now - it.since;
            assert!(wait <= it.behind + (it.ahead + 1) * DAY + 2 * STEP, "{wait}, {all:?}");
            assert!(it.behind <= 4 * DAY, "{}", it.behind);
            all.push([wait, it.behind, it.ahead]);
            waits = None;
        }
        let most = [0, 1, 2].map(|at| all.iter().map(|it| it[at]).max());
        println!("{} waits; the longest, D and a at most: {most:?}", all.len());
        assert!(all.len() > 10 * YEARS as usize, "{}", all.len());
    }
}
