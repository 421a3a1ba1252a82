//! Subcubes, of which a strategy knows some.

use super::Naive;
use locox::cube::{Dim, Node, Subcube, gray};
use locox::subcube::{ByMap, Subcubes};
use std::marker::PhantomData;

/// Whether a strategy knows a subcube.
pub type Known = fn(&Subcube) -> bool;

/// Aligned blocks, as the buddy strategy.
pub fn by_blocks(cube: &Subcube) -> bool {
    cube.mask() == cube.len() - 1
}

/// Two neighbouring runs of codewords, or one node, or all.
pub fn by_runs(cube: &Subcube) -> bool {
    let (nodes, half) = (cube.dims().nodes(), (cube.len() / 2).max(1));
    let mut firsts: Vec<u32> = cube.nodes().map(gray::decode).collect();
    firsts.sort_unstable();
    let runs: Vec<u32> = firsts.iter().copied().filter(|it| it % half == 0).collect();
    let is_run = |&first: &u32| (first..first + half).all(|it| firsts.binary_search(&it).is_ok());
    let neighbours =
        |one: u32, two: u32| (one + half) % nodes == two || (two + half) % nodes == one;
    match runs[..] {
        [_] => true,
        [one, two] => is_run(&one) && is_run(&two) && neighbours(one, two),
        _ => false,
    }
}

/// All subcubes.
pub fn by_all(_: &Subcube) -> bool {
    true
}

/// A cube, with the subcubes that a strategy knows.
pub struct Cubes<S> {
    dims: Dim,
    known: Known,
    strategy: PhantomData<S>,
}

impl<S> Cubes<S> {
    /// A cube of so many dimensions.
    pub fn new(dims: u8, known: Known) -> Self {
        Self { dims: Dim::new(dims).unwrap(), known, strategy: PhantomData }
    }
}

impl<S: ByMap> Naive for Cubes<S> {
    type Machine = Subcubes<S>;

    fn machine(&self) -> Subcubes<S> {
        Subcubes::new(self.dims).unwrap()
    }

    fn nodes(&self) -> u32 {
        self.dims.nodes()
    }

    fn requests(&self) -> Vec<Dim> {
        (0..=self.dims.get() + 1).map(|dim| Dim::new(dim).unwrap()).collect()
    }

    fn node(&self, node: u32) -> Subcube {
        Subcube::new(self.dims, Node(node), 0).unwrap()
    }

    fn set(&self, place: &Subcube) -> u64 {
        place.nodes().fold(0, |set, node| set | 1 << node.0)
    }

    fn choices(&self, of: &Dim) -> Vec<u64> {
        let masks = (0..self.nodes()).filter(|mask| mask.count_ones() == u32::from(of.get()));
        let bases = |mask: u32| (0..self.nodes()).filter(move |base| base & mask == 0);
        let all = masks.flat_map(|mask| {
            bases(mask).map(move |base| Subcube::new(self.dims, Node(base), mask).unwrap())
        });
        all.filter(self.known).map(|cube| self.set(&cube)).collect()
    }
}
