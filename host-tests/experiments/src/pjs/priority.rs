//! Case 3: what priorities give and cost.

use super::super::{Experiment, Findings, Lab};
use super::{
    DISTRIBUTIONS, HIGH, LEVELS, LOW, MEDIUM, Ran, Shares, config, one_queue, parameters, policy,
    savings, told,
};
use crate::difference::{minus, percent_above, sums};
use crate::sources::collins_george::{
    BUMP, COST_BELOW_TEN, GENERALLY_WORSE, HIGH_FAVOURED, LOW_COMPARABLE, LOW_MARGINALLY_WORSE,
    MEDIUM_PAYS, MET_AT_30, PENALTY_ON_LOW, RARITY, SAME_BUMP, SAME_IN_ALL, SAME_PENALTY, WHO_PAYS,
};
use crate::thresholds::{
    PJS_ALIKE, PJS_AROUND_MET, PJS_COMPARABLE, PJS_DRAWN, PJS_MET, PJS_MOST, PJS_SAME_AMOUNT,
    PJS_SLIGHT,
};
use locox_coordinators::site::{Algorithm, Claim as Taking, Remap};
use locox_models::site::{Rules, Study, Submission, batch};
use locox_models::stats::Estimate;
use locox_report::judge::{self, Case, Expected, Unit};
use locox_report::report::{Axis, Block, Cell, Claim, Gallery, Plot, Point, Series, Shape, Table};

pub(in super::super) const EXPERIMENT: Experiment = Experiment {
    name: "pjs-priority",
    title: "Priorities on a site: who gains, and at what cost",
    source: "Collins and George 2001, case study 3, Figs. 6 and 7",
    about: "Up to 500 jobs of three priorities, in exact shares, come at time zero; each level is \
            mapped in its turn, without regard to those behind it, once under SJS and once under PJS, \
            and once without priorities. Everything is mapped once. Where some 30 jobs have high \
            priority, there are more numbers of jobs; these count in no sum over all numbers.",
    statements: &[
        &HIGH_FAVOURED,
        &RARITY,
        &MET_AT_30,
        &MEDIUM_PAYS,
        &BUMP,
        &SAME_BUMP,
        &LOW_MARGINALLY_WORSE,
        &LOW_COMPARABLE,
        &GENERALLY_WORSE,
        &COST_BELOW_TEN,
        &SAME_IN_ALL,
        &WHO_PAYS,
        &SAME_PENALTY,
        &PENALTY_ON_LOW,
    ],
    run: |lab| Ok(run(lab)),
    #[cfg(test)]
    planted: tests::planted,
};

const WHERE_DRAWN: &str = "up to 100 of low priority";
const POINTS: Unit = Unit("percentage points", 1);
const PER_CENT: Unit = Unit("%", 1);
const SECONDS: Unit = Unit("seconds", 0);

/// How jobs are scheduled.
#[derive(Clone, Copy)]
struct Scheme {
    /// What runs as SJS, and as PJS.
    algorithms: [Algorithm; 2],
    /// Which level comes when.
    levels: [u8; 3],
}

const RIGHT: Scheme = Scheme { algorithms: [Algorithm::Sjs, Algorithm::Pjs], levels: [0, 1, 2] };
const SJS: usize = 0;
const PJS: usize = 1;

/// Job time in all of each level, in seconds, in each replication.
type Totals = [Vec<f64>; 3];

/// A distribution and a number of jobs.
struct At {
    shares: Shares,
    jobs: usize,
    /// Whether it counts in sums over all numbers of jobs.
    on_grid: bool,
    /// Under SJS and under PJS.
    with: [Totals; 2],
    /// The same without priorities.
    without: [Totals; 2],
}

