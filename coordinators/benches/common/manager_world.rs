//! A resource manager with 100,000 jobs in line, whose jobs end and start.

use crate::manager_rows::{Rows, confirm};
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{Command, Coordinator, Effect, Key, NodeId, Places, UserId};
use std::collections::VecDeque;

pub(crate) const JOBS: u64 = 100_000;
pub(crate) const USERS: u64 = 1_000;

fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    ((*state >> 33) * below) >> 31
}

/// Rows for that many.
pub(crate) fn rows(nodes: u32, places: Places) -> Rows {
    let rows = Rows::new(JOBS as usize + 1000, USERS as usize, nodes as usize).with_stops(places);
    if let Places::Boxes(grid) = places { rows.of_boxes(grid) } else { rows }
}

/// Hundreds of users have nothing all the time.
pub(crate) struct World<'a> {
    pub(crate) manager: Coordinator<'a>,
    state: u64,
    pub(crate) now: u64,
    next: u64,
    pub(crate) running: VecDeque<Key>,
    pub(crate) commands: u64,
    pub(crate) stops: usize,
}

impl<'a> World<'a> {
    pub(crate) fn new(manager: Coordinator<'a>) -> Self {
        let running = VecDeque::new();
        Self { manager, state: 1, now: 0, next: 0, running, commands: 0, stops: 0 }
    }

    pub(crate) fn say(&mut self, command: Command) {
        self.commands += 1;
        self.manager.apply(Instant::from_ticks(self.now), command).unwrap();
    }

    pub(crate) fn submit(&mut self) {
        let mut draw = |below| random(&mut self.state, below);
        // Few users have most of the jobs.
        let user = UserId((draw(USERS) * draw(USERS) / USERS) as u32);
        let nodes = 1 << draw(7) | draw(3) as u32;
        let (limit, priority) = (Duration::from_ticks(60 + draw(86_400)), draw(1_000) as u32);
        let key = Key { id: self.next, born: self.now as u32 };
        self.next += 1;
        self.say(Command::Seen { key, user, nodes, limit, priority });
    }

    /// The facts of a cycle. Where jobs are to be stopped they run for long.
    pub(crate) fn pass(&mut self, cycle: u32, nodes: u32, stops: bool) {
        let (step, ends) = if stops { (60, 2) } else { (10, 100) };
        self.now += step;
        for _ in 0..ends {
            let ended = self.running.pop_front().unwrap();
            self.say(Command::Left { key: ended });
            self.submit();
        }
        if cycle.is_multiple_of(10) {
            let first = NodeId(random(&mut self.state, u64::from(nodes) - 50) as u32);
            self.say(Command::NodeOut { first, nodes: 50 });
            self.say(Command::NodeBack { first, nodes: 50 });
        }
    }

    /// Confirms what is started and stopped.
    pub(crate) fn act(&mut self) -> usize {
        let (mut started, mut stopped) = (vec![], vec![]);
        while let Some(effect) = self.manager.take_effect() {
            match effect {
                Effect::Start { key, .. } => started.push(key),
                Effect::Stop { key, .. } => stopped.push(key),
                _ => {}
            }
        }
        self.stops += stopped.len();
        self.running.retain(|key| !stopped.contains(key));
        stopped.into_iter().for_each(|key| self.say(Command::Waits { key }));
        for &key in &started {
            self.commands += confirm(&mut self.manager, Instant::from_ticks(self.now), key);
            self.running.push_back(key);
        }
        started.len()
    }
}
