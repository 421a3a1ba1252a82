//! Images of pools of boxes: of which machine one is, and what contradicts itself.

use crate::forged::{HEAD, seal};
use locox::grid::{Anchors, BoxRequest, Grid, GridPool, Placement, Sides, words};
use locox::handle::{Epoch, PoolId};
use locox::image::BadImage;

fn pool(machine: &str) -> GridPool<Vec<u64>> {
    let grid: Grid = machine.parse().unwrap();
    let storage = vec![0; words(grid)];
    GridPool::new(PoolId(1), grid, storage, Placement::First, Anchors::Any).unwrap()
}

fn image(pool: &GridPool<Vec<u64>>) -> Vec<u32> {
    let mut image = vec![];
    pool.export(|word| image.push(word));
    image
}

#[test]
fn an_image_is_of_one_machine() {
    let machines =
        ["mesh:4x2", "mesh:5x2", "mesh:4rx2", "mesh:4x2r", "mesh:2x4", "mesh:4x3", "mesh:8"];
    for (of, on) in machines.iter().flat_map(|of| machines.iter().map(move |on| (of, on))) {
        let taken = pool(on).restore(image(&pool(of)), Epoch(1));
        let other = if of == on { Ok(()) } else { Err(BadImage::OtherConfiguration) };
        assert_eq!(taken, other, "{of} on {on}");
    }
}

/// Words of a node in an image: behind the epoch two each.
fn sides_of(node: usize) -> usize {
    HEAD + 1 + 2 * node + 1
}

#[test]
fn no_node_is_in_two_leases_of_an_image() {
    let side = |side| BoxRequest::Fixed(Sides::new(&[side]).unwrap());
    let mut short = pool("mesh:4");
    short.allocate(side(2)).unwrap();
    let mut long = pool("mesh:4");
    long.allocate(side(3)).unwrap();
    short.allocate(side(1)).unwrap();
    let mut forged = image(&short);
    forged[sides_of(0)] = image(&long)[sides_of(0)];
    let refused = pool("mesh:4").restore(seal(forged), Epoch(1));
    assert_eq!(refused, Err(BadImage::Contradiction("leases overlap")));
}
