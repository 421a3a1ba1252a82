//! Case 4: urgent jobs take the places of others.

use super::super::{Experiment, Findings, Lab};
use super::{
    DISTRIBUTIONS, HIGH, LEVELS, LOW, MEDIUM, Ran, Shares, config, one_queue, parameters, policy,
    savings, told,
};
use crate::difference::{means, minus, percent_above};
use crate::sources::COLLINS_GEORGE;
use crate::sources::collins_george::{
    ABUNDANCE, BEST_CLUSTERS, BOUNDED_PREEMPTION, CONTAINED, FASTER_FALL, FEWER_BY_PRIORITY,
    FEWER_BY_RATE, FOUR_TIMES, HIGH_STATUS, LITTLE_DIFFERENCE, MAPPED_ANEW, MEDIUM_BEFORE_LOW,
    MOST_PRONOUNCED, NOT_MONOTONIC, PREEMPTED_GET_CLUSTERS, PREEMPTION_BENEFITS, PREEMPTION_COSTS,
    SLIGHT_DEGRADATION, STATUS_RARITY, TIME_BY_RATE, TURN_AT_8,
};
use crate::thresholds::{
    PJS_CONTAINED, PJS_FEW_ARRIVE, PJS_FEW_OF_HIGH_ARRIVE, PJS_FREQUENTLY, PJS_GREATLY, PJS_LITTLE,
    PJS_MANY_ARRIVE, PJS_MOST, PJS_SLIGHT, PJS_TIMES_AS_LONG, PJS_TURN,
};
use locox_coordinators::site::{Algorithm, Claim as Taking, Config, Remap};
use locox_models::site::{Rules, Study, Submission, poisson};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{
    Axis, Block, Cell, Claim, Gallery, Plot, Point, Published, Series, Shape, Table,
};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-preemption",
    title: "Urgent jobs take the places of others",
    source: "Collins and George 2001, case study 4, Figs. 8 and 9, Table 1",
    about: "500 jobs, whose class and priority are drawn at random, arrive at random, on the average 1 \
            to 32 in a quantum of ten seconds, under PJS. Jobs of high priority take places from \
            those of low priority, which begin anew; those of medium priority do neither. The same \
            jobs are run with priorities alone, and without any. Whether what waits is mapped anew \
            each quantum is open in the source: judged is that it is. Beyond the source a job loses \
            its place once at most.",
    statements: &[
        &CONTAINED,
        &FOUR_TIMES,
        &HIGH_STATUS,
        &STATUS_RARITY,
        &MEDIUM_BEFORE_LOW,
        &BEST_CLUSTERS,
        &TIME_BY_RATE,
        &NOT_MONOTONIC,
        &SLIGHT_DEGRADATION,
        &TURN_AT_8,
        &MOST_PRONOUNCED,
        &PREEMPTION_COSTS,
        &PREEMPTION_BENEFITS,
        &FEWER_BY_RATE,
        &FEWER_BY_PRIORITY,
        &LITTLE_DIFFERENCE,
        &FASTER_FALL,
        &ABUNDANCE,
        &PREEMPTED_GET_CLUSTERS,
        &BOUNDED_PREEMPTION,
        &MAPPED_ANEW,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const JOBS: usize = 500;
const RATES: [u32; 6] = [1, 2, 4, 8, 16, 32];
const SECONDS: Unit = Unit("seconds", 0);
const POINTS: Unit = Unit("percentage points", 1);
const PER_CENT: Unit = Unit("%", 1);

/// What the three priorities mean.
#[derive(Clone, Copy)]
struct Scheme {
    /// Which of the queues gets the jobs of each; the first one is mapped first.
    queues: [u32; 3],
    /// Which queue takes places from which.
    claims: [Taking; 3],
}

const RIGHT: Scheme =
    Scheme { queues: [0, 1, 2], claims: [Taking::Takes, Taking::Neither, Taking::Loses] };

/// A job loses its place once at most.
fn bounded(config: Config) -> Config {
    Config { preemptions: Some(1), ..config }
}

impl Scheme {
    /// What becomes of jobs whose queues are their priorities.
    fn ran(&self, jobs: &[Submission], config: Config) -> Ran {
        let queue = |(level, claim)| policy(Algorithm::Pjs, level, claim);
        let queues = (0..).zip(self.claims).map(queue).collect();
        let rules = Rules { queues, ..one_queue(config, Algorithm::Pjs) };
        Ran::new(&Study::new(), &rules, &to_queues(jobs, self.queues)).with_queues_of(jobs)
    }
}

/// Jobs of each priority in the queue that is named.
fn to_queues(jobs: &[Submission], queues: [u32; 3]) -> Vec<Submission> {
    let to = |job: &Submission| Submission { queue: queues[job.queue as usize], ..*job };
    jobs.iter().map(to).collect()
}

/// A figure of each level, in each replication.
type ByLevel = [Vec<f64>; 3];

/// A distribution and a rate.
struct At {
    shares: Shares,
    rate: u32,
    /// Mean job time, in seconds.
    means: ByLevel,
    mean: Vec<f64>,
    /// The share of the jobs that ran on clusters, in per cent.
    parallel: ByLevel,
    parallel_in_all: Vec<f64>,
    /// The same without priorities.
    parallel_plain: Vec<f64>,
    /// How often the job was preempted that was preempted most.
    preemptions: Vec<f64>,
    /// Mean job time with priorities alone.
    alone: ByLevel,
    mean_alone: Vec<f64>,
    /// The same of the same jobs without priorities.
    plain: ByLevel,
    mean_plain: Vec<f64>,
    /// The mean time of jobs of low priority where a place is lost once at most.
    bounded: Vec<f64>,
    /// The mean of all where jobs keep the places that they were given first.
    kept: Vec<f64>,
    /// How many of the jobs that lost their place frequently ran on clusters in the end, in per cent.
    again: Vec<f64>,
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(3, 20);
    let rates: &[u32] = lab.either(&[1, 8, 32], &RATES);
    let cases: Vec<(Shares, u32)> = DISTRIBUTIONS
        .iter()
        .flat_map(|&shares| rates.iter().map(move |&rate| (shares, rate)))
        .collect();
    let all = lab.parallel(&cases, |&(shares, rate)| {
        measure(shares, rate, JOBS, replications, lab.seed, RIGHT)
    });
    let jobs = "500, five classes and three priorities, drawn at random";
    Findings {
        parameters: parameters(jobs, replications),
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Gallery(gallery(&all))],
    }
}

