//! How much a timeline can hold.

/// How much a timeline can hold.
///
/// ```
/// use locox::reserve::{Limits, Timeline};
/// const SMALL: Limits = Limits { pes: 64, reservations: 15 };
/// assert_eq!(SMALL.slots(), 31);
/// // 15 reservations of 64 PEs fit in 1 KiB, whatever the width of a word.
/// const _: () = assert!(Timeline::words(SMALL) * size_of::<usize>() <= 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Limits {
    /// Processing elements of the machine, 1 to [`Limits::MOST`].
    pub pes: u32,
    /// Reservations held at the same time, 1 to [`Limits::MOST`].
    pub reservations: u32,
}

impl Limits {
    /// The largest limit, 2^30 - 1.
    pub const MOST: u32 = (1 << 30) - 1;

    /// The most slots that a timeline can need: one at either end of each reservation and one
    /// for the present.
    pub const fn slots(self) -> usize {
        (self.reservations as usize).saturating_mul(2).saturating_add(1)
    }
}

/// Limits out of range, or storage too small for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SetupError {
    /// A limit is zero or above [`Limits::MOST`].
    Limits,
    /// The storage has fewer words than are needed.
    StorageTooSmall {
        /// Words that are needed.
        needed: usize,
    },
}

crate::display::error! { SetupError:
    Self::Limits => "a limit is not in 1..={}" (Limits::MOST),
    Self::StorageTooSmall { needed } => "the storage is shorter than {needed} words",
}
