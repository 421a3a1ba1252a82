//! Real logs under each queue.

use super::estimates;
use super::replays::{
    CONSERVATIVE, EASY, FCFS, OF_FCFS, PER_CENT, POINTS, QUEUES, Queues, SLOWDOWN, relative,
    replayed,
};
use crate::Lab;
use crate::difference::minus;
use crate::sources::backfilling::{
    BETTER_ON_SP2, DEPENDS_ON_WORKLOAD, FRAGMENTATION, SIMILAR_ELSEWHERE,
};
use crate::thresholds::BACKFILL_SIMILAR;
use locox_models::replay::{Decisions, Options, Outcome};
use locox_models::stats::mean;
use locox_models::swf::Strictness;
use locox_models::workload::{Workload, from_swf};
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
        logs.push(Log::replayed(lab, name, &workload, processors, QUEUES)?);
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
    /// `queues` are what runs as [`QUEUES`].
    fn replayed(
        lab: &Lab,
        name: &'static str,
        workload: &Workload,
        processors: u32,
        queues: Queues,
    ) -> Result<Self, Failure> {
        let replay = |&queue: &_| replayed(workload, processors, queue, Decisions::Planned);
        let outcomes: Result<_, _> = lab.parallel(&queues, replay).into_iter().collect();
        Ok(Self { name, outcomes: outcomes? })
    }

    /// Mean bounded slowdown of each part.
    fn parts(&self, place: usize) -> Vec<f64> {
        let bound = Options::default().slowdown_bound;
        let mut jobs: Vec<(u64, f64)> = (self.outcomes[place].jobs.iter())
            .map(|job| (job.id, job.bounded_slowdown(bound)))
            .collect();
        jobs.sort_unstable_by_key(|job| job.0);
        let slowdowns: Vec<f64> = jobs.into_iter().map(|job| job.1).collect();
        let length = (slowdowns.len() / PARTS).max(1);
        slowdowns.chunks_exact(length).map(mean).collect()
    }

    fn case(&self, place: usize, against: usize) -> Case {
        self.compared(place, against, minus)
    }

    /// `by` compares the parts.
    fn compared(&self, place: usize, against: usize, by: fn(&[f64], &[f64]) -> Vec<f64>) -> Case {
        let by = by(&self.parts(place), &self.parts(against));
        let [queue, other] = [place, against].map(|place| QUEUES[place]);
        Case::new(format!("{queue} against {other}, {}", self.name), by, Expected::LESS)
    }

    /// What conservative backfilling adds to the slowdown under EASY, in per cent.
    fn added(&self) -> (String, Vec<f64>) {
        (self.name.into(), relative(&self.parts(CONSERVATIVE), &self.parts(EASY)))
    }
}

pub(super) fn claims(logs: &[Log], by_model: &[estimates::Row]) -> Vec<Claim> {
    let cases = |place, against| -> Vec<Case> {
        let of_logs = logs.iter().map(|log| log.compared(place, against, relative));
        of_logs.chain(estimates::cases(by_model, place, against)).collect()
    };
    let holes = [cases(EASY, FCFS), cases(CONSERVATIVE, FCFS)].concat();
    let fuller = [EASY, CONSERVATIVE].map(|place| estimates::fuller(by_model, place, FCFS));
    let (sp2, others): (Vec<&Log>, Vec<&Log>) = logs.iter().partition(|log| log.name == KTH);
    let better: Vec<Case> = sp2.iter().map(|log| log.case(EASY, CONSERVATIVE)).collect();
    let elsewhere: Vec<(String, Vec<f64>)> =
        others.iter().map(|log| log.added()).chain(estimates::added(by_model)).collect();
    let of_logs: Vec<_> = sp2.iter().chain(&others).map(|log| log.added()).collect();
    let depends = pairs(&of_logs, &estimates::added(by_model));
    let similar = elsewhere.into_iter();
    let similar: Vec<Case> = similar
        .map(|(name, added)| Case::new(name, added, Expected::alike(BACKFILL_SIMILAR)))
        .collect();
    let evidence_of = |logs: &[&Log]| {
        let logs: Vec<String> = logs.iter().map(|log| told(log)).collect();
        format!(
            "{} Of logs by tenths of the jobs, of the model by replications; queues are paired on the same jobs.",
            logs.join(" ")
        )
    };
    let evidence = evidence_of(&logs.iter().collect::<Vec<_>>());
    let less = format!("{} {evidence}", in_words("In per cent", &holes));
    let fuller = fuller.concat();
    let more = format!(
        "{} Of the logs, which are not judged: {}.",
        in_words("On the model", &fuller),
        logs.iter().map(used).collect::<Vec<_>>().join("; ")
    );
    let told_added =
        format!("What conservative adds to EASY, in per cent: {}.", estimates::told(&similar));
    let added = format!("{} {told_added}", evidence_of(&others));
    let beside = format!(
        "{evidence} {told_added} {} Beside each other two workloads have as many values as the one with fewer: those of the other \
         are put together in groups.",
        sp2.iter()
            .map(|log| log.added())
            .map(|(name, added)| in_words(
                "On the SP2's log",
                &[Case::new(name, added, Expected::alike(BACKFILL_SIMILAR))]
            ))
            .collect::<Vec<_>>()
            .join(" ")
    );
    vec![
        judge::every(&holes, OF_FCFS).on(&FRAGMENTATION, less).variant("slowdown"),
        judge::some(&depends, PER_CENT).on(&DEPENDS_ON_WORKLOAD, beside),
        judge::every(&better, SLOWDOWN).on(&BETTER_ON_SP2, evidence_of(&sp2)),
        judge::every(&similar, PER_CENT).on(&SIMILAR_ELSEWHERE, added),
        judge::every(&fuller, POINTS)
            .on(&FRAGMENTATION, more)
            .variant("utilisation, jobs of the model"),
    ]
}

