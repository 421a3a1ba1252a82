//! How much of each quantity: what a node has, what is free of it, what a job asks for.

use crate::image::{BadImage, Stored};

crate::data::data! {
    /// How much of each of up to eight quantities, such as cores, memory and GPUs, in units of the caller's. Quantity 0 are the
    /// processors.
    ///
    /// ```
    /// use locox::nodes::Amounts;
    /// let node = Amounts::of(&[64, 256_000, 4]);
    /// assert_eq!((node.get(0), node.get(2), node.get(3)), (64, 4, 0));
    /// assert!(Amounts::of(&[16, 32_000]).fits(&node));
    /// assert!(!Amounts::of(&[16, 32_000, 8]).fits(&node));
    /// ```
    #[derive(Default)]
    pub struct Amounts([u32; Amounts::MOST]);
}

impl Amounts {
    /// The most quantities, 8.
    pub const MOST: usize = 8;

    /// Nothing of anything.
    pub const NONE: Self = Self([0; Self::MOST]);

    /// All that there is of anything.
    pub(super) const ALL: Self = Self([u32::MAX; Self::MOST]);

    /// So much of the first quantities, and nothing of the others. What stands behind the eighth is left out.
    pub fn of(amounts: &[u32]) -> Self {
        let mut all = Self::NONE;
        crate::slices::copy(&mut all.0, amounts);
        all
    }

    /// All eight.
    pub const fn all(&self) -> &[u32; Self::MOST] {
        &self.0
    }

    /// How much of a quantity; nothing beyond the eighth.
    pub fn get(&self, quantity: usize) -> u32 {
        self.0.get(quantity).copied().unwrap_or(0)
    }

    /// Whether there is so much of each.
    pub fn fits(&self, free: &Self) -> bool {
        self.within(&free.0)
    }

    /// Whether there is so much of the first quantities, those that `free` has.
    #[inline]
    pub(super) fn within(&self, free: &[u32]) -> bool {
        self.0.iter().zip(free).all(|(own, free)| own <= free)
    }

    /// So many times as much; `None` if that does not fit in a number.
    pub(super) fn times(&self, times: u32) -> Option<Self> {
        let mut all = *self;
        for it in &mut all.0 {
            *it = it.checked_mul(times)?;
        }
        Some(all)
    }

    /// What is left of each, as far as there is so much.
    pub(super) fn less(&self, other: &Self) -> Self {
        let mut all = *self;
        take(&mut all.0, other);
        all
    }

    /// The larger of each.
    pub(super) fn larger(&self, other: &Self) -> Self {
        let mut all = *self;
        all.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own = *other.max(own));
        all
    }

    /// The same, of all quantities but one only the two leading digits in base 2: what is about alike is alike then.
    pub(super) fn rounded(&self, but: usize) -> Self {
        let mut all = *self;
        let others = all.0.iter_mut().enumerate().filter(|(at, _)| *at != but);
        others.for_each(|(_, it)| {
            *it &= !(u32::MAX >> 2).checked_shr(it.leading_zeros()).unwrap_or(0)
        });
        all
    }

    /// How many quantities there are, up to the last of which there is something.
    pub(super) fn used(&self) -> usize {
        self.0.iter().rposition(|&it| it > 0).map_or(0, |last| last.wrapping_add(1))
    }
}

/// Takes amounts from what is free, as far as there is so much.
#[inline]
pub(super) fn take(free: &mut [u32], amounts: &Amounts) {
    free.iter_mut().zip(amounts.all()).for_each(|(free, own)| *free = free.saturating_sub(*own));
}

impl Stored for Amounts {
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.0.store(put);
    }

    fn load(take: &mut impl FnMut() -> Result<u32, BadImage>) -> Result<Self, BadImage> {
        Stored::load(take).map(Self)
    }
}
