//! Why an image is not taken.

/// Why an image is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BadImage {
    /// The words are no image.
    NoImage,
    /// The words end too early.
    TooShort,
    /// A word is not what was written.
    Damaged,
    /// It is of another kind of structure.
    OtherKind,
    /// It is of another version.
    OtherVersion,
    /// It is of another pool.
    OtherPool,
    /// It is of another configuration.
    OtherConfiguration,
    /// It is of another size than the storage.
    OtherSize,
    /// It is whole, but its contents contradict each other: a forgery, or a defect of this crate.
    Contradiction(&'static str),
}

crate::display::error! { BadImage:
    Self::NoImage => "the words are no image",
    Self::TooShort => "the image ends too early",
    Self::Damaged => "the image is damaged",
    Self::OtherKind => "the image is of another kind of structure",
    Self::OtherVersion => "the image is of another version",
    Self::OtherPool => "the image is of another pool",
    Self::OtherConfiguration => "the image is of another configuration",
    Self::OtherSize => "the image is of another size than the storage",
    Self::Contradiction(what) => "the image contradicts itself: {what}",
}
