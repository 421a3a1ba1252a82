//! The complete strategy: all subcubes.

use super::{NodeSet, Rule, subcubes};
use locox::cube::{Dim, Node, Subcube};
use locox::subcube;
use std::collections::BTreeSet;

/// Sees every free subcube. The machine is cut into windows: 64 nodes in a row, then 64 such
/// windows in a row, and so on. A request of dimension 6l to 6l + 5 goes to a window of level l,
/// whose parts are windows of the level below: to the first of those that have room and are not
/// wholly free; if there is none, to the beginning of the window that a request for a single part of
/// the next level gets. If no window has room, it
/// gets the first free subcube by mask and then base.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Complete {
    dims: u32,
    /// A node and a coordinate below 6 along which its neighbour was granted together with it.
    links: BTreeSet<(u32, u32)>,
}

/// What a subcube is worth that has so many dimensions more than the candidate, by the leases in it.
fn worth(more: u32, leases: u32) -> u32 {
    [44, 20, 8, 4].get(leases as usize).copied().unwrap_or(0) * 2u32.pow(more - 1)
}

impl Complete {
    /// How many dimensions a window of `level` has, and how many lie above it.
    fn span(&self, level: u32) -> (u32, u32) {
        let from = self.dims - 6 * level;
        (from.min(6), from - from.min(6))
    }

    /// The subcubes of the window of `level` that starts at `first` that have `dim` dimensions
    /// there, as subcubes of the machine, by mask and then base.
    fn within(&self, level: u32, first: u32, dim: u32) -> impl Iterator<Item = Subcube> {
        let (dims, inside) = (dim_of(self.dims), 6 * level);
        let window = dim_of(self.span(level).0);
        subcubes(window, dim_of(dim)).map(move |part| {
            let mask = part.mask() << inside | ((1 << inside) - 1);
            Subcube::new(dims, Node(first | part.base().0 << inside), mask).unwrap()
        })
    }

    fn linked(&self, node: u32, dim: u32) -> bool {
        self.links.contains(&(node, dim))
    }

    /// What leases have of the 64 nodes around `first`, each part by its lowest node.
    fn parts_of_leases(&self, free: &NodeSet, first: u32) -> Vec<Subcube> {
        let span = self.span(0).0;
        let busy = (first..first + (1 << span)).filter(|&node| !free.contains(Node(node)));
        let lowest =
            |node: &u32| (0..span).all(|dim| node >> dim & 1 == 0 || !self.linked(*node, dim));
        let part = |node: u32| {
            let linked = (0..span).filter(|&dim| self.linked(node, dim));
            Subcube::new(dim_of(self.dims), Node(node), linked.map(|dim| 1 << dim).sum()).unwrap()
        };
        busy.filter(lowest).map(part).collect()
    }

    /// The leases in the window of `level` that starts at `first`, each with how often it counts.
    fn leases(&self, free: &NodeSet, level: u32, first: u32) -> Vec<(Subcube, u32)> {
        if level == 0 {
            return self.parts_of_leases(free, first).into_iter().map(|it| (it, 1)).collect();
        }
        let parts = self.within(level, first, 0);
        parts.map(|part| (part, self.count(free, level - 1, part.base().0).min(5))).collect()
    }

    /// How many leases that are, unlimited.
    fn count(&self, free: &NodeSet, level: u32, first: u32) -> u32 {
        let size = 1 << (6 * level + self.span(level).0);
        let words = (first..first + size).step_by(64);
        words.map(|word| self.parts_of_leases(free, word).len() as u32).sum()
    }

    fn window(&self, free: &NodeSet, level: u32, dim: u32) -> Option<Subcube> {
        let (span, above) = self.span(level);
        let size = 1u32 << (6 * level + span);
        let mut firsts = (0..1 << above).map(|at| at * size);
        let broken = |&first: &u32| {
            above == 0 || (first..first + size).any(|node| !free.contains(Node(node)))
        };
        let room =
            |&first: &u32| self.within(level, first, dim).any(|cube| free.contains_cube(&cube));
        match firsts.find(|first| broken(first) && room(first)) {
            Some(first) => self.place(free, level, first, dim),
            None if above == 0 => None,
            None => {
                let whole = self.window(free, level + 1, 0)?;
                self.within(level, whole.base().0, dim).next()
            }
        }
    }

    /// The candidate that takes the least from larger subcubes, the first of equals.
    fn place(&self, free: &NodeSet, level: u32, first: u32, dim: u32) -> Option<Subcube> {
        let leases = self.leases(free, level, first);
        let met = |cube: &Subcube| {
            let meets = leases.iter().filter(|(lease, _)| lease.intersection(cube).is_some());
            meets.map(|(_, times)| times).sum()
        };
        let larger: Vec<(Subcube, u32)> = (dim + 1..=self.span(level).0)
            .flat_map(|dim| self.within(level, first, dim))
            .map(|cube| (cube, worth(u32::from(cube.dim().get()) - dim, met(&cube))))
            .filter(|(_, worth)| *worth > 0)
            .collect();
        let score = |cube: &Subcube| -> u32 {
            let lost = larger.iter().filter(|(it, _)| it.intersection(cube).is_some());
            lost.map(|(_, worth)| worth).sum()
        };
        let candidates = self.within(level, first, dim).filter(|cube| free.contains_cube(cube));
        candidates.min_by_key(score)
    }
}

fn dim_of(dim: u32) -> Dim {
    Dim::new(dim as u8).unwrap()
}

impl Rule for Complete {
    type Strategy = subcube::Complete;

    fn new(dims: Dim) -> Self {
        Self { dims: dims.get().into(), links: BTreeSet::new() }
    }

    fn seen(&self, free: &NodeSet, dim: Dim) -> Vec<Subcube> {
        free.subcubes(dim).collect()
    }

    fn choose(&self, free: &NodeSet, dim: Dim) -> Option<Subcube> {
        let first = free.subcubes(dim).next()?;
        let dim = u32::from(dim.get());
        Some(self.window(free, dim / 6, dim % 6).unwrap_or(first))
    }

    fn take(&mut self, cube: Subcube) {
        for node in cube.nodes() {
            let along = (0..6).filter(|dim| cube.mask() >> dim & 1 == 1);
            self.links.extend(along.map(|dim| (node.0, dim)));
        }
    }

    fn give(&mut self, cube: Subcube) {
        let free = |node: u32| cube.contains(Node(node));
        self.links.retain(|&(node, dim)| !free(node) && !free(node ^ 1 << dim));
    }
}
