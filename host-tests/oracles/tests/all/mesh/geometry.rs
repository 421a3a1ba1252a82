//! Where meshes lie, what they leave over, and which channels and nodes their routes use.

use super::common::{cube, cuboids, dim, rectangle, rectangles};
use locox::cube::ecube::{self, Channel};
use locox::cube::{Dim, Node, Subcube, gray};
use locox::mesh::{Embedding, Shape};
use locox_oracles::mesh::alone;
use locox_oracles::mesh::{Predicate, used};
use std::collections::BTreeSet;

/// The channels between two nodes of a subcube.
fn inside(cube: Subcube) -> impl Iterator<Item = Channel> {
    let along = (0..cube.dims().get()).filter(move |at| cube.mask() >> at & 1 == 1);
    along.flat_map(move |at| cube.nodes().map(move |from| Channel { from, dim: dim(at) }))
}

fn leftover(shape: Shape) -> Vec<Subcube> {
    alone(shape).leftover().collect()
}

fn dims(cubes: &[Subcube]) -> Vec<u8> {
    cubes.iter().map(|cube| cube.dim().get()).collect()
}

/// Some subcube of dimension `free` of a 12-cube whose free coordinates lie apart.
fn scattered(free: u8) -> Subcube {
    let mask = (0..12).filter(|at| at * 5 % 12 < free).map(|at| 1 << at).sum();
    Subcube::new(dim(12), Node(0b1010_0101_1100), mask).unwrap()
}

#[test]
fn twenty_by_thirty_leaves_an_8_a_7_a_5_and_a_3_cube() {
    let left = leftover(rectangle(20, 30));
    assert_eq!(dims(&left), [8, 7, 5, 3]);
    assert_eq!(left.iter().map(|cube| cube.len()).sum::<u32>(), 424);
    assert_eq!(dims(&leftover(rectangle(30, 20))), [8, 7, 5, 3]);
}

#[test]
fn five_by_five_in_a_6_cube_is_partitioned_as_in_figure_3_4() {
    let left = ["10****", "111***", "0**10*", "0**111", "11010*", "110111"].map(cube);
    assert_eq!(leftover(rectangle(5, 5)), left);
    let region: Vec<_> = alone(rectangle(5, 5)).region().collect();
    assert_eq!(region, ["0**0**", "0**110", "1100**", "110110"].map(cube));
}

#[test]
fn the_larger_region_comes_first() {
    // 5x7: 24 nodes beside the five rows used, 5 beyond the seven columns; 7x5 the other way.
    assert_eq!(leftover(rectangle(5, 7)), ["10****", "111***", "0**100", "110100"].map(cube));
    assert_eq!(leftover(rectangle(7, 5)), ["***10*", "***111", "1000**", "100110"].map(cube));
    // Equal regions come in the order of the axes.
    assert_eq!(leftover(rectangle(3, 3)), ["10**", "0*10", "1110"].map(cube));
    let of_three = ["10****", "0*10**", "1110**", "0*0*10", "0*1110", "110*10", "111110"];
    assert_eq!(leftover(Shape::cuboid(3, 3, 3).unwrap()), of_three.map(cube));
}

/// Checks that leftover and region share out the nodes of the mesh's subcube.
fn covers_exactly_once(mesh: Embedding) {
    let nodes = |cubes: Vec<Subcube>| cubes.into_iter().flat_map(|cube| cube.nodes());
    let left: Vec<Node> = nodes(mesh.leftover().collect()).collect();
    let own: Vec<Node> = nodes(mesh.region().collect()).collect();
    let once: BTreeSet<Node> = left.iter().chain(&own).copied().collect();
    assert_eq!(once.len(), left.len() + own.len(), "{mesh:?}: disjoint");
    assert!(once.into_iter().eq(mesh.cube().nodes()), "{mesh:?}: all nodes");
    assert!(own.iter().all(|&node| mesh.contains(node)), "{mesh:?}: own nodes");
    assert_eq!(own.len() as u32, mesh.shape().nodes(), "{mesh:?}: as many as asked for");
}

#[test]
fn every_rectangle_up_to_ten_dimensions_is_partitioned_exactly() {
    for shape in (0..=10).flat_map(rectangles) {
        covers_exactly_once(alone(shape));
    }
}

#[test]
fn every_cuboid_up_to_seven_dimensions_is_partitioned_exactly() {
    for shape in (0..=7).flat_map(cuboids) {
        covers_exactly_once(alone(shape));
    }
}

