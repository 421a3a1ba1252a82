//! Entries of `locox::subcube`.

use core::fmt::Display;
use locox::bits::Word;
use locox::coordinate::BadImage;
use locox::cube::Node;
use locox::handle::Epoch;
use locox::subcube::{
    self, Allocator, Broken, Buddy, Complete, Effort, FreeList, FreeListPlain, GrayCode, Lease,
    NoSuchNode, NodeState, NotFree, Outage, Pool, Refusal, Start, Stats, StorageTooSmall, Strategy,
};

type Slice<'a> = &'a mut [Word];
type Array = [Word; 64];

pub(crate) fn entries() {
    strategy::<Buddy>();
    strategy::<GrayCode>();
    strategy::<FreeList>();
    strategy::<FreeListPlain>();
    strategy::<Complete>();
    crate::keep![
        Pool::<Complete, Slice>::set_effort,
        Effort::exact_up_to,
        Lease::from_parts,
        Lease::cube,
        lease_nodes,
        Lease::handle,
        NodeState::is_free,
        Stats::fragmentation_permille,
        <Broken as Display>::fmt,
        <Lease as Display>::fmt,
        <NodeState as Display>::fmt,
        <NoSuchNode as Display>::fmt,
        <NotFree as Display>::fmt,
        <Outage as Display>::fmt,
        <Refusal as Display>::fmt,
        <Stats as Display>::fmt,
        <StorageTooSmall as Display>::fmt,
    ];
}

fn lease_nodes(lease: &Lease, visit: fn(Node)) {
    lease.nodes().for_each(visit);
}

fn leases<T: Strategy>(pool: &Pool<T, Slice>, visit: fn(Lease)) {
    pool.leases().for_each(visit);
}

fn export<T: Strategy>(pool: &Pool<T, Slice>, put: fn(u32)) {
    pool.export(put);
}

fn restore<T: Strategy>(
    pool: &mut Pool<T, Slice>,
    image: &mut dyn Iterator<Item = u32>,
    epoch: Epoch,
) -> Result<(), BadImage> {
    pool.restore(image, epoch)
}

/// A strategy by itself and the pool over it.
fn strategy<T: Strategy>() {
    crate::keep![
        T::take,
        T::give,
        T::remove,
        T::remove_cube,
        T::holds,
        T::first_taken,
        T::remove_out,
        T::largest,
        T::is_decided,
        T::fits,
        T::count,
        T::possible,
        T::check,
        Start::<T>::new::<2>,
        subcube::words::<T>,
        Pool::<T, Slice>::new,
        Pool::<T, Array>::new_static::<0>,
        Pool::<T, Slice>::name,
        Pool::<T, Slice>::id,
        Pool::<T, Slice>::dims,
        Pool::<T, Slice>::free,
        Pool::<T, Slice>::allocate,
        Pool::<T, Slice>::claim,
        Pool::<T, Slice>::claim_nodes::<fn(Lease)>,
        Pool::<T, Slice>::epoch,
        Pool::<T, Slice>::begin,
        leases::<T>,
        export::<T>,
        restore::<T>,
        Pool::<T, Slice>::would_fit,
        Pool::<T, Slice>::release,
        Pool::<T, Slice>::withdraw::<fn(Lease)>,
        Pool::<T, Slice>::repair,
        Pool::<T, Slice>::lease_at,
        Pool::<T, Slice>::state,
        Pool::<T, Slice>::stats,
        Pool::<T, Slice>::check_invariants,
        <Pool<T, Slice> as Allocator>::name,
        <Pool<T, Slice> as Allocator>::id,
        <Pool<T, Slice> as Allocator>::dims,
        <Pool<T, Slice> as Allocator>::free,
        <Pool<T, Slice> as Allocator>::allocate,
        <Pool<T, Slice> as Allocator>::claim,
        <Pool<T, Slice> as Allocator>::export,
        <Pool<T, Slice> as Allocator>::restore,
        <Pool<T, Slice> as Allocator>::would_fit,
        <Pool<T, Slice> as Allocator>::release,
        <Pool<T, Slice> as Allocator>::withdraw,
        <Pool<T, Slice> as Allocator>::repair,
        <Pool<T, Slice> as Allocator>::lease_at,
        <Pool<T, Slice> as Allocator>::state,
        <Pool<T, Slice> as Allocator>::stats,
        <Pool<T, Slice> as Allocator>::check_invariants,
    ];
}
