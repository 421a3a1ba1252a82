//! The coordinator for machines of a resource manager.

use super::random::Random;
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Columns, Command, Config, Coordinator, Effect, JobRow, Key, NodeRow, UserId, UserRow,
    cube_words, index_len,
};
use std::hint::black_box;

const NODES: usize = 1024;
const USERS: usize = 64;

struct World<'a> {
    manager: Coordinator<'a>,
    random: Random,
    now: u64,
    next: u64,
    running: Vec<Key>,
}

impl World<'_> {
    fn say(&mut self, command: Command) {
        let now = Instant::from_ticks(self.now);
        self.manager.apply(now, command).expect("nothing is wrong with it");
    }

    fn submit(&mut self) {
        let user = UserId(self.random.below(USERS) as u32);
        let nodes = 1 << self.random.below(7);
        let limit = Duration::from_ticks(60 + self.random.below(86_400) as u64);
        let key = Key { id: self.next, born: 0 };
        self.next += 1;
        self.say(Command::Seen { key, user, nodes, limit, priority: 0 });
    }

    fn decide(&mut self) {
        self.say(Command::Decide);
        while let Some(effect) = self.manager.take_effect() {
            let Effect::Start { key, .. } = black_box(effect) else { continue };
            let since = Instant::from_ticks(self.now);
            let ranges: Vec<_> = self.manager.nodes(key).collect();
            for (number, range) in ranges.into_iter().enumerate() {
                let (first, nodes) = (range.first, range.nodes);
                self.say(match number {
                    0 => Command::Runs { key, since, first, nodes },
                    _ => Command::RunsAlso { key, first, nodes },
                });
            }
            self.running.push(key);
        }
    }
}

pub(crate) fn decide(line: usize, times: usize) {
    let jobs = line + 2 * NODES;
    let mut entries = vec![Entry::EMPTY; jobs];
    let mut rows = vec![JobRow::EMPTY; jobs];
    let mut users = vec![UserRow::EMPTY; USERS];
    let mut ranks = vec![TimedRow::EMPTY; USERS];
    let mut nodes = vec![NodeRow::EMPTY; NODES];
    let mut index = vec![0; index_len(jobs, USERS)];
    let mut words = vec![0; cube_words(NODES)];
    let columns = Columns {
        entries: &mut entries,
        jobs: &mut rows,
        users: &mut users,
        ranks: &mut ranks,
        nodes: &mut nodes,
        index: &mut index,
        words: &mut words,
        plan: &mut [],
        outages: &mut [],
        boxes: &mut [],
        stakes: &mut [],
        sums: &mut [],
    };
    let config = Config::standard(Duration::from_ticks(60));
    let manager = Coordinator::new(config, columns, Instant::ZERO).expect("the columns fit");
    let running = vec![];
    let mut world = World { manager, random: Random::new(), now: 0, next: 0, running };
    (0..line).for_each(|_| world.submit());
    world.decide();
    for _ in 0..times {
        world.now += 10;
        let at = world.random.below(world.running.len());
        let key = world.running.swap_remove(at);
        world.say(Command::Left { key });
        world.submit();
        world.decide();
    }
}
