//! Machines, sides, boxes and leases as values: what they are made of, and as text.

use locox::cube::Node;
use locox::grid::{Anchors, Cuboid, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;

#[test]
fn machines_and_sides_are_told_in_numbers_and_made_of_them_again() {
    let grid: Grid = "mesh:5x3rx1x2".parse().unwrap();
    let axes: [(u8, bool); 4] = grid.into();
    assert_eq!(axes, [(5, false), (3, true), (1, false), (2, false)]);
    assert_eq!(Grid::try_from(axes), Ok(grid));
    let sides = Sides::new(&[4, 1, 3]).unwrap();
    let numbers: [u8; 4] = sides.into();
    assert_eq!(numbers, [4, 1, 3, 1]);
    assert_eq!(Sides::try_from(numbers), Ok(sides));
}

#[test]
fn each_side_has_1_to_64_nodes_whatever_the_others_have() {
    let lengths = [0, 1, 2, 64, 65, 66, 128, 129, 193, 255];
    let each = || lengths.into_iter();
    for [a, b, c, d] in each().flat_map(|a| {
        each().flat_map(move |b| each().flat_map(move |c| each().map(move |d| [a, b, c, d])))
    }) {
        let are_good = [a, b, c, d].iter().all(|side| (1..=64).contains(side));
        assert_eq!(Sides::new(&[a, b, c, d]).is_some(), are_good, "{a}x{b}x{c}x{d}");
    }
}

#[test]
fn a_box_is_told_with_as_many_numbers_as_its_machine_has_axes() {
    let texts = [
        ("mesh:9", 4, "3", "3 at 4"),
        ("torus:4x4", 7, "1x2", "1x2 at 3,1"),
        ("mesh:4x3x2", 21, "2x1x1", "2x1x1 at 1,2,1"),
        ("torus:2x2x2x3", 17, "1x2x1x3", "1x2x1x3 at 1,0,0,0"),
    ];
    for (machine, origin, sides, text) in texts {
        let place = Cuboid::new(machine.parse().unwrap(), Node(origin), sides.parse().unwrap());
        assert_eq!(place.unwrap().to_string(), text);
    }
}

#[test]
fn a_lease_has_the_nodes_of_its_box() {
    let grid: Grid = "torus:4x4".parse().unwrap();
    let storage = vec![0; words(grid)];
    let mut pool = GridPool::new(PoolId(1), grid, storage, Placement::First, Anchors::Any).unwrap();
    let place = Cuboid::new(grid, Node(3), "2x2".parse().unwrap()).unwrap();
    let lease = pool.claim(place).unwrap();
    assert!(lease.nodes().eq([3, 0, 7, 4].map(Node)));
}

#[test]
fn a_pool_says_whether_it_isolates() {
    let grid = Grid::torus(&[4]).unwrap();
    let pool = || {
        let storage = vec![0; words(grid)];
        GridPool::new(PoolId(1), grid, storage, Placement::First, Anchors::Any).unwrap()
    };
    assert_eq!([pool(), pool().isolating()].map(|pool| pool.is_isolating()), [false, true]);
}
