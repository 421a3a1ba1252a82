//! `ar-load`: more arrivals, figures 4 and 5.

use super::grid::{DEFAULT, Setting};
use super::{Experiment, Failure, Findings, Lab, Published, Study, common};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ar-load",
    title: "Advance reservations: seven policies and the load",
    source: "Li et al., section 6.2.2, figures 4 and 5",
    about: "As ar-sizes, with UMed 7 (the log with its own sizes) and times of arrival divided by \
            the arrival factor: the larger it is, the more requests compete.",
    statements: &[],
    run,
};

pub(super) fn published() -> Vec<Published> {
    let trends = [
        "Acceptance falls as the load grows, under every policy",
        "Slowdown rises as the load grows, under every policy",
    ];
    common(trends, ["6.2.2, figure 4", "6.2.2, figure 5"])
}

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let study = Study {
        axis: "arrival factor",
        values: &[0.5, 0.75, 1.0, 1.25, 1.5],
        setting: |arrival_factor| Setting { arrival_factor, ..DEFAULT },
        resize: false,
        figures: ["4", "5"],
        published: published(),
        differences: "Where the source's order is not found: PEDu_W accepts about as many as PE_W and \
        Du_B; ar-sizes says why.",
    };
    study.run(lab)
}
