//! The free list: cubes that were split and merged, so the past matters.

use crate::{NodeSet, Rule};
use locox::bits::Word;
use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::{self, free_list};
use std::collections::BTreeMap;

/// Keeps a list of disjoint free cubes, sees what lies inside one of them, and splits the first
/// one of the smallest sufficient dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FreeList {
    dims: Dim,
    /// Masks by dimension and base.
    cubes: BTreeMap<(Dim, Node), u32>,
}

impl FreeList {
    fn insert(&mut self, cube: Subcube) {
        assert_eq!(self.cubes.insert((cube.dim(), cube.base()), cube.mask()), None);
    }

    fn remove(&mut self, cube: Subcube) -> bool {
        let listed = self.cubes.get(&(cube.dim(), cube.base())) == Some(&cube.mask());
        if listed {
            self.cubes.remove(&(cube.dim(), cube.base()));
        }
        listed
    }

    fn listed(&self) -> impl Iterator<Item = Subcube> + '_ {
        self.cubes.iter().map(|(&(_, base), &mask)| Subcube::new(self.dims, base, mask).unwrap())
    }

    /// The halves of a cube at its highest free coordinate.
    fn split(&self, cube: Subcube) -> (Subcube, Subcube) {
        self.dims.up_to().rev().find_map(|along| cube.halves(along)).unwrap()
    }

    /// Adds a cube, merged with its complement at the lowest coordinate as long as one is listed.
    fn merge(&mut self, mut cube: Subcube) {
        let dims = self.dims;
        let complements = |cube: Subcube| dims.up_to().filter_map(move |at| cube.complement(at));
        while let Some(other) = complements(cube).find(|&other| self.remove(other)) {
            cube = cube.joined(&other).unwrap();
        }
        self.insert(cube);
    }

    /// Takes `wanted`, a part of the listed `cube`, out of the lists, splitting from the top.
    fn cut(&mut self, mut cube: Subcube, wanted: Subcube) {
        assert!(self.remove(cube));
        while cube != wanted {
            let (low, high) = self.split(cube);
            let (kept, left) = if low.contains_cube(&wanted) { (low, high) } else { (high, low) };
            self.merge(left);
            cube = kept;
        }
    }
}

impl Rule for FreeList {
    type Pool = subcube::FreeList<Box<[Word]>>;

    fn new(dims: Dim) -> Self {
        Self { dims, cubes: BTreeMap::from([((dims, Node(0)), dims.nodes() - 1)]) }
    }

    fn pool(id: PoolId, dims: Dim) -> Self::Pool {
        subcube::FreeList::new(id, dims, vec![Word::MAX; free_list::words(dims)].into()).unwrap()
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        free.subcubes(dim).filter(|cube| self.listed().any(|it| it.contains_cube(cube))).collect()
    }

    fn choose(&self, _: &NodeSet, dim: Dim) -> Option<Subcube> {
        let mut cube = self.listed().find(|cube| cube.dim() >= dim)?;
        while cube.dim() > dim {
            (cube, _) = self.split(cube);
        }
        Some(cube)
    }

    /// Any subcube may come to be listed.
    fn possible(&self, serving: &NodeSet, dim: Dim) -> bool {
        serving.subcubes(dim).next().is_some()
    }

    fn take(&mut self, cube: Subcube) {
        let from = self.listed().find(|it| it.contains_cube(&cube)).unwrap();
        self.cut(from, cube);
    }

    fn give(&mut self, cube: Subcube) {
        let free: u32 = self.listed().map(|cube| cube.len()).sum();
        if free + cube.len() == self.dims.nodes() {
            *self = Self::new(self.dims);
            return;
        }
        self.merge(cube);
    }

    fn lose(&mut self, node: Node) {
        let cube = self.listed().find(|cube| cube.contains(node)).unwrap();
        self.cut(cube, Subcube::new(self.dims, node, 0).unwrap());
    }
}
