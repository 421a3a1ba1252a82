//! What a store of slots must do, so that searches, changes and checks are written once.

use super::array::Shape;
use super::claim::{Change, Claim};
use crate::bits::{Word, load};
use crate::invariant::InvariantViolation;
use crate::reserve::request::Placement;
use crate::time::Instant;
use core::fmt;

/// From `time` until the next slot's, so many PEs are busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Slot {
    /// When it begins.
    pub time: Instant,
    /// PEs reserved or out of service.
    pub busy: u32,
}

/// The slots: from its time on, a slot says which PEs are busy and how many, up to the time of
/// the next; the last one says it for good.
///
/// - Times rise strictly; the first slot's is the present.
/// - Neighbouring slots differ: in their sets, or in their counts if those are all there is.
/// - The last slot's busy PEs are those out of service: all reservations have ended by then.
pub(crate) struct Slots<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) words: &'a [Word],
}

impl<S> Clone for Slots<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Slots<'_, S> {}

/// The slots, to be changed.
pub(crate) struct SlotsMut<'a, S> {
    pub(crate) store: &'a S,
    pub(crate) words: &'a mut [Word],
}

impl<S> SlotsMut<'_, S> {
    pub(crate) fn view(&self) -> Slots<'_, S> {
        Slots { store: self.store, words: self.words }
    }
}

/// A slot that begins where a change does, or where it ends.
#[derive(Clone, Copy)]
pub(crate) struct Border<At> {
    pub(crate) at: At,
    /// It was put in just now, and so differs from the slot before it once the change is made.
    pub(crate) is_new: bool,
}

/// Where in the caller's words the slots lie. A position `At` is that of a slot, or the one behind the
/// last slot of an array, which [`Store::after`] makes and which only ends a range.
pub(crate) trait Store: Sized {
    /// Whether it is kept which PEs are busy, or only how many.
    const IDENTITY: bool;
    /// The position of a slot.
    type At: Copy + PartialEq + fmt::Debug;

    /// The machine, and how an array of slots lies.
    fn shape(&self) -> &Shape;
    /// Words that the slots take.
    fn words(&self) -> usize;

    // One slot after the other.

