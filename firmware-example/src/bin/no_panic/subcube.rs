//! Entries of `locox::subcube`.

use core::fmt::Display;
use locox::bits::Word;
use locox::cube::Node;
use locox::subcube::{
    self, Allocator, Broken, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Lease, NoSuchNode,
    NodeState, Outage, Pool, Refusal, Start, Stats, StorageTooSmall, Strategy,
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
        Lease::cube,
        lease_nodes,
        Lease::handle,
        NodeState::is_free,
        Stats::fragmentation_permille,
        <Broken as Display>::fmt,
        <Lease as Display>::fmt,
        <NodeState as Display>::fmt,
        <NoSuchNode as Display>::fmt,
        <Outage as Display>::fmt,
        <Refusal as Display>::fmt,
        <Stats as Display>::fmt,
        <StorageTooSmall as Display>::fmt,
    ];
}

fn lease_nodes(lease: &Lease, visit: fn(Node)) {
    lease.nodes().for_each(visit);
}

/// A strategy by itself and the pool over it.
fn strategy<T: Strategy>() {
    crate::keep![
        T::take,
        T::give,
        T::remove,
        T::holds,
        T::largest,
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
