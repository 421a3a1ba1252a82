//! Case 4: urgent jobs take the places of others.

use super::super::{Experiment, Findings, Lab};
use super::{
    DISTRIBUTIONS, LEVELS, Ran, SOURCE, Shares, config, one_queue, parameters, policy, told,
};
use locox::site::{Algorithm, Claim as Taking, Config, Remap};
use locox_models::site::{Rules, Study, poisson};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Block, Cell, Claim, Gallery, Plot, Point, Series, Shape, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-preemption",
    title: "Urgent jobs take the places of others",
    source: "Collins and George 2001, case study 4, Figs. 8 and 9",
    about: "500 jobs of three priorities arrive at random, on the average 1 to 32 in a quantum of \
            ten seconds, under PJS. Jobs of high priority take places from those of low priority, \
            which begin anew; those of medium priority do neither. Whether what waits is mapped \
            anew each quantum is open in the source: judged is that it is. Beyond the source a job \
            loses its place once at most.",
    statements: &[],
    run: |lab| Ok(run(lab)),
};

const JOBS: usize = 500;
const RATES: [u32; 6] = [1, 2, 4, 8, 16, 32];
/// At so many jobs a quantum the order of the distributions turns.
const TURN: u32 = 8;
const SECONDS: Unit = Unit("seconds", 0);
const POINTS: Unit = Unit("percentage points", 1);

/// A distribution and a rate, in each replication.
struct At {
    shares: Shares,
    rate: u32,
    /// Mean job time of each level, in seconds.
    means: [Vec<f64>; 3],
    mean: Vec<f64>,
    /// Share of the jobs of each level that ran on clusters, in per cent.
    parallel: [Vec<f64>; 3],
    parallel_in_all: Vec<f64>,
    /// How often the job was preempted that was preempted most.
    preemptions: Vec<f64>,
    /// The same, and the mean time of jobs of low priority, where once is the most.
    bounded: [Vec<f64>; 2],
    /// The mean of all where jobs keep the places that they were given first.
    kept: Vec<f64>,
    /// The same without priorities.
    plain: Vec<f64>,
    /// How many of the jobs that lost their place ran on clusters in the end, in per cent.
    again: Vec<f64>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(2, 20);
    let rates: &[u32] = lab.either(&[1, 4, 8, 32], &RATES);
    let cases: Vec<(Shares, u32)> = DISTRIBUTIONS
        .iter()
        .flat_map(|&shares| rates.iter().map(move |&rate| (shares, rate)))
        .collect();
    let all = lab.parallel(&cases, |&(shares, rate)| measure(shares, rate, replications, lab.seed));
    Findings {
        parameters: parameters(replications),
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Gallery(gallery(&all))],
    }
}

fn measure(shares: Shares, rate: u32, replications: u64, seed: u64) -> At {
    let study = Study::new();
    let mut at = At {
        shares,
        rate,
        means: Default::default(),
        mean: vec![],
        parallel: Default::default(),
        parallel_in_all: vec![],
        preemptions: vec![],
        bounded: Default::default(),
        kept: vec![],
        plain: vec![],
        again: vec![],
    };
    for replication in 0..replications {
        let jobs = poisson(JOBS, f64::from(rate), &shares, 0.0, seed, replication);
        let under = |config: Config| {
            let claims = [Taking::Takes, Taking::Neither, Taking::Loses];
            let queue = |(level, claim)| policy(Algorithm::Pjs, level, claim);
            let queues = (0..).zip(claims).map(queue).collect();
            Ran::new(&study, &Rules { queues, ..one_queue(config, Algorithm::Pjs) }, &jobs)
        };
        let ran = under(config(Remap::Waiting));
        for (level, (mean, parallel)) in (0..).zip(at.means.iter_mut().zip(&mut at.parallel)) {
            mean.push(ran.mean_of(level));
            parallel.push(100.0 * ran.parallel_of(level));
        }
        at.mean.push(ran.mean());
        at.parallel_in_all.push(100.0 * ran.parallel());
        at.preemptions.push(ran.most_preemptions().into());
        let once = under(Config { preemptions: Some(1), ..config(Remap::Waiting) });
        at.bounded[0].push(once.most_preemptions().into());
        at.bounded[1].push(once.mean_of(2));
        at.kept.push(under(config(Remap::New)).mean());
        let alike = vec![policy(Algorithm::Pjs, 0, Taking::Neither); 3];
        let rules = Rules { queues: alike, ..one_queue(config(Remap::Waiting), Algorithm::Pjs) };
        at.plain.push(Ran::new(&study, &rules, &jobs).mean());
        at.again.extend(ran.parallel_of_preempted().map(|share| 100.0 * share));
    }
    at
}

