//! Who runs beside whom, and which messages that moves to another cycle.

use super::shapes::{Shaped, whole};
use crate::Lab;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Shape};
use locox_models::network::side_by_side;
use locox_models::network::traffic::{Mesh, Pattern};
use locox_models::network::wormhole::{Router, Window};
use locox_models::streams::stream;
use locox_report::report::{Cell, Table};

/// Cycles for which messages are offered: 600 times as long as a flit takes from router to router.
const OFFERED_FOR: u64 = 1_800;

/// Jobs on a cube.
pub(super) struct Placed {
    pub(super) dims: Dim,
    pub(super) meshes: Vec<Mesh>,
}

/// Cycles from one message of a node to the next at `load` flits a node and cycle.
pub(super) fn interval(load: f64) -> f64 {
    f64::from(Router::default().length) / load
}

/// The 2 x 3 and the 2 x 5 mesh of figure 3.1: the rows of both are told apart by the lowest bit,
/// columns are consecutive codewords.
pub(super) fn figure_3_1() -> Placed {
    let meshes = vec![
        Mesh::new([3, 2, 1], nodes(&["000*", "001*", "011*"])),
        Mesh::new([5, 2, 1], nodes(&["010*", "110*", "111*", "101*", "100*"])),
    ];
    Placed { dims: Dim::new(4).expect("small"), meshes }
}

/// The smallest mesh whose leftovers, joined, share a channel with it: 5 x 1 beside 1*1.
pub(super) fn smallest() -> Placed {
    let meshes = vec![
        Mesh::new([5, 1, 1], nodes(&["000", "001", "011", "010", "110"])),
        Mesh::new([2, 1, 1], nodes(&["1*1"])),
    ];
    Placed { dims: Dim::new(3).expect("small"), meshes }
}

fn nodes(cubes: &[&str]) -> Vec<Node> {
    let cubes = cubes.iter().filter_map(|cube| cube.parse::<Subcube>().ok());
    cubes.flat_map(|cube| cube.nodes()).collect()
}

/// Who runs beside the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A job on each leftover, as partitioned.
    Leftovers,
    /// One job, on the largest subcube of leftover nodes that uses a channel of the mesh.
    Joined,
}

/// The meshes with what runs beside them, first the mesh; those alone are left out.
pub(super) fn placed(judged: &[Shaped], beside: Beside) -> Vec<Placed> {
    let placed = judged.iter().map(|judged| {
        let mesh = whole(judged.shape);
        let others: Vec<Subcube> = match beside {
            Beside::Leftovers => mesh.leftover().filter(|cube| cube.dim() > Dim::ZERO).collect(),
            Beside::Joined => judged.largest.into_iter().collect(),
        };
        let own = Mesh::new(judged.shape.sides(), mesh.nodes().collect());
        let meshes = std::iter::once(own).chain(others.into_iter().map(square)).collect();
        Placed { dims: judged.shape.dim(), meshes }
    });
    placed.filter(|placed| placed.meshes.len() > 1).collect()
}

/// The mesh closest to a square that fills the subcube.
fn square(cube: Subcube) -> Mesh {
    let rows = cube.dim().get() / 2;
    let shape = Shape::rectangle(1 << rows, 1 << (cube.dim().get() - rows)).expect("it is a cube");
    let mesh = Embedding::new(cube, shape).expect("the shape fills the cube");
    Mesh::new(shape.sides(), mesh.nodes().collect())
}

/// Messages of all shapes, compared one by one with the same messages of the same job alone.
pub(super) struct Compared {
    pub(super) pattern: Pattern,
    pub(super) beside: Beside,
    pub(super) jobs: u64,
    pub(super) messages: u64,
    /// Delivered in another cycle than alone.
    pub(super) moved: u64,
}

/// The load at which messages are compared: below saturation, far from idle.
const LOAD: f64 = 0.4;

pub(super) fn compare(lab: &Lab, judged: &[Shaped]) -> Vec<Compared> {
    let sides = [Beside::Leftovers, Beside::Joined];
    let items: Vec<(Beside, Pattern)> =
        sides.iter().flat_map(|&beside| Pattern::ALL.map(|pattern| (beside, pattern))).collect();
    lab.parallel(&items, |&(beside, pattern)| {
        let mut random = stream(lab.seed, "traffic", 0);
        let mut compared = Compared { pattern, beside, jobs: 0, messages: 0, moved: 0 };
        for Placed { dims, meshes } in placed(judged, beside) {
            let offered =
                |mesh: &Mesh| mesh.offered(pattern, interval(LOAD), OFFERED_FOR, &mut random);
            let jobs: Vec<_> = meshes.iter().map(offered).collect();
            for job in side_by_side(&Router::default(), dims, &jobs, Window::Stream) {
                compared.jobs += 1;
                compared.messages += job.alone.len() as u64;
                compared.moved += job.moved() as u64;
            }
        }
        compared
    })
}

pub(super) fn table(compared: &[Compared]) -> Table {
    let columns = [
        ("placement", "a mesh and"),
        ("pattern", "traffic"),
        ("jobs", "jobs"),
        ("messages", "messages"),
        ("moved", "delivered in another cycle than alone"),
        ("share", "share"),
    ];
    let title = "Each message beside other jobs, and when its job has the cube for itself";
    let mut table = Table::new(title, &columns);
    for of_pattern in compared {
        let placement = match of_pattern.beside {
            Beside::Leftovers => "a job on each leftover",
            Beside::Joined => "a job on joined leftovers",
        };
        table.push(vec![
            Cell::text(placement),
            Cell::text(of_pattern.pattern.name()),
            Cell::Count(of_pattern.jobs),
            Cell::Count(of_pattern.messages),
            Cell::Count(of_pattern.moved),
            Cell::Share(of_pattern.moved as f64 / of_pattern.messages.max(1) as f64),
        ]);
    }
    table
}