fn run(lab: &Lab) -> Findings {
    let replications = lab.either(4, 40);
    let grid: Vec<usize> = match lab.either(true, false) {
        true => vec![20, 60, 120, 200, 300, 400],
        false => (1..=25).map(|twenties| 20 * twenties).collect(),
    };
    let mut cases: Vec<(Shares, usize)> = vec![];
    for shares in DISTRIBUTIONS {
        let mut counts = [grid.clone(), where_curves_meet(shares)].concat();
        counts.sort_unstable();
        counts.dedup();
        cases.extend(counts.into_iter().map(|jobs| (shares, jobs)));
    }
    let all = lab.parallel(&cases, |&(shares, jobs)| At {
        on_grid: grid.contains(&jobs),
        ..measure(shares, jobs, replications, lab.seed, RIGHT)
    });
    let jobs = "20 to 500, five classes in equal parts, three priorities in exact shares";
    Findings {
        parameters: parameters(jobs, replications),
        claims: claims(&all),
        results: vec![Block::Table(table(&all)), Block::Gallery(gallery(&all))],
    }
}

/// Numbers of jobs of which some thirty have high priority: each other number of these.
fn where_curves_meet(shares: Shares) -> Vec<usize> {
    let (_, most) = PJS_AROUND_MET;
    let high = (PJS_MET as usize - 4..=most as usize).step_by(2);
    high.map(|high| high * 100 / shares[HIGH] as usize).collect()
}

fn measure(shares: Shares, count: usize, replications: u64, seed: u64, scheme: Scheme) -> At {
    let study = Study::new();
    let (with, without) = Default::default();
    let mut at = At { shares, jobs: count, on_grid: true, with, without };
    for replication in 0..replications {
        let jobs = batch(count, &shares, seed, replication);
        let alike: Vec<Submission> =
            jobs.iter().map(|job| Submission { queue: 0, ..*job }).collect();
        let config = config(Remap::New);
        for (which, algorithm) in scheme.algorithms.into_iter().enumerate() {
            let queues = scheme.levels.map(|level| policy(algorithm, level, Taking::Neither));
            let rules = Rules { queues: queues.into(), ..one_queue(config, algorithm) };
            let with = Ran::new(&study, &rules, &jobs).totals();
            let without = Ran::new(&study, &one_queue(config, algorithm), &alike);
            let without = without.with_queues_of(&jobs).totals();
            for level in [HIGH, MEDIUM, LOW] {
                at.with[which][level].push(with[level]);
                at.without[which][level].push(without[level]);
            }
        }
    }
    at
}

fn in_all(totals: &Totals) -> Vec<f64> {
    sums(totals.iter().map(Vec::as_slice))
}

impl At {
    fn high(&self) -> f64 {
        self.jobs as f64 * f64::from(self.shares[HIGH]) / 100.0
    }

    fn low(&self) -> f64 {
        self.jobs as f64 * f64::from(self.shares[LOW]) / 100.0
    }

    fn name(&self) -> String {
        format!("{} jobs at {}", self.jobs, told(self.shares))
    }

    /// What PJS saves of the time of a level under SJS, in per cent.
    fn saved(&self, level: usize) -> Vec<f64> {
        savings(&self.with[SJS][level], &self.with[PJS][level])
    }

    fn saved_in_all(&self) -> Vec<f64> {
        savings(&in_all(&self.with[SJS]), &in_all(&self.with[PJS]))
    }

    /// What priorities cost in all, in per cent.
    fn cost(&self, which: usize) -> Vec<f64> {
        percent_above(&in_all(&self.without[which]), &in_all(&self.with[which]))
    }
}

/// The numbers of jobs of a distribution, or their sums.
type Over<'a> = super::Over<'a, At>;

