//! What is asked of a timeline, and where it is placed.

use crate::time::{Duration, Instant};

crate::data::data! {
    /// A rigid request: `pes` PEs at once for `duration`, not before `ready`, done by `deadline`.
    ///
    /// The deadline is *immediate* if it is `ready + duration`, else *general*; without one the
    /// request can wait for ever. Source: Li et al., section 3.
    ///
    /// ```
    /// use locox::reserve::Request;
    /// use locox::time::{Duration, Instant};
    /// let (ready, duration) = (Instant::from_ticks(20), Duration::from_ticks(10));
    /// let request = Request::new(ready, duration, 4).by(Instant::from_ticks(90));
    /// assert_eq!(request.deadline, Some(Instant::from_ticks(90)));
    /// ```
    pub struct Request {
        /// The earliest start. An instant in the past means the present, but what makes no sense as it is
        /// written, as a deadline before this and the duration, is a misuse.
        pub ready: Instant,
        /// How long the PEs are needed.
        pub duration: Duration,
        /// The latest finish.
        pub deadline: Option<Instant>,
        /// How many PEs.
        pub pes: u32,
    }

    /// From when to when a request is placed.
    pub struct Interval {
        /// The first instant.
        pub start: Instant,
        /// The first instant after it.
        pub end: Instant,
    }
}

impl Request {
    /// A request without a deadline.
    pub const fn new(ready: Instant, duration: Duration, pes: u32) -> Self {
        Self { ready, duration, deadline: None, pes }
    }

    /// The request, with a deadline.
    pub const fn by(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }
}

crate::display::display! { Interval: it => "{}..{}" (it.start, it.end) }

impl Interval {
    /// All of time.
    pub(crate) const ALWAYS: Self = Self { start: Instant::ZERO, end: Instant::MAX };

    /// That of a job whose time cannot be told.
    pub(crate) const PARKED: Self = Self { start: Instant::MAX, end: Instant::MAX };

    /// No time at all.
    pub(crate) const NEVER: Self = Self { start: Instant::ZERO, end: Instant::ZERO };
}
