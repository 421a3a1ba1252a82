//! Subcubes that come back in pieces, and requests that lie across pieces.

use super::common::{cube, dim, rectangle};
use locox::cube::{Node, Subcube};
use locox::handle::PoolId;
use locox::mesh::{Embedding, Leftover, MeshAllocator, MeshLease, Shape};
use locox::subcube::{Outage, Refusal};
use locox_oracles::subcube::{Buddy, FreeList, Meshes, Rule};

fn reused<R: Rule>(dims: u8) -> Meshes<R> {
    R::mesh_pool(PoolId(7), dim(dims), Leftover::Reused)
}

fn line(side: u32) -> Shape {
    Shape::line(side).unwrap()
}

fn claim(pool: &mut impl MeshAllocator, cube: Subcube, shape: Shape) -> MeshLease {
    pool.claim(Embedding::new(cube, shape).unwrap()).unwrap()
}

/// Three quarters of 1024 nodes but for every other 64: the larger piece is of 128 nodes in two runs, the smaller one as well.
fn a_piece_whose_nodes_lie_apart_comes_back_whole<R: Rule>() {
    let mut pool = reused::<R>(10);
    let mesh = claim(&mut pool, cube("***0******"), rectangle(3, 128));
    let tenant = pool.allocate(line(128)).unwrap();
    assert!(mesh.cube().contains_cube(&tenant.cube()));
    pool.release(mesh).unwrap();
    assert_eq!(pool.free(), 1024 - 128);
    pool.check_invariants().unwrap();
    pool.release(tenant).unwrap();
    assert_eq!(pool.allocate(line(1024)).map(|it| it.cube()), Ok(cube("**********")));
}

/// The mesh lies in two quarters of the machine, the other two are free.
#[test]
fn on_17_dimensions_what_comes_back_joins_what_is_free_around_it() {
    let mut pool = reused::<Buddy>(17);
    let mesh = claim(&mut pool, cube("*000000000000000*"), line(3));
    let tenant = pool.allocate(line(1)).unwrap();
    pool.release(mesh).unwrap();
    assert!(tenant.cube().base().0 >= 1 << 16, "the fourth node of the mesh's subcube");
    assert_eq!(pool.stats().nodes.largest, Some(dim(16)));
    pool.release(tenant).unwrap();
    assert_eq!(pool.allocate(line(1 << 17)).map(|it| it.shape()), Ok(line(1 << 17)));
}

/// A 6-cube with a mesh whose leftover is used up by single nodes, of which these of its 4-cube are given back.
fn crowded<R: Rule>(free: &[u32]) -> Meshes<R> {
    let mut pool = reused::<R>(6);
    let owner = pool.allocate(line(33)).unwrap();
    let four = owner.mesh().leftover().next().unwrap();
    let singles: Vec<_> = (0..31).map(|_| pool.allocate(line(1)).unwrap()).collect();
    assert_eq!(pool.free(), 0);
    let nodes: Vec<_> = four.nodes().collect();
    for &at in free {
        let holds = |single: &&MeshLease| single.cube().base() == nodes[at as usize];
        pool.release(*singles.iter().find(holds).unwrap()).unwrap();
    }
    pool
}

/// Three edges in three directions and a node beside them, none of which pairs with another: a square lies across.
fn a_refusal_tells_the_largest_subcube_that_lies_across_pieces<R: Rule>() {
    let mut pool = crowded::<R>(&[1, 5, 2, 3, 4, 6, 0, 15]);
    for _ in 0..2 {
        let largest = dim(2);
        assert_eq!(pool.would_fit(line(8)), Err(Refusal::Fragmented { largest }));
        pool.check_invariants().unwrap();
        assert_eq!(pool.would_fit(line(4)), Ok(()));
    }
    let square = pool.allocate(line(4)).unwrap();
    assert_eq!(square.cube().mask(), 0b11);
    pool.check_invariants().unwrap();
}

locox_oracles::for_each_strategy!(a_piece_whose_nodes_lie_apart_comes_back_whole);

#[test]
fn across_pieces_over_the_free_list_and_the_buddy() {
    a_refusal_tells_the_largest_subcube_that_lies_across_pieces::<FreeList>();
    a_refusal_tells_the_largest_subcube_that_lies_across_pieces::<Buddy>();
}

/// Of a leftover of 17 dimensions the nodes with 0, 9 or 18 ones in their address are out: a search for 8 dimensions is long.
#[test]
fn a_search_of_a_leftover_that_is_given_up_is_undecided() {
    let mut pool = reused::<Buddy>(19);
    let owner = pool.allocate(rectangle(3, 1 << 17)).unwrap();
    let leftover = owner.mesh().leftover().next().unwrap();
    assert_eq!(leftover.dim(), dim(17));
    let out: Vec<Node> = (0..)
        .zip(leftover.nodes())
        .filter(|(at, _)| u32::count_ones(*at) % 9 == 0)
        .map(|(_, it)| it)
        .collect();
    pool.withdraw(&out, Outage::Failed, |_| ()).unwrap();
    assert_eq!(pool.would_fit(line(1 << 8)), Err(Refusal::Undecided));
    assert_eq!(pool.allocate(line(1 << 8)).map(|_| ()), Err(Refusal::Undecided));
}
