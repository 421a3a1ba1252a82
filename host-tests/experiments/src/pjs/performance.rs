//! Case 2: what PJS saves over SJS.

use super::super::{Experiment, Findings, Lab};
use super::{Ran, config, mean, one_queue, parameters, saved};
use crate::sources::collins_george::{
    HEAVY_SAME, LIGHT_LOAD, MAPPED_ANEW, NEVER_WORSE, NOW_AND_THEN, SJS_OVER_OLB, UP_TO_HALF,
};
use crate::thresholds::{PJS_HEAVY, PJS_NEARLY_HALF, PJS_UNSEEN};
use locox_coordinators::site::{Algorithm, Remap};
use locox_models::site::{Study, batch};
use locox_report::judge;
use locox_report::report::{Axis, Block, Cell, Claim, Judged, Plot, Series, Shape, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-performance",
    title: "What clusters are worth to jobs that could do without",
    source: "Collins and George 2001, case study 2, Fig. 5",
    about: "So many jobs come at time zero to the site of the study, once under OLB, once under SJS \
            and once under PJS. What is open in the source, whether jobs that wait are mapped anew \
            each quantum, is run both ways; judged is that everything is mapped once, as its figures \
            are merits of single schedules. The source does not print run times: ours were chosen \
            so that its axes are met.",
    statements: &[
        &NEVER_WORSE,
        &UP_TO_HALF,
        &LIGHT_LOAD,
        &HEAVY_SAME,
        &NOW_AND_THEN,
        &SJS_OVER_OLB,
        &MAPPED_ANEW,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

/// The fewest jobs of five classes in equal parts, and the most in Fig. 5 (a).
const FEWEST: usize = 5;
const MOST: usize = 100;

/// So many jobs. Nothing is random: all come at once, the classes in equal parts, and jobs of a
/// class are alike.
struct At {
    jobs: usize,
    /// Job time in all, in seconds.
    olb: f64,
    sjs: f64,
    pjs: f64,
    /// PJS, all that waits mapped anew each quantum.
    anew: f64,
    /// The share of jobs that PJS ran on clusters.
    parallel: f64,
}

/// Who runs where OLB, SJS and PJS should.
type Algorithms = [Algorithm; 3];
const RIGHT: Algorithms = [Algorithm::Olb, Algorithm::Sjs, Algorithm::Pjs];

fn run(lab: &Lab) -> Findings {
    let counts: Vec<usize> = (FEWEST..=MOST).collect();
    let all = lab.parallel(&counts, |&jobs| measure(jobs, lab.seed, RIGHT));
    let shown: Vec<&At> = all.iter().filter(|at| at.jobs.is_multiple_of(5)).collect();
    Findings {
        parameters: parameters("5 to 100, five classes in equal parts", 1),
        claims: claims(&all),
        results: vec![Block::Table(table(&shown)), Block::Plot(plot(&all))],
    }
}

fn measure(count: usize, seed: u64, [olb, sjs, pjs]: Algorithms) -> At {
    let study = Study::new();
    let jobs = batch(count, &[1], seed, 0);
    let by = |algorithm, remap| Ran::new(&study, &one_queue(config(remap), algorithm), &jobs);
    let ran = by(pjs, Remap::New);
    At {
        jobs: count,
        olb: by(olb, Remap::New).total(),
        sjs: by(sjs, Remap::New).total(),
        pjs: ran.total(),
        anew: by(pjs, Remap::Waiting).total(),
        parallel: ran.parallel(),
    }
}

impl At {
    fn name(&self) -> String {
        format!("{} jobs", self.jobs)
    }

    fn saved(&self) -> f64 {
        saved(self.sjs, self.pjs)
    }

    fn saved_anew(&self) -> f64 {
        saved(self.sjs, self.anew)
    }

    /// What mapping anew saves of the time that jobs take where they keep the places given first.
    fn saved_by_remapping(&self) -> f64 {
        saved(self.pjs, self.anew)
    }

    fn saved_by_sjs(&self) -> f64 {
        saved(self.olb, self.sjs)
    }

    fn is_heavy(&self) -> bool {
        self.jobs >= PJS_HEAVY
    }
}

/// That one way takes less than the other, wherever they differ.
fn takes_less(all: &[At], one: fn(&At) -> f64, other: fn(&At) -> f64) -> Judged {
    let is_less = |at: &At| (one(at) != other(at)).then(|| one(at) < other(at));
    judge::exactly_where_apart(all.iter().map(|at| (at.name(), is_less(at))))
}

fn claims(all: &[At]) -> Vec<Claim> {
    let (heavy, light): (Vec<&At>, Vec<&At>) = all.iter().partition(|at| at.is_heavy());
    let savings_of = |these: &[&At]| these.iter().map(|at| at.saved()).collect::<Vec<_>>();
    let most = all.iter().map(At::saved).fold(0.0, f64::max);
    let (least, half) = PJS_NEARLY_HALF;
    let nearly = ("the most".into(), (least..=half).contains(&most));
    let concentrated = ("below and from there on".into(), {
        mean(&savings_of(&light)) > mean(&savings_of(&heavy))
    });
    let never_worse = all.iter().map(|at| (at.name(), at.pjs <= at.sjs));
    let same = heavy.iter().map(|at| (at.name(), at.saved().abs() < PJS_UNSEEN));
    let some = (format!("{PJS_HEAVY} jobs and more"), heavy.iter().any(|at| at.saved() > 0.0));
    let told = |figure: fn(&At) -> f64| {
        let told = all.iter().filter(|at| at.jobs.is_multiple_of(5));
        told.map(|at| format!("{}: {:.1}", at.jobs, figure(at))).collect::<Vec<_>>().join(", ")
    };
    let savings = format!("At most {most:.1} %. Saved in per cent, by jobs: {}.", told(At::saved));
    let by_sjs = format!("SJS saves of OLB's in per cent, by jobs: {}.", told(At::saved_by_sjs));
    let anew = format!(
        "Mapping anew saves in per cent of the time under PJS with the places given first, by jobs: {}.",
        told(At::saved_by_remapping)
    );
    vec![
        judge::exactly(never_worse).on(&NEVER_WORSE, savings.clone()),
        judge::exactly([nearly]).on(&UP_TO_HALF, savings.clone()),
        judge::exactly([concentrated]).on(&LIGHT_LOAD, savings.clone()),
        judge::exactly(same).on(&HEAVY_SAME, savings.clone()),
        judge::exactly([some]).on(&NOW_AND_THEN, savings),
        takes_less(all, |at| at.sjs, |at| at.olb).on(&SJS_OVER_OLB, by_sjs),
        takes_less(all, |at| at.anew, |at| at.pjs)
            .on(&MAPPED_ANEW, anew)
            .variant("all come at once"),
    ]
}

fn table(all: &[&At]) -> Table {
    let columns = [
        ("jobs", "jobs"),
        ("olb_s", "OLB (s)"),
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
            Cell::Number(at.olb, 0),
            Cell::Number(at.sjs, 0),
            Cell::Number(at.pjs, 0),
            Cell::Number(at.saved(), 1),
            Cell::Number(at.saved_anew(), 1),
            Cell::Share(at.parallel),
        ]);
    }
    table
}

