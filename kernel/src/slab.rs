//! Rows with generations: which rows of the caller's storage are in use, and by what handle.
//!
//! A row is open or closed. Its generation turns at each change, so that a handle to what stood
//! there before is stale. Closed rows are linked, the one closed last first, and opened again
//! before rows that were never open; what those hold does not matter, so that large storage needs
//! no clearing.

use crate::coordinate::stored;
use crate::handle::{Generation, Handle, Misuse, PoolId};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::Ref;

/// What a row says of itself: its generation, and the next vacant row if it is closed. That of a
/// row that was never open is of no meaning.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tag {
    pub(crate) generation: Generation,
    pub(crate) next: Ref,
}

/// Rows that a [`Slab`] keeps, for reading.
pub(crate) trait Rows {
    /// How many rows there are.
    fn count(&self) -> usize;

    /// That of a row; the default beyond the rows.
    fn tag(&self, row: u32) -> Tag;
}

/// The same, to be changed.
pub(crate) trait RowsMut: Rows {
    fn set_tag(&mut self, row: u32, tag: Tag);
}

/// Which rows are in use. The rows themselves are passed to each call.
///
/// - Rows below `used` have been open once. Those of them that are closed are linked from
///   `vacant`.
/// - `open` counts the rows that are open, which are those of a live generation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    pool: PoolId,
    used: u32,
    open: u32,
    vacant: Ref,
}

stored!(Slab { pool, used, open, vacant });

impl Slab {
    /// No row is open.
    pub(crate) const fn new(pool: PoolId) -> Self {
        Self { pool, used: 0, open: 0, vacant: Ref::NONE }
    }

    pub(crate) const fn pool(&self) -> PoolId {
        self.pool
    }

    /// Rows that are open.
    pub(crate) const fn open_count(&self) -> u32 {
        self.open
    }

    /// Rows that have been open once.
    pub(crate) const fn used(&self) -> u32 {
        self.used
    }

    /// The row that [`Slab::open`] will take; `None` if all are open.
    pub(crate) fn next_row(&self, rows: &(impl Rows + ?Sized)) -> Option<u32> {
        let fresh = Some(self.used).filter(|&row| (row as usize) < rows.count());
        self.vacant.get().or(fresh)
    }

    /// Opens a row, if there is one that is not open.
    pub(crate) fn open(&mut self, rows: &mut (impl RowsMut + ?Sized)) -> Option<u32> {
        let row = self.next_row(rows)?;
        let before = if row == self.used { Tag::default() } else { rows.tag(row) };
        if row == self.used {
            self.used = self.used.wrapping_add(1);
        }
        self.vacant = before.next;
        rows.set_tag(row, Tag { generation: before.generation.next(), next: Ref::NONE });
        self.open = self.open.wrapping_add(1);
        Some(row)
    }

    /// Closes an open row.
    pub(crate) fn close(&mut self, rows: &mut (impl RowsMut + ?Sized), row: u32) {
        let generation = rows.tag(row).generation;
        debug_assert!(row < self.used && generation.is_live(), "an open row is closed");
        rows.set_tag(row, Tag { generation: generation.next(), next: self.vacant });
        self.vacant = Ref::to(row);
        self.open = self.open.wrapping_sub(1);
    }

    /// The handle of an open row.
    pub(crate) fn handle(&self, rows: &(impl Rows + ?Sized), row: u32) -> Handle {
        Handle::new(self.pool, row, rows.tag(row).generation)
    }

    /// The open row that a handle names.
    pub(crate) fn find(&self, rows: &(impl Rows + ?Sized), handle: Handle) -> Result<u32, Misuse> {
        let row = handle.index();
        let now = if row < self.used { rows.tag(row) } else { Tag::default() };
        handle.check(self.pool, now.generation)?;
        Ok(row)
    }

    /// The open rows by rising number. Cost: all rows that have been open once.
    pub(crate) fn open_rows<'a>(
        &self,
        rows: &'a (impl Rows + ?Sized),
    ) -> impl Iterator<Item = u32> + 'a {
        (0..self.used).filter(|&row| rows.tag(row).generation.is_live())
    }

    pub(crate) fn check(&self, rows: &(impl Rows + ?Sized)) -> Result<(), InvariantViolation> {
        ensure(self.used as usize <= rows.count(), "no more rows were used than there are")?;
        let mut vacant = 0u32;
        let mut at = self.vacant;
        while let Some(row) = at.get() {
            let Tag { generation, next } = rows.tag(row);
            let fits = row < self.used && !generation.is_live() && vacant < self.used;
            ensure(fits, "the vacant rows are closed ones, linked without a circle")?;
            vacant = vacant.wrapping_add(1);
            at = next;
        }
        ensure(self.open_rows(rows).count() == self.open as usize, "the count of open rows")?;
        let known = self.open.wrapping_add(vacant);
        ensure(known == self.used, "a row that was used is open or vacant")
    }
}