impl At {
    fn name(&self) -> String {
        format!("{} a quantum at {}", self.rate, told(self.shares))
    }
}

fn minus(one: &[f64], other: &[f64]) -> Vec<f64> {
    one.iter().zip(other).map(|(one, other)| one - other).collect()
}

fn claims(all: &[At]) -> Vec<Claim> {
    let [typical, _, sold] = DISTRIBUTIONS;
    let place = |figure: &str| format!("{SOURCE}, section 5.4, {figure}");
    let of = |shares: Shares| all.iter().filter(move |at| at.shares == shares);
    let high_rate = |shares| of(shares).max_by_key(|at| at.rate);
    let contained: Vec<Case> = high_rate(typical)
        .map(|at| {
            let off = minus(&at.means[0], &vec![100.0; at.mean.len()]);
            Case::new(at.name(), off, Expected::Inside(-25.0, 25.0))
        })
        .into_iter()
        .collect();
    let fourfold: Vec<Case> = high_rate(typical)
        .zip(high_rate(sold))
        .map(|(rare, many)| {
            let four: Vec<f64> = rare.means[0].iter().map(|mean| 4.0 * mean).collect();
            Case::new(many.name(), minus(&many.means[0], &four), Expected::MORE)
        })
        .into_iter()
        .collect();
    let pairs = |figure: fn(&At) -> &[Vec<f64>; 3], expected: Expected| -> Vec<Case> {
        let pair = |at: &At| {
            let [high, medium, low] = figure(at);
            let name = |levels: &str| format!("{levels}, {}", at.name());
            [
                Case::new(name("high and medium"), minus(high, medium), expected),
                Case::new(name("medium and low"), minus(medium, low), expected),
            ]
        };
        all.iter().flat_map(pair).collect()
    };
    let rising = || DISTRIBUTIONS.into_iter().flat_map(|shares| of(shares).zip(of(shares).skip(1)));
    let falls: Vec<Case> = rising()
        .map(|(slow, fast)| {
            let by = minus(&fast.parallel_in_all, &slow.parallel_in_all);
            Case::new(format!("{} to {}", slow.rate, fast.name()), by, Expected::LESS)
        })
        .collect();
    let turns: Vec<Case> = of(typical)
        .zip(of(sold))
        .filter(|(at, _)| at.rate != TURN)
        .map(|(typical, sold)| {
            let better = if typical.rate < TURN { Expected::LESS } else { Expected::MORE };
            let name = format!("{} a quantum", typical.rate);
            Case::new(name, minus(&sold.mean, &typical.mean), better)
        })
        .collect();
    let dearer: Vec<Case> = all
        .iter()
        .map(|at| Case::new(at.name(), minus(&at.mean, &at.plain), Expected::MORE))
        .collect();
    let again: Vec<Case> = all
        .iter()
        .map(|at| {
            Case::new(at.name(), minus(&at.again, &vec![50.0; at.again.len()]), Expected::MORE)
        })
        .collect();
    let bounded = all.iter().map(|at| (at.name(), at.bounded[0].iter().all(|&most| most <= 1.0)));
    let patient: Vec<Case> = all
        .iter()
        .filter(|at| at.preemptions.iter().any(|&most| most > 1.0))
        .map(|at| Case::new(at.name(), minus(&at.bounded[1], &at.means[2]), Expected::LESS))
        .collect();
    let kept: Vec<Case> = all
        .iter()
        .map(|at| Case::new(at.name(), minus(&at.mean, &at.kept), Expected::LESS))
        .collect();
    let told_of = |digits: usize, figure: &dyn Fn(&At) -> &[f64]| {
        let one = |shares: Shares| {
            let each = of(shares).map(|at| {
                let Estimate { mean, .. } = Estimate::of(figure(at));
                format!("{}: {mean:.digits$}", at.rate)
            });
            format!("{} {}", told(shares), each.collect::<Vec<_>>().join(", "))
        };
        DISTRIBUTIONS.map(one).join("; ")
    };
    let high =
        format!("Mean job time of high priority by rate: {}.", told_of(0, &|at| &at.means[0]));
    vec![
        judge::every(&contained, SECONDS).claim(
            "At 10/10/80 the mean time of jobs of high priority stays near 100 s, within 25 s, even \
             when most jobs arrive",
            place("Fig. 8 (a)"),
            high.clone(),
        ),
        judge::every(&fourfold, SECONDS).claim(
            "At 50/25/25 they then take more than four times as long",
            place("Fig. 8 (c)"),
            high,
        ),
        judge::every(&pairs(|at| &at.means, Expected::LESS), SECONDS).claim(
            "The higher the priority, the shorter the mean job time",
            place("Fig. 8"),
            format!("Of low priority by rate: {}.", told_of(0, &|at| &at.means[2])),
        ),
        judge::every(&falls, POINTS).claim(
            "The more jobs arrive, the fewer run in parallel",
            place("Fig. 9 (b), Table 1"),
            format!("Per cent by rate: {}.", told_of(1, &|at| &at.parallel_in_all)),
        ),
        judge::every(&pairs(|at| &at.parallel, Expected::MORE), POINTS).claim(
            "The lower the priority, the fewer run in parallel",
            place("Table 1"),
            format!("Per cent of low priority by rate: {}.", told_of(1, &|at| &at.parallel[2])),
        ),
        judge::every(&turns, SECONDS).claim(
            "Below 8 jobs a quantum many urgent jobs (50/25/25) are better for the mean of all than \
             few (10/10/80), and above 8 worse",
            place("Fig. 9 (a)"),
            format!("Mean job time by rate: {}.", told_of(0, &|at| &at.mean)),
        ),
        judge::every(&dearer, SECONDS).claim(
            "Priorities and preemption cost something in all",
            place("Fig. 9 (a)"),
            format!("Mean job time without by rate: {}.", told_of(0, &|at| &at.plain)),
        ),
        judge::every(&again, POINTS).claim(
            "Most jobs that lose their place run on clusters in the end",
            place("Table 1"),
            format!("Per cent of them by rate: {}.", told_of(1, &|at| &at.again)),
        ),
        judge::exactly(bounded).beyond_the_source().claim(
            "With a bound of one no job loses its place twice",
            "beyond the source",
            format!(
                "Without, a job loses it up to so often, by rate: {}.",
                told_of(1, &|at| &at.preemptions)
            ),
        ),
        judge::every(&patient, SECONDS).beyond_the_source().claim(
            "With that bound jobs of low priority take less time",
            "beyond the source",
            format!("Their mean job time by rate: {}.", told_of(0, &|at| &at.bounded[1])),
        ),
        judge::every(&kept, SECONDS).beyond_the_source().claim(
            "It is better to map all that waits anew each quantum",
            "left open by the source",
            format!("Mean job time where places are kept: {}.", told_of(0, &|at| &at.kept)),
        ),
    ]
}

