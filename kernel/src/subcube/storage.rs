//! How much storage a pool needs.

use super::Strategy;
use super::lease::Ledger;
use super::service::Service;
use crate::cube::Dim;

/// Words of storage for a pool of an n-cube under strategy `T`; more than there can be above
/// [`Dim::MAX`].
///
/// ```
/// use locox::bits::Word;
/// use locox::subcube::{Buddy, words};
/// assert!(words::<Buddy>(10) * size_of::<Word>() < 7 * 1024);
/// ```
pub const fn words<T: Strategy>(dims: u8) -> usize {
    match Dim::new(dims) {
        Some(dims) => T::STARTS.row(dims).words + Ledger::words(dims) + Service::words(dims),
        None => usize::MAX,
    }
}
