//! Case 2: what PJS saves over SJS.

use super::super::{Experiment, Findings, Lab};
use super::{Ran, SOURCE, config, one_queue, parameters, saved};
use locox::site::{Algorithm, Remap};
use locox_models::site::{Study, batch};
use locox_report::judge;
use locox_report::report::{Axis, Block, Cell, Claim, Plot, Series, Shape, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-performance",
    title: "What clusters are worth to jobs that could do without",
    source: "Collins and George 2001, case study 2, Fig. 5",
    about: "So many jobs come at time zero to the site of the study, once under SJS and once under \
            PJS. What is open in the source, whether jobs that wait are mapped anew each quantum, is \
            run both ways; judged is that everything is mapped once, as its figures are merits of \
            single schedules.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

/// From here on the load is heavy.
const HEAVY: usize = 60;

/// So many jobs. Nothing is random: all come at once, the classes in equal parts, and jobs of a
/// class are alike.
struct At {
    jobs: usize,
    /// Job time in all, in seconds.
    sjs: f64,
    pjs: f64,
    /// PJS, all that waits mapped anew each quantum.
    anew: f64,
    /// The share of jobs that PJS ran on clusters.
    parallel: f64,
}

fn run(lab: &Lab) -> Findings {
    let counts: Vec<usize> = (1..=20).map(|fives| 5 * fives).collect();
    let counts: Vec<usize> = counts.into_iter().step_by(lab.either(2, 1)).collect();
    let all = lab.parallel(&counts, |&jobs| measure(jobs, lab.seed));
    Findings {
        parameters: parameters(1),
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Plot(plot(&all))],
    }
}

fn measure(count: usize, seed: u64) -> At {
    let study = Study::new();
    let jobs = batch(count, &[1], seed, 0);
    let by = |algorithm, remap| Ran::new(&study, &one_queue(config(remap), algorithm), &jobs);
    let pjs = by(Algorithm::Pjs, Remap::New);
    At {
        jobs: count,
        sjs: by(Algorithm::Sjs, Remap::New).total(),
        pjs: pjs.total(),
        anew: by(Algorithm::Pjs, Remap::Waiting).total(),
        parallel: pjs.parallel(),
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

    fn is_heavy(&self) -> bool {
        self.jobs >= HEAVY
    }
}

fn claims(all: &[At]) -> Vec<Claim> {
    let heavy = || all.iter().filter(|at| at.is_heavy());
    let light = || all.iter().filter(|at| !at.is_heavy());
    let never_worse = all.iter().map(|at| (at.name(), at.pjs <= at.sjs));
    let half = ("fewer than 60 jobs".into(), light().any(|at| at.saved() > 40.0));
    let same = heavy().map(|at| (at.name(), at.saved() < 5.0));
    let some = ("60 jobs and more".into(), heavy().any(|at| at.saved() > 0.0));
    let remapped = all.iter().filter(|at| at.anew != at.pjs);
    let better = remapped.map(|at| (at.name(), at.anew < at.pjs));
    let told = |figure: fn(&At) -> f64| {
        let one = |at: &At| format!("{}: {:.1}", at.jobs, figure(at));
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let savings = format!("Saved in per cent, by jobs: {}.", told(At::saved));
    let place = |figure: &str| format!("{SOURCE}, section 5.2, {figure}");
    vec![
        judge::exactly(never_worse).claim(
            "PJS is at least as good as SJS in all cases",
            place("Fig. 5"),
            savings.clone(),
        ),
        judge::exactly([half]).claim(
            "At light load PJS saves up to nearly half of the job time: more than 40 % somewhere \
             below 60 jobs",
            place("Fig. 5 (a)"),
            savings.clone(),
        ),
        judge::exactly(same).claim(
            "Under heavy load PJS is as good as SJS, within 5 per cent",
            place("Fig. 5 (a)"),
            savings.clone(),
        ),
        judge::exactly([some]).claim(
            "Even under heavy load a profitable parallel job is found now and then",
            place("Fig. 5 (a)"),
            savings,
        ),
        judge::exactly(better).beyond_the_source().claim(
            "Where it makes a difference it is better to map all that waits anew each quantum",
            "left open by the source",
            format!("Saved so in per cent, by jobs: {}.", told(At::saved_anew)),
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
        x: Axis::linear("jobs"),
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
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    fn verdicts(all: &[At]) -> Vec<Verdict> {
        claims(all).into_iter().map(|claim| claim.verdict).collect()
    }

    #[test]
    fn a_pjs_that_is_no_better_and_one_that_is_worse_are_caught() {
        let sound = || [5, 15, 65, 100].map(|jobs| measure(jobs, 1));
        assert_eq!(verdicts(&sound())[..4], [Holds; 4]);
        let mut same = sound();
        same.iter_mut().for_each(|at| at.pjs = at.sjs);
        assert_eq!(verdicts(&same)[..4], [Holds, DoesNotHold, Holds, DoesNotHold]);
        let mut worse = sound();
        worse.iter_mut().for_each(|at| at.pjs = at.sjs * 1.2);
        assert_eq!(verdicts(&worse)[0], DoesNotHold);
        let mut better = sound();
        better.iter_mut().for_each(|at| at.pjs = at.sjs / 2.0);
        assert_eq!(verdicts(&better)[2], DoesNotHold);
    }
}