fn table(all: &[At]) -> Table {
    let columns = [
        ("priorities", "high/medium/low"),
        ("rate", "jobs a quantum"),
        ("high_s", "high (s)"),
        ("medium_s", "medium (s)"),
        ("low_s", "low (s)"),
        ("all_s", "all (s)"),
        ("parallel_high", "parallel, high (%)"),
        ("parallel_medium", "parallel, medium (%)"),
        ("parallel_low", "parallel, low (%)"),
        ("parallel", "parallel (%)"),
        ("preemptions", "most preemptions of a job"),
        ("bounded_low_s", "low, bounded (s)"),
        ("kept_s", "all, places kept (s)"),
        ("plain_s", "all, no priorities (s)"),
        ("again", "parallel, of those preempted (%)"),
    ];
    let mut table = Table::new("Mean job times, and who ran in parallel", &columns)
        .with_details_from("parallel_high");
    for at in all {
        let mut row = vec![Cell::text(told(at.shares)), Cell::Count(at.rate.into())];
        let times = at.means.iter().chain([&at.mean]);
        row.extend(times.map(|times| Cell::Estimate(Estimate::of(times), 0)));
        let shares = at.parallel.iter().chain([&at.parallel_in_all]);
        row.extend(shares.map(|shares| Cell::Estimate(Estimate::of(shares), 1)));
        row.push(Cell::Number(super::mean(&at.preemptions), 1));
        row.push(Cell::Estimate(Estimate::of(&at.bounded[1]), 0));
        row.push(Cell::Estimate(Estimate::of(&at.kept), 0));
        row.push(Cell::Estimate(Estimate::of(&at.plain), 0));
        row.push(Cell::Estimate(Estimate::of(&at.again), 1));
        table.push(row);
    }
    table
}

