//! Racks and blocks.

use super::Naive;
use locox::bits::Word;
use locox::machine::{Domain, Tree};

/// A tree of up to 32 nodes.
pub struct Racks {
    /// How many.
    pub nodes: u32,
    /// Where domains begin, level by level.
    pub levels: &'static [&'static [u32]],
}

impl Racks {
    /// The nodes of each domain up to a level.
    fn domains(&self, highest: Option<u8>) -> Vec<u64> {
        let all = u64::MAX >> (64 - self.nodes);
        let below = highest.map_or(self.levels.len(), |level| usize::from(level) + 1);
        let mut domains = vec![];
        for firsts in self.levels.iter().take(below) {
            let ends = firsts[1..].iter().copied().chain([self.nodes]);
            let domain = |(first, end): (&u32, u32)| all & (u64::MAX << first) & !(u64::MAX << end);
            domains.extend(firsts.iter().zip(ends).map(domain));
        }
        // The machine itself is above the highest level.
        if below > self.levels.len() || highest.is_none() {
            domains.push(all);
        }
        domains
    }
}

impl Naive for Racks {
    type Machine = Tree<'static, 1>;

    fn machine(&self) -> Tree<'static, 1> {
        Tree::new(self.nodes, self.levels).unwrap()
    }

    fn nodes(&self) -> u32 {
        self.nodes
    }

    fn requests(&self) -> Vec<Domain> {
        let levels = || (0..=self.levels.len() as u8).map(Some).chain([None]);
        let all =
            (1..=self.nodes + 1).flat_map(|nodes| levels().map(move |within| (nodes, within)));
        all.map(|(nodes, within)| Domain { nodes, within }).collect()
    }

    fn node(&self, node: u32) -> [Word; 1] {
        [1 << node]
    }

    fn set(&self, place: &[Word; 1]) -> u64 {
        place[0] as u64
    }

    /// So many nodes are too many sets to list.
    fn choices(&self, of: &Domain) -> Vec<u64> {
        let all = 0..=self.all();
        let size = |it: &u64| it.count_ones() == of.nodes;
        let domains = self.domains(of.within);
        all.filter(size).filter(|it| domains.iter().any(|domain| it & !domain == 0)).collect()
    }

    fn fits(&self, free: u64, of: &Domain) -> bool {
        self.domains(of.within).iter().any(|domain| (domain & free).count_ones() >= of.nodes)
    }
}
