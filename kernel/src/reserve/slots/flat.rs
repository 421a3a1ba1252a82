//! Slots in one sorted array. Where they are few that takes less than to keep leaves and their summaries.
//!
//! Cost: a change passes over all slots. A search by PEs tries one start after the other, by the rows of its
//! window: these are read in less time than it takes to find out where to leap.

use super::array::{Array, ArrayMut, Shape};
use super::claim::{Change, Claim};
use super::store::{Border, Slots, SlotsMut, Store};
use crate::bits::{Sought, Word, algebra};
use crate::invariant::{InvariantViolation, ensure};

/// All slots in one array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flat<const IDENTITY: bool> {
    pub(crate) shape: Shape,
}

impl<'a, const IDENTITY: bool> Slots<'a, Flat<IDENTITY>> {
    const fn array(&self) -> Array<'a, IDENTITY> {
        Array { shape: &self.store.shape, words: self.words }
    }
}

impl<const IDENTITY: bool> SlotsMut<'_, Flat<IDENTITY>> {
    const fn array(&mut self) -> ArrayMut<'_, IDENTITY> {
        ArrayMut { shape: &self.store.shape, words: self.words }
    }
}

/// More than `limit`.
fn above(limit: u32) -> Sought {
    Sought::AtLeast(i64::from(limit).wrapping_add(1))
}

impl<const IDENTITY: bool> Store for Flat<IDENTITY> {
    const IDENTITY: bool = IDENTITY;
    type At = usize;

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn words(&self) -> usize {
        self.shape.words
    }

    fn start(_: &Slots<'_, Self>) -> usize {
        0
    }

    fn last(slots: &Slots<'_, Self>) -> usize {
        slots.array().last()
    }

    fn next(slots: &Slots<'_, Self>, at: usize) -> Option<usize> {
        (at < slots.array().last()).then(|| at.wrapping_add(1))
    }

    fn after(at: usize) -> usize {
        at.wrapping_add(1)
    }

    fn time(slots: &Slots<'_, Self>, at: usize) -> u64 {
        slots.array().time(at)
    }

    fn busy(slots: &Slots<'_, Self>, at: usize) -> u32 {
        slots.array().count(at)
    }

    fn sets<'a>(slots: &Slots<'a, Self>, at: usize) -> [&'a [Word]; 2] {
        [slots.array().row(at), &[]]
    }

    fn repeats(slots: &Slots<'_, Self>, at: usize) -> bool {
        at > 0 && slots.array().repeats(at)
    }

    fn locate(slots: &Slots<'_, Self>, time: u64) -> usize {
        slots.array().locate(time)
    }

    fn locate_from(slots: &Slots<'_, Self>, at: usize, time: u64) -> usize {
        slots.array().locate_from(at, time)
    }

    fn blocker(slots: &Slots<'_, Self>, head: usize, end: u64, limit: u32) -> Option<usize> {
        // Where rows are read anyway, counts tell nothing more.
        if IDENTITY { None } else { Self::first_above(slots, head, end, limit) }
    }

    fn first_within(slots: &Slots<'_, Self>, at: usize, limit: u32) -> Option<usize> {
        slots.array().first(at, Sought::Below(i64::from(limit).wrapping_add(1)))
    }

    fn first_above(slots: &Slots<'_, Self>, at: usize, end: u64, limit: u32) -> Option<usize> {
        let array = slots.array();
        array.first(at, above(limit)).filter(|&found| array.time(found) < end)
    }

    fn last_above(slots: &Slots<'_, Self>, at: usize, limit: u32) -> Option<usize> {
        slots.array().last_of(0..at, above(limit))
    }

    fn range(slots: &Slots<'_, Self>, head: usize, to: usize) -> (u32, u32) {
        slots.array().range(head..to)
    }

    fn unite(slots: &Slots<'_, Self>, head: usize, to: usize, busy: &mut [Word]) {
        slots.array().unite(head..to, busy);
    }

    fn near(_: &Slots<'_, Self>, _: usize, to: usize) -> usize {
        to
    }

    fn blocking(
        _: &Slots<'_, Self>,
        head: usize,
        _: usize,
        _: &mut [Word],
        _: u32,
        _: &[Word],
    ) -> usize {
        head
    }

    fn first_meeting(
        slots: &Slots<'_, Self>,
        at: usize,
        end: u64,
        claim: Claim<'_>,
    ) -> Option<usize> {
        let array = slots.array();
        array.first_meeting(at, claim).filter(|&found| array.time(found) < end)
    }

    fn last_meeting(slots: &Slots<'_, Self>, at: usize, claim: Claim<'_>) -> Option<usize> {
        slots.array().last_meeting(at, claim)
    }

    fn open(
        slots: &mut SlotsMut<'_, Self>,
        at: usize,
        time: u64,
        other: &mut usize,
    ) -> Border<usize> {
        if slots.view().array().time(at) == time {
            return Border { at, is_new: false };
        }
        slots.array().insert_after(at, time);
        *other = other.wrapping_add((*other > at) as usize);
        Border { at: at.wrapping_add(1), is_new: true }
    }

    fn close(slots: &mut SlotsMut<'_, Self>, at: usize, other: &mut usize) {
        slots.array().remove(at..at.wrapping_add(1));
        *other = other.wrapping_sub((*other > at) as usize);
    }

    fn cover(slots: &mut SlotsMut<'_, Self>, from: usize, to: usize, change: Change<'_>) {
        let mut array = slots.array();
        array.add(from..to, change.amount());
        if IDENTITY {
            // Those to become busy are free in all of these slots, and the other way round.
            let (Change::Occupy(claim) | Change::Vacate(claim)) = change;
            array.each_row(from..to, |row| algebra::turn(claim.part_mut(row), claim.words));
        }
    }

    fn drop_before(slots: &mut SlotsMut<'_, Self>, at: usize) {
        slots.array().remove(0..at);
    }

    fn set_present(slots: &mut SlotsMut<'_, Self>, now: u64) {
        slots.array().set_time(0, now);
    }

    fn check(slots: &Slots<'_, Self>) -> Result<(), InvariantViolation> {
        let fits = slots.array().len() <= slots.store.shape.slots;
        ensure(fits, "no more slots than there is room for")
    }
}
