//! Machines, node by node: which nodes a place has, and whether a request fits in a set of free ones, by trying all
//! places that there are. Sets of up to 64 nodes are words.
//!
//! - [`Naive`] is such a model of a machine of the kernel.
//! - [`earliest`] is the first start of a request, by trying one tick after the other.
//! - [`room`] is who gives up places at the least cost, by trying all sets of holders, or all places.

mod boxes;
pub mod nodes;
pub mod room;
mod slices;
mod subcubes;
mod tree;

pub use boxes::{InSteps, Shaped};
pub use slices::Slices;
pub use subcubes::{Cubes, Known, by_all, by_blocks, by_runs};
pub use tree::Racks;

use locox::machine::{Held, Machine};
use std::fmt::Debug;

/// A machine of the kernel with its model.
pub trait Naive {
    /// The kernel's.
    type Machine: Machine<Request: Debug, Place: Debug>;

    /// That one.
    fn machine(&self) -> Self::Machine;

    /// How many nodes it has.
    fn nodes(&self) -> u32;

    /// Requests of all kinds, also of what it never has.
    fn requests(&self) -> Vec<RequestOf<Self>>;

    /// The place that is one node.
    fn node(&self, node: u32) -> PlaceOf<Self>;

    /// The nodes of a place.
    fn set(&self, place: &PlaceOf<Self>) -> u64;

    /// All sets of nodes that a request may get.
    fn choices(&self, of: &RequestOf<Self>) -> Vec<u64>;

    /// Whether one of them is free.
    fn fits(&self, free: u64, of: &RequestOf<Self>) -> bool {
        self.choices(of).iter().any(|it| it & !free == 0)
    }

    /// All nodes.
    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.nodes())
    }

    /// A map in which these are free.
    fn map(&self, free: u64) -> Vec<WordOf<Self>> {
        let machine = self.machine();
        let mut map = vec![WordOf::<Self>::default(); machine.words().map];
        machine.open(&mut map);
        let taken = (0..self.nodes()).filter(|node| free >> node & 1 == 0);
        taken.for_each(|node| machine.take(&mut map, &self.node(node)));
        map
    }

    /// What the kernel finds where these are free.
    fn find(&self, free: u64, of: &RequestOf<Self>) -> Option<PlaceOf<Self>> {
        let machine = self.machine();
        let mut room = vec![WordOf::<Self>::default(); machine.words().room];
        machine.find(&self.map(free), of, &mut room)
    }
}

/// What is asked of a model's machine.
pub type RequestOf<N> = <<N as Naive>::Machine as Machine>::Request;
/// What is had of it.
pub type PlaceOf<N> = <<N as Naive>::Machine as Machine>::Place;
/// What its maps are made of.
pub type WordOf<N> = <<N as Naive>::Machine as Machine>::Word;

/// The nodes that are free at all ticks from one on and before another.
pub fn free<N: Naive>(naive: &N, held: &[Held<PlaceOf<N>>], ticks: std::ops::Range<u64>) -> u64 {
    let at = |tick: u64| {
        let holds =
            held.iter().filter(|it| (it.at.start.ticks()..it.at.end.ticks()).contains(&tick));
        holds.fold(naive.all(), |free, it| free & !naive.set(&it.place))
    };
    ticks.map(at).fold(naive.all(), |all, free| all & free)
}

/// The first tick from `ready` on at which something is so, of those before `end`.
pub fn earliest(ready: u64, end: u64, mut fits: impl FnMut(u64) -> bool) -> Option<u64> {
    (ready..end).find(|&tick| fits(tick))
}