/// A row of the caller's that a [`Slab`] keeps.
pub(crate) trait Row {
    fn tag(&self) -> Tag;
    fn set_tag(&mut self, tag: Tag);
}

/// Makes rows with fields `generation` and `links` the rows of a slab. While one is closed, its
/// links name the next vacant one.
macro_rules! rows {
    ($($Row:ty $(where $N:ident)?),+) => {$(
        $crate::list::linked! { $Row $(where $N)? }

        impl$(<$N>)? $crate::slab::Row for $Row {
            fn tag(&self) -> $crate::slab::Tag {
                $crate::slab::Tag { generation: self.generation, next: self.links.next }
            }

            fn set_tag(&mut self, tag: $crate::slab::Tag) {
                self.generation = tag.generation;
                self.links.next = tag.next;
            }
        }
    )+};
}

pub(crate) use rows;

impl<T: Row> Rows for [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn tag(&self, row: u32) -> Tag {
        self.get(row as usize).map(T::tag).unwrap_or_default()
    }
}

impl<T: Row> RowsMut for [T] {
    fn set_tag(&mut self, row: u32, tag: Tag) {
        if let Some(row) = self.get_mut(row as usize) {
            row.set_tag(tag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::Links;
    extern crate std;
    use std::vec::Vec;

    #[derive(Clone, Copy)]
    struct Plain {
        generation: Generation,
        links: Links,
    }

    rows! { Plain }

    /// Storage that somebody used before.
    const SOILED: Plain = Plain {
        generation: Generation::from_raw(77),
        links: Links { prev: Ref::NONE, next: Ref::to(5) },
    };

    fn step(slab: Slab, rows: [Plain; 3], open: &[Handle], gone: &[Handle], left: u32) {
        let all = rows.as_slice();
        assert_eq!(slab.check(all), Ok(()));
        assert_eq!(slab.open_count() as usize, open.len());
        assert_eq!(slab.next_row(all).is_none(), open.len() == 3);
        assert!(open.iter().all(|&it| slab.find(all, it) == Ok(it.index())));
        assert!(gone.iter().all(|&it| slab.find(all, it) == Err(Misuse::Stale)));
        if left == 0 {
            return;
        }
        if open.len() < 3 {
            let (mut slab, mut rows) = (slab, rows);
            let row = slab.open(rows.as_mut_slice()).unwrap();
            assert!(open.iter().all(|it| it.index() != row));
            let opened: Vec<_> =
                open.iter().copied().chain([slab.handle(rows.as_slice(), row)]).collect();
            step(slab, rows, &opened, gone, left - 1);
        }
        for at in 0..open.len() {
            let (mut slab, mut rows, mut open) = (slab, rows, open.to_vec());
            let closed = open.remove(at);
            slab.close(rows.as_mut_slice(), closed.index());
            let gone: Vec<_> = gone.iter().copied().chain([closed]).collect();
            step(slab, rows, &open, &gone, left - 1);
        }
    }

    #[test]
    fn handles_name_what_they_were_given_for_through_every_short_history() {
        step(Slab::new(PoolId(1)), [SOILED; 3], &[], &[], 8);
    }

    #[test]
    fn a_handle_to_a_row_that_was_never_open_is_stale_whatever_the_storage_holds() {
        let forged = Handle::new(PoolId(1), 2, SOILED.generation);
        let slab = Slab::new(PoolId(1));
        assert_eq!(slab.find([SOILED; 3].as_slice(), forged), Err(Misuse::Stale));
    }

    #[test]
    fn a_check_finds_circles_and_wrong_counts() {
        let mut rows = [SOILED; 2];
        let mut slab = Slab::new(PoolId(0));
        slab.open(rows.as_mut_slice()).unwrap();
        slab.open(rows.as_mut_slice()).unwrap();
        slab.close(rows.as_mut_slice(), 0);
        assert_eq!(slab.check(rows.as_slice()), Ok(()));
        let mut circle = rows;
        circle[0].links.next = Ref::to(0);
        assert!(slab.check(circle.as_slice()).is_err());
        let mut reopened = rows;
        reopened[0].generation = reopened[0].generation.next();
        assert!(slab.check(reopened.as_slice()).is_err());
    }
}
