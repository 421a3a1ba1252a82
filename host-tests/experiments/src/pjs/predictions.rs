//! Beyond the source: run times that deviate, and a coordinator that knows nothing at first.

use super::super::{Experiment, Findings, Lab};
use super::{Ran, config, one_queue, parameters, saved};
use crate::sources::collins_george::{DEVIATING_TIMES, LEARNS_FROM_NOTHING};
use crate::thresholds::PJS_AS_WELL;
use locox::mapping::{Basis, Times};
use locox::time::Duration;
use locox_coordinators::site::{Algorithm, Config, Learning, Remap};
use locox_models::site::{Rules, SECOND, Study, poisson};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Block, Cell, Claim, Plot, Point, Series, Shape, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-predictions",
    title: "Wrong predictions, and learning from nothing",
    source: "beyond Collins and George 2001",
    about: "Jobs arrive at random at the site of the study, one to four a quantum. First their run \
            times deviate from those of their classes, by 10, 30 and 100 % (log-normal): does PJS \
            still save anything over SJS? Then the coordinator is told that every job takes 100 s \
            everywhere, and learns from what runs took: after how many jobs does it decide as well \
            as with the true table?",
    statements: &[&DEVIATING_TIMES, &LEARNS_FROM_NOTHING],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const RATES: [u32; 3] = [1, 2, 4];
const DEVIATIONS: [f64; 4] = [0.0, 0.1, 0.3, 1.0];
const JOBS: usize = 400;
const PARAMETERS: &str = "400, and 2,400 to learn from, of five classes, drawn at random";
const POINTS: Unit = Unit("percentage points", 1);

/// What it learns from.
const BASES: [(Basis, &str); 3] = [
    (Basis::Resource, "the same resource"),
    (Basis::Class, "its class"),
    (Basis::Anywhere, "any resource"),
];
/// Jobs of the run in which it learns, and of a part of it.
const LEARNERS: usize = 2400;
const PART: usize = 200;
/// So many runs it remembers.
const MEMORY: u32 = 1000;
const GUESS: u64 = 100 * SECOND;

struct Deviating {
    rate: u32,
    deviation: f64,
    /// What PJS saves of the job time of SJS, in per cent.
    saved: Vec<f64>,
}

struct Learner {
    basis: &'static str,
    /// By how much longer jobs take than with the true table, in per cent, part by part.
    longer: Vec<Vec<f64>>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(3, 10);
    let cases: Vec<(u32, f64)> =
        RATES.iter().flat_map(|&rate| DEVIATIONS.map(|deviation| (rate, deviation))).collect();
    let wrong = lab.parallel(&cases, |&(rate, deviation)| {
        deviate(rate, deviation, replications, lab.seed, Algorithm::Pjs)
    });
    let learners = lab.parallel(&BASES, |&(basis, name)| {
        learn(
            name,
            replications,
            lab.seed,
            LEARNERS,
            Some(Learning { memory: MEMORY, basis, risk: 0 }),
        )
    });
    Findings {
        parameters: parameters(PARAMETERS, replications),
        claims: claims(&wrong, &learners),
        results: vec![
            Block::Table(table(&wrong)),
            Block::Table(parts(&learners)),
            Block::Plot(plot(&learners)),
        ],
    }
}

/// `pjs` is what runs against SJS.
fn deviate(rate: u32, deviation: f64, replications: u64, seed: u64, pjs: Algorithm) -> Deviating {
    let study = Study::new();
    let saved = (0..replications).map(|replication| {
        let jobs = poisson(JOBS, rate.into(), &[1], deviation, seed, replication);
        let by = |algorithm| {
            Ran::new(&study, &one_queue(config(Remap::Waiting), algorithm), &jobs).mean()
        };
        saved(by(Algorithm::Sjs), by(pjs))
    });
    Deviating { rate, deviation, saved: saved.collect() }
}

/// So many jobs under a coordinator that learns by `learning`, if at all.
fn learn(
    basis: &'static str,
    replications: u64,
    seed: u64,
    learners: usize,
    learning: Option<Learning>,
) -> Learner {
    let study = Study::new();
    let guess = |&time: &Duration| {
        if time == Times::NEVER { time } else { Duration::from_ticks(GUESS) }
    };
    let told: Vec<Duration> = study.cells().iter().map(guess).collect();
    let mut longer = vec![vec![]; learners / PART];
    for replication in 0..replications {
        let jobs = poisson(learners, 2.0, &[1], 0.1, seed, replication);
        let learns = Config { learning, ..config(Remap::Waiting) };
        let rules = Rules { told: Some(told.clone()), ..one_queue(learns, Algorithm::Pjs) };
        let learnt = Ran::new(&study, &rules, &jobs).times_of(0);
        let knows = one_queue(config(Remap::Waiting), Algorithm::Pjs);
        let known = Ran::new(&study, &knows, &jobs).times_of(0);
        let parts = learnt.chunks(PART).zip(known.chunks(PART));
        for (longer, (learnt, known)) in longer.iter_mut().zip(parts) {
            longer.push(-saved(super::mean(known), super::mean(learnt)));
        }
    }
    Learner { basis, longer }
}

