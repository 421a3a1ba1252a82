//! Why a store does not do it.

use core::fmt;
use locox::image::BadImage;
use locox_coordinators::coordinate::BadRecord;

/// Why a store does not do it. `E` is what its medium says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreError<E> {
    /// The medium failed.
    Medium(E),
    /// There is no image: nothing was ever formatted, or that was cut.
    NoImage,
    /// The image is not of this coordinator, or damaged.
    Image(BadImage),
    /// A record is whole, but not one that can follow.
    Record(BadRecord),
    /// A record was durable and is damaged; others follow it.
    Damaged,
    /// There is no room for an image and a record, twice.
    TooSmall,
    /// The flash does not write in parts of 64 bytes.
    Geometry,
    /// Somebody else recovered or formatted the same flash, or wrote to it. Every later call fails too, until
    /// this owner recovers the flash. Nothing that it answered is lost.
    OtherOwner,
}

impl<E: fmt::Debug> fmt::Display for StoreError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Medium(error) => write!(f, "the medium failed: {error:?}"),
            Self::NoImage => write!(f, "there is no image: format it first"),
            Self::Image(bad) => write!(f, "{bad}"),
            Self::Record(bad) => write!(f, "{bad}"),
            Self::Damaged => write!(f, "a record before the last is damaged"),
            Self::TooSmall => write!(f, "there is no room for two images with a record each"),
            Self::Geometry => write!(f, "the flash does not write in parts of 64 bytes"),
            Self::OtherOwner => {
                write!(f, "the flash has another owner: stop one of the two, then recover")
            }
        }
    }
}

impl<E: fmt::Debug> core::error::Error for StoreError<E> {}
