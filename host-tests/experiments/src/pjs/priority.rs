//! Case 3: what priorities give and cost.

use super::super::{Experiment, Findings, Lab};
use super::{
    DISTRIBUTIONS, LEVELS, Ran, SOURCE, Shares, config, one_queue, parameters, policy, saved, told,
};
use locox::site::{Algorithm, Claim as Taking, Remap};
use locox_models::site::{Rules, Study, Submission, batch};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Block, Cell, Claim, Gallery, Plot, Point, Series, Shape, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-priority",
    title: "Priorities on a site: who gains, and at what cost",
    source: "Collins and George 2001, case study 3, Figs. 6 and 7",
    about: "Up to 500 jobs of three priorities come at time zero; each level is mapped in its turn, \
            without regard to those behind it, once under SJS and once under PJS, and once without \
            priorities. Everything is mapped once.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

/// From so many jobs of high priority on the curves of Fig. 6 have met.
const MET: f64 = 30.0;
const POINTS: Unit = Unit("percentage points", 1);
const SECONDS: Unit = Unit("seconds", 0);

/// A distribution and a number of jobs, in each replication.
struct At {
    shares: Shares,
    jobs: usize,
    /// What PJS saves of the time of each level under SJS, in per cent.
    saved: [Vec<f64>; 3],
    saved_in_all: Vec<f64>,
    /// What priorities cost in all, in per cent: under SJS, under PJS.
    cost: [Vec<f64>; 2],
    /// Job time in all under PJS, in seconds.
    total: Vec<f64>,
    /// The same of jobs of medium priority.
    medium: Vec<f64>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(4, 40);
    let counts: Vec<usize> = match lab.either(true, false) {
        true => vec![20, 60, 120, 200, 300, 400],
        false => (1..=25).map(|twenties| 20 * twenties).collect(),
    };
    let cases: Vec<(Shares, usize)> = DISTRIBUTIONS
        .iter()
        .flat_map(|&shares| counts.iter().map(move |&jobs| (shares, jobs)))
        .collect();
    let all = lab.parallel(&cases, |&(shares, jobs)| measure(shares, jobs, replications, lab.seed));
    Findings {
        parameters: parameters(replications),
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Gallery(gallery(&all))],
    }
}

fn measure(shares: Shares, count: usize, replications: u64, seed: u64) -> At {
    let study = Study::new();
    let mut at = At {
        shares,
        jobs: count,
        saved: Default::default(),
        saved_in_all: vec![],
        cost: Default::default(),
        total: vec![],
        medium: vec![],
    };
    for replication in 0..replications {
        let jobs = batch(count, &shares, seed, replication);
        let alike: Vec<Submission> =
            jobs.iter().map(|job| Submission { queue: 0, ..*job }).collect();
        let config = config(Remap::New);
        let by_level = |algorithm| {
            let queues = (0..3).map(|level| policy(algorithm, level, Taking::Neither)).collect();
            Ran::new(&study, &Rules { queues, ..one_queue(config, algorithm) }, &jobs)
        };
        let without = |algorithm| Ran::new(&study, &one_queue(config, algorithm), &alike).total();
        let [sjs, pjs] = [Algorithm::Sjs, Algorithm::Pjs].map(by_level);
        for (queue, saves) in (0..).zip(&mut at.saved) {
            saves.push(saved(sjs.total_of(queue), pjs.total_of(queue)));
        }
        at.saved_in_all.push(saved(sjs.total(), pjs.total()));
        at.cost[0].push(-saved(without(Algorithm::Sjs), sjs.total()));
        at.cost[1].push(-saved(without(Algorithm::Pjs), pjs.total()));
        at.total.push(pjs.total());
        at.medium.push(pjs.total_of(1));
    }
    at
}

impl At {
    fn high(&self) -> f64 {
        self.jobs as f64 * f64::from(self.shares[0]) / 100.0
    }

    fn name(&self) -> String {
        format!("{} jobs at {}", self.jobs, told(self.shares))
    }
}

