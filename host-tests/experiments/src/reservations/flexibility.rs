//! `ar-flexibility`: earlier requests and later deadlines, figures 6 and 7.

use super::grid::{DEFAULT, Setting};
use super::{Experiment, Failure, Findings, Fit, Lab, Published, Shape, Study, claims};
use crate::sources::li;
use locox_models::workload::reservations::Flexibility;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ar-flexibility",
    title: "Advance reservations: seven policies and the flexibility of requests",
    source: "Li, Pei, Shen, Wu, He and Yang, section 6.2.3, figures 6 and 7",
    about: "As ar-sizes, with UMed 7 (the log with its own sizes) and both factors of flexibility \
            from 1 to 5: how far ahead requests come, and how much later than they could they may \
            end, at most, in run times.",
    statements: &[
        &li::FIG6_PE_W_HIGHEST,
        &li::FIG6_EASILY,
        &li::FIG6_LEAVES_DU_B,
        &li::FIG6_LINEAR,
        &li::FIG6_NOT_STABLE,
        &li::FIG7_RISES,
        &li::FIG7_FF_LOWEST,
        &li::FIG7_SAME_ORDER,
        &li::MORE_WORK,
    ],
    run,
    #[cfg(test)]
    planted: || super::tests::planted(&study()),
};

/// The number of the setting that the other figures have as well, of the model; in figures 2 and 3 the
/// log has other sizes.
const DEFAULT_AT: usize = 2;
/// That of {4,4}.
const AT_4: usize = 3;

pub(super) fn published() -> Vec<Published> {
    use Fit::{
        DurationBest, DurationWorst, First, PeBest, PeDurationBest, PeDurationWorst, PeWorst,
    };
    let steady = vec![PeWorst, DurationBest, PeDurationBest];
    let others = vec![First, PeBest, DurationWorst, PeDurationWorst];
    vec![
        claims::pe_w_highest_in_the_end(&li::FIG6_PE_W_HIGHEST),
        claims::easily(&li::FIG6_EASILY),
        Published::accepts(&li::FIG6_LEAVES_DU_B, Shape::Widen(PeWorst, DurationBest)),
        Published::accepts(&li::FIG6_LINEAR, Shape::Rise(steady.clone())).by("it rises"),
        Published::accepts(&li::FIG6_LINEAR, Shape::Straight(steady)).by("it is straight"),
        Published::accepts(&li::FIG6_NOT_STABLE, Shape::Bent(others, AT_4)),
        Published::slows(&li::FIG7_RISES, Shape::Rise(Fit::ALL.into())),
        claims::ff_lowest(&li::FIG7_FF_LOWEST),
        Published::slows(&li::FIG7_SAME_ORDER, Shape::SameOrder(DEFAULT_AT)),
    ]
}

fn study() -> Study {
    Study {
        axis: "flexibility",
        varied: "flexibilities",
        values: &[1.0, 2.0, 3.0, 4.0, 5.0],
        setting: |factor| Setting { flexibility: Flexibility::both(factor), ..DEFAULT },
        resize: false,
        figures: ["6", "7"],
        published: published(),
        overall: vec![claims::work()],
        differences: "Where the source's curves are not found: acceptance rises ever more \
        slowly, as it must, since it cannot pass 100 % and what is left are the largest requests. \
        The dips at 4 do not show in the mean of the replications. Single runs of 10,000 requests \
        scatter about it by a point or so; the source shows one curve a policy, and dips of that \
        size would be within the scatter of its runs.",
    }
}

fn run(lab: &Lab) -> Result<Findings, Failure> {
    study().run(lab)
}
