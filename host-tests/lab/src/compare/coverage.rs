//! How often intervals of traces cover what they are to cover: the mean over many other traces of
//! the same making.

use super::making::Making;
use super::{Drawn, FEWEST_DRAWS, Metric, Reason, Setting};
use locox_models::replay::{Order, QueueKind};

const QUEUES: [QueueKind; 2] = [QueueKind::Fcfs, QueueKind::Easy];
const METRICS: [Metric; 2] = [Metric::Wait, Metric::Slowdown];
/// Streams of the traces that the truth is the mean of, and of those that are judged.
const TRUTH: &str = "coverage truth";
const JUDGED: &str = "coverage";

impl Making {
    /// At a share of the saturation, for each figure.
    fn coverage(&self, share: f64, truths: u64, traces: u64) -> [Coverage; 2] {
        let load = share * self.saturation();
        let differences = |setting: &Setting| {
            let [base, other] = &setting.found[..] else { panic!("two methods") };
            METRICS.map(|metric| other.effect(metric, base).difference)
        };
        let others = self.compared(&QUEUES, Order::Arrival, load, TRUTH, (truths, 0), differences);
        let judged = self.compared(
            &QUEUES,
            Order::Arrival,
            load,
            JUDGED,
            (traces, FEWEST_DRAWS as u64),
            |setting| (differences(setting), setting.found[0].drawn),
        );
        let hang = Err::<Drawn, _>(Reason::OrderMatters);
        let hanging = judged.iter().filter(|(_, drawn)| *drawn == hang).count() as u64;
        [0, 1].map(|at| {
            let truth = others.iter().map(|of| of[at].value).sum::<f64>() / others.len() as f64;
            let intervals = || judged.iter().filter_map(|(of, _)| of[at].interval.ok());
            let covers = |&(low, high): &(f64, f64)| low <= truth && truth <= high;
            Coverage {
                covering: intervals().filter(covers).count() as u64,
                given: intervals().count() as u64,
                hanging,
                of: traces,
            }
        })
    }
}

struct Coverage {
    covering: u64,
    given: u64,
    /// Without an interval since the work of a week is like that of its neighbours.
    hanging: u64,
    of: u64,
}

impl Coverage {
    fn told(&self) -> String {
        let Self { covering, given, hanging, of } = self;
        let share = 100.0 * *covering as f64 / (*given).max(1) as f64;
        let others = of - given - hanging;
        format!(
            "{covering} of {given} cover ({share:.1} %); none: {hanging} by work, {others} others"
        )
    }
}

/// So many of `given` intervals that each cover with 95 % do so, or fewer, with less than 1 in 1,000.
fn too_few(given: u64) -> u64 {
    let mut below = 0.0;
    let mut term = 0.05_f64.powi(given as i32);
    for covering in 0..=given {
        below += term;
        if below > 0.001 {
            return covering;
        }
        term *= (given - covering) as f64 / (covering + 1) as f64 * 0.95 / 0.05;
    }
    given
}

#[test]
fn too_few_is_the_quantile_of_the_binomial_distribution() {
    // scipy.stats.binom.ppf(0.001, n, 0.95)
    assert_eq!([30, 40, 200].map(too_few), [24, 33, 179]);
}

#[test]
fn intervals_cover_the_truth_up_to_saturation() {
    let making =
        Making { weeks: 16, run: 8.0 * 3_600.0, season: None, estimates: 0.0, users: None };
    for share in [0.5, 0.7, 0.9] {
        let [waits, _] = making.coverage(share, 300, 60);
        println!("{share}: {}", waits.told());
        assert!(waits.given >= 40, "{share}: {}", waits.told());
        assert!(waits.covering >= too_few(waits.given), "{share}: {}", waits.told());
    }
}

/// A year in which the load stays high or low for six weeks each.
#[test]
fn seasons_have_no_intervals() {
    let making =
        Making { weeks: 52, run: 8.0 * 3_600.0, season: Some(6.0), estimates: 0.0, users: None };
    let [waits, _] = making.coverage(0.7, 1, 40);
    println!("seasons: {}", waits.told());
    assert!(waits.hanging >= 30, "{}", waits.told());
}

/// The table in docs/compare.md: minutes.
#[test]
#[ignore = "takes minutes; its results are in docs/compare.md"]
fn the_coverage_of_intervals_of_traces() {
    for (name, season) in [("alike", None), ("seasons", Some(6.0))] {
        for weeks in [13, 26, 52] {
            for share in [0.5, 0.7, 0.9] {
                let making =
                    Making { weeks, run: 3.0 * 3_600.0, season, estimates: 0.0, users: None };
                let [waits, slowdowns] = making.coverage(share, 600, 100);
                println!("{name}, {weeks} weeks, {share}: wait: {}", waits.told());
                println!("{name}, {weeks} weeks, {share}: slowdown: {}", slowdowns.told());
                let enough = waits.covering >= too_few(waits.given);
                assert!(enough || season.is_some(), "{}", waits.told());
            }
        }
    }
}
