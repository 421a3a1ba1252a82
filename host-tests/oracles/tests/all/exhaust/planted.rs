//! Each kind of enumeration finds a wrong method.

use locox::accelerator::{Profile, SliceSet, Table};
use locox::cube::{Dim, Node, Subcube};
use locox::fair::{RoundRobin, StationId};
use locox::mesh::{Embedding, Leftover, Shape};
use locox::reserve::{Contiguous, Lowest};
use locox::subcube::Outage;
use locox::timeshare::FirstLevel;
use locox_coordinators::manager::Places;
use locox_oracles::Mismatch;
use locox_oracles::cluster::Told;
use locox_oracles::dispatch::{order, planner::Kind};
use locox_oracles::exhaust::{
    Counts, MANAGER, MeshReach, Reach, State, Used, bookings, boxes, clusters, managers, maps,
    meshes, messages, nodes, planners, plans, pools, profiles, queues, sites, slices, small_site,
    stations_under, three_nodes, timelines, walk,
};
use locox_oracles::fair::Turns;
use locox_oracles::machine::nodes::Rule as Fit;
use locox_oracles::manager;
use locox_oracles::mesh::{Flaw, Isolation, Model};
use locox_oracles::reserve::naive::Which;
use locox_oracles::reserve::subject::{Plain, Profile as Counted};
use locox_oracles::subcube::{Buddy, NodeSet, Rule};
use locox_oracles::timeshare;

fn is_found(counts: Counts) {
    assert!(counts.violations > 0 && counts.first.is_some(), "{counts}");
}

/// A rule that takes the last subcube where the strategy takes the first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Last(Buddy);

impl Rule for Last {
    type Strategy = locox::subcube::Buddy;

    fn new(dims: Dim) -> Self {
        Self(Buddy::new(dims))
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        self.0.seen(free, dim)
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        self.seen(free, dim).last().copied()
    }
}

/// A rule that takes what was withdrawn and repaired for lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Forgets(Buddy, Vec<Node>);

impl Rule for Forgets {
    type Strategy = locox::subcube::Buddy;

    fn new(dims: Dim) -> Self {
        Self(Buddy::new(dims), vec![])
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        let mut seen = self.0.seen(free, dim);
        seen.retain(|cube| !self.1.iter().any(|&node| cube.contains(node)));
        seen
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        self.0.choose(free, dim)
    }

    fn remove(&mut self, node: Node) {
        self.1.push(node);
    }
}

fn reach(dims: u8) -> Reach {
    let dims = Dim::new(dims).unwrap();
    Reach { dims, claims: false, reasons: &[], out: 0, leases: 4, looks: false }
}

#[test]
fn a_wrong_place_in_a_pool() {
    is_found(pools::<Last>(reach(2)));
}

#[test]
fn a_wrong_count_of_subcubes_after_a_repair() {
    let reasons = &[Outage::Failed];
    let counts = pools::<Forgets>(Reach { reasons, out: 1, looks: true, ..reach(1) });
    is_found(counts);
}

#[test]
fn a_refusal_of_what_is_there() {
    // The buddy does not see all subcubes.
    is_found(maps::<Buddy>(false));
}

#[test]
fn a_wrong_place_of_a_mesh() {
    let dims = Dim::new(2).unwrap();
    let leftover = Leftover::Reused;
    is_found(meshes::<Last>(MeshReach { dims, leftover, restarts: false, out: 0 }));
}

/// A pool of meshes with a flaw, before the oracle of channels.
#[derive(Clone)]
struct Flawed(Model<Buddy>);

impl Flawed {
    fn new(flaw: Flaw) -> Self {
        Self(Model::new(Dim::new(3).unwrap(), Leftover::Reused, flaw))
    }
}

impl State for Flawed {
    type Operation = Result<Shape, usize>;

    fn key(&self) -> impl std::hash::Hash + std::fmt::Debug {
        self.0.key()
    }

    fn operations(&self) -> Vec<Result<Shape, usize>> {
        // The smallest case in which joining across shares a channel has these.
        let lines = [1, 2, 5].map(|x| Ok(Shape::line(x).unwrap())).into_iter();
        lines.chain((0..self.0.live.len()).map(Err)).collect()
    }

