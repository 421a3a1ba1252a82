//! Rows with generations: which rows of the caller's storage are in use, and by what handle.
//!
//! A row is open or closed. Its generation turns at each change, so that a handle to what stood
//! there before is stale. Closed rows are linked, the one closed last first, and opened again
//! before rows that were never open; what those hold does not matter, so that large storage needs
//! no clearing.

use crate::epochs::Epochs;
use crate::handle::{Epoch, Generation, Handle, Misuse, PoolId};
use crate::image::{BadImage, Stored};
use crate::invariant::{InvariantViolation, ensure};
use crate::list::{Linked, Ref};
use crate::slices::edit;

/// What a row says of itself: its generation with the mark of epochs, and the next vacant row if it is
/// closed. That of a row that was never open is of no meaning.
#[derive(Clone, Copy, Default)]
pub struct Tag {
    /// With the mark of the epochs in its highest bit.
    pub generation: Generation,
    /// The next vacant row.
    pub next: Ref,
}

impl Tag {
    /// That of the row opened or closed once more.
    fn turned(self, next: Ref) -> Self {
        Self { generation: self.generation.turned(), next }
    }

    /// The same, but for a generation that is less than 2^30 behind the floor: generations wrap.
    fn raised(self, floor: u32) -> Self {
        let behind = floor.wrapping_sub(self.generation.raw()) & !Generation::OLD;
        let is_behind = floor > 0 && behind < 1 << 30;
        if is_behind { Self { generation: Generation::from_raw(floor), ..self } } else { self }
    }
}

/// Rows that a [`Slab`] keeps, for reading.
pub trait Rows {
    /// How many rows there are.
    fn count(&self) -> usize;

    /// That of a row; the default beyond the rows.
    fn tag(&self, row: u32) -> Tag;
}

/// The same, to be changed.
pub trait RowsMut: Rows {
    /// Changes that of a row; nothing beyond the rows. What an open row has where a closed one has its link may stay.
    fn set_tag(&mut self, row: u32, tag: Tag);
}

/// Which rows are in use. The rows themselves are passed to each call.
///
/// - Rows below `used` have been open once. Those of them that are closed are linked from
///   `vacant`.
/// - `open` counts the rows that are open, which are those of a live generation.
/// - `epochs` are those of the handles. Coordinators, whose records have numbers, have the first only.
/// - `floor`, if not 0, is the generation that a row has at least before it is opened.
#[derive(Clone, Copy, Debug)]
pub struct Slab {
    pool: PoolId,
    used: u32,
    open: u32,
    vacant: Ref,
    /// Of its handles.
    pub epochs: Epochs,
    /// See above.
    pub floor: u32,
}

/// Without epochs and floor.
impl Stored for Slab {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.pool.store(put);
        put(self.used);
        put(self.open);
        self.vacant.store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        let (pool, used, open) = (Stored::load(take)?, take()?, take()?);
        let vacant = Stored::load(take)?;
        Ok(Self { used, open, vacant, ..Self::new(pool) })
    }
}

impl Slab {
    /// No row is open.
    pub const fn new(pool: PoolId) -> Self {
        Self { pool, used: 0, open: 0, vacant: Ref::NONE, epochs: Epochs::FIRST, floor: 0 }
    }

    /// As new, but for the epochs.
    pub const fn emptied(&self) -> Self {
        Self { epochs: self.epochs, ..Self::new(self.pool) }
    }

    /// The pool of its handles.
    pub const fn pool(&self) -> PoolId {
        self.pool
    }

    /// Rows that are open.
    pub const fn open_count(&self) -> u32 {
        self.open
    }

    /// Rows that have been open once.
    pub const fn used(&self) -> u32 {
        self.used
    }

    /// The row that [`Slab::open`] will take; `None` if all are open.
    pub fn next_row(&self, rows: &(impl Rows + ?Sized)) -> Option<u32> {
        let fresh = Some(self.used).filter(|&row| (row as usize) < rows.count());
        self.vacant.get().or(fresh)
    }

    /// Opens a row, if there is one that is not open.
    pub fn open(&mut self, rows: &mut (impl RowsMut + ?Sized)) -> Option<u32> {
        let row = self.next_row(rows)?;
        let before = if row == self.used { Tag::default() } else { rows.tag(row) };
        if row == self.used {
            self.used = self.used.wrapping_add(1);
        }
        self.vacant = before.next;
        rows.set_tag(row, before.raised(self.floor).turned(Ref::NONE));
        self.open = self.open.wrapping_add(1);
        Some(row)
    }

    /// Closes an open row.
    pub fn close(&mut self, rows: &mut (impl RowsMut + ?Sized), row: u32) {
        let tag = rows.tag(row);
        debug_assert!(row < self.used && tag.generation.is_live(), "an open row is closed");
        rows.set_tag(row, tag.turned(self.vacant));
        self.vacant = Ref::to(row);
        self.open = self.open.wrapping_sub(1);
    }

    /// The handle of an open row.
    pub fn handle(&self, rows: &(impl Rows + ?Sized), row: u32) -> Handle {
        let generation = rows.tag(row).generation.unmarked();
        Handle::new(self.pool, row, generation).in_epoch(self.epochs.now)
    }

