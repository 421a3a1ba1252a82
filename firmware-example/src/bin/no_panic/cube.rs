//! Entries of `locox::cube`.

use core::fmt::Display;
use core::str::FromStr;
use locox::cube::ecube::{self, Channel};
use locox::cube::{Dim, Node, Nodes, ParseSubcubeError, Subcube, TooManyDimensions, gray};

pub(crate) fn entries() {
    addresses();
    subcubes();
    crate::keep![
        gray::encode,
        gray::decode,
        gray_subcubes,
        Channel::to,
        ecube::next_hop,
        ecube::uses,
        ecube_route,
    ];
}

fn addresses() {
    crate::keep![
        Dim::new,
        Dim::holding,
        Dim::get,
        Dim::nodes,
        Dim::down,
        Dim::up,
        dim_up_to,
        <Dim as TryFrom<u8>>::try_from,
        <Dim as TryFrom<u32>>::try_from,
        <Dim as TryFrom<usize>>::try_from,
        <Dim as TryFrom<i32>>::try_from,
        <Dim as Display>::fmt,
        <u8 as From<Dim>>::from,
        <TooManyDimensions as Display>::fmt,
        Node::distance,
        Node::neighbour,
        <Node as Display>::fmt,
    ];
}

fn subcubes() {
    crate::keep![
        Subcube::new,
        Subcube::whole,
        Subcube::base,
        Subcube::mask,
        Subcube::dim,
        Subcube::dims,
        Subcube::len,
        Subcube::is_empty,
        Subcube::nodes,
        <Nodes as Iterator>::next,
        Subcube::contains,
        Subcube::contains_cube,
        Subcube::intersection,
        Subcube::distance,
        Subcube::complement,
        Subcube::halves,
        Subcube::joined,
        Subcube::aligned_blocks,
        <Subcube as Display>::fmt,
        <Subcube as FromStr>::from_str,
        <ParseSubcubeError as Display>::fmt,
    ];
}

fn dim_up_to(dim: Dim, found: &mut dyn FnMut(Dim)) {
    dim.up_to().for_each(&mut *found);
    dim.up_to().rev().for_each(found);
}

fn gray_subcubes(dims: Dim, start: u32, count: u32, found: &mut dyn FnMut(Subcube)) {
    gray::subcubes(dims, start, count).for_each(found);
}

fn ecube_route(source: Node, target: Node, found: &mut dyn FnMut(Channel)) {
    ecube::route(source, target).for_each(found);
}
