//! What intervals rest on, or why there are none.

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
    pub const fn count(self) -> usize {
        match self {
            Self::Replications => 1,
            Self::Weeks(count) => count,
        }
    }
}

/// Why there is no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// In data.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Saturated => "saturated",
            Self::TooShort => "too-short",
            Self::TooFewDraws => "too-few-draws",
            Self::OrderMatters => "order-matters",
        }
    }

    /// For people.
    pub const fn told(self) -> &'static str {
        match self {
            Self::Saturated => "saturated",
            Self::TooShort => "too short",
            Self::TooFewDraws => "too few draws",
            Self::OrderMatters => "the order of the weeks matters",
        }
    }
}
