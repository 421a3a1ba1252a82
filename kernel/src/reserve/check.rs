//! Recomputes what is derived, and compares. For tests, fuzz targets and models.

use super::ledger::{Ledger, ReservationId};
use super::limits::Limits;
use super::slots::store::{Slots, Store};
use crate::bits::load;
use crate::invariant::{InvariantViolation, ensure};
use crate::slab::Slab;

impl<S: Store> Slots<'_, S> {
    /// The slots by themselves, the reservations, and both against each other.
    pub(super) fn check(
        &self,
        limits: Limits,
        slab: &Slab,
        ledger: Ledger<'_>,
    ) -> Result<(), InvariantViolation> {
        for at in self.all() {
            let Some(after) = S::next(self, at) else { break };
            ensure(S::time(self, at) < S::time(self, after), "times rise strictly")?;
            ensure(!S::repeats(self, after), "neighbouring slots differ")?;
        }
        for at in self.all().filter(|_| S::IDENTITY) {
            let members = (0..self.store.shape().row).map(|word| self.word(at, word).count_ones());
            ensure(members.sum::<u32>() == S::busy(self, at), "a slot counts its set")?;
        }
        ensure(self.all().count() <= limits.slots(), "no more slots than can be needed")?;
        S::check(self)?;
        slab.check(&ledger.entries)?;
        ledger.check_expiry()?;
        self.check_against(ledger)
    }

    /// The slots against the reservations. Cost: slots times reservations.
    fn check_against(&self, ledger: Ledger<'_>) -> Result<(), InvariantViolation> {
        for at in self.all() {
            if !S::IDENTITY {
                let covering = self.covering(at, ledger).map(|index| ledger.claim(index).count);
                let busy = covering.fold(self.busy_for_good(), u32::saturating_add);
                ensure(busy == S::busy(self, at), "a slot counts what covers it")?;
            }
            for word in 0..self.store.shape().row {
                let mut held = 0;
                for index in self.covering(at, ledger) {
                    let set = load(ledger.set(index), word);
                    ensure(held & set == 0, "no PE belongs to two reservations at a time")?;
                    held |= set;
                }
                let out = self.out_of_service(word);
                ensure(held | out == self.word(at, word), "a slot holds what covers it")?;
            }
        }
        Ok(())
    }

    /// The reservations that are on in a slot.
    fn covering<'l>(&self, at: S::At, ledger: Ledger<'l>) -> impl Iterator<Item = u32> + 'l {
        let time = S::time(self, at);
        ledger.live().map(ReservationId::index).filter(move |&index| {
            let placement = ledger.placement(index);
            (placement.start.ticks()..placement.end.ticks()).contains(&time)
        })
    }
}
