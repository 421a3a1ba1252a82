//! Machines whose nodes have numbers.

use super::Machine;
use crate::bits::Word;
use crate::cube::Node;

/// A [`Machine`] whose nodes have numbers from 0 on, so that a set of nodes is a map, and a place is a set of nodes.
///
/// ```
/// use locox::cube::Node;
/// use locox::grid::{Anchors, BoxRequest, Boxes, Grid, Placement};
/// use locox::machine::{Machine, Numbered};
/// let grid = Grid::mesh(&[2, 4]).unwrap();
/// let machine = Boxes::new(grid, Placement::First, Anchors::Any).unwrap();
/// let words = machine.words();
/// let (mut map, mut room) = (vec![0; words.map], vec![0; words.room]);
/// // Nodes 0, 3 and 5 are free. In a mesh that is two nodes wide the last two are neighbours.
/// machine.draw(&mut map, &[0b10_1001]);
/// let pair = machine.find(&map, &BoxRequest::Nodes(2), &mut room).unwrap();
/// assert!(machine.nodes_of(&pair).eq([3, 5].map(Node)));
/// ```
pub trait Numbered: Machine {
    /// How many nodes there are.
    fn nodes(&self) -> u32;

    /// Makes just those nodes of a map free whose bits are set. There is a bit for each node.
    fn draw(&self, map: &mut [Self::Word], free: &[Word]);

    /// The nodes of a place, each once.
    fn nodes_of(&self, at: &Self::Place) -> impl Iterator<Item = Node> + Clone;
}