fn measure(
    shares: Shares,
    rate: u32,
    jobs: usize,
    replications: u64,
    seed: u64,
    scheme: Scheme,
) -> At {
    let mut at = At::new(shares, rate);
    for replication in 0..replications {
        let jobs = poisson(jobs, f64::from(rate), &shares, 0.0, seed, replication);
        let under = |config| scheme.ran(&jobs, config);
        let anew = config(Remap::Waiting);
        let ran = under(anew);
        let alone = Scheme { claims: [Taking::Neither; 3], ..scheme }.ran(&jobs, anew);
        // Queues of one level would still be mapped one after the other.
        let plain = to_queues(&jobs, [0; 3]);
        let plain = Ran::new(&Study::new(), &one_queue(anew, Algorithm::Pjs), &plain);
        let plain = plain.with_queues_of(&jobs);
        for (level, queue) in (0..3).enumerate() {
            at.means[level].push(ran.mean_of(queue));
            at.parallel[level].push(100.0 * ran.parallel_of(queue));
            at.alone[level].push(alone.mean_of(queue));
            at.plain[level].push(plain.mean_of(queue));
        }
        at.mean.push(ran.mean());
        at.mean_alone.push(alone.mean());
        at.mean_plain.push(plain.mean());
        at.parallel_in_all.push(100.0 * ran.parallel());
        at.parallel_plain.push(100.0 * plain.parallel());
        at.preemptions.push(ran.most_preemptions().into());
        at.again.extend(ran.parallel_of_preempted(PJS_FREQUENTLY).map(|share| 100.0 * share));
        at.bounded.push(under(bounded(anew)).mean_of(LOW as u32));
        at.kept.push(under(config(Remap::New)).mean());
    }
    at
}

impl At {
    fn new(shares: Shares, rate: u32) -> Self {
        Self {
            shares,
            rate,
            means: Default::default(),
            mean: vec![],
            parallel: Default::default(),
            parallel_in_all: vec![],
            parallel_plain: vec![],
            preemptions: vec![],
            alone: Default::default(),
            mean_alone: vec![],
            plain: Default::default(),
            mean_plain: vec![],
            bounded: vec![],
            kept: vec![],
            again: vec![],
        }
    }

