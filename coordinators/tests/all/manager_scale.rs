//! What a large machine costs the coordinator for resource managers. Prints times: run it alone, with
//! `cargo test -p locox-coordinators --release --test all manager_scale -- --ignored --nocapture`.

use crate::manager_rows::Rows;
use crate::manager_world::{self, JOBS, USERS, World};
use locox::dispatch::Entry;
use locox::fair::TimedRow;
use locox::grid::Grid;
use locox::time::Duration;
use locox_coordinators::manager::{
    Command, Config, JobRow, Key, NodeRow, OutageRow, Places, PlanRow, Preemption, UserRow,
};

const NODES: u32 = 10_000;

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
    let mut rows = manager_world::rows(nodes, places);
    let config = Config { places, preempt, ..Config::standard(MINUTE) };
    let mut world = World::new(rows.manager(config));
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
        let stops = preempt.is_some();
        let facts = timed("facts", &mut world, &mut |it| it.pass(cycle, nodes, stops));
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
    let mut world = World::new(manager);
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