impl Deviating {
    fn name(&self) -> String {
        format!("{} a quantum, {:.0} %", self.rate, 100.0 * self.deviation)
    }
}

impl Learner {
    /// After how many jobs the parts are as good as with the true table, to the end.
    fn takes(&self) -> Option<usize> {
        let is_worse = |part: &Vec<f64>| super::mean(part) > PJS_AS_WELL;
        let parts = self.longer.iter().rposition(is_worse).map_or(0, |last| last + 1);
        (parts < self.longer.len()).then_some(parts * PART)
    }
}

fn claims(wrong: &[Deviating], learners: &[Learner]) -> Vec<Claim> {
    let deviating = wrong.iter().filter(|it| it.deviation > 0.0);
    let still = deviating.map(|it| Case::new(it.name(), it.saved.clone(), Expected::MORE));
    let savings = wrong.iter().map(|it| format!("{}: {:.1}", it.name(), Estimate::of(&it.saved)));
    let last = learners.iter().map(|it| {
        let last = it.longer.last().cloned().unwrap_or_default();
        Case::new(it.basis, last, Expected::Inside(f64::NEG_INFINITY, PJS_AS_WELL))
    });
    let found = learners.iter().map(|it| {
        let takes = it.takes().map_or("never".into(), |jobs| format!("after {jobs} jobs"));
        format!("from runs on {}: {takes}", it.basis)
    });
    vec![
        judge::every(&still.collect::<Vec<_>>(), POINTS).on(
            &DEVIATING_TIMES,
            format!("Saved in per cent: {}.", savings.collect::<Vec<_>>().join("; ")),
        ),
        judge::every(&last.collect::<Vec<_>>(), POINTS).on(
            &LEARNS_FROM_NOTHING,
            format!(
                "Of each {PART} jobs the mean time is within 10 % of that with the true table {}.",
                found.collect::<Vec<_>>().join("; ")
            ),
        ),
    ]
}

fn table(wrong: &[Deviating]) -> Table {
    let columns =
        [("rate", "jobs a quantum"), ("deviation", "deviation"), ("saved", "saved by PJS (%)")];
    let mut table = Table::new("Run times that deviate", &columns);
    for it in wrong {
        table.push(vec![
            Cell::Count(it.rate.into()),
            Cell::Share(it.deviation),
            Cell::Estimate(Estimate::of(&it.saved), 1),
        ]);
    }
    table
}

fn parts(learners: &[Learner]) -> Table {
    let columns = [
        ("jobs", "jobs up to"),
        ("resource", "from the same resource (%)"),
        ("class", "from its class (%)"),
        ("anywhere", "from any (%)"),
    ];
    let mut table = Table::new("How much longer jobs take than with the true table", &columns);
    for part in 0..LEARNERS / PART {
        let mut row = vec![Cell::Count(((part + 1) * PART) as u64)];
        let of = |it: &Learner| Cell::Estimate(Estimate::of(&it.longer[part]), 1);
        row.extend(learners.iter().map(of));
        table.push(row);
    }
    table
}

fn plot(learners: &[Learner]) -> Plot {
    let series = |it: &Learner| {
        let point = |(part, longer): (usize, &Vec<f64>)| {
            Point::estimated(((part + 1) * PART) as f64, &Estimate::of(longer))
        };
        let points = it.longer.iter().enumerate().map(point).collect();
        Series { name: format!("from {}", it.basis), shape: Shape::Line, points }
    };
    Plot {
        title: "Learning from nothing".into(),
        caption: "How much longer jobs take than with the true table.".into(),
        x: Axis::linear("number of jobs"),
        y: Axis::linear("longer (%)"),
        series: learners.iter().map(series).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pjs::verdicts_of;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, Undecided};

    fn judged(pjs: Algorithm, learning: Option<Learning>) -> Vec<Claim> {
        let wrong = deviate(1, 0.3, 3, 1, pjs);
        let learner = learn("its class", 4, 1, 4 * PART, learning);
        claims(&[wrong], &[learner])
    }

    const BY_CLASS: Option<Learning> =
        Some(Learning { memory: MEMORY, basis: Basis::Class, risk: 0 });

    /// A coordinator that never learns.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        [BY_CLASS, None].map(|learning| judged(Algorithm::Pjs, learning))
    }

    fn verdicts(pjs: Algorithm, learning: Option<Learning>) -> Vec<Verdict> {
        let verdict = verdicts_of(&EXPERIMENT, judged(pjs, learning));
        EXPERIMENT.statements.iter().map(|statement| verdict(statement)).collect()
    }

    #[test]
    fn a_pjs_that_uses_no_clusters_and_a_coordinator_that_never_learns_are_caught() {
        assert_eq!(verdicts(Algorithm::Pjs, BY_CLASS), [Holds; 2]);
        assert_eq!(verdicts(Algorithm::Sjs, None), [Undecided, DoesNotHold]);
    }
}