/// What is added in each workload less what is in each other one, of which one is a log: the model with two accuracies of
/// requests is one workload.
fn pairs(logs: &[(String, Vec<f64>)], model: &[(String, Vec<f64>)]) -> Vec<Case> {
    let behind = |(at, (other, theirs)): (usize, &(String, Vec<f64>))| {
        let case = |(name, its): &(String, Vec<f64>)| {
            let count = its.len().min(theirs.len());
            let by = minus(&grouped(its, count), &grouped(theirs, count));
            Case::new(format!("{name} beside {other}"), by, Expected::apart(BACKFILL_SIMILAR))
        };
        logs[at + 1..].iter().chain(model).map(case).collect::<Vec<_>>()
    };
    logs.iter().enumerate().flat_map(behind).collect()
}

/// Means of so many groups of neighbours.
fn grouped(values: &[f64], groups: usize) -> Vec<f64> {
    let size = values.len() / groups.max(1);
    values.chunks_exact(size.max(1)).take(groups).map(mean).collect()
}

fn in_words(what: &str, cases: &[Case]) -> String {
    format!("{what}: {}.", estimates::told(cases))
}

/// The share of the machine that each queue uses, from the first arrival to the last end.
fn used(log: &Log) -> String {
    let [fcfs, easy, conservative] =
        [FCFS, EASY, CONSERVATIVE].map(|place| 100.0 * log.outcomes[place].utilisation);
    format!(
        "{}: {fcfs:.1} % first come first served, {easy:.1} % EASY, {conservative:.1} % conservative",
        log.name
    )
}

fn told(log: &Log) -> String {
    let [fcfs, easy, conservative] =
        [FCFS, EASY, CONSERVATIVE].map(|place| log.outcomes[place].mean_bounded_slowdown);
    format!(
        "{}: slowdown {fcfs:.1} first come first served, {easy:.1} EASY, {conservative:.1} \
         conservative.",
        log.name
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Effort;
    use crate::backfill_reference::estimates::FACTORS;
    use locox_models::replay::QueueKind::{Conservative, Easy, Fcfs};
    use locox_models::workload::lublin::{Kind, Lublin};
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// Jobs of the model in place of a log, where these queues run as [`QUEUES`].
    fn judged(queues: Queues) -> Vec<Claim> {
        let recipe = Lublin { kind: Kind::All, jobs: 4_000, processors: 128, estimates: Some(1.0) };
        let mut workload = recipe.generate(1, 0).unwrap();
        workload.scale_load(0.8 / workload.offered_load(128).unwrap()).unwrap();
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let log = Log::replayed(&lab, KTH, &workload, 128, queues).unwrap();
        let rows = estimates::measure(&lab, queues, FACTORS);
        claims(&[log], &rows)
    }

    /// EASY where no queue lets anybody pass, and none where EASY belongs.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        [judged(QUEUES), judged([Easy, Fcfs, Fcfs])]
    }

    fn verdicts(queues: Queues) -> Vec<Verdict> {
        judged(queues).into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn the_wrong_queue_in_the_place_of_another_is_caught() {
        let sound = verdicts(QUEUES);
        assert_eq!(sound[0], Holds);
        assert_eq!(verdicts([Easy, Fcfs, Fcfs])[0], DoesNotHold);
        let no_backfilling = verdicts([Fcfs, Easy, Fcfs]);
        assert_eq!([no_backfilling[2], no_backfilling[3]], [Holds, DoesNotHold]);
        assert_eq!(verdicts([Fcfs, Easy, Easy])[3], Holds);
        assert_ne!(verdicts([Fcfs, Conservative, Easy])[2], sound[2]);
    }
}
