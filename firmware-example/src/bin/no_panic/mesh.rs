//! Entries of `locox::mesh`.

use core::fmt::Display;
use core::str::FromStr;
use locox::bits::Word;
use locox::cube::Subcube;
use locox::mesh::{
    self, BadShape, Embedding, MeshAllocator, MeshLease, MeshPool, MeshStats, ParseShapeError,
    Shape, Unsuited,
};
use locox::subcube::Strategy;
use locox::subcube::buddy::Blocks;
use locox::subcube::complete::Map;
use locox::subcube::free_list::Lists;
use locox::subcube::gray_code::Runs;

type Slice<'a> = &'a mut [Word];
type Array = [Word; 64];

pub(crate) fn entries() {
    pool::<Blocks>();
    pool::<Runs>();
    pool::<Lists>();
    pool::<Map>();
    shapes();
    crate::keep![
        mesh::words,
        Embedding::new,
        Embedding::cube,
        Embedding::shape,
        Embedding::node,
        Embedding::coordinates,
        Embedding::contains,
        Embedding::may_route_through,
        embedding_nodes,
        embedding_leftover,
        embedding_region,
        MeshLease::mesh,
        MeshLease::cube,
        MeshLease::shape,
        MeshLease::handle,
        MeshStats::internal_permille,
        MeshStats::external_permille,
        <Unsuited as Display>::fmt,
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
        <Shape as Display>::fmt,
        <Shape as FromStr>::from_str,
        <Shape as TryFrom<[u32; 3]>>::try_from,
        <[u32; 3] as From<Shape>>::from,
        <BadShape as Display>::fmt,
        <ParseShapeError as Display>::fmt,
    ];
}

/// The pool over one strategy.
fn pool<T: Strategy + Copy>() {
    crate::keep![
        MeshPool::<T, Slice>::over,
        MeshPool::<T, Array>::over_static,
        MeshPool::<T, Slice>::strategy,
        MeshPool::<T, Slice>::leftover,
        MeshPool::<T, Slice>::id,
        MeshPool::<T, Slice>::dims,
        MeshPool::<T, Slice>::free,
        MeshPool::<T, Slice>::allocate,
        MeshPool::<T, Slice>::would_fit,
        MeshPool::<T, Slice>::release,
        MeshPool::<T, Slice>::withdraw,
        MeshPool::<T, Slice>::repair,
        MeshPool::<T, Slice>::lease_at,
        MeshPool::<T, Slice>::state,
        MeshPool::<T, Slice>::stats,
        MeshPool::<T, Slice>::check_invariants,
    ];
}

fn embedding_nodes(mesh: &Embedding, found: &mut dyn FnMut(locox::cube::Node)) {
    mesh.nodes().for_each(found);
}

fn embedding_leftover(mesh: &Embedding, found: &mut dyn FnMut(Subcube)) {
    mesh.leftover().for_each(found);
}

fn embedding_region(mesh: &Embedding, found: &mut dyn FnMut(Subcube)) {
    mesh.region().for_each(found);
}
