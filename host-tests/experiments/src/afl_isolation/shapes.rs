//! Every shape of mesh in its subcube: do mesh and leftover keep apart?

use super::super::subcube_recognition::subcubes;
use crate::Lab;
use locox::cube::ecube::Channel;
use locox::cube::{Dim, Node, Subcube};
use locox::mesh::{Embedding, Shape};
use locox_models::network::{Isolation, channel_count, channel_index, channels};
use locox_report::report::{Cell, Table};
use std::cmp::Reverse;

/// What is true of a mesh that fills the subcube it needs as far as it can.
pub(super) struct Shaped {
    pub(super) shape: Shape,
    /// Subcubes into which its leftover is partitioned.
    pub(super) leftovers: usize,
    /// Every node is of the mesh or of one leftover, and of no other.
    pub(super) covered: bool,
    /// No channel is used by two of them: mesh and leftovers.
    pub(super) isolated: bool,
    /// Subcubes into which its own region is partitioned.
    pub(super) pieces: usize,
    /// Neighbours in the mesh are neighbours in the cube.
    pub(super) dilated_by_1: bool,
    /// No subcube of leftover nodes is larger than the largest leftover.
    pub(super) largest_possible: bool,
    /// The pieces and the leftovers, joined by rising dimension, are one cube.
    pub(super) coalesced: bool,
    /// What case 1 of the proof of theorem 1 says of prefixes is true.
    pub(super) case_1: bool,
    /// Subcubes of leftover nodes, however these are partitioned.
    pub(super) found: u64,
    /// Those of them that use a channel of the mesh.
    pub(super) sharing: u64,
    /// The first of these, the smallest.
    pub(super) first: Option<Subcube>,
    /// The last of these, the largest.
    pub(super) largest: Option<Subcube>,
    /// Neighbours among leftover nodes that lie in two leftovers, so that lists which merge any
    /// pair would merge them; and those of them between which a route of the mesh goes.
    pub(super) across: Pairs,
    /// The same of neighbours that lie in one leftover.
    pub(super) within: Pairs,
    /// Leftover nodes.
    pub(super) left: usize,
    /// Those of them that a route of the mesh passes.
    pub(super) routed: usize,
}

/// Pairs of neighbours, and how many of them share a channel with the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    pub(super) all: u64,
    pub(super) sharing: u64,
}

/// How the leftover of a mesh is partitioned.
pub(super) type Partition = fn(&Embedding) -> Vec<Subcube>;

/// As the source and the kernel do.
pub(super) const SOUND: Partition = |mesh| mesh.leftover().collect();

/// All shapes X x Y in subcubes of up to `largest` dimensions, by rising dimension.
pub(super) fn judge_all(lab: &Lab, largest: u8, partition: Partition) -> Vec<Shaped> {
    let sides = 1..=1u32 << largest;
    let pairs = sides.clone().flat_map(|x| sides.clone().map(move |y| (x, y)));
    let shapes = pairs.filter_map(|(x, y)| Shape::rectangle(x, y).ok());
    let mut shapes: Vec<Shape> = shapes.filter(|shape| shape.dim().get() <= largest).collect();
    shapes.sort_by_key(|shape| (shape.dim().get(), shape.nodes(), Reverse(shape.sides())));
    lab.parallel(&shapes, |&shape| judge(shape, partition))
}

/// `20 x 30`.
pub(super) fn in_words(shape: Shape) -> String {
    let [x, y, _] = shape.sides();
    format!("{x} x {y}")
}

pub(super) fn whole(shape: Shape) -> Embedding {
    let cube = Subcube::whole(shape.dim());
    Embedding::new(cube, shape).expect("the cube has the dimension of the shape")
}

fn judge(shape: Shape, partition: Partition) -> Shaped {
    let (mesh, dims) = (whole(shape), shape.dim());
    let members: Vec<Node> = mesh.nodes().collect();
    let leftovers = partition(&mesh);
    let pieces: Vec<Subcube> = mesh.region().collect();
    let left: Vec<Node> = leftovers.iter().flat_map(Subcube::nodes).collect();
    let mut all: Vec<u32> = members.iter().chain(&left).map(|node| node.0).collect();
    all.sort_unstable();
    let mut network = Isolation::new(dims);
    let mut enters = |job, nodes: &[Node]| network.enter(job, nodes).is_ok();
    let isolated = enters(0, &members)
        && (1..).zip(&leftovers).all(|(job, cube)| enters(job, &cube.nodes().collect::<Vec<_>>()));
    let used = used_channels(dims, &members);
    let free = free_of(dims, &members);
    let sharing: Vec<Subcube> =
        free.iter().copied().filter(|cube| shares(dims, cube, &used)).collect();
    let largest_left = leftovers.iter().map(Subcube::dim).max();
    let [across, within] = pairs(dims, &leftovers, &used);
    let (count, case_1) = (leftovers.len(), case_1(&mesh, &leftovers));
    Shaped {
        shape,
        leftovers: count,
        covered: all.into_iter().eq(0..dims.nodes()),
        isolated,
        pieces: pieces.len(),
        dilated_by_1: dilated_by_1(&mesh),
        largest_possible: free.last().is_none_or(|cube| Some(cube.dim()) == largest_left),
        coalesced: coalesced([pieces, leftovers].concat()) == [mesh.cube()],
        case_1,
        found: free.len() as u64,
        sharing: sharing.len() as u64,
        first: sharing.first().copied(),
        largest: sharing.last().copied(),
        across,
        within,
        left: left.len(),
        routed: left.iter().filter(|&&node| mesh.may_route_through(node)).count(),
    }
}

