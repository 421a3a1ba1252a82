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

    /// Takes `wanted` out of the lists: out with all cubes that have nodes in common with it, and
    /// then, by base, the rest of each is merged again. It is what is left of halves at the highest
    /// coordinate at which only the listed cube is free.
    fn cut(&mut self, wanted: Subcube) {
        let mut met: Vec<_> =
            self.listed().filter(|cube| cube.intersection(&wanted).is_some()).collect();
        assert!(!met.is_empty());
        met.sort_by_key(|cube| cube.base());
        met.iter().for_each(|&cube| assert!(self.remove(cube)));
        met.into_iter().for_each(|cube| self.merge_rest(cube, wanted));
    }

    fn merge_rest(&mut self, mut cube: Subcube, wanted: Subcube) {
        while let Some((low, high)) = self.split(cube, wanted) {
            let meets = low.intersection(&wanted).is_some();
            let (kept, left) = if meets { (low, high) } else { (high, low) };
            self.merge(left);
            cube = kept;
        }
    }

    /// Merges what a cube has beside these nodes: halves at the highest coordinate, those without such
    /// a node first.
    fn merge_others(&mut self, cube: Subcube, out: &[Node]) {
        let Some((low, high)) = self.dims.up_to().rev().find_map(|at| cube.halves(at)) else {
            return;
        };
        let meets = |cube: &Subcube| out.iter().any(|&node| cube.contains(node));
        let (mixed, whole): (Vec<_>, Vec<_>) = [low, high].into_iter().partition(meets);
        whole.into_iter().for_each(|half| self.merge(half));
        mixed.into_iter().for_each(|half| self.merge_others(half, out));
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
        self.cut(cube);
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
        self.cut(Subcube::new(self.dims, node, 0).unwrap());
    }

    fn remove_all(&mut self, nodes: &[Node]) {
        let mut met: Vec<_> =
            self.listed().filter(|cube| nodes.iter().any(|&node| cube.contains(node))).collect();
        met.sort_by_key(|cube| cube.base());
        met.iter().for_each(|&cube| assert!(self.remove(cube)));
        met.into_iter().for_each(|cube| self.merge_others(cube, nodes));
    }
}