    fn name(&self) -> String {
        format!("{} a quantum at {}", self.rate, told(self.shares))
    }

    fn few_arrive(&self) -> bool {
        self.rate <= PJS_FEW_ARRIVE
    }

    /// Whether the effective rate of those of high priority, the rate times their share, is low.
    fn few_of_high_arrive(&self) -> bool {
        self.rate * self.shares[HIGH] <= 100 * PJS_FEW_OF_HIGH_ARRIVE
    }

    fn many_arrive(&self) -> bool {
        self.rate >= PJS_MANY_ARRIVE
    }

    /// Two levels, whose first figure is to be to the second as is expected.
    fn pair(&self, figure: &ByLevel, [one, other]: [usize; 2], expected: Expected) -> Case {
        let name = format!("{} and {}, {}", LEVELS[one], LEVELS[other], self.name());
        Case::new(name, minus(&figure[one], &figure[other]), expected)
    }

    /// By how much priorities and preemption lengthen the mean time, in per cent.
    fn cost(&self) -> Vec<f64> {
        percent_above(&self.mean_plain, &self.mean)
    }

    /// What high priority saves its jobs of their time without priorities, in per cent.
    fn saved_by_status(&self) -> Vec<f64> {
        savings(&self.plain[HIGH], &self.means[HIGH])
    }
}

/// All rates of a distribution, the lowest first.
type Over<'a> = super::Over<'a, At>;

impl<'a> Over<'a> {
    fn ends(&self) -> Option<[&'a At; 2]> {
        Some([*self.all.first()?, *self.all.last()?])
    }

    /// The mean over the rates.
    fn mean(&self, figure: impl Fn(&At) -> &[f64]) -> Vec<f64> {
        means(&self.all.iter().map(|at| figure(at)).collect::<Vec<_>>())
    }

    /// From the lowest rate to the highest.
    fn change(&self, figure: fn(&At) -> &[f64]) -> Vec<f64> {
        self.ends().map_or(vec![], |[slow, fast]| minus(figure(fast), figure(slow)))
    }
}

fn claims(all: &[At]) -> Vec<Claim> {
    let over = Over::each(all, |at| at.shares);
    [job_times(all, &over), costs(all, &over), parallelism(all, &over), ours(all, &over)].concat()
}

/// Fig. 8.
fn job_times(all: &[At], over: &[Over; 3]) -> Vec<Claim> {
    let [typical, _, sold] = over;
    let fastest = |over: &Over| over.ends().map(|[_, fast]| fast.means[HIGH].clone());
    let (least, most) = PJS_CONTAINED;
    let rare = fastest(typical).unwrap_or_default();
    let contained = [typical.case(rare.clone(), Expected::Inside(least, most))];
    let many = fastest(sold).unwrap_or_default();
    let times: Vec<f64> = many.iter().zip(&rare).map(|(many, rare)| many / rare).collect();
    let fourfold = [sold.case(times, Expected::Inside(PJS_TIMES_AS_LONG, f64::INFINITY))];
    let status = |at: &At| Case::new(at.name(), at.saved_by_status(), Expected::MORE);
    let status: Vec<Case> = all.iter().map(status).collect();
    let rarer: Vec<Case> = over
        .windows(2)
        .flat_map(|two| two[0].all.iter().zip(&two[1].all))
        .map(|(rarer, other)| {
            let name = format!("{} beside {}", rarer.name(), told(other.shares));
            let by = minus(&rarer.saved_by_status(), &other.saved_by_status());
            Case::new(name, by, Expected::MORE)
        })
        .collect();
    let medium = |at: &At| at.pair(&at.means, [MEDIUM, LOW], Expected::LESS);
    let medium: Vec<Case> = all.iter().map(medium).collect();
    let best = all.iter().filter(|at| at.few_of_high_arrive());
    let best: Vec<Case> =
        best.map(|at| at.pair(&at.means, [HIGH, MEDIUM], Expected::LESS)).collect();
    let rises: Vec<Case> = over.iter().flat_map(rises).collect();
    let steps: Vec<Case> =
        over.iter().flat_map(|over| over.all.windows(2)).flat_map(falls).collect();
    let [high, middle, low] = [HIGH, MEDIUM, LOW].map(|level| {
        let times = by_rates(over, 0, &|at| at.means[level].clone());
        format!("Mean job time of {} priority by rate: {times}.", LEVELS[level])
    });
    let saves = by_rates(over, 0, &At::saved_by_status);
    let saves = format!("Saved in per cent, by rate: {saves}.");
    vec![
        judge::every(&contained, SECONDS).of_levels().on(&CONTAINED, high.clone()),
        judge::every(&fourfold, Unit("times as long", 1)).of_levels().on(&FOUR_TIMES, high.clone()),
        judge::every(&status, PER_CENT).on(&HIGH_STATUS, saves.clone()),
        judge::every(&rarer, POINTS).on(&STATUS_RARITY, saves),
        judge::every(&medium, SECONDS).on(&MEDIUM_BEFORE_LOW, format!("{middle} {low}")),
        judge::every(&best, SECONDS).on(&BEST_CLUSTERS, format!("{high} {middle}")),
        judge::every(&rises, SECONDS).on(&TIME_BY_RATE, format!("{high} {middle} {low}")),
        judge::some(&steps, SECONDS).on(&NOT_MONOTONIC, format!("{high} {middle} {low}")),
    ]
}