    fn start(slots: &Slots<'_, Self>) -> Self::At;
    fn last(slots: &Slots<'_, Self>) -> Self::At;
    fn next(slots: &Slots<'_, Self>, at: Self::At) -> Option<Self::At>;
    /// Behind a slot.
    fn after(at: Self::At) -> Self::At;
    fn time(slots: &Slots<'_, Self>, at: Self::At) -> u64;
    /// PEs busy in a slot.
    fn busy(slots: &Slots<'_, Self>, at: Self::At) -> u32;
    /// The PEs busy in a slot, as the union of two sets.
    fn sets<'a>(slots: &Slots<'a, Self>, at: Self::At) -> [&'a [Word]; 2];
    /// Whether a slot says the same as the one before it.
    fn repeats(slots: &Slots<'_, Self>, at: Self::At) -> bool;
    /// The slot that `time` lies in; the first one for a time in the past.
    fn locate(slots: &Slots<'_, Self>, time: u64) -> Self::At;
    /// The same if it is known to be `at` or a slot after it.
    fn locate_from(slots: &Slots<'_, Self>, at: Self::At, time: u64) -> Self::At;

    // By how many PEs are busy.

    /// A slot from `head` on that begins before `end` and has more than `limit` PEs busy, so that no start
    /// in a slot up to it will do. Of several a late one, or each hole between them would be tried.
    fn blocker(slots: &Slots<'_, Self>, head: Self::At, end: u64, limit: u32) -> Option<Self::At>;
    /// The first slot from `at` on that has at most `limit` PEs busy.
    fn first_within(slots: &Slots<'_, Self>, at: Self::At, limit: u32) -> Option<Self::At>;
    /// The first slot from `at` on that begins before `end` and has more than `limit` PEs busy.
    fn first_above(slots: &Slots<'_, Self>, at: Self::At, end: u64, limit: u32)
    -> Option<Self::At>;
    /// The last slot before `at` that has more than `limit` PEs busy.
    fn last_above(slots: &Slots<'_, Self>, at: Self::At, limit: u32) -> Option<Self::At>;
    /// The least and the greatest count from the slot `head` up to but not including `to`.
    fn range(slots: &Slots<'_, Self>, head: Self::At, to: Self::At) -> (u32, u32);

    // By which PEs are busy.

    /// Adds to `busy` the PEs busy in a slot from `head` up to but not including `to`.
    fn unite(slots: &Slots<'_, Self>, head: Self::At, to: Self::At, busy: &mut [Word]);
    /// The end of the slots that lie in one array with `head`, up to `to`.
    fn near(slots: &Slots<'_, Self>, head: Self::At, to: Self::At) -> Self::At;
    /// In a window, from `head` up to but not including `to`, that does not leave `pes` PEs free and all that are
    /// `required`: a slot
    /// that each window which does must begin behind. `head` is one; the later the better. `free` holds all
    /// PEs that may be had, and is of no use then.
    fn blocking(
        slots: &Slots<'_, Self>,
        head: Self::At,
        to: Self::At,
        free: &mut [Word],
        pes: u32,
        required: &[Word],
    ) -> Self::At;
    /// The first slot from `at` on, beginning before `end`, in which a PE of `claim` is busy.
    fn first_meeting(
        slots: &Slots<'_, Self>,
        at: Self::At,
        end: u64,
        claim: Claim<'_>,
    ) -> Option<Self::At>;
    /// The last slot before `at` in which a PE of `claim` is busy.
    fn last_meeting(slots: &Slots<'_, Self>, at: Self::At, claim: Claim<'_>) -> Option<Self::At>;

    // Changes. Of the position `other` of a slot a change makes the position that the slot has after it.

    /// The slot that begins at `time`, which lies in the slot `at`; it is put in if need be.
    fn open(
        slots: &mut SlotsMut<'_, Self>,
        at: Self::At,
        time: u64,
        other: &mut Self::At,
    ) -> Border<Self::At>;
    /// Takes out a slot that says the same as the one before it.
    fn close(slots: &mut SlotsMut<'_, Self>, at: Self::At, other: &mut Self::At);
    /// Changes all slots from `from` on up to but not including `to`.
    fn cover(slots: &mut SlotsMut<'_, Self>, from: Self::At, to: Self::At, change: Change<'_>);
    /// Drops the slots before `at`.
    fn drop_before(slots: &mut SlotsMut<'_, Self>, at: Self::At);
    /// Makes `now` the time of the first slot, before that of the second one.
    fn set_present(slots: &mut SlotsMut<'_, Self>, now: u64);

    /// Recomputes what this store keeps beside the slots.
    fn check(slots: &Slots<'_, Self>) -> Result<(), InvariantViolation>;
}

/// An interval, such as one of the duration of a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<At> {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The slot that the start lies in.
    pub(crate) head: At,
    /// The slot that the end lies in.
    pub(crate) tail: At,
}

impl<S: Store> Slots<'_, S> {
    /// All slots.
    pub(crate) fn all(&self) -> impl Iterator<Item = S::At> {
        core::iter::successors(Some(S::start(self)), |&at| S::next(self, at))
    }

    /// The present.
    pub(crate) fn now(&self) -> u64 {
        S::time(self, S::start(self))
    }

    /// The PEs of the machine.
    pub(crate) fn pes(&self) -> u32 {
        self.store.shape().pes
    }

    pub(crate) fn slot(&self, at: S::At) -> Slot {
        Slot { time: Instant::from_ticks(S::time(self, at)), busy: S::busy(self, at) }
    }

    /// The slot that begins at the time `next`, which becomes that of the one after it.
    pub(crate) fn pass(&self, next: &mut Option<u64>) -> Option<Slot> {
        let at = S::locate(self, (*next)?);
        *next = S::next(self, at).map(|after| S::time(self, after));
        Some(self.slot(at))
    }

    /// Word `at` of the set of PEs busy in a slot.
    pub(crate) fn word(&self, slot: S::At, at: usize) -> Word {
        let [a, b] = S::sets(self, slot).map(|set| load(set, at));
        a | b
    }

    /// How many PEs are out of service.
    pub(crate) fn busy_for_good(&self) -> u32 {
        S::busy(self, S::last(self))
    }

    /// Word `at` of the set of PEs out of service.
    pub(crate) fn out_of_service(&self, at: usize) -> Word {
        self.word(S::last(self), at)
    }

    /// Behind the last slot from `head` on that begins before `end`.
    pub(crate) fn end_of(&self, head: S::At, end: u64) -> S::At {
        S::after(S::locate_from(self, head, end.wrapping_sub(1)))
    }

    /// The least and the greatest count from the slot `head` until `end`.
    pub(crate) fn range_until(&self, head: S::At, end: u64) -> (u32, u32) {
        S::range(self, head, self.end_of(head, end))
    }

    /// An interval, without what lies in the past.
    pub(crate) fn interval(&self, at: Placement) -> Window<S::At> {
        let (start, end) = (at.start.ticks().max(self.now()), at.end.ticks());
        let head = S::locate(self, start);
        Window { start, end, head, tail: S::locate_from(self, head, end) }
    }
}
