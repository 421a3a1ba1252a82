//! Sets of nodes, and all subcubes of a machine.

use locox::cube::{Dim, Node, Subcube};

/// A set of the nodes of an n-cube: a flag for each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeSet {
    dims: Dim,
    flags: Vec<bool>,
}

impl NodeSet {
    /// The nodes for which `belongs` is true.
    pub fn of(dims: Dim, belongs: impl FnMut(Node) -> bool) -> Self {
        Self { dims, flags: (0..dims.nodes()).map(Node).map(belongs).collect() }
    }

    /// All nodes.
    pub fn all(dims: Dim) -> Self {
        Self::of(dims, |_| true)
    }

    /// The dimensions n of the machine.
    pub fn dims(&self) -> Dim {
        self.dims
    }

    /// The number of members.
    pub fn len(&self) -> u32 {
        self.flags.iter().filter(|&&flag| flag).count() as u32
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `node` is a member.
    pub fn contains(&self, node: Node) -> bool {
        self.flags[node.0 as usize]
    }

    /// Whether all nodes of `cube` are members.
    pub fn contains_cube(&self, cube: &Subcube) -> bool {
        cube.nodes().all(|node| self.contains(node))
    }

    /// The subcubes of dimension `dim` within the set, in the order of [`subcubes`].
    pub fn subcubes(&self, dim: Dim) -> impl Iterator<Item = Subcube> + '_ {
        subcubes(self.dims, dim).filter(|cube| self.contains_cube(cube))
    }
}

/// All subcubes of dimension `dim` of an n-cube, by mask and then by base, the smallest first.
///
/// ```
/// use locox::cube::Dim;
/// let squares = locox_oracles::subcube::subcubes(Dim::new(3).unwrap(), Dim::new(2).unwrap());
/// assert!(squares.map(|it| it.to_string()).eq(["0**", "1**", "*0*", "*1*", "**0", "**1"]));
/// ```
pub fn subcubes(dims: Dim, dim: Dim) -> impl Iterator<Item = Subcube> {
    let nodes = dims.nodes();
    let masks = (0..nodes).filter(move |mask| mask.count_ones() == u32::from(dim.get()));
    masks.flat_map(move |mask| {
        let bases = Subcube::new(dims, Node(0), (nodes - 1) & !mask).unwrap().nodes();
        bases.map(move |base| Subcube::new(dims, base, mask).unwrap())
    })
}