fn gallery(all: &[At]) -> Gallery {
    let plot = |shares: Shares| {
        let series = |(level, name): (usize, &&str)| {
            let these = all.iter().filter(|at| at.shares == shares);
            let point = |at: &At| Point::estimated(at.rate.into(), &Estimate::of(&at.means[level]));
            Series { name: (*name).into(), shape: Shape::Line, points: these.map(point).collect() }
        };
        Plot {
            title: told(shares),
            caption: String::new(),
            x: Axis::linear("jobs a quantum"),
            y: Axis::linear("mean job time (s)"),
            series: LEVELS.iter().enumerate().map(series).collect(),
        }
    };
    Gallery {
        title: "Mean job times by priority and rate".into(),
        caption: "As Fig. 8 of the source.".into(),
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

    /// Figures with a little scatter, so that each case is clear.
    fn made(shares: Shares, rate: u32) -> At {
        let around = |mean: f64| vec![mean - 0.1, mean, mean + 0.2];
        let is_sold = shares == DISTRIBUTIONS[2];
        let high = if is_sold && rate == 32 { 450.0 } else { 100.0 };
        let turned = (rate < TURN) == is_sold;
        let share = 60.0 - f64::from(rate);
        At {
            shares,
            rate,
            means: [high, 500.0, 600.0].map(around),
            mean: vec![if turned { 200.0 } else { 300.0 }; 3],
            parallel: [share, share - 5.0, share - 10.0].map(around),
            parallel_in_all: around(share),
            preemptions: vec![5.0, 4.0, 4.0],
            bounded: [vec![1.0; 3], around(550.0)],
            kept: around(400.0),
            plain: around(150.0),
            again: around(70.0),
        }
    }

    fn all() -> Vec<At> {
        let of = |shares| [1, 32].map(|rate| made(shares, rate));
        DISTRIBUTIONS.into_iter().flat_map(of).collect()
    }

    #[test]
    fn what_the_source_says_holds_of_figures_like_its_own_and_not_of_others() {
        let mut sound = all();
        sound.iter_mut().for_each(|at| {
            at.mean = at.mean.iter().zip([0.0, 0.1, 0.3]).map(|(a, b)| a + b).collect()
        });
        let found = verdicts(&sound);
        assert_eq!(found[..5], [Holds; 5]);
        let mut reversed = all();
        reversed.iter_mut().for_each(|at| {
            at.means.reverse();
            at.parallel.reverse();
        });
        let found = verdicts(&reversed);
        assert_eq!([found[0], found[1], found[2], found[4]], [DoesNotHold; 4]);
    }

    #[test]
    fn a_real_run_keeps_its_bound() {
        let at = measure(DISTRIBUTIONS[0], 2, 1, 1);
        assert!(at.preemptions[0] > 1.0, "{:?}", at.preemptions);
        assert_eq!(at.bounded[0], [1.0]);
    }
}
