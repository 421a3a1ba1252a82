//! Boxes in a torus of 8x8x8 nodes.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use locox::cube::Node;
use locox::grid::{Anchors, BoxLease, BoxRequest, Cuboid, Grid, GridPool, Placement, Sides, words};
use locox::handle::PoolId;
use locox::subcube::Outage;

const CALLS: u32 = 500;

fn torus() -> Option<Grid> {
    Grid::torus(&[8, 8, 8])
}

pub(super) fn run(placement: Placement, watch: &mut impl Watch) -> Option<()> {
    let torus = torus()?;
    let storage = vec![0; words(torus)];
    let mut pool = GridPool::new(PoolId(1), torus, storage, placement, Anchors::Any).ok()?;
    let mut random = random();
    let mut customers: [Option<BoxLease>; 32] = [None; 32];
    for call in 0..CALLS {
        let customer = customers.get_mut(draw(&mut random, 32) as usize)?;
        let sides = Sides::new(&[0; 3].map(|_| 1 + draw(&mut random, 4) as u8))?;
        let node = Node(draw(&mut random, torus.nodes()));
        if draw(&mut random, 32) == 0 {
            let _ = watch.call("withdraw", || pool.withdraw(&[node], Outage::Drained, |_| ()));
            let _ = watch.call("repair", || pool.repair(&[node]));
        }
        match customer.take() {
            Some(lease) => drop(watch.call("release", || pool.release(lease))),
            None if call % 4 == 0 => {
                *customer =
                    watch.call("allocate", || pool.allocate(BoxRequest::Turned(sides))).ok();
            }
            None => {
                *customer = watch.call("allocate", || pool.allocate(BoxRequest::Fixed(sides))).ok();
            }
        }
    }
    let large = BoxRequest::Fixed(Sides::new(&[4, 4, 4])?);
    watch.see("stranded", || pool.stranded(large));
    watch.see("stats", || pool.stats());
    Some(())
}

/// States that cost most of those known: every third node is held, so that a number of nodes is sought in all its shapes
/// and has none, and many leases are in the way of whatever is planned.
pub(super) fn crowd(watch: &mut impl Watch) -> Option<()> {
    let torus = torus()?;
    let storage = vec![0; words(torus)];
    let mut pool =
        GridPool::new(PoolId(1), torus, storage, Placement::Fewest, Anchors::Any).ok()?;
    let one = Sides::new(&[1])?;
    for node in (0..torus.nodes()).step_by(3).map(Node) {
        let place = Cuboid::new(torus, node, one)?;
        let _ = watch.call("claim", || pool.claim(place));
    }
    let _ = watch.call("withdraw", || pool.withdraw(&[Node(1)], Outage::Failed, |_| ()));
    for nodes in [2, 12, 64, 128, 256] {
        let request = BoxRequest::Nodes(nodes);
        let _ = watch.call("would fit", || pool.would_fit(request));
        if let Ok(lease) = watch.call("allocate", || pool.allocate(request)) {
            watch.call("release", || pool.release(lease)).ok()?;
        }
    }
    let mut scratch = vec![0; torus.nodes() as usize];
    let square = BoxRequest::Fixed(Sides::new(&[2, 2])?);
    let _ = watch.call("defragment", || pool.defragment(square, 2, 100, &mut scratch));
    Some(())
}
