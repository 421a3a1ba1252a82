//! Subcubes as a machine: which of the free subcubes a request gets, in any map of free nodes.

use super::fold::{self, combinations};
use super::{Complete, Start, Strategy};
use crate::bits::algebra::all_set;
use crate::bits::{Word, words_for};
use crate::cube::{Dim, Node, Subcube};
use crate::machine::{AllPlaces, Machine, Numbered, Words};
use crate::slices::copy;
use core::marker::PhantomData;

/// A strategy that knows a free subcube by the free nodes alone, however they came to be free. With more of them free it knows
/// at least as many.
///
/// The free lists are none: they know free subcubes by what was taken and given back. `FreeList` finds by a search what its lists do
/// not have, and that is what [`Complete`] finds, too.
pub trait ByMap: Strategy {
    /// Words of scratch of [`ByMap::find`] on a machine of so many dimensions.
    fn room(dims: Dim) -> usize {
        start::<Self>(dims).words
    }

    /// What a request of dimension `of`, at most the machine's, gets of the free nodes of `map`.
    fn find(dims: Dim, map: &[Word], of: Dim, room: &mut [Word]) -> Option<Subcube> {
        let start = start::<Self>(dims);
        let mut strategy = start.strategy;
        room.fill(0);
        start.set_ones(room);
        strategy.remove(room, &Subcube::whole(dims), Some(map));
        strategy.allocate(room, of)
    }
}

impl ByMap for Complete {}

fn start<S: Strategy>(dims: Dim) -> Start<S> {
    (S::STARTS.compute)(dims)
}

/// The rule by which a [`Pool`](super::Pool) grants subcubes, without a state: a [`Machine`].
///
/// A map has a bit for each node. Under [`Buddy`](super::Buddy) and [`GrayCode`](super::GrayCode) a request gets the place
/// that it would get of a pool in which the same nodes are free; under [`Complete`] it gets one exactly if it would there.
#[derive(Clone, Copy, Debug)]
pub struct Subcubes<S> {
    dims: Dim,
    strategy: PhantomData<S>,
}

impl<S: ByMap> Subcubes<S> {
    /// Those of a machine of so many dimensions; `None` above 16, where searches may be given up.
    pub const fn new(dims: Dim) -> Option<Self> {
        if dims.get() > fold::DECIDED.get() {
            return None;
        }
        Some(Self { dims, strategy: PhantomData })
    }

    /// Dimensions of the machine.
    pub const fn dims(&self) -> Dim {
        self.dims
    }
}

impl<S: ByMap> Machine for Subcubes<S> {
    type Request = Dim;
    type Place = Subcube;
    type Word = Word;

    fn words(&self) -> Words {
        Words { map: words_for(self.dims.nodes() as usize), room: S::room(self.dims) }
    }

    fn open(&self, map: &mut [Word]) {
        Subcube::whole(self.dims).fill(map, 0, true);
    }

    fn take(&self, map: &mut [Word], at: &Subcube) {
        at.fill(map, 0, false);
    }

    fn has(&self, map: &[Word], at: &Subcube) -> bool {
        let (dim, blocks) = at.aligned_blocks();
        at.dims() == self.dims
            && blocks.into_iter().all(|base| all_set(map, base.0 as usize, dim.nodes() as usize))
    }

    fn find(&self, map: &[Word], of: &Dim, room: &mut [Word]) -> Option<Subcube> {
        if *of > self.dims { None } else { S::find(self.dims, map, *of, room) }
    }

    fn size(&self, of: &Dim) -> u32 {
        of.nodes()
    }

    fn covers(&self, one: &Dim, other: &Dim) -> bool {
        other <= one
    }
}

impl AllPlaces for Subcubes<Complete> {
    fn any_place(&self, of: &Dim, is_so: &mut dyn FnMut(&Subcube) -> bool) -> bool {
        let [wanted, below] = [*of, self.dims].map(|dim| u32::from(dim.get()));
        let all = Subcube::whole(self.dims).mask();
        let bases = |free: u32| Subcube::from_parts(self.dims, 0, all & !free).nodes();
        combinations(below, wanted).any(|free| {
            bases(free).any(|base| is_so(&Subcube::from_parts(self.dims, base.0, free)))
        })
    }

    fn meet_at(&self, one: &Subcube, other: &Subcube) -> bool {
        one.intersection(other).is_some()
    }
}

impl<S: ByMap> Numbered for Subcubes<S> {
    fn nodes(&self) -> u32 {
        self.dims.nodes()
    }

    fn draw(&self, map: &mut [Word], free: &[Word]) {
        copy(map, free);
    }

    fn nodes_of(&self, at: &Subcube) -> impl Iterator<Item = Node> + Clone {
        at.nodes()
    }
}
