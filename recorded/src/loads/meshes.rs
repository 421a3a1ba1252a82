//! Meshes of one to three axes in a cube of 1024 nodes.

use super::{Watch, draw, random};
use alloc::vec;
use locox::cube::{Dim, Node};
use locox::handle::PoolId;
use locox::mesh::{Leftover, MeshLease, MeshPool, Shape, words};
use locox::subcube::{Buddy, Outage};

const DIMS: u8 = 10;
const CALLS: u32 = 1000;

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut storage = vec![0; words::<Buddy>(DIMS)];
    let cube = Dim::new(DIMS)?;
    let pool = MeshPool::<Buddy, _>::new(PoolId(1), cube, &mut storage[..], Leftover::Reused);
    let mut pool = pool.ok()?;
    let mut random = random();
    let mut customers: [Option<MeshLease>; 32] = [None; 32];
    for _ in 0..CALLS {
        let customer = customers.get_mut(draw(&mut random, 32) as usize)?;
        let [rows, columns, layers] = [0; 3].map(|_| 1 + draw(&mut random, 7));
        let node = Node(draw(&mut random, cube.nodes()));
        if draw(&mut random, 32) == 0 {
            let _ = watch.call("withdraw", || pool.withdraw(&[node], Outage::Drained, |_| ()));
            let _ = watch.call("repair", || pool.repair(&[node]));
        }
        match customer.take() {
            Some(lease) => drop(watch.call("release", || pool.release(lease))),
            None => {
                let shape = Shape::cuboid(rows, columns, layers).ok()?;
                *customer = watch.call("allocate", || pool.allocate(shape)).ok();
            }
        }
    }
    let _ = watch.see("stats", || pool.stats());
    Some(())
}
