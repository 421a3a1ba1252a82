//! Entries of `locox::mesh`.

use core::fmt::Display;
use core::str::FromStr;
use locox::bits::Word;
use locox::coordinate::BadImage;
use locox::cube::{Node, Subcube};
use locox::handle::Epoch;
use locox::mesh::{
    self, BadShape, Embedding, Leftover, MeshAllocator, MeshLease, MeshPool, MeshStats,
    ParseShapeError, Shape,
};
use locox::subcube::{Allocator, Buddy, Complete, FreeList, FreeListPlain, GrayCode, Strategy};

type Slice<'a> = &'a mut [Word];
type Array = [Word; 64];

pub(crate) fn entries() {
    shapes();
    pool::<Buddy>();
    pool::<GrayCode>();
    pool::<FreeList>();
    pool::<FreeListPlain>();
    pool::<Complete>();
    crate::keep![
        leftover_and_region,
        nodes,
        Embedding::new,
        Embedding::cube,
        Embedding::shape,
        Embedding::node,
        Embedding::coordinates,
        Embedding::contains,
        Embedding::may_route_through,
        MeshLease::from_parts,
        MeshLease::mesh,
        MeshLease::cube,
        MeshLease::shape,
        lease_nodes,
        MeshLease::handle,
        MeshStats::internal_permille,
        <Embedding as Display>::fmt,
        <Leftover as Display>::fmt,
        <MeshLease as Display>::fmt,
        <MeshStats as Display>::fmt,
    ];
}

fn shapes() {
    crate::keep![
        Shape::line,
        Shape::rectangle,
        Shape::cuboid,
        Shape::of_nodes,
        Shape::sides,
        Shape::nodes,
        Shape::dim,
        Shape::transposed,
        <Shape as FromStr>::from_str,
        <Shape as TryFrom<[u32; 3]>>::try_from,
        <Shape as Display>::fmt,
        <BadShape as Display>::fmt,
        <ParseShapeError as Display>::fmt,
    ];
}

fn leftover_and_region(mesh: &Embedding, visit: fn(Subcube)) {
    mesh.leftover().for_each(visit);
    mesh.region().for_each(visit);
}

fn lease_nodes(lease: &MeshLease, visit: fn(Node)) {
    lease.nodes().for_each(visit);
}

fn nodes(mesh: &Embedding, visit: fn(Node)) {
    mesh.nodes().for_each(visit);
}

fn leases<T: Strategy>(pool: &MeshPool<T, Slice>, visit: fn(MeshLease)) {
    pool.leases().for_each(visit);
}

fn export<T: Strategy>(pool: &MeshPool<T, Slice>, put: fn(u32)) {
    pool.export(put);
}

fn restore<T: Strategy>(
    pool: &mut MeshPool<T, Slice>,
    image: &mut dyn Iterator<Item = u32>,
    epoch: Epoch,
) -> Result<(), BadImage> {
    pool.restore(image, epoch)
}

/// The pool over one strategy.
fn pool<T: Strategy>() {
    crate::keep![
        mesh::words::<T>,
        MeshPool::<T, Slice>::new,
        MeshPool::<T, Array>::new_static::<0>,
        MeshPool::<T, Slice>::name,
        MeshPool::<T, Slice>::leftover,
        MeshPool::<T, Slice>::id,
        MeshPool::<T, Slice>::dims,
        MeshPool::<T, Slice>::free,
        MeshPool::<T, Slice>::allocate,
        MeshPool::<T, Slice>::claim,
        MeshPool::<T, Slice>::epoch,
        MeshPool::<T, Slice>::begin,
        leases::<T>,
        export::<T>,
        restore::<T>,
        MeshPool::<T, Slice>::would_fit,
        MeshPool::<T, Slice>::release,
        MeshPool::<T, Slice>::withdraw::<fn(MeshLease)>,
        MeshPool::<T, Slice>::repair,
        MeshPool::<T, Slice>::lease_at,
        MeshPool::<T, Slice>::state,
        MeshPool::<T, Slice>::stats,
        MeshPool::<T, Slice>::check_invariants,
        <MeshPool<T, Slice> as Allocator<Shape>>::name,
        <MeshPool<T, Slice> as MeshAllocator>::leftover,
        <MeshPool<T, Slice> as Allocator<Shape>>::id,
        <MeshPool<T, Slice> as Allocator<Shape>>::dims,
        <MeshPool<T, Slice> as Allocator<Shape>>::free,
        <MeshPool<T, Slice> as Allocator<Shape>>::allocate,
        <MeshPool<T, Slice> as Allocator<Shape>>::claim,
        <MeshPool<T, Slice> as Allocator<Shape>>::export,
        <MeshPool<T, Slice> as Allocator<Shape>>::restore,
        <MeshPool<T, Slice> as Allocator<Shape>>::would_fit,
        <MeshPool<T, Slice> as Allocator<Shape>>::release,
        <MeshPool<T, Slice> as Allocator<Shape>>::withdraw,
        <MeshPool<T, Slice> as Allocator<Shape>>::repair,
        <MeshPool<T, Slice> as Allocator<Shape>>::lease_at,
        <MeshPool<T, Slice> as Allocator<Shape>>::state,
        <MeshPool<T, Slice> as Allocator<Shape>>::stats,
        <MeshPool<T, Slice> as Allocator<Shape>>::check_invariants,
    ];
}
