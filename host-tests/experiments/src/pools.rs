//! What the experiments on workstations share: replications, and estimates from them.

use super::Lab;
use super::difference::{minus, percent_above};
use locox::fair::ScheduleIndex;
use locox_coordinators::station::Config;
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

/// A figure of an outcome.
pub(super) type Figure<'a> = &'a dyn Fn(&Outcome) -> f64;

/// An index as a number.
pub(super) fn number(index: &ScheduleIndex) -> f64 {
    f64::from(index.bits()) / f64::from(1 << ScheduleIndex::FRACTION_BITS)
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

/// Runs a replication of a case.
pub(super) fn as_asked(Case { pool, policy }: &Case, seed: u64, replication: u64) -> Outcome {
    pool.run(*policy, seed, replication).expect("the experiment's own parameters fit")
}

/// Runs each case as often as asked for, always with the same owners and jobs; `by` runs one, in tests
/// by a wrong rule.
pub(super) fn replicate(
    lab: &Lab,
    cases: &[Case],
    replications: u64,
    by: impl Fn(&Case, u64, u64) -> Outcome + Sync,
) -> Vec<Vec<Outcome>> {
    let one = |case| (0..replications).map(move |replication| (case, replication));
    let items: Vec<(usize, u64)> = (0..cases.len()).flat_map(one).collect();
    let run = |&(case, replication): &(usize, u64)| by(&cases[case], lab.seed, replication);
    let outcomes = lab.parallel(&items, run);
    outcomes.chunks(replications as usize).map(<[_]>::to_vec).collect()
}

fn figures(outcomes: &[Outcome], figure: impl Fn(&Outcome) -> f64) -> Vec<f64> {
    outcomes.iter().map(figure).collect()
}

/// The mean of a figure over replications.
pub(super) fn estimate(outcomes: &[Outcome], figure: impl Fn(&Outcome) -> f64) -> Estimate {
    Estimate::of(&figures(outcomes, figure))
}

/// A figure's change from one case to another, in per cent of the former, pair by pair.
pub(super) fn changes(
    from: &[Outcome],
    to: &[Outcome],
    figure: impl Fn(&Outcome) -> f64,
) -> Vec<f64> {
    percent_above(&figures(from, &figure), &figures(to, &figure))
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
    minus(&figures(to, &figure), &figures(from, &figure))
}

/// What tests look at.
#[cfg(test)]
pub(super) mod check {
    use crate::{Effort, Experiment, Lab};
    use locox::fair::{Demand, Fairness, Misuse, Reason, StationId};
    use locox_report::progress::Progress;
    use locox_report::report::{Claim, Statement, Verdict};

    pub(crate) fn lab() -> Lab {
        Lab::new(Effort::Quick, 1, Progress::hidden())
    }

    /// The claims of a quick run with seed 1: on each of the experiment's statements there is one, and
    /// on no other.
    pub(crate) fn quick(experiment: &Experiment) -> Vec<Claim> {
        let claims = (experiment.run)(&lab()).expect("it reads no traces").claims;
        for claim in &claims {
            let told = experiment.statements.iter().any(|one| one.id == claim.statement.id);
            assert!(told, "{} is not among the statements", claim.id());
        }
        for statement in experiment.statements {
            let judged = claims.iter().any(|claim| claim.statement.id == statement.id);
            assert!(judged, "{} is not judged", statement.id);
        }
        claims
    }

    /// The verdicts on a statement, in the order of its variants.
    pub(crate) fn of(claims: &[Claim], statement: &Statement) -> Vec<Verdict> {
        let of = claims.iter().filter(|claim| claim.statement.id == statement.id);
        of.map(|claim| claim.verdict).collect()
    }

    /// That all variants of these statements have that verdict.
    #[track_caller]
    pub(crate) fn assert_all(claims: &[Claim], statements: &[&Statement], verdict: Verdict) {
        for statement in statements {
            let found = of(claims, statement);
            assert!(!found.is_empty(), "{} is not judged", statement.id);
            assert!(found.iter().all(|&it| it == verdict), "{}: {found:?}", statement.id);
        }
    }

    /// A ranking turned over: whoever it would serve first is last.
    pub(crate) struct Turned<F>(pub(crate) F);

    impl<F: Fairness> Fairness for Turned<F> {
        type Draw = F::Draw;

        fn check(&self, stations: usize) -> Result<(), Misuse> {
            self.0.check(stations)
        }

        fn update(&mut self, demand: &[Demand]) -> Result<(), Misuse> {
            self.0.update(demand)
        }

        fn begin(&mut self, draw: F::Draw) {
            self.0.begin(draw);
        }

        fn key(&self, station: StationId) -> u32 {
            u32::MAX - self.0.key(station)
        }

        fn tie(&self, station: StationId) -> u32 {
            self.0.tie(station)
        }

        fn preempts(&self) -> bool {
            self.0.preempts()
        }

        fn served(&mut self, station: StationId) {
            self.0.served(station);
        }

        fn reason(&self, to: StationId, from: Option<StationId>) -> Reason {
            self.0.reason(to, from)
        }
    }
}
