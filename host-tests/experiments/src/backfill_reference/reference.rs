//! Job by job beside the schedule that the simulator PYSS made of the KTH log by EASY.

use super::replays::replayed;
use crate::Lab;
use crate::sources::backfilling::SAME_WAITS;
use locox_models::replay::{Decisions, Outcome, QueueKind};
use locox_models::swf::{self, Strictness, SwfError};
use locox_models::workload::from_swf_sorted;
use locox_report::failure::Failure;
use locox_report::judge;
use locox_report::report::{Block, Cell, Claim, Judged, Status, Table};
use std::collections::HashMap;
use std::path::Path;

const NAME: &str = "KTH-SP2-EASY-reference";
const PROCESSORS: u32 = 100;

/// Orders of an instant, and what they are.
const ORDERS: [(Decisions, &str); 3] = [
    (Decisions::Planned, "as planned"),
    (Decisions::EachEvent, "completions before arrivals, a decision after each"),
    (Decisions::EachInstant, "completions and arrivals, then one decision"),
];

pub(super) struct Comparison {
    waits: HashMap<u64, u64>,
    slowdown: f64,
    /// One for each of [`ORDERS`].
    outcomes: Vec<Outcome>,
}

/// Replays the jobs of the reference. `None` without it.
pub(super) fn compare(lab: &Lab) -> Result<Option<Comparison>, Failure> {
    let Some(path) = lab.trace(NAME) else { return Ok(None) };
    let fault = |error: SwfError| Failure::Input(error.to_string());
    let workload = from_swf_sorted(&path, Strictness::Strict, None).map_err(fault)?;
    let (waits, slowdown) = reference(&path).map_err(fault)?;
    let replay = |&(decisions, _): &(Decisions, &str)| {
        replayed(&workload, PROCESSORS, QueueKind::Easy, decisions)
    };
    let outcomes: Result<_, _> = lab.parallel(&ORDERS, replay).into_iter().collect();
    Ok(Some(Comparison { waits, slowdown, outcomes: outcomes? }))
}

/// The waits of the reference by job number, and its mean bounded slowdown.
fn reference(path: &Path) -> Result<(HashMap<u64, u64>, f64), SwfError> {
    let (mut waits, mut slowdowns) = (HashMap::new(), 0.0);
    for record in swf::open(path, Strictness::Strict)? {
        let record = record?;
        waits.insert(record.number as u64, record.wait as u64);
        let (wait, run) = (record.wait as f64, record.run as f64);
        slowdowns += ((wait + run) / run.max(10.0)).max(1.0);
    }
    let slowdown = slowdowns / waits.len() as f64;
    Ok((waits, slowdown))
}

impl Comparison {
    fn different(&self, outcome: &Outcome) -> usize {
        outcome.jobs.iter().filter(|job| self.waits.get(&job.id) != Some(&job.wait())).count()
    }

    fn wait(&self) -> f64 {
        self.waits.values().map(|&wait| wait as f64).sum::<f64>() / self.waits.len() as f64
    }

    /// One for each order of the events of an instant.
    pub(super) fn claims(&self) -> Vec<Claim> {
        let claim = |(&(decisions, order), outcome): (&(Decisions, &str), &Outcome)| {
            let (jobs, different) = (outcome.jobs.len(), self.different(outcome));
            let told = format!("{} of {jobs} jobs.", jobs - different);
            let claim = self.waits_as(outcome).on(&SAME_WAITS, told).variant(order);
            // This order was chosen by what comes out.
            if decisions == Decisions::Planned { claim.by(Status::Calibration) } else { claim }
        };
        ORDERS.iter().zip(&self.outcomes).map(claim).collect()
    }

    /// Job by job; one that was not run has another wait.
    fn waits_as(&self, outcome: &Outcome) -> Judged {
        let ours: HashMap<u64, u64> = outcome.jobs.iter().map(|job| (job.id, job.wait())).collect();
        let mut jobs: Vec<_> = self.waits.iter().collect();
        jobs.sort_unstable();
        let case = |(id, wait): (&u64, &u64)| (format!("job {id}"), ours.get(id) == Some(wait));
        judge::exactly(jobs.into_iter().map(case))
    }

    pub(super) fn blocks(&self) -> Vec<Block> {
        let columns = [
            ("order", "order of an instant"),
            ("same", "same wait"),
            ("share", "share"),
            ("mean_wait_s", "mean wait (s)"),
            ("mean_bounded_slowdown", "slowdown"),
        ];
        let mut table = Table::new("Beside the reference", &columns);
        for ((_, name), outcome) in ORDERS.iter().zip(&self.outcomes) {
            let (jobs, different) = (outcome.jobs.len(), self.different(outcome));
            table.push(vec![
                Cell::text(*name),
                Cell::Count((jobs - different) as u64),
                Cell::Share((jobs - different) as f64 / jobs as f64),
                Cell::Number(outcome.mean_wait, 2),
                Cell::Number(outcome.mean_bounded_slowdown, 4),
            ]);
        }
        table.push(vec![
            Cell::text("the reference"),
            Cell::Count(self.waits.len() as u64),
            Cell::Missing,
            Cell::Number(self.wait(), 2),
            Cell::Number(self.slowdown, 4),
        ]);
        let text = "As planned: at each instant first every job ends that has run as long as it \
                    requested, and nothing is decided; then come the arrivals, with a decision \
                    after each; then all completions in the order in which the jobs started, those \
                    taken first among them, with a decision after each.";
        vec![Block::Table(table), Block::Text(text.into())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Lab};
    use locox_report::progress::Progress;
    use locox_report::report::Verdict::{Holds, HoldsInPart};

    #[test]
    fn the_verdict_can_fail() {
        let lab = Lab::new(Effort::Quick, 1, Progress::hidden());
        let Some(comparison) = compare(&lab).unwrap() else {
            eprintln!("skipped: LOCOX_DATA is not set");
            return;
        };
        let of = |at: usize| comparison.waits_as(&comparison.outcomes[at]).verdict;
        assert_eq!([of(0), of(1), of(2)], [Holds, HoldsInPart, HoldsInPart]);
    }
}
