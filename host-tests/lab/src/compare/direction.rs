//! How often the answer of a comparison of traces is right: beside the sign that the difference has in most of many other
//! traces of the same making. And how often policies that differ by chance alone are told apart.

use super::making::Making;
use super::{Answer, Effect, FEWEST_DRAWS, Found, Metric, Setting};
use locox_models::replay::{Order, QueueKind};

const QUEUES: [QueueKind; 5] = [
    QueueKind::Fcfs,
    QueueKind::Easy,
    QueueKind::EasyAmong(1),
    QueueKind::Window(16),
    QueueKind::Conservative,
];
/// Places in `QUEUES`: what is compared with what.
const PAIRS: [(usize, usize); 4] = [(1, 0), (2, 1), (3, 1), (4, 1)];
const METRICS: [Metric; 2] = [Metric::Wait, Metric::Slowdown];
/// Streams of the traces that tell the truth, and of those that are judged.
const TRUTH: &str = "direction truth";
const JUDGED: &str = "direction";
/// What was answered about a pair in one metric.
#[derive(Clone, Copy, Debug, Default)]
struct Answers {
    /// Traces of 300 in which the difference has the sign of their mean.
    same: u64,
    right: u64,
    wrong: u64,
    of: u64,
}

/// 1: more, -1: less.
fn sign(effect: &Effect, metric: Metric) -> f64 {
    let better = if metric.more_is_better() { 1.0 } else { -1.0 };
    match effect.answer {
        Answer::Better => better,
        Answer::Worse => -better,
        _ => 0.0,
    }
}

impl Making {
    /// At a share of the saturation, of each pair in each metric.
    fn answers(&self, share: f64, truths: u64, traces: u64) -> Vec<[Answers; 2]> {
        let load = share * self.saturation();
        let effects = |setting: &Setting| {
            let of = |(one, base): (usize, usize)| {
                let [one, base] = [one, base].map(|at| &setting.found[at]);
                METRICS.map(|metric| one.effect(metric, base))
            };
            PAIRS.map(of)
        };
        let others = self.compared(&QUEUES, Order::Arrival, load, TRUTH, (truths, 0), effects);
        let draws = FEWEST_DRAWS as u64;
        let judged = self.compared(&QUEUES, Order::Arrival, load, JUDGED, (traces, draws), effects);
        let of_pair = |pair: usize| {
            [0, 1].map(|at| {
                let differences = others.iter().map(|of| of[pair][at].difference.value);
                let mean: f64 = differences.clone().sum();
                let told = judged.iter().map(|of| sign(&of[pair][at], METRICS[at]) * mean);
                Answers {
                    same: differences.filter(|by| by * mean > 0.0).count() as u64,
                    right: told.clone().filter(|told| *told > 0.0).count() as u64,
                    wrong: told.filter(|told| *told < 0.0).count() as u64,
                    of: traces,
                }
            })
        };
        (0..PAIRS.len()).map(of_pair).collect()
    }

    /// How many of so many traces tell two policies apart of which neither is better: EASY by the fair shares of users who
    /// were drawn, and of other users who were drawn.
    fn told_apart(&self, share: f64, traces: u64) -> [usize; 2] {
        let load = share * self.saturation();
        let by_users = |which: u64| {
            let of = Self { users: Some(which), ..*self };
            let found = |setting: &Setting| setting.found[0].clone();
            let draws = (traces, FEWEST_DRAWS as u64);
            of.compared(&[QueueKind::Easy], Order::FairShare, load, JUDGED, draws, found)
        };
        let (one, other) = (by_users(1), by_users(2));
        METRICS.map(|metric| {
            let is_told = |(one, other): (&Found, &Found)| {
                let effect = Effect::of(metric, &one.sample(metric), Some(&other.sample(metric)));
                sign(&effect, metric) != 0.0
            };
            one.iter().zip(&other).filter(|pair| is_told(*pair)).count()
        })
    }
}

const RUN: f64 = 8.0 * 3_600.0;

#[test]
fn answers_are_right_below_and_above_saturation() {
    let making = Making { weeks: 13, run: RUN, estimates: 3.0, season: None, users: None };
    for share in [0.7, 1.1] {
        let pairs = making.answers(share, 60, 40);
        println!("{share}: {pairs:?}");
        let [waits, _] = pairs[0];
        assert!(waits.right >= 36, "EASY against FCFS: {waits:?}");
        assert!(pairs.iter().flatten().all(|of| of.wrong <= 1), "{pairs:?}");
        let apart = making.told_apart(share, 40);
        assert!(apart.iter().all(|&told| told <= 2), "{apart:?}");
    }
}

/// The tables in docs/compare.md: an hour.
#[test]
#[ignore = "takes an hour; its results are in docs/compare.md"]
fn the_operating_characteristics_of_answers() {
    const TRACES: u64 = 100;
    let (mut clear, mut other, mut apart) = (Answers::default(), Answers::default(), 0);
    let mut worst = 0;
    let mut settings = 0;
    let names = PAIRS.map(|(one, base)| format!("{} to {}", QUEUES[one], QUEUES[base]));
    println!("| weeks | load | seasons | figure | {} | told apart |", names.join(" | "));
    println!("|---|---|---|---|{}---|", "---|".repeat(PAIRS.len()));
    for weeks in [13, 39] {
        for (named, season) in [("alike", None), ("seasons", Some(6.0))] {
            for share in [0.5, 0.7, 0.9, 1.1] {
                let making = Making { weeks, run: RUN, estimates: 3.0, season, users: None };
                let pairs = making.answers(share, 300, TRACES);
                let nulls = making.told_apart(share, TRACES);
                for (at, metric) in METRICS.iter().enumerate() {
                    let cells = pairs.iter().map(|of| {
                        let Answers { same, right, wrong, .. } = of[at];
                        format!("{right} / {wrong} ({same})")
                    });
                    let cells: Vec<String> = cells.collect();
                    let (name, told) = (metric.name(), nulls[at]);
                    println!(
                        "| {weeks} | {share} | {named} | {name} | {} | {told} |",
                        cells.join(" | ")
                    );
                    apart += told;
                    settings += 1;
                    for of in pairs.iter().map(|of| of[at]) {
                        let sum = if of.same >= 285 { &mut clear } else { &mut other };
                        sum.right += of.right;
                        sum.wrong += of.wrong;
                        sum.of += of.of;
                        worst = worst.max(of.wrong);
                    }
                }
            }
        }
    }
    println!("same sign in 95 % of the traces: {clear:?}");
    println!("others: {other:?}; most wrong of {TRACES}: {worst}");
    println!("told apart by chance: {apart} of {}", settings * TRACES);
    assert!(40 * clear.wrong <= clear.of && 40 * other.wrong <= other.of);
    assert!(20 * apart as u64 <= settings * TRACES);
}
