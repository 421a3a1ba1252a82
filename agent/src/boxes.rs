//! Nodes by their coordinates in a mesh or torus.

use locox::bits::{Word, words_for};
use locox::cube::Node;
use locox::grid::{self, Anchors, BoxRequest, Grid, Placement, Sides};
use locox::machine::{Machine, Numbered};

/// Nodes by their coordinates in a mesh or torus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boxes {
    grid: Grid,
    /// By number; some have no node.
    names: Vec<Option<String>>,
}

impl Boxes {
    /// The nodes of these names, each at another node of the machine.
    pub fn new(grid: Grid, nodes: impl IntoIterator<Item = (String, Node)>) -> Self {
        let mut names = vec![None; grid.nodes() as usize];
        for (name, node) in nodes {
            names[node.0 as usize] = Some(name);
        }
        Self { grid, names }
    }

    /// The machine.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// The names of the nodes by their numbers.
    pub fn numbered(&self) -> &[Option<String>] {
        &self.names
    }

    /// The nodes of the largest box of which each address has a node: the most that a job can have.
    pub fn most(&self) -> u32 {
        let Some(boxes) = grid::Boxes::new(self.grid, Placement::First, Anchors::Any) else {
            return 0;
        };
        let mut there: Vec<Word> = vec![0; words_for(self.names.len())];
        for (node, _) in self.names.iter().enumerate().filter(|(_, name)| name.is_some()) {
            there[node / Word::BITS as usize] |= 1 << (node % Word::BITS as usize);
        }
        let words = boxes.words();
        let (mut map, mut room) = (vec![0; words.map], vec![0; words.room]);
        boxes.draw(&mut map, &there);
        largest(self.grid, |sides| {
            let request = Sides::new(&sides).map(BoxRequest::Fixed);
            request.is_some_and(|request| boxes.find(&map, &request, &mut room).is_some())
        })
    }
}

/// The nodes of the largest box of all for which `has` says yes. What has a box has all smaller ones: so for two sides the third
/// can only fall while the fourth rises.
///
/// Cost: for each pair of the two shorter sides at most one question for each node of the two longer ones.
fn largest(grid: Grid, mut has: impl FnMut([u8; 4]) -> bool) -> u32 {
    let mut most = [1; 4];
    most.iter_mut().zip(grid.axes()).for_each(|(most, axis)| *most = axis.nodes());
    let mut axes = [0, 1, 2, 3];
    axes.sort_by_key(|&axis| most[axis]);
    let [a, b, c, d] = axes;
    let mut found = 0;
    for (first, second) in (1..=most[a]).flat_map(|it| (1..=most[b]).map(move |other| (it, other)))
    {
        let mut fourth = most[d];
        for third in 1..=most[c] {
            let mut sides = [1; 4];
            (sides[a], sides[b], sides[c], sides[d]) = (first, second, third, fourth);
            let nodes = |sides: [u8; 4]| sides.into_iter().map(u32::from).product::<u32>();
            // Nothing is to be asked of a box that would not be larger.
            while nodes(sides) > found && !has(sides) {
                sides[d] -= 1;
            }
            (fourth, found) = (sides[d], found.max(nodes(sides)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;
    use locox::grid::Cuboid;
    use locox_coordinators::manager::NodeId;

    fn boxes(machine: &str, has: impl Fn(u32) -> bool) -> Boxes {
        let grid: Grid = machine.parse().unwrap();
        let nodes = (0..grid.nodes()).filter(|node| has(*node));
        Boxes::new(grid, nodes.map(|node| (format!("n{node}"), Node(node))))
    }

    #[test]
    fn addresses_without_a_node_are_no_place_for_jobs() {
        let all = boxes("torus:4x3", |_| true);
        assert_eq!((all.numbered().len(), all.most()), (12, 12));
        let some = boxes("torus:4x3", |node| node != 5);
        assert_eq!(some.most(), 9, "3x3 around the ring");
        assert_eq!(boxes("mesh:4x3", |node| node != 5).most(), 6);
        let names = Names::numbered(some.numbered());
        assert_eq!((names.number("n9"), names.len()), (Some(NodeId(9)), 12));
        assert_eq!(names.name(NodeId(5)), "#5");
        assert_eq!(boxes("mesh:4x3", |_| false).most(), 0);
    }

    /// Each box at each place, looked at node by node.
    #[test]
    fn no_box_is_larger_than_the_most() {
        let mut numbers = 1u64;
        for machine in ["mesh:5x3", "torus:4x3", "mesh:3rx2x4r", "mesh:7", "torus:2x3x2x2"] {
            for round in 0..20 {
                let mut bits = 0u64;
                for _ in 0..=round % 3 {
                    numbers = numbers.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    bits |= numbers >> 20;
                }
                let some = boxes(machine, |node| bits >> node & 1 == 1);
                let grid = some.grid();
                let nodes = || (0..grid.nodes()).map(Node);
                let shapes = nodes().map(|at| grid.coordinates(at).unwrap().map(|at| at + 1));
                let whole = |it: &Cuboid| it.nodes().all(|at| some.names[at.0 as usize].is_some());
                let places = shapes
                    .filter_map(|sides| Sides::new(&sides))
                    .flat_map(|sides| nodes().filter_map(move |at| Cuboid::new(grid, at, sides)));
                let most = places.filter(whole).map(|it| it.sides().nodes()).max().unwrap_or(0);
                assert_eq!(some.most(), most, "{machine} with {bits:b}");
            }
        }
    }
}