#[test]
fn meshes_in_scattered_coordinates_are_partitioned_exactly() {
    for shape in (0..=6).flat_map(cuboids) {
        covers_exactly_once(Embedding::new(scattered(shape.dim().get()), shape).unwrap());
    }
}

#[test]
fn the_leftover_of_a_line_is_the_dyadic_blocks_of_its_unused_codewords() {
    for side in 1..=512 {
        let shape = Shape::line(side).unwrap();
        let unused = shape.dim().nodes() - side;
        let mut blocks: Vec<_> = gray::subcubes(shape.dim(), side, unused).collect();
        blocks.sort_by_key(|cube| std::cmp::Reverse(cube.len()));
        let mut left = leftover(shape);
        assert!(left.is_sorted_by_key(|cube| std::cmp::Reverse(cube.len())));
        left.sort_by_key(|cube| (std::cmp::Reverse(cube.len()), cube.base()));
        blocks.sort_by_key(|cube| (std::cmp::Reverse(cube.len()), cube.base()));
        assert_eq!(left, blocks, "{side}");
    }
}

#[test]
fn up_to_eight_dimensions_there_are_1280_rectangles_and_one_leaves_at_most_9_subcubes() {
    let shapes: Vec<_> = (0..=8).flat_map(rectangles).collect();
    assert_eq!(shapes.len(), 1280);
    assert_eq!(shapes.iter().map(|&shape| leftover(shape).len()).max(), Some(9));
    // With the first axis first, whichever region is larger, it would be 13.
    let first_axis_first = |shape: &Shape| {
        let [x, y, _] = shape.sides();
        let blocks = |start, end: u32| gray::subcubes(dim(8), start, end - start).count();
        let (used, unused) = (blocks(0, x), blocks(x, x.next_power_of_two()));
        unused + used * blocks(y, y.next_power_of_two())
    };
    assert_eq!(shapes.iter().map(first_axis_first).max(), Some(13));
}

/// Theorem 1: no route of the mesh uses a channel inside its leftover. The reverse is plain: a
/// route between two nodes of a subcube does not leave it.
fn shares_no_channel(mesh: Embedding) {
    let routes = Predicate::new(&mesh);
    for channel in mesh.leftover().flat_map(inside) {
        assert!(!routes.uses(channel), "{:?}: {channel:?}", mesh.shape());
    }
}

#[test]
fn no_rectangle_up_to_eight_dimensions_shares_a_channel_with_its_leftover() {
    (0..=8).flat_map(rectangles).map(alone).for_each(shares_no_channel);
}

#[test]
fn no_cuboid_up_to_seven_dimensions_shares_a_channel_with_its_leftover() {
    (0..=7).flat_map(cuboids).map(alone).for_each(shares_no_channel);
}

#[test]
fn the_predicate_for_channels_agrees_with_walking_all_routes() {
    for shape in (0..=5).flat_map(cuboids) {
        let routes = Predicate::new(&alone(shape));
        let all = inside(Subcube::whole(shape.dim()));
        let mut predicted: Vec<_> = all.filter(|&channel| routes.uses(channel)).collect();
        predicted.sort_by_key(|channel| (channel.from, channel.dim));
        assert_eq!(predicted, used(shape), "{shape}");
    }
}

#[test]
fn five_by_one_in_a_3_cube_shares_a_channel_with_its_leftover_once_that_is_joined() {
    let mesh = alone(rectangle(5, 1));
    assert_eq!(leftover(rectangle(5, 1)), ["10*", "111"].map(cube));
    assert_eq!(cube("111").distance(&cube("10*")), 1);
    let joined = Channel { from: Node(0b111), dim: dim(1) };
    assert!(inside(cube("1*1")).any(|channel| channel == joined));
    assert!(mesh.contains(Node(0b110)) && mesh.contains(Node(0b001)));
    assert!(ecube::route(Node(0b110), Node(0b001)).any(|channel| channel == joined));
}

/// A node is named as passed exactly if a route of the mesh passes it.
fn names_what_is_passed(shape: Shape) {
    let mesh = alone(shape);
    let ends = |channel: Channel| [channel.from, channel.to()];
    let passed: BTreeSet<Node> =
        used(shape).into_iter().flat_map(ends).chain(mesh.nodes()).collect();
    for node in mesh.cube().nodes() {
        assert_eq!(mesh.may_route_through(node), passed.contains(&node), "{shape}: {node}");
    }
}

#[test]
fn nodes_that_routes_of_a_small_mesh_pass_are_named() {
    (0..=4).flat_map(cuboids).for_each(names_what_is_passed);
}

