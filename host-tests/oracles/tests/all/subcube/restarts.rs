//! Claims, and leases through restarts: none collides with one from before, and none is lost.

use super::common::dim;
use locox::cube::{Node, Subcube};
use locox::error::Error;
use locox::handle::{Epoch, Misuse, PoolId};
use locox::image::BadImage;
use locox::subcube::{Allocator, Lease, NoSuchNode, NotFree, Outage};
use locox_oracles::subcube::{Observation, Rule};

const ID: PoolId = PoolId(5);

fn image(pool: &dyn Allocator) -> Vec<u32> {
    let mut words = vec![];
    pool.export(&mut |word| words.push(word));
    words
}

fn restored<R: Rule>(image: &[u32], epoch: u16) -> locox_oracles::subcube::Subcubes<R> {
    let mut pool = R::pool(ID, dim(4));
    pool.restore(image.iter().copied(), Epoch(epoch)).unwrap();
    pool.check_invariants().unwrap();
    pool
}

fn a_lease_is_good_through_restarts_and_lost_time_is_stale<R: Rule>() {
    let mut first = R::pool(ID, dim(4));
    let kept = first.allocate(dim(2)).unwrap();
    let words = image(&first);
    // Granted after the image, and so unknown to it.
    let lost = first.allocate(dim(1)).unwrap();
    let mut second = restored::<R>(&words, 1);
    let again = second.claim(lost.cube()).unwrap();
    assert_eq!(second.release(lost), Err(Misuse::Stale));
    assert_eq!(second.leases().map(|it| it.cube()).collect::<Vec<_>>(), {
        let mut both = [kept.cube(), lost.cube()];
        both.sort_by_key(|cube| cube.base());
        both
    });
    // The handle from before serves until the next restart, the one shown since for ever.
    let shown = second.lease_at(kept.cube().base()).unwrap();
    assert_ne!(shown, kept);
    assert_eq!(second.clone().release(kept), Ok(()));
    let mut third = restored::<R>(&image(&second), 2);
    assert_eq!(third.release(kept), Err(Misuse::Stale));
    assert_eq!(third.release(lost), Err(Misuse::Stale));
    for lease in [shown, again] {
        assert_eq!(third.release(lease), Ok(()));
        assert_eq!(third.release(lease), Err(Misuse::Stale));
    }
    assert_eq!(third.free(), 16);
}

/// The same image twice: what the first pool granted is nothing to the second.
fn two_restarts_from_one_image_do_not_meet<R: Rule>() {
    let words = image(&R::pool(ID, dim(4)));
    let mut one = restored::<R>(&words, 7);
    let mut other = restored::<R>(&words, 8);
    let (a, b) = (one.allocate(dim(3)).unwrap(), other.allocate(dim(3)).unwrap());
    assert_eq!(a.cube(), b.cube());
    assert_eq!(other.release(a), Err(Misuse::Stale));
    assert_eq!(one.release(b), Err(Misuse::Stale));
}

/// Without an image: a pool that is built anew in an epoch of its own.
fn a_rebuilt_pool_does_not_take_an_old_lease<R: Rule>() {
    let old = R::pool(ID, dim(4)).allocate(dim(2)).unwrap();
    let mut pool = R::pool(ID, dim(4));
    pool.begin(Epoch(1));
    let new = pool.allocate(dim(2)).unwrap();
    assert_eq!((new.cube(), new.handle().epoch(), pool.epoch()), (old.cube(), Epoch(1), Epoch(1)));
    assert_eq!(pool.release(old), Err(Misuse::Stale));
    assert_eq!(pool.release(new), Ok(()));
}

fn every_turned_bit_of_an_image_is_found<R: Rule>() {
    let mut pool = R::pool(ID, dim(2));
    pool.allocate(dim(0)).unwrap();
    pool.withdraw(&[Node(0), Node(3)], Outage::Failed, |_| ()).unwrap();
    let words = image(&pool);
    let fresh = Observation::of_pool(&mut R::pool(ID, dim(2)));
    for bit in 0..words.len() * 32 {
        let mut turned = words.clone();
        turned[bit / 32] ^= 1 << (bit % 32);
        let mut pool = R::pool(ID, dim(2));
        pool.restore(turned, Epoch(1)).unwrap_err();
        assert_eq!(Observation::of_pool(&mut pool), fresh, "bit {bit}");
        pool.check_invariants().unwrap();
    }
    let restore =
        |pool: &mut dyn Allocator| pool.restore(&mut words.iter().copied(), Epoch(1)).unwrap_err();
    assert_eq!(restore(&mut R::pool(PoolId(6), dim(2))), BadImage::OtherPool);
    assert_eq!(restore(&mut R::pool(ID, dim(3))), BadImage::OtherConfiguration);
}

fn nodes_are_claimed_all_or_none<R: Rule>() {
    let mut pool = R::pool(ID, dim(3));
    pool.claim("1*1".parse().unwrap()).unwrap();
    let claim = |pool: &mut locox_oracles::subcube::Subcubes<R>, nodes: &[u32]| {
        let nodes: Vec<_> = nodes.iter().copied().map(Node).collect();
        let mut granted: Vec<Lease> = vec![];
        pool.claim_nodes(&nodes, |lease| granted.push(lease)).map(|()| granted)
    };
    assert_eq!(claim(&mut pool, &[0, 5, 2]), Err(Error::Refused(NotFree(Node(5)))));
    assert_eq!(claim(&mut pool, &[0, 9]), Err(Error::Misused(NoSuchNode(Node(9)))));
    assert_eq!(pool.free(), 6);
    let granted = claim(&mut pool, &[6, 1, 6, 3]).unwrap();
    assert!(
        granted
            .iter()
            .map(|lease| lease.cube())
            .eq([1, 3, 6].map(|node| { Subcube::new(dim(3), Node(node), 0).unwrap() }))
    );
    pool.check_invariants().unwrap();
    assert_eq!(pool.leases().count(), 4);
    let all: Vec<_> = pool.leases().collect();
    all.into_iter().for_each(|lease| pool.release(lease).unwrap());
    assert_eq!(pool.would_fit(dim(3)), Ok(()));
}

locox_oracles::for_each_strategy!(
    a_lease_is_good_through_restarts_and_lost_time_is_stale,
    two_restarts_from_one_image_do_not_meet,
    a_rebuilt_pool_does_not_take_an_old_lease,
    every_turned_bit_of_an_image_is_found,
    nodes_are_claimed_all_or_none,
);
