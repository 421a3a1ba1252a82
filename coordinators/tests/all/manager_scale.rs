//! What a large machine costs the coordinator for resource managers. Prints times: run it alone, with
//! `cargo test -p locox-coordinators --release --test all manager_scale -- --ignored --nocapture`.

use crate::manager::Rows;
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox::grid::Grid;
use locox::time::{Duration, Instant};
use locox_coordinators::manager::{
    Command, Config, Coordinator, Effect, JobRow, Key, NodeId, NodeRow, OutageRow, Places, PlanRow,
    Preemption, UserId, UserRow,
};
use std::collections::VecDeque;

const NODES: u32 = 10_000;
const JOBS: u64 = 100_000;
const USERS: u64 = 1_000;

fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    ((*state >> 33) * below) >> 31
}

struct World<'a> {
    manager: Coordinator<'a>,
    state: u64,
    now: u64,
    next: u64,
    running: VecDeque<Key>,
    commands: u64,
    stops: usize,
}

impl World<'_> {
    fn say(&mut self, command: Command) {
        self.commands += 1;
        self.manager.apply(Instant::from_ticks(self.now), command).unwrap();
    }

    fn submit(&mut self) {
        let mut draw = |below| random(&mut self.state, below);
        // Few users have most of the jobs.
        let user = UserId((draw(USERS) * draw(USERS) / USERS) as u32);
        let nodes = 1 << draw(7) | draw(3) as u32;
        let (limit, priority) = (Duration::from_ticks(60 + draw(86_400)), draw(1_000) as u32);
        let key = Key { id: self.next, born: self.now as u32 };
        self.next += 1;
        self.say(Command::Seen { key, user, nodes, limit, priority });
    }

    /// Confirms what is started and stopped.
    fn act(&mut self) -> usize {
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
            let ranges: Vec<_> = self.manager.nodes(key).collect();
            let since = Instant::from_ticks(self.now);
            for (number, range) in ranges.into_iter().enumerate() {
                let (first, nodes) = (range.first, range.nodes);
                self.say(match number {
                    0 => Command::Runs { key, since, first, nodes },
                    _ => Command::RunsAlso { key, first, nodes },
                });
            }
            self.running.push_back(key);
        }
        started.len()
    }
}

#[test]
#[ignore = "prints times, for a quiet machine"]
fn a_cycle_of_facts_and_a_decision() {
    cycles(NODES, Places::Any, None);
}

#[test]
#[ignore = "prints times, for a quiet machine"]
fn a_cycle_where_jobs_need_subcubes() {
    cycles(1 << 14, Places::Subcubes, None);
}

#[test]
#[ignore = "prints times, for a quiet machine"]
fn a_cycle_where_jobs_need_boxes() {
    let grid = Grid::torus(&[16, 16, 16]).unwrap();
    cycles(grid.nodes(), Places::Boxes(grid), None);
}

/// Hundreds of users have nothing all the time.
#[test]
#[ignore = "prints times, for a quiet machine"]
fn a_cycle_where_jobs_are_stopped_for_others() {
    let grid = Grid::torus(&[16, 16, 16]).unwrap();
    for (nodes, places) in
        [(NODES, Places::Any), (1 << 14, Places::Subcubes), (grid.nodes(), Places::Boxes(grid))]
    {
        cycles(nodes, places, Some(Preemption::standard(MINUTE)));
    }
}

const MINUTE: Duration = Duration::from_ticks(60);

fn cycles(nodes: u32, places: Places, preempt: Option<Preemption>) {
    let rows = Rows::new(JOBS as usize + 1000, USERS as usize, nodes as usize);
    let mut rows = rows.with_stops(places);
    if let Places::Boxes(grid) = places {
        rows = rows.of_boxes(grid);
    }
    let manager = rows.manager(Config { places, preempt, ..Config::standard(MINUTE) });
    let running = VecDeque::new();
    let mut world = World { manager, state: 1, now: 0, next: 0, running, commands: 0, stops: 0 };
    let timed = |what: &str, world: &mut World<'_>, act: &mut dyn FnMut(&mut World<'_>)| {
        let (before, start) = (world.commands, std::time::Instant::now());
        act(world);
        let (taken, told) = (start.elapsed(), world.commands - before);
        println!("{what}: {taken:?}, {told} commands");
        taken
    };
    timed("all jobs", &mut world, &mut |it| (0..JOBS).for_each(|_| it.submit()));
    timed("first decision", &mut world, &mut |it| it.say(Command::Decide));
    timed("first starts", &mut world, &mut |it| _ = it.act());
    let mut most = [std::time::Duration::ZERO; 3];
    for cycle in 0..200 {
        // Where jobs are to be stopped they run for long.
        let (step, ends) = if preempt.is_some() { (60, 2) } else { (10, 100) };
        world.now += step;
        let facts = timed("facts", &mut world, &mut |it| {
            for _ in 0..ends {
                let ended = it.running.pop_front().unwrap();
                it.say(Command::Left { key: ended });
                it.submit();
            }
            if cycle % 10 == 0 {
                let first = NodeId(random(&mut it.state, u64::from(nodes) - 50) as u32);
                it.say(Command::NodeOut { first, nodes: 50 });
                it.say(Command::NodeBack { first, nodes: 50 });
            }
        });
        let decision = timed("decision", &mut world, &mut |it| it.say(Command::Decide));
        let mut started = 0;
        let starts = timed("starts", &mut world, &mut |it| started = it.act());
        println!("{started} starts");
        most = [most[0].max(facts), most[1].max(decision), most[2].max(starts)];
    }
    println!("{} stops", world.stops);
    println!("at most: facts {:?}, decision {:?}, starts {:?}", most[0], most[1], most[2]);
    let mut image = vec![];
    timed("image", &mut world, &mut |it| it.manager.export(|word| image.push(word)));
    println!("{} words", image.len());
    timed("load", &mut world, &mut |it| _ = it.manager.load(image.iter().copied()).unwrap());
    world.manager.check_invariants().unwrap();
}

#[test]
#[ignore = "prints times, for a quiet machine"]
fn a_history_of_a_million_commands() {
    let mut rows = Rows::new(JOBS as usize, USERS as usize, NODES as usize);
    let manager = rows.manager(Config::standard(Duration::from_ticks(60)));
    let running = VecDeque::new();
    let mut world = World { manager, state: 1, now: 0, next: 0, running, commands: 0, stops: 0 };
    let start = std::time::Instant::now();
    while world.commands < 1_000_000 {
        world.now += 10;
        (0..100).for_each(|_| world.submit());
        world.say(Command::Decide);
        world.act();
        while world.running.len() > 300 {
            let ended = world.running.pop_front().unwrap();
            world.say(Command::Left { key: ended });
        }
        if world.manager.len() > 90_000 {
            let ended: Vec<Key> = world.manager.jobs().take(60_000).map(|job| job.key).collect();
            ended.into_iter().for_each(|key| world.say(Command::Left { key }));
            world.running.clear();
        }
    }
    println!("{} commands: {:?}", world.commands, start.elapsed());
}

#[test]
fn rows_are_as_large_as_is_said() {
    let sizes =
        [size_of::<Entry>(), size_of::<JobRow>(), size_of::<UserRow>(), size_of::<TimedRow>()];
    assert_eq!((sizes, size_of::<NodeRow>()), ([136, 176, 40, 64], 20));
    assert_eq!((size_of::<PlanRow>(), size_of::<OutageRow>()), (32, 32));
}
