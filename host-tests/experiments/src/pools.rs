//! What the experiments on workstations share: replications, and estimates from them.

use super::Lab;
use locox::station::Config;
use locox_models::stats::Estimate;
use locox_models::workstation::{Outcome, Policy, Pool};
use std::ops::Range;

pub(super) const DAY: u64 = 86_400;

/// Where the text and the slides are.
pub(super) const SOURCE: &str = "Mutka and Livny 1987; slides on the same work";

/// A pool under a policy.
pub(super) struct Case {
    pub(super) pool: Pool,
    pub(super) policy: Policy,
}

/// The users of the study: light ones, the medium one, the heavy one.
pub(super) const CLASSES: [(&str, Range<usize>); 3] =
    [("light", 0..11), ("medium", 11..12), ("heavy", 12..13)];

/// Processors of the bank in the first reading of the study: what the light users and the medium
/// one need elsewhere while their owners are there, 4.4 processors on average, and some to contend
/// for.
pub(super) const BANK: u32 = 6;

/// The reading of the study that is shown in full: a bank, and jobs come home as in the text's
/// example.
pub(super) fn first_reading(heavy: u32) -> Pool {
    let study = Pool::study(heavy);
    Pool { bank: BANK, config: Config { recall: true, ..study.config }, ..study }
}

/// Runs each case as often as asked for, always with the same owners and jobs.
pub(super) fn replicate(lab: &Lab, cases: &[Case], replications: u64) -> Vec<Vec<Outcome>> {
    let one = |case| (0..replications).map(move |replication| (case, replication));
    let items: Vec<(usize, u64)> = (0..cases.len()).flat_map(one).collect();
    let run = |&(case, replication): &(usize, u64)| {
        let Case { pool, policy } = &cases[case];
        pool.run(*policy, lab.seed, replication).expect("the experiment's own parameters fit")
    };
    let outcomes = lab.parallel(&items, run);
    outcomes.chunks(replications as usize).map(<[_]>::to_vec).collect()
}

/// The mean of a figure over replications.
pub(super) fn estimate(outcomes: &[Outcome], figure: impl Fn(&Outcome) -> f64) -> Estimate {
    Estimate::of(&outcomes.iter().map(figure).collect::<Vec<_>>())
}

/// A figure's change from one case to another, in per cent of the former, pair by pair.
pub(super) fn changes(
    from: &[Outcome],
    to: &[Outcome],
    figure: impl Fn(&Outcome) -> f64,
) -> Vec<f64> {
    let pairs = from.iter().zip(to);
    pairs.map(|(from, to)| 100.0 * (figure(to) / figure(from) - 1.0)).collect()
}

/// The mean of these.
pub(super) fn change(
    from: &[Outcome],
    to: &[Outcome],
    figure: impl Fn(&Outcome) -> f64,
) -> Estimate {
    Estimate::of(&changes(from, to, figure))
}

/// How much a figure grows from one case to another, pair by pair.
pub(super) fn paired(
    from: &[Outcome],
    to: &[Outcome],
    figure: impl Fn(&Outcome) -> f64,
) -> Vec<f64> {
    from.iter().zip(to).map(|(from, to)| figure(to) - figure(from)).collect()
}

/// The verdicts of a quick run with seed 1, in order.
#[cfg(test)]
pub(super) fn quick_verdicts(
    run: fn(&Lab) -> super::Findings,
) -> Vec<locox_report::report::Verdict> {
    let lab = Lab::new(super::Effort::Quick, 1, locox_report::progress::Progress::hidden());
    run(&lab).claims.iter().map(|claim| claim.verdict).collect()
}
