//! Recomputes what is derived, and compares. For tests, fuzz targets and models.

use super::ledger::{Ledger, ReservationId};
use super::limits::Limits;
use super::slots::layout::{Leaf, LeafSlot};
use super::slots::tables;
use super::slots::view::Slots;
use crate::bits::load;
use crate::invariant::{InvariantViolation, ensure};

/// The slots by themselves, the reservations, and both against each other.
pub(super) fn check<const IDENTITY: bool>(
    slots: &Slots<'_, IDENTITY>,
    limits: Limits,
    ledger: Ledger<'_>,
) -> Result<(), InvariantViolation> {
    for at in slots.all() {
        let Some(after) = slots.next(at) else { break };
        ensure(slots.time(at) < slots.time(after), "times rise strictly")?;
        ensure(!slots.repeats(after), "neighbouring slots differ")?;
    }
    for at in slots.all().filter(|_| IDENTITY) {
        let members = (0..slots.layout.shape.row).map(|word| slots.word(at, word).count_ones());
        ensure(members.sum::<u32>() == slots.busy(at), "a slot counts its set")?;
    }
    ensure(slots.all().count() <= limits.slots(), "no more slots than can be needed")?;
    let blocks = slots.blocks();
    let once =
        |place| (0..place).all(|other| slots.leaf(other).block() != slots.leaf(place).block());
    ensure((0..blocks).all(once), "a block has one place in the directory")?;
    (0..slots.leaves()).try_for_each(|place| check_leaf(slots, slots.leaf(place)))?;
    ledger.slab.check(&ledger.entries)?;
    ledger.check_expiry()?;
    check_against(slots, ledger)
}

/// A leaf, and what is kept of it.
fn check_leaf<const IDENTITY: bool>(
    slots: &Slots<'_, IDENTITY>,
    leaf: Leaf,
) -> Result<(), InvariantViolation> {
    let (len, most, array) = (slots.len(leaf), slots.layout.shape.slots, slots.array(leaf));
    ensure((1..=most).contains(&len), "a leaf has at least one slot, and room for all")?;
    if slots.layout.is_flat() {
        return Ok(());
    }
    let both = slots.leaf_after(leaf).map(|after| len.saturating_add(slots.len(after)));
    let fills = both.is_none_or(|both| both > most >> 1);
    ensure(fills, "neighbouring leaves hold more than half of one")?;
    let busy = || (0..len).map(|slot| slots.busy(leaf.slot(slot)));
    let first = tables::tick(slots.firsts(), leaf.place());
    ensure(first == array.time(0), "the directory's times")?;
    ensure(busy().min() == Some(slots.low(leaf)), "least counts")?;
    ensure(busy().max() == Some(slots.high(leaf)), "greatest counts")?;
    let [_, union] = slots.summary_sets(leaf);
    for (word, &known) in union.iter().enumerate() {
        let own = |slot| load(array.row(slot), word);
        ensure((0..len).fold(0, |union, slot| union | own(slot)) == known, "unions of rows")?;
    }
    Ok(())
}

/// The slots against the reservations. Cost: slots times reservations.
fn check_against<const IDENTITY: bool>(
    slots: &Slots<'_, IDENTITY>,
    ledger: Ledger<'_>,
) -> Result<(), InvariantViolation> {
    for at in slots.all() {
        if !IDENTITY {
            let covering = covering(slots, at, ledger).map(|index| ledger.pes(index).count);
            let busy = covering.fold(slots.busy_for_good(), u32::saturating_add);
            ensure(busy == slots.busy(at), "a slot counts what covers it")?;
        }
        for word in 0..slots.layout.shape.row {
            let mut held = 0;
            for index in covering(slots, at, ledger) {
                let set = load(ledger.set(index), word);
                ensure(held & set == 0, "no PE belongs to two reservations at a time")?;
                held |= set;
            }
            let out = slots.out_of_service(word);
            ensure(held | out == slots.word(at, word), "a slot holds what covers it")?;
        }
    }
    Ok(())
}

/// The reservations that are on in a slot.
fn covering<'l, const IDENTITY: bool>(
    slots: &Slots<'_, IDENTITY>,
    at: LeafSlot,
    ledger: Ledger<'l>,
) -> impl Iterator<Item = u32> + use<'l, IDENTITY> {
    let time = slots.time(at);
    ledger.live().map(ReservationId::index).filter(move |&index| {
        let interval = ledger.interval(index);
        (interval.start.ticks()..interval.end.ticks()).contains(&time)
    })
}