impl<'a> Over<'a> {
    /// Those with so many jobs of high priority.
    fn around(&self, least: f64, most: f64) -> impl Iterator<Item = &'a At> {
        self.all.iter().copied().filter(move |at| (least..=most).contains(&at.high()))
    }

    /// Those that the figures of jobs of low priority draw.
    fn where_drawn(&self) -> Self {
        let drawn = self.all.iter().copied().filter(|at| at.low() <= PJS_DRAWN);
        Self { shares: self.shares, all: drawn.collect() }
    }

    fn sum(&self, totals: impl Fn(&At) -> Vec<f64>) -> Vec<f64> {
        let figures: Vec<Vec<f64>> =
            self.all.iter().filter(|at| at.on_grid).map(|at| totals(at)).collect();
        sums(figures.iter().map(Vec::as_slice))
    }

    fn level(&self, which: usize, level: usize) -> Vec<f64> {
        self.sum(|at| at.with[which][level].clone())
    }

    fn saved(&self, level: usize) -> Vec<f64> {
        savings(&self.level(SJS, level), &self.level(PJS, level))
    }

    fn saved_in_all(&self) -> Vec<f64> {
        let of = |which: usize| self.sum(|at| in_all(&at.with[which]));
        savings(&of(SJS), &of(PJS))
    }

    fn cost(&self, which: usize) -> Vec<f64> {
        let [without, with] =
            [self.sum(|at| in_all(&at.without[which])), self.sum(|at| in_all(&at.with[which]))];
        percent_above(&without, &with)
    }

    /// What they cost more under PJS than under SJS, in per cent of the mean cost under SJS.
    fn dearer(&self) -> Vec<f64> {
        let [sjs, pjs] = [SJS, PJS].map(|which| self.cost(which));
        let mean = Estimate::of(&sjs).mean;
        minus(&pjs, &sjs).into_iter().map(|by| 100.0 * by / mean).collect()
    }

    /// Seconds by which priorities lengthen the time of jobs of low priority.
    fn penalty(&self, which: usize) -> Vec<f64> {
        self.sum(|at| minus(&at.with[which][LOW], &at.without[which][LOW]))
    }

    /// What jobs of low priority do not lose of what the others gain by PJS, in per cent of it.
    fn unpaid(&self) -> Vec<f64> {
        let gain = |level| minus(&self.level(SJS, level), &self.level(PJS, level));
        let [high, medium, low] = [HIGH, MEDIUM, LOW].map(gain);
        let gains = sums([high.as_slice(), &medium]);
        sums([gains.as_slice(), &low])
            .iter()
            .zip(gains)
            .map(|(left, of)| 100.0 * left / of)
            .collect()
    }

    /// From a number of jobs to the next, by how much more time those of medium priority take.
    fn steps_after_meeting(&self) -> Vec<Case> {
        let (_, most) = PJS_AROUND_MET;
        let these: Vec<&At> = self.around(PJS_MET, most).collect();
        let step = |two: &[&At]| {
            let by = minus(&two[1].with[PJS][MEDIUM], &two[0].with[PJS][MEDIUM]);
            Case::new(format!("{} to {}", two[0].jobs, two[1].name()), by, Expected::LESS)
        };
        these.windows(2).map(step).collect()
    }
}

fn claims(all: &[At]) -> Vec<Claim> {
    let over = Over::each(all, |at| at.shares);
    [by_level(all, &over), in_sum(all, &over)].concat()
}

/// A figure of each distribution, in words.
fn each_told(over: &[Over; 3], of: &dyn Fn(&Over) -> Vec<f64>) -> String {
    let one = |over: &Over| format!("{} {:.1}", told(over.shares), Estimate::of(&of(over)));
    over.each_ref().map(one).join(", ")
}

