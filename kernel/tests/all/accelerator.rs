//! Slices of an accelerator through restarts, and images that nobody wrote.

use crate::forged_image::reseal;
use locox::accelerator::{ProfileId, SliceLease, SlicePool, SliceSet, Table};
use locox::handle::{Epoch, Handle, Misuse, PoolId};
use locox::image::BadImage;
use locox::subcube::Outage;

const ONE: ProfileId = ProfileId(0);
const TWO: ProfileId = ProfileId(1);
const THREE: ProfileId = ProfileId(2);

fn pool() -> SlicePool<'static> {
    SlicePool::new(PoolId(7), Table::A100)
}

fn image_of(pool: &SlicePool<'_>) -> Vec<u32> {
    let mut image = vec![];
    pool.export(|word| image.push(word));
    image
}

#[test]
fn a_lease_is_good_through_one_restart_and_named_anew_by_it() {
    let mut pool = pool();
    let lease = pool.allocate(TWO).unwrap();
    let image = image_of(&pool);
    let later = pool.allocate(ONE).unwrap();
    pool.restore(image, Epoch(1)).unwrap();
    let again = pool.leases().next().unwrap();
    assert_eq!((again.slices(), again.handle().epoch()), (lease.slices(), Epoch(1)));
    assert_eq!(pool.release(later), Err(Misuse::Stale), "the image does not know it");
    assert_eq!(pool.allocate(ONE).unwrap().handle().generation(), later.handle().generation());
    assert_eq!(pool.clone().release(lease), Ok(()));
    pool.begin(Epoch(2));
    assert_eq!(pool.release(lease), Err(Misuse::Stale), "two restarts ago");
    assert_eq!(pool.release(again), Ok(()));
}

#[test]
fn an_image_of_another_table_or_pool_changes_nothing() {
    let mut pool = pool();
    pool.allocate(THREE).unwrap();
    let others = [
        (SlicePool::new(PoolId(7), Table::H100), BadImage::OtherConfiguration),
        (SlicePool::new(PoolId(8), Table::A100), BadImage::OtherPool),
    ];
    for (other, bad) in others {
        assert_eq!(pool.load(image_of(&other)), Err(bad));
        assert_eq!(pool.leases().count(), 1);
    }
}

/// A row is a generation, two links, a profile and slices, behind the head of 10 words and that of the rows of 3.
#[test]
fn an_image_that_contradicts_itself_leaves_the_pool_as_new_and_usable() {
    let mut full = pool();
    full.claim(ONE, SliceSet::run(2, 1)).unwrap();
    full.claim(TWO, SliceSet::run(0, 2)).unwrap();
    full.withdraw(SliceSet::run(7, 1), Outage::Failed, |_| ()).unwrap();
    let image = image_of(&full);
    let last = image.len() - 1;
    assert_eq!(pool().load(image.clone()), Ok(()));
    let forgeries = [
        (11, 1000),         // more rows than there are
        (16, 99),           // no such profile
        (16, 1),            // the profile of another placement
        (17, 1 << 1),       // overlaps the other lease
        (17, 1 << 7),       // no placement
        (last - 2, 1 << 8), // out, but no slice
        (last - 2, 0),      // failed, but not out
    ];
    for (at, word) in forgeries {
        let mut forged = image.clone();
        forged[at] = word;
        reseal(&mut forged);
        let mut pool = full.clone();
        let read = pool.load(forged);
        assert!(matches!(read, Err(BadImage::Contradiction(_))), "{at}: {read:?}");
        assert_eq!((pool.leases().count(), pool.free()), (0, Table::A100.all()), "{at}");
        assert_eq!(pool.allocate(ProfileId(4)).unwrap().slices(), Table::A100.all());
    }
}

#[test]
fn a_handle_does_not_pass_under_other_slices_or_in_another_pool() {
    let mut pool = pool();
    let lease = pool.allocate(ONE).unwrap();
    let handle = lease.handle();
    let other = Handle::from_parts(PoolId(8), handle.index(), handle.generation(), Epoch(0));
    let of = |slices, handle| SliceLease::from_parts(ONE, slices, handle);
    assert_eq!(pool.release(of(lease.slices(), other)), Err(Misuse::Foreign));
    assert_eq!(pool.release(of(SliceSet::run(0, 1), handle)), Err(Misuse::Stale));
    assert_eq!(lease.to_string(), "6");
    assert_eq!(format!("{lease:#}"), "6 as 0.1 (pool 7)");
    assert_eq!(pool.release(lease), Ok(()));
}
