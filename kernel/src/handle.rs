//! Generation-checked handles.
//!
//! A plain index that is released and reused silently names somebody else's entry. A handle
//! therefore carries three things: which pool issued it, which entry, and which *generation* of
//! that entry. A double, foreign or stale use is an ordinary error.
//!
//! As text all handles have one form: the entry and, after a point, its generation, as `3.5`, so that a
//! log tells what had an entry from what has it now. A handle of a later [`Epoch`] than 0 has that
//! behind it, `3.5@2`: it was granted after a restart. The alternate form, `{:#}`, names the pool, too:
//! `3.5@2 (pool 7)`.

crate::data::data! {
    /// Names a pool among those that a program keeps, so that one pool's handles are foreign to the
    /// others. The caller numbers the pools; pools that share a number cannot tell each other's
    /// handles apart.
    #[derive(Default)]
    pub struct PoolId(pub u16);

    /// Tells what a pool granted before a restart from what it grants after it.
    ///
    /// A number of the caller's, never used twice for a pool, as a count of starts is: an image does not
    /// know what was granted after it was taken.
    #[derive(Default)]
    pub struct Epoch(pub u16);

    /// How often an entry has been opened and closed; odd while it is open.
    ///
    /// In a pool it wraps after 2^30 uses of one entry, 12 days if this one alone is used a thousand times a second: a
    /// handle kept that long could be taken for a live one, unless another [`Epoch`] has begun.
    ///
    /// ```
    /// use locox::handle::Generation;
    /// let first = Generation::default().next();
    /// assert!(first.is_live());
    /// assert!(!first.next().is_live());
    /// assert_ne!(first, first.next().next());
    /// ```
    #[derive(Default)]
    pub struct Generation(u32);

    /// Names one entry of one pool in one generation.
    ///
    /// Only the pool that opened the entry makes handles to it. One that was handed on as plain numbers
    /// is put together [from them](Self::from_parts) again; what those are worth, the pool checks.
    pub struct Handle {
        index: u32,
        generation: Generation,
        pool: PoolId,
        epoch: Epoch,
    }
}

crate::display::named! { PoolId: "", Epoch: "", Generation: "" }

impl core::fmt::Display for Handle {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}.{}", self.index, self.generation)?;
        if self.epoch.0 > 0 {
            write!(f, "@{}", self.epoch)?;
        }
        if f.alternate() { write!(f, " (pool {})", self.pool) } else { Ok(()) }
    }
}

impl Generation {
    /// The generation stored as `raw`.
    pub const fn from_raw(raw: u32) -> Self {
        Self(raw)
    }

    /// The number to store.
    pub const fn raw(self) -> u32 {
        self.0
    }

    /// Whether the entry is open in this generation.
    pub const fn is_live(self) -> bool {
        self.0 & 1 == 1
    }

    /// The generation after the entry is opened or closed once more.
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }
}

impl Handle {
    /// The handle of an entry from a pool without epochs.
    pub const fn new(pool: PoolId, index: u32, generation: Generation) -> Self {
        Self { index, generation, pool, epoch: Epoch(0) }
    }

    pub(crate) const fn in_epoch(self, epoch: Epoch) -> Self {
        Self { epoch, ..self }
    }

    /// The handle of these numbers, for borders that only numbers pass: another language, a message.
    pub const fn from_parts(
        pool: PoolId,
        index: u32,
        generation: Generation,
        epoch: Epoch,
    ) -> Self {
        Self { index, generation, pool, epoch }
    }

    /// The entry's number in its pool; it may be in use again by somebody else.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The generation in which the entry was opened.
    pub const fn generation(self) -> Generation {
        self.generation
    }

    /// The pool that issued the handle.
    pub const fn pool(self) -> PoolId {
        self.pool
    }

    /// The epoch in which the pool issued it; 0 from pools that have none.
    pub const fn epoch(self) -> Epoch {
        self.epoch
    }

    /// Checks the handle against the pool that is asked and the generation that the entry has
    /// there now.
    ///
    /// # Errors
    ///
    /// [`Misuse::Foreign`] from another pool, [`Misuse::Stale`] when the entry was closed since.
    pub const fn check(self, pool: PoolId, now: Generation) -> Result<(), Misuse> {
        if self.pool.0 != pool.0 {
            return Err(Misuse::Foreign);
        }
        if self.generation.0 != now.0 || !now.is_live() {
            return Err(Misuse::Stale);
        }
        Ok(())
    }
}

crate::display::errors! {
    /// A handle that the pool does not honour. The call that returns it has changed nothing.
    #[derive(Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Misuse {
        /// Another pool issued it: one of another number, or one of the same number for a machine of
        /// another size.
        Foreign => "the handle belongs to another pool",
        /// What it named has been released already, perhaps reused since.
        Stale => "the handle was released already",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_honoured_by_its_own_pool_in_its_own_generation_only() {
        let open = Generation::default().next();
        let handle = Handle::new(PoolId(3), 9, open);
        assert_eq!(handle.check(PoolId(3), open), Ok(()));
        assert_eq!(handle.check(PoolId(4), open), Err(Misuse::Foreign));
        assert_eq!(handle.check(PoolId(3), open.next()), Err(Misuse::Stale));
        assert_eq!(handle.check(PoolId(3), open.next().next()), Err(Misuse::Stale));
    }

    #[test]
    fn a_closed_generation_never_passes_even_if_equal() {
        let closed = Generation::default();
        assert_eq!(Handle::new(PoolId(0), 0, closed).check(PoolId(0), closed), Err(Misuse::Stale));
    }

    #[test]
    fn generations_wrap_without_losing_parity() {
        let last = Generation::from_raw(u32::MAX);
        assert!(last.is_live());
        assert!(!last.next().is_live());
    }
}