/// That jobs of each priority take longer from the lowest rate to the highest.
fn rises(over: &Over) -> [Case; 3] {
    let curves: [fn(&At) -> &[f64]; 3] =
        [|at| &at.means[HIGH], |at| &at.means[MEDIUM], |at| &at.means[LOW]];
    [HIGH, MEDIUM, LOW].map(|level| {
        let name = format!("{}, {}", LEVELS[level], told(over.shares));
        Case::new(name, over.change(curves[level]), Expected::MORE)
    })
}

/// That they take less time from a rate to the next.
fn falls(two: &[&At]) -> [Case; 3] {
    [HIGH, MEDIUM, LOW].map(|level| {
        let by = minus(&two[1].means[level], &two[0].means[level]);
        let name = format!("{}, {} to {}", LEVELS[level], two[0].rate, two[1].name());
        Case::new(name, by, Expected::LESS)
    })
}

/// Fig. 9 (a), and the summary.
fn costs(all: &[At], over: &[Over; 3]) -> Vec<Claim> {
    let [typical, heavy_use, sold] = over;
    let slight = Expected::Inside(0.0, PJS_SLIGHT);
    let overall = |of: fn(&At) -> &[f64], by: fn(&At) -> &[f64], expected| {
        over.each_ref()
            .map(|over| over.case(percent_above(&over.mean(of), &over.mean(by)), expected))
    };
    let longer_than = |of: fn(&At) -> &[f64], expected| {
        judge::every(&overall(of, |at| &at.mean, expected), PER_CENT)
    };
    let degraded = |expected| longer_than(|at| &at.mean_plain, expected);
    let preempted = |expected| longer_than(|at| &at.mean_alone, expected);
    let benefits = |least: f64| {
        let less = Expected::Inside(f64::NEG_INFINITY, 0.0 - least);
        let cases = overall(|at| &at.alone[HIGH], |at| &at.means[HIGH], less);
        judge::every(&cases, PER_CENT)
    };
    let turns: Vec<Case> = [heavy_use, sold]
        .into_iter()
        .flat_map(|other| typical.all.iter().zip(&other.all))
        .filter(|(at, _)| at.rate != PJS_TURN)
        .map(|(typical, other)| {
            let better = if typical.rate < PJS_TURN { Expected::LESS } else { Expected::MORE };
            Case::new(other.name(), minus(&other.mean, &typical.mean), better)
        })
        .collect();
    let most = typical.all.iter().filter(|at| at.few_arrive() || at.many_arrive());
    let most: Vec<Case> = most
        .flat_map(|rare| {
            let expected = if rare.few_arrive() { Expected::MORE } else { Expected::LESS };
            let others = all.iter().filter(|at| at.rate == rare.rate && at.shares != rare.shares);
            others.map(move |at| {
                let name = format!("{} beside {}", told(rare.shares), at.name());
                Case::new(name, minus(&rare.cost(), &at.cost()), expected)
            })
        })
        .collect();
    let means = by_rates(over, 0, &|at| at.mean.clone());
    let [alone, plain] = [
        by_rates(over, 0, &|at| at.mean_alone.clone()),
        by_rates(over, 0, &|at| at.mean_plain.clone()),
    ];
    let means = format!("Mean job time by rate: {means}.");
    let costs = format!("Cost in per cent by rate: {}.", by_rates(over, 0, &At::cost));
    let [beside_plain, beside_alone] =
        [("Without priorities", plain), ("With priorities alone", alone)]
            .map(|(other, by_rate)| format!("{means} {other}: {by_rate}."));
    let up_to_slight = format!("up to {PJS_SLIGHT} %");
    let [with, alone] = [
        by_rates(over, 0, &|at| at.means[HIGH].clone()),
        by_rates(over, 0, &|at| at.alone[HIGH].clone()),
    ];
    let high =
        format!("Mean job time of high priority by rate: {with}. With priorities alone: {alone}.");
    vec![
        degraded(Expected::MORE).on(&SLIGHT_DEGRADATION, beside_plain.clone()).variant("at all"),
        degraded(slight).on(&SLIGHT_DEGRADATION, beside_plain).variant(up_to_slight.clone()),
        judge::every(&turns, SECONDS).on(&TURN_AT_8, means.clone()),
        judge::every(&most, POINTS).on(&MOST_PRONOUNCED, costs),
        preempted(Expected::MORE).on(&PREEMPTION_COSTS, beside_alone.clone()).variant("at all"),
        preempted(slight).on(&PREEMPTION_COSTS, beside_alone).variant(up_to_slight),
        benefits(0.0).on(&PREEMPTION_BENEFITS, high.clone()).variant("at all"),
        benefits(PJS_GREATLY)
            .on(&PREEMPTION_BENEFITS, high)
            .variant(format!("by {PJS_GREATLY} % at least")),
    ]
}