/// By number of the channel, whether a route of the mesh uses it.
fn used_channels(dims: Dim, members: &[Node]) -> Vec<bool> {
    let mut used = vec![false; channel_count(dims)];
    let numbers = channels(dims, members).into_iter().map(|channel| channel_index(dims, channel));
    numbers.for_each(|number| used[number] = true);
    used
}

/// Neighbours in two leftovers, and in one.
fn pairs(dims: Dim, leftovers: &[Subcube], used: &[bool]) -> [Pairs; 2] {
    let mut home = vec![None; dims.nodes() as usize];
    for (at, cube) in leftovers.iter().enumerate() {
        cube.nodes().for_each(|node| home[node.0 as usize] = Some(at));
    }
    let mut pairs = [Pairs::default(); 2];
    for dim in (0..dims.get()).filter_map(Dim::new) {
        for from in (0..dims.nodes()).map(Node).filter(|node| node.0 >> dim.get() & 1 == 0) {
            let to = Node(from.0 | 1 << dim.get());
            let homes = (home[from.0 as usize], home[to.0 as usize]);
            let (Some(one), Some(other)) = homes else { continue };
            let shares = [from, to].map(|from| used[channel_index(dims, Channel { from, dim })]);
            let kind = &mut pairs[usize::from(one == other)];
            kind.all += 1;
            kind.sharing += u64::from(shares.contains(&true));
        }
    }
    pairs
}

/// The subcubes, single nodes aside, that have no node of `members`, by rising dimension.
fn free_of(dims: Dim, members: &[Node]) -> Vec<Subcube> {
    let mut is_member = vec![false; dims.nodes() as usize];
    members.iter().for_each(|node| is_member[node.0 as usize] = true);
    let cubes = (1..=dims.get()).filter_map(Dim::new).flat_map(|dim| subcubes(dims, dim));
    cubes.filter(|cube| cube.nodes().all(|node| !is_member[node.0 as usize])).collect()
}

/// Whether the subcube spans a channel that is used.
fn shares(dims: Dim, cube: &Subcube, used: &[bool]) -> bool {
    let own = (0..dims.get()).filter(|at| cube.mask() >> at & 1 == 1).filter_map(Dim::new);
    let mut own = own.flat_map(|dim| cube.nodes().map(move |from| Channel { from, dim }));
    own.any(|channel| used[channel_index(dims, channel)])
}

/// Whether neighbours in the mesh are neighbours in the cube.
fn dilated_by_1(mesh: &Embedding) -> bool {
    let [x, y, _] = mesh.shape().sides();
    let node = |x, y| mesh.node([x, y, 0]);
    let mut all = (0..x).flat_map(|x| (0..y).map(move |y| (x, y)));
    all.all(|(x, y)| {
        let near = |other: Option<Node>| {
            other.is_none_or(|other| node(x, y).is_some_and(|one| one.distance(other) == 1))
        };
        near(node(x + 1, y)) && near(node(x, y + 1))
    })
}

/// What becomes of subcubes by figure 3.8: by rising dimension each is joined with the first of its
/// dimension behind it that is its complement and not yet joined.
pub(super) fn coalesced(mut cubes: Vec<Subcube>) -> Vec<Subcube> {
    let dims = cubes.first().map_or(Dim::ZERO, Subcube::dims);
    for dim in (0..dims.get()).filter_map(Dim::new) {
        let mut at = 0;
        while at < cubes.len() {
            let one = cubes[at];
            let complements = |other: &Subcube| one.dim() == dim && one.joined(other).is_some();
            match cubes[at + 1..].iter().position(complements) {
                Some(behind) => {
                    let other = cubes.remove(at + 1 + behind);
                    cubes.remove(at);
                    cubes.push(one.joined(&other).expect("they are complements"));
                }
                None => at += 1,
            }
        }
    }
    cubes
}

/// Whether no node of the mesh has, on the axis whose unused codewords are partitioned first, the
/// prefix of a leftover that spans channels there.
fn case_1(mesh: &Embedding, leftovers: &[Subcube]) -> bool {
    let axis = axis_of_case_1(mesh.shape());
    let mut spans = leftovers.iter().filter(|cube| cube.mask() & axis != 0);
    spans.all(|cube| !mesh.nodes().any(|node| has_prefix(cube, axis, node)))
}