    /// The open row that a handle names.
    pub fn find(&self, rows: &(impl Rows + ?Sized), handle: Handle) -> Result<u32, Misuse> {
        let row = handle.index();
        let now = if row < self.used { rows.tag(row) } else { Tag::default() };
        self.epochs.check(handle, self.pool, now.generation).map(|()| row)
    }

    /// Begins another epoch: what is open is older from now on. Cost: all rows that have been open once.
    pub fn begin(&mut self, rows: &mut (impl RowsMut + ?Sized), epoch: Epoch) {
        self.epochs.begin(epoch);
        for row in 0..self.used {
            let tag = rows.tag(row);
            rows.set_tag(row, Tag { generation: tag.generation.begun(), ..tag });
        }
    }

    /// Passes to `put` what [`Slab::load_head`] takes: all but the rows.
    pub fn store_head(&self, put: &mut impl FnMut(u32)) {
        (self.epochs.now.0, self.epochs.last.0).store(put);
        put(self.used);
        self.vacant.store(put);
    }

    /// Takes epochs, and which of so many rows have been open; their tags follow. Then
    /// [`Slab::count_open`].
    pub fn load_head(
        &mut self,
        rows: usize,
        take: &mut impl FnMut() -> Result<u32, BadImage>,
    ) -> Result<(), BadImage> {
        let (now, last) = Stored::load(take)?;
        self.epochs = Epochs { now: Epoch(now), last: Epoch(last) };
        (self.used, self.vacant) = (take()?, Stored::load(take)?);
        if self.used as usize > rows {
            return Err(BadImage::Contradiction("more rows are in use than there is storage for"));
        }
        Ok(())
    }

    /// Counts the rows that are open, after all were loaded.
    pub fn count_open(&mut self, rows: &(impl Rows + ?Sized)) {
        self.open = self.open_rows(rows).count() as u32;
    }

    /// The open rows by rising number. Cost: all rows that have been open once.
    pub fn open_rows<'a>(&self, rows: &'a (impl Rows + ?Sized)) -> impl Iterator<Item = u32> + 'a {
        (0..self.used).filter(|&row| rows.tag(row).generation.is_live())
    }

    /// Opens no row from now on in a generation that it had, or had within 32,768 uses more.
    pub fn raise(&mut self, rows: &(impl Rows + ?Sized)) {
        let of_rows = (0..self.used).map(|row| rows.tag(row).generation.unmarked().raw());
        let highest = of_rows.fold(self.floor, u32::max);
        self.floor = (highest | 1).wrapping_add(0xFFFF) & !Generation::OLD;
    }

    /// Checks the invariants above.
    pub fn check(&self, rows: &(impl Rows + ?Sized)) -> Result<(), InvariantViolation> {
        ensure(self.used as usize <= rows.count(), "no more rows were used than there are")?;
        ensure(
            self.floor & (Generation::OLD | 1) == 0,
            "a row would be opened in a generation of no open row",
        )?;
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
pub trait Row: Linked {
    /// Its generation.
    fn generation(&self) -> Generation;
    /// The same, to be changed.
    fn generation_mut(&mut self) -> &mut Generation;
}

/// Makes rows with fields `generation` and `links` the rows of a slab. While one is closed, its
/// links name the next vacant one.
#[doc(hidden)]
#[macro_export]
macro_rules! rows {
    ($($Row:ty $(where $N:ident)?),+) => {$(
        $crate::linked! { $Row $(where $N)? }

        impl$(<$N>)? $crate::ground::Row for $Row {
            fn generation(&self) -> $crate::handle::Generation {
                self.generation
            }

            fn generation_mut(&mut self) -> &mut $crate::handle::Generation {
                &mut self.generation
            }
        }
    )+};
}

impl<T: Row> Rows for [T] {
    fn count(&self) -> usize {
        self.len()
    }

    fn tag(&self, row: u32) -> Tag {
        let tag = |row: &T| Tag { generation: row.generation(), next: row.links().next };
        self.get(row as usize).map(tag).unwrap_or_default()
    }
}

impl<T: Row> RowsMut for [T] {
    fn set_tag(&mut self, row: u32, tag: Tag) {
        edit(self, row, |row| {
            (*row.generation_mut(), row.links_mut().next) = (tag.generation, tag.next);
        });
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
        // Behind the rows in use, in storage and out of it.
        slab.vacant = Ref::to(2);
        assert!(slab.check(rows.as_slice()).is_err());
        rows[0].links.next = Ref::to(2);
        slab.vacant = Ref::to(0);
        assert!(slab.check(rows.as_slice()).is_err());
    }

    #[test]
    fn an_image_may_fill_its_storage_and_no_more() {
        let (mut rows, mut slab) = ([SOILED; 2], Slab::new(PoolId(0)));
        while slab.open(rows.as_mut_slice()).is_some() {}
        let mut words = Vec::new();
        slab.store_head(&mut |word| words.push(word));
        let loaded = |rows| {
            let mut words = words.iter().copied();
            Slab::new(PoolId(0)).load_head(rows, &mut || words.next().ok_or(BadImage::TooShort))
        };
        assert!(loaded(2).is_ok());
        assert!(loaded(1).is_err());
    }
}
