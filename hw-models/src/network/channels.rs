//! The channels that a job can use.

use locox::cube::{Dim, Node, ecube::Channel};

/// The directed channels of an n-cube: n * 2^n.
pub const fn channel_count(dims: Dim) -> usize {
    dims.get() as usize * dims.nodes() as usize
}

/// The number of a channel among the [`channel_count`] of its cube.
pub const fn channel_index(dims: Dim, channel: Channel) -> usize {
    channel.dim.get() as usize * dims.nodes() as usize + channel.from.0 as usize
}

/// The channels that the E-cube routes between all pairs of `nodes` use, each once.
///
/// By Lemma 1 of Turner 1995 a route uses a channel in dimension c exactly if its source agrees
/// with it from c up, and its target below c but not at c. So each upper part of an address of a
/// node, joined to each lower part of one with the other bit at c, is such a channel. The cost
/// follows the number of channels, not that of pairs.
///
/// ```
/// use locox::cube::{Dim, Node};
/// use locox_models::network::channels;
/// let used = channels(Dim::new(3).unwrap(), &[Node(0b110), Node(0b001)]);
/// // There by 111 and 101, back by 000 and 010.
/// let mut passed: Vec<u32> = used.iter().map(|channel| channel.to().0).collect();
/// passed.sort();
/// assert_eq!(passed, [0b000, 0b001, 0b010, 0b101, 0b110, 0b111]);
/// ```
pub fn channels(dims: Dim, nodes: &[Node]) -> Vec<Channel> {
    let mut used = Vec::new();
    for dim in (0..dims.get()).filter_map(Dim::new) {
        let bit = dim.nodes();
        let lower_parts = distinct(nodes.iter().map(|node| node.0 & (bit | (bit - 1))));
        for upper in distinct(nodes.iter().map(|node| node.0 & !(bit - 1))) {
            let other = lower_parts.iter().filter(|&&lower| (lower ^ upper) & bit != 0);
            used.extend(
                other.map(|lower| Channel { from: Node(upper | (lower & (bit - 1))), dim }),
            );
        }
    }
    used
}

fn distinct(values: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut values: Vec<u32> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::cube::ecube::route;
    use std::collections::BTreeSet;

    fn walked(nodes: &[Node]) -> BTreeSet<Channel> {
        let pairs = nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from, to)));
        pairs.flat_map(|(from, to)| route(from, to)).collect()
    }

    #[track_caller]
    fn assert_as_walked(dims: Dim, nodes: &[Node]) {
        let used = channels(dims, nodes);
        let set: BTreeSet<Channel> = used.iter().copied().collect();
        assert_eq!(set.len(), used.len(), "each channel once: {nodes:?}");
        assert_eq!(set, walked(nodes), "{nodes:?}");
    }

    #[test]
    fn every_set_of_nodes_of_a_3_cube_and_many_of_a_4_cube_use_what_their_routes_walk() {
        for (dims, step) in [(3, 1), (4, 37)] {
            let dims = Dim::new(dims).unwrap();
            for set in (0..1u32 << dims.nodes()).step_by(step) {
                let nodes: Vec<Node> =
                    (0..dims.nodes()).filter(|node| set >> node & 1 == 1).map(Node).collect();
                assert_as_walked(dims, &nodes);
            }
        }
    }

    #[test]
    fn a_subcube_uses_its_own_channels_and_no_others() {
        for text in ["0**1*", "*****", "10110", "**0**"] {
            let cube: locox::cube::Subcube = text.parse().unwrap();
            let nodes: Vec<Node> = cube.nodes().collect();
            let used = channels(cube.dims(), &nodes);
            assert_eq!(used.len(), nodes.len() * usize::from(cube.dim().get()));
            assert!(used.iter().all(|it| cube.contains(it.from) && cube.contains(it.to())));
        }
    }

    #[test]
    fn channels_are_numbered_without_gaps() {
        let dims = Dim::new(4).unwrap();
        let all: Vec<Node> = (0..dims.nodes()).map(Node).collect();
        let mut numbers: Vec<usize> =
            channels(dims, &all).into_iter().map(|it| channel_index(dims, it)).collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..channel_count(dims)));
    }
}
