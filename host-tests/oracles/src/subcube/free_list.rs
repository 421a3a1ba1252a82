//! The free lists: cubes that were split and merged, so the past matters.

use super::{NodeSet, Rule};
use locox::cube::{Dim, Node, Subcube};
use locox::subcube;
use std::collections::BTreeMap;

/// With a search behind the list: where no cube is sufficient, takes the first free subcube out of
/// the cubes that it lies across.
pub type FreeList = Lists<true>;

/// The list alone.
pub type FreeListPlain = Lists<false>;

/// Keeps a list of disjoint free cubes and splits the first one of the smallest sufficient
/// dimension.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lists<const SEARCHED: bool> {
    dims: Dim,
    /// Masks by dimension and base.
    cubes: BTreeMap<(Dim, Node), u32>,
}

impl<const SEARCHED: bool> Lists<SEARCHED> {
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

    /// Adds a cube, merged with its complement at the lowest coordinate as long as one is listed.
    fn merge(&mut self, mut cube: Subcube) {
        let dims = self.dims;
        let complements = |cube: Subcube| dims.up_to().filter_map(move |at| cube.complement(at));
        while let Some(other) = complements(cube).find(|&other| self.remove(other)) {
            cube = cube.joined(&other).unwrap();
        }
        self.insert(cube);
    }

    /// Takes what the listed `cube` has in common with `wanted` out of the lists, by halves at the
    /// highest coordinate at which only the listed cube is free.
    fn cut(&mut self, mut cube: Subcube, wanted: Subcube) {
        assert!(self.remove(cube));
        while let Some((low, high)) = self.split(cube, wanted) {
            let meets = low.intersection(&wanted).is_some();
            let (kept, left) = if meets { (low, high) } else { (high, low) };
            self.merge(left);
            cube = kept;
        }
    }

    fn split(&self, cube: Subcube, wanted: Subcube) -> Option<(Subcube, Subcube)> {
        let mut fixed = self.dims.up_to().rev().filter(|&at| wanted.halves(at).is_none());
        fixed.find_map(|at| cube.halves(at))
    }
}

impl<const SEARCHED: bool> Rule for Lists<SEARCHED> {
    type Strategy = subcube::Lists<SEARCHED>;

    fn new(dims: Dim) -> Self {
        Self { dims, cubes: BTreeMap::from([((dims, Node(0)), dims.nodes() - 1)]) }
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        let listed = |cube: &Subcube| self.listed().any(|it| it.contains_cube(cube));
        free.subcubes(dim).filter(|cube| SEARCHED || listed(cube)).collect()
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        let Some(mut cube) = self.listed().find(|cube| cube.dim() >= dim) else {
            return free.subcubes(dim).next().filter(|_| SEARCHED);
        };
        while cube.dim() > dim {
            (cube, _) = self.dims.up_to().rev().find_map(|at| cube.halves(at)).unwrap();
        }
        Some(cube)
    }

    /// Any subcube may come to be listed.
    fn possible(&self, serving: &NodeSet, dim: Dim) -> bool {
        serving.subcubes(dim).next().is_some()
    }

    fn take(&mut self, cube: Subcube) {
        let first = |list: &Self| list.listed().find(|it| it.intersection(&cube).is_some());
        while let Some(from) = first(self) {
            self.cut(from, cube);
        }
    }

    fn give(&mut self, cube: Subcube) {
        let free: u32 = self.listed().map(|cube| cube.len()).sum();
        if free + cube.len() == self.dims.nodes() {
            *self = Self::new(self.dims);
            return;
        }
        self.merge(cube);
    }

    fn remove(&mut self, node: Node) {
        let cube = self.listed().find(|cube| cube.contains(node)).unwrap();
        self.cut(cube, Subcube::new(self.dims, node, 0).unwrap());
    }
}
