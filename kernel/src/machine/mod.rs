//! Which nodes a request can have together: now, later, and beside what is promised to others.
//!
//! A [`Machine`] is a rule without a state: it looks for a place in any map of free nodes. What holds places, and from when
//! until when, is a [`Timetable`], which draws such maps for any time and finds the earliest place of a request. Machines are
//!
//! - a [`Count`] of nodes any of which will do;
//! - a [`Tree`] of racks, blocks and whatever they are parts of;
//! - [`Boxes`](crate::grid::Boxes) in meshes and tori;
//! - [`Subcubes`](crate::subcube::Subcubes) of a hypercube;
//! - the slices of an accelerator, by its [`Table`](crate::accelerator::Table);
//! - [`Nodes`](crate::nodes::Nodes) with cores, memory and GPUs, shared by jobs.
//!
//! Where a request does not fit, [`MakeRoom`] says whose places it needs at the least cost in all, and [`defragment`] who could
//! move instead.
//!
//! Trees, boxes and subcubes are [`Numbered`]: a timeline of reservations takes the PEs of their places by
//! [`Together`](crate::reserve::Together).

mod count;
pub(crate) mod held;
mod least_sum;
mod moves;
mod numbered;
pub(crate) mod room;
mod timetable;
mod tree;

pub use count::Count;
pub use least_sum::least_sum;
pub use moves::{AllPlaces, MOST_MOVES, Move, NoMoves, Plan, Tenant, TenantOf, defragment};
pub use numbered::Numbered;
pub use room::{Cost, MakeRoom, Stake};
pub(crate) use timetable::before;
pub use timetable::{BadTimetable, Held, Timetable};
pub use tree::{BadTree, Domain, Tree};

use core::ops::BitAnd;

/// Words that a machine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Of a map.
    pub map: usize,
    /// Of the room for a search.
    pub room: usize,
}

/// Where requests fit in a map of free nodes.
///
/// The law: where `find` has a place, it has one in each map with the same nodes free and others, too. Only then
/// is the first time at which something fits found by halving, and a promise that is looked at again not broken. Machines
/// that could break it are refused by their constructors.
///
/// A map is drawn from what holds places: opened, then each of these is taken. So nothing is ever given back, and a node may be
/// taken twice, as that of a job which has gone out of service.
pub trait Machine {
    /// What is asked for.
    type Request: Copy;

    /// What a request gets.
    type Place: Copy + Eq;

    /// Of what maps are made.
    type Word: Copy + Default + BitAnd<Output = Self::Word>;

    /// Whether maps count what is free: what two hold one after the other may then be the same.
    const COUNTS: bool = false;

    /// What maps and searches take.
    fn words(&self) -> Words;

    /// Makes all nodes of a map free, whatever it was.
    fn open(&self, map: &mut [Self::Word]);

    /// Makes the nodes of a place not free.
    fn take(&self, map: &mut [Self::Word], at: &Self::Place);

    /// Whether all nodes of a place are free.
    fn has(&self, map: &[Self::Word], at: &Self::Place) -> bool;

    /// Where a request fits among the nodes that are free; always the same place for the same map. Map and room are as long as
    /// [`Machine::words`] says; what the room held does not matter.
    fn find(
        &self,
        map: &[Self::Word],
        of: &Self::Request,
        room: &mut [Self::Word],
    ) -> Option<Self::Place>;

    /// Nodes that a request takes at least; processors where nodes have several.
    fn size(&self, of: &Self::Request) -> u32;

    /// Whether the second of two requests fits wherever the first one does. To say no is always right.
    fn covers(&self, _: &Self::Request, _: &Self::Request) -> bool {
        false
    }

    /// Leaves free what is free in both maps.
    fn meet(&self, map: &mut [Self::Word], other: &[Self::Word]) {
        map.iter_mut().zip(other).for_each(|(map, &other)| *map = *map & other);
    }
}
