//! Case 2: what PJS saves over SJS.

use super::super::{Experiment, Findings, Lab};
use super::{Ran, SOURCE, config, one_queue, parameters, saved};
use crate::judge::{self, Case, Expected, Unit};
use crate::report::{Axis, Block, Cell, Claim, Plot, Point, Series, Shape, Table};
use locox::site::{Algorithm, Remap};
use locox_models::site::{Study, batch};
use locox_models::stats::Estimate;

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-performance",
    title: "What clusters are worth to jobs that could do without",
    source: "Collins and George 2001, case study 2, Fig. 5",
    about: "So many jobs come at time zero to the site of the study, once under SJS and once under \
            PJS. What is open in the source, whether jobs that wait are mapped anew each quantum, is \
            run both ways; judged is that everything is mapped once, as its figures are merits of \
            single schedules.",
    run: |lab| Ok(run(lab)),
};

/// From here on the load is heavy.
const HEAVY: usize = 60;
const POINTS: Unit = Unit("percentage points", 1);

/// So many jobs, in each replication.
struct At {
    jobs: usize,
    sjs: Vec<f64>,
    pjs: Vec<f64>,
    /// PJS, all that waits mapped anew each quantum.
    anew: Vec<f64>,
    parallel: Vec<f64>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(4, 20);
    let counts: Vec<usize> = (1..=20).map(|fives| 5 * fives).collect();
    let counts: Vec<usize> = counts.into_iter().step_by(lab.either(2, 1)).collect();
    let all = lab.parallel(&counts, |&jobs| measure(jobs, replications, lab.seed));
    Findings {
        parameters: parameters(replications),
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Plot(plot(&all))],
    }
}

fn measure(count: usize, replications: u64, seed: u64) -> At {
    let study = Study::new();
    let mut at = At { jobs: count, sjs: vec![], pjs: vec![], anew: vec![], parallel: vec![] };
    for replication in 0..replications {
        let jobs = batch(count, &[1], seed, replication);
        let by = |algorithm, remap| Ran::new(&study, &one_queue(config(remap), algorithm), &jobs);
        let pjs = by(Algorithm::Pjs, Remap::New);
        at.sjs.push(by(Algorithm::Sjs, Remap::New).total());
        at.pjs.push(pjs.total());
        at.anew.push(by(Algorithm::Pjs, Remap::Waiting).total());
        at.parallel.push(pjs.parallel());
    }
    at
}

impl At {
    fn name(&self) -> String {
        format!("{} jobs", self.jobs)
    }

    fn saved(&self) -> Vec<f64> {
        self.sjs.iter().zip(&self.pjs).map(|(&sjs, &pjs)| saved(sjs, pjs)).collect()
    }

    fn saved_anew(&self) -> Vec<f64> {
        self.sjs.iter().zip(&self.anew).map(|(&sjs, &anew)| saved(sjs, anew)).collect()
    }

    fn is_heavy(&self) -> bool {
        self.jobs >= HEAVY
    }
}

