//! Real logs under each queue.

use super::{MUALEM, QUEUES, estimates, list, replayed};
use crate::experiments::Lab;
use crate::failure::Failure;
use crate::report::{Cell, Claim, Table, Verdict};
use locox_models::replay::{Decisions, Outcome};
use locox_models::swf::Strictness;
use locox_models::workload::from_swf;

const KTH: &str = "KTH-SP2-1996-2.1-cln";
const LANL: &str = "LANL-CM5-1994-4.1-cln";

/// A log under each of the queues.
pub(super) struct Log {
    name: &'static str,
    outcomes: Vec<Outcome>,
}

/// `None` without the logs.
pub(super) fn measure(lab: &Lab) -> Result<Option<Vec<Log>>, Failure> {
    let (Some(kth), Some(lanl)) = (lab.trace(KTH), lab.trace(LANL)) else { return Ok(None) };
    let limit = lab.either(Some(10_000), None);
    let mut logs = vec![];
    for (name, path, processors) in [(KTH, kth, 100), (LANL, lanl, 1024)] {
        let workload = from_swf(&path, Strictness::Strict, limit);
        let workload = workload.map_err(|error| Failure::Input(error.to_string()))?;
        let replay = |&queue: &_| replayed(&workload, processors, queue, Decisions::Planned);
        let outcomes: Result<_, _> = lab.parallel(&QUEUES, replay).into_iter().collect();
        logs.push(Log { name, outcomes: outcomes? });
    }
    Ok(Some(logs))
}

pub(super) fn table(logs: &[Log]) -> Table {
    let columns = [
        ("log", "log"),
        ("queue", "queue"),
        ("jobs", "jobs"),
        ("mean_wait_s", "mean wait (s)"),
        ("mean_bounded_slowdown", "slowdown"),
        ("utilisation", "utilisation"),
        ("peak_queue", "most waiting"),
    ];
    let mut table = Table::new("Real logs", &columns);
    for Log { name, outcomes } in logs {
        for outcome in outcomes {
            table.push(vec![
                Cell::text(*name),
                Cell::text(outcome.queue.clone()),
                Cell::Count(outcome.jobs.len() as u64),
                Cell::Number(outcome.mean_wait, 0),
                Cell::Number(outcome.mean_bounded_slowdown, 1),
                Cell::Share(outcome.utilisation),
                Cell::Count(outcome.peak_queue as u64),
            ]);
        }
    }
    table
}

pub(super) fn claims(logs: &[Log], by_model: &[estimates::Row]) -> Vec<Claim> {
    let slowdowns = |log: &Log| -> Vec<f64> {
        log.outcomes.iter().map(|outcome| outcome.mean_bounded_slowdown).collect()
    };
    let kth = logs.iter().find(|log| log.name == KTH).map(slowdowns);
    let all: Vec<(&str, Vec<f64>)> = logs.iter().map(|log| (log.name, slowdowns(log))).collect();
    let told = |(name, slowdowns): &(&str, Vec<f64>)| match slowdowns[..] {
        [fcfs, easy, conservative] => format!(
            "{name}: slowdown {fcfs:.1} first come first served, {easy:.1} EASY, {conservative:.1} \
             conservative."
        ),
        _ => String::new(),
    };
    let evidence = all.iter().map(told).collect::<Vec<_>>().join(" ");
    let ahead = |slowdowns: &[f64]| slowdowns[1] < slowdowns[2];
    let holes = Claim {
        statement: "In the order of arrival (first come, first served) jobs suffer severe \
                    fragmentation; small jobs that fill holes help"
            .into(),
        source: MUALEM.into(),
        verdict: Verdict::of(all.iter().all(|(_, all)| all[1].max(all[2]) < all[0])),
        judged: None,
        evidence: evidence.clone(),
    };
    let sp2 = kth.map(|kth| Claim {
        statement: "For workloads typical of the SP2, EASY is better than conservative".into(),
        source: MUALEM.into(),
        verdict: Verdict::of(ahead(&kth)),
        judged: None,
        evidence: format!("{evidence} The KTH machine is an SP2."),
    });
    let others = Claim {
        statement: "Which of the two is better depends on the workload".into(),
        source: MUALEM.into(),
        verdict: Verdict::of(
            estimates::conservative_is_ahead_somewhere(by_model)
                || !all.iter().all(|(_, all)| ahead(all)),
        ),
        judged: None,
        evidence: format!(
            "EASY has the lower slowdown on {} of {} logs. {}",
            all.iter().filter(|(_, all)| ahead(all)).count(),
            all.len(),
            estimates::told(by_model)
        ),
    };
    list(vec![Some(holes), sp2, Some(others)])
}
