//! Sets of nodes, and all subcubes of a machine.

use locox::cube::{Dim, Node, Subcube};

/// A set of the nodes of an n-cube: a bit for each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeSet {
    dims: Dim,
    words: Vec<u64>,
}

/// The nodes of a word that lie low along each coordinate.
const LOW: [u64; 6] =
    [u64::MAX / 3, u64::MAX / 5, u64::MAX / 17, u64::MAX / 257, u64::MAX / 65537, u64::MAX >> 32];

impl NodeSet {
    /// The nodes for which `belongs` is true.
    pub fn of(dims: Dim, mut belongs: impl FnMut(Node) -> bool) -> Self {
        let mut words = vec![0; dims.nodes().div_ceil(64) as usize];
        for node in (0..dims.nodes()).filter(|&node| belongs(Node(node))) {
            words[node as usize / 64] |= 1 << (node % 64);
        }
        Self { dims, words }
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
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether `node` is a member.
    pub fn contains(&self, node: Node) -> bool {
        self.words[node.0 as usize / 64] >> (node.0 % 64) & 1 == 1
    }

    /// Takes the nodes of `cube` out.
    pub fn remove(&mut self, cube: &Subcube) {
        cube.nodes().for_each(|node| self.words[node.0 as usize / 64] &= !(1 << (node.0 % 64)));
    }

    /// Whether all nodes of `cube` are members.
    pub fn contains_cube(&self, cube: &Subcube) -> bool {
        cube.nodes().all(|node| self.contains(node))
    }

    /// The subcubes of dimension `dim` within the set, in the order of [`subcubes`].
    pub fn subcubes(&self, dim: Dim) -> impl Iterator<Item = Subcube> + '_ {
        masks(self.dims, dim).flat_map(move |mask| {
            self.bases(mask).map(move |base| Subcube::new(self.dims, base, mask).unwrap())
        })
    }

    /// The bases of the subcubes within the set that are free at the ones of `mask`: a subcube
    /// lies within it if both halves do.
    fn bases(&self, mask: u32) -> impl Iterator<Item = Node> + use<> {
        let mut words = self.words.clone();
        (0..24).filter(|at| mask >> at & 1 == 1).for_each(|at| halve(&mut words, at));
        words.into_iter().enumerate().flat_map(|(place, word)| {
            let bits = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            let bits = bits.take_while(|&rest| rest != 0).map(u64::trailing_zeros);
            bits.map(move |bit| Node(place as u32 * 64 + bit))
        })
    }
}

/// Keeps the low one of two neighbours along a coordinate if both are there, and none else.
fn halve(words: &mut [u64], at: u32) {
    let Some(&low) = LOW.get(at as usize) else {
        let distance = 1 << (at - 6);
        return (0..words.len()).for_each(|place| {
            let is_low = place & distance == 0;
            words[place] = if is_low { words[place] & words[place + distance] } else { 0 };
        });
    };
    words.iter_mut().for_each(|word| *word &= *word >> (1 << at) & low);
}

/// All sets of so many coordinates.
fn masks(dims: Dim, dim: Dim) -> impl Iterator<Item = u32> {
    (0..dims.nodes()).filter(move |mask| mask.count_ones() == u32::from(dim.get()))
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
    masks(dims, dim).flat_map(move |mask| {
        let bases = Subcube::new(dims, Node(0), (nodes - 1) & !mask).unwrap().nodes();
        bases.map(move |base| Subcube::new(dims, base, mask).unwrap())
    })
}
