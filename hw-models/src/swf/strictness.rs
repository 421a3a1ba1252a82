//! What becomes of the bad lines of a file.

/// What to do with a bad line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Stop with an error that names the place.
    #[default]
    Strict,
    /// Skip the line and count it. A million bad lines in a row are an error.
    Lenient,
}

/// So many bad lines in a row end a file that is read leniently: a pipe of them need not end.
pub(crate) const MOST_IN_A_ROW: u64 = 1_000_000;

#[derive(Debug)]
pub(crate) struct BadLines<E> {
    strictness: Strictness,
    in_a_row: u64,
    skipped: u64,
    first: Option<E>,
}

impl<E> BadLines<E> {
    pub(crate) fn new(strictness: Strictness) -> Self {
        Self { strictness, in_a_row: 0, skipped: 0, first: None }
    }

    /// A line in between was good.
    pub(crate) fn good(&mut self) {
        self.in_a_row = 0;
    }

    /// One more line is bad; `last` makes the error of the last one in a row.
    ///
    /// # Errors
    ///
    /// This one, if none is skipped or there were too many in a row.
    pub(crate) fn bad(&mut self, error: E, last: impl FnOnce(E) -> E) -> Result<(), E> {
        if self.strictness == Strictness::Strict {
            return Err(error);
        }
        self.in_a_row += 1;
        if self.in_a_row == MOST_IN_A_ROW {
            return Err(last(error));
        }
        self.skipped += 1;
        self.first.get_or_insert(error);
        Ok(())
    }

    pub(crate) fn skipped(&self) -> u64 {
        self.skipped
    }

    /// What was wrong with the first one skipped.
    pub(crate) fn first(&self) -> Option<&E> {
        self.first.as_ref()
    }

    /// How many were skipped, and the first.
    pub(crate) fn into_parts(self) -> (u64, Option<E>) {
        (self.skipped, self.first)
    }
}
