//! Entries of `locox::subcube`.

use core::fmt::Display;
use locox::bits::Word;
use locox::subcube::buddy::{self, Blocks, Buddy};
use locox::subcube::complete::{self, Complete, Map};
use locox::subcube::free_list::{self, FreeList, Lists};
use locox::subcube::gray_code::{self, GrayCode, Runs};
use locox::subcube::{
    Allocator, Broken, Lease, NoSuchNode, NodeState, Pool, Refusal, Stats, StorageTooSmall,
    Strategy,
};

type Slice<'a> = &'a mut [Word];
type Array = [Word; 64];

pub(crate) fn entries() {
    construction();
    strategy::<Blocks>();
    strategy::<Runs>();
    strategy::<Lists>();
    strategy::<Map>();
    crate::keep![
        Complete::<Slice>::set_effort,
        Lease::cube,
        Lease::handle,
        NodeState::is_free,
        Stats::fragmentation_permille,
        <Broken as Display>::fmt,
        <NoSuchNode as Display>::fmt,
        <Refusal as Display>::fmt,
        <StorageTooSmall as Display>::fmt,
    ];
}

fn construction() {
    crate::keep![
        buddy::words,
        Buddy::<Slice>::new,
        Buddy::<Array>::new_static,
        gray_code::words,
        GrayCode::<Slice>::new,
        GrayCode::<Array>::new_static,
        free_list::words,
        FreeList::<Slice>::new,
        FreeList::<Array>::new_static,
        complete::words,
        Complete::<Slice>::new,
        Complete::<Array>::new_static,
    ];
}

/// A strategy by itself and the pool over it.
fn strategy<T: Strategy>() {
    crate::keep![
        T::reset,
        T::take,
        T::give,
        T::lose,
        T::holds,
        T::largest,
        T::fits,
        T::count,
        T::possible,
        T::check,
        Pool::<T, Slice>::name,
        Pool::<T, Slice>::id,
        Pool::<T, Slice>::dims,
        Pool::<T, Slice>::free,
        Pool::<T, Slice>::allocate,
        Pool::<T, Slice>::would_fit,
        Pool::<T, Slice>::release,
        Pool::<T, Slice>::withdraw,
        Pool::<T, Slice>::repair,
        Pool::<T, Slice>::lease_at,
        Pool::<T, Slice>::state,
        Pool::<T, Slice>::stats,
        Pool::<T, Slice>::check_invariants,
    ];
}
