//! Racks of nodes, in blocks.

use super::named::{Named, Nodes};
use locox_models::machine::Nearness;
use std::ops::Range;

pub(super) struct Tree {
    /// In a node (one), a rack, a block, the machine.
    sizes: [u32; 4],
    nearness: Nearness,
}

impl Tree {
    /// So many blocks of so many racks of so many nodes.
    pub(super) fn new([blocks, racks, nodes]: [u32; 3], nearness: Nearness) -> Self {
        Self { sizes: [1, nodes, nodes * racks, nodes * racks * blocks], nearness }
    }

    /// The highest level in whose domains a job may lie.
    fn highest(&self, processors: u32) -> usize {
        match self.nearness {
            Nearness::Preferred => 3,
            Nearness::Required => (1..3).find(|&at| processors <= self.sizes[at]).unwrap_or(3),
        }
    }

    fn domains(&self, level: usize, inside: Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let size = self.sizes[level];
        inside.step_by(size as usize).map(move |first| first..first + size)
    }

    /// The domain with the fewest free nodes that has room, the first of equals.
    fn tightest(
        &self,
        free: &Nodes,
        level: usize,
        inside: Range<u32>,
        need: u32,
    ) -> Option<Range<u32>> {
        let has_room = self.domains(level, inside).filter(|it| free.count(it) >= need);
        has_room.min_by_key(|it| free.count(it))
    }

    /// So many nodes of a domain of a level that has as many.
    fn gather(&self, free: &Nodes, level: usize, domain: Range<u32>, need: u32) -> Nodes {
        let (mut left, mut need, mut place) = (*free, need, Nodes::default());
        if level == 0 {
            return domain.collect();
        }
        while need > 0 {
            let part = self.tightest(&left, level - 1, domain.clone(), need);
            // `max_by_key` takes the last of equals, so the parts are reversed.
            let parts = || self.domains(level - 1, domain.clone()).collect::<Vec<_>>().into_iter();
            let most = || parts().rev().max_by_key(|it| left.count(it)).expect("a part");
            let part = part.unwrap_or_else(most);
            let taken = need.min(left.count(&part));
            let nodes = self.gather(&left, level - 1, part, taken);
            left.remove(&nodes);
            place.insert(&nodes);
            need -= taken;
        }
        place
    }
}

impl Named for Tree {
    fn nodes(&self) -> u32 {
        self.sizes[3]
    }

    fn find(&self, free: &Nodes, processors: u32) -> Option<Nodes> {
        (1..=self.highest(processors)).find_map(|level| {
            let domain = self.tightest(free, level, 0..self.nodes(), processors)?;
            Some(self.gather(free, level, domain, processors))
        })
    }
}
