//! Why nothing was granted, claimed or changed.

use crate::error::Error;

crate::display::errors! {
    /// The reason of a refusal. The pool is as it was before the request.
    ///
    /// Reasons are tried in this order: the first that holds is given.
    #[derive(Hash)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub enum Refusal {
        /// Never: the table has no such profile. Any other fits an accelerator that is all free.
        NoSuchProfile => "the table has no such profile",
        /// Not until slices are repaired: even with every lease released, each placement of the profile has a
        /// failed or drained slice.
        Faulty => "impossible until slices are repaired",
        /// Not now: the profile takes `needed` slices, and `free` are free.
        TooFewFree { needed: u32, free: u32 } => "too few free slices: {free} of the {needed} needed",
        /// Not now: enough slices are free, but no placement of the profile is.
        Fragmented => "fragmented: no placement of the profile is free",
    }
}

crate::data::data! {
    /// The accelerator has no slice of this number. The call has changed nothing.
    pub struct NoSuchSlice(pub u8);

    /// This slice is leased or out of service. The call has changed nothing.
    pub struct NotFree(pub u8);

    /// The table does not let this profile lie there. The call has changed nothing.
    pub struct NoSuchPlacement;
}

crate::display::error! { NoSuchSlice: it => "the accelerator has no slice {}" (it.0) }

crate::display::error! { NotFree: it => "slice {} is not free" (it.0) }

crate::display::error! { NoSuchPlacement: _ => "the profile has no such placement" }

/// Why slices are not claimed: one is not free, or the table has no such placement. Nothing has changed.
pub type ClaimError = Error<NotFree, NoSuchPlacement>;
