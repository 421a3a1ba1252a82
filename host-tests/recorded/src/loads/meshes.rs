//! Meshes of one to three axes in a cube of 1024 nodes.

use super::Watch;
use super::random::{draw, random};
use alloc::vec;
use alloc::vec::Vec;
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

/// States that cost most of those known. Meshes whose rows are no blocks of the buddy, released beside a
/// tenant of their leftover. Then meshes all over, single nodes in all their leftovers, and half of these
/// gone, so that what is free lies in pieces of many leftovers, and each mesh released has tenants.
pub(super) fn crowd(watch: &mut impl Watch) -> Option<()> {
    let mut storage = vec![0; words::<Buddy>(DIMS)];
    let cube = Dim::new(DIMS)?;
    let pool = MeshPool::<Buddy, _>::new(PoolId(1), cube, &mut storage[..], Leftover::Reused);
    let mut pool = pool.ok()?;
    let mut random = random();
    let one = Shape::line(1).ok()?;
    for sides in [[16, 16, 3], [15, 15, 3], [13, 13, 3], [7, 13, 7], [11, 11, 3], [29, 29, 1]] {
        let shape = Shape::try_from(sides).ok()?;
        let owner = watch.call("allocate", || pool.allocate(shape)).ok()?;
        let tenant = watch.call("allocate", || pool.allocate(one)).ok()?;
        watch.call("release beside a tenant", || pool.release(owner)).ok()?;
        watch.call("release", || pool.release(tenant)).ok()?;
    }
    let five = Shape::rectangle(5, 5).ok()?;
    let mut owners = Vec::new();
    while let Ok(owner) = watch.call("allocate", || pool.allocate(five)) {
        owners.push(owner);
    }
    let mut tenants = Vec::new();
    while let Ok(tenant) = watch.call("allocate", || pool.allocate(one)) {
        tenants.push(tenant);
    }
    for tenant in tenants {
        if draw(&mut random, 2) == 0 {
            watch.call("release", || pool.release(tenant)).ok()?;
        }
    }
    for dim in (0..=4).rev() {
        let line = Shape::line(1 << dim).ok()?;
        let _ = watch.call("would fit", || pool.would_fit(line));
        while let Ok(lease) = watch.call("allocate", || pool.allocate(line)) {
            owners.push(lease);
            if owners.len() % 4 == 0 {
                break;
            }
        }
    }
    let _ = watch.see("stats", || pool.stats());
    for _ in 0..64 {
        let node = Node(draw(&mut random, cube.nodes()));
        let _ = watch.call("withdraw", || pool.withdraw(&[node], Outage::Drained, |_| ()));
        let _ = watch.call("repair", || pool.repair(&[node]));
    }
    for owner in owners {
        watch.call("release", || pool.release(owner)).ok()?;
    }
    Some(())
}
