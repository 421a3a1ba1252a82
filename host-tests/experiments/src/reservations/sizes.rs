//! `ar-sizes`: larger jobs, figures 2 and 3.

use super::grid::{DEFAULT, Setting};
use super::{Experiment, Extent, Failure, Findings, Lab, Published, Study, common, readings};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ar-sizes",
    title: "Advance reservations: seven policies and the sizes of jobs",
    source: "Li et al., section 6.2.1, figures 2 and 3",
    about: "A request for a reservation names PEs, a duration, when it is ready and when it must \
            be done. It is answered when it arrives, for good. Often several starts are possible: \
            the policy says which one it gets. Here UMed makes jobs larger, and with them longer. \
            Requests come from a model of the CM-5 at Los Alamos and from its log; in the log \
            sizes are drawn anew, and each job takes the run time of a logged job of that size.",
    statements: &[],
    run,
};

pub(super) fn published() -> Vec<Published> {
    let trends = [
        "Acceptance falls as UMed grows, under every policy",
        "Slowdown rises as UMed grows, under every policy",
    ];
    common(trends, ["6.2.1, figure 2", "6.2.1, figure 3"])
}

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let study = Study {
        axis: "UMed",
        values: &[5.0, 6.0, 7.0, 8.0, 9.0],
        setting: |med| Setting { med, ..DEFAULT },
        resize: true,
        figures: ["2", "3"],
        published: published(),
        differences: "Where the source's order is not found: PEDu_W accepts about as many as \
        PE_W and Du_B, not as few as PEDu_B; the end of this page says why. FF, PE_B, Du_W and \
        PEDu_B draw together as the load passes that of the machine (UMed 8 and 9), and Du_W then \
        comes out ahead of FF. What PE_W gains are small requests at the expense of large ones: on \
        the model it accepts more requests than FF, but not more work.",
    };
    let mut findings = study.run(lab)?;
    let Extent { jobs, replications, .. } = Extent::of(lab);
    findings.results.extend(readings::blocks(lab, jobs, replications));
    Ok(findings)
}
