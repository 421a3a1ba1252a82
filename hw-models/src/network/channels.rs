//! The channels that a job can use.

use locox::cube::{Dim, Node, ecube::Channel};
use locox::grid::{Axis, Grid};
use std::collections::BTreeMap;

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

/// The numbers, in the [`Topology`](super::Topology) of a grid, of the channels that the
/// dimension-order routes between all pairs of `nodes` use, each once.
///
/// A route uses a channel along an axis in the line that has the target's coordinates along the axes
/// before and the source's along those behind. So each lower part of a target, joined to each upper part of a
/// source, is a line where all goes from the coordinates of the latter to those of the former.
pub(super) fn grid_channels(grid: Grid, nodes: &[Node]) -> Vec<usize> {
    let mut used = Vec::new();
    let mut stride = 1;
    for (place, &axis) in grid.axes().iter().enumerate() {
        let beyond = stride * u32::from(axis.nodes());
        let at = |node: &Node| 1 << (node.0 / stride % u32::from(axis.nodes()));
        let sources = by_part(nodes.iter().map(|node| (node.0 / beyond, at(node))));
        let targets = by_part(nodes.iter().map(|node| (node.0 % stride, at(node))));
        let mut known = BTreeMap::new();
        for (&upper, &from) in &sources {
            for (&lower, &to) in &targets {
                let line = upper * beyond + lower;
                let number = |port: usize, at: u32| {
                    let node = line + at * stride;
                    (2 * place + port) * grid.nodes() as usize + node as usize
                };
                let ports = known.entry((from, to)).or_insert_with(|| between(axis, from, to));
                for (port, &mut passed) in ports.iter_mut().enumerate() {
                    used.extend(members(passed).map(|at| number(port, at)));
                }
            }
        }
        stride = beyond;
    }
    used
}

/// By part of an address the set of coordinates that come with it.
fn by_part(nodes: impl Iterator<Item = (u32, u64)>) -> BTreeMap<u32, u64> {
    let mut parts = BTreeMap::new();
    nodes.for_each(|(part, at)| *parts.entry(part).or_default() |= at);
    parts
}

/// Where on an axis the channels begin, downwards and upwards, that lie on the ways from one set of
/// coordinates to another.
fn between(axis: Axis, from: u64, to: u64) -> [u64; 2] {
    let nodes = u32::from(axis.nodes());
    let mut used = [0; 2];
    for (from, to) in members(from).flat_map(|from| members(to).map(move |to| (from, to))) {
        let up = (to + nodes - from) % nodes;
        let rises = if axis.is_ring() { 2 * up <= nodes } else { from <= to };
        let [steps, each] = if rises { [up, 1] } else { [nodes - up, nodes - 1] };
        for step in 0..steps {
            used[usize::from(rises)] |= 1 << ((from + step * each) % nodes);
        }
    }
    used
}

fn members(set: u64) -> impl Iterator<Item = u32> {
    (0..u64::BITS).filter(move |at| set >> at & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox::cube::ecube::route;
    use locox::grid::{Cuboid, routes};
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

    #[track_caller]
    fn assert_grid_as_walked(grid: Grid, nodes: &[Node]) {
        let used = grid_channels(grid, nodes);
        let set: BTreeSet<usize> = used.iter().copied().collect();
        assert_eq!(set.len(), used.len(), "each channel once: {nodes:?} in {grid}");
        let pairs = nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from, to)));
        let hops = pairs.flat_map(|(from, to)| routes::route(grid, from, to));
        let number = |hop: routes::Channel| {
            let port = 2 * usize::from(hop.axis) + usize::from(hop.up);
            port * grid.nodes() as usize + hop.from.0 as usize
        };
        assert_eq!(set, hops.map(number).collect(), "{nodes:?} in {grid}");
    }

    #[test]
    fn sets_of_nodes_of_small_grids_use_what_their_routes_walk() {
        for (text, step) in [
            ("mesh:7", 1),
            ("torus:8", 1),
            ("mesh:3x2r", 1),
            ("torus:3x3", 1),
            ("torus:4x4", 41),
            ("mesh:4rx2x2", 53),
            ("torus:2x2x2x2", 97),
        ] {
            let grid: Grid = text.parse().unwrap();
            for set in (0..1u32 << grid.nodes()).step_by(step) {
                let nodes: Vec<Node> =
                    (0..grid.nodes()).filter(|node| set >> node & 1 == 1).map(Node).collect();
                assert_grid_as_walked(grid, &nodes);
            }
        }
    }

    #[test]
    fn a_large_box_uses_what_its_routes_walk() {
        for (text, sides) in
            [("torus:9x8x7", "5x7x2"), ("mesh:64r", "40"), ("mesh:6x5rx4", "3x5x4")]
        {
            let grid: Grid = text.parse().unwrap();
            let cuboid = Cuboid::new(grid, Node(0), sides.parse().unwrap()).unwrap();
            assert_grid_as_walked(grid, &cuboid.nodes().collect::<Vec<_>>());
        }
    }
}