/// Replication by replication, the mean over all numbers of jobs of a distribution.
fn over_all(all: &[At], shares: Shares, figure: impl Fn(&At) -> &[f64]) -> Vec<f64> {
    let these: Vec<&At> = all.iter().filter(|at| at.shares == shares).collect();
    let replications = these.first().map_or(0, |at| figure(at).len());
    let mean = |replication: usize| {
        these.iter().map(|at| figure(at)[replication]).sum::<f64>() / these.len() as f64
    };
    (0..replications).map(mean).collect()
}

fn claims(all: &[At]) -> Vec<Claim> {
    let [typical, heavy_use, sold] = DISTRIBUTIONS;
    let place = |figure: &str| format!("{SOURCE}, section 5.3, {figure}");
    let few = all.iter().filter(|at| at.high() <= 20.0);
    let few = few.map(|at| Case::new(at.name(), at.saved[0].clone(), Expected::MORE));
    let met = all.iter().filter(|at| at.high() >= MET);
    let met = met.map(|at| Case::new(at.name(), at.saved[0].clone(), Expected::alike(5.0)));
    let bump = all.iter().filter(|at| at.shares == typical && at.high() <= MET);
    let bump: Vec<&At> = bump.collect();
    let falls = bump.windows(2).map(|two| {
        let by = two[1].medium.iter().zip(&two[0].medium).map(|(more, few)| more - few).collect();
        Case::new(format!("{} to {}", two[0].jobs, two[1].name()), by, Expected::LESS)
    });
    let times = bump.iter().map(|at| format!("{}: {:.0}", at.jobs, Estimate::of(&at.medium)));
    let times = times.collect::<Vec<_>>().join(", ");
    let low = |shares: Shares, expected| {
        Case::new(told(shares), over_all(all, shares, |at| &at.saved[2]), expected)
    };
    let slightly = Expected::Inside(-10.0, 0.0);
    let marginal = [typical, heavy_use].map(|shares| low(shares, slightly));
    let costs = |expected| {
        let of = |shares: Shares| {
            ["SJS", "PJS"].into_iter().enumerate().map(move |(at, name)| {
                let cost = over_all(all, shares, |it| &it.cost[at]);
                Case::new(format!("{name} at {}", told(shares)), cost, expected)
            })
        };
        DISTRIBUTIONS.into_iter().flat_map(of).collect::<Vec<_>>()
    };
    let no_difference = DISTRIBUTIONS.map(|shares| {
        Case::new(told(shares), over_all(all, shares, |at| &at.saved_in_all), Expected::alike(5.0))
    });
    let figures = |level: usize| {
        let one = |shares: Shares| {
            let these = all.iter().filter(|at| at.shares == shares);
            let each =
                these.map(|at| format!("{}: {:.1}", at.jobs, Estimate::of(&at.saved[level])));
            format!("{} {}", told(shares), each.collect::<Vec<_>>().join(", "))
        };
        let of = DISTRIBUTIONS.map(one).join("; ");
        format!("PJS saves of jobs of {} priority, in per cent by all jobs: {of}.", LEVELS[level])
    };
    let all_in_all = |figure: &dyn Fn(&At) -> &[f64]| {
        let one = |shares: Shares| {
            format!("{} {:.1}", told(shares), Estimate::of(&over_all(all, shares, figure)))
        };
        DISTRIBUTIONS.map(one).join(", ")
    };
    let cost = format!(
        "Cost in per cent: SJS {}; PJS {}.",
        all_in_all(&|at| &at.cost[0]),
        all_in_all(&|at| &at.cost[1])
    );
    vec![
        judge::every(&few.collect::<Vec<_>>(), POINTS).claim(
            "PJS favours jobs of high priority more than SJS as long as they are few: up to 20",
            place("Fig. 6 (a), (d), (g)"),
            figures(0),
        ),
        judge::every(&met.collect::<Vec<_>>(), POINTS).claim(
            "From some 30 jobs of high priority on these take as long under both, within 5 \
             percentage points",
            place("Fig. 6 (a)"),
            figures(0),
        ),
        judge::some(&falls.collect::<Vec<_>>(), SECONDS).claim(
            "At 10/10/80 jobs of medium priority have a bump under PJS, where those of high \
             priority have taken all clusters: with more of them they take less in all",
            place("Fig. 6 (b)"),
            format!("Their seconds in all by all jobs: {times}. {}", figures(1)),
        ),
        judge::every(&marginal, POINTS).claim(
            "Jobs of low priority take marginally longer under PJS at 10/10/80 and 25/25/50: up to \
             10 %",
            place("Fig. 6 (c), (f)"),
            figures(2),
        ),
        judge::every(&[low(sold, Expected::alike(2.0))], POINTS).claim(
            "At 50/25/25 they take as long under both, within 2 %",
            place("Fig. 6 (i)"),
            figures(2),
        ),
        judge::every(&costs(Expected::Inside(f64::NEG_INFINITY, 10.0)), POINTS).claim(
            "Priorities cost less than 10 % in all",
            place("Fig. 7"),
            cost.clone(),
        ),
        judge::every(&costs(Expected::MORE), POINTS).claim(
            "Priorities cost something in all",
            place("Fig. 7"),
            cost,
        ),
        judge::every(&no_difference, POINTS).claim(
            "Under priorities PJS and SJS take as long in all, within 5 %",
            place("Fig. 7"),
            format!("PJS saves in per cent: {}.", all_in_all(&|at| &at.saved_in_all)),
        ),
    ]
}

