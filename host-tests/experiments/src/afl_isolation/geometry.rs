//! What the thesis says of hypercubes, whatever shapes there are: sizes, routes, subcubes.

use super::super::sources::turner_meshes::{ANY_SIZE, LEMMA_1, SUBCUBE_CLOSED};
use super::super::subcube_recognition::subcubes;
use super::shapes::in_words;
use crate::Lab;
use locox::cube::ecube::{self, Channel};
use locox::cube::{Dim, Node};
use locox::mesh::{Leftover, Shape};
use locox_models::machine::StrategyKind;
use locox_models::network::channels;
use locox_report::judge;
use locox_report::report::Claim;

pub(super) fn all(lab: &Lab) -> Vec<Claim> {
    let largest = lab.either(6, 10);
    vec![any_size(largest), lemma_1(ecube::uses), subcube_closed()]
}

fn dims_to(largest: u8) -> impl Iterator<Item = Dim> {
    (1..=largest).filter_map(Dim::new)
}

/// In an empty cube: meshes with at most as many nodes.
fn any_size(largest: u8) -> Claim {
    let dims = Dim::new(largest).expect("small");
    let mut pool = StrategyKind::FreeListPlain.mesh_allocator(dims, Leftover::Reused);
    let sides = || 1..=dims.nodes();
    let all = sides().flat_map(|x| sides().map(move |y| (x, y)));
    let shapes = all.filter(|(x, y)| x * y <= dims.nodes());
    let mut granted = |shape: Shape| {
        let lease = pool.allocate(shape);
        lease.is_ok_and(|lease| pool.release(lease).is_ok())
    };
    let shapes = shapes.filter_map(|(x, y)| Shape::rectangle(x, y).ok());
    let cases: Vec<(String, bool)> =
        shapes.map(|shape| (in_words(shape), granted(shape))).collect();
    judge::exactly(cases).on(
        &ANY_SIZE,
        format!(
            "In a {dims}-cube. A mesh takes a subcube of ceil(log2 X) + ceil(log2 Y) dimensions, so 3 x 5 nodes \
             need 32."
        ),
    )
}

/// What says whether the route from a node to a node uses a channel.
type Rule = fn(Node, Node, Channel) -> bool;

/// Beside the routes, walked node by node, of all pairs.
fn lemma_1(rule: Rule) -> Claim {
    let as_walked = |dims: Dim, source: Node, target: Node| {
        let from = (0..dims.nodes()).map(Node);
        let own = || dims.up_to().filter(|&dim| dim < dims);
        let mut all = from.flat_map(|from| own().map(move |dim| Channel { from, dim }));
        all.all(|channel| {
            let walked = ecube::route(source, target).any(|hop| hop == channel);
            rule(source, target, channel) == walked
        })
    };
    let case = |dims: Dim| {
        let nodes = || (0..dims.nodes()).map(Node);
        let mut pairs = nodes().flat_map(|source| nodes().map(move |target| (source, target)));
        let is_so = pairs.all(|(source, target)| as_walked(dims, source, target));
        (format!("{dims}-cube"), is_so)
    };
    judge::exactly(dims_to(5).map(case))
        .on(&LEMMA_1, "All pairs of nodes and all channels, beside the routes walked node by node.")
}

fn subcube_closed() -> Claim {
    let case = |dims: Dim| {
        let mut cubes = dims.up_to().flat_map(|dim| subcubes(dims, dim));
        let is_so = cubes.all(|cube| {
            let nodes: Vec<Node> = cube.nodes().collect();
            let used = channels(dims, &nodes);
            used.iter().all(|channel| cube.contains(channel.from) && cube.contains(channel.to()))
        });
        (format!("{dims}-cube"), is_so)
    };
    judge::exactly(dims_to(6).map(case))
        .on(&SUBCUBE_CLOSED, "All routes within each subcube of cubes of up to 6 dimensions.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use locox_report::report::Verdict::{DoesNotHold, Holds};

    /// A rule by which routes go from the highest dimension to the lowest.
    #[test]
    fn routes_in_another_order_turn_the_verdict_on_lemma_1() {
        assert_eq!(lemma_1(ecube::uses).verdict, Holds);
        let backwards: Rule = |source, target, channel| {
            ecube::uses(target, source, Channel { from: channel.to(), dim: channel.dim })
        };
        assert_eq!(lemma_1(backwards).verdict, DoesNotHold);
    }
}
