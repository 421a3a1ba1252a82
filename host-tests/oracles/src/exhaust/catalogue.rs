//! Which enumerations there are, how far they go in tests, and how far in full.

use super::{
    CHOICES, Counts, MANAGER, MeshReach, Reach, Used, bookings, boxes, clusters, managers, maps,
    meshes, messages, nodes, planners, plans, pools, profiles, promises, queues, sites, slices,
    small_site, stations, three_nodes, timelines,
};
use crate::cluster::Told;
use crate::dispatch::order::Rule as Queue;
use crate::dispatch::planner::Kind;
use crate::dispatch::promises::{Counted, Nodes};
use crate::machine::nodes::Rule;
use crate::machine::{Cubes, Racks, Shaped, Slices, by_all, by_blocks, by_runs};
use crate::reserve::subject::{Plain, Profile};
use crate::subcube::{Buddy, Complete, FreeList, FreeListPlain, GrayCode};
use crate::timeshare;
use locox::accelerator::Table;
use locox::cube::Dim;
use locox::grid::{Grid, Placement};
use locox::mesh::Leftover;
use locox::subcube::{self, Outage};
use locox::time::Duration;
use locox::timeshare::{FirstLevel, NonInterfering, Threshold};
use locox_coordinators::manager::Places;
use std::num::NonZeroU32;

/// What is enumerated, in words, and what does it.
pub type Extent = (&'static str, fn() -> Counts);

/// One enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Enumeration {
    /// Its name.
    pub name: &'static str,
    /// In tests.
    pub quick: Extent,
    /// By `ci/deep/exhaust`.
    pub full: Extent,
}

/// All of them, those that take longest first.
pub fn all() -> Vec<Enumeration> {
    [strategies(), machines(), coordinators(), bookkeeping(), promising()].concat()
}

const fn dim(dims: u8) -> Dim {
    match Dim::new(dims) {
        Some(dims) => dims,
        None => Dim::ZERO,
    }
}

const REASONS: &[Outage] = &[Outage::Failed, Outage::Drained];
const ANY: Reach =
    Reach { dims: dim(2), claims: true, reasons: REASONS, out: 4, leases: 4, looks: true };
const SERVING: Reach = Reach { dims: dim(3), reasons: &[], out: 0, leases: 8, ..ANY };
const DRAINED: Reach =
    Reach { claims: false, reasons: &[Outage::Drained], out: 1, looks: false, ..SERVING };
const FAILED: Reach = Reach { reasons: &[Outage::Failed], out: 8, looks: false, ..SERVING };
const FOUR: Reach = Reach { dims: dim(4), claims: false, leases: 16, looks: false, ..SERVING };

const MESHES: MeshReach =
    MeshReach { dims: dim(3), leftover: Leftover::Reused, restarts: true, out: 0 };

/// Names with the place of a strategy in them.
macro_rules! of_strategy {
    ($rule:ty, $name:literal, $four:literal, $leases:literal, $failed:literal, $out:literal) => {
        [
            Enumeration {
                name: concat!("outages-", $name),
                quick: (
                    "Q2, any nodes failed or drained, claims, restarts; Q3, a node drained",
                    || pools::<$rule>(ANY).and(pools::<$rule>(DRAINED)),
                ),
                full: ("Q3, any nodes failed, claims, restarts", || pools::<$rule>(FAILED)),
            },
            Enumeration {
                name: concat!("large-", $name),
                quick: ("Q4, two leases at most", || pools::<$rule>(Reach { leases: 2, ..FOUR })),
                full: ($four, || pools::<$rule>(Reach { leases: $leases, ..FOUR })),
            },
            Enumeration {
                name: concat!("meshes-", $name),
                quick: ("Q2, a node failed at most, restarts", || {
                    meshes::<$rule>(MeshReach { dims: dim(2), out: 1, ..MESHES })
                }),
                full: (concat!("Q3, restarts, ", $failed), || {
                    meshes::<$rule>(MeshReach { out: $out, ..MESHES })
                }),
            },
            Enumeration {
                name: concat!("states-", $name),
                quick: ("Q3, all nodes serve", || {
                    pools::<$rule>(Reach { claims: false, looks: false, ..SERVING })
                }),
                full: ("Q3, all nodes serve, claims, restarts, what the pool remembers", || {
                    pools::<$rule>(SERVING)
                }),
            },
        ]
    };
}

fn strategies() -> Vec<Enumeration> {
    let each = [
        of_strategy!(
            FreeList,
            "free-list",
            "Q4, four leases at most",
            4,
            "at most one node failed",
            1
        ),
        of_strategy!(Complete, "complete", "Q4, four leases at most", 4, "all nodes serve", 0),
        of_strategy!(
            FreeListPlain,
            "free-list-plain",
            "Q4, four leases at most",
            4,
            "all nodes serve",
            0
        ),
        of_strategy!(GrayCode, "gray-code", "Q4, all nodes serve", 16, "all nodes serve", 0),
        of_strategy!(Buddy, "buddy", "Q4, all nodes serve", 16, "at most one node failed", 1),
    ];
    each.concat()
}

