//! Nodes that fail, are drained and repaired, and the leases that they hit.

mod common;

use common::dim;
use locox::cube::Node;
use locox::handle::PoolId;
use locox::subcube::{Allocator, Outage};
use locox_oracles::{FreeList, Rule};

/// A cube that came back node by node merged with a lone free neighbour into other cubes.
fn a_released_cube_is_granted_again_though_another_node_is_out<R: Rule>() {
    for lone in [1, 3, 5] {
        let mut pool = R::pool(PoolId(0), dim(3));
        let singles: Vec<_> = (0..8).map(|_| pool.allocate(dim(0)).unwrap()).collect();
        let single = |node| *singles.iter().find(|it| it.cube().base() == Node(node)).unwrap();
        pool.withdraw(&[Node(7)], Outage::Drained, &mut |_| ()).unwrap();
        for node in [0, 2, 4, 6] {
            pool.release(single(node)).unwrap();
        }
        let Ok(lease) = pool.allocate(dim(2)) else { continue };
        assert_eq!(lease.cube(), "**0".parse().unwrap());
        pool.release(single(lone)).unwrap();
        pool.release(lease).unwrap();
        assert_eq!(pool.would_fit(dim(2)), Ok(()), "node {lone} is free as well");
    }
}

/// What is left around two nodes that went out one after the other is merged again.
#[test]
fn the_free_list_sees_a_square_beside_two_nodes_out() {
    let mut pool = FreeList::pool(PoolId(0), dim(4));
    let half = pool.allocate(dim(3)).unwrap();
    assert_eq!(half.cube(), "0***".parse().unwrap());
    for node in [0b1001, 0b1100] {
        pool.withdraw(&[Node(node)], Outage::Failed, &mut |_| ()).unwrap();
    }
    assert_eq!(pool.allocate(dim(2)).map(|lease| lease.cube()), Ok("1*1*".parse().unwrap()));
}

for_each_strategy!(a_released_cube_is_granted_again_though_another_node_is_out);
