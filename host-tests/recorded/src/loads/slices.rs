//! Slices of an accelerator.

use super::Watch;
use super::random::{draw, random};
use locox::accelerator::{ProfileId, SliceLease, SlicePool, SliceSet, Table};
use locox::handle::PoolId;
use locox::subcube::Outage;

const CALLS: u32 = 500;

pub(super) fn run(watch: &mut impl Watch) -> Option<()> {
    let mut pool = SlicePool::new(PoolId(1), Table::H100);
    let mut random = random();
    let mut customers: [Option<SliceLease>; 8] = [None; 8];
    for _ in 0..CALLS {
        let customer = customers.get_mut(draw(&mut random, 8) as usize)?;
        let profile = ProfileId(draw(&mut random, 6));
        if draw(&mut random, 32) == 0 {
            let slice = SliceSet::run(draw(&mut random, 8) as u8, 1);
            let _ = watch.call("withdraw", || pool.withdraw(slice, Outage::Drained, |_| ()));
            let _ = watch.call("repair", || pool.repair(slice));
        }
        match customer.take() {
            Some(lease) => drop(watch.call("release", || pool.release(lease))),
            None => *customer = watch.call("allocate", || pool.allocate(profile)).ok(),
        }
    }
    watch.see("stranded", || pool.stranded(ProfileId(4)));
    Some(())
}
