//! Readings of rectangles that stay free for good.
//!
//! The source (Li et al., section 4.2) ends a rectangle where one of its PEs is taken. It does not
//! say how long one lasts that nothing follows, which most do: the list of records is short. The
//! policies that look at durations decide otherwise under each reading.

use locox::reserve::{Candidate, Fit, Policy, Rectangle};
use locox::time::{Duration, Instant};

/// How long a rectangle lasts that stays free for good.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Open {
    /// To the end of time, as in the kernel: of two, the one that begins later is shorter.
    #[default]
    Endless,
    /// Without end: all are equally long, and equally large whatever their PEs, so that of several
    /// the earliest start is taken.
    Infinite,
    /// To the last record, or to the end of the request if that is later.
    LastRecord,
}

/// A policy of the source for which rectangles that stay free for good are equally long, and of
/// equal area whatever their PEs.
pub(super) struct Infinite(pub(super) Fit);

impl Infinite {
    fn read(&self, candidate: &Candidate) -> Candidate {
        let Rectangle { end, .. } = candidate.rectangle;
        if end < Instant::MAX {
            return *candidate;
        }
        // Only the product sees PEs and duration together.
        let pes = match self.0 {
            Fit::PeDurationBest | Fit::PeDurationWorst => u32::MAX,
            _ => candidate.rectangle.pes,
        };
        Candidate { rectangle: Rectangle { begin: Instant::ZERO, end, pes }, ..*candidate }
    }
}

impl Policy for Infinite {
    fn prefers(&self, new: &Candidate, best: &Candidate) -> bool {
        self.0.prefers(&self.read(new), &self.read(best))
    }

    fn takes_first(&self) -> bool {
        self.0.takes_first()
    }
}

/// A policy of the source that reads rectangles as ending at the last record.
pub(super) struct UntilLast {
    pub(super) fit: Fit,
    /// The time of the last record.
    pub(super) last: Instant,
    /// That of the request.
    pub(super) duration: Duration,
}

impl UntilLast {
    fn read(&self, candidate: &Candidate) -> Candidate {
        let least = candidate.start.saturating_add(self.duration);
        let end = candidate.rectangle.end.min(self.last.max(least));
        Candidate { rectangle: Rectangle { end, ..candidate.rectangle }, ..*candidate }
    }
}

impl Policy for UntilLast {
    fn prefers(&self, new: &Candidate, best: &Candidate) -> bool {
        self.fit.prefers(&self.read(new), &self.read(best))
    }

    fn takes_first(&self) -> bool {
        self.fit.takes_first()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(start: u64, begin: u64, end: u64, pes: u32) -> Candidate {
        let at = Instant::from_ticks;
        Candidate { start: at(start), rectangle: Rectangle { begin: at(begin), end: at(end), pes } }
    }

    #[test]
    fn infinite_rectangles_are_equal_but_for_their_pes_alone() {
        let (early, late) = (candidate(5, 0, u64::MAX, 2), candidate(9, 8, u64::MAX, 7));
        let closed = candidate(7, 0, 1000, 9);
        for fit in Fit::ALL {
            let by_pes = fit == Fit::PeWorst;
            assert_eq!(Infinite(fit).prefers(&late, &early), by_pes, "{fit:?}");
        }
        assert!(Infinite(Fit::DurationBest).prefers(&closed, &early));
        assert!(!Infinite(Fit::PeDurationWorst).prefers(&closed, &early));
        assert!(Fit::DurationBest.prefers(&late, &early));
    }

    #[test]
    fn an_open_rectangle_ends_at_the_last_record_but_holds_the_request() {
        let until_last = |fit| UntilLast {
            fit,
            last: Instant::from_ticks(100),
            duration: Duration::from_ticks(10),
        };
        let open = candidate(60, 50, u64::MAX, 4); // read as 50 to 100: 200
        let late = candidate(95, 95, u64::MAX, 4); // read as 95 to 105: 40
        let closed = candidate(10, 0, 90, 3); // 270
        assert!(until_last(Fit::DurationWorst).prefers(&closed, &open));
        assert!(until_last(Fit::PeDurationWorst).prefers(&closed, &open));
        assert!(until_last(Fit::DurationBest).prefers(&late, &closed));
        assert!(!until_last(Fit::PeDurationBest).prefers(&open, &late));
        assert!(!Fit::PeDurationWorst.prefers(&closed, &open));
    }
}
