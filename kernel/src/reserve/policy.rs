//! Which of the feasible starts a request gets: seven policies, or the caller's.
//!
//! Source: Li et al., section 5. There the findings are that `PeWorst` accepts most requests and
//! that `FirstFit` makes accepted ones wait least.

use super::candidate::Candidate;

/// A rule that says which of two feasible starts is the better one.
///
/// A policy of the caller's own sees each feasible candidate with its maximal rectangle, unless it says
/// by one of the other methods that it need not.
pub trait Policy {
    /// Whether `new`, the later start, is to be preferred to `best`, the one preferred before: of all, and
    /// if the choice refuses the best of these, once more of those at which it finds PEs that suit.
    fn prefers(&self, new: &Candidate, best: &Candidate) -> bool;

    /// Whether no later start is ever preferred, so that the search can end with the first.
    fn takes_first(&self) -> bool {
        false
    }

    /// Whether a later start is preferred just if more PEs are free from it on, as
    /// [`prefers`](Policy::prefers) must say too. The search then makes no rectangles and passes over
    /// starts with no more PEs than the best one has. If the choice refuses the best, each with more
    /// than those that suit before it is offered to it.
    fn takes_most_pes(&self) -> bool {
        false
    }
}

/// FF, the earliest feasible start: [`Fit::First`] by itself.
///
/// A program that names no policies but this one and [`PeWorst`] does not link the search that
/// weighs rectangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FirstFit;

impl Policy for FirstFit {
    fn prefers(&self, _: &Candidate, _: &Candidate) -> bool {
        false
    }

    fn takes_first(&self) -> bool {
        true
    }
}

/// PE_W, the start with the most free PEs: [`Fit::PeWorst`] by itself, as [`FirstFit`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PeWorst;

impl Policy for PeWorst {
    fn prefers(&self, new: &Candidate, best: &Candidate) -> bool {
        new.rectangle.pes > best.rectangle.pes
    }

    fn takes_most_pes(&self) -> bool {
        true
    }
}

/// The policies of the paper; of equal candidates each takes the earliest.
///
/// ```
/// use locox::reserve::{Candidate, Fit, Policy, Rectangle};
/// use locox::time::Instant;
/// let at = |start, begin, end, pes| Candidate {
///     start: Instant::from_ticks(start),
///     rectangle: Rectangle {
///         begin: Instant::from_ticks(begin),
///         end: Instant::from_ticks(end),
///         pes,
///     },
/// };
/// let (tall, long) = (at(10, 10, 20, 8), at(30, 20, 90, 2));
/// assert!(!Fit::PeWorst.prefers(&long, &tall));
/// assert!(Fit::DurationWorst.prefers(&long, &tall));
/// assert!(Fit::PeDurationWorst.prefers(&long, &tall)); // 140 against 80
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fit {
    /// FF: the earliest feasible start.
    First,
    /// PE_B: the fewest free PEs.
    PeBest,
    /// PE_W: the most free PEs.
    PeWorst,
    /// Du_B: the shortest rectangle.
    DurationBest,
    /// Du_W: the longest rectangle.
    DurationWorst,
    /// PEDu_B: the smallest product of PEs and duration.
    PeDurationBest,
    /// PEDu_W: the largest product of PEs and duration.
    PeDurationWorst,
}

impl Fit {
    /// All seven, in the order of the paper.
    pub const ALL: [Self; 7] = [
        Self::First,
        Self::PeBest,
        Self::PeWorst,
        Self::DurationBest,
        Self::DurationWorst,
        Self::PeDurationBest,
        Self::PeDurationWorst,
    ];

    /// The name that the paper uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::First => "FF",
            Self::PeBest => "PE_B",
            Self::PeWorst => "PE_W",
            Self::DurationBest => "Du_B",
            Self::DurationWorst => "Du_W",
            Self::PeDurationBest => "PEDu_B",
            Self::PeDurationWorst => "PEDu_W",
        }
    }
}

impl Policy for Fit {
    fn prefers(&self, new: &Candidate, best: &Candidate) -> bool {
        let (new, best) = (&new.rectangle, &best.rectangle);
        match self {
            Self::First => false,
            Self::PeBest => new.pes < best.pes,
            Self::PeWorst => new.pes > best.pes,
            Self::DurationBest => new.duration() < best.duration(),
            Self::DurationWorst => new.duration() > best.duration(),
            Self::PeDurationBest => new.area() < best.area(),
            Self::PeDurationWorst => new.area() > best.area(),
        }
    }

    fn takes_first(&self) -> bool {
        *self == Self::First
    }

    fn takes_most_pes(&self) -> bool {
        *self == Self::PeWorst
    }
}