fn table(all: &[At]) -> Table {
    let columns = [
        ("priorities", "high/medium/low"),
        ("jobs", "jobs"),
        ("high", "saved, high (%)"),
        ("medium", "saved, medium (%)"),
        ("low", "saved, low (%)"),
        ("all", "saved in all (%)"),
        ("cost_sjs", "cost, SJS (%)"),
        ("cost_pjs", "cost, PJS (%)"),
        ("total_s", "PJS in all (s)"),
    ];
    let mut table = Table::new("What PJS saves of SJS, and what priorities cost", &columns);
    for at in all {
        let mut row = vec![Cell::text(told(at.shares)), Cell::Count(at.jobs as u64)];
        let figures = at.saved.iter().chain([&at.saved_in_all]).chain(&at.cost);
        row.extend(figures.map(|figure| Cell::Estimate(Estimate::of(figure), 1)));
        row.push(Cell::Estimate(Estimate::of(&at.total), 0));
        table.push(row);
    }
    table
}

fn gallery(all: &[At]) -> Gallery {
    let plot = |shares: Shares| {
        let these = || all.iter().filter(move |at| at.shares == shares);
        let series = |(level, name): (usize, &&str)| {
            let point = |at: &At| Point::estimated(at.jobs as f64, &Estimate::of(&at.saved[level]));
            Series {
                name: (*name).into(),
                shape: Shape::Line,
                points: these().map(point).collect(),
            }
        };
        Plot {
            title: told(shares),
            caption: String::new(),
            x: Axis::linear("jobs"),
            y: Axis::linear("saved (%)"),
            series: LEVELS.iter().enumerate().map(series).collect(),
        }
    };
    Gallery {
        title: "What PJS saves of the job time under SJS, by priority".into(),
        caption: "The differences of the curves of Fig. 6 of the source.".into(),
        plots: DISTRIBUTIONS.map(plot).into(),
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
    fn a_scheduler_that_ignores_priorities_and_one_that_wastes_are_caught() {
        let all = || -> Vec<At> {
            let of = |shares| [100, 300].map(|jobs| measure(shares, jobs, 4, 1));
            DISTRIBUTIONS.into_iter().flat_map(of).collect()
        };
        assert_eq!(verdicts(&all())[5], Holds);
        let mut ignores = all();
        ignores.iter_mut().for_each(|at| {
            at.saved.iter_mut().flatten().for_each(|saved| *saved = -8.0);
            at.cost.iter_mut().flatten().for_each(|cost| *cost = 0.0);
        });
        ignores.iter_mut().for_each(|at| {
            at.medium = vec![at.jobs as f64; at.medium.len()];
        });
        let found = verdicts(&ignores);
        assert_eq!([found[0], found[1], found[2]], [DoesNotHold; 3]);
        assert_ne!(found[6], Holds);
        let mut wastes = all();
        wastes.iter_mut().for_each(|at| {
            at.cost.iter_mut().flatten().for_each(|cost| *cost += 30.0);
            at.saved_in_all.iter_mut().for_each(|saved| *saved -= 30.0);
        });
        let found = verdicts(&wastes);
        assert_eq!([found[5], found[7]], [DoesNotHold; 2]);
    }
}
