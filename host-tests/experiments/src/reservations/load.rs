//! `ar-load`: more arrivals, figures 4 and 5.

use super::grid::{DEFAULT, Setting};
use super::{Experiment, Failure, Findings, Fit, Lab, Published, Shape, Study, claims};
use crate::sources::li;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ar-load",
    title: "Advance reservations: seven policies and the load",
    source: "Li, Pei, Shen, Wu, He and Yang, section 6.2.2, figures 4 and 5",
    about: "As ar-sizes, with UMed 7 (the log with its own sizes) and times of arrival divided by \
            the arrival factor: the larger it is, the more requests compete.",
    statements: &[
        &li::FIG4_FALLS,
        &li::FIG5_RISES,
        &li::FIG4_SAME_ORDER,
        &li::FIG5_SAME_ORDER,
        &li::PE_W_HIGHEST,
        &li::FF_LOWEST,
        &li::MORE_WORK,
    ],
    run,
    #[cfg(test)]
    planted: || super::tests::planted(&study()),
};

/// The number of the setting that figures 2 and 3 have as well, of the model; the log has other sizes there.
const DEFAULT_AT: usize = 2;

pub(super) fn published() -> Vec<Published> {
    vec![
        Published::accepts(&li::FIG4_FALLS, Shape::Fall(Fit::ALL.into())),
        Published::slows(&li::FIG5_RISES, Shape::Rise(Fit::ALL.into())),
        Published::accepts(&li::FIG4_SAME_ORDER, Shape::SameOrder(DEFAULT_AT)),
        Published::slows(&li::FIG5_SAME_ORDER, Shape::SameOrder(DEFAULT_AT)),
    ]
}

fn study() -> Study {
    Study {
        axis: "arrival factor",
        varied: "loads",
        values: &[0.5, 0.75, 1.0, 1.25, 1.5],
        setting: |arrival_factor| Setting { arrival_factor, ..DEFAULT },
        resize: false,
        figures: ["4", "5"],
        published: published(),
        overall: vec![
            claims::pe_w_highest(&li::PE_W_HIGHEST),
            claims::ff_lowest(&li::FF_LOWEST),
            claims::work(),
        ],
        differences: "Where the source's order is not found: PEDu_W accepts about as many as PE_W and \
        Du_B; ar-sizes says why.",
    }
}

fn run(lab: &Lab) -> Result<Findings, Failure> {
    study().run(lab)
}