/// The same in tests and in full.
const fn whole(name: &'static str, extent: Extent) -> Enumeration {
    Enumeration { name, quick: extent, full: extent }
}

/// The same boxes for kernel and model.
macro_rules! boxes_of {
    ($name:literal, $how:expr, $quick:literal, $full:literal) => {
        Enumeration {
            name: $name,
            quick: (concat!("all sets of nodes of ", $quick), || boxes($quick, $quick, $how)),
            full: (concat!("all sets of nodes of ", $full), || boxes($full, $full, $how)),
        }
    };
}

/// The same nodes for kernel and model.
macro_rules! nodes_of {
    ($name:literal, $rule:expr) => {
        Enumeration {
            name: $name,
            quick: ("three unlike nodes, four kinds of leases, three at most", || {
                nodes(three_nodes($rule, 3), three_nodes($rule, 3), 0)
            }),
            full: ("three unlike nodes, any of them failed, four kinds of leases", || {
                nodes(three_nodes($rule, 9), three_nodes($rule, 9), 3)
            }),
        }
    };
}

fn machines() -> Vec<Enumeration> {
    vec![
        Enumeration {
            name: "plans",
            quick: ("plans of moves on torus:4x3", || plans::plans([4, 3], |it| it)),
            full: ("plans of moves on torus:4x4", || plans::plans([4, 4], |it| it)),
        },
        whole("slices-a100", ("an A100, any slices out", || slices(Table::A100, Table::A100))),
        whole("slices-a30", ("an A30, any slices out", || slices(Table::A30, Table::A30))),
        nodes_of!("nodes-first", Rule::First),
        nodes_of!("nodes-best", Rule::Best),
        nodes_of!("nodes-fewest", Rule::Fewest(2, vec![])),
        boxes_of!("boxes-torus", Used::Leased, "torus:4x4", "torus:4x4"),
        boxes_of!("boxes-mesh", Used::Leased, "mesh:4x3", "mesh:4x4"),
        boxes_of!("boxes-torus-3", Used::Leased, "torus:3x2x2", "torus:3x3x2"),
        boxes_of!("boxes-mesh-3", Used::Leased, "mesh:3x2x2", "mesh:3x3x2"),
        boxes_of!("boxes-torus-out", Used::Failed, "torus:4x3", "torus:4x4"),
        boxes_of!("boxes-mesh-out", Used::Failed, "mesh:4x3", "mesh:4x4"),
        whole("maps-complete", ("Q4, all sets of free nodes, places", || maps::<Complete>(true))),
        whole("maps-free-list", ("Q4, all sets of free nodes", || maps::<FreeList>(false))),
    ]
}

/// Histories of so many commands in tests, and in full.
macro_rules! histories_of {
    ($name:literal, $what:expr, $quick:literal, $full:literal, |$length:ident| $run:expr) => {
        Enumeration {
            name: $name,
            quick: (concat!($what, ", all histories of ", $quick, " commands"), || {
                let $length = $quick;
                $run
            }),
            full: (concat!($what, ", all histories of ", $full, " commands"), || {
                let $length = $full;
                $run
            }),
        }
    };
}

const FIRST_LEVEL: timeshare::Rule = timeshare::Rule::FirstLevel { degree: 2, drawn: false };

fn non_interfering() -> NonInterfering {
    NonInterfering {
        degree: 2,
        threshold: Threshold::from_thousandths(500).expect("between 0 and 1"),
        believed: Duration::from_ticks(9),
        settled: Duration::from_ticks(2),
    }
}

fn on_calm_hosts(length: usize) -> Counts {
    let placement = non_interfering();
    let NonInterfering { degree, threshold, believed, settled } = placement;
    let rule = timeshare::Rule::NonInterfering { degree, threshold, believed, settled };
    clusters(length, (&placement, Queue::Fcfs), (rule, Queue::Fcfs))
}

