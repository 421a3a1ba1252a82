//! Backfilling in replays: by hand, and against another simulator's schedule of a real log.

use locox::time::{Duration, Instant};
use locox_models::machine::Pool;
use locox_models::replay::{Decisions, Options, Outcome, QueueKind, replay};
use locox_models::swf::{self, Strictness};
use locox_models::workload::{Job, Workload, from_swf_sorted};
use std::collections::HashMap;
use std::path::PathBuf;

/// Submission, processors, requested time, run time.
type Line = (u64, u32, Option<u64>, u64);

fn workload(lines: &[Line]) -> Workload {
    let job = |(id, &(submit, processors, requested, run)): (usize, &Line)| Job {
        id: id as u64,
        line: None,
        submit: Instant::from_ticks(submit),
        processors,
        shape: None,
        memory: 0,
        demand: None,
        run: Duration::from_ticks(run),
        requested: requested.map(Duration::from_ticks),
        user: None,
    };
    let jobs = lines.iter().enumerate().map(job).collect();
    let name = "lines".into();
    Workload { name, jobs, processors: None, notes: vec![], skipped: 0, incomplete: 0 }
}

fn run(workload: &Workload, processors: u32, queue: QueueKind, decisions: Decisions) -> Outcome {
    let options = Options { decisions, points: 0, ..Options::default() };
    let mut queue = queue.queue(workload.jobs.len(), processors);
    replay(workload, &mut Pool::new(processors), &mut *queue, &options).unwrap()
}

fn starts(lines: &[Line], queue: QueueKind, decisions: Decisions) -> Vec<u64> {
    let outcome = run(&workload(lines), 10, queue, decisions);
    outcome.jobs.iter().map(|job| job.start.ticks()).collect()
}

#[test]
fn easy_lets_short_jobs_pass_and_conservative_only_those_that_delay_nobody() {
    let lines = [
        (0, 6, Some(10), 10),
        (0, 10, Some(5), 5),
        (1, 4, Some(9), 9),
        (2, 10, Some(3), 3),
        (3, 4, Some(20), 20),
    ];
    let each = Decisions::EachEvent;
    assert_eq!(starts(&lines, QueueKind::Fcfs, each), [0, 10, 15, 24, 27]);
    assert_eq!(starts(&lines, QueueKind::Easy, each), [0, 10, 1, 15, 18]);
    assert_eq!(starts(&lines, QueueKind::Conservative, each), [0, 10, 1, 15, 18]);
}

#[test]
fn a_job_without_a_requested_time_is_planned_to_run_as_long_as_it_does() {
    let lines = [(0, 6, None, 10), (0, 10, None, 5), (1, 4, None, 9), (2, 4, None, 20)];
    assert_eq!(starts(&lines, QueueKind::Easy, Decisions::EachEvent), [0, 10, 1, 15]);
}

/// EASY takes the first job to end any moment. Conservative backfilling takes it to run for as long again as it
/// has run, and the third job, which is to end by then, passes the second. Nothing happens at 11: a planned
/// start needs no event.
#[test]
fn a_job_beyond_its_request_is_not_killed_and_holds_others_up() {
    let lines = [(0, 6, Some(5), 12), (0, 10, Some(5), 5), (6, 4, Some(5), 5)];
    let starts = |queue| starts(&lines, queue, Decisions::EachEvent);
    assert_eq!(starts(QueueKind::Easy), [0, 12, 17]);
    assert_eq!(starts(QueueKind::Conservative), [0, 16, 11]);
}

/// When the first job ends early, the third moves up to 15, the fourth away from there to 2, and then the third
/// once more.
#[test]
fn the_first_in_line_is_moved_once_more_after_the_others() {
    let lines =
        [(0, 6, Some(20), 2), (0, 4, Some(10), 10), (0, 10, Some(5), 5), (1, 4, Some(5), 5)];
    let started = starts(&lines, QueueKind::Conservative, Decisions::EachEvent);
    assert_eq!(started, [0, 0, 10, 2]);
}

