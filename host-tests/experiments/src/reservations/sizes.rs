//! `ar-sizes`: larger jobs, figures 2 and 3.

use super::grid::{DEFAULT, Setting};
use super::{
    Experiment, Extent, Fact, Failure, Findings, Fit, Lab, Published, Shape, Study, agreement,
    claims, readings,
};
use crate::sources::li;
use crate::thresholds::AR_ACCEPTANCE;

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "ar-sizes",
    title: "Advance reservations: seven policies and the sizes of jobs",
    source: "Li, Pei, Shen, Wu, He and Yang, section 6.2.1, figures 2 and 3",
    about: "A request for a reservation names PEs, a duration, when it is ready and when it must \
            be done. It is answered when it arrives, for good. Often several starts are possible: \
            the policy says which one it gets. Here UMed makes jobs larger, and with them longer. \
            Requests come from a model of the CM-5 at Los Alamos and from its log; in the log \
            sizes are drawn anew, and each job takes the run time of a logged job of that size.",
    statements: &[
        &li::FIG2_FALLS,
        &li::FIG2_PE_W_DU_B_ALIKE,
        &li::FIG2_PEDU_ALIKE,
        &li::FIG2_PE_B_DU_W_ALIKE,
        &li::FIG2_FOUR_BEAT_FF,
        &li::FIG2_TWO_DO_NOT,
        &li::FIG2_BEST,
        &li::FIG2_MUCH_BETTER,
        &li::FIG2_PE_DIFFER,
        &li::FIG2_DU_DIFFER,
        &li::FIG2_PE_OR_DU,
        &li::FIG2_BEST_OR_WORST,
        &li::FIG3_RISES,
        &li::FIG3_FF_LOWEST,
        &li::FIG3_PE_W_DU_B_ALIKE,
        &li::FIG3_PE_B_DU_W_ALIKE,
        &li::FIG3_PEDU_DIFFER,
        &li::PE_W_HIGHEST,
        &li::MORE_WORK,
    ],
    run,
    #[cfg(test)]
    planted: || super::tests::planted(&study()),
};

pub(super) fn published() -> Vec<Published> {
    use Fit::{
        DurationBest, DurationWorst, First, PeBest, PeDurationBest, PeDurationWorst, PeWorst,
    };
    let accepts = Published::accepts;
    let slows = Published::slows;
    let above_ff = [PeWorst, DurationBest, PeDurationBest, PeDurationWorst].map(|fit| (fit, First));
    let five = claims::others(&[PeWorst, DurationBest]);
    let best = [PeWorst, DurationBest].map(|fit| claims::over(fit, &five)).concat();
    let pe_or_duration = vec![(PeBest, DurationBest), (PeWorst, DurationWorst)];
    let best_or_worst = vec![(PeBest, PeWorst), (DurationBest, DurationWorst)];
    vec![
        accepts(&li::FIG2_FALLS, Shape::Fall(Fit::ALL.into())),
        accepts(&li::FIG2_PE_W_DU_B_ALIKE, Shape::Alike(PeWorst, DurationBest)),
        accepts(&li::FIG2_PEDU_ALIKE, Shape::Alike(PeDurationBest, PeDurationWorst)),
        accepts(&li::FIG2_PE_B_DU_W_ALIKE, Shape::Alike(PeBest, DurationWorst)),
        accepts(&li::FIG2_FOUR_BEAT_FF, Shape::Above(above_ff.into())).by("at all"),
        accepts(&li::FIG2_FOUR_BEAT_FF, Shape::FarAbove(above_ff.into(), AR_ACCEPTANCE))
            .by("by a point"),
        accepts(
            &li::FIG2_TWO_DO_NOT,
            Shape::NotAbove(vec![(PeBest, First), (DurationWorst, First)]),
        ),
        accepts(&li::FIG2_BEST, Shape::Best(best)),
        claims::much_better(&li::FIG2_MUCH_BETTER),
        accepts(&li::FIG2_PE_DIFFER, Shape::Apart(PeBest, PeWorst)),
        accepts(&li::FIG2_DU_DIFFER, Shape::Apart(DurationBest, DurationWorst)),
        accepts(&li::FIG2_PE_OR_DU, Shape::Mixed(pe_or_duration)),
        accepts(&li::FIG2_BEST_OR_WORST, Shape::Mixed(best_or_worst)),
        slows(&li::FIG3_RISES, Shape::Rise(Fit::ALL.into())),
        claims::ff_lowest(&li::FIG3_FF_LOWEST),
        slows(&li::FIG3_PE_W_DU_B_ALIKE, Shape::Alike(PeWorst, DurationBest)),
        slows(&li::FIG3_PE_B_DU_W_ALIKE, Shape::Alike(PeBest, DurationWorst)),
        slows(&li::FIG3_PEDU_DIFFER, Shape::Apart(PeDurationBest, PeDurationWorst)),
    ]
}

fn study() -> Study {
    Study {
        axis: "UMed",
        varied: "sizes",
        values: &[5.0, 6.0, 7.0, 8.0, 9.0],
        setting: |med| Setting { med, ..DEFAULT },
        resize: true,
        figures: ["2", "3"],
        published: published(),
        overall: vec![claims::pe_w_highest(&li::PE_W_HIGHEST), claims::work()],
        differences: "Where the source's order is not found: PEDu_W accepts about as many as \
        PE_W and Du_B, not as few as PEDu_B; the end of this page says why. FF, PE_B, Du_W and \
        PEDu_B draw together as the load passes that of the machine (UMed 8 and 9), and Du_W then \
        comes out ahead of FF. What PE_W gains are small requests at the expense of large ones: on \
        the model it accepts more requests than FF, but not more work.",
    }
}

fn run(lab: &Lab) -> Result<Findings, Failure> {
    let mut findings = study().run(lab)?;
    let Extent { jobs, replications, .. } = Extent::of(lab);
    let readings = readings::measure(lab, jobs, replications);
    findings
        .parameters
        .push(Fact::new("UMed of the variants infinite and last record", DEFAULT.med));
    findings.claims.extend(readings::claims(&readings, published()));
    findings.results.extend(readings::blocks(&readings, &agreement::count(lab, jobs)));
    Ok(findings)
}