fn coordinators() -> Vec<Enumeration> {
    vec![
        histories_of!("stations", "2 stations, 2 jobs", 3, 6, |length| stations(length)),
        histories_of!("clusters", "2 hosts, 2 users, 2 jobs, first level", 4, 7, |length| {
            clusters(length, (&FirstLevel::new(2), Queue::Fcfs), (FIRST_LEVEL, Queue::Fcfs))
        }),
        histories_of!(
            "clusters-calm",
            "2 hosts, 2 users, 2 jobs, non-interfering",
            4,
            7,
            |length| on_calm_hosts(length)
        ),
        histories_of!(
            "clusters-messages",
            "2 hosts, 2 jobs, loss, doubling, delay",
            6,
            9,
            |length| {
                messages(length, 1, Told::ByBatch).and(messages(length - 1, 2, Told::ByBatch))
            }
        ),
        histories_of!("sites", "2 machines, 2 users, 2 queues, 2 jobs", 4, 8, |length| {
            sites(length, &small_site(), &small_site())
        }),
        histories_of!("managers", "2 nodes, 2 users, 2 jobs", 4, 6, |length| {
            managers(length, Places::Any, MANAGER, MANAGER)
        }),
        histories_of!("managers-meshes", "2 nodes, 2 users, 2 jobs, in meshes", 4, 6, |length| {
            managers(length, Places::Meshes, MANAGER, MANAGER)
        }),
        histories_of!("managers-boxes", "2 nodes, 2 users, 2 jobs, in boxes", 4, 6, |length| {
            let grid = Grid::mesh(&[2]).expect("two nodes in a line");
            managers(length, Places::Boxes(grid), MANAGER, MANAGER)
        }),
    ]
}

fn bookkeeping() -> Vec<Enumeration> {
    let mut all = vec![
        Enumeration {
            name: "timelines",
            quick: ("3 PEs in 3 units of time, 2 in 4, all requests, policies", || {
                timelines(3, 3, &CHOICES).and(timelines(2, 4, &CHOICES))
            }),
            full: ("3 PEs in 4 units of time, 4 in 3, 2 in 6, all requests, policies", || {
                let of = |pes, units| timelines(pes, units, &CHOICES);
                of(3, 4).and(of(4, 3)).and(of(2, 6))
            }),
        },
        Enumeration {
            name: "profiles",
            quick: ("3 PEs in 4 units of time, all requests, policies", || profiles(3, 4, 3)),
            full: ("4 PEs in 5 units of time, all requests, policies", || profiles(4, 5, 4)),
        },
        histories_of!("bookings", "a timeline of 2 PEs, 2 rows", 3, 6, |length| {
            bookings::<Plain>(length, true)
        }),
        histories_of!("bookings-counted", "a profile of 2 PEs, 2 rows", 3, 6, |length| {
            bookings::<Profile>(length, false)
        }),
    ];
    macro_rules! queue {
        ($name:literal, $rule:expr) => {
            histories_of!($name, "a queue of 3 jobs", 5, 9, |length| queues(length, $rule, $rule))
        };
    }
    macro_rules! planner {
        ($name:literal, $kind:expr, $full:literal) => {
            histories_of!($name, "a planner of 2 PEs, 3 jobs", 4, $full, |length| {
                planners(length, $kind, $kind)
            })
        };
    }
    all.extend([
        planner!("conservative", Kind::Conservative(3), 6),
        planner!("in-steps", Kind::InSteps(NonZeroU32::MIN), 6),
        planner!("easy", Kind::Easy(3), 7),
        queue!("fcfs", Queue::Fcfs),
        queue!("window", Queue::Window(2)),
        queue!("scan-up", Queue::ScanUp),
        queue!("scan-down", Queue::ScanDown),
        queue!("lazy", Queue::Lazy(1)),
    ]);
    all
}

/// With one promise, and with one for each job.
fn promised<G: Nodes>(nodes: impl Fn() -> G, length: usize) -> Counts {
    promises(nodes(), 1, length).and(promises(nodes(), 3, length))
}

fn shaped(machine: &str, placement: Placement) -> Shaped {
    Shaped { grid: machine.parse().expect("a machine"), placement, isolating: false }
}

fn promising() -> Vec<Enumeration> {
    macro_rules! promises {
        ($name:literal, $what:literal, $nodes:expr) => {
            histories_of!($name, concat!("promises on ", $what, ", 3 jobs"), 3, 6, |length| {
                promised(|| $nodes, length)
            })
        };
    }
    vec![
        promises!("promises-count", "a count of 4", Counted(4)),
        promises!("promises-buddy", "Q3, buddy", Cubes::<subcube::Buddy>::new(3, by_blocks)),
        promises!(
            "promises-gray-code",
            "Q3, Gray code",
            Cubes::<subcube::GrayCode>::new(3, by_runs)
        ),
        promises!("promises-complete", "Q3, complete", Cubes::<subcube::Complete>::new(3, by_all)),
        promises!("promises-torus-3x3", "torus:3x3", shaped("torus:3x3", Placement::First)),
        promises!("promises-torus-4x2", "torus:4x2", shaped("torus:4x2", Placement::Corner)),
        promises!("promises-mesh-3x3", "mesh:3x3", shaped("mesh:3x3", Placement::Fewest)),
        promises!("promises-mesh-4x2", "mesh:4x2", shaped("mesh:4x2", Placement::First)),
        promises!("promises-slices", "six slices", Slices::six()),
        promises!("promises-tree", "two racks of 3", Racks { nodes: 6, levels: &[&[0, 3]] }),
    ]
}
