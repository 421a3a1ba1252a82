//! Recomputes what is derived, and compares. For tests, fuzz targets and models.

use super::ledger::{Ledger, ReservationId};
use super::slots::layout::LEAVES;
use super::slots::leaves::Marks;
use super::slots::{At, Slots};
use crate::bits::{Word, load};
use crate::invariant::{InvariantViolation, ensure};

impl<const IDENTITY: bool> Slots<'_, IDENTITY> {
    /// The slots by themselves.
    pub(super) fn check(&self, marks: &Marks) -> Result<(), InvariantViolation> {
        for at in self.all() {
            let Some(after) = self.next(at) else { break };
            ensure(self.time(at) < self.time(after), "times rise strictly")?;
            ensure(!self.repeats(after), "neighbouring slots differ")?;
        }
        for at in self.all().filter(|_| IDENTITY) {
            let members = (0..self.layout.row).map(|word| self.word(at, word).count_ones());
            ensure(members.sum::<u32>() == self.busy(at), "a slot counts its set")?;
        }
        ensure(
            self.all().count() <= self.layout.limits.slots(),
            "no more slots than can be needed",
        )?;
        let blocks = marks.blocks();
        let once =
            |leaf| (0..leaf).all(|other| self.leaf(other).block() != self.leaf(leaf).block());
        ensure((0..blocks).all(once), "a block has one place in the directory")?;
        (0..self.leaves()).try_for_each(|leaf| self.check_leaf(leaf))
    }

    fn check_leaf(&self, place: usize) -> Result<(), InvariantViolation> {
        let leaf = self.leaf(place);
        let len = self.len(leaf);
        ensure((1..=self.layout.directory().leaf).contains(&len), "a leaf has at least one slot")?;
        let row = |slot| (1 as Word).unbounded_shl(self.row_id(leaf.slot(slot)));
        let used = (0..len).fold(0, |used: Word, slot| used | row(slot));
        let stored = self.layout.beside().used.at(leaf.block()).of(self.words).first();
        // A word has a bit for each row where there may be several leaves.
        let no_two = !IDENTITY || !LEAVES || used.count_ones() as usize == len;
        ensure(stored.is_none_or(|stored| stored ^ 1 == used) && no_two, "rows in use")?;
        if self.layout.is_flat() {
            return Ok(());
        }
        let both = self.leaf_after(leaf).map(|after| len.saturating_add(self.len(after)));
        let fills = both.is_none_or(|both| both > self.layout.directory().leaf >> 1);
        ensure(fills, "neighbouring leaves hold more than half of one")?;
        let slots = || (0..len).map(|slot| leaf.slot(slot));
        ensure(self.first(place) == self.time(leaf.slot(0)), "the directory's times")?;
        ensure(slots().map(|at| self.busy(at)).min() == Some(self.low(leaf)), "least counts")?;
        ensure(slots().map(|at| self.busy(at)).max() == Some(self.high(place)), "greatest counts")?;
        for (word, &known) in self.union(leaf).iter().enumerate() {
            let own = |at| load(self.own_row(at), word);
            ensure(slots().fold(0, |union, at| union | own(at)) == known, "unions of rows")?;
        }
        Ok(())
    }

    /// The slots against the reservations. Cost: slots times reservations.
    pub(super) fn check_against(
        &self,
        ledger: Ledger<'_, IDENTITY>,
    ) -> Result<(), InvariantViolation> {
        for at in self.all() {
            if !IDENTITY {
                let covering = self.covering(at, ledger).map(|index| ledger.claim(index).count);
                let busy = covering.fold(self.busy(self.last()), u32::saturating_add);
                ensure(busy == self.busy(at), "a slot counts what covers it")?;
            }
            for word in 0..self.layout.row {
                let mut held = 0;
                for index in self.covering(at, ledger) {
                    let set = load(ledger.set(index), word);
                    ensure(held & set == 0, "no PE belongs to two reservations at a time")?;
                    held |= set;
                }
                let out = self.word(self.last(), word);
                ensure(held | out == self.word(at, word), "a slot holds what covers it")?;
            }
        }
        Ok(())
    }

    /// The reservations that are on in a slot.
    fn covering<'l>(&self, at: At, ledger: Ledger<'l, IDENTITY>) -> impl Iterator<Item = u32> + 'l {
        let time = self.time(at);
        ledger.live().map(ReservationId::index).filter(move |&index| {
            let placement = ledger.placement(index);
            (placement.start.ticks()..placement.end.ticks()).contains(&time)
        })
    }
}