/// Fig. 9 (b) and Table 1.
fn parallelism(all: &[At], over: &[Over; 3]) -> Vec<Claim> {
    let [typical, _, sold] = over;
    let falls = over
        .each_ref()
        .map(|over| over.case(over.change(|at| &at.parallel_in_all), Expected::LESS));
    // Without priorities all distributions have the same jobs.
    let plain = typical.change(|at| &at.parallel_plain);
    let falls = [&falls[..], &[Case::new("no priorities", plain, Expected::LESS)]].concat();
    let is_excepted = |at: &At, [one, _]: [usize; 2]| match one {
        HIGH => at.few_of_high_arrive() || (at.shares == sold.shares && at.many_arrive()),
        _ => at.shares == typical.shares && at.few_arrive(),
    };
    let by_priority = all.iter().flat_map(|at| {
        let pairs = [[HIGH, MEDIUM], [MEDIUM, LOW]].into_iter();
        let pairs = pairs.filter(move |&pair| !is_excepted(at, pair));
        pairs.map(|pair| at.pair(&at.parallel, pair, Expected::MORE))
    });
    let by_priority: Vec<Case> = by_priority.collect();
    let few = all.iter().filter(|at| at.few_of_high_arrive());
    let little: Vec<Case> =
        few.map(|at| at.pair(&at.parallel, [HIGH, MEDIUM], Expected::alike(PJS_LITTLE))).collect();
    let faster: Vec<Case> = over
        .windows(2)
        .map(|two| {
            let [rare, many] = [0, 1].map(|at| two[at].change(|at| &at.parallel[HIGH]));
            let name = format!("{} beside {}", told(two[1].shares), told(two[0].shares));
            Case::new(name, minus(&many, &rare), Expected::LESS)
        })
        .collect();
    let many = sold.all.iter().filter(|at| at.many_arrive());
    let abundance: Vec<Case> = many
        .flat_map(|sold| {
            let others = all.iter().filter(|at| at.rate == sold.rate && at.shares != sold.shares);
            others.map(move |at| {
                let name = format!("{} beside {}", told(sold.shares), at.name());
                let by = minus(&sold.parallel[HIGH], &at.parallel[HIGH]);
                Case::new(name, by, Expected::LESS)
            })
        })
        .collect();
    let few = typical.all.iter().filter(|at| at.few_arrive());
    let most = Expected::Inside(PJS_MOST, f64::INFINITY);
    let again: Vec<Case> = few.map(|at| Case::new(at.name(), at.again.clone(), most)).collect();
    let told_of = |what: &str, figure: &dyn Fn(&At) -> Vec<f64>| {
        format!("Per cent of {what} by rate: {}.", by_rates(over, 1, figure))
    };
    let [high, medium, low] =
        [HIGH, MEDIUM, LOW].map(|level| told_of(LEVELS[level], &|at| at.parallel[level].clone()));
    vec![
        judge::every(&falls, POINTS).on(
            &FEWER_BY_RATE,
            format!(
                "{} Without priorities: {}.",
                told_of("all", &|at| at.parallel_in_all.clone()),
                by_rate(typical, 1, &|at| at.parallel_plain.clone())
            ),
        ),
        judge::every(&by_priority, POINTS).on(&FEWER_BY_PRIORITY, format!("{high} {medium} {low}")),
        judge::every(&little, POINTS).on(&LITTLE_DIFFERENCE, format!("{high} {medium}")),
        judge::every(&faster, POINTS).on(&FASTER_FALL, high.clone()),
        judge::every(&abundance, POINTS).on(&ABUNDANCE, high),
        judge::every(&again, PER_CENT)
            .of_levels()
            .on(&PREEMPTED_GET_CLUSTERS, told_of("them", &|at| at.again.clone())),
    ]
}

