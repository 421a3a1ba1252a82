//! Subcubes of a cube, as three strategies know them.

use super::named::{Named, Nodes};
use locox::cube::{Dim, Node, Subcube};
use locox::machine::Machine;
use locox::subcube::{Complete, Subcubes};
use std::ops::Range;

fn block(nodes: Range<u32>) -> Nodes {
    nodes.collect()
}

/// Dimensions that suffice for so many nodes.
fn order(processors: u32) -> u32 {
    processors.next_power_of_two().ilog2()
}

/// Aligned blocks, of a cube of so many dimensions.
pub(super) struct Buddies(pub(super) u32);

impl Buddies {
    fn is_free(free: &Nodes, start: u32, dim: u32) -> bool {
        free.has(&block(start..start + (1 << dim)))
    }

    /// The first block of just so many dimensions that is free and whose buddy is not.
    fn maximal(&self, free: &Nodes, dim: u32) -> Option<u32> {
        let mut starts = (0..1u32 << self.0).step_by(1 << dim);
        starts.find(|&start| {
            let is_half = dim < self.0 && Self::is_free(free, start ^ (1 << dim), dim);
            Self::is_free(free, start, dim) && !is_half
        })
    }
}

impl Named for Buddies {
    fn nodes(&self) -> u32 {
        1 << self.0
    }

    fn find(&self, free: &Nodes, processors: u32) -> Option<Nodes> {
        let dim = order(processors);
        let start = (dim..=self.0).find_map(|dim| self.maximal(free, dim))?;
        Some(block(start..start + (1 << dim)))
    }
}

/// Neighbouring runs of the Gray code.
pub(super) struct GrayRuns(pub(super) u32);

impl GrayRuns {
    fn run(number: u32, words: u32) -> impl Iterator<Item = u32> {
        (number * words..(number + 1) * words).map(|word| word ^ word >> 1)
    }
}

impl Named for GrayRuns {
    fn nodes(&self) -> u32 {
        1 << self.0
    }

    fn find(&self, free: &Nodes, processors: u32) -> Option<Nodes> {
        let dim = order(processors);
        // A node, and the whole cube, are one run each; there is no other.
        let (words, runs) =
            if dim == 0 || dim == self.0 { (1 << dim, 1) } else { (1 << (dim - 1), 2) };
        let count = self.nodes().checked_div(words).filter(|_| dim <= self.0)?;
        let of = |first| (0..runs).flat_map(move |next| Self::run((first + next) % count, words));
        (0..count).map(|first| of(first).collect()).find(|place| free.has(place))
    }
}

/// All subcubes.
///
/// The kernel chooses by a heuristic which one a job gets; only this choice is taken from there. The tests check that
/// there is one if and only if some subcube is free.
pub(super) struct AllSubcubes {
    machine: Subcubes<Complete>,
    /// By dimension.
    subcubes: Vec<Vec<Nodes>>,
}

impl AllSubcubes {
    pub(super) fn new(dims: u8) -> Self {
        let mut subcubes = vec![vec![]; usize::from(dims) + 1];
        let all = 0..1u32 << dims;
        for mask in all.clone() {
            for base in all.clone().filter(|base| base & mask == 0) {
                let nodes = all.clone().filter(|node| node & !mask == base);
                subcubes[mask.count_ones() as usize].push(nodes.collect());
            }
        }
        Self { machine: Subcubes::new(Dim::new(dims).unwrap()).unwrap(), subcubes }
    }

    fn ask(&self, free: &Nodes, dim: u32) -> Option<Nodes> {
        let dims = self.machine.dims();
        let words = self.machine.words();
        let (mut map, mut room) = (vec![0; words.map], vec![0; words.room]);
        self.machine.open(&mut map);
        for node in (0..self.nodes()).filter(|&node| !free.contains(node)) {
            self.machine.take(&mut map, &Subcube::new(dims, Node(node), 0).unwrap());
        }
        let dim = Dim::new(dim as u8).unwrap();
        let found = self.machine.find(&map, &dim, &mut room)?;
        Some(found.nodes().map(|node| node.0).collect())
    }
}

impl Named for AllSubcubes {
    fn nodes(&self) -> u32 {
        self.machine.dims().nodes()
    }

    fn find(&self, free: &Nodes, processors: u32) -> Option<Nodes> {
        let dim = order(processors);
        let subcubes = self.subcubes.get(dim as usize)?;
        let found = self.ask(free, dim);
        assert_eq!(found.is_some(), subcubes.iter().any(|it| free.has(it)), "{free:?}, {dim}");
        assert!(found.is_none_or(|it| free.has(&it) && subcubes.contains(&it)), "{found:?}");
        found
    }
}