/// Fig. 6.
fn by_level(all: &[At], over: &[Over; 3]) -> Vec<Claim> {
    let [typical, heavy_use, sold] = over;
    let few = all.iter().filter(|at| at.on_grid && at.high() < PJS_MET);
    let few = few.map(|at| Case::new(at.name(), at.saved(HIGH), Expected::MORE));
    let apart = typical.all.iter().filter(|at| at.high() < PJS_MET);
    let beyond = Expected::Inside(PJS_ALIKE, f64::INFINITY);
    let apart = apart.map(|at| Case::new(at.name(), at.saved(HIGH), beyond));
    let met = typical.around(PJS_MET, f64::INFINITY);
    let met = met.map(|at| Case::new(at.name(), at.saved(HIGH), Expected::alike(PJS_ALIKE)));
    let (least, most) = PJS_AROUND_MET;
    let pays = typical.around(least, most).map(|at| {
        let by = minus(&at.with[PJS][MEDIUM], &at.with[SJS][MEDIUM]);
        Case::new(at.name(), by, Expected::MORE)
    });
    let rarer = over.windows(2).map(|two| {
        let name = format!("{} beside {}", told(two[0].shares), told(two[1].shares));
        Case::new(name, minus(&two[0].saved(HIGH), &two[1].saved(HIGH)), Expected::MORE)
    });
    let low_of = |over: &Over, expected| over.case(over.saved(LOW), expected);
    let marginally = Expected::Inside(-PJS_SLIGHT, 0.0);
    let worse = [typical, heavy_use].map(|over| low_of(over, marginally));
    let worse_drawn = [typical, heavy_use].map(|over| low_of(&over.where_drawn(), marginally));
    let comparably = Expected::alike(PJS_COMPARABLE);
    let comparable = [low_of(sold, comparably)];
    let drawn = sold.where_drawn().all.into_iter().filter(|at| at.on_grid);
    let comparable_drawn: Vec<Case> =
        drawn.map(|at| Case::new(at.name(), at.saved(LOW), comparably)).collect();
    let [high, medium, low] = [HIGH, MEDIUM, LOW].map(|level| savings_told(over, level));
    let bump = |over: &Over| judge::some(&over.steps_after_meeting(), SECONDS);
    vec![
        judge::every(&few.collect::<Vec<_>>(), PER_CENT).on(&HIGH_FAVOURED, high.clone()),
        judge::every(&rarer.collect::<Vec<_>>(), POINTS)
            .on(&RARITY, each_told(over, &|it| it.saved(HIGH))),
        judge::every(&met.collect::<Vec<_>>(), PER_CENT).on(&MET_AT_30, high.clone()),
        judge::every(&apart.collect::<Vec<_>>(), PER_CENT)
            .on(&MET_AT_30, high)
            .variant("apart until then"),
        judge::some(&pays.collect::<Vec<_>>(), SECONDS).on(&MEDIUM_PAYS, medium),
        bump(typical).on(&BUMP, medium_told(typical)),
        bump(heavy_use).on(&SAME_BUMP, medium_told(heavy_use)).variant(told(heavy_use.shares)),
        bump(sold).on(&SAME_BUMP, medium_told(sold)).variant(told(sold.shares)),
        judge::every(&worse, PER_CENT).on(&LOW_MARGINALLY_WORSE, low.clone()),
        judge::every(&worse_drawn, PER_CENT)
            .on(&LOW_MARGINALLY_WORSE, low.clone())
            .variant(WHERE_DRAWN),
        judge::every(&comparable, PER_CENT).on(&LOW_COMPARABLE, low.clone()),
        judge::every(&comparable_drawn, PER_CENT)
            .on(&LOW_COMPARABLE, low)
            .variant(format!("{WHERE_DRAWN}, number by number")),
    ]
}

