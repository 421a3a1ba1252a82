//! Which nodes are out of service.

use super::Affected;
use crate::outages::Outage;
use locox::cube::Node;

/// How many outages hold each node of a machine.
///
/// - `counts` is empty until the first outage, then it has an entry for each node.
/// - `out` counts the nodes that any outage holds.
#[derive(Debug, Default)]
pub(super) struct NodesOut {
    counts: Vec<u32>,
    out: u32,
}

impl NodesOut {
    /// Nodes out of service.
    pub(super) const fn len(&self) -> u32 {
        self.out
    }

    /// Which they are.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node> {
        let nodes = (0..).map(Node).zip(&self.counts);
        nodes.filter(|(_, count)| **count > 0).map(|(node, _)| node)
    }

    /// The nodes that an outage holds from now on, on a machine of so many, and those of them that no
    /// other one does. If it is not known which, they are those with the lowest numbers, first among the
    /// nodes that serve, then, if these are too few, among the others.
    pub(super) fn begin(&mut self, outage: &Outage, nodes: u32) -> (Affected, Vec<Node>) {
        self.counts.resize(nodes as usize, 0);
        let held = if outage.nodes.is_empty() {
            self.lowest(outage.processors.min(nodes))
        } else {
            outage.nodes.iter().copied().filter(|&node| node < nodes).map(Node).collect()
        };
        let mut gone = vec![];
        for &node in &held {
            let count = &mut self.counts[node.0 as usize];
            if *count == 0 {
                gone.push(node);
            }
            *count += 1;
        }
        self.out += gone.len() as u32;
        (Affected { processors: held.len() as u32, nodes: held }, gone)
    }

    fn lowest(&self, count: u32) -> Vec<Node> {
        let of = |serve: bool| {
            let nodes = (0u32..).map(Node).zip(&self.counts);
            nodes.filter(move |&(_, &held)| (held == 0) == serve).map(|(node, _)| node)
        };
        of(true).chain(of(false)).take(count as usize).collect()
    }

    /// The nodes that serve again now that an outage ends.
    pub(super) fn end(&mut self, affected: &Affected) -> Vec<Node> {
        let mut back = affected.nodes.clone();
        back.retain(|node| {
            let count = &mut self.counts[node.0 as usize];
            *count -= 1;
            *count == 0
        });
        self.out -= back.len() as u32;
        back
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::time::Instant;

    fn outage(processors: u32, nodes: &[u32]) -> Outage {
        Outage { nodes: nodes.to_vec(), ..Outage::of(processors, Instant::ZERO, None) }
    }

    fn numbers(nodes: &[Node]) -> Vec<u32> {
        nodes.iter().map(|node| node.0).collect()
    }

    #[test]
    fn a_node_serves_again_when_the_last_outage_that_holds_it_ends() {
        let mut out = NodesOut::default();
        let (one, gone) = out.begin(&outage(2, &[0, 5]), 8);
        assert_eq!(numbers(&gone), [0, 5]);
        let (all, gone) = out.begin(&outage(8, &[]), 8);
        assert_eq!((numbers(&gone), out.len()), (vec![1, 2, 3, 4, 6, 7], 8));
        assert_eq!((out.end(&one), out.len()), (vec![], 8));
        assert_eq!((out.end(&all).len(), out.len()), (8, 0));
    }

    #[test]
    fn an_outage_of_unknown_nodes_takes_the_lowest_that_serve_and_none_beyond_the_machine() {
        let mut out = NodesOut::default();
        out.begin(&outage(1, &[1]), 8);
        let (_, gone) = out.begin(&outage(2, &[]), 8);
        assert_eq!(numbers(&gone), [0, 2]);
        let (affected, gone) = out.begin(&outage(3, &[7, 8, 900]), 8);
        assert_eq!((affected.processors, numbers(&gone)), (1, vec![7]));
        assert_eq!(out.begin(&outage(u32::MAX, &[]), 8).0.processors, 8);
    }
}
