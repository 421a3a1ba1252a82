//! One outage.

use locox::time::Instant;

/// Processors that were out of service for a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// Its line in the file.
    pub line: Option<u64>,
    /// When it was announced, if that is known.
    pub announced: Option<Instant>,
    /// When it began.
    pub start: Instant,
    /// When it ended; `None`: never.
    pub end: Option<Instant>,
    /// The number of its type, if that is known.
    pub kind: Option<u32>,
    /// Processors that were out of service.
    pub processors: u32,
    /// The numbers of these, from 0; empty if they are not known.
    pub nodes: Vec<u32>,
}

impl Outage {
    /// An outage of so many processors, it is not known which.
    ///
    /// ```
    /// use locox::time::Instant;
    /// use locox_models::outages::Outage;
    /// let at = Instant::from_ticks;
    /// let outage = Outage::of(4, at(10), Some(at(20)));
    /// assert_eq!((outage.processors, outage.nodes.len()), (4, 0));
    /// ```
    pub const fn of(processors: u32, start: Instant, end: Option<Instant>) -> Self {
        Self { line: None, announced: None, start, end, kind: None, processors, nodes: vec![] }
    }

    /// When it was announced, if that was before it began, with its nodes and its end.
    pub fn known_ahead(&self) -> Option<Instant> {
        let is_known = self.end.is_some() && !self.nodes.is_empty();
        self.announced.filter(|&at| is_known && at < self.start)
    }
}
