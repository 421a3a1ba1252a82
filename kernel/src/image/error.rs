//! Why an image is not taken.

use crate::invariant::InvariantViolation;

crate::display::errors! {
    /// Why an image is not taken.
    pub enum BadImage {
        /// The words are no image.
        NoImage => "the words are no image",
        /// The words end too early.
        TooShort => "the image ends too early",
        /// A word is not what was written.
        Damaged => "the image is damaged",
        /// It is of another kind of structure.
        OtherKind => "the image is of another kind of structure",
        /// It is of another version.
        OtherVersion => "the image is of another version",
        /// It is of another pool.
        OtherPool => "the image is of another pool",
        /// It is of another configuration.
        OtherConfiguration => "the image is of another configuration",
        /// It is of another size than the storage.
        OtherSize => "the image is of another size than the storage",
        /// It is whole, but its contents contradict each other: a forgery, or a defect of this crate.
        Contradiction(what: &'static str) => "the image contradicts itself: {what}",
    }
}

impl BadImage {
    /// Its contents break an invariant.
    pub(crate) const fn broken(violation: InvariantViolation) -> Self {
        Self::Contradiction(violation.0)
    }
}
