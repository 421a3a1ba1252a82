//! The rules of Li et al., *Resource availability-aware advance reservation for parallel jobs
//! with deadlines*, each in a test: the list of records and the worked example of section 4, the
//! candidate starts, the maximal rectangles, the policies of section 5.

use locox::bits::{BitSet, Word};
use locox::handle::PoolId;
use locox::reserve::{
    Candidate, Fit, Interval, Limits, Lowest, Rectangle, Refusal, Request, ReservationId, Timeline,
};
use locox::time::{Duration, Instant};
use std::ops::Range;

// Figure 1 names instants and no numbers; these keep its order: t4 - t2 is the duration, t5 is
// t3 and t6 and t7 are t8 and t9 with the duration added or taken away.
const T: [u64; 11] = [0, 10, 20, 30, 35, 45, 55, 60, 70, 75, 90];

/// N, and the PEs of the three jobs: n1 of job 1, n2 of job 2, n3 of job 3.
const N: u32 = 10;
const JOB_1: Range<u32> = 0..4;
const JOB_2: Range<u32> = 4..7;
const JOB_3: Range<u32> = 5..10;

type Example = Timeline<Vec<Word>>;

fn at(ticks: u64) -> Instant {
    Instant::from_ticks(ticks)
}

fn interval(start: u64, end: u64) -> Interval {
    Interval { start: at(start), end: at(end) }
}

fn set(pes: Range<u32>) -> BitSet<[Word; 1]> {
    let mut set = BitSet::empty([0], N).unwrap();
    set.insert_range(pes.start, pes.end - pes.start).unwrap();
    set
}

fn empty() -> Example {
    let limits = Limits { pes: N, reservations: 10 };
    Timeline::new(PoolId(0), limits, vec![0; Timeline::words(limits)]).unwrap()
}

/// Two running jobs and a reserved one, at t0.
fn figure_1() -> (Example, [ReservationId; 3]) {
    let mut timeline = empty();
    let jobs = [
        timeline.add(interval(T[0], T[3]), &set(JOB_1)).unwrap(),
        timeline.add(interval(T[0], T[1]), &set(JOB_2)).unwrap(),
        timeline.add(interval(T[8], T[10]), &set(JOB_3)).unwrap(),
    ];
    (timeline, jobs)
}

/// The new request, for n = n1 PEs.
fn request() -> Request {
    Request::new(at(T[2]), Duration::from_ticks(T[4] - T[2]), 4).by(at(T[9]))
}

/// The records {time, busy PEs}.
fn records(timeline: &Example) -> Vec<(u64, Vec<u32>)> {
    let mut pes = set(0..0);
    timeline
        .slots()
        .map(|slot| {
            timeline.busy_pes(slot.time, &mut pes).unwrap();
            assert_eq!(pes.count(), slot.busy);
            (slot.time.ticks(), pes.iter().collect())
        })
        .collect()
}

fn candidates(timeline: &Example, request: &Request) -> Vec<Candidate> {
    timeline.candidates(request, &mut set(0..0)).unwrap().collect()
}

fn rectangle(begin: u64, end: u64, pes: u32) -> Rectangle {
    Rectangle { begin: at(begin), end: at(end), pes }
}

#[test]
fn the_records_of_figure_1_are_those_of_the_text() {
    let (timeline, _) = figure_1();
    let both = (JOB_1.start..JOB_2.end).collect();
    assert_eq!(
        records(&timeline),
        [
            (T[0], both),
            (T[1], JOB_1.collect()),
            (T[3], vec![]),
            (T[8], JOB_3.collect()),
            (T[10], vec![]),
        ]
    );
}

#[test]
fn step_1_the_candidate_starts_are_t2_t3_t6_and_t7() {
    let (timeline, _) = figure_1();
    let starts: Vec<_> =
        candidates(&timeline, &request()).iter().map(|c| c.start.ticks()).collect();
    assert_eq!(starts, [T[2], T[3], T[6], T[7]]);
}

#[test]
fn step_2_the_maximal_rectangles_are_those_of_the_text() {
    let (timeline, _) = figure_1();
    let open = Instant::MAX.ticks();
    let rectangles: Vec<_> =
        candidates(&timeline, &request()).iter().map(|c| c.rectangle).collect();
    assert_eq!(
        rectangles,
        [
            rectangle(T[1], T[8], N - 4),
            rectangle(T[3], T[8], N),
            rectangle(T[3], T[8], N),
            // The text says "in this way" of t7: job 3's PEs are left out, the others are free
            // from t3 on for good.
            rectangle(T[3], open, N - 5),
        ]
    );
}

