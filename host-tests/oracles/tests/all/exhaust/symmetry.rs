//! Why states of cubes are not counted up to symmetry.

use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox_oracles::subcube::Rule;

const DIMS: u8 = 3;

/// Where an automorphism takes each node: coordinates change places, and then some are mirrored. With the identity.
fn automorphisms() -> Vec<Vec<u32>> {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let image = |order: [u32; 3], mirror: u32| {
        let place =
            |node: u32| (0..3).map(|at| (node >> at & 1) << order[at as usize]).sum::<u32>();
        (0..8).map(|node| place(node) ^ mirror).collect()
    };
    orders.into_iter().flat_map(|order| (0..8).map(move |mirror| image(order, mirror))).collect()
}

/// Whether single nodes that are granted one after the other go where the automorphism takes those of a machine that it is
/// applied to. If not, an operation in a state says nothing of the same one in the state's image.
fn commutes<R: Rule>(image: &[u32]) -> bool {
    let dims = Dim::new(DIMS).unwrap();
    let (mut pool, mut imaged) = (R::pool(PoolId(0), dims), R::pool(PoolId(0), dims));
    (0..dims.nodes()).all(|_| {
        let granted = pool.allocate(Dim::ZERO).unwrap().cube().base();
        let expected = Node(image[granted.0 as usize]);
        let same = imaged.clone().allocate(Dim::ZERO).unwrap().cube().base() == expected;
        imaged.claim(Subcube::new(dims, expected, 0).unwrap()).unwrap();
        same
    })
}

fn no_automorphism_but_the_identity_commutes_with_placement<R: Rule>() {
    let all = automorphisms();
    assert_eq!(all.len(), 48);
    let commuting: Vec<_> = all.into_iter().filter(|image| commutes::<R>(image)).collect();
    assert_eq!(commuting, [(0..8).collect::<Vec<u32>>()]);
}

locox_oracles::for_each_strategy!(no_automorphism_but_the_identity_commutes_with_placement);
