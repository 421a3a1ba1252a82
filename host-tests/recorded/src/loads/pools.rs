//! A pool of 1024 nodes: 64 customers, each of which asks for 1 to 128 nodes or gives back what it
//! has; now and then one asks for too much, and nodes fail and are repaired.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::subcube::{Lease, Outage, Pool, Strategy, words};

const DIMS: u8 = 10;
const CALLS: u32 = 2000;

pub(super) fn run<T: Strategy>(watch: &mut impl Watch) -> Option<()> {
    let mut storage = vec![0; words::<T>(DIMS)];
    let cube = Dim::new(DIMS)?;
    let mut pool = Pool::<T, _>::new(PoolId(1), cube, &mut storage[..]).ok()?;
    let mut random = random();
    let mut customers: [Option<Lease>; 64] = [None; 64];
    for _ in 0..CALLS {
        let kind = draw(&mut random, 32);
        let node = Node(draw(&mut random, cube.nodes()));
        match kind {
            0 => {
                let mut hit = None;
                let _ = watch.call("withdraw", || {
                    pool.withdraw(&[node], Outage::Failed, |lease| hit = Some(lease)).map(|()| hit)
                });
            }
            1 => ignore(watch.call("repair", || pool.repair(&[node]))),
            2 => ignore(watch.call("would fit", || pool.would_fit(Dim::ZERO))),
            3 => drop(watch.see("lease at", || pool.lease_at(node))),
            _ => {
                let customer = customers.get_mut(draw(&mut random, 64) as usize)?;
                let dim = Dim::new(draw(&mut random, 8) as u8)?;
                match customer.take() {
                    Some(lease) => ignore(watch.call("release", || pool.release(lease))),
                    None => *customer = watch.call("allocate", || pool.allocate(dim)).ok(),
                }
            }
        }
    }
    let _ = watch.see("stats", || pool.stats());
    Some(())
}

/// States that cost most of those known: what is free came back node by node, so that the lists of a free list
/// are full of small cubes. So many sixteenths of the nodes, in the end all but one.
pub(super) fn crowd<T: Strategy>(watch: &mut impl Watch) -> Option<()> {
    let mut storage = vec![0; words::<T>(DIMS)];
    let cube = Dim::new(DIMS)?;
    let mut random = random();
    // An odd factor: every node once, in no order.
    let nodes = || (1..cube.nodes()).map(|at| Node((at * 389) % cube.nodes()));
    for share in [5, 9, 13, 16] {
        let mut pool = Pool::<T, _>::new(PoolId(1), cube, &mut storage[..]).ok()?;
        while pool.allocate(Dim::ZERO).is_ok() {}
        for node in nodes() {
            if draw(&mut random, 16) < share {
                let lease = pool.lease_at(node)?;
                ignore(watch.call("release", || pool.release(lease)));
            }
        }
        for dim in (0..DIMS).rev() {
            let dim = Dim::new(dim)?;
            ignore(watch.call("would fit", || pool.would_fit(dim)));
            for _ in 0..4 {
                if watch.call("allocate", || pool.allocate(dim)).is_err() {
                    break;
                }
            }
        }
        let _ = watch.see("stats", || pool.stats());
    }
    Some(())
}

/// The watcher has seen the answer.
fn ignore<T, E>(_: Result<T, E>) {}
