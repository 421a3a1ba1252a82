//! How often intervals of traces cover what they are to cover: the mean over many other traces of
//! the same making.

use super::{
    Design, Drawn, FEWEST_DRAWS, Jobs, Metric, Reason, Setting, Shard, Source, Store, Subject,
};
use crate::cli::MachineSpec;
use crate::method::methods;
use locox::time::{Duration, Instant};
use locox_models::machine::Pool;
use locox_models::replay::{QueueKind, saturated};
use locox_models::streams::{Stream, stream};
use locox_models::swf::Strictness;
use locox_models::workload::weeks::WEEK;
use locox_models::workload::{Job, Workload};
use locox_report::parallel;
use locox_report::progress::Progress;
use rand::RngExt;

const PROCESSORS: u32 = 8;
const QUEUES: [QueueKind; 2] = [QueueKind::Fcfs, QueueKind::Easy];
/// Of one, two, four and eight processors alike.
const MEAN_SIZE: f64 = 15.0 / 4.0;
const METRICS: [Metric; 2] = [Metric::Wait, Metric::Slowdown];
/// Streams of the traces that the truth is the mean of, and of those that are judged.
const TRUTH: &str = "coverage truth";
const JUDGED: &str = "coverage";

/// How traces are made: Poisson arrivals, exponential run times.
#[derive(Clone, Copy)]
struct Making {
    weeks: usize,
    /// Mean run time, in seconds.
    run: f64,
    /// Weeks of a busy or a quiet season on average, which bring 140 % and 60 %; none: all alike.
    season: Option<f64>,
}

fn exponential(stream: &mut Stream, mean: f64) -> f64 {
    -mean * (1.0 - stream.random::<f64>()).ln()
}

impl Making {
    fn job(&self, id: u64, submit: u64, stream: &mut Stream) -> Job {
        let run = Duration::from_ticks(exponential(stream, self.run).round().max(1.0) as u64);
        Job {
            id,
            line: None,
            submit: Instant::from_ticks(submit),
            processors: 1 << stream.random_range(0..4u32),
            shape: None,
            run,
            requested: Some(run),
            user: None,
        }
    }

    /// The load at which the base line is always busy.
    fn saturation(&self) -> f64 {
        let mut stream = stream(1, "coverage saturation", 0);
        let jobs: Vec<Job> = (0..20_000).map(|id| self.job(id, 0, &mut stream)).collect();
        let full = saturated(&jobs, &mut Pool::new(PROCESSORS), QUEUES[0], 16, 500);
        full.expect("there are many jobs").utilisation
    }

    /// The whole weeks, and the first job after them.
    fn trace(&self, load: f64, name: &str, at: u64) -> Workload {
        let mut stream = stream(1, name, at);
        let mean = self.run * MEAN_SIZE / (load * f64::from(PROCESSORS));
        let mut jobs = vec![self.job(1, 0, &mut stream)];
        let mut busy = stream.random::<f64>() < 0.5;
        for week in 0..self.weeks as u64 {
            busy ^= self.season.is_some_and(|weeks| stream.random::<f64>() * weeks < 1.0);
            let gap = match self.season {
                None => mean,
                Some(_) if busy => mean / 1.4,
                Some(_) => mean / 0.6,
            };
            let mut now = exponential(&mut stream, gap);
            while now < WEEK as f64 {
                let id = jobs.len() as u64 + 1;
                jobs.push(self.job(id, week * WEEK + now as u64, &mut stream));
                now += exponential(&mut stream, gap);
            }
        }
        jobs.push(self.job(jobs.len() as u64 + 1, self.weeks as u64 * WEEK, &mut stream));
        let name = format!("{name} {at}");
        Workload {
            name,
            jobs,
            processors: Some(PROCESSORS),
            notes: vec![],
            skipped: 0,
            incomplete: 0,
        }
    }

    /// What `locox compare` finds on such traces, scaled to the load as `--load` does it.
    fn compared<T: Send>(
        &self,
        load: f64,
        name: &str,
        (traces, draws): (u64, u64),
        told: impl Fn(&Setting) -> T + Sync,
    ) -> Vec<T> {
        let traces: Vec<u64> = (0..traces).collect();
        parallel::map(&traces, |&at| {
            let jobs = Jobs::Trace(self.trace(load, name, at));
            let machine = MachineSpec::Pool(PROCESSORS);
            let source = Source { name: name.into(), origin: name.into(), machine, jobs };
            let design = Design {
                subjects: vec![Subject { source, methods: methods(&[], &QUEUES) }],
                loads: vec![Some(load)],
                seeds: draws,
                seed: at,
                strictness: Strictness::Strict,
                program: 0,
            };
            let store = Store::nowhere();
            design.run(&store, Shard::default(), &Progress::hidden()).unwrap();
            told(&design.settings(&store).unwrap()[0])
        })
    }

    /// At a share of the saturation, for each figure.
    fn coverage(&self, share: f64, truths: u64, traces: u64) -> [Coverage; 2] {
        let load = share * self.saturation();
        let differences = |setting: &Setting| {
            let [base, other] = &setting.found[..] else { panic!("two methods") };
            METRICS.map(|metric| other.effect(metric, base).difference)
        };
        let others = self.compared(load, TRUTH, (truths, 0), differences);
        let judged = self.compared(load, JUDGED, (traces, FEWEST_DRAWS as u64), |setting| {
            (differences(setting), setting.found[0].drawn)
        });
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
    let making = Making { weeks: 16, run: 8.0 * 3_600.0, season: None };
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
    let making = Making { weeks: 52, run: 8.0 * 3_600.0, season: Some(6.0) };
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
                let making = Making { weeks, run: 3.0 * 3_600.0, season };
                let [waits, slowdowns] = making.coverage(share, 600, 100);
                println!("{name}, {weeks} weeks, {share}: wait: {}", waits.told());
                println!("{name}, {weeks} weeks, {share}: slowdown: {}", slowdowns.told());
                let enough = waits.covering >= too_few(waits.given);
                assert!(enough || season.is_some(), "{}", waits.told());
            }
        }
    }
}
