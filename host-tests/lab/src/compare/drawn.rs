//! What intervals rest on, or why there are none.

use serde::Serialize;

/// What draws are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// Of a model.
    Replications,
    /// So many of a trace, anew.
    Weeks(usize),
}

impl Drawn {
    /// Of how many independent things they are.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Replications => 1,
            Self::Weeks(count) => count,
        }
    }
}

/// Why there is no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The machine is saturated, so that weeks are not independent.
    Saturated,
    /// The trace has too few whole weeks.
    TooShort,
    /// There are too few draws.
    TooFewDraws,
    /// Weeks hang together, or what was recorded lies beyond what they give in other orders.
    OrderMatters,
}

impl Reason {
    pub fn told(self) -> &'static str {
        match self {
            Self::Saturated => "no interval: saturated",
            Self::TooShort => "no interval: too short",
            Self::TooFewDraws => "no interval: too few draws",
            Self::OrderMatters => "no interval: the order of the weeks matters",
        }
    }
}
