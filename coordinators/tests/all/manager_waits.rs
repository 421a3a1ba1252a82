//! Nobody who has nothing waits for longer than is said, whatever others do.
//!
//! A heavy user has all nodes, and a job in line for each that ends; a light one comes with a job. He is served by stops within the
//! patience and the time that each job runs at least, a step for the stop and one for the look; and where nobody can be stopped,
//! by the promise: within the longest limit once for himself and once for each user before him.

use super::manager::{CONFIG, at, key, seen};
use super::manager_rows::{Rows, confirm};
use locox::time::Duration;
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, NodeId, Places, Preemption, Status,
};
use std::collections::HashMap;

const NODES: u32 = 16;
/// Of each job.
const LIMIT: u64 = 4000;
/// From one decision to the next.
const STEP: u64 = 5;
const STOPS: Preemption = Preemption {
    patience: Duration::from_ticks(100),
    least_run: Duration::from_ticks(50),
    protection: Duration::from_ticks(LIMIT),
    notice: Duration::from_ticks(20),
};
/// By stops.
const SOON: u64 = 100 + 50 + 20 + 3 * STEP;
/// By promises: the longest limit, and two looks.
const TURN: u64 = LIMIT + 2 * STEP;

const HEAVY: u32 = 1;
const LIGHT: u32 = 9;
/// His job.
const WANTED: u64 = 1_000_000;

struct World<'a> {
    manager: Coordinator<'a>,
    now: u64,
    next: u64,
    /// When jobs that run end.
    ends: HashMap<u64, u64>,
    stopping: Vec<u64>,
}

impl World<'_> {
    fn tell(&mut self, fact: Command) {
        self.manager.apply(at(self.now), fact).unwrap();
    }

    fn submit(&mut self, user: u32, nodes: u32, limit: u64) -> u64 {
        self.next += 1;
        self.tell(seen(self.next, user, nodes, limit));
        self.next
    }

    /// The heavy user has as many jobs in line as there are nodes.
    fn fill(&mut self) {
        let waiting = self.manager.users().find(|it| it.id.0 == HEAVY).map_or(0, |it| it.waiting);
        for _ in waiting..NODES {
            self.submit(HEAVY, 2, LIMIT);
        }
    }

    fn step(&mut self) {
        self.now += STEP;
        let (now, ends) = (self.now, &mut self.ends);
        let mut ended: Vec<u64> =
            ends.iter().filter(|(_, end)| **end <= now).map(|(id, _)| *id).collect();
        ended.sort_unstable();
        for id in ended {
            self.ends.remove(&id);
            self.tell(Command::Left { key: key(id) });
        }
        for id in std::mem::take(&mut self.stopping) {
            if self.ends.remove(&id).is_some() {
                self.tell(Command::Waits { key: key(id) });
            }
        }
        self.fill();
        self.decide();
    }

    fn decide(&mut self) {
        self.tell(Command::Decide);
        self.manager.check_invariants().unwrap();
        while let Some(effect) = self.manager.take_effect() {
            match effect {
                Effect::Start { key, .. } => self.start(key.id),
                Effect::Stop { key, .. } => self.stopping.push(key.id),
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

/// For how long the light user waits, who comes when the heavy one has had all nodes for some time; `others` do something at each step.
fn wait_of(preempt: Option<Preemption>, mut others: impl FnMut(&mut World<'_>, u64)) -> u64 {
    let mut rows = Rows::new(64, 8, NODES as usize).with_stops(Places::Any);
    let manager = rows.manager(Config { preempt, ..CONFIG });
    let mut world = World { manager, now: 0, next: 0, ends: HashMap::new(), stopping: vec![] };
    world.fill();
    while world.now < 1500 {
        world.step();
        others(&mut world, 0);
    }
    let came = world.now;
    world.tell(seen(WANTED, LIGHT, 3, 2000));
    while !world.is_served() && world.now < came + 100 * LIMIT {
        let since = world.now - came;
        others(&mut world, since);
        world.step();
    }
    world.now - came
}

#[test]
fn a_light_user_is_served_soon_by_stops_and_else_by_the_promise() {
    let nothing = |_: &mut World<'_>, _| {};
    let (soon, later) = (wait_of(Some(STOPS), nothing), wait_of(None, nothing));
    assert!(soon <= SOON, "{soon}");
    assert!((SOON..=TURN).contains(&later), "{later}");
}

/// Another user who has nothing wants all nodes, and came first.
#[test]
fn a_wide_job_of_another_user_in_line() {
    for preempt in [None, Some(STOPS)] {
        let mut is_there = false;
        let wait = wait_of(preempt, |world, _| {
            if !std::mem::replace(&mut is_there, true) {
                world.submit(5, NODES, LIMIT);
            }
        });
        assert!(wait <= 2 * TURN, "{preempt:?}: {wait}");
    }
}

/// And users of many names do so, one after the other.
#[test]
fn wide_jobs_of_many_names() {
    for preempt in [None, Some(STOPS)] {
        let wait = wait_of(preempt, |world, since| {
            // Names that nobody has heard of before stand behind who has waited.
            if since > 0 && since.is_multiple_of(200) && world.manager.users().count() < 7 {
                world.submit(20 + (since / 200) as u32, NODES, LIMIT);
            }
        });
        assert!(wait <= 2 * TURN, "{preempt:?}: {wait}");
    }
}

#[test]
fn one_node_is_out() {
    let wait = wait_of(Some(STOPS), |world, _| {
        world.tell(Command::NodeOut { first: NodeId(0), nodes: 1 });
    });
    assert!(wait <= SOON, "{wait}");
}

/// As if each of them had run before.
#[test]
fn jobs_were_requeued_and_held_before_they_ran() {
    let wait = wait_of(Some(STOPS), |world, _| {
        let waiting: Vec<_> = world.manager.line().take(4).filter(|it| it.id < WANTED).collect();
        for key in waiting {
            world.tell(Command::Held { key, held: true });
            world.tell(Command::Held { key, held: false });
            world.tell(Command::Waits { key });
        }
    });
    assert!(wait <= SOON, "{wait}");
}

/// An accomplice has all jobs of the heavy user stopped, and cancels.
#[test]
fn a_users_jobs_were_stopped_for_one_who_cancelled() {
    let mut turn = 0;
    let wait = wait_of(Some(STOPS), |world, _| {
        turn += 1;
        let asks = 2_000_000 + turn / 12;
        match turn % 12 {
            0 => world.tell(seen(asks, 7, 8, LIMIT)),
            11 if world.manager.job(key(asks)).is_some() => {
                world.ends.remove(&asks);
                world.tell(Command::Left { key: key(asks) });
            }
            _ => {}
        }
    });
    assert!(wait <= SOON + TURN, "{wait}");
}

/// Half of what the heavy user has goes out of service below his jobs.
#[test]
fn the_nodes_of_those_who_could_stop_are_out() {
    let wait = wait_of(Some(STOPS), |world, _| {
        world.tell(Command::NodeOut { first: NodeId(0), nodes: NODES / 2 });
    });
    assert!(wait <= SOON, "{wait}");
}

/// All jobs must not be stopped.
#[test]
fn nobody_may_be_stopped() {
    let wait = wait_of(Some(STOPS), |world, _| {
        let all: Vec<_> = world.manager.jobs().map(|job| job.key).collect();
        for key in all {
            world.tell(Command::Stoppable { key, stoppable: false });
        }
    });
    assert!(wait <= TURN, "{wait}");
}
