//! What outages did to a replay.

use locox::time::Instant;

/// What outages did. Processors times ticks count from the first arrival to the last end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutageFigures {
    /// Runs that an outage ended.
    pub failed_runs: u64,
    /// Jobs that started more than once.
    pub restarted: u64,
    /// What failed runs had had when they failed, in processors asked for times ticks.
    pub lost: f64,
    /// What was out of service, in processors times ticks.
    pub out_of_service: f64,
    /// Utilisation of what served: work of the runs that did not fail, as a share of what processors in
    /// service could have done.
    pub utilisation: f64,
}

/// What is noted of outages under way.
///
/// - `levels` has an entry for each change of the number of processors out of service, by time.
#[derive(Clone, Debug, Default)]
pub(super) struct OutageTally {
    pub(super) failed_runs: u64,
    pub(super) restarted: u64,
    pub(super) lost: f64,
    pub(super) levels: Vec<(Instant, u32)>,
}

impl OutageTally {
    /// Processors out of service at the end.
    pub(super) fn out(&self) -> u32 {
        self.levels.last().map_or(0, |&(_, out)| out)
    }

    /// Processors times ticks out of service between two instants.
    fn out_of_service(&self, start: Instant, finish: Instant) -> f64 {
        let ends = self.levels.iter().skip(1).map(|&(at, _)| at).chain([finish]);
        let spans = self.levels.iter().zip(ends).map(|(&(from, out), to)| {
            let (from, to) = (from.max(start), to.min(finish));
            f64::from(out) * to.since(from).unwrap_or_default().ticks() as f64
        });
        spans.sum()
    }

    /// The figures of a replay in which so much work was done, between two instants, of what the whole
    /// machine could have done.
    pub(super) fn figures(
        &self,
        (start, finish): (Instant, Instant),
        work: f64,
        capacity: f64,
    ) -> OutageFigures {
        let &Self { failed_runs, restarted, lost, .. } = self;
        let out_of_service = self.out_of_service(start, finish);
        let served = capacity - out_of_service;
        let utilisation = if served > 0.0 { work / served } else { 0.0 };
        OutageFigures { failed_runs, restarted, lost, out_of_service, utilisation }
    }
}
