//! The real traces, found in `$LOCOX_DATA/traces`. Without that variable these tests pass at once
//! and say so (`cargo test -- --nocapture`).

use locox::cube::Dim;
use locox::time::{Duration, Instant};
use locox_models::machine::{Hypercube, Machine, Pool, StrategyKind};
use locox_models::replay::{JobRecord, Options, Outcome, QueueKind, replay};
use locox_models::stats::mean;
use locox_models::swf::{self, Strictness, SwfErrorKind};
use locox_models::workload::{Workload, from_swf};
use std::path::PathBuf;

/// The path of a trace; `None` and a line that says so if there are no traces.
fn trace(name: &str) -> Option<PathBuf> {
    let Some(data) = std::env::var_os("LOCOX_DATA") else {
        eprintln!("skipped: LOCOX_DATA is not set, so there is no {name}");
        return None;
    };
    Some(PathBuf::from(data).join("traces").join(format!("{name}.swf.xz")))
}

fn strict(name: &str) -> Option<Workload> {
    trace(name).map(|path| from_swf(&path, Strictness::Strict, None).unwrap())
}

fn first_come(workload: &Workload, machine: &mut dyn Machine) -> Outcome {
    let kind = QueueKind::Fcfs;
    let mut queue = kind.queue(workload.jobs.len(), machine.processors());
    let options = Options { decisions: kind.decisions(), ..Options::default() };
    replay(workload, machine, &mut *queue, &options).unwrap()
}

#[test]
fn every_trace_has_the_records_and_processors_that_its_source_states() {
    for (name, records, processors) in [
        ("NASA-iPSC-1993-3.1-cln", 18_239, 128),
        ("LANL-CM5-1994-4.1-cln", 122_060, 1024),
        ("KTH-SP2-1996-2.1-cln", 28_476, 100),
        ("KTH-SP2-EASY-reference", 28_481, 100),
        ("lublin_1024", 20_000, 1024),
        ("lublin_1024_est", 20_000, 1024),
    ] {
        let Some(path) = trace(name) else { return };
        let mut reader = swf::open(&path, Strictness::Strict).unwrap();
        assert_eq!(reader.by_ref().map(Result::unwrap).count(), records, "{name}");
        assert_eq!(reader.header().processors(), Some(processors), "{name}");
    }
}

#[test]
fn the_nasa_log_is_one_of_powers_of_two_without_requested_times() {
    let Some(nasa) = strict("NASA-iPSC-1993-3.1-cln") else { return };
    assert_eq!((nasa.jobs.len(), nasa.skipped, nasa.incomplete), (18_239, 0, 0));
    assert!(nasa.jobs.iter().all(|job| job.processors.is_power_of_two()));
    assert!(nasa.jobs.iter().all(|job| job.requested.is_none()));
    assert!(nasa.notes.contains(&"Acknowledge: Bill Nitzberg".to_owned()));
}

#[test]
fn three_records_of_the_lanl_log_cannot_be_run() {
    let Some(lanl) = strict("LANL-CM5-1994-4.1-cln") else { return };
    assert_eq!((lanl.jobs.len(), lanl.skipped, lanl.incomplete), (122_057, 0, 3));
    let sizes = lanl.jobs.iter().map(|job| job.processors);
    assert!(sizes.clone().all(|size| size.is_power_of_two()));
    assert_eq!((sizes.clone().min(), sizes.max()), (Some(32), Some(1024)));
}

#[test]
fn every_job_of_the_hypercube_log_runs_under_every_strategy() {
    let Some(nasa) = strict("NASA-iPSC-1993-3.1-cln") else { return };
    for kind in StrategyKind::ALL {
        let mut cube = Hypercube::new(Dim::new(7).unwrap(), kind);
        let outcome = first_come(&nasa, &mut cube);
        assert_eq!((outcome.rejected, outcome.events), (0, 2 * 18_239), "{kind}");
        assert!((outcome.utilisation - 0.4661).abs() < 1e-4, "{kind}: {}", outcome.utilisation);
    }
}

/// The log has start times for times of submission: a pool, which knows no fragmentation, lets
/// nearly all jobs start at once. Those that wait show where records of the log overlap.
#[test]
fn a_pool_runs_the_hypercube_log_almost_without_waits() {
    let Some(nasa) = strict("NASA-iPSC-1993-3.1-cln") else { return };
    let mut pool = Pool::new(128);
    let outcome = first_come(&nasa, &mut pool);
    let waited = outcome.jobs.iter().filter(|job| job.wait() > 0).count();
    assert!(waited < nasa.jobs.len() / 100, "{waited}");
}

/// Wait and bounded slowdown as the simulator that made the file reports them.
#[test]
fn the_easy_reference_has_its_published_wait_and_bounded_slowdown() {
    let Some(path) = trace("KTH-SP2-EASY-reference") else { return };
    let jobs = swf::open(&path, Strictness::Strict).unwrap().map(|record| {
        let record = record.unwrap();
        let at = |seconds: i64| Instant::from_ticks(seconds as u64);
        JobRecord {
            id: record.number as u64,
            submit: at(record.submit),
            start: at(record.submit + record.wait),
            finish: at(record.submit + record.wait + record.run),
            processors: record.processors as u32,
            held: record.processors as u32,
            requested: None,
            success: true,
            allocated: None,
            token: None,
            promise: None,
            promised_places: vec![],
        }
    });
    let bound = Duration::from_ticks(10);
    let (waits, slowdowns): (Vec<f64>, Vec<f64>) =
        jobs.map(|job| (job.wait() as f64, job.bounded_slowdown(bound))).unzip();
    assert!((mean(&waits) - 6836.87).abs() < 0.005, "{}", mean(&waits));
    assert!((mean(&slowdowns) - 92.5765).abs() < 0.00005, "{}", mean(&slowdowns));
}

#[test]
fn the_easy_reference_stands_in_order_of_completion_so_it_is_no_workload() {
    let Some(path) = trace("KTH-SP2-EASY-reference") else { return };
    let error = from_swf(&path, Strictness::Strict, None).unwrap_err();
    assert_eq!((error.line, error.column), (Some(16), Some("submit time")));
    assert!(matches!(error.kind, SwfErrorKind::OutOfOrder { submit: 508_960, previous: 534_471 }));
}
