//! Jobs on subcubes and meshes: what starts gets a free one, what waits finds none, and the first in line is promised the earliest.

use super::run::{HOST, check_end, config, cube_of, world};
use super::watched::{Watched, mesh_of, shape_of};
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::Embedding;
use locox_agent::agent::{Agent, Storage};
use locox_agent::config::{Config, Mode, Ranking};
use locox_agent::copied::Copied;
use locox_agent::cube::Cube;
use locox_agent::places::Places;
use locox_agent::simulated::{Simulated, Trouble, World};
use locox_coordinators::manager::{Coordinator, Job, NodeId, Status};

/// What a run has met.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    starts: usize,
    fragmented: usize,
    overtakes: usize,
    late: usize,
}

/// The nodes of the largest subcube whose nodes all are good, and that of each mesh lies in one part of what that leaves
/// over, or beside its subcube.
fn largest(good: &[bool], meshes: &[Embedding]) -> u32 {
    let dims = Dim::holding(good.len() as u32).unwrap();
    let mut most = 0;
    for mask in 0..dims.nodes() {
        let cubes = (0..dims.nodes()).filter(|base| base & mask == 0);
        let is_apart = |cube: &Subcube| {
            meshes.iter().all(|mesh| {
                cube.intersection(&mesh.cube()).is_none()
                    || mesh.leftover().any(|leftover| leftover.contains_cube(cube))
            })
        };
        let mut cubes = cubes.map(|base| Subcube::new(dims, Node(base), mask).unwrap());
        let is_good =
            |cube: Subcube| cube.nodes().all(|node| good[node.0 as usize]) && is_apart(&cube);
        if 1 << mask.count_ones() > most && cubes.any(is_good) {
            most = 1 << mask.count_ones();
        }
    }
    most
}

/// A machine as the kernel has been told of it.
struct Machine<'a> {
    manager: &'a Coordinator<'a>,
    now: u64,
    out: Vec<bool>,
    meshes: bool,
}

impl<'a> Machine<'a> {
    fn new(manager: &'a Coordinator<'a>, meshes: bool) -> Self {
        let out = (0..manager.size()).map(|node| manager.node(NodeId(node)).unwrap().out);
        Self { manager, now: manager.now().ticks(), out: out.collect(), meshes }
    }

    fn end(&self, job: &Job) -> Option<u64> {
        Some((job.since?.ticks() + job.limit.ticks()).max(self.now + 1))
    }

    /// The largest subcube that is free once those have ended that are to end by then.
    fn largest_at(&self, time: u64) -> u32 {
        let mut free: Vec<bool> = self.out.iter().map(|out| !out).collect();
        let stays = |job: &Job| self.end(job).is_some_and(|end| end > time);
        let mut meshes = vec![];
        for job in self.manager.jobs().filter(stays) {
            let ranges = self.manager.nodes(job.key);
            let nodes: Vec<Node> =
                ranges.flat_map(|it| it.first.0..it.first.0 + it.nodes).map(Node).collect();
            nodes.iter().for_each(|node| free[node.0 as usize] = false);
            let mesh = mesh_of(self.manager.size(), shape_of(job.sides, job.nodes), &nodes);
            meshes.extend(mesh.filter(|_| self.meshes));
        }
        largest(&free, &meshes)
    }

    fn earliest(&self, nodes: u32) -> Option<u64> {
        let ends = self.manager.jobs().filter_map(|job| self.end(&job));
        let mut times: Vec<u64> = ends.chain([self.now]).collect();
        times.sort_unstable();
        times.into_iter().find(|&time| self.largest_at(time) >= nodes)
    }

    fn check(&self, met: &mut Met) {
        let asked = |job: &Job| job.needs;
        let (free, possible) = (self.largest_at(self.now), self.largest_at(u64::MAX));
        let line: Vec<Job> = self.manager.line().filter_map(|key| self.manager.job(key)).collect();
        let mut line = line.iter().filter(|job| asked(job) <= possible);
        let head = line.next();
        let shadow = head.and_then(|head| self.earliest(asked(head)));
        let promise = self.manager.promise();
        assert_eq!(promise.map(|it| (it.key, it.from.ticks())), head.map(|it| it.key).zip(shadow));
        assert_ne!(shadow, Some(self.now), "the first in line has room");
        met.fragmented += usize::from(head.is_some_and(|head| asked(head) <= self.manager.free()));
        for job in line.filter(|job| asked(job) <= free) {
            let end = self.now + job.limit.ticks();
            assert!(Some(end) > shadow, "{job:?} has room, and delays nobody");
        }
        let starts = self.manager.jobs().filter(|job| job.status == Status::Starting);
        let now = starts.filter(|job| job.since.map(|it| it.ticks()) == Some(self.now)).count();
        met.starts += now;
        met.overtakes += if head.is_some() { now } else { 0 };
        for job in self.manager.jobs() {
            let Some(by) = job.deadline else { continue };
            let first = promise.filter(|promise| promise.key == job.key);
            let start = match job.status {
                Status::Starting | Status::Running => job.since.map(|since| since.ticks()),
                Status::Waiting if first.is_some() => first.map(|first| first.from.ticks()),
                Status::Stopping => Some(self.now),
                _ => self.earliest(asked(&job)),
            };
            // One that runs longer than it may is taken to end at the next tick.
            let finish = start.map(|start| (start + job.limit.ticks()).max(self.now + 1));
            let late = finish.filter(|finish| *finish > by.ticks());
            assert_eq!(job.late.map(|late| late.ticks()), late, "{job:?}");
            met.late += usize::from(late.is_some());
        }
    }
}