#[test]
fn what_is_to_end_by_its_request_is_free_all_through_the_instant() {
    // At 8, the first job ends as requested, the second early. If the arrival comes before any
    // decision, nothing but the first one's processors is free, and the last job takes them.
    let lines = [(0, 5, Some(8), 8), (0, 5, Some(12), 8), (1, 10, Some(5), 5), (8, 5, Some(4), 4)];
    let easy = |decisions| starts(&lines, QueueKind::Easy, decisions);
    assert_eq!(easy(Decisions::Planned), [0, 0, 12, 8]);
    assert_eq!(easy(Decisions::EachEvent), [0, 0, 8, 13]);
    assert_eq!(easy(Decisions::EachInstant), [0, 0, 8, 13]);
}

#[test]
fn between_two_ends_at_one_instant_a_job_overtakes_unless_decisions_wait_for_both() {
    let lines = [(0, 5, Some(10), 8), (0, 5, Some(12), 8), (1, 10, Some(5), 5), (2, 5, Some(2), 2)];
    let easy = |decisions| starts(&lines, QueueKind::Easy, decisions);
    assert_eq!(easy(Decisions::EachEvent), [0, 0, 10, 8]);
    assert_eq!(easy(Decisions::EachInstant), [0, 0, 8, 13]);
}

/// When the first of two jobs has ended, the last one fits beside the second, and delays nobody that is promised later; when
/// both have, the third one fits.
#[test]
fn promises_are_moved_after_all_ends_of_an_instant_if_decisions_wait_for_them() {
    let lines =
        [(0, 2, Some(100), 10), (0, 2, Some(100), 10), (1, 4, Some(100), 30), (2, 2, Some(50), 50)];
    let starts = |queue, decisions| -> Vec<u64> {
        let outcome = run(&workload(&lines), 4, queue, decisions);
        outcome.jobs.iter().map(|job| job.start.ticks()).collect()
    };
    for queue in [QueueKind::Conservative, QueueKind::ConservativeAmong(1)] {
        assert_eq!(starts(queue, Decisions::EachEvent), [0, 0, 60, 10], "{queue}");
        assert_eq!(starts(queue, Decisions::EachInstant), [0, 0, 10, 40], "{queue}");
    }
}

/// The jobs of the reference, and the wait of each there.
fn reference() -> Option<(Workload, HashMap<u64, u64>)> {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there is no KTH-SP2-EASY-reference");
        return None;
    };
    let path = PathBuf::from(data).join("traces").join("KTH-SP2-EASY-reference.swf.xz");
    let records = swf::open(&path, Strictness::Strict).unwrap().map(Result::unwrap);
    let waits = records.map(|record| (record.number as u64, record.wait as u64)).collect();
    Some((from_swf_sorted(&path, Strictness::Strict, None).unwrap(), waits))
}

fn same_waits(outcome: &Outcome, waits: &HashMap<u64, u64>) -> usize {
    outcome.jobs.iter().filter(|job| job.wait() == waits[&job.id]).count()
}

#[test]
fn easy_waits_as_long_as_in_an_independent_simulator() {
    let Some((workload, waits)) = reference() else { return };
    let outcome = run(&workload, 100, QueueKind::Easy, Decisions::Planned);
    assert_eq!((outcome.jobs.len(), same_waits(&outcome, &waits)), (28_481, 28_481));
    assert!((outcome.mean_bounded_slowdown - 92.5765).abs() < 0.00005);
    assert!((outcome.mean_wait - 6836.87).abs() < 0.005, "{}", outcome.mean_wait);
}

#[test]
fn easy_that_decides_after_each_single_event_differs_for_a_few_jobs() {
    let Some((workload, waits)) = reference() else { return };
    let outcome = run(&workload, 100, QueueKind::Easy, Decisions::EachEvent);
    assert_eq!(same_waits(&outcome, &waits), 28_472);
    assert!((outcome.mean_wait - 6836.87).abs() < 0.1, "{}", outcome.mean_wait);
}

#[test]
fn easy_that_decides_once_an_instant_differs_for_more_jobs() {
    let Some((workload, waits)) = reference() else { return };
    let outcome = run(&workload, 100, QueueKind::Easy, Decisions::EachInstant);
    let share = same_waits(&outcome, &waits) as f64 / 28_481.0;
    assert!((share - 0.984).abs() < 0.0005, "{share}");
}
