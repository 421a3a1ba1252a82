//! Subcubes of free nodes, by looking at each subcube there is.

use locox::cube::{Dim, Node, Subcube};
use locox::handle::PoolId;
use locox::subcube::{Complete, Pool, words};

/// All subcubes of so many dimensions in a cube.
fn all(dims: Dim, dim: u32) -> impl Iterator<Item = Subcube> {
    let masks = (0..dims.nodes()).filter(move |mask| mask.count_ones() == dim);
    masks.flat_map(move |mask| {
        let bases = (0..dims.nodes()).filter(move |base| base & mask == 0);
        bases.map(move |base| Subcube::new(dims, Node(base), mask).unwrap())
    })
}

fn is_free(free: &[bool], cube: Subcube) -> bool {
    cube.nodes().all(|node| free[node.0 as usize])
}

/// The nodes of the largest subcube that is free; 0 if no node is.
pub(super) fn largest(free: &[bool]) -> u32 {
    let dims = Dim::holding(free.len() as u32).unwrap();
    let count = free.iter().filter(|free| **free).count() as u32;
    let mut sizes = (0..=u32::from(dims.get())).rev().filter(|dim| 1 << dim <= count);
    let found = sizes.find(|&dim| all(dims, dim).any(|cube| is_free(free, cube)));
    found.map_or(0, |dim| 1 << dim)
}

/// A free subcube of so many nodes, by a pool in which each group of nodes was taken at once, and the others that are
/// not free one by one. It finds one exactly if there is one.
///
/// # Panics
///
/// If it does not.
pub(super) fn choose(free: &[bool], groups: &[&[u32]], nodes: u32) -> Option<Vec<u32>> {
    let dims = Dim::holding(free.len() as u32).unwrap();
    let mut pool =
        Pool::<Complete, _>::new(PoolId(0), dims, vec![0; words::<Complete>(dims.get())]);
    let pool = pool.as_mut().unwrap();
    for group in groups.iter().filter(|group| !group.is_empty()) {
        let (all, any) = group.iter().fold((u32::MAX, 0), |(all, any), it| (all & it, any | it));
        let cube = Subcube::new(dims, Node(all), all ^ any).unwrap();
        if cube.len() as usize == group.len() {
            pool.claim(cube).unwrap();
        } else {
            let single: Vec<Node> = group.iter().copied().map(Node).collect();
            pool.claim_nodes(&single, |_| ()).unwrap();
        }
    }
    let taken = (0..).map(Node).zip(free).filter(|(_, free)| !**free).map(|(node, _)| node);
    let taken: Vec<Node> = taken.filter(|&node| pool.state(node).unwrap().is_free()).collect();
    pool.claim_nodes(&taken, |_| ()).unwrap();
    let dim = Dim::holding(nodes).unwrap();
    let found = pool.allocate(dim).ok().map(|lease| lease.cube());
    assert_eq!(found.is_some(), all(dims, dim.get().into()).any(|cube| is_free(free, cube)));
    assert!(found.is_none_or(|cube| is_free(free, cube)));
    Some(found?.nodes().map(|node| node.0).collect())
}
