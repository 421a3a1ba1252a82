//! Sets of slices.

crate::data::data! {
    /// Some of an accelerator's slices: bit s stands for slice s, of at most 32.
    ///
    /// ```
    /// use locox::accelerator::SliceSet;
    /// let four = SliceSet::run(4, 4);
    /// assert_eq!((four.len(), four.first()), (4, Some(4)));
    /// assert_eq!(four.to_string(), "4-7");
    /// assert_eq!(SliceSet(0b1011).to_string(), "0-1,3");
    /// ```
    #[derive(Default)]
    pub struct SliceSet(pub u32);
}

crate::stored_as! { SliceSet: |it: SliceSet| it.0, SliceSet; }

impl SliceSet {
    /// None.
    pub const NONE: Self = Self(0);
    /// The most slices that an accelerator may have.
    pub const MOST: u8 = u32::BITS as u8;

    /// So many slices from one on; those beyond the last bit are left out.
    pub const fn run(start: u8, len: u8) -> Self {
        Self((!u32::MAX.unbounded_shl(len as u32)).unbounded_shl(start as u32))
    }

    /// How many there are.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest one.
    pub const fn first(self) -> Option<u8> {
        if self.is_empty() { None } else { Some(self.0.trailing_zeros() as u8) }
    }

    /// Whether `slice` is one of them.
    pub const fn contains(self, slice: u8) -> bool {
        Self::run(slice, 1).0 & self.0 != 0
    }

    /// Whether all of these are among `others`.
    pub const fn lies_in(self, others: Self) -> bool {
        self.0 & !others.0 == 0
    }

    /// Those of these, or of `others`, or of both.
    #[must_use]
    pub const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those of these that are not among `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }
}

/// As runs of slices, `0-1,3`; `none` of none.
impl core::fmt::Display for SliceSet {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        let (mut rest, mut before) = (*self, "");
        while let Some(start) = rest.first() {
            write!(f, "{before}{start}")?;
            let len = rest.0.wrapping_shr(start.into()).trailing_ones() as u8;
            if len > 1 {
                write!(f, "-{}", start.wrapping_add(len).wrapping_sub(1))?;
            }
            rest = rest.without(Self::run(start, len));
            before = ",";
        }
        Ok(())
    }
}
