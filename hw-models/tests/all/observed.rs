//! Replays of which observers are told: the same figures and jobs as those of a list.

use locox::time::{Duration, Instant};
use locox_models::machine::Pool;
use locox_models::outages::Outage;
use locox_models::replay::{
    JobRecord, Observer, Options, Order, Outcome, QueueKind, ReplayError, replay, replay_observed,
};
use locox_models::swf::Strictness;
use locox_models::workload::Workload;
use locox_models::workload::lublin::{Kind, Lublin};
use std::ops::ControlFlow;

const PROCESSORS: u32 = 64;

/// Jobs of which more wait at once than a queue has entries for at first.
fn jobs() -> Workload {
    let recipe =
        Lublin { kind: Kind::All, jobs: 6_000, processors: PROCESSORS, estimates: Some(2.0) };
    let mut workload = recipe.generate(5, 0).unwrap();
    workload.scale_load(2.0 / workload.offered_load(PROCESSORS).unwrap()).unwrap();
    workload.jobs[0].processors = PROCESSORS + 1;
    workload.jobs[70].processors = u32::MAX;
    for (user, job) in (0..7).cycle().zip(&mut workload.jobs) {
        job.user = Some(user);
    }
    workload
}

/// Keeps all, up to so many.
pub(super) struct Keep(pub(super) Vec<JobRecord>, pub(super) usize);

impl Observer for Keep {
    fn job(&mut self, record: &JobRecord) -> ControlFlow<()> {
        self.0.push(record.clone());
        if self.0.len() == self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

pub(super) fn observed(
    workload: &Workload,
    queue: QueueKind,
    options: &Options<'_>,
    keep: &mut Keep,
) -> Result<Option<Outcome>, ReplayError> {
    let mut line = queue.queue(workload.jobs.len(), PROCESSORS);
    let (mut jobs, mut pool) = (workload.jobs.iter().cloned(), Pool::new(PROCESSORS));
    replay_observed(&workload.name, &mut jobs, &mut pool, &mut *line, options, &mut [keep])
}

#[test]
fn the_jobs_and_all_figures_are_those_of_a_list() {
    let workload = jobs();
    let last = workload.jobs.last().unwrap().submit.ticks();
    let at = |part: u64| Instant::from_ticks(last / 20 * part);
    let outages = [
        Outage::of(40, at(2), Some(at(9))),
        Outage::of(10, at(6), Some(at(13))),
        Outage::of(64, at(14), Some(at(15))),
    ];
    let cases = [
        (QueueKind::Fcfs, Order::Arrival, 0),
        (QueueKind::ScanDown, Order::Arrival, 2),
        (QueueKind::Lazy, Order::FairShare, 0),
        (QueueKind::Easy, Order::Arrival, 0),
        (QueueKind::Easy, Order::Shortest, 3),
        (QueueKind::Easy, Order::FairShare, 1),
        (QueueKind::ConservativeAmong(9), Order::Arrival, 3),
    ];
    let mut longest = 0;
    for (queue, order, outages_of) in cases {
        let options = Options {
            strictness: Strictness::Lenient,
            allocations: true,
            points: 33,
            order,
            outages: &outages[..outages_of],
            decisions: queue.decisions(),
            ..Options::default()
        };
        let mut line = queue.queue(workload.jobs.len(), PROCESSORS);
        let mut pool = Pool::new(PROCESSORS);
        let mut listed = replay(&workload, &mut pool, &mut *line, &options).unwrap();
        let mut keep = Keep(vec![], usize::MAX);
        let outcome = observed(&workload, queue, &options, &mut keep).unwrap().unwrap();
        assert_eq!(listed.rejected, 2);
        longest = longest.max(listed.peak_queue);
        assert_eq!(keep.0, std::mem::take(&mut listed.jobs), "{queue} {order}");
        // Which users are the lighter ones is known of a list alone.
        assert!(outcome.users.is_none() && listed.users.take().is_some(), "{queue} {order}");
        assert_eq!(outcome, listed, "{queue} {order}");
    }
    assert!(longest > 1_024, "{longest}: a queue has to grow");
}

#[test]
fn a_replay_without_jobs_has_an_outcome_and_one_that_is_broken_off_has_none() {
    let mut workload = jobs();
    let mut keep = Keep(vec![], 100);
    let easy = QueueKind::Easy;
    assert_eq!(observed(&workload, easy, &Options::default(), &mut keep), Ok(None));
    assert_eq!(keep.0.len(), 100);
    workload.jobs.clear();
    let outcome = observed(&workload, easy, &Options::default(), &mut keep).unwrap().unwrap();
    assert_eq!((outcome.ran, outcome.events, outcome.mean_wait), (0, 0, 0.0));
    assert_eq!((outcome.wait_curve.len(), outcome.series.len()), (0, 0));
}

#[test]
fn a_job_that_would_end_beyond_time_is_told_as_in_a_list() {
    let mut workload = jobs();
    workload.jobs[9].run = Duration::MAX;
    let options = Options { strictness: Strictness::Lenient, ..Options::default() };
    let mut line = QueueKind::Fcfs.queue(workload.jobs.len(), PROCESSORS);
    let listed = replay(&workload, &mut Pool::new(PROCESSORS), &mut *line, &options);
    let mut keep = Keep(vec![], usize::MAX);
    let observed = observed(&workload, QueueKind::Fcfs, &options, &mut keep);
    assert_eq!(observed.unwrap_err(), listed.unwrap_err());
}