/// Fig. 7, and what the source says of all jobs together.
fn in_sum(all: &[At], over: &[Over; 3]) -> Vec<Claim> {
    let below = Expected::Inside(0.0, PJS_SLIGHT);
    let costs: Vec<Case> = over.iter().flat_map(|over| bars(over, below)).collect();
    let alike = |of: fn(&Over) -> Vec<f64>, margin: f64| {
        over.each_ref().map(|over| over.case(of(over), Expected::alike(margin)))
    };
    let more_on_low = over
        .each_ref()
        .map(|over| over.case(minus(&over.penalty(PJS), &over.penalty(SJS)), Expected::MORE));
    let [low_sjs, low_pjs] = [SJS, PJS].map(|which| {
        let of = |over: &Over| {
            format!("{} {:.0}", told(over.shares), Estimate::of(&over.penalty(which)))
        };
        over.each_ref().map(of).join(", ")
    });
    let on_low = format!("Seconds that they take longer: SJS {low_sjs}; PJS {low_pjs}.");
    let saves = format!("PJS saves in per cent: {}.", each_told(over, &|over| over.saved_in_all()));
    let unpaid = format!("Not lost by them: {}.", each_told(over, &|over| over.unpaid()));
    let [of_sjs, of_pjs] = [SJS, PJS].map(|which| each_told(over, &|over| over.cost(which)));
    let cost = format!("Cost in per cent: SJS {of_sjs}; PJS {of_pjs}.");
    vec![
        judge::every(&[generally_worse(all)], Unit("% of the cases", 0))
            .of_levels()
            .on(&GENERALLY_WORSE, ties_told(all)),
        judge::on_average(&costs, PER_CENT).on(&COST_BELOW_TEN, cost.clone()),
        judge::every(&alike(|over| over.saved_in_all(), PJS_ALIKE), PER_CENT)
            .on(&SAME_IN_ALL, saves),
        judge::every(&alike(|over| over.unpaid(), PJS_SAME_AMOUNT), PER_CENT).on(&WHO_PAYS, unpaid),
        judge::every(
            &alike(|over| over.dearer(), PJS_SAME_AMOUNT),
            Unit("% of the cost under SJS", 0),
        )
        .on(&SAME_PENALTY, cost),
        judge::every(&more_on_low, SECONDS).on(&PENALTY_ON_LOW, on_low),
    ]
}

/// A case for each bar of Fig. 7.
fn bars(over: &Over, expected: Expected) -> [Case; 2] {
    [(SJS, "SJS"), (PJS, "PJS")].map(|(which, name)| {
        Case::new(format!("{name} at {}", told(over.shares)), over.cost(which), expected)
    })
}

/// In which part of the cases priorities cost something, in per cent, in each replication.
fn generally_worse(all: &[At]) -> Case {
    let grid = all.iter().filter(|at| at.on_grid);
    let costs: Vec<Vec<f64>> = grid.flat_map(|at| [SJS, PJS].map(|which| at.cost(which))).collect();
    let replications = costs.first().map_or(0, Vec::len);
    let part = |at: usize| {
        let worse = costs.iter().filter(|costs| costs[at] > 0.0).count();
        100.0 * worse as f64 / costs.len() as f64
    };
    let parts = (0..replications).map(part).collect();
    Case::new("all", parts, Expected::Inside(PJS_MOST, 100.0))
}

/// How often priorities cost something, nothing, and less than nothing.
fn ties_told(all: &[At]) -> String {
    let grid = all.iter().filter(|at| at.on_grid);
    let costs: Vec<f64> =
        grid.flat_map(|at| [SJS, PJS].map(|which| at.cost(which))).flatten().collect();
    let share = |is_so: fn(&f64) -> bool| {
        let so = costs.iter().filter(|cost| is_so(cost)).count();
        100.0 * so as f64 / costs.len() as f64
    };
    let [more, less] = [share(|&cost| cost > 0.0), share(|&cost| cost < 0.0)];
    let same = share(|&cost| cost == 0.0);
    format!("Longer in {more:.0} %, as long in {same:.0} %, shorter in {less:.0} % of the cases.")
}

fn savings_told(over: &[Over; 3], level: usize) -> String {
    let one = |over: &Over| {
        let each = over.all.iter().filter(|at| at.on_grid);
        let each = each.map(|at| format!("{}: {:.1}", at.jobs, Estimate::of(&at.saved(level))));
        format!("{} {}", told(over.shares), each.collect::<Vec<_>>().join(", "))
    };
    let of = over.each_ref().map(one).join("; ");
    format!("PJS saves of jobs of {} priority, in per cent by all jobs: {of}.", LEVELS[level])
}