fn claims(all: &[At]) -> Vec<Claim> {
    let never_worse =
        all.iter().map(|at| (at.name(), at.sjs.iter().zip(&at.pjs).all(|(sjs, pjs)| pjs <= sjs)));
    let light = all.iter().filter(|at| !at.is_heavy());
    let half = light.map(|at| {
        let beyond = at.saved().iter().map(|saved| saved - 40.0).collect();
        Case::new(at.name(), beyond, Expected::MORE)
    });
    let heavy = || all.iter().filter(|at| at.is_heavy());
    let same = heavy().map(|at| Case::new(at.name(), at.saved(), Expected::alike(5.0)));
    let some = heavy().map(|at| (at.name(), at.saved().iter().any(|&saved| saved > 0.0)));
    let told = |figure: &dyn Fn(&At) -> Vec<f64>| {
        let one = |at: &At| format!("{}: {:.1}", at.jobs, Estimate::of(&figure(at)));
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let savings = format!("Saved in per cent, by jobs: {}.", told(&At::saved));
    let place = |figure: &str| format!("{SOURCE}, section 5.2, {figure}");
    vec![
        judge::exactly(never_worse).claim(
            "PJS is at least as good as SJS in all cases",
            place("Fig. 5"),
            savings.clone(),
        ),
        judge::some(&half.collect::<Vec<_>>(), POINTS).claim(
            "At light load PJS saves up to nearly half of the job time: more than 40 % somewhere \
             below 60 jobs",
            place("Fig. 5 (a)"),
            savings.clone(),
        ),
        judge::every(&same.collect::<Vec<_>>(), POINTS).claim(
            "Under heavy load PJS is as good as SJS, within 5 percentage points",
            place("Fig. 5 (a)"),
            savings,
        ),
        judge::exactly(some).claim(
            "Even under heavy load a profitable parallel job is found now and then",
            place("Fig. 5 (a)"),
            "Counted is whether any replication saves anything.",
        ),
        judge::every(
            &all.iter()
                .map(|at| {
                    let gains =
                        at.saved_anew().iter().zip(at.saved()).map(|(a, b)| a - b).collect();
                    Case::new(at.name(), gains, Expected::MORE)
                })
                .collect::<Vec<_>>(),
            POINTS,
        )
        .beyond_the_source()
        .claim(
            "It is better to map all that waits anew each quantum",
            "left open by the source",
            format!("Saved so in per cent, by jobs: {}.", told(&At::saved_anew)),
        ),
    ]
}

fn table(all: &[At]) -> Table {
    let columns = [
        ("jobs", "jobs"),
        ("sjs_s", "SJS (s)"),
        ("pjs_s", "PJS (s)"),
        ("saved", "saved (%)"),
        ("saved_anew", "saved, mapped anew (%)"),
        ("parallel", "on clusters"),
    ];
    let mut table = Table::new("Job time in all", &columns);
    for at in all {
        table.push(vec![
            Cell::Count(at.jobs as u64),
            Cell::Estimate(Estimate::of(&at.sjs), 0),
            Cell::Estimate(Estimate::of(&at.pjs), 0),
            Cell::Estimate(Estimate::of(&at.saved()), 1),
            Cell::Estimate(Estimate::of(&at.saved_anew()), 1),
            Cell::Share(super::mean(&at.parallel)),
        ]);
    }
    table
}

fn plot(all: &[At]) -> Plot {
    let series = |name: &str, figure: &dyn Fn(&At) -> Vec<f64>| {
        let point = |at: &At| Point::estimated(at.jobs as f64, &Estimate::of(&figure(at)));
        Series { name: name.into(), shape: Shape::Line, points: all.iter().map(point).collect() }
    };
    Plot {
        title: "What PJS saves of the job time of SJS".into(),
        caption: "As Fig. 5 (a) of the source.".into(),
        x: Axis::linear("jobs"),
        y: Axis::linear("saved (%)"),
        series: vec![
            series("everything mapped once", &At::saved),
            series("mapped anew each quantum", &At::saved_anew),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict::{self, DoesNotHold, Holds};

    fn verdicts(all: &[At]) -> Vec<Verdict> {
        claims(all).into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn a_pjs_that_is_no_better_and_one_that_is_worse_are_caught() {
        let sound = || [5, 15, 100].map(|jobs| measure(jobs, 5, 1));
        let found = verdicts(&sound());
        assert_eq!(found[0], Holds);
        let mut same = sound();
        same.iter_mut().for_each(|at| at.pjs = at.sjs.clone());
        let found = verdicts(&same);
        assert_eq!((found[0], found[3]), (Holds, DoesNotHold));
        assert_ne!(found[1], Holds);
        let mut worse = sound();
        worse.iter_mut().for_each(|at| at.pjs = at.sjs.iter().map(|sjs| sjs * 1.2).collect());
        let found = verdicts(&worse);
        assert_eq!((found[0], found[2]), (DoesNotHold, DoesNotHold));
    }
}
