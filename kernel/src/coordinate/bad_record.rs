//! Why a record is not taken.

/// Why a record is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum BadRecord {
    /// The words are no record of that kind.
    NoRecord,
    /// It is of another version.
    OtherVersion,
    /// A word is not what was written, or it is of a coordinator of another identity.
    Damaged,
    /// A command is missing before it.
    OutOfTurn {
        /// The number of the command that is next.
        next: u64,
    },
    /// It is whole, but its contents contradict themselves or the state: a forgery, or a defect of
    /// this crate.
    Contradiction(&'static str),
}

crate::display::error! { BadRecord:
    Self::NoRecord => "the words are no record",
    Self::OtherVersion => "the record is of another version",
    Self::Damaged => "the record is damaged, or of another coordinator",
    Self::OutOfTurn { next } => "a record is missing: the next is number {next}",
    Self::Contradiction(what) => "the record contradicts itself: {what}",
}