    fn after(&self, operation: &Result<Shape, usize>) -> Result<Self, Mismatch> {
        let mut next = self.clone();
        match *operation {
            Err(at) => next.0.release(at),
            Ok(shape) => {
                if let Ok((cube, home)) = next.0.choose(shape) {
                    next.0.open(Embedding::new(cube, shape).unwrap(), home);
                }
            }
        }
        let mut channels = Isolation::new(Dim::new(3).unwrap());
        let shared = next.0.live.iter().try_for_each(|it| channels.add(&it.mesh));
        let said = |what| Mismatch { step: 0, command: format!("{operation:?}"), what };
        shared.map_err(|conflict| said(format!("{conflict:?}")))?;
        Ok(next)
    }
}

#[test]
fn a_channel_with_two_users() {
    assert_eq!(walk(Flawed::new(Flaw::None)).violations, 0);
    is_found(walk(Flawed::new(Flaw::JoinsAcross)));
}

#[test]
fn a_mesh_taken_for_a_torus() {
    is_found(boxes("mesh:3x2", "torus:3x2", Used::Leased));
}

#[test]
fn a_failed_node_taken_for_a_leased_one() {
    is_found(boxes("mesh:3x2", "mesh:3x3", Used::Failed));
}

#[test]
fn a_plan_of_more_moves_than_needed() {
    is_found(plans::plans([3, 2], |fewest| fewest.map(|(moves, nodes)| (moves, nodes + 1))));
}

#[test]
fn a_placement_that_the_table_does_not_have() {
    const BOTH: [SliceSet; 2] = [SliceSet(0b01), SliceSet(0b10)];
    let table = |placements| [Profile { name: "1g", placements }];
    let (real, other) = (table(&BOTH), table(&BOTH[..1]));
    let [real, other] = [&real, &other].map(|profiles| Table::new(2, profiles).unwrap());
    assert_eq!(slices(real, real).violations, 0);
    is_found(slices(real, other));
}

#[test]
fn nodes_that_have_less_in_common() {
    let mut other = three_nodes(Fit::First, 3);
    other.cluster.common = vec![2];
    is_found(nodes(three_nodes(Fit::First, 3), other, 0));
}

#[test]
fn nodes_by_another_fit() {
    is_found(nodes(three_nodes(Fit::First, 2), three_nodes(Fit::Best, 2), 0));
}

#[test]
fn wrong_pes_of_a_timeline() {
    is_found(timelines(3, 2, &[(Which::Lowest, &Contiguous)]));
    is_found(timelines(3, 2, &[(Which::Contiguous, &Lowest)]));
}

#[test]
fn a_profile_of_more_pes_than_there_are() {
    is_found(profiles(2, 2, 3));
}

#[test]
fn a_timeline_that_does_not_know_its_pes() {
    is_found(bookings::<Plain>(2, false));
    is_found(bookings::<Counted>(2, true));
}

#[test]
fn a_queue_in_another_order() {
    is_found(queues(4, order::Rule::Fcfs, order::Rule::ScanDown));
}

#[test]
fn a_planner_that_promises_less() {
    is_found(planners(5, Kind::Easy(3), Kind::Conservative(3)));
}

#[test]
fn a_station_out_of_turn() {
    let wrong = Turns::starting_at(StationId(1));
    is_found(stations_under(2, &RoundRobin::default(), &wrong));
}

#[test]
fn a_host_with_too_many_jobs() {
    let fcfs = order::Rule::Fcfs;
    let rule = timeshare::Rule::FirstLevel { degree: 1, drawn: false };
    is_found(clusters(5, (&FirstLevel::new(2), fcfs), (rule, fcfs)));
}

#[test]
fn a_host_that_does_not_know_an_old_batch() {
    is_found(messages(7, 1, Told::ByCount));
}

#[test]
fn a_site_that_takes_a_machine_for_slower() {
    let mut slower = small_site();
    slower.times[0] = vec![Some(9), Some(7), Some(8)];
    is_found(sites(3, &slower, &small_site()));
}

#[test]
fn a_manager_without_room() {
    let smaller = manager::Size { jobs: 1, ..MANAGER };
    is_found(managers(2, Places::Any, smaller, MANAGER));
}
