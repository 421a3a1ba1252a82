//! Machines in the states in which queries are measured.

use crate::common::subjects::Subject;
use crate::common::trace::{Op, trace};
use locox::bits::Word;
use locox::cube::{Dim, Node};
use locox::subcube::{self, Buddy, Complete, Outage};

type Pool<T = Complete> = subcube::Pool<T, Box<[Word]>>;

/// A machine on which exactly the nodes given are free; the others are leased one by one.
fn with_free(dims: u8, is_free: impl Fn(Node) -> bool) -> Pool {
    let mut pool = <Pool as Subject>::new(dims);
    let busy: Vec<_> = (0..1 << dims).map(Node).filter(|&node| !is_free(node)).collect();
    // Nodes out of service keep the search for a free single node away from the free ones.
    let spared: Vec<_> = (0..1 << dims).map(Node).filter(|&node| is_free(node)).collect();
    pool.withdraw(&spared, Outage::Drained, |_| ()).unwrap();
    for _ in &busy {
        pool.allocate(Dim::ZERO).unwrap();
    }
    pool.repair(&spared).unwrap();
    pool
}

/// Free are the nodes whose number of ones is no multiple of `modulus`.
pub(crate) fn without_multiples(dims: u8, modulus: u32) -> Pool {
    with_free(dims, |node| !node.0.count_ones().is_multiple_of(modulus))
}

/// Free is what a trace of mixed operations under the buddy strategy leaves free.
pub(crate) fn three_quarters_full(dims: u8) -> Pool {
    let mut buddy = <Pool<Buddy> as Subject>::new(dims);
    let mut held = Vec::new();
    for op in trace(dims, 75, 20_000) {
        match op {
            Op::Allocate(size) => held.push(buddy.grant(size)),
            Op::Release(at) => {
                if let Some(lease) = held.swap_remove(at) {
                    buddy.take_back(lease);
                }
            }
        }
    }
    with_free(dims, |node| buddy.lease_at(node).is_none())
}