fn plot(all: &[At]) -> Plot {
    let series = |name: &str, figure: fn(&At) -> f64| {
        let point = |at: &At| (at.jobs as f64, figure(at));
        Series::exact(name, Shape::Line, all.iter().map(point))
    };
    Plot {
        title: "What PJS saves of the job time of SJS".into(),
        caption: "As Fig. 5 (a) of the source.".into(),
        x: Axis::linear("number of jobs"),
        y: Axis::linear("saved (%)"),
        series: vec![
            series("everything mapped once", At::saved),
            series("mapped anew each quantum", At::saved_anew),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pjs::verdicts_of;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    const COUNTS: [usize; 6] = [4, 5, 15, 51, 65, 100];

    /// Two ways of which each saves something of its own: numbers that are not each other's.
    #[test]
    fn what_mapping_anew_saves_is_told_beside_pjs_and_where_it_differs() {
        let at = |pjs, anew| At { jobs: 5, olb: 100.0, sjs: 80.0, pjs, anew, parallel: 0.0 };
        let claims = claims(&[at(40.0, 30.0), at(40.0, 40.0), at(40.0, 40.0)]);
        let found = claims.iter().find(|claim| claim.statement == &MAPPED_ANEW).unwrap();
        let judged = found.judged.as_ref().unwrap();
        assert_eq!((judged.holding, judged.of, judged.same), (1, 1, 2));
        assert!(found.evidence.contains("5: 25.0, 5: 0.0"), "{}", found.evidence);
    }

    fn judged(algorithms: Algorithms) -> Vec<Claim> {
        claims(&COUNTS.map(|jobs| measure(jobs, 1, algorithms)))
    }

    /// SJS where PJS belongs.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let [olb, sjs, _] = RIGHT;
        [RIGHT, [olb, sjs, sjs]].map(judged)
    }

    /// The verdict on each statement where these algorithms run.
    fn verdicts(algorithms: Algorithms) -> Vec<Verdict> {
        let verdict = verdicts_of(&EXPERIMENT, judged(algorithms));
        EXPERIMENT.statements.iter().map(|statement| verdict(statement)).collect()
    }

    /// `SJS_OVER_OLB` turns where OLB runs as SJS, the four on savings where SJS runs as PJS.
    #[test]
    fn the_wrong_algorithm_in_the_place_of_another_is_caught() {
        assert_eq!(verdicts(RIGHT)[..6], [Holds; 6]);
        let [olb, sjs, pjs] = RIGHT;
        let no_better = verdicts([olb, sjs, sjs]);
        assert_eq!([no_better[1], no_better[2], no_better[4]], [DoesNotHold; 3]);
        assert_ne!(verdicts([olb, sjs, olb])[0], Holds);
        let no_sjs = verdicts([olb, olb, pjs]);
        assert_ne!([no_sjs[3], no_sjs[5]], [Holds; 2]);
    }
}