#[test]
fn step_3_pe_worst_fit_takes_t3_and_the_record_of_t3_is_merged() {
    let (mut timeline, _) = figure_1();
    let (id, placement) = timeline.reserve(&request(), &Fit::PeWorst, &Lowest).unwrap();
    assert_eq!(placement, interval(T[3], T[5]));
    assert!(timeline.pes_of(id).unwrap().iter().eq(JOB_1), "n PEs of t3 are the n1 PEs of t1");
    let both = (JOB_1.start..JOB_2.end).collect();
    assert_eq!(
        records(&timeline),
        [
            (T[0], both),
            (T[1], JOB_1.collect()),
            (T[5], vec![]),
            (T[8], JOB_3.collect()),
            (T[10], vec![]),
        ]
    );
}

#[test]
fn step_4_when_job_2_has_finished_the_four_records_of_the_text_remain() {
    let (mut timeline, [_, job_2, _]) = figure_1();
    timeline.reserve(&request(), &Fit::PeWorst, &Lowest).unwrap();
    timeline.advance(at(T[1])).unwrap();
    let remaining =
        [(T[1], JOB_1.collect()), (T[5], vec![]), (T[8], JOB_3.collect()), (T[10], vec![])];
    assert_eq!(records(&timeline), remaining);
    // Job 2's reservation is over by itself.
    assert!(timeline.cancel(job_2).is_err());
}

#[test]
fn step_4_before_its_end_deleting_job_2_merges_the_record_of_t1() {
    let (mut timeline, [_, job_2, _]) = figure_1();
    timeline.cancel(job_2).unwrap();
    let expected =
        [(T[0], JOB_1.collect()), (T[3], vec![]), (T[8], JOB_3.collect()), (T[10], vec![])];
    assert_eq!(records(&timeline), expected);
}

#[test]
fn each_policy_takes_the_start_that_section_5_says() {
    let (timeline, _) = figure_1();
    let expected = [
        (Fit::First, T[2]),           // the earliest
        (Fit::PeBest, T[7]),          // 5 PEs
        (Fit::PeWorst, T[3]),         // 10 PEs; t6 has the same rectangle and is later
        (Fit::DurationBest, T[3]),    // 40 ticks; so has t6
        (Fit::DurationWorst, T[7]),   // for good
        (Fit::PeDurationBest, T[2]),  // 6 * 60 against 10 * 40
        (Fit::PeDurationWorst, T[7]), // for good
    ];
    assert_eq!(expected.map(|(fit, _)| fit), Fit::ALL);
    for (fit, start) in expected {
        let placement = timeline.find(&request(), &fit, &Lowest, &mut set(0..0)).unwrap();
        assert_eq!(placement.start, at(start), "{}", fit.name());
    }
}

#[test]
fn of_equal_rectangles_the_earliest_feasible_start_is_taken() {
    let timeline = empty();
    let request = Request::new(at(5), Duration::from_ticks(10), 3).by(at(40));
    // Ready time and latest start, both with the same rectangle.
    assert_eq!(candidates(&timeline, &request).len(), 2);
    for fit in Fit::ALL {
        let placement = timeline.find(&request, &fit, &Lowest, &mut set(0..0)).unwrap();
        assert_eq!(placement.start, at(5), "{}", fit.name());
    }
}

#[test]
fn in_an_empty_list_the_job_starts_at_its_ready_time() {
    let mut timeline = empty();
    let (id, placement) = timeline.reserve(&request(), &Fit::PeBest, &Lowest).unwrap();
    assert_eq!(placement.start, at(T[2]));
    assert!(timeline.pes_of(id).unwrap().iter().eq(0..4));
}

#[test]
fn an_immediate_deadline_leaves_one_candidate() {
    let (timeline, _) = figure_1();
    let request = request().by(at(T[4]));
    assert_eq!(candidates(&timeline, &request).len(), 1);
    let all = Request { pes: N, ..request };
    let refused = timeline.find(&all, &Fit::First, &Lowest, &mut set(0..0));
    assert_eq!(refused, Err(Refusal::Late { finish: at(T[3] + 15) }.into()));
}

#[test]
fn adding_and_deleting_leave_no_redundant_record() {
    let mut timeline = empty();
    let first = timeline.add(interval(10, 20), &set(0..3)).unwrap();
    let second = timeline.add(interval(20, 30), &set(0..3)).unwrap();
    let third = timeline.add(interval(20, 30), &set(3..5)).unwrap();
    assert_eq!(timeline.slots().count(), 4);
    timeline.cancel(third).unwrap();
    assert_eq!(records(&timeline), [(0, vec![]), (10, vec![0, 1, 2]), (30, vec![])]);
    timeline.cancel(first).unwrap();
    assert_eq!(records(&timeline), [(0, vec![]), (20, vec![0, 1, 2]), (30, vec![])]);
    timeline.cancel(second).unwrap();
    assert_eq!(records(&timeline), [(0, vec![])]);
}