/// What the source leaves open, or to others.
fn ours(all: &[At], over: &[Over; 3]) -> Vec<Claim> {
    let patient = all.iter().filter(|at| at.preemptions.iter().any(|&most| most > 1.0));
    let patient: Vec<Case> = patient
        .map(|at| Case::new(at.name(), minus(&at.bounded, &at.means[LOW]), Expected::LESS))
        .collect();
    let anew: Vec<Case> = all
        .iter()
        .map(|at| Case::new(at.name(), minus(&at.mean, &at.kept), Expected::LESS))
        .collect();
    let bounded = by_rates(over, 0, &|at| at.bounded.clone());
    let low = by_rates(over, 0, &|at| at.means[LOW].clone());
    let anew_told = by_rates(over, 0, &|at| at.mean.clone());
    let most = by_rates(over, 1, &|at| at.preemptions.clone());
    let kept = by_rates(over, 0, &|at| at.kept.clone());
    vec![
        judge::every(&patient, SECONDS).on(
            &BOUNDED_PREEMPTION,
            format!(
                "Their mean job time by rate: {bounded}. Without a bound: {low}. The job that loses its \
                 place most often loses it so often then, in the mean over replications: {most}."
            ),
        ),
        judge::every(&anew, SECONDS)
            .on(
                &MAPPED_ANEW,
                format!("Mean job time by rate: {anew_told}. Where places are kept: {kept}."),
            )
            .variant("jobs arrive, and lose places"),
    ]
}

/// A figure of each distribution, by rate, in words.
fn by_rates(over: &[Over; 3], digits: usize, figure: &dyn Fn(&At) -> Vec<f64>) -> String {
    let one = |over: &Over| format!("{} {}", told(over.shares), by_rate(over, digits, figure));
    over.each_ref().map(one).join("; ")
}

fn by_rate(over: &Over, digits: usize, figure: &dyn Fn(&At) -> Vec<f64>) -> String {
    let each = over.all.iter().map(|at| {
        let Estimate { mean, .. } = Estimate::of(&figure(at));
        format!("{}: {mean:.digits$}", at.rate)
    });
    each.collect::<Vec<_>>().join(", ")
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
        ("alone_s", "all, no preemption (s)"),
        ("plain_s", "all, no priorities (s)"),
        ("again", "parallel, of those preempted again (%)"),
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
        row.push(Cell::Estimate(Estimate::of(&at.bounded), 0));
        row.push(Cell::Estimate(Estimate::of(&at.kept), 0));
        row.push(Cell::Estimate(Estimate::of(&at.mean_alone), 0));
        row.push(Cell::Estimate(Estimate::of(&at.mean_plain), 0));
        row.push(Cell::Estimate(Estimate::of(&at.again), 1));
        table.push(row);
    }
    table
}

