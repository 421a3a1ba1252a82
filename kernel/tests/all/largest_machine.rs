//! Machines of the most dimensions that there are.

use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::{self, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Pool};

/// Whatever was leased and released, an idle machine grants all of itself.
fn grants_itself<T: subcube::Strategy>() {
    let words = vec![0; subcube::words::<T>(Dim::MAX.get())];
    let mut pool = Pool::<T, _>::new(PoolId(1), Dim::MAX, words).unwrap();
    for dim in [10, 23, 24, 0].map(|dim| Dim::new(dim).unwrap()) {
        let part = pool.allocate(dim).unwrap();
        pool.release(part).unwrap();
        let all = pool.allocate(Dim::MAX);
        assert!(all.is_ok(), "{} after {dim} dimensions: {all:?}", T::NAME);
        pool.release(all.unwrap()).unwrap();
    }
}

#[test]
fn an_idle_machine_of_24_dimensions_grants_all_of_itself() {
    grants_itself::<Buddy>();
    grants_itself::<GrayCode>();
    grants_itself::<FreeList>();
    grants_itself::<FreeListPlain>();
    grants_itself::<Complete>();
}

/// All nodes with 0 or 10 ones in their addresses are leased; then the second lease is released. What is free is in pieces that
/// only long searches tell apart.
fn hard<T: subcube::Strategy>(dims: Dim) -> Pool<T, Vec<usize>> {
    let mut pool =
        Pool::<T, _>::new(PoolId(1), dims, vec![0; subcube::words::<T>(dims.get())]).unwrap();
    let nodes = (0..dims.nodes()).map(Node).filter(|node| node.0.count_ones() % 10 == 0);
    let leases: Vec<_> =
        nodes.map(|node| pool.claim(Subcube::new(dims, node, 0).unwrap()).unwrap()).collect();
    pool.release(leases[1]).unwrap();
    pool
}

fn names_what_it_grants<T: subcube::Strategy + Clone>() {
    let dims = Dim::new(18).unwrap();
    let mut pool = hard::<T>(dims);
    let granted = |dim: &Dim| pool.clone().allocate(*dim).is_ok();
    let largest = dims.up_to().rev().find(granted);
    assert_eq!(pool.stats().largest, largest, "{}", T::NAME);
    assert_eq!(pool.would_fit(largest.unwrap()), Ok(()), "{}", T::NAME);
}

#[test]
fn figures_of_a_machine_of_18_dimensions_name_what_it_grants() {
    names_what_it_grants::<Complete>();
    names_what_it_grants::<FreeList>();
    names_what_it_grants::<GrayCode>();
    names_what_it_grants::<Buddy>();
}