fn medium_told(over: &Over) -> String {
    let (least, most) = PJS_AROUND_MET;
    let times = over
        .around(least, most)
        .map(|at| format!("{}: {:.0}", at.jobs, Estimate::of(&at.with[PJS][MEDIUM])));
    format!("Their seconds in all by all jobs: {}.", times.collect::<Vec<_>>().join(", "))
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
        let saved = [HIGH, MEDIUM, LOW].map(|level| at.saved(level)).into_iter();
        let figures = saved.chain([at.saved_in_all(), at.cost(SJS), at.cost(PJS)]);
        row.extend(figures.map(|figure| Cell::Estimate(Estimate::of(&figure), 1)));
        row.push(Cell::Estimate(Estimate::of(&in_all(&at.with[PJS])), 0));
        table.push(row);
    }
    table
}

fn gallery(all: &[At]) -> Gallery {
    let plot = |shares: Shares| {
        let these = || all.iter().filter(move |at| at.shares == shares);
        let series = |(level, name): (usize, &&str)| {
            let point = |at: &At| Point::estimated(at.jobs as f64, &Estimate::of(&at.saved(level)));
            Series {
                name: (*name).into(),
                shape: Shape::Line,
                points: these().map(point).collect(),
            }
        };
        Plot {
            title: told(shares),
            caption: String::new(),
            x: Axis::linear("number of jobs"),
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
    use crate::pjs::verdicts_of;
    use locox_report::report::Statement;
    use locox_report::report::Verdict::{self, DoesNotHold, Holds, HoldsInPart, Undecided};

    /// What is found where jobs are scheduled like this.
    fn judged(scheme: Scheme) -> Vec<Claim> {
        let of = |shares| [100, 200].map(|jobs| measure(shares, jobs, 4, 1, scheme));
        let all: Vec<At> = DISTRIBUTIONS.into_iter().flat_map(of).collect();
        claims(&all)
    }

    /// OLB where PJS belongs.
    pub(in super::super) fn planted() -> [Vec<Claim>; 2] {
        let wastes = Scheme { algorithms: [Algorithm::Sjs, Algorithm::Olb], ..RIGHT };
        [RIGHT, wastes].map(judged)
    }

    fn verdicts(scheme: Scheme) -> impl Fn(&Statement) -> Verdict {
        verdicts_of(&EXPERIMENT, judged(scheme))
    }

    #[test]
    fn a_scheduler_without_clusters_and_one_that_turns_priorities_round_are_caught() {
        let sound = verdicts(RIGHT);
        // With 25 jobs of high priority, and with more, both take the same time.
        assert_eq!([&HIGH_FAVOURED, &RARITY].map(&sound), [HoldsInPart; 2]);
        let no_clusters = verdicts(Scheme { algorithms: [Algorithm::Sjs; 2], ..RIGHT });
        assert_eq!([&HIGH_FAVOURED, &RARITY].map(&no_clusters), [Undecided; 2]);
        let turned = verdicts(Scheme { levels: [2, 1, 0], ..RIGHT });
        assert_ne!(turned(&HIGH_FAVOURED), Holds);
        assert_ne!(turned(&LOW_COMPARABLE), sound(&LOW_COMPARABLE));
        let wastes = verdicts(Scheme { algorithms: [Algorithm::Sjs, Algorithm::Olb], ..RIGHT });
        assert_eq!(wastes(&SAME_IN_ALL), DoesNotHold);
    }

    #[test]
    fn numbers_of_jobs_around_the_meeting_have_some_thirty_of_high_priority() {
        for shares in DISTRIBUTIONS {
            let counts = where_curves_meet(shares);
            let high = |jobs: &usize| jobs * shares[HIGH] as usize / 100;
            assert!(counts.iter().map(high).eq((26..=50).step_by(2)), "{counts:?}");
        }
    }
}