#[test]
fn nodes_that_routes_of_a_larger_mesh_pass_are_named() {
    cuboids(5).chain(rectangles(7)).for_each(names_what_is_passed);
}

#[test]
fn most_meshes_route_through_their_leftover() {
    let shapes: Vec<_> = (1..=8).flat_map(rectangles).map(alone).collect();
    let passes = |mesh: &Embedding| {
        mesh.leftover().flat_map(|cube| cube.nodes()).any(|node| mesh.may_route_through(node))
    };
    let with_leftover = shapes.iter().filter(|mesh| mesh.leftover().next().is_some());
    let (passing, not) = with_leftover.partition::<Vec<&Embedding>, _>(|mesh| passes(mesh));
    assert!(passing.len() > 10 * not.len(), "{} of {}", passing.len(), passing.len() + not.len());
}

#[test]
fn routes_of_a_mesh_pass_no_node_outside_its_subcube() {
    let mesh = Embedding::new(cube("1**0**"), rectangle(3, 3)).unwrap();
    for node in (0..1 << 7).map(Node) {
        assert!(mesh.cube().contains(node) || !mesh.may_route_through(node));
    }
}

#[test]
fn neighbours_in_a_mesh_are_neighbours_in_the_cube() {
    for shape in (0..=6).flat_map(cuboids) {
        let mesh = Embedding::new(scattered(shape.dim().get()), shape).unwrap();
        for node in mesh.nodes() {
            let at = mesh.coordinates(node).unwrap();
            for axis in 0..3 {
                let mut next = at;
                next[axis] += 1;
                let neighbour = mesh.node(next);
                assert_eq!(neighbour.is_some(), next[axis] < shape.sides()[axis]);
                assert!(neighbour.is_none_or(|other| other.distance(node) == 1), "{shape}");
            }
        }
    }
}

#[test]
fn coordinates_and_nodes_are_inverse_in_any_subcube() {
    for shape in (0..=7).flat_map(cuboids) {
        for place in [Subcube::whole(shape.dim()), scattered(shape.dim().get())] {
            let mesh = Embedding::new(place, shape).unwrap();
            let nodes: Vec<_> = mesh.nodes().collect();
            assert_eq!(nodes.iter().collect::<BTreeSet<_>>().len(), nodes.len());
            assert_eq!(nodes.len() as u32, shape.nodes());
            for &node in &nodes {
                assert_eq!(mesh.coordinates(node).and_then(|at| mesh.node(at)), Some(node));
            }
            for node in (0..1 << 12).map(Node) {
                assert_eq!(mesh.contains(node), nodes.contains(&node));
                assert_eq!(mesh.coordinates(node).is_some(), nodes.contains(&node));
            }
        }
    }
}

#[test]
fn the_first_axis_takes_the_highest_coordinates() {
    let mesh = Embedding::new(cube("*0**1*"), rectangle(2, 8)).unwrap();
    assert_eq!(mesh.node([1, 0, 0]), Some(Node(0b100010)));
    assert_eq!(mesh.node([0, 1, 0]), Some(Node(0b000011)));
    let turned = Embedding::new(mesh.cube(), rectangle(8, 2)).unwrap();
    assert_eq!(turned.node([0, 1, 0]), Some(Node(0b000011)));
    assert_eq!(turned.node([1, 0, 0]), Some(Node(0b000110)));
}

#[test]
fn a_mesh_lies_only_in_a_subcube_of_its_dimension() {
    for free in 0..=6 {
        let fits = Embedding::new(scattered(free), rectangle(3, 5)).is_some();
        assert_eq!(fits, dim(free) == rectangle(3, 5).dim());
    }
}

#[test]
fn a_machine_of_24_dimensions_takes_its_largest_meshes() {
    let whole = Subcube::whole(Dim::MAX);
    for (shape, pieces) in [
        (Shape::line(1 << 24), 0),
        (Shape::line((1 << 24) - 1), 1),
        (Shape::line((1 << 23) + 1), 23),
        (Shape::rectangle(4096, 4095), 1),
        (Shape::cuboid(255, 255, 255), 1 + 8 + 64),
    ] {
        let mesh = Embedding::new(whole, shape.unwrap()).unwrap();
        assert_eq!(mesh.leftover().count(), pieces, "{}", mesh.shape());
        let left: u32 = mesh.leftover().map(|cube| cube.len()).sum();
        assert_eq!(left, (1 << 24) - mesh.shape().nodes());
        let last = mesh.shape().sides().map(|side| side - 1);
        assert_eq!(mesh.node(last).and_then(|node| mesh.coordinates(node)), Some(last));
    }
}
