//! Why a record is not taken.

locox::ground::errors! {
    /// Why a record is not taken.
    pub enum BadRecord {
        /// The words are no record of that kind.
        NoRecord => "the words are no record",
        /// It is of another version.
        OtherVersion => "the record is of another version",
        /// A word is not what was written, or it is of a coordinator of another identity.
        Damaged => "the record is damaged, or of another coordinator",
        /// A command is missing before it: that of the number `next`.
        OutOfTurn { next: u64 } => "a record is missing: the next is number {next}",
        /// It is whole, but its contents contradict themselves or the state: a forgery, or a defect of
        /// this crate.
        Contradiction(what: &'static str) => "the record contradicts itself: {what}",
    }
}
