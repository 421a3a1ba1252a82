//! What a queue needs to know of a machine.

use crate::machine::{self, PlaceOf};
use locox::image::Stored;
use locox::machine::{Count, Machine};
use std::cell::RefCell;
use std::fmt::Debug;

/// A machine of up to nine nodes with its model. What is free, and what a place takes of it, are words.
pub trait Nodes: 'static {
    /// The kernel's.
    type Machine: Machine<Request: Debug, Place: Debug + Stored, Word: Debug> + Clone;

    /// That one.
    fn machine(&self) -> Self::Machine;

    /// How many nodes it has.
    fn nodes(&self) -> u32;

    /// Requests of all kinds, also of what it never has.
    fn requests(&self) -> Vec<<Self::Machine as Machine>::Request>;

    /// What is free if nothing is held.
    fn all(&self) -> u64;

    /// What a place takes.
    fn of(&self, place: &<Self::Machine as Machine>::Place) -> u64;

    /// What is left if something is taken.
    fn without(&self, free: u64, taken: u64) -> u64;

    /// What is free at two instants.
    fn both(&self, one: u64, other: u64) -> u64;

    /// Whether all of it is free.
    fn has(&self, free: u64, of: u64) -> bool;

    /// What each place of a request takes.
    fn choices(&self, of: &<Self::Machine as Machine>::Request) -> Vec<u64>;

    /// Whether a request fits.
    fn fits(&self, free: u64, of: &<Self::Machine as Machine>::Request) -> bool;

    /// Where the kernel says that it fits.
    fn find(
        &self,
        free: u64,
        of: &<Self::Machine as Machine>::Request,
    ) -> Option<<Self::Machine as Machine>::Place>;
}

impl<N> Nodes for N
where
    N: machine::Naive + 'static,
    N::Machine: Machine<Request: Debug, Place: Debug + Stored, Word: Debug> + Clone,
{
    type Machine = N::Machine;

    fn machine(&self) -> N::Machine {
        machine::Naive::machine(self)
    }

    fn nodes(&self) -> u32 {
        machine::Naive::nodes(self)
    }

    fn requests(&self) -> Vec<machine::RequestOf<N>> {
        machine::Naive::requests(self)
    }

    fn all(&self) -> u64 {
        machine::Naive::all(self)
    }

    fn of(&self, place: &PlaceOf<N>) -> u64 {
        self.set(place)
    }

    fn without(&self, free: u64, taken: u64) -> u64 {
        free & !taken
    }

    fn both(&self, one: u64, other: u64) -> u64 {
        one & other
    }

    fn has(&self, free: u64, of: u64) -> bool {
        of & !free == 0
    }

    fn choices(&self, of: &machine::RequestOf<N>) -> Vec<u64> {
        machine::Naive::choices(self, of)
    }

    fn fits(&self, free: u64, of: &machine::RequestOf<N>) -> bool {
        machine::Naive::fits(self, free, of)
    }

    fn find(&self, free: u64, of: &machine::RequestOf<N>) -> Option<PlaceOf<N>> {
        machine::Naive::find(self, free, of)
    }
}

/// So many nodes, any of which will do.
pub struct Counted(pub u32);

impl Nodes for Counted {
    type Machine = Count;

    fn machine(&self) -> Count {
        Count(self.0)
    }

    fn nodes(&self) -> u32 {
        self.0
    }

    fn requests(&self) -> Vec<u32> {
        (1..=self.0 + 1).collect()
    }

    fn all(&self) -> u64 {
        self.0.into()
    }

    fn of(&self, place: &u32) -> u64 {
        (*place).into()
    }

    fn without(&self, free: u64, taken: u64) -> u64 {
        free.saturating_sub(taken)
    }

    fn both(&self, one: u64, other: u64) -> u64 {
        one.min(other)
    }

    fn has(&self, free: u64, of: u64) -> bool {
        of <= free
    }

    fn choices(&self, of: &u32) -> Vec<u64> {
        vec![u64::from(*of)]
    }

    fn fits(&self, free: u64, of: &u32) -> bool {
        u64::from(*of) <= free
    }

    fn find(&self, free: u64, of: &u32) -> Option<u32> {
        self.fits(free, of).then_some(*of)
    }
}

pub(super) type PlaceIn<G> = <<G as Nodes>::Machine as Machine>::Place;
pub(super) type RequestIn<G> = <<G as Nodes>::Machine as Machine>::Request;

/// A machine, with its requests by their numbers. Where one fits is looked up once for each map.
pub struct Ground<G: Nodes> {
    /// It.
    pub nodes: G,
    /// What may be asked for.
    pub requests: Vec<RequestIn<G>>,
    found: RefCell<Vec<Option<Option<PlaceIn<G>>>>>,
}

impl<G: Nodes> Ground<G> {
    /// Of a machine.
    pub fn new(nodes: G) -> Self {
        let requests = nodes.requests();
        let found = vec![None; requests.len() * (nodes.all() as usize + 1)];
        Self { nodes, requests, found: RefCell::new(found) }
    }

    /// Where a request fits.
    ///
    /// # Panics
    ///
    /// If machine and model do not agree whether it does.
    pub fn place(&self, request: usize, free: u64) -> Option<PlaceIn<G>> {
        let at = request * (self.nodes.all() as usize + 1) + free as usize;
        let mut found = self.found.borrow_mut();
        *found[at].get_or_insert_with(|| {
            let of = &self.requests[request];
            let place = self.nodes.find(free, of);
            assert_eq!(place.is_some(), self.nodes.fits(free, of), "{of:?} in {free:b}");
            place
        })
    }
}
