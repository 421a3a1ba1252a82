//! Real logs under each queue.

use super::estimates;
use super::replays::{MUALEM, QUEUES, SLOWDOWN, replayed};
use crate::Lab;
use locox_models::replay::{Decisions, Options, Outcome, QueueKind};
use locox_models::stats::mean;
use locox_models::swf::Strictness;
use locox_models::workload::from_swf;
use locox_report::failure::Failure;
use locox_report::judge::{self, Case, Expected};
use locox_report::report::{Cell, Claim, Table};

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

/// Parts into which a log's jobs are cut, in the order of their arrival. Each is thousands of jobs,
/// weeks of the log, so that what waits at its beginning matters little (batch means).
const PARTS: usize = 10;

impl Log {
    fn outcome(&self, queue: QueueKind) -> &Outcome {
        let at = QUEUES.iter().position(|&other| other == queue).unwrap_or(0);
        &self.outcomes[at]
    }

    /// Mean bounded slowdown of each part.
    fn parts(&self, queue: QueueKind) -> Vec<f64> {
        let bound = Options::default().slowdown_bound;
        let mut jobs: Vec<(u64, f64)> = (self.outcome(queue).jobs.iter())
            .map(|job| (job.id, job.bounded_slowdown(bound)))
            .collect();
        jobs.sort_unstable_by_key(|job| job.0);
        let slowdowns: Vec<f64> = jobs.into_iter().map(|job| job.1).collect();
        let length = (slowdowns.len() / PARTS).max(1);
        slowdowns.chunks_exact(length).map(mean).collect()
    }

    fn case(&self, queue: QueueKind, against: QueueKind) -> Case {
        let parts = self.parts(queue).into_iter().zip(self.parts(against));
        let by = parts.map(|(a, b)| a - b).collect();
        Case::new(format!("{queue} against {against}, {}", self.name), by, Expected::LESS)
    }
}

pub(super) fn claims(logs: &[Log], by_model: &[estimates::Row]) -> Vec<Claim> {
    use QueueKind::{Conservative, Easy, Fcfs};
    let cases = |queue, against| -> Vec<Case> {
        let of_logs = logs.iter().map(|log| log.case(queue, against));
        of_logs.chain(estimates::cases(by_model, queue, against)).collect()
    };
    let holes = [cases(Easy, Fcfs), cases(Conservative, Fcfs)].concat();
    let sp2: Vec<Case> =
        logs.iter().filter(|log| log.name == KTH).map(|log| log.case(Easy, Conservative)).collect();
    let either = cases(Conservative, Easy);
    let evidence = format!(
        "{} Of logs by tenths of the jobs, paired; of the model by replications.",
        logs.iter().map(told).collect::<Vec<_>>().join(" ")
    );
    vec![
        judge::every(&holes, SLOWDOWN).claim(
            "In the order of arrival (first come, first served) jobs suffer severe fragmentation; \
             small jobs that fill holes help",
            MUALEM,
            evidence.clone(),
        ),
        judge::every(&sp2, SLOWDOWN).claim(
            "For workloads typical of the SP2, EASY is better than conservative",
            MUALEM,
            format!("{evidence} The KTH machine is an SP2."),
        ),
        judge::both(&either, SLOWDOWN).claim(
            "Which of the two is better depends on the workload",
            MUALEM,
            format!("{evidence} {}.", estimates::told(&either)),
        ),
    ]
}

fn told(log: &Log) -> String {
    let [fcfs, easy, conservative] = QUEUES.map(|queue| log.outcome(queue).mean_bounded_slowdown);
    format!(
        "{}: slowdown {fcfs:.1} first come first served, {easy:.1} EASY, {conservative:.1} \
         conservative.",
        log.name
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Lab};
    use locox_models::workload::lublin::{Kind, Lublin};
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, Holds};

    /// Jobs of the model in place of a log: each queue replaced by another changes each verdict.
    #[test]
    fn every_verdict_can_fail() {
        let recipe = Lublin { kind: Kind::All, jobs: 4_000, processors: 128, estimates: Some(1.0) };
        let mut workload = recipe.generate(1, 0).unwrap();
        workload.scale_load(0.8 / workload.offered_load(128).unwrap()).unwrap();
        let outcomes =
            QUEUES.map(|queue| replayed(&workload, 128, queue, Decisions::Planned).unwrap());
        let log = |order: [usize; 3]| {
            let outcomes = order.map(|at| outcomes[at].clone()).into();
            vec![Log { name: KTH, outcomes }]
        };
        let rows = estimates::measure(&Lab::new(Effort::Quick, 1, Progress::hidden()));
        let verdicts = |order| -> Vec<Verdict> {
            claims(&log(order), &rows).into_iter().map(|claim| claim.verdict).collect()
        };
        let sound = verdicts([0, 1, 2]);
        assert_eq!(sound[0], Holds);
        assert_ne!(verdicts([1, 0, 0])[0], Holds);
        let one_wins = |easy: usize, conservative: usize| verdicts([0, easy, conservative]);
        assert_ne!(one_wins(0, 1)[1], one_wins(1, 0)[1]);
        assert_ne!(one_wins(0, 1)[2], one_wins(1, 0)[2]);
    }
}