/// The bits of the axis whose unused codewords are partitioned first.
fn axis_of_case_1(shape: Shape) -> u32 {
    let low = shape.sides()[1].next_power_of_two() - 1;
    let high = (shape.dim().nodes() - 1) & !low;
    if changes_places(shape) { low } else { high }
}

/// Whether the unused codewords of Y are partitioned first, since the region that they give is the larger one.
pub(super) fn changes_places(shape: Shape) -> bool {
    let [x, y, _] = shape.sides();
    let [sizes_x, sizes_y] = [x, y].map(u32::next_power_of_two);
    (sizes_x - x) * sizes_y < (sizes_y - y) * sizes_x
}

fn has_prefix(cube: &Subcube, axis: u32, node: Node) -> bool {
    (node.0 ^ cube.base().0) & axis & !cube.mask() == 0
}

pub(super) fn table(judged: &[Shaped]) -> Table {
    let columns = [
        ("dim", "subcube"),
        ("shapes", "shapes"),
        ("leftovers", "most leftovers"),
        ("sharing", "mesh and leftovers share"),
        ("joined", "leftovers joined at will"),
        ("joined_sharing", "of these share"),
        ("routed", "leftover nodes on routes of the mesh"),
    ];
    let title = "All meshes X x Y by the subcube they need; sharing is of channels";
    let mut table = Table::new(title, &columns);
    for of_dim in judged.chunk_by(|a, b| a.shape.dim() == b.shape.dim()) {
        let sum = |of: fn(&Shaped) -> u64| of_dim.iter().map(of).sum::<u64>();
        let share = |part: u64, all: u64| Cell::Share(part as f64 / all.max(1) as f64);
        let (found, left) = (sum(|it| it.found), sum(|it| it.left as u64));
        table.push(vec![
            Cell::text(format!("{}-cube", of_dim[0].shape.dim())),
            Cell::Count(of_dim.len() as u64),
            Cell::Count(of_dim.iter().map(|it| it.leftovers as u64).max().unwrap_or(0)),
            Cell::Count(sum(|it| u64::from(!it.isolated))),
            Cell::Count(found),
            share(sum(|it| it.sharing), found),
            share(sum(|it| it.routed as u64), left),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_joined_leftover_that_shares_is_1_1_beside_5_x_1_in_a_3_cube() {
        let judged = judge(Shape::line(5).unwrap(), SOUND);
        assert_eq!((judged.leftovers, judged.covered, judged.isolated), (2, true, true));
        assert_eq!((judged.found, judged.sharing), (2, 1));
        assert_eq!(judged.first.unwrap().to_string(), "1*1");
        assert_eq!(judged.across, Pairs { all: 1, sharing: 1 });
        assert_eq!(judged.within, Pairs { all: 1, sharing: 0 });
    }

    /// What the row on case 1 says of cubes that have a prefix of the mesh: no node of the mesh is where
    /// condition (3) of lemma 1 wants a destination or, if X and Y have changed places, condition (2) a source.
    #[test]
    fn where_case_1_fails_another_condition_of_the_lemma_keeps_cubes_apart() {
        let shapes = (1..=16).flat_map(|x| (1..=16).map(move |y| (x, y)));
        for (x, y) in shapes {
            let shape = Shape::rectangle(x, y).unwrap();
            let (mesh, axis) = (whole(shape), axis_of_case_1(shape));
            let of_mesh = |cube: &Subcube| mesh.nodes().any(|node| has_prefix(cube, axis, node));
            let of_case_1 = mesh.leftover().filter(|cube| cube.mask() & axis != 0).filter(of_mesh);
            for cube in of_case_1 {
                let spanned =
                    (0..32).map(|dim| 1u32 << dim).filter(|dim| cube.mask() & axis & dim != 0);
                let channels = spanned.flat_map(|dim| cube.nodes().map(move |from| (dim, from)));
                for (dim, from) in channels {
                    let bits = if changes_places(shape) { !(2 * dim - 1) } else { dim - 1 };
                    let meets = mesh.nodes().any(|node| (node.0 ^ from.0) & bits == 0);
                    assert!(!meets, "{}: {cube}", in_words(shape));
                }
            }
        }
    }

    #[test]
    fn a_full_subcube_leaves_nothing() {
        let judged = judge(Shape::rectangle(4, 8).unwrap(), SOUND);
        assert_eq!((judged.leftovers, judged.found, judged.left), (0, 0, 0));
        assert!(judged.covered && judged.isolated);
    }

    /// Leftovers joined across, as no partition may.
    #[test]
    fn complements_are_joined_by_rising_dimension() {
        let cubes = |texts: &[&str]| -> Vec<Subcube> {
            texts.iter().map(|text| text.parse().unwrap()).collect()
        };
        assert_eq!(coalesced(cubes(&["111", "0**", "10*", "110"])), cubes(&["***"]));
        assert_eq!(coalesced(cubes(&["000", "011", "11*"])), cubes(&["000", "011", "11*"]));
        assert_eq!(coalesced(vec![]), []);
    }
}
