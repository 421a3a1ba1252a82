//! What an enumeration counts.

use std::fmt::{self, Display};

/// How much was looked at, and what was wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States, histories or inputs, each of them different.
    pub states: u64,
    /// Answers that were compared.
    pub operations: u64,
    /// Those that were wrong.
    pub violations: u64,
    /// What the first one was.
    pub first: Option<String>,
}

impl Counts {
    /// An operation was carried out in a state; what it led to, if that was right.
    pub fn judge<T, E: Display>(
        &mut self,
        state: impl FnOnce() -> String,
        answer: Result<T, E>,
    ) -> Option<T> {
        self.operations += 1;
        if let Err(why) = &answer {
            self.violations += 1;
            self.first.get_or_insert_with(|| format!("{}: {why}", state()));
        }
        answer.ok()
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            states: self.states + other.states,
            operations: self.operations + other.operations,
            violations: self.violations + other.violations,
            first: self.first.or(other.first),
        }
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { states, operations, violations, .. } = self;
        write!(f, "{states} states, {operations} operations, {violations} violations")
    }
}
