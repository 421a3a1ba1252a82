//! `ar-flexibility`: earlier requests and later deadlines, figures 6 and 7.

use super::grid::{DEFAULT, Setting};
use super::{Experiment, Failure, Findings, Fit, Lab, Published, Statement, Study, claims};
use locox_models::workload::reservations::Flexibility;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ar-flexibility",
    title: "Advance reservations: seven policies and the flexibility of requests",
    source: "Li et al., section 6.2.3, figures 6 and 7",
    about: "As ar-sizes, with UMed 7 (the log with its own sizes) and both factors of flexibility \
            from 1 to 5: how far ahead requests come, and how much later than they could they may \
            end, at most, in run times.",
    statements: &[],
    run,
};

pub(super) fn published() -> Vec<Published> {
    use Fit::{
        DurationBest, DurationWorst, First, PeBest, PeDurationBest, PeDurationWorst, PeWorst,
    };
    let accepts = |text, statement| Published::accepts(text, "6.2.3, figure 6", statement);
    let slows = |text, statement| Published::slows(text, "6.2.3, figure 7", statement);
    vec![
        accepts(
            "PE_W has the highest acceptance rate at every flexibility",
            claims::over(PeWorst, claims::others(&[PeWorst])),
        ),
        accepts(
            "PE_W leaves Du_B behind as flexibility grows",
            Statement::Widen(PeWorst, DurationBest),
        ),
        accepts(
            "The acceptance of PE_W, Du_B and PEDu_B rises almost linearly",
            Statement::Straight(vec![PeWorst, DurationBest, PeDurationBest]),
        ),
        accepts(
            "The performance improvements of the other four are not stable, especially at 4 (read as: one of them falls there)",
            Statement::Dip(vec![First, PeBest, DurationWorst, PeDurationWorst], 3),
        ),
        slows(
            "Slowdown rises with flexibility, under every policy",
            Statement::Rise(Fit::ALL.into()),
        ),
        slows(
            "FF has the lowest slowdown",
            Statement::Above(
                claims::others(&[First]).into_iter().map(|fit| (fit, First)).collect(),
            ),
        ),
    ]
}

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let study = Study {
        axis: "flexibility",
        values: &[1.0, 2.0, 3.0, 4.0, 5.0],
        setting: |factor| Setting { flexibility: Flexibility::both(factor), ..DEFAULT },
        resize: false,
        figures: ["6", "7"],
        published: published(),
        differences: "Where the source's curves are not found: acceptance rises ever more \
        slowly, as it must, since it cannot pass 100 % and what is left are the largest requests. \
        The dips at 4 do not show in the mean of the replications. Single runs of 10,000 requests \
        scatter about it by a point or so; the source shows one curve a policy, and dips of that \
        size would be within the scatter of its runs.",
    };
    study.run(lab)
}