/// A run of this seed. Where nodes are missing some jobs wait for ever.
fn run(seed: u64, meshes: bool, met: &mut Met) {
    let Trouble { cancel, hold, change, node, foreign, .. } = Trouble::HOSTILE;
    let wild = match meshes {
        // Whoever has other sides, or was started by somebody else, has a mesh that its row does not show.
        true => Trouble { cancel, hold, foreign, ..Trouble::NONE },
        false => Trouble { cancel, hold, change, node, foreign, ..Trouble::NONE },
    };
    let trouble = if seed.is_multiple_of(3) { Trouble::NONE } else { wild };
    let missing = if seed.is_multiple_of(2) { 0 } else { 3 };
    let world = World {
        nodes: 16 - missing,
        jobs: 25,
        deadlines: 500,
        meshes: if meshes { 500 } else { 0 },
        ..world(seed, true, trouble)
    };
    let ranking = if seed.is_multiple_of(5) { Ranking::Users } else { Ranking::Priority };
    let cube = cube_of(&world);
    let config = Config {
        nodes: cube.addresses(),
        places: if meshes { Places::Meshes(cube) } else { Places::Subcubes(cube) },
        ..config(&world, Mode::Authoritative, ranking)
    };
    let mut watched = Watched::new(Simulated::new(world.clone()));
    watched.places.clone_from(&config.places);
    let mut storage = Storage::default();
    let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
    let (mut agent, _) = opened.unwrap();
    for poll in 0..300 {
        if poll == 100 {
            watched.manager.calm();
        }
        agent.cycle(&mut watched, HOST).unwrap();
        Machine::new(agent.manager(), meshes).check(met);
        if watched.manager.is_done() {
            break;
        }
    }
    if missing == 0 {
        check_end(&watched.manager, &world, &format!("seed {seed}"));
    }
}

#[test]
fn what_starts_gets_a_free_subcube_and_what_waits_finds_none() {
    let mut met = Met::default();
    (0..45).for_each(|seed| run(seed, false, &mut met));
    assert!(met.starts > 500 && met.fragmented > 30, "{met:?}");
    assert!(met.overtakes > 100 && met.late > 500, "{met:?}");
}

#[test]
fn what_starts_gets_a_mesh_and_what_meshes_leave_over_is_lent() {
    let mut met = Met::default();
    (0..45).for_each(|seed| run(seed, true, &mut met));
    assert!(met.starts > 500 && met.fragmented > 30, "{met:?}");
    assert!(met.overtakes > 100 && met.late > 300, "{met:?}");
}

#[test]
fn with_all_that_can_go_wrong_jobs_get_meshes() {
    for seed in 0..30 {
        let world =
            World { nodes: 16, jobs: 25, meshes: 500, ..world(seed, true, Trouble::HOSTILE) };
        let cube = cube_of(&world);
        let config = Config {
            nodes: cube.addresses(),
            places: Places::Meshes(cube),
            ..config(&world, Mode::Authoritative, Ranking::Users)
        };
        let mut watched = Watched::new(Simulated::new(world.clone()));
        watched.places.clone_from(&config.places);
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), Copied::default());
        let (mut agent, _) = opened.unwrap();
        for poll in 0..400 {
            if poll == 100 {
                watched.manager.calm();
            }
            // A manager that does not answer, or contradicts itself, is asked again.
            _ = agent.cycle(&mut watched, HOST);
            agent.manager().check_invariants().unwrap();
        }
    }
}

#[test]
fn nodes_keep_their_addresses_when_others_get_names() {
    let world = World { nodes: 3, ..world(1, true, Trouble::NONE) };
    let of = |names: &[(&str, u32)]| {
        let cube = Cube::new(names.iter().map(|(name, at)| ((*name).to_string(), *at)));
        let base = config(&world, Mode::Authoritative, Ranking::Users);
        Config { nodes: cube.addresses(), places: Places::Subcubes(cube), ..base }
    };
    let (first, mut folder) = (of(&[("n00000", 3), ("n00001", 0)]), super::disk::Disk::default());
    for (config, named) in [(first, "#2"), (of(&[("n00000", 3), ("n00002", 2)]), "n00002")] {
        let mut storage = Storage::default();
        let opened = Agent::open(&mut storage, &config, "agent".into(), folder.clone());
        let (agent, _) = opened.unwrap();
        assert_eq!(agent.names().name(NodeId(2)), named);
        assert_eq!(agent.names().number("n00000"), Some(NodeId(3)));
        assert_eq!(
            locox_agent::names::Names::load(&mut folder).unwrap(),
            Some(agent.names().clone())
        );
    }
}