fn gallery(all: &[At]) -> Gallery {
    let plot = |shares: Shares| -> Plot {
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
    let mut plots = DISTRIBUTIONS.map(plot);
    // What high-priority jobs of the first distribution take is contained "to slightly over 100 seconds":
    // at the highest rate.
    let printed = [Published { x: 32.0, y: 100.0, error: None }];
    plots[0].series.push(Series::published(&COLLINS_GEORGE, CONTAINED.place, &printed));
    Gallery {
        title: "Mean job times by priority and rate".into(),
        caption: "As Fig. 8 of the source, which prints one value: slightly over 100 s for high \
                  priority in 10/10/80."
            .into(),
        plots: plots.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pjs::verdicts_of;
    use locox_report::report::Statement;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds};

    /// A few jobs, which come so fast that they are in each other's way.
    fn measured(scheme: Scheme) -> At {
        measure(DISTRIBUTIONS[1], 16, 120, 3, 1, scheme)
    }

    fn verdicts(scheme: Scheme) -> impl Fn(&Statement) -> Verdict {
        verdicts_of(&EXPERIMENT, claims(&[measured(scheme)]))
    }

    /// Priorities turned round.
    const TURNED: Scheme = Scheme { queues: [2, 1, 0], ..RIGHT };

    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        [RIGHT, TURNED].map(|scheme| claims(&[measured(scheme)]))
    }

    #[test]
    fn a_scheduler_that_turns_priorities_round_is_caught() {
        let sound = verdicts(RIGHT);
        assert_eq!([&HIGH_STATUS, &MEDIUM_BEFORE_LOW].map(&sound), [Holds; 2]);
        let turned = verdicts(TURNED);
        assert_eq!(turned(&HIGH_STATUS), DoesNotHold);
        assert_ne!(turned(&MEDIUM_BEFORE_LOW), Holds);
    }

    #[test]
    fn jobs_lose_their_places_to_urgent_ones_again_and_again() {
        let at = measure(DISTRIBUTIONS[0], 2, 200, 1, 1, RIGHT);
        assert!(at.preemptions[0] > 1.0, "{:?}", at.preemptions);
        assert_eq!(at.again.len(), 1);
    }

    #[test]
    fn with_a_bound_of_one_no_job_loses_its_place_twice() {
        for shares in DISTRIBUTIONS {
            let jobs = poisson(200, 2.0, &shares, 0.0, 1, 0);
            let most = |config| RIGHT.ran(&jobs, config).most_preemptions();
            let anew = config(Remap::Waiting);
            assert!(most(anew) > 1, "{shares:?}");
            assert_eq!(most(bounded(anew)), 1, "{shares:?}");
        }
    }

    /// Queues of one level are mapped one after the other all the same.
    #[test]
    fn without_priorities_jobs_of_any_take_as_long() {
        let at = measured(RIGHT);
        let of = |figure: &ByLevel, level: usize| super::super::mean(&figure[level]);
        let [high, low] = [HIGH, LOW].map(|level| of(&at.plain, level));
        assert!((0.8..1.25).contains(&(high / low)), "{high} s and {low} s");
        let [high, low] = [HIGH, LOW].map(|level| of(&at.alone, level));
        assert!(high < 0.8 * low, "{high} s and {low} s");
    }

    /// What the source says of one distribution, of few arrivals or of many, is judged of these.
    #[test]
    fn statements_are_judged_in_their_scope_and_without_what_the_source_excepts() {
        let cases = |shares: Shares, rate: u32, statement: &Statement| {
            let at = measure(shares, rate, 30, 2, 1, RIGHT);
            let claims = claims(&[at]);
            let claim = claims.iter().find(|claim| claim.statement == statement);
            claim.and_then(|claim| claim.judged.as_ref()).expect("it is judged").of
        };
        let [typical, heavy_use, sold] = DISTRIBUTIONS;
        let again = |shares, rate| cases(shares, rate, &PREEMPTED_GET_CLUSTERS);
        assert_eq!([again(typical, 2), again(typical, 16), again(sold, 2)], [1, 0, 0]);
        let fewer = |shares, rate| cases(shares, rate, &FEWER_BY_PRIORITY);
        assert_eq!([fewer(typical, 2), fewer(heavy_use, 2), fewer(heavy_use, 16)], [0, 1, 2]);
        assert_eq!([fewer(sold, 8), fewer(sold, 16)], [2, 1]);
    }
}
