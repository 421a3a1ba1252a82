//! The timeline as users see it: a thin shell around code that does not depend on the storage.

use super::book::Book;
use super::choice::{Choice, Lowest};
use super::layout::Limits;
use super::ledger::ReservationId;
use super::policy::Policy;
use super::request::{Placement, Refusal, Request};
use super::sets::Wish;
use super::slots::Slots;
use crate::bits::{BitSet, Word, words_for};
use crate::handle::{Misuse, PoolId};
use crate::time::Instant;
use core::fmt;
use core::marker::PhantomData;

/// What a timeline keeps of the PEs: their [`Identity`], or [`Counts`] only.
pub trait Kind: sealed::Sealed {
    /// Whether the identity of the PEs is kept.
    const IDENTITY: bool;
}

mod sealed {
    pub trait Sealed {}
}

/// Which PEs are busy.
#[derive(Clone, Copy, Debug)]
pub enum Identity {}

/// How many PEs are busy.
#[derive(Clone, Copy, Debug)]
pub enum Counts {}

impl sealed::Sealed for Identity {}
impl sealed::Sealed for Counts {}

impl Kind for Identity {
    const IDENTITY: bool = true;
}

impl Kind for Counts {
    const IDENTITY: bool = false;
}

/// Limits out of range, or storage too small for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Unusable {
    /// A limit is zero or above [`Limits::MOST`].
    Limits,
    /// The storage is shorter than this many words.
    Storage {
        /// The words needed.
        words: usize,
    },
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limits => write!(f, "a limit is not in 1..={}", Limits::MOST),
            Self::Storage { words } => write!(f, "the storage is shorter than {words} words"),
        }
    }
}

impl core::error::Error for Unusable {}

/// Which PEs of a machine are reserved from when to when.
pub struct Timeline<S, K = Identity> {
    words: S,
    book: Book,
    kind: PhantomData<K>,
}

/// How many PEs of a machine are reserved from when to when: a timeline without identity.
pub type Profile<S> = Timeline<S, Counts>;

const fn book<K: Kind>(pool: PoolId, limits: Limits, words: usize) -> Result<Book, Unusable> {
    let row = if K::IDENTITY { words_for(limits.pes as usize) } else { 0 };
    let Some(book) = Book::new(pool, limits, row) else { return Err(Unusable::Limits) };
    let needed = book.layout().words();
    if words < needed {
        return Err(Unusable::Storage { words: needed });
    }
    Ok(book)
}

impl<const N: usize, K: Kind> Timeline<[Word; N], K> {
    /// An empty timeline in an array of its own, as an initial value of a `static`.
    pub const fn in_array(pool: PoolId, limits: Limits) -> Result<Self, Unusable> {
        match book::<K>(pool, limits, N) {
            Ok(book) => Ok(Self { words: [0; N], book, kind: PhantomData }),
            Err(unusable) => Err(unusable),
        }
    }
}

impl<S: AsRef<[Word]> + AsMut<[Word]>, K: Kind> Timeline<S, K> {
    /// An empty timeline over `storage`, which is cleared; the present is [`Instant::ZERO`].
    pub fn new(pool: PoolId, limits: Limits, mut storage: S) -> Result<Self, Unusable> {
        let book = book::<K>(pool, limits, storage.as_ref().len())?;
        storage.as_mut().fill(0);
        Ok(Self { words: storage, book, kind: PhantomData })
    }

    fn slots(&self) -> Slots<'_> {
        self.book.slots(self.words.as_ref())
    }

    /// The present.
    pub fn now(&self) -> Instant {
        Instant::from_ticks(self.slots().time(Slots::START))
    }

    /// Moves the present forward.
    pub fn advance(&mut self, now: Instant) -> Result<(), Refusal> {
        self.book.advance(self.words.as_mut(), now)
    }

    /// Ends a reservation now.
    pub fn cancel(&mut self, id: ReservationId) -> Result<Placement, Misuse> {
        self.book.cancel(self.words.as_mut(), id)
    }
}

impl<S: AsRef<[Word]> + AsMut<[Word]>> Timeline<S, Identity> {
    /// Finds and reserves.
    pub fn reserve(
        &mut self,
        request: &Request,
        policy: &dyn Policy,
        choice: &dyn Choice,
    ) -> Result<(ReservationId, Placement), Refusal> {
        self.book.reserve(self.words.as_mut(), request, policy, choice)
    }

    /// Reserves what the caller has chosen.
    pub fn add<T: AsRef<[Word]>>(
        &mut self,
        placement: Placement,
        pes: &BitSet<T>,
    ) -> Result<ReservationId, Refusal> {
        self.book.add(self.words.as_mut(), placement, Wish::Set(pes.words()))
    }

    /// Finds.
    pub fn find<T: AsRef<[Word]> + AsMut<[Word]>>(
        &self,
        request: &Request,
        policy: &dyn Policy,
        choice: &dyn Choice,
        pes: &mut BitSet<T>,
    ) -> Result<Placement, Refusal> {
        let slots = self.slots();
        slots.find(&slots.ask(request)?, policy, choice, pes.words_mut())
    }
}

impl<S: AsRef<[Word]> + AsMut<[Word]>> Timeline<S, Counts> {
    /// Finds.
    pub fn find(&self, request: &Request, policy: &dyn Policy) -> Result<Placement, Refusal> {
        let slots = self.slots();
        slots.find(&slots.ask(request)?, policy, &Lowest, &mut [])
    }

    /// Reserves what the caller has chosen.
    pub fn add(&mut self, placement: Placement, pes: u32) -> Result<ReservationId, Refusal> {
        self.book.add(self.words.as_mut(), placement, Wish::Count(pes))
    }
}
